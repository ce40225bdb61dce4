"""The six hypotheses on what drives saturation, and documented quality issues (section 4.1).

Every comparison is made of the same parts: groups with their ages and saturation rates, tests on
the raw index, a test of age balance, and the effect of the grouping once age is held fixed. Ages
are ``months_at_observation``, as the group means of section 4.1; bins and one trend take the
recorded ``age_months``, as Figure 3.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from saturation import seeds
from saturation.arrays import Bools, Floats
from saturation.files.tables import NamedTables
from saturation.statistics import intervals
from studies import correlation
from studies.plateau import groupings, resampling
from studies.plateau.groupings import Comparison

# Trends of saturation with age, adoption and test-set size (plateau paper, H5 and Figures 3-4).

AGE = "months_at_observation"
RECORDED_AGE = "age_months"


def trends(data: pd.DataFrame) -> pd.DataFrame:
    """Trends of H5: age, citations and citation growth against the index.

    Citations are controlled for age in each of the usual readings, since the paper does not name
    its own. Growth is citations per month of age.

    - ``data``: one row a benchmark: ``s_index``, both ages, ``citations``, ``n_test``.

    ``trend, reading, estimate, lower, upper, p_value, n``.
    """
    s_index, citations = data["s_index"], data["citations"].astype(float)
    age = data[AGE]
    estimates = {
        ("age", "spearman"): correlation.spearman(age, s_index),
        ("age", "spearman_recorded"): correlation.spearman(data[RECORDED_AGE], s_index),
        ("test_size", "spearman"): correlation.spearman(data["n_test"], s_index),
    }
    # Releases up to the end of the month of observation have an age of 0 or below: no growth.
    growth = citations / age.where(age > 0)
    for trend, values in (("citations", citations), ("citation_growth", growth)):
        estimates[trend, "raw"] = correlation.spearman(values, s_index)
        for reading, method in _CONTROLLED.items():
            estimates[trend, reading] = method(values, s_index, age)
    return pd.DataFrame(
        {"trend": trend, "reading": reading, **estimate}
        for (trend, reading), estimate in estimates.items()
    )


def _partial_pearson_log(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> correlation.Estimate:
    """Partial Pearson correlation of log(1 + x): counts are skewed and may be 0."""
    return correlation.partial_pearson(np.log1p(np.asarray(x, float)), y, given)


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
AGE_LABELS = ("up to 24", "over 24 to 60", "over 60")
CITATION_EDGES = (300, 1000, 2500)
CITATION_LABELS = ("up to 300", "301 to 1,000", "1,001 to 2,500", "over 2,500")


def binned(values: pd.Series, edges: Sequence[float], labels: Sequence[str]) -> pd.Series:
    """Label of the bin of each value; bins are open below and closed above."""
    return pd.cut(values, [-np.inf, *edges, np.inf], labels=labels).astype("object")


def bins(data: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Saturation by recorded age and by citations (Figures 3 and 4), the lowest bin first."""
    rows = []
    for by, labels in (
        (RECORDED_AGE, age_bin(data[RECORDED_AGE])),
        ("citations", citation_bin(data["citations"])),
    ):
        ordered = data.assign(bin=labels).sort_values(by)
        rows += [
            {"binned_by": by, "bin": label, **saturation_summary(members["s_index"], threshold)}
            for label, members in ordered.groupby("bin", sort=False)
        ]
    return pd.DataFrame(rows)


def age_bin(months: pd.Series) -> pd.Series:
    """Age bin of section 4.1: up to 24, over 24 to 60, over 60 months."""
    return binned(months, AGE_EDGES, AGE_LABELS)


def citation_bin(citations: pd.Series) -> pd.Series:
    """Citation bin; missing where the count is."""
    return binned(citations.astype(float), CITATION_EDGES, CITATION_LABELS)


def saturation_summary(s_index: pd.Series, threshold: float) -> dict[str, float]:
    """Size, saturation rate and mean index of a set of benchmarks.

    ``n, n_saturated, rate`` with its Wilson interval, ``mean_s`` with its Student t interval.
    """
    saturated = (s_index >= threshold).sum()
    rate_lower, rate_upper = intervals.wilson(saturated, len(s_index))
    lower, upper = np.clip(intervals.mean(s_index), 0.0, 1.0)
    return {
        "n": len(s_index),
        "n_saturated": saturated,
        "rate": saturated / len(s_index),
        "rate_lower": rate_lower,
        "rate_upper": rate_upper,
        "mean_s": s_index.mean(),
        "mean_s_lower": lower,
        "mean_s_upper": upper,
    }


