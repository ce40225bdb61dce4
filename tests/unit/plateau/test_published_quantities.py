"""Headline numbers of the embedded benchmarks: the paper's, and all that the ledger asks for."""

from pathlib import Path

import pytest

from saturation.files import stages
from saturation.ledger import judge
from saturation.ledger.judge import rounds_to
from saturation.ledger.schemas import CLAIMS, EVIDENCE

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def quantities(results):
    return results["quantities"]


@pytest.fixture(scope="module")
def value(quantities):
    return quantities.set_index("quantity")["value"]


@pytest.mark.parametrize(
    ("name", "printed", "scale", "decimals"),
    [
        ("n_benchmarks", 60, 1, 0),
        ("n_saturated", 29, 1, 0),
        ("n_very_high", 14, 1, 0),
        ("n_very_low", 11, 1, 0),
        ("saturated_share", 48.3, 100, 1),
        ("table1_k3_spearman", 0.92, 1, 2),
        ("table1_alpha0_same_bin", 23.3, 100, 1),
        ("table1_alpha1_same_bin", 18.3, 100, 1),
        ("age_bin_1_mean_s", 0.51, 1, 2),
        ("age_bin_1_saturated_share", 42.9, 100, 1),
        ("age_bin_3_saturated_share", 54.5, 100, 1),
        ("h2_age_multilingual", 32.9, 1, 1),
        ("h2_age_english", 48.9, 1, 1),
        ("quality_age_with", 51.5, 1, 1),
        ("quality_age_without", 30.9, 1, 1),
        ("table7_livebench_r_norm", 0.1060, 1, 4),
        ("table7_truthfulqa_s_index", 0.5471, 1, 4),
    ],
)
def test_printed_numbers_come_out(value, name, printed, scale, decimals):
    assert rounds_to(value[name] * scale, printed, decimals)


def test_templated_benchmarks_are_not_the_printed_14_of_60(value):
    # A known difference between the public table and the text: never bend it.
    assert value["h6_n_templated"] + value["h6_n_non_templated"] == 60
    assert value["h6_n_templated"] != 14


def test_the_ledger_finds_every_quantity_it_asks_for(quantities):
    claims, evidence = (
        stages.read(ROOT / f"resources/ledger/{name}/plateau.csv", schema, dtype={"published": str})
        for name, schema in (("claims", CLAIMS), ("evidence", EVIDENCE))
    )
    study = judge.Study(quantities, "quantities.csv", "a sheet", {})
    # Claims that only another study speaks to are left out.
    ledger, pieces = judge.judged({"plateau": claims}, {"plateau": evidence}, {"plateau": study})
    assert len(ledger) == evidence.query("study == 'plateau'")["claim_id"].nunique() > 100
    assert len(pieces) == (evidence["study"] == "plateau").sum()
    assert {"reproduced", "differs", "undetermined", "undecidable"} <= set(ledger["verdict"])
