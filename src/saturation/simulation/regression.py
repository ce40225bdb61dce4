"""The regression's intervals: of effects, of predictions, and of its held-out scores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from saturation.regression import calibration, validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws, predicted
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification
from saturation.simulation.check import Check, Outcome
from saturation.statistics import intervals, simulation_ranks

Array = NDArray[np.float64]

MODEL = Specification("benchmarks", "s_index", "beta", Priors(1.5, 1.0, 20.0), "simulated")
# A highest-density interval of few draws is too narrow.
EFFORT = Effort(draws=1000, tune=300, chains=2)
ROWS, COLUMNS, NEW = 30, 4, 8
RANKED = 99


@dataclass(frozen=True)
class Fit:
    """A posterior of simulated data, and what it is measured against.

    Attributes
    ----------
    new
        Rows of the same truth that the posterior has not seen.
    """

    truth: Array
    draws: Draws
    new: Design


def fitted(rng: np.random.Generator) -> Fit:
    """Parameters from the prior, data from them, and the posterior of all but the last rows."""
    from saturation.regression.posterior import draw

    names = np.array([f"b{row:02d}" for row in range(ROWS + NEW)])
    matrix = np.column_stack([np.ones(len(names)), rng.normal(size=(len(names), COLUMNS - 1))])
    truth, outcome = calibration.simulated(matrix, MODEL.priors, rng)
    columns = ["Intercept", *(f"x{column}" for column in range(1, COLUMNS))]
    design = Design(columns, matrix, outcome, outcome >= np.median(outcome), names)
    last = np.arange(len(names)) >= ROWS
    posterior = draw(design.without(last), MODEL, EFFORT, int(rng.integers(2**31)))
    return Fit(truth, Draws.of(posterior), design.without(~last))


def effects(rng: np.random.Generator, data_sets: int) -> Outcome:
    """Intervals of the coefficients that hold the true one."""
    hits = 0
    for _ in range(data_sets):
        fit = fitted(rng)
        table = validation.coefficients(fit.draws, fit.new, "beta", MODEL.priors)
        inside = fit.truth[:-1].clip(table["lower_95"], table["upper_95"]) == fit.truth[:-1]
        hits += int(inside.sum())
    return Outcome(hits, data_sets * COLUMNS)


def outer_ranks(rng: np.random.Generator, data_sets: int) -> Outcome:
    """Ranks of true parameters among draws that lie in the lowest or the highest tenth."""
    hits = 0
    for _ in range(data_sets):
        fit = fitted(rng)
        draws = np.column_stack([fit.draws.coefficient, fit.draws.widths()]).T
        ranks = simulation_ranks.ranks(fit.truth, draws, RANKED)
        hits += int(((ranks < (RANKED + 1) // 10) | (ranks > RANKED - (RANKED + 1) // 10)).sum())
    return Outcome(hits, data_sets * (COLUMNS + 1))


def held_out_outcomes(rng: np.random.Generator, data_sets: int) -> Outcome:
    """Predictive intervals of new rows that hold their outcome."""
    hits = 0
    for _ in range(data_sets):
        fit = fitted(rng)
        said = predicted(fit.draws, fit.new.matrix, fit.new.outcome, "beta", rng)
        table = validation.predictions(said, fit.new)
        hits += int(table["outcome"].between(table["lower"], table["upper"]).sum())
    return Outcome(hits, data_sets * NEW)


# Held-out scores need thousands of refits: ridge regression, whose folds have a closed form, stands
# in for the posterior mean. The scores, their intervals and the folds are those of the study.
BENCHMARKS, FOLDS, PENALTY = 60, 10, 2.0
FRESH = 600


def ridge(matrix: Array, outcome: Array) -> Array:
    """Coefficients of ridge regressions, one a data set; shapes (..., n, p), (..., n)."""
    square = np.swapaxes(matrix, -1, -2) @ matrix + PENALTY * np.eye(matrix.shape[-1])
    pulled = np.swapaxes(matrix, -1, -2) @ outcome[..., None]
    found: Array = np.linalg.solve(square, pulled).astype(float)[..., 0]
    return found


def held_out_table(outcome: Array, prediction: Array) -> pd.DataFrame:
    """Predictions in the shape of :func:`saturation.regression.validation.predictions`."""
    lower, upper = stats.norm.interval(intervals.LEVEL, prediction)
    return pd.DataFrame(
        {
            "benchmark_id": np.arange(len(outcome)),
            "outcome": outcome,
            "saturated": outcome >= 0,
            "prediction": prediction,
            "elpd": stats.norm.logpdf(outcome, prediction),
            "lower": lower,
            "upper": upper,
        }
    )


@dataclass(frozen=True)
class Data:
    """Benchmarks with the folds in which they leave, and many more of the same kind."""

    matrix: Array
    outcome: Array
    fold: NDArray[np.int64]
    new: Array
    new_outcome: Array


def made(rng: np.random.Generator, effect: Array) -> Data:
    """Normal properties and outcomes with noise of standard deviation 1."""
    matrix, new = (rng.normal(size=(rows, len(effect))) for rows in (BENCHMARKS, FRESH))
    outcome, new_outcome = (x @ effect + rng.normal(size=len(x)) for x in (matrix, new))
    return Data(matrix, outcome, rng.permutation(BENCHMARKS) % FOLDS, new, new_outcome)


def scored(data: Data, columns: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Predictions of the benchmarks in folds, and those of the new ones by the same models."""
    kept = np.array([np.flatnonzero(data.fold != number) for number in range(FOLDS)])
    matrix, new = data.matrix[:, :columns], data.new[:, :columns]
    found = ridge(matrix[kept], data.outcome[kept])
    return (
        held_out_table(data.outcome, (matrix * found[data.fold]).sum(axis=1)),
        held_out_table(data.new_outcome, (new * found[np.arange(FRESH) % FOLDS]).sum(axis=1)),
    )


