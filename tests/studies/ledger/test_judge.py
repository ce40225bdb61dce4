"""The ledger: claims joined with evidence, what is left out, what is refused, what is counted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from studies.ledger import judge
from studies.ledger.schemas import EVIDENCE

CLAIM = {
    "claim_id": "paper_001", "version": "v1", "places": "abstract; section 2", "kind": "number",
    "sense": "descriptive", "statement": "a number", "quotation": "it is 48.3",
    "published": "48.3", "decimals": 1.0, "note": "a remark",
}  # fmt: skip
PIECE = dict.fromkeys(EVIDENCE.columns) | {
    "evidence_id": "paper_001a", "claim_id": "paper_001", "study": "one", "role": "natural",
    "data": "released data", "method": "usual practice", "quantity": "share", "scale": 100.0,
}  # fmt: skip


def study(name="one", **values):
    made_by = [f"saturation.{name}:_{key}" for key in values]
    table = pd.DataFrame({"quantity": list(values), "value": list(values.values())}).assign(
        lower=np.nan, upper=np.nan, note=None, made_by=made_by
    )
    places = {f"saturation.{name}:_share": f"src/saturation/{name}.py:7"}
    return judge.Study(table, f"results/{name}.csv", "a sheet", places)


def judged(claims, evidence, **studies):
    return judge.judged({"paper": pd.DataFrame(claims)}, {"paper": pd.DataFrame(evidence)}, studies)


SECOND = PIECE | {"evidence_id": "paper_001b", "study": "two", "role": "reading"}


def test_a_claim_stands_once_with_all_its_evidence():
    ledger, evidence = judged(
        [CLAIM], [PIECE, SECOND], one=study(share=0.483), two=study("two", share=0.4)
    )
    (row,) = ledger.to_dict("records")
    assert list(ledger.columns) == judge.COLUMNS
    assert (row["verdict"], row["grade"]) == ("reproduced", "recomputed from the released data")
    assert (row["computed"], row["evidence"], row["agreeing"], row["contradicting"]) == (
        "48.3", 2, 1, 1,
    )  # fmt: skip
    assert (row["file"], row["cell"], row["source"], row["code"]) == (
        "results/one.csv", "column value, row 2", "a sheet", "src/saturation/one.py:7",
    )  # fmt: skip
    assert row["note"] == "share = 48.3; share = 40; a remark"
    assert list(evidence.columns) == judge.EVIDENCE_COLUMNS
    assert evidence["outcome"].tolist() == ["agrees", "contradicts"]
    assert evidence["file"].tolist() == ["results/one.csv", "results/two.csv"]


WAITS = PIECE | {"quantity": "gone", "command": "make full"}
PRINTED = {"data": "printed tables"}
RULE = {"quantity": None, "rule": "share > 1", "against": "share < 0", "study": "one"}


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        # The natural row, wherever it is.
        (
            [PIECE | {"role": "reading"}, SECOND | {"role": "natural"}],
            {"computed": "40", "verdict": "differs"},
        ),
        (
            [WAITS, SECOND | PRINTED | {"study": "one"}],
            {"computed": "48.3", "verdict": "consistent", "source": "the paper"},
        ),
        # First what leaves it open.
        (
            [PIECE, SECOND | RULE | {"role": "natural"}],
            {"computed": "does not hold", "grade": "not shown by the data"},
        ),
        ([PIECE | PRINTED], {"source": "the paper", "file": "results/one.csv"}),
        # What nothing computes stands in no file.
        ([WAITS], dict.fromkeys(("file", "cell", "source", "code"))),
    ],
)
def test_what_decides_stands_in_the_ledger(pieces, expected):
    ledger, _ = judged([CLAIM], pieces, one=study(share=0.483), two=study("two", share=0.4))
    (row,) = ledger[[*expected]].to_dict("records")
    assert row == expected


def test_a_study_that_is_not_judged_leaves_no_rows():
    ledger, evidence = judged([CLAIM], [PIECE, SECOND], two=study("two", share=0.4))
    assert evidence["evidence_id"].tolist() == ["paper_001b"]
    assert ledger["verdict"].tolist() == ["differs"]
    ledger, evidence = judged([CLAIM], [PIECE, SECOND])
    assert ledger.empty
    assert evidence.empty


def test_a_number_that_readings_stand_for_leads_to_all_of_them():
    made = study(share__a=0.483, share_other=1.0, share__b=0.4831)
    made.code |= {"share__b": "src/saturation/one.py:9"}
    ledger, evidence = judged([CLAIM], [PIECE], one=made)
    assert ledger["verdict"].tolist() == ["reproduced"]
    assert evidence["cell"].tolist() == ["column value, row 2, 4"]
    assert evidence["code"].tolist() == ["src/saturation/one.py:9"]
    # Where it has a value of its own, that one is meant.
    _, evidence = judged([CLAIM], [PIECE], one=study(share=0.483, share__a=0.4))
    assert evidence["cell"].tolist() == ["column value, row 2"]


def test_a_paper_is_looked_at_from_within():
    total = CLAIM | {"claim_id": "paper_002", "published": "50", "decimals": 0.0}
    rule = {"study": "printed", "quantity": None, "scale": None, "data": "printed tables"}
    pieces = [
        PIECE | rule | {"rule": "abs(paper_002 - paper_001) < 2"},
        PIECE | rule | {"evidence_id": "paper_002a", "claim_id": "paper_002",
                        "rule": "paper_002 == paper_001"},
        PIECE | {"evidence_id": "paper_003a", "claim_id": "paper_003", "study": "left out"},
    ]  # fmt: skip
    # A conclusion between the numbers has a line of the file too.
    between = CLAIM | {"claim_id": "paper_003", "kind": "conclusion"}
    ledger, evidence = judged([CLAIM, between, total], pieces, one=study(share=0.483))
    assert evidence["cell"].tolist() == ["column published, row 4, 2"] * 2
    assert ledger["grade"].tolist() == [
        "consistent within the paper", "contradicted within the paper",
    ]  # fmt: skip
    assert ledger["file"].tolist() == ["resources/ledger/claims/paper.csv"] * 2


def test_evidence_and_claims_have_to_fit():
    wrong = PIECE | {"evidence_id": "paper_009a", "claim_id": "paper_009"}
    with pytest.raises(InputError) as caught:
        judged([CLAIM], [wrong], one=study(share=0.4))
    assert "evidence/paper.csv: evidence on 'paper_009'" in str(caught.value)
    assert "claims/paper.csv: no evidence on 'paper_001'" in str(caught.value)


def test_why_a_quantity_has_no_value_is_kept_and_one_computed_twice_is_an_error():
    table = pd.DataFrame(
        {"quantity": ["p", "q"], "value": [np.nan, 1.0], "lower": np.nan, "upper": np.nan,
         "note": ["needs refits", None]}
    )  # fmt: skip
    with pytest.raises(InputError, match=r"q.csv: quantity 'p' is computed twice"):
        judge.Study(table.assign(quantity="p"), "q.csv", "", {})
    made = judge.Study(table, "q.csv", "", {})
    ledger, _ = judged([CLAIM], [PIECE | {"quantity": "p"}], one=made)
    assert ledger["verdict"].tolist() == ["not run here"]
    assert "needs refits" in ledger["note"][0]


def test_the_summary_counts_every_claim_once():
    rows = [("a", "descriptive", "reproduced"), ("a", "descriptive", "differs"),
            ("a", "inferential", "undetermined"), ("b", "descriptive", "undecidable")]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["paper", "sense", "verdict"])
    summary = judge.summary(frame).set_index(["paper", "sense"])
    assert summary.loc[("a", "descriptive")].tolist() == [1, 0, 1, 0, 0, 0, 2]
    assert summary.loc[("a", "inferential")].tolist() == [0, 0, 0, 1, 0, 0, 1]
    assert summary.loc[("b", "descriptive")].tolist() == [0, 0, 0, 0, 0, 1, 1]
    assert summary.loc[("all", "all")].tolist() == [1, 0, 1, 1, 0, 1, 4]


def test_the_grades_are_counted_those_without_a_claim_as_nought():
    counts = judge.grades(pd.DataFrame({"grade": ["not released", "not released"]}))
    assert counts.set_index("grade").loc["not released"].tolist() == ["undecidable", 2]
    assert counts["claims"].sum() == 2


# Every number leads to the line of code that makes it.

MAKERS = """
from studies.quantity import Quantity


def written(name):
    yield Quantity(name, 1.0)


def subject():
    yield from written("a")
    yield from [Quantity(letter, 1.0) for letter in "b"]


def study():
    return [*subject()]
"""


def test_a_quantity_knows_the_function_whose_subject_it_is():
    """Not that which writes several in one form, nor that which gathers all of them."""
    toy = {"__name__": "saturation.toy.numbers"}
    exec(compile(MAKERS, "numbers.py", "exec"), toy)
    made = {row.quantity: row.made_by for row in toy["study"]()}
    assert made == dict.fromkeys("ab", "saturation.toy.numbers:subject")
    (row,) = toy["written"]("a")
    assert replace(row, note="n").made_by == "saturation.toy.numbers:written"
    lines = judge.places({"/home/me/src/project/src/saturation/toy/numbers.py": MAKERS})
    assert lines["saturation.toy.numbers:subject"] == "src/saturation/toy/numbers.py:9"


def test_claims_that_differ_for_one_cause_count_once():
    ledger = pd.DataFrame(
        {
            "claim_id": list("abcde"),
            "verdict": ["differs"] * 4 + ["reproduced"],
            "cause": ["rounding", "rounding", None, None, "other"],
        }
    )
    assert judge.causes(ledger) == 3
