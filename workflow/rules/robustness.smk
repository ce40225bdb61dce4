"""The robustness study: does consistency over prompt variants follow performance?

in:  the paper's tables and public answers under resources/robustness/, config section robustness;
     of predictions of one's own their table
out: results/robustness/{variants,variants_spread,variants_alike,trends,trend_pairs,trend_components,
     trend_outliers,prompts,prompt_spreads,repeats,floor,audit,audit_datasets,external,
     quantities}.csv, results/figures/robustness/; of predictions of one's own also {consistency,
     std_distribution,slopes,variance_shares,group_tests,outliers,anova,missing}.csv and {predictions,examples}.parquet
"""

from studies.robustness import names as robustness_names

ROBUSTNESS = config["robustness"]
ROBUSTNESS_OWN = ROBUSTNESS["predictions"] is not None
ROBUSTNESS_SETTINGS = {
    **{
        key: ROBUSTNESS[key]
        for key in ("confidence", "resamples", "outlier_alpha", "std_bins")
    },
    "seed": config["seed"],
}
# Measured: 2 GB at ten million answers, which take 0.4 GB as text; half a minute.
ROBUSTNESS_FILES = [ROBUSTNESS["predictions"], ROBUSTNESS["datasets"]]
ROBUSTNESS_RESOURCES = {
    "mem_mb": growing(2500, 10, ROBUSTNESS_FILES),
    "runtime": growing(30, 0.1, ROBUSTNESS_FILES),
}

# Tables by their names; those among the pages are items of the report.
robustness_tables = lambda names, pages: {
    name: reported(path, "robustness", *pages[name]) if name in pages else path
    for name, path in ((name, f"results/robustness/{name}.csv") for name in names)
}


rule robustness_sources:
    """Make the embedded tables of public answers from their pinned sources."""
    input:
        sources=expand("results/sources/{file}", file=robustness_names.SOURCES),
    output:
        variants="results/robustness/sources/variants.parquet",
        repeats="results/robustness/sources/repeats.csv",
        prompts="results/robustness/sources/prompts.parquet",
        sensitivity="results/robustness/sources/sensitivity.csv",
    log:
        "results/logs/robustness/sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/sources.py"),
    script:
        "../scripts/robustness/sources.py"


rule robustness_verify:
    """Compare the embedded public answers with those made from the pinned sources, cell by cell."""
    input:
        computed=rules.robustness_sources.output,
        embedded=[
            shipped(f"resources/robustness/{name}")
            for name in robustness_names.EMBEDDED
        ],
    output:
        "results/robustness/verification.csv",
    log:
        "results/logs/robustness/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/verify.py", "robustness"),
    script:
        "../scripts/sources/verify.py"


rule robustness_study:
    """Consistency over paraphrases of public answers, the audit of the paper, and their figures."""
    input:
        **{
            name: shipped(f"resources/robustness/{name}.{suffix}")
            for name, suffix in robustness_names.FACTS.items()
        },
    output:
        **robustness_tables(robustness_names.TABLES, robustness_names.PAGES),
        figures=drawn(
            "robustness/public_figures",
            "robustness",
            robustness_names.FIGURES,
            caption="figure_{}",
        ),
    log:
        "results/logs/robustness/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/study.py"),
        settings=ROBUSTNESS_SETTINGS,
    script:
        "../scripts/robustness/study.py"


if ROBUSTNESS_OWN:

    rule robustness_predictions:
        """Check the table of predictions, normalise its answers and list incomplete examples."""
        input:
            predictions=local(ROBUSTNESS["predictions"]),
        output:
            predictions="results/robustness/predictions.parquet",
            missing="results/robustness/missing.csv",
        log:
            "results/logs/robustness/predictions.log",
        priority: CHECKS_TABLES
        conda:
            "../../envs/environment.yaml"
        resources:
            **ROBUSTNESS_RESOURCES,
        params:
            code=code("robustness/predictions.py", function(ROBUSTNESS["normaliser"])),
            factors=ROBUSTNESS["factors"],
            score_range=ROBUSTNESS["score_range"],
            normaliser=ROBUSTNESS["normaliser"],
            strict=ROBUSTNESS["strict"],
        script:
            "../scripts/robustness/predictions.py"

    rule robustness_own:
        """Consistency of the user's predictions, what it follows, tests of their factors, and figures."""
        input:
            predictions="results/robustness/predictions.parquet",
            datasets=own_or_shipped(
                ROBUSTNESS["datasets"], "resources/robustness/datasets.csv"
            ),
        output:
            **robustness_tables(robustness_names.OWN_TABLES, robustness_names.OWN_PAGES),
            figures=drawn(
                "robustness",
                "robustness",
                robustness_names.OWN_FIGURES,
                caption="figure_{}",
            ),
            examples="results/robustness/examples.parquet",
        log:
            "results/logs/robustness/own.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            **ROBUSTNESS_RESOURCES,
        params:
            code=code("robustness/own.py"),
            settings={
                **ROBUSTNESS_SETTINGS,
                "factors": ROBUSTNESS["factors"],
            },
        script:
            "../scripts/robustness/own.py"


rule robustness:
    """Whether models answer the same when only the prompt changes."""
    input:
        rules.robustness_study.output,
        (
            [*rules.robustness_own.output, rules.robustness_predictions.output.missing]
            if ROBUSTNESS_OWN
            else []
        ),


# Its claims rest on the paper's printed tables and on public answers, whatever one's own say.
offer(
    "robustness",
    targets=rules.robustness.input,
    quantities=rules.robustness_study.output.quantities,
)
