"""Which pages there are, what their templates are given, and what can stand inside a script."""

import json
from pathlib import Path

import pandas as pd
import pytest

from saturation.dashboard import page
from saturation.dashboard.rows import Behind

ROOT = Path(__file__).parents[3]

SETTINGS = {"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"}
SHARED = "{{ path }}§{{ root }}§{{ specs | safe }}§"
TEMPLATES = {
    **dict.fromkeys(page.TEMPLATES, SHARED),
    "index": SHARED + "{% for row in rows %}{{ row.name }},{% endfor %}§{{ counts.own }}",
    "paper": SHARED + "{{ paper.title }}§{{ claims | map(attribute='claim_id') | join(',') }}",
    "ledger": SHARED + "{{ claims | length }}§{{ verdicts }}",
    "benchmark": SHARED + "{{ row.name }}§{{ board.title if board }}§{{ courses | join(',') }}",
    "models": SHARED + "{{ anchors['n (new)'] }}",
    "style": "{{ colours | length }}",
    "script": "JS {{ not a template }}",
}
BEHIND = Behind(
    {"/x/results/plateau/quantities.csv": pd.DataFrame({"quantity": ["first"]})},
    {"/x/src/saturation/index.py": "a\n"},
    pd.DataFrame({"name": ["known"]}),
)


def made(tables, cards, behind=BEHIND):
    """The parts of every page by its path."""
    pages = page.pages(tables, cards, behind, TEMPLATES, SETTINGS)
    return {path: text.split("§") for path, text in pages}


def test_there_is_a_page_of_everything_and_each_knows_where_it_stands(tables, cards):
    found = made(tables, cards)
    assert list(found) == [
        "assets/dashboard.css", "assets/dashboard.js",
        "index.html", "time.html", "ledger.html", "models.html", "sources.html",
        "papers/plateau.html", "papers/fluid.html",
        *(f"benchmarks/{name}.html"
          for name in ("c", "a", "own-mine", "own-arena", "b", "board-mmlu_pro")),
        "data/plateau_quantities.html", "code/index.html",
    ]  # fmt: skip
    for path, (own, root, *_) in list(found.items())[2:]:
        assert own == path
        assert root == ("../" if "/" in path else "")


def test_templates_are_given_what_their_pages_show(tables, cards):
    found = made(tables, cards)
    assert found["assets/dashboard.css"] == ["5"]
    assert found["assets/dashboard.js"] == ["JS {{ not a template }}"]
    # The most saturated first.
    assert found["index.html"][3:] == ["Gamma,Alpha-1,mine,arena,Beta,", "2"]
    assert found["ledger.html"][3:] == ["3", "{&#39;reproduced&#39;: 2, &#39;differs&#39;: 1}"]
    assert found["papers/plateau.html"][3:] == ["When AI Benchmarks Plateau", "x,z"]
    assert found["benchmarks/b.html"][3:] == ["Beta", "Beta", "v2"]
    assert found["benchmarks/a.html"][3:] == ["Alpha-1", "", "v1"]
    assert found["benchmarks/own-mine.html"][3:] == ["mine", "", "your own"]
    assert found["benchmarks/board-mmlu_pro.html"][3:] == ["MMLU-Pro", "MMLU-Pro", ""]
    assert found["models.html"][3] == "n-new"


def test_each_page_holds_only_its_own_charts(tables, cards):
    specs = {path: json.loads(parts[2]) for path, parts in made(tables, cards).items()
             if len(parts) > 2 and parts[2]}  # fmt: skip
    assert {path: sorted(own) for path, own in specs.items()} == {
        "index.html": ["age", "compression"],
        "time.html": ["bdi-0", "bdi-1", "bdi-2"],
        "benchmarks/a.html": ["bdi-0"],
        "benchmarks/b.html": ["bdi-0", "course"],
        "benchmarks/own-mine.html": ["bdi-0"],
    }


def test_without_cards_months_and_ledger_there_are_still_pages(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    found = made(tables, [], Behind({}, {}, BEHIND.sources))
    assert found["index.html"][3:] == ["Gamma,Alpha-1,Beta,", "0"]
    assert found["ledger.html"][3:] == ["0", "{}"]
    assert found["time.html"][2] == ""
    assert not any(path.startswith(("papers/", "data/", "code/")) for path in found)


def test_a_script_cannot_be_ended_from_within():
    text = page.embedded({"name": "</script><b>&amp;"})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": "</script><b>&amp;"}
    assert page.embedded({}) == ""


def test_what_is_not_a_number_is_refused_and_names_are_escaped(tables):
    with pytest.raises(ValueError, match="JSON"):
        page.embedded({"x": float("nan")})
    tables["benchmarks"] = tables["benchmarks"].assign(name=["<b>", "x", "y"])
    assert "&lt;b&gt;" in made(tables, [])["index.html"][3]


def test_rows_do_not_hang_on_the_order_of_their_tables(tables, cards):
    shuffled = dict(tables, intervals=tables["intervals"].sample(frac=1, random_state=1))
    assert made(shuffled, cards) == made(tables, cards)
