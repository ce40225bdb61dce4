"""Run the plateau study; gather the paper's tables and the headline numbers."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation import index as measure
from saturation import seeds
from saturation.files.schema import validate
from saturation.files.tables import NamedTables, records, round_as_csv
from saturation.index import DECISIONS, annotated, top_scores_wide
from studies.correlation import partial_spearman, spearman
from studies.plateau import controls, equal_top, hypotheses, uncertainty
from studies.plateau.controls import judge_without_n
from studies.plateau.hypotheses import AGE, AGE_LABELS, RECORDED_AGE
from studies.plateau.names import (
    CASE_STUDIES,
    EXAMPLES,
    HYPOTHESES,
    MOST_DECIMALS,
    possible,
    table_1,
)
from studies.plateau.resampling import adjusted_f_test, affordable, orders
from studies.plateau.schemas import CURATION, ISSUES, schema_of
from studies.plateau.uncertainty import equal_pair_probability, error_of_index
from studies.quantity import Pick, Quantity, frame, list_numbers, picked


@dataclass(frozen=True)
class Settings:
    """Settings of the study; the defaults equal the config's section ``plateau``.

    Parameters
    ----------
    saturated_from
        Index from which a benchmark counts as saturated.
    resamples, permutations
        Permuted test-set sizes, and relabellings of each permutation test.
    same_n
        Test-set sizes that all benchmarks are given, as a control for n.
    equal_models, equal_dependence
        Numbers of models that a top may have been picked from, and how far their answers correlate.
    grid_k, grid_alpha
        Values of the fine grid of sensitivity.
    """

    seed: int = 20251101
    k: int = measure.K
    alpha: float = measure.ALPHA
    z: float = measure.Z
    bin_edges: tuple[float, ...] = measure.BIN_EDGES
    ceiling: float = measure.CEILING
    saturated_from: float = measure.SATURATED_FROM
    resamples: int = 10_000
    permutations: int = 99_999
    same_n: tuple[int, ...] = controls.SAME_N
    equal_models: tuple[int, ...] = equal_top.MODELS
    equal_dependence: tuple[float, ...] = equal_top.DEPENDENCE
    grid_k: tuple[int, ...] = (2, 3, 4, 5)
    grid_alpha: tuple[float, ...] = tuple(step / 20 for step in range(21))


def study(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings | None = None
) -> NamedTables:
    """Compute all tables of the study by name, with the digits of the files of the workflow.

    Parameters
    ----------
    benchmarks, top_scores
        The two tables of :func:`studies.plateau.inputs.prepare`: scores as proportions.
    settings
        By default those of the config.
    """
    setup = settings or Settings()
    out = {}

    def keep(**tables: pd.DataFrame) -> None:
        """Keep tables as the next stage reads them."""
        for name, table in tables.items():
            rounded = round_as_csv(table)
            out[name] = rounded if rounded.empty else validate(rounded, schema_of(name), name)

    keep(benchmarks=benchmarks, top_scores=top_scores)
    inputs = _, top_scores = out["benchmarks"], out["top_scores"]
    variants = table_1(setup.k, setup.alpha)
    default = {"index": (setup.k, setup.alpha)}
    for name, (k, alpha) in (
        default | {f"index_{key}": at for key, at in variants.items()}
    ).items():
        table = measure.index_table(*inputs, k, alpha, setup.z, setup.bin_edges, setup.ceiling)
        keep(**{name: table})
    index = out["index"]
    data = annotated(out["benchmarks"], index)
    indices = {name: out[f"index_{name}"] for name in variants}
    at: dict[str, Any] = {"saturated_from": setup.saturated_from}
    randomness: dict[str, Any] = {"seed": setup.seed, "permutations": setup.permutations}
    keep(comparisons=uncertainty.comparisons(index, indices))
    cells = uncertainty.grid(
        index, top_scores, ks=setup.grid_k, alphas=setup.grid_alpha, edges=setup.bin_edges, **at
    )
    keep(grid=cells)
    keep(**uncertainty.tables(index, top_scores, seed=setup.seed, resamples=setup.resamples, **at))
    keep(**hypotheses.tables(data, **at, **randomness))
    keep(controls=controls.controls(data, same_n=setup.same_n, **randomness, **at))
    chances = equal_top.equal_top(
        index, top_scores, models=setup.equal_models, dependence=setup.equal_dependence
    )
    keep(equal_top=chances)
    numbers = quantities(out, ceiling=setup.ceiling, **at, **randomness)
    return {**out, "quantities": numbers, **paper_tables(out, setup.k, setup.alpha)}


# Tables 1 and 2 of the plateau paper, recomputed, in its units and column order.

Row = Mapping[Any, Any]


def paper_tables(study: NamedTables, k: int, alpha: float) -> NamedTables:
    """Tables ``table1`` and ``table2`` by name."""
    return {"table1": _table_1(study["comparisons"], k, alpha), "table2": _table_2(study["family"])}


def _table_1(comparisons: pd.DataFrame, k: int, alpha: float) -> pd.DataFrame:
    """Rank correlation and same-bin share of each setting with the default."""
    rows = records(comparisons)
    return pd.DataFrame(
        {
            "setting": [f"k = {row['k']}, alpha = {row['alpha']:g}" for row in rows],
            "compared with": f"k = {k}, alpha = {alpha:g}",
            "Spearman correlation": comparisons["spearman"].round(2),
            "95 % interval": [
                f"{row['spearman_lower']:.2f} to {row['spearman_upper']:.2f}" for row in rows
            ],
            "same bin (%)": (100 * comparisons["same_bin"]).round(1),
        }
    )


def _table_2(family: pd.DataFrame) -> pd.DataFrame:
    """P-values of the hypotheses and of quality issues, in brackets those by Holm over all rows."""
    wide = family.assign(
        text=[f"{p:.3f} ({holm:.3f})" for p, holm in zip(family["p_value"], family["holm"])]
    ).pivot(index="hypothesis", columns="kind", values="text")
    wide = wide.reindex(index=list(HYPOTHESES), columns=["raw", "age_adjusted"])
    return pd.DataFrame(
        {
            "hypothesis": [hypothesis.label for hypothesis in HYPOTHESES.values()],
            "statement": [hypothesis.statement for hypothesis in HYPOTHESES.values()],
            "p raw (Holm)": wide["raw"].to_numpy(),
            "p given age (Holm)": wide["age_adjusted"].to_numpy(),
        }
    )


# The plateau study's headline numbers, under the names that the ledger asks for.

# Fresh leaderboards behind each standard deviation of S, which then errs by under one per cent. Of
# many benchmarks fewer, so that all draws together are no more than the last: their mean errs less.
LEADERBOARDS, LEAST_LEADERBOARDS, DRAWS = 10_000, 200, 3 * 10**6
# What Tables 5 and 6 print of their two example rows, in this project's vocabulary: input and
# output format, month of the release, the one issue.
_PRINTED = {
    "math_500": ("instruction", "free_form", "2021-03", "issue_contamination"),
    "gpqa_diamond": ("question_answering", "multiple_choice", "2023-11", "issue_none_known"),
}


_P, _EFFECT = {"p_value": "p"}, {"effect": "effect"}
_PRIMARY = "grouping == 'primary' and "
_TAGS = "hypothesis == 'h6' and grouping == 'tags_or_notes' and "
_CASES = f"benchmark_id in {CASE_STUDIES}"
_EXAMPLES = f"benchmark_id in {EXAMPLES}"
# Of the table of tests: rows, names and columns that are headline numbers.
_TESTS = [
    (_PRIMARY + "test == 'permutation'", "{hypothesis}_p", _P),
    (_PRIMARY + "test == 'welch'", "{hypothesis}_effect", _EFFECT),
    (_PRIMARY + "test == 'age_adjusted'", "{hypothesis}_{test}_{word}", _EFFECT | _P),
    (_PRIMARY + "test == 'age_welch'", "{hypothesis}_age_difference", _EFFECT),
    # The test of ages that section 4.1 prints: of H3's groups in Figure 2 by ranks.
    (_PRIMARY + "test == 'age_welch' and hypothesis != 'h3'", "{hypothesis}_age_p", _P),
    ("grouping == 'human_and_automatic' and test == 'age_rank'", "h3_age_p", _P),
    # Tests whose p-value may be the one that the paper calls "p", and other readings.
    ("test == 'age_anova'", "{hypothesis}_age_p__{test}_{grouping}", _P),
    (
        _PRIMARY + "hypothesis in ('h2', 'quality') and test in ('age_student', 'age_rank')",
        "{hypothesis}_age_p__{test}",
        _P,
    ),
    (_PRIMARY + "hypothesis == 'quality' and test == 'rate'", "quality_p__rate", _P),
    (
        "grouping in ('any_issue', 'recorded_only') and test == 'rate'",
        "quality_p__rate_{grouping}",
        _P,
    ),
    (_TAGS + "test in ('rank', 'permutation')", "h6_p__{test}_{grouping}", _P),
    (_TAGS + "test == 'age_welch'", "h6_age_p__{test}_{grouping}", _P),
    (_TAGS + "test == 'age_welch'", "h6_{grouping}_age_difference", _EFFECT),
    (_TAGS + "test == 'age_adjusted'", "h6_{grouping}_{test}_{word}", _EFFECT | _P),
    ("grouping == 'expert' and test == 'age_adjusted'", "h3_expert_{test}_{word}", _EFFECT | _P),
]
PICKS = [
    Pick(
        "comparisons",
        "",
        "table1_{setting}_{word}",
        ["spearman", "mean_shift", "same_bin", "neighbouring"],
    ),
    Pick(
        "groups",
        "grouping == 'primary'",
        "{hypothesis}_{word}_{group}",
        {"n": "n", "rate": "rate", "mean_age": "age"},
    ),
    Pick(
        "groups",
        "grouping == 'human_and_automatic'",
        "{hypothesis}_{word}_{group}",
        {"rate": "rate", "mean_age": "age", "mean_s": "mean_s"},
    ),
    Pick("aged", "", "age_bin_{number}_{word}", {"mean_s": "mean_s", "rate": "saturated_share"}),
    Pick("cited", "", "citation_bin_{end}_{word}", ["mean_s"], "{bin}"),
    Pick("groups", "grouping == 'tags_or_notes'", "{hypothesis}_n_{group}__{grouping}", ["n"]),
    *(Pick("tests", *row) for row in _TESTS),
    # Effects under the controls for test-set size.
    Pick(
        "controls",
        "conclusion == 'h2' and adjusted != '' and control != 'index'",
        "{control}_h2{adjusted}_{word}",
        _EFFECT | _P,
        "{note}",
    ),
    Pick(
        "controls",
        "control == 'same_n_1000' and (conclusion in ('age', 'citations')"
        " or conclusion == 'h2' and adjusted == '')",
        "{control}_{conclusion}{adjusted}_{word}",
        _EFFECT | _P,
        "{note}",
    ),
    # Citations controlled for age: the partial rank correlation has the bare name.
    Pick(
        "trends",
        "trend == 'citations' and reading != 'raw' or trend == 'citation_growth'",
        "{subject}_{word}{suffix}",
        {"estimate": "rho", "p_value": "p"},
    ),
    # Gaps of equal models, by the dependence of their answers.
    Pick("equal_top", "dependence == 0", "equal_top_{models}_{word}", ["larger"], "of {n}"),
    Pick(
        "equal_top",
        "",
        "equal_top_{models}{shared}_{word}",
        ["larger_saturated"],
        "of {n_saturated} that count as saturated",
    ),
    Pick("data", _EXAMPLES, "table5_{benchmark_id}_{word}", ["n_test", "citations"]),
    Pick(
        "data",
        _EXAMPLES,
        "table6_{benchmark_id}_{word}",
        ["sota_at_release", "recent_models_evaluated"],
    ),
    Pick("top_scores", _EXAMPLES, "table6_{benchmark_id}_score_{rank}", ["score"]),
    Pick(
        "data",
        _CASES,
        "table7_{benchmark_id}_{word}",
        ["n_test", "range", "se_delta", "r_norm", "s_index", "s_1", RECORDED_AGE],
    ),
    # Benchmarks that the text names beside the examples of its tables.
    Pick(
        "data",
        "benchmark_id in ('arc_agi', 'big_bench_hard')",
        "{benchmark_id}_{word}",
        ["s_index", RECORDED_AGE],
    ),
]


def quantities(
    tables: NamedTables, *, seed: int, permutations: int, saturated_from: float, ceiling: float
) -> pd.DataFrame:
    """All headline numbers, from the study's tables by name."""
    data = annotated(tables["benchmarks"], tables["index"])
    data = data.assign(range=data["s_1"] - data["s_k"])
    rng = seeds.generator(seed, "plateau", "quantities")
    return frame(
        [
            *_prevalence(data, saturated_from, ceiling),
            *_sensitivity(tables),
            *_error_by_k(tables, min(permutations, LEADERBOARDS), rng.spawn(1)[0]),
            *_correlations(tables, data),
            *_age_next_to_language(data, permutations, rng),
            *_permuted_n(tables["permuted_n"]),
            *_columns(tables, data, saturated_from),
            *_firmness(tables["intervals"], saturated_from),
            *_match_examples(data),
            *_count_possible_scores(tables["top_scores"], data),
            *_controls(tables["controls"]),
        ]
    )


