"""Trends of saturation with age, adoption and test-set size (plateau paper, H5 and Figures 3-4)."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from saturation.statistics import correlation, intervals

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
    n_test, age = data["n_test"], data[AGE]
    estimates = {
        ("age", "spearman"): correlation.spearman(age, s_index),
        ("age", "spearman_recorded"): correlation.spearman(data[RECORDED_AGE], s_index),
        ("age", "kendall"): correlation.kendall(age, s_index),
        ("age", "pearson"): correlation.pearson(age, s_index),
        ("test_size", "spearman"): correlation.spearman(n_test, s_index),
        ("test_size", "partial_given_age"): correlation.partial_spearman(n_test, s_index, age),
        ("citations_given_test_size", "partial_spearman"): correlation.partial_spearman(
            citations, s_index, age, n_test
        ),
    }
    for suffix, months in (("", age), ("_recorded", data[RECORDED_AGE])):
        # Releases up to the end of the month of observation have an age of 0 or below: no growth.
        growth = citations / months.where(months > 0)
        for trend, values in (("citations", citations), ("citation_growth", growth)):
            if not suffix or trend == "citation_growth":
                estimates[trend, f"raw{suffix}"] = correlation.spearman(values, s_index)
            for reading, method in _CONTROLLED.items():
                estimates[trend, f"{reading}{suffix}"] = method(values, s_index, months)
    return pd.DataFrame(
        {"trend": trend, "reading": reading, **estimate}
        for (trend, reading), estimate in estimates.items()
    )


def _partial_pearson_log(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> correlation.Estimate:
    """Partial Pearson correlation of log(1 + x): counts are skewed and may be 0."""
    return correlation.partial_pearson(np.log1p(np.asarray(x, dtype=float)), y, given)


_Controlled = Callable[[ArrayLike, ArrayLike, ArrayLike], correlation.Estimate]
_CONTROLLED: dict[str, _Controlled] = {
    "partial_spearman": correlation.partial_spearman,
    "residual_spearman": correlation.residual_spearman,
    "residual_of_index": correlation.residual_one_sided,
    "partial_pearson": correlation.partial_pearson,
    "partial_pearson_log": _partial_pearson_log,
}

# Figure 3's bins are named in section 4.1; Figure 4's edges are not printed, so citations are cut
# at round numbers that leave each bin about as large.
AGE_EDGES = (24, 60)
AGE_LABELS = (
    f"up to {AGE_EDGES[0]}",
    f"over {AGE_EDGES[0]} to {AGE_EDGES[1]}",
    f"over {AGE_EDGES[1]}",
)
CITATION_EDGES = (300, 1000, 2500)
CITATION_LABELS = (
    f"up to {CITATION_EDGES[0]:,}",
    *(f"{low + 1:,} to {high:,}" for low, high in pairwise(CITATION_EDGES)),
    f"over {CITATION_EDGES[-1]:,}",
)


def binned(values: pd.Series, edges: Sequence[float], labels: Sequence[str]) -> pd.Series:
    """Label of the bin of each value; bins are open below and closed above.

    Parameters
    ----------
    values
        Numbers; a missing one has no bin.
    edges
        Bounds between the bins, ascending.
    labels
        One more than edges.
    """
    return pd.cut(values, [-np.inf, *edges, np.inf], labels=list(labels)).astype("object")


def bins(data: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Saturation by age in both conventions and by citations (Figures 3 and 4).

    Parameters
    ----------
    data
        One row a benchmark: ``s_index``, both ages, ``citations``.
    threshold
        Index from which a benchmark counts as saturated.
    """
    labels = {
        AGE: age_bin(data[AGE]),
        RECORDED_AGE: age_bin(data[RECORDED_AGE]),
        "citations": citation_bin(data["citations"]),
    }
    summaries = [
        bin_summary(data.assign(**{by: label}).loc[data[by].sort_values().index], by, threshold)
        for by, label in labels.items()
    ]
    return pd.concat(summaries, ignore_index=True)


def age_bin(months: pd.Series) -> pd.Series:
    """Age bin of section 4.1: up to 24, over 24 to 60, over 60 months."""
    return binned(months, AGE_EDGES, AGE_LABELS)


def citation_bin(citations: pd.Series) -> pd.Series:
    """Citation bin; missing where the count is."""
    return binned(citations.astype(float), CITATION_EDGES, CITATION_LABELS)


def bin_summary(data: pd.DataFrame, by: str, threshold: float) -> pd.DataFrame:
    """Saturation of the benchmarks in each bin, bins in order of appearance.

    Parameters
    ----------
    data
        One row a benchmark, with ``s_index``.
    by
        Column that holds the bins; benchmarks without one are left out.
    threshold
        Index from which a benchmark counts as saturated.
    """
    rows = [
        {"binned_by": by, "bin": label, **saturation_summary(members["s_index"], threshold)}
        for label, members in data.dropna(subset=[by]).groupby(by, sort=False)
    ]
    return pd.DataFrame(rows)


def saturation_summary(s_index: pd.Series, threshold: float) -> dict[str, float]:
    """Size, saturation rate and mean index of a set of benchmarks.

    Parameters
    ----------
    s_index
        The benchmarks' indices.
    threshold
        Index from which a benchmark counts as saturated.

    Returns
    -------
    dict
        ``n, n_saturated, rate`` with its Wilson interval, ``mean_s`` with its Student t interval,
        and ``sd_s`` (n - 1 in the denominator).
    """
    saturated = int((s_index >= threshold).sum())
    rate_lower, rate_upper = intervals.wilson(saturated, len(s_index))
    lower, upper = intervals.mean(s_index)
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
