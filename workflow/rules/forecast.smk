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
FORECAST_ORIGINS = {
    "first": FORECAST["first_origin"],
    "last": FORECAST["last_origin"],
    "months": FORECAST["origin_months"],
}
# Later than the first boards: what is older has only its records.
FORECAST_RECENT = "2023-01-01"
FORECAST_SETTINGS = {
    "horizons": FORECAST["horizons"],
    "half_lives": FORECAST["half_lives"],
    "draws": FORECAST["draws"],
    "seed": config["seed"],
}
FORECAST_BOARDS = shipped("resources/discriminability/top_monthly.csv")


rule forecast_sources:
    """Make the embedded tables of dated scores from their pinned sources."""
    input:
        sources=expand("results/sources/{source}.csv", source=FORECAST_SOURCES),
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
        embedded=[
            *FORECAST_SCORES,
            shipped("resources/forecast/excluded.csv"),
        ],
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


rule forecast_series:
    """Make series of dated best scores, and say why a series gives no forecast."""
    input:
        series=FORECAST_SCORES[0],
        scores=FORECAST_SCORES[1],
        boards=FORECAST_BOARDS,
    output:
        series="results/forecast/series.csv",
        frontier="results/forecast/frontier.csv",
    log:
        "results/logs/forecast/series.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/series.py"),
        as_of=FORECAST["as_of"],
    script:
        "../scripts/forecast/series.py"


rule forecast_backtest:
    """Make past forecasts again and score them; forecast from today on."""
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        lock=LOCK,
    output:
        backtest="results/forecast/backtest.csv",
        weights="results/forecast/weights.csv",
        summary="results/forecast/summary.csv",
        bands="results/forecast/bands.csv",
        reach="results/forecast/reach.csv",
        abstentions="results/forecast/abstentions.csv",
        after="results/forecast/after.csv",
        peer="results/forecast/peer.csv",
    log:
        "results/logs/forecast/backtest.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/backtest.py"),
        as_of=FORECAST["as_of"],
        cutoff=FORECAST["cutoff"],
        origins=FORECAST_ORIGINS,
        settings=FORECAST_SETTINGS,
        level=FORECAST["level"],
    script:
        "../scripts/forecast/backtest.py"


# Whole boards are known of these alone: of the others, only the best scores.
rule forecast_tops:
    """Forecast again, at past origins, when the top of a benchmark becomes indistinguishable."""
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        scores=FORECAST_SCORES[1],
        weights=rules.forecast_backtest.output.weights,
        lock=LOCK,
    output:
        cases="results/forecast/tops_cases.csv",
        tops="results/forecast/tops.csv",
    log:
        "results/logs/forecast/tops.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/tops.py"),
        first=FORECAST_RECENT,
        settings=FORECAST_SETTINGS,
        level=FORECAST["level"],
    script:
        "../scripts/forecast/tops.py"


# The approximation that the default run makes of the shared numbers, beside the sampled posterior.
rule forecast_full:
    """Sample the shared numbers of the model of records on every scale, beside their approximation."""
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        lock=LOCK,
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


rule forecast_calibration:
    """Simulation-based calibration of the sampled model of records: ranks and their uniformity."""
    input:
        lock=LOCK,
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


# What is kept of a run. What cards need is embedded, so that a card waits for no study; a test
# compares the two.
rule forecast_archive:
    """Keep this run's forecasts and what all benchmarks taught; score the forecasts kept before."""
    input:
        bands=rules.forecast_backtest.output.bands,
        sources=[*FORECAST_SCORES, FORECAST_BOARDS],
        kept=shipped("resources/forecast/archive.csv"),
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        weights=rules.forecast_backtest.output.weights,
        summary=rules.forecast_backtest.output.summary,
        tops=rules.forecast_tops.output.tops,
        lock=LOCK,
    output:
        archive="results/forecast/archive.csv",
        scored="results/forecast/archive_scored.csv",
        shared="results/forecast/shared.csv",
        accuracy="results/forecast/accuracy.csv",
    log:
        "results/logs/forecast/archive.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/archive.py"),
        as_of=FORECAST["as_of"],
        version=code("forecast/backtest.py"),
    script:
        "../scripts/forecast/archive.py"