class GroupTest(NamedTuple):
    """Test of a comparison, with its effect if the effect is a single number."""

    test: str
    statistic: float
    p_value: float
    effect: float = np.nan
    effect_lower: float = np.nan
    effect_upper: float = np.nan


TEST_COLUMNS = ["hypothesis", "grouping", *GroupTest._fields, "n"]
FAMILY_COLUMNS = ["hypothesis", "kind", "p_value", "holm"]


def tables(
    data: pd.DataFrame, *, seed: int, permutations: int, saturated_from: float
) -> NamedTables:
    """Compute the study's tables ``groups, tests, trends, bins, family``."""
    compared = groupings.comparisons(data)
    tests = [
        group_tests(
            data,
            comparison,
            saturated_from,
            permutations,
            generator(seed, comparison.hypothesis, comparison.grouping),
        )
        for comparison in compared
    ]
    tested = pd.concat(tests, ignore_index=True)
    trend_table = trends(data)
    return {
        "groups": pd.concat(
            [group_summary(data, comparison, saturated_from) for comparison in compared],
            ignore_index=True,
        ),
        "tests": tested,
        "trends": trend_table,
        "bins": bins(data, saturated_from),
        "family": family(tested, trend_table),
    }


def generator(seed: int, hypothesis: str, grouping: str) -> np.random.Generator:
    """Return the random generator of a comparison, which no other comparison changes."""
    return seeds.generator(seed, "plateau", "hypotheses", hypothesis, grouping)


def group_summary(data: pd.DataFrame, comparison: Comparison, threshold: float) -> pd.DataFrame:
    """Size, ages, saturation rate and mean index of each group.

    A row a group: ``hypothesis, grouping, group``, the mean age in months, and the columns of
    :func:`studies.plateau.hypotheses.saturation_summary`.
    """
    return pd.DataFrame(
        {
            "hypothesis": comparison.hypothesis,
            "grouping": comparison.grouping,
            "group": group,
            "mean_age": members[AGE].mean(),
            **saturation_summary(members["s_index"], threshold),
        }
        for group, members in _labelled(data, comparison).groupby("group")
    )


