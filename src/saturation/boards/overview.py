"""One row a board: its top, what its items can show, and what they no longer do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from saturation import index, seeds
from saturation.board import leaders, verdict
from saturation.boards import items, ratios, schemas, subsets
from saturation.boards.alpha import ITEMS, WHOLE
from saturation.boards.names import EMBEDDED
from saturation.boards.ranked import Ranked, alone, estimates


@dataclass(frozen=True)
class Settings:
    """How a board is described.

    Parameters
    ----------
    frontier
        Of the index and the tests, see :class:`saturation.board.leaders.Settings`.
    kept
        Share of the pairs at the top that a subset of items has to keep in order.
    halves
        Random halves of the models that choose and show subsets.
    seed
        The config's seed.
    """

    frontier: leaders.Settings = field(default_factory=leaders.Settings)
    kept: float = 0.95
    halves: int = 50
    seed: int = 20251101


# Columns of the page, by what they are called there.
_SHOWN = {
    "title": "Board",
    "n_models": "Models",
    "n_items": "Items",
    "n_left_out": "Evaluations left out",
    "s_1": "Best score",
    "gap": "Gap first to k-th",
    "gap_lower": "from",
    "gap_upper": "to",
    "n_tied": "Tied with first",
    "detectable": "Smallest detectable gap",
    "items_needed": "Items needed for this gap",
    "s_index": "S at the paper's alpha",
    "measured_alpha": "Measured alpha",
    "s_index_measured": "S at measured alpha",
    "verdict": "Verdict",
    "all_right": "Items all right",
    "all_wrong": "Items all wrong",
    "backwards": "Items backwards",
    "deciding": "Items that decide the top",
    "smallest_chosen": "Fewest items that keep the top: chosen",
    "smallest_random": "at random",
    "remarks": "Remarks",
}


def overview(
    boards: Sequence[Ranked], alpha: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """The boards, their course over time, and their subsets.

    Parameters
    ----------
    boards
        The boards.
    alpha
        Of :func:`saturation.boards.alpha.measured`.
    settings
        See :class:`Settings`.

    Returns
    -------
    dict of pandas.DataFrame
        ``overview``, ``models``, ``course``, ``subsets`` and ``remarks``, with the columns of
        :mod:`saturation.boards.schemas`.
    """
    whole = alpha[(alpha["task"] == WHOLE) & (alpha["sample"] == ITEMS)].set_index("board")["alpha"]
    tried = {board.board: _subsets(board, settings) for board in boards}
    tops = {board.board: _frontier(board, settings) for board in boards}
    return {
        "overview": pd.DataFrame(
            [
                _row(
                    board,
                    tops[board.board],
                    float(whole[board.board]),
                    tried[board.board],
                    settings,
                )
                for board in boards
            ]
        ),
        "models": pd.concat(
            [models(board, tops[board.board]) for board in boards], ignore_index=True
        ),
        "course": pd.DataFrame(
            [row for board in boards for row in course(board, float(whole[board.board]), settings)],
            columns=list(schemas.COURSE.columns),
        ),
        "subsets": pd.concat(
            [table.assign(board=name) for name, table in tried.items()], ignore_index=True
        ).reindex(columns=list(schemas.SUBSETS.columns)),
        "remarks": pd.DataFrame(
            [(board.board, remark) for board in boards for remark in board.remarks],
            columns=list(schemas.REMARKS.columns),
        ),
    }


def shown(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The overview for readers, with what was left out of each board.

    Parameters
    ----------
    tables
        Of :func:`overview`.
    """
    said = tables["remarks"].groupby("board")["remark"].agg("; ".join)
    table = tables["overview"]
    table = table.assign(remarks=table["board"].map(said).fillna(""))
    return table[list(_SHOWN)].rename(columns=_SHOWN)


def settings(frontier: Mapping[str, Any], **options: Any) -> Settings:
    """The settings from the parts of a config.

    Parameters
    ----------
    frontier
        Fields of :class:`saturation.board.leaders.Settings`.
    **options
        The other fields of :class:`Settings`.
    """
    return Settings(leaders.Settings(**frontier), **options)


def models(board: Ranked, frontier: Mapping[str, Any]) -> pd.DataFrame:
    """The ranks that each model of a board may hold, and which are tied with the first.

    Parameters
    ----------
    board
        The board.
    frontier
        Of :func:`saturation.board.leaders.frontier`, every model listed.

    Returns
    -------
    pandas.DataFrame
        One row a model, best first, with the columns of ``saturation.boards.schemas.MODELS``:
        ``score`` a proportion with its interval; ``best_rank`` and ``worst_rank`` hold for all
        models together.
    """
    listed = pd.DataFrame(frontier["models"])
    return listed.assign(
        board=board.board,
        place=np.arange(1, len(listed) + 1),
        released=board.dates.reindex(listed["model"]).to_numpy(),
    )[list(schemas.MODELS.columns)]


