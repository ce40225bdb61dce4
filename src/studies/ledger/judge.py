"""Judge the papers' claims by their evidence."""

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError, refuse
from saturation.files.tables import NamedTables, Row, records
from saturation.ledger.schemas import (
    CONSISTENT,
    DIFFERS,
    NOT_RUN_HERE,
    REPRODUCED,
    UNDECIDABLE,
    UNDETERMINED,
    VERDICTS,
)
from studies.ledger.rules import Quantities, evaluate, names_in
from studies.ledger.schemas import ROLES

AGREES = "agrees"
CONTRADICTS = "contradicts"
UNSETTLED = "does not settle"
NOT_RUN = "not run here"
NOT_RELEASED = "not released"
OUTCOMES = (AGREES, CONTRADICTS, UNSETTLED, NOT_RUN, NOT_RELEASED)

THRESHOLD = "threshold"  # the name under which a rule asks for the row's threshold
THRESHOLD_POINTS = 101


@dataclass(frozen=True)
class Finding:
    """Outcome of a piece of evidence."""

    outcome: str
    computed: str = ""  # in the printed unit, or whether the rule holds
    remark: str = ""
    why_unsettled: str = ""  # a key of _UNSETTLED


def find_outcome(
    claim: Mapping[str, Any],
    evidence: Mapping[str, Any],
    known: Quantities,
    named: Collection[str] = (),
) -> Finding:
    """Return the outcome of a row of evidence.

    The `note` of a quantity without a value says why it was not computed; `named` are quantities
    that another row of the same claim names: they are no readings of this one. A quantity that
    nothing computes is an InputError where the row says neither what it needs nor which command
    computes it.
    """
    needed = list_quantities(evidence)
    absent = [name for name in needed if not _computed(name, known)]
    if not needed or absent:
        return _explain_absence(evidence, absent, known)
    if pd.notna(evidence["rule"]):
        finding = _ruled(evidence, known)
    else:
        finding = _counted(claim, evidence, known, named)
    beside = evidence["beside"].replace(" ", "").split(";") if pd.notna(evidence["beside"]) else []
    more = [name for name in beside if name not in needed]
    parts = (finding.remark, _describe_bounds(more, known))
    return replace(finding, remark="; ".join(part for part in parts if part))


def rounds_to(value: float, published: float, decimals: int) -> bool:
    """Check whether a value, rounded half up or half to even, is the published number.

    Both roundings count: papers do not say which their software used. The value is first cut
    to 12 significant digits, so that 0.145 is not missed for its binary form.
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


def list_quantities(evidence: Mapping[str, Any]) -> list[str]:
    """List the quantities without which a row of evidence cannot be judged."""
    if pd.notna(evidence["rule"]):
        rules = [evidence[kind] for kind in ("rule", "against") if pd.notna(evidence[kind])]
        names = dict.fromkeys(name for rule in rules for name in names_in(rule))
        return [name for name in names if name not in (THRESHOLD, "abs")]
    return [evidence["quantity"]] if pd.notna(evidence["quantity"]) else []


def _computed(name: str, known: Quantities) -> bool:
    """Check whether a quantity, or a reading of the quantity, has a value."""
    return any(
        not isnan(float(row["value"]))
        for reading, row in known.items()
        if reading == name or reading.startswith(f"{name}__")
    )


def _explain_absence(evidence: Mapping[str, Any], absent: list[str], known: Quantities) -> Finding:
    """Explain why this run does not have the claim's quantities."""
    notes = {name: known[name]["note"] for name in absent if name in known}
    why = [f"{name} is not computed: {note}" for name, note in notes.items() if pd.notna(note)]
    if pd.notna(evidence["command"]):
        return Finding(NOT_RUN, remark="; ".join([*why, f"not run here: {evidence['command']}"]))
    if pd.notna(evidence["needs"]):
        return Finding(NOT_RELEASED, remark=f"needed: {evidence['needs']}")
    if why:
        return Finding(NOT_RUN, remark="; ".join(why))
    raise InputError(
        f"evidence {evidence['evidence_id']}: nothing computes quantity '{absent[0]}'; compute it, "
        "or say in needs what was not released, or in command what computes it"
    )


