"""Dead, backwards and deciding items."""

import numpy as np
import pytest
from scipy import stats

from saturation.boards import overview


def test_items_are_counted_by_hand():
    answers = np.array(
        [[1, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1], [np.nan, 1, 1], [np.nan, 0, 1], [1, 0.5, 1]]
    )
    found = overview.items(answers, 2, 0.95)
    assert (found.all_right, found.all_wrong) == (2, 1)
    # Of the first two models only those who answered tell.
    assert found.deciding == 2
    assert found.negative is None
    assert found.backwards is None


def test_a_backwards_item_is_found(drawn):
    answers = drawn(np.random.default_rng(0), 200, np.linspace(2, -2, 40))
    answers[0] = np.arange(40) >= 20
    found = overview.items(answers, 5, 0.95)
    assert found.backwards == 1
    assert found.negative >= 1
    correlation, p = overview.against_the_rest(answers)
    assert correlation[0] < -0.5
    assert p[0] < 1e-6


def test_the_correlation_is_with_the_ranks_by_all_other_items(drawn):
    answers = drawn(np.random.default_rng(1), 30, np.linspace(1, -1, 12))
    answers[3, 5] = np.nan
    correlation, p = overview.against_the_rest(answers)
    for row in (0, 3):
        given = ~np.isnan(answers[row])
        others = np.delete(answers, row, axis=0)[:, given]
        rest = np.nanmean(others, axis=0)
        expected = stats.pearsonr(answers[row, given], stats.rankdata(rest), alternative="less")
        assert correlation[row] == pytest.approx(expected.statistic)
        assert p[row] == pytest.approx(expected.pvalue)


def test_items_without_variation_have_no_correlation():
    answers = np.ones((3, 12))
    answers[1, :6] = 0
    answers[2, :] = np.nan
    answers[2, :2] = [0, 1]
    correlation, p = overview.against_the_rest(answers)
    assert np.isnan(correlation[[0, 2]]).all()
    assert np.isnan(p[[0, 2]]).all()


@pytest.mark.parametrize(("models", "told"), [(9, False), (10, True)])
def test_few_models_call_nothing_backwards(drawn, models, told):
    answers = drawn(np.random.default_rng(2), 50, np.linspace(1, -1, models))
    assert (overview.items(answers, 5, 0.95).backwards is not None) == told
