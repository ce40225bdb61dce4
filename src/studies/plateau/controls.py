"""Each conclusion of the study with test-set size taken out of the index, in several ways.

The size n is part of the index: more items make a smaller error, so that the same gap gives a lower
index. What differs in n differs in the index then, whatever its scores are. Every effect is
therefore computed again

- with one n for all benchmarks,
- with the ranks of the raw gap between first and k-th score, which contain no error at all,

and is put beside what it would be if the sizes were shuffled over the benchmarks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.arrays import Floats, Places
from saturation.index import SATURATED_FROM, saturation_index
from saturation.statistics import intervals
from saturation.statistics.intervals import ALPHA
from saturation.statistics.resampling import p_value
from studies.correlation import Ranks, partial_spearman, row_correlations
from studies.correlation import ranks as ranked
from studies.plateau import groupings, hypotheses, resampling
from studies.plateau.hypotheses import AGE
from studies.plateau.uncertainty import raw_gap

# An effect is a difference of mean indices or of saturated shares, or a rank correlation.
MEAN, SHARE, RANK = "mean", "share", "rank"


@dataclass(frozen=True)
class Conclusion:
    """One effect that the study draws a conclusion from.

    - ``variable``: hypothesis of a comparison of two groups, or the column that the index is
      correlated with.
    - ``measure``: kind of effect: `MEAN` or `SHARE` of two groups, `RANK` of a column.
    """

    variable: str
    measure: str = MEAN
    grouping: str = "primary"


CONCLUSIONS = {
    "h1": Conclusion("h1"),
    "h2": Conclusion("h2"),
    "h3": Conclusion("h3"),
    "h3_expert": Conclusion("h3", grouping="expert"),
    "h4": Conclusion("h4"),
    "age": Conclusion(AGE, RANK),
    "citations": Conclusion("citations", RANK),
    "h6": Conclusion("h6"),
    "h6_tags_or_notes": Conclusion("h6", grouping="tags_or_notes"),
    "quality": Conclusion("quality"),
    "quality_share": Conclusion("quality", SHARE),
    "test_size": Conclusion("n_test", RANK),
}
"""The effects by name; differences are first group minus second."""

ADJUSTED = {"none": (), "age": (AGE,)}
"""What is held fixed, by name."""


class Sample(NamedTuple):
    """Benchmarks of an effect: their row numbers, its variable and the covariates."""

    rows: Places
    variable: Floats
    given: Floats


def samples(data: pd.DataFrame) -> dict[tuple[str, str], Sample]:
    """Return the benchmarks of each effect, by its name and its covariates."""
    groups = groupings.memberships(data)
    samples_by_effect = {}
    for name, conclusion in CONCLUSIONS.items():
        if conclusion.measure == RANK:
            variable = np.asarray(data[conclusion.variable].astype(float), float)
        else:
            variable = groups[conclusion.variable, conclusion.grouping]
        rows = np.flatnonzero(np.isfinite(variable))
        for adjusted, covariates in ADJUSTED.items():
            if conclusion.variable not in covariates:
                given = data[list(covariates)].to_numpy(float)[rows]
                samples_by_effect[name, adjusted] = Sample(rows, variable[rows], given)
    return samples_by_effect


def contrast(chosen: Sample) -> Floats:
    """Weights of outcomes that give their least-squares slope on the variable.

    One weight a benchmark of the sample; NaN where there is no slope.
    """
    design = np.column_stack([chosen.variable, np.ones(len(chosen.rows)), chosen.given])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return np.full(len(chosen.rows), np.nan)
    weights: Floats = np.linalg.pinv(design)[0]
    return weights


def shuffled_effects(
    data: pd.DataFrame,
    samples: Mapping[tuple[str, str], Sample],
    drawn: resampling.Orders,
    saturated_from: float = SATURATED_FROM,
) -> dict[tuple[str, str], Floats]:
    """Every effect on the index under every deal of the sizes.

    Effects by the key of their sample, one a deal; NaN where an effect is not defined.
    """
    s_1, s_k = data["s_1"].to_numpy(), data["s_k"].to_numpy()
    n_test, alpha = data["n_test"].to_numpy(float), data["alpha"].iloc[0]
    size_ranks = ranked(n_test)
    weights = {
        key: _weights(sample, len(data))
        for key, sample in samples.items()
        if CONCLUSIONS[key[0]].measure != RANK
    }
    parts: dict[tuple[str, str], list[Floats]] = {key: [] for key in samples}
    for rows in resampling.batches(len(drawn), len(data)):
        deal = drawn[rows].astype(np.intp)
        shuffled = saturation_index(s_1, s_k, n_test[deal], alpha)
        shares = (shuffled >= saturated_from).astype(float)
        for key, weight in weights.items():
            values = shares if CONCLUSIONS[key[0]].measure == SHARE else shuffled
            parts[key].append(values @ weight)
        by_rank = {key: sample for key, sample in samples.items() if key not in weights}
        for key, effects in _correlations_by_rank(by_rank, shuffled, size_ranks[deal]):
            parts[key].append(effects)
    return {key: np.concatenate([np.empty(0), *effects]) for key, effects in parts.items()}


def _correlations_by_rank(
    samples: Mapping[tuple[str, str], Sample], shuffled: Floats, size_ranks: Ranks
) -> Iterator[tuple[tuple[str, str], Floats]]:
    """Yield the rank correlation of each sample under each shuffle; ranks are computed once."""
    ranks = {}
    for key, sample in samples.items():
        rows = sample.rows.tobytes()
        if rows not in ranks:
            ranks[rows] = ranked(shuffled[:, sample.rows])
        of_size = CONCLUSIONS[key[0]].variable == "n_test"
        variable = size_ranks if of_size else ranked(sample.variable)[None]
        yield key, row_correlations(variable, ranks[rows], sample.given)


def _weights(chosen: Sample, n: int) -> Floats:
    """Return every benchmark's weight in an effect; all missing where the effect is undefined."""
    slope = contrast(chosen)
    weights = np.full(n, 0.0 if np.isfinite(slope).all() else np.nan)
    weights[chosen.rows] = slope
    return weights


