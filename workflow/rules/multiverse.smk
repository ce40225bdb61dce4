"""The multiverse: do the plateau paper's conclusions survive other defensible choices?

in:  results/plateau/inputs/{benchmarks,top_scores}.csv, config section multiverse
out: results/multiverse/SIZE/{curve,joint,choices,quantities}.csv,
     results/figures/multiverse/full/; SIZE is reduced (part of `all`) or full
"""

MULTIVERSE = config["multiverse"]
MULTIVERSE_CHOICES = {
    name: value
    for name, value in MULTIVERSE.items()
    if name not in ("reduced", "full", "level")
}


wildcard_constraints:
    size="reduced|full",


rule multiverse_joint:
    """Evaluate every specification of every conclusion, and test each conclusion's curve."""
    input:
        **PREPARED,
    output:
        **{
            name: f"results/multiverse/{{size}}/{name}.csv"
            for name in ("curve", "choices", "quantities")
        },
        joint=reported(
            "results/multiverse/{size}/joint.csv",
            "multiverse",
            "Joint tests",
            "{size}",
        ),
    log:
        "results/logs/multiverse/joint/{size}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        # Measured: 0.2 GB for the reduced one, 0.8 for the full one, which holds two numbers a
        # specification and permutation.
        mem_mb=growing(2000, 200, PLATEAU_FILES),
        runtime=growing(10, 10, PLATEAU_FILES),
    params:
        **plateau_settings(
            choices=MULTIVERSE_CHOICES,
            level=MULTIVERSE["level"],
            seed=config["seed"],
            specifications=lambda wildcards: MULTIVERSE[wildcards.size][
                "specifications"
            ],
            permutations=lambda wildcards: MULTIVERSE[wildcards.size]["permutations"],
        ),
        code=code("multiverse/joint.py"),
    script:
        "../scripts/multiverse/joint.py"


rule multiverse_curve:
    """Draw the specification curve of one conclusion above the choices that lead to it."""
    input:
        curve="results/multiverse/{size}/curve.csv",
        joint="results/multiverse/{size}/joint.csv",
    output:
        drawn(
            "multiverse/{size}",
            "multiverse",
            {"{conclusion}": ("{size}", "{conclusion}")},
            caption="curve",
        ),
    log:
        "results/logs/multiverse/curve/{size}/{conclusion}.log",
    wildcard_constraints:
        conclusion="|".join(CONCLUSION_TITLES),
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("multiverse/curve.py"),
    script:
        "../scripts/multiverse/curve.py"


rule multiverse_reduced:
    """The multiverse of the default run."""
    input:
        "results/multiverse/reduced/joint.csv",


rule multiverse:
    """Whether the conclusions survive other defensible choices: all specifications."""
    input:
        "results/multiverse/full/joint.csv",
        expand(
            "results/figures/multiverse/full/{conclusion}.png",
            conclusion=CONCLUSION_TITLES,
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
