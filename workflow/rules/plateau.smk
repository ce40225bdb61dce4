"""The plateau study: are the top models of a benchmark still distinguishable?

in:  the benchmarks table and the top scores (embedded or the user's), config section plateau
out: results/plateau/{index,comparisons,grid,intervals,permuted_n,groups,tests,trends,
     bins,family,controls,equal_top,quantities}.csv, results/plateau/tables/, results/figures/plateau/
"""

from functools import partial

from studies.planning.jobs import tables_of
from studies.plateau import names as plateau_names

PLATEAU = config["plateau"]
# Table 1 of the paper: one change at a time from the default.
CHANGED = plateau_names.table_1(PLATEAU["k"], PLATEAU["alpha"])
TABLE_1 = {name: f"k{k}_alpha{alpha}" for name, (k, alpha) in CHANGED.items()}
# Two of them may be the same.
SETTINGS = {TABLE_1[name]: setting for name, setting in CHANGED.items()}
PLATEAU_ON_PAPER_DATA = not (
    PLATEAU["benchmarks"] or PLATEAU["top_scores"] or PLATEAU["exclude_flags"]
)
PLATEAU_AS_IN_PAPER = (
    PLATEAU_ON_PAPER_DATA and plateau_names.PAPER_SETTINGS.items() <= PLATEAU.items()
)
# Measured: 0.27 GB at 60 benchmarks, 0.5 at 5,000, of which the tables take 2 MB; seconds, and half a minute.
PLATEAU_FILES = [PLATEAU["benchmarks"], PLATEAU["top_scores"]]
PLATEAU_RESOURCES = {
    "mem_mb": growing(1000, 200, PLATEAU_FILES),
    "runtime": growing(5, 10, PLATEAU_FILES),
}
PREPARED = {
    name: f"results/plateau/inputs/{name}.csv" for name in ("benchmarks", "top_scores")
}
PREPARED_AND_INDEX = {
    "benchmarks": PREPARED["benchmarks"],
    "index": "results/plateau/index.csv",
}
# Tables that the figures show.
SHOWN = ["intervals", "grid", "groups", "bins", "tests", "trends", "controls"]
plateau_tables = partial(tables_of, "plateau")
plateau_settings = partial(settings_of, PLATEAU)


rule plateau_inputs:
    """Check the benchmarks table and the top scores, and convert scores to proportions."""
    input:
        benchmarks=own_or_shipped(
            PLATEAU["benchmarks"], "resources/plateau/benchmarks.csv"
        ),
        top_scores=own_or_shipped(
            PLATEAU["top_scores"], "resources/plateau/top_scores.csv"
        ),
    output:
        # update(): a table that fails its checks leaves the earlier, valid one in place.
        benchmarks=update("results/plateau/inputs/benchmarks.csv"),
        top_scores=update("results/plateau/inputs/top_scores.csv"),
    log:
        "results/logs/plateau/inputs.log",
    priority: CHECKS_TABLES
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/inputs.py"),
        score_scale=PLATEAU["score_scale"],
        observed_on=PLATEAU["observed_on"],
        at_least=max(
            plateau_names.TABLE_1_K,
            PLATEAU["k"],
            *PLATEAU["sensitivity"]["k"],
            *config["multiverse"]["k"],
        ),
        exclude_flags=PLATEAU["exclude_flags"],
    script:
        "../scripts/plateau/inputs.py"


rule plateau_index:
    """Compute the saturation index at the default k and alpha and at Table 1's settings."""
    input:
        **PREPARED,
    output:
        default=reported("results/plateau/index.csv", "plateau", "Every benchmark"),
        settings=[f"results/plateau/index/{name}.csv" for name in SETTINGS],
    log:
        "results/logs/plateau/index.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings("k", "alpha", "z", "ceiling"),
        code=code("plateau/index.py"),
        settings=list(SETTINGS.values()),
        edges=PLATEAU["bin_edges"],
    script:
        "../scripts/plateau/index.py"


