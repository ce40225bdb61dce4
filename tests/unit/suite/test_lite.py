"""The tasks of a suite to keep."""

import numpy as np
import pytest

from saturation.suite import lite


def drawn(models, seed, spread=0.02):
    """Draw scores on twelve tasks of two abilities: tasks 0 to 5 of one, 6 to 11 of the other."""
    rng = np.random.default_rng(seed)
    abilities = rng.normal(0.5, 0.15, (models, 2))
    scores = np.repeat(abilities, 6, axis=1) + rng.normal(0, spread, (models, 12))
    return lite.Models(scores, rng.integers(0, max(models // 3, 2), models))


@pytest.fixture(scope="module")
def models():
    return drawn(80, 1)


def test_two_tasks_of_two_abilities_are_chosen_first(models):
    chosen = lite.choose(models, 4)
    assert len({task // 6 for task in chosen.order[:2]}) == 2


def test_the_stated_difference_holds_on_models_not_seen(models):
    chosen = lite.choose(models, 4)
    later = drawn(200, 2)
    no_pair = np.zeros((200, 200), bool)
    trials = lite.try_later(models, later, chosen, no_pair, "later", "error")
    for trial in trials[1::2]:
        assert 0.9 <= trial.covered <= 0.98
        assert trial.wrong < 0.05
        assert np.isnan(trial.kept)


def test_the_prediction_is_the_ridge_regression(models):
    """Against the normal equations written out, for tasks 0 and 6."""
    kept, whole = models.scores[:, [0, 6]], models.scores.mean(axis=1)
    centred = kept - kept.mean(axis=0)
    products = centred.T @ centred
    weight = 0.2 * products.trace() / 2
    left = whole - kept.mean(axis=1)
    slopes = np.linalg.inv(products + weight * np.eye(2)) @ centred.T @ (left - left.mean())
    expected = whole.mean() + centred.mean(axis=1) + centred @ slopes
    np.testing.assert_allclose(lite.predict(models.scores, (0, 6), 0.2, models.scores), expected)


def test_tasks_by_rank_have_the_best_rank_correlation(models):
    from scipy.stats import spearmanr

    chosen = lite.choose(models, 1, by_rank=True)
    whole = models.scores.mean(axis=1)
    by_hand = [spearmanr(models.scores[:, task], whole).statistic for task in range(12)]
    assert chosen.order == (int(np.argmax(by_hand)),)


def test_kept_pairs_are_counted_by_hand():
    """Three later models, one task of two: predicted gaps 0.1, 0.2 and 0.3 against 0.15."""
    older = lite.Models(np.array([[0.1, 0.1], [0.5, 0.5], [0.9, 0.9]]), np.arange(3))
    later = lite.Models(np.array([[0.6, 0.6], [0.5, 0.5], [0.3, 0.3]]), np.arange(3))
    chosen = lite.Lite((0,), np.array([0.15]), np.inf)
    separated = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], bool)
    (trial,) = lite.try_later(older, later, chosen, separated, "later", "error")
    assert trial.kept == pytest.approx(2 / 3)
    assert trial.wrong == 0
    assert trial.covered == 1
    assert trial.rank_correlation == pytest.approx(1)


def test_explained_shares_are_those_of_families_left_out():
    """A task that copies another is predicted; noise is not, and an own family does not help."""
    rng = np.random.default_rng(0)
    families = np.repeat(np.arange(20), 4)
    base = rng.normal(size=(80, 3))
    by_family = rng.normal(size=20)[families]
    scores = np.c_[base, base[:, 0] + rng.normal(0, 0.05, 80), by_family]
    shares = lite.explained(lite.Models(scores, families))
    assert shares[3] > 0.97
    assert shares[1] < 0.1
    assert shares[4] < 0.1


def test_folds_keep_families_together():
    families = np.array([0, 0, 0, 1, 2, 2, 3, 4, 5, 6])
    fold = lite._folds(families)
    assert all(len(set(fold[families == family])) == 1 for family in range(7))
    assert np.bincount(fold).max() - np.bincount(fold).min() <= 2