# Test-set sizes that all benchmarks are given: about the median of the English-only ones, and less.
SAME_N = (500, 1000, 3000)

# Benchmarks without which nothing is compared.
LEAST = 3

INDEX, GAP_RANK, SHUFFLED = "index", "gap_rank", "dealt_n"


def controls(
    data: pd.DataFrame,
    *,
    seed: int,
    permutations: int,
    same_n: Sequence[int] = SAME_N,
    saturated_from: float = SATURATED_FROM,
) -> pd.DataFrame:
    """Compute the study's table ``controls``.

    Parameters
    ----------
    data
        Annotations and index of every benchmark (:func:`saturation.index.annotated`).
    seed
        The config's seed. The permutation tests of the index take the orders of
        :func:`studies.plateau.hypotheses.tables` and repeat its p-values.
    permutations
        Orders of each permutation test, and deals of the test-set sizes, where they are affordable.
    same_n
        Test-set sizes that all benchmarks are given.
    saturated_from
        Index from which a benchmark counts as saturated.

    Returns
    -------
    pandas.DataFrame
        ``conclusion, adjusted, measure, control, effect, lower, upper, p_value, n, note``. Of the
        controls ``index``, ``same_n_N`` and ``gap_rank`` the interval is HC3's (a
        correlation's Fisher's), the p-value that of a permutation test (correlations: a t test). Of
        ``dealt_n`` effect and interval are mean and central 95 % over the shuffles, and the p-value
        is that of the index's own effect among them.
    """
    outcomes = outcome_table(data, same_n)
    deals = resampling.affordable(permutations, len(data))
    chosen_by = samples(data)
    rng = seeds.generator(seed, "plateau", "controls", SHUFFLED)
    deal = resampling.orders(len(data), deals, rng)
    nulls = shuffled_effects(data, chosen_by, deal, saturated_from)
    permuted = _orders(chosen_by, seed, permutations)
    rows = []
    for (name, adjusted), sample in chosen_by.items():
        measure = CONCLUSIONS[name].measure
        values = _measured(outcomes, measure, saturated_from)
        tested = _tested(values.to_numpy()[sample.rows], sample, permuted.get(name))
        null = nulls[name, adjusted]
        estimates = [*tested, _shuffled(tested[0]["estimate"], null)]
        key = {"conclusion": name, "adjusted": adjusted, "measure": measure}
        for control, estimate in zip([*values.columns, SHUFFLED], estimates, strict=True):
            rows.append({**key, "control": control, **estimate, "n": len(sample.rows)})
    table = pd.DataFrame(rows).rename(columns={"estimate": "effect"})
    return table.assign(note=table["p_value"].map(lambda p: NOT_DEFINED if np.isnan(p) else None))


