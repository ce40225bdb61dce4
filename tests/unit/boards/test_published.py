"""The published benchmarks at other alphas: the paper's count, monotony, draws and equal models."""

import numpy as np
import pandas as pd
import pytest

from saturation import index
from saturation.boards import study

SETTINGS = study.PublishedSettings(draws=400)


def test_at_the_papers_alpha_the_count_is_the_papers(tables, default_index):
    row = tables["published"].set_index("reading").loc[study.PAPER]
    assert row["n_saturated"] == (default_index["s_index"] >= 0.7).sum() == 29
    assert row["n_similar"] == default_index["statistically_similar"].sum()
    assert np.isnan(row["saturated_lower"])


def test_fewer_are_saturated_the_larger_alpha(tables):
    grid = tables["published"].query("reading == 'grid'")
    assert grid["alpha"].is_monotonic_increasing
    assert (grid["n_saturated"].diff().dropna() <= 0).all()
    assert (grid["n_similar"] >= grid["n_saturated"]).all()
    at_one = grid[grid["alpha"] == 1.0].iloc[0]
    independent = tables["published"].set_index("reading").loc[study.INDEPENDENT]
    assert at_one["n_saturated"] == independent["n_saturated"]


def test_at_the_measured_alpha_almost_none_is(tables):
    rows = tables["published"].set_index("reading")
    for reading in (study.ALPHA, study.LOG_RATIO):
        row = rows.loc[reading]
        assert row["saturated_lower"] <= row["n_saturated"] <= row["saturated_upper"] < 29
    groups = rows.loc["groups livebench"]
    assert rows.loc["alpha", "n_saturated"] < groups["n_saturated"] < 29


def pooled_row(value, between, degrees=1000.0):
    return pd.DataFrame(
        [{"what": "alpha", "over": "all boards", "value": value, "error": 0.0, "degrees": degrees,
          "between_groups": between, "between_units": 0.0, "predicted_degrees": degrees}]
    )  # fmt: skip


def nothing_measured(tables):
    return tables["alpha"].iloc[:0]


def test_an_alpha_without_spread_is_the_count_at_it(tables, default_index):
    table = study.published(
        default_index, nothing_measured(tables), pooled_row(0.8, 0.0), SETTINGS
    ).set_index("reading")
    row, grid = table.loc["alpha"], table[table["alpha"] == 0.8].loc["grid"]
    assert row["n_saturated"] == row["saturated_lower"] == row["saturated_upper"]
    assert row["n_saturated"] == grid["n_saturated"]


def test_draws_follow_the_prediction():
    row = pooled_row(1.0, 0.1, 4.0).iloc[0].to_dict() | {"error": 0.05}
    drawn = study._predicted(row, (20_000, 3), np.random.default_rng(0))
    from scipy import stats

    expected = 1 + stats.t.ppf([0.1, 0.5, 0.9], 4) * np.hypot(0.1, 0.05)
    assert np.quantile(drawn[:, 1], [0.1, 0.5, 0.9]) == pytest.approx(expected, abs=0.01)
    # Benchmarks share the mean and the scale, and nothing else.
    assert 0.1 < np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] < 0.4


def test_a_log_ratio_is_a_smaller_step_for_larger_benchmarks(tables, default_index):
    row = pooled_row(0.7, 0.0).assign(what="log_ratio")
    table = study.published(default_index, nothing_measured(tables), row, SETTINGS)
    found = table.set_index("reading").loc["log_ratio"]
    logarithm = np.log(default_index["n_test"])
    assert found["alpha"] == pytest.approx(np.median(1 + 0.7 / logarithm))
    values = [
        index.saturation_index(one.s_1, one.s_k, one.n_test, 1 + 0.7 / np.log(one.n_test))
        for one in default_index.itertuples()
    ]
    assert found["n_saturated"] == (np.array(values) >= 0.7).sum()


def test_equal_models_are_seldom_saturated_and_mostly_similar():
    saturated, similar = study.equal_shares(5, 1.96, 0.7)
    rng = np.random.default_rng(0)
    wide = np.ptp(rng.standard_normal((200_000, 5)), axis=1) / np.sqrt(2)
    assert saturated == pytest.approx((np.exp(-(wide**2)) >= 0.7).mean(), abs=0.003)
    assert similar == pytest.approx((wide <= 1.96).mean(), abs=0.004)
    assert study.equal_shares(2, 1.96, 0.7)[1] == pytest.approx(0.95, abs=1e-3)
