"""Power of the tests of two models, against enumeration of every outcome and R."""

import dataclasses

import numpy as np
import pytest
from scipy import integrate, stats

from saturation.statistics import pairs, power
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, POOLED_Z
from saturation.statistics.power import Contrast, detectable_difference, items_needed

ALPHA, CHANCE = 0.05, 0.8


def independent(score, n):
    return Contrast(0.0, 0.0, POOLED_Z, items=(n, n), scores=(score, score))


def paired(wins, losses, n, score):
    gap = (wins - losses) / n
    return Contrast(
        gap, 0.0, MCNEMAR, items=(n, n), scores=(score, score - gap), wins=(wins, losses)
    )


def enumerated_pooled(p, q, n, m, alpha):
    """Probability that the pooled z test finds the first better, over all pairs of counts."""
    x, y = np.arange(n + 1)[:, None], np.arange(m + 1)[None]
    tests = [pairs.pooled_z_tests([a / n, b / m], [n, m]) for a in x[:, 0] for b in y[0]]
    found = np.array([t.p_value[0, 1] <= alpha and t.difference[0, 1] > 0 for t in tests])
    chance = stats.binom.pmf(x, n, p) * stats.binom.pmf(y, m, q)
    return float((chance.ravel() * found).sum())


def enumerated_mcnemar(rates, n, alpha):
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    inside = b + c <= n
    b, c = b[inside], c[inside]
    chance = stats.multinomial.pmf(np.column_stack([b, c, n - b - c]), n, [*rates, 1 - sum(rates)])
    return float((chance * ((pairs.mid_p(b, c) <= alpha) & (b > c))).sum())


@pytest.mark.parametrize(
    ("p", "q", "n", "m"), [(1.0, 0.8, 20, 20), (0.9, 0.6, 17, 30), (0.5, 0.2, 30, 12)]
)
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_power_of_independent_shares_is_that_of_every_outcome(p, q, n, m, alpha):
    found = power.pooled_power((p, q), (n, m), alpha)
    assert found == pytest.approx(enumerated_pooled(p, q, n, m, alpha), abs=1e-12)


@pytest.mark.parametrize("rates", [(0.3, 0.05), (0.2, 0.0), (0.1, 0.08)])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_power_of_shared_items_is_that_of_every_outcome(rates, alpha):
    found = power.mcnemar_power(rates, 40, alpha)
    assert found == pytest.approx(enumerated_mcnemar(rates, 40, alpha), abs=1e-12)


def test_large_counts_are_taken_as_normal_with_little_loss(monkeypatch):
    cases = (
        (power.pooled_power, (0.5, 0.47), (4100, 4100)),
        (power.mcnemar_power, (0.3, 0.27), 2000),
    )
    near = [f(*at, ALPHA) for f, *at in cases]
    monkeypatch.setattr(power, "LARGE", 1e9)
    assert near == pytest.approx([f(*at, ALPHA) for f, *at in cases], abs=3e-3)


@pytest.mark.parametrize(("shift", "degrees"), [(3.0, 5.0), (2.0, 1.0), (3.2, 80.0)])
def test_power_of_a_t_test_is_an_integral_over_the_errors(shift, degrees):
    reach = stats.t.ppf(1 - ALPHA / 2, degrees)
    above = integrate.quad(
        lambda q: stats.norm.cdf(shift - reach * np.sqrt(q / degrees)) * stats.chi2.pdf(q, degrees),
        0, np.inf,
    )[0]  # fmt: skip
    assert power.t_power(shift, 1.0, degrees, ALPHA) == pytest.approx(above, abs=1e-6)


@pytest.mark.parametrize(
    ("score", "n", "points"),
    [(1.0, 50, 10.8), (1.0, 200, 2.7), (0.98, 200, 5.8), (0.99, 200, 4.8), (0.97, 200, 6.7),
     (0.95, 100, 11.9), (0.9, 200, 9.8), (0.5, 200, 13.9), (0.0, 50, 10.8), (0.02, 200, 5.8)],
)  # fmt: skip
def test_detectable_differences_at_the_ceiling_and_the_floor(score, n, points):
    """Computed apart, by exact binomial power (audit of the printed numbers)."""
    found = detectable_difference(independent(score, n), ALPHA, CHANCE)
    assert 100 * found == pytest.approx(points, abs=0.05)


