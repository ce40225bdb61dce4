"""Whether the robustness paper's printed statistics agree with each other and its design.

No predictions were released, but an analysis of variance is over-determined: F, p, the sums of
squares and the effect sizes bind each other through the degrees of freedom. A printed number
stands for every value that rounds to it, so everything here is computed on intervals, and a row
is called inconsistent only if no values that round to its printed digits fit together.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from saturation.statistics import chance

STATISTICS = ["f", "p", "eta_sq", "partial_eta_sq", "sum_sq"]
MOST_LEVELS = 8


@dataclass(frozen=True)
class Interval:
    """All values between two bounds."""

    low: float
    high: float

    def meets(self, other: "Interval") -> bool:
        """Whether some value lies in both."""
        return self.low <= other.high and other.low <= self.high

    def join(self, other: "Interval") -> "Interval":
        """What both have in common; empty (low above high) if nothing."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


def printed(text: str) -> Interval:
    """All non-negative values that round to the printed digits.

    Examples
    --------
    >>> printed("0.5")
    Interval(low=0.45, high=0.55)
    """
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(exponent or 0) - decimals)
    return Interval(max(float(text) - half, 0.0), float(text) + half)


def consensus(intervals: list[Interval]) -> Interval:
    """The values that lie in as many of the intervals as possible (the lowest such stretch)."""
    best = max(
        intervals,
        key=lambda i: (sum(other.low <= i.low <= other.high for other in intervals), -i.low),
    )
    agreeing = [other for other in intervals if other.low <= best.low <= other.high]
    return Interval(best.low, min(other.high for other in agreeing))


def audit_rows(table: pd.DataFrame, levels: Mapping[str, int], n_design: int) -> pd.DataFrame:
    """Check every row of printed type II and III analyses of variance.

    Parameters
    ----------
    table
        `anova_type`, `dataset`, `factor` (or `intercept`) and the statistics as printed text.
    levels
        Levels of each factor by the paper's design (Table A.1).
    n_design
        Rows a dataset by the design.

    Returns
    -------
    pandas.DataFrame
        The rows with the implied `p`, error degrees of freedom and error sum of squares as
        `_low` and `_high`; one boolean a check; `consistent`, all of them; `df_implied`, the
        smallest factor degrees of freedom that fit; `inconsistent` naming the failed checks.
        Checks: `p_fits` (p from F), `eta_fits` (partial eta squared from F and the design's
        degrees of freedom), `partial_fits` (partial eta squared from the sum of squares and the
        dataset's error sum of squares), `share_fits` (eta squared from all sums of squares),
        `error_fits` (the row's error sum of squares is the dataset's), `mean_square_fits` (the
        error mean square from F is the dataset's), `types_fit` (types II and III agree, as they
        must with main effects alone).
    """
    df_error = n_design - 1 - sum(count - 1 for count in levels.values())
    parts = [
        _audit_dataset(rows, levels, df_error) for _, rows in table.groupby("dataset", sort=False)
    ]
    audited = pd.concat(parts).sort_index().reset_index(drop=True)
    audited["types_fit"] = _types_fit(audited)
    audited["consistent"] = audited[CHECKS].all(axis=1)
    failed = [", ".join(name for name in CHECKS if not row[name]) for _, row in audited.iterrows()]
    return audited.assign(inconsistent=failed)


def audit_datasets(
    rows: pd.DataFrame, levels: Mapping[str, int], n_design: int, performance: pd.DataFrame
) -> pd.DataFrame:
    """What the printed statistics say about each dataset's number of rows and mean score.

    Parameters
    ----------
    rows
        From :func:`audit_rows`.
    levels, n_design
        As there.
    performance
        `dataset`, `performance` (two decimals): the cells of Table A.2.

    Returns
    -------
    pandas.DataFrame
        One row a dataset: `n_low`, `n_high`, the numbers of observations with which all its rows
        agree; `n_fits`, the design's number is among them; `levels_differ`, factors whose degrees
        of freedom are not the design's; `mean_low`, `mean_high`, the mean score implied by the
        type III intercept (missing when a factor has other levels: the design is then not
        balanced); `mean_table`, the mean of its cells, and `mean_fits`, whether the two can agree
        given that each cell is rounded.
    """
    return pd.DataFrame(
        [
            _dataset_row(dataset, group, levels, n_design, performance)
            for dataset, group in rows.groupby("dataset", sort=False)
        ]
    )


