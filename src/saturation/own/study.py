"""The whole way from a user's files to the card of one benchmark, for notebooks and the rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from saturation.discriminability.growth import Demands, Thresholds
from saturation.leaderboard.names import bounded
from saturation.leaderboard.top import Settings as TopSettings
from saturation.own import card, course
from saturation.own.card import Abstention, Card, History
from saturation.own.course import Settings as CourseSettings
from saturation.own.imports import UNDATED, ImportRecord, Imports, read
from saturation.planning.config import Config
from saturation.statistics import standard_errors


@dataclass(frozen=True)
class Settings:
    """How the top is judged, and the months of a leaderboard."""

    top: TopSettings
    course: CourseSettings


def from_config(cards: Config, plateau: Config, discriminability: Config) -> Settings:
    """Settings out of three sections of a checked config."""
    top = TopSettings(
        k=plateau["k"],
        alpha=plateau["alpha"],
        epsilon=plateau["epsilon"],
        edges=tuple(plateau["bin_edges"]),
        saturated_from=plateau["saturated_from"],
        level=cards["level"],
        power=cards["power"],
        compared=cards["models_compared"],
        least_coverage=cards["least_coverage"],
        margin=cards["meaningful_difference"],
        ceiling=plateau["ceiling"],
        k_grid=tuple(cards["grid"]["k"]),
        alpha_grid=tuple(cards["grid"]["alpha"]),
    )
    course = CourseSettings(
        bins=discriminability["bins"],
        min_models=discriminability["min_models"],
        level=cards["level"],
        demands=Demands(**discriminability["growth"]),
        thresholds=Thresholds(**discriminability["retirement"]),
    )
    return Settings(top, course)


def content(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    record: ImportRecord,
    declared: Config,
    settings: Settings,
) -> Card:
    """The whole card of one benchmark."""
    history: History | Abstention = Abstention("the metric has no lowest and highest score")
    if bounded(declared["family"]):
        history = course.history(scores, benchmark, settings.course)
    judged = card.assemble(benchmark, scores, responses, declared, settings.top)
    return Card(
        **vars(judged),
        observed_on=observed_on((scores, responses), declared.get("observed_on")),
        released=declared.get("released"),
        synthetic=bool(declared.get("synthetic", False)),
        earlier=card.earlier(benchmark, scores, responses, declared, settings.top),
        history=history,
        # Over runs and configurations the first answer of a model.
        items=card.measurement(standard_errors.first_answers(responses), settings.top.level),
        consistency=card.consistency(responses),
        imported=record,
    )


def observed_on(tables: Sequence[pd.DataFrame], declared: str | None) -> str:
    """The card's date: the declared one, else the latest of the data, else that there is none."""
    if declared:
        return str(declared)
    dates = [str(date) for table in tables if "date" in table
             for date in table["date"].dropna().unique() if date]  # fmt: skip
    return max(dates, default=UNDATED)


class Study(NamedTuple):
    """A benchmark's tables with the record of what was read, and its card without a forecast."""

    imports: Imports
    card: Card


def study(benchmark: str, files: Sequence[Config], declared: Config, settings: Settings) -> Study:
    """Read a benchmark's files and make its card, as the workflow's stages do."""
    imports = read(benchmark, files, declared)
    return Study(imports, content(benchmark, *imports, declared, settings))
