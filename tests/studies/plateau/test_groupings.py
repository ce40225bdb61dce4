"""Readings of the hypotheses on made-up annotations: one benchmark for each case."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies.plateau import figures, groupings, study
from studies.plateau.names import HYPOTHESES, Hypothesis

TAGS = ["curated_by_experts", "curated_by_crowd", "generated_by_llm", "generated_by_program"]
ISSUES = [f"issue_{kind}" for kind in ("contamination", "noise", "mislabelling", "bias", "other")]


def annotated(**columns):
    """Two benchmarks with nothing particular, but for these columns."""
    plain = {
        "availability": "public",
        "english_only": True,
        "output_format": "free_form",
        **dict.fromkeys([*TAGS, *ISSUES, "issue_none_known"], False),
        "templated": False,
        "template_in_notes": None,
    }
    n = len(next(iter(columns.values())))
    table = pd.DataFrame({name: [value] * n for name, value in plain.items()}).assign(**columns)
    return table.assign(benchmark_id=[f"b{row}" for row in range(n)])


def groups(table, hypothesis, grouping="primary"):
    (comparison,) = [
        row
        for row in groupings.comparisons(table)
        if (row.hypothesis, row.grouping) == (hypothesis, grouping)
    ]
    return comparison.groups.where(comparison.groups.notna(), None).tolist()


def test_availability_language_and_templates_are_taken_as_annotated():
    assert groups(annotated(availability=["public", "private"]), "h1") == ["public", "private"]
    table = annotated(english_only=[True, False], templated=[False, True])
    assert groups(table, "h2") == ["english", "multilingual"]
    assert groups(table, "h6") == ["non_templated", "templated"]


def test_both_formats_count_as_closed_or_as_open():
    table = annotated(output_format=["multiple_choice", "both", "free_form", None])
    assert groups(table, "h4") == ["closed", "closed", "open", None]
    assert groups(table, "h4", "both_counts_as_open") == ["closed", "open", "open", None]


# Tags of curation, as letters: expert, crowd, language model, program.
CURATION = {
    "primary": {"": None, "e": "human", "c": "human", "ec": "human", "l": "synthetic_or_hybrid",
                "ep": "synthetic_or_hybrid"},
    "expert": {"": "other", "e": "expert", "el": "expert", "c": "other", "p": "other"},
    "expert_or_crowd_only": {"": None, "e": "expert", "c": "crowd", "ec": None, "el": None,
                             "cp": None, "l": None},
    "exclusive": {"": None, "e": "expert", "c": "crowd", "ec": "hybrid", "el": "hybrid",
                  "l": "synthetic", "p": "synthetic"},
    "human_and_automatic": {"": None, "e": "expert", "c": "crowd", "ec": "expert", "el": "hybrid",
                            "cp": "hybrid", "l": "synthetic", "lp": "synthetic"},
    "single_tag_or_several": {"": None, "e": "expert", "c": "crowd", "l": "llm", "p": "program",
                              "ec": "several", "lp": "several", "eclp": "several"},
    "leading_human": {"": None, "e": "expert", "ec": "expert", "ecl": "expert", "c": "crowd",
                      "cp": "crowd", "l": "synthetic", "p": "synthetic"},
}  # fmt: skip


@pytest.mark.parametrize("grouping", CURATION)
def test_curation_groups_follow_the_tags(grouping):
    tags = list(CURATION[grouping])
    table = annotated(
        **{tag: [tag_of in letters for letters in tags] for tag, tag_of in zip(TAGS, "eclp")}
    )
    assert groups(table, "h3", grouping) == list(CURATION[grouping].values())


def test_templates_are_also_known_from_tags_and_notes():
    cases = list(itertools.product([True, False], [True, False, None]))
    table = annotated(
        generated_by_program=[program for program, _ in cases],
        template_in_notes=pd.Series([noted for _, noted in cases], dtype="object"),
    )
    expected = ["templated", "templated", None, "templated", "non_templated", None]
    assert groups(table, "h6", "tags_or_notes") == expected


@pytest.mark.parametrize("issue", ISSUES)
def test_any_issue_counts_unless_none_is_said_to_be_known(issue):
    table = annotated(
        **{issue: [False, False, True, True], "issue_none_known": [False, True, False, True]}
    )
    clean, issues = "without_issues", "with_issues"
    assert groups(table, "quality") == [clean, clean, issues, clean]
    assert groups(table, "quality", "any_issue") == [clean, clean, issues, issues]
    assert groups(table, "quality", "recorded_only") == [None, clean, issues, clean]


def test_one_released_benchmark_has_an_issue_and_none_known():
    path = Path(__file__).resolve().parents[3] / "resources" / "plateau" / "benchmarks.csv"
    table = groupings.attributes(pd.read_csv(path))
    assert list(table.index[table["any_issue"] & table["clean"]]) == ["mgsm"]


def test_memberships_are_in_the_order_of_the_benchmarks(monkeypatch):
    groups = pd.Series({"c": None, "b": "other", "a": "first"})
    comparison = groupings.Comparison("h0", "primary", "first", groups)
    monkeypatch.setattr(groupings, "comparisons", lambda _: [comparison])
    found = groupings.memberships(pd.DataFrame())
    np.testing.assert_array_equal(found["h0", "primary"], [np.nan, 0, 1])


# SciPy says that samples are small; so do the empty cells.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_new_hypothesis_is_a_row_of_two_tables(prepared, data, monkeypatch):
    monkeypatch.setitem(
        HYPOTHESES, "h7", Hypothesis("H7", "Large ones saturate faster.", "H7 size")
    )
    reading = {"large": "n_test >= 1000", "small": "n_test < 1000"}
    monkeypatch.setitem(groupings.READINGS, ("h7", "primary"), reading)
    few = study.Settings(
        resamples=100, permutations=19, equal_models=(5,), grid_k=(5,), grid_alpha=(0.5,)
    )
    tables = study.study(*prepared, few)
    primary = tables["groups"].query("hypothesis == 'h7'").set_index("group")
    assert primary.loc["large", "n"] == (prepared[0]["n_test"] >= 1000).sum()
    assert "h7" in set(tables["tests"]["hypothesis"])
    family = tables["family"].query("kind == 'raw'")
    assert list(family["hypothesis"]) == sorted(HYPOTHESES)
    assert "H7" in list(tables["table2"]["hypothesis"])
    quantities = tables["quantities"].set_index("quantity")["value"]
    assert quantities["n_hypotheses"] == sum(row.numbered for row in HYPOTHESES.values())
    assert quantities["h7_n_large"] == primary.loc["large", "n"]
    assert 0 < quantities["h7_p"] <= 1

    shown = figures.panels(tables, data)
    assert [panel.title.split(":")[0] for panel in shown] == [
        row.title for row in HYPOTHESES.values() if row.numbered
    ]
