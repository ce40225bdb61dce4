"""The top of a leaderboard by hand: ties and ranks, power, the index, and the three answers."""

import dataclasses
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.index import interval_of_proportions, saturation_bin, saturation_index
from saturation.leaderboard import top
from saturation.statistics import intervals, standard_errors
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import paired_tests
from saturation.statistics.power import mcnemar_power, pooled_power
from saturation.statistics.top_gap import EqualModels

SETTINGS = top.Settings()
# Errors that a gap needs to be found at 95 % with a power of 80 %.
REACH = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
SCORES = [0.9, 0.88, 0.87, 0.86, 0.85]
NOTHING = (pd.DataFrame(), pd.Series(dtype=str))
NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration"]
)


def board(scores, n=400, errors=None, source="binomial"):
    """Estimates of models whose errors are binomial unless given."""
    sizes = np.broadcast_to(np.asarray(n, float), len(scores))
    errors = standard_errors.binomial_error(scores, sizes) if errors is None else errors
    return pd.DataFrame(
        {"model": [f"m{i}" for i in range(len(scores))], "score": scores,
         "standard_error": errors, "lower": 0.0, "upper": 1.0, "n_items": sizes,
         "error_source": source}
    )  # fmt: skip


def answered(right, clusters=None):
    """Item matrix by item and model, with clusters."""
    right = np.asarray(right, float)
    names = [f"q{i:03d}" for i in range(len(right))]
    matrix = pd.DataFrame(right, index=names, columns=[f"m{i}" for i in range(right.shape[1])])
    return matrix, pd.Series(names if clusters is None else clusters, index=names)


def estimated(matrix, clusters):
    return standard_errors.estimates(NO_SCORES, matrix, clusters, "accuracy", 0.95)


def frontier(table, items=NOTHING, **changes):
    return top.frontier(table, items, top.Settings(**changes))


def frontier_of(items, **changes):
    return frontier(estimated(*items), items, **changes)


def indexed(table, items=NOTHING, **changes):
    return top.index(table, items, top.Settings(**changes))


def indexed_of(items, **changes):
    return indexed(estimated(*items), items, **changes)


class TestPower:
    def test_by_hand(self):
        power = frontier(board(SCORES, [400, 500, 600, 700, 800])).power
        # By the exact power of the pooled test, each model with its own number of items.
        detectable = power.minimum_detectable_difference
        assert pooled_power((0.9, 0.9 - detectable), (400, 800), 0.05) == pytest.approx(0.8)
        last = math.hypot(*standard_errors.binomial_error([0.9, 0.85], [400, 800]))
        assert detectable == pytest.approx(REACH * last, rel=0.1)
        # Items are those of a pair of the top: one of ten.
        for n, p, q, share in (
            (power.items_for_top_two, 0.9, 0.88, 500 / 400),
            (power.items_for_top_k, 0.9, 0.85, 800 / 400),
        ):
            found = pooled_power((p, q), (n, round(n * share)), 0.005)
            assert found == pytest.approx(0.8, abs=0.01)
        assert (power.n_items, power.k) == (400, 5)
        assert (power.level, power.power) == (0.95, 0.8)

    def test_only_the_items_of_the_two_models_count(self):
        """Second, third and fifth lack 5, 30 and 20 items: each gap has its own number."""
        rng = np.random.default_rng(3)
        right = (rng.random((100, 5)) < [0.95, 0.9, 0.8, 0.7, 0.4]).astype(float)
        right[:30, 2] = np.nan
        right[40:60, 4] = np.nan
        right[60:65, 1] = np.nan
        items = answered(right)
        found = frontier_of(items)
        assert found.power.n_items == 80
        with_leader = found.ties["paired"].with_leader
        assert [row.items for row in with_leader] == [95, 70, 100, 80]
        assert found.ties["paired"].items == 70
        both = items[0].dropna(subset=["m4"])
        difference = both["m0"] - both["m4"]
        assert with_leader[3].difference == pytest.approx(difference.mean())
        only = [float((difference == sign).mean()) for sign in (1, -1)]
        needed, top_pairs = found.power.items_for_top_k, found.answers.resolution
        alpha = 0.05 / (top_pairs.pairs - top_pairs.separated)
        assert mcnemar_power((only[0], only[1]), needed, alpha) >= 0.8
        assert mcnemar_power((only[0], only[1]), needed - 1, alpha) < 0.8
        # Of a leader with its 80 items, and of a model that loses answers at random.
        detectable, score = found.power.minimum_detectable_difference, found.models[0].score
        lost = detectable - difference.mean()
        rates = only[0] + score * lost, max(only[1] - (1 - score) * lost, 0.0)
        assert mcnemar_power(rates, 80, 0.05) == pytest.approx(0.8, abs=1e-6)
        # No other model's number of items enters: the pair alone needs as many at its own level.
        alone = frontier(estimated(*items).head(2), items, level=1 - alpha).power
        assert found.power.items_for_top_two == alone.items_for_top_two
        # The index takes the same gap, with the errors of the two models' own items.
        first, last = found.models[0], found.models[4]
        scale = math.hypot(first.standard_error * 100**0.25, last.standard_error * 80**0.25)
        assert found.index.s_index == pytest.approx(math.exp(-((difference.mean() / scale) ** 2)))

    def test_models_that_answer_alike_have_their_own_errors(self):
        same = np.repeat(np.arange(50)[:, None] % 2, 5, axis=1)
        items = answered(same)
        power = frontier_of(items).power
        # Of 50 items half are solved: a worse model loses some, and wins none.
        detectable = power.minimum_detectable_difference
        assert mcnemar_power((detectable, 0.0), 50, 0.05) == pytest.approx(0.8)
        assert power.items_for_top_k == math.inf