def audit_external(external: pd.DataFrame, performance: pd.DataFrame) -> pd.DataFrame:
    """Compare the "measured" scores of Tables A.3 and A.4 with the cells of Table A.2.

    Returns
    -------
    pandas.DataFrame
        The rows (per cent) with `table_a2`, the cell of the same model and dataset; `fits`;
        `found_under`, the datasets of that model whose cell has the printed value.
    """
    cells = performance.assign(percent=(performance["performance"] * 100).round().astype(int))
    own = cells.set_index(["model", "dataset"])["percent"]
    table = external.copy()
    table["table_a2"] = [own[row.model, row.dataset] for row in external.itertuples()]
    table["fits"] = table["measured"] == table["table_a2"]
    table["found_under"] = [
        ", ".join(
            cells.loc[(cells["model"] == row.model) & (cells["percent"] == row.measured), "dataset"]
        )
        for row in external.itertuples()
    ]
    return table


def baseline_range(performance: pd.Series, configurations: int) -> pd.DataFrame:
    """Random baselines of performances that are known to two decimals.

    Returns
    -------
    pandas.DataFrame
        `value` at the printed performance, `lower` and `upper` over all performances that round
        to it.
    """
    p = performance.to_numpy(dtype=float)
    low, high = np.maximum(p - 0.005, 0), np.minimum(p + 0.005, 1)
    # The baseline falls up to one half and rises from there: its extremes are at the ends, and
    # its lowest value at one half where that lies between them.
    candidates = [low, high, np.clip(0.5, low, high)]
    reached = np.array([chance.agreement(each, configurations) for each in candidates])
    return pd.DataFrame(
        {
            "value": chance.agreement(p, configurations),
            "lower": reached.min(axis=0),
            "upper": reached.max(axis=0),
        },
        index=performance.index,
    )


CHECKS = [
    "p_fits",
    "eta_fits",
    "partial_fits",
    "share_fits",
    "error_fits",
    "mean_square_fits",
    "types_fit",
]


def _audit_dataset(rows: pd.DataFrame, levels: Mapping[str, int], df_error: int) -> pd.DataFrame:
    read = {name: [printed(text) for text in rows[name]] for name in STATISTICS}
    df = [levels.get(factor, 2) - 1 for factor in rows["factor"]]
    errors = [_error_ss(s, e) for s, e in zip(read["sum_sq"], read["partial_eta_sq"])]
    error = consensus(errors)
    squares = [_mean_square(s, f, d) for s, f, d in zip(read["sum_sq"], read["f"], df)]
    square = consensus(squares)
    p = [_p_value(f, d, df_error) for f, d in zip(read["f"], df)]
    freedom = [_df_error(f, e, d) for f, e, d in zip(read["f"], read["partial_eta_sq"], df)]
    partial = [part(s, error) for s in read["sum_sq"]]
    share = _shares(rows, read["sum_sq"], error)
    fitting = [
        _fitting_df(row_f, row_p, row_s, row_df, square, df_error)
        for row_f, row_p, row_s, row_df in zip(read["f"], read["p"], read["sum_sq"], df)
    ]
    return rows.assign(
        df=df,
        df_implied=pd.array(fitting, dtype="Int64"),
        p_low=[i.low for i in p],
        p_high=[i.high for i in p],
        df_error_low=[i.low for i in freedom],
        df_error_high=[i.high for i in freedom],
        error_ss_low=[i.low for i in errors],
        error_ss_high=[i.high for i in errors],
        p_fits=_meet(p, read["p"]),
        eta_fits=[i.low <= df_error <= i.high for i in freedom],
        partial_fits=_meet(partial, read["partial_eta_sq"]),
        share_fits=_meet(share, read["eta_sq"]),
        error_fits=_meet(errors, [error] * len(errors)),
        mean_square_fits=_meet(squares, [square] * len(squares)),
    )


def _meet(left: list[Interval], right: list[Interval]) -> list[bool]:
    return [a.meets(b) for a, b in zip(left, right)]


def _p_value(f: Interval, df: int, df_error: int) -> Interval:
    return Interval(stats.f.sf(f.high, df, df_error), stats.f.sf(f.low, df, df_error))


def _df_error(f: Interval, partial: Interval, df: int) -> Interval:
    """From partial eta squared = F df / (F df + df_error)."""
    return Interval(
        f.low * df * _odds_against(partial).low, f.high * df * _odds_against(partial).high
    )


