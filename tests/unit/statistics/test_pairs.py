"""Tests of pairs of models, ties, ranks and equivalence, against R and statsmodels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from saturation.statistics import pairs as tests
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, NO_TEST, paired_tests


def test_pooled_z_is_that_of_r_and_statsmodels_and_holds_at_the_bounds(golden):
    pairs = tests.pooled_z_tests([0.9, 70 / 90], [50, 90])
    assert [pairs.p_value[0, 1]] == golden("pooled_z", "45 of 50 and 70 of 90")
    assert pairs.difference[1, 0] == pytest.approx(70 / 90 - 0.9)
    share = 115 / 140
    assert pairs.standard_error[0, 1] == pytest.approx(
        np.sqrt(share * (1 - share) * (1 / 50 + 1 / 90))
    )
    assert (pairs.method == tests.POOLED_Z).all()
    assert np.diag(pairs.p_value).tolist() == [1, 1]
    assert np.isnan(pairs.items).all()
    assert np.isinf(pairs.degrees).all()
    perfect = tests.pooled_z_tests([1.0, 1.0, 0.9], [100, 100, 100])
    assert perfect.p_value[0, 1] == 1
    assert perfect.p_value[0, 2] == pytest.approx(proportions_ztest([100, 90], [100, 100])[1])


def test_z_tests_take_each_models_own_error(golden):
    pairs = tests.z_tests([1310, 1300], [3.0, 4.0])
    assert pairs.standard_error[0, 1] == 5
    assert pairs.difference[0, 1] == 10
    assert pairs.p_value[0, 1] == pytest.approx(0.0455, abs=1e-4)
    pairs = tests.z_tests([0.8, 0.75], [0.02, 0.015])
    assert [pairs.p_value[1, 0]] == golden("z", "0.8 by 0.02 and 0.75 by 0.015")
    assert (pairs.method == tests.Z).all()


def test_without_any_error_equal_scores_tie_and_with_an_unknown_one_all_do():
    pairs = tests.z_tests([2.0, 2.0, 1.0], [0.0, 0.0, 0.0])
    assert pairs.p_value.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    pairs = tests.z_tests([2.0, 1.0, 0.0], [0.1, np.nan, 0.1])
    assert pairs.p_value[1].tolist() == pairs.p_value[:, 1].tolist() == [1, 1, 1]
    assert pairs.p_value[0, 2] < 1e-9


def test_each_pair_is_chosen():
    one = tests.z_tests([0.8, 0.75], [0.02, 0.015])
    other = tests.pooled_z_tests([0.8, 0.75], [100, 100])
    mixed = tests.choose(np.array([[True, False], [False, True]]), one, other)
    assert mixed.p_value[0, 1] == other.p_value[0, 1] != one.p_value[0, 1]
    assert mixed.standard_error[0, 0] == one.standard_error[0, 0]
    assert mixed.method.tolist() == [[1, 2], [2, 1]]
    assert tests.METHODS[mixed.method[0, 1]] == "pooled_z"


def matrix_of(p_values):
    """A symmetric matrix from the p-values of the pairs 1-2, 1-3, 2-3."""
    p = np.ones((3, 3))
    p[np.triu_indices(3, 1)] = p_values
    return np.minimum(p, p.T)


def test_the_tie_group_is_adjusted_over_all_pairs():
    # Three pairs: the least p times three, the next times two; 0.02 is within 5 % only behind 0.0.
    def group(p_values, level):
        return tests.tie_group(tests.holm_pairs(p_values), level)

    assert group(matrix_of([0.02, 0.04, 0.0]), 0.95).tolist() == [True, False, False]
    assert group(matrix_of([0.02, 0.04, 0.9]), 0.95).all()
    assert group(matrix_of([0.016, 0.04, 0.9]), 0.95).tolist() == [True, False, True]
    # At the limit itself, which level 0.5 gives without rounding, a model is told apart.
    assert group(matrix_of([0.125, 0.25, 1.0]), 0.5).tolist() == [True, False, False]
    assert group(matrix_of([0.17, 0.25, 1.0]), 0.5).all()


def test_rank_intervals_are_adjusted_over_all_pairs():
    gaps = np.subtract.outer([3.0, 2.0, 1.0], [3.0, 2.0, 1.0])

    def bounds(p_values, level):
        return tests.rank_intervals(gaps, tests.holm_pairs(p_values), level)

    # 3 x 0.016 and 2 x 0.024 and 0.05 are all within 5 %; 3 x 0.017 is not, and stops the rest.
    shown = bounds(matrix_of([0.016, 0.024, 0.049]), 0.95)
    assert shown.tolist() == [[1, 1], [2, 2], [3, 3]]
    hidden = bounds(matrix_of([0.017, 0.024, 0.049]), 0.95)
    assert hidden.tolist() == [[1, 3]] * 3
    part = bounds(matrix_of([0.2, 0.001, 0.03]), 0.95)
    assert part.tolist() == [[1, 2], [1, 3], [2, 3]]
    edge = bounds(matrix_of([1.0, 1 / 8, 0.25]), 0.5)
    assert edge.tolist() == [[1, 2], [1, 2], [3, 3]]


def pairs_of(x, clusters=None):
    x = np.asarray(x, float)
    groups = np.arange(len(x)) if clusters is None else clusters
    return tests.paired_tests(pd.DataFrame(x), pd.Series(groups))


def gaps(x, seed=0, share=0.8):
    """The same with responses missing at random."""
    return np.where(np.random.default_rng(seed).random(x.shape) < share, x, np.nan)


def test_mcnemar_is_that_of_r(golden, right):
    pairs = pairs_of(right)
    for place in (1, 2, 3):
        assert [pairs.p_value[0, place]] == golden("mid_p", f"first and {place + 1}")
        assert pairs.p_value[place, 0] == pairs.p_value[0, place]
    assert (pairs.method == MCNEMAR).all()
    assert (pairs.items == 30).all()
    assert np.diag(pairs.p_value).tolist() == [1] * 4
    assert pairs.difference[0, 2] == pytest.approx(right[:, 0].mean() - right[:, 2].mean())
    both = pd.crosstab(right[:, 0], right[:, 2])
    assert (pairs.wins[0, 2], pairs.wins[2, 0]) == (both.loc[1, 0], both.loc[0, 1])


@pytest.mark.parametrize("leaders", [1, 3, 300])
@pytest.mark.parametrize("clustered", [False, True])
def test_pairs_with_the_first_models_are_those_of_all_pairs(leaders, clustered):
    """More models than a block holds, of which some did not answer everything."""
    rng = np.random.default_rng(1)
    x = gaps(rng.integers(0, 2, (40, 300)).astype(float))
    x[:, -1] /= 2  # graded, unlike the first
    groups = pd.Series(np.arange(40) // (4 if clustered else 1))
    whole = tests.paired_tests(pd.DataFrame(x), groups)
    part = tests.paired_tests(pd.DataFrame(x), groups, leaders)
    for name, field in part._asdict().items():
        np.testing.assert_array_equal(field, getattr(whole, name)[:, :leaders], name)


def cr2(difference, clusters):
    """Error of the mean and its degrees of freedom, by the matrices of Bell and McCaffrey."""
    names, codes = np.unique(clusters, return_inverse=True)
    n = len(difference)
    hat = np.full((n, n), 1 / n)
    rest = np.eye(n) - hat
    sizes = np.bincount(codes)
    correlation = 1 / (1 + (sizes**2).sum() / n)
    same = codes[:, None] == codes
    working = np.where(same, correlation, 0.0) + (1 - correlation) * np.eye(n)
    parts = []
    for place in range(len(names)):
        inside = np.flatnonzero(codes == place)
        values, vectors = np.linalg.eigh(rest[np.ix_(inside, inside)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        parts.append(root.sum(axis=0) @ rest[inside] / n)
    parts = np.array(parts)
    product = parts @ working @ parts.T
    error = np.sqrt(((parts @ difference) ** 2).sum())
    return error, np.trace(product) ** 2 / (product**2).sum()


def test_every_pair_has_the_matrices_error_on_its_own_common_items(graded, seven_clusters):
    i = np.arange(30)
    given_to = graded.copy()
    for j in range(4):
        given_to[(i + 3 * (j + 1)) % (7 + j) == 0, j] = np.nan
    pairs = pairs_of(given_to, seven_clusters)
    for a in range(4):
        for b in range(a + 1, 4):
            difference = given_to[:, a] - given_to[:, b]
            both = ~np.isnan(difference)
            difference, clusters = difference[both], seven_clusters[both]
            error, degrees = cr2(difference, clusters)
            p = 2 * stats.t.sf(abs(difference.mean()) / error, degrees)
            assert (pairs.items[a, b], pairs.clusters[a, b]) == (both.sum(), 7)
            found = [pairs.standard_error[a, b], pairs.degrees[a, b], pairs.p_value[a, b]]
            assert found == pytest.approx([error, degrees, max(p, 2.0**-6)])
    off = ~np.eye(4, dtype=bool)
    assert (pairs.method[off] == CLUSTERED_T).all()
    assert np.isnan(pairs.wins).all()


def test_equal_clusters_have_their_number_less_one_degrees():
    x = np.random.default_rng(0).random((40, 2))
    assert pairs_of(x, np.arange(40) // 5).degrees[0, 1] == pytest.approx(7)
    assert pairs_of(x).degrees[0, 1] == 39


def test_clusters_of_which_one_holds_nearly_all_items_show_nothing():
    x = np.random.default_rng(0).random((60, 2)) < [0.95, 0.05]
    pairs = pairs_of(x.astype(float), [0] * 50 + list(range(1, 11)))
    assert pairs.clusters[0, 1] == 11
    nearly_all = pairs_of(x.astype(float), [0] * 58 + [1, 2])
    assert nearly_all.degrees[0, 1] < 1.5
    assert nearly_all.p_value[0, 1] >= 0.5


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("by_cluster", [False, True])
def test_no_pair_depends_on_the_other_models(clustered, binary, by_cluster, monkeypatch):
    """All at once, in blocks of four, is each pair alone; whole and partial clusters alike."""
    monkeypatch.setattr(tests, "BLOCK", 4)
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
        for name in tests.Pairs._fields:
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
    # One model with a share on one item: its pairs are t tests, those of the others are exact.
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


@pytest.mark.parametrize(("wins", "losses"), [(3, 4), (0, 9), (700, 820), (1500, 1497), (12, 12)])
def test_the_mid_p_is_half_of_the_observed_split_and_all_beyond(wins, losses):
    """By scipy's binomial distribution."""
    law = scipy.stats.binom(wins + losses, 0.5)
    fewer = min(wins, losses)
    expected = 2 * law.cdf(fewer) - law.pmf(fewer) if wins != losses else 1 - law.pmf(fewer) / 2
    assert tests.mid_p(wins, losses) == pytest.approx(expected, rel=1e-9)
    assert tests.mid_p(0, 0) == 1


