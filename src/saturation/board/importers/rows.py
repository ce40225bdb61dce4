"""The rows that every importer gives back, and what may be chosen out of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd


class Score(NamedTuple):
    """One model's aggregate score, in the file's own unit; what the file does not say is None."""

    model: str
    score: Any
    metric: str
    task: str | None = None
    standard_error: Any = None
    n_items: Any = None
    run: str = ""
    configuration: str = ""
    date: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    row: int | None = None


class Response(NamedTuple):
    """One model's result on one item, in the file's own unit."""

    model: str
    item: str
    response: Any
    cluster: str = ""
    run: str = ""
    configuration: str = ""
    row: int | None = None
    date: str | None = None


@dataclass(frozen=True)
class Choice:
    """What to take out of files that hold more than one thing, and what they leave unsaid.

    Parameters
    ----------
    task, metric, filter
        Which task, metric and filter (HELM: split); needed only where a file has several.
    pass_k
        The k of pass@k, where items come as counts of attempts and successes.
    interval_level
        Level of intervals that a plain table supplies in its columns ``lower`` and ``upper``.
    columns
        What a plain table calls the columns that are read, by the names they have here.
    """

    task: str | None = None
    metric: str | None = None
    filter: str | None = None
    pass_k: int | None = None
    interval_level: float = 0.95
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Origin:
    """A file, and what the config or the names of file and folder say about it.

    Parameters
    ----------
    path
        The file.
    model, task
        What the rows belong to, where the file does not say it.
    configuration
        Prompt or setting of this file, where a model has several.
    date
        ISO date of the evaluation, where the file has none.
    """

    path: Path
    model: str | None = None
    task: str | None = None
    configuration: str = ""
    date: str | None = None

    @property
    def file(self) -> str:
        """The file's name for messages."""
        return str(self.path)


@dataclass
class Imported:
    """What one file gave: rows, the metric's declared properties, and remarks for the log.

    Parameters
    ----------
    scores, responses
        The rows, in the file's own unit. Many responses are a table with the columns of
        :class:`Response`, text as categories.
    version
        Of the format's schema; the files of one benchmark may not mix versions.
    minimum, maximum, higher_is_better
        Bounds and direction of the responses' metric, where the file or the metric says them.
    notes
        Remarks for the reader of the card.
    format
        Name of the importer; set by who calls it.
    """

    scores: list[Score] = field(default_factory=list)
    responses: list[Response] | pd.DataFrame = field(default_factory=list)
    version: str = ""
    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    notes: list[str] = field(default_factory=list)
    format: str = ""
