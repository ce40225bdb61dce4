"""The card: verdicts and reasons on leaderboards whose truth is known, items, earlier dates."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from saturation.adaptive import fit as adaptive_fit
from saturation.adaptive import misfit
from saturation.errors import InputError
from saturation.leaderboard import runs, top, verdict
from saturation.own import card
from saturation.statistics import standard_errors

COLUMNS = ["model", "run", "configuration", "date"]
NO_SCORES = pd.DataFrame(columns=[*COLUMNS, "score", "standard_error", "n_items"])
NO_RESPONSES = pd.DataFrame(columns=[*COLUMNS, "item", "cluster", "response"])
SETTINGS = top.Settings()


def leaderboard(scores, n=1000, **columns):
    table = pd.DataFrame({"model": [f"m{i}" for i in range(len(scores))], "score": scores})
    return table.assign(
        run="", configuration="", date=None, standard_error=math.nan, n_items=n
    ).assign(**columns)


def answers(abilities, items, seed=0):
    """Right or wrong answers of models of these abilities to items of random difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1, items)
    return pd.concat(
        responded((rng.random(items) < 1 / (1 + np.exp(hard - ability))), f"m{i}")
        for i, ability in enumerate(abilities)
    )


def responded(response, model="m", configuration=""):
    return pd.DataFrame(
        {"model": model, "item": [f"q{j:02d}" for j in range(len(response))], "cluster": "",
         "run": "", "configuration": configuration, "date": "",
         "response": np.asarray(response, float)}
    )  # fmt: skip


def made(scores=NO_SCORES, responses=NO_RESPONSES, family="accuracy", **declared):
    return card.assemble("bench", scores, responses, {"family": family, **declared}, SETTINGS)


@pytest.mark.parametrize(
    ("best", "n", "status"),
    [
        (0.95, 2000, "exhausted"),
        (0.95, 100, "near the ceiling"),
        (0.9, 20_000, "near the ceiling"),  # a score at the ceiling has reached it
        (0.899, 20_000, "room left"),  # though the true score may be above
    ],
)
def test_headroom_has_the_words_of_the_statuses(best, n, status):
    judged = made(leaderboard([best - i / 1000 for i in range(6)], n))
    assert judged.frontier.answers.headroom.status == status


@pytest.mark.parametrize(
    ("scores", "n", "verdict", "reason"),
    [
        ([0.95, 0.949, 0.949, 0.948, 0.947], 20_000, "saturated", "equivalent_at_the_ceiling"),
        ([0.95, 0.95, 0.95, 0.94, 0.94], 500, "exhausted", "order_open"),
        ([0.60, 0.60, 0.60, 0.60, 0.60], 200, "underpowered", "too_few_items"),
        ([0.60, 0.60, 0.60, 0.60, 0.60], 20_000, "stagnated", "equivalent_below_the_ceiling"),
        ([0.90, 0.90, 0.90, 0.90, 0.90], 20_000, "undetermined", "headroom_unclear"),
        ([0.90, 0.80, 0.70, 0.60, 0.50], 1000, "separates", "all_separated"),
        ([0.85, 0.75, 0.65, 0.5, 0.4, 0.3], 20, "separates_in_part", "too_few_items_to_tell"),
        ([0.80, 0.75, 0.73, 0.71, 0.68], 800, "separates_in_part", "some_separated"),
        ([0.90, 0.80, 0.70], 1000, "undetermined", "too_few_models"),
    ],
)
def test_verdicts_and_reasons(scores, n, verdict, reason):
    result = made(leaderboard(scores, n))
    assert (result.verdict, result.reason) == (verdict, reason)
    assert result.error_rate == 0.05


