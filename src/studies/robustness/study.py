"""The whole robustness study in a single call: the workflow's outputs, to the byte."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import scipy

from saturation import seeds
from saturation.files.tables import NamedTables, round_as_csv
from saturation.statistics.intervals import ALPHA, CONFIDENCE
from studies.quantity import Pick, Quantity, frame, list_numbers, picked, slug
from studies.robustness import anova, consistency, names, slopes, sources
from studies.robustness.schemas import PAIR, STATISTICS

# Largest performance at which the paper calls the random baseline zero (section 4.1).
BASELINE_ZERO_BELOW = 0.8
# The datasets of which the paper does not say that they are below that performance.
EASY = ["IMDB", "BoolQ"]


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


# Cells that are headline numbers: of the audit, with the range that printed cells leave open.
PICKS = [
    Pick("audit", "repeated", "{cell}_{word}", ["eta_sq"]),
    Pick("audit", "not repeated", "{cell}_{word}", STATISTICS),
    Pick(
        "audit",
        "not repeated and added",
        "{cell}_{word}__added_level",
        {"f_implied": "f", "p_implied": "p"},
    ),
    Pick("audit_datasets", "", "audit_n_{dataset}", ["n"], "rows implied"),
    Pick(
        "audit_datasets", "", "audit_mean_{dataset}", ["mean"], "by the intercept's sum of squares"
    ),
    Pick(
        "audit_datasets",
        "mean_added == mean_added",
        "audit_mean_{dataset}__added_level",
        ["mean_added"],
        "mean of the levels' means",
    ),
]
# The same of public answers.
PUBLIC_PICKS = [
    Pick("variants_alike", "", "public_spread_v_{dataset}", ["cramers_v"]),
    Pick(
        "trends", "", "public_{word}_{measure}_{dataset}", ["slope", "correlation"], "{n} {units}"
    ),
    Pick("trend_components", "", "public_share_{component}_{measure}", ["share"]),
    Pick(
        "component_tests",
        "p == p",
        "public_p_{component}_{measure}",
        ["p"],
        "F test given the two others",
    ),
    Pick(
        "floor",
        "",
        "public_floor_{model}",
        ["answer_consistency"],
        "repetitions of one prompt at temperature zero",
    ),
]


def study(facts: NamedTables, settings: Settings) -> NamedTables:
    """Compute the tables of public answers and of the audit, each by the name of its file.

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
    return tables_made | {"quantities": quantities(facts, tables_made)}


def study_predictions(
    rows: pd.DataFrame, datasets: pd.DataFrame, settings: Settings
) -> NamedTables:
    """Compute the tables of a user's predictions, each by the name of its file.

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
    marks = {"synthetic": bool(rows["synthetic"].any())}
    return {
        "examples": examples,
        **{name: table.assign(**marks) for name, table in tables_made.items()},
    }


def quantities(facts: NamedTables, tables: NamedTables) -> pd.DataFrame:
    """List all headline numbers; names of those of public answers begin with `public_`."""
    levels = names.levels(facts["design"])
    performance, families = facts["performance"], facts["models"]["family"]
    printed_tables = {name: _round_as_written(table) for name, table in tables.items()}
    return frame(
        [
            *count_design(performance, families, levels),
            *summarise_performance(performance, names.n_configurations(levels)),
            *list_audit_findings(printed_tables),
            *_list_public(printed_tables),
            *_list_prompts(printed_tables["prompts"], printed_tables["prompt_spreads"]),
        ]
    )


def count_design(
    performance: pd.DataFrame, families: pd.Series, levels: Mapping[str, Sequence[str]]
) -> Iterator[Quantity]:
    """Count the paper's design (Tables A.1 and A.2, appendix A.1)."""
    n_models, n_datasets = performance["model"].nunique(), performance["dataset"].nunique()
    configurations, examples = names.n_configurations(levels), names.PAPER_EXAMPLES
    yield from list_numbers(
        {
            "n_models": n_models,
            "n_families": families.nunique(),
            "n_datasets": n_datasets,
            "n_examples": examples,
            "n_pairs": len(performance),
            "n_configurations": configurations,
            "n_inferences_per_model": n_datasets * examples * configurations,
            "n_inferences": n_models * n_datasets * examples * configurations,
        }
    )


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
    # The difference of two cells has the rounding of both.
    rounding = 2 * anova.ROUNDING
    for dataset in ("BoolQ", "MMLU"):
        gap = cells[dataset, "gpt-oss-120b"] - cells[dataset, "gpt-oss-20b"]
        name = f"gpt_oss_gap_{slug(dataset)}"
        note = "difference of two rounded cells"
        yield Quantity(name, gap, gap - rounding, gap + rounding, note)
        yield Quantity(f"{name}__rounding_high", gap + rounding)


