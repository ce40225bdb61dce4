"""Which models of a leaderboard are ties, and the ranks that each may hold, over all its models."""

from typing import Any

import numpy as np
import pandas as pd
import scipy

from saturation.statistics import comparisons, intervals, paired
from saturation.statistics.comparisons import (
    CLUSTERED_T,
    MCNEMAR,
    METHODS,
    NO_TEST,
    POOLED_Z,
    Pairs,
)
from saturation.statistics.standard_errors import right_or_wrong

# Of more models, only the listed ones are compared with all others: all pairs would take memory and
# time with the square of the models, 14 GB for ten thousand.
MOST_PAIRED = 3000


def independent_pairs(
    models: pd.DataFrame, proportion: pd.Series | None = None, leaders: int | None = None
) -> Pairs:
    """Tests that take the models' scores as independent.

    The pooled test for two shares of solved items, since it holds at 0 % and 100 %; else the z-test
    with each model's own error.

    Parameters
    ----------
    models
        Estimates of :func:`saturation.statistics.standard_errors.estimates`.
    proportion
        Which scores are shares of independent 0/1 items; by default those with a binomial error.
    leaders
        Only the first so many models are compared with all; all by default.
    """
    share = models["error_source"] == "binomial" if proportion is None else proportion
    by_error = comparisons.z_tests(models["score"], models["standard_error"], leaders)
    if not share.any():
        return by_error
    both = share.to_numpy()[:, None] & share.to_numpy()[None, :leaders]
    # Others get numbers that the pooled test can take, and are not taken from it.
    pooled = comparisons.pooled_z_tests(
        models["score"].where(share, 0.5), models["n_items"].where(share, 1), leaders
    )
    return comparisons.chosen(both, pooled, by_error)


def all_pairs(
    models: pd.DataFrame, matrix: pd.DataFrame, clusters: pd.Series, listed: int
) -> tuple[Pairs, Pairs | None]:
    """Tests of all pairs: as independent, and on common items wherever two models have any.

    With more than `MOST_PAIRED` models, those of all with the listed ones.

    Parameters
    ----------
    models
        Estimates of the ranked models, best first.
    matrix, clusters
        :func:`saturation.statistics.standard_errors.item_matrix`; may be empty.
    listed
        Number of models whose ranks are wanted.

    Returns
    -------
    tuple
        Independent tests, and the best tests: paired ones, with independent ones for pairs that
        share fewer than two clusters of items; None if no pair shares more.
    """
    leaders = listed if len(models) > MOST_PAIRED else None
    if matrix.empty:
        return independent_pairs(models, leaders=leaders), None
    answers = matrix.reindex(columns=models["model"])
    binary = right_or_wrong(answers).all(axis=0) & answers.notna().any().to_numpy()
    share = (models["error_source"] == "binomial") | ((models["error_source"] == "items") & binary)
    independent = independent_pairs(models, share, leaders)
    found = paired.paired_tests(answers, clusters, leaders)
    tested = found.method != NO_TEST
    np.fill_diagonal(tested, False)
    if not tested.any():
        return independent, None
    return independent, comparisons.chosen(tested, found, independent)


def placed(models: pd.DataFrame, pairs: Pairs, adjusted: np.ndarray, level: float) -> pd.DataFrame:
    """The compared models with ``best_rank, worst_rank, tied_with_leader``.

    Parameters
    ----------
    models
        Estimates, best first.
    pairs
        Tests of all pairs, in the same order.
    adjusted
        Their p-values adjusted over all pairs.
    level
        Confidence level, of all statements together.
    """
    ranks = comparisons.rank_intervals(pairs.difference, adjusted, level)
    tied = comparisons.tie_group(adjusted, level)[: len(ranks)]
    return models.head(len(ranks)).assign(
        best_rank=ranks[:, 0], worst_rank=ranks[:, 1], tied_with_leader=tied
    )


def group(
    models: pd.DataFrame, pairs: Pairs, adjusted: np.ndarray, level: float, listed: int
) -> dict[str, Any]:
    """The group that is tied at the top, and the first models' differences to the leader.

    Parameters
    ----------
    models, pairs, adjusted, level
        See :func:`placed`.
    listed
        Number of models, the leader among them, whose difference is listed; the group is that of
        all.
    """
    tied = comparisons.tie_group(adjusted, level)
    others = range(1, min(listed, len(models)))
    used = sorted({int(code) for code in np.unique(pairs.method[0, 1:])})
    items = pairs.items[0, 1:]
    return {
        "method": " and ".join(METHODS[code] for code in used),
        "adjustment": "holm" if len(models) == adjusted.shape[1] else "bonferroni",
        "models": len(models),
        "items": None if np.isnan(items).all() else int(np.nanmin(items)),
        "abstains": _abstains(pairs, level),
        "group": [str(name) for name in models["model"][tied]],
        "with_leader": [
            {
                "model": str(models["model"][place]),
                "method": METHODS[pairs.method[0, place]],
                "items": _whole(pairs.items[0, place]),
                "difference": float(pairs.difference[0, place]),
                "standard_error": float(pairs.standard_error[0, place]),
                "p_value": float(pairs.p_value[0, place]),
                "p_value_mid": _mid_p(pairs, place),
                "only_leader": _whole(pairs.wins[0, place]),
                "only_model": _whole(pairs.wins[place, 0]),
                "p_adjusted": float(adjusted[0, place]),
                **_interval(models, pairs, place, level),
            }
            for place in others
        ],
    }


def _abstains(pairs: Pairs, level: float) -> str | None:
    """Why no model could be told from the leader, whatever the responses, if that is so."""
    if not (pairs.method[0, 1:] == CLUSTERED_T).all():
        return None
    most = float(np.max(pairs.degrees[0, 1:])) + 1
    m = len(pairs.difference)
    if np.exp2(1 - most) * m * (m - 1) / 2 <= 1 - level:
        return None
    return (
        f"the items hang together in clusters worth {most:.1f} equal ones; so few cannot tell any "
        f"two of {m} models apart at this level"
    )


def _whole(items: float) -> int | None:
    return None if np.isnan(items) else int(items)


def _mid_p(pairs: Pairs, place: int) -> float | None:
    """McNemar's mid-p value beside the exact one of a model and the leader."""
    if pairs.method[0, place] != MCNEMAR:
        return None
    return float(paired.mid_p(pairs.wins[0, place], pairs.wins[place, 0]))


def _interval(models: pd.DataFrame, pairs: Pairs, place: int, level: float) -> dict[str, float]:
    """Interval of the gap to the leader: Newcombe's for independent proportions, else Student's."""
    if pairs.method[0, place] == POOLED_Z:
        (a, b), (n_a, n_b) = models["score"].iloc[[0, place]], models["n_items"].iloc[[0, place]]
        lower, upper = intervals.newcombe(a * n_a, n_a, b * n_b, n_b, level)
    else:
        reach = scipy.special.stdtrit(pairs.degrees[0, place], 0.5 + level / 2)
        half = float(reach * pairs.standard_error[0, place])
        lower, upper = pairs.difference[0, place] - half, pairs.difference[0, place] + half
    return {"lower": float(lower), "upper": float(upper)}