def test_fewer_models_than_a_verdict_takes_have_their_pairs():
    pairs = made(leaderboard([0.9, 0.7, 0.5, 0.3], 1000)).frontier.pairs
    assert [(pair.better, pair.model) for pair in pairs] == [
        (f"m{i}", f"m{j}") for i in range(4) for j in range(i + 1, 4)
    ]
    # Pooled z of 0.9 against 0.7 and of 0.7 against 0.5, by hand.
    expected = {0: 0.2 / math.sqrt(0.8 * 0.2 * 2 / 1000), 3: 0.2 / math.sqrt(0.6 * 0.4 * 2 / 1000)}
    for place, z in expected.items():
        pair = pairs[place]
        assert pair.difference / pair.standard_error == pytest.approx(z)
        assert pair.difference == pytest.approx(0.2)
        assert pair.lower < pair.difference < pair.upper
    assert max(pair.p_adjusted for pair in pairs) < 1e-15
    assert made(leaderboard([0.9], 1000)).frontier is None
    enough = made(leaderboard([0.9, 0.8, 0.7, 0.6, 0.5], 1000))
    assert enough.frontier.pairs == []
    # Without errors there is no test.
    assert made(leaderboard([9.0, 8.0], math.nan), family="other").frontier is None


def test_known_label_noise_lowers_the_ceiling():
    scores = leaderboard([0.89, 0.89, 0.89, 0.889, 0.889], 20_000)
    assert made(scores).verdict == "stagnated"
    noisy = made(scores, label_noise=0.03)
    assert noisy.verdict == "saturated"
    assert noisy.frontier.answers.headroom.ceiling == pytest.approx(0.87)
    # A benchmark has a margin of its own.
    scores = leaderboard([0.6, 0.6, 0.6, 0.6, 0.59], 2000)
    assert made(scores).verdict == "underpowered"
    assert made(scores, meaningful_difference=0.1).verdict == "stagnated"


def test_a_metric_without_known_error_is_not_judged():
    scores = leaderboard([9.0, 8, 7, 6, 5], n=math.nan)
    runs = pd.concat(scores.assign(run=run) for run in "ab")
    # Runs that all agree tell no error; nor is a leader whose runs agree left out of the index.
    alike = runs.assign(score=runs["score"] + ((runs["run"] == "b") & (runs["model"] != "m0")))
    for table, family in ((scores, "other"), (runs, "rating"), (alike, "rating")):
        result = made(table, family=family)
        assert (result.verdict, result.reason) == ("undetermined", "metric_not_accuracy_like")
        assert result.frontier is None
    estimates = pd.DataFrame({"standard_error": [0.1] * 5 + [math.nan]})
    reasons = [None, "metric_not_accuracy_like", "metric_not_accuracy_like"]
    assert [card.unusable(estimates, k) for k in (5, 6, 7)] == reasons
    assert card.unusable(estimates.head(5), 6) == "too_few_models"


@pytest.mark.parametrize(
    ("scores", "declared", "remark"),
    [
        ([-0.3, -0.21], {"higher_is_better": False}, ", lower is better: m1 0.21, m0 0.3"),
        ([-0.3, 0.7], {}, ": m1 0.7, m0 -0.3"),
        ([0.75, 0.9], {"family": "bounded_mean"}, ": m1 90.00 %, m0 75.00 %"),
        (
            [0.75, 0.9],
            {"family": "bounded_mean", "score_range": [1, 5], "higher_is_better": False},
            ", lower is better: m1 1.4, m0 2",
        ),
    ],
)
def test_scores_that_no_test_compares_are_listed_as_in_the_files(scores, declared, remark):
    table = leaderboard(scores, math.nan)
    result = made(table, **{"family": "other"} | declared)
    assert result.frontier is None
    assert f"best scores{remark}" in result.data.remarks


def test_ratings_are_judged_by_their_intervals_and_need_a_margin():
    scores = leaderboard([1312.0, 1311, 1310, 1309, 1309], math.nan, standard_error=5.0)
    result = made(scores, family="rating")
    assert (result.verdict, result.reason) == ("undetermined", "no_margin")
    assert made(scores, family="rating", meaningful_difference=50).verdict == "stagnated"
    assert made(scores, family="rating", meaningful_difference=5).verdict == "underpowered"
    assert result.frontier.power.items_for_top_k is None
    assert made(scores.assign(score=0.0), family="rating").data.remarks == []
    assert [cell.alpha for cell in result.frontier.index.grid] == [1.0] * 4


@settings(max_examples=8, deadline=None)
@given(
    # Shares as files write them: the error of 1e-300 underflows.
    st.lists(st.floats(0, 1).map(lambda share: round(share, 12)), min_size=5, max_size=12),
    st.integers(1, 10**6),
)
def test_any_leaderboard_gets_a_card_also_at_0_and_100_percent(scores, n):
    result = made(leaderboard(scores, n))
    assert result.verdict in verdict.VERDICTS
    index = result.frontier.index
    assert 0 <= index.lower <= index.upper <= 1
    assert all(model.lower < model.upper for model in result.frontier.models)
    said = "no model scores above 0: the items are too hard for all of them, or scored wrongly"
    assert (said in result.data.remarks) == (max(scores) == 0)


