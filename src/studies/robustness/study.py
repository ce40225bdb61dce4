"""The whole robustness study in a single call: the workflow's outputs, to the byte."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import scipy

from saturation import seeds
from saturation.files.tables import records, round_as_csv
from saturation.quantity import Quantity, frame, slug
from saturation.statistics.intervals import ALPHA, CONFIDENCE
from studies.robustness import anova, consistency, names, slopes, sources
from studies.robustness.schemas import STATISTICS

# Largest performance at which the paper calls the random baseline zero (section 4.1).
BASELINE_ZERO_BELOW = 0.8
# The datasets of which the paper does not say that they are below that performance.
EASY = ["IMDB", "BoolQ"]
NOTE = "public answers, not the paper's"


@dataclass(frozen=True)
class Settings:
    """Keys of the config's section `robustness`.

    The factors are columns of one's own predictions that together name a configuration.
    """

    factors: Sequence[str] = ("paraphrase", "demonstrations", "noise", "temperature")
    confidence: float = CONFIDENCE
    resamples: int = 1000
    outlier_alpha: float = ALPHA
    std_bins: int = 5
    seed: int = 20251101


@dataclass(frozen=True)
class Tables:
    """Tables of the public answers, the audit and the headline numbers, each named as its file."""

    # Consistency over paraphrases; how far scores spread, and whether all models spread as much.
    variants: pd.DataFrame
    variants_spread: pd.DataFrame
    variants_alike: pd.DataFrame
    # Consistency on performance: pairs, slopes, what else explains it, pairs off the line.
    trend_pairs: pd.DataFrame
    trends: pd.DataFrame
    trend_components: pd.DataFrame
    trend_outliers: pd.DataFrame
    # What paraphrases of the instruction do to scores, by task and by model.
    prompts: pd.DataFrame
    prompt_spreads: pd.DataFrame
    # How often repetitions of one prompt agree, by task and by model.
    repeats: pd.DataFrame
    floor: pd.DataFrame
    # The paper's printed statistics and scores, checked.
    audit: pd.DataFrame
    audit_datasets: pd.DataFrame
    external: pd.DataFrame
    quantities: pd.DataFrame


@dataclass(frozen=True)
class OwnTables:
    """Tables of a user's predictions, each named as its file; `examples` is written as Parquet."""

    examples: pd.DataFrame
    consistency: pd.DataFrame
    std_distribution: pd.DataFrame
    slopes: pd.DataFrame
    variance_shares: pd.DataFrame
    group_tests: pd.DataFrame
    outliers: pd.DataFrame
    anova: pd.DataFrame


def study(
    facts: Mapping[str, pd.DataFrame],
    settings: Settings,
) -> Tables:
    """Compute the study of public answers and of the paper's printed values.

    `facts` are the embedded tables by the names of their files, see :data:`names.FACTS`. Where a
    table is the input of another, it has the digits of its file.
    """
    facts = {name: sources.convert_to_plain(table) for name, table in facts.items()}
    level = settings.confidence
    generator = seeds.generator(settings.seed, "robustness", "variants")
    counts = facts["variants"]
    variants = consistency.variant_measures(counts, level, settings.resamples, generator)
    spread = consistency.std_distribution(consistency.variant_examples(counts), settings.std_bins)
    pairs = slopes.trend_pairs(_round_as_written(variants), facts["sensitivity"])
    generator = seeds.generator(settings.seed, "robustness", "trends")
    runs = consistency.repeat_agreement(facts["repeats"])
    tables_made = {
        "variants": variants,
        "variants_spread": spread,
        "variants_alike": consistency.spread_tests(spread),
        "trend_pairs": pairs,
        "trends": slopes.trends(pairs, level),
        "trend_components": slopes.trend_components(pairs, level, generator),
        "trend_outliers": slopes.trend_outliers(pairs, settings.outlier_alpha),
        "prompts": consistency.prompt_tests(facts["prompts"]),
        "prompt_spreads": consistency.prompt_spreads(facts["prompts"]),
        "repeats": runs,
        "floor": consistency.floor(runs, level),
        **anova.audit(
            facts["anova"],
            names.levels(facts["design"]),
            facts["performance"],
            facts["external_scores"],
        ),
    }
    return Tables(**tables_made, quantities=quantities(facts, tables_made))


