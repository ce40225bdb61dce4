"""Analysis of variance of the scores on the configuration factors, type II and III.

The tests of the robustness paper (appendix C.3), and beside them a test that knows that the
same example is asked under every configuration.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from patsy import dmatrix  # type: ignore[import-untyped]  # ships no types
from statsmodels.regression.linear_model import OLS, RegressionResults

INTERCEPT = "intercept"
_ORDER = [
    "anova_type",
    "factor",
    "df",
    "df_error",
    "sum_sq",
    "f",
    "p",
    "eta_sq",
    "partial_eta_sq",
    "cluster_f",
    "cluster_df_error",
    "cluster_p",
    "levels",
    "n",
]


def table(
    blocks: Iterable[tuple[str, pd.DataFrame]], factors: Sequence[str], made_up: bool
) -> pd.DataFrame:
    """The analyses of all datasets, one after the other: only one's rows are in memory.

    Parameters
    ----------
    blocks
        Each dataset's name and rows, as for :func:`analyse`.
    factors
        Columns that together name a configuration.
    made_up
        Whether the scores are synthetic.
    """
    analyses = [analyse(rows, factors).assign(dataset=dataset) for dataset, rows in blocks]
    order = ["anova_type", "dataset", "factor"]
    sorted_table = pd.concat(analyses).sort_values(order, ignore_index=True)
    others = [name for name in _ORDER if name not in order]
    return sorted_table[[*order, *others]].assign(synthetic=made_up)


def analyse(rows: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Type II and III analysis of variance of one dataset's scores, main effects only.

    Parameters
    ----------
    rows
        One row a model, example and configuration: the factors, `score`, `example_id`.
    factors
        At least one column, each with two or more levels here.

    Returns
    -------
    pandas.DataFrame
        One row a type and term: `anova_type`, `factor` (type III also has `intercept`), `df`,
        `df_error`, `sum_sq`, `f`, `p`, `eta_sq` (of the sum of all rows' sums of squares, the
        error's too, and the intercept's in type III, as Tables C.1 and C.2), `partial_eta_sq`,
        `levels`, `n`, and the cluster-robust test `cluster_f`, `cluster_df_error`, `cluster_p`.

    Notes
    -----
    Contrasts sum to zero, without which type III means nothing. With main effects alone each
    factor is adjusted for the others in both types, so its rows are equal; the types differ in
    the intercept and in what `eta_sq` is a share of. The cluster-robust Wald test takes all rows
    of an example, over configurations and models, as one cluster: the plain tests count them as
    independent.
    """
    design, terms = _design(rows, factors)
    fit = OLS(rows["score"].to_numpy(dtype=float), design).fit(method="qr")
    clusters = rows["example_id"].astype("category").cat.codes.to_numpy()
    robust = fit.get_robustcov_results("cluster", groups=clusters)
    n_clusters = len(np.unique(clusters))
    tests = pd.DataFrame([_test(fit, robust, name, terms[name], n_clusters) for name in terms])
    tests["levels"] = tests["factor"].map(rows[list(factors)].nunique()).astype("Int64")
    typed = {"II": tests[tests["factor"] != INTERCEPT], "III": tests}
    tables = [_with_shares(table, fit.ssr).assign(anova_type=kind) for kind, table in typed.items()]
    return pd.concat(tables, ignore_index=True).assign(n=len(rows))[_ORDER]


def _design(
    rows: pd.DataFrame, factors: Sequence[str]
) -> tuple[npt.NDArray[np.float64], dict[str, slice]]:
    """Design matrix with contrasts that sum to zero, and each term's columns in it.

    Built on the distinct configurations and repeated: formulas take microseconds a row.
    """
    key = np.zeros(len(rows), dtype=np.int64)
    for name in factors:
        codes, levels = pd.factorize(rows[name])
        key = key * len(levels) + codes
    _, first, position = np.unique(key, return_index=True, return_inverse=True)
    names = [f"factor_{number}" for number in range(len(factors))]
    cells = rows.iloc[first][list(factors)].astype("str").set_axis(names, axis=1)
    small = dmatrix(" + ".join(f"C({name}, Sum)" for name in names), cells)
    slices = small.design_info.term_name_slices.values()
    return np.asarray(small)[position], dict(zip([INTERCEPT, *factors], slices))


def _test(
    fit: RegressionResults, robust: RegressionResults, factor: str, columns: slice, n_clusters: int
) -> dict[str, object]:
    """Plain and cluster-robust F test that a term's coefficients are all zero."""
    restriction = np.eye(len(fit.params))[columns]
    plain = fit.wald_test(restriction, use_f=True, scalar=True)
    clustered = robust.wald_test(restriction, use_f=True, scalar=True)
    return {
        "factor": factor,
        "df": len(restriction),
        "df_error": int(fit.df_resid),
        "sum_sq": plain.statistic * len(restriction) * fit.mse_resid,
        "f": plain.statistic,
        "p": plain.pvalue,
        "cluster_f": clustered.statistic,
        "cluster_df_error": n_clusters - 1,
        "cluster_p": clustered.pvalue,
    }


def _with_shares(table: pd.DataFrame, error: float) -> pd.DataFrame:
    sum_sq = table["sum_sq"]
    return table.assign(
        eta_sq=sum_sq / (sum_sq.sum() + error), partial_eta_sq=sum_sq / (sum_sq + error)
    )