def _ruled(evidence: Mapping[str, Any], known: Quantities) -> Finding:
    """Return the outcome of a rule."""
    rule = evidence["rule"]
    holds = evaluate(rule, _add_threshold(known, evidence["threshold"]))
    remark = f"{rule}: {_describe_bounds(list_quantities(evidence), known)}"
    computed = "holds" if holds else "does not hold"
    if pd.notna(evidence["threshold"]):
        truth_by_point = evaluate_over_range(evidence, known)
        remark += f"; threshold {float(evidence['threshold']):g} is ours; {_ranges(truth_by_point)}"
        if any(truth_by_point.values()) and not all(truth_by_point.values()):
            return Finding(UNSETTLED, computed, remark, "threshold")
    if holds and pd.notna(evidence["fails_to_reject"]):
        return Finding(UNSETTLED, computed, remark, "fails to reject")
    if holds:
        return Finding(AGREES, computed, remark)
    if pd.notna(evidence["against"]):
        if not evaluate(evidence["against"], known):
            return Finding(UNSETTLED, computed, remark, "not shown")
        remark += f"; against: {evidence['against']}"
    return Finding(CONTRADICTS, computed, remark)


def evaluate_over_range(evidence: Mapping[str, Any], known: Quantities) -> dict[float, bool]:
    """Evaluate the row's rule at each point of its threshold's range."""
    points = np.linspace(
        float(evidence["threshold_from"]), float(evidence["threshold_to"]), THRESHOLD_POINTS
    )
    rule = evidence["rule"]
    return {float(point): evaluate(rule, _add_threshold(known, point)) for point in points}


def _ranges(held: Mapping[float, bool]) -> str:
    """Describe the range over which a rule holds, in words."""
    tried = f"{_format(min(held))} to {_format(max(held))}"
    inside = [point for point, holds in held.items() if holds]
    if not inside:
        return f"it holds nowhere from {tried}"
    if len(inside) == len(held):
        return f"it holds everywhere from {tried}"
    return f"it holds from {_format(min(inside))} to {_format(max(inside))} of the range {tried}"


def _add_threshold(known: Quantities, threshold: Any) -> Quantities:
    """Return the quantities and, under its name, the threshold."""
    return {**known, THRESHOLD: {"value": threshold}}


def _counted(
    claim: Mapping[str, Any], evidence: Mapping[str, Any], known: Quantities, named: Collection[str]
) -> Finding:
    """Return the outcome of a quantity: of its value, else of all its readings."""
    published, decimals = float(claim["published"]), int(claim["decimals"])
    scale = float(evidence["scale"]) if pd.notna(evidence["scale"]) else 1.0
    base = evidence["quantity"]
    values = {
        name: float(row["value"]) * scale
        for name, row in known.items()
        if name == base or (name.startswith(f"{base}__") and name not in named)
    }
    giving = [name for name, value in values.items() if rounds_to(value, published, decimals)]
    closest = min(values, key=lambda name: (isnan(values[name]), abs(values[name] - published)))
    printed_name = base if base in values else closest
    remark = f"{base} = {values[printed_name]:.6g}{_interval(known[printed_name], scale)}"
    if len(values) > 1 and base not in giving:
        reading = closest.partition("__")[2] or "the plain one"
        remark += (
            f"; {len(giving)} of the {len(values)} readings that no other row names give "
            f"{claim['published']}, the closest ({reading}) is {values[closest]:.6g}"
        )
    computed = f"{values[printed_name]:.6g}"
    if base in giving or len(giving) == len(values):
        return Finding(AGREES, computed, remark)
    if giving:
        return Finding(UNSETTLED, computed, remark, "readings")
    return Finding(CONTRADICTS, computed, remark)


def _describe_bounds(names: list[str], known: Quantities) -> str:
    """Values of quantities with their intervals, in words."""
    return ", ".join(
        f"{name} = {_format(float(known[name]['value']))}{_interval(known[name])}"
        for name in names
        if name in known
    )


def _interval(row: Mapping[str, float], scale: float = 1.0) -> str:
    """Describe the interval of a quantity, if present."""
    lower, upper = float(row["lower"]) * scale, float(row["upper"]) * scale
    return "" if isnan(lower) or isnan(upper) else f" ({_format(lower)} to {_format(upper)})"


