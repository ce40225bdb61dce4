"""The whole way from a user's files to the card of one benchmark, for notebooks and the rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from saturation.discriminability.growth import Demands, Thresholds
from saturation.leaderboard.names import bounded, letters
from saturation.leaderboard.top import Settings as TopSettings
from saturation.own import card, course
from saturation.own.card import Abstention, Card, History
from saturation.own.course import Settings as CourseSettings
from saturation.own.imports import UNDATED, ImportRecord, Imports, read
from saturation.planning.config import Config
from saturation.statistics import standard_errors


@dataclass(frozen=True)
class Settings:
    """How the top is judged, the months of a leaderboard, and where the item model is left out."""

    top: TopSettings
    course: CourseSettings
    most_answers: float = math.inf  #: to which the item response model is fitted


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
    dates: pd.Series | None,
    declared: Config,
    settings: Settings,
) -> Card:
    """The whole card of one benchmark; `dates` are those of its items, by their names."""
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
        items=card.measurement(standard_errors.first_answers(responses), settings.most_answers),
        consistency=card.consistency(responses),
        imported=record,
        known_issues=declared.get("known_issues") or "",
        known_issues_source=declared.get("known_issues_source") or "",
        score_range=own_scale(declared),
        runs=card.repeated(scores, responses, judged, settings.top),
        renewal=card.renewed(responses, dates, judged),
    )


# What the plateau paper's annotation marks, and where it does.
ISSUES = {
    "issue_contamination": "contamination",
    "issue_noise": "noise",
    "issue_mislabelling": "label errors",
    "issue_bias": "bias",
    "issue_other": "other problems",
}
ANNOTATION = "Akhtar et al., annotation of 60 public benchmarks"


def with_known_issues(name: str, declared: Config, annotation: pd.DataFrame) -> Config:
    """A benchmark's entry with what is documented of it, where it is public and nothing is said.

    The annotation is resources/plateau/benchmarks.csv.
    """
    if declared.get("known_issues"):
        return declared
    same = (annotation[["benchmark_id", "name"]].map(letters) == letters(name)).any(axis=1)
    marked = annotation.loc[same, list(ISSUES)].isin([True]).any()
    if not marked.any():
        return declared
    found = ", ".join(ISSUES[column] for column in ISSUES if marked[column])
    return {**declared, "known_issues": found, "known_issues_source": ANNOTATION}


def own_scale(declared: Config) -> list[float] | None:
    """The range of a metric that is not read as a percentage, such as a judge's 1 to 10."""
    limits = declared.get("score_range")
    if declared["family"] != "bounded_mean" or not limits or not declared.get("higher_is_better"):
        return None
    return None if limits[0] == 0 and limits[1] in (1, 100) else [float(limit) for limit in limits]


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