def test_a_detectable_difference_has_the_power_of_its_own_level():
    for alpha in (0.05, 0.005):
        for contrast in (independent(0.9, 60), paired(3, 1, 60, 0.95), paired(0, 0, 60, 1.0)):
            found = detectable_difference(contrast, alpha, CHANCE)
            assert contrast.power(found, alpha) == pytest.approx(CHANCE, abs=1e-4)
    assert detectable_difference(independent(0.9, 60), 0.005, CHANCE) > detectable_difference(
        independent(0.9, 60), 0.05, CHANCE
    )


def test_shared_items_take_the_least_number_of_discordant_items():
    # With 40 items that both solve, five have to be lost; 80 % of draws hold five at 16.2 points.
    found = detectable_difference(paired(0, 0, 40, 1.0), ALPHA, CHANCE)
    assert stats.binom.sf(4, 40, found) == pytest.approx(CHANCE, abs=1e-4)
    assert detectable_difference(paired(0, 0, 4, 1.0), ALPHA, CHANCE) == np.inf


def test_what_scores_leave_no_room_for_is_out_of_reach():
    assert detectable_difference(independent(1.0, 3), ALPHA / 10, CHANCE) == np.inf
    few = Contrast(0.1, 0.3, CLUSTERED_T, 1.0, (3, 3), (0.6, 0.5), (0.3, 0.3))
    assert detectable_difference(few, ALPHA, CHANCE) == np.inf
    assert detectable_difference(Contrast(0.1, 0.3, degrees=0.0), ALPHA, CHANCE) == np.inf


def test_a_worse_model_has_a_larger_error():
    flat = Contrast(0.0, 0.01, items=(100, 100), scores=None, errors=(0.007, 0.007))
    near = dataclasses.replace(flat, scores=(0.99, 0.99))
    wider = detectable_difference(near, ALPHA, CHANCE)
    assert wider > 1.2 * detectable_difference(flat, ALPHA, CHANCE)
    # By hand: the variance of the worse model grows with s (1 - s) from its own at 0.99.
    worse = 0.99 - wider
    error = np.sqrt(0.01**2 + 0.007**2 * (worse * (1 - worse) / (0.99 * 0.01) - 1))
    assert wider == pytest.approx(error * stats.norm.ppf([0.975, 0.8]).sum(), rel=1e-4)


def test_the_detectable_difference_of_a_known_error_is_rs(golden):
    found = detectable_difference(Contrast(0.0, 0.02), 0.05, 0.8)
    assert [found] == golden("detectable", "0.02 at 0.95 with power 0.8")
    other = detectable_difference(Contrast(0.0, 3.0), 0.1, 0.5)
    assert [other] == golden("detectable", "3 at 0.9 with power 0.5")


def test_items_needed_grow_with_the_square_of_the_shortfall():
    # 500 (0.0560317 / 0.05)^2 = 627.91
    known = Contrast(0.05, 0.02, items=(500, 500))
    assert items_needed(known, ALPHA, CHANCE) == 628
    assert items_needed(dataclasses.replace(known, difference=0.025), ALPHA, CHANCE) == 2512
    assert items_needed(dataclasses.replace(known, difference=0.0), ALPHA, CHANCE) == np.inf


@pytest.mark.parametrize(
    "contrast",
    [
        Contrast(0.1, 0.0, POOLED_Z, items=(50, 50), scores=(0.95, 0.85)),
        paired(9, 4, 50, 0.9),
        Contrast(0.1, 0.06, CLUSTERED_T, 9.0, (50, 50), (0.8, 0.7), (0.05, 0.05)),
    ],
)
def test_the_items_needed_are_the_fewest_with_the_power(contrast):
    n = items_needed(contrast, ALPHA, CHANCE)
    assert contrast.power(contrast.difference, ALPHA, n / 50) >= CHANCE
    assert contrast.power(contrast.difference, ALPHA, (n - 1) / 50) < CHANCE
    assert items_needed(contrast, ALPHA / 10, CHANCE) > n