class TestTies:
    def test_p_values_are_adjusted_over_all_pairs(self):
        ties = frontier(board(SCORES, 700)).ties["independent"]
        matrix = statistics_pairs.pooled_z_tests(SCORES, [700] * 5).p_value
        plain = matrix[0, 1:]
        assert [row.p_value for row in ties.with_leader] == pytest.approx(plain)
        # Holm by hand: the smallest of ten times ten, the next times nine, and so on.
        pairs = np.triu_indices(5, 1)
        order = np.argsort(matrix[pairs])
        stepped = np.maximum.accumulate(matrix[pairs][order] * np.arange(10, 0, -1))
        adjusted = np.empty(10)
        adjusted[order] = np.minimum(stepped, 1)
        with_leader = adjusted[:4]
        assert [row.p_adjusted for row in ties.with_leader] == pytest.approx(with_leader)
        assert (ties.method, ties.adjustment, ties.items) == ("pooled_z", "holm", None)
        in_group = ["m0", *(f"m{i + 1}" for i in np.flatnonzero(with_leader > 0.05))]
        assert ties.group == in_group
        unadjusted = ["m0", *(f"m{i + 1}" for i in np.flatnonzero(plain > 0.05))]
        assert in_group != unadjusted

    def test_models_are_ranked_and_tied_as_the_tests_say(self):
        models = frontier(board([0.9, 0.89, 0.7, 0.69, 0.5], 1000)).models
        assert [row.tied_with_leader for row in models] == [True, True, False, False, False]
        assert [(row.best_rank, row.worst_rank) for row in models] == [
            (1, 2), (1, 2), (3, 4), (3, 4), (5, 5)
        ]  # fmt: skip
        assert models[0].model == "m0"

    def test_independent_proportions_have_newcombes_interval(self):
        ties = frontier(board([1.0, 0.98, 0.97, 0.96, 0.9], [50, 60, 70, 80, 90])).ties
        last = ties["independent"].with_leader[3]
        assert [last.lower, last.upper] == pytest.approx(intervals.newcombe(50, 50, 81, 90))
        assert last.difference == pytest.approx(0.1)
        assert last.model == "m4"

    def test_other_gaps_have_a_normal_interval_around_them(self):
        table = board([1310.0, 1300, 1290, 1280, 1270], np.nan, [4.0, 5, 6, 7, 8], "supplied")
        ties = frontier(table).ties["independent"]
        assert ties.method == "z"
        row = ties.with_leader[1]
        assert row.standard_error == pytest.approx(math.hypot(4, 6))
        half = 1.959963985 * math.hypot(4, 6)
        assert [row.lower, row.upper] == pytest.approx([20 - half, 20 + half])

    def test_an_error_that_is_not_binomial_takes_the_pooled_test_from_its_pairs(self):
        table = board(SCORES)
        table.loc[3, "error_source"] = "supplied"
        found = frontier(table).ties["independent"]
        assert found.method == "z and pooled_z"
        assert [row.method for row in found.with_leader] == [
            "pooled_z", "pooled_z", "z", "pooled_z"
        ]  # fmt: skip
        table.loc[0, "error_source"] = "supplied"
        assert frontier(table).ties["independent"].method == "z"

    def test_the_level_is_that_of_groups_ranks_and_intervals(self):
        table = board([0.9, 0.86, 0.86, 0.85, 0.84], 600)
        strict, lax = frontier(table, level=0.999), frontier(table, level=0.5)
        assert len(strict.ties["independent"].group) == 5
        assert lax.ties["independent"].group == ["m0"]
        assert (strict.models[4].best_rank, lax.models[4].best_rank) == (1, 2)
        row = lax.ties["independent"].with_leader[0]
        ends = intervals.newcombe(540, 600, 516, 600, 0.5)
        assert [row.lower, row.upper] == pytest.approx(ends)

    def test_the_limit_is_one_of_the_list_and_not_of_ties_and_ranks(self):
        table = board(np.linspace(0.9, 0.6, 40), 100)
        whole, short = frontier(table, compared=40), frontier(table, compared=6)
        assert len(short.models) == 6
        assert short.models == whole.models[:6]
        assert short.models[5].worst_rank > 6
        ties_of = short.ties["independent"]
        assert len(ties_of.with_leader) == 5
        assert (len(ties_of.group), ties_of.models) == (31, 40)
        assert ties_of.group == whole.ties["independent"].group
        assert len(frontier(table).models) == 25


