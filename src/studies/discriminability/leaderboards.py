"""A leaderboard's table of evaluations at the border: long or wide in, checked rows out.

Every row that cannot be used gets a reason. The caller decides whether bad rows stop the run or
are left out; nothing is left out without a line that says so.
"""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from saturation.arrays import Integers
from saturation.discriminability import bdi
from saturation.discriminability.bdi import submitters
from saturation.discriminability.names import BOARD, FINE_BINS, KEYS
from saturation.errors import MOST_REPORTED, InputError, refuse
from saturation.files.schema import require_columns
from saturation.files.tables import NamedTables
from studies.discriminability.names import SUMMARY, TOP

# A scale is mixed when scores near 0-1 and near 0-100 leave this factor empty between them.
MIXED_SCALE_FACTOR = 5.0
TINY = 0.01  # share of the range up to which scores may be on another scale
OWN = "own"  # what a user's leaderboard is called in the tables
LABELS = ["model", "variant", "family", "submitter", "date"]
DROPPED = ["leaderboard", "benchmark", "month", "row", "model", "date", "score", "reason"]
Summary = dict[str, pd.DataFrame]
WindowKind = Literal["month", "quarter", "rolling"]


def long_format(frame: pd.DataFrame, file: str) -> pd.DataFrame:
    """Turn a wide table (a column a benchmark) into a long table.

    Columns ``row`` (line of the file), ``model``, ``date``, (``variant``, ``family``,
    ``submitter``), ``benchmark``, ``score``.
    """
    require_columns(frame, ["model", "date"], file)
    labels = [name for name in LABELS if name in frame.columns]
    benchmarks = [name for name in frame.columns if name not in labels]
    if not benchmarks:
        raise InputError(
            f"{file}: there is no benchmark column beside {', '.join(labels)}; "
            "a wide table has one column of scores a benchmark"
        )
    return frame.assign(row=line_numbers(frame)).melt(
        id_vars=["row", *labels], value_vars=benchmarks, var_name="benchmark", value_name="score"
    )


def numbered(frame: pd.DataFrame, file: str) -> pd.DataFrame:
    """Assign numbers to the lines of a long table, as :func:`long_format` does."""
    require_columns(frame, ["model", "benchmark", "date", "score"], file)
    columns = [name for name in [*LABELS, "benchmark", "score", "accuracy"] if name in frame]
    return frame[columns].assign(row=line_numbers(frame))


