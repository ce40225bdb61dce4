"""Tests of pairs on common items, against R and statsmodels, and each pair alone."""

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, NO_TEST


def pairs_of(x, clusters=None):
    x = np.asarray(x, float)
    groups = np.arange(len(x)) if clusters is None else clusters
    return statistics_pairs.paired_tests(pd.DataFrame(x), pd.Series(groups))


def gaps(x, seed=0, share=0.8):
    """The same with responses missing at random."""
    return np.where(np.random.default_rng(seed).random(x.shape) < share, x, np.nan)


def test_mcnemar_is_that_of_r_and_statsmodels(golden, right):
    pairs = pairs_of(right)
    for place in (1, 2, 3):
        assert [pairs.p_value[0, place]] == golden("mcnemar", f"first and {place + 1}")
        assert pairs.p_value[place, 0] == pairs.p_value[0, place]
        mid = statistics_pairs.mid_p(pairs.wins[0, place], pairs.wins[place, 0])
        assert [float(mid)] == golden("mid_p", f"first and {place + 1}")
    assert (pairs.method == MCNEMAR).all()
    assert (pairs.items == 30).all()
    assert np.diag(pairs.p_value).tolist() == [1] * 4
    assert pairs.difference[0, 2] == pytest.approx(right[:, 0].mean() - right[:, 2].mean())
    both = pd.crosstab(right[:, 0], right[:, 2])
    assert pairs.p_value[0, 2] == pytest.approx(mcnemar(both, exact=True).pvalue)
    assert (pairs.wins[0, 2], pairs.wins[2, 0]) == (both.loc[1, 0], both.loc[0, 1])


