"""How the benchmarks are grouped for each hypothesis (plateau paper, Table 2 and section 4.1)."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """One grouping of the benchmarks.

    Parameters
    ----------
    hypothesis
        ``h1`` ... ``h6`` or ``quality``.
    grouping
        Name of this reading of the hypothesis; ``primary`` stands for it in the family of tests.
    first
        The group that the hypothesis expects to saturate faster.
    groups
        Group of each benchmark (index ``benchmark_id``); missing leaves a benchmark out.
    """

    hypothesis: str
    grouping: str
    first: str
    groups: pd.Series


def comparisons(benchmarks: pd.DataFrame) -> list[Comparison]:
    """All groupings of the hypotheses that compare groups; H5 is about trends, see `trends`.

    The paper does not say how it formed the curation groups of H3, so each reasonable reading is
    a comparison of its own; ``human_and_automatic`` is that of the authors' script for Figure 2
    (``resources/plateau/README.md``). ``both`` counts as closed-ended in the primary reading of
    H4, which gives the paper's 28 against 31. H6's primary reading is the annotation;
    ``tags_or_notes`` is the script's, which gives the paper's 14 against 46.
    """
    table = benchmarks.set_index("benchmark_id")
    experts, crowd = table["curated_by_experts"], table["curated_by_crowd"]
    machine = table["generated_by_llm"] | table["generated_by_program"]
    human = experts | crowd
    output = table["output_format"]
    noted = table["template_in_notes"]
    tags_or_notes = table["generated_by_program"] | noted.eq(True)
    issue_columns = [f"issue_{kind}" for kind in _ISSUES]
    clean = ~table[issue_columns].any(axis=1) | table["issue_none_known"]
    recorded = table[[*issue_columns, "issue_none_known"]].any(axis=1)

    def grouped(*choices: tuple[pd.Series, str | None]) -> pd.Series:
        labels = pd.Series(None, index=table.index, dtype="object")
        for mask, label in reversed(choices):
            labels[mask.fillna(False).astype(bool)] = label
        return labels

    return [
        Comparison(
            "h1", "primary", "public",
            grouped((table["availability"] == "public", "public"),
                    (table["availability"] == "private", "private")),
        ),
        Comparison(
            "h2", "primary", "english",
            grouped((table["english_only"], "english"), (~table["english_only"], "multilingual")),
        ),
        Comparison(
            "h3", "primary", "synthetic_or_hybrid",
            grouped((machine, "synthetic_or_hybrid"), (human & ~machine, "human")),
        ),
        Comparison(
            "h3", "synthetic", "synthetic",
            grouped((machine & ~human, "synthetic"), (human, "human_or_hybrid")),
        ),
        Comparison(
            "h3", "expert", "other", grouped((experts, "expert"), (~experts, "other")),
        ),
        Comparison(
            "h3", "expert_or_crowd_only", "crowd",
            grouped((experts & ~crowd & ~machine, "expert"),
                    (crowd & ~experts & ~machine, "crowd")),
        ),
        Comparison(
            "h3", "exclusive", "crowd",
            grouped(
                (experts & ~crowd & ~machine, "expert"),
                (crowd & ~experts & ~machine, "crowd"),
                (machine & ~human, "synthetic"),
                (human, "hybrid"),
            ),
        ),
        Comparison(
            "h3", "human_and_automatic", "crowd",
            grouped(
                (experts & ~machine, "expert"),
                (crowd & ~machine, "crowd"),
                (machine & human, "hybrid"),
                (machine, "synthetic"),
            ),
        ),
        Comparison(
            "h3", "single_tag_or_several", "crowd",
            grouped(
                (table[list(_TAGS)].sum(axis=1) > 1, "several"),
                *((table[column], tag) for column, tag in _TAGS.items()),
            ),
        ),
        Comparison(
            "h3", "leading_human", "crowd",
            grouped((experts, "expert"), (crowd, "crowd"), (machine, "synthetic")),
        ),
        Comparison(
            "h4", "primary", "closed",
            grouped((output.isin(["multiple_choice", "both"]), "closed"),
                    (output == "free_form", "open")),
        ),
        Comparison(
            "h4", "both_counts_as_open", "closed",
            grouped((output == "multiple_choice", "closed"),
                    (output.isin(["free_form", "both"]), "open")),
        ),
        Comparison(
            "h6", "primary", "templated",
            grouped((table["templated"], "templated"), (~table["templated"], "non_templated")),
        ),
        Comparison(
            "h6", "tags_or_notes", "templated",
            grouped((noted.isna(), None), (tags_or_notes, "templated"),
                    (~tags_or_notes, "non_templated")),
        ),
        Comparison(
            "quality", "primary", "with_issues",
            grouped((clean, "without_issues"), (~clean, "with_issues")),
        ),
        Comparison(
            "quality", "recorded_only", "with_issues",
            grouped((clean & recorded, "without_issues"), (~clean, "with_issues")),
        ),
    ]  # fmt: skip


_TAGS = {
    "curated_by_experts": "expert",
    "curated_by_crowd": "crowd",
    "generated_by_llm": "llm",
    "generated_by_program": "program",
}
_ISSUES = ("contamination", "noise", "mislabelling", "bias", "other")
