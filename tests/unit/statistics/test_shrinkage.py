"""Closeness of true scores: against integrals, limits that are known, and under known laws."""

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from saturation.statistics import shrinkage
from saturation.statistics.shrinkage import close, close_at_the_top


def test_the_probability_is_that_of_draws():
    """Importance sampling in place of the grid: true scores drawn from the laws, all at once."""
    rng = np.random.default_rng(8)
    scores, errors = np.array([2.1, 1.7, 1.2, 0.4, -0.9, -1.5]), np.array([1, 0.8, 1, 1.2, 1, 0.9])
    width, draws = 1.0, 4000
    typical, quantile = np.median(errors), np.quantile(scores, shrinkage._PLACES)
    inside, above = typical * np.array([0.5, 1, 2, 3]), typical * np.array([1, 2])
    tops = [*np.quantile(scores, [0.8, 0.9, 1]), *(scores.max() - inside)]
    bottoms = [*np.quantile(scores, [0, 0.1, 0.25]), *(scores.min() + above)]
    widths, decays = typical * np.array(shrinkage._WIDTHS), typical * np.array(shrinkage._DECAYS)

    def normal(place, wide):
        return lambda: rng.normal(place, wide, (draws, 6))

    def mixed(share, upper, lower):
        return lambda: np.where(rng.random((draws, 6)) < share, upper(), lower())

    middle = np.median(scores)
    families = {
        "normal": [normal(place, wide) for place in (middle, scores.mean()) for wide in widths],
        "two_clusters": [
            mixed(share, normal(quantile[high], up), normal(quantile[low], down))
            for high in range(6) for low in range(high) for up in widths for down in widths
            for share in shrinkage._SHARES
        ],
        "heavy_tails": [
            mixed(share, normal(middle, widths[wide]), normal(middle, widths[narrow]))
            for wide in range(6) for narrow in range(wide) for share in shrinkage._SHARES
        ],
        "uniform": [
            lambda low=low, high=high: rng.uniform(low, high, (draws, 6))
            for low in bottoms for high in tops if high - low > 0.3 * typical
        ],
        "most_at_the_top": [
            lambda top=top, decay=decay: top - rng.exponential(decay, (draws, 6))
            for top in tops for decay in decays
        ],
        "most_at_the_bottom": [
            lambda bottom=bottom, decay=decay: bottom + rng.exponential(decay, (draws, 6))
            for bottom in bottoms for decay in decays
        ],
    }  # fmt: skip

    def by_draws(law):
        """Evidence of the six scores, and the part of it in which the two are close.

        Given the law the models are independent: the others count by their own means.
        """
        true = law()
        density = stats.norm.pdf(scores, true, errors)
        near = np.abs(true[:, 0] - true[:, 3]) <= width
        both = density[:, 0] * density[:, 3]
        others = density[:, [1, 2, 4, 5]].mean(axis=0).prod()
        return others * both.mean(), others * (both * near).mean()

    common = np.average(scores, weights=errors**-2)
    alike = stats.norm.pdf(scores, common, errors).prod()
    total = close_part = shrinkage.PRIOR["all_equal"] * alike
    for family, members in families.items():
        evidence, part = np.mean([by_draws(law) for law in members], axis=0)
        total += shrinkage.PRIOR[family] * evidence
        close_part += shrinkage.PRIOR[family] * part
    found = close(scores, errors, 0, 3, width)
    assert found.probability == pytest.approx(close_part / total, abs=0.01)


def test_the_posterior_is_that_of_the_integral():
    """One family alone, a normal law: by quadrature over the two true scores."""
    scores, error, width = np.array([0.0, 1.0, 2.5, 4.0]), 0.7, 1.2
    edges = shrinkage._edges(scores, np.full(4, error), (3, 2))
    laws = shrinkage._laws(scores, error, edges)
    likelihood = shrinkage._averaged(edges, scores, np.full(4, error))
    place = np.flatnonzero(laws.family == 1)[3]  # width 1.6 errors at the median
    found = shrinkage._by_law(laws, likelihood, edges, (3, 2), width)[place]
    law_width, middle = 1.6 * error, 1.75
    kept = law_width**2 / (law_width**2 + error**2)
    means = middle + kept * (scores[[3, 2]] - middle)
    spread = stats.norm(means[0] - means[1], np.sqrt(2 * kept) * error)
    assert found == pytest.approx(spread.cdf(width) - spread.cdf(-width), abs=0.002)


def test_evidence_is_the_likelihood_of_the_scores():
    scores, error = np.array([0.0, 1.0, 2.5, 4.0]), np.array([0.5, 0.7, 0.7, 0.9])
    edges = shrinkage._edges(scores, error, (3, 2))
    laws = shrinkage._laws(scores, 0.7, edges)
    likelihood = shrinkage._averaged(edges, scores, error)
    evidence = laws.mixed(laws.parts @ likelihood.T)
    place = np.flatnonzero(laws.family == 1)[3]
    spread = np.hypot(1.6 * 0.7, error)
    expected = stats.norm.pdf(scores, 1.75, spread) * error
    assert evidence[place] == pytest.approx(expected, rel=0.01)
    # Laws are probabilities: no more than 1, and nearly all of it where the grid reaches.
    assert (laws.parts.sum(axis=1) <= 1 + 1e-9).all()
    assert np.median(laws.parts.sum(axis=1)) > 0.99
    common = np.average(scores, weights=error**-2)
    logarithm = (stats.norm.logpdf(scores, common, error) + np.log(error)).sum()
    assert shrinkage._all_equal(scores, error) == pytest.approx(logarithm)


