"""The report's front page: what came out, what it was made from and how to read the rest.

A page of reStructuredText with the numbers of this run in the places that its text leaves for them.
"""

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

FINDINGS = ".. findings\n"
CLAIMS = ".. claims\n"
PROVENANCE = ".. provenance\n"
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
_CODE = re.compile(r"`([^`<>]+)`(?!_)")


def landing(
    text: str,
    findings: str,
    quoted: Mapping[str, Any],
    summary: pd.DataFrame,
    provenance: Mapping[str, str],
) -> str:
    """The page.

    Parameters
    ----------
    text
        The page as it is without a finished run, with a comment in each place to fill.
    findings
        A list in Markdown, with the numbers that it quotes in braces.
    quoted
        Numbers by name; a point of the list of which one is missing is left out.
    summary
        Counts of claims by paper and verdict.
    provenance
        What the run was made from, each with its name.

    Returns
    -------
    str
        reStructuredText.
    """
    points = [point for point in re.split(r"(?m)^(?=- )", findings) if point]
    said = "".join(
        _restructured(point.format(**quoted)) for point in points if _known(point, quoted)
    )
    facts = "".join(f":{name}: {fact}\n" for name, fact in provenance.items())
    text = text.replace(FINDINGS, _under("What comes out", said))
    text = text.replace(CLAIMS, _under("The papers' claims", _table(summary)))
    return text.replace(PROVENANCE, _under("What it was made from", facts))


def provenance(manifest: Mapping[str, Any], origin: Mapping[str, str]) -> dict[str, str]:
    """What a run was made from, in words.

    Parameters
    ----------
    manifest, origin
        As :mod:`saturation.files.manifest` makes them.
    """
    (lock, digits), *_ = manifest["lock"].items()
    inputs, outputs = manifest["inputs"], manifest["outputs"]
    return {
        "Code": f"commit ``{origin['commit']}``",
        "Packages": f"``{lock}``, SHA-256 ``{digits}``; Python {origin['python']}",
        "Data": f"{len(inputs)} files in ``resources/``; the plateau paper's benchmarks as of "
        f"{manifest['config']['plateau']['observed_on']}",
        "Random draws": f"from the seed {manifest['config']['seed']}",
        "Results": f"{len(outputs)} files; each with its hash in ``results/manifest.json``",
        "Machine": origin["system"],
    }


def _known(point: str, quoted: Mapping[str, Any]) -> bool:
    return set(re.findall(r"{(\w+)", point)) <= set(quoted)


def _under(heading: str, text: str) -> str:
    """A section; without text, nothing."""
    return f"{heading}\n{'-' * len(heading)}\n\n{text}\n" if text else ""


def _restructured(markdown: str) -> str:
    """Links and code as reStructuredText has them; the report lies one folder below the README."""
    return _LINK.sub(r"`\1 <../\2>`__", _CODE.sub(r"``\1``", markdown))


def _table(frame: pd.DataFrame) -> str:
    rows = frame.to_csv(index=False).splitlines()
    return ".. csv-table::\n   :header-rows: 1\n\n" + "".join(f"   {row}\n" for row in rows)
