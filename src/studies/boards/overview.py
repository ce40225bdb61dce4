"""One row a board: its top, what its items can show, and what they no longer do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation import index, seeds
from saturation.leaderboard import top as leaderboard_top
from saturation.leaderboard import verdict
from saturation.leaderboard.top import Frontier
from saturation.statistics import intervals
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.correlation import ranks
from saturation.statistics.intervals import benjamini_hochberg
from studies.boards import schemas
from studies.boards.alpha import ITEMS
from studies.boards.names import BOARDS
from studies.boards.ranked import Ranked, Settings, estimates, separate_clusters

Floats = NDArray[np.float64]

# With fewer models no item is called backwards.
FEWEST_MODELS = 10
# Sizes of subsets of items that are tried.
SIZES = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000)
CHOSEN, RANDOM = "chosen", "random"
# With fewer models, half of them choose nothing and show nothing.
FEWEST_FOR_HALVES = 12
_SUBSETS = ["board", "way", "size", "kept", "lower", "upper"]


class Items(NamedTuple):
    """Numbers of a board's items: dead, backward, and separating the top.

    On dead items every ranked model that answered is right, or wrong. `negative` items go against
    the score of the others; `backwards` are those of them that chance does not explain, at a false
    discovery rate of 1 - level. Both are None with too few models.
    """

    all_right: int
    all_wrong: int
    negative: int | None
    backwards: int | None
    deciding: int


def overview(
    boards: Sequence[Ranked], alpha: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """Tables `overview`, `models`, `course`, `subsets` and `remarks`; `alpha` as measured."""
    items_sampled = alpha[alpha["sample"] == ITEMS]
    measured = items_sampled.set_index("board")["alpha"].astype(float).to_dict()
    rows, models, tried, remarks = [], [], [], []
    quarters: list[dict[str, Any]] = []
    for board in boards:
        name = board.board
        everyone = replace(settings, compared=board.answers.shape[1])
        top = _frontier(board.answers, everyone)
        rng = seeds.generator(settings.seed, "boards", "subsets", name)
        found = subsets(board.answers, settings, rng)
        rows.append(_row(board, top, measured[name], found, settings))
        models.append(_models(board, top))
        quarters += course(board, measured[name], settings)
        tried.append(found.assign(board=name))
        remarks += [(name, remark) for remark in board.remarks]
    return {
        "overview": pd.DataFrame(rows),
        "models": pd.concat(models, ignore_index=True),
        "course": pd.DataFrame(quarters, columns=list(schemas.COURSE.columns)),
        "subsets": pd.concat(tried, ignore_index=True).reindex(columns=_SUBSETS),
        "remarks": pd.DataFrame(remarks, columns=list(schemas.REMARKS.columns)),
    }


def course(board: Ranked, alpha: float, settings: Settings) -> Iterator[dict[str, Any]]:
    """Compute the top at the end of each quarter that brought models.

    From the first quarter on that has k models.
    """
    dates = pd.to_datetime(board.dates.dropna())
    quarters = dates.dt.to_period("Q")
    for quarter in sorted(quarters.unique()):
        known = set(quarters.index[quarters <= quarter])
        if len(known) < settings.k:
            continue
        answers = board.answers[[name for name in board.answers.columns if name in known]]
        yield {
            "board": board.board,
            "until": str(quarter.end_time.date()),
            "n_models": answers.shape[1],
            **_top(_frontier(answers, settings), alpha, settings),
        }


def items(answers: Floats, k: int, level: float) -> Items:
    """Count a board's items by what they do."""
    low, high = np.nanmin(answers, axis=1), np.nanmax(answers, axis=1)
    # A top model that did not answer is alike with nobody, and unlike nobody.
    top = np.ma.masked_invalid(answers[:, :k])
    deciding = (top.max(axis=1) - top.min(axis=1)).filled(0) > 0
    negative = backwards = None
    if answers.shape[1] >= FEWEST_MODELS:
        correlation, p = against_the_rest(answers)
        negative = int((correlation < 0).sum())
        backwards = int((benjamini_hochberg(p) <= 1 - level).sum())
    return Items(
        int((low == 1).sum()), int((high == 0).sum()), negative, backwards, int(deciding.sum())
    )


