"""The site of `make site-test`: every link leads somewhere, every page opens and fits a phone."""

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(os.environ.get("SATURATION_SITE", "not built")).resolve()
SCREENSHOTS = Path(__file__).parents[2] / "results" / "tests" / "site"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# What is looked at in both sizes and colour schemes; the others are opened on a light phone only.
LOOKED_AT = (
    *("index", "plateau", "gallery", "tutorial", "api/leaderboard", "glossary", "compare", "own"),
    "validation",
)
pytestmark = [
    # Playwright's own loop, closed at exit.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.skipif(
        "SATURATION_SITE" not in os.environ, reason="`make site-test` builds the site, and tests it"
    ),
]
LOADED = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]* (?:src|href)="http[^"]*')
# How far the page, or the part with its text, is wider than it shows; code and tables may scroll.
WIDER = """() => Math.max(...[document.documentElement, ...document.querySelectorAll(".content")]
  .map((node) => node.scrollWidth - node.clientWidth))"""


class Page(HTMLParser):
    """Addresses that a page names, and places in it that others can name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def ours():
    """Pages that the site's generator makes; the dashboard has tests of its own."""
    return [
        path
        for path in sorted(SITE.rglob("*.html"))
        if path.relative_to(SITE).parts[0] not in ("dashboard", "tables", "_static")
    ]


def test_no_link_leads_nowhere_and_none_needs_the_network():
    pages = {path: Page(path) for path in sorted(SITE.rglob("*.html"))}
    dangling, loaded = [], []
    for path in pages:
        for link in pages[path].links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            found = pages.get(target)
            # The dashboard's pages are made by its script.
            known = found is None or "dashboard" in target.parts or parts.fragment in found.anchors
            if not target.is_file() or not known:
                dangling.append(f"{path.relative_to(SITE)}: {link}")
        text = path.read_text(encoding="utf-8")
        loaded += LOADED.findall(text)
    assert dangling == []
    assert loaded == []


def test_what_a_reader_looks_for_is_there():
    names = {path.relative_to(SITE).with_suffix("").as_posix() for path in ours()}
    assert names >= set(LOOKED_AT) | {"results", "cite", "CHANGELOG", "questions"}
    assert (SITE / "dashboard/ledger.html").is_file()
    assert (SITE / "dashboard/index.html").is_file()
    gallery = (SITE / "gallery.html").read_text(encoding="utf-8")
    figures = list((SITE.parent / "figures").rglob("*.png"))
    drawn = gallery.count('class="card docutils container"')
    assert drawn >= 0.9 * len(figures) > 20
    # Each names the function that drew it.
    assert len(re.findall(r"studies\.\w+\.\w+\.\w+\(\)", gallery)) >= drawn
    tutorial = (SITE / "tutorial.html").read_text(encoding="utf-8")
    assert "SEPARATES IN PART" in tutorial
    assert "0.916" in tutorial


@pytest.fixture
def opened(browser):
    """A function that opens a page; it gives the page back, and fails on any error in it."""
    contexts, errors = [], []

    def opener(path, size, scheme):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{path}: {error}"))
        page.on("requestfailed", lambda request: errors.append(f"{path}: {request.url}"))
        page.on("request", lambda request: request.url.startswith("http")
                and errors.append(f"{path} asks for {request.url}"))  # fmt: skip
        page.goto(path.as_uri())
        return page

    yield opener
    for context in contexts:
        context.close()
    assert errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_fit_and_can_be_read(opened, faint_text, size, scheme):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for name in LOOKED_AT:
        page = opened(SITE / f"{name}.html", size, scheme)
        assert page.evaluate(WIDER) <= 1, name
        found = page.evaluate(faint_text)
        assert found["read"] > 50, name
        assert found["faint"] == [], name
        page.screenshot(path=SCREENSHOTS / f"{name.replace('/', '-')}_{size}_{scheme}.png")
        page.close()


def test_every_page_fits_a_phone(opened):
    page = opened(SITE / "index.html", "phone", "light")
    wide = []
    for path in [*ours(), *sorted((SITE / "tables").rglob("*.html"))]:
        page.goto(path.as_uri())
        if page.evaluate(WIDER) > 1:
            wide.append(path.relative_to(SITE).as_posix())
    assert wide == []


def test_it_can_be_searched(opened):
    page = opened(SITE / "search.html", "desktop", "light")
    page.goto((SITE / "search.html").as_uri() + "?q=tie+group")
    # Results come one after the other.
    page.wait_for_selector("#search-results a[href*=glossary]", state="attached")
