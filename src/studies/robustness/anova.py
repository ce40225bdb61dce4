"""Analysis of variance of scores on the prompt's factors, and an audit of those that are printed.

The tests of the robustness paper (appendix C.3), type II and III, and beside them a test that knows
that the same example is asked under every configuration.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from patsy import dmatrix  # type: ignore[import-untyped]  # ships no types
from statsmodels.regression.linear_model import OLS, RegressionResults

from saturation.statistics import intervals
from studies.robustness.names import PAPER_EXAMPLES, n_configurations
from studies.robustness.schemas import STATISTICS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

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
        analyse(block, factors).assign(dataset=str(dataset))
        for dataset, block in rows.groupby("dataset", observed=True)
    ]
    order = ["anova_type", "dataset", "factor"]
    table = pd.concat(blocks).sort_values(order, ignore_index=True)
    return table[[*order, *(name for name in _ORDER if name not in order)]]


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
    fit = OLS(rows["score"].to_numpy(dtype=float), design).fit(method="qr")
    clusters = rows["example_id"].astype("category").cat.codes.to_numpy()
    tests = _term_tests(fit, clusters, terms)
    tests["cluster_df_error"] = tests["cluster_df_error"].astype("Int64")
    return pd.concat(
        [
            _effect_sizes(tests[tests["factor"] != INTERCEPT], fit.ssr, "II"),
            _effect_sizes(tests, fit.ssr, "III"),
        ],
        ignore_index=True,
    ).assign(n=len(rows))[_ORDER]


def audit(
    printed_anova: pd.DataFrame,
    levels: Mapping[str, Sequence[str]],
    performance: pd.DataFrame,
    external: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
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
    audited = pd.concat(blocks).sort_index().reset_index(drop=True)
    shared = ["f", "p", "partial_eta_sq", "sum_sq"]
    variants = audited.groupby(["dataset", "factor"])[shared].transform("nunique")
    audited["types_fit"] = (variants == 1).all(axis=1)
    audited["consistent"] = audited[CHECKS].all(axis=1)
    failed = [
        ", ".join(name for name in CHECKS if not row[name]) for row in audited.to_dict("records")
    ]
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
    cells = (performance["performance"] * 100).round().astype(int)
    percents = dict(zip(zip(performance["model"], performance["dataset"]), cells))
    pairs = zip(external["model"], external["dataset"])
    table = external.assign(table_a2=[percents[pair] for pair in pairs])
    return table.assign(fits=table["measured"] == table["table_a2"])


def baseline_range(performance: pd.Series, configurations: int) -> pd.DataFrame:
    """Random baselines of performances that are known to two decimals.

    `value` at the printed performance, `lower` and `upper` over all that round to it.
    """
    p = performance.to_numpy(dtype=float)
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


@dataclass(frozen=True, eq=False)
class Interval:
    """All values between two bounds, neither negative; arrays of them, element by element.

    Low above high is an interval without values.
    """

    low: Floats
    high: Floats

    @classmethod
    def convert(cls, low: npt.ArrayLike, high: npt.ArrayLike) -> "Interval":
        """From anything that numbers can be read from."""
        return cls(np.asarray(low, dtype=float), np.asarray(high, dtype=float))

    def __getitem__(self, chosen: npt.ArrayLike) -> "Interval":
        """Select elements, by number or by mask."""
        index = np.asarray(chosen)
        return Interval.convert(self.low[index], self.high[index])

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other: "Interval | Floats | Ints") -> "Interval":
        factor = _interval(other)
        return Interval(self.low * factor.low, self.high * factor.high)

    def __truediv__(self, other: "Interval | Floats | Ints") -> "Interval":
        """Quotient; without an upper bound where the divisor reaches zero."""
        divisor = _interval(other)
        with np.errstate(divide="ignore"):
            return Interval(self.low / divisor.high, self.high / divisor.low)

    def meets(self, other: "Interval") -> Flags:
        """Check whether the intervals overlap."""
        return (self.low <= other.high) & (other.low <= self.high)

    def holds(self, value: npt.ArrayLike) -> Flags:
        """Check whether the interval contains the value."""
        number = np.asarray(value, dtype=float)
        return (self.low <= number) & (number <= self.high)


def printed(texts: Iterable[str]) -> Interval:
    """All non-negative values that round to the printed digits.

    Examples
    --------
    >>> printed(["0.5"])
    Interval(low=array([0.45]), high=array([0.55]))
    """
    low, high = zip(*map(_rounding_to, texts))
    return Interval.convert(low, high)


def consensus(found: Interval) -> Interval:
    """Return the values in the most intervals (the lowest stretch); any without intervals."""
    if not found.low.size:
        return Interval.convert(0, np.inf)
    holds = found.holds(found.low[:, None])
    # By number of intervals, then from the lowest: the last of this order.
    best = np.lexsort((-found.low, holds.sum(axis=1)))[-1]
    return Interval.convert(found.low[best], found.high[holds[best]].min())


def _agree_without_own(found: Interval, factors: pd.Series) -> Interval:
    """For each row, the consensus of the other factors' rows: a cell is no evidence on itself."""
    agreed = [consensus(found[factors != factor]) for factor in factors]
    return Interval.convert(
        [interval.low for interval in agreed], [interval.high for interval in agreed]
    )