rule forecast_indices:
    """Ask whether the indices predict how far the best score rises."""
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        # The question is about months of the two Open LLM Leaderboards.
        monthly=(
            "results/discriminability/monthly.csv"
            if DISCRIMINABILITY_ON_PAPER_DATA
            else []
        ),
        index=(
            "results/discriminability/index_over_time.csv"
            if DISCRIMINABILITY_ON_PAPER_DATA
            else []
        ),
    output:
        cases="results/forecast/indices_cases.csv",
        prediction="results/forecast/indices.csv",
    log:
        "results/logs/forecast/indices.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/indices.py"),
        origins={**FORECAST_ORIGINS, "first": FORECAST_RECENT},
        level=FORECAST["level"],
    script:
        "../scripts/forecast/indices.py"


# The boards' licence allows no embedding: made only where it is asked for.
rule forecast_swebench:
    """Ask once more whether the indices predict, with SWE-bench's boards beside the others."""
    input:
        boards="results/sources/board_swebench.json",
        cases=rules.forecast_indices.output.cases,
    output:
        cases="results/forecast/swebench_cases.csv",
        prediction="results/forecast/swebench.csv",
    log:
        "results/logs/forecast/swebench.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/swebench.py"),
        k=config["plateau"]["k"],
        alpha=config["plateau"]["alpha"],
        bins=DISCRIMINABILITY["bins"],
        level=FORECAST["level"],
    script:
        "../scripts/forecast/swebench.py"


rule forecast_lifespans:
    """How long benchmarks last, whether less long than before, and what the hypotheses say of it."""
    input:
        series=rules.forecast_series.output.series,
        frontier=rules.forecast_series.output.frontier,
        benchmarks="results/plateau/inputs/benchmarks.csv",
    output:
        spans="results/forecast/lifespans.csv",
        curves="results/forecast/lifespans_medians.csv",
        pace="results/forecast/lifespans_pace.csv",
        survival="results/forecast/lifespans_survival.csv",
        hypotheses="results/forecast/lifespans_hypotheses.csv",
        courses="results/forecast/later_cases.csv",
        later="results/forecast/later.csv",
    log:
        "results/logs/forecast/lifespans.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/lifespans.py"),
        level=FORECAST["level"],
        observed_on=config["plateau"]["observed_on"],
        seed=config["seed"],
    script:
        "../scripts/forecast/lifespans.py"


rule forecast_quantities:
    """Collect the headline numbers of the forecasts."""
    input:
        summary=rules.forecast_backtest.output.summary,
        peer=rules.forecast_backtest.output.peer,
        reach=rules.forecast_backtest.output.reach,
        prediction=rules.forecast_indices.output.prediction,
        pace=rules.forecast_lifespans.output.pace,
        tops=rules.forecast_tops.output.tops,
        survival=rules.forecast_lifespans.output.survival,
        later=rules.forecast_lifespans.output.later,
    output:
        "results/forecast/quantities.csv",
    log:
        "results/logs/forecast/quantities.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("forecast/quantities.py"),
    script:
        "../scripts/forecast/quantities.py"


rule forecast_figures:
    """Draw the next two years of benchmarks, and how past forecasts did."""
    input:
        bands=rules.forecast_backtest.output.bands,
        frontier=rules.forecast_series.output.frontier,
        summary=rules.forecast_backtest.output.summary,
        peer=rules.forecast_backtest.output.peer,
    output:
        report(
            "results/figures/forecast/outlook.png",
            caption="../report/forecast/outlook.rst",
            category=CATEGORY["forecast"],
            labels={"item": "The next two years"},
        ),
        "results/figures/forecast/outlook.pdf",
        "results/figures/forecast/outlook.svg",
        report(
            "results/figures/forecast/scores.png",
            caption="../report/forecast/scores.rst",
            category=CATEGORY["forecast"],
            labels={"item": "How past forecasts did"},
        ),
        "results/figures/forecast/scores.pdf",
        "results/figures/forecast/scores.svg",
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
        rules.forecast_archive.output,
        rules.forecast_quantities.output,


offer(
    "forecast",
    targets=rules.forecast.input,
    quantities="results/forecast/quantities.csv",
)