@pytest.mark.parametrize("leaders", [1, 3, 300])
@pytest.mark.parametrize("clustered", [False, True])
def test_pairs_with_the_first_models_are_those_of_all_pairs(leaders, clustered):
    """More models than a block holds, of which some did not answer everything."""
    rng = np.random.default_rng(1)
    x = gaps(rng.integers(0, 2, (40, 300)).astype(float))
    groups = pd.Series(np.arange(40) // (4 if clustered else 1))
    whole = statistics_pairs.paired_tests(pd.DataFrame(x), groups)
    part = statistics_pairs.paired_tests(pd.DataFrame(x), groups, leaders)
    for name, field in part._asdict().items():
        np.testing.assert_array_equal(field, getattr(whole, name)[:, :leaders], name)


def test_six_wins_of_six_by_hand():
    pairs = pairs_of(np.column_stack([np.ones(6), np.zeros(6)]))
    assert pairs.p_value[0, 1] == pytest.approx(2 / 2**6)
    assert statistics_pairs.mid_p(6, 0) == pytest.approx(1 / 2**6)


def test_an_even_split_has_a_mid_p_below_one():
    """Two of four: 1 less half of the probability 6/16; nothing decided has 1/2 of that of 1."""
    assert statistics_pairs.mid_p([2, 0], [2, 0]) == pytest.approx([1 - 3 / 16, 0.5])


def test_every_pair_is_rs_on_its_own_common_items(golden, graded, seven_clusters):
    i = np.arange(30)
    given_to = graded.copy()
    for j in range(4):
        given_to[(i + 3 * (j + 1)) % (7 + j) == 0, j] = np.nan
    pairs = pairs_of(given_to, seven_clusters)
    for a in range(4):
        for b in range(a + 1, 4):
            found = [
                pairs.difference[a, b],
                pairs.standard_error[a, b],
                pairs.items[a, b],
                pairs.degrees[a, b],
                pairs.p_value[a, b],
            ]
            assert found == golden("pair", f"{a + 1} and {b + 1}")
    off = ~np.eye(4, dtype=bool)
    assert (pairs.method[off] == CLUSTERED_T).all()
    assert np.isnan(pairs.wins).all()


def test_the_paired_error_is_rs_sandwich(golden, graded, seven_clusters):
    pairs = pairs_of(graded, seven_clusters)
    assert pairs.standard_error[0, 1:].tolist() == golden("clustered", "differences to the first")
    assert pairs.difference[3, 0] == pytest.approx(graded[:, 3].mean() - graded[:, 0].mean())


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("by_cluster", [False, True])
def test_no_pair_depends_on_the_other_models(clustered, binary, by_cluster, monkeypatch):
    """All at once, in blocks of four, is each pair alone; whole and partial clusters alike."""
    monkeypatch.setattr(statistics_pairs, "BLOCK", 4)
    rng = np.random.default_rng(1)
    x = rng.random((60, 9))
    x = np.round(x) if binary else x
    clusters = np.arange(60) // 4 if clustered else np.arange(60)
    mask = rng.random((15, 9)).repeat(4, axis=0) if by_cluster else rng.random((60, 9))
    x[mask < 0.3] = np.nan
    pairs = pairs_of(x, clusters)
    for a, b in ((0, 1), (3, 4), (8, 2), (7, 8)):
        both = ~np.isnan(x[:, [a, b]]).any(axis=1)
        alone = pairs_of(x[both][:, [a, b]], clusters[both])
        for name in statistics_pairs.Pairs._fields:
            expected = getattr(alone, name)[0, 1]
            assert getattr(pairs, name)[a, b] == pytest.approx(expected, nan_ok=True), name


def test_what_decides_the_test():
    x = np.array([[1, 0], [0, 0], [1, 1], [1, 1.0]])
    assert pairs_of(x).method[0, 1] == MCNEMAR
    assert pairs_of(x, list("wwyy")).method[0, 1] == CLUSTERED_T
    assert pairs_of(x * 0.5).method[0, 1] == CLUSTERED_T
    # Of two items that hang together one is shared: those that are stand alone.
    x[0, 0] = np.nan
    found = pairs_of(x, list("wwyz"))
    assert (found.method[0, 1], found.items[0, 1]) == (MCNEMAR, 3)


def test_shares_over_runs_are_not_zeros_and_ones():
    """One model with a share on one item: its pairs are t tests, those of the others are exact."""
    x = np.random.default_rng(3).integers(0, 2, (30, 3)).astype(float)
    x[4, 2] = 0.25
    method = pairs_of(x).method
    assert (method[0, 1], method[0, 2], method[1, 2]) == (MCNEMAR, CLUSTERED_T, CLUSTERED_T)


def test_pairs_that_share_less_than_two_clusters_have_no_test():
    x = np.full((6, 2), np.nan)
    x[:4, 0], x[3:, 1] = 1.0, 0.0
    for clusters in (None, [0, 0, 1, 1, 2, 2]):
        pairs = pairs_of(x, clusters)
        assert pairs.method[0, 1] == NO_TEST
        assert pairs.p_value[0, 1] == 1
        assert np.isnan([pairs.difference[0, 1], pairs.standard_error[0, 1]]).all()


def test_a_difference_without_any_spread_is_no_proof():
    """Ten clusters that differ alike: signs turned whole give 2 of 2^10; equal models give 1."""
    x = np.tile([0.5, 0.4, 0.4], (20, 1))
    pairs = pairs_of(x, np.arange(20) // 2)
    assert pairs.p_value[0, 1] == pytest.approx(2**-9)
    assert pairs.p_value[1, 2] == 1
    assert pairs.standard_error[0, 1] == 0
    assert pairs_of(x[:2]).p_value[0, 1] == pytest.approx(0.5)


def test_one_large_cluster_leaves_hardly_any_degrees_of_freedom():
    sizes = np.array([80, 1, 1, 1, 1])
    x = np.column_stack([np.ones(84), np.repeat([0, 0, 1, 0, 0], sizes)])
    pairs = pairs_of(x, np.repeat(np.arange(5), sizes))
    effective = (sizes**2).sum() ** 2 / (sizes**4).sum()
    assert pairs.degrees[0, 1] == pytest.approx(effective - 1)
    assert pairs.p_value[0, 1] > 0.9


def test_nothing_has_a_floor_that_many_models_would_meet():
    """A hundred models make 4,950 pairs: a clear difference stays clear."""
    rng = np.random.default_rng(2)
    x = rng.random((400, 100)) * 0.2
    x[:, 0] += 0.2
    for values, clusters in ((x, None), (x, np.arange(400) // 4), (np.round(x * 2.5), None)):
        pairs = pairs_of(values, clusters)
        assert statistics_pairs.holm_pairs(pairs.p_value)[0, 1:].max() < 1e-6


@given(st.integers(2, 6), st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_tests_are_symmetric_and_never_say_zero(models, items, seed):
    rng = np.random.default_rng(seed)
    x = gaps(rng.integers(0, 4, (items, models)) / 3, seed)
    pairs = pairs_of(x, rng.integers(0, max(items // 2, 1), items))
    assert np.allclose(pairs.p_value, pairs.p_value.T)
    assert (pairs.p_value > 0).all()
    assert (pairs.p_value <= 1).all()
    assert np.allclose(pairs.difference, -pairs.difference.T, equal_nan=True)
    same = pairs_of(np.column_stack([x, x[:, 0]]), np.arange(items))
    assert same.p_value[0, models] == 1


@pytest.mark.parametrize(("wins", "losses"), [(3, 4), (0, 9), (700, 820), (1500, 1497), (12, 12)])
def test_the_mid_p_is_half_of_the_observed_split_and_all_beyond(wins, losses):
    """By scipy's binomial distribution."""
    law = scipy.stats.binom(wins + losses, 0.5)
    fewer = min(wins, losses)
    expected = 2 * law.cdf(fewer) - law.pmf(fewer) if wins != losses else 1 - law.pmf(fewer) / 2
    assert statistics_pairs.mid_p(wins, losses) == pytest.approx(expected, rel=1e-9)
