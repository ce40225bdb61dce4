"""The plateau study's controls: deals of n, bootstrap of the benchmarks, gaps of equal models.

Benchmarks are made up with the shapes of the study: 60 of them, groups of 6 to 30, indices that
crowd at both ends, sizes from some dozens to hundreds of thousands.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import index_table, saturation_index
from saturation.plateau.controls import Sample, contrast, dealt_effects
from saturation.plateau.equal_top import ITEMS, equal_top
from saturation.simulation.check import Check, Outcome
from saturation.statistics import intervals, resampling

Array = NDArray[np.float64]

BENCHMARKS = 60
LEVEL = 0.05


def _benchmarks(rng: np.random.Generator) -> pd.DataFrame:
    """Scores, sizes and index of made-up benchmarks that have nothing to do with each other."""
    s_1 = rng.uniform(0.5, 0.99, BENCHMARKS)
    s_k = s_1 * (1 - rng.beta(0.7, 10, BENCHMARKS))
    n_test = np.round(np.exp(rng.normal(8, 1.8, BENCHMARKS))).clip(20)
    table = pd.DataFrame({"s_1": s_1, "s_k": s_k, "n_test": n_test, "alpha": 0.5})
    return table.assign(s_index=saturation_index(s_1, s_k, n_test))


def dealt_n_level(first: int, given: bool, rng: np.random.Generator, data_sets: int) -> Outcome:
    """How often an effect is called unlike those of dealt sizes though sizes are unrelated."""
    key = ("h2", "age" if given else "none")
    hits = 0
    for _ in range(data_sets):
        data = _benchmarks(rng)
        member = (rng.permutation(BENCHMARKS) < first).astype(np.float64)
        age: Array = data["s_1"].to_numpy(float) * 40 + 10 * member
        age += rng.uniform(1, 40, BENCHMARKS)
        chosen = Sample(np.arange(BENCHMARKS), member, age[:, None][:, : int(given)])
        drawn = resampling.orders(BENCHMARKS, 199, rng)
        null = dealt_effects(data, {key: chosen}, drawn)[key]
        observed = float(data["s_index"].to_numpy() @ contrast(chosen))
        distance = np.abs(null - null.mean())
        hits += resampling.p_value(abs(observed - null.mean()), distance) <= LEVEL
    return Outcome(hits, data_sets)


def permutation_level(first: int, rng: np.random.Generator, data_sets: int) -> Outcome:
    """How often a group effect at equal age is called significant where only age has one."""
    hits = 0
    for _ in range(data_sets):
        member = (np.arange(BENCHMARKS) < first) * 1.0
        age = rng.gamma(2, 18, BENCHMARKS) + 20 * member
        outcome = rng.beta(0.4, 0.4, BENCHMARKS) + 0.005 * age
        drawn = resampling.orders(BENCHMARKS, 199, rng)
        hits += resampling.adjusted_f_test(outcome, member, age, drawn)[1] <= LEVEL
    return Outcome(hits, data_sets)


def bootstrap_covers(
    first: int, shape: tuple[float, float], rng: np.random.Generator, data_sets: int
) -> Outcome:
    """How often the interval of a difference at equal age holds the true one.

    The first group's indices are ``beta(0.4, 0.4)``, the others' ``beta(*shape)``.
    """
    true = 0.5 - shape[0] / sum(shape)
    member = (np.arange(BENCHMARKS) < first) * 1.0
    hits = 0
    for _ in range(data_sets):
        age = rng.gamma(2, 18, BENCHMARKS)
        others = rng.beta(*shape, BENCHMARKS)
        index = np.where(member == 1, rng.beta(0.4, 0.4, BENCHMARKS), others) + 0.002 * age
        _, lower, upper = resampling.slopes(index[:, None], member, age[:, None], rng, 599)
        hits += bool(lower[0] <= true <= upper[0])
    return Outcome(hits, data_sets)


def rank_bootstrap_covers(
    correlation: float, given: bool, rng: np.random.Generator, data_sets: int
) -> Outcome:
    """How often the interval of a rank correlation holds that of the law, 53 benchmarks.

    Pairs are normal with this correlation, whose Spearman correlation is 6 asin(r / 2) / pi; what
    is held fixed has nothing to do with either.
    """
    true = 6 / np.pi * np.arcsin(correlation / 2)
    law = [[1, correlation], [correlation, 1]]
    hits = 0
    for _ in range(data_sets):
        x, y = rng.multivariate_normal([0, 0], law, 53).T
        held = rng.normal(size=(53, int(given)))
        lower, upper = resampling.rank_correlations(y[:, None], x, held, rng, 599)
        hits += bool(lower[0] <= true <= upper[0])
    return Outcome(hits, data_sets)


def equal_top_level(
    models: int, items: int, score: float, rng: np.random.Generator, data_sets: int
) -> Outcome:
    """How often the gap of equal models is called larger than theirs, scores as observed."""
    results = np.sort(rng.binomial(items, score, (data_sets, models)), axis=1)[:, -5:] / items
    return Outcome(int((_p_larger(results, models, items, 0.0) <= LEVEL).sum()), data_sets)


def shared_items_level(
    models: int, items: int, dependence: float, rng: np.random.Generator, data_sets: int
) -> Outcome:
    """The same where models share how hard the items are, the correlation known.

    Difficulties follow a beta law with mean 0.7 that makes two models' answers correlate so.
    """
    strength = 1 / dependence - 1
    gaps = np.empty((data_sets, 5))
    for place in range(data_sets):
        chance = rng.beta(0.7 * strength, 0.3 * strength, items)
        scores = (rng.random((models, items)) < chance).mean(axis=1)
        gaps[place] = np.sort(scores)[-5:]
    return Outcome(int((_p_larger(gaps, models, items, dependence) <= LEVEL).sum()), data_sets)


def _p_larger(results: Array, models: int, items: int, dependence: float) -> Array:
    """Probability that equal models have a gap as large as each row's first to fifth score."""
    names = [f"b{place:06}" for place in range(len(results))]
    scores = pd.DataFrame({"benchmark_id": np.repeat(names, 5), "score": results.ravel()})
    benchmarks = pd.DataFrame({"benchmark_id": names, "n_test": items})
    index = index_table(benchmarks, scores)
    table = equal_top(index, scores, models=(models,), dependence=(dependence,))
    return table.loc[table["errors"] == ITEMS, "p_larger"].to_numpy()


