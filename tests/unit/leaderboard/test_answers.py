"""The three answers: thresholds at their edges, the choice of the top, what more items would do."""

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.leaderboard import top
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import standard_errors

SETTINGS = top.Settings()
NOTHING = (pd.DataFrame(), pd.Series(dtype=str))
NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration"]
)


def scored(scores, n=1000, source="binomial", errors=None):
    sizes = np.broadcast_to(np.asarray(n, float), len(scores))
    errors = standard_errors.binomial_error(scores, sizes) if errors is None else errors
    return pd.DataFrame(
        {"model": [f"m{i}" for i in range(len(scores))], "score": scores,
         "standard_error": errors, "n_items": sizes, "error_source": source}
    )  # fmt: skip


def given_items(right, clusters=None):
    right = np.asarray(right, float)
    names = [f"q{i:04d}" for i in range(len(right))]
    matrix = pd.DataFrame(right, index=names, columns=[f"m{i}" for i in range(right.shape[1])])
    groups = pd.Series(names if clusters is None else clusters, index=names)
    return standard_errors.estimates(NO_SCORES, matrix, groups, "accuracy", 0.95), (matrix, groups)


def asked(ranked, items=NOTHING, **changes):
    settings = dataclasses.replace(SETTINGS, **changes)
    independent, paired = top.all_pairs(ranked, *items, len(ranked))
    pairs = independent if paired is None else paired
    return top.answers(ranked, items, pairs, statistics_pairs.holm_pairs(pairs.p_value), settings)


class TestResolution:
    def test_all_some_and_none(self):
        assert asked(scored([0.9, 0.7, 0.5]), k=3).resolution.answer == "all"
        assert asked(scored([0.9, 0.7, 0.69]), k=3).resolution.answer == "some"
        assert asked(scored([0.7, 0.7, 0.69]), k=3).resolution.answer == "none"

    def test_counts_and_groups(self):
        found = asked(scored([0.9, 0.9, 0.7, 0.69, 0.3]), k=4).resolution
        assert (found.told_apart, found.pairs) == (4, 6)
        assert found.groups == [["m0", "m1"], ["m2", "m3"]]
        assert found.models == ["m0", "m1", "m2", "m3"]

    def test_a_pair_is_held_to_the_measure_of_all_pairs(self):
        # p = .02 alone; among the ten pairs of five models not told apart.
        alone = scored([0.74, 0.692])
        assert asked(alone, k=2).resolution.answer == "all"
        among = scored([0.74, *[0.715] * 3, 0.692])
        assert asked(among, k=5).resolution.answer == "none"

    def test_the_detectable_difference_is_that_of_the_pairs_left_open(self):
        ranked = scored([0.74, 0.73, 0.72])
        found = asked(ranked, k=3).resolution.minimum_detectable_difference
        error = np.hypot(*ranked["standard_error"].iloc[[0, 2]])
        quantiles = stats.norm.ppf([1 - 0.05 / 3 / 2, 0.8]).sum()
        assert found == pytest.approx(quantiles * error)

    def test_items_are_needed_only_where_more_are_than_present(self):
        found = asked(scored([0.9, 0.7, 0.69]), k=3).resolution
        assert found.items_for_any == found.items_for_all > 1000
        assert asked(scored([0.9, 0.7, 0.5]), k=3).resolution.items_for_any is None
        equal = asked(scored([0.7, 0.7]), k=2).resolution
        assert equal.items_for_any == np.inf
        unknown = asked(scored([9.0, 8.9], np.nan, "supplied", [0.1, 0.1]), k=2, margin=None)
        assert unknown.resolution.items_for_any is None

    @given(st.lists(st.integers(0, 60), min_size=3, max_size=8), st.integers(60, 400))
    def test_whatever_is_not_told_apart_needs_more_items(self, counts, n):
        ranked = scored(sorted((np.array(counts) / 60).tolist(), reverse=True), n)
        found = asked(ranked, k=3).resolution
        if found.answer == "all":
            assert found.items_for_any is None
        else:
            assert n < found.items_for_any <= found.items_for_all


