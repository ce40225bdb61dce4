"""The joint Bayesian regression of the plateau study (section 4.2, appendix F).

in:  results/plateau/inputs/benchmarks.csv, results/plateau/index.csv, config section regression
out: results/regression/MODEL/{design,diagnostics,held_out,fit,coefficients,checks}.csv,
     results/regression/MODEL/posterior.nc,
     results/regression/{fit,effects,comparison,located,quantities}.csv,
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
# The controls and the calibration need the reference model's design, whatever models are run.
DESIGNED = list(dict.fromkeys([*DEFAULT_MODELS, REGRESSION["reference_model"]]))
# Without exact refits a held-out prediction comes from importance sampling alone, and says so.
REFIT_CHUNKS = REGRESSION["refits"]["chunks"] if REGRESSION["refits"]["exact"] else 0
REGRESSION_FIGURES = {
    "overfitting": "Overfitting curve",
    "forest": "Coefficients (Figure 5)",
    "auroc": "AUROC posterior (Figure 6)",
    "artefact": "Artefact controls",
    "checks": "Predictive checks",
    "sampling": "Trace and energy",
}


wildcard_constraints:
    model="|".join(SPECIFICATIONS),
    chunk=r"\d+",


# One job for all models: one import and, in the next rule, one compiled program serve them all.
rule regression_designs:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
        code=code("regression/designs.py"),
    output:
        expand(f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DESIGNED),
    log:
        "results/logs/regression/designs.log",
    benchmark:
        "results/costs/regression/designs.tsv"
    # The longest chain of the default run starts first.
    priority: 10
    conda:
        ENVIRONMENT
    params:
        specifications={name: SPECIFICATIONS[name] for name in DESIGNED},
        missing=REGRESSION["missing"],
        threshold=PLATEAU["saturated_from"],
        minimum_rows=REGRESSION["minimum_rows"],
    script:
        "../scripts/regression/designs.py"


rule regression_posteriors:
    input:
        designs=expand(
            f"{REGRESSION_RESULTS}/{{model}}/design.csv", model=DEFAULT_MODELS
        ),
        lock=shipped("envs/requirements.txt"),
        code=code("regression/posteriors.py"),
    output:
        expand(
            f"{REGRESSION_RESULTS}/{{model}}/{{table}}",
            model=DEFAULT_MODELS,
            table=["posterior.nc", "diagnostics.csv", "loo.csv"],
        ),
    log:
        "results/logs/regression/posteriors.log",
    benchmark:
        "results/costs/regression/posteriors.tsv"
    priority: 10
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(1500),
    params:
        specifications={name: SPECIFICATIONS[name] for name in DEFAULT_MODELS},
        effort=REGRESSION["sampling"],
        gate=REGRESSION["gate"],
        seed=config["seed"],
    script:
        "../scripts/regression/posteriors.py"


rule regression_refits:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        loo=f"{REGRESSION_RESULTS}/{{model}}/loo.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("regression/refits.py"),
    output:
        f"{REGRESSION_RESULTS}/{{model}}/refits/{{chunk}}.csv",
    log:
        "results/logs/regression/{model}/refits_{chunk}.log",
    benchmark:
        "results/costs/regression/{model}/refits_{chunk}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(1500),
    params:
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        pareto_k=REGRESSION["refits"]["pareto_k"],
        effort={key: REGRESSION["refits"][key] for key in ("draws", "tune", "chains")},
        gate={
            "rhat": REGRESSION["refits"]["rhat"],
            "ess": REGRESSION["refits"]["ess"],
            "divergences": REGRESSION["gate"]["divergences"],
        },
        chunks=REGRESSION["refits"]["chunks"],
        seed=config["seed"],
    script:
        "../scripts/regression/refits.py"


rule regression_fit:
    input:
        design=f"{REGRESSION_RESULTS}/{{model}}/design.csv",
        posterior=f"{REGRESSION_RESULTS}/{{model}}/posterior.nc",
        loo=f"{REGRESSION_RESULTS}/{{model}}/loo.csv",
        refits=[
            f"{REGRESSION_RESULTS}/{{model}}/refits/{chunk}.csv"
            for chunk in range(REFIT_CHUNKS)
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
        "results/costs/regression/{model}/fit.tsv"
    conda:
        ENVIRONMENT
    params:
        specification=lambda wildcards: SPECIFICATIONS[wildcards.model],
        bootstrap=REGRESSION["bootstrap"],
        pareto_k=REGRESSION["refits"]["pareto_k"],
        seed=config["seed"],
    script:
        "../scripts/regression/fit.py"


rule regression_artefact:
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        index="results/plateau/index.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("regression/artefact.py"),
    output:
        permutations=f"{REGRESSION_RESULTS}/permutations.csv",
        located=f"{REGRESSION_RESULTS}/located.csv",
    log:
        "results/logs/regression/artefact.log",
    benchmark:
        "results/costs/regression/artefact.tsv"
    conda:
        ENVIRONMENT
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
            labels={"item": "Fit in and out of sample"},
        ),
        comparison_html=report(
            f"{REGRESSION_RESULTS}/comparison.html",
            caption="../report/regression/comparison.rst",
            category="1 Plateau",
            subcategory="Regression",
            labels={"item": "Models compared"},
        ),
        effects_html=report(
            f"{REGRESSION_RESULTS}/effects.html",
            caption="../report/regression/effects.rst",
            category="1 Plateau",
            subcategory="Regression",
            labels={"item": "Effects over all models"},
        ),
    log:
        "results/logs/regression/summary.log",
    benchmark:
        "results/costs/regression/summary.tsv"
    conda:
        ENVIRONMENT
    params:
        models=DEFAULT_MODELS,
        outcomes={name: SPECIFICATIONS[name]["outcome"] for name in DEFAULT_MODELS},
        # The ledger's shares are over these, so that more likelihoods do not change a verdict.
        judged=[
            name
            for name in DEFAULT_MODELS
            if SPECIFICATIONS[name]["likelihood"] == "beta"
        ],
    script:
        "../scripts/regression/summary.py"


rule regression_figures:
    input:
        fit=f"{REGRESSION_RESULTS}/fit.csv",
        located=f"{REGRESSION_RESULTS}/located.csv",
        permutations=f"{REGRESSION_RESULTS}/permutations.csv",
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
        code=code("regression/figures.py"),
    output:
        [
            report(
                f"results/figures/regression/{name}.png",
                caption=f"../report/regression/{name}.rst",
                category="1 Plateau",
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
    benchmark:
        "results/costs/regression/figures.tsv"
    conda:
        ENVIRONMENT
    params:
        models=DEFAULT_MODELS,
        specifications=SPECIFICATIONS,
    script:
        "../scripts/regression/figures.py"


rule regression_calibration:
    input:
        design=f"{REGRESSION_RESULTS}/{REGRESSION['reference_model']}/design.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("regression/calibration.py"),
    output:
        ranks=f"{REGRESSION_RESULTS}/calibration/ranks.csv",
        uniformity=f"{REGRESSION_RESULTS}/calibration/uniformity.csv",
    log:
        "results/logs/regression/calibration.log",
    benchmark:
        "results/costs/regression/calibration.tsv"
    conda:
        ENVIRONMENT
    threads: 2
    resources:
        mem_mb=growing(1500),
        runtime=growing(60),
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
        code=code("regression/calibration_figure.py"),
    output:
        expand(
            "results/figures/regression/calibration.{suffix}",
            suffix=["png", "pdf", "svg"],
        ),
    log:
        "results/logs/regression/calibration_figure.log",
    benchmark:
        "results/costs/regression/calibration_figure.tsv"
    conda:
        ENVIRONMENT
    params:
        ranked=REGRESSION["calibration"]["ranked"],
    script:
        "../scripts/regression/calibration_figure.py"


rule regression:
    input:
        rules.regression_summary.output if DEFAULT_MODELS else [],
        rules.regression_figures.output if DEFAULT_MODELS else [],


rule regression_full:
    input:
        rules.regression.input,
        rules.regression_calibration.output,
        rules.regression_calibration_figure.output,


rule calibration:
    input:
        rules.regression_calibration.output,
        rules.regression_calibration_figure.output,


# Its formulas are written for the paper's benchmarks; on others ask for it by name.
offer(
    "regression",
    targets=rules.regression.input if PLATEAU_ON_PAPER_DATA else [],
    quantities=f"{REGRESSION_RESULTS}/quantities.csv",
    judged=REGRESSION_AS_IN_PAPER,
)
