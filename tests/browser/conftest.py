"""A browser, and a dashboard from small tables, laid out as the stages write them."""

import importlib.util
import shutil
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from saturation.boards.names import MMLU_PRO_MODELS
from saturation.dashboard import page
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_json, write_text

ROOT = Path(__file__).parents[2]
EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)> & "quotes"'
# An override that turns round what follows it, and letters that are read from right to left.
TURNED = "\u202eturned \u05d0\u05d1\u05d2 1"

# Text whose ratio to its ground is under 4.5 (WCAG 2, AA; 3 from 24 px on): element, ratio.
FAINT = Path(__file__).with_name("faint.js").read_text(encoding="utf-8")

BENCHMARKS = pd.DataFrame(
    {
        "benchmark_id": [f"b{i}" for i in range(1, 7)],
        # The fifth has a board, whose title has the same letters.
        "name": ["Bench 1", "Bench 2", "Bench 3", "Bench 4", "GPQA-Diamond", "Bench 6"],
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
INTERVALS = BENCHMARKS[["benchmark_id"]].assign(
    s_lower=[0.0, 0.8, 0.1, 0.7, 0.0, 0.1],
    s_upper=[0.2, 1, 0.9, 1, 0.69, 0.7],
    first_and_kth="undecided",
)
# Two boards; the second has models without dates and no course.
TOP = {"gap": 0.1, "gap_lower": 0.05, "gap_upper": 0.15, "n_tied": 2, "detectable": 0.07,
       "items_needed": 300, "s_index": 0.4, "s_index_measured": 0.1, "first_and_kth": "separated",
       "first": "m", "kth": "o", "s_1": 0.9, "s_k": 0.8, "kth_tied": False}  # fmt: skip
OVERVIEW = pd.DataFrame(
    {
        "board": ["gpqa_diamond", "mmlu_pro"],
        "title": ["GPQA Diamond", "MMLU-Pro"],
        "kind": ["share of repetitions", "right or wrong"],
        "n_models": 3,
        "n_items": [198, 12032],
        "n_left_out": 0,
        **TOP,
        "verdict": ["underpowered", "separates"],
        "reason": ["too_few_items", "told_apart"],
        "measured_alpha": 1.1,
        **dict.fromkeys(("all_right", "all_wrong", "negative", "backwards", "deciding"), 3),
        "smallest_chosen": None,
        "smallest_random": 30,
    }
)
MODELS = pd.DataFrame(
    {
        "board": ["gpqa_diamond"] * 3 + ["mmlu_pro"] * 3,
        "place": [1, 2, 3] * 2,
        "model": ["m", EVIL, "=o+1"] * 2,
        "score": [0.9, 0.85, 0.5] * 2,
        "lower": [0.8, 0.7, 0.4] * 2,
        "upper": [0.95, 0.9, 0.6] * 2,
        "n_items": [198] * 3 + [12032] * 3,
        "best_rank": [1, 1, 3, 1, 2, 3],
        "worst_rank": [2, 2, 3, 1, 2, 3],
        "tied_with_leader": [True, True, False, True, False, False],
        "released": ["2025-01-01", None, "2025-03-04"] + [None] * 3,
    }
)
COURSE = pd.DataFrame(
    {"board": "gpqa_diamond", "until": ["2025-03-31", "2025-06-30"], "n_models": [5, 6], **TOP,
     "alpha": 1.1, "alpha_lower": 1.0, "alpha_upper": 1.2}
)  # fmt: skip
REMARKS = pd.DataFrame({"board": ["gpqa_diamond"], "remark": ["left out: 11 evaluations"]})
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
        "quotation": ["*their* words", EVIL, None],
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
        "cell": ["column value, row 2, 3", None, None],
        "quantity": ["first", None, None],
        "rule": None,
        "source": "plateau_annotations",
        "code": ["src/saturation/plateau/study.py:4", None, None],
    }
)
QUANTITIES = pd.DataFrame(
    {
        "quantity": ["first", "second"],
        "value": [60.0, 1e-9],
        "made_by": ["saturation.plateau.study:_first", None],
    }
)
CODE = "# Text with <b> & quotes.\n\n\ndef _first():\n    # </code>\n    yield 1\n    yield 2\n"
SOURCES = pd.DataFrame(
    {
        "name": ["plateau_annotations", "open_llm_v1", "open_llm_v2", "board_epoch_runs",
                 "board_livebench", "board_epoch_models",
                 *(f"board_mmlu_pro_{model}" for model in MMLU_PRO_MODELS)],
        "url": "https://files.example/a",
        "licence": "MIT",
        "sha256": "0" * 64,
        "what": "a table",
    }
)  # fmt: skip


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
        "first_and_kth": "equivalent",
        "bin": "very_high",
        "s_1": 0.9,
        "s_k": 0.85,
    }
    return {
        "benchmark": name,
        "verdict": "saturated",
        "reason": "solved",
        "explanation": "little is left to gain",
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


def build(folder, monthly=MONTHLY, ledger=LEDGER, cards=CARDS):
    """The dashboard, through the stage's own script; gives back its folder."""
    path = ROOT / "workflow/scripts/dashboard/dashboard.py"
    spec = importlib.util.spec_from_file_location("dashboard_script", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    tables = {"benchmarks": BENCHMARKS, "index": INDEX, "intervals": INTERVALS,
              "top_scores": TOPS, "overview": OVERVIEW, "models": MODELS, "course": COURSE,
              "remarks": REMARKS, "sources": SOURCES, "monthly": monthly, "ledger": ledger,
              "evidence": None if ledger is None else EVIDENCE}  # fmt: skip
    here = {
        name: folder / f"results/{name}.csv" for name, table in tables.items() if table is not None
    }
    for name, file in here.items():
        write_csv(tables[name], file)
    files = [folder / f"card{place}.json" for place in range(len(cards))]
    for file, one in zip(files, cards):
        write_json(one, file)
        write_text("the card", folder / f"results/own/benchmarks/{one['benchmark']}/card.html")
    behind = {
        "quantities": folder / "results/plateau/quantities.csv",
        "claims": folder / "resources/ledger/claims/plateau.csv",
        "makers": folder / "src/saturation/plateau/study.py",
    }
    write_csv(QUANTITIES, behind["quantities"])
    write_csv(LEDGER[["claim_id", "published"]], behind["claims"])
    write_text(CODE, behind["makers"])
    templates = ROOT / "workflow/templates/dashboard"
    names = (*(f"{name}.html.j2" for name in page.TEMPLATES), "dashboard.css.j2", "dashboard.js")
    shown = folder / "results/dashboard"
    script.main(
        Paths({**here, **{name: [path] for name, path in behind.items()}, "cards": files,
               "templates": [templates / name for name in names]}),
        Paths({"entry": shown / "index.html", "folders": [shown / name for name in FOLDERS]}),
        settings={"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"},
    )  # fmt: skip
    return shown


FOLDERS = ("assets", "benchmarks", "papers", "data", "code")


@pytest.fixture(scope="session")
def build_dashboard(tmp_path_factory):
    """A function that builds the dashboard from other tables than the usual ones."""
    return lambda **tables: build(tmp_path_factory.mktemp("a folder – ü"), **tables)


@pytest.fixture(scope="session")
def dashboard(build_dashboard):
    """The folder of the usual dashboard."""
    return build_dashboard()


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


@pytest.fixture
def watched(browser):
    """A context in which addresses are opened; what pages say and ask for goes to its list."""

    @contextmanager
    def watching(seen):
        contexts = []

        def opener(address, size, scheme):
            width, height = size
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: seen.append(f"error: {error}"))
            page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
            page.on("request", lambda request: seen.append(request.url))
            page.goto(address)
            return page

        yield opener
        for context in contexts:
            context.close()

    return watching
