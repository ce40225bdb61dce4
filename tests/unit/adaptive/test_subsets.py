import numpy as np
import pytest
from scipy.cluster.vq import kmeans2

from saturation.adaptive import abilities, model, subsets, synthetic


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(4)
    ability = random.normal(size=40)
    a, b = np.exp(random.normal(0, 0.4, 150)), random.normal(size=150)
    return ability, a, b, synthetic.draw(ability, a, b, random)


def test_random_subsets_have_no_repeats():
    drawn = subsets.random_subsets(30, 12, 50, np.random.default_rng(0))
    assert drawn.shape == (50, 12)
    assert all(len(set(row)) == 12 for row in drawn)
    assert len({tuple(row) for row in drawn}) > 1


def test_anchor_points_stand_for_all_items(bank):
    points = subsets.anchor_points(bank[3], 15, np.random.default_rng(0))
    assert len(set(points.items)) == 15
    assert points.weights.sum() == pytest.approx(1)


def test_anchor_points_find_groups_of_identical_items():
    random = np.random.default_rng(0)
    distinct = random.integers(0, 2, (60, 3))
    responses = np.repeat(distinct, 10, axis=1).astype(np.int8)
    found = {
        tuple(sorted(subsets.anchor_points(responses, 3, random).items // 10)) for _ in range(20)
    }
    assert (0, 1, 2) in found


def test_model_based_score_is_accuracy_when_every_item_is_seen(bank):
    ability, a, b, responses = bank
    everything = subsets.WeightedSubset(np.arange(150), np.full(150, 1 / 150))
    score = subsets.model_based_score(responses, everything, ability, a, b)
    np.testing.assert_allclose(score, responses.mean(axis=1))


def test_model_based_score_of_clusters_is_near_accuracy(bank):
    _, a, b, responses = bank
    clusters = subsets.response_space_clusters(a, b, 40, np.random.default_rng(0))
    assert clusters.weights.sum() == pytest.approx(1)
    chosen = clusters.items
    estimate = abilities.map_ability(responses[:, chosen], a[chosen], b[chosen])[0]
    score = subsets.model_based_score(responses, clusters, estimate, a, b)
    assert np.abs(score - responses.mean(axis=1)).mean() < 0.06


def test_information_filter_takes_informative_items(bank):
    ability, a, b, _ = bank
    chosen = subsets.information_filter(ability, a, b, 30)
    assert len(set(chosen)) == 30
    assert a[chosen].mean() > a.mean()


def test_hard_items_leave_out_what_nearly_all_answer_rightly():
    responses = np.array([[1, 1, 0], [1, 0, 0], [1, 0, model.MISSING]], dtype=np.int8)
    assert subsets.hard_items(responses, 0.8).tolist() == [1, 2]


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
