"""The page of a table: rows are found by their words, it fits a phone, and can be read."""

import pandas as pd
import pytest

from saturation.files.tables import write_html

# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
FRAME = pd.DataFrame(
    {
        "estimator": [f"part.of{row}" for row in range(30)],
        "statement": ["the interval contains it, whatever came first of all of them"] * 30,
        "verdict": ["holds"] * 27 + ["does not hold"] * 3,
        "found": [0.5 + row / 100 for row in range(30)],
    }
)


@pytest.fixture(params=[("light", 1280), ("dark", 390)])
def page(watched, tmp_path, request):
    scheme, width = request.param
    path = tmp_path / "t.html"
    write_html(FRAME, path, "A table")
    seen = []
    with watched(seen) as opener:
        yield opener(path.as_uri(), (width, 844), scheme)
    assert seen == [path.as_uri()]


def test_rows_are_found_by_all_words_in_any_case(page):
    rows = page.locator("tbody tr:visible")
    assert rows.count() == 30
    page.fill("input", "NOT part.of29")
    assert rows.count() == 1
    assert "part.of29" in rows.first.inner_text()
    assert page.inner_text("output") == "1 of 30 rows"
    page.fill("input", "")
    assert rows.count() == 30


def test_it_fits_and_can_be_read(page, faint_text):
    wider = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) <= 1
    found = page.evaluate(faint_text)
    assert found["read"] > 50
    assert found["faint"] == []
    page.locator(".scrolled").evaluate("node => node.scrollTo(0, 500)")
    head = page.locator("th").first.bounding_box()
    assert abs(head["y"] - page.locator(".scrolled").bounding_box()["y"]) <= 1
