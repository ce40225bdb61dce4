import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from saturation.adaptive import evaluation
from saturation.adaptive.evaluation import monotonicity, rank_distance, total_variation

CURVES = npst.arrays(float, (3, 5), elements=st.floats(-100, 100).map(lambda x: round(x, 3)))


def test_golden_values():
    curve = np.array([0.0, 2.0, 1.0, 3.0])
    np.testing.assert_allclose(total_variation(curve), 4 / 3 * 5 / 3)
    np.testing.assert_allclose(monotonicity(curve), 0.8)
    np.testing.assert_allclose(
        rank_distance(np.array([0.1, 0.5, 0.9]), np.array([3.0, 2.0, 1.0])), [2, 0, 2]
    )


def test_degenerate_curves():
    assert total_variation(np.array([1.0, 2.0, 1.0])) == np.inf
    assert monotonicity(np.array([1.0, 1.0, 1.0])) == 0
    assert np.isnan(total_variation(np.array([1.0])))
    assert np.isnan(monotonicity(np.array([1.0])))


@given(CURVES)
def test_bounds_and_invariance(curves):
    variation, order = total_variation(curves), monotonicity(curves)
    assert (variation >= 5 / 4 - 1e-9).all()
    assert ((order >= 0) & (order <= 1 + 1e-12)).all()
    np.testing.assert_allclose(monotonicity(-2 * curves + 1), order, atol=1e-12)
    np.testing.assert_allclose(total_variation(curves[:, ::-1]), variation, rtol=1e-9)


@given(CURVES)
def test_no_distance_between_a_score_and_itself(curves):
    assert (rank_distance(curves, 3 * curves + 1) == 0).all()


def test_two_checkpoints_are_enough():
    assert total_variation(np.array([1.0, 3.0])) == 2
    assert monotonicity(np.array([3.0, 1.0])) == 1


SCORES = {
    ("random", 2, 0): np.array([0.2, 0.9, 0.4, 0.1]),
    ("random", 2, 1): np.array([0.3, 0.8, 0.4, 0.9]),
}
RESPONDENTS = pd.DataFrame(
    {"model": ["y", "x", "x", "y"], "family": "f", "checkpoint": [2, 1, 2, 1]}
)


def test_measures_of_a_model_are_those_of_its_checkpoints_in_order():
    partners = {"p": np.array([1.0, 2.0, 3.0, 4.0]), "q": np.array([4.0, 3.0, 2.0, 1.0])}
    table = evaluation.by_model(SCORES, RESPONDENTS, partners)
    assert table["model"].tolist() == ["x", "x", "y", "y"]
    assert table["draw"].tolist() == [0, 1, 0, 1]
    y = table[table["model"] == "y"].set_index("draw")
    # Ranks of draw 0 are 2, 4, 3, 1; of p 1, 2, 3, 4 and of q 4, 3, 2, 1: y is rows 0 and 3.
    assert y.loc[0, "rank_distance"] == pytest.approx(np.mean([(1 + 3) / 2, (2 + 0) / 2]))
    # From 0.1 to 0.2: one rise, which is the whole path, twice for two checkpoints.
    assert y.loc[0, "total_variation"] == pytest.approx(2)
    assert y.loc[0, "monotonicity"] == pytest.approx(1)
    assert evaluation.by_model(SCORES, RESPONDENTS, {})["rank_distance"].isna().all()


def measures(**columns):
    table = {"method": "random", "n_items": 10, "draw": 0, "rank_distance": 1.0}
    table |= {"total_variation": 2.0, "monotonicity": 0.5, **columns}
    return pd.DataFrame(table)


def test_a_summary_is_the_mean_over_draws_of_the_mean_or_median_over_models():
    table = measures(
        model=["a", "b", "c"] * 2, draw=[0, 0, 0, 1, 1, 1], total_variation=[1, 2, 6, 3, 4, 11]
    )
    summary = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    assert summary.index.tolist() == list(evaluation.STATISTICS)
    assert summary.loc["total_variation", "value"] == pytest.approx((2 + 4) / 2)
    assert summary.loc["total_variation__mean", "value"] == pytest.approx((3 + 6) / 2)
    assert summary.loc["rank_distance", ["value", "lower", "upper"]].tolist() == [1, 1, 1]
    assert (summary["n_models"] == 3).all()
    assert (summary["draws"] == 2).all()