def _format(value: float) -> str:
    """Six significant digits, and no fewer than all digits before the point."""
    return f"{value:.0f}" if abs(value) >= 1e6 and np.isfinite(value) else f"{value:.6g}"


def places(sources: Mapping[str, str]) -> dict[str, str]:
    """``src/PACKAGE/MODULE.py:LINE`` of every function, by ``PACKAGE.MODULE:FUNCTION``.

    `sources` is the text of Python files by path; what stands before the last ``src/`` is left out.
    """
    place_of_function = {}
    for path, text in sources.items():
        file = path.rpartition("src/")[2]
        module = file.removesuffix(".py").replace("/", ".")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                place_of_function[f"{module}:{node.name}"] = f"src/{file}:{node.lineno}"
    return place_of_function


# The coarse verdict of every grade.
COARSE = {
    "recomputed from the released data": REPRODUCED,
    "recomputed from the released output": REPRODUCED,
    "equal to the released output": CONSISTENT,
    "consistent within the paper": CONSISTENT,
    "contradicted by the released data": DIFFERS,
    "contradicted by the released output": DIFFERS,
    "contradicted within the paper": DIFFERS,
    "supported on other data": UNDETERMINED,
    "not supported on other data": UNDETERMINED,
    "not contradicted": UNDETERMINED,
    "not shown by the data": UNDETERMINED,
    "depends on a threshold of ours": UNDETERMINED,
    "depends on the reading": UNDETERMINED,
    "released, not run here": NOT_RUN_HERE,
    "specification not released": UNDECIDABLE,
    "not released": UNDECIDABLE,
}
OUR_READING = "depends on the reading"
# The grade of evidence that agrees or contradicts, by the data that it was computed from, and of
# evidence that settles nothing, by the reason.
_AGREEING = {
    "released data": "recomputed from the released data",
    "released output": "recomputed from the released output",
    "printed tables": "consistent within the paper",
    "other data": "supported on other data",
}
_CONTRADICTING = {
    "released data": "contradicted by the released data",
    "released output": "contradicted by the released output",
    "printed tables": "contradicted within the paper",
    "other data": "not supported on other data",
}
_UNSETTLED = {
    "fails to reject": "not contradicted",
    "not shown": "not shown by the data",
    "threshold": "depends on a threshold of ours",
    "readings": OUR_READING,
}


Pieces = Sequence[Mapping[str, Any]]  # evidence on a claim


def grade(pieces: Pieces) -> str:
    """Grade a claim by all its evidence: a key of `COARSE`."""
    deciding = _select_deciding(pieces)
    settled = _select_settled(deciding)
    open_ones = [piece for piece in deciding if piece["outcome"] == UNSETTLED]
    if len({piece["outcome"] for piece in settled}) > 1:
        return OUR_READING
    if settled and not open_ones:
        return _grade_settled(settled[0])
    # Evidence that settles nothing beside some that does: as weak as its weaker part.
    if settled and settled[0]["outcome"] == CONTRADICTS:
        return OUR_READING
    if open_ones:
        return _UNSETTLED[open_ones[0]["why_unsettled"]]
    if any(piece["outcome"] == NOT_RUN for piece in deciding):
        return "released, not run here"
    unreleased = any(piece["data"] == "none" for piece in deciding)
    return "not released" if unreleased else "specification not released"


def _select_deciding(pieces: Pieces) -> Pieces:
    """Select the rows that decide: natural rows, else readings, else replications.

    Where what would decide was never released, a replication that agrees or contradicts does; where
    it waits to be run, the paper's own printed numbers do.
    """
    first = next((rows for role in ROLES if (rows := _select_role(pieces, role))), None)
    if first is None:
        raise ValueError("a claim has no evidence")
    stand_ins: Pieces = ()
    if all(piece["outcome"] == NOT_RELEASED and piece["data"] == "none" for piece in first):
        stand_ins = _select_role(pieces, "replication")
    elif all(piece["outcome"] == NOT_RUN for piece in first):
        readings = _select_role(pieces, "reading")
        stand_ins = [piece for piece in readings if piece["data"] == "printed tables"]
    return _select_settled(stand_ins) or first


def _select_role(pieces: Pieces, role: str) -> list[Mapping[str, Any]]:
    """Select the rows of a role."""
    return [piece for piece in pieces if piece["role"] == role]


