"""Repeated runs of two models: what their difference is made of, and what more would buy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.leaderboard import runs
from saturation.statistics import components


def table(answers):
    """Responses as importers give them, from items by runs of each model."""
    return pd.concat(
        pd.DataFrame(
            [(model, f"item {i}", f"run {r}", value)
             for i, row in enumerate(own) for r, value in enumerate(row)],
            columns=["model", "item", "run", "response"],
        )
        for model, own in answers.items()
    )  # fmt: skip


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(5)
    chance = rng.beta(0.6, 0.6, (80, 1))
    return {
        "a": (rng.random((80, 5)) < chance).astype(float),
        "b": (rng.random((80, 4)) < 0.8 * chance).astype(float),
    }


def test_errors_over_runs_and_over_items_are_textbook_ones(drawn):
    found = runs.repeated(table(drawn), "b", "a")
    a, b = drawn["a"], drawn["b"]
    assert (found.first, found.kth, found.n_items, found.n_runs) == ("a", "b", 80, 4)
    assert found.gap == pytest.approx(a.mean() - b.mean())
    few = {"few": a[:, :2], "short": a[:9]}
    given, stated = table(drawn | few), pd.Series(dtype=float)
    of_source = runs.errors_of_source(given, ["a", "few", "short", "b"], stated)
    times = [stats.sem(x.mean(axis=1)) / stats.sem(x.mean(axis=0)) for x in (a, b)]
    assert not of_source["printed"]
    ends = [of_source["times_least"], of_source["times_most"]]
    assert ends == pytest.approx(sorted(times))


def test_a_run_that_broke_off_costs_no_items(drawn):
    broken = np.hstack([drawn["b"], np.full((80, 1), np.nan)])
    broken[:70, 4] = 1
    given = table(drawn | {"b": broken}).dropna()
    assert runs.repeated(given, "a", "b") == runs.repeated(table(drawn), "a", "b")
    given = given.drop(index=given.index[(given["item"] == "item 7") & (given["run"] == "run 1")])
    assert runs.repeated(given, "a", "b").n_items == 79


def test_intervals_of_all_pairs_are_as_wide_as_bonferroni_asks():
    assert runs.times(80, 12, 0.95) == pytest.approx(stats.t.ppf(1 - 0.05 / 2 / 66, 79))


def test_an_answer_more_buys_most_on_a_new_item(drawn):
    found = runs.repeated(table(drawn), "a", "b")
    parts = components.decompose(components.estimate_from_runs(list(drawn.values())))
    more = [parts.error(5).value, parts.error(4, 80 * 5 / 4).value]
    assert [found.one_more_run, found.as_many_items] == pytest.approx(more)
    assert found.items < more[1] < more[0] < found.error
    assert found.run_share == pytest.approx(1 - (found.items / parts.error(1).value) ** 2)


def test_a_run_that_moves_all_answers_is_noticed(drawn):
    assert runs.repeated(table(drawn), "a", "b").run_effect_p > 0.05
    moved = drawn["a"] + np.array([0, 0.2, 0, 0, 0.2])
    found = runs.repeated(table(drawn | {"a": moved}), "a", "b")
    assert found.run_effect_p < 0.001
    expected = stats.f_oneway(*(moved - moved.mean(axis=1, keepdims=True)).T)
    # Items are blocks: the residuals have fewer degrees than groups of as many answers.
    ratio = expected.statistic * (79 * 4) / (80 * 5 - 5)
    assert found.run_effect_p == pytest.approx(2 * stats.f.sf(ratio, 4, 79 * 4))


@pytest.mark.parametrize(
    ("between", "said"), [(1.01, "nothing more"), (0.5, "runs"), (-0.01, "items")]
)
def test_what_settles_a_gap(drawn, between, said):
    found, times = runs.repeated(table(drawn), "a", "b"), runs.times(80, 5, 0.95)
    gap = times * (found.items + between * (found.error - found.items))
    moved = drawn | {"a": drawn["a"] + gap - found.gap}
    assert runs.repeated(table(moved), "a", "b").settles == said


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"a": np.ones((20, 3)), "b": np.ones((20, 2))}, "b has 2 whole runs; 3 are needed"),
        ({"a": np.ones((9, 3)), "b": np.ones((20, 3))}, "a and b share 9 items; 10 are needed"),
        ({"a": np.ones((10, 3)), "b": np.ones((20, 3))}, None),
    ],
)
def test_few_runs_or_items_are_said(answers, said):
    found = runs.unusable(table(answers), "a", "b")
    assert found == said or (said is not None and said in found)
