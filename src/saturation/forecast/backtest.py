"""Forecasts made again at past origins, and what came.

Taken as known at an origin are the scores of models released by then on benchmarks released by
then. When a score was published is not told by the sources: that of an old model may be newer.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.errors import InputError
from saturation.forecast import models, scoring
from saturation.forecast.models import LINKS, History, evidence, predicted_shares, shared_posterior
from saturation.forecast.names import NLP
from saturation.forecast.scoring import METHOD
from saturation.forecast.series import FEWEST_DATES, months_after, months_between
from saturation.forecast.series import frontier as dated_frontier

Floats = NDArray[np.float64]
WALK = "drift"
LABELS = ["form", "ceiling", "half_life"]
# A series without a score for so many months is given up.
ASLEEP = 12
# Fewest dates from which anything can be computed, and fewest series that can be pooled.
FEWEST_TO_COMPUTE = 3
FEWEST_TO_POOL = 5
# While a log is filled with older models its best score is not the best that was known: months.
FILLING = 3
ASLEEP_REASON = f"no score for {ASLEEP} months"
FEW_REASON = f"fewer than {FEWEST_DATES} dates"
# Columns of the table of past forecasts.
FORECASTS = [
    "origin", "series", "benchmark", "kind", "horizon", "method", "abstains", "reason", "best",
    "observed", "predicted", "crps", "log_score", "interval_50", "interval_80", "interval_95",
    "below", "upto",
]  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How forecasts are made."""

    horizons: Sequence[int]
    half_lives: Sequence[float]  # of the members of the stack
    draws: int
    seed: int


class Known(NamedTuple):
    """What was known at an origin: rows of the series' table, histories, reasons to abstain."""

    rows: list[dict[str, Any]]
    histories: list[History]
    reasons: list[str]

    def of(self, chosen: Iterable[bool]) -> Self:
        """The same of some of the benchmarks."""
        asked = list(chosen)
        return type(self)(
            list(itertools.compress(self.rows, asked)),
            list(itertools.compress(self.histories, asked)),
            list(itertools.compress(self.reasons, asked)),
        )

    def made(self) -> Self:
        """The benchmarks that give no reason to abstain: they are pooled."""
        return self.of(not reason for reason in self.reasons)


class Member(NamedTuple):
    """Probabilities that the members of the stack gave to outcomes, and when these were known."""

    due: pd.Timestamp
    log_scores: Floats


def origins(first: str, last: str, months: int) -> list[pd.Timestamp]:
    """Days from which forecasts are made again."""
    return list(pd.date_range(first, last, freq=pd.DateOffset(months=months)))


def datable(series: pd.DataFrame) -> pd.DataFrame:
    """Series of which it is known since when they were there: by their release, or by papers."""
    return series[series["released"].notna() | (series["source"] == NLP)]


def known(series: pd.DataFrame, frontier: pd.DataFrame, origin: pd.Timestamp) -> Known:
    """What was known of every benchmark that existed at an origin."""
    past = frontier[frontier["date"] <= origin]
    places = past.groupby("series").indices
    months, best = months_between(origin, past["date"]), past["best"].to_numpy(float)
    rows, histories, reasons = [], [], []
    for row in series[series["series"].isin(places)].to_dict("records"):
        own = places[row["series"]]
        released = pd.isna(row["released"]) or row["released"] <= origin
        if not released or len(own) < FEWEST_TO_COMPUTE:
            continue
        history = History(months[own], best[own])
        rows.append({str(name): value for name, value in row.items()})
        histories.append(history)
        reasons.append(reason(history))
    return Known(rows, histories, reasons)


def reason(history: History) -> str:
    """Why a benchmark is not forecast from what was known of it; empty if it is."""
    if len(history.months) < FEWEST_DATES:
        return FEW_REASON
    return ASLEEP_REASON if history.months[-1] < -ASLEEP else ""


def labels(half_lives: Sequence[float]) -> pd.DataFrame:
    """The members of the stack in their order: ``form, ceiling, half_life``; last the walk."""
    rows = [(*link, half_life) for link in LINKS for half_life in half_lives]
    return pd.DataFrame([*rows, (WALK, np.nan, np.nan)], columns=LABELS)


