"""Which benchmarks are out of headroom today: one status a benchmark, by one stated rule.

in:  resources/status/{benchmarks,issues}.csv, dated scores and forecasts, real leaderboards, the
     annotated benchmarks with their index, config section status
out: results/status/{status,quantities}.csv, results/figures/status/
"""


rule status_study:
    """Join scores, forecasts, item answers and the index by benchmark, and judge each."""
    input:
        facts=shipped("resources/status/benchmarks.csv"),
        issues=shipped("resources/status/issues.csv"),
        series=rules.forecast_study.output.series,
        scores=FORECAST_SCORES[1],
        reach=rules.forecast_study.output.reach,
        overview=rules.boards_study.output.overview,
        models=rules.boards_study.output.models,
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
    output:
        status="results/status/status.csv",
        quantities="results/status/quantities.csv",
        figures=drawn("status", "status", {"overview": "Headroom and forecasts"}),
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
