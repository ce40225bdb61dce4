import numpy as np
import pytest
from scipy.cluster.vq import kmeans2
from scipy.special import expit

from saturation.adaptive import subsets
from saturation.adaptive.folds import weighted_accuracy
from saturation.adaptive.model import MISSING
from saturation.adaptive.subsets import Items
from validation import answers as made_up


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(4)
    ability = random.normal(size=40)
    a, b = np.exp(random.normal(0, 0.4, 150)), random.normal(size=150)
    return ability, a, b, made_up.draw(ability, a, b, random)


def test_anchor_points_find_groups_of_identical_items():
    random = np.random.default_rng(0)
    distinct = random.integers(0, 2, (60, 3))
    responses = np.repeat(distinct, 10, axis=1).astype(np.int8)
    points = [subsets.anchor_points(responses, 3, random) for _ in range(20)]
    found = {tuple(sorted(each.items // 10)): each.weights for each in points}
    assert found[0, 1, 2].tolist() == pytest.approx([1 / 3] * 3)


def test_items_that_all_answer_alike_are_known_to_anchor_points_and_not_asked():
    random = np.random.default_rng(0)
    varying = np.repeat(random.integers(0, 2, (60, 2)), 5, axis=1)
    cells = np.hstack([np.ones((60, 6)), varying, np.zeros((60, 4))]).astype(np.int8)
    found = subsets.anchor_points(cells, 2, random)
    assert sorted(found.items // 5) == [1, 2]
    assert (found.right, found.weights.tolist()) == (0.3, [0.25, 0.25])
    score = weighted_accuracy(cells, found)
    np.testing.assert_allclose(score, cells.mean(axis=1))
    assert len(subsets.anchor_points(cells, 15, random).items) == 10


def test_disagreement_takes_items_that_split_and_ridge_is_the_textbooks():
    cells = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 0, 0, MISSING], [1, 1, 0, 0]], dtype=np.int8)
    assert subsets.disagreement(cells, 2).tolist() == [1, 3]
    value, new = np.array([0.9, 0.4, 0.3, 0.6]), np.array([[1, 0, 1, 0]], dtype=np.int8)
    found = subsets.ridge(cells, value, new, 0.5)
    known = np.where(cells == MISSING, 0.5, cells)
    centred = known - known.mean(axis=0)
    slopes = np.linalg.solve(centred.T @ centred + 2.0 * np.eye(4), centred.T @ (value - 0.55))
    assert found[0] == pytest.approx(0.55 + (new[0] - known.mean(axis=0)) @ slopes)


def test_a_chance_is_averaged_over_what_is_not_known_of_an_item():
    random, covariance = np.random.default_rng(0), np.array([[0.2, 0.1], [0.1, 0.5]])
    items = Items(np.array([1.5]), np.array([0.4]), 0.1, covariance[None])
    at = np.array([-1.0, 0.3, 2.0])
    log_a, b = random.multivariate_normal([np.log(1.5), 0.4], covariance, 200_000).T
    drawn = 0.1 + 0.9 * expit(np.exp(log_a) * (at[:, None] - b)).mean(axis=1)
    np.testing.assert_allclose(items.chance(at)[:, 0], drawn, atol=0.005)
    # On another scale the same respondents have the same chances.
    moved = items.linked(2.0, -1.0)
    np.testing.assert_allclose(moved.chance(2.0 * at - 1.0), items.chance(at))
    plain = items._replace(covariance=None)
    assert plain.chance(at)[2, 0] == pytest.approx(0.1 + 0.9 * expit(1.5 * 1.6))


def test_random_subsets_have_no_repeats():
    drawn = subsets.random_subsets(30, 12, 50, np.random.default_rng(0))
    assert drawn.shape == (50, 12)
    assert all(len(set(row)) == 12 for row in drawn)


def test_each_point_of_the_abilities_takes_the_most_informative_item_that_is_left(bank):
    ability, a, b, _ = bank
    p = expit(a * (np.linspace(ability.min(), ability.max(), 10)[:, None] - b))
    left, taken = a**2 * p * (1 - p), []
    for turn in range(30):
        taken.append(left[turn % 10].argmax())
        left[:, taken[-1]] = 0
    assert subsets.information_filter(ability, a, b, 30).tolist() == sorted(taken)


def test_of_items_that_are_alike_the_same_are_taken_whatever_the_rounding(bank):
    ability, a, b, _ = bank
    noise = 1 + 1e-14 * np.random.default_rng(0).normal(size=(4, 150))
    # Each item three times: but for rounding, three are always as good.
    a, b = np.tile(a[:50], 3), np.tile(b[:50], 3)
    for take in (
        lambda a, b: subsets.information_filter(ability, a, b, 30),
        lambda a, b: subsets.response_space_clusters(a, b, 20, np.random.default_rng(0)).items,
    ):
        assert {tuple(take(a * one, b * one)) for one in noise} == {tuple(take(a, b))}


def test_centres_that_clusters_start_from_are_scipys():
    a, b = np.random.default_rng(1).normal(size=(2, 500))
    found = subsets.response_space_clusters(a, b, 60, np.random.default_rng(2))
    space = np.arcsinh(np.column_stack([a, -a * b]))
    space = (space - space.mean(axis=0)) / space.std(axis=0)
    centres, nearest = kmeans2(space, 60, minit="++", rng=np.random.default_rng(2))
    filled = np.unique(nearest)
    expected = [
        members[np.square(space[members] - centres[cluster]).sum(axis=1).argmin()]
        for cluster in filled
        for members in [np.flatnonzero(nearest == cluster)]
    ]
    assert found.items.tolist() == expected
    np.testing.assert_allclose(found.weights, np.bincount(nearest, minlength=60)[filled] / 500)
