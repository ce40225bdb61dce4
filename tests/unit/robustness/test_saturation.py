from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.robustness import saturation


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
    table = saturation.link(pairs, datasets, plateau, ids, 3, 0.5)
    table = table.set_index("dataset")
    assert table.loc["A", "s_index"] == 0.4
    assert np.isnan(table.loc["B", "s_index"])
    expected = float(index.saturation_index(0.9, 0.7, 100, 0.5))
    assert table.loc["A", "s_index_own"] == pytest.approx(expected)
    assert np.isnan(table.loc["B", "s_index_own"])


def test_exact_p_value_by_enumeration():
    x, y = pd.Series([1.0, 2, 3, 4, 5]), pd.Series([2.0, 1, 4, 3, 5])
    found = saturation.rank_correlation(x, y)
    rhos = [stats.spearmanr(x, order).statistic for order in permutations(y)]
    expected = np.mean(np.abs(rhos) >= abs(found["rho"]) - 1e-9)
    assert found["p"] == pytest.approx(expected)
    assert found["n"] == 5


def test_incomplete_and_few_cases():
    x = pd.Series([1.0, np.nan, 3.0])
    assert np.isnan(saturation.rank_correlation(x, x)["p"])
    many = pd.Series(np.arange(30.0))
    assert saturation.rank_correlation(many, many**2)["rho"] == pytest.approx(1)
