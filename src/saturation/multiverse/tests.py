"""How it is tested: partial correlations, their z, and both under permutations of the benchmarks.

The effect is the partial correlation of the outcome with the variable of the conclusion, so that
specifications with different units compare. The null of all specifications is drawn together: the
same permutations of the benchmarks are used in each, which keeps their dependence (Simonsohn,
Simmons and Nelson 2020, step 3; with covariates the residuals are permuted, Freedman and Lane
1983).
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# In place of nothing left unexplained: far below any rounding error, and its inverse is finite.
UNEXPLAINED = 1e-300


def permuted_orders(n: int, permutations: int, rng: np.random.Generator) -> Index:
    """Orders of n benchmarks, shape (1 + permutations, n); the first is the given one.

    Parameters
    ----------
    n
        Number of benchmarks.
    permutations
        How many to draw.
    rng
        Source of the permutations.
    """
    identity = np.arange(n)
    shuffled = rng.permuted(np.tile(identity, (permutations, 1)), axis=1)
    return np.vstack([identity, shuffled])


def restricted(orders: Index, rows: Index, n: int) -> Index:
    """The orders of all n benchmarks as orders of the ones in use, numbered from 0.

    Parameters
    ----------
    orders
        Shape (orders, n).
    rows
        Numbers of the m benchmarks in use.
    n
        Number of all benchmarks.

    Returns
    -------
    numpy.ndarray
        Shape (orders, m).
    """
    local = np.full(n, -1)
    local[rows] = np.arange(len(rows))
    numbered = local[orders]
    return numbered[numbered >= 0].reshape(len(orders), len(rows))


def partial_effects(
    outcomes: Array, variable: Array, covariates: Array, orders: Index, test: str
) -> tuple[Array, Array]:
    """Partial correlations and z of the outcomes of one design, as observed and permuted.

    With M the residual maker of the covariates (orthonormal basis Q), x the residual of the
    variable at length 1 and e the residuals of an outcome, permuting e by P gives the correlation
    x'Pe / |M P e|, where |M P e|^2 = |e|^2 - |Q'Pe|^2. Instead of the residuals, x and Q are
    permuted, once for all outcomes.

    Parameters
    ----------
    outcomes
        Shape (m, outcomes).
    variable
        Shape (m,).
    covariates
        With the intercept, shape (m, c).
    orders
        Shape (orders, m), see :func:`restricted`.
    test
        ``student`` (least squares), ``robust`` (HC3), ``rank`` (ranks of everything; the caller
        ranks variable and covariates) or ``permutation``.

    Returns
    -------
    tuple of numpy.ndarray
        Shape (outcomes, orders) each: the partial correlation, and the signed z whose two-sided
        normal p-value is the test's.
    """
    if test == "rank":
        outcomes = stats.rankdata(outcomes, axis=0)
    basis = np.linalg.qr(covariates)[0]
    direction = variable - basis @ (basis.T @ variable)
    direction /= np.linalg.norm(direction)
    residuals = outcomes - basis @ (basis.T @ outcomes)
    # Column 0 is the variable's direction, the others the basis; each row is one permutation.
    vectors = np.column_stack([direction, basis]).T
    permuted = np.empty((len(orders), *vectors.shape))
    np.put_along_axis(permuted, orders[:, None, :], vectors[None], axis=2)
    projected = permuted @ residuals
    along, fitted = projected[:, 0], (projected[:, 1:] ** 2).sum(axis=1)
    length = np.sqrt((residuals**2).sum(axis=0) - fitted)
    effect = np.clip((along / length).T, -1, 1)
    freedom = len(variable) - vectors.shape[0]
    if test == "permutation":
        return effect, _signed_z(effect, _permutation_p(effect))
    if test == "robust":
        t = (along / _robust_error(residuals, vectors, projected, orders)).T
    else:
        t = effect * np.sqrt(freedom / np.maximum(1 - effect**2, UNEXPLAINED))
    return effect, _signed_z(t, 2 * special.stdtr(freedom, -np.abs(t)))


def _robust_error(residuals: Array, vectors: Array, projected: Array, orders: Index) -> Array:
    """HC3 standard error (MacKinnon and White 1985) along the first vector, (orders, outcomes)."""
    weight = (vectors[0] / (1 - (vectors**2).sum(axis=0))) ** 2
    left = residuals[orders] - np.einsum("vn,bvo->bno", vectors, projected)
    error: Array = np.sqrt(np.einsum("n,bno->bo", weight, left**2))
    return error


def _permutation_p(effect: Array) -> Array:
    """Share of all orders, the observed one among them, with an effect at least as large."""
    size = np.abs(effect).round(10)
    share: Array = stats.rankdata(-size, method="max", axis=1) / size.shape[1]
    return share


def _signed_z(sign: Array, p_value: Array) -> Array:
    z: Array = -np.sign(sign) * special.ndtri(np.maximum(p_value, np.finfo(float).tiny) / 2)
    return z
