"""A renewed benchmark: old scores on the new scale, items to retire, drift that is not difficulty.

in:  resources/renewal/{answers.parquet,items.csv,models.csv}, config section renewal
out: results/renewal/{scores,advice,bands,drift,placebo,factors,quantities}.csv,
     results/figures/renewal/scores.*; by renewal_verify results/renewal/verification.csv
"""

RENEWAL_TABLES = {
    "answers": shipped("resources/renewal/answers.parquet"),
    "dates": shipped("resources/renewal/items.csv"),
    "cutoffs": shipped("resources/renewal/models.csv"),
}


rule renewal_verify:
    """Make the embedded tables anew from their pinned sources and compare every cell."""
    input:
        **RENEWAL_TABLES,
        table="results/sources/items_main_lcb_codegen_v6.csv",
        judgments="results/sources/board_livebench.parquet",
        sites=expand(
            "results/sources/renewal_lcb_{day}.json",
            day=["2024_04_17", "2025_01_15", "2025_04_22"],
        ),
    output:
        "results/renewal/verification.csv",
    log:
        "results/logs/renewal/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("renewal/verify.py"),
    script:
        "../scripts/renewal/verify.py"


rule renewal_study:
    """Link LiveCodeBench's versions, judge its items, and test which models lean on old ones."""
    input:
        **RENEWAL_TABLES,
        livebench=shipped("resources/boards/responses/livebench.parquet"),
        # The weights of evidence that an item is wrong, which the review of items loads.
        beside=shipped("resources/review/weights.csv"),
    output:
        **{
            name: f"results/renewal/{name}.csv"
            for name in ("scores", "advice", "bands", "drift", "placebo")
            + ("factors", "quantities")
        },
        figure=drawn("renewal", "renewal", {"scores": "Old scores on the new scale"}),
    log:
        "results/logs/renewal/study.log",
    priority: LONG
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("renewal/study.py"),
        settings=dict(config["renewal"], seed=config["seed"]),
    script:
        "../scripts/renewal/study.py"


offer(
    "renewal",
    targets=rules.renewal_study.output,
    quantities=rules.renewal_study.output.quantities,
    judged=False,
)
