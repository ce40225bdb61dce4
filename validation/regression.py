"""The regression's intervals: of effects, of predictions, and of its held-out scores."""

import functools
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from saturation.statistics import intervals
from studies.regression import posterior, validation
from studies.regression.design import Design
from studies.regression.predictive import Draws, predicted
from studies.regression.priors import Effort, Priors, Specification
from validation.check import COVERAGE, Check, Outcome, Rng, covered, repeated

Array = NDArray[np.float64]

MODEL = Specification("benchmarks", "s_index", "beta", Priors(1.5, 1.0, 20.0), "simulated")
# A highest-density interval of few draws is too narrow.
EFFORT = Effort(draws=1000, tune=300, chains=2)
ROWS, COLUMNS, NEW = 30, 4, 8
RANKED = 99


@dataclass(frozen=True)
class Fit:
    """A posterior of simulated data, and what it is measured against."""

    # Coefficients, then the precision.
    truth: Array
    draws: Draws
    # Rows of the same truth that the posterior has not seen.
    new: Design


def fitted(rng: Rng) -> Fit:
    """Parameters from the prior, data from them, and the posterior of all but the last rows."""
    names = np.array([f"b{row:02d}" for row in range(ROWS + NEW)])
    matrix = np.column_stack([np.ones(len(names)), rng.normal(size=(len(names), COLUMNS - 1))])
    truth, outcome = validation.simulated(matrix, MODEL.priors, rng)
    columns = ["Intercept", *(f"x{column}" for column in range(1, COLUMNS))]
    design = Design(columns, matrix, outcome, outcome >= np.median(outcome), names)
    last = np.arange(len(names)) >= ROWS
    seen = design.drop_rows(last)
    drawn = _compiled()(seen, int(rng.integers(2**31)), EFFORT)
    return Fit(truth, Draws.extract(drawn), design.drop_rows(~last))


@functools.cache
def _compiled() -> posterior.Draw:
    """The model, compiled once: its data are put in later."""
    columns = ["Intercept", *(f"x{column}" for column in range(1, COLUMNS))]
    row = np.ones((1, COLUMNS))
    empty = Design(columns, row, np.array([0.5]), np.ones(1, bool), np.array(["b"]))
    return posterior.sampler(empty, MODEL)


def _effects(rng: Rng) -> list[bool]:
    """Intervals of the coefficients that hold the true one."""
    fit = fitted(rng)
    table = validation.coefficients(fit.draws.coefficient, fit.new.columns)
    return list(fit.truth[:-1].clip(table["lower_95"], table["upper_95"]) == fit.truth[:-1])


def _outer_ranks(rng: Rng) -> list[bool]:
    """Ranks of true parameters among draws that lie in the lowest or the highest tenth."""
    fit = fitted(rng)
    draws = np.column_stack([fit.draws.coefficient, fit.draws.widths()]).T
    ranks = validation.simulation_ranks(fit.truth, draws, RANKED)
    tenth = (RANKED + 1) // 10
    return list((ranks < tenth) | (ranks > RANKED - tenth))


def _left_out_outcomes(rng: Rng) -> list[bool]:
    """Predictive intervals of new rows that hold their outcome."""
    fit = fitted(rng)
    said = predicted(fit.draws, fit.new.matrix, fit.new.outcome, "beta", rng)
    table = validation.predictions(said, fit.new)
    return list(table["outcome"].between(table["lower"], table["upper"]))


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
    """Predictions in the shape of :func:`studies.regression.validation.predictions`."""
    lower, upper = stats.norm.interval(intervals.CONFIDENCE, prediction)
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


def made(rng: Rng, effect: Array) -> Data:
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


def _held_out_score(measure: str, effect: Array, rng: Rng, data_sets: int) -> Outcome:
    """Intervals of a held-out score that hold what such models reach on all such benchmarks."""
    limits, truths = [], []
    for _ in range(data_sets):
        held, new = (
            validation.score_predictions(table, "s_index", resamples, rng, parts=FOLDS)
            .set_index("measure")
            .loc[measure]
            for table, resamples in zip(
                scored(made(rng, effect), len(effect)), (1000, 2), strict=True
            )
        )
        limits.append((held["lower"], held["upper"]))
        truths.append(new["value"])
    truth = np.mean(truths) * (BENCHMARKS / FRESH if measure == "elpd" else 1)
    lower, upper = np.transpose(limits)
    return covered(lower, upper, truth)


def _elpd_difference(effect: Array, columns: int, rng: Rng, data_sets: int) -> Outcome:
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
        half = stats.norm.ppf(0.5 + intervals.CONFIDENCE / 2) * table["difference_se"].iloc[1]
        limits.append((difference - half, difference + half))
        truths.append(float((new_wide["elpd"] - new_narrow["elpd"]).sum()))
    lower, upper = np.transpose(limits)
    return covered(lower, upper, np.mean(truths) * BENCHMARKS / FRESH)


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


CHECKS = (
    Check(
        "regression_effects", "regression.validation.coefficients",
        "the 95 % highest-density interval contains the coefficient", POSTERIOR,
        **COVERAGE, data_sets=400, simulate=repeated(_effects),
    ),
    Check(
        "regression_ranks", "regression.posterior.sampler",
        "one rank in five of the true parameter among its draws lies in the outer two tenths",
        POSTERIOR, stated=0.2, safe="neither", data_sets=400, simulate=repeated(_outer_ranks),
    ),
    Check(
        "regression_predictive", "regression.validation.predictions",
        "the 95 % predictive interval contains the outcome of a benchmark that was left out",
        POSTERIOR, **COVERAGE, data_sets=400, simulate=repeated(_left_out_outcomes),
    ),
    *(
        Check(
            f"regression_held_out_{measure}_{design}", "regression.validation.score_predictions",
            f"the 95 % interval contains the {said} that such models reach",
            f"{BENCHMARKS} benchmarks in {FOLDS} folds, {scenario}, ridge regression",
            **COVERAGE, data_sets=600, simulate=partial(_held_out_score, measure, effect),
        )
        for measure, said in SCORES.items()
        for design, (scenario, effect) in DESIGNS.items()
    ),
    Check(
        "regression_elpd_difference", "regression.validation.compare",
        "the difference of two elpds lies within 1.96 standard errors of the true one",
        f"{BENCHMARKS} benchmarks in {FOLDS} folds, 3 properties with an effect, "
        "and 16 more without",
        **COVERAGE, data_sets=600, simulate=partial(_elpd_difference, MANY, 3),
    ),
)  # fmt: skip