def against_the_rest(answers: Floats) -> tuple[Floats, Floats]:
    """Correlate each item with the ranks by all other items; flag negative correlations.

    One-sided p-values by Student's t; NaN for items on which all answers are the same. Models are
    taken as independent: relatives answer alike, so that p-values are too small where many are.
    """
    given = ~np.isnan(answers)
    value = np.where(given, answers, 0.0)
    others = value.sum(axis=0) - value
    counts = given.sum(axis=0) - given
    rest = np.where(given, others / np.maximum(counts, 1), np.nan)
    rank = ranks(rest)
    x, y = (np.where(given, part, np.nan) for part in (answers, rank))
    x, y = (part - np.nanmean(part, axis=1, keepdims=True) for part in (x, y))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.nansum(x * y, axis=1) / np.sqrt(
            np.nansum(x**2, axis=1) * np.nansum(y**2, axis=1)
        )
        degrees = given.sum(axis=1) - 2
        distance = correlation * np.sqrt(degrees / np.maximum(1 - correlation**2, 1e-12))
    p = np.where(degrees > 0, scipy.special.stdtr(np.maximum(degrees, 1), distance), np.nan)
    return np.where(degrees > 0, correlation, np.nan), p


def subsets(answers: pd.DataFrame, settings: Settings, rng: np.random.Generator) -> pd.DataFrame:
    """Share of the pairs at the top that subsets of items keep in order.

    Half of the models choose items, those with the largest covariance with the score; the other
    half shows what they are worth, beside as many items at random. Pairs are one of the best k of
    the showing models and any other of them that all items separate (paired tests of the pair at
    the level). A tie on the subset does not keep a pair. `kept` is the mean over the halves, its
    interval their central share at the level. Empty where no pair is separated, or with too few
    models for halves.
    """
    if answers.shape[1] < FEWEST_FOR_HALVES:
        return pd.DataFrame()
    pairs = statistics_pairs.paired_tests(answers, separate_clusters(answers))
    separated = pairs.p_value <= 1 - settings.level
    better = (pairs.difference > 0) & separated
    x = answers.to_numpy()
    given = (~np.isnan(x)).astype(float)
    value = np.where(given > 0, x, 0.0)
    sizes = [size for size in SIZES if size < len(x)]
    found: dict[str, list[Floats]] = {CHOSEN: [], RANDOM: []}
    for _ in range(settings.halves):
        order = rng.permutation(x.shape[1])
        choosing, showing = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
        ways = {CHOSEN: _sort_by_covariance(x[:, choosing]), RANDOM: rng.permutation(len(x))}
        asked = better[np.ix_(showing[: settings.k], showing)]
        # A worse model may be among the best k of the showing ones, above the better one by luck.
        asked_below = better[np.ix_(showing, showing[: settings.k])].T
        if not (asked.any() or asked_below.any()):
            continue
        for way, order in ways.items():
            score = _subset_scores(value, given, order, sizes)[:, showing]
            # Two scores that are equal stay so: sums of shares differ in their last digits.
            gap = (score[:, : settings.k, None] - score[:, None, :]).round(9)
            right = ((gap > 0) & asked).sum((1, 2)) + ((gap < 0) & asked_below).sum((1, 2))
            found[way].append(right / (asked.sum() + asked_below.sum()))
    return pd.concat(
        [_summary(way, sizes, shares, settings.level) for way, shares in found.items()]
    )


def _subset_scores(
    value: Floats, given: Floats, order: NDArray[np.int64], sizes: Sequence[int]
) -> Floats:
    """Return the models' scores on the first items of an order, shape (sizes, models)."""
    inside = np.zeros((len(sizes), len(value)))
    for row, size in enumerate(sizes):
        inside[row, order[:size]] = 1.0
    scores: Floats = inside @ value / np.maximum(inside @ given, 1)
    return scores


