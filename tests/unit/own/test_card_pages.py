"""The card's pages: what stands on them, where it is drawn, and in which colours."""

import html
import re
from dataclasses import replace
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from saturation.leaderboard.verdict import REASONS
from saturation.own import cards
from saturation.own import pages as own_pages
from saturation.own.card import Abstention, Fan, Outlook, Reached
from saturation.own.imports import FileRecord, ImportRecord
from saturation.pages import templates
from saturation.statistics.pairs import METHODS

INDEX = {
    "k": 3, "alpha": 0.5, "s_1": 0.9, "s_k": 0.8, "s_index": 0.123, "lower": 0.01, "upper": 0.456,
    "bin": "very_low", "p_saturated": 0.25, "p_saturated_lowest": 0.125, "p_saturated_highest": 0.5,
    "few_right": False, "threshold": 0.7,
    "first": "m0", "kth": "m2", "gap": 0.1, "method": "newcombe", "implied_alpha": None,
    "all_equal": {"n_models": 3, "score": 0.85, "dependence": 0.0, "law": "binomial",
                  "expected_gap": 0.0456, "p_value": 0.0321},
    "s_index_measured": None,
    "grid": [{"k": k, "alpha": a, "s_index": 0.1 * k + a, "bin": "low"}
             for k in (2, 3) for a in (0.0, 0.5)],
}  # fmt: skip
MODELS = [
    {"model": f"m{i}", "score": score, "lower": score - 0.1, "upper": score + 0.1, "n_items": 50.0,
     "standard_error": 0.05, "error_source": "upper_bound", "best_rank": 1, "worst_rank": 3,
     "tied_with_leader": i < 2, "coverage": 1.0}
    for i, score in enumerate([0.9, 0.85, 0.8])
]  # fmt: skip
ANSWERS = {
    "resolution": {"answer": "some", "models": ["m0", "m1", "m2"], "told_apart": 2, "pairs": 3,
                   "groups": [["m0", "m1"], ["m2"]], "minimum_detectable_difference": 0.0723,
                   "n_items": 50.0, "items_for_any": 900.0, "items_for_all": 900.0},
    "equivalence": {"answer": "not_shown", "margin": 0.02, "contenders": 3, "p_value": 0.5,
                    "within": 0.1234, "items_for_alike": 4321.0},
    "headroom": {"answer": "left", "ceiling": 0.9, "lower": 0.8111, "upper": 0.8888},
}  # fmt: skip
CONTENT = {
    "benchmark": "bench", "verdict": "separates_in_part", "reason": "partly_told_apart",
    "p_saturated": 0.25, "error_rate": 0.05, "explanation": "a reason in words",
    "observed_on": "2026-01-31", "released": None, "synthetic": False,
    "data": {"family": "accuracy", "n_models": 3, "n_ranked": 3, "n_items": 50, "item_responses": 0,
             "error_sources": ["upper_bound"], "least_coverage": 0.8, "apart": [], "remarks": []},
    "frontier": {
        "index": INDEX, "models": MODELS, "answers": ANSWERS,
        "ties": {"independent": {"method": "pooled_z", "adjustment": "holm", "items": None,
                                 "models": 3, "abstains": None,
                                 "group": ["m0", "m1"], "with_leader": []}},
        "power": {"power": 0.8, "level": 0.95, "k": 3, "n_items": 50,
                  "minimum_detectable_difference": 0.0723,
                  "items_for_top_two": 1234.0, "items_for_top_k": 567.0},
    },
    "history": {"abstains": "no dates"}, "earlier": {"abstains": "no dates"},
    "items": {
        "guessing": "", "doubt": "",
        "information": {"abstains": "none"}, "suspects": {"abstains": "none"},
    },
    "consistency": {"abstains": "none"},
}  # fmt: skip
CONTENT["data"]["dead_items"] = None
CONTENT |= {
    "import": {"files": [], "scores": 3, "responses": 0, "n_sources": {}, "notes": []},
    "stale": None, "earlier_cards": [], "outlook": None,
}  # fmt: skip
CARD = cards.from_written(CONTENT)


def with_index(**changes):
    """The top with another index."""
    return replace(CARD.frontier, index=replace(CARD.frontier.index, **changes))


@pytest.fixture
def template(request):
    folder = request.config.rootpath / "workflow/templates"
    return lambda name: (folder / name).read_text(encoding="utf-8")


