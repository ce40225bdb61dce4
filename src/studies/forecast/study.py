"""Forecast how long benchmarks last, score past forecasts, and give the headline numbers."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.files.tables import NamedTables, round_as_csv
from saturation.forecast import series
from saturation.forecast.names import ALL_ORIGINS
from saturation.forecast.schemas import RECORD
from studies.forecast import backtest, indices, lifespans, pooling, published, sources
from studies.forecast.schemas import CHANCES, FRONTIER
from studies.quantity import Pick, Quantity, frame, picked


@dataclass(frozen=True)
class Settings:
    """Settings of the study."""

    as_of: str  # day from which forecasts start
    # first_origin, last_origin, origin_months: the days from which past forecasts are made again
    first_origin: str
    last_origin: str
    origin_months: int
    level: float

    def origins(self) -> list[pd.Timestamp]:
        """Return the days from which forecasts are made again."""
        step = pd.DateOffset(months=self.origin_months)
        return list(pd.date_range(self.first_origin, self.last_origin, freq=step))


def study(inputs: NamedTables, settings: Settings, scores_file: str = "scores") -> NamedTables:
    """Join series, forecast from today and from past days, and count what came true.

    Parameters
    ----------
    inputs
        ``series, scores``: the embedded series and their dated scores; ``boards``: best scores of
        the two Open LLM Leaderboards by month; ``kept``: forecasts that earlier runs kept;
        ``monthly, index``: monthly metrics and indices of the discriminability study, unless it ran
        on another leaderboard or other windows.
    scores_file
        Name of the table of scores, for messages.

    Returns
    -------
    dict
        The tables in ``results/forecast/`` by name, except the archive.

    Raises
    ------
    InputError
        Where a score has no date, or too few benchmarks can be forecast.
    """
    boards, board_scores = published.board_series(inputs["boards"])
    all_scores = pd.concat([inputs["scores"], board_scores], ignore_index=True)
    scores = published.join_scores(
        pd.concat([inputs["series"], boards], ignore_index=True),
        published.parse_dates(all_scores, scores_file),
        settings.as_of,
    )
    described = published.describe_series(scores)
    frontier = validate(round_as_csv(series.best_by_date(scores)), FRONTIER, "frontier")
    today = _forecast_today(described, frontier, settings)
    forecasts = backtest.repeat_forecasts(described, frontier, settings.origins())
    record = round_as_csv(backtest.record(forecasts, settings.level))
    cases = _cases(inputs, described, frontier, settings)
    spans = lifespans.spans(described, frontier)
    embedded = series.best_by_date(scores.assign(series=scores["part"]))
    tables = {
        "series": round_as_csv(described),
        "frontier": frontier,
        **today,
        "backtest": forecasts,
        "record": validate(record, RECORD, "record"),
        "reliability": backtest.reliability(forecasts, settings.level),
        "archive_scored": sources.scored(inputs["kept"], pd.concat([embedded, frontier])),
        "indices_cases": cases,
        "indices": round_as_csv(indices.prediction(cases, settings.level)),
        "lifespans": spans,
        "lifespans_medians": round_as_csv(lifespans.medians(spans, settings.level)),
    }
    return tables | {"quantities": frame(_quantities(tables))}


def _forecast_today(
    described: pd.DataFrame, frontier: pd.DataFrame, settings: Settings
) -> NamedTables:
    day = pd.Timestamp(settings.as_of)
    histories = pooling.histories(frontier, day)
    if len(histories) < pooling.FEWEST_SERIES:
        raise InputError(
            f"forecast: on {settings.as_of} fewer than {pooling.FEWEST_SERIES} benchmarks have "
            f"{series.FEWEST_DATES} dates and a score in the last {series.ASLEEP} months; choose "
            "another forecast.as_of"
        )
    rises = pooling.count_rises(pooling.year_rises(list(histories.values())))
    chances = pooling.chances(described, histories, rises, settings.as_of)
    return {"chances": validate(round_as_csv(chances), CHANCES, "chances"), "rises": rises}


def _cases(
    inputs: NamedTables, described: pd.DataFrame, frontier: pd.DataFrame, settings: Settings
) -> pd.DataFrame:
    """Join the cases of leaderboards and of histories, for whether indices predict the rise."""
    dated = described[described["released"].notna() & ~described["papers"]]
    cases = [indices.history_cases(dated, frontier, settings.origins())]
    if "monthly" in inputs:
        cases.insert(0, indices.board_cases(inputs["monthly"], inputs["index"]))
    return pd.concat(cases, ignore_index=True)


PICKS = [
    Pick(
        "record",
        "",
        "record_{word}",
        ["forecasts", "benchmarks", "scored", "came", "unknown", "expected"],
    ),
    Pick(
        "record",
        "",
        "record_{word}",
        ["brier", "brier_rate", "brier_never", "skill", "skill_never"],
        "{scored:.0f} forecasts of {benchmarks:.0f} benchmarks",
    ),
    Pick(
        "indices",
        "note.isna()",
        "predicts_{word}_{setting}_{predictor}_{ahead}_months",
        ["rho", "partial"],
        "{cases} cases of {benchmarks} benchmarks",
    ),
    Pick(
        "lifespans_medians",
        "note.isna()",
        "life_span_{group}",
        ["median"],
        "{ended} of {benchmarks} ended",
    ),
]


def _quantities(tables: NamedTables) -> Iterator[Quantity]:
    """Yield the record of all origins, what predicts the rise, and how long benchmarks last."""
    record, lives = tables["record"], tables["lifespans_medians"]
    cells = {
        "record": record[record["origin"] == ALL_ORIGINS],
        "indices": tables["indices"],
        "lifespans_medians": lives.replace({"group": " "}, "_", regex=True),
    }
    yield from (number for number in picked(cells, PICKS) if not math.isnan(number.value))
