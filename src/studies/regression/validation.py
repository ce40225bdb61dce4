"""Validate the regression's fit, in sample and held out, and its sampler's calibration.

The same measures in sample and held out. S draws, n rows, p columns.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation import seeds
from saturation.arrays import Bools, Floats, Integers
from saturation.files.tables import NamedTables, Row, round_as_csv
from saturation.statistics import intervals
from studies.regression import posterior
from studies.regression.design import Design, unsqueezed
from studies.regression.predictive import Draws, Predicted, predicted
from studies.regression.priors import Effort, Gate, Priors, Specification

# What a measure of fit was taken on: the rows that the model was fitted to, or rows that left it in
# folds or one benchmark at a time.
IN_SAMPLE = "in_sample"
HELD_OUT = FOLDS, SINGLY = ("folds", "singly")
# Simulated outcomes nearer to 0 or 1 than this lose digits in double precision.
EDGE = 1e-9


@dataclass(frozen=True)
class HeldOut:
    """Held-out predictions of a model.

    ``predictions`` has one row a benchmark, see :func:`predictions`; ``measures`` the fit of the
    draws, see :func:`summarise_draws`; ``refits`` one row a refit: ``fold, benchmarks, draws,
    rhat, ess, divergences``.
    """

    predictions: pd.DataFrame
    measures: pd.DataFrame
    refits: pd.DataFrame


def tables(
    design: Design,
    draws: Draws,
    held_out: Mapping[str, HeldOut],
    specification: Specification,
    *,
    saturated_from: float,
    bootstrap: int,
    seed: int,
) -> NamedTables:
    """Compute the tables of a model: ``validation, coefficients, checks``."""
    outcome, rng = specification.outcome, seeds.generator(seed, "checks")
    predicted_outcomes = predicted(
        draws, design.matrix, design.outcome, specification.likelihood, rng
    )
    inside = HeldOut(
        predictions(predicted_outcomes, design),
        summarise_draws(predicted_outcomes, design, outcome),
        pd.DataFrame(index=[0]),
    )
    measures = []
    for data, prediction in {IN_SAMPLE: inside, **held_out}.items():
        rng = seeds.generator(seed, "bootstrap")
        mean = score_predictions(
            prediction.predictions, outcome, bootstrap, rng, parts=len(prediction.refits)
        )
        measures.append(pd.concat([prediction.measures, mean]).assign(data=data))
    rows, columns = design.matrix.shape
    return {
        "validation": pd.concat(measures, ignore_index=True).assign(rows=rows, columns=columns),
        "coefficients": coefficients(draws.coefficient, design.columns),
        "checks": predictive_checks(predicted_outcomes.replicated, design, outcome, saturated_from),
    }


def r2_modelled(said: Predicted) -> Floats:
    """Bayesian R2 of each draw with the modelled residual variance (Gelman et al. 2019, eq. 3).

    Variance of the fit over itself plus the mean variance that the likelihood gives the residuals.
    """
    fit = said.mean.var(axis=1, ddof=1)
    share: Floats = fit / (fit + said.variance.mean(axis=1))
    return share


def r2_residual(said: Predicted, outcome: Floats) -> Floats:
    """Bayesian R2 of each draw with the variance of the realised residuals, shape (S,).

    The first definition of Gelman et al. (2019), which common software reports. It cannot be
    negative, also where the predictions are worse than the mean.
    """
    fit = said.mean.var(axis=1, ddof=1)
    share: Floats = fit / (fit + (outcome - said.mean).var(axis=1, ddof=1))
    return share


def auroc(score: Floats, positive: Bools) -> Floats:
    """Compute the area under the ROC curve of each row of scores (..., n); ties count half."""
    ranks = scipy.stats.rankdata(score, axis=-1)
    n, m = positive.sum(), (~positive).sum()
    area: Floats = (ranks[..., positive].sum(axis=-1) - n * (n + 1) / 2) / (n * m)
    return area


def saturation_score(prediction: Floats, outcome_name: str) -> Floats:
    """Prediction turned so that larger means more saturated: a large gap means less."""
    return -prediction if outcome_name == "log_gap" else prediction


def predictions(said: Predicted, design: Design) -> pd.DataFrame:
    """Mean prediction, log predictive density and 95 % predictive interval of every benchmark.

    The rows of a benchmark predict its outcome as a mixture in equal parts, so that it counts once
    however many rows it has.
    """
    rows = []
    for label in np.unique(design.benchmark):
        mask = design.benchmark == label
        first = np.flatnonzero(mask)[0]
        density = said.log_density[:, mask]
        lower, upper = intervals.percentile(said.replicated[:, mask].ravel())
        rows.append(
            {
                "benchmark_id": label,
                "outcome": design.outcome[first],
                "saturated": design.saturated[first],
                "prediction": said.mean[:, mask].mean(),
                "elpd": scipy.special.logsumexp(density) - np.log(density.size),
                "lower": lower,
                "upper": upper,
            }
        )
    return pd.DataFrame(rows)


def summarise_draws(said: Predicted, design: Design, outcome_name: str) -> pd.DataFrame:
    """Posterior mean, median, standard deviation and 95 % interval of R2 (twice) and AUROC."""
    measures = {
        "r2_modelled": r2_modelled(said),
        "r2_residual": r2_residual(said, design.outcome),
        "auroc": auroc(saturation_score(said.mean, outcome_name), design.saturated),
    }
    return pd.DataFrame([_summary(name, values) for name, values in measures.items()])


def stretch(parts: int) -> float:
    """Factor of a held-out score's standard error that counts the K refits too; 1 for K = 1.

    The corrected resampled variance (Nadeau and Bengio 2003): with a share 1/K held out, 1/K + 1 /
    (K - 1) in place of 1/K.
    """
    return 1.0 if parts == 1 else np.sqrt(1 + parts / (parts - 1))


def score_predictions(
    table: pd.DataFrame, outcome_name: str, resamples: int, rng: np.random.Generator, *, parts: int
) -> pd.DataFrame:
    """Fit of mean predictions; intervals by a Bayesian bootstrap over the benchmarks.

    A bootstrap of held-out predictions ignores the refits (``parts``), which share most of their
    benchmarks: deviations are stretched by :func:`stretch`.

    ``r2_prediction`` is ``1 - var(residual) / var(outcome)``, which is negative where predictions
    are worse than the mean; ``auroc_prediction`` the AUROC of the mean predictions; ``elpd`` the
    sum of the log predictive densities with its standard error; ``covered`` the share of outcomes
    inside their 95 % predictive intervals, with Wilson's interval, unless they are yes or no.
    """
    outcome, prediction = table["outcome"].to_numpy(), table["prediction"].to_numpy()
    score, positive = saturation_score(prediction, outcome_name), table["saturated"].to_numpy(bool)
    weights = rng.dirichlet(np.ones(len(table)), size=resamples)
    flat = np.full((1, len(table)), 1 / len(table))
    measures: dict[str, Callable[[Floats], Floats]] = {
        "r2_prediction": lambda w: 1 - _variance(outcome - prediction, w) / _variance(outcome, w),
        "auroc_prediction": lambda w: _weighted_auroc(score, positive, w),
    }
    rows = [
        _stretched(_summary(name, measure(weights)), measure(flat)[0], stretch(parts))
        for name, measure in measures.items()
    ]
    elpd = table["elpd"].to_numpy()
    total, error = elpd.sum(), elpd.std(ddof=1) * np.sqrt(len(elpd))
    error *= stretch(parts)
    rows.append(_row("elpd", total, error, *map(float, intervals.normal(total, error))))
    if outcome_name == "saturated":
        # An interval of yes and no holds both.
        return pd.DataFrame(rows)
    inside = outcome.clip(table["lower"], table["upper"]) == outcome
    share = inside.mean()
    error = np.sqrt(share * (1 - share) / len(inside))
    rows.append(_row("covered", share, error, *intervals.wilson(inside.sum(), len(inside))))
    return pd.DataFrame(rows)


def coefficients(values: Floats, columns: list[str]) -> pd.DataFrame:
    """Summarise draws of every coefficient, shape (S, p).

    Highest-density intervals of 50 and 95 %; ``excludes_zero`` by the latter.
    """
    # Imported where draws are summarised: it takes long.
    from arviz_stats.base import array_stats

    narrow, wide = (np.array([array_stats.hdi(x, prob) for x in values.T]) for prob in (0.5, 0.95))
    return pd.DataFrame(
        {
            "column": columns,
            "mean": values.mean(axis=0),
            "sd": values.std(axis=0, ddof=1),
            "lower_50": narrow[:, 0],
            "upper_50": narrow[:, 1],
            "lower_95": wide[:, 0],
            "upper_95": wide[:, 1],
            "excludes_zero": (wide[:, 0] > 0) | (wide[:, 1] < 0),
        }
    )


def predictive_checks(
    replicated: Floats, design: Design, outcome_name: str, saturated_from: float
) -> pd.DataFrame:
    """Compare the outcome's statistics with replicated data's (S, n).

    The index that was moved off 0 and 1 is moved back, and what is replicated with it, so that
    shares are those of the index itself.
    """
    outcome = design.outcome
    if outcome_name == "s_index":
        benchmarks = len(np.unique(design.benchmark))
        outcome, replicated = (unsqueezed(x, benchmarks) for x in (outcome, replicated))
    observed, null = (_statistics(values, saturated_from) for values in (outcome, replicated))
    rows = [
        (name, float(observed[name]), draws.mean(), *map(float, intervals.percentile(draws)))
        for name, draws in null.items()
    ]
    return pd.DataFrame(rows, columns=["statistic", "observed", "replicated", "lower", "upper"])


def compare(held: NamedTables, parts: int) -> pd.DataFrame:
    """Compare the expected log predictive density of models of an outcome, best first.

    ``difference_se`` is the standard error of the paired differences to the best model (Vehtari,
    Gelman and Gabry 2017, eq. 24), stretched as every held-out error is.
    """
    table = pd.DataFrame(
        {name: elpd_table.set_index("benchmark_id")["elpd"] for name, elpd_table in held.items()}
    )
    if table.isna().to_numpy().any():
        raise ValueError("the models were not held out on the same benchmarks")
    order = table.sum().sort_values(ascending=False, kind="stable").index
    root = np.sqrt(len(table)) * stretch(parts)
    differences = table[order].sub(table[order[0]], axis=0)
    return pd.DataFrame(
        {
            "model": order,
            "elpd": table[order].sum().to_numpy(),
            "se": (table[order].std() * root).to_numpy(),
            "difference": differences.sum().to_numpy(),
            "difference_se": (differences.std() * root).to_numpy(),
        }
    )


def fold_of_rows(benchmark: NDArray[np.str_], scheme: str, folds: int, seed: int) -> Integers:
    """Return the number of the fold with which each row leaves, shape (n,).

    ``folds`` deals the benchmarks out at random, the same for all models on the same benchmarks;
    ``singly`` makes each a fold of its own.
    """
    names, place = np.unique(benchmark, return_inverse=True)
    assigned = np.arange(len(names))
    if scheme == FOLDS:
        rng = seeds.generator(seed, "regression", "folds")
        assigned = rng.permutation(len(names)) % folds
    return assigned[place]


def refitted(
    sample: posterior.Draw,
    design: Design,
    specification: Specification,
    scheme: str,
    *,
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
    name: str,
) -> HeldOut:
    """Held-out predictions of a model; ``refits`` is the config's section of this name."""
    return predict_held_out(
        sample,
        design,
        specification,
        fold_of_rows(design.benchmark, scheme, refits["folds"], seed),
        effort=Effort(refits["draws"], refits["tune"], refits["chains"]),
        gate=Gate(refits["rhat"], refits["ess"], divergences),
        seed=seeds.derive(seed, "regression", "refits", name, scheme),
    )