class TestOtherModels:
    """What one model's files hold changes no other model's numbers."""

    boards = given(st.integers(5, 9), st.integers(0, 99), st.integers(1, 30))
    few = settings(max_examples=3, deadline=None)

    @staticmethod
    def responses(models, seed):
        return answers(np.linspace(1.5, 0, models), 40, seed)

    def same(self, before, after):
        """Every listed number of the first card is in the second."""
        later = {m.model: m for m in after.frontier.models}
        assert [m for m in before.frontier.models if later[m.model] != m] == []
        for part in ("ties", "answers", "power", "index"):
            assert getattr(after.frontier, part) == getattr(before.frontier, part)
        assert after.data.n_items == before.data.n_items
        assert after.data.error_sources == before.data.error_sources
        for name in ("verdict", "reason", "error_rate"):
            assert getattr(after, name) == getattr(before, name)

    @few
    @boards
    def test_what_is_not_ranked_stands_apart_and_repeats_change_nothing(self, models, seed, count):
        base = self.responses(models, seed)
        before, first = made(responses=base), base[base["model"] == "m0"]
        partial = first.iloc[:count].assign(model="part", response=1.0)
        alien = answers([3], count, seed).assign(model="alien")
        alien["item"] = "z" + alien["item"]
        repeats = [(base if count % 2 else first).assign(run=f"{i + 2}") for i in range(3)]
        after = [made(responses=pd.concat([base, *m])) for m in ([partial], [alien], repeats)]
        for found in after:
            self.same(before, found)
        (apart,) = after[0].data.unranked
        assert (apart.model, apart.coverage) == ("part", count / 40)
        assert (after[0].data.n_models, after[0].data.n_ranked) == (models + 1, models)
        assert "share no item with any other" in after[1].data.remarks[0]
        hard = first.assign(configuration="hard", response=0.0)
        prompted = made(responses=pd.concat([base.assign(configuration="p"), hard]))
        self.same(before, prompted)
        assert "'hard'" in prompted.data.remarks[0]

    @pytest.mark.parametrize("error", [math.nan, 0.02])
    def test_the_same_file_under_a_second_date_changes_nothing(self, error):
        scores = [0.8, 0.78, 0.77, 0.75, 0.7]
        base = leaderboard(scores, 500, standard_error=error, date="2025-01-01")
        again = [base.assign(date=f"2025-01-{day + 2:02d}") for day in range(3)]
        one = made(base)
        self.same(one, made(pd.concat([base, *again])))
        later = made(pd.concat([base, base.iloc[[2]].assign(date="2026-01-01")]))
        self.same(one, later)
        assert "1 earlier evaluations of 1 models" in later.data.remarks[0]

    def test_a_score_of_few_items_stands_apart(self):
        base = leaderboard([0.8, 0.78, 0.77, 0.75, 0.7], 500)
        after = made(pd.concat([base, leaderboard([1.0], 3).assign(model="lucky")]))
        self.same(made(base), after)
        assert after.data.unranked[0].model == "lucky"
        for n, ranked in ((400, 6), (399, 5)):  # of 500, at 80 % and below
            board = pd.concat([base, leaderboard([1.0], n).assign(model="part")])
            assert made(board).data.n_ranked == ranked


def test_an_item_that_one_model_answered_is_not_dead():
    matrix = pd.DataFrame({"a": [1.0, 1, 0, 0.5], "b": [np.nan, 1, 0, 0.5]})
    found = card.dead_items(matrix)
    assert found[0] == card.DeadItems(3, 1, 1)
    assert [len(names) for names in found[1:]] == [1, 1]
    assert found[1] != found[2]
    assert card.dead_items(matrix[["a"]]) == card.dead_items(pd.DataFrame()) == (None, [], [])


@pytest.fixture(scope="module")
def matrix():
    return standard_errors.item_matrix(answers(np.linspace(-2, 2, 12), 80, seed=1))[0]


