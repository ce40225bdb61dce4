"""Headline numbers of the robustness study: what the paper's facts say, what was measured."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from saturation.robustness import audit

COLUMNS = ["quantity", "value", "lower", "upper", "note"]
SIGNIFICANT = 0.05
# Largest performance at which the paper calls the random baseline zero (section 4.1).
BASELINE_ZERO_BELOW = 0.8


class _Rows(list):
    """Rows of the table of quantities."""

    def put(
        self,
        quantity: str,
        value: float,
        lower: float = float("nan"),
        upper: float = float("nan"),
        note: str = "",
    ) -> None:
        self.append(dict(zip(COLUMNS, (quantity, float(value), float(lower), float(upper), note))))

    def frame(self) -> pd.DataFrame:
        return pd.DataFrame(self, columns=COLUMNS)


def from_design(
    performance: pd.DataFrame, families: pd.Series, levels: Mapping[str, int], examples: int
) -> pd.DataFrame:
    """Counts that follow from the paper's design (Tables A.1 and A.2, appendix A.1)."""
    rows = _Rows()
    n_models, n_datasets = performance["model"].nunique(), performance["dataset"].nunique()
    configurations = int(np.prod(list(levels.values())))
    rows.put("n_models", n_models)
    rows.put("n_families", families.nunique())
    rows.put("n_datasets", n_datasets)
    rows.put("n_examples", examples)
    rows.put("n_pairs", len(performance))
    rows.put("n_configurations", configurations)
    rows.put("n_inferences_per_model", n_datasets * examples * configurations)
    rows.put("n_inferences", n_models * n_datasets * examples * configurations)
    for factor, count in levels.items():
        rows.put(f"n_levels_{factor}", count)
    return rows.frame()


def from_performance(performance: pd.DataFrame, configurations: int) -> pd.DataFrame:
    """Averages, ranges and random baselines that follow from the cells of Table A.2.

    Bounds hold for every set of performances that rounds to the printed cells.
    """
    rows = _Rows()
    cells = performance.set_index(["dataset", "model"])["performance"]
    baseline = audit.baseline_range(cells, configurations)
    for dataset in performance["dataset"].unique():
        name, own = slug(dataset), cells[dataset]
        mean = own.mean()
        rows.put(f"average_{name}", mean, mean - 0.005, mean + 0.005, "mean of nine rounded cells")
        rows.put(f"lowest_{name}", own.min(), own.min() - 0.005, own.min() + 0.005)
        rows.put(f"highest_{name}", own.max(), own.max() - 0.005, own.max() + 0.005)
        chance = baseline.loc[dataset]
        rows.put(f"baseline_mean_{name}", *chance.mean())
        for end in ("min", "max"):
            value, lower, upper = chance.agg(end)
            rows.put(f"baseline_{end}_{name}", value, lower, upper, "at the printed cell")
            rows.put(f"baseline_{end}_{name}__rounding_low", lower)
            rows.put(f"baseline_{end}_{name}__rounding_high", upper)
    hard = cells[~cells.index.get_level_values("dataset").isin(["IMDB", "BoolQ"])]
    rows.put("hard_cells_from_080", (hard >= BASELINE_ZERO_BELOW).sum())
    rows.put("hard_baseline_max", baseline["value"][hard.index].max())
    rows.put("hard_average_max", hard.groupby("dataset").mean().max())
    at = audit.baseline_range(pd.Series([BASELINE_ZERO_BELOW]), configurations)
    rows.put("baseline_at_080", *at.iloc[0])
    for dataset in ("BoolQ", "MMLU"):
        gap = cells[dataset, "gpt-oss-120b"] - cells[dataset, "gpt-oss-20b"]
        name = f"gpt_oss_gap_{slug(dataset)}"
        rows.put(name, gap, gap - 0.01, gap + 0.01, "difference of two rounded cells")
        rows.put(f"{name}__rounding_high", gap + 0.01)
    return rows.frame()