def _level(
    name: str,
    estimator: str,
    scenario: str,
    simulate: Callable[[np.random.Generator, int], Outcome],
    limits: tuple[float, float] = (0.03, 0.07),
    data_sets: int = 1000,
) -> Check:
    return Check(
        name=f"plateau_{name}",
        estimator=estimator,
        statement="p is at most 0.05 in 5 % of the data sets without an effect",
        scenario=scenario,
        stated=LEVEL,
        lower=limits[0],
        upper=limits[1],
        data_sets=data_sets,
        simulate=simulate,
    )


def _coverage(
    name: str,
    estimator: str,
    scenario: str,
    simulate: Callable[[np.random.Generator, int], Outcome],
) -> Check:
    return Check(
        name=f"plateau_{name}",
        estimator=estimator,
        statement="the 95 % interval of the bootstrap of the benchmarks contains the true effect",
        scenario=scenario,
        stated=intervals.LEVEL,
        lower=0.925,
        upper=0.99,
        data_sets=1000,
        simulate=simulate,
    )


_U, _LOW = (0.4, 0.4), (0.5, 2.0)

CHECKS: tuple[Check, ...] = (
    *(
        _level(
            f"dealt_n_{first}{'_age' if given else ''}",
            "plateau.dealt.dealt_effects",
            f"{first} of 60 benchmarks in one group, sizes unrelated to all else"
            + (", at equal age" if given else ""),
            partial(dealt_n_level, first, given),
        )
        for first, given in ((16, False), (44, True), (6, True))
    ),
    *(
        _level(
            f"permutation_{first}_age",
            "statistics.permutation.adjusted_f_test",
            f"{first} of 60 benchmarks in one group, older by 20 months; the index follows age",
            partial(permutation_level, first),
        )
        for first in (6, 16, 29)
    ),
    *(
        _coverage(
            f"bootstrap_{first}_{name}",
            "statistics.bootstrap.slopes",
            f"{first} of 60 benchmarks in one group, indices {law}, at equal age",
            partial(bootstrap_covers, first, shape),
        )
        for first, name, law, shape in (
            (6, "alike", "of the same law", _U),
            (6, "unlike", "of another law", _LOW),
            (16, "alike", "of the same law", _U),
            (16, "unlike", "of another law", _LOW),
            (29, "unlike", "of another law", _LOW),
        )
    ),
    *(
        _coverage(
            f"bootstrap_rank_{round(10 * correlation)}{'_given' if given else ''}",
            "statistics.bootstrap.rank_correlations",
            f"53 benchmarks, normal pairs that correlate {correlation:g}"
            + (", another variable held fixed" if given else ""),
            partial(rank_bootstrap_covers, correlation, given),
        )
        for correlation, given in ((0.0, False), (0.3, True), (0.6, False))
    ),
    *(
        _level(
            f"equal_top_{models}_{items}",
            "plateau.equal_top.equal_top",
            f"the best five of {models} equal models, {items} items, true score {score:g}",
            partial(equal_top_level, models, items, score),
            # The picked scores lie above the true one, which makes the assumed errors too small.
            limits,
            data_sets=600,
        )
        for models, items, score, limits in (
            # Gaps of few items are few values, so that p jumps over 0.05.
            (5, 500, 0.8, (0.015, 0.07)),
            (20, 2000, 0.8, (0.03, 0.075)),
            (200, 15_000, 0.7, (0.03, 0.075)),
        )
    ),
    _level(
        "equal_top_shared",
        "plateau.equal_top.equal_top",
        "the best five of 20 equal models, 400 items whose difficulty they share (correlation 0.5)",
        partial(shared_items_level, 20, 400, 0.5),
        (0.02, 0.08),
        data_sets=600,
    ),
)
"""The checks of this subject."""
