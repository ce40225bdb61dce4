"""Does robustness follow the task or the model? Slopes of consistency on performance.

Ordinary least squares as the robustness paper (Figure 1), and a mixed model with crossed random
effects of models and datasets, which separates what a task gives every model from what a model
brings to every task.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.anova import anova_lm
from statsmodels.tools import add_constant

from saturation.arrays import Floats
from saturation.files.tables import NamedTables, Row
from saturation.statistics import intervals
from studies.robustness.names import ACROSS, INPUTS

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
_READING = ["reading", "slope", "lower", "upper", "intercept", "r_squared", "n", "note"]
_TREND = [
    *("measure", "dataset", "reading", "n", "slope", "lower", "upper", "r_squared"),
    *("correlation", "correlation_lower", "correlation_upper"),
]
_OUTLIER = [
    *("model", "dataset", "performance", "output_consistency", "studentised", "p_bonferroni"),
    "outlier",
]


def readings(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Estimate the slope of output consistency on performance under three readings of "follows".

    `ols` is the paper's, `ols_hc3` the same slope with an interval robust to unequal variance, and
    `mixed` has crossed random effects of models and datasets, with Kenward and Roger's interval.
    `ols` and `ols_hc3` take pairs as independent: where models and datasets both have effects, they
    have no interval. Where a slope cannot be estimated, its row is empty and `note` says why.
    """
    rows = [*_plain_rows(pairs, confidence), _mixed_row(pairs, confidence)]
    table = pd.DataFrame(rows).assign(reading=[*PLAIN, "mixed"], n=len(pairs))
    table = table.reindex(columns=_READING)
    if not _inseparable(pairs) and fit_crossed(Design.build(pairs)).sds.min() > 0:
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
    table = pd.DataFrame({"component": SHARES, "note": _inseparable(pairs)})
    if not table["note"].any():
        sds = _posterior_sds(pairs, generator)
        shares = np.square(sds) / np.square(sds).sum(axis=1, keepdims=True)
        lower, upper = intervals.percentile(shares, confidence)
        table = table.assign(share=shares.mean(axis=0), lower=lower, upper=upper)
    return table.reindex(columns=["component", "share", "lower", "upper", "note"])


