"""The card: verdicts and reasons on leaderboards whose truth is known."""

import json
import math
from dataclasses import asdict, replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.files.tables import write_json, write_json_line
from saturation.index import saturation_index
from saturation.leaderboard import top, verdict
from saturation.leaderboard.top import frontier
from saturation.own import card, cards
from saturation.own import pages as own_pages
from saturation.own.imports import ImportRecord
from saturation.pages import templates
from saturation.statistics import intervals, standard_errors

NO_RESPONSES = pd.DataFrame(
    columns=["model", "item", "cluster", "run", "configuration", "response"]
)
SETTINGS = top.Settings()
EVIL = '<script>alert("x")</script> & "quotes" | `code` ]] -->'
TEMPLATES = "workflow/templates"


def leaderboard(scores, n=1000, **columns):
    table = pd.DataFrame({"model": [f"m{i}" for i in range(len(scores))], "score": scores})
    return table.assign(
        run="", configuration="", date=None, standard_error=math.nan, n_items=n
    ).assign(**columns)


def made(scores, responses=NO_RESPONSES, family="accuracy", **declared):
    return card.assemble("bench", scores, responses, {"family": family, **declared}, SETTINGS)


def completed(judged, **changes):
    """The whole card, which says nothing beyond the verdict."""
    nothing = card.Abstention("no dates")
    parts = {
        "observed_on": "2026-01-31", "released": None, "synthetic": False, "history": nothing,
        "earlier": nothing, "items": card.Items("", "", nothing, nothing), "consistency": nothing,
        "imported": ImportRecord([], 0, 0, {}, []),
    }  # fmt: skip
    return card.Card(**vars(judged) | parts | changes)


def answers(abilities, items, seed=0, clusters=None):
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1, items)
    return pd.concat(
        pd.DataFrame(
            {
                "model": f"m{i}",
                "item": [f"q{j}" for j in range(items)],
                "cluster": "" if clusters is None else [f"c{j // clusters}" for j in range(items)],
                "run": "",
                "configuration": "",
                "response": (rng.random(items) < 1 / (1 + np.exp(hard - ability))).astype(float),
            }
        )
        for i, ability in enumerate(abilities)
    )


@pytest.mark.parametrize(
    ("scores", "n", "verdict", "reason"),
    [
        ([0.95, 0.949, 0.949, 0.948, 0.947], 20_000, "saturated", "alike_at_the_ceiling"),
        ([0.60, 0.60, 0.60, 0.60, 0.60], 200, "underpowered", "too_few_items"),
        ([0.60, 0.60, 0.60, 0.60, 0.60], 20_000, "stagnated", "alike_below_the_ceiling"),
        ([0.90, 0.90, 0.90, 0.90, 0.90], 20_000, "undetermined", "headroom_unclear"),
        ([0.90, 0.80, 0.70, 0.60, 0.50], 1000, "separates", "told_apart"),
        ([0.80, 0.75, 0.73, 0.71, 0.68], 800, "separates_in_part", "partly_told_apart"),
        ([0.90, 0.80, 0.70], 1000, "undetermined", "too_few_models"),
    ],
)
def test_verdicts_and_reasons(scores, n, verdict, reason):
    result = made(leaderboard(scores, n))
    assert (result.verdict, result.reason) == (verdict, reason)


def test_known_label_noise_lowers_the_ceiling():
    scores = leaderboard([0.89, 0.89, 0.89, 0.889, 0.889], 20_000)
    assert made(scores).verdict == "stagnated"
    assert made(scores, label_noise=0.03).verdict == "saturated"
    assert made(scores, label_noise=0.03).frontier.answers.headroom.ceiling == (pytest.approx(0.87))


def test_a_benchmark_has_a_margin_of_its_own():
    scores = leaderboard([0.6, 0.6, 0.6, 0.6, 0.59], 2000)
    assert made(scores).verdict == "underpowered"
    assert made(scores, meaningful_difference=0.1).verdict == "stagnated"


