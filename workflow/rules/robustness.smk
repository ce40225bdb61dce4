"""The robustness study: does consistency over prompt variants follow performance?

in:  the paper's tables and public answers under resources/robustness/, config section robustness;
     of predictions of one's own their table and results/plateau/index.csv
out: results/robustness/{variants,variants_spread,variants_alike,trends,trend_pairs,trend_components,
     trend_outliers,prompts,prompt_spreads,repeats,floor,audit,audit_datasets,external,
     quantities}.csv, results/figures/robustness/; of predictions of one's own also {consistency,
     configurations,datasets,std_distribution,slopes,variance_shares,group_tests,outliers,anova,
     saturation,correlations,missing}.csv and {predictions,examples}.parquet. Without such
     predictions, results/robustness/recovery.csv tries the same on synthetic ones
"""

from saturation.robustness.names import EMBEDDED as PUBLIC_ANSWERS
from saturation.robustness.names import SOURCES as PUBLIC_ANSWER_SOURCES

ROBUSTNESS = config["robustness"]
ROBUSTNESS_OWN = ROBUSTNESS["predictions"] is not None
ROBUSTNESS_PUBLIC_FIGURES = {
    "variants": ("Public answers", "Consistency against performance"),
    "trends": ("Public answers", "Slopes"),
    "components": ("Public answers", "Task or model"),
    "prompts": ("Public answers", "Paraphrased instructions"),
    "repeats": ("Public answers", "The same prompt again"),
    "audit": ("Audit of the paper", "Observations behind Tables C.1 and C.2"),
}
ROBUSTNESS_FIGURES = {
    "regression": ("Task or model", "Consistency against performance (Figure 1)"),
    "consistency": ("Measures", "Consistency by dataset (Figure 2)"),
    "pdr": ("Measures", "Performance drop rate (Figure B.1)"),
    "std": ("Measures", "Score spread by example (Figures C.1 to C.6)"),
    "shares": ("Task or model", "What consistency follows"),
    "saturation": ("Saturation", "Saturation against robustness"),
    "anova": ("Configuration factors", "Effect of each factor"),
}
ROBUSTNESS_DATASETS = ROBUSTNESS["datasets"] or shipped(
    "resources/robustness/datasets.csv"
)

# Measured: 2 GB at ten million answers, which take 0.4 GB as text; half a minute.
ROBUSTNESS_FILES = [ROBUSTNESS["predictions"], ROBUSTNESS["datasets"]]
ROBUSTNESS_RESOURCES = {
    "mem_mb": growing(2500, 10, ROBUSTNESS_FILES),
    "runtime": growing(30, 0.1, ROBUSTNESS_FILES),
}


rule robustness_sources:
    """Make the embedded tables of public answers from their pinned sources."""
    input:
        sources=expand("results/sources/{file}", file=PUBLIC_ANSWER_SOURCES),
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
        embedded=[shipped(f"resources/robustness/{name}") for name in PUBLIC_ANSWERS],
    output:
        "results/robustness/verification.csv",
    log:
        "results/logs/robustness/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/verify.py"),
    script:
        "../scripts/robustness/verify.py"


rule robustness_variants:
    """Consistency over paraphrases of public answers, of every model and data set."""
    input:
        counts=shipped("resources/robustness/variants.parquet"),
        lock=LOCK,
    output:
        variants="results/robustness/variants.csv",
        html=report(
            "results/robustness/variants.html",
            caption="../report/robustness/variants.rst",
            category=CATEGORY["robustness"],
            subcategory="Public answers",
            labels={"item": "Consistency by model and data set"},
        ),
        spread="results/robustness/variants_spread.csv",
        alike="results/robustness/variants_alike.csv",
    log:
        "results/logs/robustness/variants.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/variants.py"),
        confidence=ROBUSTNESS["confidence"],
        resamples=ROBUSTNESS["resamples"],
        std_bins=ROBUSTNESS["std_bins"],
        seed=config["seed"],
    script:
        "../scripts/robustness/variants.py"


