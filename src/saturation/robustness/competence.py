"""Does robustness follow the task or the model? Regressions of consistency on performance.

Ordinary least squares as the robustness paper (Figure 1), the same slope inside datasets and
inside models, and a mixed model with crossed random effects of models and datasets, which
separates what a task gives every model from what a model brings to every task.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from scipy import linalg, optimize, stats

Floats = npt.NDArray[np.float64]
SHARES = ["performance", "dataset", "model", "residual"]


@dataclass(frozen=True)
class CrossedFit:
    """A fitted mixed model y = X beta + model effect + dataset effect + error.

    Attributes
    ----------
    coefficients, covariance
        Of intercept and slope.
    model_sd, dataset_sd, residual_sd
        Standard deviations of the effects and the error.
    """

    coefficients: Floats
    covariance: Floats
    model_sd: float
    dataset_sd: float
    residual_sd: float


def slopes(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Slope of output consistency on performance under five readings of "follows".

    Parameters
    ----------
    pairs
        One row a model and dataset: `model`, `dataset`, `performance`, `output_consistency`.
    confidence
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        `reading`, `slope`, `lower`, `upper`, `intercept`, `r_squared`, `n`. Readings: `ols` (the
        paper's), `ols_hc3` (the same slope, interval robust to unequal variance),
        `within_dataset` (models differ, dataset effects fixed), `within_model` (datasets differ,
        model effects fixed), `mixed` (crossed random effects, normal interval). R squared of the
        within readings is that of the demeaned regression.
    """
    x, y = _xy(pairs)
    ols = sm.OLS(y, sm.add_constant(x)).fit()
    rows = [
        _slope_row("ols", ols, confidence),
        _slope_row("ols_hc3", ols.get_robustcov_results("HC3", use_t=True), confidence),
        _within_row("within_dataset", pairs, "dataset", confidence),
        _within_row("within_model", pairs, "model", confidence),
        _mixed_row(fit_crossed(pairs), len(pairs), confidence),
    ]
    return pd.DataFrame(rows)


def fit_crossed(pairs: pd.DataFrame) -> CrossedFit:
    """Mixed model with crossed random effects of models and datasets, by REML.

    The profiled criterion of Bates et al. (2015, J. Stat. Softw. 67(1), equation 42) in the two
    relative standard deviations. Statsmodels fits crossed effects only as one large group, a
    hundred times slower and without its optimum on the boundary, where a component is zero.
    """
    x, y = _xy(pairs)
    return _fit(_Crossed.of(pairs, np.column_stack([np.ones_like(x), x])), y)


def variance_shares(
    pairs: pd.DataFrame, resamples: int, confidence: float, generator: np.random.Generator
) -> pd.DataFrame:
    """What performance, dataset, model and the rest each explain of consistency.

    Parameters
    ----------
    pairs
        As for :func:`slopes`.
    resamples
        Parametric bootstrap resamples of the mixed model, for the intervals.
    confidence
        Coverage of the intervals.
    generator
        Source of randomness.

    Returns
    -------
    pandas.DataFrame
        `component` in `SHARES`, `sd` (of the component, in units of consistency), `share` of the
        sum of the four variances, `lower`, `upper` (percentile intervals of the share). The
        component `performance` is the fixed effect's variance over the pairs (Nakagawa and
        Schielzeth 2013, equation 27).
    """
    x, y = _xy(pairs)
    design = _Crossed.of(pairs, np.column_stack([np.ones_like(x), x]))
    fit = _fit(design, y)
    sds = _component_sds(fit, x)
    drawn = np.array(
        [_component_sds(_fit(design, design.simulate(fit, generator)), x) for _ in range(resamples)]
    )
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(_shares(drawn), [tail, 1 - tail], axis=0)
    return pd.DataFrame(
        {"component": SHARES, "sd": sds, "share": _shares(sds), "lower": lower, "upper": upper}
    )


