"""Raters: agreement by hand, errors of crossed raters by formula."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.errors import InputError
from saturation.leaderboard import raters

VOTES = pd.DataFrame(
    [("a", "b", 1.0, "p", "x"), ("b", "a", 0.0, "p", "y"), ("a", "b", 0.5, "p", "z"),
     ("a", "b", 0.0, "q", "x"), ("a", "b", 0.0, "q", "y"), ("b", "c", 1.0, "p", "x")],
    columns=["model_a", "model_b", "outcome", "prompt", "rater"],
)  # fmt: skip


def test_agreement_is_krippendorff_s_on_the_same_comparison_either_way_round():
    found = raters.agreement(VOTES)
    assert found.comparisons == 2
    # First comparison: two of six ordered pairs agree; second: both. Of five verdicts: 2, 1 and 2.
    assert found.same == pytest.approx((3 * (1 / 3) + 2) / 5)
    assert found.chance == pytest.approx((2 + 0 + 2) / 20)
    assert found.alpha == pytest.approx((0.6 - 0.2) / 0.8)
    # A rater's own later votes are no second opinion.
    again = pd.concat([VOTES, VOTES.iloc[[0, 1, 5, 5]].assign(outcome=0.5)])
    assert raters.agreement(again) == found
    assert raters.agreement(VOTES.drop_duplicates("prompt")) is None
    assert raters.agreement(VOTES.assign(outcome=0.5)) is None


def scored(rng, models=4, items=40, number=5):
    x = (
        rng.normal(0, 1, (1, items, 1)) + rng.normal(0, 1, (1, 1, number))
        + rng.normal(0, 0.5, (models, items, 1)) + rng.normal(0, 0.3, (models, 1, number))
        + rng.normal(0, 0.6, (models, items, number))
    )  # fmt: skip
    axes = [[f"{n}{i}" for i in range(size)] for n, size in zip("mir", x.shape)]
    index = pd.MultiIndex.from_product(axes, names=["model", "item", "rater"])
    return pd.Series(x.ravel(), index, name="response").reset_index(), x


def test_the_error_of_a_difference_contains_crossed_raters():
    table, x = scored(np.random.default_rng(0))
    found = raters.graded(table.sample(frac=1, random_state=1))
    # Of two models: the variance of a difference from its table of items by raters.
    gaps = [x[i] - x[j] for i in range(4) for j in range(i)]
    squares = []
    for gap in gaps:
        rows, columns = gap.mean(axis=1), gap.mean(axis=0)
        rest = gap - rows[:, None] - columns + gap.mean()
        squares.append([5 * rows.var(ddof=1), 40 * columns.var(ddof=1), (rest**2).sum() / 156])
    by_item, by_rater, rest = np.mean(squares, axis=0)
    assert found.error**2 == pytest.approx((by_item + by_rater - rest) / 200)
    assert found.error**2 == pytest.approx(found.items**2 + found.raters**2 + found.rest**2)
    # Modified large-sample limits: Burdick and Graybill, the third mean square taken off.
    degrees = np.array([3 * 39, 3 * 4, 3 * 39 * 4])
    below = 1 - degrees / stats.chi2.ppf(0.975, degrees)
    above = degrees / stats.chi2.ppf(0.025, degrees) - 1
    down, up = np.r_[below[:2], above[2]], np.r_[above[:2], below[2]]
    squares = np.array([by_item, by_rater, rest]) / 200
    assert found.lower**2 == pytest.approx(found.error**2 - np.linalg.norm(down * squares))
    assert found.upper**2 == pytest.approx(found.error**2 + np.linalg.norm(up * squares))
    expected = x.mean(axis=(0, 1)) - x.mean()
    assert found.severity.to_numpy() == pytest.approx(expected)
    columns = x.reshape(-1, 5)
    expected = np.corrcoef(columns.T)[np.triu_indices(5, 1)].mean()
    assert found.correlation == pytest.approx(expected)


def test_two_raters_give_no_error_and_gaps_are_named():
    table, _ = scored(np.random.default_rng(0), number=2)
    found = raters.graded(table)
    assert np.isnan([found.error, found.lower, found.upper]).all()
    assert found.abstains.startswith("2 raters")
    assert len(found.severity) == 2
    with pytest.raises(InputError, match="319 scores of 4 models, 40 items and 2 raters"):
        raters.graded(table.iloc[1:])
