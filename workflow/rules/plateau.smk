"""The plateau study: are the top models of a benchmark still distinguishable?

in:  the benchmarks table and the top scores (embedded or the user's), config section plateau
out: results/plateau/{index,comparisons,transitions,grid,intervals,permuted_n,groups,tests,trends,
     bins,family,controls,equal_top,quantities}.csv, results/plateau/tables/, results/figures/plateau/
"""

from saturation.plateau import names as plateau_names

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


rule plateau_inputs:
    """Check the benchmarks table and the top scores, and convert scores to proportions."""
    input:
        benchmarks=PLATEAU["benchmarks"] or shipped("resources/plateau/benchmarks.csv"),
        top_scores=PLATEAU["top_scores"] or shipped("resources/plateau/top_scores.csv"),
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
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
    output:
        default="results/plateau/index.csv",
        settings=[f"results/plateau/index/{name}.csv" for name in SETTINGS],
    log:
        "results/logs/plateau/index.log",
    priority: LONG_CHAIN
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/index.py"),
        k=PLATEAU["k"],
        alpha=PLATEAU["alpha"],
        settings=list(SETTINGS.values()),
        z=PLATEAU["z"],
        epsilon=PLATEAU["epsilon"],
        edges=PLATEAU["bin_edges"],
        ceiling=PLATEAU["ceiling"],
    script:
        "../scripts/plateau/index.py"


rule plateau_sensitivity:
    """Compare the index over k and alpha: Table 1, bin transitions and a fine grid."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        reference="results/plateau/index.csv",
        settings=[f"results/plateau/index/{name}.csv" for name in TABLE_1.values()],
    output:
        comparisons="results/plateau/comparisons.csv",
        transitions="results/plateau/transitions.csv",
        grid="results/plateau/grid.csv",
    log:
        "results/logs/plateau/sensitivity.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/sensitivity.py"),
        names=list(TABLE_1),
        ks=PLATEAU["sensitivity"]["k"],
        alphas=PLATEAU["sensitivity"]["alpha"],
        edges=PLATEAU["bin_edges"],
        saturated_from=PLATEAU["saturated_from"],
        epsilon=PLATEAU["epsilon"],
    script:
        "../scripts/plateau/sensitivity.py"


rule plateau_uncertainty:
    """Compute the interval of every benchmark's index, and permute test-set sizes."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        lock=LOCK,
    output:
        intervals="results/plateau/intervals.csv",
        permuted_n="results/plateau/permuted_n.csv",
    log:
        "results/logs/plateau/uncertainty.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/uncertainty.py"),
        seed=config["seed"],
        resamples=PLATEAU["resamples"],
        saturated_from=PLATEAU["saturated_from"],
        epsilon=PLATEAU["epsilon"],
    script:
        "../scripts/plateau/uncertainty.py"


rule plateau_hypotheses:
    """Test H1-H6 and quality issues: groups, tests, trends and corrected p-values."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
        lock=LOCK,
    output:
        groups="results/plateau/groups.csv",
        tests="results/plateau/tests.csv",
        trends="results/plateau/trends.csv",
        bins="results/plateau/bins.csv",
        family="results/plateau/family.csv",
    log:
        "results/logs/plateau/hypotheses.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/hypotheses.py"),
        seed=config["seed"],
        permutations=PLATEAU["permutations"],
        saturated_from=PLATEAU["saturated_from"],
    script:
        "../scripts/plateau/hypotheses.py"


rule plateau_controls:
    """Compute every effect without test-set size, and the top gap of equal models."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        lock=LOCK,
    output:
        controls="results/plateau/controls.csv",
        equal_top="results/plateau/equal_top.csv",
    log:
        "results/logs/plateau/controls.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/controls.py"),
        seed=config["seed"],
        permutations=PLATEAU["permutations"],
        same_n=PLATEAU["same_n"],
        equal=PLATEAU["equal_top"],
        saturated_from=PLATEAU["saturated_from"],
        epsilon=PLATEAU["epsilon"],
    script:
        "../scripts/plateau/controls.py"


rule plateau_summary:
    """Gather the headline numbers, the paper's tables and the index as a page."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        index_k3=f"results/plateau/index/{TABLE_1['k3']}.csv",
        index_alpha1=f"results/plateau/index/{TABLE_1['alpha1']}.csv",
        comparisons="results/plateau/comparisons.csv",
        grid="results/plateau/grid.csv",
        intervals="results/plateau/intervals.csv",
        permuted_n="results/plateau/permuted_n.csv",
        groups="results/plateau/groups.csv",
        tests="results/plateau/tests.csv",
        trends="results/plateau/trends.csv",
        bins="results/plateau/bins.csv",
        family="results/plateau/family.csv",
        controls="results/plateau/controls.csv",
        equal_top="results/plateau/equal_top.csv",
        lock=LOCK,
    output:
        quantities="results/plateau/quantities.csv",
        csv=expand(
            "results/plateau/tables/table{number}.csv",
            number=plateau_names.TABLES,
        ),
        markdown=expand(
            "results/plateau/tables/table{number}.md",
            number=plateau_names.TABLES,
        ),
        page=reported(
            "results/plateau/index.html",
            "plateau",
            "S of every benchmark, in numbers",
            "Index",
        ),
    log:
        "results/logs/plateau/summary.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/summary.py"),
        seed=config["seed"],
        permutations=PLATEAU["permutations"],
        saturated_from=PLATEAU["saturated_from"],
        ceiling=PLATEAU["ceiling"],
        k=PLATEAU["k"],
        alpha=PLATEAU["alpha"],
        whole=PLATEAU["benchmarks"] is not None,
    script:
        "../scripts/plateau/summary.py"


rule plateau_figures:
    """Draw the study's figures, each as PNG, PDF and SVG."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
        intervals="results/plateau/intervals.csv",
        permuted_n="results/plateau/permuted_n.csv",
        grid="results/plateau/grid.csv",
        groups="results/plateau/groups.csv",
        bins="results/plateau/bins.csv",
        tests="results/plateau/tests.csv",
        trends="results/plateau/trends.csv",
        controls="results/plateau/controls.csv",
        equal_top="results/plateau/equal_top.csv",
    output:
        drawn("plateau", "plateau", plateau_names.FIGURES),
    log:
        "results/logs/plateau/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("plateau/figures.py"),
        k=PLATEAU["k"],
        alpha=PLATEAU["alpha"],
        saturated_from=PLATEAU["saturated_from"],
    script:
        "../scripts/plateau/figures.py"


rule plateau:
    """Whether the top models of each benchmark are still distinguishable."""
    input:
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
