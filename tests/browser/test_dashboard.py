"""The dashboard in a real browser: from file://, without network, by pointer and by keyboard."""

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

SCREENSHOTS = Path(__file__).parents[2] / "results" / "tests" / "dashboard"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
# Every kind of page, with the fewest texts that it shows.
VIEWS = {
    "index.html": 60,
    "time.html": 5,
    "ledger.html": 20,
    "papers/plateau.html": 10,
    "papers/plateau.html#plateau_002": 8,
    "benchmarks/own-mine.html": 20,
    "benchmarks/b1.html": 20,
    "benchmarks/b5.html": 40,
    "benchmarks/board-mmlu_pro.html": 30,
    "benchmarks/now-evil.html": 10,
    "models.html": 20,
    "models.html#m": 5,
    "sources.html": 20,
    "data/plateau_quantities.html#row-3": 10,
    "code/studies.plateau.study.html#L4": 10,
}


@pytest.fixture
def open_page(watched, dashboard):
    """A function that opens a page; console messages, errors and requests are checked after."""
    seen = []
    with watched(seen) as opened:
        yield lambda size="desktop", scheme="light", at="index.html": opened(
            f"{dashboard.as_uri()}/{at}", SIZES[size], scheme
        )
    near = (dashboard.parent.as_uri(), "data:", "blob:file:")
    assert [one for one in seen if not one.startswith(near)] == []


def drawn(page, *names):
    for name in names:
        page.wait_for_selector(f"#chart-{name}[data-drawn] svg", timeout=20_000)


def rows(page):
    return page.locator("#benchmarks tbody tr:visible th")


def shown(page):
    return rows(page).all_inner_texts()


def column(page, name):
    return page.locator(f'#benchmarks tbody tr:visible td[data-label="{name}"]')


def filters(page):
    """The fields above the table of published benchmarks."""
    return page.locator("form", has=page.get_by_label("Bin", exact=True))