def _tested(
    outcomes: Floats, chosen: Sample, drawn: resampling.Orders | None
) -> Sequence[Mapping[str, Any]]:
    """Test the effect on each outcome: a difference of groups, else a correlation."""
    if len(chosen.rows) < LEAST:
        return [UNDEFINED] * outcomes.shape[1]
    if drawn is None:
        return [
            partial_spearman(chosen.variable, outcome, *chosen.given.T) for outcome in outcomes.T
        ]
    _, p_values = resampling.adjusted_f_tests(outcomes, chosen.variable, chosen.given, drawn)
    return [
        dict(zip(UNDEFINED, (*resampling.slope(outcome, chosen.variable, chosen.given), p)))
        if np.isfinite(p)
        else UNDEFINED
        for outcome, p in zip(outcomes.T, p_values, strict=True)
    ]


def _orders(
    chosen_by: Mapping[tuple[str, str], Sample], seed: int, permutations: int
) -> dict[str, resampling.Orders]:
    """Return the orders of each comparison's permutation tests in the table ``tests``."""
    orders = {}
    for (name, _), sample in chosen_by.items():
        conclusion = CONCLUSIONS[name]
        if conclusion.measure != RANK and name not in orders:
            rng = hypotheses.generator(seed, conclusion.variable, conclusion.grouping)
            number = resampling.affordable(permutations, len(sample.rows))
            orders[name] = resampling.orders(len(sample.rows), number, rng)
    return orders


def judge_without_n(table: pd.DataFrame) -> pd.DataFrame:
    """Return effects shown on the index, and which of them remain without n.

    A row an effect: ``conclusion, adjusted``; ``shown``: p of at most 0.05 on the index;
    ``kept``: shown, and of the same sign with p of at most 0.05 at every common n and on the
    ranks of the raw gap.
    """
    keys = ["conclusion", "adjusted"]
    on_index = table[table["control"] == INDEX].set_index(keys)
    free = table["control"].str.startswith("same_n_") | (table["control"] == GAP_RANK)
    other_tests = table[free].set_index(keys)
    sign = np.sign(on_index["effect"]).reindex(other_tests.index)
    agrees = (other_tests["p_value"] <= ALPHA) & (np.sign(other_tests["effect"]) == sign)
    significant = on_index["p_value"] <= ALPHA
    robust = significant & agrees.groupby(level=keys).all().reindex(significant.index)
    return pd.DataFrame({"shown": significant, "kept": robust}).reset_index()


def outcome_table(data: pd.DataFrame, same_n: Sequence[int] = SAME_N) -> pd.DataFrame:
    """Compute each benchmark's saturation under each control, a column each.

    Indices, and for ``gap_rank`` the share of benchmarks with a larger raw gap (ties count
    half).
    """
    s_1, s_k = data["s_1"].to_numpy(), data["s_k"].to_numpy()
    alpha = data["alpha"].iloc[0]

    return pd.DataFrame(
        {
            INDEX: data["s_index"].to_numpy(),
            **{f"same_n_{n}": saturation_index(s_1, s_k, n, alpha) for n in same_n},
            GAP_RANK: (ranked(-raw_gap(s_1, s_k)) - 0.5) / len(data),
        }
    )


def _measured(outcomes: pd.DataFrame, measure: str, saturated_from: float) -> pd.DataFrame:
    """Return the outcomes as the measure takes them; a rank has no threshold."""
    if measure != SHARE:
        return outcomes
    return (outcomes.drop(columns=GAP_RANK) >= saturated_from).astype(float)


UNDEFINED = dict.fromkeys(("estimate", "lower", "upper", "p_value"), np.nan)
NOT_DEFINED = "not defined: too few benchmarks, or nothing varies"


def _shuffled(observed: float, null: Floats) -> Mapping[str, float]:
    """Return mean and central 95 % of the effect over shuffles, and the place of the observed."""
    if not len(null) or not np.isfinite(observed) or not np.isfinite(null).all():
        return UNDEFINED
    mean = null.mean()
    p = p_value(abs(observed - mean), np.abs(null - mean))
    return dict(zip(UNDEFINED, (mean, *intervals.percentile(null), p)))
