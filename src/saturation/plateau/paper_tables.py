"""Tables 1, 2, 5, 6 and 7 of the plateau paper, recomputed, in its units and column order."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from saturation.plateau.names import CASE_STUDIES, EXAMPLES, HYPOTHESES

Tables = Mapping[str, pd.DataFrame]


def tables(study: Tables, k: int, alpha: float, whole: bool = False) -> dict[str, pd.DataFrame]:
    """All tables by name, ``table1`` to ``table7``.

    Parameters
    ----------
    study
        The study's tables by name: ``benchmarks, top_scores, index, comparisons, family``.
    k, alpha
        The default setting.
    whole
        The paper picks examples out of its sixty benchmarks; a table of one's own is shown whole.
    """
    benchmarks, index = study["benchmarks"], study["index"]
    everyone = list(benchmarks["benchmark_id"])
    examples = everyone if whole else EXAMPLES
    return {
        "table1": sensitivity(study["comparisons"], k, alpha),
        "table2": hypotheses(study["family"]),
        "table5": properties(benchmarks, examples),
        "table6": scores(benchmarks, study["top_scores"], examples),
        "table7": case_studies(benchmarks, index, everyone if whole else CASE_STUDIES),
    }


def page(index: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """Index of every benchmark with how firm it is, the most saturated first.

    Parameters
    ----------
    index, intervals
        The study's tables of these names.
    """
    firm = intervals.drop(columns="s_index")
    return index.merge(firm, on="benchmark_id").sort_values("s_index", ascending=False)


def sensitivity(comparisons: pd.DataFrame, k: int, alpha: float) -> pd.DataFrame:
    """Table 1: rank correlation and same-bin share of each setting with the default.

    Parameters
    ----------
    comparisons
        The study's table of this name.
    k, alpha
        The default setting.
    """
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
    wide = wide.reindex(index=list(HYPOTHESES), columns=["raw", "age_adjusted"])
    return pd.DataFrame(
        {
            "hypothesis": [hypothesis.label for hypothesis in HYPOTHESES.values()],
            "statement": [hypothesis.statement for hypothesis in HYPOTHESES.values()],
            "p raw (Holm)": wide["raw"].to_numpy(),
            "p given age (Holm)": wide["age_adjusted"].to_numpy(),
        }
    )


def properties(benchmarks: pd.DataFrame, names: Iterable[str] = EXAMPLES) -> pd.DataFrame:
    """Table 5: properties of the named benchmarks.

    Parameters
    ----------
    benchmarks
        The prepared annotations.
    names
        Identifiers of benchmarks, in the order of the table; those that are not there are left out.
    """
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
    """Table 6: release, best score at release, top models and issues of the named benchmarks.

    Parameters
    ----------
    benchmarks, top_scores
        The prepared tables.
    names
        See :func:`properties`.
    """
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
    """Table 7: the index and its parts for the named benchmarks (appendix E's case studies).

    Parameters
    ----------
    benchmarks, index
        The prepared annotations, and the study's table ``index``.
    names
        See :func:`properties`.
    """
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


def _true_of(row: Mapping[Any, Any], labels: Mapping[str, str]) -> str:
    return ", ".join(label for column, label in labels.items() if row[column])