def group_tests(pairs: pd.DataFrame) -> pd.DataFrame:
    """Exact F tests of model and dataset as fixed effects beside performance.

    Returns
    -------
    pandas.DataFrame
        `term` (performance, model, dataset), `df`, `df_error`, `f`, `p`, `partial_eta_sq`: each
        term given the two others.
    """
    x, y = _xy(pairs)
    parts = {
        "performance": x[:, None],
        "model": _dummies(pairs["model"])[:, 1:],
        "dataset": _dummies(pairs["dataset"])[:, 1:],
    }
    ones = np.ones((len(y), 1))
    full, rank = _residual_ss(np.hstack([ones, *parts.values()]), y)
    rows = []
    for term in parts:
        others = [part for name, part in parts.items() if name != term]
        reduced, reduced_rank = _residual_ss(np.hstack([ones, *others]), y)
        df, df_error = rank - reduced_rank, len(y) - rank
        f = (reduced - full) / df / (full / df_error)
        rows.append(
            {
                "term": term,
                "df": df,
                "df_error": df_error,
                "f": f,
                "p": stats.f.sf(f, df, df_error),
                "partial_eta_sq": (reduced - full) / reduced,
            }
        )
    return pd.DataFrame(rows)


def outliers(pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Pairs ordered by how far they lie off the regression line.

    Returns
    -------
    pandas.DataFrame
        `model`, `dataset`, `performance`, `output_consistency`, `fitted`, `residual`,
        `studentised` (externally), `p_bonferroni` and `outlier` (p below `alpha`), the most
        extreme first.
    """
    x, y = _xy(pairs)
    ols = sm.OLS(y, sm.add_constant(x)).fit()
    t = ols.get_influence().resid_studentized_external
    p = np.minimum(1, len(y) * 2 * stats.t.sf(np.abs(t), ols.df_resid - 1))
    table = pairs[["model", "dataset", "performance", "output_consistency"]].assign(
        fitted=ols.fittedvalues,
        residual=ols.resid,
        studentised=t,
        p_bonferroni=p,
        outlier=p < alpha,
    )
    return table.sort_values("studentised", key=abs, ascending=False, ignore_index=True)


@dataclass(frozen=True)
class _Crossed:
    """Design of the mixed model and its cross-products."""

    fixed: Floats
    random: Floats
    n_models: int

    @classmethod
    def of(cls, pairs: pd.DataFrame, fixed: Floats) -> "_Crossed":
        models, datasets = _dummies(pairs["model"]), _dummies(pairs["dataset"])
        return cls(fixed, np.hstack([models, datasets]), models.shape[1])

    def scales(self, relative: npt.ArrayLike) -> Floats:
        """Each random effect's standard deviation, in units of the error's."""
        n_datasets = self.random.shape[1] - self.n_models
        return np.repeat(np.asarray(relative, dtype=float), [self.n_models, n_datasets])

    def simulate(self, fit: CrossedFit, generator: np.random.Generator) -> Floats:
        """Response drawn from the fitted model."""
        scale = self.scales([fit.model_sd, fit.dataset_sd])
        effects = scale * generator.standard_normal(self.random.shape[1])
        noise = fit.residual_sd * generator.standard_normal(len(self.fixed))
        return self.fixed @ fit.coefficients + self.random @ effects + noise


def _fit(design: _Crossed, y: Floats) -> CrossedFit:
    """Minimise the profiled REML criterion over the two relative standard deviations."""
    products = (
        design.random.T @ design.random,
        design.random.T @ design.fixed,
        design.random.T @ y,
        design.fixed.T @ design.fixed,
        design.fixed.T @ y,
        float(y @ y),
    )

    def criterion(relative: Floats) -> float:
        return _solve(design, products, relative, len(y))[0]

    best = optimize.minimize(criterion, [0.5, 0.5], method="L-BFGS-B", bounds=[(0, 1e3)] * 2)
    _, coefficients, inverse, variance = _solve(design, products, best.x, len(y))
    sd = float(np.sqrt(variance))
    return CrossedFit(coefficients, variance * inverse, best.x[0] * sd, best.x[1] * sd, sd)


def _solve(
    design: _Crossed, products: tuple, relative: Floats, n: int
) -> tuple[float, Floats, Floats, float]:
    """REML criterion, coefficients, their unscaled covariance and the error variance."""
    zz, zx, zy, xx, xy, yy = products
    scale = design.scales(relative)
    lower = linalg.cholesky(scale[:, None] * zz * scale + np.eye(len(scale)), lower=True)
    cx = linalg.solve_triangular(lower, scale[:, None] * zx, lower=True)
    cy = linalg.solve_triangular(lower, scale * zy, lower=True)
    information = xx - cx.T @ cx
    inverse = np.linalg.inv(information)
    coefficients = inverse @ (xy - cx.T @ cy)
    df = n - len(coefficients)
    # Never below rounding: an exact fit has no variance left to take the logarithm of.
    variance = max(yy - cy @ cy - coefficients @ (xy - cx.T @ cy), 1e-14 * yy) / df
    log_det = 2 * np.log(np.diag(lower)).sum() + np.linalg.slogdet(information)[1]
    return float(log_det + df * np.log(variance)), coefficients, inverse, float(variance)


def _component_sds(fit: CrossedFit, x: Floats) -> Floats:
    fixed = abs(fit.coefficients[1]) * x.std(ddof=1)
    return np.array([fixed, fit.dataset_sd, fit.model_sd, fit.residual_sd])


def _shares(sds: Floats) -> Floats:
    return sds**2 / (sds**2).sum(axis=-1, keepdims=True)


def _xy(pairs: pd.DataFrame) -> tuple[Floats, Floats]:
    x = pairs["performance"].to_numpy(dtype=float)
    return x, pairs["output_consistency"].to_numpy(dtype=float)


def _dummies(names: pd.Series) -> Floats:
    return pd.get_dummies(names.astype(str)).to_numpy(dtype=float)


def _residual_ss(design: Floats, y: Floats) -> tuple[float, int]:
    coefficients, _, rank, _ = np.linalg.lstsq(design, y)
    return float(((y - design @ coefficients) ** 2).sum()), int(rank)


def _slope_row(
    reading: str, fit: sm.regression.linear_model.RegressionResults, level: float
) -> dict:
    lower, upper = np.asarray(fit.conf_int(1 - level))[1]
    return {
        "reading": reading,
        "slope": fit.params[1],
        "lower": lower,
        "upper": upper,
        "intercept": fit.params[0],
        "r_squared": fit.rsquared,
        "n": int(fit.nobs),
    }


def _within_row(reading: str, pairs: pd.DataFrame, group: str, confidence: float) -> dict:
    """Slope with a fixed effect per group: the regression of the demeaned columns."""
    centred = pairs[["performance", "output_consistency"]]
    centred = centred - centred.groupby(pairs[group].astype(str)).transform("mean")
    x, y = _xy(centred)
    slope = float(x @ y / (x @ x))
    rest = float(((y - slope * x) ** 2).sum())
    df = len(y) - pairs[group].nunique() - 1
    half = stats.t.ppf((1 + confidence) / 2, df) * np.sqrt(rest / df / (x @ x))
    return {
        "reading": reading,
        "slope": slope,
        "lower": slope - half,
        "upper": slope + half,
        "intercept": float("nan"),
        "r_squared": 1 - rest / float(y @ y),
        "n": len(y),
    }


def _mixed_row(fit: CrossedFit, n: int, confidence: float) -> dict:
    half = stats.norm.ppf((1 + confidence) / 2) * np.sqrt(fit.covariance[1, 1])
    return {
        "reading": "mixed",
        "slope": fit.coefficients[1],
        "lower": fit.coefficients[1] - half,
        "upper": fit.coefficients[1] + half,
        "intercept": fit.coefficients[0],
        "r_squared": float("nan"),
        "n": n,
    }