def share_of(term: Interval, rest: Interval) -> Interval:
    """Compute a term's share of the whole: term / (term + rest)."""
    return Interval(term.low / (term.low + rest.high), term.high / (term.high + rest.low))


def _design(
    rows: pd.DataFrame, factors: Sequence[str]
) -> tuple[npt.NDArray[np.float64], dict[str, slice]]:
    """Design matrix with contrasts that sum to zero, and each term's columns of the matrix.

    Built on the distinct configurations and repeated: formulas take microseconds a row.
    """
    configurations = rows[list(factors)].groupby(list(factors), observed=True, sort=False)
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
    sizes = pd.DataFrame(
        {
            "factor": list(terms),
            "df": [columns.stop - columns.start for columns in terms.values()],
            "df_error": int(fit.df_resid),
        }
    )
    if reason := _undefined(fit):
        return sizes.assign(**_NO_TEST, note=reason)
    robust = fit.get_robustcov_results("cluster", groups=clusters, use_correction=False)
    examples = len(np.unique(clusters))
    tests = [
        _plain_test(fit, columns) | _clustered_test(robust, columns, examples)
        for columns in terms.values()
    ]
    return sizes.join(pd.DataFrame(tests))


def _plain_test(fit: RegressionResults, columns: slice) -> dict[str, object]:
    """Test that a term's coefficients are all zero, answers being independent."""
    restriction = np.eye(len(fit.params))[columns]
    test = fit.wald_test(restriction, use_f=True, scalar=True)
    sum_sq = test.statistic * len(restriction) * fit.mse_resid
    return {"sum_sq": sum_sq, "f": test.statistic, "p": test.pvalue}


def _clustered_test(robust: RegressionResults, columns: slice, examples: int) -> dict[str, object]:
    """Test that a term's coefficients are all zero, examples being the units (Hotelling's T2).

    With q coefficients and G examples, T2 (G - q) / (q (G - 1)) has the distribution
    F(q, G - q) (Hotelling 1931); the usual F(q, G - 1) of T2 / q rejects far too often where q
    is not small beside G. The covariance has the factor G / (G - 1) of a sample's.
    """
    contrasts = columns.stop - columns.start
    freedom = examples - contrasts
    if freedom < 1:
        counted = f"{examples} examples, {contrasts} contrasts of levels"
        return _NO_CLUSTERED | {"note": f"no clustered test: {counted}; it needs more examples"}
    estimate = robust.params[columns]
    covariance = robust.cov_params()[columns, columns] * examples / (examples - 1)
    # Rounding leaves a little of a variance that is zero.
    negligible = ROUNDING_ERROR * robust.model.endog.var() / len(robust.model.endog)
    if np.linalg.matrix_rank(covariance, tol=negligible, hermitian=True) < contrasts:
        note = "no clustered test: some levels differ by the same amount on every example"
        return _NO_CLUSTERED | {"note": note}
    t_squared = estimate @ np.linalg.solve(covariance, estimate)
    f = t_squared * freedom / (contrasts * (examples - 1))
    p = scipy.special.fdtrc(contrasts, freedom, f)
    return {"cluster_f": f, "cluster_df_error": freedom, "cluster_p": p, "note": ""}


_NO_CLUSTERED = dict.fromkeys(["cluster_f", "cluster_df_error", "cluster_p"], np.nan)
_NO_TEST = dict.fromkeys(["sum_sq", "f", "p"], np.nan) | _NO_CLUSTERED


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


def _interval(value: "Interval | Floats | Ints") -> Interval:
    return value if isinstance(value, Interval) else Interval.convert(value, value)


def _rounding_to(text: str) -> tuple[float, float]:
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(exponent or 0) - decimals)
    return max(float(text) - half, 0.0), float(text) + half


def _audit_dataset(rows: pd.DataFrame, levels: Mapping[str, int], df_error: int) -> pd.DataFrame:
    """Check a dataset's statistics; all intervals have an element a row."""
    cells = {name: printed(rows[name]) for name in STATISTICS}
    f, _, _, partial, sum_sq = cells.values()
    # The intercept, which the design does not list, has one degree of freedom.
    df = np.asarray(rows["factor"].map(levels).fillna(2) - 1, dtype=np.int64)
    error_df, error_ss = _error_df(f, partial, df), sum_sq * _odds(partial)
    error, square = (
        _agree_without_own(estimate, rows["factor"]) for estimate in (error_ss, sum_sq / df / f)
    )
    implied = _implied_df(rows, df, square, df_error)
    by_implied = implied.fillna(pd.Series(df, index=rows.index)).to_numpy(dtype=np.int64)
    # What the row's other cells and the dataset's other rows give for each cell.
    recomputed = {
        "f": sum_sq / df / square,
        "p": _p_value(f, df, df_error),
        "eta_sq": share_of(sum_sq, _sum_other_squares(rows["anova_type"], sum_sq) + error),
        "partial_eta_sq": share_of(sum_sq, error),
        "sum_sq": error / _odds(partial),
    }
    fits = {CELL_CHECKS[name]: recomputed[name].meets(cells[name]) for name in STATISTICS}
    intervals_of = recomputed | {
        "f_implied": sum_sq / by_implied / square,
        "p_implied": _p_value(f, by_implied, df_error),
        "error_ss": error_ss,
    }
    ends = {
        f"{name}_{end}": getattr(interval, end)
        for name, interval in intervals_of.items()
        for end in ("low", "high")
    }
    return rows.assign(df=df, df_implied=implied, **ends, **fits, eta_fits=error_df.holds(df_error))


