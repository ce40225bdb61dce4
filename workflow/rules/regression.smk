"""The joint Bayesian regression of the plateau study (section 4.2, appendix F).

in:  results/plateau/inputs/benchmarks.csv, results/plateau/index.csv, config section regression
out: results/regression/MODEL/{design,diagnostics,validation,coefficients,checks}.csv,
     results/regression/MODEL/posterior.nc (open it with arviz.from_netcdf),
     results/regression/MODEL/refits/SCHEME/{predictions,measures,refits}.csv,
     results/regression/{fit,effects,comparison,artefact,artefact_permutations,quantities}.csv,
     results/regression/calibration/,
     results/figures/regression/
"""

REGRESSION = config["regression"]
SPECIFICATIONS = REGRESSION["models"]
DEFAULT_MODELS = REGRESSION["default_models"]
# The claims name these models: without all of them, or on other data or settings, they cannot be judged.
REGRESSION_AS_IN_PAPER = PLATEAU_AS_IN_PAPER and (
    {"main", "interaction", "onehot", "exploded"} <= set(DEFAULT_MODELS)
)
# The controls and the calibration need the reference model's design, whatever models are run.
REFERENCE = REGRESSION["reference_model"]
DESIGNED = list(dict.fromkeys([*DEFAULT_MODELS, REFERENCE]))
# What the designs are made of.
DESIGN_SETTINGS = {
    "specifications": {name: SPECIFICATIONS[name] for name in DESIGNED},
    "reference_model": REFERENCE,
    "missing": REGRESSION["missing"],
    "saturated_from": PLATEAU["saturated_from"],
    "minimum_rows": REGRESSION["minimum_rows"],
    "seed": config["seed"],
}
# What is drawn of each model.
DRAWN = {
    name: expand(f"results/regression/{{model}}/{file}", model=DEFAULT_MODELS)
    for name, file in (
        ("posteriors", "posterior.nc"),
        ("diagnostics", "diagnostics.csv"),
    )
}
# What is written of a model's refits.
HELD_OUT = ["predictions", "measures", "refits"]
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
    "runtime": growing(10, 60, PLATEAU_FILES),
}
REGRESSION_PAGES = {
    "fit": "Fit in and out of sample",
    "comparison": "Models compared",
    "effects": "Effects over all models",
}
REGRESSION_FIGURES = {
    "overfitting": "Overfitting curve",
    "forest": "Coefficients (Figure 5)",
}


wildcard_constraints:
    model="|".join(SPECIFICATIONS),


# One job for all models: to load PyMC and compile a first model costs three times what another does.
rule regression_posterior:
    """Designs of the models, their posteriors, and every benchmark predicted by refits in folds."""
    input:
        **PREPARED_AND_INDEX,
    output:
        **DRAWN,
        **{
            kind: expand(
                f"results/regression/{{model}}/refits/folds/{kind}.csv",
                model=DEFAULT_MODELS,
            )
            for kind in HELD_OUT
        },
        designs=expand(f"results/regression/{{model}}/design.csv", model=DESIGNED),
    log:
        "results/logs/regression/posterior.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/posterior.py"),
        settings=DESIGN_SETTINGS,
        sampled=DEFAULT_MODELS,
        effort=REGRESSION["sampling"],
        gate=REGRESSION["gate"],
        refits=REGRESSION["refits"],
    script:
        "../scripts/regression/posterior.py"


# Leaving out one benchmark at a time takes minutes a model.
rule regression_refits:
    """A model's held-out predictions, one benchmark left out at a time."""
    input:
        **PREPARED_AND_INDEX,
    output:
        **{
            kind: f"results/regression/{{model}}/refits/singly/{kind}.csv"
            for kind in HELD_OUT
        },
    log:
        "results/logs/regression/refits/{model}.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/refits.py"),
        settings=lambda wildcards: {
            **DESIGN_SETTINGS,
            "specifications": {wildcards.model: SPECIFICATIONS[wildcards.model]},
        },
        refits=REGRESSION["refits"],
        divergences=REGRESSION["gate"]["divergences"],
    script:
        "../scripts/regression/refits.py"


rule regression_study:
    """Fit, coefficients, checks, permutation controls, headline numbers and figures of the models."""
    input:
        **{
            kind: expand(f"results/regression/{{refit}}/{kind}.csv", refit=REFITS)
            for kind in HELD_OUT
        },
        **PREPARED_AND_INDEX,
        posteriors=DRAWN["posteriors"],
    output:
        **{
            kind: expand(
                f"results/regression/{{model}}/{kind}.csv", model=DEFAULT_MODELS
            )
            for kind in ("validation", "coefficients", "checks")
        },
        **{
            name: reported(
                f"results/regression/{name}.csv", "regression", label, "Regression"
            )
            for name, label in REGRESSION_PAGES.items()
        },
        quantities="results/regression/quantities.csv",
        permutations="results/regression/artefact_permutations.csv",
        located=reported(
            "results/regression/artefact.csv",
            "regression",
            "Artefact controls",
            "Regression",
        ),
        figures=drawn("regression", "regression", REGRESSION_FIGURES, "Regression"),
    log:
        "results/logs/regression/study.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **REGRESSION_RESOURCES,
    params:
        code=code("regression/study.py"),
        settings={
            **DESIGN_SETTINGS,
            "bootstrap": REGRESSION["bootstrap"],
            "permutations": REGRESSION["permutations"],
            "alpha": PLATEAU["alpha"],
        },
        schemes=SCHEMES,
    script:
        "../scripts/regression/study.py"


rule regression_calibration:
    """Simulation-based calibration of the reference model: ranks and their uniformity."""
    input:
        **PREPARED_AND_INDEX,
    output:
        ranks="results/regression/calibration/ranks.csv",
        uniformity="results/regression/calibration/uniformity.csv",
    log:
        "results/logs/regression/calibration.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=REGRESSION_RESOURCES["mem_mb"],
        runtime=growing(60, 60, PLATEAU_FILES),
    params:
        **named(**REGRESSION["calibration"]),
        code=code("regression/calibration.py"),
        settings={
            **DESIGN_SETTINGS,
            "specifications": {REFERENCE: SPECIFICATIONS[REFERENCE]},
        },
    script:
        "../scripts/regression/calibration.py"


rule regression:
    """What goes with saturation when everything is looked at together."""
    input:
        (
            [*rules.regression_posterior.output, *rules.regression_study.output]
            if DEFAULT_MODELS
            else []
        ),


rule regression_full:
    """The regression, and its calibration."""
    input:
        rules.regression.input,
        rules.regression_calibration.output,


rule calibration:
    """Whether the regression recovers what its data were simulated from."""
    input:
        rules.regression_calibration.output,


# Its formulas are written for the paper's benchmarks; on others ask for it by name.
offer(
    "regression",
    targets=rules.regression.input if PLATEAU_ON_PAPER_DATA else [],
    quantities="results/regression/quantities.csv",
    judged=REGRESSION_AS_IN_PAPER,
    paper="plateau",
)