def test_intervals_hold_the_luck_of_models_and_of_draws():
    """Means of 40 models: the interval is near that of the normal of their standard error."""
    values = np.random.default_rng(1).normal(size=40)
    table = measures(model=[f"m{number:02}" for number in range(40)], monotonicity=values)
    summary = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    error = values.std() / np.sqrt(40)
    lower, upper = summary.loc["monotonicity", ["lower", "upper"]]
    assert lower == pytest.approx(values.mean() - 1.96 * error, abs=0.3 * error)
    assert upper == pytest.approx(values.mean() + 1.96 * error, abs=0.3 * error)
    # One draw high, one low: the interval reaches from one to the other.
    apart = measures(model=["a", "b"] * 2, draw=[0, 0, 1, 1], monotonicity=[0.1, 0.1, 0.9, 0.9])
    summary = evaluation.summarise(apart, np.random.default_rng(0)).set_index("measure")
    row = summary.loc["monotonicity", ["value", "lower", "upper"]].to_numpy(float)
    np.testing.assert_allclose(row, [0.5, 0.1, 0.9])


def test_a_model_on_two_banks_is_one_unit():
    table = measures(model=["a", "a"], bank=["one", "two"], rank_distance=[1.0, 3.0])
    summary = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    assert summary.loc["rank_distance", "value"] == 2
    assert summary.loc["rank_distance", "n_models"] == 1
    # There is no other model to draw.
    assert summary.loc["rank_distance", ["lower", "upper"]].tolist() == [2, 2]


def test_what_is_measured_nowhere_has_no_row():
    table = measures(model=["a", "b"], rank_distance=np.nan)
    assert "rank_distance" not in set(
        evaluation.summarise(table, np.random.default_rng(0))["measure"]
    )
    nothing = evaluation.summarise(
        measures(model=["a"], rank_distance=np.nan, total_variation=np.nan, monotonicity=np.nan),
        np.random.default_rng(0),
    )
    assert nothing.columns.tolist() == evaluation.SUMMARY
    assert nothing.empty


def test_the_summary_of_an_evaluation(evaluated):
    summary = evaluation.summarise(evaluated[4], np.random.default_rng(0))
    random = summary[(summary["method"] == "random") & (summary["n_items"] == 50)]
    assert set(random["measure"]) == set(evaluation.STATISTICS)
    finite = summary[np.isfinite(summary["upper"]) & np.isfinite(summary["value"])]
    assert (finite["lower"] <= finite["upper"]).all()
    by_hand = evaluated[4].query("method == 'fluid' and n_items == 50")["rank_distance"].mean()
    row = summary.query("method == 'fluid' and n_items == 50 and measure == 'rank_distance'")
    assert row["value"].item() == pytest.approx(by_hand)


def test_all_items_are_nought_where_banks_are_averaged_over(evaluated):
    table = evaluation.comparable(evaluated[4].assign(bank="one"))
    whole = table["method"].isin(["full_accuracy", "full_irt"])
    assert set(table.loc[whole, "n_items"]) == {0}
    assert table.loc[~whole, "n_items"].max() == 143


def test_a_small_bank_does_not_join_the_average(evaluated):
    models = pd.concat([evaluated[4].assign(bank="one"), evaluated[4].assign(bank="small")])
    models = models[(models["bank"] == "one") | (models["n_items"] < 50)]
    assert set(evaluation.comparable(models)["bank"]) == {"one"}


def test_the_length_of_a_baseline_is_not_that_of_the_tests(evaluated):
    """A bank with room for a baseline's subset, but for no test more, joins the average."""
    models = pd.concat([evaluated[4].assign(bank="one"), evaluated[4].assign(bank="smaller")])
    beyond = models["n_items"].between(51, 159)
    assert beyond.any()
    models = models[(models["bank"] == "one") | ~beyond]
    assert set(evaluation.comparable(models)["bank"]) == {"one", "smaller"}


def test_banks_without_partners_are_averaged_over_when_none_has_one(evaluated):
    alone = evaluated[4].assign(bank="one", rank_distance=np.nan)
    assert set(evaluation.comparable(alone)["bank"]) == {"one"}
    both = pd.concat([alone, evaluated[4].assign(bank="two")])
    assert set(evaluation.comparable(both)["bank"]) == {"two"}