@pytest.fixture(scope="module")
def plain(matrix):
    return card.measurement(matrix)


class TestItems:
    def test_a_model_that_is_rejected_is_doubted(self, matrix, plain):
        """Twelve models in pairs that answer alike, and twelve that do not."""
        assert (plain.doubt, plain.guessing) == ("", "")
        paired = matrix.copy()
        paired.iloc[:, 1::2] = matrix.iloc[:, ::2].to_numpy()
        doubt = card.measurement(paired).doubt
        assert doubt.startswith("the item response model is rejected: a second dimension")

    def test_a_floor_is_used_where_it_is_needed_unless_it_is_too_much(
        self, matrix, plain, monkeypatch
    ):
        monkeypatch.setattr(misfit, "believed", lambda *_: misfit.Guessing(0.2, 0.1, 0.3))
        found = card.measurement(matrix)
        assert found.guessing.startswith("right answers are guessed with a chance of 0.20")
        assert found.information.information != plain.information.information
        real = adaptive_fit.fit

        def refused(responses, share=0.0):
            if share:
                raise InputError("too little is known")
            return real(responses)

        monkeypatch.setattr(adaptive_fit, "fit", refused)
        assert card.measurement(matrix) == plain

    def test_why_items_are_not_measured(self, matrix):
        graded, _ = standard_errors.item_matrix(answers(np.arange(9), 30))
        guesses = np.random.default_rng(2).integers(0, 2, (30, 12))
        for given_, reason in (
            (matrix.iloc[:, :7], "7 models with item responses; 8 are needed"),
            (graded * 0.5, "responses are not 0 or 1"),
            (graded * 0, "all models answer alike"),
            (pd.DataFrame(guesses.astype(float)), "no ability that items have in common"),
        ):
            found = card.measurement(given_)
            assert reason in found.information.abstains
            assert (found.doubt, found.guessing) == ("", "")
        assert card.measurement(matrix.iloc[:, :8], 640).information.abstains is None
        # Only answers that are there count, and what stands against the model anyway comes first.
        gaps, reasons = matrix.copy(), []
        gaps.iloc[0, 0] = np.nan
        for given_, most in ((matrix, 959), (gaps, 958), (graded * 0.5, 0)):
            reasons.append(card.measurement(given_, most).information.abstains)
        assert reasons == [card.LEFT_OUT, card.LEFT_OUT, "responses are not 0 or 1"]
        assert card.measurement(gaps, 959).information.abstains is None

    def test_information_by_hand(self):
        """Two items: a^2 p (1 - p) at the best model, whose ability is the second item's."""
        fitted = SimpleNamespace(
            ability=np.array([-1.0, 0.0, 1.0]),
            discrimination=np.array([2.0, 1.0]),
            difficulty=np.array([-1.0, 1.0]),
            floor=0.0,
        )
        found = card.information(fitted)
        p = 1 / (1 + np.exp(-4))
        expected = 4 * p * (1 - p) + 0.25
        at_first = 4 * 0.25 + (1 / (1 + np.exp(2))) * (1 / (1 + np.exp(-2)))
        assert found.ability == 1
        assert found.information == pytest.approx(expected)
        assert found.ability_se == pytest.approx(expected**-0.5)
        assert found.highest_information == pytest.approx(at_first, abs=0.01)
        assert found.share_of_highest == pytest.approx(expected / found.highest_information)
        assert (found.items_with_half, found.n_items) == (1, 2)


class TestConsistency:
    def test_by_hand(self):
        responses = pd.concat(
            responded(response, model, configuration=configuration)
            for model, configuration, response in (
                ("z", "a", [1, 1, 0, 0, 1.0]),
                ("z", "b", [1, 0, 0, 0, 1.0]),
                ("z", "c", [1, 1, 0, 1.0]),  # the last item is not in all three
                ("only one", "a", [1, 0.0]),
                ("graded", "a", [0.5, 0.25]),
                ("graded", "b", [0.5, 0.75]),
            )
        )
        graded, found = card.consistency(responses).models
        assert found == card.ModelConsistency(
            model="z",
            n_configurations=3,
            n_items=4,
            consistency=0.5,
            chance=pytest.approx(2 / 2**3),  # right half of the time, three times
            lowest_mean=0.25,
            highest_mean=0.75,
        )
        assert (graded.model, graded.consistency) == ("graded", 0.5)
        assert graded.chance == pytest.approx(0.5)

    def test_it_abstains_without_shared_items_or_configurations(self):
        one = responded([1.0], configuration="a")
        apart = pd.concat([one, responded([1.0], configuration="b").assign(item="other")])
        assert "same items in two" in card.consistency(apart).abstains
        assert "more than one" in card.consistency(one).abstains
        assert "more than one" in card.consistency(one.iloc[:0]).abstains


