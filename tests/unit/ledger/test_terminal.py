"""The ledger in a terminal: what is chosen, what is printed, what is refused."""

import json
from argparse import Namespace
from io import StringIO

import pandas as pd
import pytest
import shipped_tables

from saturation.errors import InputError
from saturation.files.tables import write_csv
from saturation.ledger import terminal

LEDGER = """\
claim_id,paper,places,statement,quotation,published,computed,verdict
plateau_001,plateau,abstract; section 1,Benchmarks analysed,we *include* sixty,60,60,reproduced
plateau_002,plateau,section 2,All is well,,,does not hold,differs
fluid_001,fluid,Table 1,Items at 500,,12.10,,not run here
"""
GRADES = [
    "recomputed from the released data", "contradicted by the released data",
    "released, not run here",
]  # fmt: skip
EVIDENCE = """\
evidence_id,claim_id,role,outcome,quantity,rule,computed,remark,note
plateau_001a,plateau_001,natural,agrees,n,,60,n = 60 (59 to 61),
plateau_001b,plateau_001,replication,agrees,n,,60,,told twice
plateau_002a,plateau_002,reading,contradicts,,a > b,does not hold,"a > b: a = 1, b = 2",
fluid_001a,fluid_001,natural,not run here,,c > d,,,
"""
# Where the first piece's number stands.
PLACE = {
    "file": "results/plateau/quantities.csv", "cell": "column value, row 2",
    "source": "plateau_annotations", "code": "src/studies/plateau/study.py:7",
}  # fmt: skip
LEDGER = pd.read_csv(StringIO(LEDGER), dtype=str).assign(grade=GRADES)
EVIDENCE = pd.read_csv(StringIO(EVIDENCE), dtype=str).assign(
    study="plateau", data="released data", method="ours",
    **{name: [value, None, None, None] for name, value in PLACE.items()},
)  # fmt: skip


@pytest.fixture
def results(tmp_path):
    """The folder of a run."""
    write_csv(LEDGER.assign(more=1), tmp_path / "ledger/ledger.csv")
    write_csv(EVIDENCE, tmp_path / "ledger/evidence.csv")
    return tmp_path


@pytest.fixture
def printed(results):
    """What is printed for these options."""

    def run(*claims, **options):
        given = {"paper": None, "verdict": None, "json": False, "results": results, **options}
        return terminal.run(Namespace(claims=list(claims), **given))

    return run


CALLS = (
    *(((), {}), ((), {"paper": "plateau"}), ((), {"paper": "plateau", "verdict": "differs"})),
    *(((), {"verdict": "not run here"}), ((), {"verdict": "undecidable"})),
    *((("Plateau_001",), {}), (("plateau_002", "fluid_001"), {})),
)


def test_what_is_printed_was_read_through(printed, results, as_reviewed):
    """Counts, lists and claims; long lines are wrapped, and addresses stay whole."""
    found = [f"$ {claims} {options}\n{printed(*claims, **options)}\n" for claims, options in CALLS]
    # No command makes what a paper prints.
    files = "resources/ledger/claims/plateau.csv"
    path = "src/" + "x" * 120
    write_csv(
        EVIDENCE.assign(file=files, code=path, note="word " * 50), results / "ledger/evidence.csv"
    )
    as_reviewed("ledger_terminal.txt", "\n".join([*found, printed("plateau_001")]))


def test_json_for_programs(printed):
    counts = json.loads(printed(json=True))["plateau"]
    assert {name: count for name, count in counts.items() if count} == {
        "reproduced": 1, "differs": 1
    }  # fmt: skip
    (claim,) = json.loads(printed("plateau_001", json=True))
    assert claim["published"] == "60"
    assert [piece["outcome"] for piece in claim["pieces"]] == ["agrees", "agrees"]
    (claim,) = json.loads(printed(verdict="differs", json=True))
    assert claim["quotation"] is None
    assert json.loads(printed(verdict="undecidable", json=True)) == []
    assert "\n" not in printed("plateau_001", json=True)


