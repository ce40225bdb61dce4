"""Group the benchmarks for each hypothesis (plateau paper, Table 2 and section 4.1)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from studies.plateau.schemas import CURATION, ISSUES


@dataclass(frozen=True)
class Comparison:
    """One grouping of the benchmarks.

    - ``grouping``: name of this reading of the hypothesis; ``primary`` is the one in the family
      of tests.
    - ``first``: the group that the hypothesis expects to saturate faster.
    - ``groups``: group of each benchmark (index ``benchmark_id``); missing leaves a benchmark out.
    """

    hypothesis: str
    grouping: str
    first: str
    groups: pd.Series


# Rules of the groups of each reading: expressions of columns of :func:`attributes`, of which the
# first that holds decides; benchmarks for which none holds are left out. Of two groups the first is
# the group that the hypothesis expects to saturate faster.
# The paper does not say how it formed the curation groups of H3, so each reasonable reading is a
# row of its own; human_and_automatic is that of the authors' script for Figure 2
# (resources/plateau/README.md). "both" counts as closed-ended in the primary reading of H4, which
# gives the paper's 28 against 31. H6's primary reading is the annotation; tags_or_notes is the
# script's, which gives the paper's 14 against 46. One benchmark, MGSM, has an issue
# and "none known": it is without issues in the primary reading of quality, with them in any_issue.
READINGS = {
    ("h1", "primary"): {
        "public": "availability == 'public'",
        "private": "availability == 'private'",
    },
    ("h2", "primary"): {"english": "english_only", "multilingual": "~english_only"},
    ("h3", "primary"): {"synthetic_or_hybrid": "machine", "human": "human"},
    ("h3", "expert"): {"other": "~experts", "expert": "experts"},
    ("h3", "expert_or_crowd_only"): {
        "crowd": "crowd & ~experts & ~machine",
        "expert": "experts & ~crowd & ~machine",
    },
    ("h3", "exclusive"): {
        "expert": "experts & ~crowd & ~machine",
        "crowd": "crowd & ~experts & ~machine",
        "synthetic": "machine & ~human",
        "hybrid": "human",
    },
    ("h3", "human_and_automatic"): {
        "expert": "experts & ~machine",
        "crowd": "crowd & ~machine",
        "hybrid": "machine & human",
        "synthetic": "machine",
    },
    ("h3", "single_tag_or_several"): {
        "several": "several_tags",
        "expert": "experts",
        "crowd": "crowd",
        "llm": "generated_by_llm",
        "program": "generated_by_program",
    },
    ("h3", "leading_human"): {"expert": "experts", "crowd": "crowd", "synthetic": "machine"},
    ("h4", "primary"): {
        "closed": "output_format == 'multiple_choice' | output_format == 'both'",
        "open": "output_format == 'free_form'",
    },
    ("h4", "both_counts_as_open"): {
        "closed": "output_format == 'multiple_choice'",
        "open": "output_format == 'free_form' | output_format == 'both'",
    },
    ("h6", "primary"): {"templated": "templated", "non_templated": "~templated"},
    ("h6", "tags_or_notes"): {
        "templated": "noted & (generated_by_program | templates_noted)",
        "non_templated": "noted",
    },
    ("quality", "primary"): {"with_issues": "~clean", "without_issues": "clean"},
    ("quality", "any_issue"): {"with_issues": "any_issue", "without_issues": "~any_issue"},
    ("quality", "recorded_only"): {
        "with_issues": "~clean",
        "without_issues": "clean & issues_recorded",
    },
}


def comparisons(benchmarks: pd.DataFrame) -> list[Comparison]:
    """All groupings of the hypotheses that compare groups; H5 is about trends, see `trends`.

    One for each row of `READINGS`, in its order.
    """
    table = attributes(benchmarks)
    return [
        Comparison(*reading, next(iter(rules)), grouped(table, rules))
        for reading, rules in READINGS.items()
    ]


def memberships(benchmarks: pd.DataFrame) -> dict[tuple[str, str], Floats]:
    """Of each comparison by hypothesis and grouping, 1 in the first group, 0 in another, else NaN.

    In the order of the benchmarks.
    """
    return {
        (compared.hypothesis, compared.grouping): np.where(
            compared.groups.isna(), np.nan, compared.groups == compared.first
        ).astype(float)
        for compared in comparisons(benchmarks)
    }


def grouped(table: pd.DataFrame, rules: Mapping[str, str]) -> pd.Series:
    """Return each benchmark's group by the rules of a reading; missing without a group."""
    holds = [np.asarray(table.eval(rule, engine="python"), bool) for rule in rules.values()]
    labels = np.select(holds, list(rules), default="")
    return pd.Series(labels, index=table.index, dtype="object").mask(labels == "")


def attributes(benchmarks: pd.DataFrame) -> pd.DataFrame:
    """Index the annotations by ``benchmark_id``, with combinations that the readings need.

    Beside the annotations, all true or false: ``experts``, ``crowd``: written by them;
    ``human``, ``machine``: by either of them, by a language model or a program;
    ``several_tags`` of curation; ``noted``: whether it is known if the notes on literal
    diversity mention templates, ``templates_noted``: whether they do; ``any_issue``: with
    a documented quality issue; ``clean``: without any, or with "none known" beside it;
    ``issues_recorded``: whether anything is recorded about issues, their absence too.
    """
    table = benchmarks.set_index("benchmark_id")
    experts, crowd = table["curated_by_experts"], table["curated_by_crowd"]
    issues = table[[name for name in ISSUES if name != "issue_none_known"]].any(axis=1)
    return table.assign(
        experts=experts,
        crowd=crowd,
        human=experts | crowd,
        machine=table["generated_by_llm"] | table["generated_by_program"],
        several_tags=table[list(CURATION)].sum(axis=1) > 1,
        noted=table["template_in_notes"].notna(),
        templates_noted=table["template_in_notes"].eq(True),
        any_issue=issues,
        clean=~issues | table["issue_none_known"],
        issues_recorded=issues | table["issue_none_known"],
    )
