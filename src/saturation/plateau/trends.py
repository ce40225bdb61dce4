"""Trends of saturation with age, adoption and test-set size (plateau paper, H5 and Figures 3-4)."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from saturation.statistics import correlation

AGE = "months_at_observation"
RECORDED_AGE = "age_months"


def trends(data: pd.DataFrame) -> pd.DataFrame:
    """Trends of H5: age, citations and citation growth against the index.

    Citations are controlled for age in each of the usual readings, since the paper does not name
    its own, and once for age and test-set size together. Growth is citations per month of age.

    Parameters
    ----------
    data
        One row a benchmark: ``s_index``, both ages, ``citations``, ``n_test``.

    Returns
    -------
    pandas.DataFrame
        ``trend, reading, estimate, lower, upper, p_value, n``.
    """
    s_index, citations = data["s_index"], data["citations"].astype(float)
    rows = []

    def add(trend: str, reading: str, estimate: correlation.Estimate) -> None:
        rows.append({"trend": trend, "reading": reading, **estimate})

    add("age", "spearman", correlation.spearman(data[AGE], s_index))
    add("age", "spearman_recorded", correlation.spearman(data[RECORDED_AGE], s_index))
    add("age", "kendall", correlation.kendall(data[AGE], s_index))
    add("age", "pearson", correlation.pearson(data[AGE], s_index))
    add("test_size", "spearman", correlation.spearman(data["n_test"], s_index))
    add("test_size", "partial_given_age",
        correlation.partial_spearman(data["n_test"], s_index, data[AGE]))  # fmt: skip
    add("citations_given_test_size", "partial_spearman",
        correlation.partial_spearman(citations, s_index, data[AGE], data["n_test"]))  # fmt: skip
    for suffix, age in (("", AGE), ("_recorded", RECORDED_AGE)):
        # Releases up to the end of the month of observation have an age of 0 or below: no growth.
        growth = citations / data[age].where(data[age] > 0)
        for trend, values in (("citations", citations), ("citation_growth", growth)):
            if not suffix or trend == "citation_growth":
                add(trend, f"raw{suffix}", correlation.spearman(values, s_index))
            for reading, method in _CONTROLLED.items():
                add(trend, f"{reading}{suffix}", method(values, s_index, data[age]))
            add(trend, f"partial_pearson_log{suffix}",
                correlation.partial_pearson(np.log1p(values), s_index, data[age]))  # fmt: skip
    return pd.DataFrame(rows)


_Controlled = Callable[[ArrayLike, ArrayLike, ArrayLike], correlation.Estimate]
_CONTROLLED: dict[str, _Controlled] = {
    "partial_spearman": correlation.partial_spearman,
    "residual_spearman": correlation.residual_spearman,
    "residual_of_index": correlation.residual_one_sided,
    "partial_pearson": correlation.partial_pearson,
}


def binned(values: pd.Series, edges: Sequence[float], labels: Sequence[str]) -> pd.Series:
    """Label of the bin of each value; bins are open below and closed above."""
    return pd.cut(values, [-np.inf, *edges, np.inf], labels=list(labels)).astype("object")


# Figure 3's bins are named in section 4.1; Figure 4's edges are not printed, so citations are cut
# at round numbers that leave each bin about as large.
AGE_EDGES = (24, 60)
AGE_LABELS = ("up to 24", "over 24 to 60", "over 60")
CITATION_EDGES = (300, 1000, 2500)
CITATION_LABELS = ("up to 300", "301 to 1,000", "1,001 to 2,500", "over 2,500")


def bins(data: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Saturation by age in both conventions and by citations (Figures 3 and 4)."""
    labels = {
        AGE: age_bin(data[AGE]),
        RECORDED_AGE: age_bin(data[RECORDED_AGE]),
        "citations": citation_bin(data["citations"]),
    }
    parts = [
        bin_summary(data.assign(**{by: label}).loc[data[by].sort_values().index], by, threshold)
        for by, label in labels.items()
    ]
    return pd.concat(parts, ignore_index=True)


def age_bin(months: pd.Series) -> pd.Series:
    """Age bin of section 4.1: up to 24, over 24 to 60, over 60 months."""
    return binned(months, AGE_EDGES, AGE_LABELS)


def citation_bin(citations: pd.Series) -> pd.Series:
    """Citation bin; missing where the count is."""
    return binned(citations.astype(float), CITATION_EDGES, CITATION_LABELS)


def bin_summary(data: pd.DataFrame, by: str, threshold: float) -> pd.DataFrame:
    """Saturation of the benchmarks in each bin of the column `by`, bins in order of appearance."""
    rows = [
        {"binned_by": by, "bin": label, **saturation_summary(part["s_index"], threshold)}
        for label, part in data.dropna(subset=[by]).groupby(by, sort=False)
    ]
    return pd.DataFrame(rows)


def saturation_summary(s_index: pd.Series, threshold: float) -> dict[str, float]:
    """Size, saturation rate and mean index of a set of benchmarks.

    Returns
    -------
    dict
        ``n, n_saturated, rate`` with its Wilson interval, ``mean_s`` with its Student t interval,
        and ``sd_s`` (n - 1 in the denominator).
    """
    saturated = int((s_index >= threshold).sum())
    rate_lower, rate_upper = stats.binomtest(saturated, len(s_index)).proportion_ci(method="wilson")
    lower, upper = mean_interval(s_index.to_numpy())
    return {
        "n": len(s_index),
        "n_saturated": saturated,
        "rate": saturated / len(s_index),
        "rate_lower": rate_lower,
        "rate_upper": rate_upper,
        "mean_s": s_index.mean(),
        "mean_s_lower": lower,
        "mean_s_upper": upper,
        "sd_s": s_index.std(),
    }


def mean_interval(values: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Student t interval of a mean; NaN with fewer than two values."""
    if len(values) < 2:
        return float("nan"), float("nan")
    half = stats.t.ppf(0.5 + level / 2, len(values) - 1) * stats.sem(values)
    return float(values.mean() - half), float(values.mean() + half)
