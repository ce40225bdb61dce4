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
MULTIVERSE_CHUNKS = {
    size: [
        f"{number + 1}-of-{MULTIVERSE[size]['chunks']}"
        for number in range(MULTIVERSE[size]["chunks"])
    ]
    for size in ("reduced", "full")
}


wildcard_constraints:
    size="reduced|full",


rule multiverse_specifications:
    """Draw the specifications of every conclusion."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        lock=LOCK,
    output:
        "results/multiverse/{size}/specifications.csv",
    log:
        "results/logs/multiverse/specifications/{size}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("multiverse/specifications.py"),
        choices=MULTIVERSE_CHOICES,
        epsilon=PLATEAU["epsilon"],
        seed=config["seed"],
        specifications=lambda wildcards: MULTIVERSE[wildcards.size]["specifications"],
    script:
        "../scripts/multiverse/specifications.py"


rule multiverse_evaluation:
    """Evaluate one chunk of the specifications, as observed and under every permutation."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        specifications="results/multiverse/{size}/specifications.csv",
        lock=LOCK,
    output:
        evaluated=temp("results/multiverse/{size}/evaluation/{chunk}.csv"),
        effect=temp("results/multiverse/{size}/evaluation/{chunk}.effect.npy"),
        z=temp("results/multiverse/{size}/evaluation/{chunk}.z.npy"),
    log:
        "results/logs/multiverse/evaluation/{size}/{chunk}.log",
    wildcard_constraints:
        chunk=r"\d+-of-\d+",
    conda:
        "../../envs/environment.yaml"
    resources:
        **PLATEAU_RESOURCES,
    params:
        code=code("multiverse/evaluation.py"),
        choices=MULTIVERSE_CHOICES,
        epsilon=PLATEAU["epsilon"],
        seed=config["seed"],
        permutations=lambda wildcards: MULTIVERSE[wildcards.size]["permutations"],
    script:
        "../scripts/multiverse/evaluation.py"


rule multiverse_joint:
    """Merge the chunks: the curve and the joint test of every conclusion, agreement by choice."""
    input:
        evaluated=lambda wildcards: expand(
            "results/multiverse/{size}/evaluation/{chunk}.csv",
            size=wildcards.size,
            chunk=MULTIVERSE_CHUNKS[wildcards.size],
        ),
        effect=lambda wildcards: expand(
            "results/multiverse/{size}/evaluation/{chunk}.effect.npy",
            size=wildcards.size,
            chunk=MULTIVERSE_CHUNKS[wildcards.size],
        ),
        z=lambda wildcards: expand(
            "results/multiverse/{size}/evaluation/{chunk}.z.npy",
            size=wildcards.size,
            chunk=MULTIVERSE_CHUNKS[wildcards.size],
        ),
    output:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
        choices="results/multiverse/{size}/choices.csv",
        quantities="results/multiverse/{size}/quantities.csv",
        page=report(
            "results/multiverse/{size}/joint.html",
            caption="../report/multiverse/joint.rst",
            category=CATEGORY["multiverse"],
            subcategory=titled("{size}"),
            labels={"item": "Joint tests"},
        ),
    log:
        "results/logs/multiverse/joint/{size}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        # Measured: 0.21 GB for the reduced one; the full one holds 8 bytes a specification and
        # permutation, and a sorted copy of one conclusion.
        mem_mb=growing(1500),
    params:
        code=code("multiverse/joint.py"),
        level=MULTIVERSE["level"],
    script:
        "../scripts/multiverse/joint.py"


rule multiverse_overview:
    """Draw how many analyses side with the paper on each conclusion."""
    input:
        joint="results/multiverse/{size}/joint.csv",
    output:
        report(
            "results/figures/multiverse/{size}/overview.png",
            caption="../report/multiverse/overview.rst",
            category=CATEGORY["multiverse"],
            subcategory=titled("{size}"),
            labels={"item": "All conclusions"},
        ),
        "results/figures/multiverse/{size}/overview.pdf",
        "results/figures/multiverse/{size}/overview.svg",
    log:
        "results/logs/multiverse/overview/{size}.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("multiverse/overview.py"),
    script:
        "../scripts/multiverse/overview.py"


rule multiverse_curve:
    """Draw the curve and the choices of one conclusion."""
    input:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
    output:
        report(
            "results/figures/multiverse/{size}/{conclusion}.png",
            caption="../report/multiverse/curve.rst",
            category=CATEGORY["multiverse"],
            subcategory=titled("{size}"),
            labels=item_titled("{conclusion}"),
        ),
        "results/figures/multiverse/{size}/{conclusion}.pdf",
        "results/figures/multiverse/{size}/{conclusion}.svg",
    log:
        "results/logs/multiverse/curve/{size}/{conclusion}.log",
    wildcard_constraints:
        conclusion="|".join(MULTIVERSE_TITLES),
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("multiverse/curve.py"),
    script:
        "../scripts/multiverse/curve.py"


rule multiverse_reduced:
    """The multiverse of the default run."""
    input:
        "results/multiverse/reduced/joint.html",
        "results/figures/multiverse/reduced/overview.png",


rule multiverse:
    """Whether the conclusions survive other defensible choices: all specifications."""
    input:
        "results/multiverse/full/joint.html",
        "results/figures/multiverse/full/overview.png",
        expand(
            "results/figures/multiverse/full/{conclusion}.png",
            conclusion=MULTIVERSE_TITLES,
        ),


rule multiverse_full:
    """The same as multiverse."""
    input:
        rules.multiverse.input,


offer(
    "multiverse",
    targets=rules.multiverse_reduced.input,
    quantities="results/multiverse/reduced/quantities.csv",
    judged=PLATEAU_AS_IN_PAPER,
    paper="plateau",
)
