"""The dashboard's pages as files: escaped, light, and every link leads somewhere."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pandas as pd
import pytest


class Tags(HTMLParser):
    """Start tags, attributes and anchors; scripts' contents aside."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attributes]

    def all(self, *names):
        return [value for _, name, value in self.attributes if name in names and value]


@pytest.fixture(scope="module")
def parsed(dashboard):
    """Every page by its path."""
    return {
        path.relative_to(dashboard).as_posix(): Tags(path.read_text(encoding="utf-8"))
        for path in sorted(dashboard.rglob("*.html"))
    }


def broken(folder, parsed):
    """Links that lead to no file, or to no anchor of it; those to the network aside."""
    anchors = {path: set(page.all("id")) for path, page in parsed.items()}
    for path, page in parsed.items():
        for address in page.all("href", "src"):
            parts = urlsplit(address)
            if parts.scheme:
                continue
            target = (folder / path).parent / unquote(parts.path) if parts.path else folder / path
            if not target.is_file():
                yield f"{path}: {address}: no file"
                continue
            found = target.resolve().relative_to(folder.resolve().parent).as_posix()
            inside = anchors.get(found.removeprefix(f"{folder.name}/"), set())
            if parts.fragment and unquote(parts.fragment) not in inside:
                yield f"{path}: {address}: no anchor"


def test_every_link_leads_to_a_file_and_an_anchor_of_it(dashboard, parsed):
    assert list(broken(dashboard, parsed)) == []
    assert sum(len(page.all("href")) for page in parsed.values()) > 200


def test_pages_ask_nothing_of_the_network(parsed):
    for path, page in parsed.items():
        loaded = [value for tag, name, value in page.attributes
                  if name == "src" or (tag == "link" and name == "href")]  # fmt: skip
        assert [one for one in loaded if re.match(r"(https?:)?//", one)] == [], path
        assert "img" not in page.tags
        assert page.tags.count("h1") == 1, path


def test_names_never_become_markup(dashboard, parsed):
    for path, page in parsed.items():
        assert '<script>alert("x")' not in (dashboard / path).read_text(encoding="utf-8")
        assert not any(name.startswith("on") for _, name, _ in page.attributes), path


def test_copies_of_the_tables_lie_beside_the_pages(dashboard):
    copies = {path.name for path in (dashboard / "data").glob("*.csv")}
    assert {"shown_index.csv", "shown_models.csv", "shown_ledger.csv", "plateau_quantities.csv",
            "ledger_claims_plateau.csv"} <= copies  # fmt: skip
    assert pd.read_csv(dashboard / "data/shown_models.csv")["model"][0] == "m"


def test_an_undetermined_card_is_a_row_without_an_index(cards, build_dashboard):
    undetermined = cards[0] | {"frontier": None}
    folder = build_dashboard(cards=[undetermined])
    assert "own-mine" in (folder / "index.html").read_text()
    assert "–" in (folder / "benchmarks/own-mine.html").read_text()


def test_a_card_whose_files_failed_is_marked_with_its_date(cards, dashboard, build_dashboard):
    marked = "<b>As of 2026-01-01: its files could not be read again.</b>"
    assert marked not in (dashboard / "benchmarks/own-mine.html").read_text()
    folder = build_dashboard(cards=[cards[0] | {"stale": ["x.csv: bad"]}])
    assert (folder / "benchmarks/own-mine.html").read_text().count(marked) == 1


def test_the_same_tables_give_the_same_bytes(dashboard, build_dashboard):
    again = build_dashboard()
    names = sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert names == sorted(
        path.relative_to(dashboard) for path in dashboard.rglob("*") if path.is_file()
    )
    assert all((again / name).read_bytes() == (dashboard / name).read_bytes() for name in names)