def from_audit(
    audited: pd.DataFrame, datasets: pd.DataFrame, external: pd.DataFrame
) -> pd.DataFrame:
    """What the audit of Tables A.3, A.4, C.1 and C.2 found, and the claims made about them."""
    rows = _Rows()
    p = audited["p"].astype(float)
    tested = audited["factor"] != "intercept"
    type_ii = audited["anova_type"] == "II"
    rows.put("p_not_significant", (p[type_ii] > SIGNIFICANT).mean(), note="Table C.1")
    rows.put("p_not_significant__both_tables", (p[tested] > SIGNIFICANT).mean())
    rows.put("p_not_significant__with_intercepts", (p > SIGNIFICANT).mean())
    significant = audited[tested & type_ii & (p < SIGNIFICANT)]
    rows.put("significant_demonstrations", (significant["factor"] == "demonstrations").sum())
    rows.put("significant_noise", (significant["factor"] == "noise").sum())
    rows.put("significant_other", (~significant["factor"].isin(["demonstrations", "noise"])).sum())
    rows.put("largest_share", *_largest_share(audited[tested]), note="from SS and error SS")
    for row in audited.itertuples():
        name = f"audit_{row.anova_type.lower()}_{slug(row.dataset)}_{row.factor}"
        rows.put(name, row.consistent, note=row.inconsistent if not row.consistent else "")
    rows.put("audit_types_equal", audited.loc[tested, "types_fit"].mean())
    rows.put("audit_rows", len(audited))
    rows.put("audit_rows_consistent", audited["consistent"].sum())
    rows.put("audit_datasets_with_design_n", datasets["n_fits"].sum())
    for row in datasets.itertuples():
        name = f"audit_n_{slug(row.dataset)}"
        rows.put(name, (row.n_low + row.n_high) / 2, row.n_low, row.n_high, "rows implied")
    for row in external.drop_duplicates(["model", "dataset"]).itertuples():
        rows.put(f"table_a2_{slug(row.model)}_{slug(row.dataset)}", row.table_a2 / 100)
    rows.put("external_rows", len(external))
    rows.put("external_misplaced", (~external["fits"]).sum(), note="not the cell of Table A.2")
    for reading, column in (("", "measured"), ("__table_a2_cells", "table_a2")):
        gap = (external[column] - external["published"]).abs() / 100
        rows.put(f"external_mean_gap{reading}", gap.mean())
        rows.put(f"external_largest_gap{reading}", gap.max())
        r = stats.pearsonr(external[column], external["published"])
        interval = r.confidence_interval()
        rows.put(f"external_correlation{reading}", r.statistic, interval.low, interval.high)
    return rows.frame()


def from_measurement(
    slopes: pd.DataFrame,
    shares: pd.DataFrame,
    datasets: pd.DataFrame,
    correlations: pd.DataFrame,
    synthetic: bool,
) -> pd.DataFrame:
    """Headline numbers of the predictions; those of made-up predictions are named so."""
    rows = _Rows()
    prefix = "synthetic_" if synthetic else ""
    note = "synthetic predictions: says nothing about any model" if synthetic else ""
    for row in slopes.itertuples():
        rows.put(f"{prefix}slope_{row.reading}", row.slope, row.lower, row.upper, note)
    ols = slopes.set_index("reading").loc["ols"]
    rows.put(f"{prefix}r_squared", ols["r_squared"], note=note)
    for row in shares.itertuples():
        rows.put(f"{prefix}share_{row.component}", row.share, row.lower, row.upper, note)
    for row in datasets.itertuples():
        name = f"{prefix}consistency_{slug(row.dataset)}"
        rows.put(
            name,
            row.output_consistency,
            row.output_consistency_lower,
            row.output_consistency_upper,
            note,
        )
    for row in correlations.itertuples():
        rows.put(f"{prefix}rho_{row.index}", row.rho, note=f"{note}; n = {row.n}".lstrip("; "))
    return rows.frame()


def slug(name: str) -> str:
    """Name as part of an identifier: lower case, everything else an underscore."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())


def _largest_share(rows: pd.DataFrame) -> tuple[float, float, float]:
    """Largest partial eta squared (middle, low, high), from the printed sums of squares."""
    found = []
    for _, group in rows.groupby("dataset"):
        spans = zip(group["error_ss_low"], group["error_ss_high"])
        error = audit.consensus([audit.Interval(*span) for span in spans])
        found += [audit.part(audit.printed(text), error) for text in group["sum_sq"]]
    largest = max(found, key=lambda share: share.low)
    return (largest.low + largest.high) / 2, largest.low, largest.high
