"""A browser, and a dashboard from small tables, laid out as the stages write them."""

import importlib.util
import shutil
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest

from saturation.files.tables import write_csv, write_json, write_text
from saturation.status.schemas import STATUS as STATUS_SCHEMA
from studies.boards.names import MMLU_PRO_MODELS
from studies.files.stages import Paths
from studies.plateau.schemas import CURATION, ISSUES
from tests.shared_cards import card_file

ROOT = Path(__file__).parents[2]
EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)> & "quotes"'
# An override that turns round what follows it, and letters that are read from right to left.
TURNED = "\u202eturned \u05d0\u05d1\u05d2 1"

# Text whose ratio to its ground is under 4.5 (WCAG 2, AA; 3 from 24 px on): element, ratio.
FAINT = Path(__file__).with_name("faint.js").read_text(encoding="utf-8")


def table(text, **same):
    """A table from its cells; EVIL is the name above."""
    return pd.read_csv(StringIO(text)).replace({float("nan"): None, "EVIL": EVIL}).assign(**same)


# The fifth has a board, whose title has the same letters.
BENCHMARKS = table(
    """\
benchmark_id,name,months_at_observation,released,citations
b1,Bench 1,3.0,2024-01-01,10.0
b2,Bench 2,14,2024-01-01,
b3,Bench 3,25,2024-01-01,30
b4,Bench 4,47,2024-01-01,40
b5,GPQA-Diamond,70,2024-01-01,50
b6,Bench 6,90,2024-01-01,6000
""",
    availability="public", languages="english;german", output_format="free_form",
    input_format="coding", metrics="accuracy", flags=None,
    score_sources=["one.example;two.example", *[None] * 5],
    age_months=1, n_test=100, source_id=1, n_languages=1, n_models_listed=5,
    metric_family="accuracy", sota_at_release=None, sota_model_at_release=None,
    **dict.fromkeys(
        ("english_only", "templated", "template_in_notes", "recent_models_evaluated",
         *CURATION, *ISSUES), False,
    ),
)  # fmt: skip
INDEX = table(
    """\
benchmark_id,n_test,s_1,s_k,s_index,bin
b1,100,0.4,0.3,0.1,low
b2,200,0.9,0.88,0.95,very_high
b3,300,0.95,0.9,0.75,high
b4,400,0.8,0.79,0.98,very_high
b5,500,0.7,0.5,0.005,very_low
b6,600,0.99,0.98,0.4,moderate
""",
    k=5, alpha=0.5, se_delta=0.1, r_norm=0.1, statistically_similar=False,
    similar_at_ceiling=False, similar_below_ceiling=False,
)  # fmt: skip
INTERVALS = BENCHMARKS[["benchmark_id"]].assign(
    s_lower=[0.0, 0.8, 0.1, 0.7, 0.0, 0.1],
    s_upper=[0.2, 1, 0.9, 1, 0.69, 0.7],
    first_and_kth="undecided",
)
# Two boards; the second has models without dates.
TOP = {"gap": 0.1, "gap_lower": 0.05, "gap_upper": 0.15, "n_tied": 2, "detectable": 0.07,
       "items_needed": 300, "s_index": 0.4, "first_and_kth": "separated",
       "first": "m", "kth": "o", "s_1": 0.9, "s_k": 0.8, "kth_tied": False}  # fmt: skip