def group_tests(
    data: pd.DataFrame,
    comparison: Comparison,
    threshold: float,
    permutations: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Run all tests of a comparison.

    - ``data``: one row a benchmark: ``benchmark_id, s_index, n_test`` and the age.
    - ``threshold``: Index from which a benchmark counts as saturated.
    - ``permutations, rng``: relabellings of each permutation test, and what draws them.

    ``hypothesis, grouping, test, statistic, p_value, effect, effect_lower, effect_upper, n``.
    Effects are first group minus the other (of two others, the first by name, where the
    hypothesis's own first group is empty): Cliff's delta for ``rank``, difference in mean
    index for ``permutation`` and the adjusted test, difference in rates for ``rate``,
    months for the age tests. Intervals are Welch's, Newcombe's (``rate``) and HC3 (adjusted
    test); tests without one of their own have none. Comparisons of more than two groups have no
    single effect, those of one group no rows.
    """
    labelled = _labelled(data, comparison)
    groups = sorted(labelled["group"].unique())
    if groups and comparison.first not in groups:
        # Your own table may lack the group that the hypothesis names.
        comparison = replace(comparison, first=groups[0])
    # Every test of the comparison takes the same orders, which whoever has the comparison's
    # generator can draw again.
    number = resampling.affordable(permutations, len(labelled))
    permuted = resampling.orders(len(labelled), number, rng)
    if len(groups) == 2:
        rows = _two_group_tests(labelled, comparison, threshold, permuted)
    elif len(groups) > 2:
        rows = _many_group_tests(labelled)
    else:
        return pd.DataFrame(columns=TEST_COLUMNS)
    table = pd.DataFrame([*rows, _adjusted_test(labelled, comparison, permuted)])
    table.insert(0, "hypothesis", comparison.hypothesis)
    table.insert(1, "grouping", comparison.grouping)
    return table.assign(n=len(labelled))


def family(tests: pd.DataFrame, trend_table: pd.DataFrame) -> pd.DataFrame:
    """Correct a raw and an age-adjusted p-value a hypothesis for their number.

    ``hypothesis, kind`` (raw, age_adjusted), ``p_value`` and ``holm`` within the kind, for tests
    that are defined. H5 enters the raw family with the rank correlation of age, and the adjusted
    one with that of citations given age.
    """
    by_trend = trend_table.set_index(["trend", "reading"])["p_value"]
    rows = []
    for kind, test, trend in _FAMILIES:
        primary = tests[(tests["grouping"] == "primary") & (tests["test"] == test)]
        p_values = dict(zip(primary["hypothesis"], primary["p_value"])) | {"h5": by_trend[trend]}
        names = sorted(name for name, p in p_values.items() if np.isfinite(p))
        if not names:
            continue
        values = [p_values[name] for name in names]
        rows += [(name, kind, *row) for name, *row in zip(names, values, intervals.holm(values))]
    return pd.DataFrame(rows, columns=FAMILY_COLUMNS)


# Kind of family, the test of the groups, and H5's trend in their place.
_FAMILIES = (
    ("raw", "permutation", ("age", "spearman")),
    ("age_adjusted", "age_adjusted", ("citations", "partial_spearman")),
)


def _labelled(data: pd.DataFrame, comparison: Comparison) -> pd.DataFrame:
    groups = comparison.groups.dropna().rename("group").reset_index()
    return data.merge(groups, on="benchmark_id", validate="1:1")


def _two_group_tests(
    labelled: pd.DataFrame, comparison: Comparison, threshold: float, drawn: resampling.Orders
) -> list[GroupTest]:
    is_first = (labelled["group"] == comparison.first).to_numpy()
    s_index = labelled["s_index"].to_numpy()
    first, second = s_index[is_first], s_index[~is_first]
    age = labelled[AGE].to_numpy()
    ages = age[is_first], age[~is_first]
    _, p_permutation = resampling.adjusted_f_test(
        s_index, is_first, np.empty((len(s_index), 0)), drawn
    )
    return [
        _rank_test("rank", first, second),
        GroupTest("permutation", np.nan, p_permutation, first.mean() - second.mean()),
        _t_test("welch", first, second),
        _rate_test(first >= threshold, second >= threshold),
        _t_test("age_welch", *ages),
        _t_test("age_student", *ages, equal_var=True),
        _rank_test("age_rank", *ages),
    ]


def _rank_test(name: str, first: Floats, second: Floats) -> GroupTest:
    """Mann-Whitney test; its effect is Cliff's delta, P(first larger) minus P(first smaller)."""
    rank = scipy.stats.mannwhitneyu(first, second)
    delta = 2 * rank.statistic / (len(first) * len(second)) - 1
    return GroupTest(name, rank.statistic, rank.pvalue, delta)


def _t_test(name: str, first: Floats, second: Floats, equal_var: bool = False) -> GroupTest:
    """Welch's t test of two means, or Student's if equal variances are assumed."""
    t = scipy.stats.ttest_ind(first, second, equal_var=equal_var)
    interval = t.confidence_interval(intervals.CONFIDENCE)
    difference = first.mean() - second.mean()
    return GroupTest(name, t.statistic, t.pvalue, difference, interval.low, interval.high)


def _rate_test(first: Bools, second: Bools) -> GroupTest:
    """Fisher's exact test on the two saturation rates."""
    table = [[first.sum(), (~first).sum()], [second.sum(), (~second).sum()]]
    fisher = scipy.stats.fisher_exact(table)
    limits = intervals.newcombe(first.sum(), len(first), second.sum(), len(second))
    difference = first.mean() - second.mean()
    return GroupTest("rate", fisher.statistic, fisher.pvalue, difference, *limits)


def _many_group_tests(labelled: pd.DataFrame) -> list[GroupTest]:
    def split(column: str) -> list[Floats]:
        return [members[column].to_numpy() for _, members in labelled.groupby("group")]

    tests = {
        "anova": scipy.stats.f_oneway(*split("s_index")),
        "age_rank": scipy.stats.kruskal(*split(AGE)),
        "age_anova": scipy.stats.f_oneway(*split(AGE)),
    }
    return [GroupTest(name, test.statistic, test.pvalue) for name, test in tests.items()]


def _adjusted_test(
    labelled: pd.DataFrame, comparison: Comparison, drawn: resampling.Orders
) -> GroupTest:
    """Permutation F test of the groups at equal age; the effect has an HC3 interval."""
    indicators = pd.get_dummies(labelled["group"], dtype=float)
    reference = next(group for group in indicators.columns if group != comparison.first)
    tested = indicators.drop(columns=reference)
    s_index = labelled["s_index"].to_numpy()
    test = resampling.adjusted_f_test(s_index, tested, labelled[[AGE]], drawn)
    if tested.shape[1] > 1 or np.isnan(test[0]):
        return GroupTest("age_adjusted", *test)
    return GroupTest("age_adjusted", *test, *resampling.slope(s_index, tested, labelled[AGE]))