def predict_held_out(
    sample: posterior.Draw,
    design: Design,
    specification: Specification,
    fold: Integers,
    *,
    effort: Effort,
    gate: Gate,
    seed: int,
) -> HeldOut:
    """Every row predicted by the posterior of the other folds.

    A refit that fails its gate is drawn again with more draws; only one that fails with the most
    stops the run. Each refit's seed derives from the seed and its fold.
    """
    shape = (effort.draws * effort.chains, len(fold))
    predicted_outcomes = Predicted(*(np.empty(shape) for _ in range(4)))
    rows = []
    for number in np.unique(fold):
        out = fold == number
        training, fold_seed = design.drop_rows(out), seeds.derive(seed, int(number))
        draws, measured = posterior.passed(
            functools.partial(sample, training, fold_seed),
            effort,
            gate,
            f"refit without fold {number}",
        )
        length = draws["posterior"].sizes["draw"]
        part = predicted(
            Draws.extract(draws).thin(length // effort.draws),
            design.matrix[out],
            design.outcome[out],
            specification.likelihood,
            seeds.generator(seed, int(number), "replicated"),
        )
        for name, values in vars(part).items():
            getattr(predicted_outcomes, name)[:, out] = values
        rows.append(
            {
                "fold": int(number),
                "benchmarks": len(np.unique(design.benchmark[out])),
                "draws": length,
                "rhat": measured["rhat"].max(),
                "ess": measured[["ess_bulk", "ess_tail"]].min(axis=None),
                "divergences": measured["divergences"].iloc[0],
            }
        )
    return HeldOut(
        round_as_csv(predictions(predicted_outcomes, design)),
        round_as_csv(summarise_draws(predicted_outcomes, design, specification.outcome)),
        round_as_csv(pd.DataFrame(rows)),
    )


def simulated(matrix: Floats, priors: Priors, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Parameters from the prior (coefficients, then the precision) and a Beta outcome from them.

    Pairs with an outcome that double precision cannot hold are drawn again. Which pairs those are
    depends on the outcome alone, so the posterior given an outcome that is kept is the model's, and
    ranks stay uniform; moving such outcomes off the edge would not be the model.
    """
    while True:
        coefficient = rng.normal(0.0, priors.scales(matrix.shape[1]))
        precision = abs(rng.normal(0.0, priors.spread))
        mean = scipy.special.expit(matrix @ coefficient)
        outcome = rng.beta(mean * precision, (1 - mean) * precision)
        if outcome.min() >= EDGE and outcome.max() <= 1 - EDGE:
            return np.append(coefficient, precision), outcome


def calibrated(
    sample: posterior.Draw,
    design: Design,
    priors: Priors,
    effort: Effort,
    *,
    simulations: int,
    ranked: int,
    seed: int,
) -> pd.DataFrame:
    """Simulation-based calibration of a Beta model (Talts et al. 2018).

    Parameters from the prior, data from the parameters, the posterior of those data: the rank of
    the true parameter among the thinned posterior draws is uniform if sampler and model agree.
    """
    names, tables = [*design.columns, "spread"], []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "regression", "calibration", simulation)
        truth, outcome = simulated(design.matrix, priors, rng)
        draws = Draws.extract(
            sample(replace(design, outcome=outcome), int(rng.integers(2**31)), effort)
        )
        values = np.column_stack([draws.coefficient, draws.widths()])
        rank = simulation_ranks(truth, values.T, ranked)
        tables.append(pd.DataFrame({"simulation": simulation, "parameter": names, "rank": rank}))
    return pd.concat(tables, ignore_index=True)


def simulation_ranks(truth: Floats, draws: Floats, kept: int) -> Integers:
    """Rank of each true parameter among its draws thinned to the number kept, 0..kept.

    Where parameters are drawn from the prior and data from the parameters, it is uniform if sampler
    and model agree (Talts et al. 2018).

    Draws have shape (p, S) and are thinned evenly, which removes most of their autocorrelation:
    that would bend the ranks (Talts et al. 2018, section 5.1).
    """
    thinned = draws[:, np.linspace(0, draws.shape[1] - 1, kept).astype(int)]
    rank: Integers = (thinned < truth[:, None]).sum(axis=1)
    return rank


def rank_uniformity(table: pd.DataFrame, draws: int, bins: int = 10) -> pd.DataFrame:
    """Chi-squared test of uniform ranks for each parameter, and its Holm-adjusted p-value."""
    edges = np.linspace(-0.5, draws + 0.5, bins + 1)
    expected_share = np.diff(np.floor(edges[1:-1]), prepend=-1, append=draws) / (draws + 1)
    rows = []
    for name, ranked in table.groupby("parameter", sort=False):
        counts = np.histogram(ranked["rank"], edges)[0]
        test = scipy.stats.chisquare(counts, expected_share * len(ranked))
        rows.append({"parameter": name, "chi_squared": test.statistic, "p": test.pvalue})
    result = pd.DataFrame(rows)
    return result.assign(p_holm=intervals.holm(result["p"]))


def _summary(name: str, values: Floats) -> Row:
    row = _row(name, values.mean(), values.std(ddof=1), *intervals.percentile(values))
    return row | {"median": np.median(values)}


def _row(name: str, value: float, error: float, lower: float, upper: float) -> Row:
    return {
        "measure": name,
        "value": value,
        "median": value,
        "sd": error,
        "lower": lower,
        "upper": upper,
    }


def _stretched(row: Row, value: float, factor: float) -> Row:
    """Move the limits of a bootstrap's row away from its value by a factor; at most 1.

    Both R2 and AUROC end there.
    """
    limits = (value + factor * (row[name] - value) for name in ("lower", "upper"))
    lower, upper = (min(limit, 1.0) for limit in limits)
    return row | {"value": value, "sd": factor * row["sd"], "lower": lower, "upper": upper}


def _variance(values: Floats, weights: Floats) -> Floats:
    mean = weights @ values
    return weights @ values**2 - mean**2


def _weighted_auroc(score: Floats, positive: Bools, weights: Floats) -> Floats:
    difference = score[positive][:, None] - score[~positive][None, :]
    wins = (difference > 0) + 0.5 * (difference == 0)
    first, second = weights[:, positive], weights[:, ~positive]
    share = first.sum(axis=1) * second.sum(axis=1)
    area: Floats = np.einsum("si,ij,sj->s", first, wins, second, optimize=True) / share
    return area


def _statistics(values: Floats, saturated_from: float) -> dict[str, Floats]:
    """Compute statistics of outcomes, over the last axis."""
    return {
        "mean": values.mean(axis=-1),
        "sd": values.std(axis=-1, ddof=1),
        "share below 0.1": (values < 0.1).mean(axis=-1),
        f"share at least {saturated_from:g}": (values >= saturated_from).mean(axis=-1),
    }