rule robustness_trends:
    """Slopes of consistency on performance over public answers, and what else explains it."""
    input:
        variants="results/robustness/variants.csv",
        runs=shipped("resources/robustness/sensitivity.csv"),
        lock=LOCK,
    output:
        pairs="results/robustness/trend_pairs.csv",
        trends="results/robustness/trends.csv",
        html=report(
            "results/robustness/trends.html",
            caption="../report/robustness/trends.rst",
            category=CATEGORY["robustness"],
            subcategory="Public answers",
            labels={"item": "Slopes by measure and data set"},
        ),
        components="results/robustness/trend_components.csv",
        outliers="results/robustness/trend_outliers.csv",
    log:
        "results/logs/robustness/trends.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/trends.py"),
        confidence=ROBUSTNESS["confidence"],
        outlier_alpha=ROBUSTNESS["outlier_alpha"],
        seed=config["seed"],
    script:
        "../scripts/robustness/trends.py"


rule robustness_prompts:
    """What paraphrases of an instruction do to scores, task by task."""
    input:
        scores=shipped("resources/robustness/prompts.parquet"),
    output:
        prompts="results/robustness/prompts.csv",
        html=report(
            "results/robustness/prompts.html",
            caption="../report/robustness/prompts.rst",
            category=CATEGORY["robustness"],
            subcategory="Public answers",
            labels={"item": "Paraphrased instructions by task"},
        ),
        spreads="results/robustness/prompt_spreads.csv",
    log:
        "results/logs/robustness/prompts.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/prompts.py"),
    script:
        "../scripts/robustness/prompts.py"


rule robustness_repeats:
    """How often repetitions of one and the same prompt agree: the floor of consistency."""
    input:
        runs=shipped("resources/robustness/repeats.csv"),
    output:
        repeats="results/robustness/repeats.csv",
        floor="results/robustness/floor.csv",
    log:
        "results/logs/robustness/repeats.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/repeats.py"),
        confidence=ROBUSTNESS["confidence"],
    script:
        "../scripts/robustness/repeats.py"


rule robustness_synthetic:
    """The synthetic study: predictions with the paper's design and performances, and their truth."""
    input:
        performance=shipped("resources/robustness/performance.csv"),
        design=shipped("resources/robustness/design.csv"),
        datasets=shipped("resources/robustness/datasets.csv"),
        lock=LOCK,
    output:
        predictions="results/robustness/synthetic_predictions.parquet",
        truth="results/robustness/synthetic_truth.csv",
    log:
        "results/logs/robustness/synthetic.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/synthetic.py"),
        seed=config["seed"],
        truth=ROBUSTNESS["synthetic"],
    script:
        "../scripts/robustness/synthetic.py"


rule robustness_predictions:
    """Check the table of predictions, normalise its answers and list incomplete examples."""
    input:
        predictions=ROBUSTNESS["predictions"]
        or "results/robustness/synthetic_predictions.parquet",
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
        code=code("robustness/predictions.py"),
        factors=ROBUSTNESS["factors"],
        score_range=ROBUSTNESS["score_range"],
        normaliser=ROBUSTNESS["normaliser"],
        strict=ROBUSTNESS["strict"],
    script:
        "../scripts/robustness/predictions.py"


rule robustness_consistency:
    """Consistency, baselines and their relatives of every example, pair and dataset."""
    input:
        predictions="results/robustness/predictions.parquet",
        datasets=ROBUSTNESS_DATASETS,
        lock=LOCK,
    output:
        examples="results/robustness/examples.parquet",
        consistency="results/robustness/consistency.csv",
        html=report(
            "results/robustness/consistency.html",
            caption="../report/robustness/consistency.rst",
            category=CATEGORY["robustness"],
            subcategory="Measures",
            labels={"item": "Consistency by model and dataset"},
        ),
        configurations="results/robustness/configurations.csv",
        datasets="results/robustness/datasets.csv",
        std_distribution="results/robustness/std_distribution.csv",
    log:
        "results/logs/robustness/consistency.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ROBUSTNESS_RESOURCES,
    params:
        code=code("robustness/consistency.py"),
        factors=ROBUSTNESS["factors"],
        confidence=ROBUSTNESS["confidence"],
        resamples=ROBUSTNESS["resamples"],
        std_bins=ROBUSTNESS["std_bins"],
        seed=config["seed"],
    script:
        "../scripts/robustness/consistency.py"


