"""Consistency from counts of verdicts, by hand and against brute force."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.robustness import consistency


def counts(*rows, dataset="d", model="m", distinct=None):
    """Items with (right, wrong, abstained, original)."""
    table = pd.DataFrame(rows, columns=["right", "wrong", "abstained", "original"])
    return table.assign(
        dataset=dataset,
        model=model,
        item=range(len(rows)),
        wordings=table[["right", "wrong", "abstained"]].sum(axis=1),
        distinct_answers=np.nan if distinct is None else distinct,
    )


def measured(table, resamples=20, seed=0):
    generator = np.random.default_rng(seed)
    return consistency.measures(table, 0.95, resamples, generator)


def test_shares_are_those_of_a_hand_count():
    table = counts(
        (3, 0, 0, "right"), (0, 3, 0, "wrong"), (0, 0, 2, "abstained"), (1, 2, 0, "right"),
        distinct=[1, 3, 1, 2],
    )  # fmt: skip
    (row,) = measured(table).to_dict("records")
    assert row["performance"] == pytest.approx((1 + 0 + 0 + 1 / 3) / 4)
    assert row["verdict_consistency"] == 0.75
    # Three different wrong answers have one verdict.
    assert row["answer_consistency"] == 0.5
    assert (row["always_right"], row["always_wrong"], row["always_abstained"]) == (0.25,) * 3
    assert row["wordings"] == 2.75
    # Right at first, then wrong twice: the usual drop is two thirds, the printed one is none.
    assert row["pdr_usual"] == pytest.approx((2 / 3) / 4)
    assert row["pdr"] == 0
    assert row["score_std"] == pytest.approx(np.sqrt(2 / 9) / 4)
    # Every verdict's share of all wordings, each item weighing the same.
    right, wrong, abstained = 1 / 3, (1 + 2 / 3) / 4, 0.25
    three, two = (sum(p**n for p in (right, wrong, abstained)) for n in (3, 2))
    assert row["chance"] == pytest.approx(0.75 * three + 0.25 * two)
    assert row["excess"] == pytest.approx(0.75 - row["chance"])


def test_answers_that_are_not_known_have_no_consistency():
    (row,) = measured(counts((2, 0, 0, "right"), (1, 1, 0, "wrong"))).to_dict("records")
    assert np.isnan(row["answer_consistency"])
    assert np.isnan(row["answer_consistency_upper"])
    assert row["verdict_consistency_lower"] < 0.5 < row["verdict_consistency_upper"]


def test_a_gain_from_a_wrong_original_is_the_printed_drop():
    (row,) = measured(counts((3, 1, 0, "wrong"), (4, 0, 0, "right"))).to_dict("records")
    # The original is one of the four wordings.
    assert row["pdr"] == pytest.approx(3 / 4 / 2)
    assert row["pdr_usual"] == 0


verdicts = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)).filter(any)


@given(st.lists(verdicts, min_size=1, max_size=8))
def test_bounds_hold_for_any_counts(rows):
    named = [(*row, ["right", "wrong", "abstained"][int(np.argmax(row))]) for row in rows]
    (row,) = measured(counts(*named)).to_dict("records")
    parts = row["always_right"] + row["always_wrong"] + row["always_abstained"]
    assert row["verdict_consistency"] == pytest.approx(parts)
    assert row["always_right"] <= row["performance"] + 1e-12
    assert -1e-12 <= row["chance"] <= 1 + 1e-12
    assert row["excess_lower"] <= row["excess_upper"]


def test_items_are_laid_out_with_one_reference_each():
    table = pd.concat(
        [
            counts((2, 1, 0, "wrong"), (0, 0, 2, "abstained"), model="b"),
            counts((1, 0, 0, "right"), model="a"),
        ]
    )
    spread = consistency.spread(table)
    assert spread["model"].tolist() == ["a", "b", "b"]
    assert spread["n_configurations"].tolist() == [1, 3, 2]
    assert spread["consistent"].tolist() == [True, False, True]
    # The original wording alone is the reference.
    assert spread["performance"].tolist() == [1, 0, 0]
    assert spread["behaviour"].tolist() == ["always_right", "mixed", "always_wrong"]


def test_the_excess_of_independent_verdicts_is_about_zero():
    rng = np.random.default_rng(3)
    right = rng.binomial(6, 0.7, 4000)
    table = counts(*((k, 6 - k, 0, "right" if k else "wrong") for k in right))
    (row,) = measured(table, resamples=400).to_dict("records")
    assert abs(row["excess"]) < 0.02
    assert row["excess_lower"] < row["excess"] < row["excess_upper"] < 0.04


def test_models_that_spread_alike_are_told_from_those_that_do_not():
    rng = np.random.default_rng(4)

    def of(chances):
        parts = []
        for number, chance in enumerate(chances):
            right = rng.binomial(5, rng.beta(*chance, 300))
            rows = [(k, 5 - k, 0, "right" if k else "wrong") for k in right]
            parts.append(counts(*rows, model=f"m{number}"))
        distribution = consistency.std_distribution(consistency.spread(pd.concat(parts)), 5)
        return consistency.alike(distribution).iloc[0]

    same = of([(2, 1)] * 5)
    other = of([(2, 1)] * 4 + [(20, 1)])
    assert same["p"] > 0.01
    assert other["p"] < 1e-6
    assert same["cramers_v"] < other["cramers_v"] < 1
    assert other["most_constant"] > other["least_constant"] + 0.2
    assert same["models"] == 5
