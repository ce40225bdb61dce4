"""The card's pages and its text: what is said, where it is drawn, what cannot break out."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from markupsafe import escape

from saturation.leaderboard.verdict import VERDICTS
from saturation.own import cards
from saturation.own import pages as own_pages
from saturation.own.card import (
    Abstention,
    Consistency,
    Fan,
    FewItems,
    Items,
    ModelConsistency,
    Outlook,
    Reached,
)

INDEX = {
    "k": 3, "alpha": 0.5, "s_1": 0.9, "s_k": 0.8, "s_index": 0.123, "lower": 0.01, "upper": 0.456,
    "bin": "very_low", "first_and_kth": "separated", "threshold": 0.7,
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
    "resolution": {"answer": "some", "models": ["m0", "m1", "m2"], "separated": 2, "pairs": 3,
                   "groups": [["m0", "m1"], ["m2"]], "minimum_detectable_difference": 0.0723,
                   "n_items": 50.0, "items_for_any": 900.0, "items_for_all": 900.0},
    "equivalence": {"answer": "not_shown", "margin": 0.02, "contenders": 3, "p_value": 0.5,
                    "within": 0.1234, "items_for_equivalence": 4321.0},
    "headroom": {"answer": "left", "ceiling": 0.9, "lower": 0.8111, "upper": 0.8888,
                 "status": "room left"},
}  # fmt: skip
CONTENT = {
    "benchmark": "bench", "verdict": "separates_in_part", "reason": "some_separated",
    "error_rate": 0.05, "explanation": "a reason in words",
    "observed_on": "2026-01-31", "released": None, "synthetic": False,
    "data": {"family": "accuracy", "n_models": 3, "n_ranked": 3, "n_items": 50, "item_responses": 0,
             "error_sources": ["upper_bound"], "least_coverage": 0.8, "unranked": [],
             "remarks": ["f.csv: a remark"],
             "dead_items": None, "solved_by_all": ["q1", "<q2>"], "solved_by_none": []},
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
        "information": {"abstains": "none"},
    },
    "consistency": {"abstains": "none"},
    "import": {"files": [], "scores": 3, "responses": 0, "n_sources": {}, "notes": []},
    "stale": None, "earlier_cards": [], "outlook": None,
    "known_issues": "", "known_issues_source": "", "score_range": None, "runs": None,
    "renewal": None,
}  # fmt: skip
CARD = cards.decode_card(CONTENT)


@pytest.fixture
def template(request):
    folder = request.config.rootpath / "workflow/templates"
    return lambda name: (folder / name).read_text(encoding="utf-8")


def test_every_verdict_has_its_colours():
    assert set(own_pages.COLOURS) == set(VERDICTS)
    assert len({fill for fill, _ in own_pages.COLOURS.values()}) == len(VERDICTS)


def test_markdown_badge_and_text_are_as_reviewed(template):
    golden = Path(__file__).parents[2] / "golden"
    assert own_pages.card_markdown(CARD, template("card.md.j2")) == (golden / "card.md").read_text()
    ratings = replace(CARD, benchmark="ratings", data=replace(CARD.data, family="rating"))
    assert own_pages.badge(CARD, template("badge.svg.j2")) == (golden / "badge.svg").read_text()
    text = [own_pages.text(CARD), own_pages.text(ratings), own_pages.table([CARD, ratings])]
    assert "\n\n".join(text) + "\n" == (golden / "card.txt").read_text()


NONE = {"resolution": {"answer": "none", "separated": 0}}
RUNS = {
    "first": "m0", "kth": "m2", "n_items": 40, "n_runs": 5, "gap": 0.1, "error": 0.037,
    "lower": 0.03, "upper": 0.05, "items": 0.032, "runs": 0.018, "run_share": 0.6,
    "one_more_run": 0.036, "as_many_items": 0.034, "settles": "items", "run_effect_p": 0.5,
    "printed": False, "times_least": 1.91, "times_most": 9.87, "abstains": None,
}  # fmt: skip
RENEWAL = {"factor": 5.3, "lower": 1.4, "upper": 20.2, "n_models": 33, "labs": 9,
           "detectable": 0.24, "abstains": None}  # fmt: skip
ELSEWHERE = {"kind": "code", "boards": 7, "lowest": 0.23, "middle": 0.42, "highest": 0.63,
             "abstains": None}  # fmt: skip
# Changes of the card and of its answers.
VARIANTS = {
    "near the ceiling": (
        {"reason": "partly_near_the_ceiling"},
        {"headroom": {"answer": "unclear", "status": "near the ceiling", "upper": 0.9321}},
    ),
    "nothing separated": ({"reason": "too_few_items"}, NONE),
    "at the ceiling": (
        {"reason": "order_open"},
        NONE | {"headroom": {"answer": "none", "status": "exhausted"}},
    ),
    "all separated": ({"reason": "all_separated"}, {}),
    "no margin is shown": ({"reason": "order_open"}, NONE | {"equivalence": {"within": None}}),
    "no margin, no ceiling": (
        {"reason": "no_margin"},
        NONE | {"equivalence": {"margin": None}, "headroom": {"ceiling": None}},
    ),
    "runs": ({"runs": RUNS}, {}),
    "printed errors": ({"runs": RUNS | {"printed": True, "settles": "runs", "n_items": 50}}, {}),
    "whole runs differ": ({"runs": RUNS | {"run_effect_p": 0.049, "times_most": None}}, {}),
    "other leaderboards": ({"runs": ELSEWHERE, "renewal": RENEWAL}, {}),
    "a judge's scale": (
        {
            "score_range": [0.0, 10.0],
            "known_issues": "wrong labels",
            "known_issues_source": "a <b>",
        },
        {},
    ),
}


def varied(name):
    changes, answers = VARIANTS[name]
    changed = {part: ANSWERS[part] | answers.get(part, {}) for part in ANSWERS}
    return cards.decode_card(
        CONTENT | changes | {"frontier": CONTENT["frontier"] | {"answers": changed}}
    )


def test_facts_are_those_that_were_read_through(template, as_reviewed):
    """What is known, and only what fits the verdict; an HTML page says all of it."""
    said = []
    for name in VARIANTS:
        card = varied(name)
        facts = own_pages.facts(card)
        said += [
            f"{name}: {own_pages.unit_of_card(card).scale}",
            *(": ".join(fact) for fact in facts.items()),
        ]
        page = re.sub("</?bdi>", "", own_pages.card_html(card, template("card.html.j2")))
        assert [label for label, fact in facts.items() if escape(fact) not in page] == []
    as_reviewed("card_facts.txt", "\n".join(said) + "\n")


def test_each_model_s_interval_is_drawn_to_scale(template):
    page = own_pages.card_html(CARD, template("card.html.j2"))
    lines = re.findall(r'class="ci" x1="([\d.]+)" x2="([\d.]+)"', page)
    # From 0.7 to 1.0 on 170 of 180 pixels.
    assert [tuple(map(float, line)) for line in lines] == [
        (61.7, 175.0), (33.3, 146.7), (5.0, 118.3),
    ]  # fmt: skip
    # Limits that are all the same.
    assert own_pages._Plot([SimpleNamespace(lower=1, upper=1)]).x(2) == 175.0


def test_a_forecast_is_said_and_drawn_or_its_reason_given(template):
    nothing = replace(CARD, outlook=Abstention("too few <dates>"))
    text = own_pages.card_html(nothing, template("card.html.j2"))
    assert "Nothing is forecast: too few &lt;dates&gt;." in text
    known = [Reached("2025-01-31", 0.8), Reached("2025-06-30", 0.9)]
    months = [Fan("2027-01-31", 0.9, 0.91, 0.92, 0.93, 0.94)]
    said = ["Chance: 7 %.", "Past & gone."]
    ahead = Outlook("2026-01-31", known, months, 0.07, said)
    forecast = replace(CARD, outlook=ahead)
    text = own_pages.card_html(forecast, template("card.html.j2"))
    assert "Past &amp; gone." in text
    assert "outlook     Chance: 7 %." in own_pages.text(forecast).splitlines()


def test_a_forecast_is_drawn_from_the_first_score_to_the_last_month():
    known = [Reached("2025-01-31", 0.8), Reached("2025-06-30", 0.9)]
    months = [Fan("2027-01-30", 0.9, 0.91, 0.92, 0.93, 0.94)]
    drawn = own_pages.fan(Outlook("2026-01-31", known, months, None, []))
    # 584 pixels for 729 days from 44 on, 206 for all of the range up from 216; a step is to the
    # right, then up.
    assert drawn == {
        "known": "44.0,51.2 164.2,51.2 164.2,30.6 336.4,30.6 336.4,30.6",
        "median": "336.4,30.6 628.0,26.5",
        "bands": [
            "336.4,30.6 628.0,30.6 628.0,22.4 336.4,30.6",
            "336.4,30.6 628.0,28.5 628.0,24.4 336.4,30.6",
        ],
        "today": 336.4,
        "ticks": [(216.0, 0), (164.5, 0.25), (113.0, 0.5), (61.5, 0.75), (10.0, 1)],
        "years": [(312.4, 2026), (604.8, 2027)],
        "width": 640, "height": 240, "left": 44, "right": 628, "bottom": 216, "top": 10,
    }  # fmt: skip
    assert own_pages.fan(Abstention("no dates")) is own_pages.fan(None) is None


EVIL = '<script>alert("x")</script> & "quotes" | `code` ]] -->'


@pytest.fixture(scope="module")
def evil():
    """A card whose names try to break out of every format."""
    models = [replace(CARD.frontier.models[0], model=EVIL), *CARD.frontier.models[1:]]
    return replace(
        CARD,
        benchmark=EVIL,
        observed_on=EVIL,
        synthetic=True,
        stale=[EVIL],
        data=replace(CARD.data, remarks=[EVIL], unranked=[FewItems(EVIL, 0.5, 5, 0.1)]),
        frontier=replace(CARD.frontier, models=models),
        history=Abstention(EVIL),
        earlier=Abstention(EVIL),
        items=Items(Abstention(EVIL), doubt=EVIL),
        consistency=Consistency([ModelConsistency(EVIL, 2, 5, 0.5, 0.5, 0.1, 0.9)]),
    )


def test_nothing_breaks_out_of_a_page(evil, template):
    page = own_pages.card_html(evil, template("card.html.j2"))
    before, own = page.split("<script>")
    assert own.startswith('\n"use strict";')
    assert "<script" not in before + own
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    assert "synthetic data" in page
    text = own_pages.card_markdown(evil, template("card.md.j2"))
    assert "<script" not in text
    (row,) = (line for line in text.splitlines() if line.startswith("| &lt;script"))
    assert row.replace("\\|", "").count("|") == 8
    svg = own_pages.badge(evil, template("badge.svg.j2"))
    tags = {child.tag.split("}")[1] for child in ElementTree.fromstring(svg).iter()}
    assert tags == {"svg", "title", "rect", "g", "text"}


def test_an_undetermined_card_has_all_its_pages(template):
    nothing = replace(CARD, verdict="undetermined", reason="too_few_models", frontier=None)
    for page in (own_pages.card_html(nothing, template("card.html.j2")),
                 own_pages.card_markdown(nothing, template("card.md.j2"))):  # fmt: skip
        assert "undetermined" in page
        assert "saturation compare A B FILE" in page
    assert (nothing.summary.s_index, nothing.summary.tied_at_top) == (None, None)


def rows(names):
    return [f'"{name}",{0.9 - i / 500},500' for i, name in enumerate(names)]


class TestTerminal:
    def test_it_is_aligned_and_short(self, card):
        names = [f"a rather long name of a model, number {i:04d}" for i in range(60)]
        full = card(rows(names))
        full.imported.notes[:] = [f"remark {i}" for i in range(50)]
        text = own_pages.text(full)
        lines = text.splitlines()
        assert len(lines) == own_pages.MOST_LINES
        assert max(map(len, lines)) <= own_pages.show.WIDEST
        assert all(line[: own_pages.LABEL].strip() or line.startswith(" ") for line in lines[1:])
        assert "remark 0" in text
        listed = len(re.findall("remark [0-9]", text))
        assert text.endswith(f"and {50 - listed} more remarks, on the card's page")

    def test_names_cannot_move_the_cursor_or_turn_the_line_round(self, card):
        text = own_pages.text(card(rows(["good", "\x1b[2Jgone", "\u202eevil", "c", "d"])))
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "<U+001B>[2Jgone" in text
        assert "<U+202E>evil" in text
