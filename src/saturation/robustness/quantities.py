"""Headline numbers of the robustness study: what the paper's facts say, what was measured."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
import scipy

from saturation.quantity import Quantity, frame
from saturation.robustness import audit, design, replications
from saturation.robustness.design import SIGNIFICANT, slug

# Largest performance at which the paper calls the random baseline zero (section 4.1).
BASELINE_ZERO_BELOW = 0.8
# The datasets of which the paper does not say that they are below that performance.
EASY = ["IMDB", "BoolQ"]
# What is measured on predictions of one's own.
OWN = ("slopes", "variance_shares", "datasets", "correlations")


def table(
    facts: Mapping[str, pd.DataFrame],
    measured: Mapping[str, pd.DataFrame],
    examples: int = design.PAPER_EXAMPLES,
) -> pd.DataFrame:
    """All headline numbers.

    Parameters
    ----------
    facts
        The paper's `performance`, `models` and `design`.
    measured
        The study's `audit`, `audit_datasets`, `external`, what is measured on public answers (see
        :func:`saturation.robustness.replications.quantities`) and, of predictions of one's own,
        `slopes`, `variance_shares`, `datasets` and `correlations`.
    examples
        Examples a dataset by the paper's design.
    """
    levels = design.levels(facts["design"])
    performance, families = facts["performance"], facts["models"]["family"]
    return frame(
        [
            *from_design(performance, families, levels, examples),
            *from_performance(performance, design.n_configurations(levels)),
            *from_audit(measured["audit"], measured["audit_datasets"], measured["external"]),
            *replications.quantities(measured),
            *(from_measurement(*(measured[name] for name in OWN)) if OWN[0] in measured else ()),
        ]
    )


def from_design(
    performance: pd.DataFrame,
    families: pd.Series,
    levels: Mapping[str, Sequence[str]],
    examples: int,
) -> Iterator[Quantity]:
    """Counts that follow from the paper's design (Tables A.1 and A.2, appendix A.1).

    Parameters
    ----------
    performance
        `model`, `dataset`: the cells of Table A.2.
    families
        The family of each model.
    levels
        Levels of each factor.
    examples
        Examples a dataset.
    """
    n_models, n_datasets = performance["model"].nunique(), performance["dataset"].nunique()
    configurations = design.n_configurations(levels)
    yield Quantity("n_models", n_models)
    yield Quantity("n_families", families.nunique())
    yield Quantity("n_datasets", n_datasets)
    yield Quantity("n_examples", examples)
    yield Quantity("n_pairs", len(performance))
    yield Quantity("n_configurations", configurations)
    yield Quantity("n_inferences_per_model", n_datasets * examples * configurations)
    yield Quantity("n_inferences", n_models * n_datasets * examples * configurations)
    for factor, count in design.n_levels(levels).items():
        yield Quantity(f"n_levels_{factor}", count)


def from_performance(performance: pd.DataFrame, configurations: int) -> Iterator[Quantity]:
    """Averages, ranges and random baselines that follow from the cells of Table A.2.

    Bounds hold for every set of performances that rounds to the printed cells.

    Parameters
    ----------
    performance
        `model`, `dataset`, `performance` (two decimals).
    configurations
        Number of configurations of each example.
    """
    cells = performance.set_index(["dataset", "model"])["performance"]
    baseline = audit.baseline_range(cells, configurations)
    for dataset in performance["dataset"].unique():
        yield from _of_dataset(slug(dataset), cells[dataset], baseline.loc[dataset])
    hard = cells[~cells.index.get_level_values("dataset").isin(EASY)]
    yield Quantity("hard_cells_from_080", (hard >= BASELINE_ZERO_BELOW).sum())
    yield Quantity("hard_baseline_max", baseline["value"][hard.index].max())
    yield Quantity("hard_average_max", hard.groupby("dataset").mean().max())
    at_zero = audit.baseline_range(pd.Series([BASELINE_ZERO_BELOW]), configurations)
    yield Quantity("baseline_at_080", *at_zero.iloc[0])
    by_pair = cells.to_dict()
    # The difference of two cells has the rounding of both.
    rounding = 2 * audit.ROUNDING
    for dataset in ("BoolQ", "MMLU"):
        gap = by_pair[dataset, "gpt-oss-120b"] - by_pair[dataset, "gpt-oss-20b"]
        name = f"gpt_oss_gap_{slug(dataset)}"
        note = "difference of two rounded cells"
        yield Quantity(name, gap, gap - rounding, gap + rounding, note)
        yield Quantity(f"{name}__rounding_high", gap + rounding)


def from_audit(
    audited: pd.DataFrame, datasets: pd.DataFrame, external: pd.DataFrame
) -> Iterator[Quantity]:
    """What the audit of Tables A.3, A.4, C.1 and C.2 found, and the claims made about them.

    Parameters
    ----------
    audited, datasets, external
        From :func:`saturation.robustness.audit.tables`.
    """
    yield from _of_p_values(audited)
    tested = audited["factor"] != "intercept"
    yield Quantity("largest_share", *_largest_share(audited[tested]), "from SS and error SS")
    for row in audited.to_dict("records"):
        name = f"audit_{row['anova_type'].lower()}_{slug(row['dataset'])}_{row['factor']}"
        yield Quantity(
            name, row["consistent"], note="" if row["consistent"] else row["inconsistent"]
        )
    yield Quantity("audit_types_equal", audited.loc[tested, "types_fit"].mean())
    yield Quantity("audit_rows", len(audited))
    yield Quantity("audit_rows_consistent", audited["consistent"].sum())
    yield Quantity("audit_datasets_with_design_n", datasets["n_fits"].sum())
    for row in datasets.to_dict("records"):
        low, high = row["n_low"], row["n_high"]
        name = f"audit_n_{slug(row['dataset'])}"
        yield Quantity(name, (low + high) / 2, low, high, "rows implied")
    yield from _of_external(external)


def from_measurement(
    slopes: pd.DataFrame,
    shares: pd.DataFrame,
    datasets: pd.DataFrame,
    correlations: pd.DataFrame,
) -> Iterator[Quantity]:
    """Headline numbers of the predictions; those of made-up predictions are named so.

    Parameters
    ----------
    slopes, shares
        `slopes` and `variance_shares` of :func:`saturation.robustness.slopes.tables`.
    datasets
        From :func:`saturation.robustness.consistency.tables`.
    correlations
        From :func:`saturation.robustness.saturation.tables`.
    """
    synthetic = slopes["synthetic"].any()
    prefix = "synthetic_" if synthetic else ""
    note = "synthetic predictions: says nothing about any model" if synthetic else ""
    for row in slopes.to_dict("records"):
        name = f"{prefix}slope_{row['reading']}"
        yield Quantity(name, row["slope"], row["lower"], row["upper"], note)
    r_squared = slopes.set_index("reading")["r_squared"]
    yield Quantity(f"{prefix}r_squared", r_squared["ols"], note=note)
    for row in shares.to_dict("records"):
        name = f"{prefix}share_{row['component']}"
        yield Quantity(name, row["share"], row["lower"], row["upper"], note)
    for row in datasets.to_dict("records"):
        lower, upper = row["output_consistency_lower"], row["output_consistency_upper"]
        name = f"{prefix}consistency_{slug(row['dataset'])}"
        yield Quantity(name, row["output_consistency"], lower, upper, note)
    for row in correlations.to_dict("records"):
        counted = f"{note}; n = {row['n']}".removeprefix("; ")
        yield Quantity(f"{prefix}rho_{row['index']}", row["rho"], note=counted)


def _of_dataset(name: str, cells: pd.Series, baseline: pd.DataFrame) -> Iterator[Quantity]:
    """One dataset's average, range and random baselines over its models."""
    for what, cell, note in [
        ("average", cells.mean(), "mean of nine rounded cells"),
        ("lowest", cells.min(), ""),
        ("highest", cells.max(), ""),
    ]:
        lower, upper = cell - audit.ROUNDING, cell + audit.ROUNDING
        yield Quantity(f"{what}_{name}", cell, lower, upper, note)
    yield Quantity(f"baseline_mean_{name}", *baseline.mean())
    for end in ("min", "max"):
        value, lower, upper = baseline.agg(end)
        yield Quantity(f"baseline_{end}_{name}", value, lower, upper, "at the printed cell")
        yield Quantity(f"baseline_{end}_{name}__rounding_low", lower)
        yield Quantity(f"baseline_{end}_{name}__rounding_high", upper)


