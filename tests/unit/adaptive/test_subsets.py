import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.cluster.vq import kmeans2
from scipy.special import expit

from saturation.adaptive import model, subsets, synthetic
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import MISSING, STANDARD, probability
from saturation.adaptive.subsets import (
    Excess,
    Items,
    WeightedSubset,
    ability_missed,
    excess,
    predicted,
)


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(4)
    ability = random.normal(size=40)
    a, b = np.exp(random.normal(0, 0.4, 150)), random.normal(size=150)
    return ability, a, b, synthetic.draw(ability, a, b, random)


def test_anchor_points_find_groups_of_identical_items():
    random = np.random.default_rng(0)
    distinct = random.integers(0, 2, (60, 3))
    responses = np.repeat(distinct, 10, axis=1).astype(np.int8)
    points = [subsets.anchor_points(responses, 3, random) for _ in range(20)]
    found = {tuple(sorted(each.items // 10)): each.weights for each in points}
    assert found[0, 1, 2].tolist() == pytest.approx([1 / 3] * 3)


def test_random_subsets_have_no_repeats_and_clusters_stand_for_the_bank(bank):
    _, a, b, _ = bank
    drawn = subsets.random_subsets(30, 12, 50, np.random.default_rng(0))
    assert drawn.shape == (50, 12)
    assert all(len(set(row)) == 12 for row in drawn)
    clusters = subsets.response_space_clusters(a, b, 40, np.random.default_rng(0))
    assert clusters.weights.sum() == pytest.approx(1)


def test_model_based_score_is_accuracy_when_every_item_is_seen(bank):
    ability, a, b, responses = bank
    everything = subsets.WeightedSubset(np.arange(150), np.full(150, 1 / 150))
    score = subsets.model_based_score(responses, everything, ability, a, b)
    np.testing.assert_allclose(score, responses.mean(axis=1))


def test_information_filter_takes_informative_items(bank):
    ability, a, b, _ = bank
    chosen = subsets.information_filter(ability, a, b, 30)
    assert len(set(chosen)) == 30
    assert a[chosen].mean() > a.mean()


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


@pytest.fixture(scope="module")
def items():
    random = np.random.default_rng(3)
    return Items(np.exp(random.normal(0, 0.4, 80)), random.normal(0, 1, 80))


def draw(items, ability, random):
    return (random.random((len(ability), 80)) < expit(
        items.discrimination * (ability[:, None] - items.difficulty)
    )).astype(np.int8)  # fmt: skip


def evenly(size):
    return WeightedSubset(np.arange(size), np.full(size, 1 / size))


def test_by_the_definition(items):
    cells = draw(items, np.array([0.3]), np.random.default_rng(0))[:, :20]
    found = predicted(cells, evenly(20), items)
    ability = map_ability(cells, items.discrimination[:20], items.difficulty[:20])[0][0]
    chance = expit(items.discrimination * (ability - items.difficulty))
    assert found.ability[0] == ability
    expected = (cells.sum() + chance[20:].sum()) / 80
    assert found.expected[0] == pytest.approx(expected)
    # Three quarters of the items are not asked.
    excess = 0.75 * (cells[0] - chance[:20]).mean()
    assert found.excess[0] == pytest.approx(excess)
    assert found.accuracy(0.4)[0] == pytest.approx(expected + 0.4 * excess)


def test_a_bank_that_is_asked_whole_has_its_share_right_and_no_error(items):
    cells = draw(items, np.linspace(-1, 1, 5), np.random.default_rng(1))
    found = predicted(cells, evenly(80), items, share=1.0)
    np.testing.assert_allclose(found.accuracy(1.0), cells.mean(axis=1))
    np.testing.assert_allclose(found.error, 0, atol=1e-12)


@given(st.lists(st.integers(0, 19), min_size=1, max_size=15, unique=True))
def test_a_missing_cell_counts_as_not_asked(items, missing):
    cells = draw(items, np.array([0.3]), np.random.default_rng(0))[:, :20]
    cells[0, missing] = MISSING
    left = [item for item in range(20) if item not in missing]
    subset = WeightedSubset(np.array(left), np.full(len(left), 1 / len(left)))
    one = predicted(cells, evenly(20), items, share=0.7)
    other = predicted(cells[:, left], subset, items, share=0.7)
    for mine, theirs in zip(one, other):
        np.testing.assert_allclose(mine, theirs)


@pytest.mark.parametrize("floor", [0.0, 0.25])
@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_the_error_is_that_of_repeated_evaluations(items, share, floor):
    random = np.random.default_rng(2)
    guessed, ability = items._replace(floor=floor), random.normal(size=4000)
    cells = (random.random((4000, 80)) < probability(ability, *guessed)).astype(np.int8)
    found = predicted(cells[:, :30], evenly(30), guessed, share)
    missed = found.accuracy(share) - cells.mean(axis=1)
    assert np.mean((missed / found.error) ** 2) == pytest.approx(1, rel=0.1)
    assert abs(missed.mean()) < 0.005


def test_an_ability_misses_that_of_all_items_by_the_difference_of_the_variances(items):
    random = np.random.default_rng(4)
    cells = draw(items, random.normal(size=3000), random)
    some, some_se = items.part(np.arange(30)).ability(cells[:, :30])
    missed, stated = ability_missed(cells, some, some_se, items, STANDARD)
    whole, whole_se = items.ability(cells)
    np.testing.assert_allclose(missed, some - whole)
    assert np.mean((missed / stated) ** 2) == pytest.approx(1, rel=0.1)
    nearly = ability_missed(cells, whole, whole_se, items, STANDARD)[1]
    np.testing.assert_allclose(nearly, 0.1 * whole_se)


def test_by_hand_families_weigh_the_same():
    # Squares in stated errors: family one (4 + 4) / 2 = 4, family two 1; mean 2.5.
    found = excess([np.array([0.2, -0.2]), np.array([0.3])], [np.full(2, 0.1), np.array([0.3])])
    assert found.factor == pytest.approx(np.sqrt(2.5))
    assert found.rms == pytest.approx(np.sqrt((0.04 + 0.09) / 2))
    # The pair's product is -4: no correlation. Var = 2 (1/2 + 1) / 4 = 0.75, so 2 / 0.75.
    assert found.degrees == pytest.approx(2 / 0.75)


def test_where_all_was_asked_nothing_is_missed_and_the_factor_is_that_of_the_others():
    whole, stated = np.zeros(2), np.array([0.1, 0.1])
    # Squares in stated errors: (4 + 0) / 2 and 0; then (16 + 0) / 2.
    for missed, factor in ((0.2, 1.0), (0.4, 2.0)):
        found = excess([np.array([missed, 0.0]), whole], [np.array([0.1, 0.0]), stated])
        assert found.factor == pytest.approx(factor)
    assert excess([whole, whole], [whole, whole]) == pytest.approx(Excess(1.0, 4.0, 0.0))


def test_relatives_that_miss_together_count_once():
    alike = [np.full(10, value) for value in (1.0, -1.0, 1.0, -1.0)]
    apart = [np.tile([1.0, -1.0], 5)] * 4
    stated = [np.ones(10)] * 4
    assert excess(alike, stated).degrees == pytest.approx(4)
    assert excess(apart, stated).degrees == pytest.approx(40)


def test_an_interval_is_never_narrower_than_stated_and_follows_student():
    found = excess([np.array([0.01]), np.array([-0.01])], [np.array([0.1])] * 2)
    assert found.factor == 1.0
    wide = Excess(2.0, 8.0, 0.2)
    assert wide.reach(np.array([0.1]))[0] == pytest.approx(0.2 * stats.t.ppf(0.975, 8))
    # 95 % of chi-square with 8 degrees lie below 15.507.
    assert wide.least_rms() == pytest.approx(0.2 * np.sqrt(8 / 15.507), rel=1e-4)
