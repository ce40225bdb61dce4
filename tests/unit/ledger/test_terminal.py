"""The ledger in a terminal: what is chosen, what is printed, what is refused."""

import json
from argparse import Namespace

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.tables import write_csv
from saturation.ledger import terminal

LEDGER = pd.DataFrame(
    {
        "claim_id": ["plateau_001", "plateau_002", "fluid_001"],
        "paper": ["plateau", "plateau", "fluid"],
        "places": ["abstract; section 1", "section 2", "Table 1"],
        "statement": ["Benchmarks analysed", "All is well", "Items at 500"],
        "quotation": ["we *include* sixty", None, None],
        "published": ["60", None, "12.10"],
        "computed": ["60", "does not hold", None],
        "verdict": ["reproduced", "differs", "not run here"],
        "grade": ["recomputed from the released data", "contradicted by the released data",
                  "released, not run here"],
    }
)  # fmt: skip
EVIDENCE = pd.DataFrame(
    {
        "evidence_id": ["plateau_001a", "plateau_001b", "plateau_002a", "fluid_001a"],
        "claim_id": ["plateau_001", "plateau_001", "plateau_002", "fluid_001"],
        "study": "plateau", "data": "released data", "method": "ours",
        "role": ["natural", "replication", "reading", "natural"],
        "outcome": ["agrees", "agrees", "contradicts", "not run here"],
        "quantity": ["n", "n", None, None],
        "rule": [None, None, "a > b", "c > d"],
        "computed": ["60", "60", "does not hold", None],
        "remark": ["n = 60 (59 to 61)", None, "a > b: a = 1, b = 2", None],
        "note": [None, "told twice", None, None],
        "file": ["results/plateau/quantities.csv", None, None, None],
        "cell": ["column value, row 2", None, None, None],
        "source": ["plateau_annotations", None, None, None],
        "code": ["src/saturation/plateau/study.py:7", None, None, None],
    }
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


def test_counts_by_paper_and_verdict(printed):
    assert printed().splitlines() == [
        "3 claims of 2 papers",
        "paper    reproduced  consistent  differs  undetermined  not run here  undecidable  claims",
        "plateau           1           0        1             0             0            0       2",
        "fluid             0           0        0             0             1            0       1",
        "all               1           0        1             0             1            0       3",
    ]


def test_a_list_of_claims_by_paper_and_verdict(printed):
    assert printed(paper="plateau", verdict="differs").splitlines() == [
        "1 of 3 claims",
        "plateau_002  differs: contradicted by the released data",
        "  All is well: does not hold here (section 2)",
    ]
    assert printed(verdict="not run here").splitlines()[1:] == [
        "fluid_001  not run here: released, not run here",
        "  Items at 500: printed 12.10 (Table 1)",
    ]
    assert "printed 60, computed 60" in printed(paper="plateau")
    assert printed(verdict="undecidable") == "0 of 3 claims"


def test_a_claim_with_its_quotation_verdict_evidence_and_line_of_code(printed):
    assert printed("Plateau_001").splitlines() == [
        "plateau_001: Benchmarks analysed",
        "paper       When AI Benchmarks Plateau (Akhtar et al., 2026)",
        "where       abstract; section 1",
        'quotation   "we include sixty"',
        "printed     60",
        "computed    60",
        "verdict     reproduced: recomputed from the released data",
        "evidence 1  agrees (natural reading; released data; method: ours; study: plateau)",
        "            n = 60 (59 to 61)",
        "  code      src/saturation/plateau/study.py:7",
        "  from      plateau_annotations",
        "  stands in results/plateau/quantities.csv, column value, row 2",
        "  made by   snakemake --cores 2 results/plateau/quantities.csv",
        "evidence 2  agrees (replication; released data; method: ours; study: plateau)",
        "            told twice",
    ]
    # A remark holds the rule already; without one the rule stands alone.
    two = printed("plateau_002", "fluid_001")
    assert two.count("a > b") == 1
    assert two.count("c > d") == 1
    assert "\n\nfluid_001: Items at 500\n" in two
    assert "another reading" in two


def test_no_command_is_said_to_make_what_a_paper_prints(printed, results):
    assert "made by" in printed("plateau_001")
    files = "resources/ledger/claims/plateau.csv"
    write_csv(EVIDENCE.assign(file=files), results / "ledger/evidence.csv")
    assert files in printed("plateau_001")
    assert "made by" not in printed("plateau_001")


def test_long_lines_are_wrapped_and_addresses_stay_whole(printed, results):
    path = "src/" + "x" * 120
    write_csv(EVIDENCE.assign(code=path, note="word " * 50), results / "ledger/evidence.csv")
    lines = printed("plateau_001").splitlines()
    assert sum(path in line for line in lines) == 2
    assert max(len(line) for line in lines if path not in line) <= terminal.WIDTH
    # Values stand in one column.
    wrapped = [line for line in lines if line.strip().startswith("word ")]
    assert len(wrapped) == 6
    assert all(line.startswith(12 * " " + "word") for line in wrapped)


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
    with pytest.raises(InputError, match="no paper 'plateu'; did you mean plateau"):
        printed(paper="plateu")
    with pytest.raises(InputError, match="`make results` makes it"):
        printed(results=tmp_path / "none")


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
