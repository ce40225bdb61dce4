"""The top of a leaderboard: ties, ranks, what n items can show, and the index with its interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import foldnorm, norm

from saturation.index import BIN_EDGES, EPSILON, SATURATED_FROM, saturation_bin
from saturation.statistics import comparisons, standard_errors


@dataclass(frozen=True)
class Settings:
    """How the frontier is judged; the index's settings are those of the plateau study.

    Parameters
    ----------
    k, alpha, epsilon, edges, saturated_from
        See :mod:`saturation.index`.
    level, power
        Confidence level of tests and intervals, and power for numbers of items.
    compared
        Number of top models that are compared pair by pair.
    resamples
        Resamples of the paired bootstrap.
    k_grid, alpha_grid
        Settings over which the index is shown to move.
    """

    k: int = 5
    alpha: float = 0.5
    epsilon: float = EPSILON
    edges: tuple[float, ...] = BIN_EDGES
    saturated_from: float = SATURATED_FROM
    level: float = 0.95
    power: float = 0.8
    compared: int = 25
    resamples: int = 10000
    k_grid: tuple[int, ...] = (2, 3, 4, 5)
    alpha_grid: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)


def frontier(
    estimates: pd.DataFrame,
    matrix: pd.DataFrame,
    clusters: pd.Series,
    settings: Settings,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Everything the card says about the top models.

    Parameters
    ----------
    estimates
        :func:`saturation.statistics.standard_errors.estimates`, best first, at least two
        models, all errors known.
    matrix, clusters
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    settings
        See :class:`Settings`.
    rng
        The stage's generator.

    Returns
    -------
    dict
        ``models`` (with rank intervals and whether tied with the leader), ``ties`` (by independent
        tests and, with responses, by paired ones), ``power`` and ``index``.
    """
    top = estimates.head(settings.compared).reset_index(drop=True)
    independent = independent_pairs(top)
    paired = None
    if set(top["model"]) <= set(matrix.columns):
        paired = comparisons.paired_tests(
            matrix[list(top["model"])], clusters, settings.resamples, rng
        )
    best = paired if paired is not None else independent
    return {
        "models": _models(top, best, settings.level),
        "ties": {
            name: _ties(top, pairs, settings.level)
            for name, pairs in (("independent", independent), ("paired", paired))
            if pairs is not None
        },
        "power": power(top, best, settings),
        "index": index(top, best, settings),
    }


def independent_pairs(top: pd.DataFrame) -> comparisons.Pairs:
    """Tests that take the models' scores as independent.

    The pooled test where all errors are binomial, since it holds at 0 % and 100 %; else the z-test
    with each model's own error.
    """
    if bool((top["error_source"] == "binomial").all()):
        return comparisons.pooled_z_tests(top["score"], top["n_items"])
    return comparisons.z_tests(top["score"], top["standard_error"])


def power(top: pd.DataFrame, pairs: comparisons.Pairs, settings: Settings) -> dict[str, Any]:
    """What this number of items can show, and how many the top would need.

    The minimum detectable difference is that between the best and the k-th model; numbers of items
    are None without n and infinite for equal scores.
    """
    last = min(settings.k, len(top)) - 1
    n = pairs.items if np.isfinite(pairs.items) else float(top["n_items"].min())
    level, target = settings.level, settings.power

    def needed(place: int) -> float | None:
        if not np.isfinite(n):
            return None
        gap = float(top["score"][0] - top["score"][place])
        return comparisons.items_needed(gap, _unpooled(top, pairs, place), n, level, target)

    return {
        "level": level,
        "power": target,
        "n_items": n,
        "minimum_detectable_difference": comparisons.minimum_detectable_difference(
            _unpooled(top, pairs, last), level, target
        ),
        "items_for_top_two": needed(1),
        "items_for_top_k": needed(last),
        "k": last + 1,
    }


def index(top: pd.DataFrame, best: comparisons.Pairs, settings: Settings) -> dict[str, Any]:
    """S_index with interval and P(saturated), over k and alpha, and the alpha the items imply.

    The index is the plateau paper's, with each model's own error in place of the binomial one
    (the same where that is the binomial one). Its interval and ``p_saturated`` come from the
    sampling error of the gap between the best and the k-th model; ``p_saturated_index_noise`` takes
    the gap to be as noisy as the index assumes at its alpha, as the plateau study does.
    Without n only alpha = 1 is possible.
    """
    n = float(top["n_items"].min())
    alpha = settings.alpha if np.isfinite(n) else 1.0
    last = min(settings.k, len(top)) - 1
    gap = float(top["score"][0] - top["score"][last])
    scale = _scale(top, last, n, alpha, settings.epsilon)
    noise = float(best.standard_error[0, last]) or scale
    value = float(np.exp(-((gap / scale) ** 2)))
    lower, upper = _interval(gap, noise, scale, settings.level)
    paired = np.isfinite(best.items)
    return {
        "k": last + 1,
        "alpha": alpha,
        "s_1": float(top["score"][0]),
        "s_k": float(top["score"][last]),
        "s_index": value,
        "lower": lower,
        "upper": upper,
        "bin": str(saturation_bin(value, settings.edges)),
        "p_saturated": _p_saturated(gap, noise, scale, settings.saturated_from),
        "p_saturated_index_noise": _p_saturated(gap, scale, scale, settings.saturated_from),
        "implied_alpha": standard_errors.implied_alpha(
            float(top["score"][0]), float(top["score"][last]), noise, best.items
        )
        if paired
        else None,
        "grid": _grid(top, n, settings),
    }


