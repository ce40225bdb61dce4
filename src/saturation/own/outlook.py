"""When a user's benchmark is exhausted at its pace so far: forecasts, or why there is none.

The model is that of the forecast study: what public benchmarks taught it is kept in a table, and
this benchmark's own records count besides.
"""

from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.files import stages
from saturation.files.tables import without_gaps
from saturation.forecast import backtest, outlook, tops
from saturation.forecast.models import LOGISTIC, Floats, History
from saturation.forecast.names import USED_UP
from saturation.forecast.schemas import ACCURACY, BEST, KEPT, TOP
from saturation.forecast.series import FEWEST_DATES, months_after, months_between
from saturation.forecast.series import frontier as best_by_date
from saturation.leaderboard.names import bounded
from saturation.leaderboard.top import Settings
from saturation.own.card import Abstention, Card, Fan, Outlook, Reached, TopWhen, When
from saturation.own.imports import UNDATED
from saturation.pages import templates

DRAWS = 2000
# Those of :class:`saturation.own.card.Fan`.
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
# The horizon whose record stands beside a forecast.
AHEAD = 6


class Lessons(NamedTuple):
    """What the forecast study keeps for others: its stack, and how past forecasts did."""

    kept: pd.DataFrame
    accuracy: pd.DataFrame


def lessons(kept: Path, accuracy: Path) -> Lessons:
    """The two tables that the forecast study keeps."""
    return Lessons(stages.read(kept, KEPT), stages.read(accuracy, ACCURACY))


def forecast(
    scores: pd.DataFrame, card: Card, settings: Settings, lessons: Lessons, seed: int
) -> Outlook | Abstention:
    """The next two years of a benchmark with dates, or why nothing is said."""
    if card.observed_on == UNDATED:
        return Abstention("the data have no date")
    unranked = [one.model for one in card.data.unranked]
    entries = _entries(scores[~scores["model"].isin(unranked)])
    origin = pd.Timestamp(card.observed_on)
    if reason := unusable(entries, card, origin):
        return Abstention(reason)
    best = best_by_date(pd.DataFrame({"series": [""], "floor": [0.0]}), entries)
    history = History(months_between(origin, best["date"]), best["best"].to_numpy(float))
    rng = seeds.generator(seed, "own", "outlook", card.benchmark)
    (draws,) = outlook.forecast(lessons.kept, [history], outlook.MONTHS_AHEAD, DRAWS, rng)
    used_up = When(
        **without_gaps(outlook.when(draws >= USED_UP, bool(history.best[-1] >= USED_UP)))
    )
    # What past forecasts of tops taught, see saturation.forecast.tops.shift.
    shift = float(lessons.accuracy.set_index("about")["shift"].loc[[TOP]].iloc[0])
    top = _top(entries, card, draws, settings, shift, rng)
    return Outlook(
        origin=card.observed_on,
        known=[Reached(f"{row['date']:%Y-%m-%d}", row["best"]) for row in best.to_dict("records")],
        months=[
            Fan(f"{months_after(origin, month):%Y-%m-%d}", *map(float, column))
            for month, column in zip(
                outlook.MONTHS_AHEAD, np.quantile(draws, QUANTILES, axis=0).T, strict=True
            )
        ],
        used_up=used_up,
        top=top,
        sentences=[
            _sentence(
                f"the best score reaches {100 * USED_UP:.0f} % of the range", used_up, origin
            ),
            _past(
                lessons.accuracy, BEST, "80 % intervals of the best score held {came} of what came"
            ),
            *_before(entries, card.released),
        ],
        of_index=[
            _sentence("the index reaches its threshold", top, origin),
            *_past_of_index(lessons.accuracy, top),
        ],
    )


def best_in_a_year(dated: pd.DataFrame, lessons: Lessons, seed: int) -> float | str:
    """The median forecast of the best score a year after the latest one, or why there is none.

    Takes ``date, score`` of models.
    """
    entries = dated.assign(series="", share=dated["score"])
    origin = entries["date"].max()
    if reason := _too_short(np.unique(months_between(origin, entries["date"]))):
        return reason
    best = best_by_date(pd.DataFrame({"series": [""], "floor": [0.0]}), entries)
    history = History(months_between(origin, best["date"]), best["best"].to_numpy(float))
    rng = seeds.generator(seed, "own", "outlook", "renewal")
    (draws,) = outlook.forecast(lessons.kept, [history], np.array([12.0]), DRAWS, rng)
    return float(np.median(draws))


