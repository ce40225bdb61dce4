"""All cards beside each other: their table, and the verdicts that a user does not accept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import checks
from saturation.own import folder as folders
from saturation.own import outlook
from saturation.own.schemas import CARDS
from saturation.own.settings import Settings
from saturation.own.study import study

Files = Sequence[Mapping[str, Any]]


def make(
    benchmarks: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, Files],
    folder: Path,
    settings: Settings,
    templates: Mapping[str, str],
    lessons: outlook.Lessons,
    seed: int,
) -> None:
    """Make the card of every benchmark in a folder of its name.

    Where the files cannot be read, an earlier card stays in place and is marked.

    Parameters
    ----------
    benchmarks
        What the config declares of each, by name.
    files
        The files of each: ``path`` and what the file does not say.
    folder
        In which each benchmark has one.
    settings
        :func:`saturation.own.settings.from_config`.
    templates
        Of the pages, as :func:`saturation.own.folder.write_card` takes them.
    lessons, seed
        Of :func:`saturation.own.outlook.forecast`.

    Raises
    ------
    InputError
        With all that keeps benchmarks from being read that have no earlier card.
    """
    violations = []
    for name, declared in benchmarks.items():
        try:
            made = study(name, files[name], declared, settings)
        except InputError as error:
            if folders.keep(error, folder / name, templates) is None:
                violations += error.violations
            continue
        made.card["outlook"] = outlook.forecast(
            made.imports.scores, made.card, settings.card.frontier, lessons, seed
        )
        folders.write_imports(made.imports, folder / name)
        folders.write_card(made.card, folder / name, templates)
    if violations:
        raise InputError(violations)


def table(summaries: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row a benchmark, in the given order.

    Parameters
    ----------
    summaries
        :func:`saturation.own.card.summary_line` of each card.

    Raises
    ------
    InputError
        If there is no card.
    """
    if not summaries:
        raise InputError(
            "config: own.benchmarks is empty, so there is no card to make; "
            "try the worked example: snakemake --cores 2 card --configfile config/own.yaml"
        )
    return checks.validate(pd.DataFrame(summaries)[list(CARDS.columns)], CARDS, "cards")


def refused(cards: pd.DataFrame, fail_on: Sequence[str]) -> list[str]:
    """A sentence for each card whose verdict is not accepted, or that could not be made anew.

    Parameters
    ----------
    cards
        :func:`table`.
    fail_on
        The verdicts that the config names.
    """
    stale = [
        f"benchmark '{row.benchmark}': the card and its data as of {row.observed_on} stay in "
        f"place, because its files failed: {row.stale}"
        for row in cards[cards["stale"].notna()].itertuples()
    ]
    return stale + [
        f"benchmark '{row.benchmark}': the verdict is {row.verdict} ({row.reason}), "
        "which own.fail_on names"
        for row in cards[cards["verdict"].isin(list(fail_on))].itertuples()
    ]
