"""The joint Bayesian regression of the plateau study (section 4.2, appendix F).

in:  results/plateau/inputs/benchmarks.csv, results/plateau/index.csv, config section regression
out: results/plateau/regression/MODEL/{design,diagnostics,held_out,fit,coefficients,checks}.csv,
     results/plateau/regression/MODEL/posterior.nc,
     results/plateau/regression/{fit,effects,comparison,located,quantities}.csv,
     results/figures/regression/
"""

REGRESSION = config["regression"]
SPECIFICATIONS = REGRESSION["models"]
DEFAULT_MODELS = REGRESSION["default_models"]
REGRESSION_RESULTS = "results/plateau/regression"
# What leaves together when a model is judged on what it has not seen. Where rows repeat, leaving
# out one row leaves its twins in: both are shown.
LEFT_OUT = {
    name: ["benchmark", "row"] if model["rows"] == "tags" else ["benchmark"]
    for name, model in SPECIFICATIONS.items()
}


wildcard_constraints:
    model="|".join(SPECIFICATIONS),
    unit="benchmark|row",
    chunk=r"\d+",


rule regression_design:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
        code=code("regression/design.py"),
    output:
        f"{REGRESSION_RESULTS}/{{model}}/design.csv",
    log:
        "results/logs/regression/{model}/design.log",
    benchmark:
        "results/benchmarks/regression/{model}/design.tsv"
    conda:
        ENVIRONMENT
    params:
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        missing=REGRESSION["missing"],
        threshold=PLATEAU["saturated_from"],
        minimum_rows=REGRESSION["minimum_rows"],
    script:
        "../scripts/regression/design.py"


rule regression_posterior:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        lock=own("envs/requirements.txt"),
        code=code("regression/posterior.py"),
    output:
        posterior=f"{REGRESSION_RESULTS}/{{model}}/posterior.nc",
        diagnostics=f"{REGRESSION_RESULTS}/{{model}}/diagnostics.csv",
    log:
        "results/logs/regression/{model}/posterior.log",
    benchmark:
        "results/benchmarks/regression/{model}/posterior.tsv"
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1500,
    params:
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        effort=REGRESSION["sampling"],
        gate=REGRESSION["gate"],
        seed=lambda wildcards: derived_seed("regression", "posterior", wildcards.model),
    script:
        "../scripts/regression/posterior.py"


rule regression_loo:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        posterior=f"{REGRESSION_RESULTS}/{{model}}/posterior.nc",
        code=code("regression/loo.py"),
    output:
        f"{REGRESSION_RESULTS}/{{model}}/loo/{{unit}}.csv",
    log:
        "results/logs/regression/{model}/loo_{unit}.log",
    benchmark:
        "results/benchmarks/regression/{model}/loo_{unit}.tsv"
    conda:
        ENVIRONMENT
    params:
        likelihood=lambda wildcards: SPECIFICATIONS[wildcards.model]["likelihood"],
    script:
        "../scripts/regression/loo.py"


rule regression_refits:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        loo=f"{REGRESSION_RESULTS}/{{model}}/loo/{{unit}}.csv",
        lock=own("envs/requirements.txt"),
        code=code("regression/refits.py"),
    output:
        f"{REGRESSION_RESULTS}/{{model}}/refits/{{unit}}/{{chunk}}.csv",
    log:
        "results/logs/regression/{model}/refits_{unit}_{chunk}.log",
    benchmark:
        "results/benchmarks/regression/{model}/refits_{unit}_{chunk}.tsv"
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1500,
    params:
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        pareto_k=REGRESSION["refits"]["pareto_k"],
        effort={
            "draws": REGRESSION["refits"]["draws"],
            "tune": REGRESSION["refits"]["tune"],
            "chains": REGRESSION["sampling"]["chains"],
        },
        chunks=REGRESSION["refits"]["chunks"],
        seed=lambda wildcards: derived_seed("regression", "refits", wildcards.model),
    script:
        "../scripts/regression/refits.py"


