"""How long will a benchmark last? Forecasts of its best score, scored against what came.

in:  resources/forecast/{series,scores,archive}.csv, resources/discriminability/top_monthly.csv,
     config section forecast
out: results/forecast/, results/figures/forecast/
"""

from saturation.forecast import names as forecast_names

FORECAST = config["forecast"]
FORECAST_SCORES = [
    shipped("resources/forecast/series.csv"),
    shipped("resources/forecast/scores.csv"),
]


rule forecast_sources:
    """Make the embedded tables of dated scores from their pinned sources."""
    input:
        sources=expand("results/sources/{source}.csv", source=forecast_names.SOURCES),
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
        code=code("forecast/verify.py"),
    script:
        "../scripts/forecast/verify.py"


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
        benchmarks="results/plateau/inputs/benchmarks.csv",
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
        observed_on=config["plateau"]["observed_on"],
        seed=config["seed"],
        version=lambda wildcards: code("forecast/study.py")(wildcards)["code"],
    script:
        "../scripts/forecast/study.py"


# The approximation that the default run makes of the shared numbers, beside the sampled posterior.
rule forecast_full:
    """Sample the shared numbers of the model of records on every scale, beside their approximation."""
    input:
        series=rules.forecast_study.output.series,
        frontier=rules.forecast_study.output.frontier,
    output:
        "results/forecast/full.csv",
    log:
        "results/logs/forecast/full.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/full.py"),
        as_of=FORECAST["as_of"],
        half_lives=FORECAST["half_lives"],
        seed=config["seed"],
    script:
        "../scripts/forecast/full.py"


# A fit a past origin: an hour on one core.
rule forecast_harvey:
    """Score another project's model on the same forecasts of the same series."""
    input:
        series=rules.forecast_study.output.series,
        frontier=rules.forecast_study.output.frontier,
        backtest=rules.forecast_study.output.backtest,
        after=rules.forecast_study.output.after,
    output:
        "results/forecast/harvey.csv",
    log:
        "results/logs/forecast/harvey.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=3000,
        runtime=120,
    params:
        **settings_of(FORECAST, "cutoff", "level", seed=config["seed"]),
        code=code("forecast/harvey.py"),
    script:
        "../scripts/forecast/harvey.py"


rule forecast_calibration:
    """Simulation-based calibration of the sampled model of records: ranks and their uniformity."""
    output:
        ranks="results/forecast/calibration.csv",
        uniformity="results/forecast/calibration_uniformity.csv",
    log:
        "results/logs/forecast/calibration.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/calibration.py"),
        seed=config["seed"],
    script:
        "../scripts/forecast/calibration.py"


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
    """Draw the next two years of benchmarks, and how past forecasts did."""
    input:
        bands=rules.forecast_study.output.bands,
        frontier=rules.forecast_study.output.frontier,
        summary=rules.forecast_study.output.summary,
        peer=rules.forecast_study.output.peer,
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