def test_a_metric_without_known_error_is_not_judged():
    result = made(leaderboard([9.0, 8, 7, 6, 5], n=None).astype({"n_items": float}), family="other")
    assert (result.verdict, result.reason) == ("undetermined", "metric_not_accuracy_like")
    assert result.p_saturated is None


def test_ratings_are_judged_by_their_intervals_and_need_a_margin():
    scores = leaderboard([1312.0, 1311, 1310, 1309, 1309], math.nan, standard_error=5.0)
    result = made(scores, family="rating")
    assert (result.verdict, result.reason) == ("undetermined", "no_margin")
    assert made(scores, family="rating", meaningful_difference=50).verdict == "stagnated"
    assert made(scores, family="rating", meaningful_difference=5).verdict == "underpowered"
    assert result.frontier.power.items_for_top_k is None
    assert [cell.alpha for cell in result.frontier.index.grid] == [1.0] * 4


def test_the_index_is_that_of_the_plateau_study():
    index = made(leaderboard([0.9, 0.88, 0.87, 0.86, 0.85], 400)).frontier.index
    assert index.s_index == pytest.approx(float(saturation_index(0.9, 0.85, 400, 0.5)))
    for cell in index.grid:
        s_k = [0.9, 0.88, 0.87, 0.86, 0.85][cell.k - 1]
        expected = float(saturation_index(0.9, s_k, 400, cell.alpha))
        assert cell.s_index == pytest.approx(expected)


def test_the_index_and_p_saturated_are_those_of_the_whole_board():
    scores = leaderboard([0.9, 0.88, 0.87, 0.86, 0.85, 0.8, 0.6], 400)
    result = made(scores)
    nothing = (pd.DataFrame(), pd.Series(dtype=str))
    estimates = standard_errors.estimates(scores, *nothing, "accuracy", 0.95)
    index = top.index(estimates, *nothing, SETTINGS)
    assert result.frontier.index == index
    assert result.p_saturated == index.p_saturated
    assert index.all_equal.n_models == 7


@settings(max_examples=40)
@given(
    # Shares as files write them: the error of 1e-300 underflows.
    st.lists(st.floats(0, 1).map(lambda share: round(share, 12)), min_size=5, max_size=12),
    st.integers(1, 10**6),
)
def test_any_leaderboard_gets_a_card_also_at_0_and_100_percent(scores, n):
    result = made(leaderboard(scores, n))
    assert result.verdict in verdict.VERDICTS
    assert 0 <= result.p_saturated <= 1
    index = result.frontier.index
    assert 0 <= index.lower <= index.upper <= 1
    assert all(model.lower < model.upper for model in result.frontier.models)


def test_gaps_to_the_leader_have_newcombes_interval():
    ties = made(leaderboard([1.0, 0.98, 0.97, 0.96, 0.9], 50)).frontier.ties["independent"]
    second = ties.with_leader[0]
    assert [second.lower, second.upper] == pytest.approx(intervals.newcombe(50, 50, 49, 50))


def test_names_and_order_of_the_models_do_not_matter():
    scores = [0.9, 0.88, 0.87, 0.86, 0.85, 0.6]
    first = made(leaderboard(scores))
    shuffled = leaderboard(scores).sample(frac=1, random_state=1)
    assert made(shuffled.assign(model=[f"z{i}" for i in range(6)])).p_saturated == pytest.approx(
        first.p_saturated
    )


def test_item_responses_narrow_the_ties_where_models_agree_on_the_hard_items():
    rng = np.random.default_rng(0)
    base = (rng.random(400) < 0.7).astype(float)
    frames = []
    for i in range(5):
        own = base.copy()
        own[np.flatnonzero(base == 1)[: 6 * i]] = 0.0  # each model fails some more of the same
        frames.append(answers([0], 400).assign(model=f"m{i}", response=own))
    result = made(leaderboard([0.5] * 5).iloc[:0], pd.concat(frames))
    ties = result.frontier.ties
    assert ties["paired"].method == "mcnemar"
    assert len(ties["paired"].group) < len(ties["independent"].group)
    assert result.frontier.index.implied_alpha > 1


