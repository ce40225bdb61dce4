"""The joint Bayesian regression of the plateau study (section 4.2, appendix F).

in:  results/plateau/inputs/benchmarks.csv, results/plateau/index.csv, config section regression
out: results/regression/MODEL/{design,diagnostics,validation,coefficients,checks}.csv,
     results/regression/MODEL/posterior.nc,
     results/regression/MODEL/refits/SCHEME/{predictions,measures,refits}.csv,
     results/regression/{fit,effects,comparison,artefact,artefact_permutations,quantities}.csv,
     results/regression/calibration/,
     results/figures/regression/
"""

REGRESSION = config["regression"]
SPECIFICATIONS = REGRESSION["models"]
DEFAULT_MODELS = REGRESSION["default_models"]
REGRESSION_RESULTS = "results/regression"
# The claims name these models: without all of them, or on other data or settings, they cannot be judged.
REGRESSION_AS_IN_PAPER = PLATEAU_AS_IN_PAPER and (
    {"main", "interaction", "onehot", "exploded"} <= set(DEFAULT_MODELS)
)
RUN = {name: SPECIFICATIONS[name] for name in DEFAULT_MODELS}
# The controls and the calibration need the reference model's design, whatever models are run.
DESIGNED = list(dict.fromkeys([*DEFAULT_MODELS, REGRESSION["reference_model"]]))
# How the benchmarks of each model of the run leave it: in folds, and where it is asked for singly.
SCHEMES = {
    name: ["folds", *["singly"] * (name in REGRESSION["refits"]["singly"])]
    for name in DEFAULT_MODELS
}
# Samplers hold every draw of every row, and take as long.
REGRESSION_RESOURCES = {
    "mem_mb": growing(1500, 400, PLATEAU_FILES),
    "runtime": growing(5, 60, PLATEAU_FILES),
}
REGRESSION_FIGURES = {
    "overfitting": "Overfitting curve",
    "forest": "Coefficients (Figure 5)",
    "auroc": "AUROC posterior (Figure 6)",
    "artefact": "Artefact controls",
    "checks": "Predictive checks",
    "sampling": "Ranks of chains and energy",
}


wildcard_constraints:
    model="|".join(SPECIFICATIONS),


# One job for all models, here and in the next rules: most of it is imports.
rule regression_design:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
    output:
        expand(f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DESIGNED),
    priority: LONG_CHAIN
    resources:
        **REGRESSION_RESOURCES,
    params:
        models={name: SPECIFICATIONS[name] for name in DESIGNED},
        missing=REGRESSION["missing"],
        saturated_from=PLATEAU["saturated_from"],
        minimum_rows=REGRESSION["minimum_rows"],
    script:
        "../scripts/regression/design.py"


# With the refits in folds, which need the same sampler: loading it takes as long as a model.
rule regression_posterior:
    input:
        designs=of_each_model("design.csv"),
        lock=LOCK,
    output:
        posteriors=of_each_model("posterior.nc"),
        diagnostics=of_each_model("diagnostics.csv"),
        predictions=of_each_model("refits/folds/predictions.csv"),
        measures=of_each_model("refits/folds/measures.csv"),
        refits=of_each_model("refits/folds/refits.csv"),
    priority: LONG_CHAIN
    resources:
        **REGRESSION_RESOURCES,
    params:
        models=RUN,
        effort=REGRESSION["sampling"],
        gate=REGRESSION["gate"],
        refits=REGRESSION["refits"],
        seed=config["seed"],
    script:
        "../scripts/regression/posterior.py"


# Leaving out one benchmark at a time takes minutes a model.
rule regression_refits:
    input:
        designs=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        lock=LOCK,
    output:
        predictions=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/predictions.csv",
        measures=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/measures.csv",
        refits=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/refits.csv",
    priority: LONG_CHAIN
    resources:
        **REGRESSION_RESOURCES,
    params:
        models=lambda wildcards: {wildcards.model: SPECIFICATIONS[wildcards.model]},
        refits=REGRESSION["refits"],
        divergences=REGRESSION["gate"]["divergences"],
        seed=config["seed"],
    script:
        "../scripts/regression/refits.py"


rule regression_validation:
    input:
        designs=of_each_model("design.csv"),
        posteriors=of_each_model("posterior.nc"),
        predictions=of_each_refit("predictions.csv"),
        measures=of_each_refit("measures.csv"),
        refits=of_each_refit("refits.csv"),
    output:
        validation=of_each_model("validation.csv"),
        coefficients=of_each_model("coefficients.csv"),
        checks=of_each_model("checks.csv"),
    priority: LONG_CHAIN
    resources:
        **REGRESSION_RESOURCES,
    params:
        models=RUN,
        saturated_from=PLATEAU["saturated_from"],
        bootstrap=REGRESSION["bootstrap"],
        schemes=SCHEMES,
        seed=config["seed"],
    script:
        "../scripts/regression/validation.py"