def taken(page, name):
    """The text of the file that a button downloads."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(download.value.path()).read_bytes()


def test_sorting_by_pointer_and_by_keyboard(open_page):
    page = open_page()
    assert page.locator("#benchmarks th[aria-sort]").inner_text().strip().startswith("S")
    heading = page.locator("#benchmarks").get_by_role("button", name="items", exact=True)
    heading.click()
    numbers = column(page, "items").all_inner_texts()
    values = [int(text.replace(",", "")) for text in numbers if text != "–"]
    assert values == sorted(values, reverse=True)
    assert numbers[-1] == "–"  # what is missing goes last
    heading.focus()
    page.keyboard.press("Enter")
    sorted_by = page.locator("#benchmarks th[aria-sort]")
    assert sorted_by.get_attribute("aria-sort") == "ascending"
    assert column(page, "items").all_inner_texts()[-1] == "–"
    page.locator("#benchmarks").get_by_role("button", name="benchmark").click()
    names = [name.lower() for name in shown(page)]
    assert names == sorted(names)


def test_searching_and_filtering_dims_the_plots(open_page):
    page = open_page()
    drawn(page, "age")
    counted = page.get_by_text("of 8 benchmarks")
    filters(page).get_by_label("Search benchmarks").fill("bench 3")
    expect(rows(page)).to_have_text(["Bench 3"])
    expect(counted).to_have_text("1 of 8 benchmarks")
    page.wait_for_function(
        "document.querySelectorAll('#chart-age .mark-symbol path[opacity=\"0.08\"]').length > 3"
    )
    filters(page).get_by_role("button", name="Clear").click()
    expect(rows(page)).to_have_count(8)
    page.get_by_label("Bin", exact=True).select_option("very high")
    expect(column(page, "bin").filter(has_not_text="very high")).to_have_count(0)
    expect(column(page, "bin")).not_to_have_count(0)
    page.get_by_label("Bin", exact=True).select_option("")
    page.get_by_label("Source", exact=True).select_option("your own")
    expect(rows(page)).to_have_count(2)


def test_a_brush_over_points_picks_rows(open_page):
    page = open_page()
    drawn(page, "compression")
    page.locator("#chart-compression").scroll_into_view_if_needed()
    box = page.locator("#chart-compression svg .background").first.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] - 5, steps=5)
    page.mouse.up()
    expect(page.get_by_text("of 8 benchmarks")).to_have_text("1 of 8 benchmarks")
    expect(rows(page)).to_have_text(["Bench 1"])  # the only one with a best score below 60 %


def test_a_benchmarks_page_opens_by_link_and_by_point(open_page):
    page = open_page()
    rows(page).get_by_role("link", name="Bench 2").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Bench 2").wait_for()
    expect(page.locator(".bars li")).to_have_count(5)
    page.get_by_role("link", name="all benchmarks").click()
    drawn(page, "age")
    page.locator("#chart-age .mark-symbol path[aria-roledescription=point]").first.click()
    page.wait_for_url("**/benchmarks/*.html")


def test_what_is_shown_can_be_taken_along(open_page):
    page = open_page()
    filters(page).get_by_label("Search benchmarks").fill("bench 2")
    text = taken(page, "Download the shown rows of benchmarks as CSV").decode()
    titles, row = csv.reader(io.StringIO(text))
    assert titles[:3] == ["benchmark", "status", "S"]
    assert row[:4] == ["Bench 2", "exhausted", "0.95", "0.80 to 1.00"]
    found = json.loads(taken(page, "Download the shown rows of benchmarks as JSON"))
    assert [one["benchmark"] for one in found] == ["Bench 2"]
    drawn(page, "age")
    assert taken(page, "Download Saturation over age as SVG").startswith(b"<svg")
    assert taken(page, "Download Saturation over age as PNG").startswith(b"\x89PNG")


def test_a_spreadsheet_takes_no_name_for_a_formula(open_page):
    page = open_page(at="models.html")
    text = taken(page, "Download the shown rows of models as CSV").decode()
    names = [row[0] for row in csv.reader(io.StringIO(text))]
    assert "'=o+1" in names
    assert "=o+1" not in names


def test_own_cards_with_evil_names_are_only_text(open_page, evil):
    page = open_page(at="benchmarks/own-mine.html")
    page.locator(".bars").get_by_text(evil).wait_for()
    page.get_by_role("link", name="The whole card").click()
    expect(page.locator("body")).to_have_text("the card")


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
    models = page.locator(".bars li")
    expect(models).to_contain_text(["rank 1 to 2 tied", "rank 1 to 3 tied", "rank 3"])
    expect(models.nth(2)).not_to_contain_text("tied")


def test_a_board_stands_on_its_benchmarks_page_with_ranks_and_ties(open_page):
    page = open_page(at="benchmarks/b5.html")
    ranks = page.locator("tbody tr", has=page.locator('[data-label="ranks it may hold"]'))
    expect(ranks.locator('[data-label="ranks it may hold"]')).to_have_text(
        ["1 to 2", "1 to 2", "3"]
    )
    expect(ranks.locator('[data-label="tied with the first"]')).to_have_text(
        ["first", "tied", "no"]
    )
    expect(ranks.locator('[data-label="not separated from (others)"]')).to_have_text(
        ["1", "1", "0"]
    )
    expect(page.get_by_text("too few to show them equivalent")).to_be_visible()
    expect(page.get_by_text("Other data than the published scores above")).to_be_visible()
    page.get_by_role("link", name="m", exact=True).click()
    expect(page.locator("article:visible h2")).to_have_text("m")
    expect(page.locator("article:visible")).to_contain_text("GPQA Diamond: rank 1 of 3")


def test_a_models_page_has_its_rank_on_every_board_and_on_the_users_cards(open_page, evil):
    page = open_page(at="models.html")
    page.get_by_label("Search models").fill("far behind")
    expect(page.locator("#models tbody tr:visible")).to_have_count(2)
    page.get_by_label("Search models").fill("onerror")
    links = page.locator("#models tbody tr:visible a")
    expect(links).to_have_count(4)
    links.first.click()
    expect(page.locator("article:visible h2")).to_have_text(evil)
    expect(page.locator("article:visible li")).to_have_count(4)
    page.go_back()
    expect(page.locator("#models")).to_be_visible()


def test_the_measure_of_contrast_finds_faint_text(open_page, faint_text):
    page = open_page()
    page.add_style_tag(content="h1 { color: #aaa } ")
    assert [one.split()[0] for one in page.evaluate(faint_text)["faint"]] == ["H1.point"]


def test_a_phone_sorts(open_page):
    page = open_page("phone")
    filters(page).get_by_label("Sort", exact=True).select_option("benchmark")
    names = [name.lower() for name in shown(page)]
    assert names == sorted(names)


def severe(page):
    """What axe-core finds that keeps somebody out: rule and element."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:150]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("at", VIEWS)