GOLDEN = pd.read_csv(Path(__file__).parents[2] / "golden/equivalence.csv")


def of(kind):
    return [tuple(row) for row in GOLDEN[GOLDEN["test"] == kind].iloc[:, 1:].to_numpy()]


def p_values(matrix, margin, clusters=None, columns=None):
    frame = pd.DataFrame(np.asarray(matrix, float))
    groups = pd.Series(range(len(frame)) if clusters is None else clusters)
    pairs = paired_tests(frame, groups)
    models = frame.shape[1]
    scores, n = frame.mean(), np.full(models, float(len(frame)))
    return tests.lead_p_values(pairs, scores, n, margin, columns or models)


@pytest.mark.parametrize(("wins", "losses", "items", "_none", "margin", "expected"), of("paired"))
def test_paired_shares_are_those_of_a_search_in_r(wins, losses, items, _none, margin, expected):
    p = tests.paired_score(wins, losses, items, margin)
    assert float(p) == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(("x_1", "n_1", "x_0", "n_0", "margin", "expected"), of("independent"))
def test_independent_shares_are_those_of_a_search_in_r(x_1, n_1, x_0, n_0, margin, expected):
    p = tests.independent_score(x_1 / n_1, n_1, x_0 / n_0, n_0, margin)
    assert float(p) == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize("wins", range(12))