class TestGroups:
    def test_groups_may_overlap(self):
        apart = np.zeros((3, 3), bool)
        apart[0, 2] = apart[2, 0] = True
        assert top.groups(apart) == [[0, 1], [1, 2]]

    @given(st.integers(1, 6), st.data())
    def test_they_are_the_largest_sets_without_a_pair_that_is_told_apart(self, k, data):
        apart = np.zeros((k, k), bool)
        for one, other in itertools.combinations(range(k), 2):
            apart[one, other] = apart[other, one] = data.draw(st.booleans())
        sets = [
            set(group)
            for size in range(1, k + 1)
            for group in itertools.combinations(range(k), size)
            if not any(apart[a, b] for a, b in itertools.combinations(group, 2))
        ]
        largest = [group for group in sets if not any(group < other for other in sets)]
        assert top.groups(apart) == sorted(map(sorted, largest))


class TestEquivalence:
    def test_without_a_choice_it_is_the_plain_pair_of_tests(self):
        ranked = scored([0.7, 0.69, 0.69], 4000)
        found = asked(ranked, k=3).equivalence
        p = statistics_pairs.independent_score(0.7, 4000, 0.69, 4000, 0.02)
        assert (found.contenders, found.p_value) == (3, pytest.approx(float(p)))

    @pytest.mark.parametrize("models", [4, 7, 30])
    def test_the_choice_of_the_top_multiplies_the_p_value(self, models):
        ranked = scored([0.7, 0.695, *[0.69] * (models - 2)], 40_000)
        found = asked(ranked, k=3).equivalence
        # All of them may be the best; the weakest test is that of the leader and the third.
        p = float(statistics_pairs.independent_score(0.7, 40_000, 0.69, 40_000, 0.02))
        assert found.contenders == models
        assert found.p_value == pytest.approx(p * (models - 2))

    def test_the_edge_of_the_level(self):
        p = asked(scored([0.7, 0.69], 4000), k=2).equivalence.p_value
        for level, answer in ((1 - p * 1.001, "alike"), (1 - p * 0.999, "not_shown")):
            found = asked(scored([0.7, 0.69], 4000), k=2, level=level).equivalence
            assert found.answer == (answer if level < 1 - p else "not_shown")

    def test_the_smallest_margin_is_where_the_answer_turns(self):
        ranked = scored([0.7, 0.69, 0.685], 2000)
        within = asked(ranked, k=3).equivalence.within
        assert 0.015 < within < 0.1
        assert asked(ranked, k=3, margin=within * 1.001).equivalence.answer == "alike"
        assert asked(ranked, k=3, margin=within * 0.999).equivalence.answer == "not_shown"

    def test_a_model_just_behind_the_top_with_a_wide_error_may_be_the_best(self):
        ranked = scored([0.7, 0.7, 0.699], 100_000)
        assert asked(ranked, k=2).equivalence.answer == "alike"
        unsure = ranked.assign(n_items=[1e5, 1e5, 50.0], standard_error=[0.0014, 0.0014, 0.065])
        assert asked(unsure, k=2).equivalence.answer == "not_shown"

    def test_enough_items_for_alike_are_enough(self):
        ranked = scored([0.7, 0.7, 0.7], 300)
        found = asked(ranked, k=3).equivalence
        assert (found.answer, found.items_for_alike > 300) == ("not_shown", True)
        enough = asked(scored([0.7, 0.7, 0.7], found.items_for_alike), k=3)
        assert enough.equivalence.answer == "alike"
        assert enough.equivalence.items_for_alike is None

    def test_no_number_of_items_shows_models_alike_that_are_told_apart(self):
        found = asked(scored([0.9, 0.7, 0.7]), k=3).equivalence
        assert (found.answer, found.items_for_alike) == ("not_shown", None)

    def test_without_a_margin_or_items_nothing_is_said(self):
        rating = scored([1300.0, 1299.0], np.nan, "supplied", [5.0, 5.0])
        assert asked(rating, k=2, margin=None).equivalence.answer == "not_asked"
        points = asked(rating, k=2, margin=5.0, ceiling=None).equivalence
        assert points.answer == "not_shown"
        assert points.items_for_alike is None
        assert 5 < points.within < 50
        assert asked(rating, k=2, margin=1.001, ceiling=None).equivalence.within is None


