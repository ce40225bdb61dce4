"""The top of a leaderboard, by hand, against the plateau study and under simulated truth."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.leaderboard import top
from saturation.statistics import intervals, standard_errors
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import mid_p, paired_tests

SETTINGS = top.Settings()
SCORES = [0.9, 0.88, 0.87, 0.86, 0.85]
NOTHING = (pd.DataFrame(), pd.Series(dtype=str))


def board(scores, n=400, errors=None, source="binomial"):
    """Estimates of models whose errors are binomial unless given."""
    sizes = np.broadcast_to(np.asarray(n, float), len(scores))
    if errors is None:
        errors = standard_errors.binomial_error(scores, sizes)
    return pd.DataFrame(
        {
            "model": [f"m{i}" for i in range(len(scores))],
            "score": scores,
            "standard_error": errors,
            "lower": 0.0,
            "upper": 1.0,
            "n_items": sizes,
            "error_source": source,
        }
    )


def frontier(table, items=NOTHING, **changes):
    return top.frontier(table, *items, top.Settings(**changes))


def answered(right, clusters=None):
    """Item matrix of a share or of 0 and 1 by item and model, with clusters."""
    right = np.asarray(right, float)
    names = [f"q{i:03d}" for i in range(len(right))]
    matrix = pd.DataFrame(right, index=names, columns=[f"m{i}" for i in range(right.shape[1])])
    groups = pd.Series(names if clusters is None else clusters, index=names)
    return matrix, groups


def estimated(matrix, clusters):
    scores = pd.DataFrame(
        columns=["model", "score", "standard_error", "n_items", "run", "configuration"]
    )
    return standard_errors.estimates(scores, matrix, clusters, "accuracy", 0.95)


class TestPower:
    def test_by_hand(self):
        power = frontier(board(SCORES, [400, 500, 600, 700, 800])).power
        second = math.hypot(*standard_errors.binomial_error([0.9, 0.88], [400, 500]))
        last = math.hypot(*standard_errors.binomial_error([0.9, 0.85], [400, 800]))
        reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
        assert power.minimum_detectable_difference == pytest.approx(reach * last)
        assert power.items_for_top_two == math.ceil(400 * (reach * second / 0.02) ** 2)
        assert power.items_for_top_k == math.ceil(400 * (reach * last / 0.05) ** 2)
        assert (power.n_items, power.k) == (400, 5)
        assert (power.level, power.power) == (0.95, 0.8)

    def test_the_paired_error_counts_where_items_are_shared(self):
        rng = np.random.default_rng(2)
        base = rng.random(200) < 0.8
        right = np.column_stack([base] + [base & (rng.random(200) < 0.97**i) for i in range(1, 5)])
        items = answered(right.astype(float))
        table = estimated(*items)
        power = frontier(table, items).power
        order = table["model"]
        difference = items[0][order[0]] - items[0][order[4]]
        paired = difference.std(ddof=1) / math.sqrt(200)
        few = stats.t.ppf([0.975, 0.8], 199).sum()
        assert power.minimum_detectable_difference == pytest.approx(few * paired)
        reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
        assert paired < 0.8 * math.hypot(*table["standard_error"][[0, 4]])
        assert power.items_for_top_k == math.ceil(200 * (reach * paired / difference.mean()) ** 2)

    def test_only_the_items_of_the_two_models_count(self):
        """The third lacks 30 items and the fifth another 20: each gap has its own number."""
        rng = np.random.default_rng(3)
        right = (rng.random((100, 5)) < [0.95, 0.9, 0.8, 0.7, 0.4]).astype(float)
        right[:30, 2] = np.nan
        right[40:60, 4] = np.nan
        items = answered(right)
        found = frontier(estimated(*items), items)
        assert found.power.n_items == 80
        with_leader = found.ties["paired"].with_leader
        assert [row.items for row in with_leader] == [100, 70, 100, 80]
        assert found.ties["paired"].items == 70
        both = items[0].dropna(subset=["m4"])
        difference = both["m0"] - both["m4"]
        assert with_leader[3].difference == pytest.approx(difference.mean())
        error = difference.std(ddof=1) / math.sqrt(80)
        reach = stats.t.ppf([0.975, 0.8], 79).sum()
        assert found.power.minimum_detectable_difference == pytest.approx(reach * error)
        assert found.power.items_for_top_two == (
            frontier(estimated(*items).head(2), items).power.items_for_top_two
        )
        # The index takes the same gap, with the errors of the two models' own items.
        first, last = found.models[0], found.models[4]
        scale = math.hypot(first.standard_error * 100**0.25, last.standard_error * 80**0.25)
        assert found.index.s_index == pytest.approx(math.exp(-((difference.mean() / scale) ** 2)))

    def test_models_that_answer_alike_have_their_own_errors(self):
        same = np.repeat(np.arange(50)[:, None] % 2, 5, axis=1)
        items = answered(same)
        power = frontier(estimated(*items), items).power
        reach = stats.t.ppf([0.975, 0.8], 49).sum()
        expected = reach * math.sqrt(2 * 0.25 / 49)
        assert power.minimum_detectable_difference == pytest.approx(expected)
        assert power.items_for_top_k == math.inf

    def test_without_n_no_number_of_items_is_said(self):
        power = frontier(board([1310.0, 1300, 1290, 1280, 1270], np.nan, 4.0, "supplied")).power
        assert power.items_for_top_two is None
        assert power.items_for_top_k is None
        reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
        assert power.minimum_detectable_difference == pytest.approx(reach * math.sqrt(32))


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
        places = ["best_rank", "worst_rank", "tied_with_leader"]
        assert set(vars(models[0])) == {*standard_errors.ESTIMATE_COLUMNS, *places, "coverage"}

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
        assert strict.models[4].best_rank == 1
        assert lax.models[4].best_rank > 1
        widths = [
            np.subtract(*(getattr(side.ties["independent"].with_leader[0], end)
                          for end in ("upper", "lower"))) for side in (strict, lax)
        ]  # fmt: skip
        assert widths[0] > 2 * widths[1]

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

    def test_the_kth_model_is_listed_whatever_the_limit(self):
        assert len(frontier(board(SCORES), compared=2, k=4).models) == 4


def expected_wins(items, table, one, other):
    one, other = (items[0][table["model"][place]] for place in (one, other))
    return int(((one == 1) & (other == 0)).sum())


class TestPaired:
    RIGHT = (np.random.default_rng(4).random((120, 5)) < [0.9, 0.85, 0.8, 0.75, 0.6]).astype(float)

    def test_shared_items_are_compared_item_by_item(self):
        items = answered(self.RIGHT)
        table = estimated(*items)
        found = frontier(table, items)
        assert set(found.ties) == {"independent", "paired"}
        paired = found.ties["paired"]
        assert paired.abstains is None
        for place, row in enumerate(paired.with_leader, 1):
            mid = mid_p(
                expected_wins(items, table, 0, place), expected_wins(items, table, place, 0)
            )
            assert row.p_value_mid == pytest.approx(float(mid))
            assert row.p_value_mid <= row.p_value
        assert (paired.method, paired.items) == ("mcnemar", 120)
        expected = paired_tests(items[0][list(table["model"])], items[1])
        assert [row.p_value for row in paired.with_leader] == pytest.approx(expected.p_value[0, 1:])
        # Ranks and the index follow the paired tests.
        adjusted = statistics_pairs.holm_pairs(expected.p_value)
        ranks = statistics_pairs.rank_intervals(expected.difference, adjusted, 0.95)
        assert [row.best_rank for row in found.models] == ranks[:, 0].tolist()
        assert found.index == top.index(table, *items, SETTINGS)
        assert found.index.method == "paired_adjusted"

    def test_clusters_have_a_t_test_and_its_interval(self):
        items = answered(self.RIGHT, [f"c{i // 4}" for i in range(120)])
        table = estimated(*items)
        found = frontier(table, items).ties["paired"]
        assert (found.method, found.abstains) == ("clustered_t", None)
        row = found.with_leader[3]
        assert row.p_value_mid is None
        half = stats.t.ppf(0.975, 29) * row.standard_error
        assert [row.lower, row.upper] == pytest.approx(
            [row.difference - half, row.difference + half]
        )

    def test_too_few_clusters_say_so(self):
        """Six equal clusters give no p-value below 1/32; ten pairs need 1/200."""
        items = answered(self.RIGHT, [f"c{i // 20}" for i in range(120)])
        found = frontier(estimated(*items), items).ties["paired"]
        assert found.abstains == (
            "the items hang together in clusters worth 6.0 equal ones; so few cannot tell any two "
            "of 5 models apart at this level"
        )
        assert len(found.group) == 5
        # Eight give 1/128, nine 1/256.
        for size, enough in ((15, False), (13, True)):
            items = answered(self.RIGHT[: size * (120 // size)],
                             [f"c{i // size}" for i in range(size * (120 // size))])  # fmt: skip
            ties_of = frontier(estimated(*items), items).ties["paired"]
            assert (ties_of.abstains is None) == enough
        assert frontier(estimated(*items), items, level=0.5).ties["paired"].abstains is None

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
        found = frontier(estimated(*items), items, k=2)
        assert list(found.ties) == ["independent"]
        assert found.index.implied_alpha is None
        assert found.index.method == "normal"


def test_the_parts_are_those_of_their_functions():
    table = board(SCORES)
    pairs = top.independent_pairs(table)
    found = frontier(table)
    assert found.index == top.index(table, *NOTHING, SETTINGS)
    assert found.power == top.power(table, pairs, SETTINGS)


def test_nothing_changes_after_it_is_stated():
    table = board(SCORES)
    pairs = top.independent_pairs(table)
    for stated in (
        SETTINGS,
        top.power(table, pairs, SETTINGS),
    ):
        with pytest.raises(FrozenInstanceError):
            stated.k = 2


class TestManyModels:
    """Boards so large that only the listed models are compared with all."""

    def both(self, monkeypatch, table, **changes):
        whole = frontier(table, compared=6, **changes)
        monkeypatch.setattr(top, "MOST_PAIRED", 10)
        return whole, frontier(table, compared=6, **changes)

    @pytest.mark.parametrize("spread", [0.002, 0.02])
    def test_the_tests_are_the_same_and_the_adjustment_more_careful(self, monkeypatch, spread):
        rng = np.random.default_rng(3)
        scores = np.sort(0.9 - spread * rng.random(40).cumsum())[::-1]
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

    @pytest.mark.parametrize("clusters", [None, np.arange(200) // 2], ids=["alone", "clustered"])
    def test_responses_are_compared_with_the_listed_models_alone(self, monkeypatch, clusters):
        rng = np.random.default_rng(4)
        right = rng.random((200, 40)) < np.linspace(0.9, 0.4, 40)
        items = answered(right, clusters)
        table = estimated(*items)
        whole, large = self.both(monkeypatch, table, items=items)
        decided = [found.ties["paired"] for found in (whole, large)]
        assert [found.adjustment for found in decided] == ["holm", "bonferroni"]
        for one, other in zip(*(found.with_leader for found in decided), strict=True):
            kept = ("model", "items", "p_value", "p_value_mid", "only_leader", "only_model")
            assert [getattr(one, key) for key in kept] == [getattr(other, key) for key in kept]
            assert other.p_adjusted == min(1.0, other.p_value * 40 * 39 / 2)
        assert set(decided[0].group) <= set(decided[1].group)
        assert len(decided[1].group) < 40
        for one, other in zip(whole.models, large.models, strict=True):
            assert other.best_rank <= one.best_rank
            assert one.worst_rank <= other.worst_rank <= 40
        # The contenders are those that the listed models do not rule out.
        same, careful = (found.answers.equivalence for found in (whole, large))
        assert same.contenders <= careful.contenders
        assert same.answer == careful.answer
        assert whole.power == large.power
        assert whole.index == large.index

    def test_one_pair_is_told_apart_at_the_level_over_all_pairs(self, monkeypatch):
        table = board([0.9] * 5 + [0.1] * 15)
        _, large = self.both(monkeypatch, table, k=6)
        assert large.answers.resolution.told_apart == 5
        assert [model.worst_rank for model in large.models] == [5] * 5 + [20]
        assert [model.best_rank for model in large.models] == [1] * 5 + [6]
        # The level that a further pair would need is shared by all 190 pairs.
        pairs = statistics_pairs.pooled_z_tests([0.9] * 20, [400.0] * 20, 6)
        adjusted = statistics_pairs.adjusted_pairs(pairs.p_value)
        assert statistics_pairs.open_pairs(adjusted, 0.95) == 190