def members(
    what: Known, asked: Sequence[History], settings: Settings, rng: np.random.Generator
) -> Floats:
    """Draws of every member of the stack: each scale and half-life, and the walk with drift.

    Shape (members, benchmarks, draws, horizons).
    """
    pooled, horizons = what.made().histories, np.asarray(settings.horizons, float)
    best = np.array([history.best[-1] for history in asked])
    scales = [(link, half_life) for link in LINKS for half_life in settings.half_lives]
    draws = np.empty((len(scales) + 1, len(asked), settings.draws, len(horizons)))
    for own, (link, half_life) in zip(draws, scales, strict=False):
        taught = shared_posterior(evidence(pooled, link, half_life))
        found = evidence(asked, link, half_life)
        own[:] = predicted_shares(taught, found, best, link, horizons, settings.draws, rng)
    draws[-1] = models.forecast(WALK, asked, horizons, settings.draws, rng)
    return draws


def weights_at(past: Sequence[Member], origin: pd.Timestamp, count: int) -> Floats:
    """Weights of the members by the outcomes that were known at an origin."""
    scores = [one.log_scores for one in past if one.due <= origin]
    return models.weights(np.concatenate([np.empty((0, count)), *scores]))


def weights_by_origin(
    past: Sequence[Member], days: Sequence[pd.Timestamp], half_lives: Sequence[float]
) -> pd.DataFrame:
    """Weights of the members at each of several days: ``origin``, :func:`labels`, ``weight``."""
    named = labels(half_lives)
    tables = [
        named.assign(origin=f"{day:%Y-%m-%d}", weight=weights_at(past, day, len(named)))
        for day in days
    ]
    return pd.concat(tables, ignore_index=True)[["origin", *LABELS, "weight"]]


def backtest(
    series: pd.DataFrame, frontier: pd.DataFrame, days: Sequence[pd.Timestamp], settings: Settings
) -> tuple[pd.DataFrame, list[Member]]:
    """Every forecast of every method at every origin with what came.

    `forecasts`: Columns of `FORECASTS`. A benchmark whose release date is not known is not forecast
    again, unless its scores are of papers: what was known of it at an origin cannot be told.
    `past`: What the members of the stack held of all outcomes.
    """
    dated = datable(series)
    past: list[Member] = []
    tables = []
    for origin in days:
        what = known(dated, frontier, origin)
        if what.reasons.count("") < FEWEST_TO_POOL:
            continue
        soonest = months_after(origin, settings.horizons[0])
        asked = what.of(row["observed_until"] >= soonest for row in what.rows)
        if not asked.rows:
            continue
        rng = seeds.generator(settings.seed, "forecast", f"{origin:%Y-%m-%d}")
        found, held = scored_from(origin, what, asked, lambda _: frontier, past, settings, rng)
        tables += found
        past += held
    if not tables:
        raise InputError(
            f"forecast: at no origin from {days[0]:%Y-%m-%d} to {days[-1]:%Y-%m-%d} are there "
            f"{FEWEST_TO_POOL} benchmarks with {FEWEST_DATES} dates; choose other origins"
        )
    return pd.concat(tables, ignore_index=True), past


