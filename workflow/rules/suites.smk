"""Suites of tasks: which ranks their tasks separate, and which tasks are worth keeping.

in:  resources/suites/{mteb_eng_v2,mteb_models,mteb_tasks}.csv, answers of LiveBench
out: results/suites/{rankings,tasks,lite,quantities}.csv, results/figures/suites/lite.*
"""


rule suites_study:
    """Rank the models of MTEB and LiveBench, and choose the tasks that separate later models."""
    input:
        scores=shipped("resources/suites/mteb_eng_v2.csv"),
        models=shipped("resources/suites/mteb_models.csv"),
        tasks=shipped("resources/suites/mteb_tasks.csv"),
        livebench=shipped("resources/boards/responses/livebench.parquet"),
    output:
        **{
            name: f"results/suites/{name}.csv"
            for name in ("rankings", "tasks", "lite", "quantities")
        },
        figure=drawn("suites", "suites", {"lite": "Tasks worth keeping"}),
    log:
        "results/logs/suites/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("suites/study.py"),
        seed=config["seed"],
    script:
        "../scripts/suites/study.py"


offer(
    "suites",
    targets=rules.suites_study.output,
    quantities=rules.suites_study.output.quantities,
    judged=False,
)
