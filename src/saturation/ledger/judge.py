"""The ledger: what the papers print, the evidence on it, and what follows.

:mod:`saturation.ledger.evidence` says what each piece of evidence means for its claim,
:mod:`saturation.ledger.verdict` what follows from all of them.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import records
from saturation.ledger import verdict
from saturation.ledger.evidence import AGREES, CONTRADICTS, OUTCOMES, Finding, asked, found
from saturation.ledger.names import VERDICTS
from saturation.ledger.rules import Quantities

COLUMNS = [
    "claim_id",
    "paper",
    "version",
    "places",
    "kind",
    "sense",
    "statement",
    "quotation",
    "published",
    "computed",
    "verdict",
    "grade",
    "evidence",
    "agreeing",
    "contradicting",
    "quantity",
    "rule",
    "file",
    "cell",
    "source",
    "code",
    "note",
]
# What a reader of the page sees; all of it is in the tables.
SHOWN = [
    "claim_id",
    "statement",
    "verdict",
    "published",
    "computed",
    "grade",
    "quotation",
    "places",
]
# What the ledger takes from the evidence that stands for a claim.
_SHARED = ("computed", "quantity", "rule", "file", "cell", "source", "code")
PRINTED = "printed"  # whose quantities are the numbers that the paper itself prints
PAPER = "the paper"
EVIDENCE_COLUMNS = [
    "evidence_id",
    "claim_id",
    "study",
    "role",
    "data",
    "method",
    "quantity",
    "rule",
    "outcome",
    "computed",
    "remark",
    "file",
    "cell",
    "source",
    "code",
    "note",
]


class Study:
    """What a study computed, where that stands, and what it was computed from.

    Parameters
    ----------
    table
        Rows ``quantity, value, lower, upper, note, made_by``.
    file
        Where the table stands.
    source
        Names in ``resources/sources.csv`` of the data behind it, or what else it rests on.
    places
        File and line of the functions that make quantities, as
        :func:`saturation.ledger.makers.places` has them.

    Raises
    ------
    InputError
        If a quantity stands twice: nobody could tell which of the two is meant.
    """

    def __init__(
        self, table: pd.DataFrame, file: str, source: str, places: Mapping[str, str]
    ) -> None:
        twice = table.loc[table["quantity"].duplicated(), "quantity"]
        if len(twice):
            raise InputError(
                [f"{file}: quantity '{row}' is computed twice; name each reading" for row in twice]
            )
        rows = records(table)
        self.known: Quantities = {
            str(row["quantity"]): {key: row[key] for key in ("value", "lower", "upper")}
            for row in rows
        }
        # Why quantities without a value were not computed.
        self.skipped = {
            str(row["quantity"]): str(row["note"])
            for row in rows
            if pd.isna(row["value"]) and pd.notna(row["note"])
        }
        self.line = {str(row["quantity"]): place for place, row in enumerate(rows, start=2)}
        self.code = {str(row["quantity"]): places.get(str(row.get("made_by")), "") for row in rows}
        self.file, self.source = file, source
        self.column = "value"


def printed(claims: pd.DataFrame, paper: str) -> Study:
    """The numbers that a paper prints, as quantities by the names of their claims.

    Evidence of the study `PRINTED` looks at a paper from within: its rules compare the paper's
    printed numbers with each other.

    Parameters
    ----------
    claims
        The paper's claims.
    paper
        Its name.
    """
    numbers = claims[claims["kind"] == "number"]
    table = pd.DataFrame(
        {
            "quantity": numbers["claim_id"],
            "value": numbers["published"].astype(float),
            "lower": float("nan"),
            "upper": float("nan"),
            "note": None,
            "made_by": None,
        }
    )
    study = Study(table, f"resources/ledger/claims/{paper}.csv", PAPER, {})
    # Conclusions stand between the numbers in the file.
    study.line = {
        str(row["claim_id"]): place
        for place, row in enumerate(records(claims), start=2)
        if row["kind"] == "number"
    }
    study.column = "published"
    return study


def origin(origins: pd.DataFrame, study: str) -> str:
    """What a study's quantities are computed from; empty for one that is not listed.

    Parameters
    ----------
    origins
        ``source`` by study, of ``resources/ledger/studies.csv``.
    study
        Its name.
    """
    return str(origins.loc[study, "source"]) if study in origins.index else ""


def judged(
    claims: Mapping[str, pd.DataFrame],
    evidence: Mapping[str, pd.DataFrame],
    studies: Mapping[str, Study],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The ledger of all papers, and the evidence that it rests on.

    Evidence of a study that is not among `studies` is left out, and so is a claim on which
    nothing is left: a study that runs on other data says nothing of the papers.

    Parameters
    ----------
    claims, evidence
        Tables of ``resources/ledger`` by paper.
    studies
        What each study computed, by its name.

    Returns
    -------
    tuple of pandas.DataFrame
        Columns `COLUMNS`, one row a claim in the tables' order; columns `EVIDENCE_COLUMNS`.

    Raises
    ------
    InputError
        For evidence on an unknown claim, a claim without evidence, a quantity that is computed
        twice, or evidence that cannot be judged.
    """
    rows: list[dict[str, Any]] = []
    pieces: list[dict[str, Any]] = []
    for paper, table in claims.items():
        of_claim = _by_claim(table, evidence[paper], paper)
        known = {**studies, PRINTED: printed(table, paper)} if studies else {}
        for claim in records(table):
            here = [row for row in of_claim[str(claim["claim_id"])] if row["study"] in known]
            if not here:
                continue
            said = _said(claim, here, known)
            pieces += said
            rows.append(_claim_row(claim, paper, said))
    return pd.DataFrame(rows, columns=COLUMNS), pd.DataFrame(pieces, columns=EVIDENCE_COLUMNS)


