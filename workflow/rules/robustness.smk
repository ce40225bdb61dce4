"""The robustness study: does consistency over prompt variants follow performance?

in:  the paper's tables under resources/robustness/, a table of predictions (the user's, or a
     synthetic one made here), results/plateau/index.csv, config section robustness
out: results/robustness/{consistency,configurations,datasets,std_distribution,slopes,
     variance_shares,group_tests,outliers,anova,saturation,correlations,audit,audit_datasets,
     external,missing,quantities}.csv, {predictions,examples}.parquet, with the synthetic study
     also synthetic_truth.csv and recovery.csv; results/figures/robustness/
"""

ROBUSTNESS = config["robustness"]
ROBUSTNESS_SYNTHETIC = ROBUSTNESS["predictions"] is None
ROBUSTNESS_FIGURES = {
    "regression": ("Task or model", "Consistency against performance (Figure 1)"),
    "consistency": ("Measures", "Consistency by dataset (Figure 2)"),
    "pdr": ("Measures", "Performance drop rate (Figure B.1)"),
    "std": ("Measures", "Score spread by example (Figures C.1 to C.6)"),
    "shares": ("Task or model", "What consistency follows"),
    "saturation": ("Saturation", "Saturation against robustness"),
    "audit": ("Audit of the paper", "Observations behind Tables C.1 and C.2"),
    "anova": ("Configuration factors", "Effect of each factor"),
}
ROBUSTNESS_DATASETS = ROBUSTNESS["datasets"] or shipped(
    "resources/robustness/datasets.csv"
)


rule robustness_synthetic:
    input:
        performance=shipped("resources/robustness/performance.csv"),
        design=shipped("resources/robustness/design.csv"),
        datasets=shipped("resources/robustness/datasets.csv"),
        lock=LOCK,
    output:
        predictions="results/robustness/synthetic_predictions.parquet",
        truth="results/robustness/synthetic_truth.csv",
    params:
        seed=config["seed"],
        truth=ROBUSTNESS["synthetic"],
    script:
        "../scripts/robustness/synthetic.py"


rule robustness_predictions:
    input:
        predictions=ROBUSTNESS["predictions"]
        or "results/robustness/synthetic_predictions.parquet",
    output:
        predictions="results/robustness/predictions.parquet",
        missing="results/robustness/missing.csv",
    resources:
        mem_mb=growing(2500),
        runtime=growing(30),
    params:
        factors=ROBUSTNESS["factors"],
        score_range=ROBUSTNESS["score_range"],
        normaliser=ROBUSTNESS["normaliser"],
        strict=ROBUSTNESS["strict"],
    script:
        "../scripts/robustness/predictions.py"


rule robustness_consistency:
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
    resources:
        mem_mb=growing(2500),
        runtime=growing(30),
    params:
        factors=ROBUSTNESS["factors"],
        confidence=ROBUSTNESS["confidence"],
        resamples=ROBUSTNESS["resamples"],
        std_bins=ROBUSTNESS["std_bins"],
        seed=config["seed"],
    script:
        "../scripts/robustness/consistency.py"


rule robustness_slopes:
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
    params:
        confidence=ROBUSTNESS["confidence"],
        resamples=ROBUSTNESS["resamples"],
        outlier_alpha=ROBUSTNESS["outlier_alpha"],
        seed=config["seed"],
    script:
        "../scripts/robustness/slopes.py"


rule robustness_anova:
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
    resources:
        mem_mb=growing(2500),
        runtime=growing(30),
    params:
        factors=ROBUSTNESS["factors"],
    script:
        "../scripts/robustness/anova.py"


rule robustness_saturation:
    input:
        consistency="results/robustness/consistency.csv",
        datasets="results/robustness/datasets.csv",
        known=ROBUSTNESS_DATASETS,
        index="results/plateau/index.csv",
    output:
        saturation="results/robustness/saturation.csv",
        correlations="results/robustness/correlations.csv",
    params:
        k=config["plateau"]["k"],
        alpha=config["plateau"]["alpha"],
    script:
        "../scripts/robustness/saturation.py"


rule robustness_audit:
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
    script:
        "../scripts/robustness/audit.py"


rule robustness_recovery:
    input:
        truth="results/robustness/synthetic_truth.csv",
        consistency="results/robustness/consistency.csv",
        slopes="results/robustness/slopes.csv",
        anova="results/robustness/anova.csv",
    output:
        "results/robustness/recovery.csv",
    params:
        slope=ROBUSTNESS["synthetic"]["slope"],
        noise_effect=ROBUSTNESS["synthetic"]["noise_effect"],
    script:
        "../scripts/robustness/recovery.py"


rule robustness_quantities:
    input:
        performance=shipped("resources/robustness/performance.csv"),
        models=shipped("resources/robustness/models.csv"),
        design=shipped("resources/robustness/design.csv"),
        slopes="results/robustness/slopes.csv",
        variance_shares="results/robustness/variance_shares.csv",
        datasets="results/robustness/datasets.csv",
        correlations="results/robustness/correlations.csv",
        audit="results/robustness/audit.csv",
        audit_datasets="results/robustness/audit_datasets.csv",
        external="results/robustness/external.csv",
    output:
        "results/robustness/quantities.csv",
    script:
        "../scripts/robustness/quantities.py"


rule robustness_figures:
    input:
        consistency="results/robustness/consistency.csv",
        slopes="results/robustness/slopes.csv",
        outliers="results/robustness/outliers.csv",
        std_distribution="results/robustness/std_distribution.csv",
        variance_shares="results/robustness/variance_shares.csv",
        saturation="results/robustness/saturation.csv",
        correlations="results/robustness/correlations.csv",
        audit_datasets="results/robustness/audit_datasets.csv",
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
    script:
        "../scripts/robustness/figures.py"


rule robustness:
    """Whether models answer the same when only the prompt changes."""
    input:
        rules.robustness_figures.output,
        "results/robustness/quantities.csv",
        "results/robustness/missing.csv",
        ["results/robustness/recovery.csv"] if ROBUSTNESS_SYNTHETIC else [],


# Its claims rest on the paper's embedded tables alone, whatever the predictions are.
offer(
    "robustness",
    targets=rules.robustness.input,
    quantities="results/robustness/quantities.csv",
)
