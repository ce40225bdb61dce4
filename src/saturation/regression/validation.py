"""How well the regression fits, in sample and on what it has not seen.

Works on posterior draws as arrays and does not import PyMC. S draws, n rows, p columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr
from arviz_stats.base import array_stats
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, log_expit, logsumexp

from saturation.regression.design import Design
from saturation.regression.priors import Priors

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Exponents of the prior and the likelihood for power-scaling (Kallioinen et al. 2024).
POWERS = (0.8, 1.25)


@dataclass(frozen=True)
class Draws:
    """Posterior draws: ``coefficient`` (S, p) and ``spread`` (S,), or None without one."""

    coefficient: Array
    spread: Array | None

    @classmethod
    def of(cls, posterior: xr.Dataset) -> "Draws":
        """Draws of all chains, one after another."""
        coefficient = posterior["coefficient"].transpose("chain", "draw", "column").to_numpy()
        spread = posterior["spread"].to_numpy().ravel() if "spread" in posterior else None
        return cls(coefficient.reshape(-1, coefficient.shape[-1]), spread)


def expected(draws: Draws, matrix: Array, likelihood: str) -> Array:
    """Expected outcome of every row under every draw, shape (S, n)."""
    predictor = draws.coefficient @ matrix.T
    return predictor if likelihood == "gaussian" else expit(predictor)


def log_likelihood(draws: Draws, matrix: Array, outcome: Array, likelihood: str) -> Array:
    """Log density of every row under every draw, shape (S, n)."""
    if likelihood == "bernoulli":
        predictor = draws.coefficient @ matrix.T
        return np.where(outcome > 0.5, log_expit(predictor), log_expit(-predictor))
    mean = expected(draws, matrix, likelihood)
    spread = draws.spread[:, None]  # type: ignore[index]
    if likelihood == "gaussian":
        return stats.norm.logpdf(outcome, mean, spread)
    return stats.beta.logpdf(outcome, mean * spread, (1 - mean) * spread)


def r2_modelled(draws: Draws, design: Design, likelihood: str) -> Array:
    """Bayesian R2 of each draw with the modelled residual variance (Gelman et al. 2019, eq. 3).

    Variance of the fit over itself plus the variance that the likelihood gives the residuals:
    ``mean(1 - mean) / (1 + precision)`` for Beta, ``mean(1 - mean)`` for Bernoulli.
    """
    mean = expected(draws, design.matrix, likelihood)
    fit = mean.var(axis=1, ddof=1)
    if likelihood == "gaussian":
        return fit / (fit + draws.spread**2)  # type: ignore[operator]
    width = 1.0 if draws.spread is None else 1 + draws.spread[:, None]
    return fit / (fit + (mean * (1 - mean) / width).mean(axis=1))


def r2_residual(draws: Draws, design: Design, likelihood: str) -> Array:
    """Bayesian R2 of each draw with the variance of the realised residuals.

    The first definition of Gelman et al. (2019), which common software reports.
    """
    mean = expected(draws, design.matrix, likelihood)
    fit = mean.var(axis=1, ddof=1)
    return fit / (fit + (design.outcome - mean).var(axis=1, ddof=1))


def auroc(score: Array, positive: Mask) -> Array:
    """Area under the ROC curve, one for each row of scores (ties count one half).

    Parameters
    ----------
    score
        Shape (..., n).
    positive
        Shape (n,).
    """
    ranks = stats.rankdata(score, axis=-1)
    n, m = int(positive.sum()), int((~positive).sum())
    return (ranks[..., positive].sum(axis=-1) - n * (n + 1) / 2) / (n * m)


def saturation_score(prediction: Array, outcome_name: str) -> Array:
    """Prediction turned so that larger means more saturated: a large gap means less."""
    return -prediction if outcome_name == "log_gap" else prediction


def leave_one_out(draws: Draws, design: Design, likelihood: str) -> pd.DataFrame:
    """Held-out prediction of every benchmark by Pareto-smoothed importance sampling.

    All rows of a benchmark leave together (Vehtari, Gelman and Gabry 2017); they predict its
    outcome as a mixture in equal parts, so that a benchmark counts once however many rows it has.

    Returns
    -------
    pandas.DataFrame
        One row a benchmark: ``benchmark_id, outcome, saturated, prediction, elpd, pareto_k``.
    """
    likelihoods = log_likelihood(draws, design.matrix, design.outcome, likelihood)
    rows = []
    for label in np.unique(design.benchmark):
        mask = design.benchmark == label
        weights, k = array_stats.psislw(likelihoods[:, mask].sum(axis=1))
        first = int(np.flatnonzero(mask)[0])
        rows.append(
            {
                "benchmark_id": label,
                "outcome": design.outcome[first],
                "saturated": design.saturated[first],
                **held_out(draws, design, likelihood, mask, np.asarray(weights)),
                "pareto_k": float(k),
            }
        )
    return pd.DataFrame(rows)


def held_out(
    draws: Draws, design: Design, likelihood: str, mask: Mask, log_weights: Array | None = None
) -> dict[str, float]:
    """Mean prediction and log predictive density of the marked rows, under weighted draws."""
    matrix, outcome = design.matrix[mask], design.outcome[mask]
    if log_weights is None:
        log_weights = np.full(len(draws.coefficient), -np.log(len(draws.coefficient)))
    density = log_likelihood(draws, matrix, outcome, likelihood)
    mean = expected(draws, matrix, likelihood).mean(axis=1)
    return {
        "prediction": float(np.exp(log_weights) @ mean),
        "elpd": float(logsumexp(density + log_weights[:, None]) - np.log(int(mask.sum()))),
    }


def with_refits(loo: pd.DataFrame, refits: Sequence[pd.DataFrame], pareto_k: float) -> pd.DataFrame:
    """Held-out predictions with the exact ones in place of those they replace.

    Returns
    -------
    pandas.DataFrame
        ``loo`` with a column ``how``: ``importance`` (sampling that can be trusted), ``exact``
        (a refit), or ``unreliable`` (Pareto k above the limit and no refit).
    """
    how = np.where(loo["pareto_k"] > pareto_k, "unreliable", "importance")
    table = loo.assign(how=how).set_index("benchmark_id")
    for refit in refits:
        exact = refit.set_index("benchmark_id")[["prediction", "elpd"]]
        table.update(exact.assign(how="exact"))
    return table.reset_index()


def in_sample(draws: Draws, design: Design, likelihood: str, outcome_name: str) -> pd.DataFrame:
    """Posterior mean, median, standard deviation and 95 % interval of R2 (twice) and AUROC."""
    score = saturation_score(expected(draws, design.matrix, likelihood), outcome_name)
    measures = {
        "r2_modelled": r2_modelled(draws, design, likelihood),
        "r2_residual": r2_residual(draws, design, likelihood),
        "auroc": auroc(score, design.saturated),
    }
    return pd.DataFrame([_summary(name, values) for name, values in measures.items()])


def out_of_sample(
    loo: pd.DataFrame, outcome_name: str, resamples: int, rng: np.random.Generator
) -> pd.DataFrame:
    """R2 and AUROC of held-out predictions; intervals by a Bayesian bootstrap over the benchmarks.

    ``r2_loo`` is ``1 - var(residual) / var(outcome)``, which is negative when predictions are
    worse than the mean; ``r2_loo_ratio`` puts the held-out predictions into the in-sample formula
    ``var(fit) / (var(fit) + var(residual))`` and cannot be negative.
    """
    outcome, prediction = loo["outcome"].to_numpy(), loo["prediction"].to_numpy()
    score, positive = saturation_score(prediction, outcome_name), loo["saturated"].to_numpy(bool)
    weights = rng.dirichlet(np.ones(len(loo)), size=resamples)
    flat = np.full((1, len(loo)), 1 / len(loo))
    measures = {
        "r2_loo": lambda w: 1 - _variance(outcome - prediction, w) / _variance(outcome, w),
        "r2_loo_ratio": lambda w: (
            _variance(prediction, w)
            / (_variance(prediction, w) + _variance(outcome - prediction, w))
        ),
        "auroc_loo": lambda w: _weighted_auroc(score, positive, w),
    }
    rows = []
    for name, measure in measures.items():
        row = _summary(name, measure(weights))
        rows.append(row | {"value": float(measure(flat)[0])})
    elpd = loo["elpd"].to_numpy()
    half = 1.96 * float(elpd.std(ddof=1) * np.sqrt(len(elpd)))
    total = float(elpd.sum())
    rows.append(
        {
            "measure": "elpd_loo",
            "value": total,
            "median": total,
            "sd": half / 1.96,
            "lower": total - half,
            "upper": total + half,
        }
    )
    return pd.DataFrame(rows)


def coefficients(draws: Draws, design: Design, likelihood: str, priors: Priors) -> pd.DataFrame:
    """Posterior of every coefficient, with its sensitivity to the prior and the likelihood.

    Returns
    -------
    pandas.DataFrame
        ``column, mean, sd``, highest-density intervals of 50 and 95 %, ``p_positive``,
        ``excludes_zero`` (by the 95 % interval), ``prior_sensitivity`` and
        ``likelihood_sensitivity`` (power-scaling; above 0.05 is noticeable).
    """
    values = draws.coefficient
    narrow = np.array([array_stats.hdi(column, 0.5) for column in values.T])
    wide = np.array([array_stats.hdi(column, 0.95) for column in values.T])
    density = log_likelihood(draws, design.matrix, design.outcome, likelihood).sum(axis=1)
    flat = priors.coefficient is None
    return pd.DataFrame(
        {
            "column": design.columns,
            "mean": values.mean(axis=0),
            "sd": values.std(axis=0, ddof=1),
            "lower_50": narrow[:, 0],
            "upper_50": narrow[:, 1],
            "lower_95": wide[:, 0],
            "upper_95": wide[:, 1],
            "p_positive": (values > 0).mean(axis=0),
            "excludes_zero": (wide[:, 0] > 0) | (wide[:, 1] < 0),
            "prior_sensitivity": 0.0
            if flat
            else _power_sensitivity(values, priors.log_density(values, draws.spread)),
            "likelihood_sensitivity": _power_sensitivity(values, density),
        }
    )


def predictive_checks(
    draws: Draws, design: Design, likelihood: str, rng: np.random.Generator
) -> pd.DataFrame:
    """Observed statistics of the outcome beside those of replicated data, with tail shares."""
    mean = expected(draws, design.matrix, likelihood)
    if likelihood == "bernoulli":
        replicated = rng.binomial(1, mean).astype(float)
    elif likelihood == "gaussian":
        replicated = rng.normal(mean, draws.spread[:, None])  # type: ignore[index]
    else:
        spread = draws.spread[:, None]  # type: ignore[index]
        replicated = rng.beta(mean * spread, (1 - mean) * spread)
    rows = []
    for name, statistic in _STATISTICS.items():
        observed, null = float(statistic(design.outcome)), statistic(replicated)
        lower, upper = np.quantile(null, [0.025, 0.975])
        rows.append(
            {
                "statistic": name,
                "observed": observed,
                "replicated": float(null.mean()),
                "lower": float(lower),
                "upper": float(upper),
                "p_at_least": float((null >= observed).mean()),
            }
        )
    return pd.DataFrame(rows)


def compare(held: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Expected log predictive density of models of one outcome, best first.

    Parameters
    ----------
    held
        Tables of :func:`with_refits` by model, on the same benchmarks.

    Returns
    -------
    pandas.DataFrame
        ``model, elpd, se, difference, difference_se, unreliable``: the difference to the best
        model with the standard error of the paired differences (Vehtari, Gelman and Gabry 2017,
        eq. 24), and the number of held-out predictions that are not to be trusted.
    """
    table = pd.DataFrame(
        {name: loo.set_index("benchmark_id")["elpd"] for name, loo in held.items()}
    )
    if table.isna().to_numpy().any():
        raise ValueError("the models were not held out on the same benchmarks")
    order = table.sum().sort_values(ascending=False, kind="stable").index
    root = np.sqrt(len(table))
    differences = table[order].sub(table[order[0]], axis=0)
    return pd.DataFrame(
        {
            "model": order,
            "elpd": table[order].sum().to_numpy(),
            "se": (table[order].std(ddof=1) * root).to_numpy(),
            "difference": differences.sum().to_numpy(),
            "difference_se": (differences.std(ddof=1) * root).to_numpy(),
            "unreliable": [int((held[name]["how"] == "unreliable").sum()) for name in order],
        }
    )


