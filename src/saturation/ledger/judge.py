"""The ledger: every number and conclusion that a paper prints, beside what is computed here.

A *number* is reproduced when the computed quantity, in the printed unit, rounds to the printed
digits. Where a paper does not say how it computed a number, the study computes each reasonable
reading as a quantity ``base__reading``; the number counts as reproduced if one of them gives it,
and the note names that reading and how many were tried. Where none does, the note names the
closest, which stands in the ledger unless the study has a primary reading, ``base``. A *conclusion*
is reproduced when its stated rule, an expression over quantities, is true. A claim whose data were
not released is *undecidable*, and so is a conclusion over a quantity that this run did not compute
(no value, and a note that says why).
"""

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import records
from saturation.ledger.rules import Quantities, evaluate, names_in

COLUMNS = [
    "claim_id",
    "study",
    "location",
    "kind",
    "statement",
    "published",
    "computed",
    "decimals",
    "verdict",
    "note",
]
VERDICTS = ("reproduced", "differs", "undecidable")


def judge(claims: pd.DataFrame, quantities: pd.DataFrame, study: str) -> pd.DataFrame:
    """Join a study's claims with its quantities and give each a verdict.

    Parameters
    ----------
    claims
        Rows of ``resources/ledger/STUDY.csv``.
    quantities
        Rows ``quantity, value, lower, upper, note``.
    study
        Name of the study.

    Returns
    -------
    pandas.DataFrame
        The columns of the contract, in the claims' order.

    Raises
    ------
    InputError
        For a claim that names a quantity nobody computes without saying which data are missing,
        a duplicate quantity, or a rule that :mod:`saturation.ledger.rules` does not understand.
    """
    twice = quantities.loc[quantities["quantity"].duplicated(), "quantity"]
    if len(twice):
        raise InputError(
            [f"{study}: quantity '{name}' is computed twice; name each reading" for name in twice]
        )
    known = {
        str(row["quantity"]): {name: row[name] for name in ("value", "lower", "upper")}
        for row in records(quantities)
    }
    # Why quantities without a value were not computed.
    empty = quantities[quantities["value"].isna() & quantities["note"].notna()]
    skipped = dict(zip(empty["quantity"], empty["note"]))
    rows = [_judged(claim, known, skipped, study) for claim in records(claims)]
    return pd.DataFrame(rows, columns=COLUMNS)


def rounds_to(value: float, published: float, decimals: int) -> bool:
    """Whether a value, rounded half up or half to even, is the published number.

    Both roundings count: papers do not say which their software used. The value is first cut
    to 12 significant digits, so that 0.145 is not missed for its binary form.

    Parameters
    ----------
    value
        What is computed here.
    published
        What the paper prints.
    decimals
        To how many decimals it is printed.
    """
    if not np.isfinite(value):
        return False
    exact = Decimal(f"{value:.12g}")
    printed = Decimal(repr(float(published)))
    step = Decimal(1).scaleb(-decimals)
    return any(
        exact.quantize(step, rounding=mode) == printed.quantize(step)
        for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    )


def summary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Number of claims by study, kind and verdict, with a total row."""
    counts = pd.crosstab([ledger["study"], ledger["kind"]], ledger["verdict"])
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0).reset_index()
    counts["claims"] = counts[list(VERDICTS)].sum(axis=1)
    total = counts[[*VERDICTS, "claims"]].sum()
    counts.loc[len(counts)] = {"study": "all", "kind": "all", **total.to_dict()}
    counts.columns.name = None
    return counts


def _judged(
    claim: dict[str, Any], known: Quantities, skipped: Mapping[str, str], study: str
) -> dict[str, Any]:
    """One row of the ledger."""
    uncomputed = [name for name in _asked(claim) if name in skipped]
    computed: str | None = None
    verdict, remarks = "undecidable", [f"{n} is not computed: {skipped[n]}" for n in uncomputed]
    if pd.notna(claim["data_needed"]):
        remarks = [f"not at hand: {claim['data_needed']}"]
    elif not uncomputed:
        judged = _number if claim["kind"] == "number" else _conclusion
        computed, verdict, remark = judged(claim, known)
        remarks = [remark] if remark else []
    if pd.notna(claim["note"]):
        remarks.append(str(claim["note"]))
    return {name: claim.get(name) for name in COLUMNS} | {
        "study": study,
        "computed": computed,
        "verdict": verdict,
        "note": "; ".join(remarks),
    }


def _asked(claim: dict[str, Any]) -> list[str]:
    """The quantities without which a claim cannot be judged."""
    if pd.notna(claim["data_needed"]):
        return []
    return [claim["quantity"]] if claim["kind"] == "number" else names_in(claim["rule"])


def _conclusion(claim: dict[str, Any], known: Quantities) -> tuple[str, str, str]:
    """What is computed, the verdict and a remark."""
    rule = str(claim["rule"])
    holds = evaluate(rule, known)
    values = [f"{name} = {known[name]['value']:.4g}" for name in names_in(rule) if name in known]
    return (
        "holds" if holds else "does not hold",
        "reproduced" if holds else "differs",
        f"rule: {rule} ({', '.join(values)})",
    )


def _number(claim: dict[str, Any], known: Quantities) -> tuple[str, str, str]:
    """What is computed, the verdict and a remark."""
    base, published = str(claim["quantity"]), float(claim["published"])
    values = _readings(claim, known)
    fitting = [
        name for name in values if rounds_to(values[name], published, int(claim["decimals"]))
    ]
    closest = min(values, key=lambda name: (isnan(values[name]), abs(values[name] - published)))
    if fitting:
        chosen = fitting[0]
        remark = f"reading '{_reading(chosen)}', 1 of {len(values)} tried ({len(fitting)} give it)"
    else:
        chosen = base if base in values else closest
        remark = (
            f"none of {len(values)} readings gives it; the closest is '{_reading(closest)}' "
            f"with {values[closest]:.6g}"
        )
    verdict = "reproduced" if fitting else "differs"
    return f"{values[chosen]:.6g}", verdict, remark if len(values) > 1 else ""


def _readings(claim: dict[str, Any], known: Quantities) -> dict[str, float]:
    """Every reading of a claim's quantity in the printed unit, the primary one first."""
    base = str(claim["quantity"])
    scale = float(claim["scale"]) if pd.notna(claim["scale"]) else 1.0
    names = sorted(name for name in known if name.startswith(f"{base}__"))
    values = {name: float(known[name]["value"]) * scale for name in (base, *names) if name in known}
    if not values:
        raise InputError(
            f"claim {claim['claim_id']}: nothing computes quantity '{base}'; "
            "compute it or say in data_needed which data are missing"
        )
    return values


def _reading(name: str) -> str:
    return name.partition("__")[2] or "primary"