def summary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Number of claims by paper, sense and verdict, with a total row."""
    verdicts = list(VERDICTS)
    counts = pd.crosstab([ledger["paper"], ledger["sense"]], ledger["verdict"])
    counts = counts.reindex(columns=verdicts, fill_value=0).reset_index()
    counts["claims"] = counts[verdicts].sum(axis=1)
    total = counts[[*verdicts, "claims"]].sum()
    counts.loc[len(counts)] = {"paper": "all", "sense": "all", **total.to_dict()}
    counts.columns.name = None
    return counts


def grades(ledger: pd.DataFrame) -> pd.DataFrame:
    """Number of claims by grade, in the order of :data:`saturation.ledger.verdict.COARSE`."""
    counts = ledger["grade"].value_counts()
    return pd.DataFrame(
        [(name, coarse, int(counts.get(name, 0))) for name, coarse in verdict.COARSE.items()],
        columns=["grade", "verdict", "claims"],
    )


def _by_claim(
    claims: pd.DataFrame, evidence: pd.DataFrame, paper: str
) -> dict[str, list[dict[str, Any]]]:
    """Rows of evidence by claim.

    Raises
    ------
    InputError
        Naming every claim without evidence and all evidence without a claim.
    """
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in records(evidence):
        rows[str(row["claim_id"])].append(row)
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
    if wrong:
        raise InputError(wrong)
    return rows


def _said(
    claim: Mapping[str, Any], rows: list[dict[str, Any]], studies: Mapping[str, Study]
) -> list[dict[str, Any]]:
    """What each row of evidence says of a claim."""
    named = {str(row["quantity"]) for row in rows if pd.notna(row["quantity"])}
    said = []
    for row in rows:
        study = studies[str(row["study"])]
        finding = found(claim, row, study.known, study.skipped, named)
        said.append(_evidence_row(row, finding, study))
    return said


def _evidence_row(row: Mapping[str, Any], finding: Finding, study: Study) -> dict[str, Any]:
    """One row of the table of evidence; `why_unsettled` is kept for the grade."""
    here = [name for wanted in asked(row) for name in _standing_for(wanted, study)]
    lines = [str(study.line[name]) for name in here]
    code = "; ".join(dict.fromkeys(filter(None, (study.code[name] for name in here))))
    return {
        **{name: row.get(name) for name in EVIDENCE_COLUMNS},
        "outcome": finding.outcome,
        "why_unsettled": finding.why_unsettled,
        "computed": finding.computed,
        "remark": finding.remark,
        # Where nothing is computed there is no file that it stands in.
        "file": study.file if lines else None,
        "cell": f"column {study.column}, row {', '.join(lines)}" if lines else None,
        "source": _source(row, study) if lines else None,
        "code": code or None,
    }


def _source(row: Mapping[str, Any], study: Study) -> str:
    """What a row rests on: a study may also read what its paper prints."""
    return PAPER if row["data"] == "printed tables" else study.source


def _standing_for(quantity: str, study: Study) -> list[str]:
    """The quantity, or all its readings where it has no value of its own."""
    if quantity in study.line:
        return [quantity]
    return [name for name in study.line if name.startswith(f"{quantity}__")]


def _claim_row(claim: Mapping[str, Any], paper: str, said: list[dict[str, Any]]) -> dict[str, Any]:
    """One row of the ledger: the claim, its grade, and the evidence that stands for it."""
    graded = verdict.grade(
        [
            verdict.Piece(
                str(row["role"]),
                str(row["data"]),
                str(row["method"]),
                str(row["outcome"]),
                str(row["why_unsettled"]),
            )
            for row in said
        ]
    )
    first = _standing(said)
    outcomes = [row["outcome"] for row in said]
    notes = [claim["note"], *(row["note"] for row in said)]
    remarks = [row["remark"] for row in said]
    return {
        **{name: claim.get(name) for name in COLUMNS},
        **{name: first[name] for name in _SHARED},
        "paper": paper,
        "verdict": verdict.coarse(graded),
        "grade": graded,
        "evidence": len(said),
        "agreeing": outcomes.count(AGREES),
        "contradicting": outcomes.count(CONTRADICTS),
        "note": "; ".join(str(part) for part in [*remarks, *notes] if part and pd.notna(part)),
    }


def _standing(said: list[dict[str, Any]]) -> dict[str, Any]:
    """The row that stands in the ledger: the first natural one, else the most telling one."""
    return min(said, key=lambda row: (row["role"] != "natural", OUTCOMES.index(row["outcome"])))
