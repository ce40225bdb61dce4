"""Which benchmarks are out of headroom today: one status a benchmark, by one stated rule.

in:  resources/status/{benchmarks,issues,reported,listed,said}.csv, dated scores and chances, real
     leaderboards, the annotated benchmarks with their index, config section status
out: results/status/{status,sources,quantities}.csv, results/figures/status/
"""


rule status_sources:
    """Make the embedded table of reported scores from its pinned source."""
    input:
        snapshot="results/sources/plateau_2026_llm_stats.csv",
        facts=shipped("resources/status/benchmarks.csv"),
    output:
        reported="results/status/sources/reported.csv",
    log:
        "results/logs/status/sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("status/sources.py"),
    script:
        "../scripts/status/sources.py"


rule status_verify:
    """Compare the embedded table of reported scores with the table made from its pinned source."""
    input:
        computed=rules.status_sources.output.reported,
        embedded=shipped("resources/status/reported.csv"),
    output:
        "results/status/verification.csv",
    log:
        "results/logs/status/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/verify.py", "status"),
    script:
        "../scripts/sources/verify.py"


rule status_study:
    """Join scores, chances, item answers and the index by benchmark, and judge each."""
    input:
        facts=shipped("resources/status/benchmarks.csv"),
        issues=shipped("resources/status/issues.csv"),
        reports=shipped("resources/status/reported.csv"),
        listed=shipped("resources/status/listed.csv"),
        said=shipped("resources/status/said.csv"),
        series=FORECAST_SCORES[0],
        scores=FORECAST_SCORES[1],
        chances=rules.forecast_study.output.chances,
        frontier=rules.forecast_study.output.frontier,
        overview=rules.boards_study.output.overview,
        models=rules.boards_study.output.models,
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
    output:
        status="results/status/status.csv",
        sources="results/status/sources.csv",
        quantities="results/status/quantities.csv",
        figures=drawn(
            "status",
            "status",
            {"overview": "Headroom and chances", "outlook": "The twelve next"},
        ),
    log:
        "results/logs/status/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("status/study.py"),
        settings={
            **config["status"],
            "as_of": FORECAST["as_of"],
            "observed_on": PLATEAU["observed_on"],
            "level": FORECAST["level"],
            "k": PLATEAU["k"],
        },
    script:
        "../scripts/status/study.py"


rule status:
    """Which benchmarks are out of headroom today."""
    input:
        rules.status_study.output,


offer(
    "status",
    targets=rules.status.input,
    quantities=rules.status_study.output.quantities,
    judged=False,
)
