"""Judge the differences of two versions on many benchmarks under a joint error rate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from saturation.compare.paired import Difference
from saturation.compare.sequential import repeated_p
from saturation.statistics import intervals

BETTER, WORSE, EQUIVALENT, CEILING, UNDECIDED, UNTESTED = ANSWERS = (
    "better",
    "worse",
    "equivalent",
    "at the ceiling",
    "not decided",
    "not tested",
)


@dataclass(frozen=True)
class Settings:
    """Settings of the judgement of differences; margin and ceiling are shares."""

    level: float = intervals.CONFIDENCE
    margin: float = 0.02  #: differences below it are equivalent
    ceiling: float = 0.9  #: share of the usable range from which little is left to gain
    power: float = 0.8  #: with which a gate has to be able to see a drop of the margin
    looks: int = 1  #: after how many runs the comparison is looked at


@dataclass(frozen=True)
class Item:
    """A benchmark that two versions are compared on."""

    task: str
    difference: Difference | None
    scores: tuple[float, float]
    chance: float = 0.0  #: score by chance, from which the usable range goes to 1
    reason: str = ""  #: why the difference is not tested
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """A benchmark with the answer on its difference."""

    item: Item
    answer: str
    p_adjusted: float | None  #: two-sided, by Holm over the benchmarks
    near_ceiling: bool


@dataclass(frozen=True)
class Suite:
    """All benchmarks, those with most information about the difference first."""

    rows: tuple[Judged, ...]
    counts: Mapping[str, int]  #: of each answer
    higher: int  #: tested benchmarks with a higher score of the candidate
    plain: Mapping[str, int]  #: better and worse without adjustment
    near_ceiling: int
    mean: float  #: mean difference over the benchmarks; NaN without any
    mean_lower: float  #: by the spread over benchmarks, as a sample of their kind
    mean_upper: float


def judge_suite(items: Sequence[Item], settings: Settings) -> Suite:
    """Judge every benchmark, with Holm's adjustment over those that are tested."""
    tested = [item.difference for item in items if item.difference is not None]
    p_values = [min(1.0, 2 * repeated_p(row.p_value / 2, settings.looks)) for row in tested]
    adjusted = iter(intervals.holm(p_values).tolist())
    equal = [repeated_p(row.p_equivalent(settings.margin), settings.looks) for row in tested]
    equivalent = iter(intervals.holm(equal).tolist())
    rows = [_judge(item, adjusted, equivalent, settings) for item in items]
    answers = [row.answer for row in rows]
    plain = [np.sign(row.value) for row, p in zip(tested, p_values) if p <= 1 - settings.level]
    changes = [item.scores[1] - item.scores[0] for item in items if item.reason == ""]
    lower, upper = intervals.mean(changes, settings.level)
    return Suite(
        rows=tuple(sorted(rows, key=_logit_error)),
        counts={answer: answers.count(answer) for answer in ANSWERS},
        higher=sum(item.scores[1] > item.scores[0] for item in items if item.difference),
        plain={BETTER: plain.count(1.0), WORSE: plain.count(-1.0)},
        near_ceiling=sum(row.near_ceiling for row in rows),
        mean=float(np.mean(changes)) if changes else np.nan,
        mean_lower=lower,
        mean_upper=upper,
    )


def _judge(
    item: Item, adjusted: Iterator[float], equivalent: Iterator[float], settings: Settings
) -> Judged:
    near = _near_ceiling(item, settings)
    if item.difference is None:
        return Judged(item, UNTESTED, None, near)
    p, p_equivalent = next(adjusted), next(equivalent)
    wrong = 1 - settings.level
    answer = UNDECIDED
    if p <= wrong:
        answer = BETTER if item.difference.value > 0 else WORSE
    elif p_equivalent <= wrong:
        answer = EQUIVALENT
    elif near:
        answer = CEILING
    return Judged(item, answer, p, near)


def _near_ceiling(item: Item, settings: Settings) -> bool:
    """Check whether the upper limit of the lower score reaches the ceiling."""
    score = min(item.scores)
    if item.difference is not None and item.difference.n_items:
        n = item.difference.n_items
        score = intervals.wilson(score * n, n, settings.level)[1]
    return (score - item.chance) / (1 - item.chance) >= settings.ceiling


def _logit_error(row: Judged) -> tuple[float, str]:
    """Compute the standard error of the difference in log odds: small errors mean information."""
    if row.item.difference is None:
        return np.inf, row.item.task
    mean = sum(row.item.scores) / 2
    return row.item.difference.error / max(mean * (1 - mean), 1e-9), row.item.task


def summarize(suite: Suite, candidate: str, baseline: str, margin: float) -> str:
    """Return the counts as a sentence, with the open questions."""
    counts, tested = suite.counts, len(suite.rows) - suite.counts[UNTESTED]
    parts = [f"better on {counts[BETTER]}, worse on {counts[WORSE]}"]
    if counts[EQUIVALENT]:
        parts.append(f"equivalent within {100 * margin:g} points on {counts[EQUIVALENT]}")
    parts += [f"{answer} on {counts[answer]}" for answer in (UNDECIDED, CEILING) if counts[answer]]
    if counts[UNTESTED]:
        parts.append(f"{counts[UNTESTED]} not tested")
    return (
        f"{candidate} is higher than {baseline} on {suite.higher} of {tested} "
        f"tested {'benchmark' if tested == 1 else 'benchmarks'}: {'; '.join(parts)}"
    )
