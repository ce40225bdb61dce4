"""Does robustness follow the task or the model? Slopes of consistency on performance.

Ordinary least squares as the robustness paper (Figure 1), the same slope inside datasets and
inside models, and a mixed model with crossed random effects of models and datasets, which
separates what a task gives every model from what a model brings to every task.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from statsmodels.regression.linear_model import OLS, RegressionResults
from statsmodels.tools import add_constant

from saturation.statistics import intervals
from studies.robustness.names import ACROSS, INPUTS

Floats = npt.NDArray[np.float64]

SHARES = ["performance", "dataset", "model", "residual"]
# What is put beside performance: of paraphrases, and of small changes of the input.
PARAPHRASES = {
    "verdicts": "verdict_consistency",
    "answers": "answer_consistency",
    "always_right": "always_right",
    "score_std": "score_std",
    "std_skewness": "std_skewness",
    "drop": "pdr_usual",
}
# Measures on which shares of the variance, tests of models and outliers are computed.
MAIN = ("verdicts", "always_right", INPUTS)
# Readings that take all pairs as independent.
PLAIN = ("ols", "ols_hc3")
# Fewest models for a slope inside a data set.
FEWEST = 5
# Values whose range is below this are equal but for rounding.
NEGLIGIBLE = 1e-12
# The posterior of the variance shares: draws, and values of each standard deviation on the grid.
DRAWS = 4000
GRID = 40
_ESTIMATED = [
    *("slope", "lower", "upper", "r_squared"),
    *("correlation", "correlation_lower", "correlation_upper"),
]


def readings(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Estimate the slope of output consistency on performance under five readings of "follows".

    `ols` is the paper's, `ols_hc3` the same slope with an interval robust to unequal variance,
    `within_dataset` has dataset effects fixed (models differ), `within_model` model effects
    (datasets differ), and `mixed` crossed random effects, with Kenward and Roger's interval. R
    squared of the within readings is that of the demeaned regression. All but `mixed` take what
    their reading leaves as independent; where models and datasets both have effects, `ols` and
    `ols_hc3` have no interval. Where a slope cannot be estimated, its row is empty and `note` says
    why.
    """
    crossed = None if _inseparable(pairs) else fit_crossed(pairs)
    rows = [
        *_plain_rows(pairs, confidence),
        _within_row("within_dataset", pairs, "dataset", confidence),
        _within_row("within_model", pairs, "model", confidence),
        _mixed_row(crossed, pairs, confidence),
    ]
    table = pd.DataFrame(rows)
    if crossed and min(crossed.model_sd, crossed.dataset_sd) > 0:
        table.loc[table["reading"].isin(PLAIN), ["lower", "upper"]] = np.nan
    return table


def variance_shares(
    pairs: pd.DataFrame, confidence: float, generator: np.random.Generator
) -> pd.DataFrame:
    """Estimate the shares of consistency's variance: performance, dataset, model and residual.

    Posterior means of the shares of the sum of the four variances, with equal-tailed intervals. The
    effects' standard deviations in units of the error's have half-Cauchy priors of scale 1 (Gelman
    2006, Bayesian Analysis 1, 515-533), the coefficients and the error's logarithm flat ones. The
    component `performance` is the fixed effect's variance over the pairs (Nakagawa and Schielzeth
    2013, equation 27). Empty, with the reason in `note`, where the effects cannot be separated from
    each other.
    """
    if reason := _inseparable(pairs):
        return pd.DataFrame({"component": SHARES}).assign(**_NO_SHARE, note=reason)
    sds = _posterior_sds(_Crossed.build(pairs), generator)
    shares = np.square(sds) / np.square(sds).sum(axis=1, keepdims=True)
    lower, upper = intervals.percentile(shares, confidence)
    return pd.DataFrame(
        {
            "component": SHARES,
            "share": shares.mean(axis=0),
            "lower": lower,
            "upper": upper,
            "note": "",
        }
    )


