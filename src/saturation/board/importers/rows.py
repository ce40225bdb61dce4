"""The rows that every importer gives back, and what may be chosen out of a file."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple


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
    """

    task: str | None = None
    metric: str | None = None
    filter: str | None = None
    pass_k: int | None = None
    interval_level: float = 0.95


@dataclass(frozen=True)
class Origin:
    """The file's name for messages, and what the name of a file or the config says about it."""

    file: str
    model: str | None = None
    task: str | None = None
    configuration: str = ""
    date: str | None = None


@dataclass
class Imported:
    """What one file gave: rows, the metric's declared properties, and remarks for the log."""

    format: str
    scores: list[Score] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    version: str = ""
    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    date: str | None = None
    notes: list[str] = field(default_factory=list)