def test_clusters_widen_the_errors():
    rng = np.random.default_rng(2)
    shared = np.repeat(rng.random(20), 10)
    responses = pd.concat(
        answers([0], 200, clusters=10).assign(
            model=f"m{i}", response=(shared < 0.6 + i / 100).astype(float)
        )
        for i in range(5)
    )
    result = made(leaderboard([0.5] * 5).iloc[:0], responses)
    assert result.data.error_sources == ["clustered_items"]
    alone = made(leaderboard([0.5] * 5).iloc[:0], responses.assign(cluster=""))
    assert result.frontier.models[0].standard_error > 2 * alone.frontier.models[0].standard_error


def test_frontier_without_shared_items_compares_scores():
    matrix, clusters = standard_errors.item_matrix(answers([0, 1], 30))
    scores = leaderboard([0.9, 0.8, 0.7, 0.6, 0.5])
    estimates = standard_errors.estimates(scores, matrix, clusters, "accuracy", 0.95)
    found = frontier(estimates, matrix, clusters, SETTINGS)
    pairs = found.ties["paired"].with_leader
    # The leader has no items, so that each of its pairs is one of scores.
    assert {row.method for row in pairs} <= {"z", "pooled_z"}


class TestOtherModels:
    """What one model's files hold changes no other model's numbers."""

    NUMBERS = ("score", "standard_error", "lower", "upper", "n_items", "coverage", "error_source")

    @staticmethod
    def responses(models, items, seed):
        return answers(np.linspace(1.5, 0, models), items, seed)

    def same(self, before, after, ranks=True):
        """Every listed number of the first card is in the second."""
        known = {model.model for model in before.frontier.models}
        assert [m.model for m in before.frontier.models] == [
            m.model for m in after.frontier.models if m.model in known
        ]
        later = {m.model: m for m in after.frontier.models}
        names = (*self.NUMBERS, "best_rank", "worst_rank") if ranks else self.NUMBERS
        for model in before.frontier.models:
            for name in names:
                assert getattr(later[model.model], name) == getattr(model, name), name
        if ranks:
            for part in ("ties", "answers", "power", "index"):
                assert getattr(after.frontier, part) == getattr(before.frontier, part)
            assert after.data.n_items == before.data.n_items
            assert after.data.error_sources == before.data.error_sources
            for name in ("verdict", "reason", "error_rate", "p_saturated"):
                assert getattr(after, name) == getattr(before, name)

    def card(self, responses=NO_RESPONSES, scores=None):
        return made(leaderboard([]) if scores is None else scores, responses)

    @settings(max_examples=4, deadline=None)
    @given(st.integers(5, 9), st.integers(0, 99), st.integers(1, 30))
    def test_a_partial_run_stands_apart(self, models, seed, answered):
        base = self.responses(models, 40, seed)
        partial = base[base["model"] == "m0"].iloc[:answered].assign(model="part", response=1.0)
        before, after = self.card(base), self.card(pd.concat([base, partial]))
        self.same(before, after)
        (apart,) = after.data.apart
        assert (apart.model, apart.coverage) == ("part", answered / 40)
        assert (after.data.n_models, after.data.n_ranked) == (models + 1, models)

    @settings(max_examples=4, deadline=None)
    @given(st.integers(5, 9), st.integers(0, 99), st.integers(1, 80))
    def test_a_model_with_items_of_its_own_stands_apart(self, models, seed, items):
        base = self.responses(models, 40, seed)
        alien = answers([3], items, seed).assign(model="alien")
        alien["item"] = "z" + alien["item"]
        before, after = self.card(base), self.card(pd.concat([base, alien]))
        self.same(before, after)
        assert "share no item with any other" in after.data.remarks[0]

    @settings(max_examples=4, deadline=None)
    @given(st.integers(5, 9), st.integers(0, 99), st.integers(1, 3), st.booleans())
    def test_an_identical_repeat_changes_nothing(self, models, seed, repeats, all_models):
        base = self.responses(models, 40, seed)
        again = base if all_models else base[base["model"] == "m1"]
        repeated = [again.assign(run=f"{run + 2}") for run in range(repeats)]
        self.same(self.card(base), self.card(pd.concat([base, *repeated])))

    @pytest.mark.parametrize("error", [math.nan, 0.02])
    @pytest.mark.parametrize("dates", [1, 8])
    def test_the_same_file_under_a_second_date_changes_nothing(self, error, dates):
        base = leaderboard(
            [0.8, 0.78, 0.77, 0.75, 0.7], 500, standard_error=error, date="2025-01-01"
        )
        again = [base.assign(date=f"2025-01-{day + 2:02d}") for day in range(dates)]
        one, two = self.card(scores=base), self.card(scores=pd.concat([base, *again]))
        self.same(one, two)
        only = base.iloc[[2]].assign(date="2026-01-01")
        self.same(one, self.card(scores=pd.concat([base, only])))
        assert (
            "1 earlier evaluations of 1 models"
            in (self.card(scores=pd.concat([base, only])).data.remarks[0])
        )

    def test_a_score_of_few_items_stands_apart(self):
        base = leaderboard([0.8, 0.78, 0.77, 0.75, 0.7], 500)
        lucky = leaderboard([1.0], 3).assign(model="lucky")
        after = self.card(scores=pd.concat([base, lucky]))
        self.same(self.card(scores=base), after)
        assert after.data.apart[0].model == "lucky"

    @settings(max_examples=4, deadline=None)
    @given(st.integers(5, 9), st.integers(0, 99))
    def test_another_whole_model_changes_no_other_models_numbers(self, models, seed):
        base = self.responses(models, 40, seed)
        weak = answers([-3], 40, seed).assign(model="weak")
        before, after = self.card(base), self.card(pd.concat([base, weak]))
        self.same(before, after, ranks=False)
        first = [card.frontier.ties["paired"].with_leader for card in (before, after)]
        unadjusted = [
            [replace(row, p_adjusted=0.0) for row in rows if row.model != "weak"] for rows in first
        ]
        assert unadjusted[0] == unadjusted[1]

    def test_a_prompt_of_one_model_changes_nothing(self):
        base = self.responses(6, 40, 1).assign(configuration="p")
        hard = base[base["model"] == "m0"].assign(configuration="hard", response=0.0)
        before, after = self.card(base), self.card(pd.concat([base, hard]))
        self.same(before, after)
        assert "'hard'" in after.data.remarks[0]

    def test_two_models_without_a_common_item_have_a_card_with_a_sentence(self):
        one, two = answers([0], 20), answers([1], 20).assign(model="other")
        two.item = "z" + two.item
        found = self.card(pd.concat([one, two]))
        assert (found.verdict, found.reason) == ("undetermined", "too_few_models")
        assert "share no item with any other" in found.data.remarks[0]

    def test_shares_over_runs_are_compared_by_t_tests(self):
        base = self.responses(6, 40, 2)
        other = self.responses(6, 40, 3).assign(run="2")
        ties = self.card(pd.concat([base, other])).frontier.ties["paired"]
        assert ties.method == "clustered_t"
        assert ties.items == 40