def _models(top: pd.DataFrame, pairs: comparisons.Pairs, level: float) -> list[dict[str, Any]]:
    ranks = comparisons.rank_intervals(top["score"], pairs.p_value, level)
    tied = comparisons.tie_group(pairs.p_value, level)
    table = top.assign(best_rank=ranks[:, 0], worst_rank=ranks[:, 1], tied_with_leader=tied)
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def _ties(top: pd.DataFrame, pairs: comparisons.Pairs, level: float) -> dict[str, Any]:
    tied = comparisons.tie_group(pairs.p_value, level)
    adjusted = comparisons.holm(pairs.p_value[0, 1:])
    return {
        "method": pairs.method,
        "adjustment": "holm",
        "items": None if np.isnan(pairs.items) else int(pairs.items),
        "group": [str(name) for name in top["model"][tied]],
        "with_leader": [
            {
                "model": str(top["model"][place]),
                "difference": float(pairs.difference[0, place]),
                "standard_error": float(pairs.standard_error[0, place]),
                "p_value": float(pairs.p_value[0, place]),
                "p_adjusted": float(adjusted[place - 1]),
                **_difference_interval(top, pairs, place, level),
            }
            for place in range(1, len(top))
        ],
    }


def _difference_interval(
    top: pd.DataFrame, pairs: comparisons.Pairs, place: int, level: float
) -> dict[str, float]:
    """Interval of the gap to the leader: Newcombe's for independent proportions, else normal."""
    if pairs.method == "pooled_z":
        (a, b), (n_a, n_b) = top["score"].iloc[[0, place]], top["n_items"].iloc[[0, place]]
        lower, upper = standard_errors.newcombe_interval(a, n_a, b, n_b, level)
        return {"lower": lower, "upper": upper}
    half = float(norm.ppf(0.5 + level / 2) * pairs.standard_error[0, place])
    gap = float(pairs.difference[0, place])
    return {"lower": gap - half, "upper": gap + half}


def _unpooled(top: pd.DataFrame, pairs: comparisons.Pairs, place: int) -> float:
    """Error of the gap to the leader: paired where items allow it, else from both own errors."""
    if np.isfinite(pairs.items) and pairs.standard_error[0, place] > 0:
        return float(pairs.standard_error[0, place])
    return float(np.hypot(top["standard_error"][0], top["standard_error"][place]))


def _scale(top: pd.DataFrame, place: int, n: float, alpha: float, epsilon: float) -> float:
    """Denominator of R_norm: the independent error of the gap, discounted to n^alpha items."""
    error = float(np.hypot(top["standard_error"][0], top["standard_error"][place]))
    return standard_errors.discounted(error, n, alpha) + epsilon


def _interval(gap: float, noise: float, scale: float, level: float) -> tuple[float, float]:
    """Interval of exp(-(gap/scale)^2) when the gap is normal: its size is folded normal."""
    sizes = foldnorm.ppf([0.5 + level / 2, 0.5 - level / 2], abs(gap) / noise, scale=noise)
    lower, upper = np.exp(-((sizes / scale) ** 2))
    return float(lower), float(upper)


def _p_saturated(gap: float, noise: float, scale: float, saturated_from: float) -> float:
    """Probability that a normal gap is small enough for the index to reach the threshold."""
    widest = np.sqrt(-np.log(saturated_from)) * scale
    return float(norm.cdf((widest - gap) / noise) - norm.cdf((-widest - gap) / noise))


def _grid(top: pd.DataFrame, n: float, settings: Settings) -> list[dict[str, Any]]:
    alphas = settings.alpha_grid if np.isfinite(n) else (1.0,)
    rows = []
    for k in settings.k_grid:
        if k > len(top):
            continue
        gap = float(top["score"][0] - top["score"][k - 1])
        for alpha in alphas:
            scale = _scale(top, k - 1, n, alpha, settings.epsilon)
            value = float(np.exp(-((gap / scale) ** 2)))
            rows.append(
                {"k": k, "alpha": alpha, "s_index": value,
                 "bin": str(saturation_bin(value, settings.edges))}
            )  # fmt: skip
    return rows