def scored_from(
    origin: pd.Timestamp,
    what: Known,
    asked: Known,
    seen: Callable[[pd.Timestamp], pd.DataFrame],
    past: Sequence[Member],
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[list[pd.DataFrame], list[Member]]:
    """Forecasts of every method from one origin with what came; what the members held of it.

    `seen` gives the best scores so far as they stood on a day.
    """
    each = members(what, asked.histories, settings, rng)
    methods = {METHOD: models.mixed(each, weights_at(past, origin, len(each)))}
    methods |= models.compared(
        what.made().histories, asked.histories, settings.horizons, settings.draws, rng
    )
    tables, held = [], []
    for place, months in enumerate(settings.horizons):
        due = months_after(origin, months)
        there, observed = _observed(asked, seen(due), due)
        if not len(there):
            continue
        held.append(Member(due, _log_scores(each[..., place][:, there], observed)))
        for name, draws in methods.items():
            scored = _scored(draws[..., place][there], observed)
            about = _about(asked, there, origin, months, name)
            tables.append(about.join(scored)[FORECASTS])
    return tables, held


def _observed(
    what: Known, frontier: pd.DataFrame, due: pd.Timestamp
) -> tuple[NDArray[np.int64], Floats]:
    """Which series were still watched on the day, and their best share then."""
    best = frontier[frontier["date"] <= due].groupby("series")["best"].last()
    there = [place for place, row in enumerate(what.rows) if row["observed_until"] >= due]
    names = [what.rows[place]["series"] for place in there]
    return np.array(there, dtype=int), best.reindex(names).to_numpy(float)


def _log_scores(each: Floats, observed: Floats) -> Floats:
    return np.column_stack([scoring.log_score(draws, observed) for draws in each])


def _scored(draws: Floats, observed: Floats) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "observed": observed,
            "predicted": np.median(draws, axis=1),
            "crps": scoring.crps(draws, observed),
            "log_score": scoring.log_score(draws, observed),
            **{
                f"interval_{level * 100:.0f}": scoring.interval_score(draws, observed, level)
                for level in scoring.COVERAGES
            },
            **scoring.transform(draws, observed)._asdict(),
        }
    )


def _about(
    what: Known, there: NDArray[np.int64], origin: pd.Timestamp, months: int, method: str
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "origin": f"{origin:%Y-%m-%d}",
            **{
                name: [what.rows[place][name] for place in there]
                for name in ("series", "benchmark", "kind")
            },
            "horizon": months,
            "method": method,
            "abstains": [what.reasons[place] != "" for place in there],
            "reason": [what.reasons[place] for place in there],
            "best": [what.histories[place].best[-1] for place in there],
        }
    )


def as_logged(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    scores: pd.DataFrame,
    past: Sequence[Member],
    settings: Settings,
) -> pd.DataFrame:
    """As :func:`backtest`, from the scores that had been measured by then.

    The log of Epoch AI's own runs has the day of each. Both ends of a forecast are taken from it:
    what had been run by its day, and the best of what had been run when it was due. Origins are
    the months of the log, benchmarks those in it.

    Empty without a log, or if no forecast is due within it. The benchmarks that are pooled beside
    those of the log, and the stack's weights, are by release dates, as there.
    """
    runs = scores[scores["known"].notna()]
    logged = series[series["series"].isin(runs["series"]) & series["released"].notna()]
    runs = runs[runs["series"].isin(logged["series"])]
    runs = runs.assign(known=pd.to_datetime(runs["known"]))
    if runs.empty:
        return pd.DataFrame(columns=FORECASTS)
    spans = runs.groupby("series")["known"].agg(["min", "max"])
    logged = logged.assign(observed_until=logged["series"].map(spans["max"]))
    others = series[~series["benchmark"].isin(logged["benchmark"])]
    pooled = pd.concat([datable(others), logged], ignore_index=True)

    def seen(day: pd.Timestamp) -> pd.DataFrame:
        there = dated_frontier(logged, runs[runs["known"] <= day])
        return pd.concat([frontier, there], ignore_index=True)

    tables = [pd.DataFrame(columns=FORECASTS)]
    month = pd.DateOffset(months=1)
    for origin in pd.date_range(spans["min"].min(), spans["max"].max(), freq=month):
        filled = spans.index[spans["min"] <= months_after(origin, -FILLING)]
        what = known(pooled, seen(origin), origin)
        soonest = months_after(origin, settings.horizons[0])
        asked = what.of(
            row["series"] in filled and row["observed_until"] >= soonest for row in what.rows
        )
        if what.reasons.count("") < FEWEST_TO_POOL or not asked.rows:
            continue
        rng = seeds.generator(settings.seed, "forecast", "vintages", f"{origin:%Y-%m-%d}")
        found, _ = scored_from(origin, what, asked, seen, past, settings, rng)
        tables += found
    return pd.concat(tables[1:] or tables, ignore_index=True)
