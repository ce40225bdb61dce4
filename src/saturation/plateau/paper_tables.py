"""Tables 1, 2, 5, 6 and 7 of the plateau paper, recomputed, in its units and column order."""

from collections.abc import Iterable

import pandas as pd

CASE_STUDIES = ("math_500", "livebench", "livecodebench", "truthfulqa", "humanitys_last_exam")
EXAMPLES = ("math_500", "gpqa_diamond")

# Table 2, in our own words.
HYPOTHESES = {
    "H1": "Benchmarks with public test data saturate faster than those with held-out test data.",
    "H2": "English-only benchmarks saturate faster than benchmarks in other or several languages.",
    "H3": "Benchmarks written by people resist saturation better than synthetic or mixed ones.",
    "H4": "Benchmarks with closed answers saturate faster than those with free-form answers.",
    "H5": "Older and more widely used benchmarks saturate faster (raw: age; given age: citations).",
    "H6": "Benchmarks made from templates saturate faster than those without.",
    "quality": "Benchmarks with documented quality issues saturate faster than those without.",
}


def sensitivity(comparisons: pd.DataFrame, k: int, alpha: float) -> pd.DataFrame:
    """Table 1: rank correlation and same-bin share of each setting with the default."""
    rows = comparisons.to_dict("records")
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


def hypotheses(family: pd.DataFrame) -> pd.DataFrame:
    """Table 2 and quality issues: p-values, in brackets those by Holm over all rows."""
    wide = family.assign(
        text=[f"{p:.3f} ({holm:.3f})" for p, holm in zip(family["p_value"], family["holm"])]
    ).pivot(index="hypothesis", columns="kind", values="text")
    wide = wide.reindex(
        index=[name.lower() for name in HYPOTHESES], columns=["raw", "age_adjusted"]
    )
    return pd.DataFrame(
        {
            "hypothesis": list(HYPOTHESES),
            "statement": list(HYPOTHESES.values()),
            "p raw (Holm)": wide["raw"].to_numpy(),
            "p given age (Holm)": wide["age_adjusted"].to_numpy(),
        }
    )


def properties(benchmarks: pd.DataFrame, names: Iterable[str] = EXAMPLES) -> pd.DataFrame:
    """Table 5: properties of the named benchmarks."""
    rows = _chosen(benchmarks, names)
    tags = {
        "curated_by_experts": "experts",
        "curated_by_crowd": "crowd",
        "generated_by_llm": "LLM",
        "generated_by_program": "program",
    }
    return pd.DataFrame(
        {
            "benchmark": rows["name"],
            "input": rows["input_format"],
            "output": rows["output_format"],
            "curation": [_true_of(row, tags) for row in rows.to_dict("records")],
            "languages": rows["languages"],
            "samples": rows["n_test"],
            "citations": rows["citations"],
            "availability": rows["availability"],
            "templated": rows["templated"].map({True: "yes", False: "no"}),
        }
    )


def scores(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, names: Iterable[str] = EXAMPLES
) -> pd.DataFrame:
    """Table 6: release, best score at release, top models and issues of the named benchmarks."""
    rows = _chosen(benchmarks, names)
    issues = {
        "issue_contamination": "contamination",
        "issue_noise": "noise",
        "issue_mislabelling": "mislabelling",
        "issue_bias": "bias",
        "issue_other": "other",
        "issue_none_known": "none known",
    }
    percent = (100 * top_scores["score"]).map(": {:.1f}".format)
    named = top_scores["model"].fillna("unnamed") + percent
    top = named.groupby(top_scores["benchmark_id"]).agg("; ".join)
    return pd.DataFrame(
        {
            "benchmark": rows["name"],
            "released": rows["released"].astype(str).str[:7],
            "best at release (%)": (100 * rows["sota_at_release"]).round(1),
            "recent models evaluated": rows["recent_models_evaluated"].map(
                {True: "yes", False: "no"}
            ),
            "top models (%)": rows["benchmark_id"].map(top),
            "issues": [_true_of(row, issues) for row in rows.to_dict("records")],
        }
    )


def case_studies(
    benchmarks: pd.DataFrame, index: pd.DataFrame, names: Iterable[str] = CASE_STUDIES
) -> pd.DataFrame:
    """Table 7: the index and its parts for the named benchmarks (appendix E's case studies)."""
    display = benchmarks.set_index("benchmark_id")["name"]
    rows = _chosen(index, names)
    return pd.DataFrame(
        {
            "benchmark": rows["benchmark_id"].map(display),
            "n": rows["n_test"],
            "range (points)": (100 * (rows["s_1"] - rows["s_k"])).round(2),
            "SE_delta": rows["se_delta"].round(4),
            "R_norm": rows["r_norm"].round(4),
            "S_index": rows["s_index"].round(4),
            "level": rows["bin"].str.replace("_", " "),
        }
    )


def _chosen(table: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """The rows of the named benchmarks, in that order, as far as they are there."""
    by_id = table.set_index("benchmark_id", drop=False)
    return by_id.loc[[name for name in names if name in by_id.index]].reset_index(drop=True)


def _true_of(row: dict, labels: dict[str, str]) -> str:
    return ", ".join(label for column, label in labels.items() if row[column])
