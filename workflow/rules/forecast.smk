"""How long will a benchmark last? Forecasts of its best score, scored against what came.

in:  resources/forecast/{series,scores,archive}.csv, resources/discriminability/top_monthly.csv,
     config section forecast
out: results/forecast/, results/figures/forecast/
"""

from saturation.forecast.names import SOURCES as FORECAST_SOURCES

FORECAST = config["forecast"]
FORECAST_SCORES = [
    shipped("resources/forecast/series.csv"),
    shipped("resources/forecast/scores.csv"),
]
FORECAST_BOARDS = shipped("resources/discriminability/top_monthly.csv")


rule forecast_sources:
    input:
        sources=expand("results/sources/{source}.csv", source=FORECAST_SOURCES),
    output:
        series="results/forecast/sources/series.csv",
        scores="results/forecast/sources/scores.csv",
        excluded="results/forecast/sources/excluded.csv",
    script:
        "../scripts/forecast/sources.py"


rule forecast_verify:
    input:
        computed=[*rules.forecast_sources.output],
        embedded=[
            *FORECAST_SCORES,
            shipped("resources/forecast/excluded.csv"),
        ],
    output:
        "results/forecast/verification.csv",
    script:
        "../scripts/forecast/verify.py"


rule forecast_series:
    input:
        series=FORECAST_SCORES[0],
        scores=FORECAST_SCORES[1],
        boards=FORECAST_BOARDS,
    output:
        series="results/forecast/series.csv",
        frontier="results/forecast/frontier.csv",
    params:
        as_of=FORECAST["as_of"],
    script:
        "../scripts/forecast/series.py"


rule forecast_backtest:
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        lock=LOCK,
    output:
        backtest="results/forecast/backtest.csv",
        summary="results/forecast/summary.csv",
        bands="results/forecast/bands.csv",
        reach="results/forecast/reach.csv",
        abstentions="results/forecast/abstentions.csv",
    params:
        as_of=FORECAST["as_of"],
        origins=[
            FORECAST["first_origin"],
            FORECAST["last_origin"],
            FORECAST["origin_months"],
        ],
        settings={
            "horizons": FORECAST["horizons"],
            "half_lives": FORECAST["half_lives"],
            "draws": FORECAST["draws"],
            "seed": config["seed"],
        },
        level=FORECAST["level"],
    script:
        "../scripts/forecast/backtest.py"


rule forecast_archive:
    input:
        bands=rules.forecast_backtest.output.bands,
        sources=[*FORECAST_SCORES, FORECAST_BOARDS],
        kept=shipped("resources/forecast/archive.csv"),
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
    output:
        archive="results/forecast/archive.csv",
        scored="results/forecast/archive_scored.csv",
    params:
        version=code("forecast/backtest.py"),
    script:
        "../scripts/forecast/archive.py"
