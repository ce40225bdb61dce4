"""Alpha of every board, task and pair of its top models, measured and pooled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation import index, seeds
from saturation.boards import ratios, schemas
from saturation.boards.names import ORIGINS
from saturation.boards.ranked import Ranked
from saturation.statistics import random_effects
from saturation.statistics.intervals import LEVEL

# What is drawn anew in another test set: items, or groups of items with all that they hold.
ITEMS, GROUPS = "items", "groups"
WHOLE = "all"
# Covariates of the units, with their columns.
COVARIATES = {"log10_n": "log10_n", "score": "s_mean", "correlation": "correlation"}


@dataclass(frozen=True)
class Settings:
    """How alpha is measured; the fields are keys of the config's section ``boards``.

    Parameters
    ----------
    k
        Number of top models, all of whose pairs count.
    level
        Confidence level.
    fewest_items
        With fewer items that all top models answered, alpha is not measured.
    fewest_groups
        With groups of items worth fewer equal ones, they are not taken for the sample.
    splits
        Random halves of the items, on which models are chosen and measured.
    seed
        The config's seed.
    """

    k: int = index.K
    level: float = LEVEL
    fewest_items: int = 30
    fewest_groups: int = 8
    splits: int = 20
    seed: int = 20251101


def measured(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """One row a board or task, and one more where groups of items are taken for the sample.

    Parameters
    ----------
    boards
        The boards.
    settings
        See :class:`Settings`.

    Returns
    -------
    pandas.DataFrame
        Columns of :data:`saturation.boards.schemas.ALPHA`. A row without alpha says the reason.
    """
    rows = [row for board in boards for row in _rows(board, settings)]
    return pd.DataFrame(rows).reindex(columns=list(schemas.ALPHA.columns))


def _rows(board: Ranked, settings: Settings) -> Iterator[dict[str, Any]]:
    yield _row(board, board.answers, WHOLE, ITEMS, settings)
    tasks = board.groups.unique()
    if len(tasks) < 2:
        return
    yield _row(board, board.answers, WHOLE, GROUPS, settings)
    for task in sorted(tasks):
        answers = board.answers[(board.groups == task).to_numpy()]
        order = answers.mean().sort_values(ascending=False, kind="stable").index
        yield _row(board, answers[order], task, ITEMS, settings)


def _row(
    board: Ranked, answers: pd.DataFrame, task: str, sample: str, settings: Settings
) -> dict[str, Any]:
    """Alpha of the top models of these answers, models best first."""
    k = settings.k
    top = answers.iloc[:, :k].dropna()
    row = {"board": board.board, "task": task, "sample": sample, "k": k, "n_items": len(top),
           "n_models": answers.shape[1], "reason": _unmeasured(answers, top, settings)}  # fmt: skip
    if row["reason"]:
        return row
    x = top.to_numpy()
    codes = ratios.groups_of(board.groups[top.index]) if sample == GROUPS else np.arange(len(x))
    found = ratios.ratios(x, codes, board.shares)
    row |= _described(x, int(codes.max()) + 1)
    if found.effective < settings.fewest_groups:
        few = f"groups worth {found.effective:.1f} equal ones; {settings.fewest_groups} are needed"
        return row | {"reason": few}
    mean = ratios.jackknife(found)
    if not mean.error > 0:
        return row | {"reason": "the top models answered alike: their gap shows no error"}
    row |= _named(("alpha", "lower", "upper"), mean.alpha(len(x), settings.level))
    scale = np.log(len(x))
    row |= {"error": mean.error / scale, "degrees": mean.degrees}
    row |= {"log_ratio": mean.value, "log_ratio_error": mean.error}
    # Pairs are those of the first with all others, then of the second, and so on.
    pair = ratios.jackknife(found, np.arange(len(found.pairs)) == k - 2)
    row |= _named(("alpha_pair", "pair_lower", "pair_upper"), pair.alpha(len(x), settings.level))
    row["pair_error"] = pair.error / scale
    if sample == ITEMS and task == WHOLE:
        rng = seeds.generator(settings.seed, "boards", "alpha", board.board)
        halves = ratios.split(answers.to_numpy(), k, board.shares, rng, settings.splits)
        row |= _named(("alpha_split", "alpha_pair_split"), 1 + halves / scale)
    row["bounded_part"] = 0.0 if board.shares else ratios.bounded_part(x) / scale
    if board.shares:
        published = ratios.jackknife(ratios.ratios(x, codes, single_run=False))
        row |= {"alpha_published": 1 + published.value / scale, "run_noise": ratios.run_noise(x)}
    return row


def _unmeasured(answers: pd.DataFrame, top: pd.DataFrame, settings: Settings) -> str | None:
    if answers.shape[1] < settings.k:
        return f"{answers.shape[1]} models; {settings.k} are compared"
    if len(top) < settings.fewest_items:
        return f"the top models share {len(top)} items; {settings.fewest_items} are needed"
    return None


def _described(x: np.ndarray, groups: int) -> dict[str, Any]:
    score = x.mean(axis=0)
    return {
        "n_groups": groups,
        "s_1": score[0],
        "s_k": score[-1],
        "s_mean": score.mean(),
        "gap": score[0] - score[-1],
        "correlation": ratios.correlation(x),
    }


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return dict(zip(names, map(float, values), strict=True))


def pairs(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """Alpha of each pair of the top models of each board.

    Parameters
    ----------
    boards, settings
        See :func:`measured`.

    Returns
    -------
    pandas.DataFrame
        ``board, rank_a, rank_b, model_a, model_b, score_a, score_b, correlation, alpha, lower,
        upper``; boards without a measured alpha have no rows.
    """
    rows = []
    for board in boards:
        top = board.answers.iloc[:, : settings.k].dropna()
        if _unmeasured(board.answers, top, settings):
            continue
        x = top.to_numpy()
        found = ratios.ratios(x, np.arange(len(x)), board.shares)
        for place, (a, b) in enumerate(found.pairs):
            one = ratios.jackknife(found, np.arange(len(found.pairs)) == place)
            limits = one.alpha(len(x), settings.level)
            rows.append(
                {"board": board.board, "rank_a": a + 1, "rank_b": b + 1,
                 "model_a": top.columns[a], "model_b": top.columns[b],
                 "score_a": x[:, a].mean(), "score_b": x[:, b].mean(),
                 "correlation": ratios.correlation(x[:, [a, b]]),
                 **_named(("alpha", "lower", "upper"), limits)}
            )  # fmt: skip
    return pd.DataFrame(rows, columns=list(schemas.PAIRS.columns))


def pooled(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Alpha pooled over boards, in several readings, and what it goes with.

    A random deviation of each origin (who evaluated) and of each board in it; a row that depends on
    a covariate has units of tasks, or boards without tasks, in their boards.

    Parameters
    ----------
    table
        Of :func:`measured`.
    level
        Confidence level.

    Returns
    -------
    pandas.DataFrame
        Columns of :data:`saturation.boards.schemas.POOLED`.
    """
    known = table[table["reason"].isna()]
    boards = known[(known["task"] == WHOLE) & (known["sample"] == ITEMS)]
    origin = boards["board"].map(ORIGINS)
    rows = [
        _pooled("alpha", "all boards", boards, level),
        _pooled("log_ratio", "all boards", boards, level),
        _pooled("alpha_pair", "all boards", boards, level, "pair_error"),
        _pooled("alpha_split", "all boards", boards, level),
    ]
    rows += [
        _pooled("alpha", f"without {name}", boards[origin != name], level)
        for name in origin.unique()
    ]
    tasks = known[(known["sample"] == ITEMS) & (known["task"] != WHOLE)]
    units = pd.concat([tasks, boards[~boards["board"].isin(tasks["board"])]])
    units = units.assign(log10_n=np.log10(units["n_items"]))
    rows += [_slope(name, column, units, level) for name, column in COVARIATES.items()]
    return pd.DataFrame(rows).reindex(columns=list(schemas.POOLED.columns))