def _select_settled(pieces: Pieces) -> list[Mapping[str, Any]]:
    """Select the rows that agree or contradict."""
    return [piece for piece in pieces if piece["outcome"] in (AGREES, CONTRADICTS)]


def _grade_settled(piece: Mapping[str, Any]) -> str:
    """Return the grade of evidence that agrees or contradicts."""
    if piece["outcome"] == CONTRADICTS:
        return _CONTRADICTING[piece["data"]]
    if piece["data"] == "released output" and piece["method"] == "none":
        return "equal to the released output"
    return _AGREEING[piece["data"]]


# Where a quantity stands and what it rests on.
_ORIGIN = ("file", "cell", "source", "code")
COLUMNS = [
    *("claim_id", "paper", "version", "places", "kind", "sense", "statement", "quotation"),
    *("published", "computed", "verdict", "grade", "evidence", "agreeing", "contradicting"),
    *("quantity", "rule", *_ORIGIN, "note", "cause"),
]
# What the ledger takes from the evidence that decides a claim.
_SHARED = ("computed", "quantity", "rule", *_ORIGIN)
PRINTED = "printed"  # whose quantities are the numbers that the paper itself prints
PAPER = "the paper"
EVIDENCE_COLUMNS = [
    *("evidence_id", "claim_id", "study", "role", "data", "method", "quantity", "rule"),
    *("outcome", "computed", "remark", *_ORIGIN, "note"),
]


class Study:
    """Quantities of a study, their file and their sources.

    `source` names the data behind it in ``resources/sources.csv``, or what else it rests on. A
    quantity that stands twice is an InputError: nobody could tell which of the two is meant.
    """

    def __init__(
        self,
        table: pd.DataFrame,
        file: str,
        source: str,
        places: Mapping[str, str],
        column: str = "value",
    ) -> None:
        twice = table.loc[table["quantity"].duplicated(), "quantity"]
        refuse(f"{file}: quantity '{name}' is computed twice; name each reading" for name in twice)
        self.known = {row["quantity"]: row for row in records(table)}
        # Below the header the first line is the second; a table may be part of its file.
        self.line = dict(zip(self.known, table.index + 2))
        self.code = {
            name: places.get(str(row.get("made_by")), "") for name, row in self.known.items()
        }
        self.file, self.source = file, source
        self.column = column


def printed(claims: pd.DataFrame, paper: str) -> Study:
    """Return a paper's printed numbers as quantities by the names of their claims.

    Evidence of the study `PRINTED` looks at a paper from within: its rules compare the paper's
    printed numbers with each other.
    """
    numbers = claims[claims["kind"] == "number"]
    table = pd.DataFrame(
        {"quantity": numbers["claim_id"], "value": numbers["published"].astype(float)}
    ).assign(lower=np.nan, upper=np.nan, note=None, made_by=None)
    return Study(table, f"resources/ledger/claims/{paper}.csv", PAPER, {}, "published")


