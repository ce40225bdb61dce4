"""How long will a benchmark last? Forecasts of its best score, scored against what came.

in:  resources/forecast/{series,scores,archive}.csv, resources/discriminability/top_monthly.csv,
     config section forecast
out: results/forecast/, results/figures/forecast/
"""

from studies.forecast import names as forecast_names

FORECAST = config["forecast"]
FORECAST_SCORES = [
    shipped("resources/forecast/series.csv"),
    shipped("resources/forecast/scores.csv"),
]


rule forecast_sources:
    """Make the embedded tables of dated scores from their pinned sources."""
    input:
        sources=expand("results/sources/{source}.csv", source=forecast_names.SOURCES),
        citations=shipped("resources/forecast/citations.csv"),
        corrections=shipped("resources/forecast/corrections.csv"),
        beside=shipped("resources/forecast/layouts.csv"),
    output:
        series="results/forecast/sources/series.csv",
        scores="results/forecast/sources/scores.csv",
        excluded="results/forecast/sources/excluded.csv",
    log:
        "results/logs/forecast/sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/sources.py"),
    script:
        "../scripts/forecast/sources.py"


rule forecast_verify:
    """Compare the embedded tables of dated scores with those made from the pinned sources."""
    input:
        computed=[*rules.forecast_sources.output],
        embedded=[*FORECAST_SCORES, shipped("resources/forecast/excluded.csv")],
    output:
        "results/forecast/verification.csv",
    log:
        "results/logs/forecast/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/verify.py", "forecast"),
    script:
        "../scripts/sources/verify.py"


# What cards need of it is embedded, so that a card waits for no study; a test compares the two.
rule forecast_study:
    """Forecast every benchmark, score past forecasts, and test whether the indices predict."""
    input:
        # Whether indices predict is asked about months of the two Open LLM Leaderboards.
        **(
            {
                "monthly": "results/discriminability/monthly.csv",
                "index": "results/discriminability/index_over_time.csv",
            }
            if DISCRIMINABILITY_ON_PAPER_DATA
            else {}
        ),
        series=FORECAST_SCORES[0],
        scores=FORECAST_SCORES[1],
        boards=shipped("resources/discriminability/top_monthly.csv"),
        kept=shipped("resources/forecast/archive.csv"),
    output:
        **{name: f"results/forecast/{name}.csv" for name in forecast_names.TABLES},
        archive="results/forecast/archive.csv",
    log:
        "results/logs/forecast/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/study.py"),
        settings=FORECAST,
        version=lambda wildcards: code("forecast/study.py")(wildcards)["code"],
    script:
        "../scripts/forecast/study.py"


# The boards' licence allows no embedding: made only where it is asked for.
rule forecast_swebench:
    """Ask once more whether the indices predict, with SWE-bench's boards beside the others."""
    input:
        boards="results/sources/board_swebench.json",
        cases=rules.forecast_study.output.indices_cases,
    output:
        cases="results/forecast/swebench_cases.csv",
        prediction="results/forecast/swebench.csv",
    log:
        "results/logs/forecast/swebench.log",
    conda:
        "../../envs/environment.yaml"
    params:
        **plateau_settings(
            "k", "alpha", bins=DISCRIMINABILITY["bins"], level=FORECAST["level"]
        ),
        code=code("forecast/swebench.py"),
    script:
        "../scripts/forecast/swebench.py"


rule forecast_figures:
    """Draw how past chances did: what was expected, and what came."""
    input:
        record=rules.forecast_study.output.record,
        reliability=rules.forecast_study.output.reliability,
    output:
        drawn("forecast", "forecast", forecast_names.FIGURES),
    log:
        "results/logs/forecast/figures.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/figures.py"),
    script:
        "../scripts/forecast/figures.py"


rule forecast:
    """How long a benchmark will last, and whether the indices predict it."""
    input:
        rules.forecast_figures.output,
        rules.forecast_study.output,


offer(
    "forecast",
    targets=rules.forecast.input,
    quantities="results/forecast/quantities.csv",
)
