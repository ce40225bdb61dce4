"""Real leaderboards with item responses: what do their items show of the top, and which alpha?

in:  resources/boards/evaluations.csv, resources/boards/responses/BOARD.parquet,
     results/plateau/index.csv, config section boards
out: results/boards/{alpha,pooled,published,overview,models,noise,remarks,quantities}.csv,
     results/figures/boards/; by boards_sources and boards_verify
     results/boards/sources/ and verification.csv
"""

from studies.boards import names as board_names

BOARDS = config["boards"]
BOARDS_LIKE_PLATEAU = {
    key: PLATEAU[key] for key in ("k", "alpha", "z", "saturated_from")
}
BOARD_EVALUATIONS = shipped("resources/boards/evaluations.csv")
BOARD_RESPONSES = {
    board: shipped(f"resources/boards/responses/{board}.parquet")
    for board in board_names.EMBEDDED
}


rule boards_sources:
    """Make the embedded boards from their pinned sources."""
    input:
        sources=expand(
            "results/sources/{file}",
            file=[*board_names.SOURCES, board_names.DATES],
        ),
    output:
        evaluations="results/boards/sources/evaluations.csv",
        responses=expand(
            "results/boards/sources/responses/{board}.parquet",
            board=board_names.EMBEDDED,
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
        embedded=list(BOARD_RESPONSES.values()),
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


rule boards_study:
    """Alpha of every board, its top and items, and the published benchmarks at that alpha."""
    input:
        index="results/plateau/index.csv",
        evaluations=BOARD_EVALUATIONS,
        responses=[BOARD_RESPONSES[board] for board in board_names.BOARDS],
    output:
        **{
            name: f"results/boards/{name}.csv"
            for name in board_names.TABLES
            if name != "overview"
        },
        overview=reported(
            "results/boards/overview.csv", "boards", "All boards, in numbers"
        ),
    log:
        "results/logs/boards/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("boards/study.py"),
        # Of single values Snakemake notices no change to one that another parameter has.
        settings={
            **BOARDS,
            **BOARDS_LIKE_PLATEAU,
            "edges": PLATEAU["bin_edges"],
            "ceiling": PLATEAU["ceiling"],
            "margin": config["own"]["meaningful_difference"],
            "seed": config["seed"],
        },
    script:
        "../scripts/boards/study.py"


rule boards_figures:
    """Draw the figures of the boards, each as PNG, PDF and SVG."""
    input:
        alpha="results/boards/alpha.csv",
        pooled="results/boards/pooled.csv",
        noise="results/boards/noise.csv",
    output:
        drawn("boards", "boards", board_names.FIGURES, caption="figure_{}"),
    log:
        "results/logs/boards/figures.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("boards/figures.py"),
        settings=BOARDS_LIKE_PLATEAU,
    script:
        "../scripts/boards/figures.py"


rule boards:
    """What the items of real leaderboards show, and which error they imply."""
    input:
        rules.boards_study.output,
        rules.boards_figures.output,


offer(
    "boards",
    targets=rules.boards.input,
    quantities=rules.boards_study.output.quantities,
    judged=PLATEAU_AS_IN_PAPER,
    paper="plateau",
)
