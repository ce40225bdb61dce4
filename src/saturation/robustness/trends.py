"""Does consistency follow performance on public answers? Slopes by measure, inside and across sets.

Inside a data set the models are the units. Across data sets models and data sets both have effects,
which make least squares' intervals too narrow: there the mixed model of
:mod:`saturation.robustness.slopes` is used.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from statsmodels.regression.linear_model import OLS
from statsmodels.tools import add_constant

from saturation.robustness import slopes
from saturation.robustness.names import ACROSS, INPUTS

Floats = npt.NDArray[np.float64]
# What is put beside performance: of paraphrases, and of small changes of the input.
PARAPHRASES = {
    "verdicts": "verdict_consistency",
    "answers": "answer_consistency",
    "always_right": "always_right",
    "score_std": "score_std",
    "drop": "pdr_usual",
}
# Measures on which shares of the variance, tests of models and outliers are computed.
MAIN = ("verdicts", "always_right", INPUTS)
# Fewest models for a slope inside a data set.
FEWEST = 5
# Resamples behind the intervals of variance shares: each fits the mixed model again.
DRAWS = 200


def pairs(variants: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """One row a measure, model and data set: `performance` and `output_consistency`.

    Parameters
    ----------
    variants
        From :func:`saturation.robustness.variants.measures`.
    runs
        From :func:`saturation.robustness.sources.sensitivity`.
    """
    parts = [
        variants[["model", "dataset", "performance"]].assign(
            measure=measure, output_consistency=variants[column]
        )
        for measure, column in PARAPHRASES.items()
    ]
    table = pd.concat([*parts, of_runs(runs).assign(measure=INPUTS)], ignore_index=True)
    return table.dropna(subset=["output_consistency"], ignore_index=True)


def of_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Accuracy and consistency of every model and data set over the prompts that all models had.

    Parameters
    ----------
    runs
        From :func:`saturation.robustness.sources.sensitivity`.

    Returns
    -------
    pandas.DataFrame
        `model`, `dataset`, `performance` and `output_consistency` (one less the share of answers
        that small changes of the input changed), means over prompts of means over seeds.
        Prompts that only some models of a data set had are left out, and so are data sets of fewer
        than `FEWEST` models.
    """
    cells = runs.groupby(["dataset", "model", "prompt"])[["accuracy", "sensitivity"]].mean()
    cells = cells.reset_index()
    models = cells.groupby("dataset")["model"].transform("nunique")
    asked = cells.groupby(["dataset", "prompt"])["model"].transform("nunique")
    kept = cells[(asked == models) & (models >= FEWEST)]
    means = kept.groupby(["model", "dataset"])[["accuracy", "sensitivity"]].mean().reset_index()
    return pd.DataFrame(
        {
            "model": means["model"],
            "dataset": means["dataset"],
            "performance": means["accuracy"],
            "output_consistency": 1 - means["sensitivity"],
        }
    )


def table(measured: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Slopes on performance, inside every data set and across them.

    Parameters
    ----------
    measured
        From :func:`pairs`.
    confidence
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        `measure`, `dataset` (or `all`), `reading` (`models`: least squares over the models of a
        data set, with errors that allow for unequal variance (HC3); `mixed`: crossed random
        effects), `slope`, `lower`, `upper`, `correlation` (Pearson's, with its interval where
        models alone are the units), `r_squared` (of least squares), `n`.
    """
    rows = []
    for measure, group in measured.groupby("measure", sort=False):
        by_dataset = dict(iter(group.groupby("dataset")))
        for dataset, inside in by_dataset.items():
            rows.append({"measure": measure, "dataset": dataset, **_inside(inside, confidence)})
        if len(by_dataset) > 1:
            rows.append({"measure": measure, "dataset": ACROSS, **_across(group, confidence)})
    return pd.DataFrame(rows)


def components(
    measured: pd.DataFrame, confidence: float, generator: np.random.Generator
) -> pd.DataFrame:
    """Shares of the variance and exact F tests of models and data sets, for the measures in `MAIN`.

    Parameters
    ----------
    measured
        From :func:`pairs`.
    confidence
        Coverage of the shares' intervals.
    generator
        Source of randomness.

    Returns
    -------
    pandas.DataFrame
        `measure`, then as :func:`saturation.robustness.slopes.variance_shares` gives it, and by
        component `p` and `partial_eta_sq` of :func:`saturation.robustness.slopes.group_tests`.
    """
    parts = []
    for measure, group in _main(measured).items():
        shares = slopes.variance_shares(group, DRAWS, confidence, generator)
        tests = slopes.group_tests(group).rename(columns={"term": "component"})
        joined = shares.merge(tests[["component", "p", "partial_eta_sq"]], how="left")
        parts.append(joined.assign(measure=measure))
    table = pd.concat(parts, ignore_index=True)
    return table[["measure", *(name for name in table if name != "measure")]]


def outliers(measured: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Pairs off the line of least squares, for the measures in `MAIN`.

    Parameters
    ----------
    measured
        From :func:`pairs`.
    alpha
        Bonferroni-corrected level below which a pair is an outlier.
    """
    parts = [
        slopes.outliers(group, alpha).assign(measure=measure)
        for measure, group in _main(measured).items()
    ]
    return pd.concat(parts, ignore_index=True)


def _main(measured: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    by_measure = dict(iter(measured.groupby("measure")))
    return {measure: by_measure[measure] for measure in MAIN}


def _inside(group: pd.DataFrame, confidence: float) -> dict[str, object]:
    """Least squares over the models of one data set; empty where they are too few."""
    row: dict[str, object] = {"reading": "models", "n": len(group)}
    row |= dict.fromkeys(_ESTIMATED, float("nan"))
    x, y = group["performance"].to_numpy(float), group["output_consistency"].to_numpy(float)
    if len(group) < FEWEST or min(np.ptp(x), np.ptp(y)) == 0:
        return row
    fit = OLS(y, add_constant(x)).fit(cov_type="HC3", use_t=True)
    lower, upper = np.asarray(fit.conf_int(1 - confidence))[1]
    row |= {"slope": fit.params[1], "lower": lower, "upper": upper, "r_squared": fit.rsquared}
    return row | _correlation(x, y, confidence)


_ESTIMATED = [
    "slope",
    "lower",
    "upper",
    "r_squared",
    "correlation",
    "correlation_lower",
    "correlation_upper",
]


def _correlation(x: Floats, y: Floats, confidence: float) -> dict[str, float]:
    found = scipy.stats.pearsonr(x, y)
    ends = found.confidence_interval(confidence)
    return {
        "correlation": float(found.statistic),
        "correlation_lower": float(ends.low),
        "correlation_upper": float(ends.high),
    }


def _across(group: pd.DataFrame, confidence: float) -> dict[str, object]:
    """The mixed model's slope, and what least squares would explain."""
    by_reading = slopes.readings(group, confidence).set_index("reading")
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