rule regression_artefact:
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        index="results/plateau/index.csv",
        lock=LOCK,
    output:
        permutations=f"{REGRESSION_RESULTS}/artefact_permutations.csv",
        located=f"{REGRESSION_RESULTS}/artefact.csv",
    resources:
        **REGRESSION_RESOURCES,
    params:
        specification=SPECIFICATIONS[REGRESSION["reference_model"]],
        alpha=PLATEAU["alpha"],
        epsilon=PLATEAU["epsilon"],
        permutations=REGRESSION["permutations"],
        seed=config["seed"],
    script:
        "../scripts/regression/artefact.py"


rule regression_summary:
    input:
        validations=of_each_model("validation.csv"),
        coefficients=of_each_model("coefficients.csv"),
        held_out=of_each_model("refits/folds/predictions.csv"),
        located=f"{REGRESSION_RESULTS}/artefact.csv",
    output:
        fit=f"{REGRESSION_RESULTS}/fit.csv",
        effects=f"{REGRESSION_RESULTS}/effects.csv",
        comparison=f"{REGRESSION_RESULTS}/comparison.csv",
        quantities=f"{REGRESSION_RESULTS}/quantities.csv",
        fit_html=report(
            f"{REGRESSION_RESULTS}/fit.html",
            caption="../report/regression/fit.rst",
            category=CATEGORY["plateau"],
            subcategory="Regression",
            labels={"item": "Fit in and out of sample"},
        ),
        comparison_html=report(
            f"{REGRESSION_RESULTS}/comparison.html",
            caption="../report/regression/comparison.rst",
            category=CATEGORY["plateau"],
            subcategory="Regression",
            labels={"item": "Models compared"},
        ),
        effects_html=report(
            f"{REGRESSION_RESULTS}/effects.html",
            caption="../report/regression/effects.rst",
            category=CATEGORY["plateau"],
            subcategory="Regression",
            labels={"item": "Effects over all models"},
        ),
    resources:
        **REGRESSION_RESOURCES,
    params:
        models=RUN,
        folds=REGRESSION["refits"]["folds"],
    script:
        "../scripts/regression/summary.py"


rule regression_figures:
    input:
        fit=f"{REGRESSION_RESULTS}/fit.csv",
        located=f"{REGRESSION_RESULTS}/artefact.csv",
        permutations=f"{REGRESSION_RESULTS}/artefact_permutations.csv",
        designs=of_each_model("design.csv"),
        posteriors=of_each_model("posterior.nc"),
        diagnostics=of_each_model("diagnostics.csv"),
        coefficients=of_each_model("coefficients.csv"),
        checks=of_each_model("checks.csv"),
    output:
        [
            report(
                f"results/figures/regression/{name}.png",
                caption=f"../report/regression/{name}.rst",
                category=CATEGORY["plateau"],
                subcategory="Regression",
                labels={"item": item},
            )
            for name, item in REGRESSION_FIGURES.items()
        ],
        expand(
            "results/figures/regression/{name}.{suffix}",
            name=REGRESSION_FIGURES,
            suffix=["pdf", "svg"],
        ),
    priority: LONG_FIGURES
    resources:
        **REGRESSION_RESOURCES,
    params:
        models=RUN,
        saturated_from=PLATEAU["saturated_from"],
    script:
        "../scripts/regression/figures.py"


rule regression_calibration:
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        lock=LOCK,
    output:
        ranks=f"{REGRESSION_RESULTS}/calibration/ranks.csv",
        uniformity=f"{REGRESSION_RESULTS}/calibration/uniformity.csv",
    resources:
        mem_mb=growing(1500, 400, PLATEAU_FILES),
        runtime=growing(60, 60, PLATEAU_FILES),
    params:
        specification=SPECIFICATIONS[REGRESSION["reference_model"]],
        simulations=REGRESSION["calibration"]["simulations"],
        ranked=REGRESSION["calibration"]["ranked"],
        effort={
            key: REGRESSION["calibration"][key] for key in ("draws", "tune", "chains")
        },
        seed=config["seed"],
    script:
        "../scripts/regression/calibration.py"


rule regression_calibration_figure:
    input:
        ranks=f"{REGRESSION_RESULTS}/calibration/ranks.csv",
    output:
        expand(
            "results/figures/regression/calibration.{suffix}",
            suffix=["png", "pdf", "svg"],
        ),
    params:
        ranked=REGRESSION["calibration"]["ranked"],
    script:
        "../scripts/regression/calibration_figure.py"


rule regression:
    """What goes with saturation when everything is looked at together."""
    input:
        rules.regression_summary.output if DEFAULT_MODELS else [],
        rules.regression_figures.output if DEFAULT_MODELS else [],


rule regression_full:
    """The regression, and its calibration."""
    input:
        rules.regression.input,
        rules.regression_calibration.output,
        rules.regression_calibration_figure.output,


rule calibration:
    """Whether the regression recovers what its data were simulated from."""
    input:
        rules.regression_calibration.output,
        rules.regression_calibration_figure.output,


# Its formulas are written for the paper's benchmarks; on others ask for it by name.
offer(
    "regression",
    targets=rules.regression.input if PLATEAU_ON_PAPER_DATA else [],
    quantities=f"{REGRESSION_RESULTS}/quantities.csv",
    judged=REGRESSION_AS_IN_PAPER,
    paper="plateau",
)
