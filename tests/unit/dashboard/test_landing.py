"""The report's front page: numbers of the run, and nothing where there is none."""

from pathlib import Path

import pandas as pd
import pytest
from docutils.core import publish_parts

from saturation.dashboard.page import CLAIMS, FINDINGS, PROVENANCE, landing, provenance

ROOT = Path(__file__).parents[3]
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


def page(quoted, text=TEXT):
    return landing(text, POINTS, quoted, SUMMARY, provenance(MANIFEST, ORIGIN))


def shown(text):
    """The page as HTML; what is wrong in it would stop here."""
    return publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["html_body"]


def test_the_numbers_are_filled_in_and_links_lead_out_of_the_results():
    html = shown(page({"one": 0.25, "two_lower": 3.0}))
    assert "<strong>One</strong> is 0.2" in html
    assert 'href="../docs/x.md">docs/x.md</a>' in html
    assert "Two is 3.00" in html
    assert "<td>all</td>" in html
    assert "4" in html


def test_a_finding_without_its_number_is_left_out():
    html = shown(page({"one": 0.25}))
    assert "<strong>One</strong>" in html
    assert "Two" not in html


def test_a_section_without_content_has_no_heading():
    html = shown(page({}))
    assert "What comes out" not in html
    assert "What it was made from" in html


def test_the_run_s_origin_is_named():
    made_from = provenance(MANIFEST, ORIGIN)
    assert "f00" in made_from["Code"]
    assert "abc" in made_from["Packages"]
    assert made_from["Data"].startswith("2 files")
    assert "2025-11-01" in made_from["Data"]
    assert made_from["Random draws"].endswith("5")
    assert made_from["Results"].startswith("1 files")


@pytest.mark.parametrize("marker", [FINDINGS, CLAIMS, PROVENANCE])
def test_the_page_of_the_report_has_every_place_once(marker):
    text = (ROOT / "workflow/report/workflow.rst").read_text(encoding="utf-8")
    assert text.count(marker) == 1