class TestContenders:
    def test_a_model_far_behind_is_none_and_changes_nothing(self):
        before = scored([0.7, 0.7, 0.69, 0.68], 2000)
        after = scored([0.7, 0.7, 0.69, 0.68, 0.1], 2000)
        one, two = asked(before, k=3), asked(after, k=3)
        assert one == two
        assert two.equivalence.contenders == 4

    def test_k_others_have_to_be_better(self):
        pairs = statistics_pairs.z_tests([0.9, 0.5, 0.49], [0.005] * 3)
        ranked = scored([0.9, 0.5, 0.49], errors=[0.005] * 3)
        assert top.contenders(ranked, pairs, 1).tolist() == [True, False, False]
        assert top.contenders(ranked, pairs, 2).tolist() == [True, True, True]

    def test_a_model_without_error_is_none(self):
        ranked = scored([0.7, 0.69, 0.68], errors=[0.01, 0.01, np.nan], source="supplied")
        assert asked(ranked, k=2).equivalence.contenders == 2


class TestHeadroom:
    def test_none_left_unclear(self):
        assert asked(scored([0.95] * 5, 5000)).headroom.answer == "none"
        assert asked(scored([0.85] * 5, 5000)).headroom.answer == "left"
        assert asked(scored([0.90] * 5, 5000)).headroom.answer == "unclear"
        unbounded = asked(scored([0.9] * 5), ceiling=None).headroom
        assert unbounded == top.Headroom("not_asked", None, None, None)

    def test_bounds_are_exact_and_the_lower_one_allows_for_the_choice(self):
        found = asked(scored([0.8, 0.75, 0.7, 0.7, 0.7], 100)).headroom
        assert found.lower == pytest.approx(stats.beta.ppf(0.05 / 5, 80, 21))
        assert found.upper == pytest.approx(stats.beta.ppf(0.95, 81, 20))

    def test_the_edge_of_the_ceiling(self):
        lower = asked(scored([0.95] * 5, 500)).headroom.lower
        for ceiling, answer in ((lower, "none"), (np.nextafter(lower, 1), "unclear")):
            assert asked(scored([0.95] * 5, 500), ceiling=ceiling).headroom.answer == answer

    def test_perfect_and_lowest_scores(self):
        perfect = asked(scored([1.0] * 5, 40)).headroom
        assert perfect.upper == 1
        assert perfect.lower == pytest.approx(0.01 ** (1 / 40))
        assert asked(scored([0.0] * 5, 40)).headroom.lower == 0

    def test_items_of_a_cluster_count_as_few(self):
        rng = np.random.default_rng(0)
        shared = np.repeat(rng.random(20), 10)
        right = np.column_stack([shared < 0.95, shared < 0.9, shared < 0.85])
        alone = asked(*given_items(right), k=2).headroom
        hang = asked(*given_items(right, [f"c{i // 10}" for i in range(200)]), k=2).headroom
        assert hang.lower < alone.lower - 0.05
        best = right.mean(axis=0).max()
        each = 0.05 / 3
        expected = stats.beta.ppf(each, best * 200, (1 - best) * 200 + 1)
        assert alone.lower == pytest.approx(expected)

    def test_graded_items_and_clusters_that_are_all_alike(self):
        graded = np.tile([[0.5, 0.25], [0.75, 0.5]], (50, 1))
        found = asked(*given_items(graded), k=2).headroom
        # Graded answers vary less than right and wrong ones with the same mean.
        assert 0.55 < found.lower < 0.625 < found.upper < 0.7
        perfect = np.ones((40, 2))
        clusters = [f"c{i // 10}" for i in range(40)]
        assert asked(*given_items(perfect, clusters), k=2).headroom.lower == pytest.approx(
            0.025 ** (1 / 4)
        )

    def test_supplied_errors_stand_for_items(self):
        ranked = scored([0.8, 0.7], np.nan, "supplied", [0.04, 0.04])
        found = asked(ranked, k=2).headroom
        assert found.upper == pytest.approx(stats.beta.ppf(0.95, 81, 20))
        ends = scored([1.0, 0.7], np.nan, "supplied", [0.04, 0.04])
        assert asked(ends, k=2).headroom.lower == pytest.approx(1 - 0.04 * stats.norm.ppf(0.975))
