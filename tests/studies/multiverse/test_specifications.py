"""Choices, conclusions, outcomes and variables: every combination once, against arithmetic."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import seeds
from saturation.index import saturation_index, top_scores_wide
from studies.multiverse import specifications as made
from studies.multiverse.evaluation import evaluate
from studies.multiverse.specifications import (
    CONCLUSIONS,
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    REFERENCE_OUTCOME,
    Design,
    Outcome,
    outcomes,
)


def test_outcomes_are_all_combinations_with_a_name_for_each_threshold(choices):
    listed = made.outcomes(choices | {"saturated_from": [0.5, 0.7]})
    assert len(listed) == len(set(listed)) == 2 * 2 * 2 * 4
    assert {outcome.outcome for outcome in listed} == {
        "s_index", "z", "saturated_from_0.5", "saturated_from_0.7",
    }  # fmt: skip
    assert made.REFERENCE_OUTCOME in listed


def test_where_no_age_enters_its_convention_is_no_choice(choices):
    listed = made.designs(CONCLUSIONS["h1"], choices)
    ages = {design.adjustment: set() for design in listed}
    for design in listed:
        ages[design.adjustment].add(design.age)
    assert ages["none"] == {made.EITHER_AGE}
    assert ages["age"] == ages["age_and_log_n"] == set(choices["age"])
    # One adjustment without age, four with it; two sets of benchmarks, four tests.
    assert len(listed) == len(set(listed)) == (1 + 4 * 2) * 2 * 4


def test_a_variable_that_is_an_age_has_a_convention_without_covariates_too(choices):
    for name, grouping in (("age", "months"), ("age", "log_months"), ("h5", "citations_per_month")):
        ages = {
            design.age
            for design in made.designs(CONCLUSIONS[name], choices)
            if design.grouping == grouping and design.adjustment == "none"
        }
        assert ages == set(choices["age"])


def test_error_models_of_the_config_by_hand(pytestconfig):
    s_1, s_k, n = np.array([0.9]), np.array([0.8]), np.array([400.0])
    by_hand = {
        "independent": np.sqrt((0.9 * 0.1 + 0.8 * 0.2) / 20),
        "pooled": np.sqrt(2 * 0.85 * 0.15 / 20),
        # One success and one failure more: (18 + 1) / 22 and (16 + 1) / 22 of 22.
        "smoothed": np.sqrt((19 / 22 * 3 / 22 + 17 / 22 * 5 / 22) / 22),
        "conservative": np.sqrt(2 * 0.25 / 20),
    }
    schema = pytestconfig.rootpath / "workflow/schemas/multiverse.schema.yaml"
    properties = yaml.safe_load(schema.read_text(encoding="utf-8"))["properties"]
    assert properties["error_model"]["items"]["enum"] == list(by_hand)
    for model, error in by_hand.items():
        computed = made.difference_error(s_1, s_k, n, 0.5, model)
        assert computed[0] == pytest.approx(error, rel=1e-12)


def test_the_reference_outcome_is_the_index_of_the_study(multiverse_data, default_index):
    values = made.outcome_values(multiverse_data, [REFERENCE_OUTCOME])
    np.testing.assert_allclose(values[:, 0], default_index["s_index"], rtol=1e-12)


def test_outcomes_are_the_index_minus_r_norm_and_whether_it_reaches_the_threshold(
    multiverse_data, prepared
):
    chosen = [
        Outcome(3, 0.5, "independent", name) for name in ("s_index", "z", "saturated_from_0.7")
    ]
    values = made.outcome_values(multiverse_data, chosen)
    wide = top_scores_wide(prepared[1], 3)
    index = saturation_index(wide[1], wide[3], multiverse_data.table["n_test"].to_numpy())
    np.testing.assert_allclose(values[:, 0], index, rtol=1e-12)
    np.testing.assert_allclose(values[:, 1], -np.sqrt(-np.log(index)), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(values[:, 2], index >= 0.7)
    assert 0 < values[:, 2].sum() < 60


def test_a_benchmark_on_the_threshold_is_saturated(multiverse_data):
    index = made.outcome_values(multiverse_data, [REFERENCE_OUTCOME])[:, 0]
    edge = dataclasses.replace(multiverse_data, thresholds={"edge": index[7]})
    reached = made.outcome_values(edge, [Outcome(5, 0.5, "independent", "edge")])[:, 0]
    assert reached[7] == 1
    np.testing.assert_array_equal(reached, index >= index[7])


def test_the_variables_of_a_design_by_hand(multiverse_data):
    table = multiverse_data.table
    months = table["age_months"].to_numpy(float)
    citations = table["citations"].to_numpy(float, na_value=np.nan)
    cited = np.flatnonzero(np.isfinite(citations))
    by_hand = {
        "months": months,
        "log_months": np.log(1 + months),
        "n": table["n_test"].to_numpy(float),
        "log_n": np.log(table["n_test"].to_numpy(float)),
        "citations": citations,
        "log_citations": np.log(1 + citations),
        "citations_per_month": citations / np.where(months < 1, 1, months),
    }
    for grouping, variable in by_hand.items():
        design = Design("age", grouping, "none", "age_months", "nothing", "student")
        estimated = made.variables(multiverse_data, design)
        rows = cited if "citations" in grouping else np.arange(60)
        np.testing.assert_array_equal(estimated.rows, rows)
        np.testing.assert_allclose(estimated.variable, variable[rows], rtol=1e-12)
        np.testing.assert_array_equal(estimated.covariates, np.ones((len(rows), 1)))


def test_covariates_stand_after_the_intercept_in_the_order_of_the_adjustment(multiverse_data):
    design = Design("h1", "primary", "age_log_n_and_citations", "age_months", "nothing", "student")
    estimated = made.variables(multiverse_data, design)
    table = multiverse_data.table.iloc[estimated.rows]
    np.testing.assert_allclose(
        estimated.covariates,
        np.column_stack(
            [np.ones(len(table)), table["age_months"], np.log(table["n_test"]),
             np.log1p(table["citations"].astype(float))]
        ),
    )  # fmt: skip
    np.testing.assert_array_equal(estimated.variable, table["availability"] == "public")


def test_a_rank_design_ranks_variable_and_covariates_among_the_rows_in_use(multiverse_data):
    design = Design("age", "months", "log_n", "age_months", "any_flag", "rank")
    estimated = made.variables(multiverse_data, design)
    table = multiverse_data.table.iloc[estimated.rows]
    assert 0 < len(table) < 60
    np.testing.assert_array_equal(estimated.variable, table["age_months"].rank())
    np.testing.assert_array_equal(estimated.covariates[:, 1], table["n_test"].rank())


def test_benchmarks_are_left_out_by_one_flag_or_by_any(multiverse_data):
    flags = multiverse_data.table["flags"].fillna("")
    for excluded, gone in (
        ("nothing", np.zeros(60, bool)),
        ("any_flag", flags != ""),
        ("n_not_test_set", flags.str.contains("n_not_test_set")),
    ):
        design = Design("age", "months", "none", "age_months", excluded, "student")
        rows = made.variables(multiverse_data, design).rows
        np.testing.assert_array_equal(rows, np.flatnonzero(~np.asarray(gone)))


@pytest.fixture
def few():
    """Nine benchmarks, three of them in the first group, two with a flag."""
    table = pd.DataFrame(
        {
            "benchmark_id": [f"b{i}" for i in range(9)],
            "n_test": [100.0, 120, 90, 400, 50, 70, 300, 800, 60],
            "age_months": [1.0, 3, 5, 2, 8, 9, 4, 7, 6],
            "citations": [5.0, 1, 8, 3, 2, 9, 4, 7, 6],
        }
    )
    scores = pd.DataFrame({1: 0.9, 2: np.linspace(0.9, 0.8, 9)}, index=table["benchmark_id"])
    member = np.array([1.0, 1, 1, 0, 0, 0, 0, 0, 0])
    flags = pd.Series([[""]] * 7 + [["odd"], ["odd", "even"]])
    return made.Data(
        table, scores, {("h1", "primary"): member}, flags, {"saturated_from_0.7": 0.7}, 3
    )


def design_of(adjustment="none", excluded="nothing", test="student", grouping="primary"):
    return Design("h1", grouping, adjustment, "age_months", excluded, test)


def test_the_smallest_group_is_the_smallest_that_is_analysed(few):
    assert made.variables(few, design_of()) is not None
    assert made.variables(dataclasses.replace(few, smallest_group=4), design_of()) is None
    # The same for the other group, and for missing members.
    turned = {("h1", "primary"): 1 - few.memberships["h1", "primary"]}
    assert made.variables(dataclasses.replace(few, memberships=turned), design_of()) is not None
    turned = {("h1", "primary"): np.array([1.0, 1, np.nan, 0, 0, 0, 0, 0, 0])}
    assert made.variables(dataclasses.replace(few, memberships=turned), design_of()) is None


def test_five_degrees_of_freedom_are_the_fewest(few):
    # Nine benchmarks, or seven of them; intercept, variable and up to two covariates.
    assert made.variables(few, design_of("age_and_log_n")) is not None
    assert made.variables(few, design_of("age_log_n_and_citations")) is None
    assert made.variables(few, design_of(excluded="odd")) is not None
    assert made.variables(few, design_of("age", excluded="odd")) is None
    assert list(made.variables(few, design_of(excluded="even")).rows) == list(range(8))


def test_a_variable_that_the_covariates_determine_is_not_analysed(few):
    assert made.variables(few, design_of("log_n", grouping="log_n")) is None
    assert made.variables(few, design_of("log_n", grouping="n")) is not None
    # Ranks of n and of its logarithm are the same.
    assert made.variables(few, design_of("log_n", grouping="n", test="rank")) is None


def test_only_outcomes_that_vary_and_say_something_of_their_own_are_admitted(few, choices):
    chosen = [Outcome(2, 0.5, "independent", name) for name in ("s_index", "z")]
    chosen.append(Outcome(2, 0.5, "independent", "saturated_from_0.7"))
    values = made.outcome_values(few, chosen)
    values[:, 2] = np.arange(9) < 4
    assert made.admitted(few, design_of(), chosen, values).tolist() == [True, True, True]
    ranked = made.admitted(few, design_of(test="rank"), chosen, values)
    assert ranked.tolist() == [False, True, True]
    for rarer, admits in ((2, False), (3, True), (6, True), (7, False)):
        values[:, 2] = np.arange(9) < rarer
        assert made.admitted(few, design_of(), chosen, values)[2] == admits
    values[:, :2] = 0.5
    assert not made.admitted(few, design_of(), chosen, values)[:2].any()
    too_few = design_of("age_log_n_and_citations")
    assert not made.admitted(few, too_few, chosen, values).any()


def test_benchmarks_are_sorted_and_their_scores_with_them(prepared, choices, multiverse_data):
    shuffled = made.Data.prepare(
        prepared[0].sample(frac=1, random_state=1),
        prepared[1].sample(frac=1, random_state=2),
        choices,
    )
    everything = outcomes(choices)
    np.testing.assert_array_equal(
        made.outcome_values(shuffled, everything), made.outcome_values(multiverse_data, everything)
    )
    for key, member in multiverse_data.memberships.items():
        np.testing.assert_array_equal(shuffled.memberships[key], member)


KEYS = [*DESIGN_COLUMNS, *OUTCOME_COLUMNS]


@pytest.mark.parametrize("conclusion", CONCLUSIONS.values(), ids=lambda conclusion: conclusion.name)
def test_specifications_are_distinct_and_hold_the_reference(multiverse_data, choices, conclusion):
    rng = np.random.default_rng(1)
    drawn = made.specifications(multiverse_data, conclusion, choices, 30, rng)
    assert len(drawn) == 30
    assert not drawn.duplicated(KEYS).any()
    assert drawn["reference"].sum() == 1
    everything = made.specifications(multiverse_data, conclusion, choices, 10**6, rng)
    assert len(everything) == drawn["possible"].iloc[0]
    assert not everything.duplicated(KEYS).any()
    # Two specifications with the same numbers would count one analysis twice.
    effect, z = evaluate(multiverse_data, drawn, np.arange(60)[None])
    assert np.isfinite(effect).all()
    assert np.isfinite(z).all()


def test_the_reference_is_the_papers_outcome_with_the_first_of_every_other_choice(
    multiverse_data, choices
):
    everything = made.specifications(
        multiverse_data, CONCLUSIONS["h4"], choices, 10**6, np.random.default_rng(0)
    )
    reference = everything[everything["reference"]].iloc[0]
    assert reference[OUTCOME_COLUMNS].tolist() == list(REFERENCE_OUTCOME)
    assert reference[DESIGN_COLUMNS].tolist() == [
        "h4", "primary", "none", "not_used", "nothing", "student",
    ]  # fmt: skip
    without = made.specifications(
        multiverse_data, CONCLUSIONS["h4"], choices | {"k": [3]}, 20, np.random.default_rng(0)
    )
    assert len(without) == 20
    assert not without["reference"].any()


def test_as_many_as_are_possible_is_all_and_one_fewer_is_a_sample(multiverse_data, choices):
    def count(size):
        rng = np.random.default_rng(3)
        return made.specifications(multiverse_data, CONCLUSIONS["h5"], choices, size, rng)

    everything = count(10**6)
    assert count(len(everything)).equals(everything)
    sampled = count(len(everything) - 1)
    assert len(sampled) == len(everything) - 1
    assert (sampled["possible"] == len(everything)).all()


def test_each_conclusion_is_drawn_from_a_stream_of_its_own(multiverse_data, choices):
    table = made.all_conclusions(multiverse_data, choices, 20, 1, "reduced")
    assert table["conclusion"].tolist() == [name for name in CONCLUSIONS for _ in range(20)]
    rng = seeds.generator(1, "multiverse", "specifications", "reduced", "quality")
    alone = made.specifications(multiverse_data, CONCLUSIONS["quality"], choices, 20, rng)
    assert alone.equals(table[table["conclusion"] == "quality"].reset_index(drop=True))
