"""Design tables: what they hold, and what is refused before sampling."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from studies.regression import design as rd
from studies.regression.priors import Priors, Specification

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


def build(table, formula, outcome="s_index", minimum_rows=30):
    priors = Priors(1.5, 1.0, 20.0)
    model = Specification("benchmarks", outcome, "beta", priors, formula)
    return rd.design(table, model, minimum_rows, "mine")


def test_a_design_has_the_digits_of_its_table(table):
    design = build(table, "age*log_n + private")
    assert design.columns == ["Intercept", "age", "log_n", "age:log_n", "private"]
    written = design.make_table()
    assert list(written) == ["benchmark_id", "saturated", "outcome", *design.columns]
    rounded = [float(f"{value:.10g}") for value in table["age"]]
    assert written["age"].tolist() == design.matrix[:, 1].tolist() == rounded


def benchmark(**values):
    """One benchmark of a table to be turned into predictors."""
    tags = dict.fromkeys((*rd.CURATION, *rd.ISSUES), False)
    base = {
        "benchmark_id": "a", "months_at_observation": 10.0, "n_test": 100, "citations": 5.0,
        "availability": "public", "english_only": True, "templated": False,
        "output_format": "free_form",
    }  # fmt: skip
    return base | tags | values


def rows_of(*benchmarks, index=0.5, s_1=0.9, s_k=0.8):
    table = pd.DataFrame(
        [row | {"benchmark_id": f"b{place}"} for place, row in enumerate(benchmarks)]
    )
    scores = pd.DataFrame(
        {"benchmark_id": table["benchmark_id"], "s_1": s_1, "s_k": s_k, "s_index": index}
    )
    return rd.predictors(table, scores, MISSING, 0.7)


def test_predictors_by_hand():
    made = rows_of(
        benchmark(months_at_observation=10, n_test=100, citations=0.0, output_format=None),
        benchmark(months_at_observation=20, n_test=10_000, citations=None, english_only="False",
                  availability="private", templated="true", output_format="both"),
        benchmark(months_at_observation=60, n_test=1000, citations=8.0,
                  output_format="multiple_choice", curated_by_experts=True,
                  generated_by_program="True", issue_noise=True),
        index=[0.7, 0.7 - 1e-9, 1.0],
    )  # fmt: skip
    assert made["age"].tolist() == pytest.approx(np.array([-20, -10, 30]) / np.sqrt(1400 / 3))
    assert made["log_n"].tolist() == pytest.approx(np.array([-1, 1, 0]) * np.sqrt(1.5))
    logs = np.log([1, 5, 9])  # the missing one takes the median, 4
    assert made["log_citations"].tolist() == pytest.approx((logs - logs.mean()) / logs.std())
    assert made["citations_missing"].tolist() == [0, 1, 0]
    assert made["output_format"].tolist() == [rd.UNRECORDED, "both", "multiple_choice"]
    assert made["output_format_missing"].tolist() == [1, 0, 0]
    assert made["private"].tolist() == [0, 1, 0]
    assert made["multilingual"].tolist() == [0, 1, 0]
    assert made["templated"].tolist() == [0, 1, 0]
    assert made["closed_ended"].tolist() == [0, 1, 1]
    assert made["curation"].tolist() == ["unrecorded", "unrecorded", "by_experts+by_program"]
    assert made["issues"].tolist() == ["unrecorded", "unrecorded", "noise"]
    assert made["curated_by_experts"].tolist() == [0, 0, 1]
    assert made["saturated"].tolist() == [1, 0, 1]
    assert made["s_index"].tolist() == pytest.approx([1.9 / 3, 1.9 / 3, 2.5 / 3])


def test_the_log_of_the_gap_is_finite_without_a_gap():
    three = rows_of(*[benchmark()] * 3, index=0.5, s_1=0.9, s_k=[0.9, 0.8, 0.5])
    logs = np.log([0.0005, 0.1005, 0.4005])
    assert three["log_gap"].tolist() == pytest.approx((logs - logs.mean()) / logs.std())


def test_benchmarks_are_sorted_and_only_those_with_an_index_are_kept():
    table = pd.DataFrame([benchmark(benchmark_id=name) for name in ("c", "a", "b")])
    index = pd.DataFrame({"benchmark_id": ["b", "c"], "s_1": 0.9, "s_k": 0.8, "s_index": 0.5})
    assert rd.predictors(table, index, {}, 0.7)["benchmark_id"].tolist() == ["b", "c"]


def test_exploded_rows_keep_their_benchmark_and_hold_one_tag_each(table):
    long = rd.exploded(table)
    first = table.iloc[3]
    own = long[long["benchmark_id"] == first["benchmark_id"]]
    pairs = {(c, i) for c in first["curation"].split("+") for i in first["issues"].split("+")}
    assert set(zip(own["curation_tag"], own["issue_tag"])) == pairs
    assert len(own) == len(pairs)


def test_a_design_takes_its_outcome_and_its_keys_from_the_table(table):
    for outcome in rd.OUTCOMES:
        made = build(table, "age", outcome)
        np.testing.assert_allclose(made.outcome, table[outcome], rtol=1e-9)
        np.testing.assert_array_equal(made.saturated, table["saturated"] == 1)
        assert made.benchmark.tolist() == table["benchmark_id"].tolist()
    np.testing.assert_allclose(made.matrix, np.column_stack([np.ones(40), table["age"]]), rtol=1e-9)


def test_every_model_gets_its_design_or_all_violations_come_together(table, specified):
    made = rd.designs(table, specified, 30)
    assert list(made) == list(specified)
    assert made["reference"].columns == ["Intercept", "age", "log_n", "private"]
    assert len(made["interaction"].outcome) == len(rd.exploded(table))
    np.testing.assert_allclose(made["gap"].outcome, table["log_gap"], rtol=1e-9)
    constant = table.assign(private=0.0, closed_ended=1.0)
    closed = dataclasses.replace(specified["yes_or_no"], formula="log_n + closed_ended")
    with pytest.raises(InputError) as caught:
        rd.designs(constant, specified | {"yes_or_no": closed}, 30)
    said = caught.value.violations
    assert len(said) == 2
    assert said[0].startswith("regression.models.reference: column 'private'")
    assert said[1].startswith("regression.models.yes_or_no: column 'closed_ended'")


def test_several_gaps_are_named_with_the_rows_of_the_file(table):
    gaps = table.copy()
    gaps.loc[[0, 39], "age"] = np.nan
    gaps.loc[2, "log_n"] = np.nan
    with pytest.raises(InputError) as caught:
        build(gaps, "age + log_n")
    rows = [text.split("row ")[1].split(" ")[0] for text in caught.value.violations]
    assert rows == ["2", "41", "4"]


def test_a_power_stands_for_the_products_that_vary(table):
    """No benchmark is both; a product that is written out is refused instead."""
    other = 1 - table["private"]
    both = table.assign(closed_ended=other)
    made = build(both, "(age + private + closed_ended) ** 2")
    assert made.columns == [
        "Intercept", "age", "private", "closed_ended", "age:private", "age:closed_ended",
    ]  # fmt: skip
    with pytest.raises(InputError, match="'private:closed_ended' of the design has the one value"):
        build(both, "age + private*closed_ended")


def test_the_index_comes_back_from_where_it_was_moved():
    index = np.array([0.0, 0.3, 0.7, 1.0])
    np.testing.assert_allclose(rd.unsqueezed(rd.squeezed(index), 4), index, atol=1e-15)


@pytest.mark.parametrize(
    ("changes", "formula", "said"),
    [
        ({}, "agee + log_n", r"models.mine.*'agee'.*allowed: .*age"),
        ({}, "age +", r"models.mine: the formula .* cannot be read"),
        ({}, "age + (log_n", "cannot be read"),
        ({}, "", "cannot be read"),
        ({}, "s_index ~ age", "is not a right-hand side of common terms"),
        ({}, "0 + age", "is not a right-hand side of common terms"),
        ({}, "age - 1", "is not a right-hand side of common terms"),
        ({}, "(1|availability)", "is not a right-hand side of common terms"),
        ({}, "age + s_index", "names the outcome .*'s_index'"),
        ({}, "age + saturated", "names the outcome .*'saturated'"),
        ({}, "age + log_gap", "names the outcome .*'log_gap'"),
        ({}, "age + s_1", "names the outcome .*'s_1'"),
        ({}, "age + s_k", "names the outcome .*'s_k'"),
        ({"availability": "public"}, "age + availability", "has the one level 'public'"),
        ({"private": 0.0}, "age + private", "'private' of the design has the one value 0"),
    ],
)
def test_what_cannot_be_fitted_is_refused(table, changes, formula, said):
    with pytest.raises(InputError, match=said):
        build(table.assign(**changes), formula)


def test_the_minimum_of_rows_is_enough_and_all_violations_come_at_once(table):
    assert build(table.head(30), "age", minimum_rows=30).matrix.shape == (30, 2)
    with pytest.raises(InputError, match=r"has 29 rows.*at least 30") as caught:
        build(table.assign(availability="public").head(29), "age + availability")
    assert len(caught.value.violations) == 2
