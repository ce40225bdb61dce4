"""Proper scores of draws, coverage, skill, and their table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.forecast import scoring
from saturation.forecast.names import NLP_KIND
from saturation.forecast.scoring import METHOD

UNIT = st.floats(0, 1)


@given(st.lists(UNIT, min_size=1, max_size=6), UNIT)
def test_crps_is_the_double_mean(draws, outcome):
    x = np.array(draws)
    expected = np.abs(x - outcome).mean() - np.abs(x[:, None] - x).mean() / 2
    assert scoring.crps([draws], [outcome])[0] == pytest.approx(expected, abs=1e-12)


def test_log_score_is_that_of_the_bin():
    draws = np.array([[0.51, 0.515, 0.9, 1.0]])
    spread = 1 / 50
    for outcome, there in ((0.505, 2), (0.99, 1), (1.0, 1), (0.1, 0)):
        expected = -np.log((there + spread) / 5)
        assert scoring.log_score(draws, [outcome])[0] == pytest.approx(expected)


def test_interval_score_adds_what_is_missed():
    draws = np.linspace(0, 1, 101)[None, :]
    assert scoring.interval_score(draws, [0.5], 0.8)[0] == pytest.approx(0.8)
    assert scoring.interval_score(draws, [0.95], 0.8)[0] == pytest.approx(0.8 + 10 * 0.05)
    assert scoring.interval_score(draws, [0.0], 0.8)[0] == pytest.approx(0.8 + 10 * 0.1)


def test_the_transform_counts_draws_below_and_up_to():
    below, upto = scoring.transform([[0.1, 0.3, 0.3, 0.9]], [0.3])
    assert (below[0], upto[0]) == (0.25, 0.75)


@pytest.mark.parametrize(
    ("below", "upto", "inside"),
    [
        (0.1, 0.1, 1), (0.0999, 0.0999, 0), (0.9, 0.9, 1), (0.9001, 0.9001, 0),
        (0.0, 0.2, 0.5), (0.85, 1.0, 1 / 3), (0.2, 0.8, 1), (0.0, 1.0, 0.8), (0.0, 0.05, 0),
        (0.95, 1.0, 0),
    ],
)  # fmt: skip
def test_of_a_lump_the_part_inside_counts(below, upto, inside):
    assert scoring.covered([below], [upto], 0.8)[0] == pytest.approx(inside)


def test_outcomes_are_counted_by_fifths_of_their_forecasts():
    assert scoring.fifths([0.1, 0.5], [0.1, 0.5]) == pytest.approx([0.5, 0, 0.5, 0, 0])
    assert scoring.fifths([0.0], [1.0]) == pytest.approx([0.2] * 5)
    assert scoring.fifths([0.3], [0.7]) == pytest.approx([0, 0.25, 0.5, 0.25, 0])
    assert scoring.fifths([0.0, 1.0], [0.0, 1.0]) == pytest.approx([0.5, 0, 0, 0, 0.5])


def test_few_benchmarks_have_no_interval():
    clusters = np.arange(8) % 4
    for estimate in (scoring.clustered_mean, scoring.clustered_share):
        middle, lower, upper = estimate(np.arange(8) % 2, clusters, 0.95)
        assert middle == 0.5
        assert np.isnan([lower, upper]).all()


def test_a_mean_over_benchmarks_of_one_forecast_each_has_student_s_interval():
    values = np.array([0.1, 0.4, 0.2, 0.9, 0.5, 0.3])
    limits = stats.t.interval(0.9, 5, values.mean(), stats.sem(values))
    assert scoring.clustered_mean(values, np.arange(6), 0.9)[1:] == pytest.approx(limits)


def test_forecasts_of_one_benchmark_that_agree_count_once():
    inside = np.arange(6) < 4
    once = scoring.clustered_share(inside, np.arange(6), 0.95)
    again = scoring.clustered_share(np.repeat(inside, 5), np.repeat(np.arange(6), 5), 0.95)
    assert again == pytest.approx(once)


def test_where_all_are_inside_benchmarks_are_counted():
    _, lower, upper = scoring.clustered_share(np.ones(60, bool), np.repeat(np.arange(6), 10), 0.95)
    assert upper == 1
    assert 0.4 < lower < 0.65


def frame(score, reference):
    return pd.DataFrame(
        {"score": score, "reference": reference, "cluster": np.arange(len(score)) % 6}
    )


def test_skill_is_the_share_saved():
    reference = np.array([1, 2, 3, 1, 2, 3.0])
    saved, lower, upper = scoring.skill(frame(reference * 0.7, reference), 0.95)
    assert (saved, lower, upper) == pytest.approx((0.3, 0.3, 0.3))
    uneven = scoring.skill(frame(reference * [0.5, 0.9, 0.7, 0.4, 1, 0.6], reference), 0.95)
    assert uneven[1] < uneven[0] < uneven[2] < 1


@pytest.mark.parametrize("reference", [[0] * 6, [0, 0, 0, 0, 0, 1]])
def test_against_a_reference_that_hardly_errs_there_is_no_interval(reference):
    saved, lower, upper = scoring.skill(frame([1.0] * 6, reference), 0.95)
    assert np.isnan(saved) == (sum(reference) == 0)
    assert np.isnan([lower, upper]).all()
    # Nor with fewer than five benchmarks.
    few = scoring.skill(frame([1.0] * 4, [2.0] * 4), 0.95)
    assert few == pytest.approx((0.5, np.nan, np.nan), nan_ok=True)


def test_means_are_those_of_the_forecasts_of_each_group(studied):
    forecasts = studied["backtest"]
    table = scoring.summary(forecasts, 0.95)
    row = table.query("group == 'code' and horizon == 3 and method == @METHOD").iloc[0]
    own = forecasts.query("kind == 'code' and horizon == 3 and not abstains")
    mine = own[own["method"] == METHOD]
    plain = own[own["method"] != METHOD].groupby("method")["crps"].mean()
    expected = {
        "forecasts": len(mine),
        "benchmarks": 5,
        "crps": mine["crps"].mean(),
        "skill": 1 - mine["crps"].mean() / plain.min(),
        "coverage_80": scoring.covered(mine["below"], mine["upto"], 0.8).mean(),
    }
    assert row[list(expected)].to_dict() == pytest.approx(expected)
    assert row["reference"] == plain.idxmin()
    assert row["crps_lower"] < row["crps"] < row["crps_upper"]


def test_kinds_before_2023_and_abstentions_stand_apart(studied):
    forecasts = studied["backtest"]
    changed = forecasts.assign(
        kind=forecasts["kind"].mask(forecasts["series"] == "s-2", NLP_KIND),
        abstains=forecasts["series"] == "s-3",
        reason="why",
    )
    table = scoring.summary(changed, 0.95)
    kinds = {"code", "agents", "knowledge and language", NLP_KIND}
    assert set(table["group"]) == {scoring.RECENT, *kinds, "abstained: why"}
    assert set(table.loc[table["group"] == scoring.RECENT, "benchmarks"]) == {13}