rule robustness_slopes:
    """Slopes of consistency on performance; its variance shared between task and model."""
    input:
        consistency="results/robustness/consistency.csv",
        lock=LOCK,
    output:
        slopes="results/robustness/slopes.csv",
        variance_shares="results/robustness/variance_shares.csv",
        group_tests="results/robustness/group_tests.csv",
        outliers="results/robustness/outliers.csv",
        html=report(
            "results/robustness/slopes.html",
            caption="../report/robustness/slopes.rst",
            category=CATEGORY["robustness"],
            subcategory="Task or model",
            labels={"item": "Slopes"},
        ),
    log:
        "results/logs/robustness/slopes.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ROBUSTNESS_RESOURCES,
    params:
        code=code("robustness/slopes.py"),
        confidence=ROBUSTNESS["confidence"],
        resamples=ROBUSTNESS["resamples"],
        outlier_alpha=ROBUSTNESS["outlier_alpha"],
        seed=config["seed"],
    script:
        "../scripts/robustness/slopes.py"


rule robustness_anova:
    """Analysis of variance of the scores on the configuration factors, a dataset at a time."""
    input:
        predictions="results/robustness/predictions.parquet",
    output:
        csv="results/robustness/anova.csv",
        html=report(
            "results/robustness/anova.html",
            caption="../report/robustness/anova.rst",
            category=CATEGORY["robustness"],
            subcategory="Configuration factors",
            labels={"item": "Analysis of variance"},
        ),
    log:
        "results/logs/robustness/anova.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ROBUSTNESS_RESOURCES,
    params:
        code=code("robustness/anova.py"),
        factors=ROBUSTNESS["factors"],
    script:
        "../scripts/robustness/anova.py"


rule robustness_saturation:
    """Saturation index of each dataset against its mean robustness."""
    input:
        consistency="results/robustness/consistency.csv",
        datasets="results/robustness/datasets.csv",
        known=ROBUSTNESS_DATASETS,
        index="results/plateau/index.csv",
    output:
        saturation="results/robustness/saturation.csv",
        correlations="results/robustness/correlations.csv",
    log:
        "results/logs/robustness/saturation.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ROBUSTNESS_RESOURCES,
    params:
        code=code("robustness/saturation.py"),
        k=config["plateau"]["k"],
        alpha=config["plateau"]["alpha"],
    script:
        "../scripts/robustness/saturation.py"


rule robustness_audit:
    """Check the paper's printed statistics against each other and against its design."""
    input:
        anova=shipped("resources/robustness/anova.csv"),
        design=shipped("resources/robustness/design.csv"),
        performance=shipped("resources/robustness/performance.csv"),
        external=shipped("resources/robustness/external_scores.csv"),
    output:
        rows="results/robustness/audit.csv",
        html=report(
            "results/robustness/audit.html",
            caption="../report/robustness/audit.rst",
            category=CATEGORY["robustness"],
            subcategory="Audit of the paper",
            labels={"item": "Tables C.1 and C.2 row by row"},
        ),
        datasets="results/robustness/audit_datasets.csv",
        datasets_html=report(
            "results/robustness/audit_datasets.html",
            caption="../report/robustness/audit_datasets.rst",
            category=CATEGORY["robustness"],
            subcategory="Audit of the paper",
            labels={"item": "Implied observations"},
        ),
        external="results/robustness/external.csv",
    log:
        "results/logs/robustness/audit.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/audit.py"),
    script:
        "../scripts/robustness/audit.py"


rule robustness_recovery:
    """Compare what the synthetic study measures with the truth that it was made from."""
    input:
        truth="results/robustness/synthetic_truth.csv",
        consistency="results/robustness/consistency.csv",
        slopes="results/robustness/slopes.csv",
        anova="results/robustness/anova.csv",
    output:
        "results/robustness/recovery.csv",
    log:
        "results/logs/robustness/recovery.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/recovery.py"),
        slope=ROBUSTNESS["synthetic"]["slope"],
        noise_effect=ROBUSTNESS["synthetic"]["noise_effect"],
    script:
        "../scripts/robustness/recovery.py"


# Tables of predictions of one's own, where there are some.
ROBUSTNESS_MEASURED = {
    name: [f"results/robustness/{name}.csv"] if ROBUSTNESS_OWN else []
    for name in ["slopes", "variance_shares", "datasets", "correlations"]
}