class TestPaired:
    RIGHT = (np.random.default_rng(4).random((120, 5)) < [0.9, 0.85, 0.8, 0.75, 0.6]).astype(float)

    def test_shared_items_are_compared_item_by_item(self):
        items = answered(self.RIGHT)
        table = estimated(*items)
        found = frontier(table, items)
        assert set(found.ties) == {"independent", "paired"}
        paired = found.ties["paired"]
        assert paired.abstains is None
        assert (paired.method, paired.items) == ("mcnemar", 120)
        expected = paired_tests(items[0][list(table["model"])], items[1])
        assert [row.p_value for row in paired.with_leader] == pytest.approx(expected.p_value[0, 1:])
        # Ranks and the index follow the paired tests.
        adjusted = statistics_pairs.holm_pairs(expected.p_value)
        ranks = statistics_pairs.rank_intervals(expected.difference, adjusted, 0.95)
        assert [row.best_rank for row in found.models] == ranks[:, 0].tolist()
        assert found.index == top.index(table, items, SETTINGS)
        assert found.index.method == "paired_adjusted"

    def test_clusters_have_a_t_test_and_its_interval(self):
        items = answered(self.RIGHT, [f"c{i // 4}" for i in range(120)])
        table = estimated(*items)
        found = frontier(table, items).ties["paired"]
        assert (found.method, found.abstains) == ("clustered_t", None)
        row = found.with_leader[3]
        half = stats.t.ppf(0.975, 29) * row.standard_error
        assert [row.lower, row.upper] == pytest.approx(
            [row.difference - half, row.difference + half]
        )

    def test_too_few_clusters_say_so(self):
        """Six equal clusters give no p-value below 1/32; ten pairs need 1/200."""
        items = answered(self.RIGHT, [f"c{i // 20}" for i in range(120)])
        found = frontier_of(items).ties["paired"]
        assert "6 clusters" in found.abstains
        assert len(found.group) == 5
        # Eight give 1/128, nine 1/256.
        for size, enough in ((15, False), (13, True)):
            items = answered(self.RIGHT[: size * (120 // size)],
                             [f"c{i // size}" for i in range(size * (120 // size))])  # fmt: skip
            ties_of = frontier_of(items).ties["paired"]
            assert (ties_of.abstains is None) == enough
        assert frontier_of(items, level=0.5).ties["paired"].abstains is None

    def test_models_without_items_of_their_own_are_compared_by_scores(self):
        """Three models have items, two only scores: each pair has the best test that it can."""
        matrix, clusters = answered(self.RIGHT[:, :3])
        table = pd.concat([estimated(matrix, clusters), board(SCORES).tail(2)], ignore_index=True)
        found = frontier(table, (matrix, clusters)).ties["paired"]
        assert found.method == "pooled_z and mcnemar"
        assert [row.items for row in found.with_leader] == [120, 120, None, None]
        by_scores = frontier(table).ties
        assert list(by_scores) == ["independent"]
        alone = frontier(table, (matrix[["m0"]], clusters)).ties
        assert list(alone) == ["independent"]

    @pytest.mark.parametrize("shared", [0, 1])
    def test_without_two_shared_clusters_nothing_is_paired(self, shared):
        right = np.full((10, 2), np.nan)
        right[: 5 + shared, 0] = np.arange(5 + shared) % 2
        right[5:, 1] = 1.0
        items = answered(right)
        found = frontier_of(items, k=2)
        assert list(found.ties) == ["independent"]
        assert found.index.implied_alpha is None
        assert found.index.method == "normal"


class TestManyModels:
    """Boards so large that only the listed models are compared with all."""

    def both(self, monkeypatch, table, **changes):
        whole = frontier(table, compared=6, **changes)
        monkeypatch.setattr(top, "MOST_PAIRED", 10)
        return whole, frontier(table, compared=6, **changes)

    def test_the_tests_are_the_same_and_the_adjustment_more_careful(self, monkeypatch):
        rng = np.random.default_rng(3)
        scores = np.sort(0.9 - 0.02 * rng.random(40).cumsum())[::-1]
        table = board(scores, n=rng.choice([300, 900], 40))
        whole, large = self.both(monkeypatch, table)
        ties_whole, ties_large = whole.ties["independent"], large.ties["independent"]
        assert (ties_whole.adjustment, ties_large.adjustment) == ("holm", "bonferroni")
        for one, other in zip(ties_whole.with_leader, ties_large.with_leader, strict=True):
            assert one.p_value == other.p_value
            assert other.p_adjusted == min(1.0, other.p_value * 40 * 39 / 2)
            assert other.p_adjusted >= one.p_adjusted
        assert set(ties_whole.group) <= set(ties_large.group)
        for one, other in zip(whole.models, large.models, strict=True):
            assert other.best_rank <= one.best_rank <= one.worst_rank
            assert one.worst_rank <= other.worst_rank <= 40
        # Only the listed models can rule others out.
        same, careful = (found.answers.equivalence for found in (whole, large))
        assert same.answer == careful.answer
        assert same.contenders <= careful.contenders <= 40
        assert whole.answers.headroom.answer == large.answers.headroom.answer
        assert whole.index == large.index

    def test_one_pair_is_told_apart_at_the_level_over_all_pairs(self, monkeypatch):
        table = board([0.9] * 5 + [0.1] * 15)
        _, large = self.both(monkeypatch, table, k=6)
        assert large.answers.resolution.separated == 5
        assert [model.worst_rank for model in large.models] == [5] * 5 + [20]
        assert [model.best_rank for model in large.models] == [1] * 5 + [6]


# The index.


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


def test_every_published_benchmark_is_as_in_the_plateau_study(prepared, default_index):
    """One row of the dashboard means the same whichever route it took."""
    _, top_scores = prepared
    table = default_index.set_index("benchmark_id")
    assert len(table) == 60
    for name, row in table.iterrows():
        scores = top_scores.loc[top_scores["benchmark_id"] == name, "score"]
        index = indexed(board(sorted(scores, reverse=True), row["n_test"]))
        assert (index.s_1, index.s_k, index.bin) == (row.s_1, row.s_k, row.bin)
        ends = interval_of_proportions(row.s_1, row.s_k, row["n_test"], row["n_test"])
        assert [index.s_index, index.lower, index.upper] == pytest.approx(
            [row.s_index, *map(float, ends)], abs=1e-9
        )


class TestIndexInterval:
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

    def test_the_same_difference_on_every_item_has_the_models_own_error(self):
        items = answered(np.full((40, 5), [0.9, 0.8, 0.7, 0.6, 0.3]))
        index = indexed(board([0.9, 0.8, 0.7, 0.6, 0.3], 40), items)
        assert index.method == "normal"
        assert index.lower < index.s_index < index.upper


class TestIndexOfTheWholeBoard:
    def test_what_it_decides_counts_the_pairs_of_the_top_alone(self):
        table = board([0.9, 0.89, 0.88, 0.86, 0.78, *np.linspace(0.7, 0.2, 60)])
        few = indexed(table.head(5), alpha=1.0)
        assert few.first_and_kth == "separated"
        assert indexed(table, alpha=1.0).first_and_kth == "separated"
        near = [0.9, 0.89, 0.88, 0.86, 0.82]
        assert indexed(board(near), alpha=1.0, k=2).first_and_kth == "undecided"
        assert indexed(board(near), alpha=1.0).first_and_kth == "undecided"
        assert indexed(table, alpha=0.0).first_and_kth == "equivalent"

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

    def test_a_few_items_shared_by_all_do_not_speak_for_the_board(self):
        rng = np.random.default_rng(5)
        right = (rng.random((200, 6)) < 0.7).astype(float)
        right[90:, 5] = np.nan
        found = indexed_of(answered(right)).all_equal
        assert (found.dependence, found.law) == (0, "normal")

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
        assert indexed_of(items).all_equal.law == "binomial"
        items = answered(right * 0.5)
        assert indexed_of(items).all_equal.law == "normal"


def test_without_n_only_alpha_1_is_possible_and_no_number_of_items_is_said():
    found = frontier(board([1310.0, 1300, 1290, 1280, 1270], np.nan, 4.0, "supplied"))
    index, power = found.index, found.power
    assert (index.alpha, {cell.alpha for cell in index.grid}) == (1, {1.0})
    assert index.s_index == pytest.approx(math.exp(-(40**2 / 32)))
    assert (index.implied_alpha, power.items_for_top_two, power.items_for_top_k) == (None,) * 3
    assert power.minimum_detectable_difference == pytest.approx(REACH * math.sqrt(32))


def test_each_model_has_its_own_n_and_fewer_models_lower_k():
    index = indexed(board(SCORES[:3], [400, 100, 900]), k=5)
    assert index.k == 3
    first, last = standard_errors.binomial_error([0.9, 0.87], [400, 900])
    scale = math.hypot(first * 400**0.25, last * 900**0.25)
    assert index.s_index == pytest.approx(math.exp(-((0.03 / scale) ** 2)))
    assert {cell.k for cell in index.grid} == {2, 3}
    grid = indexed(board(SCORES), k_grid=(9, 2, 7, 5)).grid
    assert sorted({cell.k for cell in grid}) == [2, 5]


def test_epsilon_is_part_of_the_scale(monkeypatch):
    monkeypatch.setattr(top, "EPSILON", 0.01)
    index = indexed(board(SCORES))
    error = math.hypot(*standard_errors.binomial_error([0.9, 0.85], [400, 400])) * 400**0.25
    assert index.s_index == pytest.approx(math.exp(-((0.05 / (error + 0.01)) ** 2)))


@pytest.mark.parametrize(("kept", "separate"), [(50, True), (49, False)])
def test_what_is_shared_counts_from_half_of_the_pair_s_items_on(kept, separate):
    rng = np.random.default_rng(4)
    right = (rng.random((100, 3)) < rng.random((100, 1))).astype(float)
    right[kept:, 2] = np.nan
    matrix, clusters = answered(right)
    table = estimated(matrix, clusters)
    found = top._separate_errors(table, (matrix, clusters), 100)
    own = table["standard_error"].to_numpy()
    assert (np.abs(found - own) > 1e-6).any() == separate


# The three answers.


def asked(ranked, items=NOTHING, **changes):
    settings = dataclasses.replace(SETTINGS, **changes)
    pairs = top.deciding(top.all_pairs(ranked, items, len(ranked)))
    adjusted = statistics_pairs.adjust_pairs(pairs.p_value, top.contenders(ranked, pairs, 1))
    return top.answers(ranked, items, pairs, adjusted, settings)


def asked_of(items, **changes):
    return asked(estimated(*items), items, **changes)


class TestResolution:
    def test_counts_and_groups(self):
        found = asked(board([0.9, 0.9, 0.7, 0.69, 0.3], 1000), k=4).resolution
        assert (found.answer, found.separated, found.pairs) == ("some", 4, 6)
        single = asked(board([0.9, 0.88, 0.85], 1000), k=3).resolution
        assert (single.answer, single.separated) == ("some", 1)
        assert found.groups == [["m0", "m1"], ["m2", "m3"]]
        assert found.models == ["m0", "m1", "m2", "m3"]

    def test_a_pair_is_held_to_the_level_of_all_pairs_of_the_top(self):
        # p = .02 alone; among the ten pairs of five models not significant.
        alone = board([0.74, 0.692], 1000)
        assert asked(alone, k=2).resolution.answer == "all"
        among = board([0.74, *[0.715] * 3, 0.692], 1000)
        assert asked(among, k=5).resolution.answer == "none"
        assert not asked(among, k=5).resolution.first_and_kth

    def test_models_behind_the_top_make_its_pairs_no_harder_to_separate(self):
        """First and fifth differ with p = .0015: .015 among ten pairs, more among 1,225."""
        five = [0.75, *[0.72] * 3, 0.686]
        p = statistics_pairs.pooled_z_tests(five, [1000] * 5).p_value[0, 4]
        assert 0.05 / 1225 < p < 0.05 / 10
        for others in (0, 45):
            ranked = board([*five, *np.linspace(0.68, 0.6, others)], 1000)
            found = asked(ranked, k=5)
            assert (found.resolution.first_and_kth, found.resolution.separated) == (True, 1)
        # Who may be the best is another question, over all models.
        ties = frontier(ranked).ties["independent"]
        assert ties.models == 50
        assert "m4" in ties.group

    def test_the_detectable_difference_is_that_of_the_pairs_left_open(self):
        ranked = board([0.74, 0.73, 0.72], 1000)
        found = asked(ranked, k=3).resolution.minimum_detectable_difference
        chance = pooled_power((0.74, 0.74 - found), (1000, 1000), 0.05 / 3)
        assert chance == pytest.approx(0.8)

    def test_items_are_needed_only_where_more_are_than_present(self):
        found = asked(board([0.9, 0.7, 0.69], 1000), k=3).resolution
        assert found.items_for_any == found.items_for_all > 1000
        assert asked(board([0.9, 0.7, 0.5], 1000), k=3).resolution.items_for_any is None
        equal = asked(board([0.7, 0.7], 1000), k=2).resolution
        assert equal.items_for_any == np.inf
        unknown = asked(board([9.0, 8.9], np.nan, [0.1, 0.1], "supplied"), k=2, margin=None)
        assert unknown.resolution.items_for_any is None


class TestGroups:
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
        ranked = board([0.7, 0.69, 0.69], 4000)
        found = asked(ranked, k=3).equivalence
        p = statistics_pairs.independent_score(0.7, 4000, 0.69, 4000, 0.02)
        assert (found.contenders, found.p_value) == (3, pytest.approx(float(p)))

    @pytest.mark.parametrize("models", [4, 7, 30])
    def test_the_choice_of_the_top_multiplies_the_p_value(self, models):
        ranked = board([0.7, 0.695, *[0.69] * (models - 2)], 40_000)
        found = asked(ranked, k=3).equivalence
        # All of them may be the best; the weakest test is that of the leader and the third.
        p = float(statistics_pairs.independent_score(0.7, 40_000, 0.69, 40_000, 0.02))
        assert found.contenders == models
        assert found.p_value == pytest.approx(p * (models - 2))
        ranked = board([0.7, 0.695, *[0.69] * (models - 2)], 100)
        assert asked(ranked, k=3).equivalence.p_value == (
            1 if models > 4 else pytest.approx(1, 0.5)
        )

    def test_the_edge_of_the_level(self):
        p = asked(board([0.7, 0.69], 4000), k=2).equivalence.p_value
        for level, answer in ((1 - p * 1.001, "equivalent"), (1 - p * 0.999, "not_shown")):
            found = asked(board([0.7, 0.69], 4000), k=2, level=level).equivalence
            assert found.answer == answer

    def test_the_smallest_margin_is_where_the_answer_turns(self):
        ranked = board([0.7, 0.69, 0.685], 2000)
        within = asked(ranked, k=3).equivalence.within
        assert 0.015 < within < 0.1
        assert asked(ranked, k=3, margin=within * 1.001).equivalence.answer == "equivalent"
        assert asked(ranked, k=3, margin=within * 0.999).equivalence.answer == "not_shown"

    def test_enough_items_for_alike_are_enough(self):
        ranked = board([0.7, 0.7, 0.7], 300)
        found = asked(ranked, k=3).equivalence
        assert (found.answer, found.items_for_equivalence > 300) == ("not_shown", True)
        enough = asked(board([0.7, 0.7, 0.7], found.items_for_equivalence), k=3)
        assert enough.equivalence.answer == "equivalent"
        assert enough.equivalence.items_for_equivalence is None

    @pytest.mark.parametrize("power", [0.6, 0.8])
    def test_two_equal_models_need_what_a_normal_test_of_both_sides_does(self, power):
        ranked = board([0.7, 0.7], 400, errors=[0.03, 0.03], source="supplied")
        found = asked(ranked, k=2, power=power).equivalence.items_for_equivalence
        reach = stats.norm.ppf(0.95) + stats.norm.ppf((1 + power) / 2)
        assert found == pytest.approx(400 * (reach * 0.03 * np.sqrt(2) / 0.02) ** 2, rel=0.05)

    def test_a_pair_on_the_same_items_needs_what_its_own_test_does(self):
        right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [150, 12, 6, 132], axis=0)
        found = asked_of(answered(right), k=2, ceiling=None)
        # 18 of 300 items decide: under equality each model wins half of them, and as measured the
        # variance of their difference is smaller.
        reach = stats.norm.ppf(0.975) * 18**0.5 + stats.norm.ppf(0.8) * (18 - 6**2 / 300) ** 0.5
        assert found.resolution.items_for_any == pytest.approx(300 * reach**2 / 6**2, rel=0.03)
        # Half an item off the margin, and Tango's error at no difference.
        n = found.equivalence.items_for_equivalence
        p = float(statistics_pairs.paired_score(9 / 300 * n, 9 / 300 * n, n, 0.02))
        room = (0.02 - 0.5 / n) * (1 - stats.norm.ppf(0.95) / stats.norm.isf(p))
        error = found.equivalence.margin and np.sqrt((18 / 300 - (6 / 300) ** 2) / n)
        assert 2 * stats.norm.cdf(room / error) - 1 == pytest.approx(0.8, abs=0.02)

    def test_fewer_items_may_do_where_the_present_ones_were_unlucky(self):
        found = asked(board([0.7, 0.687], 20_000, errors=[0.0047, 0.0047], source="supplied"), k=2)
        assert (found.resolution.answer, found.equivalence.answer) == ("none", "not_shown")
        assert found.equivalence.items_for_equivalence < 20_000

    def test_no_number_of_items_shows_models_alike_that_are_told_apart(self):
        found = asked(board([0.9, 0.7, 0.7], 1000), k=3).equivalence
        assert (found.answer, found.items_for_equivalence) == ("not_shown", None)

    def test_without_a_margin_or_items_nothing_is_said(self):
        rating = board([1300.0, 1299.0], np.nan, [5.0, 5.0], "supplied")
        assert asked(rating, k=2, margin=None).equivalence.answer == "not_asked"
        points = asked(rating, k=2, margin=5.0, ceiling=None).equivalence
        assert points.answer == "not_shown"
        assert points.items_for_equivalence is None
        assert 5 < points.within < 50
        assert asked(rating, k=2, margin=1.001, ceiling=None).equivalence.within is None


class TestContenders:
    def test_a_model_far_behind_is_none_and_changes_nothing(self):
        before = board([0.7, 0.7, 0.69, 0.68], 2000)
        after = board([0.7, 0.7, 0.69, 0.68, 0.1], 2000)
        one, two = asked(before, k=3), asked(after, k=3)
        assert one == two
        assert two.equivalence.contenders == 4

    def test_k_others_have_to_be_better(self):
        pairs = statistics_pairs.z_tests([0.9, 0.5, 0.49], [0.005] * 3)
        ranked = board([0.9, 0.5, 0.49], 1000, errors=[0.005] * 3)
        assert top.contenders(ranked, pairs, 1).tolist() == [True, False, False]
        assert top.contenders(ranked, pairs, 2).tolist() == [True, True, True]

    def test_a_model_without_error_is_none(self):
        ranked = board([0.7, 0.69, 0.68], 1000, errors=[0.01, 0.01, np.nan], source="supplied")
        assert asked(ranked, k=2).equivalence.contenders == 2


class TestHeadroom:
    def test_bounds_are_exact_and_the_lower_one_allows_for_the_choice(self):
        found = asked(board([0.8, 0.75, 0.7, 0.7, 0.7], 100)).headroom
        assert found.lower == pytest.approx(stats.beta.ppf(0.05 / 5, 80, 21))
        assert found.upper == pytest.approx(stats.beta.ppf(0.95, 81, 20))
        # The lower one is the leader's, whoever else has more items.
        found = asked(board([0.9, 0.89], [20, 2000]), k=2).headroom
        assert found.lower == pytest.approx(stats.beta.ppf(0.05 / 2, 18, 3))

    def test_the_edge_of_the_ceiling(self):
        found = asked(board([0.95] * 5, 500)).headroom
        for ceiling, answer in (
            (found.lower, "none"),
            (np.nextafter(found.lower, 1), "unclear"),
            (found.upper, "unclear"),
            (np.nextafter(found.upper, 1), "left"),
            (None, "not_asked"),
        ):
            assert asked(board([0.95] * 5, 500), ceiling=ceiling).headroom.answer == answer

    def test_perfect_and_lowest_scores(self):
        perfect = asked(board([1.0] * 5, 40)).headroom
        assert perfect.upper == 1
        assert perfect.lower == pytest.approx(0.01 ** (1 / 40))
        assert asked(board([0.0] * 5, 40)).headroom.lower == 0

    def test_items_of_a_cluster_count_as_few(self):
        rng = np.random.default_rng(0)
        shared = np.repeat(rng.random(20), 10)
        right = np.column_stack([shared < 0.9, shared < 0.85, shared < 0.8])
        clustered = answered(right, [f"c{i // 10}" for i in range(200)])
        best, each = right.mean(axis=0).max(), 0.05 / 3
        # As many items as the error stands for, fewer by what Student's t takes for 20 clusters.
        stands_for = best * (1 - best) / estimated(*clustered)["standard_error"][0] ** 2
        shrunk = (stats.norm.ppf(1 - each) / stats.t.ppf(1 - each, 19)) ** 2
        for items, n in ((answered(right), 200), (clustered, stands_for * shrunk)):
            expected = stats.beta.ppf(each, best * n, (1 - best) * n + 1)
            assert asked_of(items, k=2).headroom.lower == pytest.approx(expected)

    def test_graded_items_and_clusters_that_are_all_alike(self):
        graded = np.tile([[0.5, 0.25], [0.75, 0.5]], (50, 1))
        found = asked_of(answered(graded), k=2).headroom
        # Graded answers vary less than right and wrong ones with the same mean.
        assert 0.55 < found.lower < 0.625 < found.upper < 0.7
        perfect = np.ones((40, 2))
        clusters = [f"c{i // 10}" for i in range(40)]
        assert asked_of(answered(perfect, clusters), k=2).headroom.lower == pytest.approx(
            0.025 ** (1 / 4)
        )

    def test_supplied_errors_stand_for_items(self):
        ranked = board([0.8, 0.7], np.nan, [0.04, 0.04], "supplied")
        found = asked(ranked, k=2).headroom
        assert found.upper == pytest.approx(stats.beta.ppf(0.95, 81, 20))
        ends = board([1.0, 0.7], np.nan, [0.04, 0.04], "supplied")
        assert asked(ends, k=2).headroom.lower == pytest.approx(1 - 0.04 * stats.norm.ppf(0.975))