def held_out_score(
    rng: np.random.Generator, data_sets: int, *, measure: str, effect: Array
) -> Outcome:
    """Intervals of a held-out score that hold what such models reach on all such benchmarks."""
    limits, truths = [], []
    for _ in range(data_sets):
        held, new = (
            validation.of_predictions(table, "s_index", resamples, rng, parts=FOLDS)
            .set_index("measure")
            .loc[measure]
            for table, resamples in zip(
                scored(made(rng, effect), len(effect)), (1000, 2), strict=True
            )
        )
        limits.append(held[["lower", "upper"]].to_numpy(dtype=float))
        truths.append(new["value"])
    truth = np.mean(truths) * (BENCHMARKS / FRESH if measure == "elpd" else 1)
    return _holding(np.array(limits), float(truth))


def elpd_difference(
    rng: np.random.Generator, data_sets: int, *, effect: Array, columns: int
) -> Outcome:
    """Differences of two models' elpd within 1.96 standard errors of the true one."""
    limits, truths = [], []
    for _ in range(data_sets):
        data = made(rng, effect)
        (narrow, new_narrow), (wide, new_wide) = (
            scored(data, width) for width in (columns, len(effect))
        )
        table = validation.compare({"narrow": narrow, "wide": wide}, FOLDS).set_index("model")
        sign = 1 if table.index[0] == "narrow" else -1
        difference = sign * table["difference"].iloc[1]
        half = stats.norm.ppf(0.5 + intervals.LEVEL / 2) * table["difference_se"].iloc[1]
        limits.append([difference - half, difference + half])
        truths.append(float((new_wide["elpd"] - new_narrow["elpd"]).sum()))
    return _holding(np.array(limits), float(np.mean(truths)) * BENCHMARKS / FRESH)


def _holding(limits: Array, truth: float) -> Outcome:
    lower, upper = limits.T
    return Outcome(int(((lower <= truth) & (truth <= upper)).sum()), len(limits))


FEW = np.array([0.5, 0.3, 0.2, 0.1, 0.0])
MANY = np.append([0.4, 0.3, 0.2], np.zeros(16))
DESIGNS = {
    "few": ("5 properties, 4 with an effect", FEW),
    "many": ("19 properties, 3 with an effect", MANY),
}
POSTERIOR = (
    f"Beta regression of {ROWS} benchmarks on {COLUMNS - 1} properties, truth drawn from the prior"
)
SCORES = {
    "r2_prediction": "R2 of the mean predictions",
    "auroc_prediction": "AUROC of the mean predictions",
    "elpd": "sum of log predictive densities",
}


def _score(measure: str, design: str) -> Check:
    scenario, effect = DESIGNS[design]
    return Check(
        name=f"regression_held_out_{measure}_{design}",
        estimator="regression.validation.of_predictions",
        statement=f"the 95 % interval contains the {SCORES[measure]} that such models reach",
        scenario=f"{BENCHMARKS} benchmarks in {FOLDS} folds, {scenario}, ridge regression",
        stated=0.95,
        lower=0.93,
        # The stretch is a little more than AUROC needs.
        upper=0.995,
        data_sets=600,
        simulate=partial(held_out_score, measure=measure, effect=effect),
    )


def _posterior(
    name: str,
    estimator: str,
    statement: str,
    stated: float,
    within: float,
    simulate: Callable[[np.random.Generator, int], Outcome],
) -> Check:
    return Check(
        name=f"regression_{name}",
        estimator=estimator,
        statement=statement,
        scenario=POSTERIOR,
        stated=stated,
        lower=stated - within,
        upper=stated + within,
        data_sets=250,
        simulate=simulate,
    )


CHECKS: tuple[Check, ...] = (
    _posterior(
        "effects",
        "regression.validation.coefficients",
        "the 95 % highest-density interval contains the coefficient",
        0.95,
        0.02,
        effects,
    ),
    _posterior(
        "ranks",
        "regression.posterior.draw",
        "one rank in five of the true parameter among its draws lies in the outer two tenths",
        0.2,
        0.03,
        outer_ranks,
    ),
    _posterior(
        "predictive",
        "regression.validation.predictions",
        "the 95 % predictive interval contains the outcome of a benchmark that was left out",
        0.95,
        0.02,
        held_out_outcomes,
    ),
    *(_score(measure, design) for measure in SCORES for design in DESIGNS),
    Check(
        name="regression_elpd_difference",
        estimator="regression.validation.compare",
        statement="the difference of two elpds lies within 1.96 standard errors of the true one",
        scenario=f"{BENCHMARKS} benchmarks in {FOLDS} folds, 3 properties with an effect, "
        "and 16 more without",
        stated=0.95,
        lower=0.93,
        upper=0.99,
        data_sets=600,
        simulate=partial(elpd_difference, effect=MANY, columns=3),
    ),
)