OVERVIEW = table(
    """\
board,title,kind,n_models,n_items
gpqa_diamond,GPQA Diamond,share of repetitions,3,198
mmlu_pro,MMLU-Pro,right or wrong,3,12032
""",
    **TOP, verdict=["underpowered", "separates"], reason=["too_few_items", "all_separated"],
)  # fmt: skip
MODELS = table("""\
board,place,model,score,lower,upper,n_items,best_rank,worst_rank,tied_with_leader,released
gpqa_diamond,1,m,0.9,0.8,0.95,198,1,2,True,2025-01-01
gpqa_diamond,2,EVIL,0.85,0.7,0.9,198,1,2,True,
gpqa_diamond,3,=o+1,0.5,0.4,0.6,198,3,3,False,2025-03-04
mmlu_pro,1,m,0.9,0.8,0.95,12032,1,1,True,
mmlu_pro,2,EVIL,0.85,0.7,0.9,12032,2,2,False,
mmlu_pro,3,=o+1,0.5,0.4,0.6,12032,3,3,False,
""")
REMARKS = pd.DataFrame({"board": ["gpqa_diamond"], "remark": ["left out: 11 evaluations"]})
TOPS = pd.DataFrame(
    {"benchmark_id": sorted([*BENCHMARKS["benchmark_id"]] * 5), "rank": [1, 2, 3, 4, 5] * 6,
     "model": ["m", None, "n", EVIL, "o"] * 6, "score": [0.9, 0.8, 0.7, 0.6, 0.5] * 6}
)  # fmt: skip
# Current ones with the page of a published benchmark and with a page of its own; a board's is not.
STATUS = table(
    """\
benchmark,status,current,why,date,best_share,lower,reported_share,next_year,history,benchmark_id,items_board,anchor
Bench 2,exhausted,True,limit at 90 %,2026-07-01,0.95,0.92,,,"Bench 2, measured",b2,,bench2
EVIL,near the ceiling,True,a reported score is at 90 %,2026-06-01,0.8,,0.95,0.3,,,,evil
MMLU-Pro,room left,False,no score is at 90 %,2025-01-01,0.7,,,,,,mmlu_pro,mmlupro
""",
    as_of="2026-08-01", n_models=3, reported_by="llm-stats.com", top="not shown",
).reindex(columns=list(STATUS_SCHEMA.columns))  # fmt: skip
FRONTIER = table(
    """\
date,share,best
2025-08-01,0.3,0.3
2026-02-01,0.5,0.5
""",
    series="Bench 2, measured",
)
MONTHLY = table(
    """\
benchmark,month,bdi_submitters,bdi_submitters_lower,bdi_submitters_upper,reason
BENCH-2,2024-01,0.7,0.4,0.8,
Other,2024-01,0.5,0.4,0.8,
BENCH-2,2024-02,0.6,0.4,0.8,
Other,2024-02,0.5,,,18 submitters
BENCH-2,2024-03,0.5,,,18 submitters
Other,2024-03,0.5,0.4,0.8,
""",
    leaderboard="v1", n_models=20, n_submitters=18, elapsed=0, bdi=0.5, max_score=0.5,
    ceiling_proximity=0.5, note=None,
    **{f"top{k}_gap{end}": None for k in (10, 20) for end in ("", "_lower", "_upper")},
)  # fmt: skip
LEDGER = table(
    """\
claim_id,paper,statement,quotation,published,computed,verdict,grade
plateau_001,plateau,one,*their* words,60.0,60.0,reproduced,recomputed from the released data
plateau_002,plateau,EVIL,EVIL,14.0,13.123456,differs,contradicted by the released data
fluid_001,fluid,three,,,,not run here,"released, not run here"
""",
    places="abstract",
)
EVIDENCE = table(
    """\
evidence_id,claim_id,study,outcome,computed,remark,note,cell,quantity
plateau_001a,plateau_001,plateau,agrees,1,,,"column value, row 2, 3",first
plateau_002a,plateau_002,plateau,contradicts,EVIL,EVIL,a note,,
fluid_001a,fluid_001,adaptive,not run here,,run: a command,,,
""",
    role="natural", data="released data", method="stated in the paper", rule=None,
    file="results/plateau/quantities.csv", source="plateau_annotations",
    code=["src/studies/plateau/study.py:4", None, None],
)  # fmt: skip
QUANTITIES = table(
    """\
quantity,value,made_by
first,60.0,studies.plateau.study:_first
second,1e-9,
""",
    lower=None, upper=None, note=None,
)  # fmt: skip
CODE = "# Text with <b> & quotes.\n\n\ndef _first():\n    # </code>\n    yield 1\n    yield 2\n"
SOURCES = pd.DataFrame(
    {
        "name": ["plateau_annotations", "open_llm_v1", "open_llm_v2", "board_epoch_runs",
                 "board_livebench", "board_epoch_models", "plateau_2026_llm_stats",
                 *(f"board_mmlu_pro_{model}" for model in MMLU_PRO_MODELS)],
        "url": "https://files.example/a",
        "licence": "MIT",
        "sha256": "0" * 64,
        "what": "a table",
    }
)  # fmt: skip