def _columns(tables: NamedTables, data: pd.DataFrame, threshold: float) -> Iterator[Quantity]:
    """Yield the quantities that are columns of a table's rows."""
    groups = tables["groups"]
    groups = groups.assign(group=groups["group"].str.removesuffix("_issues"))
    controls = tables["controls"]
    controls = controls.assign(
        note=controls["note"].astype(object).fillna(""),
        adjusted=controls["adjusted"].map({"none": "", "age": "_age_adjusted"}),
    )
    tops = equal_top.counted(tables["equal_top"], threshold)
    shared = tops["dependence"].map(lambda value: f"_shared_{round(100 * value)}" if value else "")
    tops = tops.assign(shared=shared)
    trends = tables["trends"]
    trends = trends.assign(
        subject=trends["trend"].replace("citations", "citations_partial"),
        suffix=("__" + trends["reading"]).replace("__partial_spearman", ""),
    )
    bins = tables["bins"]
    cited = bins[bins["binned_by"] == "citations"]
    ends = pd.concat([cited.head(1).assign(end="first"), cited.tail(1).assign(end="last")])
    numbers = {label: number for number, label in enumerate(AGE_LABELS, start=1)}
    aged = bins[bins["binned_by"] == RECORDED_AGE]
    aged = aged.assign(number=aged["bin"].map(numbers))
    named = {"aged": aged, "cited": ends, "data": data, "groups": groups, "controls": controls}
    named |= {"equal_top": tops, "trends": trends}
    yield from picked({**tables, **named}, PICKS)