def _too_short(days: Floats) -> str:
    """Why dates, in months before the last, are no series; empty if they are."""
    if len(days) < FEWEST_DATES:
        return f"{templates.counted(len(days), 'date')} with a score; {FEWEST_DATES} are needed"
    return backtest.reason(History(days, days))


def unusable(entries: pd.DataFrame, card: Card, origin: pd.Timestamp) -> str:
    """Why nothing can be forecast; empty if it can."""
    if not bounded(card.data.family):
        return "the metric has no lowest and highest score"
    if len(entries["configuration"].unique()) > 1:
        return "the scores are of several configurations: they are not one series"
    return _too_short(np.unique(months_between(origin, entries["date"])))


def _entries(scores: pd.DataFrame) -> pd.DataFrame:
    """Each model from the day of its first score, with the score that the card counts.

    That is the latest of each run, and their mean: an earlier score that was measured again is
    known to be another, and the best of several runs is partly luck.
    """
    dated = scores.dropna(subset=["date"])
    dated = dated.assign(date=pd.to_datetime(dated["date"], format="ISO8601"))
    key = ["model", "configuration"]
    latest = dated.sort_values("date", kind="stable").drop_duplicates([*key, "run"], keep="last")
    counted = latest.groupby(key, as_index=False).agg(score=("score", "mean"))
    first = dated.groupby(key, as_index=False).agg(date=("date", "min"))
    entries = counted.merge(first, on=key, validate="1:1")
    return entries.assign(share=entries["score"], series="")


def _top(
    entries: pd.DataFrame,
    card: Card,
    best: Floats,
    settings: Settings,
    shift: float,
    rng: np.random.Generator,
) -> TopWhen | Abstention:
    """When the index of the first k reaches the threshold, by the error of the card's items."""
    n_items = card.data.n_items
    if card.data.family != "accuracy" or n_items is None:
        return Abstention("it takes an accuracy on a known number of items")
    known = tops.top(entries, pd.Timestamp(card.observed_on), settings.k)
    if known is None:
        return Abstention(f"fewer than {settings.k} models have a date")
    bar = tops.Bar(n_items, settings.k, settings.alpha, settings.epsilon, settings.saturated_from)
    now = LOGISTIC.shares(known.places)
    already = bool(bar.index(now[0], now[-1]) >= bar.threshold)
    there = bar.index(*tops.paths(known, best, rng)) >= bar.threshold
    return TopWhen(**without_gaps(outlook.when(tops.hastened(there, shift), already)))


def _sentence(what: str, when: When | Abstention, origin: pd.Timestamp) -> str:
    if isinstance(when, Abstention):
        return f"No forecast of when {what}: {when.abstains}."
    if when.reached_already:
        return f"In these data {what} already."
    return f"At this pace {what} {outlook.said(asdict(when), origin)}."


def _past_of_index(accuracy: pd.DataFrame, top: When | Abstention) -> list[str]:
    if isinstance(top, Abstention):
        return []
    return [_past(accuracy, TOP, "the index was to reach it in {said} and did in {came}")]


def _past(accuracy: pd.DataFrame, about: str, words: str) -> str:
    """How such forecasts of public benchmarks did."""
    row = accuracy[accuracy["ahead"] == AHEAD].set_index("about").to_dict("index")[about]
    expected, came, lower, upper = (
        templates.percent(row[name], 0) for name in ("said", "came", "came_lower", "came_upper")
    )
    return (
        f"In {row['forecasts']:.0f} past forecasts of {row['benchmarks']:.0f} public "
        f"benchmarks, {AHEAD} months ahead, {words.format(said=expected, came=came)} "
        f"(95 %: {lower} to {upper})."
    )


def _before(entries: pd.DataFrame, released: str | None) -> list[str]:
    count = 0 if released is None else int((entries["date"] < pd.Timestamp(released)).sum())
    return [f"{count} scores are dated before the release of {released}."] if count else []
