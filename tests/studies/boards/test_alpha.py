"""Alpha: log ratios and their jackknife by hand; rows, reasons, and what embedded boards show."""

import itertools

import numpy as np
import pandas as pd
import pytest

from saturation.statistics.standard_errors import clustered_error, implied_alpha
from studies.boards import alpha, ranked
from studies.boards.alpha import GROUPS, ITEMS


@pytest.fixture(scope="module")
def settings():
    return ranked.Settings(splits=4)


def board_of(made, answers, tasks="task", name="livebench"):
    names = [f"m{place}" for place in range(answers.shape[1])]
    columns = dict(zip(names, answers.T))
    return ranked.ranked(name, *made(name, columns, tasks=tasks), 0.8)


def test_groups_are_a_sample_where_there_are_several(made, settings):
    answers = np.random.default_rng(1).random((200, 6)).round()
    table = alpha.measured([board_of(made, answers, ["x"] * 100 + ["y"] * 100)], settings)
    assert table["sample"].tolist() == [ITEMS, GROUPS]
    assert table["reason"].iloc[1] == "groups worth 2.0 equal ones; 8 are needed"
    assert alpha.measured([board_of(made, answers)], settings)["sample"].tolist() == [ITEMS]


RNG = np.random.default_rng(2)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (RNG.random((40, 4)).round(), "4 models; 5 are compared"),
        (RNG.random((29, 5)).round(), "the top models share 29 items; 30 are needed"),
        (np.repeat(RNG.random((40, 1)).round(), 5, axis=1), "the top models answered alike"),
        (RNG.random((30, 5)).round(), None),
    ],
)
def test_what_cannot_be_measured_says_why(made, settings, answers, reason):
    board = board_of(made, answers)
    row = alpha.measured([board], settings).iloc[0]
    known = reason is None
    assert pd.isna(row["reason"]) if known else row["reason"].startswith(reason)
    assert np.isfinite(row["alpha"]) == known


def test_pooling_is_over_origins(tables):
    (row,) = tables["pooled"].to_dict("records")
    assert (row["boards"], row["origins"]) == (4, 3)


@pytest.mark.parametrize("count", [1, 2])
def test_two_origins_are_pooled_and_one_is_not(tables, count):
    some = ["gpqa_diamond", "livebench"][:count]
    table = tables["alpha"][tables["alpha"]["board"].isin(some)]
    row = alpha.pooled(table, 0.95).iloc[0]
    assert row["origins"] == count
    assert pd.notna(row["value"]) == pd.notna(row["predicted_upper"]) == (count == 2)


def by_hand(x, groups, pair):
    """The log ratio through the library's own clustered error."""
    a, b = x[:, pair[0]], x[:, pair[1]]
    error = clustered_error(a - b, groups)
    return (implied_alpha(a.mean(), b.mean(), error, len(x)) - 1) * np.log(len(x))


@pytest.mark.parametrize("grouped", [False, True])
def test_a_log_ratio_is_that_of_the_clustered_error(drawn, grouped):
    rng = np.random.default_rng(3)
    x = drawn(rng, 60, [1, 0.5, 0, -0.5])
    groups = np.repeat(np.arange(12), 5) if grouped else np.arange(60)
    found = alpha.ratios(x, groups, single_run=False)
    expected = [by_hand(x, groups, pair) for pair in itertools.combinations(range(4), 2)]
    assert found.value == pytest.approx(expected)
    assert found.pairs.tolist() == [list(pair) for pair in itertools.combinations(range(4), 2)]
    assert found.effective == pytest.approx(groups[-1] + 1)
    for group in (0, groups[-1]):
        rest = groups != group
        again = [by_hand(x[rest], groups[rest], pair) for pair in found.pairs]
        # The hand's log n is that of the rest.
        assert found.without[group] == pytest.approx(again)


def test_a_single_run_of_shares_is_a_run_drawn_from_them():
    rng = np.random.default_rng(1)
    chance = rng.beta(1, 1, (40_000, 2))
    chance[:, 1] = 0.7 * chance[:, 0] + 0.3 * chance[:, 1]
    shares = rng.binomial(8, chance) / 8
    one = (rng.random(chance.shape) < chance).astype(float)
    alone = np.arange(len(shares))
    found = alpha.ratios(shares, alone, single_run=True).value[0]
    assert found == pytest.approx(alpha.ratios(one, alone, False).value[0], abs=0.02)
    # The mean of eight runs is surer.
    assert alpha.ratios(shares, alone, single_run=False).value[0] > found + 0.2


def test_the_jackknife_is_the_one_of_textbooks(drawn):
    rng = np.random.default_rng(5)
    x = drawn(rng, 40, [1, 0])
    found = alpha.jackknife(alpha.ratios(x, np.arange(40), False))
    values = [
        alpha.ratios(np.delete(x, row, axis=0), np.arange(39), False).value[0] for row in range(40)
    ]
    whole = alpha.ratios(x, np.arange(40), False).value[0]
    assert found.error == pytest.approx(np.sqrt(39 / 40 * np.sum((values - np.mean(values)) ** 2)))
    assert found.value == pytest.approx(40 * whole - 39 * np.mean(values))
    assert found.degrees == 39


def test_unequal_groups_are_worth_fewer():
    x = np.random.default_rng(0).random((30, 2)).round()
    found = alpha.ratios(x, np.repeat([0, 1, 2], [20, 5, 5]), False)
    assert found.effective == pytest.approx((400 + 25 + 25) ** 2 / (160000 + 625 + 625))


def test_pairs_that_answered_alike_are_left_out():
    x = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], float)
    found = alpha.ratios(x, np.arange(5), False)
    assert np.isnan(found.value).tolist() == [True, False, False]
    both = alpha.jackknife(found)
    chosen = alpha.jackknife(found, np.array([False, True, True]))
    assert both == chosen
    none = alpha.jackknife(found, np.array([True, False, False]))
    assert np.isnan(none.value)
    assert np.isnan(none.alpha(5, 0.95)).all()


def test_the_top_is_chosen_on_the_other_half():
    """A model that is perfect on one half of the items only is not in the top of both halves."""
    rng = np.random.default_rng(0)
    x = (rng.random((2000, 6)) < 0.6).astype(float)
    assert alpha.split(x, 3, False, rng, 20) == pytest.approx(0, abs=0.08)


def test_the_share_between_tasks_is_that_of_an_analysis_of_variance():
    """Equal tasks: the variance between is (mean square between - within) / items of a task."""
    rng = np.random.default_rng(2)
    tasks, items = 40, 25
    answers = rng.random((tasks * items, 2)) + rng.normal(0, 0.3, (tasks, 2)).repeat(items, 0)
    groups = np.arange(tasks).repeat(items)
    gap = (answers[:, 0] - answers[:, 1]).reshape(tasks, items)
    within = gap.var(axis=1, ddof=1).mean() / items
    total = gap.mean(axis=1).var(ddof=1)
    expected = (total - within) / total
    between, exponent = alpha.growth(answers, groups)
    assert between == pytest.approx(expected, abs=1e-12)
    fall = np.log(total / (total + 7 * within)) / np.log(8)
    assert exponent == pytest.approx(fall, abs=1e-12)


def test_growth_needs_as_many_tasks_as_a_jackknife(made, settings):
    """Equal tasks are worth their number."""
    for tasks in (settings.fewest_groups, settings.fewest_groups - 1):
        answers = np.random.default_rng(3).random((4 * tasks, 6))
        board = board_of(made, answers, np.arange(tasks).repeat(4))
        found = alpha.readings([board], settings)
        assert len(found) == (1 if tasks == settings.fewest_groups else 0)