def list_audit_findings(tables: NamedTables) -> Iterator[Quantity]:
    """List the audit's findings on Tables A.3, A.4, C.1 and C.2, and the related claims."""
    audited, datasets = tables["audit"], tables["audit_datasets"]
    yield from _count_p_values(audited)
    tested = audited["factor"] != "intercept"
    yield Quantity("largest_share", *_largest_share(audited[tested]), "from SS and error SS")
    type_iii = audited["anova_type"] == "III"
    places = audited["anova_type"].str.lower() + "_" + audited["dataset"].map(slug)
    cells = _add_middles(audited).assign(
        cell="cell_" + places + "_" + audited["factor"],
        # Table C.2 repeats the factors' rows of Table C.1 but for shares of all sums of squares.
        repeated=tested & type_iii,
        added=audited["df_implied"].fillna(audited["df"]) != audited["df"],
    )
    bounded = _slugged(_add_middles(datasets))
    yield from picked({"audit": cells, "audit_datasets": bounded}, PICKS)
    yield from list_numbers(
        {
            "audit_types_equal": audited.loc[tested, "types_fit"].mean(),
            "audit_rows": len(audited),
            "audit_rows_consistent": audited["consistent"].sum(),
            "audit_datasets_with_design_n": datasets["n_fits"].sum(),
        }
    )
    yield from _compare_external(tables["external"])


def _add_middles(table: pd.DataFrame) -> pd.DataFrame:
    """Add the middle of each range that printed cells leave open, with its ends as limits."""
    for name in table.filter(like="_low").columns.str.removesuffix("_low"):
        low, high = table[f"{name}_low"], table[f"{name}_high"]
        limits = {f"{name}_lower": low, f"{name}_upper": high}
        table = table.assign(**limits, **{name: (low + high) / 2})
    return table


def _slugged(table: pd.DataFrame) -> pd.DataFrame:
    """Write names of models and datasets as parts of quantities' names."""
    return table.assign(**{name: table[name].map(slug) for name in PAIR if name in table})


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
    significant = audited.loc[tested & type_ii & (p < ALPHA), "factor"]
    demonstrations, noise = significant == "demonstrations", significant == "noise"
    yield from list_numbers(
        {
            "p_not_significant__both_tables": (p[tested] > ALPHA).mean(),
            "p_not_significant__with_intercepts": (p > ALPHA).mean(),
            "significant_demonstrations": demonstrations.sum(),
            "significant_noise": noise.sum(),
            "significant_other": (~demonstrations & ~noise).sum(),
        }
    )


def _compare_external(external: pd.DataFrame) -> Iterator[Quantity]:
    """Scores beside the published scores, as printed and as the cells of Table A.2 have them."""
    picks = [
        Pick("scores", "", "table_a2_{model}_{dataset}", ["score"]),
        Pick("sources", "", "lookup_{source}_{model}_{dataset}", ["source_score"], "per cent"),
    ]
    table = _slugged(external).assign(
        score=external["table_a2"] / 100,
        source=external["table"].map({"Table A.3": "card", "Table A.4": "helm"}),
    )
    sources_found = table.dropna(subset="source_score")
    yield from picked({"scores": table.drop_duplicates(PAIR), "sources": sources_found}, picks)
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


def _list_public(tables: NamedTables) -> Iterator[Quantity]:
    """List the headline numbers of public answers, but for paraphrased instructions."""
    variants, trends = tables["variants"], tables["trends"]
    yield Quantity("public_pairs", len(variants), note="public answers, not the paper's")
    above = variants["excess_lower"] > 0
    yield Quantity("public_pairs_above_chance", above.sum(), note="verdicts; 95 % interval above 0")
    yield Quantity(
        "public_spread_alike_p", tables["variants_alike"]["p_holm"].max(), note="largest, by Holm"
    )
    units = trends["reading"].map({"mixed": "pairs", "models": "models"})
    components = tables["trend_components"]
    named = {
        "trends": trends.assign(units=units),
        "component_tests": components.drop(columns=["lower", "upper"]),
    }
    picks = {pick.table for pick in PUBLIC_PICKS}
    slugged = {
        name: _slugged(table) for name, table in {**tables, **named}.items() if name in picks
    }
    yield from picked(slugged, PUBLIC_PICKS)
    for measure, group in tables["trend_outliers"].groupby("measure"):
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
