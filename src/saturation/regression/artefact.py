"""Is the effect of test-set size there by construction? Permutation controls of the regression.

S contains n: a larger test set has a smaller standard error, so the same gap gives a smaller
S. Handing the test-set sizes out at random and computing S anew shows the coefficient that the
formula alone produces. Each refit is the posterior mode under the model's own priors, found in
milliseconds, in place of the whole posterior.
"""

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation import seeds
from saturation.errors import InputError
from saturation.index import saturation_index
from saturation.regression.design import Design, squeezed
from saturation.regression.priors import Priors
from saturation.statistics import intervals

Array = NDArray[np.float64]

FOLLOWED = ("log_n", "age")


def posterior_mode(matrix: Array, outcome: Array, priors: Priors) -> Array:
    """Coefficients at the posterior mode of the Beta regression, shape (p,).

    The mode is taken over the coefficients and the logarithm of the precision, with the priors of
    :func:`saturation.regression.posterior.model`.
    """
    scales = priors.scales(matrix.shape[1])
    logit = np.log(outcome) - np.log1p(-outcome)
    start = np.append(np.zeros(matrix.shape[1]), np.log(2.0))
    optimum = scipy.optimize.minimize(
        _negative_log_posterior,
        start,
        args=(matrix, outcome, logit, scales, priors.spread),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8},
    )
    mode: Array = optimum.x[:-1]
    return mode


def controls(
    design: Design,
    index: pd.DataFrame,
    priors: Priors,
    *,
    alpha: float,
    epsilon: float,
    permutations: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Both controls: every refit (``permutations``), and where the real coefficients lie.

    Returns
    -------
    dict of pandas.DataFrame
        ``permutations``, see :func:`permuted_sizes`, and ``located``, see :func:`located`.
    """
    sizes = permuted_sizes(
        design,
        index,
        priors,
        alpha=alpha,
        epsilon=epsilon,
        permutations=permutations,
        rng=seeds.generator(seed, "regression", "n_test"),
    )
    ages = permuted_ages(design, priors, permutations, seeds.generator(seed, "regression", "age"))
    null = pd.concat([sizes, ages], ignore_index=True)
    return {"permutations": null, "located": located(null, design, priors)}


def permuted_sizes(
    design: Design,
    scores: pd.DataFrame,
    priors: Priors,
    *,
    alpha: float,
    epsilon: float,
    permutations: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Coefficients after n is dealt out at random before S is computed.

    Returns
    -------
    pandas.DataFrame
        ``control, permutation, log_n, age``: the coefficients of each refit.
    """
    rows = scores.set_index("benchmark_id").loc[design.benchmark.tolist()]
    s_1, s_k, n_test = (rows[name].to_numpy(dtype=float) for name in ("s_1", "s_k", "n_test"))
    place = _place(design, "log_n")
    refits = []
    for _ in range(permutations):
        order = rng.permutation(len(rows))
        outcome = squeezed(saturation_index(s_1, s_k, n_test[order], alpha, epsilon))
        matrix = design.matrix.copy()
        matrix[:, place] = design.matrix[order, place]
        refits.append(posterior_mode(matrix, outcome, priors))
    return _followed("n_test", refits, design)


def permuted_ages(
    design: Design, priors: Priors, permutations: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Coefficients after ages are dealt out at random; S does not contain age and stays.

    Returns
    -------
    pandas.DataFrame
        As :func:`permuted_sizes`.
    """
    place = _place(design, "age")
    refits = []
    for _ in range(permutations):
        matrix = design.matrix.copy()
        matrix[:, place] = design.matrix[rng.permutation(len(matrix)), place]
        refits.append(posterior_mode(matrix, design.outcome, priors))
    return _followed("age", refits, design)


def located(null: pd.DataFrame, design: Design, priors: Priors) -> pd.DataFrame:
    """Where the real coefficients lie in each control's null.

    Returns
    -------
    pandas.DataFrame
        ``control, predictor, observed, null_mean, null_lower, null_upper, p_lower, p_two_sided``.
        ``p_lower`` is the share of refits at most the real coefficient, ``p_two_sided`` the share
        at least as far from the null's mean; both count the real one.
    """
    mode = dict(zip(design.columns, posterior_mode(design.matrix, design.outcome, priors)))
    rows = []
    for control, refits in null.groupby("control", sort=True):
        for predictor in FOLLOWED:
            values, observed = refits[predictor].to_numpy(), mode[predictor]
            centre, total = values.mean(), len(values) + 1
            far = np.abs(values - centre) >= abs(observed - centre)
            lower, upper = intervals.percentile(values)
            rows.append(
                {
                    "control": control,
                    "predictor": predictor,
                    "observed": observed,
                    "null_mean": centre,
                    "null_lower": lower,
                    "null_upper": upper,
                    "p_lower": (1 + (values <= observed).sum()) / total,
                    "p_two_sided": (1 + far.sum()) / total,
                    "permutations": len(values),
                }
            )
    return pd.DataFrame(rows)


def _place(design: Design, predictor: str) -> int:
    if predictor not in design.columns:
        raise InputError(
            f"regression.reference_model: its formula has no term '{predictor}', which the "
            "permutation controls follow; add it or name another model"
        )
    return design.columns.index(predictor)


def _followed(control: str, refits: list[Array], design: Design) -> pd.DataFrame:
    table = pd.DataFrame(refits, columns=design.columns)[list(FOLLOWED)]
    table.insert(0, "permutation", range(len(table)))
    table.insert(0, "control", control)
    return table


def _negative_log_posterior(
    theta: Array, matrix: Array, outcome: Array, logit: Array, scales: Array, width: float
) -> tuple[float, Array]:
    coefficient, precision = theta[:-1], np.exp(theta[-1])
    mean = scipy.special.expit(matrix @ coefficient)
    a, b = mean * precision, (1 - mean) * precision
    log_density = (
        scipy.special.gammaln(precision)
        - scipy.special.gammaln(a)
        - scipy.special.gammaln(b)
        + (a - 1) * np.log(outcome)
        + (b - 1) * np.log1p(-outcome)
    ).sum()
    log_prior = -0.5 * ((coefficient / scales) ** 2).sum() - 0.5 * (precision / width) ** 2
    pull = logit - (scipy.special.digamma(a) - scipy.special.digamma(b))
    by_coefficient = matrix.T @ (precision * pull * mean * (1 - mean)) - coefficient / scales**2
    by_precision = (
        scipy.special.digamma(precision)
        - mean * scipy.special.digamma(a)
        - (1 - mean) * scipy.special.digamma(b)
        + mean * np.log(outcome)
        + (1 - mean) * np.log1p(-outcome)
    ).sum()
    by_log_precision = precision * by_precision - (precision / width) ** 2
    return -(log_density + log_prior), -np.append(by_coefficient, by_log_precision)
