"""That one model is not ahead by a margin: values of R, exact tails, edges and bad input."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import paired_tests

GOLDEN = pd.read_csv(Path(__file__).parents[2] / "golden/equivalence.csv")


def of(kind):
    return [tuple(row) for row in GOLDEN[GOLDEN["test"] == kind].iloc[:, 1:].to_numpy()]


def p_values(matrix, margin, clusters=None, columns=None):
    frame = pd.DataFrame(np.asarray(matrix, float))
    groups = pd.Series(range(len(frame)) if clusters is None else clusters)
    pairs = paired_tests(frame, groups)
    models = frame.shape[1]
    scores, n = frame.mean(), np.full(models, float(len(frame)))
    return statistics_pairs.not_ahead(pairs, scores, n, margin, columns or models)


@pytest.mark.parametrize(("wins", "losses", "items", "_none", "margin", "expected"), of("paired"))
def test_paired_shares_are_those_of_a_search_in_r(wins, losses, items, _none, margin, expected):
    p = statistics_pairs.paired_score(wins, losses, items, margin)
    assert float(p) == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(("x_1", "n_1", "x_0", "n_0", "margin", "expected"), of("independent"))
def test_independent_shares_are_those_of_a_search_in_r(x_1, n_1, x_0, n_0, margin, expected):
    p = statistics_pairs.independent_score(x_1 / n_1, n_1, x_0 / n_0, n_0, margin)
    assert float(p) == pytest.approx(expected, abs=2e-8)


@given(st.integers(1, 300), st.integers(1, 300), st.data(), st.floats(0.01, 0.9))
def test_the_likeliest_shares_of_any_counts_are_those_of_a_search(n_1, n_0, data, margin):
    x_1, x_0 = data.draw(st.integers(0, n_1)), data.draw(st.integers(0, n_0))
    delta = margin - (1 / n_1 + 1 / n_0) / 4
    p = float(statistics_pairs.independent_score(x_1 / n_1, n_1, x_0 / n_0, n_0, margin))
    if delta <= 0:
        assert p == 1
        return

    def unlikely(q):
        return -(
            special.xlogy(x_1, q + delta) + special.xlogy(n_1 - x_1, 1 - q - delta)
            + special.xlogy(x_0, q) + special.xlogy(n_0 - x_0, 1 - q)
        )  # fmt: skip

    inner = optimize.minimize_scalar(unlikely, bounds=(0, 1 - delta), method="bounded",
                                     options={"xatol": 1e-12})  # fmt: skip
    q = min([inner.x, 0.0, 1 - delta], key=unlikely)
    error = np.sqrt((q + delta) * (1 - q - delta) / n_1 + q * (1 - q) / n_0)
    assert p == pytest.approx(stats.norm.cdf((x_1 / n_1 - x_0 / n_0 - delta) / error), abs=1e-5)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(80, 500))
def test_a_wider_margin_and_fewer_wins_are_easier_to_show(wins, losses, items):
    margins = np.array([0.02, 0.05, 0.1, 0.3])
    p = [float(statistics_pairs.paired_score(wins, losses, items, m)) for m in margins]
    assert (np.diff(p) <= 1e-12).all()
    assert float(statistics_pairs.paired_score(wins + 1, losses, items, 0.05)) >= p[1]
    half = statistics_pairs.independent_score(
        wins / items, items, losses / items, items, margins[1]
    )
    assert float(half) <= 1


@pytest.mark.parametrize("items", [50, 150, 400, 1500])
def test_without_a_disagreement_it_is_no_surer_than_the_chance_of_that(items):
    """If one model is ahead by the margin, no item may show it with chance (1 - margin)^n."""
    p = float(statistics_pairs.paired_score(0, 0, items, 0.02))
    if p <= 0.05:
        assert 0.98**items <= 0.05


@pytest.mark.parametrize("wins", range(12))
def test_the_level_holds_where_only_one_model_ever_wins(wins):
    """The worst for the level: what is seen of the margin is one count; its exact tail."""
    items = np.arange(20, 1500)
    p = statistics_pairs.paired_score(wins, 0, items, 0.02)
    shown = items[p <= 0.05]
    assert stats.binom.cdf(wins, shown, 0.02).max() <= 0.05
    # And not far below.
    assert stats.binom.cdf(wins, shown.min(), 0.02) > 0.02


def test_margins_of_half_an_item_show_nothing():
    assert statistics_pairs.paired_score(0, 0, 25, 0.02) == 1
    assert statistics_pairs.independent_score(1.0, 25, 1.0, 25, 0.02) == 1


def test_each_pair_has_the_test_of_its_kind():
    rng = np.random.default_rng(0)
    right = (rng.random((400, 3)) < [0.8, 0.8, 0.6]).astype(float)
    p = p_values(right, 0.1)
    wins = (right[:, 0] > right[:, 2]).sum()
    losses = (right[:, 0] < right[:, 2]).sum()
    assert p[0, 2] == statistics_pairs.paired_score(wins, losses, 400, 0.1)
    assert p[2, 0] == statistics_pairs.paired_score(losses, wins, 400, 0.1)
    assert p[0, 2] > 0.9 > 1e-4 > p[2, 0]
    assert (np.diag(p) == 1).all()
    assert p_values(right, 0.1, columns=2).shape == (3, 2)


def test_graded_items_have_students_t_at_the_margin():
    rng = np.random.default_rng(1)
    graded = rng.random((50, 2))
    difference = graded[:, 0] - graded[:, 1]
    theirs = stats.ttest_1samp(difference, 0.05, alternative="less").pvalue
    assert p_values(graded, 0.05)[0, 1] == pytest.approx(theirs)


def test_graded_items_that_hardly_differ_have_the_error_of_the_margin():
    same = np.full((100, 2), 0.5)
    p = p_values(same, 0.02)[0, 1]
    assert p == pytest.approx(stats.t.cdf(-0.02 / np.sqrt(0.02 * 0.98 / 100), 99))
    assert p > 0.05
    assert p_values(np.full((1000, 2), 0.5), 0.02)[0, 1] < 0.001


def test_few_clusters_show_nothing():
    same = np.full((1000, 2), 0.5)
    assert p_values(same, 0.02, clusters=np.arange(1000) // 250)[0, 1] > 0.2
    assert p_values(same, 0.02, clusters=np.zeros(1000))[0, 1] == 1


def test_scores_with_errors_have_the_normal_test_and_unknown_errors_show_nothing():
    pairs = statistics_pairs.z_tests([0.5, 0.48, 0.4], [0.003, 0.004, np.nan])
    p = statistics_pairs.not_ahead(pairs, [0.5, 0.48, 0.4], [np.nan] * 3, 0.03, 3)
    assert p[0, 1] == pytest.approx(stats.norm.cdf((0.02 - 0.03) / 0.005))
    assert p[1, 0] == pytest.approx(stats.norm.cdf((-0.02 - 0.03) / 0.005))
    assert (p[2] == 1).all()
    assert (p[:, 2] == 1).all()
