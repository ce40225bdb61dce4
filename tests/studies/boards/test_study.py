"""The published benchmarks at other alphas, and the boards' headline numbers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from saturation import index
from studies.boards import study
from studies.boards.ranked import Settings

ROOT = Path(__file__).parents[3]
SETTINGS = Settings(draws=400)


def test_the_defaults_are_the_configs():
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    shared = {name: config["plateau"][name] for name in ("k", "alpha", "z", "ceiling")}
    shared["saturated_from"] = config["plateau"]["saturated_from"]
    shared["edges"] = tuple(config["plateau"]["bin_edges"])
    shared["margin"] = config["own"]["meaningful_difference"]
    assert Settings(**config["boards"], **shared, seed=config["seed"]) == Settings()


def test_at_the_papers_alpha_the_count_is_the_papers(tables, default_index):
    row = tables["published"].set_index("reading").loc[study.PAPER]
    assert row["n_saturated"] == (default_index["s_index"] >= 0.7).sum() == 29
    assert np.isnan(row["saturated_lower"])


def pooled_row(value, between, degrees=1000.0):
    return pd.DataFrame(
        [{"value": value, "error": 0.0, "between_groups": between, "between_units": 0.0,
          "predicted_degrees": degrees}]
    )  # fmt: skip


def test_an_alpha_without_spread_is_the_count_at_it(prepared, default_index):
    table = study.published(default_index, pooled_row(0.8, 0.0), SETTINGS).set_index("reading")
    row = table.loc["alpha"]
    assert row["n_saturated"] == row["saturated_lower"] == row["saturated_upper"]
    at = index.index_table(*prepared, k=5, alpha=0.8)
    assert row["n_saturated"] == (at["s_index"] >= 0.7).sum() > 0
    unknown = study.published(default_index, pooled_row(np.nan, 0.0), SETTINGS)
    assert unknown["reading"].tolist() == ["paper"]


def test_draws_follow_the_prediction():
    row = pooled_row(1.0, 0.1, 4.0).iloc[0].to_dict() | {"error": 0.05}
    drawn = study._predicted(row, (20_000, 3), np.random.default_rng(0))
    expected = 1 + stats.t.ppf([0.1, 0.5, 0.9], 4) * np.hypot(0.1, 0.05)
    assert np.quantile(drawn[:, 1], [0.1, 0.5, 0.9]) == pytest.approx(expected, abs=0.01)
    # Benchmarks share the mean and the scale, and nothing else.
    assert 0.1 < np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] < 0.4


def test_equal_models_are_seldom_saturated_and_mostly_similar():
    saturated, similar = study.equal_shares(5, 1.96, 0.7)
    rng = np.random.default_rng(0)
    wide = np.ptp(rng.standard_normal((200_000, 5)), axis=1) / np.sqrt(2)
    assert saturated == pytest.approx((np.exp(-(wide**2)) >= 0.7).mean(), abs=0.003)
    assert similar == pytest.approx((wide <= 1.96).mean(), abs=0.004)
    assert study.equal_shares(2, 1.96, 0.7)[1] == pytest.approx(0.95, abs=1e-3)


def test_the_headline_numbers_are_those_that_were_read_through(tables, reviewed):
    reviewed("boards", tables["quantities"])


def test_intervals_that_reach_a_limit_are_on_neither_side(tables):
    grouped = (tables["alpha"]["sample"] == "groups") & tables["alpha"]["reason"].isna()
    wide = tables["alpha"].assign(
        lower=tables["alpha"]["lower"].mask(grouped, 0.4),
        upper=tables["alpha"]["upper"].mask(grouped, 1.1),
    )
    found = study.quantities(tables | {"alpha": wide}, Settings()).set_index("quantity")["value"]
    assert found["n_boards_groups"] == 1
    assert found["n_boards_groups_above_paper"] == found["n_boards_groups_below_one"] == 0
