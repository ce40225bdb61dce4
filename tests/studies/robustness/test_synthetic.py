"""Synthetic predictions have their truth, and a recovery check sees each kind of deviation."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.errors import InputError
from studies.robustness import consistency, schemas, sources, synthetic
from studies.robustness.synthetic import compare


def read(text):
    """A table from its cells."""
    return pd.read_csv(io.StringIO(text), sep=r"\s+")


DESIGN = {"paraphrase": ["1", "2"], "noise": ["none", "spaces", "affixes"]}
PARAMETERS = {
    "slope": 1.05,
    "intercept": -0.16,
    "model_sd": 0.02,
    "dataset_sd": 0.02,
    "residual_sd": 0.04,
    "consistent_advantage": 0.5,
}
TRUTH = read("""
    model  dataset  consistency  performance  n_always_right
        a        d          0.5          0.6              40
        b        d          0.8          0.9              75
""")
PAIRS = read("""
    model  dataset  output_consistency  performance  always_right  n_examples
        a        d                 0.5          0.6           0.4         100
        b        d                 0.8          0.9          0.75         100
""")
SLOPES = read("""
    reading  slope  lower  upper
    ols_hc3    1.0    0.9    1.1
      mixed    1.1   0.95    1.2
""")
ANOVA = read("""
    dataset  anova_type       factor  sum_sq
          d          II        noise     2.0
          d          II  temperature     1.0
""")


def study(performances, seed=0, noise_effect=0.5, answer_counts=4):
    table = pd.DataFrame(
        {
            "model": [f"m{i}" for i in range(len(performances))],
            "dataset": "d",
            "performance": performances,
        }
    )
    generator = np.random.default_rng(seed)
    truth = synthetic.draw_truth(table, 100, 6, PARAMETERS, generator)
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
    plain = PARAMETERS | dict.fromkeys(("model_sd", "dataset_sd", "residual_sd"), 0.0)
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


def recovered(pairs=PAIRS, slopes=SLOPES, anova=ANOVA, slope=1.0, noise_effect=0.1):
    table = compare(TRUTH, pairs, slopes, anova, slope, noise_effect)
    return table["recovered"].tolist()


def test_a_single_pair_that_is_off_is_seen():
    for row, column in enumerate(["output_consistency", "performance", "always_right"]):
        pairs = PAIRS.assign(**{column: PAIRS[column] + [0, 1e-6]})
        assert recovered(pairs=pairs) == [place != row for place in range(6)]


@pytest.mark.parametrize(
    ("slope", "inside"), [(0.9, True), (0.8999, False), (1.1, True), (1.1001, False)]
)
def test_a_slope_at_the_end_of_its_interval_is_inside(slope, inside):
    assert recovered(slope=slope)[3] is inside


def test_rows_by_hand():
    pairs = PAIRS.assign(performance=[0.61, 0.88], always_right=[0.4, 0.7])
    table = compare(TRUTH, pairs, SLOPES, ANOVA, 1.0, 0.1).set_index("what")
    names = list(table.index)
    assert names[0] == "consistency, largest deviation over 2 pairs"
    assert names[5] == "share of 1 datasets in which noise has the largest effect"
    assert table["measured"].tolist() == pytest.approx([0, 0.02, 0.05, 1.0, 1.1, 1.0])
    assert table["truth"].tolist() == [0, 0, 0, 1, 1, 1]
    nan = np.nan
    for end, values in (("lower", [0.9, 0.95]), ("upper", [1.1, 1.2])):
        expected = [nan, nan, nan, *values, nan]
        assert table[end].tolist() == pytest.approx(expected, nan_ok=True)
    assert table["synthetic"].all()


def test_half_the_datasets_are_not_enough_for_noise_to_lead():
    """Type III rows do not count: here they would make noise the largest throughout."""
    other = ANOVA.assign(dataset="e", sum_sq=[1.0, 2.0])
    third = ANOVA.assign(anova_type="III", dataset="e", sum_sq=[9.0, 0.0])
    both = pd.concat([ANOVA, other, third], ignore_index=True)
    assert recovered(anova=both)[5] is False
    two_of_three = pd.concat([both, ANOVA.assign(dataset="f")], ignore_index=True)
    assert recovered(anova=two_of_three)[5] is True
    # Without an effect nothing is judged.
    assert recovered(noise_effect=0.0)[5] is None
    table = compare(TRUTH, PAIRS, SLOPES, two_of_three, 1.0, 0.0)
    assert table["measured"].iloc[5] == pytest.approx(2 / 3)
    assert pd.isna(table["truth"].iloc[5])