def card(name, family, months=None):
    index = {"s_index": 0.9, "lower": 0.5, "upper": 0.95, "first_and_kth": "equivalent",
             "bin": "very_high", "s_1": 0.9, "s_k": 0.85}  # fmt: skip
    names = ("model", "score", "best_rank", "worst_rank", "tied_with_leader")
    standings = (
        (EVIL, 0.9, 1, 2, True),
        (TURNED, 0.85, 1, 3, True),
        ("far behind", 0.5, 3, 3, False),
    )
    models = [dict(zip(names, standing)) for standing in standings]
    ties = {"independent": [EVIL], "paired": [EVIL, TURNED]}
    n_items = 150 if family == "accuracy" else None
    return card_file(
        models, ties, index, months,
        benchmark=name, verdict="saturated", reason="solved",
        explanation="little is left to gain", observed_on="2026-01-01",
        released="2025-01-01", synthetic=True,
        data={"family": family, "n_items": n_items, "n_ranked": 7},
    )  # fmt: skip


MONTHS = MONTHLY.iloc[:3].drop(columns=["leaderboard", "benchmark"]).to_dict("records")
CARDS = [card("mine", "accuracy", MONTHS), card("arena", "rating")]


def build(folder, cards=CARDS):
    """The dashboard, through the stage's own script; gives back its folder."""
    path = ROOT / "workflow/scripts/dashboard/dashboard.py"
    spec = importlib.util.spec_from_file_location("dashboard_script", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    tables = {"benchmarks": BENCHMARKS, "index": INDEX, "intervals": INTERVALS,
              "top_scores": TOPS, "overview": OVERVIEW, "models": MODELS,
              "remarks": REMARKS, "sources": SOURCES, "monthly": MONTHLY, "ledger": LEDGER,
              "evidence": EVIDENCE, "status": STATUS, "frontier": FRONTIER}  # fmt: skip
    here = {name: folder / f"results/{name}.csv" for name in tables}
    for name, file in here.items():
        write_csv(tables[name], file)
    files = [folder / f"card{place}.json" for place in range(len(cards))]
    for file, one in zip(files, cards):
        write_json(one, file)
        write_text("the card", folder / f"results/own/benchmarks/{one['benchmark']}/card.html")
    behind = {
        "quantities": folder / "results/plateau/quantities.csv",
        "claims": folder / "resources/ledger/claims/plateau.csv",
        "makers": folder / "src/studies/plateau/study.py",
    }
    write_csv(QUANTITIES, behind["quantities"])
    claims = LEDGER[["claim_id", "statement", "quotation", "published"]].assign(
        version="1", places="Table 1", kind="conclusion", sense="descriptive", decimals=None,
        note=None,
    )  # fmt: skip
    write_csv(claims, behind["claims"])
    write_text(CODE, behind["makers"])
    templates = ROOT / "workflow/templates/dashboard"
    shown = folder / "results/dashboard"
    script.main(
        Paths({**here, **{name: [path] for name, path in behind.items()}, "cards": files,
               "templates": [*templates.iterdir()]}),
        Paths({"entry": shown / "index.html", "folders": [shown / name for name in FOLDERS]}),
        settings={"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"},
    )  # fmt: skip
    return shown


FOLDERS = ("assets", "benchmarks", "papers", "data", "code")


@pytest.fixture(scope="session")
def build_dashboard(tmp_path_factory):
    """A function that builds the dashboard, with other cards than the usual ones."""
    return lambda cards=CARDS: build(tmp_path_factory.mktemp("a folder – ü"), cards)


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