def _p_value(f: Interval, df: npt.ArrayLike, df_error: int) -> Interval:
    return Interval.convert(
        scipy.special.fdtrc(df, df_error, f.high), scipy.special.fdtrc(df, df_error, f.low)
    )


def _odds(share: Interval) -> Interval:
    """Compute the ratio of rest to term for a term's share of the whole: 1 / share - 1."""
    inverse = Interval.convert(1, 1) / share
    return Interval(inverse.low - 1, inverse.high - 1)


def _error_df(f: Interval, partial: Interval, df: Ints) -> Interval:
    """From partial eta squared = F df / (F df + df_error)."""
    return f * df * _odds(partial)


def _sum_other_squares(kinds: pd.Series, sum_sq: Interval) -> Interval:
    """Sum of squares of the remaining terms of a type."""
    same = (kinds.to_numpy()[:, None] == kinds.to_numpy()).astype(float)
    return Interval(same @ sum_sq.low - sum_sq.low, same @ sum_sq.high - sum_sq.high)


def _implied_df(rows: pd.DataFrame, planned: Ints, square: Interval, df_error: int) -> pd.Series:
    """Degrees of freedom under which F, p and the error mean square agree; the design's first."""
    f, p, sum_sq = (printed(rows[name]) for name in ["f", "p", "sum_sq"])
    implied = np.full(len(rows), np.nan)
    for candidate in [planned, *(np.full(len(rows), count, dtype=np.int64) for count in DF_TRIED)]:
        fits = _p_value(f, candidate, df_error).meets(p) & (sum_sq / candidate / f).meets(square)
        implied = np.where(np.isnan(implied) & fits, candidate, implied)
    return pd.Series(implied, index=rows.index).astype("Int64")


def _dataset_row(
    dataset: str, rows: pd.DataFrame, levels: Mapping[str, int], n_design: int
) -> dict[str, object]:
    differ = rows["df_implied"].notna() & (rows["df_implied"] != rows["df"])
    implied = rows["df_implied"].fillna(rows["df"]).to_numpy(dtype=np.int64)
    freedom = consensus(_error_df(printed(rows["f"]), printed(rows["partial_eta_sq"]), implied))
    type_ii = rows["anova_type"] == "II"
    spent = 1 + int(implied[(rows["factor"] != "intercept") & type_ii].sum())
    n = Interval(np.ceil(freedom.low) + spent, np.floor(freedom.high) + spent)
    square = _intercept(rows)
    mean, added = _root(square / n), _mean_of_levels(rows[differ], square, n, n_design)
    return {
        "dataset": dataset,
        "n_rows": len(rows),
        "n_consistent": int(rows["consistent"].sum()),
        "n_design": n_design,
        "n_low": int(n.low),
        "n_high": int(n.high),
        "n_fits": bool(n.holds(n_design)),
        "levels_differ": ", ".join(
            f"{row['factor']} ({row['df_implied'] + 1} levels, design {levels[row['factor']]})"
            for row in rows[differ & type_ii].to_dict("records")
        ),
        "mean_low": float(mean.low),
        "mean_high": float(mean.high),
        "mean_added_low": float(added.low),
        "mean_added_high": float(added.high),
    }


def _intercept(rows: pd.DataFrame) -> Interval:
    """Sum of squares of the type III intercept; n mean^2 in a balanced design."""
    text = rows.loc[rows["factor"] == INTERCEPT, "sum_sq"]
    return Interval.convert(np.nan, np.nan) if text.empty else printed(text.iloc[:1])[0]


def _root(squares: Interval) -> Interval:
    return Interval(np.sqrt(squares.low), np.sqrt(squares.high))


def _mean_of_levels(differ: pd.DataFrame, square: Interval, n: Interval, n_design: int) -> Interval:
    """Mean of the levels' means, with the answers beyond the design as an extra level.

    Of an unbalanced design the intercept's sum of squares is that mean squared over the sum of
    1 / answers of the levels, times their squared number.
    """
    levels = set(differ["df_implied"] + 1)
    if len(levels) != 1 or not n.low > n_design:
        return Interval.convert(np.nan, np.nan)
    (k,) = levels
    sums = [(k - 1) ** 2 / n_design + 1 / (count - n_design) for count in (n.high, n.low)]
    return _root(square * Interval.convert(*(total / k**2 for total in sums)))
