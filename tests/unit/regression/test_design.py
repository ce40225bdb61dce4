"""Design tables: what they hold, and what is refused before sampling."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.regression import design as rd

MISSING = {"citations": "median", "output_format": "own_level"}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    n = 40
    flags = {name: rng.random(n) < 0.4 for name in (*rd.CURATION, *rd.ISSUES)}
    benchmarks = pd.DataFrame(
        {
            "benchmark_id": [f"b{i:02d}" for i in range(n)],
            "months_at_observation": rng.uniform(1, 100, n),
            "n_test": rng.integers(50, 5000, n),
            "citations": np.where(np.arange(n) % 9 == 0, np.nan, rng.integers(1, 900, n)),
            "availability": np.where(rng.random(n) < 0.2, "private", "public"),
            "english_only": rng.random(n) < 0.7,
            "templated": rng.random(n) < 0.3,
            "output_format": np.where(np.arange(n) == 5, None, "free_form"),
            **flags,
        }
    )
    s_1 = rng.uniform(0.5, 0.99, n)
    index = pd.DataFrame(
        {
            "benchmark_id": benchmarks["benchmark_id"],
            "s_1": s_1,
            "s_k": s_1 - rng.uniform(0, 0.1, n),
            "s_index": rng.random(n),
        }
    )
    return rd.predictors(benchmarks, index, MISSING, 0.7)


def build(table, formula, **options):
    settings = {"minimum_rows": 30, "shrinks": True, "name": "mine"} | options
    return rd.design(table, formula, "s_index", **settings)


def test_missing_values_are_filled_by_rule_and_marked(table):
    assert table["citations_missing"].sum() == 5
    assert table["citations"].notna().all()
    assert table.loc[table["output_format_missing"] == 1, "output_format"].tolist() == [
        rd.UNRECORDED
    ]


def test_numeric_predictors_are_standardised_and_the_outcome_is_off_the_edges(table):
    for name in ("age", "log_n", "log_citations"):
        assert table[name].mean() == pytest.approx(0, abs=1e-12)
        assert table[name].std(ddof=0) == pytest.approx(1)
    assert rd.squeezed([0.0, 1.0]).tolist() == [0.25, 0.75]


def test_a_design_survives_its_table(table):
    design = build(table, "age*log_n + private")
    again = rd.Design.from_table(design.to_table())
    assert again.columns == ["Intercept", "age", "log_n", "age:log_n", "private"]
    np.testing.assert_array_equal(again.matrix, design.matrix)
    np.testing.assert_array_equal(again.saturated, design.saturated)


def test_exploding_gives_a_row_for_each_pair_of_tags(table):
    curation = table["curation"].str.count(r"\+") + 1
    issues = table["issues"].str.count(r"\+") + 1
    assert len(rd.exploded(table)) == (curation * issues).sum()


def test_an_unknown_column_is_named_with_what_is_allowed(table):
    with pytest.raises(InputError, match=r"models.mine.*'agee'.*allowed: .*age"):
        build(table, "agee + log_n")


@pytest.mark.parametrize("formula", ["age +", "age + (log_n", ""])
def test_a_formula_that_cannot_be_read_is_quoted(table, formula):
    with pytest.raises(InputError, match=r"models.mine: the formula .* cannot be read"):
        build(table, formula)


@pytest.mark.parametrize("formula", ["s_index ~ age", "0 + age", "age - 1", "(1|availability)"])
def test_only_common_terms_beside_an_intercept_are_understood(table, formula):
    with pytest.raises(InputError, match="is not a right-hand side of common terms"):
        build(table, formula)


def test_rows_leave_a_design_together_with_their_keys(table):
    design = build(table, "age")
    kept = design.without(design.benchmark == "b03")
    assert kept.matrix.shape == (39, 2)
    assert "b03" not in kept.benchmark
    np.testing.assert_array_equal(kept.outcome, np.delete(design.outcome, 3))


def test_the_outcome_is_no_predictor(table):
    with pytest.raises(InputError, match="outcome"):
        build(table, "age + log_gap")


def test_a_category_with_one_level_is_refused(table):
    with pytest.raises(InputError, match="'availability' has the one level 'public'"):
        build(table.assign(availability="public"), "age + availability")


def test_a_constant_column_is_refused(table):
    with pytest.raises(InputError, match="'private' of the design has the one value 0"):
        build(table.assign(private=0.0), "age + private")


def test_too_few_rows_are_refused(table):
    with pytest.raises(InputError, match=r"has 12 rows.*at least 30"):
        build(table.head(12), "age")


def test_a_gap_without_a_rule_is_refused_with_its_row(table):
    gaps = table.copy()
    gaps.loc[3, "age"] = np.nan
    with pytest.raises(InputError, match=r"'age' is missing in row 5 .*'b03'"):
        build(gaps, "age + log_n")


def test_a_rank_deficient_design_needs_a_prior(table):
    doubled = table.assign(age_again=2 * table["age"])
    assert build(doubled, "age + age_again").matrix.shape[1] == 3
    with pytest.raises(InputError, match="3 columns but rank 2"):
        build(doubled, "age + age_again", shrinks=False)


def test_all_violations_come_at_once(table):
    bad = table.assign(availability="public").head(10)
    with pytest.raises(InputError) as caught:
        build(bad, "age + availability")
    assert len(caught.value.violations) == 2
