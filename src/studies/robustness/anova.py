"""Analysis of variance of scores on the prompt's factors, and an audit of those that are printed.

The tests of the robustness paper (appendix C.3), type II and III, and beside them a test that knows
that the same example is asked under every configuration.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from patsy import dmatrix  # type: ignore[import-untyped]  # ships no types
from statsmodels.regression.linear_model import OLS, RegressionResults

from saturation.arrays import Bools, Floats, Integers
from saturation.files.tables import NamedTables, Row
from saturation.statistics import intervals
from studies.robustness.names import PAPER_EXAMPLES, n_configurations
from studies.robustness.schemas import STATISTICS

INTERCEPT = "intercept"
_ORDER = [
    *("anova_type", "factor", "df", "df_error", "sum_sq", "f", "p", "eta_sq", "partial_eta_sq"),
    *("cluster_f", "cluster_df_error", "cluster_p", "n", "note"),
]
# What a printed row is checked for: p from F; partial eta squared from F and the design's degrees
# of freedom; partial eta squared from the sum of squares and the dataset's error; eta squared from
# all sums of squares; the row's error sum of squares, and its error mean square from F, are those
# of the other factors; types II and III agree, as they must with main effects alone.
CHECKS = [
    *("p_fits", "eta_fits", "partial_fits", "share_fits", "error_fits", "mean_square_fits"),
    "types_fit",
]
# The check of each printed statistic by the row's others; none asks for the design's answers.
CELL_CHECKS = {
    "f": "mean_square_fits",
    "p": "p_fits",
    "eta_sq": "share_fits",
    "partial_eta_sq": "partial_fits",
    "sum_sq": "error_fits",
}
# A factor's degrees of freedom that are tried when the design's do not fit: up to eight levels.
DF_TRIED = range(1, 8)
# A variance below this share of its scale is zero but for rounding.
ROUNDING_ERROR = 1e-9
# How far a cell of Table A.2 may lie from its two printed decimals.
ROUNDING = 0.005


def analyses(rows: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Analyse the variance of each dataset's scores and stack the tables."""
    blocks = [
        analyse(block, factors).assign(dataset=dataset)
        for dataset, block in rows.groupby("dataset")
    ]
    order = ["anova_type", "dataset", "factor"]
    table = pd.concat(blocks).sort_values(order, ignore_index=True)
    return table[[*order, *table.columns.drop(order)]]


