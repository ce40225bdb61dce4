"""Real leaderboards with item responses.

in:  resources/boards/evaluations.csv, resources/boards/responses/BOARD.parquet
out: results/boards/
"""

from saturation.boards.names import DATES as BOARD_DATES
from saturation.boards.names import EMBEDDED as EMBEDDED_BOARDS
from saturation.boards.names import SOURCES as BOARD_SOURCES


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
        evaluations=shipped("resources/boards/evaluations.csv"),
        embedded=[
            shipped(f"resources/boards/responses/{board}.parquet")
            for board in EMBEDDED_BOARDS
        ],
    output:
        "results/boards/verification.csv",
    script:
        "../scripts/boards/verify.py"
