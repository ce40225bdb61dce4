"""The subjects' checks run with few data sets; with a broken estimator they fail."""

import numpy as np
import pytest

from saturation.discriminability import growth as curve
from saturation.leaderboard import top
from saturation.multiverse.specifications import P_VALUES
from saturation.plateau import hypotheses
from saturation.simulation import (
    board,
    check,
    checks,
    growth,
    multiverse,
    robustness,
    statistics,
    trends,
)
from saturation.statistics import correlation, intervals, standard_errors

FEW = 3
# Several statements are made on each data set.
SEVERAL = {"robustness_variance_shares": 4}
SUBJECTS = (board, growth, multiverse, robustness, statistics, trends)
EVERY = [one for subject in SUBJECTS for one in subject.CHECKS]


def found(name, data_sets):
    return check.run(checks.named(name), seed=1, data_sets=data_sets)


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.name)
def test_a_check_runs_with_few_data_sets(one):
    few = 1 if one.name in SEVERAL else FEW
    row = check.run(one, seed=1, data_sets=few)
    assert row["trials"] + row["abstained"] == few * SEVERAL.get(one.name, 1)
    assert row["stated"] == one.stated


def narrower(make):
    """The same interval with a third of the width."""

    def interval(*arguments, **named):
        lower, upper = make(*arguments, **named)
        middle, half = (np.asarray(lower) + upper) / 2, (np.asarray(upper) - lower) / 6
        return middle - half, middle + half

    return interval


@pytest.mark.parametrize(
    ("module", "function", "name", "data_sets"),
    [
        (intervals, "wilson", "statistics_wilson", 2000),
        (intervals, "newcombe", "statistics_newcombe", 2000),
        (intervals, "mean", "statistics_mean_normal", 200),
        (intervals, "share", "statistics_clustered_10_at_71", 100),
        (intervals, "normal", "statistics_runs_5", 100),
        (correlation, "spearman_interval", "statistics_spearman_5_of_60", 200),
        (curve, "profile_interval", "growth_profile", 25),
        (intervals, "wilson", "robustness_consistency", 30),
        (intervals, "percentile", "robustness_excess", 30),
    ],
)
def test_too_narrow_an_interval_fails(monkeypatch, module, function, name, data_sets):
    monkeypatch.setattr(module, function, narrower(getattr(module, function)))
    row = found(name, data_sets)
    assert row["found"] < row["lower"] - 0.05


def test_too_small_an_error_fails(monkeypatch):
    """The errors that a board prints decide how many items it asks for."""
    whole = standard_errors.binomial_error
    monkeypatch.setattr(standard_errors, "binomial_error", lambda p, n: 0.5 * whole(p, n))
    assert found("board_detectable_2000", 400)["found"] < 0.5


def test_too_few_items_fail(monkeypatch):
    whole = top.power

    def half(*arguments):
        said = whole(*arguments)
        return top.Power(**vars(said) | {"items_for_top_two": said.items_for_top_two / 2})

    monkeypatch.setattr(top, "power", half)
    for name in ("board_items_independent", "board_items_paired", "board_items_clustered"):
        assert found(name, 100)["found"] < 0.7, name


def test_an_adjustment_that_leaves_out_age_fails(monkeypatch):
    monkeypatch.setitem(hypotheses._ADJUSTMENTS, "age_adjusted", ["months_at_observation_squared"])
    whole = hypotheses._labelled

    def without_age(data, comparison):
        rows = whole(data, comparison)
        return rows.assign(months_at_observation_squared=np.arange(len(rows)) % 7)

    monkeypatch.setattr(hypotheses, "_labelled", without_age)
    drawn = [trends._tested(0.007, 0.0, 2, np.random.default_rng(seed)) for seed in range(60)]
    wrong = np.mean([tests["age_adjusted"]["p_value"] <= 0.05 for tests in drawn])
    right = np.mean([tests["recorded_age_adjusted"]["p_value"] <= 0.05 for tests in drawn])
    assert right < 0.15 < wrong


def slope_covered(data_sets):
    """Share of fresh data sets in which the interval of the plain reading holds the slope."""
    rng = np.random.default_rng(1)
    tables = tuple(robustness._readings((0.0, 0.0), (9, 6), rng) for _ in range(data_sets))
    return robustness._slope(lambda count: tables[:count], "ols", rng, data_sets)


def test_slopes_with_intervals_of_another_level_fail(monkeypatch):
    assert slope_covered(40).hits >= 34
    monkeypatch.setattr(robustness, "CONFIDENCE", 0.5)
    assert slope_covered(40).hits <= 32


def rejections(draw, data_sets):
    p = np.array([draw(np.random.default_rng(seed)) for seed in range(data_sets)])
    return (p <= multiverse.LEVEL).mean(axis=0)


def test_the_joint_tests_hold_their_level_on_relabelled_benchmarks():
    """In 40 data sets at most 16 % but for one test in a thousand."""
    everywhere = [np.arange(60)]
    share = rejections(lambda rng: multiverse.p_values("h1", everywhere, rng), 40)
    assert len(share) == len(P_VALUES)
    assert (share <= 0.05 + 3.3 * (0.05 * 0.95 / 40) ** 0.5).all()


def test_relabelling_moves_scores_and_sizes_together_within_blocks():
    prepared = multiverse.embedded()
    blocks = multiverse._by_age()
    assert np.concatenate(blocks).shape == (60,)
    benchmarks, scores = multiverse.relabelled(prepared, blocks, np.random.default_rng(3))
    before = prepared[1].set_index("benchmark_id")["score"].groupby(level=0).agg(tuple)
    after = scores.set_index("benchmark_id")["score"].groupby(level=0).agg(tuple)
    sizes = prepared[0].set_index("benchmark_id")["n_test"]
    old = set(zip(sizes.loc[before.index], before))
    new = set(zip(benchmarks.set_index("benchmark_id")["n_test"].loc[after.index], after))
    assert old == new
    assert (before != after).mean() > 0.5
    ids = prepared[0]["benchmark_id"].to_numpy()
    for block in blocks:
        assert {after[name] for name in ids[block]} == {before[name] for name in ids[block]}