_NO_SHARE = dict.fromkeys(["share", "lower", "upper"], np.nan)


def group_tests(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test performance, model and dataset as fixed effects, each given the rest (exact F tests).

    Empty, with the reason in `note`, where the effects leave no error.
    """
    if reason := _inseparable(pairs):
        return pd.DataFrame({"term": SHARES[:-1]}).assign(**_NO_GROUP_TEST, note=reason)
    x, y = _xy(pairs)
    columns = {
        "performance": x[:, None],
        "model": _dummies(pairs["model"])[:, 1:],
        "dataset": _dummies(pairs["dataset"])[:, 1:],
    }
    full = OLS(y, add_constant(np.hstack(list(columns.values())))).fit()
    rows = []
    for term in columns:
        nuisance = np.hstack([column for name, column in columns.items() if name != term])
        reduced = OLS(y, add_constant(nuisance)).fit()
        f, p, df = full.compare_f_test(reduced)
        rows.append(
            {
                "term": term,
                "df": int(df),
                "df_error": int(full.df_resid),
                "f": f,
                "p": p,
                "note": "",
            }
        )
    return pd.DataFrame(rows)


_NO_GROUP_TEST = dict.fromkeys(["df", "df_error", "f", "p"], np.nan)


def _explain_no_slope(x: Floats, y: Floats, freedom: int) -> str:
    """Return why a slope with its error cannot be estimated from pairs, or nothing."""
    for values, measure in ((x, "performance"), (y, "consistency")):
        if np.ptp(values) < NEGLIGIBLE:
            return f"not estimable: {measure} does not vary over {len(x)} pairs"
    if freedom < 1:
        return f"not estimable: {len(x)} pairs leave no error to judge the slope by"
    return ""


def _inseparable(pairs: pd.DataFrame) -> str:
    """Return why effects of models, of datasets and errors cannot be separated, or nothing."""
    models, datasets = pairs["model"].nunique(), pairs["dataset"].nunique()
    if reason := _explain_no_slope(*_xy(pairs), freedom=len(pairs) - 2):
        return reason
    if len(pairs) - models - datasets < 1:
        return (
            f"not estimable: {len(pairs)} pairs (models: {models}, datasets: {datasets}) leave no "
            "error beside the effects; at least two of each and three of one are needed"
        )
    return ""


def outliers(pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Sort pairs by their distance from the regression line, the most extreme first.

    Residuals are externally studentised; an outlier's p is below `alpha`, Bonferroni-corrected.
    Without a line, or an error beside a pair that is left out, no pair is an outlier.
    """
    x, y = _xy(pairs)
    table = pairs[["model", "dataset", "performance", "output_consistency"]]
    if _explain_no_slope(x, y, freedom=len(pairs) - 3):
        return table.assign(**_NO_LINE, outlier=False).reset_index(drop=True)
    ols = OLS(y, add_constant(x)).fit()
    # Where the other pairs lie on a line, there is no error to judge a pair by.
    with np.errstate(divide="ignore", invalid="ignore"):
        studentised, _, p = np.asarray(ols.outlier_test("bonferroni")).T
    judged = np.isfinite(studentised)
    studentised, p = (np.where(judged, values, np.nan) for values in (studentised, p))
    table = table.assign(studentised=studentised, p_bonferroni=p, outlier=p < alpha)
    return table.sort_values("studentised", key=abs, ascending=False, ignore_index=True)


_NO_LINE = dict.fromkeys(["studentised", "p_bonferroni"], np.nan)


def trend_pairs(variants: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """One row a measure, model and data set of public answers: performance and consistency."""
    parts = [
        variants[["model", "dataset", "performance"]].assign(
            measure=measure, output_consistency=variants[column]
        )
        for measure, column in PARAPHRASES.items()
    ]
    table = pd.concat([*parts, measure_runs(runs).assign(measure=INPUTS)], ignore_index=True)
    return table.dropna(subset=["output_consistency"], ignore_index=True)


def measure_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Accuracy and consistency of every model and data set over the prompts that all models had.

    Consistency is one less the share of answers that small changes of the input changed; both are
    means over prompts of means over seeds. Prompts that only some models of a data set had are left
    out, and so are data sets of fewer than `FEWEST` models.
    """
    cells = runs.groupby(["dataset", "model", "prompt"])[["accuracy", "sensitivity"]].mean()
    cells = cells.reset_index()
    models = cells.groupby("dataset")["model"].transform("nunique")
    model_counts = cells.groupby(["dataset", "prompt"])["model"].transform("nunique")
    complete = cells[(model_counts == models) & (models >= FEWEST)]
    means = complete.groupby(["model", "dataset"])[["accuracy", "sensitivity"]].mean().reset_index()
    return pd.DataFrame(
        {
            "model": means["model"],
            "dataset": means["dataset"],
            "performance": means["accuracy"],
            "output_consistency": 1 - means["sensitivity"],
        }
    )


def trends(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Slopes on performance, inside every data set and across them.

    Reading `models` is least squares over the models of a data set, with errors that allow for
    unequal variance (HC3); `mixed` has crossed random effects over `all` data sets. Pearson's
    correlation has an interval where models alone are the units.
    """
    rows = []
    for measure, group in pairs.groupby("measure", sort=False):
        by_dataset = dict(iter(group.groupby("dataset")))
        for dataset, inside in by_dataset.items():
            rows.append({"measure": measure, "dataset": dataset, **_inside(inside, confidence)})
        if len(by_dataset) > 1:
            rows.append({"measure": measure, "dataset": ACROSS, **_across(group, confidence)})
    return pd.DataFrame(rows)


def trend_components(
    pairs: pd.DataFrame, confidence: float, generator: np.random.Generator
) -> pd.DataFrame:
    """Shares of the variance and exact F tests of models and data sets, for measures in `MAIN`."""
    parts = []
    for measure, group in _main(pairs).items():
        shares = variance_shares(group, confidence, generator).drop(columns="note")
        tests = group_tests(group).rename(columns={"term": "component"})
        joined = shares.merge(tests[["component", "p"]], how="left")
        parts.append(joined.assign(measure=measure))
    table = pd.concat(parts, ignore_index=True)
    return table[["measure", *(name for name in table if name != "measure")]]


def trend_outliers(pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Pairs off the line of least squares, for the measures in `MAIN`."""
    parts = [
        outliers(group, alpha).assign(measure=measure) for measure, group in _main(pairs).items()
    ]
    return pd.concat(parts, ignore_index=True)


@dataclass(frozen=True)
class CrossedFit:
    """A fitted mixed model y = X beta + model effect + dataset effect + error."""

    coefficients: Floats
    model_sd: float
    dataset_sd: float
    residual_sd: float


def fit_crossed(pairs: pd.DataFrame) -> CrossedFit:
    """Mixed model with crossed random effects of models and datasets, by REML.

    The profiled criterion of Bates et al. (2015, J. Stat. Softw. 67(1), equation 42) in the two
    relative standard deviations. Statsmodels fits crossed effects only as one large group, a
    hundred times slower and without its optimum on the boundary, where a component is zero.
    """
    crossed = _Crossed.build(pairs)

    def criterion(variances: Floats) -> tuple[float, Floats]:
        solved = _solve(crossed, np.sqrt(variances))
        return solved.criterion, _slope(solved, crossed)

    # In the variances, since by a standard deviation the slope is zero wherever that is zero.
    best = scipy.optimize.minimize(
        criterion, [0.25, 0.25], jac=True, method="L-BFGS-B", bounds=[(0, 1e6)] * 2
    )
    solved = _solve(crossed, np.sqrt(best.x))
    sd = float(np.sqrt(solved.variance))
    model_sd, dataset_sd = sd * np.sqrt(best.x)
    return CrossedFit(solved.coefficients, float(model_sd), float(dataset_sd), sd)


class _Crossed(NamedTuple):
    """The mixed model's fixed columns (x), with cross-products with random columns and response."""

    x: Floats
    effects: tuple[int, int]  # of models and of datasets: the random columns (z)
    zz: Floats
    zx: Floats
    zy: Floats
    xx: Floats
    xy: Floats
    yy: float

    @classmethod
    def build(cls, pairs: pd.DataFrame) -> "_Crossed":
        x, y = _fixed(pairs), _xy(pairs)[1]
        models, datasets = _dummies(pairs["model"]), _dummies(pairs["dataset"])
        z = np.hstack([models, datasets])
        products = (z.T @ z, z.T @ x, z.T @ y, x.T @ x, x.T @ y, float(y @ y))
        return cls(x, (models.shape[1], datasets.shape[1]), *products)


class _Solved(NamedTuple):
    """The mixed model at given relative standard deviations.

    Its REML criterion, coefficients, their unscaled covariance and the error variance; the scale of
    each random effect, the lower Cholesky factor of the scaled random cross-products, and the fixed
    columns and the response solved by it.
    """

    criterion: float
    coefficients: Floats
    inverse: Floats
    variance: float
    scale: Floats
    lower: Floats
    cx: Floats
    cy: Floats


def _solve(crossed: _Crossed, relative: Floats) -> _Solved:
    x, effects, zz, zx, zy, xx, xy, yy = crossed
    scale = np.repeat(relative, effects)
    # Named directly, since their wrappers take longer than they do: the matrix cannot be singular.
    lapack = scipy.linalg.lapack
    lower = lapack.dpotrf(scale[:, None] * zz * scale + np.eye(len(scale)), lower=True)[0]
    cx = lapack.dtrtrs(lower, scale[:, None] * zx, lower=True)[0]
    cy = lapack.dtrtrs(lower, scale * zy, lower=True)[0]
    information = xx - cx.T @ cx
    inverse = np.linalg.inv(information)
    coefficients = inverse @ (xy - cx.T @ cy)
    df = len(x) - len(coefficients)
    # Never below rounding: an exact fit has no variance left to take the logarithm of.
    variance = max(yy - cy @ cy - coefficients @ (xy - cx.T @ cy), 1e-14 * yy) / df
    log_det = 2 * np.log(np.diag(lower)).sum() + np.linalg.slogdet(information)[1]
    criterion = float(log_det + df * np.log(variance))
    return _Solved(criterion, coefficients, inverse, float(variance), scale, lower, cx, cy)


def _slope(solved: _Solved, crossed: _Crossed) -> Floats:
    """Slope of the REML criterion by the two relative variances.

    With V the response's covariance in units of the error's: sums over the effects of each group of
    the diagonal of Z' V^-1 Z, less what the fixed columns and the response explain of it.
    """
    scaled = solved.scale[:, None] * crossed.zz
    cz = scipy.linalg.lapack.dtrtrs(solved.lower, scaled, lower=True)[0]
    zvz = np.diag(crossed.zz) - (cz * cz).sum(axis=0)
    zvx = crossed.zx - cz.T @ solved.cx
    residual = crossed.zy - cz.T @ solved.cy - zvx @ solved.coefficients
    explained = ((zvx @ solved.inverse) * zvx).sum(axis=1) + residual**2 / solved.variance
    return np.add.reduceat(zvz - explained, [0, crossed.effects[0]])


def _posterior_sds(crossed: _Crossed, generator: np.random.Generator) -> Floats:
    """Draws by the four components of their standard deviations.

    The relative standard deviations are on a grid that is even under the half-Cauchy prior. With
    flat priors on the coefficients and the error's logarithm their likelihood is REML's.
    """
    relative = np.tan(np.pi / 2 * (np.arange(GRID) + 0.5) / GRID)
    places = list(product(relative, repeat=2))
    solved = [_solve(crossed, np.array(place)) for place in places]
    criteria, variance, slope, unscaled = np.transpose(
        [
            (
                solution.criterion,
                solution.variance,
                solution.coefficients[1],
                solution.inverse[1, 1],
            )
            for solution in solved
        ]
    )
    chances = np.exp((criteria.min() - criteria) / 2)
    places_drawn = generator.choice(len(places), DRAWS, p=chances / chances.sum())
    freedom = len(crossed.x) - crossed.x.shape[1]
    error = np.sqrt(variance[places_drawn] * freedom / generator.chisquare(freedom, DRAWS))
    width = error * np.sqrt(unscaled[places_drawn])
    slopes = slope[places_drawn] + width * generator.standard_normal(DRAWS)
    fixed = np.abs(slopes) * crossed.x[:, 1].std(ddof=1)
    model, dataset = error * np.array(places)[places_drawn].T
    return np.column_stack([fixed, dataset, model, error])


def _xy(pairs: pd.DataFrame) -> tuple[Floats, Floats]:
    x = pairs["performance"].to_numpy(dtype=float)
    return x, pairs["output_consistency"].to_numpy(dtype=float)


def _fixed(pairs: pd.DataFrame) -> Floats:
    x, _ = _xy(pairs)
    return np.column_stack([np.ones_like(x), x])


def _dummies(names: pd.Series) -> Floats:
    return pd.get_dummies(names.astype(str)).to_numpy(dtype=float)


def _slope_row(
    reading: str, fit: RegressionResults, level: float, *, intercept: bool = True
) -> dict[str, object]:
    """Return the last coefficient, the slope, with its interval."""
    lower, upper = np.asarray(fit.conf_int(1 - level))[-1]
    return {
        "reading": reading,
        "slope": fit.params[-1],
        "lower": lower,
        "upper": upper,
        "intercept": fit.params[0] if intercept else float("nan"),
        "r_squared": fit.rsquared,
        "n": int(fit.nobs),
        "note": "",
    }


def _empty_row(reading: str, pairs: pd.DataFrame, reason: str) -> dict[str, object]:
    """Return a reading without a slope, and why."""
    return {"reading": reading, **_NO_SLOPE, "n": len(pairs), "note": reason}


_NO_SLOPE = dict.fromkeys(["slope", "lower", "upper", "intercept", "r_squared"], np.nan)


def _plain_rows(pairs: pd.DataFrame, confidence: float) -> list[dict[str, object]]:
    """Estimate the slope by least squares, with usual errors and with HC3's."""
    x, y = _xy(pairs)
    if reason := _explain_no_slope(x, y, freedom=len(pairs) - 2):
        return [_empty_row(reading, pairs, reason) for reading in PLAIN]
    ols = OLS(y, add_constant(x)).fit()
    robust = ols.get_robustcov_results("HC3", use_t=True)
    return [_slope_row(reading, fit, confidence) for reading, fit in zip(PLAIN, (ols, robust))]


def _within_row(
    reading: str, pairs: pd.DataFrame, group: str, confidence: float
) -> dict[str, object]:
    """Estimate the slope with a fixed effect per group: the regression of the demeaned columns."""
    columns = pairs[["performance", "output_consistency"]]
    x, y = _xy(columns - columns.groupby(pairs[group].astype(str)).transform("mean"))
    # The groups' means are estimated too.
    freedom = len(y) - pairs[group].nunique() - 1
    if reason := _explain_no_slope(x, y, freedom):
        return _empty_row(reading, pairs, reason.replace("vary", f"vary inside a {group}"))
    model = OLS(y, x)
    model.df_resid = freedom
    return _slope_row(reading, model.fit(), confidence, intercept=False)


def _mixed_row(
    fit: "CrossedFit | None", pairs: pd.DataFrame, confidence: float
) -> dict[str, object]:
    """Return the mixed model's slope with Kenward and Roger's interval."""
    if fit is None:
        return _empty_row("mixed", pairs, _inseparable(pairs))
    error, freedom = _kenward_roger(fit, pairs)
    slope, half = fit.coefficients[1], scipy.special.stdtrit(freedom, 0.5 + confidence / 2) * error
    return {
        "reading": "mixed",
        "slope": slope,
        "lower": slope - half,
        "upper": slope + half,
        "intercept": fit.coefficients[0],
        "r_squared": float("nan"),
        "n": len(pairs),
        "note": "",
    }


def _kenward_roger(fit: CrossedFit, pairs: pd.DataFrame) -> tuple[float, float]:
    """Compute the slope's standard error and degrees of freedom with estimated variances.

    With few models and datasets a normal interval is too narrow, because it takes the variances for
    known: Kenward and Roger (1997, Biometrics 53, 983-997), whose covariance is linear in the
    variances here. All in units of the error's variance, which the result does not depend on.
    """
    fixed = _fixed(pairs)
    groups = [_dummies(pairs["model"]), _dummies(pairs["dataset"])]
    parts = [group @ group.T for group in groups] + [np.eye(len(fixed))]
    relative = np.square([fit.model_sd, fit.dataset_sd, fit.residual_sd]) / fit.residual_sd**2
    inverse = np.linalg.inv(sum(size * part for size, part in zip(relative, parts)))
    spread = [inverse @ part for part in parts]
    covariance = np.linalg.inv(fixed.T @ inverse @ fixed)
    first = [-fixed.T @ half @ inverse @ fixed for half in spread]
    second = [[fixed.T @ a @ b @ inverse @ fixed for b in spread] for a in spread]
    information = np.array(
        [
            [
                np.trace(spread[i] @ spread[j])
                - 2 * np.trace(covariance @ second[i][j])
                + np.trace(covariance @ first[i] @ covariance @ first[j])
                for j in range(len(parts))
            ]
            for i in range(len(parts))
        ]
    )
    weights = 2 * np.linalg.pinv(information, hermitian=True)
    correction = sum(
        weights[i, j] * (second[i][j] - first[i] @ covariance @ first[j])
        for i in range(len(parts))
        for j in range(len(parts))
    )
    adjusted = covariance + 2 * covariance @ correction @ covariance
    change = np.array([(covariance @ of @ covariance)[1, 1] for of in first]) / covariance[1, 1]
    freedom = 2 / (change @ weights @ change)
    return float(fit.residual_sd * np.sqrt(adjusted[1, 1])), float(freedom)


def _main(pairs: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    by_measure = dict(iter(pairs.groupby("measure")))
    return {measure: by_measure[measure] for measure in MAIN}


def _inside(group: pd.DataFrame, confidence: float) -> dict[str, object]:
    """Least squares over the models of a data set; empty where models are too few."""
    row: dict[str, object] = {"reading": "models", "n": len(group)}
    row |= dict.fromkeys(_ESTIMATED, float("nan"))
    x, y = _xy(group)
    if len(group) < FEWEST or min(np.ptp(x), np.ptp(y)) == 0:
        return row
    fit = OLS(y, add_constant(x)).fit(cov_type="HC3", use_t=True)
    lower, upper = np.asarray(fit.conf_int(1 - confidence))[1]
    row |= {"slope": fit.params[1], "lower": lower, "upper": upper, "r_squared": fit.rsquared}
    result = scipy.stats.pearsonr(x, y)
    ends = result.confidence_interval(confidence)
    row |= {"correlation": float(result.statistic)}
    return row | {"correlation_lower": float(ends.low), "correlation_upper": float(ends.high)}


def _across(group: pd.DataFrame, confidence: float) -> dict[str, object]:
    """Estimate the mixed model's slope, and the variance that least squares would explain."""
    by_reading = readings(group, confidence).set_index("reading")
    mixed, plain = by_reading.loc["mixed"], by_reading.loc["ols"]
    return {
        "reading": "mixed",
        "n": len(group),
        "slope": mixed["slope"],
        "lower": mixed["lower"],
        "upper": mixed["upper"],
        "r_squared": plain["r_squared"],
        "correlation": np.sign(plain["slope"]) * np.sqrt(plain["r_squared"]),
    }