def test_the_level_holds_where_only_one_model_ever_wins(wins):
    """The worst for the level: what is seen of the margin is one count; its exact tail."""
    items = np.arange(20, 1500)
    p = tests.paired_score(wins, 0, items, 0.02)
    shown = items[p <= 0.05]
    assert stats.binom.cdf(wins, shown, 0.02).max() <= 0.05
    # And not far below.
    assert stats.binom.cdf(wins, shown.min(), 0.02) > 0.02
    # Margins of half an item show nothing.
    assert tests.paired_score(0, 0, 25, 0.02) == 1
    assert tests.independent_score(1.0, 25, 1.0, 25, 0.02) == 1


def test_each_pair_has_the_test_of_its_kind():
    rng = np.random.default_rng(0)
    right = (rng.random((400, 3)) < [0.8, 0.8, 0.6]).astype(float)
    p = p_values(right, 0.1)
    wins = (right[:, 0] > right[:, 2]).sum()
    losses = (right[:, 0] < right[:, 2]).sum()
    assert p[0, 2] == tests.paired_score(wins, losses, 400, 0.1)
    assert p[2, 0] == tests.paired_score(losses, wins, 400, 0.1)
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
    same = np.full((1000, 2), 0.5)
    assert p_values(same, 0.02)[0, 1] < 0.001
    # Few clusters show nothing.
    assert p_values(same, 0.02, clusters=np.arange(1000) // 250)[0, 1] > 0.2
    assert p_values(same, 0.02, clusters=np.zeros(1000))[0, 1] == 1


def test_scores_with_errors_have_the_normal_test_and_unknown_errors_show_nothing():
    pairs = tests.z_tests([0.5, 0.48, 0.4], [0.003, 0.004, np.nan])
    p = tests.lead_p_values(pairs, [0.5, 0.48, 0.4], [np.nan] * 3, 0.03, 3)
    assert p[0, 1] == pytest.approx(stats.norm.cdf((0.02 - 0.03) / 0.005))
    assert p[1, 0] == pytest.approx(stats.norm.cdf((-0.02 - 0.03) / 0.005))
    assert (p[2] == 1).all()
    assert (p[:, 2] == 1).all()