def group_tests(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test performance, model and dataset as fixed effects, each given the rest (exact F tests).

    Empty, with the reason in `note`, where the effects leave no error.
    """
    terms = {"performance": "performance", "model": "C(model)", "dataset": "C(dataset)"}
    table = pd.DataFrame({"term": list(terms), "note": _inseparable(pairs)})
    if not table["note"].any():
        fit = OLS.from_formula(f"output_consistency ~ {' + '.join(terms.values())}", pairs).fit()
        tests = anova_lm(fit, typ=2).loc[list(terms.values())].set_axis(table.index)
        table = table.assign(df=tests["df"], f=tests["F"], p=tests["PR(>F)"])
        table = table.assign(df_error=fit.df_resid).astype({"df": int, "df_error": int})
    return table.reindex(columns=["term", "df", "df_error", "f", "p", "note"])


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
    table = pairs.assign(outlier=False)
    if not _explain_no_slope(x, y, freedom=len(pairs) - 3):
        ols = OLS(y, add_constant(x)).fit()
        # Where the other pairs lie on a line, there is no error to judge a pair by.
        with np.errstate(divide="ignore", invalid="ignore"):
            studentised, _, p = np.asarray(ols.outlier_test("bonferroni")).T
        judged = np.isfinite(studentised)
        studentised, p = (np.where(judged, values, np.nan) for values in (studentised, p))
        table = table.assign(studentised=studentised, p_bonferroni=p, outlier=p < alpha)
        table = table.sort_values("studentised", key=abs, ascending=False)
    return table.reindex(columns=_OUTLIER).reset_index(drop=True)


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
    means = means.rename(columns={"accuracy": "performance"})
    return means.assign(output_consistency=1 - means.pop("sensitivity"))


def trends(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Slopes on performance, inside every data set and across them.

    Reading `models` is least squares over the models of a data set, with errors that allow for
    unequal variance (HC3); `mixed` has crossed random effects over `all` data sets. Pearson's
    correlation has an interval where models alone are the units.
    """
    rows = []
    for measure, group in pairs.groupby("measure", sort=False):
        parts = [(dataset, "models", inside) for dataset, inside in group.groupby("dataset")]
        if len(parts) > 1:
            parts.append((ACROSS, "mixed", group))
        rows += [
            {"measure": measure, "dataset": dataset, **_trend(part, reading, confidence)}
            for dataset, reading, part in parts
        ]
    return pd.DataFrame(rows).reindex(columns=_TREND)


def trend_components(
    pairs: pd.DataFrame, confidence: float, generator: np.random.Generator
) -> pd.DataFrame:
    """Shares of the variance and exact F tests of models and data sets, for measures in `MAIN`."""
    parts = {}
    for measure, group in _main(pairs).items():
        shares = variance_shares(group, confidence, generator).drop(columns="note")
        tests = group_tests(group).rename(columns={"term": "component"})
        parts[measure] = shares.merge(tests[["component", "p"]], how="left")
    return pd.concat(parts, names=["measure"]).reset_index("measure").reset_index(drop=True)


def trend_outliers(pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Pairs off the line of least squares, for the measures in `MAIN`."""
    parts = [
        outliers(group, alpha).assign(measure=measure) for measure, group in _main(pairs).items()
    ]
    return pd.concat(parts, ignore_index=True)


class Design(NamedTuple):
    """Fixed columns and response of a mixed model, and its covariance by each unit variance.

    All are rotated into as few coordinates as the model has columns, those of the fixed and the
    random effects and the response: along the `further` ones there are errors alone.
    """

    fixed: Floats
    response: Floats
    parts: Floats
    further: int

    @classmethod
    def build(cls, pairs: pd.DataFrame) -> "Design":
        """Rotate the columns of pairs; the parts are those of models, datasets and errors."""
        groups = [pd.get_dummies(pairs[name]).to_numpy(float) for name in ("model", "dataset")]
        x, y = _xy(pairs)
        fixed = np.column_stack([np.ones_like(x), x])
        basis, _ = np.linalg.qr(np.column_stack([*groups, fixed, y]))
        rotated = [basis.T @ group for group in groups]
        parts = [*(group @ group.T for group in rotated), np.eye(basis.shape[1])]
        return cls(basis.T @ fixed, basis.T @ y, np.array(parts), len(y) - basis.shape[1])

    @property
    def freedom(self) -> int:
        """Degrees of freedom that the fixed effects leave."""
        return len(self.response) + self.further - int(self.fixed.shape[1])


class Crossed(NamedTuple):
    """A mixed model y = X beta + model effect + dataset effect + error at some variances.

    `relative` are the variances of models, datasets and errors, and `covariance` that of the
    coefficients, in units of the errors' `variance`. `inverse` is that of the response's
    covariance, `projection` takes the fixed effects out of it.
    """

    relative: Floats
    variance: float
    criterion: float
    coefficients: Floats
    covariance: Floats
    inverse: Floats
    projection: Floats

    @property
    def sds(self) -> Floats:
        """Return the standard deviations of models, datasets and errors."""
        return np.sqrt(self.variance * self.relative)


def fit_crossed(design: Design) -> Crossed:
    """Mixed model with crossed random effects of models and datasets, by REML.

    Statsmodels fits crossed effects only as one large group, a hundred times slower and without its
    optimum on the boundary, where a component is zero.
    """

    def criterion(variances: Floats) -> tuple[float, Floats]:
        solved = _solve(design, variances)
        explained = solved.projection @ design.response
        slope = [
            np.sum(solved.projection * part) - explained @ part @ explained / solved.variance
            for part in design.parts[:2]
        ]
        return solved.criterion, np.array(slope)

    # In the variances, since by a standard deviation the slope is zero wherever that is zero.
    best = scipy.optimize.minimize(
        criterion, [0.25, 0.25], jac=True, method="L-BFGS-B", bounds=[(0, 1e6)] * 2
    )
    return _solve(design, best.x)


def _solve(design: Design, variances: npt.ArrayLike) -> Crossed:
    """Solve the mixed model at given variances of models and datasets in units of the errors'."""
    fixed, y = design.fixed, design.response
    relative = np.append(variances, 1.0)
    spread = np.tensordot(relative, design.parts, axes=1)
    inverse = np.linalg.inv(spread)
    covariance = np.asarray(np.linalg.inv(fixed.T @ inverse @ fixed), np.float64)
    weights = covariance @ fixed.T @ inverse
    projection = inverse - inverse @ fixed @ weights
    # Never below rounding: an exact fit has no variance left to take the logarithm of.
    variance = max(y @ projection @ y, 1e-14 * y @ y) / design.freedom
    log_det = np.linalg.slogdet(spread)[1] - np.linalg.slogdet(covariance)[1]
    criterion = log_det + design.freedom * np.log(variance)
    return Crossed(
        relative, float(variance), criterion, weights @ y, covariance, inverse, projection
    )


def _posterior_sds(pairs: pd.DataFrame, generator: np.random.Generator) -> Floats:
    """Draws by the four components of their standard deviations.

    The relative standard deviations are on a grid that is even under the half-Cauchy prior. With
    flat priors on the coefficients and the error's logarithm their likelihood is REML's.
    """
    design = Design.build(pairs)
    grid = np.tan(np.pi / 2 * (np.arange(GRID) + 0.5) / GRID) ** 2
    solved = [_solve(design, place) for place in product(grid, repeat=2)]
    criteria = np.array([solution.criterion for solution in solved])
    chances = np.exp((criteria.min() - criteria) / 2)
    places = generator.choice(len(solved), DRAWS, p=chances / chances.sum())
    columns = zip(
        *((fit.relative, fit.variance, fit.coefficients[1], fit.covariance[1, 1]) for fit in solved)
    )
    relative, variance, slope, unscaled = (np.array(column)[places] for column in columns)
    error = np.sqrt(variance * design.freedom / generator.chisquare(design.freedom, DRAWS))
    slopes = slope + error * np.sqrt(unscaled) * generator.standard_normal(DRAWS)
    model, dataset, _ = error * np.sqrt(relative).T
    return np.column_stack([np.abs(slopes) * pairs["performance"].std(), dataset, model, error])


def _xy(pairs: pd.DataFrame) -> tuple[Floats, Floats]:
    x = pairs["performance"].to_numpy(float)
    return x, pairs["output_consistency"].to_numpy(float)


def _plain_rows(pairs: pd.DataFrame, confidence: float) -> list[Row]:
    """Estimate the slope by least squares, with usual errors and with HC3's."""
    x, y = _xy(pairs)
    if reason := _explain_no_slope(x, y, freedom=len(pairs) - 2):
        return [{"note": reason}] * len(PLAIN)
    ols = OLS(y, add_constant(x)).fit()
    robust = ols.get_robustcov_results("HC3", use_t=True)
    rows = []
    for fit in (ols, robust):
        lower, upper = fit.conf_int(1 - confidence)[-1]
        intercept, slope = fit.params
        row = {"slope": slope, "lower": lower, "upper": upper, "intercept": intercept}
        rows.append({**row, "r_squared": fit.rsquared, "note": ""})
    return rows


def _mixed_row(pairs: pd.DataFrame, confidence: float) -> Row:
    """Return the mixed model's slope with Kenward and Roger's interval."""
    if reason := _inseparable(pairs):
        return {"note": reason}
    design = Design.build(pairs)
    fit = fit_crossed(design)
    error, freedom = _kenward_roger(fit, design)
    intercept, slope = fit.coefficients
    lower, upper = scipy.stats.t.interval(confidence, freedom, slope, error)
    return {"slope": slope, "lower": lower, "upper": upper, "intercept": intercept, "note": ""}


def _kenward_roger(fit: Crossed, design: Design) -> tuple[float, float]:
    """Compute the slope's standard error and degrees of freedom with estimated variances.

    With few models and datasets a normal interval is too narrow, because it takes the variances for
    known: Kenward and Roger (1997, Biometrics 53, 983-997), whose covariance is linear in the
    variances here. All in units of the error's variance, which the result does not depend on.
    """
    covariance = fit.covariance
    spread = fit.projection @ design.parts
    information = np.einsum("iab,jba->ij", spread, spread)
    information[2, 2] += design.further
    weights = 2 * np.linalg.pinv(information, hermitian=True)
    # Slopes of the inverse covariance by each variance, times the fixed columns.
    changes = design.parts @ fit.inverse @ design.fixed
    correction = np.einsum(
        "ij,ina,nm,jmb->ab", weights, changes, fit.projection, changes, optimize=True
    )
    adjusted = covariance + 2 * covariance @ correction @ covariance
    slopes = covariance @ design.fixed.T @ fit.inverse @ changes @ covariance
    change = slopes[:, 1, 1] / covariance[1, 1]
    freedom = 2 / (change @ weights @ change)
    return np.sqrt(fit.variance * adjusted[1, 1]), freedom


def _main(pairs: pd.DataFrame) -> NamedTables:
    return {measure: pairs[pairs["measure"] == measure] for measure in MAIN}


def _trend(group: pd.DataFrame, reading: str, confidence: float) -> Row:
    """Estimate a slope and the correlation; empty where models are too few or nothing varies."""
    row = {"reading": reading, "n": len(group)}
    x, y = _xy(group)
    inside = reading == "models"
    if (inside and len(group) < FEWEST) or min(np.ptp(x), np.ptp(y)) == 0:
        return row
    line = _plain_rows(group, confidence)[1] if inside else _mixed_row(group, confidence)
    pearson = scipy.stats.pearsonr(x, y)
    row |= {name: line.get(name) for name in ("slope", "lower", "upper")}
    row |= {"r_squared": pearson.statistic**2, "correlation": pearson.statistic}
    if inside:
        ends = pearson.confidence_interval(confidence)
        row |= {"correlation_lower": ends.low, "correlation_upper": ends.high}
    return row
