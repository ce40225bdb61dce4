"""The multiverse: do the plateau paper's conclusions survive other defensible choices?

in:  results/plateau/inputs/{benchmarks,top_scores}.csv, config section multiverse
out: results/multiverse/SIZE/{specifications,curve,joint,choices,quantities}.csv,
     results/figures/multiverse/SIZE/; SIZE is reduced (part of `all`) or full
"""

MULTIVERSE = config["multiverse"]
MULTIVERSE_CHOICES = {
    name: value
    for name, value in MULTIVERSE.items()
    if name not in ("reduced", "full", "level")
}
# The closed set of conclusions, see saturation.multiverse.CONCLUSIONS.
MULTIVERSE_CONCLUSIONS = [
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "age",
    "test_size",
    "adoption",
    "quality",
]


wildcard_constraints:
    size="reduced|full",


rule multiverse_specifications:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("multiverse/specifications.py"),
    output:
        "results/multiverse/{size}/specifications.csv",
    log:
        "results/logs/multiverse/{size}/specifications.log",
    benchmark:
        "results/costs/multiverse/{size}/specifications.tsv"
    conda:
        ENVIRONMENT
    params:
        choices=MULTIVERSE_CHOICES,
        epsilon=PLATEAU["epsilon"],
        seed=config["seed"],
        specifications=lambda wildcards: MULTIVERSE[wildcards.size]["specifications"],
    script:
        "../scripts/multiverse/specifications.py"


rule multiverse_evaluate:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        specifications="results/multiverse/{size}/specifications.csv",
        lock=shipped("envs/requirements.txt"),
        code=code("multiverse/evaluate.py"),
    output:
        evaluated=temp("results/multiverse/{size}/chunks/{chunk}-of-{chunks}.csv"),
        effect=temp("results/multiverse/{size}/chunks/{chunk}-of-{chunks}.effect.npy"),
        z=temp("results/multiverse/{size}/chunks/{chunk}-of-{chunks}.z.npy"),
    log:
        "results/logs/multiverse/{size}/{chunk}-of-{chunks}.log",
    benchmark:
        "results/costs/multiverse/{size}/{chunk}-of-{chunks}.tsv"
    wildcard_constraints:
        chunk=r"\d+",
        chunks=r"\d+",
    conda:
        ENVIRONMENT
    params:
        choices=MULTIVERSE_CHOICES,
        epsilon=PLATEAU["epsilon"],
        seed=config["seed"],
        permutations=lambda wildcards: MULTIVERSE[wildcards.size]["permutations"],
    script:
        "../scripts/multiverse/evaluate.py"


rule multiverse_joint:
    input:
        evaluated=lambda wildcards: [
            f"results/multiverse/{wildcards.size}/chunks/{chunk + 1}-of-{chunks}.csv"
            for chunks in [MULTIVERSE[wildcards.size]["chunks"]]
            for chunk in range(chunks)
        ],
        effect=lambda wildcards: [
            f"results/multiverse/{wildcards.size}/chunks/{chunk + 1}-of-{chunks}.effect.npy"
            for chunks in [MULTIVERSE[wildcards.size]["chunks"]]
            for chunk in range(chunks)
        ],
        z=lambda wildcards: [
            f"results/multiverse/{wildcards.size}/chunks/{chunk + 1}-of-{chunks}.z.npy"
            for chunks in [MULTIVERSE[wildcards.size]["chunks"]]
            for chunk in range(chunks)
        ],
        code=code("multiverse/joint.py"),
    output:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
        choices="results/multiverse/{size}/choices.csv",
        quantities="results/multiverse/{size}/quantities.csv",
        page=report(
            "results/multiverse/{size}/joint.html",
            caption="../report/multiverse/joint.rst",
            category="7 Multiverse",
            subcategory="{size}",
            labels={"item": "joint tests"},
        ),
    log:
        "results/logs/multiverse/{size}/joint.log",
    benchmark:
        "results/costs/multiverse/{size}/joint.tsv"
    conda:
        ENVIRONMENT
    resources:
        # Measured: 0.21 GB for the reduced one; the full one holds 8 bytes a specification and
        # permutation, and a sorted copy of one conclusion.
        mem_mb=growing(1500),
    params:
        level=MULTIVERSE["level"],
    script:
        "../scripts/multiverse/joint.py"


rule multiverse_overview:
    input:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
        code=code("multiverse/figures.py"),
    output:
        report(
            "results/figures/multiverse/{size}/overview.png",
            caption="../report/multiverse/overview.rst",
            category="7 Multiverse",
            subcategory="{size}",
            labels={"item": "all conclusions"},
        ),
        "results/figures/multiverse/{size}/overview.pdf",
        "results/figures/multiverse/{size}/overview.svg",
    log:
        "results/logs/multiverse/{size}/overview.log",
    benchmark:
        "results/costs/multiverse/{size}/overview.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/multiverse/figures.py"


rule multiverse_curve:
    input:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
        code=code("multiverse/figures.py"),
    output:
        report(
            "results/figures/multiverse/{size}/{conclusion}.png",
            caption="../report/multiverse/curve.rst",
            category="7 Multiverse",
            subcategory="{size}",
            labels={"item": "{conclusion}"},
        ),
        "results/figures/multiverse/{size}/{conclusion}.pdf",
        "results/figures/multiverse/{size}/{conclusion}.svg",
    log:
        "results/logs/multiverse/{size}/{conclusion}.log",
    benchmark:
        "results/costs/multiverse/{size}/{conclusion}.tsv"
    wildcard_constraints:
        conclusion="|".join(MULTIVERSE_CONCLUSIONS),
    conda:
        ENVIRONMENT
    script:
        "../scripts/multiverse/figures.py"


rule multiverse_reduced:
    input:
        "results/multiverse/reduced/joint.html",
        "results/figures/multiverse/reduced/overview.png",


rule multiverse:
    input:
        "results/multiverse/full/joint.html",
        "results/figures/multiverse/full/overview.png",
        expand(
            "results/figures/multiverse/full/{conclusion}.png",
            conclusion=MULTIVERSE_CONCLUSIONS,
        ),


rule multiverse_full:
    input:
        rules.multiverse.input,


offer(
    "multiverse",
    targets=rules.multiverse_reduced.input,
    quantities="results/multiverse/reduced/quantities.csv",
    judged=PLATEAU_ON_PAPER_DATA,
)