rule plateau_sensitivity:
    """Compare the index over k and alpha: Table 1 and a fine grid."""
    input:
        top_scores=PREPARED["top_scores"],
        reference="results/plateau/index.csv",
        settings=[f"results/plateau/index/{name}.csv" for name in TABLE_1.values()],
    output:
        **plateau_tables("comparisons", "grid"),
    log:
        "results/logs/plateau/sensitivity.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings(
            "saturated_from",
            ks=PLATEAU["sensitivity"]["k"],
            alphas=PLATEAU["sensitivity"]["alpha"],
            edges=PLATEAU["bin_edges"],
        ),
        code=code("plateau/sensitivity.py"),
        names=list(TABLE_1),
    script:
        "../scripts/plateau/sensitivity.py"


rule plateau_uncertainty:
    """Compute the interval of every benchmark's index, and permute test-set sizes."""
    input:
        top_scores=PREPARED["top_scores"],
        index="results/plateau/index.csv",
    output:
        **plateau_tables("intervals", "permuted_n"),
    log:
        "results/logs/plateau/uncertainty.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings("resamples", "saturated_from", seed=config["seed"]),
        code=code("plateau/uncertainty.py"),
    script:
        "../scripts/plateau/uncertainty.py"


rule plateau_hypotheses:
    """Test H1-H6 and quality issues: groups, tests, trends and corrected p-values."""
    input:
        **PREPARED_AND_INDEX,
    output:
        **plateau_tables("groups", "tests", "trends", "bins", "family"),
    log:
        "results/logs/plateau/hypotheses.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings("permutations", "saturated_from", seed=config["seed"]),
        code=code("plateau/hypotheses.py"),
    script:
        "../scripts/plateau/hypotheses.py"


rule plateau_controls:
    """Compute every effect without test-set size, and the top gap of equal models."""
    input:
        **PREPARED,
        index="results/plateau/index.csv",
    output:
        **plateau_tables("controls", "equal_top"),
    log:
        "results/logs/plateau/controls.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings(
            "permutations",
            "same_n",
            "saturated_from",
            seed=config["seed"],
            equal=PLATEAU["equal_top"],
        ),
        code=code("plateau/controls.py"),
    script:
        "../scripts/plateau/controls.py"


rule plateau_summary:
    """Gather the headline numbers and the paper's tables."""
    input:
        **PREPARED,
        **plateau_tables("comparisons", "family", "permuted_n", "equal_top", *SHOWN),
        index="results/plateau/index.csv",
        index_k3=f"results/plateau/index/{TABLE_1['k3']}.csv",
        index_alpha1=f"results/plateau/index/{TABLE_1['alpha1']}.csv",
    output:
        quantities="results/plateau/quantities.csv",
        csv=expand("results/plateau/tables/table{n}.csv", n=plateau_names.TABLES),
        markdown=expand("results/plateau/tables/table{n}.md", n=plateau_names.TABLES),
    log:
        "results/logs/plateau/summary.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings(
            "permutations",
            "saturated_from",
            "ceiling",
            "k",
            "alpha",
            seed=config["seed"],
        ),
        code=code("plateau/summary.py"),
    script:
        "../scripts/plateau/summary.py"


rule plateau_figures:
    """Draw the study's figures, each as PNG, PDF and SVG."""
    input:
        **PREPARED_AND_INDEX,
        **plateau_tables(*SHOWN),
    output:
        drawn("plateau", "plateau", plateau_names.FIGURES),
    log:
        "results/logs/plateau/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        **plateau_settings("k", "alpha", "saturated_from"),
        code=code("plateau/figures.py"),
    script:
        "../scripts/plateau/figures.py"


rule plateau:
    """Whether the top models of each benchmark are still distinguishable."""
    input:
        rules.plateau_inputs.output,
        rules.plateau_index.output,
        rules.plateau_sensitivity.output,
        rules.plateau_uncertainty.output,
        rules.plateau_hypotheses.output,
        rules.plateau_controls.output,
        rules.plateau_summary.output,
        rules.plateau_figures.output,


offer(
    "plateau",
    targets=rules.plateau.input,
    quantities=rules.plateau_summary.output.quantities,
    judged=PLATEAU_AS_IN_PAPER,
)
