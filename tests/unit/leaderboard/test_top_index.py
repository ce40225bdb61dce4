"""The index of a leaderboard's top, by hand, against the plateau study and under known truth."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from saturation.index import (
    index_table,
    interval_of_proportions,
    saturation_bin,
    saturation_index,
    widest_gap,
)
from saturation.leaderboard import top
from saturation.leaderboard.top import Settings
from saturation.statistics import intervals, shrinkage, standard_errors
from saturation.statistics.top_gap import EqualModels

SCORES = [0.9, 0.88, 0.87, 0.86, 0.85]
NOTHING = (pd.DataFrame(), pd.Series(dtype=str))


def board(scores, n=400, errors=None, source="binomial"):
    """Estimates of models whose errors are binomial unless given."""
    sizes = np.broadcast_to(np.asarray(n, float), len(scores))
    if errors is None:
        errors = standard_errors.binomial_error(scores, sizes)
    return pd.DataFrame(
        {"model": [f"m{i}" for i in range(len(scores))], "score": scores,
         "standard_error": errors, "n_items": sizes, "error_source": source}
    )  # fmt: skip


def answered(right, clusters=None):
    """Item matrix by item and model, with clusters."""
    right = np.asarray(right, float)
    names = [f"q{i:03d}" for i in range(len(right))]
    matrix = pd.DataFrame(right, index=names, columns=[f"m{i}" for i in range(right.shape[1])])
    return matrix, pd.Series(names if clusters is None else clusters, index=names)


def estimated(matrix, clusters):
    scores = pd.DataFrame(columns=["model", "score", "standard_error", "n_items", "run"])
    return standard_errors.estimates(scores, matrix, clusters, "accuracy", 0.95)


def indexed(table, items=NOTHING, **changes):
    return top.index(table, *items, Settings(**changes))


def test_it_is_the_papers_with_binomial_errors_over_k_and_alpha():
    index = indexed(board(SCORES))
    assert (index.k, index.alpha, index.s_1, index.s_k) == (5, 0.5, 0.9, 0.85)
    assert (index.first, index.kth, index.gap) == ("m0", "m4", pytest.approx(0.05))
    assert index.s_index == pytest.approx(float(saturation_index(0.9, 0.85, 400, 0.5)))
    assert index.bin == str(saturation_bin(index.s_index))
    assert [(cell.k, cell.alpha) for cell in index.grid] == [
        (k, alpha) for k in (2, 3, 4, 5) for alpha in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    for cell in index.grid:
        expected = float(saturation_index(0.9, SCORES[cell.k - 1], 400, cell.alpha))
        assert cell.s_index == pytest.approx(expected)
        assert cell.bin == str(saturation_bin(expected))


def test_every_published_benchmark_is_as_in_the_plateau_study(embedded):
    """One row of the dashboard means the same whichever route it took."""
    benchmarks, top_scores = embedded
    table = index_table(benchmarks, top_scores).set_index("benchmark_id")
    assert len(table) == 60
    for name, row in table.iterrows():
        scores = top_scores.loc[top_scores["benchmark_id"] == name, "score"]
        index = indexed(board(sorted(scores, reverse=True), row["n_test"]))
        assert (index.s_1, index.s_k, index.bin) == (row.s_1, row.s_k, row.bin)
        ends = interval_of_proportions(row.s_1, row.s_k, row["n_test"], row["n_test"])
        assert [index.s_index, index.lower, index.upper] == pytest.approx(
            [row.s_index, *map(float, ends)], abs=1e-9
        )


class TestInterval:
    def test_independent_proportions_have_newcombes(self):
        index = indexed(board(SCORES, [400, 500, 600, 700, 800]), level=0.8, alpha=0.25)
        ends = interval_of_proportions(0.9, 0.85, 400, 800, 0.25, 0.8)
        assert [index.lower, index.upper] == pytest.approx(list(map(float, ends)))
        assert index.method == "newcombe"

    def test_other_errors_have_a_normal_one(self):
        index = indexed(board(SCORES, errors=[0.01] * 5, source="supplied"))
        gap, scale = 0.05, math.hypot(0.01, 0.01) * 400**0.25
        half = stats.norm.ppf(0.975) * math.hypot(0.01, 0.01)
        assert index.method == "normal"
        assert index.lower == pytest.approx(math.exp(-(((gap + half) / scale) ** 2)))
        assert index.upper == pytest.approx(math.exp(-(((gap - half) / scale) ** 2)))

    def test_the_same_items_count_by_their_disagreements(self):
        right = np.ones((100, 5))
        right[:12, 4], right[12:15, 0], right[50:53, 1:4] = 0, 0, 0
        items = answered(right)
        table = estimated(*items)
        index = indexed(table, items)
        lower, upper = intervals.paired_proportions(12, 3, 100)
        scale = math.hypot(*table["standard_error"][[0, 4]]) * 100**0.25
        assert (index.method, index.first, index.kth) == ("paired_adjusted", "m0", "m4")
        ends = [math.exp(-((end / scale) ** 2)) for end in (upper, lower)]
        assert [index.lower, index.upper] == pytest.approx(ends)
        assert index.implied_alpha == pytest.approx(
            standard_errors.implied_alpha(
                0.97, 0.88, (upper - lower) / 2 / stats.norm.ppf(0.975), 100
            )
        )
        # By the error that the items show: the same as at that alpha.
        ratio = 0.09 / ((upper - lower) / 2 / stats.norm.ppf(0.975))
        assert index.s_index_measured == pytest.approx(math.exp(-(ratio**2)))

    def test_clusters_have_students_interval_over_clusters(self):
        rng = np.random.default_rng(3)
        right = (rng.random((60, 5)) < [0.9, 0.8, 0.75, 0.7, 0.6]).astype(float)
        items = answered(right, [f"c{i // 6}" for i in range(60)])
        table = estimated(*items)
        index = indexed(table, items)
        shared = items[0][[index.first, index.kth]]
        by_cluster = (shared[index.first] - shared[index.kth]).groupby(np.arange(60) // 6).mean()
        lower, upper = intervals.mean(by_cluster)
        scale = math.hypot(*table["standard_error"][[0, 4]]) * 60**0.25
        assert index.method == "paired_t"
        ends = [math.exp(-((end / scale) ** 2)) for end in (upper, lower)]
        assert [index.lower, index.upper] == pytest.approx([ends[0], 1 if lower < 0 else ends[1]])

    def test_models_that_answer_alike_may_differ(self):
        same = np.repeat(np.arange(50)[:, None] % 2, 5, axis=1)
        index = indexed(estimated(*answered(same)), answered(same))
        assert (index.s_index, index.upper) == (1, 1)
        assert 0.5 < index.lower < 1

    def test_the_same_difference_on_every_item_has_the_models_own_error(self):
        items = answered(np.full((40, 5), [0.9, 0.8, 0.7, 0.6, 0.3]))
        index = indexed(board([0.9, 0.8, 0.7, 0.6, 0.3], 40), items)
        assert index.method == "normal"
        assert index.lower < index.s_index < index.upper

    def test_perfect_scores_may_differ(self):
        index = indexed(board([1.0] * 5, 30))
        assert index.upper == 1
        lower, _ = interval_of_proportions(1.0, 1.0, 30, 30)
        assert index.lower == pytest.approx(float(lower))
        assert index.lower < 0.6
        assert 0.5 < index.p_saturated <= 1


class TestProbability:
    def test_it_is_that_of_the_whole_board(self):
        table = board([0.9, 0.89, 0.88, 0.86, 0.85, 0.8, 0.7, 0.6])
        index = indexed(table, saturated_from=0.6)
        errors = table["standard_error"].to_numpy()
        width = widest_gap(0.6) * math.hypot(errors[0], errors[4]) * 400**0.25
        expected = shrinkage.close(table["score"], errors, 0, 4, width)
        found = (index.p_saturated, index.p_saturated_lowest, index.p_saturated_highest)
        assert found == pytest.approx(
            (expected.probability, expected.lowest, expected.highest), abs=1e-9
        )

    def test_what_all_models_share_is_no_error_of_any(self):
        """Models of very different scores on hard and easy items, twice the same items."""
        rng = np.random.default_rng(4)
        ability, difficulty = np.linspace(2, -2, 8), rng.normal(0, 3, 300)
        right = rng.random((300, 8)) < 1 / (1 + np.exp(difficulty[:, None] - ability))
        items = answered(right)
        table = estimated(*items)
        paired, alone = indexed(table, items, alpha=1.0), indexed(table, alpha=1.0)
        assert paired.all_equal.dependence > 0.3
        assert alone.all_equal.dependence == 0
        assert paired.p_saturated < 0.1 * alone.p_saturated

    def test_a_few_items_shared_by_all_do_not_speak_for_the_board(self):
        rng = np.random.default_rng(5)
        right = (rng.random((200, 6)) < 0.7).astype(float)
        right[90:, 5] = np.nan
        items = answered(right)
        table = estimated(*items)
        assert indexed(table, items).all_equal.dependence == 0
        right[90:100, 5] = 1
        items = answered(right)
        assert indexed(estimated(*items), items).all_equal.law == "normal"

    def test_a_model_without_a_known_error_is_left_out(self):
        table = board(SCORES)
        with_one = pd.concat([table, board([0.5], errors=[np.nan])], ignore_index=True)
        assert indexed(with_one) == indexed(table)


class TestAllEqual:
    def test_it_is_exact_for_scores_on_one_number_of_items(self):
        equal = indexed(board(SCORES), k=3).all_equal
        expected = EqualModels.binomial(3, 5, 400, np.mean(SCORES))
        assert (equal.law, equal.n_models, equal.dependence) == ("binomial", 5, 0)
        assert equal.score == pytest.approx(0.872)
        assert equal.expected_gap == pytest.approx(expected.mean())
        assert equal.p_value == pytest.approx(float(expected.p_value(0.03)))

    def test_it_is_normal_for_other_errors_and_sizes(self):
        for table in (
            board(SCORES, [400, 400, 400, 400, 500]),
            board(SCORES, errors=[0.02] * 5, source="supplied"),
            board(SCORES, np.nan, [0.02] * 5, "supplied"),
            board(SCORES, 400.5),
            board(SCORES, 20_001),
        ):
            equal = indexed(table).all_equal
            error = math.sqrt((table["standard_error"] ** 2).mean())
            expected = EqualModels.normal(5, 5, error)
            assert equal.law == "normal"
            assert equal.p_value == pytest.approx(float(expected.p_value(0.05)))
            assert equal.expected_gap == pytest.approx(expected.mean())

    def test_graded_answers_are_normal_and_right_or_wrong_ones_binomial(self):
        rng = np.random.default_rng(6)
        right = (rng.random((100, 4)) < 0.7).astype(float)
        items = answered(right)
        assert indexed(estimated(*items), items).all_equal.law == "binomial"
        items = answered(right * 0.5)
        assert indexed(estimated(*items), items).all_equal.law == "normal"

    def test_2000_models_and_15000_items_take_no_time(self):
        import time

        rng = np.random.default_rng(7)
        scores = np.sort(rng.binomial(15_000, rng.beta(4, 2, 2000)) / 15_000)[::-1]
        table = board(scores, 15_000)
        indexed(table, k_grid=())
        start = time.process_time()
        index = indexed(table, k_grid=())
        assert time.process_time() - start < 4
        assert index.all_equal.n_models == 2000


def test_without_n_only_alpha_1_is_possible():
    index = indexed(board([1310.0, 1300, 1290, 1280, 1270], np.nan, 4.0, "supplied"))
    assert index.alpha == 1
    assert {cell.alpha for cell in index.grid} == {1.0}
    assert index.s_index == pytest.approx(math.exp(-(40**2 / 32)))
    assert index.implied_alpha is None


def test_each_model_has_its_own_n_and_fewer_models_lower_k():
    index = indexed(board(SCORES[:3], [400, 100, 900]), k=5)
    assert index.k == 3
    first, last = standard_errors.binomial_error([0.9, 0.87], [400, 900])
    scale = math.hypot(first * 400**0.25, last * 900**0.25)
    assert index.s_index == pytest.approx(math.exp(-((0.03 / scale) ** 2)))
    assert {cell.k for cell in index.grid} == {2, 3}
    grid = indexed(board(SCORES), k_grid=(9, 2, 7, 5)).grid
    assert sorted({cell.k for cell in grid}) == [2, 5]


def test_epsilon_is_part_of_the_scale():
    index = indexed(board(SCORES), epsilon=0.01)
    error = math.hypot(*standard_errors.binomial_error([0.9, 0.85], [400, 400])) * 400**0.25
    assert index.s_index == pytest.approx(math.exp(-((0.05 / (error + 0.01)) ** 2)))


@settings(max_examples=60)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=8),
       st.sampled_from([1, 2, 4, 1000]))  # fmt: skip
def test_ties_and_scores_of_0_and_1_and_one_item_have_numbers(scores, n):
    index = indexed(board(sorted(scores, reverse=True), n))
    assert 0 <= index.lower <= index.upper <= 1
    assert 0 <= index.p_saturated_lowest <= index.p_saturated <= index.p_saturated_highest <= 1
    assert 0 <= index.all_equal.p_value <= 1
    assert index.all_equal.expected_gap >= 0


def test_the_interval_covers_the_index_of_graded_clustered_items():
    """Differences between clusters; the level by Student's interval over twelve of them."""
    rng = np.random.default_rng(8)
    covered, runs = 0, 300
    for _ in range(runs):
        quality = np.array([0.6, 0.55]) + rng.normal(0, 0.05, (12, 1, 2))
        right = np.clip(quality + rng.normal(0, 0.05, (12, 4, 2)), 0, 1).reshape(48, 2)
        items = answered(right, [f"c{i // 4}" for i in range(48)])
        table = estimated(*items)
        index = indexed(table, items, k=2, k_grid=())
        scale = math.hypot(*table["standard_error"]) * 48**0.25
        true = math.exp(-((0.05 / scale) ** 2))
        covered += index.lower <= true <= index.upper
    assert 0.92 < covered / runs < 0.99


@pytest.mark.parametrize(("kept", "separate"), [(50, True), (49, False)])
def test_what_is_shared_counts_from_half_of_the_pair_s_items_on(kept, separate):
    rng = np.random.default_rng(4)
    right = (rng.random((100, 3)) < rng.random((100, 1))).astype(float)
    right[kept:, 2] = np.nan
    matrix, clusters = answered(right)
    table = estimated(matrix, clusters)
    found = top._separate_errors(table, matrix, clusters, 100)
    own = table["standard_error"].to_numpy()
    assert (np.abs(found - own) > 1e-6).any() == separate
