"""What a specification is made of: every combination once, no choice that chooses nothing."""

import dataclasses

from saturation.multiverse import specifications as made
from saturation.multiverse.specifications import CONCLUSIONS


def test_outcomes_are_all_combinations_with_a_name_for_each_threshold(choices):
    listed = made.outcomes(choices | {"saturated_from": [0.5, 0.7]})
    assert len(listed) == len(set(listed)) == 2 * 2 * 2 * 4
    assert {outcome.outcome for outcome in listed} == {
        "s_index", "z", "saturated_from_0.5", "saturated_from_0.7",
    }  # fmt: skip
    assert made.REFERENCE_OUTCOME in listed


def test_without_the_outcome_saturated_its_thresholds_are_no_choice(choices):
    listed = made.outcomes(choices | {"outcome": ["z"]})
    assert {outcome.outcome for outcome in listed} == {"z"}


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


def test_the_choices_are_the_fields_beside_the_conclusion():
    fields = [*dataclasses.fields(made.Outcome), *dataclasses.fields(made.Design)]
    assert [field.name for field in fields if field.name != "conclusion"] == made.CHOICES