def _frontier(board: Ranked, settings: Settings) -> dict[str, Any]:
    """The top of a board, every model of it listed."""
    answers = board.answers
    everyone = replace(settings.frontier, compared=answers.shape[1])
    return leaders.frontier(
        estimates(answers, settings.frontier.level), answers, alone(answers), everyone
    )


def _row(
    board: Ranked, found: dict[str, Any], alpha: float, tried: pd.DataFrame, settings: Settings
) -> dict[str, Any]:
    answers = board.answers
    counts = items.items(answers.to_numpy(), settings.frontier.k, settings.frontier.level)
    reached = verdict.judge(found["answers"], found["ties"]["paired"]["abstains"])
    ways = {
        way: subsets.smallest(tried, way, settings.kept) for way in (subsets.CHOSEN, subsets.RANDOM)
    }
    return {
        "board": board.board,
        "title": EMBEDDED[board.board].title,
        "kind": EMBEDDED[board.board].kind,
        "n_models": answers.shape[1],
        "n_items": len(answers),
        "n_left_out": board.left_out,
        **_top(found, alpha, settings),
        "verdict": reached.verdict,
        "reason": reached.reason,
        "measured_alpha": alpha,
        **{name: getattr(counts, name) for name in counts._fields},
        **{f"smallest_{way}": size for way, size in ways.items()},
    }


def _top(frontier: dict[str, Any], alpha: float, settings: Settings) -> dict[str, Any]:
    """The top of a board; the index by the paper's formula, at its alpha and the measured one."""
    at, power = frontier["index"], frontier["power"]
    tests = frontier["ties"]["paired"]
    kth = tests["with_leader"][at["k"] - 2]
    n, epsilon = power["n_items"], settings.frontier.epsilon

    def s_index(exponent: float) -> float:
        return float(index.saturation_index(at["s_1"], at["s_k"], n, exponent, epsilon))

    return {
        "first": at["first"],
        "kth": at["kth"],
        "s_1": at["s_1"],
        "s_k": at["s_k"],
        "gap": kth["difference"],
        "gap_lower": kth["lower"],
        "gap_upper": kth["upper"],
        "n_tied": len(tests["group"]),
        "kth_tied": bool(frontier["models"][at["k"] - 1]["tied_with_leader"]),
        "detectable": power["minimum_detectable_difference"],
        "items_needed": power["items_for_top_k"],
        "s_index": s_index(settings.frontier.alpha),
        "s_index_measured": s_index(alpha) if np.isfinite(alpha) else float("nan"),
        **{name: at[name] for name in ("p_saturated", "p_saturated_lowest", "p_saturated_highest")},
    }


def course(board: Ranked, alpha: float, settings: Settings) -> Iterator[dict[str, Any]]:
    """The top among the models that were released by the end of each quarter.

    Parameters
    ----------
    board
        The board; models without a date do not enter.
    alpha
        Measured among all its models; that of the models of the time stands beside it.
    settings
        See :class:`Settings`.

    Yields
    ------
    dict
        One a quarter in which the models became more and are at least k.
    """
    dates = pd.to_datetime(board.dates.dropna())
    quarters = dates.dt.to_period("Q")
    for quarter in sorted(quarters.unique()):
        known = set(quarters.index[quarters <= quarter])
        if len(known) < settings.frontier.k:
            continue
        answers = board.answers[[name for name in board.answers.columns if name in known]]
        found = leaders.frontier(
            estimates(answers, settings.frontier.level), answers, alone(answers), settings.frontier
        )
        yield {
            "board": board.board,
            "until": str(quarter.end_time.date()),
            "n_models": answers.shape[1],
            **_top(found, alpha, settings),
            **_alpha_then(board, answers, settings),
        }


def _alpha_then(board: Ranked, answers: pd.DataFrame, settings: Settings) -> dict[str, float]:
    top = answers.iloc[:, : settings.frontier.k].dropna().to_numpy()
    if len(top) < 2:
        return dict.fromkeys(("alpha", "alpha_lower", "alpha_upper"), float("nan"))
    mean = ratios.jackknife(ratios.ratios(top, np.arange(len(top)), board.shares))
    limits = mean.alpha(len(top), settings.frontier.level)
    return dict(zip(("alpha", "alpha_lower", "alpha_upper"), limits))


def _subsets(board: Ranked, settings: Settings) -> pd.DataFrame:
    tried = subsets.Settings(
        settings.frontier.k, settings.frontier.level, settings.kept, settings.halves
    )
    rng = seeds.generator(settings.seed, "boards", "subsets", board.board)
    return subsets.subsets(board.answers, tried, rng)
