"""Make the card of a benchmark from its files, for command, workflow and notebook alike."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from saturation.discriminability.growth import Demands, Thresholds
from saturation.files.tables import load_table, shipped, shipped_yaml
from saturation.leaderboard.names import bounded, letters
from saturation.leaderboard.top import Settings as TopSettings
from saturation.own import card, course
from saturation.own.card import Abstention, Card, History, Outlook
from saturation.own.course import Settings as CourseSettings
from saturation.own.imports import UNDATED, Contents, Imports, join_tables, state_direction
from saturation.planning.config import Config
from saturation.statistics import standard_errors

if TYPE_CHECKING:
    from saturation.own.outlook import Lessons


@dataclass(frozen=True)
class Settings:
    """Settings of the top, of the months of a leaderboard, and of the item response model."""

    top: TopSettings
    course: CourseSettings
    most_answers: float = math.inf  #: to which the item response model is fitted


def parse_settings(cards: Config, plateau: Config, discriminability: Config) -> Settings:
    """Take the settings out of three sections of a checked config."""
    top = TopSettings(
        k=plateau["k"],
        alpha=plateau["alpha"],
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


@dataclass(frozen=True)
class Context:
    """Settings and tables of the project that cards rest on beside their own files."""

    settings: Settings
    rises: Path  #: resources/forecast/rises.csv, past rises of public benchmarks
    record: Path  #: resources/forecast/record.csv, how past forecasts did
    annotation: Path  #: resources/plateau/benchmarks.csv, documented issues of public benchmarks

    @cached_property
    def lessons(self) -> "Lessons":
        """Read the two tables of the forecast study, once."""
        from saturation.own import outlook

        return outlook.lessons(self.rises, self.record)

    @cached_property
    def issues(self) -> pd.DataFrame:
        """Read the annotation, once."""
        return load_table(self.annotation)


def shipped_context() -> Context:
    """Return the settings of the shipped config, with the shipped tables.

    >>> shipped_context().settings.top.k
    5
    """
    config = shipped_yaml("config/config.yaml")
    return Context(
        parse_settings(config["own"], config["plateau"], config["discriminability"]),
        shipped("resources/forecast/rises.csv"),
        shipped("resources/forecast/record.csv"),
        shipped("resources/plateau/benchmarks.csv"),
    )


class Study(NamedTuple):
    """A benchmark's tables with the record of its files, and its card."""

    imports: Imports
    card: Card


def study(
    benchmark: str,
    contents: Contents,
    declared: Config,
    context: Context,
    remarks: Sequence[str] = (),
) -> Study:
    """Join the contents of a benchmark's files to tables, and make its card.

    Parameters
    ----------
    contents
        Of each file, as :func:`saturation.own.imports.load` reads it; the list is emptied.
    declared
        Keys of the benchmark in the config; `family` is required.
    remarks
        What was concluded of the benchmark, for the notes of its card.
    """
    settings = context.settings
    declared = add_known_issues(benchmark, declared, context.issues)
    declared = state_direction(contents, declared)
    imports = join_tables(benchmark, contents, declared, remarks)
    undated = describe(benchmark, imports, declared, settings)
    ahead: Outlook | Abstention
    if declared.get("higher_is_better") is False:
        ahead = Abstention(
            "no score is known from which nothing is left to gain, as lower is better"
        )
    elif not imports.scores["date"].notna().any():
        ahead = Abstention("the scores have no dates")
    else:
        from saturation.own import outlook

        ahead = outlook.forecast(imports.scores, undated, context.lessons)
    return Study(imports, replace(undated, outlook=ahead))


def describe(benchmark: str, imports: Imports, declared: Config, settings: Settings) -> Card:
    """Make the whole card of a benchmark but its forecast."""
    scores, responses, record, dates = imports
    history: History | Abstention = Abstention("the metric has no lowest and highest score")
    if bounded(declared["family"]):
        history = course.history(scores, settings.course)
    judged = card.assemble(benchmark, scores, responses, declared, settings.top)
    return card.card_of(
        judged,
        declared,
        observed_on((scores, responses), declared.get("observed_on")),
        earlier=card.earlier(benchmark, scores, responses, declared, settings.top),
        history=history,
        # Over runs and configurations the first answer of a model.
        items=card.measurement(standard_errors.first_answers(responses), settings.most_answers),
        consistency=card.consistency(responses),
        imported=record,
        score_range=printed_scale(declared),
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


def add_known_issues(name: str, declared: Config, annotation: pd.DataFrame) -> Config:
    """Add the documented issues of a public benchmark to an entry that declares none.

    The annotation is resources/plateau/benchmarks.csv.
    """
    if declared.get("known_issues"):
        return declared
    same = (annotation[["benchmark_id", "name"]].map(letters) == letters(name)).any(axis=1)
    marked = annotation.loc[same, list(ISSUES)].isin([True]).any()
    if not marked.any():
        return declared
    issues = ", ".join(ISSUES[column] for column in ISSUES if marked[column])
    return {**declared, "known_issues": issues, "known_issues_source": ANNOTATION}


def printed_scale(declared: Config) -> list[float] | None:
    """Return the range of a metric that is not read as a percentage, as a judge's 1 to 10."""
    limits = declared.get("score_range")
    if declared["family"] != "bounded_mean" or not limits or not declared.get("higher_is_better"):
        return None
    return None if limits[0] == 0 and limits[1] in (1, 100) else [float(limit) for limit in limits]


def observed_on(tables: Sequence[pd.DataFrame], declared: str | None) -> str:
    """Return the card's date: as declared, else the latest of the data, else `UNDATED`."""
    if declared:
        return str(declared)
    dates = [
        str(date)
        for table in tables
        if "date" in table
        for date in table["date"].dropna().unique()
        if date
    ]
    return max(dates, default=UNDATED)
