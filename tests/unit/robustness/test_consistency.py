"""The vectorised measures against a slow implementation straight from the definitions."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.robustness import consistency
from saturation.robustness import schemas as tables
from saturation.statistics import chance


def long_table(examples, references=None):
    """Rows of model m on dataset d from lists of (answer, score), one list an example."""
    rows = [
        {
            "model": "m",
            "dataset": "d",
            "example_id": f"{number:03d}",
            "variant": f"v{position:02d}",
            "answer": answer,
            "score": float(score),
            "reference": True if references is None else position in references,
        }
        for number, example in enumerate(examples)
        for position, (answer, score) in enumerate(example)
    ]
    return tables.compact(pd.DataFrame(rows), [*tables.KEYS, "variant", "answer"])


def drop(numerators, denominators):
    """Mean of 1 - a / b: 0 for 0 / 0, left out for a / 0."""
    terms = [
        0.0 if a == b == 0 else 1 - a / b
        for a, b in zip(numerators, denominators)
        if b != 0 or a == b
    ]
    return sum(terms) / len(terms)


def by_definition(example, references):
    scores = [score for _, score in example]
    originals = [scores[position] for position in references]
    n = len(scores)
    mean = sum(scores) / n
    return {
        "consistent": len({answer for answer, _ in example}) == 1,
        "performance": sum(originals) / len(originals),
        "score_std": math.sqrt(sum((s - mean) ** 2 for s in scores) / n),
        "pdr": sum(drop([o] * n, scores) for o in originals) / len(originals),
        "pdr_usual": sum(drop(scores, [o] * n) for o in originals) / len(originals),
        "success": sum(s == 1 for s in scores) / n,
    }


cells = st.tuples(st.sampled_from("abc"), st.sampled_from([0.0, 0.25, 0.5, 1.0]))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_measures_are_those_of_the_definitions(data):
    configurations = data.draw(st.integers(2, 5))
    examples = data.draw(
        st.lists(
            st.lists(cells, min_size=configurations, max_size=configurations),
            min_size=1,
            max_size=4,
        )
    )
    references = data.draw(
        st.sets(st.integers(0, configurations - 1), min_size=1, max_size=configurations)
    )
    found = consistency.example_measures(long_table(examples, references))
    for example, row in zip(examples, found.to_dict("records")):
        for name, value in by_definition(example, sorted(references)).items():
            assert row[name] == pytest.approx(value, abs=1e-12), name


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=24))
def test_both_drops_are_the_variance_for_binary_scores_with_all_references(right):
    example = [("x", float(value)) for value in right]
    row = consistency.example_measures(long_table([example])).iloc[0]
    p = np.mean(right)
    assert row["pdr"] == pytest.approx(p * (1 - p))
    assert row["pdr_usual"] == pytest.approx(p * (1 - p))


def test_behaviours_tell_right_from_wrong_consistency():
    examples = [
        [("a", 1), ("a", 1)],
        [("b", 0), ("b", 0)],
        [("b", 0), ("c", 0)],
        [("a", 1), ("b", 0)],
    ]
    found = consistency.example_measures(long_table(examples))
    assert found["behaviour"].tolist() == ["always_right", "always_wrong", "always_wrong", "mixed"]
    assert found["consistent"].tolist() == [True, True, False, False]


def pairs_of(examples, answers=None, seed=0):
    rows = long_table(examples)
    return consistency.pair_measures(
        consistency.example_measures(rows),
        consistency.configuration_measures(rows, ["variant"]),
        answers or {},
        0.95,
        500,
        np.random.default_rng(seed),
    ).iloc[0]


def test_pair_measures_enumerated_by_hand():
    examples = [
        [("a", 1), ("a", 1), ("a", 1)],
        [("b", 0), ("b", 0), ("b", 0)],
        [("a", 1), ("b", 0), ("a", 1)],
        [("a", 1), ("a", 1), ("a", 1)],
    ]
    pair = pairs_of(examples, {"d": 4})
    p = 8 / 12
    assert pair["performance"] == pytest.approx(p)
    assert pair["output_consistency"] == 0.75
    assert pair["always_right"] == 0.5
    assert pair["consistent_wrong"] == 0.25
    assert pair["random_baseline"] == pytest.approx(p**3 + (1 - p) ** 3)
    assert pair["random_baseline_answers"] == pytest.approx(p**3 + 3 * ((1 - p) / 3) ** 3)
    rates = [0.75, 0.5, 0.75]
    assert pair["random_baseline_configurations"] == pytest.approx(chance.agreement_of(rates))
    assert pair["score_std"] == pytest.approx(math.sqrt(2 / 9) / 4)
    assert pair["excess_lower"] <= pair["excess"] <= pair["excess_upper"]
    drops = [1 - p / rate for rate in rates]
    assert pair["pdr_usual_dataset"] == pytest.approx(np.mean(drops))


def test_graded_scores_have_no_random_baseline():
    pair = pairs_of([[("a", 0.5), ("a", 1)], [("a", 1), ("b", 0)]])
    assert np.isnan(pair["random_baseline"])
    assert np.isnan(pair["excess_lower"])


def test_perfect_pairs_are_consistent_and_not_above_chance():
    pair = pairs_of([[("a", 1), ("a", 1)]] * 5)
    assert pair["output_consistency"] == pair["random_baseline"] == 1
    assert pair["excess"] == 0


def test_excess_interval_covers_chance_when_answers_are_chance():
    covered = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        right = generator.random((80, 3)) < 0.7
        pair = pairs_of([[("ab"[int(r)], r) for r in row] for row in right], seed=seed)
        covered += pair["excess_lower"] <= 0 <= pair["excess_upper"]
    assert covered >= 50


def test_std_distribution_adds_up_and_splits_the_zeros():
    examples = [
        [("a", 1), ("a", 1)],
        [("b", 0), ("c", 0)],
        [("a", 1), ("b", 0)],
        [("a", 0.5), ("a", 0.5)],
    ]
    measured = consistency.example_measures(long_table(examples))
    table = consistency.std_distribution(measured, 5).set_index("std_class")
    assert table["share"].sum() == pytest.approx(1)
    counts = table["n_examples"]
    assert counts[["always_right", "always_wrong", "constant", "(0.4, 0.5]"]].tolist() == [1] * 4


def test_wilson_interval_of_nine_in_ten():
    assert consistency.wilson(9, 10, 0.95) == pytest.approx((0.5958, 0.9821), abs=1e-4)


def test_row_order_changes_nothing():
    examples = [[("a", 1), ("b", 0)], [("a", 1), ("a", 1)], [("c", 0), ("c", 0)]]
    rows = long_table(examples).assign(score=lambda f: f["score"])
    shuffled = rows.sample(frac=1, random_state=1)
    for frame in (rows, shuffled):
        arranged = tables.arranged(frame.reset_index(drop=True), ["variant"], "f", (0, 1))
        measured = consistency.example_measures(arranged)
        assert measured["consistent"].tolist() == [False, True, True]
