"""Give the chance that a user's benchmark is exhausted within a year, or the reason for no chance.

The forecast is that of the forecast study: rises of public benchmarks, kept in a table.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from saturation.files import stages
from saturation.forecast import reach
from saturation.forecast.names import AHEAD, ALL_ORIGINS, TARGET, print_chance
from saturation.forecast.schemas import RECORD, RISES
from saturation.forecast.series import FEWEST_DATES, months_after, months_between
from saturation.forecast.series import best_by_date as follow_best
from saturation.leaderboard.names import bounded
from saturation.leaderboard.read.tidy import newest
from saturation.own.card import Abstention, Card, Fan, Outlook, Reached
from saturation.pages import templates

# Quantiles of :class:`saturation.own.card.Fan`.
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class Lessons(NamedTuple):
    """Past rises of public benchmarks, and how past chances did."""

    rises: pd.DataFrame
    record: pd.DataFrame

    @property
    def weighted_rises(self) -> tuple[Floats, Floats]:
        """Return the rises of a year, and the number of windows that each stands for."""
        return self.rises["rise"].to_numpy(float), self.rises["windows"].to_numpy(float)


def lessons(rises: Path, record: Path) -> Lessons:
    """Read the two tables that the forecast study keeps."""
    return Lessons(stages.read(rises, RISES), stages.read(record, RECORD))


def forecast(scores: pd.DataFrame, card: Card, lessons: Lessons) -> Outlook | Abstention:
    """Forecast the best score a year after the card's day, or say why not."""
    unranked = [model.model for model in card.data.unranked]
    entries = _entries(scores[~scores["model"].isin(unranked)])
    origin = pd.Timestamp(card.observed_on)
    if reason := unusable(entries, card, origin):
        return Abstention(reason)
    course = follow_best(entries)
    best = course["best"].iloc[-1]
    limits = reach.quantiles(best, *lessons.weighted_rises, QUANTILES)
    released = card.released
    earlier = 0 if released is None else (entries["date"] < pd.Timestamp(released)).sum()
    chance = None if best >= TARGET else reach.probability(best, *lessons.weighted_rises)
    return Outlook(
        origin=card.observed_on,
        known=[
            Reached(f"{row['date']:%Y-%m-%d}", row["best"]) for row in course.to_dict("records")
        ],
        months=[Fan(f"{months_after(origin, AHEAD):%Y-%m-%d}", *map(float, limits))],
        chance=chance,
        sentences=[
            _chance_in_words(chance),
            *([] if chance is None else [_record_in_words(lessons.record)]),
            *([f"{earlier} scores are dated before the release of {released}."] if earlier else []),
        ],
    )


def best_in_a_year(dated: pd.DataFrame, lessons: Lessons) -> float | str:
    """Return the median of the best score a year after the latest score, or the reason for none.

    Takes ``date, score`` of models.
    """
    if reason := _too_short(dated["date"].max(), dated["date"]):
        return reason
    return float(reach.quantiles(dated["score"].max(), *lessons.weighted_rises, 0.5))


def unusable(entries: pd.DataFrame, card: Card, origin: pd.Timestamp) -> str:
    """Explain why no forecast can be made; empty if a forecast can be made."""
    if not bounded(card.data.family):
        return "the metric has no lowest and highest score"
    if len(entries["configuration"].unique()) > 1:
        return "the scores are of several configurations: they are not one series"
    return _too_short(origin, entries["date"])


def _too_short(origin: pd.Timestamp, dates: pd.Series) -> str:
    """Say why dates until the forecast's are no series; empty if they are."""
    days = np.unique(months_between(origin, dates))
    if len(days) < FEWEST_DATES:
        return f"{templates.counted(len(days), 'date')} with a score; {FEWEST_DATES} are needed"
    return reach.refusal(days)


def _entries(scores: pd.DataFrame) -> pd.DataFrame:
    """Date each model by its first score, with the score that the card counts.

    That is the latest score of each run, and their mean: an earlier score that was measured again
    is known to differ, and the best of several runs is partly luck.
    """
    dated = scores.dropna(subset=["date"])
    dated = dated.assign(date=pd.to_datetime(dated["date"], format="ISO8601"))
    key = ["model", "configuration"]
    entries = dated[newest(dated)].groupby(key)["score"].mean().to_frame("share")
    return entries.assign(date=dated.groupby(key)["date"].min(), series="").reset_index()


def _chance_in_words(chance: float | None) -> str:
    goal = f"{100 * TARGET:.0f} % of the range"
    if chance is None:
        return f"In these data the best score has reached {goal}."
    return (
        f"Chance that the best score reaches {goal} within {AHEAD} months: "
        f"{print_chance(chance)}, if it rises as public benchmarks did."
    )


def _record_in_words(record: pd.DataFrame) -> str:
    """Describe the calibration of comparable chances on public benchmarks."""
    row = record.set_index("origin").loc[ALL_ORIGINS]
    return (
        f"In {row['scored']:.0f} past forecasts of {row['benchmarks']:.0f} public benchmarks such "
        f"chances added up to {row['expected']:.0f}, and {row['came']:.0f} came."
    )
