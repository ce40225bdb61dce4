"""The dashboard's pages and charts: what they hold, draw and leave out; the report's front page."""

import json

import numpy as np
import pandas as pd
import pytest
from docutils.core import publish_parts

from saturation.dashboard import page, rows
from saturation.dashboard.page import CLAIMS, FINDINGS, PROVENANCE, landing, provenance
from saturation.dashboard.rows import Behind

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


def drawn(spec):
    """The records of a chart, by what they are of."""
    return {record["id"]: record for record in spec["data"]["values"]}


def layer(spec, kind):
    (found,) = [part for part in spec["layer"] if part["mark"]["type"] == kind]
    return found


def test_saturation_over_age_shows_what_has_an_age_with_its_interval(listed):
    spec = page.age_chart(listed)
    data = drawn(spec)
    assert set(data) == {"a", "b", "own-mine", "own-arena"}  # c has no age
    assert (data["a"]["s_lower"], data["a"]["s_index"], data["a"]["s_upper"]) == (0.1, 0.7, 0.97)
    assert (data["a"]["origin"], data["own-mine"]["origin"]) == ("published", "your own")
    points, bars = layer(spec, "point")["encoding"], layer(spec, "rule")["encoding"]
    assert (points["x"]["field"], points["y"]["field"]) == ("age", "s_index")
    assert (bars["y"]["field"], bars["y2"]["field"]) == ("s_lower", "s_upper")


def test_compression_is_drawn_in_percent_for_what_has_scores(listed):
    spec = page.compression_chart(listed)
    data = drawn(spec)
    assert set(data) == {"a", "b", "c", "own-mine"}  # ratings have no percentage
    assert (data["a"]["best"], data["a"]["points"]) == (90, 2)
    x, y = spec["encoding"]["x"], spec["encoding"]["y"]
    assert (x["field"], x["scale"]) == ("best", {"domain": [0, 100]})
    assert (y["field"], y["scale"]["type"]) == ("points", "symlog")


def test_discriminability_over_time_is_a_line_a_benchmark(tables, cards, listed):
    months = rows.all_months(tables["monthly"], cards, listed)
    spec = page.bdi_chart(months["v2"])
    (record,) = spec["data"]["values"]
    assert record == {
        "id": "b", "benchmark": "BETA", "month": "2024-01", "n_models": 20, "n_submitters": 9,
        "bdi_submitters": 0.712346, "interval": "0.400 to 0.800",
    }  # fmt: skip
    encoding = layer(spec, "line")["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == ("month", "bdi_submitters")
    assert encoding["y"]["scale"] == {"domain": [0, 1]}
    assert encoding["color"]["field"] == "benchmark"
    small = months["v2"].assign(bdi_submitters_lower=np.nan, reason="9 submitters")
    (record,) = page.bdi_chart(small)["data"]["values"]
    assert record["interval"] == "none: 9 submitters"


def test_a_boards_course_is_its_gap_in_points_with_the_interval(tables):
    spec = page.of_course(tables["course"].to_dict("records"))["spec"]
    first = spec["data"]["values"][0]
    assert first == {"until": "2025-03-31", "n_models": 5, "n_tied": 2,
                     "gap": 10, "gap_lower": 5, "gap_upper": 15}  # fmt: skip
    bars, points = layer(spec, "rule")["encoding"], layer(spec, "point")["encoding"]
    assert (bars["y"]["field"], bars["y2"]["field"]) == ("gap_lower", "gap_upper")
    assert (points["x"]["field"], points["y"]["field"]) == ("until", "gap")


def test_a_brush_knows_the_fields_and_records_that_it_picks(listed):
    content = page.of_all(listed)
    assert content["age"]["fields"] == ["age", "s_index"]
    assert content["age"]["records"][0] == {"id": "a", "age": 10.0, "s_index": 0.7}
    assert len(content["age"]["records"]) == 5
    assert content["compression"]["fields"] == ["best", "points"]
    assert content["compression"]["records"][1] == {"id": "b", "best": 80.0, "points": 20.0}


TEXT = f"First.\n\n{FINDINGS}\nRead\n----\n\nIt.\n\n{CLAIMS}\n{PROVENANCE}"
POINTS = "- **One** is {one:.1f} (`code`,\n  [docs/x.md](docs/x.md)).\n- Two is {two_lower:.2f}.\n"
SUMMARY = pd.DataFrame({"paper": ["a", "all"], "claims": [3, 4]})
MANIFEST = {
    "config": {"seed": 5, "plateau": {"observed_on": "2025-11-01"}},
    "lock": {"envs/requirements.txt": "abc"},
    "inputs": {"resources/a.csv": "1", "resources/b.csv": "2"},
    "outputs": {"results/a.csv": "3"},
}
ORIGIN = {"commit": "f00", "python": "3.11.7", "machine": "x", "system": "Linux"}


def front(quoted, text=TEXT):
    return landing(text, POINTS, quoted, SUMMARY, provenance(MANIFEST, ORIGIN))


def shown(text):
    """The page as HTML; what is wrong in it would stop here."""
    return publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["html_body"]


def test_the_numbers_are_filled_in_and_links_lead_out_of_the_results():
    html = shown(front({"one": 0.25, "two_lower": 3.0}))
    assert "<strong>One</strong> is 0.2" in html
    assert 'href="../docs/x.md">docs/x.md</a>' in html
    assert "Two is 3.00" in html
    assert "<td>all</td>" in html
    # A finding without its number is left out, a section without content has no heading.
    html = shown(front({"one": 0.25}))
    assert "<strong>One</strong>" in html
    assert "Two" not in html
    html = shown(front({}))
    assert "What comes out" not in html
    assert "What it was made from" in html
