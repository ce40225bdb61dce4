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
    """Make the embedded boards from their pinned sources."""
    input:
        sources=expand("results/sources/{file}", file=[*BOARD_SOURCES, BOARD_DATES]),
    output:
        evaluations="results/boards/sources/evaluations.csv",
        responses=expand(
            "results/boards/sources/responses/{board}.parquet", board=EMBEDDED_BOARDS
        ),
    log:
        "results/logs/boards/sources.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=growing(2000),
    params:
        code=code("boards/sources.py"),
    script:
        "../scripts/boards/sources.py"


rule boards_verify:
    """Compare the embedded boards with those made from the pinned sources, cell by cell."""
    input:
        remade="results/boards/sources/evaluations.csv",
        computed=rules.boards_sources.output.responses,
        evaluations=BOARD_EVALUATIONS,
        embedded=BOARD_RESPONSES,
    output:
        "results/boards/verification.csv",
    log:
        "results/logs/boards/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("boards/verify.py"),
    script:
        "../scripts/boards/verify.py"


rule boards_alpha:
    """Alpha of every board, task and pair as the items show it, and pooled over boards."""
    input:
        evaluations=BOARD_EVALUATIONS,
        responses=BOARD_RESPONSES,
        lock=LOCK,
    output:
        alpha="results/boards/alpha.csv",
        pairs="results/boards/pairs.csv",
        pooled="results/boards/pooled.csv",
    log:
        "results/logs/boards/alpha.log",
    conda:
        "../../envs/environment.yaml"
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
        code=code("boards/alpha.py"),
        seed=config["seed"],
        k=PLATEAU["k"],
    script:
        "../scripts/boards/alpha.py"


rule boards_overview:
    """Every board's top, items, course over time and smallest subsets."""
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
    log:
        "results/logs/boards/overview.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("boards/overview.py"),
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
    """What the published benchmarks come to at the measured alpha."""
    input:
        index="results/plateau/index.csv",
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
    output:
        "results/boards/published.csv",
    log:
        "results/logs/boards/published.log",
    conda:
        "../../envs/environment.yaml"
    params:
        **{key: PLATEAU[key] for key in ("alpha", "z", "epsilon", "saturated_from")},
        code=code("boards/published.py"),
        seed=config["seed"],
        level=BOARDS["level"],
        draws=BOARDS["draws"],
    script:
        "../scripts/boards/published.py"


rule boards_figures:
    """Draw the figures of the boards, each as PNG, PDF and SVG."""
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
    log:
        "results/logs/boards/figures.log",
    conda:
        "../../envs/environment.yaml"
    params:
        **{key: PLATEAU[key] for key in ("k", "alpha", "z", "saturated_from")},
        code=code("boards/figures.py"),
    script:
        "../scripts/boards/figures.py"


rule boards_quantities:
    """Collect the boards' headline numbers."""
    input:
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
        published="results/boards/published.csv",
        overview="results/boards/overview.csv",
    output:
        "results/boards/quantities.csv",
    log:
        "results/logs/boards/quantities.log",
    conda:
        "../../envs/environment.yaml"
    params:
        **{key: PLATEAU[key] for key in ("k", "alpha", "z", "saturated_from")},
        code=code("boards/quantities.py"),
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
