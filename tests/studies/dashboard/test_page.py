"""The dashboard's pages and charts: what they hold, draw and leave out; the report's front page."""

import json

import pandas as pd
import pytest
import yaml
from docutils.core import publish_parts

from studies.dashboard import page
from studies.dashboard.page import CLAIMS, FINDINGS, PROVENANCE, landing, provenance
from studies.dashboard.rows import Behind

SETTINGS = {"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"}


def shown(*names):
    """A template that shows what it is given under these names, then the charts."""
    given = ", ".join(f"'{name}': {name}" for name in ("path", "root", *names))
    return f"{{{{ {{{given}}} | tojson }}}}§{{{{ specs | safe }}}}"


OF_ALL = (
    *("settings", "counts", "rows", "tops", "facts", "models", "anchors", "sources"),
    *("origins", "verdicts", "papers"),
)
PLAIN = ("time", "models", "sources", "releases", "suites")
TEMPLATES = dict.fromkeys(PLAIN, shown()) | {
    "index": shown(*OF_ALL),
    "ledger": shown("claims"),
    "paper": shown("paper", "claims"),
    "benchmark": shown("board", "courses"),
    "table": shown("table", "copy"),
    "code": shown("module"),
    "dashboard.css.j2": "{{ colours | length }}",
    "dashboard.js": "JS {{ not a template }}",
}
QUANTITIES = pd.DataFrame(
    {
        "quantity": ["first", "second", "third"],
        "value": [0.5, 1e-9, None],
        "made_by": ["studies.plateau.study:_first", "saturation.x:y", None],
    }
)
BEHIND = Behind(
    {"/x/results/plateau/quantities.csv": QUANTITIES},
    {"/x/src/studies/plateau/study.py": "import x\n\n\ndef _first(a, b):\n    pass\n"},
    pd.DataFrame({"name": ["known"]}),
)


def made(tables, cards, behind=BEHIND):
    """What every page shows by its path, and its charts."""
    pages = dict(page.pages(tables, cards, behind, TEMPLATES, SETTINGS))
    assert pages.pop("assets/dashboard.css") == "5"
    assert pages.pop("assets/dashboard.js") == "JS {{ not a template }}"
    parts = {path: text.split("§") for path, text in pages.items()}
    return {path: (json.loads(text), json.loads(specs or "{}"))
            for path, (text, specs) in parts.items()}  # fmt: skip


def test_pages_show_what_was_read_through(tables, cards, as_reviewed):
    pages = {path: list(parts) for path, parts in made(tables, cards).items()}
    flat = {"default_flow_style": None, "width": 140, "allow_unicode": True}
    as_reviewed("dashboard.yaml", yaml.safe_dump(pages, **flat))


def test_without_cards_months_and_ledger_there_are_still_pages(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    found = made(tables, [], Behind({}, {}, BEHIND.sources))
    index, charts = found["index.html"]
    assert [row["name"] for row in index["rows"]] == ["Gamma", "Alpha-1", "Beta"]
    assert (found["ledger.html"][0]["claims"], index["verdicts"]) == ([], {})
    assert list(charts) == ["age", "compression"]
    assert found["time.html"][1] == {}
    assert not any(path.startswith(("papers/", "data/", "code/")) for path in found)


def test_a_script_cannot_be_ended_from_within():
    text = page.embedded({"name": "</script><b>&amp;"})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": "</script><b>&amp;"}
    assert page.embedded({}) == ""


def test_what_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        page.embedded({"x": float("nan")})


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


def html_of(text):
    """The page as HTML; what is wrong in it would stop here."""
    return publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["html_body"]


def test_the_numbers_are_filled_in_and_links_lead_out_of_the_results():
    html = html_of(front({"one": 0.25, "two_lower": 3.0}))
    assert "<strong>One</strong> is 0.2" in html
    assert 'href="../docs/x.md">docs/x.md</a>' in html
    assert "Two is 3.00" in html
    assert "<td>all</td>" in html
    # A finding without its number is left out, a section without content has no heading.
    html = html_of(front({"one": 0.25}))
    assert "<strong>One</strong>" in html
    assert "Two" not in html
    html = html_of(front({}))
    assert "What comes out" not in html
    assert "What it was made from" in html