def test_k_models_with_known_errors_are_enough():
    estimates = pd.DataFrame({"standard_error": [0.1] * 5 + [math.nan]})
    assert card.unusable(estimates, 5) is None
    assert card.unusable(estimates, 6) == "metric_not_accuracy_like"
    assert card.unusable(estimates, 7) == "too_few_models"


class TestPages:
    @pytest.fixture
    def evil(self):
        """A card whose names try to break out of every format."""
        responses = answers(np.linspace(0, 2, 9), 40)
        responses["model"] = responses["model"].replace("m8", EVIL)
        responses["item"] += EVIL
        result = made(leaderboard([0.5]).iloc[:0], responses)
        matrix, _ = standard_errors.item_matrix(responses)
        return completed(
            result,
            benchmark=EVIL,
            observed_on=EVIL,
            synthetic=True,
            history=card.Abstention(EVIL),
            earlier=card.Abstention(EVIL),
            items=card.measurement(matrix, 0.95),
            consistency=card.consistency(responses),
        )

    @staticmethod
    def template(request, name):
        return (request.config.rootpath / TEMPLATES / name).read_text(encoding="utf-8")

    def test_nothing_breaks_out_of_the_page(self, evil, request):
        page = own_pages.card_html(evil, [EVIL], self.template(request, "card.html.j2"))
        before, own = page.split("<script>")
        assert own.startswith('\n"use strict";')
        assert "<script" not in before + own
        assert EVIL not in page
        assert "&lt;script&gt;" in page
        assert "synthetic data" in page

    def test_nothing_breaks_out_of_the_badge(self, evil, request):
        svg = own_pages.badge(evil, self.template(request, "badge.svg.j2"))
        root = ElementTree.fromstring(svg)
        assert {child.tag.split("}")[1] for child in root.iter()} == {
            "svg", "title", "rect", "g", "text"
        }  # fmt: skip

    def test_nothing_breaks_out_of_a_markdown_table(self, evil, request):
        text = own_pages.card_markdown(evil, [EVIL], self.template(request, "card.md.j2"))
        assert "<script" not in text
        rows = [line for line in text.splitlines() if line.startswith("| &lt;script")]
        assert len(rows) == 1
        assert rows[0].replace("\\|", "").count("|") == 8
        assert templates.escape_markdown("a\nb") == "a b"

    def test_an_undetermined_card_has_all_its_pages(self, request):
        result = completed(made(leaderboard([0.9, 0.8])))
        assert "too few models" in own_pages.card_markdown(
            result, [], self.template(request, "card.md.j2")
        )
        assert "undetermined" in own_pages.card_html(
            result, [], self.template(request, "card.html.j2")
        )
        line = result.summary
        assert (line.verdict, line.s_index, line.tied_at_top) == (
            "undetermined",
            None,
            None,
        )

    def test_the_summary_is_one_line_of_json_and_infinities_become_null(self, tmp_path):
        result = completed(made(leaderboard([0.9] * 5)))
        assert result.frontier.power.items_for_top_k == math.inf
        write_json_line(asdict(result.summary), tmp_path / "summary.json")
        (line,) = (tmp_path / "summary.json").read_text().splitlines()
        assert json.loads(line)["tied_at_top"] == 5
        write_json(cards.written(result), tmp_path / "card.json")
        power = json.loads((tmp_path / "card.json").read_text())["frontier"]["power"]
        assert power["items_for_top_k"] is None

    def test_numbers_for_people(self):
        assert templates.number(math.inf, 0) == "∞"
        assert templates.number(None) == "–"
        assert templates.number(12345.0, 0) == "12,345"
        assert templates.percent(0.1234) == "12.3 %"


def test_runs_that_all_agree_tell_no_error_and_nothing_is_judged():
    runs = pd.concat(
        leaderboard([1100.0, 1090, 1080, 1070, 1060], n=math.nan, run=run) for run in "ab"
    )
    found = made(runs, family="rating")
    assert (found.verdict, found.reason) == ("undetermined", "metric_not_accuracy_like")
    # A leader whose runs agree is not left out of the index: nothing is said of the top then.
    runs["score"] += np.where((runs["run"] == "b") & (runs["model"] != "m0"), 5, 0)
    assert made(runs, family="rating").verdict == "undetermined"


def test_a_board_on_which_nobody_scores_says_so():
    said = "no model scores above 0: the items are too hard for all of them, or scored wrongly"
    assert said in made(leaderboard([0.0] * 6)).data.remarks
    assert said not in made(leaderboard([0.001] + [0.0] * 5)).data.remarks
    errors = {"standard_error": 1.0, "n": math.nan}
    assert said not in made(leaderboard([0.0] * 6, **errors), family="rating").data.remarks
