"""Lists of items whose key may be wrong, tried on questions that people checked.

in:  resources/review/mmlu_redux.csv
out: results/review/{weights,splits,quantities}.csv; by review_verify results/review/verification.csv
"""


rule review_verify:
    """Make the embedded table anew from its pinned source, and compare the learned weights."""
    input:
        questions=shipped("resources/review/mmlu_redux.csv"),
        weights=shipped("resources/review/weights.csv"),
        learned="results/review/weights.csv",
        source="results/sources/redux_letters.csv",
    output:
        "results/review/verification.csv",
    log:
        "results/logs/review/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("review/verify.py"),
    script:
        "../scripts/review/verify.py"


rule review_study:
    """Learn what agreement on another option means, and try it on subjects not learned from."""
    input:
        questions=shipped("resources/review/mmlu_redux.csv"),
    output:
        **{
            name: f"results/review/{name}.csv"
            for name in ("weights", "splits", "quantities")
        },
    log:
        "results/logs/review/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("review/study.py"),
        seed=config["seed"],
    script:
        "../scripts/review/study.py"


offer(
    "review",
    targets=rules.review_study.output,
    quantities=rules.review_study.output.quantities,
    judged=False,
)