def scored(*rows):
    frame = pd.DataFrame(rows, columns=["model", "score", "date"])
    return frame.assign(standard_error=np.nan, n_items=1000.0, run="", configuration="")


def spread(day, low, high, prefix="m"):
    return [
        (f"{prefix}{place}", score, day) for place, score in enumerate(np.linspace(high, low, 5))
    ]


class TestEarlier:
    @staticmethod
    def earlier(scores, responses=NO_RESPONSES):
        return card.earlier("bench", scores, responses, {"family": "accuracy"}, SETTINGS)

    def test_a_top_that_draws_together(self):
        early, late = spread("2025-01-10", 0.2, 0.6), spread("2025-03-05", 0.895, 0.9, "n")
        scores = scored(*early, *late, ("undated", 0.3, None))
        found = self.earlier(scores)
        first, last = found.dates
        assert (first.date, first.verdict, first.n_models) == ("2025-01-10", "separates", 5)
        assert (first.first, first.score, first.tied) == ("m0", 0.6, 1)
        assert first.gap == pytest.approx(0.4)
        assert (last.date, last.n_models, last.tied) == ("2025-03-05", 10, 5)
        assert found.undated == 1
        # The last date says what the card says.
        whole = made(scores.dropna(subset=["date"]))
        assert (last.verdict, last.reason) == (whole.verdict, whole.reason)
        assert last.gap == whole.frontier.index.gap

    def test_a_model_that_was_evaluated_again_counts_as_of_each_date(self):
        again = ("m4", 0.95, "2025-02-01"), ("m9", 0.1, "2025-02-01")
        first, last = self.earlier(scored(*spread("2025-01-10", 0.2, 0.6), *again)).dates
        assert (first.first, last.first, last.n_models) == ("m0", "m4", 6)

    def test_item_responses_count_from_their_date(self):
        responses = answers(np.linspace(1, -1, 10), 50)
        early = responses["model"] < "m5"
        responses["date"] = np.where(early, "2025-01-01", "2025-06-01")
        found = self.earlier(NO_SCORES, responses)
        assert [row.n_models for row in found.dates] == [5, 10]
        assert "0 dates" in self.earlier(NO_SCORES, responses.drop(columns="date")).abstains

    def test_of_many_months_some_are_shown_with_the_first_and_the_last(self):
        rows = [
            row
            for month in range(1, 13)
            for row in spread(f"2025-{month:02d}-{month + 5:02d}", 0.2, 0.6, f"m{month}-")
        ]
        dates = [row.date for row in self.earlier(scored(*rows, ("x", 0.1, "2025-06-01"))).dates]
        assert len(dates) == card.MOST_DATES
        assert (dates[0], dates[-1]) == ("2025-01-06", "2025-12-17")
        assert "2025-06-01" not in dates
        one_month = scored(*spread("2025-01-10", 0.2, 0.6), ("n", 0.1, "2025-01-20"))
        found = self.earlier(one_month)
        assert [row.date for row in found.dates] == ["2025-01-10", "2025-01-20"]

    def test_why_nothing_is_said(self):
        rows = spread("2025-01-10", 0.2, 0.6)
        assert self.earlier(scored(*rows)) == card.Abstention("1 date of evaluations")
        few = self.earlier(scored(("a", 0.5, "2024-01-01"), *rows))
        assert few.abstains.startswith("1 date by which enough models")