def smallest(table: pd.DataFrame, way: str, kept: float) -> float:
    """Return the smallest size from which the share is kept on average; NaN if never."""
    if table.empty:
        return float("nan")
    rows = table[table["way"] == way].sort_values("size")
    missed = rows["kept"].to_numpy() < kept
    after = np.flatnonzero(missed).max(initial=-1) + 1
    return float(rows["size"].iloc[after]) if after < len(rows) else float("nan")


def _frontier(answers: pd.DataFrame, settings: Settings) -> Frontier:
    models = estimates(answers, settings.level)
    return leaderboard_top.frontier(models, answers, separate_clusters(answers), settings)


def _row(
    board: Ranked, found: Frontier, alpha: float, tried: pd.DataFrame, settings: Settings
) -> dict[str, Any]:
    answers = board.answers
    reached = verdict.judge(found.answers, found.ties["paired"].abstains)
    return {
        "board": board.board,
        "title": BOARDS[board.board].title,
        "kind": BOARDS[board.board].kind,
        "n_models": answers.shape[1],
        "n_items": len(answers),
        "n_left_out": board.left_out,
        **_top(found, alpha, settings),
        "verdict": reached.verdict,
        "reason": reached.reason,
        "measured_alpha": alpha,
        **items(answers.to_numpy(), settings.k, settings.level)._asdict(),
        **{f"smallest_{way}": smallest(tried, way, settings.kept) for way in (CHOSEN, RANDOM)},
    }


def _models(board: Ranked, frontier: Frontier) -> pd.DataFrame:
    """Return each model's range of ranks, and the models tied with the first."""
    listed = pd.DataFrame(frontier.models)
    return listed.assign(
        board=board.board,
        place=np.arange(1, len(listed) + 1),
        released=board.dates.reindex(listed["model"]).to_numpy(),
    )[list(schemas.MODELS.columns)]


def _top(frontier: Frontier, alpha: float, settings: Settings) -> dict[str, Any]:
    """Describe the top of a board; the index by the paper's formula, at both alphas."""
    at, separation = frontier.index, frontier.answers.resolution
    tests = frontier.ties["paired"]
    kth = tests.with_leader[at.k - 2]
    n = separation.n_items

    def s_index(exponent: float) -> float:
        return float(index.saturation_index(at.s_1, at.s_k, n, exponent))

    return {
        "first": at.first,
        "kth": at.kth,
        "s_1": at.s_1,
        "s_k": at.s_k,
        "gap": kth.difference,
        "gap_lower": kth.lower,
        "gap_upper": kth.upper,
        "n_tied": len(tests.group),
        "kth_tied": not separation.first_and_kth,
        "detectable": separation.minimum_detectable_difference,
        "items_needed": frontier.power.items_for_top_k,
        "s_index": s_index(settings.alpha),
        "s_index_measured": s_index(alpha) if np.isfinite(alpha) else float("nan"),
        "first_and_kth": at.first_and_kth,
    }


def _sort_by_covariance(answers: Floats) -> NDArray[np.int_]:
    """Sort items by their covariance with the score of the choosing models, largest first."""
    filled = np.where(np.isnan(answers), np.nanmean(answers, axis=1, keepdims=True), answers)
    filled = np.nan_to_num(filled)
    score = filled.mean(axis=0)
    covariance = (filled @ (score - score.mean())).round(9)
    order: NDArray[np.int_] = np.argsort(-covariance, kind="stable")
    return order


def _summary(way: str, sizes: list[int], shares: list[Floats], level: float) -> pd.DataFrame:
    if not shares:
        return pd.DataFrame()
    lower, upper = intervals.percentile(shares, level)
    return pd.DataFrame(
        {"way": way, "size": sizes, "kept": np.mean(shares, axis=0), "lower": lower, "upper": upper}
    )
