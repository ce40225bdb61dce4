"""A browser, and a dashboard from small tables, laid out as the stages write them."""

import importlib.util
import shutil
from pathlib import Path

import pandas as pd
import pytest

from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_json

ROOT = Path(__file__).parents[2]
EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)> & "quotes"'
# An override that turns round what follows it, and letters that are read from right to left.
TURNED = "\u202eturned \u05d0\u05d1\u05d2 1"

# Text whose ratio to its ground is under 4.5 (WCAG 2, AA; 3 from 24 px on): element, ratio.
FAINT = """() => {
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const seen = [...document.querySelectorAll("body *")].filter((node) =>
    !node.closest("svg, script") && node.checkVisibility() &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const faint = seen.map((node) => {
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const least = parseFloat(getComputedStyle(node).fontSize) >= 24 ? 3 : 4.5;
    return ratio < least ? `${node.tagName}.${node.className} ${node.textContent} ${ratio}` : null;
  }).filter(Boolean);
  return { read: seen.length, faint };
}"""

BENCHMARKS = pd.DataFrame(
    {
        "benchmark_id": [f"b{i}" for i in range(1, 7)],
        "name": [f"Bench {i}" for i in range(1, 7)],
        "months_at_observation": [3.0, 14, 25, 47, 70, 90],
        "released": "2024-01-01",
        "citations": [10.0, None, 30, 40, 50, 6000],
        "availability": "public",
        "languages": "english;german",
        "output_format": "free_form",
        "input_format": "coding",
        "metrics": "accuracy",
        "flags": None,
        "score_sources": ["one.example;two.example", None, None, None, None, None],
    }
)
INDEX = pd.DataFrame(
    {
        "benchmark_id": BENCHMARKS["benchmark_id"],
        "n_test": [100, 200, 300, 400, 500, 600],
        "s_1": [0.4, 0.9, 0.95, 0.8, 0.7, 0.99],
        "s_k": [0.3, 0.88, 0.9, 0.79, 0.5, 0.98],
        "s_index": [0.1, 0.95, 0.75, 0.98, 0.005, 0.4],
        "bin": ["low", "very_high", "high", "very_high", "very_low", "moderate"],
    }
)
INTERVALS = BENCHMARKS[["benchmark_id"]].assign(s_lower=0.0, s_upper=1.0, p_saturated=0.3)
TOPS = pd.DataFrame(
    {
        "benchmark_id": sorted(list(BENCHMARKS["benchmark_id"]) * 5),
        "rank": [1, 2, 3, 4, 5] * 6,
        "model": ["m", None, "n", EVIL, "o"] * 6,
        "score": [0.9, 0.8, 0.7, 0.6, 0.5] * 6,
    }
)
MONTHLY = pd.DataFrame(
    {
        "leaderboard": "v1",
        "benchmark": ["BENCH-2", "Other"] * 3,
        "month": sorted(["2024-01", "2024-02", "2024-03"] * 2),
        "n_models": 20,
        "n_submitters": 18,
        "bdi_submitters": [0.7, 0.5, 0.6, 0.5, 0.5, 0.5],
        "bdi_submitters_lower": [0.4, 0.4, 0.4, None, None, 0.4],
        "bdi_submitters_upper": [0.8, 0.8, 0.8, None, None, 0.8],
        "reason": [None, None, None, "18 submitters", "18 submitters", None],
    }
)
LEDGER = pd.DataFrame(
    {
        "claim_id": ["plateau_001", "plateau_002", "fluid_001"],
        "paper": ["plateau", "plateau", "fluid"],
        "places": "abstract",
        "statement": ["one", EVIL, "three"],
        "quotation": [None, EVIL, None],
        "published": [60.0, 14.0, None],
        "computed": [60.0, 13.123456, None],
        "verdict": ["reproduced", "differs", "not run here"],
        "grade": [
            "recomputed from the released data",
            "contradicted by the released data",
            "released, not run here",
        ],
    }
)
EVIDENCE = pd.DataFrame(
    {
        "evidence_id": ["plateau_001a", "plateau_002a", "fluid_001a"],
        "claim_id": LEDGER["claim_id"],
        "study": ["plateau", "plateau", "adaptive"],
        "role": "natural",
        "data": "released data",
        "method": "stated in the paper",
        "outcome": ["agrees", "contradicts", "not run here"],
        "computed": ["1", EVIL, None],
        "remark": [None, EVIL, "run: a command"],
        "note": [None, "a note", None],
        "file": "results/plateau/quantities.csv",
        "cell": "row 2, value",
        "source": "plateau_annotations",
        "code": "src/saturation/plateau/quantities.py:7",
    }
)


