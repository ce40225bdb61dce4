"""How well the regression fits, in sample and on what it has not seen.

Works on posterior draws as arrays and does not import PyMC. S draws, n rows, p columns.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.special import logsumexp

from saturation import seeds
from saturation.regression.design import Design
from saturation.regression.draws import Draws, array_stats, expected, log_likelihood
from saturation.regression.priors import Priors
from saturation.regression.specification import Specification
from saturation.statistics import intervals

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Exponents of the prior and the likelihood for power-scaling (Kallioinen et al. 2024).
POWERS = (0.8, 1.25)


def tables(
    design: Design,
    draws: Draws,
    held: pd.DataFrame,
    specification: Specification,
    *,
    saturated_from: float,
    bootstrap: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """What is said of one model: ``held_out, validation, coefficients, checks``.

    Parameters
    ----------
    design
        What the model was fitted to.
    draws
        Its posterior.
    held
        Held-out predictions of every benchmark, see :func:`with_refits`.
    specification
        The model.
    saturated_from
        Index from which a benchmark counts as saturated.
    bootstrap
        Resamples behind the intervals of the held-out measures.
    seed
        Seed of the model's resamples and replications.
    """
    likelihood, outcome = specification.likelihood, specification.outcome
    inside = in_sample(draws, design, likelihood, outcome)
    outside = out_of_sample(held, outcome, bootstrap, seeds.generator(seed, "bootstrap"))
    rows, columns = design.matrix.shape
    measures = pd.concat([inside.assign(held_out=False), outside.assign(held_out=True)])
    return {
        "held_out": held,
        "validation": measures.assign(
            rows=rows,
            columns=columns,
            exact_refits=int((held["how"] == "exact").sum()),
            unreliable=int((held["how"] == "unreliable").sum()),
        ),
        "coefficients": coefficients(draws, design, likelihood, specification.priors),
        "checks": predictive_checks(
            draws, design, likelihood, saturated_from, seeds.generator(seed, "checks")
        ),
    }


def r2_modelled(draws: Draws, design: Design, likelihood: str) -> Array:
    """Bayesian R2 of each draw with the modelled residual variance (Gelman et al. 2019, eq. 3).

    Variance of the fit over itself plus the variance that the likelihood gives the residuals:
    ``mean(1 - mean) / (1 + precision)`` for Beta, ``mean(1 - mean)`` for Bernoulli.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        The rows on which the fit is measured.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.

    Returns
    -------
    numpy.ndarray
        Shape (S,).
    """
    mean = expected(draws, design.matrix, likelihood)
    fit = mean.var(axis=1, ddof=1)
    if likelihood == "gaussian":
        residual = draws.widths()[:, 0] ** 2
    else:
        width = 1.0 if draws.spread is None else 1 + draws.widths()
        residual = (mean * (1 - mean) / width).mean(axis=1)
    share: Array = fit / (fit + residual)
    return share


def r2_residual(draws: Draws, design: Design, likelihood: str) -> Array:
    """Bayesian R2 of each draw with the variance of the realised residuals, shape (S,).

    The first definition of Gelman et al. (2019), which common software reports.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        The rows on which the fit is measured.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    """
    mean = expected(draws, design.matrix, likelihood)
    fit = mean.var(axis=1, ddof=1)
    share: Array = fit / (fit + (design.outcome - mean).var(axis=1, ddof=1))
    return share


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
    area: Array = (ranks[..., positive].sum(axis=-1) - n * (n + 1) / 2) / (n * m)
    return area


def auroc_draws(draws: Draws, design: Design, likelihood: str, outcome_name: str) -> Array:
    """AUROC in sample of each draw, shape (S,).

    Parameters
    ----------
    draws
        Posterior draws.
    design
        What the model was fitted to.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    outcome_name
        ``s_index``, ``saturated`` or ``log_gap``.
    """
    score = saturation_score(expected(draws, design.matrix, likelihood), outcome_name)
    return auroc(score, design.saturated)


def saturation_score(prediction: Array, outcome_name: str) -> Array:
    """Prediction turned so that larger means more saturated: a large gap means less.

    Parameters
    ----------
    prediction
        Any shape.
    outcome_name
        ``s_index``, ``saturated`` or ``log_gap``.
    """
    return -prediction if outcome_name == "log_gap" else prediction


def leave_one_out(draws: Draws, design: Design, likelihood: str) -> pd.DataFrame:
    """Held-out prediction of every benchmark by Pareto-smoothed importance sampling.

    All rows of a benchmark leave together (Vehtari, Gelman and Gabry 2017); they predict its
    outcome as a mixture in equal parts, so that a benchmark counts once however many rows it has.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        What the model was fitted to.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.

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
    """Mean prediction and log predictive density of the marked rows, under weighted draws.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        The rows.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    mask
        Rows to predict, shape (n,).
    log_weights
        Logarithms of weights that sum to 1, shape (S,); None weighs all draws alike.
    """
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

    Parameters
    ----------
    loo
        Table of :func:`leave_one_out`.
    refits
        Tables of :func:`saturation.regression.refits.refits`; may be none.
    pareto_k
        Pareto k above which a prediction is not to be trusted.

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
    """Posterior mean, median, standard deviation and 95 % interval of R2 (twice) and AUROC.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        What the model was fitted to.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    outcome_name
        ``s_index``, ``saturated`` or ``log_gap``.
    """
    measures = {
        "r2_modelled": r2_modelled(draws, design, likelihood),
        "r2_residual": r2_residual(draws, design, likelihood),
        "auroc": auroc_draws(draws, design, likelihood, outcome_name),
    }
    return pd.DataFrame([_summary(name, values) for name, values in measures.items()])


