"""The plateau study's headline numbers, under the names that the ledger asks for.

The names and their meaning are listed in ``resources/ledger/README.md``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.plateau import trends
from saturation.plateau.schemas import CURATION, ISSUES
from saturation.plateau.uncertainty import equal_pair_probability
from saturation.statistics import correlation
from saturation.statistics.permutation import adjusted_f_test


class Quantity(NamedTuple):
    """One headline number with its 95 % interval, where it has one."""

    quantity: str
    value: float
    lower: float = np.nan
    upper: float = np.nan
    note: str | None = None


Tables = Mapping[str, pd.DataFrame]

# The embedded table's six hypotheses (Table 2).
N_HYPOTHESES = 6


def quantities(
    tables: Tables, threshold: float, ceiling: float, permutations: int, rng: np.random.Generator
) -> pd.DataFrame:
    """All headline numbers.

    Parameters
    ----------
    tables
        The study's tables by name: ``benchmarks, top_scores, index, index_k3, index_alpha1,
        comparisons, groups, tests, trends, bins, permuted_n, intervals, grid``.
    threshold, ceiling
        Index from which a benchmark is saturated, and top score that counts as the ceiling.
    permutations, rng
        For the permutation test of age next to language.

    Returns
    -------
    pandas.DataFrame
        ``quantity, value, lower, upper, note``.
    """
    data = tables["benchmarks"].merge(
        tables["index"].drop(columns="n_test"), on="benchmark_id", validate="1:1"
    )
    found = [
        *_prevalence(data, threshold, ceiling),
        *_sensitivity(tables),
        *_trends(tables, data, permutations, rng),
        *_hypotheses(tables, data),
        *_firmness(tables, threshold),
        *_examples(tables, data),
    ]
    return pd.DataFrame(found, columns=list(Quantity._fields)).astype({"value": float})


def _prevalence(data: pd.DataFrame, threshold: float, ceiling: float) -> Iterator[Quantity]:
    saturated = data["s_index"] >= threshold
    share = trends.saturation_summary(data["s_index"], threshold)
    yield Quantity("n_benchmarks", len(data))
    yield Quantity("n_hypotheses", N_HYPOTHESES)
    yield Quantity("n_saturated", saturated.sum())
    yield Quantity("saturated_share", share["rate"], share["rate_lower"], share["rate_upper"])
    for name, count in data["bin"].value_counts().items():
        yield Quantity(f"n_{name}", count)
    yield Quantity("n_saturated_below_ceiling", (saturated & (data["s_1"] < ceiling)).sum())
    yield Quantity("n_statistically_similar", data["statistically_similar"].sum())
    near_ceiling = data["s_1"] >= ceiling
    yield Quantity(
        "near_ceiling_similar_share", data.loc[near_ceiling, "statistically_similar"].mean()
    )
    yield Quantity("n_stagnated", data["stagnated"].sum())
    yield Quantity("n_saturated_at_ceiling", data["saturated"].sum())
    yield Quantity("mean_age", data[trends.AGE].mean())
    for column in (trends.RECORDED_AGE, "n_test"):
        yield Quantity(f"{column}_min", data[column].min())
        yield Quantity(f"{column}_max", data[column].max())
        yield Quantity(f"{column}_mean", data[column].mean())
    yield Quantity("n_recent_models_evaluated", data["recent_models_evaluated"].eq(True).sum())
    yield Quantity("n_completely_annotated", _complete(data).sum())
    yield Quantity("n_wmt", data["benchmark_id"].str.contains("wmt").sum())
    yield Quantity("n_test_median", data["n_test"].median())


def _complete(data: pd.DataFrame) -> pd.Series:
    """Whether a benchmark has every field of Table 4 that can be missing."""
    tagged = data[list(CURATION)].any(axis=1) & data[list(ISSUES)].any(axis=1)
    return tagged & data[list(_MISSABLE)].notna().all(axis=1)


_MISSABLE = (
    "citations",
    "recent_models_evaluated",
    "sota_at_release",
    "input_format",
    "output_format",
    "metrics",
)


def _sensitivity(tables: Tables) -> Iterator[Quantity]:
    for row in tables["comparisons"].to_dict("records"):
        name = f"table1_{row['setting']}"
        yield Quantity(
            f"{name}_spearman", row["spearman"], row["spearman_lower"], row["spearman_upper"]
        )
        yield Quantity(f"{name}_mean_shift", row["mean_shift"])
        yield Quantity(f"{name}_same_bin", row["same_bin"])
        yield Quantity(f"{name}_neighbouring", row["neighbouring"])
    yield Quantity("k3_sd_s", tables["index_k3"]["s_index"].std())
    yield Quantity("k5_sd_s", tables["index"]["s_index"].std())
    yield Quantity("grid_n_saturated_min", tables["grid"]["n_saturated"].min())
    yield Quantity("grid_n_saturated_max", tables["grid"]["n_saturated"].max())


def _trends(
    tables: Tables, data: pd.DataFrame, permutations: int, rng: np.random.Generator
) -> Iterator[Quantity]:
    by_name = {(row["trend"], row["reading"]): row for row in tables["trends"].to_dict("records")}
    yield from _trend("age_trend", by_name["age", "spearman"])
    yield from _trend("test_size", by_name["test_size", "spearman"])
    yield from _trend("citations", by_name["citations", "raw"])
    s_index, age = data["s_index"], data[trends.AGE]
    yield from _trend(
        "age_given_citations", correlation.partial_spearman(age, s_index, data["citations"])
    )
    yield from _trend("citations_age", correlation.spearman(data["citations"], age))
    clean = data[~data["issue_contamination"]]
    yield from _trend(
        "age_uncontaminated", correlation.spearman(clean[trends.AGE], clean["s_index"])
    )
    yield from _trend("test_size_r_norm", correlation.spearman(data["n_test"], data["r_norm"]))
    gap = data["s_1"] - data["s_k"]
    yield from _trend("test_size_gap", correlation.spearman(data["n_test"], gap))
    alpha1 = tables["index_alpha1"]
    yield Quantity(
        "test_size_rho_alpha1",
        correlation.spearman(alpha1["n_test"], alpha1["s_index"])["estimate"],
    )
    english = data["english_only"].astype(float)
    f, p = adjusted_f_test(s_index, age, english, permutations, rng)
    yield Quantity("age_given_english_p", p, note=f"permutation test, F = {f:.3g}")
    for (trend, reading), row in by_name.items():
        if trend in ("citations", "citation_growth") and (trend, reading) != ("citations", "raw"):
            yield from _controlled(trend, reading, row)
    control = tables["permuted_n"].set_index("outcome")
    for outcome, row in control.iterrows():
        yield Quantity(f"permuted_n_{outcome}_rho", row["spearman"])
        yield Quantity(
            f"permuted_n_{outcome}_null", row["null_mean"], row["null_lower"], row["null_upper"],
            "mean and central 95 % of the null",
        )  # fmt: skip
        yield Quantity(f"permuted_n_{outcome}_p", row["p_value"])
    ages = tables["bins"].query("binned_by == @trends.RECORDED_AGE").set_index("bin")
    for number, label in enumerate(trends.AGE_LABELS, start=1):
        if label in ages.index:
            yield from _group(f"age_bin_{number}", ages.loc[label], share="saturated_share")
    cited = tables["bins"].query("binned_by == 'citations'")
    for name, place in (("first", 0), ("last", -1)) if len(cited) else ():
        row = cited.iloc[place]
        yield Quantity(
            f"citation_bin_{name}_mean_s",
            row["mean_s"], row["mean_s_lower"], row["mean_s_upper"], str(row["bin"]),
        )  # fmt: skip


def _controlled(trend: str, reading: str, row: Mapping[str, Any]) -> Iterator[Quantity]:
    """Citations controlled for age: the partial rank correlation first, other readings beside."""
    base = "citations_partial" if trend == "citations" else "citation_growth"
    suffix = "" if reading == "partial_spearman" else f"__{reading}"
    yield Quantity(f"{base}_rho{suffix}", row["estimate"], row["lower"], row["upper"])
    yield Quantity(f"{base}_p{suffix}", row["p_value"])


def _trend(name: str, row: Mapping[str, Any]) -> Iterator[Quantity]:
    yield Quantity(f"{name}_rho", row["estimate"], row["lower"], row["upper"], f"n = {row['n']}")
    yield Quantity(f"{name}_p", row["p_value"])


def _hypotheses(tables: Tables, data: pd.DataFrame) -> Iterator[Quantity]:
    groups = tables["groups"].set_index(["hypothesis", "grouping", "group"])
    primary = groups.xs("primary", level="grouping")
    for (hypothesis, group), row in primary.iterrows():
        short = group.removesuffix("_issues") if hypothesis == "quality" else group
        yield Quantity(f"{hypothesis}_n_{short}", row["n"])
        yield Quantity(
            f"{hypothesis}_rate_{short}", row["rate"], row["rate_lower"], row["rate_upper"]
        )
        yield Quantity(f"{hypothesis}_age_{short}", row["mean_age"])
    for (hypothesis, grouping, group), row in groups.iterrows():
        if (hypothesis, grouping) == ("h6", "tags_or_notes"):
            yield Quantity(f"h6_n_{group}__{grouping}", row["n"])
        elif (hypothesis, grouping) == ("h3", "human_and_automatic"):
            yield Quantity(f"h3_rate_{group}", row["rate"], row["rate_lower"], row["rate_upper"])
            yield Quantity(f"h3_age_{group}", row["mean_age"])
            yield Quantity(
                f"h3_mean_s_{group}", row["mean_s"], row["mean_s_lower"], row["mean_s_upper"]
            )
    yield from _tests(tables["tests"])
    for name in ("arc_agi", "big_bench_hard"):
        part = data[data["benchmark_id"] == name]
        if len(part):
            yield Quantity(f"{name}_s_index", part["s_index"].iloc[0])
            yield Quantity(f"{name}_age_months", part[trends.RECORDED_AGE].iloc[0])


# Tests whose p-value may be the one that a paper calls "p" of a difference in saturation or age.
_SATURATION_TESTS = ("permutation", "rank", "welch", "rate", "rate_chi2", "rate_chi2_yates")
_AGE_TESTS = (
    "age_welch", "age_student", "age_rank", "age_welch_recorded", "age_student_recorded",
    "age_rank_recorded", "age_anova", "age_anova_recorded",
)  # fmt: skip


def _tests(tests: pd.DataFrame) -> Iterator[Quantity]:
    for row in tests.to_dict("records"):
        hypothesis, grouping, test = row["hypothesis"], row["grouping"], row["test"]
        interval = (row["effect_lower"], row["effect_upper"])
        at = "" if grouping == "primary" else f"_{grouping}"
        if test in _SATURATION_TESTS:
            first = not at and test == "permutation"
            yield Quantity(f"{hypothesis}_p" + ("" if first else f"__{test}{at}"), row["p_value"])
            if test == "welch" and not at:
                yield Quantity(f"{hypothesis}_effect", row["effect"], *interval)
        elif test in _AGE_TESTS:
            chosen = _PRIMARY_AGE.get(hypothesis, ("primary", "age_welch"))
            first = (grouping, test) == chosen
            yield Quantity(
                f"{hypothesis}_age_p" + ("" if first else f"__{test}{at}"), row["p_value"]
            )
        elif test in ("age_adjusted", "age_and_log_n_adjusted"):
            yield Quantity(f"{hypothesis}{at}_{test}_p", row["p_value"])
            yield Quantity(f"{hypothesis}{at}_{test}_effect", row["effect"], *interval)


_PRIMARY_AGE = {"h3": ("human_and_automatic", "age_rank")}


def _group(name: str, row: pd.Series, share: str) -> Iterator[Quantity]:
    yield Quantity(f"{name}_n", row["n"])
    yield Quantity(f"{name}_mean_s", row["mean_s"], row["mean_s_lower"], row["mean_s_upper"])
    yield Quantity(f"{name}_{share}", row["rate"], row["rate_lower"], row["rate_upper"])


def _firmness(tables: Tables, threshold: float) -> Iterator[Quantity]:
    table = tables["intervals"]
    again = table.loc[table["s_index"] >= threshold, "p_saturated"].sum()
    yield Quantity("expected_n_saturated_again", again, note="of those that are saturated now")
    yield Quantity("p_saturated_equal_pair", equal_pair_probability(threshold))
    yield Quantity("expected_n_saturated", table["p_saturated"].sum())
    yield Quantity("p_saturated_if_equal_mean", table["p_saturated_if_equal"].mean())


# What Tables 5 and 6 print of their two example rows, in this project's vocabulary.
_PRINTED_PROPERTIES = {
    "math_500": {"input_format": "instruction", "output_format": "free_form"},
    "gpqa_diamond": {"input_format": "question_answering", "output_format": "multiple_choice"},
}
_PRINTED_MONTH = {"math_500": "2021-03", "gpqa_diamond": "2023-11"}
_PRINTED_ISSUES = {"math_500": {"issue_contamination"}, "gpqa_diamond": {"issue_none_known"}}
_TABLE_7 = ("math_500", "livebench", "livecodebench", "truthfulqa", "humanitys_last_exam")


def _examples(tables: Tables, data: pd.DataFrame) -> Iterator[Quantity]:
    """The example rows of Tables 5, 6 and 7, for the benchmarks that are there."""
    rows = {row["benchmark_id"]: row for row in data.to_dict("records")}
    scores = tables["top_scores"]
    for name in _PRINTED_MONTH:
        if name in rows:
            yield from _example_properties(name, rows[name])
            own = scores[scores["benchmark_id"] == name]
            for rank, score in zip(own["rank"], own["score"]):
                yield Quantity(f"table6_{name}_score_{rank}", score)
    for name in _TABLE_7:
        if name in rows:
            row = rows[name]
            own = scores.loc[scores["benchmark_id"] == name, "score"].sort_values(ascending=False)
            yield Quantity(f"table7_{name}_n_test", row["n_test"])
            yield Quantity(f"table7_{name}_range", row["s_1"] - row["s_k"])
            for column in ("se_delta", "r_norm", "s_index"):
                yield Quantity(f"table7_{name}_{column}", row[column])
            yield Quantity(f"table7_{name}_s_1", own.iloc[0])
            yield Quantity(f"table7_{name}_s_5", own.iloc[-1])
            yield Quantity(f"table7_{name}_age_months", row[trends.RECORDED_AGE])


def _example_properties(name: str, row: Mapping[str, Any]) -> Iterator[Quantity]:
    properties = {
        **_PRINTED_PROPERTIES[name],
        "availability": "public",
        "english_only": True,
        "templated": False,
        **{tag: tag == "curated_by_experts" for tag in CURATION},
    }
    issues = {issue for issue in ISSUES if row[issue]}
    yield Quantity(f"table5_{name}_n_test", row["n_test"])
    yield Quantity(f"table5_{name}_citations", row["citations"])
    matches = all(row[key] == value for key, value in properties.items())
    yield Quantity(f"table5_{name}_properties_match", matches)
    yield Quantity(
        f"table6_{name}_released_match", str(row["released"]).startswith(_PRINTED_MONTH[name])
    )
    yield Quantity(f"table6_{name}_sota_at_release", row["sota_at_release"])
    yield Quantity(f"table6_{name}_recent_models_evaluated", row["recent_models_evaluated"])
    yield Quantity(f"table6_{name}_issues_match", issues == _PRINTED_ISSUES[name])
