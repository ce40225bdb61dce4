"""Real leaderboards with item responses: what do their items show of the top, and which alpha?

in:  resources/boards/evaluations.csv, resources/boards/responses/BOARD.parquet,
     results/plateau/index.csv, config section boards
out: results/boards/{alpha,pairs,pooled,published,overview,models,course,subsets,remarks,quantities}.csv,
     results/boards/overview.html, results/figures/boards/; by boards_sources and boards_verify
     results/boards/sources/ and verification.csv
"""

from saturation.boards.names import DATES as BOARD_DATES
from saturation.boards.names import EMBEDDED as EMBEDDED_BOARDS
from saturation.boards.names import FIGURES as BOARD_FIGURES
from saturation.boards.names import SOURCES as BOARD_SOURCES

BOARDS = config["boards"]
BOARD_EVALUATIONS = shipped("resources/boards/evaluations.csv")
BOARD_RESPONSES = [
    shipped(f"resources/boards/responses/{board}.parquet") for board in EMBEDDED_BOARDS
]


rule boards_sources:
    input:
        sources=expand("results/sources/{file}", file=[*BOARD_SOURCES, BOARD_DATES]),
    output:
        evaluations="results/boards/sources/evaluations.csv",
        responses=expand(
            "results/boards/sources/responses/{board}.parquet", board=EMBEDDED_BOARDS
        ),
    resources:
        mem_mb=growing(2000),
    script:
        "../scripts/boards/sources.py"


rule boards_verify:
    input:
        remade="results/boards/sources/evaluations.csv",
        computed=rules.boards_sources.output.responses,
        evaluations=BOARD_EVALUATIONS,
        embedded=BOARD_RESPONSES,
    output:
        "results/boards/verification.csv",
    script:
        "../scripts/boards/verify.py"


rule boards_alpha:
    input:
        evaluations=BOARD_EVALUATIONS,
        responses=BOARD_RESPONSES,
        lock=LOCK,
    output:
        alpha="results/boards/alpha.csv",
        pairs="results/boards/pairs.csv",
        pooled="results/boards/pooled.csv",
    params:
        **{
            key: BOARDS[key]
            for key in (
                "level",
                "least_coverage",
                "fewest_items",
                "fewest_groups",
                "splits",
            )
        },
        seed=config["seed"],
        k=PLATEAU["k"],
    script:
        "../scripts/boards/alpha.py"


rule boards_overview:
    input:
        evaluations=BOARD_EVALUATIONS,
        responses=BOARD_RESPONSES,
        alpha="results/boards/alpha.csv",
        lock=LOCK,
    output:
        overview="results/boards/overview.csv",
        models="results/boards/models.csv",
        course="results/boards/course.csv",
        subsets="results/boards/subsets.csv",
        remarks="results/boards/remarks.csv",
        page=report(
            "results/boards/overview.html",
            caption="../report/boards/overview.rst",
            category=CATEGORY["boards"],
            labels={"item": "All boards, in numbers"},
        ),
    params:
        seed=config["seed"],
        frontier={
            **{
                key: PLATEAU[key]
                for key in ("k", "alpha", "epsilon", "saturated_from")
            },
            **{key: BOARDS[key] for key in ("level", "power", "least_coverage")},
            "edges": PLATEAU["bin_edges"],
            "ceiling": PLATEAU["ceiling"],
            "margin": config["own"]["meaningful_difference"],
        },
        kept=BOARDS["kept"],
        halves=BOARDS["halves"],
    script:
        "../scripts/boards/overview.py"


rule boards_published:
    input:
        index="results/plateau/index.csv",
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
    output:
        "results/boards/published.csv",
    params:
        **{key: PLATEAU[key] for key in ("alpha", "z", "epsilon", "saturated_from")},
        seed=config["seed"],
        level=BOARDS["level"],
        draws=BOARDS["draws"],
    script:
        "../scripts/boards/published.py"


rule boards_figures:
    input:
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
        published="results/boards/published.csv",
        overview="results/boards/overview.csv",
        course="results/boards/course.csv",
    output:
        [
            report(
                f"results/figures/boards/{name}.png",
                caption=f"../report/boards/figure_{name}.rst",
                category=CATEGORY["boards"],
                labels={"item": label},
            )
            for name, label in BOARD_FIGURES.items()
        ],
        expand(
            "results/figures/boards/{name}.{suffix}",
            name=BOARD_FIGURES,
            suffix=["pdf", "svg"],
        ),
    params:
        **{key: PLATEAU[key] for key in ("k", "alpha", "z", "saturated_from")},
    script:
        "../scripts/boards/figures.py"


rule boards_quantities:
    input:
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
        published="results/boards/published.csv",
        overview="results/boards/overview.csv",
    output:
        "results/boards/quantities.csv",
    params:
        **{key: PLATEAU[key] for key in ("k", "alpha", "z", "saturated_from")},
    script:
        "../scripts/boards/quantities.py"


rule boards:
    """What the items of real leaderboards show, and which error they imply."""
    input:
        rules.boards_overview.output,
        rules.boards_figures.output,
        rules.boards_quantities.output,


offer(
    "boards",
    targets=rules.boards.input,
    quantities=rules.boards_quantities.output[0],
    judged=PLATEAU_AS_IN_PAPER,
    paper="plateau",
)