def out_of_sample(
    loo: pd.DataFrame, outcome_name: str, resamples: int, rng: np.random.Generator
) -> pd.DataFrame:
    """R2 and AUROC of held-out predictions; intervals by a Bayesian bootstrap over the benchmarks.

    ``r2_loo`` is ``1 - var(residual) / var(outcome)``, which is negative when predictions are
    worse than the mean; ``r2_loo_ratio`` puts the held-out predictions into the in-sample formula
    ``var(fit) / (var(fit) + var(residual))`` and cannot be negative.

    Parameters
    ----------
    loo
        Table of :func:`with_refits`.
    outcome_name
        ``s_index``, ``saturated`` or ``log_gap``.
    resamples
        Resamples of the bootstrap.
    rng
        Their source.
    """
    outcome, prediction = loo["outcome"].to_numpy(), loo["prediction"].to_numpy()
    score, positive = saturation_score(prediction, outcome_name), loo["saturated"].to_numpy(bool)
    weights = rng.dirichlet(np.ones(len(loo)), size=resamples)
    flat = np.full((1, len(loo)), 1 / len(loo))
    measures: dict[str, Callable[[Array], Array]] = {
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

    Parameters
    ----------
    draws
        Posterior draws.
    design
        What the model was fitted to.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    priors
        Scales of the priors.

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
    draws: Draws, design: Design, likelihood: str, saturated_from: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Observed statistics of the outcome beside those of replicated data, with tail shares.

    Parameters
    ----------
    draws
        Posterior draws.
    design
        What the model was fitted to.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    saturated_from
        Index from which a benchmark counts as saturated.
    rng
        Source of the replicated data.

    Returns
    -------
    pandas.DataFrame
        ``statistic, observed, replicated, lower, upper, p_at_least``.
    """
    mean = expected(draws, design.matrix, likelihood)
    replicated: Array
    if likelihood == "bernoulli":
        replicated = rng.binomial(1, mean).astype(float)
    elif likelihood == "gaussian":
        replicated = rng.normal(mean, draws.widths())
    else:
        width = draws.widths()
        replicated = rng.beta(mean * width, (1 - mean) * width)
    rows = []
    for name, statistic in _statistics(saturated_from).items():
        observed, null = float(statistic(design.outcome)), statistic(replicated)
        lower, upper = intervals.percentile(null)
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
    lower, upper = intervals.percentile(values)
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
    variance: Array = weights @ values**2 - mean**2
    return variance


def _weighted_auroc(score: Array, positive: Mask, weights: Array) -> Array:
    difference = score[positive][:, None] - score[~positive][None, :]
    wins = (difference > 0) + 0.5 * (difference == 0)
    first, second = weights[:, positive], weights[:, ~positive]
    share = first.sum(axis=1) * second.sum(axis=1)
    area: Array = np.einsum("si,ij,sj->s", first, wins, second, optimize=True) / share
    return area


def _power_sensitivity(values: Array, log_density: Array) -> Array:
    weights = [np.exp(array_stats.power_scale_lw(log_density, alpha=power)) for power in POWERS]
    return np.array(
        [
            array_stats.power_scale_sense(column[None], weights[0][None], weights[1][None], *POWERS)
            for column in values.T
        ]
    ).ravel()


def _statistics(saturated_from: float) -> dict[str, Callable[[Array], Array]]:
    return {
        "mean": lambda values: values.mean(axis=-1),
        "sd": lambda values: values.std(axis=-1, ddof=1),
        "share below 0.1": lambda values: (values < 0.1).mean(axis=-1),
        f"share at least {saturated_from:g}": lambda values: (values >= saturated_from).mean(
            axis=-1
        ),
    }