def test_what_is_not_there_is_named_with_what_is_near(printed, tmp_path):
    with pytest.raises(InputError, match="no claim 'plateau_01'; did you mean plateau_001"):
        printed("plateau_01")
    for part in ("xyz", "6", "2.1", "50"):  # a part of a number finds nothing
        with pytest.raises(InputError, match=f"no claim prints '{part}'"):
            printed(part)
    with pytest.raises(InputError, match=r"no paper 'plateu'; there are plateau \(Akhtar"):
        printed(paper="plateu")
    with pytest.raises(InputError, match="several papers match 'et al'"):
        printed(paper="et al")


def test_a_paper_is_named_by_its_authors_or_title(printed):
    for text in ("akhtar", "When AI", "plateau"):
        names = [row["claim_id"] for row in json.loads(printed(paper=text, json=True))]
        assert names == ["plateau_001", "plateau_002"]


def test_an_undetermined_conclusion_is_not_said_to_hold(printed, results):
    table = LEDGER.assign(verdict="undetermined", grade="not contradicted", published=None)
    write_csv(table.assign(computed="holds"), results / "ledger/ledger.csv")
    assert "not rejected here" in printed(paper="plateau")
    write_csv(
        table.assign(computed="does not hold", grade="depends on the reading"),
        results / "ledger/ledger.csv",
    )
    for text in (printed(paper="plateau"), printed("plateau_001")):
        assert "hold" not in text


def test_without_a_run_the_shipped_tables_are_read(printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (claim,) = json.loads(printed("48.3", results=terminal.DEFAULT_RESULTS, json=True))
    assert (claim["claim_id"], claim["verdict"]) == ("plateau_018", "reproduced")
    # 29 of 60 benchmarks: Table 1.
    assert float(claim["computed"]) == pytest.approx(100 * 29 / 60, abs=1e-3)


def test_the_shipped_tables_judge_every_claim_on_its_evidence():
    ledger, evidence = terminal.load_shipped()
    folder = terminal.shipped("resources/ledger/README.md").parent
    claims = pd.concat(pd.read_csv(path, dtype=str) for path in folder.glob("claims/*.csv"))
    pieces = pd.concat(pd.read_csv(path) for path in folder.glob("evidence/*.csv"))
    judged = ledger.set_index("claim_id")[["statement", "places", "published"]]
    listed = claims.set_index("claim_id")[list(judged)].loc[judged.index]
    assert set(judged.index) == set(claims["claim_id"])
    pd.testing.assert_frame_equal(judged.astype(object), listed.astype(object))
    assert set(evidence["evidence_id"]) == set(pieces["evidence_id"])
    assert not evidence["code"].str.contains(r":\d", na=False).any()


def test_a_run_is_shipped_without_lines_of_code(results):
    path = "src/studies/plateau/study.py"
    write_csv(LEDGER.assign(code=f"{path}:3; {path}:7"), results / "ledger/ledger.csv")
    tables = shipped_tables.tables_of_ledger(results)
    assert tables["ledger"]["code"].tolist() == [path] * 3
    assert tables["evidence"]["code"].dropna().tolist() == [path]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (("60",), ["plateau_001"]),
        (("12.1",), ["fluid_001"]),
        (("500",), ["fluid_001"]),
        (("ALL is",), ["plateau_002"]),
        (("*include* sixty",), ["plateau_001"]),
        (("s", "items"), ["fluid_001"]),
    ],
)
def test_claims_are_found_by_number_and_words(printed, given, found):
    assert [row["claim_id"] for row in json.loads(printed(*given, json=True))] == found


def test_a_verdict_may_be_typed_in_several_ways_and_an_unknown_one_is_refused():
    for text in ("not run here", "not-run-here", "Not_Run_Here"):
        assert terminal.verdict_of(text) == "not run here"
    with pytest.raises(ValueError, match="there are reproduced, consistent"):
        terminal.verdict_of("nope")