def study_predictions(rows: pd.DataFrame, datasets: pd.DataFrame, settings: Settings) -> OwnTables:
    """Compute the study of a user's predictions.

    Parameters
    ----------
    rows
        Predictions as :func:`studies.robustness.sources.prepared` gives them.
    datasets
        `dataset` and `n_answers`, missing where free-form.
    """
    level, resamples = settings.confidence, settings.resamples
    counted = datasets.dropna(subset=["n_answers"])
    answers = dict(zip(counted["dataset"], counted["n_answers"]))
    generator = seeds.generator(settings.seed, "robustness", "consistency")
    examples = consistency.example_measures(rows)
    measured = consistency.pair_measures(examples, answers, level, resamples, generator)
    pairs = _round_as_written(measured)
    # The word of the seed is older than the module's: other random numbers would change results.
    generator = seeds.generator(settings.seed, "robustness", "competence")
    tables_made = {
        "consistency": measured,
        "std_distribution": consistency.std_distribution(examples, settings.std_bins),
        "slopes": slopes.readings(pairs, level),
        "variance_shares": slopes.variance_shares(pairs, level, generator),
        "group_tests": slopes.group_tests(pairs),
        "outliers": slopes.outliers(pairs, settings.outlier_alpha),
        "anova": anova.analyses(rows, settings.factors),
    }
    made_up = bool(rows["synthetic"].any())
    return OwnTables(
        examples, **{name: table.assign(synthetic=made_up) for name, table in tables_made.items()}
    )