def place(model, score, best_rank, worst_rank, *, tied):
    return {
        "model": model,
        "score": score,
        "best_rank": best_rank,
        "worst_rank": worst_rank,
        "tied_with_leader": tied,
    }


def card(name, family, history):
    index = {
        "s_index": 0.9,
        "lower": 0.5,
        "upper": 0.95,
        "p_saturated": 0.8,
        "bin": "very_high",
        "s_1": 0.9,
        "s_k": 0.85,
    }
    return {
        "benchmark": name,
        "verdict": "saturated",
        "reason": "solved",
        "explanation": "little is left to gain",
        "p_saturated": 0.8,
        "observed_on": "2026-01-01",
        "released": "2025-01-01",
        "synthetic": True,
        "data": {
            "family": family,
            "n_items": 150 if family == "accuracy" else None,
            "n_ranked": 7,
        },
        "frontier": {
            "index": index,
            "power": {"level": 0.95},
            "ties": {"independent": {"group": [EVIL]}, "paired": {"group": [EVIL, TURNED]}},
            "models": [
                place(EVIL, 0.9, 1, 2, tied=True),
                place(TURNED, 0.85, 1, 3, tied=True),
                place("far behind", 0.5, 3, 3, tied=False),
            ],
        },
        "history": history,
    }


CARDS = [
    card("mine", "accuracy", {"abstains": None, "months": MONTHLY.iloc[:3].drop(
        columns=["leaderboard", "benchmark"]).to_dict("records")}),
    card("arena", "rating", {"abstains": "no dates"}),
]  # fmt: skip


def build(here, monthly=MONTHLY, ledger=LEDGER, cards=CARDS):
    """The page, through the stage's own script."""
    path = ROOT / "workflow/scripts/dashboard/dashboard.py"
    spec = importlib.util.spec_from_file_location("dashboard_script", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    tables = {"benchmarks": BENCHMARKS, "index": INDEX, "intervals": INTERVALS,
              "top_scores": TOPS, "monthly": monthly, "ledger": ledger,
              "evidence": None if ledger is None else EVIDENCE}  # fmt: skip
    tables = {name: table for name, table in tables.items() if table is not None}
    for name, table in tables.items():
        write_csv(table, here / f"{name}.csv")
    for place, one in enumerate(cards):
        write_json(one, here / f"card{place}.json")
    templates = ROOT / "workflow/templates"
    inputs = {
        **{name: here / f"{name}.csv" for name in tables},
        "cards": [here / f"card{place}.json" for place in range(len(cards))],
        **{suffix: templates / f"dashboard.{suffix}" for suffix in ("css", "js")},
        "html": templates / "dashboard.html.j2",
    }
    script.main(
        Paths(inputs),
        Paths({"files": here / "index.html"}),
        settings={"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"},
    )
    return (here / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def build_page(tmp_path_factory):
    """A function that builds the page from other tables than the usual ones."""
    return lambda **tables: build(tmp_path_factory.mktemp("page"), **tables)


@pytest.fixture(scope="session")
def page_text(build_page):
    """The usual page."""
    return build_page()


@pytest.fixture(scope="session")
def evil():
    """A name that tries to become markup; it stands in model names and statements."""
    return EVIL


@pytest.fixture(scope="session")
def turned():
    """A model's name that is read from right to left and has an override."""
    return TURNED


@pytest.fixture(scope="session")
def cards():
    """The cards on the usual page: one with a course over time, one of ratings."""
    return CARDS


CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    """Chromium, without a window."""
    if CHROMIUM is None:
        pytest.skip(
            "no chromium on the path: install the Debian package "
            "(tests/browser/install_chromium.sh does where it can)"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def faint_text():
    """A script that counts a page's texts and lists those too faint to read."""
    return FAINT