def judged(
    claims: NamedTables, evidence: NamedTables, studies: Mapping[str, Study]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Judge all papers: the ledger, and the evidence behind the ledger.

    Evidence of a study that is not among `studies` is left out, and so is a claim on which
    nothing is left: a study that runs on other data says nothing of the papers. Evidence on an
    unknown claim, a claim without evidence and evidence that cannot be judged are InputErrors.
    """
    rows = []
    pieces = []
    for paper, table in claims.items():
        of_claim = _group_by_claim(table, evidence[paper], paper)
        by_study = {**studies, PRINTED: printed(table, paper)} if studies else {}
        for claim in records(table):
            usable = [row for row in of_claim[str(claim["claim_id"])] if row["study"] in by_study]
            if not usable:
                continue
            findings = _find_outcomes(claim, usable, by_study)
            pieces += findings
            rows.append(_claim_row(claim, paper, findings))
    return pd.DataFrame(rows, columns=COLUMNS), pd.DataFrame(pieces, columns=EVIDENCE_COLUMNS)


def summary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count claims by paper, sense and verdict, with a total row."""
    verdicts = list(VERDICTS)
    counts = pd.crosstab([ledger["paper"], ledger["sense"]], ledger["verdict"])
    counts = counts.reindex(columns=verdicts, fill_value=0).reset_index()
    counts["claims"] = counts[verdicts].sum(axis=1)
    total = counts[[*verdicts, "claims"]].sum()
    counts.loc[len(counts)] = {"paper": "all", "sense": "all", **total.to_dict()}
    counts.columns.name = None
    return counts


def causes(ledger: pd.DataFrame) -> int:
    """Count the causes of claims that differ: claims with a common cause count once."""
    differ = ledger[ledger["verdict"] == DIFFERS]
    return int(differ["cause"].fillna(differ["claim_id"]).nunique())


def grades(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count claims by grade, in the order of :data:`studies.ledger.judge.COARSE`."""
    counts = ledger["grade"].value_counts()
    return pd.DataFrame(
        [(name, coarse, int(counts.get(name, 0))) for name, coarse in COARSE.items()],
        columns=["grade", "verdict", "claims"],
    )


def _group_by_claim(
    claims: pd.DataFrame, evidence: pd.DataFrame, paper: str
) -> dict[str, list[Row]]:
    """Rows of evidence by claim."""
    rows = {str(name): records(group) for name, group in evidence.groupby("claim_id", sort=False)}
    names = [str(name) for name in claims["claim_id"]]
    wrong = [
        f"resources/ledger/evidence/{paper}.csv: evidence on '{name}', which no row of "
        f"resources/ledger/claims/{paper}.csv is"
        for name in rows
        if name not in set(names)
    ] + [
        f"resources/ledger/claims/{paper}.csv: no evidence on '{name}'; add a row to "
        f"resources/ledger/evidence/{paper}.csv"
        for name in names
        if name not in rows
    ]
    refuse(wrong)
    return rows


def _find_outcomes(
    claim: Mapping[str, Any], rows: list[Row], studies: Mapping[str, Study]
) -> list[Row]:
    """Return the finding of each row of evidence on a claim."""
    quantities = {str(row["quantity"]) for row in rows if pd.notna(row["quantity"])}
    findings = []
    for row in rows:
        study = studies[str(row["study"])]
        finding = find_outcome(claim, row, study.known, quantities)
        findings.append(_evidence_row(row, finding, study))
    return findings


def _evidence_row(row: Mapping[str, Any], finding: Finding, study: Study) -> Row:
    """One row of the table of evidence; `why_unsettled` is kept for the grade."""
    names = [name for quantity in list_quantities(row) for name in _standing_for(quantity, study)]
    lines = [str(study.line[name]) for name in names]
    code = "; ".join(dict.fromkeys(filter(None, (study.code[name] for name in names))))
    # A study may also read what its paper prints.
    rests_on = PAPER if row["data"] == "printed tables" else study.source
    return {
        **{name: row.get(name) for name in EVIDENCE_COLUMNS},
        **vars(finding),
        # Where nothing is computed there is no file that it stands in.
        "file": study.file if lines else None,
        "cell": f"column {study.column}, row {', '.join(lines)}" if lines else None,
        "source": rests_on if lines else None,
        "code": code or None,
    }


def _standing_for(quantity: str, study: Study) -> list[str]:
    """Return the quantity, or all its readings if the quantity lacks a value."""
    readings = [name for name in study.line if name.startswith(f"{quantity}__")]
    return [quantity] if quantity in study.line else readings


def _claim_row(claim: Mapping[str, Any], paper: str, said: list[Row]) -> Row:
    """Build a row of the ledger: the claim, its grade, and the deciding evidence."""
    graded = grade(said)
    # Of the evidence that decides, what leaves it open comes before what agrees.
    first = min(
        _select_deciding(said),
        key=lambda row: (row["outcome"] != UNSETTLED, OUTCOMES.index(row["outcome"])),
    )
    outcomes = [row["outcome"] for row in said]
    notes = [claim["note"], *(row["note"] for row in said)]
    remarks = [row["remark"] for row in said]
    said_once = dict.fromkeys(str(part) for part in [*remarks, *notes] if part and pd.notna(part))
    return {
        **{name: claim.get(name) for name in COLUMNS},
        **{name: first[name] for name in _SHARED},
        "paper": paper,
        "verdict": COARSE[graded],
        "grade": graded,
        "evidence": len(said),
        "agreeing": outcomes.count(AGREES),
        "contradicting": outcomes.count(CONTRADICTS),
        "note": "; ".join(said_once),
    }
