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
REFITS = [
    f"{model}/refits/{scheme}"
    for model, schemes in SCHEMES.items()
    for scheme in schemes
]
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
    """Design table of every model of the run, checked before anything is sampled."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
    output:
        expand(f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DESIGNED),
    log:
        "results/logs/regression/design.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/design.py"),
        models={name: SPECIFICATIONS[name] for name in DESIGNED},
        missing=REGRESSION["missing"],
        saturated_from=PLATEAU["saturated_from"],
        minimum_rows=REGRESSION["minimum_rows"],
    script:
        "../scripts/regression/design.py"


# With the refits in folds, which need the same sampler: loading it takes as long as a model.
rule regression_posterior:
    """Sample the posterior of every model of the run, and predict every benchmark by refits in folds."""
    input:
        designs=expand(
            f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DEFAULT_MODELS
        ),
        lock=LOCK,
    output:
        posteriors=expand(
            f"{REGRESSION_RESULTS}/{{model}}/posterior.nc", model=DEFAULT_MODELS
        ),
        diagnostics=expand(
            f"{REGRESSION_RESULTS}/{{model}}/diagnostics.csv", model=DEFAULT_MODELS
        ),
        predictions=expand(
            f"{REGRESSION_RESULTS}/{{model}}/refits/folds/predictions.csv",
            model=DEFAULT_MODELS,
        ),
        measures=expand(
            f"{REGRESSION_RESULTS}/{{model}}/refits/folds/measures.csv",
            model=DEFAULT_MODELS,
        ),
        refits=expand(
            f"{REGRESSION_RESULTS}/{{model}}/refits/folds/refits.csv",
            model=DEFAULT_MODELS,
        ),
    log:
        "results/logs/regression/posterior.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/posterior.py"),
        models=RUN,
        effort=REGRESSION["sampling"],
        gate=REGRESSION["gate"],
        refits=REGRESSION["refits"],
        seed=config["seed"],
    script:
        "../scripts/regression/posterior.py"


# Leaving out one benchmark at a time takes minutes a model.
rule regression_refits:
    """Held-out predictions of models by exact refits, one benchmark left out at a time."""
    input:
        designs=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        lock=LOCK,
    output:
        predictions=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/predictions.csv",
        measures=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/measures.csv",
        refits=f"{REGRESSION_RESULTS}/{{model}}/refits/singly/refits.csv",
    log:
        "results/logs/regression/refits/{model}.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/refits.py"),
        models=lambda wildcards: {wildcards.model: SPECIFICATIONS[wildcards.model]},
        refits=REGRESSION["refits"],
        divergences=REGRESSION["gate"]["divergences"],
        seed=config["seed"],
    script:
        "../scripts/regression/refits.py"


rule regression_validation:
    """Fit in and out of sample, coefficients and predictive checks of every model of the run."""
    input:
        designs=expand(
            f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DEFAULT_MODELS
        ),
        posteriors=expand(
            f"{REGRESSION_RESULTS}/{{model}}/posterior.nc", model=DEFAULT_MODELS
        ),
        predictions=expand(
            f"{REGRESSION_RESULTS}/{{refit}}/predictions.csv", refit=REFITS
        ),
        measures=expand(f"{REGRESSION_RESULTS}/{{refit}}/measures.csv", refit=REFITS),
        refits=expand(f"{REGRESSION_RESULTS}/{{refit}}/refits.csv", refit=REFITS),
    output:
        validation=expand(
            f"{REGRESSION_RESULTS}/{{model}}/validation.csv", model=DEFAULT_MODELS
        ),
        coefficients=expand(
            f"{REGRESSION_RESULTS}/{{model}}/coefficients.csv", model=DEFAULT_MODELS
        ),
        checks=expand(
            f"{REGRESSION_RESULTS}/{{model}}/checks.csv", model=DEFAULT_MODELS
        ),
    log:
        "results/logs/regression/validation.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/validation.py"),
        models=RUN,
        saturated_from=PLATEAU["saturated_from"],
        bootstrap=REGRESSION["bootstrap"],
        schemes=SCHEMES,
        seed=config["seed"],
    script:
        "../scripts/regression/validation.py"


rule regression_artefact:
    """Permutation controls: the coefficients of log n and age when n, or age, is dealt at random."""
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        index="results/plateau/index.csv",
        lock=LOCK,
    output:
        permutations=f"{REGRESSION_RESULTS}/artefact_permutations.csv",
        located=f"{REGRESSION_RESULTS}/artefact.csv",
    log:
        "results/logs/regression/artefact.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/artefact.py"),
        specification=SPECIFICATIONS[REGRESSION["reference_model"]],
        alpha=PLATEAU["alpha"],
        epsilon=PLATEAU["epsilon"],
        permutations=REGRESSION["permutations"],
        seed=config["seed"],
    script:
        "../scripts/regression/artefact.py"


rule regression_summary:
    """All models side by side: fit, comparison by elpd, effects that hold up, headline numbers."""
    input:
        validations=expand(
            f"{REGRESSION_RESULTS}/{{model}}/validation.csv", model=DEFAULT_MODELS
        ),
        coefficients=expand(
            f"{REGRESSION_RESULTS}/{{model}}/coefficients.csv", model=DEFAULT_MODELS
        ),
        held_out=expand(
            f"{REGRESSION_RESULTS}/{{model}}/refits/folds/predictions.csv",
            model=DEFAULT_MODELS,
        ),
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
    log:
        "results/logs/regression/summary.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/summary.py"),
        models=RUN,
        folds=REGRESSION["refits"]["folds"],
    script:
        "../scripts/regression/summary.py"


rule regression_figures:
    """Figures of the joint regression over all models of the default run."""
    input:
        fit=f"{REGRESSION_RESULTS}/fit.csv",
        located=f"{REGRESSION_RESULTS}/artefact.csv",
        permutations=f"{REGRESSION_RESULTS}/artefact_permutations.csv",
        designs=expand(
            f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DEFAULT_MODELS
        ),
        posteriors=expand(
            f"{REGRESSION_RESULTS}/{{model}}/posterior.nc", model=DEFAULT_MODELS
        ),
        diagnostics=expand(
            f"{REGRESSION_RESULTS}/{{model}}/diagnostics.csv", model=DEFAULT_MODELS
        ),
        coefficients=expand(
            f"{REGRESSION_RESULTS}/{{model}}/coefficients.csv", model=DEFAULT_MODELS
        ),
        checks=expand(
            f"{REGRESSION_RESULTS}/{{model}}/checks.csv", model=DEFAULT_MODELS
        ),
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
    log:
        "results/logs/regression/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/figures.py"),
        models=RUN,
        saturated_from=PLATEAU["saturated_from"],
    script:
        "../scripts/regression/figures.py"


rule regression_calibration:
    """Simulation-based calibration of the reference model: ranks and their uniformity."""
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        lock=LOCK,
    output:
        ranks=f"{REGRESSION_RESULTS}/calibration/ranks.csv",
        uniformity=f"{REGRESSION_RESULTS}/calibration/uniformity.csv",
    log:
        "results/logs/regression/calibration.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=growing(1500, 400, PLATEAU_FILES),
        runtime=growing(60, 60, PLATEAU_FILES),
    params:
        code=code("regression/calibration.py"),
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
    """Figure of the calibration's ranks."""
    input:
        ranks=f"{REGRESSION_RESULTS}/calibration/ranks.csv",
    output:
        expand(
            "results/figures/regression/calibration.{suffix}",
            suffix=["png", "pdf", "svg"],
        ),
    log:
        "results/logs/regression/calibration_figure.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("regression/calibration_figure.py"),
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