def quantities(
    facts: Mapping[str, pd.DataFrame], tables: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """List all headline numbers; names of those of public answers begin with `public_`."""
    levels = names.levels(facts["design"])
    performance, families = facts["performance"], facts["models"]["family"]
    printed_tables = {name: _round_as_written(table) for name, table in tables.items()}
    return frame(
        [
            *count_design(performance, families, levels),
            *summarise_performance(performance, names.n_configurations(levels)),
            *list_audit_findings(
                printed_tables["audit"],
                printed_tables["audit_datasets"],
                printed_tables["external"],
            ),
            *_list_variants(printed_tables["variants"], printed_tables["variants_alike"]),
            *_list_trends(printed_tables["trends"]),
            *_list_components(printed_tables["trend_components"], printed_tables["trend_outliers"]),
            *_list_prompts(printed_tables["prompts"], printed_tables["prompt_spreads"]),
            *_list_floor(printed_tables["floor"]),
        ]
    )


def count_design(
    performance: pd.DataFrame, families: pd.Series, levels: Mapping[str, Sequence[str]]
) -> Iterator[Quantity]:
    """Count the paper's design (Tables A.1 and A.2, appendix A.1)."""
    n_models, n_datasets = performance["model"].nunique(), performance["dataset"].nunique()
    configurations, examples = names.n_configurations(levels), names.PAPER_EXAMPLES
    yield Quantity("n_models", n_models)
    yield Quantity("n_families", families.nunique())
    yield Quantity("n_datasets", n_datasets)
    yield Quantity("n_examples", examples)
    yield Quantity("n_pairs", len(performance))
    yield Quantity("n_configurations", configurations)
    yield Quantity("n_inferences_per_model", n_datasets * examples * configurations)
    yield Quantity("n_inferences", n_models * n_datasets * examples * configurations)


def summarise_performance(performance: pd.DataFrame, configurations: int) -> Iterator[Quantity]:
    """Averages, ranges and random baselines that follow from the cells of Table A.2.

    Bounds hold for every set of performances that rounds to the printed cells.
    """
    cells = performance.set_index(["dataset", "model"])["performance"]
    baseline = anova.baseline_range(cells, configurations)
    for dataset in performance["dataset"].unique():
        yield from _summarise_dataset(slug(dataset), cells[dataset], baseline.loc[dataset])
    hard = cells[~cells.index.get_level_values("dataset").isin(EASY)]
    yield Quantity("hard_cells_from_080", (hard >= BASELINE_ZERO_BELOW).sum())
    yield Quantity("hard_baseline_max", baseline["value"][hard.index].max())
    yield Quantity("hard_average_max", hard.groupby("dataset").mean().max())
    at_zero = anova.baseline_range(pd.Series([BASELINE_ZERO_BELOW]), configurations)
    yield Quantity("baseline_at_080", *at_zero.iloc[0])
    by_pair = cells.to_dict()
    # The difference of two cells has the rounding of both.
    rounding = 2 * anova.ROUNDING
    for dataset in ("BoolQ", "MMLU"):
        gap = by_pair[dataset, "gpt-oss-120b"] - by_pair[dataset, "gpt-oss-20b"]
        name = f"gpt_oss_gap_{slug(dataset)}"
        note = "difference of two rounded cells"
        yield Quantity(name, gap, gap - rounding, gap + rounding, note)
        yield Quantity(f"{name}__rounding_high", gap + rounding)


def list_audit_findings(
    audited: pd.DataFrame, datasets: pd.DataFrame, external: pd.DataFrame
) -> Iterator[Quantity]:
    """List the audit's findings on Tables A.3, A.4, C.1 and C.2, and the related claims."""
    yield from _count_p_values(audited)
    tested = audited["factor"] != "intercept"
    yield Quantity("largest_share", *_largest_share(audited[tested]), "from SS and error SS")
    for row in records(audited):
        cell = f"cell_{row['anova_type'].lower()}_{slug(row['dataset'])}_{row['factor']}"
        # Table C.2 repeats the factors' rows of Table C.1 but for shares of all sums of squares.
        if row["anova_type"] == "III" and row["factor"] != "intercept":
            yield _between(f"{cell}_eta_sq", row, "eta_sq")
            continue
        for statistic in STATISTICS:
            yield _between(f"{cell}_{statistic}", row, statistic)
        if pd.notna(row["df_implied"]) and row["df_implied"] != row["df"]:
            for statistic in ("f", "p"):
                yield _between(f"{cell}_{statistic}__added_level", row, f"{statistic}_implied")
    yield Quantity("audit_types_equal", audited.loc[tested, "types_fit"].mean())
    yield Quantity("audit_rows", len(audited))
    yield Quantity("audit_rows_consistent", audited["consistent"].sum())
    yield Quantity("audit_datasets_with_design_n", datasets["n_fits"].sum())
    for row in records(datasets):
        yield _between(f"audit_n_{slug(row['dataset'])}", row, "n", "rows implied")
        mean = f"audit_mean_{slug(row['dataset'])}"
        yield _between(mean, row, "mean", "by the intercept's sum of squares")
        if pd.notna(row["mean_added_low"]):
            yield _between(f"{mean}__added_level", row, "mean_added", "mean of the levels' means")
    yield from _compare_external(external)


def _between(name: str, row: Mapping[str, Any], column: str, note: str = "") -> Quantity:
    """Return the middle and the ends of the range that printed cells leave open."""
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    return Quantity(name, (low + high) / 2, low, high, note)


def _round_as_written(table: pd.DataFrame) -> pd.DataFrame:
    """Read a table's digits as text: names and printed digits keep their zeros."""
    text = table.select_dtypes(exclude=["number", "bool"])
    return round_as_csv(table).assign(
        **{str(name): cells.to_numpy() for name, cells in text.items()}
    )


def _summarise_dataset(name: str, cells: pd.Series, baseline: pd.DataFrame) -> Iterator[Quantity]:
    """One dataset's average, range and random baselines over its models."""
    for measure, cell, note in [
        ("average", cells.mean(), "mean of nine rounded cells"),
        ("lowest", cells.min(), ""),
        ("highest", cells.max(), ""),
    ]:
        lower, upper = cell - anova.ROUNDING, cell + anova.ROUNDING
        yield Quantity(f"{measure}_{name}", cell, lower, upper, note)
    yield Quantity(f"baseline_mean_{name}", *baseline.mean())
    for end in ("min", "max"):
        value, lower, upper = baseline.agg(end)
        yield Quantity(f"baseline_{end}_{name}", value, lower, upper, "at the printed cell")
        yield Quantity(f"baseline_{end}_{name}__rounding_low", lower)
        yield Quantity(f"baseline_{end}_{name}__rounding_high", upper)


def _count_p_values(audited: pd.DataFrame) -> Iterator[Quantity]:
    p = audited["p"].astype(float)
    tested = audited["factor"] != "intercept"
    type_ii = audited["anova_type"] == "II"
    yield Quantity("p_not_significant", (p[type_ii] > ALPHA).mean(), note="Table C.1")
    yield Quantity("p_not_significant__both_tables", (p[tested] > ALPHA).mean())
    yield Quantity("p_not_significant__with_intercepts", (p > ALPHA).mean())
    significant = audited.loc[tested & type_ii & (p < ALPHA), "factor"]
    for factor in ("demonstrations", "noise"):
        yield Quantity(f"significant_{factor}", (significant == factor).sum())
    other_terms = ~significant.isin(["demonstrations", "noise"])
    yield Quantity("significant_other", other_terms.sum())


def _compare_external(external: pd.DataFrame) -> Iterator[Quantity]:
    """Scores beside the published scores, as printed and as the cells of Table A.2 have them."""
    for row in external.drop_duplicates(["model", "dataset"]).to_dict("records"):
        name = f"table_a2_{slug(row['model'])}_{slug(row['dataset'])}"
        yield Quantity(name, row["table_a2"] / 100)
    for row in external[external["source_score"].notna()].to_dict("records"):
        source = {"Table A.3": "card", "Table A.4": "helm"}[row["table"]]
        name = f"lookup_{source}_{slug(row['model'])}_{slug(row['dataset'])}"
        yield Quantity(name, row["source_score"], note="per cent")
    instruct = external[external["source_instruct"].notna()]
    for reading, rows, column in (
        ("", external[external["table"] == "Table A.3"], "published"),
        ("__instruct", instruct, "source_instruct"),
    ):
        distance = (rows["measured"] - rows[column]).abs().mean()
        yield Quantity(f"card_mean_gap{reading}", distance, note=f"points, {len(rows)} scores")
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
        error = anova.consensus(group[["error_ss_low", "error_ss_high"]].to_numpy(float).T)
        share = anova.share_of(anova.printed(group["sum_sq"]), error[:, None])
        spans += map(tuple, share.T.tolist())
    low, high = max(spans)
    return (low + high) / 2, low, high


def _list_variants(variants: pd.DataFrame, alike: pd.DataFrame) -> Iterator[Quantity]:
    yield Quantity("public_pairs", len(variants), note=NOTE)
    above = variants["excess_lower"] > 0
    yield Quantity("public_pairs_above_chance", above.sum(), note="verdicts; 95 % interval above 0")
    for row in alike.to_dict("records"):
        yield Quantity(f"public_spread_v_{slug(row['dataset'])}", row["cramers_v"])
    yield Quantity("public_spread_alike_p", alike["p_holm"].max(), note="largest, by Holm")


def _list_trends(trends: pd.DataFrame) -> Iterator[Quantity]:
    for row in trends.to_dict("records"):
        name = f"{row['measure']}_{slug(row['dataset'])}"
        counted = f"{row['n']} pairs" if row["reading"] == "mixed" else f"{row['n']} models"
        yield Quantity(f"public_slope_{name}", row["slope"], row["lower"], row["upper"], counted)
        ends = row["correlation_lower"], row["correlation_upper"]
        yield Quantity(f"public_correlation_{name}", row["correlation"], *ends, counted)


def _list_components(components: pd.DataFrame, outliers: pd.DataFrame) -> Iterator[Quantity]:
    for row in components.to_dict("records"):
        name = f"{row['component']}_{row['measure']}"
        yield Quantity(f"public_share_{name}", row["share"], row["lower"], row["upper"])
        if pd.notna(row["p"]):
            yield Quantity(f"public_p_{name}", row["p"], note="F test given the two others")
    for measure, group in outliers.groupby("measure"):
        yield Quantity(
            f"public_outliers_{measure}", group["outlier"].sum(), note=f"of {len(group)}"
        )


def _list_prompts(prompts: pd.DataFrame, spreads: pd.DataFrame) -> Iterator[Quantity]:
    significant = (prompts["p_holm"] < ALPHA).sum()
    yield Quantity("public_prompt_significant", significant, note="paraphrase against interaction")
    share = prompts["share_of_answers"]
    yield Quantity("public_prompt_share_median", share.median())
    yield Quantity("public_prompt_share_largest", share.max())
    yield Quantity("public_prompt_share_from_one_per_cent", (share >= 0.01).sum(), note="tasks")
    yield Quantity("public_prompt_spread_median", spreads["spread"].median())
    means = spreads.groupby("task")[["performance", "spread"]].mean()
    correlation = scipy.stats.spearmanr(means["performance"], means["spread"])
    note = f"{len(means)} tasks"
    yield Quantity("public_prompt_spread_rho", correlation.statistic, note=note)
    yield Quantity("public_prompt_spread_p", correlation.pvalue, note=note)


def _list_floor(floor: pd.DataFrame) -> Iterator[Quantity]:
    for row in floor.to_dict("records"):
        name = f"public_floor_{slug(row['model'])}"
        note = "repetitions of one prompt at temperature zero"
        yield Quantity(name, row["answer_consistency"], row["lower"], row["upper"], note)
