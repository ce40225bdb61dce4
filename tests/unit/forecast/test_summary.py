"""The table of scores by kind, horizon and method."""

import numpy as np
import pytest

from saturation.files.schema import validate
from saturation.forecast import scoring
from saturation.forecast.backtest import METHOD
from saturation.forecast.names import NLP_KIND
from saturation.forecast.schemas import SUMMARY


def test_means_are_those_of_the_forecasts_of_each_group(tested):
    forecasts, _ = tested
    table = scoring.summary(forecasts, 0.95)
    validate(table, SUMMARY, "summary")
    row = table[
        (table["group"] == "code") & (table["horizon"] == 3) & (table["method"] == METHOD)
    ].iloc[0]
    own = forecasts[~forecasts["abstains"] & (forecasts["kind"] == "code")]
    own = own[own["horizon"] == 3]
    mine, stays = (own[own["method"] == name] for name in (METHOD, "persistence"))
    assert row["forecasts"] == len(mine)
    assert row["benchmarks"] == 4
    assert row["crps"] == pytest.approx(mine["crps"].mean())
    assert row["skill"] == pytest.approx(1 - mine["crps"].mean() / stays["crps"].mean())
    assert np.isnan(row["crps_lower"])
    inside = scoring.covered(mine["below"], mine["upto"], 0.8)
    assert row["coverage_80"] == pytest.approx(inside.mean())
    fifths = row[[f"fifth_{number}" for number in range(1, 6)]].astype(float)
    assert fifths.tolist() == pytest.approx(scoring.fifths(mine["below"], mine["upto"]))
    assert fifths.sum() == pytest.approx(1)


def test_kinds_before_2023_and_abstentions_stand_apart(tested):
    forecasts, _ = tested
    changed = forecasts.assign(
        kind=forecasts["kind"].mask(forecasts["series"] == "s-0", NLP_KIND),
        abstains=forecasts["series"] == "s-1",
        reason="why",
    )
    table = scoring.summary(changed, 0.95)
    assert set(table["group"]) == {
        scoring.RECENT, NLP_KIND, "code", "agents", "abstained: why"
    }  # fmt: skip
    recent = table[table["group"] == scoring.RECENT]
    assert set(recent["benchmarks"]) == {6}
