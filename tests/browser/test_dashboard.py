"""The dashboard in a real browser: from file://, without network, by pointer and by keyboard."""

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from saturation.files.tables import write_text

SCREENSHOTS = Path(__file__).parents[2] / "results" / "tests" / "dashboard"
SIZES = {"desktop": (1280, 900), "phone": (375, 812)}
# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
VIEWS = {
    "": 60,
    "#/time": 5,
    "#/ledger": 20,
    "#/paper/plateau": 10,
    "#/claim/plateau_002": 8,
    "#/benchmark/own-mine": 20,
    "#/benchmark/b1": 20,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory, page_text):
    path = tmp_path_factory.mktemp("a folder – ü") / "index.html"
    write_text(page_text, path)
    return path.as_uri()


@pytest.fixture
def open_page(browser, address):
    """A function that opens the page; console messages, errors and requests are checked after."""
    seen, contexts = [], []

    def opener(size="desktop", scheme="light", at=""):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: seen.append(request.url))
        page.goto(address + at)
        return page

    yield opener
    for context in contexts:
        context.close()
    noise = [one for one in seen if one.split("#")[0] != address and not one.startswith("data:")]
    assert noise == []


def drawn(page, *names):
    for name in names:
        page.wait_for_selector(f"#chart-{name}[data-drawn] svg", timeout=20_000)


def rows(page):
    return page.locator("#table tbody tr:visible th")


def shown(page):
    return rows(page).all_inner_texts()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_loads_and_fits(open_page, size, scheme):
    page = open_page(size, scheme)
    drawn(page, "age", "compression")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    expect(rows(page)).to_have_count(8)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{size}_{scheme}.png")


def test_sorting_by_pointer_and_by_keyboard(open_page):
    page = open_page()
    assert page.locator("th[aria-sort]").inner_text().strip().startswith("S index")
    heading = page.get_by_role("button", name="n", exact=True)
    heading.click()
    numbers = page.locator('#table td[data-label="n"]').all_inner_texts()
    values = [int(text.replace(",", "")) for text in numbers if text != "–"]
    assert values == sorted(values, reverse=True)
    assert numbers[-1] == "–"  # what is missing goes last
    heading.focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    page.get_by_role("button", name="benchmark").click()
    names = [name.lower() for name in shown(page)]
    assert names == sorted(names)


def test_searching_and_filtering_dims_the_plots(open_page):
    page = open_page()
    drawn(page, "age")
    page.locator("#search").fill("bench 3")
    expect(rows(page)).to_have_text(["Bench 3"])
    expect(page.locator("#shown")).to_have_text("1 of 8 benchmarks")
    page.wait_for_function(
        "document.querySelectorAll('#chart-age .mark-symbol path[opacity=\"0.08\"]').length > 3"
    )
    page.get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(8)
    page.locator("#bin").select_option("very_high")
    bins = page.locator("#table tbody tr:visible").locator('td[data-label="bin"]')
    expect(bins.filter(has_not_text="very high")).to_have_count(0)
    expect(bins).not_to_have_count(0)
    page.locator("#bin").select_option("")
    page.locator("#origin").select_option("own")
    expect(rows(page)).to_have_count(2)


def test_a_brush_over_points_picks_rows(open_page):
    page = open_page()
    drawn(page, "compression")
    box = page.locator("#chart-compression svg .background").first.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] - 5, steps=5)
    page.mouse.up()
    page.wait_for_function("document.getElementById('shown').textContent.startsWith('1 of')")
    expect(rows(page)).to_have_text(["Bench 1"])  # the only one with a best score below 60 %


def test_a_benchmarks_page_opens_by_link_by_address_and_by_point(open_page):
    page = open_page()
    page.get_by_role("link", name="Bench 2").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Bench 2").wait_for()
    expect(page.locator("#overview")).to_be_hidden()
    expect(page.locator("article:visible .bars li")).to_have_count(5)
    page.get_by_role("link", name="all benchmarks").locator("visible=true").click()
    drawn(page, "age")
    page.locator("#chart-age .mark-symbol path[aria-roledescription=point]").first.click()
    page.wait_for_function("location.hash.startsWith('#/benchmark/')")
    direct = open_page(at="#/benchmark/b4")
    direct.get_by_role("heading", name="Bench 4").wait_for()


def test_own_cards_with_evil_names_are_only_text(open_page, evil):
    page = open_page(at="#/benchmark/own-mine")
    page.locator("article:visible").get_by_text(evil).wait_for()
    expect(page.get_by_role("link", name="The whole card")).to_have_attribute(
        "href", "../own/mine/card.html"
    )
    assert page.locator("script").count() == 3


def test_own_benchmarks_come_first_with_verdict_ties_and_ranks(open_page):
    page = open_page()
    own = page.locator("#own tbody tr")
    expect(own).to_have_count(2)
    expect(own.first.locator("td")).to_have_text(
        ["saturated", "little is left to gain", "2 of 7", "2026-01-01"]
    )
    assert page.evaluate(
        "document.getElementById('own').getBoundingClientRect().bottom"
        " < document.getElementById('chart-age').getBoundingClientRect().top"
    )
    own.first.get_by_role("link").click()
    models = page.locator("article:visible .bars li")
    expect(models).to_contain_text(["rank 1 to 2 tied", "rank 1 to 3 tied", "rank 3"])
    expect(models.nth(2)).not_to_contain_text("tied")