rule robustness_quantities:
    """The study's headline numbers, for the ledger and the reader."""
    input:
        **ROBUSTNESS_MEASURED,
        performance=shipped("resources/robustness/performance.csv"),
        models=shipped("resources/robustness/models.csv"),
        design=shipped("resources/robustness/design.csv"),
        audit="results/robustness/audit.csv",
        audit_datasets="results/robustness/audit_datasets.csv",
        external="results/robustness/external.csv",
        variants="results/robustness/variants.csv",
        variants_alike="results/robustness/variants_alike.csv",
        trends="results/robustness/trends.csv",
        trend_components="results/robustness/trend_components.csv",
        trend_outliers="results/robustness/trend_outliers.csv",
        prompts="results/robustness/prompts.csv",
        prompt_spreads="results/robustness/prompt_spreads.csv",
        repeats="results/robustness/repeats.csv",
        floor="results/robustness/floor.csv",
    output:
        "results/robustness/quantities.csv",
    log:
        "results/logs/robustness/quantities.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/quantities.py"),
    script:
        "../scripts/robustness/quantities.py"


rule robustness_public_figures:
    """Draw the figures of the public answers, each as PNG, PDF and SVG."""
    input:
        variants="results/robustness/variants.csv",
        trend_pairs="results/robustness/trend_pairs.csv",
        trends="results/robustness/trends.csv",
        trend_components="results/robustness/trend_components.csv",
        prompts="results/robustness/prompts.csv",
        prompt_spreads="results/robustness/prompt_spreads.csv",
        repeats="results/robustness/repeats.csv",
        floor="results/robustness/floor.csv",
        audit_datasets="results/robustness/audit_datasets.csv",
    output:
        [
            report(
                f"results/figures/robustness/public_figures/{name}.png",
                caption=f"../report/robustness/figure_{name}.rst",
                category=CATEGORY["robustness"],
                subcategory=subcategory,
                labels={"item": item},
            )
            for name, (subcategory, item) in ROBUSTNESS_PUBLIC_FIGURES.items()
        ],
        expand(
            "results/figures/robustness/public_figures/{name}.{suffix}",
            name=ROBUSTNESS_PUBLIC_FIGURES,
            suffix=["pdf", "svg"],
        ),
    log:
        "results/logs/robustness/public_figures.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("robustness/public_figures.py"),
    script:
        "../scripts/robustness/public_figures.py"


rule robustness_figures:
    """Draw the figures of the robustness study, each as PNG, PDF and SVG."""
    input:
        consistency="results/robustness/consistency.csv",
        slopes="results/robustness/slopes.csv",
        outliers="results/robustness/outliers.csv",
        std_distribution="results/robustness/std_distribution.csv",
        variance_shares="results/robustness/variance_shares.csv",
        saturation="results/robustness/saturation.csv",
        correlations="results/robustness/correlations.csv",
        anova="results/robustness/anova.csv",
    output:
        [
            report(
                f"results/figures/robustness/{name}.png",
                caption=f"../report/robustness/figure_{name}.rst",
                category=CATEGORY["robustness"],
                subcategory=subcategory,
                labels={"item": item},
            )
            for name, (subcategory, item) in ROBUSTNESS_FIGURES.items()
        ],
        expand(
            "results/figures/robustness/{name}.{suffix}",
            name=ROBUSTNESS_FIGURES,
            suffix=["pdf", "svg"],
        ),
    log:
        "results/logs/robustness/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **ROBUSTNESS_RESOURCES,
    params:
        code=code("robustness/figures.py"),
    script:
        "../scripts/robustness/figures.py"


rule robustness:
    """Whether models answer the same when only the prompt changes."""
    input:
        rules.robustness_public_figures.output,
        "results/robustness/quantities.csv",
        (
            [*rules.robustness_figures.output, "results/robustness/missing.csv"]
            if ROBUSTNESS_OWN
            else []
        ),


# Its claims rest on the paper's printed tables and on public answers, whatever one's own say.
offer(
    "robustness",
    targets=rules.robustness.input,
    quantities="results/robustness/quantities.csv",
)