def usable(
    frame: pd.DataFrame, layout: str, score_range: Sequence[float], on_bad_rows: str, file: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split a user's table into usable evaluations and the list of unusable evaluations."""
    rows = long_format(frame, file) if layout == "wide" else numbered(frame, file)
    clean, bad = screen(rows, score_range, file)
    if on_bad_rows == "stop":
        require_kept(bad, file)
    return clean, bad.assign(leaderboard=OWN).reindex(columns=DROPPED)


def screen(
    evaluations: pd.DataFrame, score_range: Sequence[float], file: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split evaluations into usable evaluations, and unusable evaluations with reasons.

    `kept`: ``benchmark, model, family, submitter, date`` (UTC), ``month`` (YYYY-MM), ``score`` and
    ``accuracy`` (proportions of the declared range), ``bin`` (0..299). `dropped`: ``benchmark, row,
    model, date, score, reason``.
    """
    scores = pd.to_numeric(evaluations["score"], errors="coerce")
    require_one_scale(evaluations["benchmark"], scores, score_range, file)
    dates = pd.to_datetime(
        evaluations["date"].astype("string"), errors="coerce", format="ISO8601", utc=True
    )
    reason = _reasons(evaluations, scores, dates, score_range)
    bad = reason != ""
    dropped = evaluations[bad].assign(reason=reason[bad])
    clean = evaluations[~bad].assign(date=dates[~bad], score=scores[~bad])
    return _proportions(clean, score_range), dropped.reindex(columns=DROPPED[1:2] + DROPPED[3:])


def require_kept(dropped: pd.DataFrame, file: str) -> None:
    """Raise with the rows that cannot be used, counted by reason."""
    if dropped.empty:
        return
    examples = [
        f"{file}, row {row.row}, benchmark '{row.benchmark}', model '{row.model}': {row.reason}"
        for row in dropped.head(MOST_REPORTED).itertuples()
    ]
    kinds = dropped["reason"].map(_kind).value_counts()
    counts = "; ".join(f"{count} x {kind}" for kind, count in kinds.items())
    raise InputError(
        [
            *examples,
            f"{file}: {len(dropped)} scores cannot be used ({counts}); mend the table, or set "
            "discriminability.on_bad_rows to drop, which lists them in dropped.csv and goes on",
        ]
    )


def require_one_scale(
    benchmarks: pd.Series, scores: pd.Series, score_range: Sequence[float], file: str
) -> None:
    """Raise for benchmarks whose scores cannot all be on the declared scale."""
    low, high = map(float, score_range)
    share = (scores - low) / (high - low)
    tiny = share[(share > 0) & (share <= TINY)].groupby(benchmarks).max().to_dict()
    large = share[share > TINY].groupby(benchmarks).min().to_dict()
    violations = []
    for name, top in tiny.items():
        if name not in large:
            violations.append(
                f"{file}: benchmark '{name}': every score is at most {top * (high - low) + low:g}, "
                f"but the declared range is {low:g} to {high:g}; declare the range in "
                "discriminability.score_range"
            )
        elif large[name] >= MIXED_SCALE_FACTOR * top:
            violations.append(
                f"{file}: benchmark '{name}': scores up to {top * (high - low) + low:g} and from "
                f"{large[name] * (high - low) + low:g} with none between look like proportions "
                "mixed with percent; put all on the declared range "
                f"{low:g} to {high:g}"
            )
    refuse(violations)


def line_numbers(frame: pd.DataFrame) -> Integers:
    """Lines as an editor counts them: the header is line 1."""
    return np.arange(len(frame)) + 2


def summarise(evaluations: pd.DataFrame, leaderboard: str) -> Summary:
    """Monthly summary of screened evaluations.

    Returns
    -------
    dict
        ``bins`` (``bin, count``: counts in 300 equal bins), ``top`` (``rank, score, accuracy``:
        the best 20), ``population`` (``unit, name, bin``:
        first evaluation in the month of every model and family that occurs in more than one
        month) and ``submitters`` (``submitter, bin, count`` of those with more than one
        evaluation of the benchmark). Scores are proportions. All start with ``leaderboard,
        benchmark, month``.
    """
    ordered = evaluations.sort_values(["date", "model"], kind="stable", ignore_index=True)
    makers = {"bins": _bins, "top": _top, "population": _population, "submitters": bdi.repeated}
    return {name: _finished(makers[name](ordered), leaderboard) for name in SUMMARY}


def combine(summaries: list[Summary]) -> Summary:
    """Join the summaries of several leaderboards."""
    return {
        name: pd.concat([summary[name] for summary in summaries], ignore_index=True)
        for name in summaries[0]
    }


def sort_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Sort a table of the summary in its written order."""
    labels = (*KEYS, "scope", "unit", "name", "submitter", "rank", "bin")
    order = [name for name in labels if name in table.columns]
    return table.sort_values(order, kind="stable", ignore_index=True)


def window_months(months: list[str], kind: WindowKind, rolling_months: int) -> pd.DataFrame:
    """List the months of each window.

    Columns ``window`` (label: ``2024-05``, ``2024Q2``; a rolling window is named after its last
    month), ``month`` and ``end`` (number of the window's last month).
    """
    periods = pd.PeriodIndex(sorted(set(months)), freq="M")
    labels = periods.strftime("%Y-%m")
    if kind == "quarter":
        quarters = periods.asfreq("Q")
        end = quarters.year * 12 + quarters.quarter * 3 - 1
        return pd.DataFrame({"window": quarters.strftime("%YQ%q"), "month": labels, "end": end})
    length = rolling_months if kind == "rolling" else 1
    number = np.asarray(periods.year * 12 + periods.month - 1)
    rows = [
        {"window": labels[i], "month": labels[j], "end": number[i]}
        for i in range(len(periods))
        for j in range(i + 1)
        if number[i] - number[j] < length
    ]
    return pd.DataFrame(rows)


def windowed(
    summary: NamedTables, kind: WindowKind, rolling_months: int, min_models: int
) -> tuple[Summary, pd.DataFrame]:
    """Summary by window instead of by month, and the windows that hold too few models.

    The tables are ``bins``; ``top`` with ``scope`` (``window`` or ``so_far``); ``windows`` with
    ``n_models, elapsed`` (months since the first window); ``population``; ``submitters``.
    The column ``month`` holds the window's label. What was left out has ``leaderboard, benchmark,
    month, reason``.
    """
    plan = pd.concat(
        [
            window_months(list(group["month"]), kind, rolling_months).assign(leaderboard=name)
            for name, group in summary["bins"].groupby("leaderboard")
        ],
        ignore_index=True,
    )
    entries = _spread(summary["bins"], plan).rename(columns={"count": "n_models"})
    windows = entries.groupby([*KEYS, "end"])["n_models"].sum().reset_index()
    enough = windows["n_models"] >= min_models
    _require_windows(windows, min_models)
    valid = windows[enough].copy()
    valid["elapsed"] = valid["end"] - valid.groupby(BOARD)["end"].transform("min")
    tables = {
        "bins": _spread_counts(summary["bins"], plan, ["bin"]),
        "top": _windowed_top(summary["top"], plan)[[*KEYS, "scope", "rank", "score", "accuracy"]],
        "population": _spread(summary["population"], plan).drop_duplicates([*KEYS, "unit", "name"])[
            [*KEYS, "unit", "name", "bin"]
        ],
        "submitters": _spread_counts(summary["submitters"], plan, ["submitter", "bin"]),
        "windows": valid[[*KEYS, "n_models", "elapsed"]],
    }
    short = windows[~enough].reset_index(drop=True)
    reasons = [
        f"the window has {n} evaluations; at least {min_models} are needed"
        for n in short["n_models"]
    ]
    windows_left = {
        name: sort_summary(table.merge(valid[KEYS], on=KEYS)) for name, table in tables.items()
    }
    return windows_left, short[KEYS].assign(reason=reasons)


def _reasons(
    evaluations: pd.DataFrame, scores: pd.Series, dates: pd.Series, score_range: Sequence[float]
) -> pd.Series:
    low, high = score_range
    keys = [name for name in ("model", "variant", "benchmark", "date") if name in evaluations]
    again = evaluations.duplicated(keys)
    checks = [
        (evaluations["model"].isna() | evaluations["benchmark"].isna(), "no model or benchmark"),
        (evaluations["score"].isna(), "the score is missing"),
        (scores.isna(), "score {score!r} is not a number"),
        (~np.isfinite(scores), "score {score!r} is not finite"),
        ((scores < low) | (scores > high), f"score {{score}} is outside {low:g} to {high:g}"),
        (evaluations["date"].isna(), "the date is missing"),
        (dates.isna(), "date {date!r} is not an ISO 8601 date"),
        (again, "the same model, benchmark and date stand in an earlier row"),
    ]
    reason = np.full(len(evaluations), "", object)
    for failed, text in checks:
        for place in np.flatnonzero(failed.to_numpy() & (reason == "")):
            score, date = evaluations["score"].iloc[place], evaluations["date"].iloc[place]
            reason[place] = text.format(score=score, date=date)
    return pd.Series(reason, index=evaluations.index, dtype=object)


def _kind(reason: str) -> str:
    """Return a reason without its value, for counting."""
    return re.sub(r"^(score|date) .*? is ", r"\1 is ", reason)


def _proportions(kept: pd.DataFrame, score_range: Sequence[float]) -> pd.DataFrame:
    """Scores as proportions; the bin is taken before the division, where edges are exact."""
    low, high = map(float, score_range)
    width = high - low
    position = np.floor((kept["score"].to_numpy(float) - low) * FINE_BINS / width).astype(int)
    submitter = submitters(kept["model"])
    if "submitter" in kept:
        submitter = kept["submitter"].fillna(submitter).astype(str)
    accuracy = kept.get("accuracy", kept["score"])
    return pd.DataFrame(
        {
            "benchmark": kept["benchmark"].astype("category"),
            "model": kept["model"].astype("category"),
            "family": kept["family"].astype("category") if "family" in kept else np.nan,
            "submitter": submitter.astype("category"),
            "date": kept["date"],
            "month": kept["date"].dt.strftime("%Y-%m").astype("category"),
            "score": (kept["score"].astype(float) - low) / width,
            "accuracy": (accuracy.astype(float) - low) / width,
            "bin": np.minimum(position, FINE_BINS - 1),
        }
    ).reset_index(drop=True)


def _bins(ordered: pd.DataFrame) -> pd.DataFrame:
    groups = ordered.groupby(["benchmark", "month", "bin"])
    return groups.size().rename("count").reset_index()


def _top(ordered: pd.DataFrame) -> pd.DataFrame:
    best = ordered.sort_values("score", ascending=False, kind="stable")
    rank = best.groupby(["benchmark", "month"]).cumcount() + 1
    columns = ["benchmark", "month", "rank", "score", "accuracy"]
    return best.assign(rank=rank).loc[rank <= TOP, columns]


def _population(ordered: pd.DataFrame) -> pd.DataFrame:
    parts = []
    for unit in ("model", "family"):
        entries = ordered[["benchmark", "month", unit, "bin"]].rename(columns={unit: "name"})
        entries = entries.dropna(subset="name").drop_duplicates(["benchmark", "month", "name"])
        repeated = entries.duplicated(["benchmark", "name"], keep=False)
        parts.append(entries[repeated].assign(unit=unit).astype({"name": object}))
    return pd.concat(parts)[["benchmark", "month", "unit", "name", "bin"]]


def _finished(table: pd.DataFrame, leaderboard: str) -> pd.DataFrame:
    plain = table.astype({"benchmark": str, "month": str})
    plain.insert(0, "leaderboard", leaderboard)
    return sort_summary(plain)


def _spread(table: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    """Assign monthly rows to each window, the window's label in ``month``."""
    joined = table.sort_values("month", kind="stable").merge(plan, on=["leaderboard", "month"])
    return joined.drop(columns="month").rename(columns={"window": "month"})


def _up_to(table: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    """Assign monthly rows up to the end of each window."""
    ends = plan.groupby(["leaderboard", "window"], as_index=False)["month"].max()
    joined = table.merge(ends, on="leaderboard", suffixes=("", "_end"))
    joined = joined[joined["month"] <= joined["month_end"]]
    return joined.drop(columns=["month", "month_end"]).rename(columns={"window": "month"})


def _spread_counts(table: pd.DataFrame, plan: pd.DataFrame, units: list[str]) -> pd.DataFrame:
    """Add up the monthly counts of each unit in each window."""
    return _spread(table, plan).groupby([*KEYS, *units])["count"].sum().reset_index()


def _windowed_top(top: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    parts = [_spread(top, plan).assign(scope="window"), _up_to(top, plan).assign(scope="so_far")]
    best = pd.concat(parts).sort_values("score", ascending=False, kind="stable")
    best["rank"] = best.groupby([*KEYS, "scope"]).cumcount() + 1
    return best[best["rank"] <= TOP]


def _require_windows(windows: pd.DataFrame, min_models: int) -> None:
    most = windows.groupby(BOARD, as_index=False)["n_models"].max()
    without = most[most["n_models"] < min_models]
    if len(without):
        raise InputError(
            [
                f"leaderboard '{board}', benchmark '{name}': no window has {min_models} "
                f"evaluations (the largest has {count}); take longer windows "
                "(discriminability.window) or leave the benchmark out"
                for board, name, count in without.itertuples(index=False, name=None)
            ]
        )
