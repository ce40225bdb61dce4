import math

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, study
from saturation.quantity import frame


def row(**fields):
    given = {"method": "fluid", "n_items": 50, "measure": "monotonicity", "value": 0.5}
    given |= {"lower": 0.4, "upper": 0.6, "n_models": 18, "draws": 1}
    return pd.DataFrame([given | fields])


def test_names_say_collection_method_measure_and_size():
    (whole,) = study.of_collection("mine", row())
    note = "18 models, 1 subsets"
    assert whole[:5] == ("mine_fluid_monotonicity_50", 0.5, 0.4, 0.6, note)
    assert whole.made_by == "saturation.adaptive.study:of_collection"
    (reading,) = study.of_collection("mine", row(measure="total_variation__mean"))
    assert reading.quantity == "mine_fluid_total_variation_50__mean"
    for method in ("full_accuracy", "full_irt", "hard_smart", "hard_magi"):
        (whole,) = study.of_collection("mine", row(method=method, n_items=0))
        assert whole.quantity == f"mine_{method}_monotonicity"


def test_names_of_a_whole_summary_are_unique_names(evaluated):
    models = evaluated[4].assign(bank="one")
    summary = evaluation.summarise(evaluation.comparable(models), np.random.default_rng(0))
    table = frame(study.of_collection("mine", summary))
    assert len(table) == len(summary)
    assert all(name.isidentifier() for name in table["quantity"])


def test_facts_of_the_frontier_by_name_and_without_value_where_there_is_none():
    found = list(study.of_frontier("b", {"z": 3, "a": None, "c": 0.25}))
    assert [row.quantity for row in found] == ["b_a", "b_c", "b_z"]
    assert math.isnan(found[0].value)
    assert [row.value for row in found[1:]] == [0.25, 3]
    assert all(math.isnan(row.lower) and row.note == "" for row in found)


def test_stopping_by_hand():
    stopping = pd.DataFrame(
        {"ability": [0.0, 1, 2, 3], "difficulty_given": [1.0, 3, 2, 4], "n_items": [9, 4, 20, 5]}
    )
    needed, adapts = study.of_stopping("b", stopping)
    assert needed[:4] == ("b_stopping_items", 7, 4, 20)
    assert adapts.quantity == "b_difficulty_follows_ability"
    # 1 - 6 * (1 + 1) / (4 * 15)
    assert adapts.value == pytest.approx(0.8)


def test_difficulty_follows_nothing_where_all_are_given_the_same():
    stopping = pd.DataFrame({"ability": [0.0, 1], "difficulty_given": 2.0, "n_items": [9, 4]})
    assert math.isnan(list(study.of_stopping("b", stopping))[1].value)


def test_the_best_partner_is_the_one_that_correlates_most():
    table = pd.DataFrame({"bank": ["b", "a", "b"], "spearman": [0.1, 0.3, 0.2]})
    found = list(study.of_partners(table))
    assert [row[:2] for row in found] == [
        ("a_best_partner_correlation", 0.3),
        ("b_best_partner_correlation", 0.2),
    ]
    assert list(study.of_partners(table.iloc[:0])) == []
