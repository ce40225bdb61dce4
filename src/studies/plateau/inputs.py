"""Check the plateau study's two input tables against each other; bring them to a unit."""

import logging
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from saturation.errors import InputError, collect, refuse
from saturation.files.schema import validate
from studies.plateau.names import TABLE_1_K
from studies.plateau.schemas import BENCHMARKS, TOP_SCORES

# The length of a month by which the paper counts ages.
DAYS_A_MONTH = 30.44
# A benchmark whose best score is this high in percent does not have another model below 1 %.
PLAINLY_PERCENT = 20.0


def prepare(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    score_scale: str,
    observed_on: str,
    at_least: int,
    exclude_flags: Iterable[str] = (),
    files: tuple[str, str] = ("benchmarks", "top scores"),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Validate both tables, take out flagged benchmarks, convert scores to proportions.

    Benchmarks have ``months_at_observation`` = days since release / 30.44; both are sorted.
    """
    benchmark_file, score_file = files
    # What is wrong in either is said at once.
    benchmarks, top_scores = collect(
        [
            lambda: validate(benchmarks, BENCHMARKS, benchmark_file),
            lambda: validate(top_scores, TOP_SCORES, score_file),
        ]
    )
    violations = [
        *_future_releases(benchmarks, observed_on, benchmark_file),
        *_scale_errors(benchmarks, top_scores, score_scale, files),
        *_unmatched(benchmarks, top_scores, files, at_least),
    ]
    refuse(violations)
    selection = benchmarks[~_flagged(benchmarks, exclude_flags)]
    logging.info(
        "left out for their flags: %d of %d", len(benchmarks) - len(selection), len(benchmarks)
    )
    if selection.empty:
        raise InputError(
            f"{benchmark_file}: plateau.exclude_flags {list(exclude_flags)} leaves no benchmark; "
            "name fewer flags"
        )
    return _converted(selection, top_scores, score_scale, observed_on)


def _converted(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, score_scale: str, observed_on: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    unit = 100.0 if score_scale == "percent" else 1.0
    age = (pd.Timestamp(observed_on) - pd.to_datetime(benchmarks["released"])).dt.days
    # Optional columns that a table lacks become empty ones, so that later stages know them all.
    benchmarks = benchmarks.reindex(columns=list(BENCHMARKS.columns)).assign(
        months_at_observation=age / DAYS_A_MONTH,
        sota_at_release=lambda frame: frame["sota_at_release"].astype(float) / unit,
    )
    in_table = top_scores["benchmark_id"].isin(benchmarks["benchmark_id"])
    scores = top_scores[in_table].reindex(columns=list(TOP_SCORES.columns))
    scores["score"] = scores["score"] / unit
    return (
        benchmarks.sort_values("benchmark_id", ignore_index=True),
        scores.sort_values(["benchmark_id", "rank"], ignore_index=True),
    )


def flag_lists(flags: pd.Series) -> pd.Series:
    """Return the flags of each benchmark as a list; an empty text without flags is empty."""
    return flags.fillna("").str.split(";")


def _flagged(benchmarks: pd.DataFrame, flags: Iterable[str]) -> np.ndarray:
    unwanted = set(flags)
    if "flags" not in benchmarks or not unwanted:
        return np.zeros(len(benchmarks), bool)
    lists = flag_lists(benchmarks["flags"])
    return lists.map(lambda names: bool(unwanted & set(names))).to_numpy(bool)


def _future_releases(benchmarks: pd.DataFrame, observed_on: str, file: str) -> Iterator[str]:
    last = pd.Timestamp(observed_on) + pd.offsets.MonthEnd(0)
    released = pd.to_datetime(benchmarks["released"])
    for row in np.flatnonzero(released > last):
        yield (
            f"{file}, row {row + 2}, column 'released': value "
            f"'{benchmarks['released'].iloc[row]}' is in the future; allowed: up to {last.date()}, "
            "the end of the month of plateau.observed_on"
        )


def _scale_errors(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, score_scale: str, files: tuple[str, str]
) -> Iterator[str]:
    """Report scores in another unit than declared; best scores at release can be low in percent."""
    score, file = top_scores["score"], files[1]
    if score_scale == "proportion":
        yield from _above_one(score, file)
        if "sota_at_release" in benchmarks:
            yield from _above_one(benchmarks["sota_at_release"], files[0])
        return
    best = top_scores.groupby("benchmark_id")["score"].transform("max")
    mixed = (score > 0) & (score <= 1) & ((best <= 1) | (best >= PLAINLY_PERCENT))
    for row in np.flatnonzero(mixed):
        yield (
            f"{file}, row {row + 2}, column 'score': value {score.iloc[row]:g} looks like a "
            "proportion, but plateau.score_scale is 'percent'; give every score in one unit (a "
            "table with scores that really are below 1 % can be given as proportions)"
        )


def _above_one(score: pd.Series, file: str) -> Iterator[str]:
    for row in np.flatnonzero(score > 1):
        yield (
            f"{file}, row {row + 2}, column '{score.name}': value {score.iloc[row]:g} is out "
            "of range; plateau.score_scale is 'proportion', so 0 to 1 is allowed (is the table in "
            "percent?)"
        )


def _unmatched(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, files: tuple[str, str], at_least: int
) -> Iterator[str]:
    benchmark_file, score_file = files
    identifiers = set(benchmarks["benchmark_id"])
    counts = top_scores.groupby("benchmark_id").size()
    for row in np.flatnonzero(~top_scores["benchmark_id"].isin(identifiers)):
        yield (
            f"{score_file}, row {row + 2}, column 'benchmark_id': value "
            f"'{top_scores['benchmark_id'].iloc[row]}' is not in {benchmark_file}"
        )
    for place, name in enumerate(benchmarks["benchmark_id"]):
        count = counts.get(name, 0)
        if count < at_least:
            yield (
                f"{benchmark_file}, row {place + 2}, column 'benchmark_id': '{name}' has {count} "
                f"scores in {score_file}; at least {at_least} are needed (the largest k of "
                "plateau.k, plateau.sensitivity.k, multiverse.k and Table 1, which has "
                f"k = {TABLE_1_K})"
            )
