"""The six hypotheses on what drives saturation, and documented quality issues (section 4.1).

Every comparison is made of the same parts: groups with their ages and saturation rates, tests on
the raw index, a test of age balance, and the effect of the grouping once age (and log n) is held
fixed. Ages come in the paper's two conventions: ``months_at_observation`` (group means of section
4.1) and the recorded ``age_months`` (Figure 3).
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

from saturation.plateau.groupings import Comparison
from saturation.plateau.trends import AGE, RECORDED_AGE, saturation_summary
from saturation.statistics import permutation

BOOTSTRAP = 2000
TEST_COLUMNS = [
    "hypothesis", "grouping", "test", "statistic", "p_value",
    "effect", "effect_lower", "effect_upper", "n",
]  # fmt: skip


def group_summary(data: pd.DataFrame, comparison: Comparison, threshold: float) -> pd.DataFrame:
    """Size, ages, saturation rate and mean index of each group.

    Parameters
    ----------
    data
        One row a benchmark: ``benchmark_id, s_index``, both ages.
    comparison
        The grouping.
    threshold
        Index from which a benchmark counts as saturated.

    Returns
    -------
    pandas.DataFrame
        A row a group: ``hypothesis, grouping, group``, mean and median ages in months, and the
        columns of :func:`saturation.plateau.trends.saturation_summary`.
    """
    rows = []
    for group, part in _labelled(data, comparison).groupby("group", sort=True):
        rows.append(
            {
                "hypothesis": comparison.hypothesis,
                "grouping": comparison.grouping,
                "group": group,
                "mean_age": part[AGE].mean(),
                "median_age": part[AGE].median(),
                "mean_recorded_age": part[RECORDED_AGE].mean(),
                "median_recorded_age": part[RECORDED_AGE].median(),
                **saturation_summary(part["s_index"], threshold),
            }
        )
    return pd.DataFrame(rows)


def group_tests(
    data: pd.DataFrame,
    comparison: Comparison,
    threshold: float,
    permutations: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """All tests of one comparison.

    Returns
    -------
    pandas.DataFrame
        ``hypothesis, grouping, test, statistic, p_value, effect, effect_lower, effect_upper, n``.
        Effects are first group minus the other (of two others, the first by name, where the
        hypothesis's own first group is empty): Cliff's delta for ``rank``, difference in mean
        index for ``permutation`` and the adjusted tests, difference in rates for ``rate``,
        months for the age tests. Intervals are bootstrap (``rank``), Welch's, Newcombe's
        (``rate``) and HC3 (adjusted tests); tests without one of their own have none. Comparisons
        of more than two groups have no single effect, those of one group no rows.
    """
    labelled = _labelled(data, comparison)
    groups = sorted(labelled["group"].unique())
    if groups and comparison.first not in groups:
        # Your own table may lack the group that the hypothesis names.
        comparison = replace(comparison, first=groups[0])
    if len(groups) == 2:
        rows = _two_group_tests(labelled, comparison, threshold, permutations, rng)
    elif len(groups) > 2:
        rows = _many_group_tests(labelled, threshold)
    else:
        return pd.DataFrame(columns=TEST_COLUMNS)
    rows += [
        _adjusted_test(labelled, comparison, name, covariates, permutations, rng)
        for name, covariates in _ADJUSTMENTS.items()
    ]
    frame = pd.DataFrame(rows)
    frame.insert(0, "hypothesis", comparison.hypothesis)
    frame.insert(1, "grouping", comparison.grouping)
    return frame.assign(n=len(labelled))


_ADJUSTMENTS = {
    "age_adjusted": [AGE],
    "recorded_age_adjusted": [RECORDED_AGE],
    "age_and_log_n_adjusted": [AGE, "log_n"],
}


def cliffs_delta(first: np.ndarray, second: np.ndarray) -> float:
    """Probability that a value of the first group is larger, minus that it is smaller."""
    return float(np.sign(first[:, None] - second[None, :]).mean())


def family(tests: pd.DataFrame, trend_table: pd.DataFrame) -> pd.DataFrame:
    """One raw and one age-adjusted p-value a hypothesis, corrected for their number.

    Returns
    -------
    pandas.DataFrame
        ``hypothesis, kind`` (raw, age_adjusted, age_and_log_n_adjusted), ``p_value``, ``holm``
        and ``benjamini_hochberg`` within the kind, for tests that are defined. H5 enters the raw
        family with the rank correlation of age, and the adjusted ones with that of citations given
        age, or given age and test-set size.
    """
    rows = []
    for kind, test, h5 in _FAMILIES:
        chosen = tests[(tests["grouping"] == "primary") & (tests["test"] == test)]
        p_values = dict(zip(chosen["hypothesis"], chosen["p_value"]))
        trend, reading = h5
        match = (trend_table["trend"] == trend) & (trend_table["reading"] == reading)
        p_values["h5"] = float(trend_table.loc[match, "p_value"].iloc[0])
        names = sorted(name for name, p in p_values.items() if np.isfinite(p))
        if not names:
            continue
        values = [p_values[name] for name in names]
        holm = multipletests(values, method="holm")[1]
        bh = multipletests(values, method="fdr_bh")[1]
        rows += [
            {"hypothesis": n, "kind": kind, "p_value": p, "holm": h, "benjamini_hochberg": b}
            for n, p, h, b in zip(names, values, holm, bh)
        ]
    return pd.DataFrame(rows, columns=FAMILY_COLUMNS)


FAMILY_COLUMNS = ["hypothesis", "kind", "p_value", "holm", "benjamini_hochberg"]
_FAMILIES = (
    ("raw", "permutation", ("age", "spearman")),
    ("age_adjusted", "age_adjusted", ("citations", "partial_spearman")),
    (
        "age_and_log_n_adjusted",
        "age_and_log_n_adjusted",
        ("citations_given_test_size", "partial_spearman"),
    ),
)


def _labelled(data: pd.DataFrame, comparison: Comparison) -> pd.DataFrame:
    groups = comparison.groups.dropna().rename("group").reset_index()
    return data.merge(groups, on="benchmark_id", validate="1:1").assign(
        log_n=lambda frame: np.log(frame["n_test"].astype(float))
    )


def _two_group_tests(
    labelled: pd.DataFrame,
    comparison: Comparison,
    threshold: float,
    permutations: int,
    rng: np.random.Generator,
) -> list[dict[str, object]]:
    is_first = (labelled["group"] == comparison.first).to_numpy()
    s_index = labelled["s_index"].to_numpy()
    first, second = s_index[is_first], s_index[~is_first]
    rank = stats.mannwhitneyu(first, second)
    delta_lower, delta_upper = _bootstrap_delta(first, second, rng)
    difference, p_permutation = permutation.mean_difference(s_index, is_first, permutations, rng)
    welch = stats.ttest_ind(first, second, equal_var=False)
    interval = welch.confidence_interval()
    return [
        _row("rank", rank.statistic, rank.pvalue, cliffs_delta(first, second),
             delta_lower, delta_upper),
        _row("permutation", np.nan, p_permutation, difference),
        _row("welch", welch.statistic, welch.pvalue, difference, interval.low, interval.high),
        *_rate_tests(first >= threshold, second >= threshold),
        *_age_tests(labelled, is_first),
    ]  # fmt: skip


def _rate_tests(first: np.ndarray, second: np.ndarray) -> list[dict[str, object]]:
    """Fisher's exact test and the chi-squared test on the two saturation rates."""
    table = np.array([[first.sum(), (~first).sum()], [second.sum(), (~second).sum()]])
    fisher = stats.fisher_exact(table)
    lower, upper = confint_proportions_2indep(
        first.sum(), len(first), second.sum(), len(second), method="newcomb", compare="diff"
    )
    difference = first.mean() - second.mean()
    rows = [_row("rate", fisher.statistic, fisher.pvalue, difference, lower, upper)]
    # The chi-squared test is undefined when no (or every) benchmark is saturated.
    if table.sum(axis=0).min() > 0:
        for name, correction in (("rate_chi2", False), ("rate_chi2_yates", True)):
            chi2 = stats.chi2_contingency(table, correction=correction)
            rows.append(_row(name, chi2.statistic, chi2.pvalue, difference))
    return rows


def _age_tests(labelled: pd.DataFrame, is_first: np.ndarray) -> list[dict[str, object]]:
    rows = []
    for suffix, column in (("", AGE), ("_recorded", RECORDED_AGE)):
        age = labelled[column].to_numpy()
        welch = stats.ttest_ind(age[is_first], age[~is_first], equal_var=False)
        student = stats.ttest_ind(age[is_first], age[~is_first])
        rank = stats.mannwhitneyu(age[is_first], age[~is_first])
        difference = age[is_first].mean() - age[~is_first].mean()
        interval = welch.confidence_interval()
        rows += [
            _row(f"age_welch{suffix}", welch.statistic, welch.pvalue, difference,
                 interval.low, interval.high),
            _row(f"age_student{suffix}", student.statistic, student.pvalue, difference,
                 *student.confidence_interval()),
            _row(f"age_rank{suffix}", rank.statistic, rank.pvalue,
                 cliffs_delta(age[is_first], age[~is_first])),
        ]  # fmt: skip
    return rows


def _many_group_tests(labelled: pd.DataFrame, threshold: float) -> list[dict[str, object]]:
    def split(column: str) -> list[np.ndarray]:
        return [part[column].to_numpy() for _, part in labelled.groupby("group", sort=True)]

    saturated = labelled["s_index"] >= threshold
    counts = pd.crosstab(labelled["group"], saturated).to_numpy()
    tests = {
        "rank": stats.kruskal(*split("s_index")),
        "anova": stats.f_oneway(*split("s_index")),
        "rate_chi2": stats.chi2_contingency(counts),
        "age_rank": stats.kruskal(*split(AGE)),
        "age_anova": stats.f_oneway(*split(AGE)),
        "age_rank_recorded": stats.kruskal(*split(RECORDED_AGE)),
        "age_anova_recorded": stats.f_oneway(*split(RECORDED_AGE)),
    }
    return [_row(name, test.statistic, test.pvalue) for name, test in tests.items()]


def _adjusted_test(
    labelled: pd.DataFrame,
    comparison: Comparison,
    name: str,
    covariates: list[str],
    permutations: int,
    rng: np.random.Generator,
) -> dict[str, object]:
    """Permutation F test of the groups next to covariates; the effect has an HC3 interval."""
    indicators = pd.get_dummies(labelled["group"], dtype=float)
    reference = next(group for group in indicators.columns if group != comparison.first)
    tested = indicators.drop(columns=reference)
    s_index = labelled["s_index"].to_numpy()
    f, p = permutation.adjusted_f_test(s_index, tested, labelled[covariates], permutations, rng)
    if tested.shape[1] > 1 or np.isnan(f):
        return _row(name, f, p)
    design = sm.add_constant(np.column_stack([tested, labelled[covariates]]))
    fit = sm.OLS(s_index, design).fit()
    if fit.get_influence().hat_matrix_diag.max() > FULL_LEVERAGE:
        return _row(name, f, p, fit.params[1])
    lower, upper = fit.get_robustcov_results("HC3", use_t=True).conf_int()[1]
    return _row(name, f, p, fit.params[1], lower, upper)


# A benchmark that alone is its group fits exactly: HC3 would divide nothing by nothing.
FULL_LEVERAGE = 1 - 1e-8


def _bootstrap_delta(
    first: np.ndarray, second: np.ndarray, rng: np.random.Generator
) -> tuple[float, float]:
    """Percentile interval of Cliff's delta, resampling within the groups."""
    a = rng.choice(first, (BOOTSTRAP, len(first)))
    b = rng.choice(second, (BOOTSTRAP, len(second)))
    deltas = np.sign(a[:, :, None] - b[:, None, :]).mean(axis=(1, 2))
    lower, upper = np.quantile(deltas, [0.025, 0.975])
    return float(lower), float(upper)


def _row(
    test: str,
    statistic: float,
    p_value: float,
    effect: float = np.nan,
    lower: float = np.nan,
    upper: float = np.nan,
) -> dict[str, object]:
    return {
        "test": test,
        "statistic": statistic,
        "p_value": p_value,
        "effect": effect,
        "effect_lower": lower,
        "effect_upper": upper,
    }
