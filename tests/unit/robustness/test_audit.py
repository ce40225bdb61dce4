"""The audit on the paper's tables, and on tables printed from analyses that are sound."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.files.tables import read_table
from saturation.robustness import anova, audit
from saturation.robustness.audit import Interval

RESOURCES = Path(__file__).parents[3] / "resources" / "robustness"
LEVELS = {"paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2}


@pytest.fixture(scope="module")
def performance():
    return read_table(RESOURCES / "performance.csv")


@pytest.fixture(scope="module")
def paper():
    return read_table(RESOURCES / "anova.csv", dtype=str)


@pytest.fixture(scope="module")
def audited(paper):
    return audit.audit_rows(paper, LEVELS, 21600)


@pytest.fixture(scope="module")
def sound():
    """A balanced analysis, printed with three decimals or four significant digits."""
    generator = np.random.default_rng(4)
    grid = pd.MultiIndex.from_product([range(n) for n in LEVELS.values()], names=list(LEVELS))
    frame = pd.concat([grid.to_frame(index=False)] * 900, ignore_index=True)
    frame["example_id"] = np.repeat(np.arange(100), len(frame) // 100)
    probability = 0.7 - 0.04 * (frame["noise"] == 2) - 0.02 * frame["demonstrations"]
    frame["score"] = (generator.random(len(frame)) < probability).astype(float)
    table = anova.analyse(frame, list(LEVELS)).assign(dataset="D")
    for name in audit.STATISTICS:
        table[name] = [f"{v:.3f}" if v >= 1e-3 or v == 0 else f"{v:.3e}" for v in table[name]]
    table.attrs["mean"] = frame["score"].mean()
    columns = ["anova_type", "dataset", "factor", *audit.STATISTICS]
    return table[columns], frame["score"].mean()


def test_printed_numbers_stand_for_what_rounds_to_them():
    assert audit.printed("0.5") == Interval(0.45, 0.55)
    assert audit.printed("0.000") == Interval(0.0, 0.0005)
    low_high = audit.printed("4.412e-06")
    assert (low_high.low, low_high.high) == pytest.approx((4.4115e-06, 4.4125e-06))


@given(st.floats(1e-9, 1e6), st.integers(0, 5))
def test_the_true_value_always_lies_in_the_printed_interval(value, decimals):
    for text in (f"{value:.{decimals}f}", f"{value:.{decimals}e}"):
        interval = audit.printed(text if "." in text or "e" in text else text + ".")
        slack = 1e-9 * value
        assert interval.low - slack <= value <= interval.high + slack


def test_consensus_is_where_most_intervals_meet():
    intervals = [Interval(0, 4), Interval(3, 6), Interval(3.5, 9), Interval(20, 21)]
    assert audit.consensus(intervals) == Interval(3.5, 4)


def test_a_sound_analysis_passes_every_check(sound):
    table, mean = sound
    rows = audit.audit_rows(table, LEVELS, 21600)
    assert rows["consistent"].all(), rows[["factor", "inconsistent"]]
    cells = pd.DataFrame({"dataset": ["D"], "performance": [mean]})
    dataset = audit.audit_datasets(rows, LEVELS, 21600, cells).iloc[0]
    assert dataset["n_fits"]
    assert dataset["mean_low"] <= mean <= dataset["mean_high"]


@pytest.mark.parametrize(
    ("column", "value", "check"),
    [
        ("p", "0.900", "p_fits"),
        ("partial_eta_sq", "9.000e-04", "eta_fits"),
        ("eta_sq", "9.000e-04", "share_fits"),
        ("sum_sq", "99.000", "mean_square_fits"),
        ("f", "999.000", "types_fit"),
    ],
)
def test_one_wrong_number_is_found(sound, column, value, check):
    table = sound[0].copy()
    table.loc[0, column] = value
    row = audit.audit_rows(table, LEVELS, 21600).iloc[0]
    assert not row["consistent"]
    assert check in row["inconsistent"].split(", ")


def test_the_papers_tables(audited, performance):
    assert len(audited) == 54
    assert audited["consistent"].sum() == 28
    datasets = audit.audit_datasets(audited, LEVELS, 21600, performance)
    datasets = datasets.set_index("dataset")
    assert datasets.index[datasets["n_fits"]].tolist() == ["BoolQ", "MMLU"]
    assert datasets.loc["IMDB", ["n_low", "n_high"]].tolist() == [20393, 20410]
    assert datasets.loc["RewardBench", "levels_differ"] == "noise (4 levels, design 3)"
    assert (datasets.drop(index="RewardBench")["levels_differ"] == "").all()
    assert bool(datasets.loc["MMLU", "mean_fits"])


def test_the_fourth_level_repairs_the_p_value(audited):
    row = audited.query("anova_type == 'II' and dataset == 'RewardBench' and factor == 'noise'")
    assert not row["p_fits"].iloc[0]
    assert row["df_implied"].iloc[0] == 3


def test_misplaced_external_scores_are_found(performance):
    external = read_table(RESOURCES / "external_scores.csv")
    table = audit.audit_external(external, performance)
    wrong = table[~table["fits"]]
    assert set(wrong["model"]) == {"Llama-4-Scout-17B-Instruct", "llama-4-maverick-17b-instruct"}
    assert wrong["found_under"].tolist() == ["MMLU", "MMLU-Pro"] * 2


def test_baseline_bounds_hold_on_both_sides_of_one_half():
    cells = pd.Series([0.34, 0.5, 0.97])
    table = audit.baseline_range(cells, 4)
    assert (table["lower"] <= table["value"]).all()
    assert (table["value"] <= table["upper"]).all()
    assert table.loc[1, "lower"] == pytest.approx(2 * 0.5**4)