@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_every_page_can_be_read_by_everybody(open_page, faint_text, size, scheme, at):
    page = open_page(size, scheme, at)
    if page.locator("#specs").count():
        page.wait_for_selector(".chart[data-drawn] svg")
    found = page.evaluate(faint_text)
    assert found["faint"] == []
    assert found["read"] >= VIEWS[at]
    assert severe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert page.evaluate("document.documentElement.lang") == "en"
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4')].filter((h) => h.checkVisibility())"
        ".map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("at", [view for view in VIEWS if "#" not in view])
def test_the_first_stop_of_the_keyboard_skips_to_the_content_and_is_seen(open_page, at):
    page = open_page(at=at)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_names_turn_nothing_round(open_page, turned):
    page = open_page(at="benchmarks/own-mine.html")
    name = page.locator(".bars bdi").nth(1)
    expect(name).to_have_text(turned.replace("\u202e", "<U+202E>"))
    assert name.evaluate("(node) => getComputedStyle(node).unicodeBidi") == "isolate"
    rank = name.locator("xpath=../following-sibling::span[1]")
    assert name.bounding_box()["x"] < rank.bounding_box()["x"]


@pytest.mark.parametrize("size", SIZES)
def test_two_clicks_lead_from_a_claim_to_the_line_of_code(open_page, size):
    page = open_page(size)
    page.get_by_label("Pages").get_by_role("link", name="Over time").click()
    drawn(page, "bdi-0", "bdi-1")
    page.get_by_label("Pages").get_by_role("link", name="Ledger").click()
    claims = page.locator("#claims tbody tr:visible")
    expect(claims).to_have_count(3)
    page.get_by_label("Verdict", exact=True).select_option("differs")
    expect(claims).to_contain_text(["plateau_002"])
    expect(page.get_by_text("of 3 claims")).to_have_text("1 of 3 claims")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Search claims").fill("their")  # words of the quotation
    page.screenshot(path=SCREENSHOTS / f"{size}_ledger.png")
    page.get_by_role("link", name="one", exact=True).click()
    article = page.locator("article:visible")
    expect(article.locator("blockquote em")).to_have_text("their")
    expect(article).to_contain_text("recomputed from the released data")
    page.screenshot(path=SCREENSHOTS / f"{size}_claim.png")
    article.get_by_role("link", name="row 3", exact=True).click()
    expect(page.locator("tr:target")).to_contain_text("1e-09")
    page.go_back()
    page.get_by_role("link", name="study.py:4").click()
    expect(page.locator("span:target")).to_have_text("4def _first():")


def test_a_claim_that_is_opened_by_its_address_is_shown_from_the_top(open_page):
    page = open_page("phone", at="papers/plateau.html#plateau_002")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0
    expect(page.locator("article:visible")).to_have_count(1)


def test_a_papers_page_shows_its_claims_or_one_of_them(open_page):
    page = open_page(at="papers/plateau.html")
    expect(page.locator("article:visible")).to_have_count(0)
    page.locator("table a").first.click()
    expect(page.locator("article:visible h2")).to_be_focused()
    assert page.title().startswith("one · ")
    page.get_by_role("link", name="all claims of this paper").locator("visible=true").click()
    expect(page.locator("#list")).to_be_visible()
    expect(page.locator("article:visible")).to_have_count(0)