rule regression_fit:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        posterior=f"{REGRESSION_RESULTS}/{{model}}/posterior.nc",
        loo=lambda wildcards: [
            f"{REGRESSION_RESULTS}/{wildcards.model}/loo/{unit}.csv"
            for unit in LEFT_OUT[wildcards.model]
        ],
        refits=lambda wildcards: [
            f"{REGRESSION_RESULTS}/{wildcards.model}/refits/{unit}/{chunk}.csv"
            for unit in LEFT_OUT[wildcards.model]
            for chunk in range(REGRESSION["refits"]["chunks"])
        ],
        code=code("regression/fit.py"),
    output:
        held_out=f"{REGRESSION_RESULTS}/{{model}}/held_out.csv",
        fit=f"{REGRESSION_RESULTS}/{{model}}/fit.csv",
        coefficients=f"{REGRESSION_RESULTS}/{{model}}/coefficients.csv",
        checks=f"{REGRESSION_RESULTS}/{{model}}/checks.csv",
    log:
        "results/logs/regression/{model}/fit.log",
    benchmark:
        "results/benchmarks/regression/{model}/fit.tsv"
    conda:
        ENVIRONMENT
    params:
        units=lambda wildcards: LEFT_OUT[wildcards.model],
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        bootstrap=REGRESSION["bootstrap"],
        seed=lambda wildcards: derived_seed("regression", "fit", wildcards.model),
    script:
        "../scripts/regression/fit.py"


rule regression_artefact:
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        index="results/plateau/index.csv",
        lock=own("envs/requirements.txt"),
        code=code("regression/artefact.py"),
    output:
        permutations=f"{REGRESSION_RESULTS}/permutations.csv",
        located=f"{REGRESSION_RESULTS}/located.csv",
    log:
        "results/logs/regression/artefact.log",
    benchmark:
        "results/benchmarks/regression/artefact.tsv"
    conda:
        ENVIRONMENT
    params:
        specification=SPECIFICATIONS[REGRESSION["reference_model"]],
        alpha=PLATEAU["alpha"],
        epsilon=PLATEAU["epsilon"],
        permutations=REGRESSION["permutations"],
        seed=derived_seed("regression", "artefact"),
    script:
        "../scripts/regression/artefact.py"


rule regression_summary:
    input:
        fit=expand(f"{REGRESSION_RESULTS}/{{model}}/fit.csv", model=DEFAULT_MODELS),
        coefficients=expand(
            f"{REGRESSION_RESULTS}/{{model}}/coefficients.csv", model=DEFAULT_MODELS
        ),
        held_out=expand(
            f"{REGRESSION_RESULTS}/{{model}}/held_out.csv", model=DEFAULT_MODELS
        ),
        located=f"{REGRESSION_RESULTS}/located.csv",
        code=code("regression/summary.py"),
    output:
        fit=f"{REGRESSION_RESULTS}/fit.csv",
        effects=f"{REGRESSION_RESULTS}/effects.csv",
        comparison=f"{REGRESSION_RESULTS}/comparison.csv",
        quantities=f"{REGRESSION_RESULTS}/quantities.csv",
        fit_html=report(
            f"{REGRESSION_RESULTS}/fit.html",
            caption="../report/regression/fit.rst",
            category="1 Plateau",
            subcategory="Regression",
            labels={"item": "Fit in and out of sample", "type": "table"},
        ),
        comparison_html=report(
            f"{REGRESSION_RESULTS}/comparison.html",
            caption="../report/regression/comparison.rst",
            category="1 Plateau",
            subcategory="Regression",
            labels={"item": "Models compared", "type": "table"},
        ),
        effects_html=report(
            f"{REGRESSION_RESULTS}/effects.html",
            caption="../report/regression/effects.rst",
            category="1 Plateau",
            subcategory="Regression",
            labels={"item": "Effects over all models", "type": "table"},
        ),
    log:
        "results/logs/regression/summary.log",
    benchmark:
        "results/benchmarks/regression/summary.tsv"
    conda:
        ENVIRONMENT
    params:
        models=DEFAULT_MODELS,
        outcomes={name: SPECIFICATIONS[name]["outcome"] for name in DEFAULT_MODELS},
    script:
        "../scripts/regression/summary.py"
