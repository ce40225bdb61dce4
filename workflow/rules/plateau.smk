"""The plateau study: are the top models of a benchmark still distinguishable?

in:  the benchmarks table and the top scores (embedded or the user's), config section plateau
out: results/plateau/{index,intervals,permuted_n,comparisons,transitions,grid,groups,tests,
     trends,bins,family,quantities}.csv, results/plateau/tables/, results/figures/plateau/
"""

PLATEAU = config["plateau"]
# The settings that Table 1 of the paper compares with its default, k = 5 and alpha = 0.5.
TABLE_1_SETTINGS = [(3, "0.5"), (5, "0.0"), (5, "1.0")]
TABLE_1_K = [k for k, _ in TABLE_1_SETTINGS]


rule plateau_inputs:
    input:
        benchmarks=PLATEAU["benchmarks"] or own("resources/plateau/benchmarks.csv"),
        top_scores=PLATEAU["top_scores"] or own("resources/plateau/top_scores.csv"),
        code=code("plateau/inputs.py"),
    output:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
    log:
        "results/logs/plateau/inputs.log",
    benchmark:
        "results/benchmarks/plateau/inputs.tsv"
    conda:
        ENVIRONMENT
    params:
        score_scale=PLATEAU["score_scale"],
        observed_on=PLATEAU["observed_on"],
        at_least=max(PLATEAU["k"], *PLATEAU["sensitivity"]["k"], *TABLE_1_K),
        exclude_flags=PLATEAU["exclude_flags"],
    script:
        "../scripts/plateau/inputs.py"


rule plateau_index:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        code=code("plateau/index.py"),
    output:
        "results/plateau/index/k{k}_alpha{alpha}.csv",
    log:
        "results/logs/plateau/index/k{k}_alpha{alpha}.log",
    benchmark:
        "results/benchmarks/plateau/index/k{k}_alpha{alpha}.tsv"
    wildcard_constraints:
        k=r"\d+",
        alpha=r"[01](\.\d+)?",
    conda:
        ENVIRONMENT
    params:
        k=lambda wildcards: wildcards.k,
        alpha=lambda wildcards: wildcards.alpha,
        z=PLATEAU["z"],
        epsilon=PLATEAU["epsilon"],
        edges=PLATEAU["bin_edges"],
        ceiling=PLATEAU["ceiling"],
    script:
        "../scripts/plateau/index.py"


use rule plateau_index as plateau_index_default with:
    output:
        "results/plateau/index.csv",
    log:
        "results/logs/plateau/index.log",
    benchmark:
        "results/benchmarks/plateau/index.tsv"
    params:
        k=PLATEAU["k"],
        alpha=PLATEAU["alpha"],
        z=PLATEAU["z"],
        epsilon=PLATEAU["epsilon"],
        edges=PLATEAU["bin_edges"],
        ceiling=PLATEAU["ceiling"],


rule plateau_uncertainty:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        lock=own("envs/requirements.txt"),
        code=code("plateau/uncertainty.py"),
    output:
        intervals="results/plateau/intervals.csv",
        permuted_n="results/plateau/permuted_n.csv",
    log:
        "results/logs/plateau/uncertainty.log",
    benchmark:
        "results/benchmarks/plateau/uncertainty.tsv"
    conda:
        ENVIRONMENT
    params:
        seed=config["seed"],
        resamples=PLATEAU["resamples"],
        permutations=PLATEAU["permutations"],
        saturated_from=PLATEAU["saturated_from"],
        epsilon=PLATEAU["epsilon"],
    script:
        "../scripts/plateau/uncertainty.py"


rule plateau_sensitivity:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        reference="results/plateau/index.csv",
        settings=[
            f"results/plateau/index/k{k}_alpha{alpha}.csv"
            for k, alpha in TABLE_1_SETTINGS
        ],
        code=code("plateau/sensitivity.py"),
    output:
        comparisons="results/plateau/comparisons.csv",
        transitions="results/plateau/transitions.csv",
        grid="results/plateau/grid.csv",
    log:
        "results/logs/plateau/sensitivity.log",
    benchmark:
        "results/benchmarks/plateau/sensitivity.tsv"
    conda:
        ENVIRONMENT
    params:
        ks=PLATEAU["sensitivity"]["k"],
        alphas=PLATEAU["sensitivity"]["alpha"],
        edges=PLATEAU["bin_edges"],
        saturated_from=PLATEAU["saturated_from"],
        epsilon=PLATEAU["epsilon"],
    script:
        "../scripts/plateau/sensitivity.py"


rule plateau_hypotheses:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        index="results/plateau/index.csv",
        lock=own("envs/requirements.txt"),
        code=code("plateau/hypotheses.py"),
    output:
        groups="results/plateau/groups.csv",
        tests="results/plateau/tests.csv",
        trends="results/plateau/trends.csv",
        bins="results/plateau/bins.csv",
        family="results/plateau/family.csv",
    log:
        "results/logs/plateau/hypotheses.log",
    benchmark:
        "results/benchmarks/plateau/hypotheses.tsv"
    conda:
        ENVIRONMENT
    params:
        seed=config["seed"],
        permutations=PLATEAU["permutations"],
        saturated_from=PLATEAU["saturated_from"],
    script:
        "../scripts/plateau/hypotheses.py"
