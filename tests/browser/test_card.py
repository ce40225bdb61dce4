"""A card's page in a real browser: readable light, dark and on a phone, sorted by keyboard."""

import numpy as np
import pandas as pd
import pytest

from saturation import cli

# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# Letters that are read from right to left, without a mark that turns anything round.
HEBREW = "\u05d0\u05d1\u05d2 (7B) \u05d3"


@pytest.fixture(scope="module")
def address(tmp_path_factory, evil, turned):
    """The card of a leaderboard of item responses with dates and names of every kind."""
    folder = tmp_path_factory.mktemp("a card – ü")
    rng = np.random.default_rng(0)
    models = [evil, turned, HEBREW, *(f"model {i}" for i in range(12))]
    rows = [
        (model, f"q{item}", int(rng.random() < 0.85 - 0.04 * place), f"2025-{1 + place % 5:02d}-01")
        for place, model in enumerate(models)
        for item in range(120)
    ]
    table = pd.DataFrame(rows, columns=["model", "item", "response", "date"])
    table.to_csv(folder / "board.csv", index=False)
    assert cli.main(["card", str(folder / "board.csv"), "--output", str(folder / "out")]) == 0
    return (folder / "out/card.html").as_uri()


@pytest.fixture
def open_card(watched, address):
    """A function that opens the page; errors, dialogs and requests are checked after."""
    seen = []
    with watched(seen) as opened:
        yield lambda size="desktop", scheme="light": opened(address, SIZES[size], scheme)
    assert [one for one in seen if one != address] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(open_card, faint_text, size, scheme):
    found = open_card(size, scheme).evaluate(faint_text)
    assert found["faint"] == []
    assert found["read"] > 100


def test_a_phone_scrolls_nothing_sideways(open_card):
    page = open_card("phone")
    width = SIZES["phone"][0]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    models = page.locator("table.models")
    assert models.evaluate("(node) => node.scrollWidth") <= width
    assert models.locator("tbody tr").first.locator("td").nth(4).is_visible()


def test_names_are_isolated_and_turn_nothing_round(open_card, turned):
    page = open_card()
    outside = page.evaluate(
        """(names) => [...document.querySelectorAll("body *")].flatMap((node) =>
          [...node.childNodes].filter((child) => child.nodeType === 3 &&
            names.some((name) => child.data.includes(name)) &&
            getComputedStyle(node).unicodeBidi !== "isolate" && !node.closest("script"))
          .map((child) => child.data))""",
        [HEBREW, turned.replace("\u202e", "<U+202E>")],
    )
    assert outside == []
    assert page.locator("bdi", has_text=HEBREW).count() > 1
    assert "\u202e" not in page.content()


def scores(table):
    cells = table.locator("tbody td:nth-child(2)").all_inner_texts()
    return [float(text.removesuffix(" %")) for text in cells]


def test_the_table_of_models_is_sorted_by_keyboard(open_card):
    page = open_card()
    table = page.locator("table.sortable").first
    head = table.get_by_role("columnheader", name="score")
    before = scores(table)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "model"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert scores(table) == sorted(before)
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    assert scores(table) == sorted(before, reverse=True)
    table.get_by_role("columnheader", name="model").get_by_role("button").click()
    names = table.locator("tbody td:first-child").all_inner_texts()
    assert names.index("model 10") < names.index("model 9")
    assert head.get_attribute("aria-sort") is None


def test_headings_step_down_by_one_and_verdicts_at_earlier_dates_are_shown(open_card):
    page = open_card()
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map((h) => +h.tagName[1])")
    assert levels[0] == 1
    assert set(levels[1:]) == {2}
    rows = page.locator("summary:has-text('Verdict at earlier dates') + div tbody tr")
    assert rows.count() == 4  # by the first three models had been evaluated
    assert rows.first.locator("td").first.text_content() == "2025-02-01"
