"""The review study: weights, and lists tried on checked questions."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.files.tables import load_table
from saturation.review import evidence
from studies.review import study

RESOURCES = Path(__file__).parents[3] / "resources" / "review"


@pytest.fixture(scope="module")
def questions():
    return load_table(RESOURCES / "mmlu_redux.csv")


@pytest.fixture(scope="module")
def tables(questions):
    return study.study(questions, seed=20251101)  # the config's


def test_the_shipped_weights_are_the_learned_ones(tables):
    shipped = load_table(RESOURCES / "weights.csv")
    pd.testing.assert_frame_equal(shipped, tables["weights"], rtol=1e-4, atol=1e-4)


def test_a_hundred_items_by_hand(questions, tables):
    """Count letters without the library: agreement on one other option, then fewest right."""
    rows = []
    for key, finding, letters in zip(
        questions["key"], questions["finding"].fillna(""), questions["choices"], strict=True
    ):
        others = [letters.count(letter) for letter in "ABCD" if letter != key]
        rows.append((max(others), letters.count(key), finding in study.WRONG_KEY))
    agreed, right, wrong = map(np.array, zip(*rows, strict=True))
    order = np.lexsort((right, -agreed))
    last = order[99]
    better = (agreed > agreed[last]) | ((agreed == agreed[last]) & (right < right[last]))
    ties = (agreed == agreed[last]) & (right == right[last])
    value = tables["quantities"].set_index("quantity")["value"]
    found = round(100 * value["wrong_keys_options_14"])
    assert wrong[better].sum() <= found <= wrong[better | ties].sum()
    assert value["wrong_keys_base"] == pytest.approx(wrong.mean())


def test_yields_are_unbiased_and_cover_subjects(tables):
    value = tables["quantities"].set_index("quantity")["value"]
    assert abs(value["stated_next_14"] - value["found_next_14"]) < 2.5  # five points of fifty
    assert tables["weights"]["covered_subject"].between(0.9, 1).all()


def test_held_out_subjects_match_the_exact_refit(questions):
    items = study.items_with_findings(study.long_answers(questions), questions, "options", 14)
    subject, features = items["subject"].to_numpy(), evidence.predictors(items)
    outcome, slopes = items["wrong"].to_numpy(float), study.learn(items).slopes
    chance = evidence.probabilities(items, study.learn(items))
    curvature = (features.T * (chance * (1 - chance))) @ features
    held_out = study.predict_held_out(features, outcome, subject, slopes, curvature)
    for number in (7, 56):
        refit = study.learn(items[subject != number])
        exact = evidence.probabilities(items[subject == number], refit).sum()
        assert held_out[subject == number].sum() == pytest.approx(exact, rel=0.1)
    assert chance[subject == 56].sum() > 1.3 * held_out[subject == 56].sum()


def test_the_source_becomes_the_embedded_table():
    source = pd.DataFrame({"question": ["?"] * 2, "choices": "", "groundtruth_answer": [0, 3]})
    source["error_type"] = ["ok", "wrong_groundtruth"]
    for number in range(14):
        source[f"m{number}"] = ["A", " The"]
    compact = study.compact(source)
    assert compact["key"].tolist() == ["A", "D"]
    assert compact["choices"].tolist() == ["A" * 14, "-" * 14]
    assert compact["finding"].isna().tolist() == [True, False]