def _of_p_values(audited: pd.DataFrame) -> Iterator[Quantity]:
    p = audited["p"].astype(float)
    tested = audited["factor"] != "intercept"
    type_ii = audited["anova_type"] == "II"
    yield Quantity("p_not_significant", (p[type_ii] > SIGNIFICANT).mean(), note="Table C.1")
    yield Quantity("p_not_significant__both_tables", (p[tested] > SIGNIFICANT).mean())
    yield Quantity("p_not_significant__with_intercepts", (p > SIGNIFICANT).mean())
    significant = audited.loc[tested & type_ii & (p < SIGNIFICANT), "factor"]
    for factor in ("demonstrations", "noise"):
        yield Quantity(f"significant_{factor}", (significant == factor).sum())
    others = ~significant.isin(["demonstrations", "noise"])
    yield Quantity("significant_other", others.sum())


def _of_external(external: pd.DataFrame) -> Iterator[Quantity]:
    """Scores beside the published ones, as printed and as the cells of Table A.2 have them."""
    for row in external.drop_duplicates(["model", "dataset"]).to_dict("records"):
        name = f"table_a2_{slug(row['model'])}_{slug(row['dataset'])}"
        yield Quantity(name, row["table_a2"] / 100)
    yield Quantity("external_rows", len(external))
    misplaced = (~external["fits"]).sum()
    yield Quantity("external_misplaced", misplaced, note="not the cell of Table A.2")
    for reading, column in (("", "measured"), ("__table_a2_cells", "table_a2")):
        gap = (external[column] - external["published"]).abs() / 100
        yield Quantity(f"external_mean_gap{reading}", gap.mean())
        yield Quantity(f"external_largest_gap{reading}", gap.max())
        r = scipy.stats.pearsonr(external[column], external["published"])
        name = f"external_correlation{reading}"
        yield Quantity(name, r.statistic, *r.confidence_interval())


def _largest_share(rows: pd.DataFrame) -> tuple[float, float, float]:
    """Largest partial eta squared (middle, low, high), from the printed sums of squares."""
    spans: list[tuple[float, float]] = []
    for _, group in rows.groupby("dataset"):
        error = audit.consensus(audit.Interval.of(group["error_ss_low"], group["error_ss_high"]))
        share = audit.share_of(audit.printed(group["sum_sq"]), error)
        spans += zip(share.low.tolist(), share.high.tolist())
    low, high = max(spans)
    return (low + high) / 2, low, high