def _summary(name: str, values: Array) -> dict[str, object]:
    lower, upper = np.quantile(values, [0.025, 0.975])
    return {
        "measure": name,
        "value": float(values.mean()),
        "median": float(np.median(values)),
        "sd": float(values.std(ddof=1)),
        "lower": float(lower),
        "upper": float(upper),
    }


def _variance(values: Array, weights: Array) -> Array:
    mean = weights @ values
    return weights @ values**2 - mean**2


def _weighted_auroc(score: Array, positive: Mask, weights: Array) -> Array:
    difference = score[positive][:, None] - score[~positive][None, :]
    wins = (difference > 0) + 0.5 * (difference == 0)
    first, second = weights[:, positive], weights[:, ~positive]
    share = first.sum(axis=1) * second.sum(axis=1)
    return np.einsum("si,ij,sj->s", first, wins, second, optimize=True) / share


def _power_sensitivity(values: Array, log_density: Array) -> Array:
    weights = [np.exp(array_stats.power_scale_lw(log_density, alpha=power)) for power in POWERS]
    return np.array(
        [
            array_stats.power_scale_sense(column[None], weights[0][None], weights[1][None], *POWERS)
            for column in values.T
        ]
    ).ravel()


_STATISTICS = {
    "mean": lambda values: values.mean(axis=-1),
    "sd": lambda values: values.std(axis=-1, ddof=1),
    "share below 0.1": lambda values: (values < 0.1).mean(axis=-1),
    "share above 0.7": lambda values: (values > 0.7).mean(axis=-1),
}