def _pooled(
    what: str, over: str, units: pd.DataFrame, level: float, error: str | None = None
) -> dict[str, Any]:
    """Mean and prediction interval; both empty with fewer than two origins."""
    row = {"what": what, "over": over, "units": len(units)}
    origins = units["board"].map(ORIGINS)
    row["groups"] = origins.nunique()
    if origins.nunique() < 2:
        return row
    known = error or ("log_ratio_error" if what == "log_ratio" else "error")
    found = random_effects.pool(units[what], units[known], origins)
    (low,), (high,) = found.interval(level)
    least, most = found.prediction(level)
    return row | {
        "value": found.value[0], "lower": low, "upper": high, "error": found.error[0],
        "degrees": found.degrees, "between_groups": found.between_groups,
        "between_units": found.between_units, "predicted_lower": least, "predicted_upper": most,
        "predicted_degrees": found.predicted_degrees,
    }  # fmt: skip


def _slope(name: str, column: str, units: pd.DataFrame, level: float) -> dict[str, Any]:
    """Change of alpha with one more of a covariate."""
    units = units.dropna(subset=[column])
    row = {"what": f"slope on {name}", "over": "tasks, or boards without tasks",
           "units": len(units), "groups": units["board"].nunique()}  # fmt: skip
    if units["board"].nunique() < 3:
        return row
    found = random_effects.pool(units["alpha"], units["error"], units["board"], units[[column]])
    low, high = found.interval(level)
    return row | {
        "value": found.value[1], "lower": low[1], "upper": high[1], "error": found.error[1],
        "degrees": found.degrees, "between_groups": found.between_groups,
        "between_units": found.between_units,
    }  # fmt: skip
