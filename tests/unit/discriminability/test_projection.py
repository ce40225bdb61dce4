import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth, projection

MONTHS = np.arange(14.0)
DEMANDS = projection.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.1)


def test_backtest_compares_with_keeping_the_last_value():
    scores = growth.logistic(MONTHS, 0.8, 0.6, 4)
    errors = projection.backtest(MONTHS, scores)
    assert errors["ahead"].max() == projection.HORIZON
    late = errors[errors["origin"] >= 6]
    assert late["error"].mean() < late["persistence_error"].mean()


def table(scores):
    return pd.DataFrame(
        {
            "leaderboard": "x",
            "benchmark": "y",
            "month": [f"2024-{i + 1:02d}" for i in range(len(scores))],
            "elapsed": range(len(scores)),
            "max_score": scores,
        }
    )


def honest(scores):
    fits, _ = projection.growth_table(table(scores), DEMANDS, 0.95)
    return fits.set_index("reading").loc["honest"]


def test_a_projection_is_made_where_the_plateau_is_seen():
    row = honest(growth.logistic(np.arange(12.0), 0.85, 0.9, 2.5))
    assert not row["abstains"]
    assert row["ceiling"] == pytest.approx(0.85, abs=0.005)
    assert row["ceiling_lower"] - 1e-6 <= 0.85 <= row["ceiling_upper"] + 1e-6


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.linspace(0.2, 0.5, 10), "of the projected ceiling"),  # straight up
        (np.array([0.5, 0.6, 0.7]), "3 windows"),
        (np.full(9, 0.7), "R2"),  # nothing grows
        (np.array([0.5, 0.5, 0.5, 0.5, 0.8, 0.8, 0.8, 0.8, 0.8]), "backtest"),  # one jump
    ],
)
def test_it_abstains_and_says_why(scores, reason):
    row = honest(scores)
    assert row["abstains"]
    assert reason in row["reason"]