def _error_ss(sum_sq: Interval, partial: Interval) -> Interval:
    """From partial eta squared = SS / (SS + SSE)."""
    odds = _odds_against(partial)
    return Interval(sum_sq.low * odds.low, sum_sq.high * odds.high)


def _odds_against(share: Interval) -> Interval:
    return Interval(1 / share.high - 1, 1 / share.low - 1 if share.low > 0 else np.inf)


def _mean_square(sum_sq: Interval, f: Interval, df: int) -> Interval:
    """From F = (SS / df) / MSE."""
    return Interval(sum_sq.low / df / f.high, sum_sq.high / df / f.low if f.low > 0 else np.inf)


def part(sum_sq: Interval, error: Interval) -> Interval:
    """Partial eta squared, SS / (SS + SSE)."""
    return Interval(sum_sq.low / (sum_sq.low + error.high), sum_sq.high / (sum_sq.high + error.low))


def _shares(rows: pd.DataFrame, sums: list[Interval], error: Interval) -> list[Interval]:
    """Each sum of squares over all of its type's, the error's included."""
    kinds = rows["anova_type"].tolist()
    found = []
    for kind, own in zip(kinds, sums):
        total = [s for k, s in zip(kinds, sums) if k == kind]
        low = sum(s.low for s in total) - own.low + error.low
        high = sum(s.high for s in total) - own.high + error.high
        found.append(Interval(own.low / (own.low + high), own.high / (own.high + low)))
    return found


def _fitting_df(
    f: Interval, p: Interval, sum_sq: Interval, design: int, square: Interval, df_error: int
) -> int | None:
    """Degrees of freedom under which F, p and the error mean square agree; the design's first."""
    for df in [design, *range(1, MOST_LEVELS)]:
        fits_p = _p_value(f, df, df_error).meets(p)
        if fits_p and _mean_square(sum_sq, f, df).meets(square):
            return df
    return None


def _types_fit(rows: pd.DataFrame) -> pd.Series:
    shared = ["f", "p", "partial_eta_sq", "sum_sq"]
    variants = rows.groupby(["dataset", "factor"])[shared].transform("nunique")
    return (variants == 1).all(axis=1)


def _dataset_row(
    dataset: str,
    rows: pd.DataFrame,
    levels: Mapping[str, int],
    n_design: int,
    performance: pd.DataFrame,
) -> dict[str, object]:
    differ = rows["df_implied"].notna() & (rows["df_implied"] != rows["df"])
    implied = rows["df_implied"].fillna(rows["df"]).astype(int)
    freedom = consensus(
        [
            _df_error(printed(f), printed(eta), df)
            for f, eta, df in zip(rows["f"], rows["partial_eta_sq"], implied)
        ]
    )
    factors = rows["factor"] != "intercept"
    spent = 1 + int(implied[factors & (rows["anova_type"] == "II")].sum())
    n = Interval(np.ceil(freedom.low) + spent, np.floor(freedom.high) + spent)
    cells = performance.loc[performance["dataset"] == dataset, "performance"]
    mean = Interval(np.nan, np.nan) if differ.any() else _implied_mean(rows, n)
    table = Interval(cells.mean() - 0.005, cells.mean() + 0.005)
    return {
        "dataset": dataset,
        "n_rows": len(rows),
        "n_consistent": int(rows["consistent"].sum()),
        "n_design": n_design,
        "n_low": int(n.low),
        "n_high": int(n.high),
        "n_fits": bool(n.low <= n_design <= n.high),
        "levels_differ": ", ".join(
            f"{row.factor} ({row.df_implied + 1} levels, design {levels[row.factor]})"
            for row in rows[differ & (rows["anova_type"] == "II")].itertuples()
        ),
        "mean_low": mean.low,
        "mean_high": mean.high,
        "mean_table": float(cells.mean()),
        "mean_fits": mean.meets(table) if not differ.any() else pd.NA,
    }


def _implied_mean(rows: pd.DataFrame, n: Interval) -> Interval:
    """Mean score from the type III intercept of a balanced design: SS = n mean^2."""
    text = rows.loc[rows["factor"] == "intercept", "sum_sq"]
    if text.empty:
        return Interval(np.nan, np.nan)
    sum_sq = printed(text.iloc[0])
    return Interval(float(np.sqrt(sum_sq.low / n.high)), float(np.sqrt(sum_sq.high / n.low)))