def _prevalence(data: pd.DataFrame, threshold: float, ceiling: float) -> Iterator[Quantity]:
    saturated = data["s_index"] >= threshold
    whole = hypotheses.saturation_summary(data["s_index"], threshold)
    yield Quantity("n_benchmarks", len(data))
    yield Quantity("n_hypotheses", sum(row.numbered for row in HYPOTHESES.values()))
    yield Quantity("n_saturated", saturated.sum())
    yield Quantity("saturated_share", whole["rate"], whole["rate_lower"], whole["rate_upper"])
    yield from list_numbers({f"n_{name}": n for name, n in data["bin"].value_counts().items()})
    yield Quantity("n_saturated_below_ceiling", (saturated & (data["s_1"] < ceiling)).sum())
    best = data.loc[saturated, "s_1"].sort_values()
    if len(best):
        # Of the saturated ones more than half lie below a ceiling that lies above it.
        yield Quantity("saturated_best_score_median", best.iloc[len(best) // 2])
    for limit, reading in ((ceiling, ""), (0.85, "__from_085"), (0.95, "__from_095")):
        similar = data.loc[data["s_1"] >= limit, "statistically_similar"].mean()
        yield Quantity(f"near_ceiling_similar_share{reading}", similar)
    yield Quantity("mean_age", data[AGE].mean())
    for column in (RECORDED_AGE, "n_test"):
        for statistic in ("min", "max", "mean"):
            yield Quantity(f"{column}_{statistic}", data[column].agg(statistic))
    recent, models = data["recent_models_evaluated"], data["n_models_listed"]
    yield from list_numbers(
        {
            "n_recent_models_evaluated": _count(recent.eq(True), recent),
            "n_wmt": data["benchmark_id"].str.contains("wmt").sum(),
            "n_listing_five_to_seven": _count(models.between(5, 7), models),
            "n_test_median": data["n_test"].median(),
        }
    )


def _count(marked: pd.Series, recorded: pd.Series) -> float:
    """Count marked rows; NaN where a table lacks the column of the marks."""
    return math.nan if recorded.isna().all() else marked.sum()


def _sensitivity(tables: NamedTables) -> Iterator[Quantity]:
    grid = tables["grid"]
    yield from list_numbers(
        {
            "k3_sd_s": tables["index_k3"]["s_index"].std(),
            "k5_sd_s": tables["index"]["s_index"].std(),
            "grid_n_saturated_min": grid["n_saturated"].min(),
            "grid_n_saturated_max": grid["n_saturated"].max(),
            "grid_spearman_min": grid["spearman"].min(),
        }
    )


def _error_by_k(
    tables: NamedTables, resamples: int, rng: np.random.Generator
) -> Iterator[Quantity]:
    """Yield the mean SD of S over fresh leaderboards of unchanged models, by k and alpha."""
    n_test = tables["benchmarks"].set_index("benchmark_id")["n_test"]
    ranked = tables["top_scores"]
    ranked = ranked[ranked["benchmark_id"].isin(n_test.index)]
    model_count = ranked.groupby("benchmark_id").size().min()
    for k, alpha in itertools.product((k for k in (3, 5) if k <= model_count), (0.5, 1.0)):
        scores = top_scores_wide(ranked, k)
        sizes = n_test[scores.index].to_numpy(float)
        boards = min(resamples, max(LEAST_LEADERBOARDS, DRAWS // scores.size))
        spread = error_of_index(scores.to_numpy(float), sizes, alpha, boards, rng)
        yield Quantity(f"k{k}_error_s" + ("" if alpha == 0.5 else "__alpha_1"), spread.mean())


def _correlations(tables: NamedTables, data: pd.DataFrame) -> Iterator[Quantity]:
    """Yield the paper's correlations as ``NAME_rho``, and their p-values as ``NAME_p``."""
    s_index, age, citations, n_test = (
        data[column] for column in ("s_index", AGE, "citations", "n_test")
    )
    trends = tables["trends"].set_index(["trend", "reading"]).to_dict("index")
    clean = ~data["issue_contamination"]
    gap = uncertainty.raw_gap(data["s_1"].to_numpy(), data["s_k"].to_numpy())
    estimates: dict[str, Row] = {
        "age_trend": trends["age", "spearman"],
        "test_size": trends["test_size", "spearman"],
        "citations": trends["citations", "raw"],
        "age_given_citations": partial_spearman(age, s_index, citations),
        "citations_age": spearman(citations, age),
        "age_uncontaminated": spearman(age[clean], s_index[clean]),
        "test_size_r_norm": spearman(n_test, data["r_norm"]),
        "test_size_gap": spearman(n_test, gap),
    }
    for name, row in estimates.items():
        limits, note = (row["lower"], row["upper"]), f"n = {row['n']}"
        yield Quantity(f"{name}_rho", row["estimate"], *limits, note)
        yield Quantity(f"{name}_p", row["p_value"])
    alpha_1 = tables["index_alpha1"]
    binomial = spearman(alpha_1["n_test"], alpha_1["s_index"])
    yield Quantity("test_size_rho_alpha1", binomial["estimate"])


def _age_next_to_language(
    data: pd.DataFrame, permutations: int, rng: np.random.Generator
) -> Iterator[Quantity]:
    english = data["english_only"].astype(float)
    permuted = orders(len(data), affordable(permutations, len(data)), rng)
    f, p = adjusted_f_test(data["s_index"], data[AGE], english, permuted)
    yield Quantity("age_given_english_p", p, note=f"permutation test, F = {f:.3g}")


def _permuted_n(table: pd.DataFrame) -> Iterator[Quantity]:
    (row,) = records(table)
    bounds, note = (row["null_lower"], row["null_upper"]), "mean and central 95 % of the null"
    yield Quantity("permuted_n_s_index_null", row["null_mean"], *bounds, note)
    yield Quantity("permuted_n_s_index_p", row["p_value"])


def _firmness(table: pd.DataFrame, threshold: float) -> Iterator[Quantity]:
    saturated = table["s_index"] >= threshold
    for decision in DECISIONS:
        yield Quantity(f"n_top_{decision}", (table["first_and_kth"] == decision).sum())
    for noise, word in (("", ""), ("_index_noise", "__index_noise")):
        decided = (table[f"s_lower{noise}"] >= threshold) | (table[f"s_upper{noise}"] < threshold)
        yield Quantity(f"n_index_decided{word}", decided.sum())
    again = table.loc[saturated, "p_again_index_noise"].sum()
    yield Quantity("expected_n_saturated_again", again, note="of those that are saturated now")
    yield Quantity("p_again_equal_pair", equal_pair_probability(threshold))


def _controls(table: pd.DataFrame) -> Iterator[Quantity]:
    """Count all effects, and those that are shown on the index and without n."""
    verdicts = judge_without_n(table)
    yield Quantity("n_effects", len(verdicts))
    yield Quantity("n_effects_shown", verdicts["shown"].sum())
    yield Quantity("n_effects_shown_without_n", verdicts["kept"].sum())


def _match_examples(data: pd.DataFrame) -> Iterator[Quantity]:
    """Compare the annotations of the printed example rows with what Tables 5 and 6 print."""
    for name, (given, answer, month, issue) in _PRINTED.items():
        for row in records(data[data["benchmark_id"] == name]):
            printed = {
                "input_format": given,
                "output_format": answer,
                "availability": "public",
                "english_only": True,
                "templated": False,
                **{tag: tag == "curated_by_experts" for tag in CURATION},
            }
            matches = all(row[key] == value for key, value in printed.items())
            yield Quantity(f"table5_{name}_properties_match", matches)
            released = str(row["released"]).startswith(month)
            yield Quantity(f"table6_{name}_released_match", released)
            issues = [tag for tag in ISSUES if row[tag]]
            yield Quantity(f"table6_{name}_issues_match", issues == [issue])


def _count_possible_scores(top_scores: pd.DataFrame, data: pd.DataFrame) -> Iterator[Quantity]:
    """Count scores that can be shares of their benchmark's number of items."""
    scored = top_scores.merge(data[["benchmark_id", "n_test"]], on="benchmark_id")
    percent = (100 * scored["score"]).round(MOST_DECIMALS)
    can = [possible(score, int(n)) for score, n in zip(percent, scored["n_test"])]
    decided = scored.assign(can=pd.Series(can, index=scored.index, dtype=object)).dropna(
        subset="can"
    )
    yield Quantity("n_scores_told_by_n", len(decided))
    yield Quantity("n_scores_not_of_n", (~decided["can"].astype(bool)).sum())
    for name in EXAMPLES:
        for row in records(decided[decided["benchmark_id"] == name]):
            yield Quantity(f"table6_{name}_score_{row['rank']}_of_n", row["can"])