def test_published_scores_have_a_source_and_a_date(open_page):
    page = open_page(at="#/benchmark/b1")
    facts = page.locator("article:visible dl")
    expect(facts).to_contain_text("one.example, two.example")
    expect(facts).to_contain_text("2025-11-01")


@pytest.mark.parametrize("at", VIEWS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(open_page, faint_text, scheme, at):
    found = open_page("desktop", scheme, at).evaluate(faint_text)
    assert found["faint"] == []
    assert found["read"] >= VIEWS[at]


def test_the_measure_of_contrast_finds_faint_text(open_page, faint_text):
    page = open_page()
    page.add_style_tag(content="h1 { color: #aaa } ")
    assert [one.split()[0] for one in page.evaluate(faint_text)["faint"]] == ["H1."]


@pytest.mark.parametrize("at", VIEWS)
def test_a_phone_scrolls_no_page_sideways(open_page, at):
    page = open_page("phone", at=at)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"][0]


def test_a_phone_sorts(open_page):
    page = open_page("phone")
    page.get_by_label("Sort").select_option("name")
    names = [name.lower() for name in shown(page)]
    assert names == sorted(names)


@pytest.mark.parametrize("at", VIEWS)
def test_headings_step_down_by_one_and_inputs_have_labels(open_page, at):
    page = open_page(at=at)
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4')].filter((h) => h.checkVisibility())"
        ".map((h) => Number(h.tagName[1]))"
    )
    assert levels[:2] == [1, 2]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    unnamed = (
        "[...document.querySelectorAll('input,select,button')]"
        ".filter((one) => !(one.labels.length || one.textContent.trim())).length"
    )
    assert page.evaluate(unnamed) == 0


def test_the_first_stop_of_the_keyboard_skips_to_the_table_and_is_seen(open_page):
    page = open_page()
    page.keyboard.press("Tab")
    focused = "getComputedStyle(document.activeElement)"
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate(f"{focused}.outlineStyle") == "solid"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Benchmarks"


def test_names_turn_nothing_round(open_page, turned):
    page = open_page(at="#/benchmark/own-mine")
    name = page.locator("article:visible .bars bdi").nth(1)
    expect(name).to_have_text(turned.replace("\u202e", "<U+202E>"))
    assert name.evaluate("(node) => getComputedStyle(node).unicodeBidi") == "isolate"
    rank = name.locator("xpath=../following-sibling::span[1]")
    assert name.bounding_box()["x"] < rank.bounding_box()["x"]


@pytest.mark.parametrize("size", SIZES)
def test_time_and_ledger(open_page, size):
    page = open_page(size)
    page.get_by_role("link", name="Over time").click()
    drawn(page, "bdi-0", "bdi-1")
    page.screenshot(path=SCREENSHOTS / f"{size}_time.png")
    page.get_by_role("link", name="Ledger").click()
    expect(page.locator("#ledger-table tbody tr:visible")).to_have_count(3)
    page.get_by_label("Verdict").select_option("differs")
    expect(page.locator("#ledger-table tbody tr:visible th")).to_have_text(["plateau_002"])
    expect(page.locator("#ledger-shown")).to_have_text("1 of 3 claims")
    page.screenshot(path=SCREENSHOTS / f"{size}_ledger.png")
    page.get_by_role("link", name="plateau_002").click()
    expect(page.locator("article:visible")).to_contain_text("contradicts")
    expect(page.get_by_role("link", name="src/saturation/plateau/quantities.py:7")).to_be_visible()
    page.screenshot(path=SCREENSHOTS / f"{size}_claim.png")
    page.get_by_role("link", name="all claims").locator("visible=true").click()
    page.get_by_role("link", name="plateau", exact=True).click()
    expect(page.locator("#paper-plateau")).to_be_visible()
    expect(page.locator("#paper-plateau tbody tr th a").first).to_have_text("plateau_001")
    page.screenshot(path=SCREENSHOTS / f"{size}_paper.png")


def test_the_views_take_the_focus_so_that_a_screen_reader_hears_them(open_page):
    page = open_page()
    page.get_by_role("link", name="Ledger").click()
    page.wait_for_function("document.activeElement.textContent.startsWith('Ledger')")


def test_without_dates_and_ledger_it_says_so(browser, tmp_path, build_page):
    page = browser.new_page()
    path = tmp_path / "index.html"
    write_text(build_page(monthly=None, ledger=None, cards=[]), path)
    page.goto(path.as_uri() + "#/time")
    expect(page.get_by_text("No leaderboard has dates.")).to_be_visible()
    page.goto(path.as_uri() + "#/ledger")
    expect(page.get_by_text("The ledger has not been made.")).to_be_visible()
    page.close()
