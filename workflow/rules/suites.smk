"""Suites of tasks: which ranks their tasks separate, and which tasks are worth keeping.

in:  resources/suites/*.csv, answers of LiveBench
out: results/suites/{rankings,tasks,lite,quantities}.csv, results/figures/suites/lite.*; by
     suites_verify results/suites/verification.csv
"""


rule suites_verify:
    """Make the embedded tables anew from their pinned sources, and compare every cell."""
    input:
        open_llm_v1=shipped("resources/suites/open_llm_v1.csv"),
        open_llm_v2=shipped("resources/suites/open_llm_v2.csv"),
        helm_capabilities=shipped("resources/suites/helm_capabilities.csv"),
        source_open_llm_v1="results/sources/open_llm_v1.csv",
        source_open_llm_v2="results/sources/open_llm_v2.csv",
        source_helm="results/sources/lookup_helm_capabilities.json",
    output:
        "results/suites/verification.csv",
    log:
        "results/logs/suites/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("suites/verify.py"),
    script:
        "../scripts/suites/verify.py"


rule suites_study:
    """Rank the models of each suite, and choose the tasks that separate later models."""
    input:
        scores=shipped("resources/suites/mteb_eng_v2.csv"),
        models=shipped("resources/suites/mteb_models.csv"),
        tasks=shipped("resources/suites/mteb_tasks.csv"),
        livebench=shipped("resources/boards/responses/livebench.parquet"),
        open_llm_v1=shipped("resources/suites/open_llm_v1.csv"),
        open_llm_v2=shipped("resources/suites/open_llm_v2.csv"),
        helm_capabilities=shipped("resources/suites/helm_capabilities.csv"),
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
