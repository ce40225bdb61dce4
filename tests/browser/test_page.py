"""The dashboard's page: self-contained, escaped, and with the numbers of its tables."""

import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from saturation.dashboard import rows


class Tags(HTMLParser):
    """Start tags and attributes, scripts' contents aside."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attributes]


def parsed(text):
    tags = Tags()
    tags.feed(text)
    return tags


def test_the_page_is_self_contained(page_text):
    tags = parsed(page_text)
    outside = [
        (tag, name, value)
        for tag, name, value in tags.attributes
        if name in ("src", "href") and value and re.match(r"(https?:)?//", value)
    ]
    assert outside == []
    assert "img" not in tags.tags
    assert tags.tags.count("script") == 3


def test_names_never_become_markup(page_text):
    assert '<script>alert("x")' not in page_text
    assert not any(name.startswith("on") and tag != "form" for tag, name, _ in
                   parsed(page_text).attributes)  # fmt: skip


def test_specifications_are_json_and_hold_all_benchmarks(page_text):
    block = re.search(r'id="specs">(.*?)</script>', page_text, re.S)[1]
    specs = json.loads(block)
    assert set(specs) == {"age", "compression", "bdi-0", "bdi-1"}
    assert {row["id"] for row in specs["age"]["records"]} == {
        "b1", "b2", "b3", "b4", "b5", "b6", "own-mine", "own-arena"
    }  # fmt: skip
    ids = {row["id"] for row in specs["bdi-0"]["spec"]["data"]["values"]}
    assert ids == {"b2", None}  # matched by the name's letters and digits


def test_numbers_in_the_heading_are_those_of_the_tables(page_text):
    assert "3 of 6 published benchmarks reach a saturation index of 0.7" in page_text
    assert "of your own, 2 of 2" in page_text
    assert "1 reproduced, 1 differs, 1 not run here" in page_text


def test_ratings_have_no_scores_and_cards_an_age(cards):
    table = rows.from_cards(cards).set_index("id")
    assert pd.isna(table.loc["own-arena", "s_1"])
    assert table.loc["own-mine", "age"] == pytest.approx(365 / 30.44)
    assert rows.months_between(None, "2026-01-01") is None


def test_an_undetermined_card_is_a_row_without_an_index(cards, build_page):
    undetermined = cards[0] | {"frontier": None}
    assert rows.from_cards([undetermined])["s_index"].isna().all()
    assert "own-mine" in build_page(cards=[undetermined])


def test_a_card_whose_files_failed_is_marked_with_its_date(cards, build_page):
    marked = "<b>As of 2026-01-01: its files could not be read again.</b>"
    assert marked not in build_page()
    assert build_page(cards=[cards[0] | {"stale": ["x.csv: bad"]}]).count(marked) == 1


def test_the_same_tables_give_the_same_bytes(page_text, build_page):
    assert build_page() == page_text
