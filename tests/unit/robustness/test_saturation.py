"""Saturation beside robustness: what is linked, and rank correlations of few datasets."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.files.tables import read_table
from saturation.robustness import study

GOLDEN = read_table(Path(__file__).parents[2] / "golden" / "robustness_spearman.csv")


def test_link_joins_what_is_known_and_computes_its_own():
    pairs = pd.DataFrame(
        {
            "dataset": ["A"] * 3 + ["B"] * 2,
            "performance": [0.9, 0.8, 0.7, 0.5, 0.4],
            "n_examples": 100,
        }
    )
    datasets = pd.DataFrame({"dataset": ["A", "B"], "output_consistency": [0.8, 0.3]})
    plateau = pd.DataFrame({"benchmark_id": ["a"], "s_index": [0.4], "bin": ["moderate"]})
    ids = pd.Series({"A": "a", "B": None})
    table = study.link(pairs, datasets, plateau, ids, 3, 0.5)
    table = table.set_index("dataset")
    assert table.loc["A", "s_index"] == 0.4
    assert np.isnan(table.loc["B", "s_index"])
    expected = float(index.saturation_index(0.9, 0.7, 100, 0.5))
    assert table.loc["A", "s_index_own"] == pytest.approx(expected)
    assert np.isnan(table.loc["B", "s_index_own"])


def test_exact_p_value_by_enumeration():
    x, y = pd.Series([1.0, 2, 3, 4, 5]), pd.Series([2.0, 1, 4, 3, 5])
    found = study.rank_correlation(x, y)
    rhos = [stats.spearmanr(x, order).statistic for order in permutations(y)]
    expected = np.mean(np.abs(rhos) >= abs(found["rho"]) - 1e-9)
    assert found["p"] == pytest.approx(expected)
    assert found["n"] == 5


@pytest.mark.parametrize("row", GOLDEN.head(4).to_dict("records"), ids=str)
def test_exact_p_values_are_those_of_r(row):
    y = pd.Series([float(place) for place in row["order"].split()])
    found = study.rank_correlation(pd.Series(np.arange(len(y)) + 0.5), y)
    assert found["rho"] == pytest.approx(row["rho"])
    assert found["p"] == pytest.approx(row["p"], abs=1e-9)
    assert found["n"] == len(y)


def test_from_nine_datasets_the_p_value_is_that_of_t():
    row = GOLDEN.iloc[4]
    y = pd.Series([float(place) for place in row["order"].split()])
    found = study.rank_correlation(pd.Series(np.arange(9.0)), y)
    t = row["rho"] * np.sqrt(7 / (1 - row["rho"] ** 2))
    assert found["rho"] == pytest.approx(row["rho"])
    assert found["p"] == pytest.approx(2 * stats.t.sf(t, 7))
    assert found["p"] != pytest.approx(row["p"], rel=1e-3)


def test_tied_ranks_by_hand():
    """Of the six orders of ranks (1.5, 1.5, 3) against 1, 2, 3, two are as extreme upwards."""
    found = study.rank_correlation(pd.Series([1.0, 2, 3]), pd.Series([5.0, 5, 7]))
    assert found["rho"] == pytest.approx(np.sqrt(3) / 2)
    # Two orders put 3 last, two put it first, which is as extreme downwards.
    assert found["p"] == pytest.approx(4 / 6)


def test_a_variable_that_does_not_vary_has_no_correlation():
    x, y = pd.Series([1.0, 1, 1, 1]), pd.Series([1.0, 2, 3, 4])
    for pair in ((x, y), (y, x)):
        found = study.rank_correlation(*pair)
        assert np.isnan([found["rho"], found["p"]]).all()
        assert found["n"] == 4


def test_tables_rank_each_index_and_are_marked():
    pairs = pd.DataFrame(
        {
            "dataset": list("ABC"),
            "performance": [0.9, 0.5, 0.7],
            "n_examples": 100,
            "synthetic": [False, True, False],
        }
    )
    datasets = pd.DataFrame(
        {
            "dataset": list("CAB"),
            "performance": [0.7, 0.9, 0.5],
            "output_consistency": [0.5, 0.9, 0.1],
        }
    )
    plateau = pd.DataFrame(
        {"benchmark_id": list("abc"), "s_index": [0.1, 0.9, 0.5], "bin": ["low", "high", "mid"]}
    )
    known = pd.DataFrame({"dataset": list("ABC"), "benchmark_id": list("abc")})
    tables = study.tables(pairs, datasets, plateau, known, 2, 0.5)
    linked, correlations = tables["saturation"], tables["correlations"].set_index("index")
    assert linked["dataset"].tolist() == list("ABC")
    assert linked["bin"].tolist() == ["low", "high", "mid"]
    assert list(linked.columns[:5]) == [
        "dataset", "benchmark_id", "s_index", "bin", "s_index_own",
    ]  # fmt: skip
    assert list(correlations.index) == ["s_index", "s_index_own", "performance"]
    assert correlations["rho"].fillna(9).tolist() == pytest.approx([-1, 9, 1])
    assert correlations["n"].tolist() == [3, 0, 3]
    assert correlations["synthetic"].all()


def test_incomplete_and_few_cases():
    x = pd.Series([1.0, np.nan, 3.0])
    assert np.isnan(study.rank_correlation(x, x)["p"])
    many = pd.Series(np.arange(30.0))
    assert study.rank_correlation(many, many**2)["rho"] == pytest.approx(1)
