"""Import what evaluation tools wrote about one benchmark into the two tidy tables."""

import json
from pathlib import Path
from typing import Any

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_json, write_text
from saturation.own.imports import read


def main(
    inputs: Paths,
    output: Paths,
    *,
    benchmark: str,
    entries: list[dict[str, Any]],
    declared: dict[str, Any],
) -> None:
    paths = inputs.each("files")
    files = [{**entry, "path": path} for entry, path in zip(entries, paths, strict=True)]
    stale = output["record"].with_name("stale.txt")
    try:
        imports = read(benchmark, files, declared)
    except InputError as error:
        raise _stale(error, stale) from None
    stale.unlink(missing_ok=True)
    write_csv(imports.scores, output["scores"])
    write_csv(imports.responses, output["responses"])
    write_json(imports.record, output["record"])


def _stale(error: InputError, mark: Path) -> InputError:
    """The error, with a mark beside the earlier card if there is one."""
    card = mark.with_name("card.json")
    if not card.is_file():
        return error
    observed_on = json.loads(card.read_text(encoding="utf-8"))["observed_on"]
    kept = f"the card and its data as of {observed_on} stay in place, because its files failed:"
    write_text("\n".join([kept, *error.violations, ""]), mark)
    return InputError([*error.violations, f"{mark.parent}: {kept.partition(',')[0]}"])


stages.run(main, globals())
