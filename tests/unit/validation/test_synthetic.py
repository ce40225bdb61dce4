"""Synthetic predictions have the truth that they were drawn from."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.errors import InputError
from studies.robustness import consistency, schemas, sources
from validation import synthetic

DESIGN = {"paraphrase": ["1", "2"], "noise": ["none", "spaces", "affixes"]}


def study(performances, seed=0, noise_effect=0.5, answer_counts=4):
    table = pd.DataFrame(
        {
            "model": [f"m{i}" for i in range(len(performances))],
            "dataset": "d",
            "performance": performances,
        }
    )
    generator = np.random.default_rng(seed)
    truth = synthetic.draw_truth(table, 100, 6, synthetic.TRUTH, generator)
    rows = synthetic.draw_predictions(
        truth, DESIGN, {"d": answer_counts}, 100, noise_effect, generator
    )
    return truth, rows


def measured(rows):
    coded = sources.compact(rows, [*schemas.KEYS, *DESIGN, "prediction"])
    coded["answer"] = sources.normalise(coded["prediction"], sources.lower_strip)
    return consistency.example_measures(sources.arranged(coded, list(DESIGN), "f", (0, 1)))


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(5, 98), min_size=1, max_size=4),
    st.integers(0, 99),
    st.sampled_from([2, 4, 10]),
)
def test_truth_comes_out_exactly(percents, seed, answer_counts):
    truth, rows = study([p / 100 for p in percents], seed, answer_counts=answer_counts)
    found = measured(rows).groupby("model", observed=True)
    assert found["performance"].mean().tolist() == pytest.approx(truth["performance"].tolist())
    assert found["consistent"].mean().tolist() == pytest.approx(truth["consistency"].tolist())
    right = found["behaviour"].apply(lambda b: (b == "always_right").sum())
    assert right.tolist() == truth["n_always_right"].tolist()


def test_without_effects_the_truth_is_the_line():
    """-0.16 + 1.05 x 0.6 = 0.47 consistent; of these 0.6 + 0.5 x 0.4 = 0.8 are right."""
    plain = synthetic.TRUTH | dict.fromkeys(("model_sd", "dataset_sd", "residual_sd"), 0.0)
    table = pd.DataFrame({"model": ["m"], "dataset": ["d"], "performance": [0.6]})
    truth = synthetic.draw_truth(table, 100, 6, plain, np.random.default_rng(0)).iloc[0]
    assert truth[["n_consistent", "n_always_right"]].tolist() == [47, 38]
    assert truth["n_right_mixed"] == 360 - 6 * 38


def test_rows_are_labelled_and_complete():
    _, rows = study([0.6, 0.8])
    assert rows["synthetic"].all()
    assert rows["example_id"].str.startswith("synthetic").all()
    assert len(rows) == 2 * 100 * 6
    assert not rows.duplicated(["model", "example_id", *DESIGN]).any()
    # Letters as models write them: upper case, lower case, with a space.
    assert set(rows["prediction"]) == {f for a in "ABCD" for f in (a, a.lower(), f"{a} ")}


def test_performances_of_one_leave_nothing_to_vary():
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        study([1.0])