class TestRuns:
    """The two errors of the gap at the top, and what a renewed set can show."""

    @staticmethod
    def runs(models=6, items=60, runs=4, **columns):
        rng = np.random.default_rng(3)
        chance = rng.beta(0.5, 0.5, items)
        return pd.concat(
            responded(rng.random(items) < chance * (1 - m / 12), f"m{m}").assign(
                run=f"{run}", **columns
            )
            for m in range(models)
            for run in range(runs)
        )

    @staticmethod
    def found(responses, scores=NO_SCORES, name="bench"):
        judged = replace(made(scores, responses), benchmark=name)
        return card.repeated(scores, responses, judged, SETTINGS)

    def test_items_and_runs_make_up_the_error(self):
        responses = self.runs()
        found = self.found(responses)
        wide = responses.pivot_table(index="item", columns=["model", "run"], values="response")
        alone = runs.repeated(responses, "m0", found.kth)
        assert (found.first, found.n_runs, found.n_items) == ("m0", 4, 60)
        assert (found.gap, found.error) == (alone.gap, alone.error)
        assert found.error**2 == pytest.approx(found.items**2 + found.runs**2)
        assert (found.as_many_items, found.one_more_run) == (
            alone.as_many_items,
            alone.one_more_run,
        )
        over = [
            stats.sem(wide[m].mean(axis=1)) / stats.sem(wide[m].mean())
            for m in wide.columns.levels[0]
        ]
        assert (found.times_least, found.times_most) == pytest.approx((min(over), max(over)))
        assert not found.printed

    @pytest.mark.parametrize(("side", "told"), [(0, True), (1, False)])
    def test_printed_errors_that_leave_the_items_out_are_noticed(self, side, told):
        responses = self.runs()
        wide = responses.pivot_table(index=["model", "item"], columns="run", values="response")
        means = wide.groupby("model").mean() if side == 0 else wide.mean(axis=1).unstack()
        scores = pd.DataFrame({"score": means.mean(axis=1), "standard_error": means.sem(axis=1)})
        table = leaderboard(scores["score"].to_numpy(), 60).assign(
            model=scores.index, standard_error=scores["standard_error"].to_numpy()
        )
        found = self.found(responses, table)
        assert found.printed
        assert (found.times_most is not None and found.times_most > 1) == told

    def test_what_runs_cannot_say_has_its_reason(self):
        both = pd.concat([self.runs(), self.runs(configuration="b")])
        for responses, part in (
            (self.runs(cluster="c"), "clusters"),
            (self.runs(runs=2), "whole runs"),
            (both, "configurations"),
        ):
            assert part in self.found(responses).abstains

    def test_without_runs_other_leaderboards_of_the_kind_are_named(self):
        once = self.runs(runs=1)
        assert self.found(once).boards == 16
        assert self.found(once, name="aime_2026").kind == "mathematics"
        assert (
            card.repeated(NO_SCORES, once, replace(made(responses=once), frontier=None), SETTINGS)
            is None
        )

    def test_gaps_of_a_renewed_set_are_as_uncertain_as_dated_items_say(self):
        rng = np.random.default_rng(1)
        names = [f"{'abcd'[m % 4]}-{m}" for m in range(16)]
        ability = np.linspace(-1, 1, 16)
        tilt = rng.normal(0, 0.7, 16)
        hard = rng.normal(0, 1, 200)
        old = np.arange(200) < 100
        responses = pd.concat(
            responded(
                rng.random(200) < 1 / (1 + np.exp(hard - ability[m] - tilt[m] * ~old)), name
            ).assign(item=[f"q{j:03d}" for j in range(200)])
            for m, name in enumerate(names)
        )
        # An item that half of the models answered does not count, and costs no model.
        lacking = (responses["item"] == "q050") & responses["model"].isin(names[:8])
        responses = responses[~lacking]
        judged = made(responses=responses)
        items = [f"q{j:03d}" for j in range(200)]
        dates = pd.Series(np.where(old, "2024-01-01", "2025-01-01"), items)
        found = card.renewed(responses, dates, judged)
        assert found.factor > 2
        assert (found.n_models, found.labs) == (16, 4)
        power = judged.frontier.power
        assert found.detectable == power.minimum_detectable_difference * found.factor**0.5
        shuffled = pd.Series(rng.permutation(dates), items)
        found = card.renewed(responses, shuffled, judged)
        least = power.minimum_detectable_difference * max(found.factor, 1) ** 0.5
        assert (found.factor < 1.6, found.detectable) == (True, least)
        for few in (None, dates.iloc[:30]):
            assert "not known" in card.renewed(responses, few, judged).abstains