@pytest.mark.parametrize(("models", "flat"), [(19, True), (20, False)])
def test_the_flat_prior_counts_below_twenty_models(models, flat):
    scores = np.r_[np.zeros(models - 1), 3.0]
    found = close(scores, np.ones(models), models - 1, 0, 0.5)
    spread = stats.norm(3, np.sqrt(2))
    assert (found.lowest <= spread.cdf(0.5) - spread.cdf(-0.5) + 1e-12) == flat


def test_a_board_beyond_a_block_is_weighed_as_a_whole(monkeypatch):
    rng = np.random.default_rng(0)
    scores = np.sort(rng.normal(0.7, 0.1, 700))[::-1]
    errors = np.full(700, 0.015)
    whole = shrinkage.close(scores, errors, 0, 4, 0.02)
    for models in (1, 64, 699):
        monkeypatch.setattr(shrinkage, "BLOCK", models)
        blocks = shrinkage.close(scores, errors, 0, 4, 0.02)
        assert astuple(blocks) == pytest.approx(astuple(whole), rel=1e-9)


@settings(max_examples=15)
@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
    st.floats(1e-4, 0.5),
    st.floats(0.001, 1000),
    st.floats(0, 2),
)
def test_any_board_has_a_probability(scores, error, ratio, width):
    errors = np.where(np.arange(len(scores)) % 3, error, error * ratio)
    found = close(scores, errors, 0, 1, width)
    assert 0 <= found.lowest <= found.probability <= found.highest <= 1


def test_equal_scores_are_close_and_a_unit_does_not_matter():
    equal = close([0.5] * 6, [0.02] * 6, 0, 4, 0.03)
    assert equal.probability > 0.8
    scores = np.array([0.9, 0.88, 0.85, 0.8, 0.7, 0.65])
    found = close(scores, [0.01] * 6, 0, 4, 0.03)
    percent = close(100 * scores, [1.0] * 6, 0, 4, 3.0)
    assert found.probability == pytest.approx(percent.probability, abs=1e-6)


@pytest.mark.parametrize(
    ("scores", "errors"), [([0.5], [0.1]), ([0.5, 0.4], [0.1, 0.0]), ([0.5, 0.4], [0.1, -1.0])]
)
def test_too_few_models_and_errors_of_zero_are_refused(scores, errors):
    with pytest.raises(ValueError, match=r"models, smallest error .*; needed: two models"):
        close(scores, errors, 0, len(scores) - 1, 0.1)


class TestTheTopAlone:
    def test_given_a_width_the_gap_is_drawn_together(self, monkeypatch):
        """One width alone: the posterior of a normal law, whatever m is."""
        monkeypatch.setattr(shrinkage, "_RATIOS", (1.0,))
        scores, errors = [[2.0, 1.5, 0.5]], np.ones((1, 3))
        spread = stats.norm(0.5 * 1.5, 1.0)
        for m in (3, 100):
            found = close_at_the_top(scores, errors, [1.0], [m])
            assert found.probability == pytest.approx([spread.cdf(1.0) - spread.cdf(-1.0)])

    def test_the_joint_posterior_is_that_of_a_plain_loop(self):
        """Two numbers of models and all widths, by Bayes' rule in a loop over the grid."""
        from scipy.integrate import quad

        scores, numbers = np.array([[2.0, 1.5, 0.5], [0.3, 0.2, 0.1]]), (3, 9)
        ratios, rounds = shrinkage._RATIOS, shrinkage._ROUNDS

        def likelihood(row, ratio, m):
            spread = np.hypot(ratio, 1.0)

            def density(middle):
                listed = stats.norm.pdf(row, middle, spread).prod()
                return listed * stats.norm.cdf(row[-1], middle, spread) ** (m - 3)

            there = quad(density, -40 * spread, 40 * spread, points=[-3, 0, 3], limit=400)[0]
            return there * special.perm(m, 3)

        table = np.array([[[likelihood(row, ratio, m) for ratio in ratios] for m in numbers]
                          for row in scores])  # fmt: skip
        share = np.full((2, 10), 1 / 20)
        for _ in range(rounds):
            posterior = table * share
            posterior /= posterior.sum(axis=(1, 2), keepdims=True)
            share = (0.5 + posterior.sum(axis=0)) / 12
        expected = []
        for row, weights in zip(scores, posterior):
            said = 0.0
            for ratio, weight in zip(ratios, weights.sum(axis=0)):
                kept = ratio**2 / (1 + ratio**2)
                law = stats.norm(kept * (row[0] - row[2]), np.sqrt(2 * kept)) if kept else None
                said += weight * (law.cdf(1.0) - law.cdf(-1.0) if law else 1.0)
            expected.append(said)
        found = close_at_the_top(scores, np.ones((2, 3)), [1.0, 1.0], numbers)
        assert found.probability == pytest.approx(expected, abs=2e-3)

    def test_fewer_models_than_scores_are_refused(self):
        with pytest.raises(ValueError, match="m is 4, but 5 scores are known"):
            close_at_the_top(np.zeros((1, 5)), np.ones((1, 5)), [1.0], [20, 4])