def analyse(rows: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Analyse the variance of a dataset's scores, types II and III, main effects only.

    Contrasts sum to zero, without which type III means nothing. With main effects alone each factor
    is adjusted for the others in both types, so its rows are equal; the types differ in the
    intercept, and in what `eta_sq` is a share of: the sum of all rows' sums of squares, the error's
    too, and the intercept's in type III, as Tables C.1 and C.2. The clustered test takes all rows
    of an example, over configurations and models, as one cluster: the plain tests count them as
    independent. Where a test is empty, `note` says why.
    """
    design, terms = _design(rows, factors)
    fit = OLS(rows["score"].to_numpy(float), design).fit(method="qr")
    clusters = rows["example_id"].astype("category").cat.codes.to_numpy()
    tests = _term_tests(fit, clusters, terms)
    return pd.concat(
        [
            _effect_sizes(tests[tests["factor"] != INTERCEPT], fit.ssr, "II"),
            _effect_sizes(tests, fit.ssr, "III"),
        ],
        ignore_index=True,
    ).assign(n=len(rows))


def audit(
    printed_anova: pd.DataFrame,
    levels: Mapping[str, Sequence[str]],
    performance: pd.DataFrame,
    external: pd.DataFrame,
) -> NamedTables:
    """Check whether the printed statistics agree with each other and the design.

    Tables `audit` by row, `audit_datasets` by dataset, and `external` by score of another source.
    """
    counts = {factor: len(names) for factor, names in levels.items()}
    n_design = performance["model"].nunique() * PAPER_EXAMPLES * n_configurations(levels)
    rows = audit_rows(printed_anova, counts, n_design)
    return {
        "audit": rows,
        "audit_datasets": audit_datasets(rows, counts, n_design),
        "external": audit_external(external, performance),
    }


def audit_rows(table: pd.DataFrame, levels: Mapping[str, int], n_design: int) -> pd.DataFrame:
    """Check every row of printed type II and III analyses of variance, as `CHECKS` says.

    `inconsistent` names the checks that fail. Beside them stand each cell by the others and the
    error sum of squares as `_low` and `_high`, and `df_implied`, the smallest factor degrees of
    freedom that fit.
    """
    df_error = n_design - 1 - sum(count - 1 for count in levels.values())
    blocks = [
        _audit_dataset(rows, levels, df_error) for _, rows in table.groupby("dataset", sort=False)
    ]
    audited = pd.concat(blocks).sort_index(ignore_index=True)
    shared = ["f", "p", "partial_eta_sq", "sum_sq"]
    variants = audited.groupby(["dataset", "factor"])[shared].transform("nunique")
    audited["types_fit"] = (variants == 1).all(axis=1)
    audited["consistent"] = audited[CHECKS].all(axis=1)
    failed = audited[CHECKS].apply(lambda fits: ", ".join(fits.index[~fits]), axis=1)
    return audited.assign(inconsistent=failed).drop(columns=CHECKS[:-1])


def audit_datasets(rows: pd.DataFrame, levels: Mapping[str, int], n_design: int) -> pd.DataFrame:
    """Bound each dataset's number of rows and mean score by the printed statistics.

    `n_low` to `n_high` are the numbers of observations with which all its rows agree; `mean_low` to
    `mean_high` is the mean score that the type III intercept of a balanced design implies, and
    `mean_added_low` to `mean_added_high` the mean of the levels' means if the answers beyond the
    design's are one more level of a factor.
    """
    return pd.DataFrame(
        [
            _dataset_row(str(dataset), group, levels, n_design)
            for dataset, group in rows.groupby("dataset", sort=False)
        ]
    )


def audit_external(external: pd.DataFrame, performance: pd.DataFrame) -> pd.DataFrame:
    """Compare the scores of Tables A.3 and A.4, in per cent, with the cells of Table A.2."""
    keys = ["model", "dataset"]
    percents = performance.set_index(keys)["performance"].mul(100).round().astype(int)
    table = external.join(percents.rename("table_a2"), on=keys)
    return table.assign(fits=table["measured"] == table["table_a2"])


def baseline_range(performance: pd.Series, configurations: int) -> pd.DataFrame:
    """Random baselines of performances that are known to two decimals.

    `value` at the printed performance, `lower` and `upper` over all that round to it.
    """
    p = performance.to_numpy(float)
    low, high = np.maximum(p - ROUNDING, 0), np.minimum(p + ROUNDING, 1)
    # The baseline falls up to one half and rises from there: its extremes are at the ends, and
    # its lowest value at one half where that lies between them.
    candidates = [low, high, np.clip(0.5, low, high)]
    reached = np.array([intervals.agreement(values, configurations) for values in candidates])
    return pd.DataFrame(
        {
            "value": intervals.agreement(p, configurations),
            "lower": reached.min(axis=0),
            "upper": reached.max(axis=0),
        },
        index=performance.index,
    )


# An interval of non-negative numbers is an array of its low and its high ends; ends may be arrays
# themselves. Sums and products of intervals are those of their arrays.


def quotient(dividend: Floats, divisor: Floats) -> Floats:
    """Divide intervals; without an upper end where the divisor reaches zero."""
    with np.errstate(divide="ignore"):
        return np.asarray(dividend / divisor[::-1])


def meets(one: Floats, other: Floats) -> Bools:
    """Check whether two intervals overlap."""
    return np.asarray((one[0] <= other[1]) & (other[0] <= one[1]))


def printed(texts: Sequence[str] | pd.Series) -> Floats:
    """All non-negative values that round to the printed digits, as intervals.

    Examples
    --------
    >>> printed(["0.5"])
    array([[0.45],
           [0.55]])
    """
    values = np.array(texts, float)
    half = 0.5 * 10.0 ** np.array([Decimal(text).as_tuple().exponent for text in texts], float)
    return np.array([np.maximum(values - half, 0), values + half])


def consensus(intervals: Floats) -> Floats:
    """Return the values in the most intervals (the lowest stretch); any without intervals."""
    low, high = intervals
    if not low.size:
        return np.array([0.0, np.inf])
    holds = (low <= low[:, None]) & (low[:, None] <= high)
    # By number of intervals, then from the lowest: the last of this order.
    best = np.lexsort((-low, holds.sum(axis=1)))[-1]
    return np.array([low[best], high[holds[best]].min()])


def _agree_without_own(intervals: Floats, factors: pd.Series) -> Floats:
    """For each row, the consensus of the other factors' rows: a cell is no evidence on itself."""
    return np.array([consensus(intervals[:, factors != factor]) for factor in factors]).T


def share_of(term: Floats, rest: Floats) -> Floats:
    """Compute a term's share of the whole: term / (term + rest)."""
    return term / (term + rest[::-1])


def _design(rows: pd.DataFrame, factors: Sequence[str]) -> tuple[Floats, dict[str, slice]]:
    """Design matrix with contrasts that sum to zero, and each term's columns of the matrix.

    Built on the distinct configurations and repeated: formulas take microseconds a row.
    """
    configurations = rows[list(factors)].groupby(list(factors), sort=False)
    names = [f"factor_{number}" for number in range(len(factors))]
    cells = configurations.head(1).astype("str").set_axis(names, axis=1)
    small = dmatrix(" + ".join(f"C({name}, Sum)" for name in names), cells)
    slices = small.design_info.term_name_slices.values()
    position = configurations.ngroup().to_numpy()
    return np.asarray(small)[position], dict(zip([INTERCEPT, *factors], slices))


def _term_tests(
    fit: RegressionResults, clusters: npt.NDArray[Any], terms: Mapping[str, slice]
) -> pd.DataFrame:
    """Test every term with answers and with examples as units; `note` says why a test is empty."""
    note = _undefined(fit)
    about = {"df_error": int(fit.df_resid), "note": note}
    rows = [
        {"factor": name, "df": place.stop - place.start, **about} for name, place in terms.items()
    ]
    if not note:
        robust = fit.get_robustcov_results("cluster", groups=clusters, use_correction=False)
        examples = len(np.unique(clusters))
        for row, columns in zip(rows, terms.values()):
            row |= _plain_test(fit, columns) | _clustered_test(robust, columns, examples)
    tests = pd.DataFrame(rows).reindex(columns=_ORDER)
    return tests.astype({"cluster_df_error": "Int64"})


def _plain_test(fit: RegressionResults, columns: slice) -> Row:
    """Test that a term's coefficients are all zero, answers being independent."""
    restriction = np.eye(len(fit.params))[columns]
    test = fit.wald_test(restriction, use_f=True, scalar=True)
    sum_sq = test.statistic * len(restriction) * fit.mse_resid
    return {"sum_sq": sum_sq, "f": test.statistic, "p": test.pvalue}


def _clustered_test(robust: RegressionResults, columns: slice, examples: int) -> Row:
    """Test that a term's coefficients are all zero, examples being the units (Hotelling's T2).

    With q coefficients and G examples, T2 (G - q) / (q (G - 1)) has the distribution
    F(q, G - q) (Hotelling 1931); the usual F(q, G - 1) of T2 / q rejects far too often where q
    is not small beside G. The covariance has the factor G / (G - 1) of a sample's.
    """
    contrasts = columns.stop - columns.start
    freedom = examples - contrasts
    if freedom < 1:
        counted = f"{examples} examples, {contrasts} contrasts of levels"
        return {"note": f"no clustered test: {counted}; it needs more examples"}
    estimate = robust.params[columns]
    covariance = robust.cov_params()[columns, columns] * examples / (examples - 1)
    # Rounding leaves a little of a variance that is zero.
    negligible = ROUNDING_ERROR * robust.model.endog.var() / len(robust.model.endog)
    if np.linalg.matrix_rank(covariance, tol=negligible, hermitian=True) < contrasts:
        return {"note": "no clustered test: some levels differ by the same amount on every example"}
    t_squared = estimate @ np.linalg.solve(covariance, estimate)
    f = t_squared * freedom / (contrasts * (examples - 1))
    p = scipy.special.fdtrc(contrasts, freedom, f)
    return {"cluster_f": f, "cluster_df_error": freedom, "cluster_p": p, "note": ""}


def _undefined(fit: RegressionResults) -> str:
    """Return why no term of an analysis can be tested, or nothing."""
    if fit.df_resid < 1:
        return f"no test: {int(fit.nobs)} answers leave no error"
    if np.ptp(fit.model.endog) == 0:
        return f"no test: all {int(fit.nobs)} scores are equal"
    return ""


def _effect_sizes(tests: pd.DataFrame, error: float, anova_type: str) -> pd.DataFrame:
    """Add each term's share of the sums of squares."""
    sum_sq = tests["sum_sq"]
    eta_sq, partial = sum_sq / (sum_sq.sum() + error), sum_sq / (sum_sq + error)
    return tests.assign(eta_sq=eta_sq, partial_eta_sq=partial, anova_type=anova_type)


def _audit_dataset(rows: pd.DataFrame, levels: Mapping[str, int], df_error: int) -> pd.DataFrame:
    """Check a dataset's statistics; all intervals have an element a row."""
    cells = {name: printed(rows[name]) for name in STATISTICS}
    f, p, _, partial, sum_sq = cells.values()
    # The intercept, which the design does not list, has one degree of freedom.
    df = np.asarray(rows["factor"].map(levels).fillna(2) - 1, np.int64)
    error_df, error_ss = _error_df(f, partial, df), sum_sq * _odds(partial)
    error, square = (
        _agree_without_own(estimate, rows["factor"])
        for estimate in (error_ss, quotient(sum_sq / df, f))
    )
    implied = np.full(len(rows), np.nan)
    # The design's degrees of freedom come first.
    for candidate in [df, *(np.full_like(df, count) for count in DF_TRIED)]:
        fits = meets(_p_value(f, candidate, df_error), p)
        fits &= meets(quotient(sum_sq / candidate, f), square)
        implied = np.where(np.isnan(implied) & fits, candidate, implied)
    by_implied = np.where(np.isnan(implied), df, implied)
    # Which terms of its type are beside a term.
    kinds = rows["anova_type"].to_numpy()
    others = np.equal.outer(kinds, kinds) - np.eye(len(rows))
    # What the row's other cells and the dataset's other rows give for each cell.
    recomputed = {
        "f": quotient(sum_sq / df, square),
        "p": _p_value(f, df, df_error),
        "eta_sq": share_of(sum_sq, sum_sq @ others + error),
        "partial_eta_sq": share_of(sum_sq, error),
        "sum_sq": quotient(error, _odds(partial)),
    }
    checks = {
        check: meets(recomputed[name], cells[name]) for name, check in CELL_CHECKS.items()
    } | {"eta_fits": meets(error_df, np.array([df_error, df_error]))}
    implied_cells = {
        "f_implied": quotient(sum_sq / by_implied, square),
        "p_implied": _p_value(f, by_implied, df_error),
        "error_ss": error_ss,
    }
    ends = {
        f"{name}_{end}": values
        for name, interval in (recomputed | implied_cells).items()
        for end, values in zip(("low", "high"), interval)
    }
    df_implied = pd.array(implied).astype("Int64")
    return rows.assign(df=df, df_implied=df_implied, **ends, **checks)


def _p_value(f: Floats, df: npt.ArrayLike, df_error: int) -> Floats:
    return np.asarray(scipy.special.fdtrc(df, df_error, f[::-1]))


def _odds(share: Floats) -> Floats:
    """Compute the ratio of rest to term for a term's share of the whole: 1 / share - 1."""
    return quotient(np.ones(2)[:, None], share) - 1


def _error_df(f: Floats, partial: Floats, df: Integers) -> Floats:
    """From partial eta squared = F df / (F df + df_error)."""
    return f * df * _odds(partial)


def _dataset_row(dataset: str, rows: pd.DataFrame, levels: Mapping[str, int], n_design: int) -> Row:
    differ = rows["df_implied"].notna() & (rows["df_implied"] != rows["df"])
    implied = rows["df_implied"].fillna(rows["df"]).to_numpy(np.int64)
    freedom = consensus(_error_df(printed(rows["f"]), printed(rows["partial_eta_sq"]), implied))
    type_ii = rows["anova_type"] == "II"
    spent = 1 + int(implied[(rows["factor"] != "intercept") & type_ii].sum())
    n = np.array([np.ceil(freedom[0]), np.floor(freedom[1])]) + spent
    intercepts = rows.loc[rows["factor"] == INTERCEPT, "sum_sq"]
    # n mean^2 in a balanced design.
    square = np.full(2, np.nan) if intercepts.empty else printed(intercepts)[:, 0]
    mean = np.sqrt(quotient(square, n))
    added = _mean_of_levels(rows[differ], square, n, n_design)
    return {
        "dataset": dataset,
        "n_rows": len(rows),
        "n_consistent": rows["consistent"].sum(),
        "n_design": n_design,
        "n_low": int(n[0]),
        "n_high": int(n[1]),
        "n_fits": n[0] <= n_design <= n[1],
        "levels_differ": ", ".join(
            f"{row['factor']} ({row['df_implied'] + 1} levels, design {levels[row['factor']]})"
            for row in rows[differ & type_ii].to_dict("records")
        ),
        "mean_low": mean[0],
        "mean_high": mean[1],
        "mean_added_low": added[0],
        "mean_added_high": added[1],
    }


def _mean_of_levels(differ: pd.DataFrame, square: Floats, n: Floats, n_design: int) -> Floats:
    """Mean of the levels' means, with the answers beyond the design as an extra level.

    Of an unbalanced design the intercept's sum of squares is that mean squared over the sum of
    1 / answers of the levels, times their squared number.
    """
    levels = set(differ["df_implied"] + 1)
    if len(levels) != 1 or not n[0] > n_design:
        return np.full(2, np.nan)
    (k,) = levels
    sums = (k - 1) ** 2 / n_design + 1 / (n[::-1] - n_design)
    return np.asarray(np.sqrt(square * sums / k**2))