def contrast(fill, ink):
    """WCAG contrast of two colours."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(fill), light(ink)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_verdict_has_colours_that_can_be_read():
    from saturation.leaderboard.verdict import VERDICTS

    assert set(own_pages.COLOURS) == set(VERDICTS)
    assert all(contrast(*pair) > 4.5 for pair in own_pages.COLOURS.values())
    assert len({fill for fill, _ in own_pages.COLOURS.values()}) == len(VERDICTS)


def test_p_saturated_has_its_range_over_priors():
    assert own_pages.probability(None) == ""
    few = own_pages.probability(CARD.frontier)
    assert few == "P(saturated) 0.25 (over priors 0.12 to 0.50: few models)"
    for n_models, why in ((19, ": few models"), (20, "")):
        equal = replace(CARD.frontier.index.all_equal, n_models=n_models)
        said = own_pages.probability(with_index(all_equal=equal))
        assert said == f"P(saturated) 0.25 (over priors 0.12 to 0.50{why})"


def test_every_reason_says_what_to_do():
    assert set(own_pages.NEXT) == set(REASONS)
    assert not any(said.endswith(".") for said in own_pages.NEXT.values())


def test_tests_and_sources_of_errors_are_said_in_words():
    assert own_pages.in_words("pooled_z and mcnemar") == (
        "z tests with pooled shares and McNemar's exact test"
    )
    assert own_pages.in_words("binomial, items") == "number of items, item responses"
    assert own_pages.in_words("confidence_interval") == "confidence interval"
    known = {*METHODS, "newcombe", "paired_adjusted", "paired_t", "normal"}
    assert not any("_" in own_pages.in_words(name) for name in known)
    assert own_pages.gap_format("rating")(12.341) == "12.34"
    assert own_pages.gap_format("accuracy")(0.0123) == "1.2 points"


class TestAnswers:
    def said(self, **changes):
        found = {name: ANSWERS[name] | changes.get(name, {}) for name in ANSWERS}
        content = CONTENT | {"frontier": CONTENT["frontier"] | {"answers": found}}
        frontier = cards.from_written(content).frontier
        return own_pages.answers(frontier, templates.percent, templates.points)

    def test_what_is_told_apart(self):
        groups = "not told apart within (m0, m1); a difference of 7.2 points would show"
        assert self.said()[0] == (
            f"told apart, among all pairs: 2 of 3 pairs of the first 3 models; {groups}"
        )
        none = self.said(resolution={"told_apart": 0, "answer": "none"})[0]
        assert "no two of the first 3 models; a difference" in none
        assert "all of the first 3" in self.said(resolution={"told_apart": 3})[0]

    def test_what_is_alike(self):
        assert "alike within 2.0 points: not shown" in self.said()[1]
        assert "is shown for 12.3 points and more)" in self.said()[1]
        assert "2.0 points: yes" in self.said(equivalence={"answer": "alike"})[1]
        assert "shown for no margin" in self.said(equivalence={"within": None})[1]
        assert "not asked" in self.said(equivalence={"margin": None})[1]

    @pytest.mark.parametrize(
        ("answer", "words"), [("none", "none is left"), ("left", "some is"), ("unclear", "unclear")]
    )
    def test_what_is_left(self, answer, words):
        said = self.said(headroom={"answer": answer})[2]
        assert said.startswith(f"room below the ceiling of 90.0 %: {words}")
        assert said.endswith("(the best true score is at least 81.1 %, at most 88.9 %)")

    def test_without_a_ceiling_nothing_is_said_of_it(self):
        assert len(self.said(headroom={"ceiling": None})) == 2

    def test_more_items_are_named_only_where_nothing_else_is_said(self):
        nothing = {"answer": "none", "told_apart": 0}
        said = self.said(resolution=nothing)
        assert said[3] == (
            "of 50 items: about 4,321 show the first models alike within 2.0 points if they are "
            "equal, about 900 tell a first pair apart if its gap is as measured"
        )
        equal = self.said(resolution=nothing | {"items_for_any": float("inf")})
        assert equal[3].endswith("if they are equal")
        assert len(self.said()) == 3
        assert len(self.said(resolution=nothing, equivalence={"answer": "alike"})) == 3
        assert len(self.said(resolution=nothing, equivalence={"items_for_alike": None})) == 3


def test_the_gap_stands_beside_that_of_equal_models(template):
    said = "were all 3 models equal, the best would lead number 3 by 4.6 points on average; it "
    said += "leads by 10.0 points (p = 0.032)"
    assert own_pages.equality(CARD.frontier, templates.points) == said
    pages = (
        own_pages.card_html(CARD, [], template("card.html.j2")),
        own_pages.card_markdown(CARD, [], template("card.md.j2")),
    )
    for page in pages:
        text = " ".join(re.sub(r"<[^>]+>|\\\\", " ", page).split())
        assert "were all 3 models equal, the best would lead number 3 by 4.6 points" in text.lower()
        assert "of the true index of m0 and m2 (Newcombe's interval)" in html.unescape(text)
        assert "(over priors 0.12 to 0.50: few models)" in text


def test_the_page_says_verdict_models_power_and_index(template):
    page = own_pages.card_html(CARD, ["f.csv: a remark"], template("card.html.j2"))
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for part in (
        "90.0 %",
        "7.2 points",
        "1,234",
        "567",
        "0.123",
        "a remark",
        "A reason in words",
        "What to do: keep it; print groups of ties",
        "wrong in at most 5 %",
        "Told apart, among all pairs: 2 of 3 pairs",
    ):
        assert part in text, part
    assert own_pages.COLOURS["separates_in_part"][0] in page


def test_each_model_s_interval_is_drawn_to_scale(template):
    page = own_pages.card_html(CARD, [], template("card.html.j2"))
    lines = re.findall(r'class="ci" x1="([\d.]+)" x2="([\d.]+)"', page)
    # From 0.7 to 1.0 on 170 of 180 pixels.
    assert [tuple(map(float, line)) for line in lines] == [
        (61.7, 175.0), (33.3, 146.7), (5.0, 118.3),
    ]  # fmt: skip
    assert re.findall(r'<circle class="dot" cx="([\d.]+)"', page) == ["118.3", "90.0", "61.7"]
    assert re.findall(r'<svg width="(\d+)"', page) == ["180"] * 3
    assert page.count('<tr class="tied">') == 2


def test_markdown_has_a_row_a_model_and_the_index_over_k_and_alpha(template):
    text = own_pages.card_markdown(CARD, [], template("card.md.j2"))
    assert "| m1 | 85.0 % | 75.0 % to 95.0 % | 1 to 3 | yes | 100 % | upper bound |" in text
    assert "| m2 | 80.0 % | 70.0 % to 90.0 % | 1 to 3 | no | 100 % | upper bound |" in text
    assert "| k | alpha 0.0 | alpha 0.5 | " in text
    assert "| 2 | 0.200 | 0.700 | " in text
    assert "| 3 | 0.300 | 0.800 | " in text
    assert "minimum detectable difference (power 80 %): 7.2 points" in text


@pytest.mark.parametrize("family", ["rating", "other"])
def test_scores_of_a_metric_without_range_are_no_percentages(template, family):
    data = replace(CARD.data, family=family)
    text = own_pages.card_markdown(replace(CARD, data=data), [], template("card.md.j2"))
    assert "| m1 | 0.8500 | 0.7500 to 0.9500 |" in text
    assert "| m1 | 85.0 %" not in text


def test_the_badge_is_as_wide_as_its_text(template):
    svg = own_pages.badge(CARD, template("badge.svg.j2"))
    root = ElementTree.fromstring(svg)
    left, right = round(10 * 6.6 + 10), round(len("separates in part 2026-01-31") * 6.6 + 10)
    assert int(root.attrib["width"]) == left + right
    fills = {element.attrib.get("fill", "").lower() for element in root.iter()}
    assert {colour.lower() for colour in own_pages.COLOURS["separates_in_part"]} <= fills
    title = next(element for element in root.iter() if element.tag.endswith("title"))
    assert title.text == "bench: separates in part 2026-01-31 (partly told apart)"


class TestPlot:
    def test_the_lowest_and_the_highest_limit_are_at_the_margins(self):
        plot = own_pages._Plot(CARD.frontier.models)
        assert (plot.x(0.7), plot.x(1.0), plot.x(0.85)) == (5.0, 175.0, 90.0)

    def test_limits_that_are_all_the_same(self):
        plot = own_pages._Plot([SimpleNamespace(lower=1, upper=1)])
        assert plot.x(1) == 5.0


def test_a_remark_of_many_files_is_said_once():
    notes = {"a": ["same", "alone"], "b": ["same"], "c": []}
    files = [FileRecord(name, "x", 1, 0, said) for name, said in notes.items()]
    assert ImportRecord(files, 3, 0, {}, ["all"]).remarks == ["2 files: same", "a: alone", "all"]


def test_a_forecast_is_said_and_drawn_or_its_reason_given(template):
    text = own_pages.card_html(CARD, [], template("card.html.j2"))
    assert "How long it will last" not in text
    nothing = replace(CARD, outlook=Abstention("too few <dates>"))
    text = own_pages.card_html(nothing, [], template("card.html.j2"))
    assert "Nothing is forecast: too few &lt;dates&gt;." in text
    known = [Reached("2025-01-31", 0.8), Reached("2025-06-30", 0.9)]
    months = [Fan("2027-01-31", 0.9, 0.91, 0.92, 0.93, 0.94)]
    said = ["By May.", "By June.", "Past & gone."]
    ahead = Outlook("2026-01-31", known, months, None, None, said)
    forecast = replace(CARD, outlook=ahead)
    text = own_pages.card_html(forecast, [], template("card.html.j2"))
    assert text.count("<polygon") == 2
    assert text.count("<polyline") == 2
    assert "<b>By May.</b> By June." in text
    assert "Past &amp; gone." in text
    assert "By May. By June. Past &amp; gone." in own_pages.card_markdown(
        forecast, [], template("card.md.j2")
    )
    said = own_pages.text(forecast).splitlines()
    assert "outlook     By May." in said


def test_why_the_index_and_its_probability_part_is_said():
    def said(**changed):
        return own_pages.sides(with_index(**changed))

    assert said() == ""
    assert said(s_index=0.7, p_saturated=0.5) == ""
    assert "is below 0.7; that of the true scores is more likely above it" in said(
        s_index=0.69, p_saturated=0.5
    )
    assert "is above 0.7; that of the true scores is more likely below it" in said(s_index=0.7)
    assert own_pages.sides(None) == ""
    frontier = with_index(few_right=True)
    assert own_pages.probability(frontier).startswith("P(saturated) 0.25 (0.12 to 0.50: with so")
