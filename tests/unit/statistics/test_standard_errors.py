"""Standard errors beyond the binomial, against known values and simulated truth."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from saturation.statistics import intervals
from saturation.statistics import standard_errors as models

SCORES = ["model", "score", "standard_error", "n_items", "run"]


def table(*rows, configuration=""):
    frame = pd.DataFrame(rows, columns=SCORES).astype({"standard_error": float, "n_items": float})
    return frame.assign(configuration=configuration)


def answers(item, response, model="a", cluster="", configuration=""):
    return pd.DataFrame(
        {"model": model, "item": item, "cluster": cluster, "configuration": configuration,
         "response": response}
    )  # fmt: skip


NO_ITEMS = models.item_matrix(answers([], []))


def one(scores, family, level=0.95):
    return models.estimates(scores, *NO_ITEMS, family, level).iloc[0]


def items_of(values, cluster="", level=0.95):
    items = models.item_matrix(answers(range(len(values)), values, cluster=cluster))
    return models.estimates(table(), *items, "accuracy", level).iloc[0]


def test_a_perfect_score_has_an_error_of_half_the_wilson_interval():
    # At 0 and 1 Wilson's interval with z = 1 has the width 1 / (n + 1).
    errors = models.binomial_error([1.0, 0.0, 1.0, 0.5], [10, 10, 1000, 100])
    assert errors == pytest.approx([0.5 / 11, 0.5 / 11, 0.5 / 1001, 0.05])
    assert models.binomial_error(0.2, [100, 400]) == pytest.approx([0.04, 0.02])


def test_clustered_errors_are_rs(golden, graded, seven_clusters):
    columns = graded.T
    found = [models.clustered_error(column, seven_clusters) for column in columns]
    assert found == golden("clustered", "clusters")
    alone = [models.clustered_error(column, np.arange(30)) for column in columns]
    assert alone == golden("clustered", "items")


def test_clustered_error_of_single_items_is_the_usual_one_and_of_copies_is_not_fooled():
    x = np.array([0, 1, 1, 0, 1, 1, 1.0])
    assert models.clustered_error(x, np.arange(7)) == pytest.approx(x.std(ddof=1) / np.sqrt(7))
    copies = models.clustered_error(np.repeat(x, 4), np.repeat(np.arange(7), 4))
    assert copies == pytest.approx(models.clustered_error(x, np.arange(7)))
    assert np.isnan(models.clustered_error(x, np.zeros(7)))
    two = models.clustered_error([0.0, 0.0, 1.0, 1.0], [0, 0, 1, 1])
    assert two == pytest.approx(0.5)  # that of the two clusters' means, 0 and 1


@pytest.mark.parametrize(
    ("variance", "runs", "single", "error"),
    [
        (0.0002, 2, 0.05, math.sqrt(0.0025 - 0.0002 / 2)),
        (0.0004, 3, 0.05, math.sqrt(0.0025 - 0.0004 * 2 / 3)),
        # Without n two runs know only their own noise.
        (0.005, 2, math.nan, 0.05),
        (0.0, 2, math.nan, 0),
        # Runs that differ by more than items could: no less than their own noise, 0.02 / 2.
        (0.02, 2, 0.0005, 0.1),
    ],
)
def test_repeated_runs_by_hand(variance, runs, single, error):
    assert models.repeated_runs_error(variance, runs, single) == pytest.approx(error)


HALF = (0.5, None, 100)
RATING = (1300.0, None, None)


@pytest.mark.parametrize(
    ("family", "runs", "source", "error"),
    [
        ("accuracy", [HALF], "binomial", 0.05),
        ("accuracy", [(0.5, 0.02, 100)], "supplied", 0.02),
        ("bounded_mean", [HALF], "upper_bound", 0.05),
        ("pass_at_k", [HALF], "upper_bound", 0.05),
        ("rating", [(1300.0, 4.0, None)], "supplied", 4.0),
        # An error of zero is never believed.
        ("accuracy", [(0.5, 0.0, 100)], "binomial", 0.05),
        ("accuracy", [(1.0, 0.0, 50)], "binomial", 0.5 / 51),
        ("accuracy", [(0.5, 0.0, None)], "unknown", math.nan),
        ("rating", [(1300.0, 0.0, 100)], "unknown", math.nan),
        ("rating", [RATING, RATING], "unknown", math.nan),
        # A rating has no p(1 - p)/n, whatever n is given: 10 / sqrt(2) over two runs' root.
        ("rating", [(1300.0, None, 100), (1310.0, None, 100)], "runs", 5),
        ("bounded_mean", [HALF, (0.52, None, 100)], "runs", math.sqrt(0.51 * 0.49 / 100 - 1e-4)),
        ("accuracy", [(0.5, 0.05, None), (0.52, 0.05, None)], "runs", math.sqrt(0.0025 - 1e-4)),
        # The same evaluation twice is one evaluation: not 0.05 / sqrt(2).
        ("accuracy", [HALF, HALF], "runs", 0.05),
        ("accuracy", [(0.5, 0.04, 100)] * 2, "runs", 0.04),
    ],
)
def test_each_family_takes_the_best_error_it_has(family, runs, source, error):
    found = one(table(*(("a", *run, str(place)) for place, run in enumerate(runs))), family)
    assert found["error_source"] == source
    assert found["standard_error"] == pytest.approx(error, nan_ok=True)
    assert source == "unknown" or found["lower"] < found["score"] <= found["upper"]


def test_scores_of_one_run_share_the_error_of_their_items():
    row = one(table(("a", 0.4, 0.03, 200, ""), ("a", 0.6, 0.04, 100, "")), "accuracy")
    assert (row["score"], row["n_items"]) == (0.5, 100)
    assert row["standard_error"] == pytest.approx(math.sqrt((0.03**2 + 0.04**2) / 2))
    half = table(("a", 0.4, 0.03, 200, ""), ("a", 0.6, None, 100, ""))
    assert one(half, "accuracy")["standard_error"] == pytest.approx(0.03)


def test_configurations_share_the_error_of_their_items():
    """Prompts at 0.9 and 0.5 on the same 100 items: the mean of 0.03 and 0.05, not less."""
    prompts = pd.concat(
        [table(("a", 0.9, None, 100, ""), configuration="p"),
         table(("a", 0.5, None, 100, ""), configuration="q")]
    )  # fmt: skip
    row = one(prompts, "accuracy")
    assert (row["score"], row["standard_error"]) == (pytest.approx(0.7), pytest.approx(0.04))
    assert row["error_source"] == "binomial"


def test_the_level_is_that_of_the_interval():
    row = one(table(("a", 0.5, None, 100, "")), "accuracy", level=0.8)
    expected = proportion_confint(50, 100, alpha=0.2, method="wilson")
    assert (row["lower"], row["upper"]) == pytest.approx(expected)
    row = one(table(("a", 0.5, None, 100, "")), "bounded_mean", level=0.8)
    assert row["upper"] - row["lower"] == pytest.approx(2 * 1.2815516 * 0.05)


def test_errors_from_items():
    half = items_of([1.0, 0.0] * 10)
    assert half["standard_error"] == pytest.approx(math.sqrt(0.25 / 19))  # n - 1 below the variance
    assert (half["lower"], half["upper"]) == pytest.approx(
        proportion_confint(10, 20, method="wilson")
    )
    perfect = items_of([1.0] * 20)
    assert perfect["standard_error"] == pytest.approx(0.5 / 21)
    assert perfect["upper"] == 1
    graded = items_of([0.2, 0.4] * 10)
    assert (graded["lower"], graded["upper"]) == pytest.approx(
        intervals.share(0.3, 0.1 / math.sqrt(19), 19)
    )
    lower, upper = intervals.wilson(20.0, 20, 0.95)
    assert (perfect["lower"], perfect["upper"]) == pytest.approx((lower, upper))
    pairs = items_of([1.0, 1.0, 0.0, 0.0] * 5, [f"c{i // 2}" for i in range(20)])
    assert (pairs["error_source"], pairs["n_items"]) == ("clustered_items", 20)
    assert pairs["standard_error"] == pytest.approx(math.sqrt(0.25 / 9))
    # Nine degrees of freedom: 2.262157 errors; and 9 items' worth of error.
    trials = 9 * (1.959964 / 2.262157) ** 2
    assert pairs["upper"] == pytest.approx(
        proportion_confint(trials / 2, trials, method="wilson")[1], abs=1e-6
    )
    alike = items_of([1.0] * 20, [f"c{i // 2}" for i in range(20)])
    assert alike["lower"] == pytest.approx(proportion_confint(10, 10, method="wilson")[0])


def test_models_come_best_first_and_those_with_items_take_nothing_from_aggregates():
    items = models.item_matrix(answers([*"pqrspqr"], [1, 1, 0, 1, 1, 0, 0], [*"bbbbaaa"]))
    scores = table(("a", 0.99, None, 9, ""), ("z", 0.75, None, 8, ""), ("c", 0.75, None, 8, ""))
    found = models.estimates(scores, *items, "accuracy", 0.95)
    assert found["model"].tolist() == ["b", "c", "z", "a"]
    assert found["n_items"].tolist() == [4, 8, 8, 3]
    assert found["score"].tolist() == pytest.approx([0.75, 0.75, 0.75, 1 / 3])
    assert found["error_source"].tolist() == ["items", "binomial", "binomial", "items"]


def test_the_item_matrix_averages_runs_and_keeps_what_is_missing():
    responses = answers([*"ppqp"], [1, 0, 1, 1], [*"aaab"], ["x", "x", None, "x"])
    matrix, clusters = models.item_matrix(responses)
    assert matrix.loc["p", "a"] == 0.5
    assert np.isnan(matrix.loc["q", "b"])
    assert clusters.to_dict() == {"p": "x", "q": "item q"}
    # An item that a model lacks in one of its configurations is missing; runs do not outweigh.
    prompts = answers([*"pppqp"], [1, 1, 0, 1, 1], [*"aaaab"], configuration=[*"xxyxz"])
    both, _ = models.item_matrix(prompts)
    assert both.loc["p", "a"] == 0.5
    assert np.isnan(both.loc["q", "a"])
    assert both.loc["p", "b"] == 1
    assert all(part.empty for part in models.item_matrix(responses.iloc[:0]))
    # One cluster for all items is none.
    _, clusters = models.item_matrix(answers([*"pqr"], [1, 0, 1], cluster="all"))
    assert clusters.nunique() == 3


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.0, 1.5))
def test_the_implied_alpha_undoes_the_discount_and_needs_some_error(s_1, s_k, alpha):
    variance = s_1 * (1 - s_1) + s_k * (1 - s_k)
    found = models.implied_alpha(s_1, s_k, np.sqrt(variance / 500**alpha), 500)
    assert found == pytest.approx(alpha, abs=1e-9)
    # 0.25 / 0.125 is 2^1 with two items.
    assert models.implied_alpha(0.5, 0.0, math.sqrt(0.125), 2) == pytest.approx(1)
    for nothing in ((1.0, 1.0, 0.1, 100), (0.9, 0.8, 0.0, 100), (0.9, 0.8, 0.1, 1)):
        assert np.isnan(models.implied_alpha(*nothing))


class TestSeparateErrors:
    def test_they_give_the_variances_of_differences_back(self):
        """Where covariances are those of a common part, exactly; here by all pairs, by hand."""
        rng = np.random.default_rng(1)
        values = rng.normal(0, 2, (40_000, 1)) + rng.normal(0, [1, 0.5, 2, 1.5], (40_000, 4))
        clusters = np.arange(40_000)
        errors = models.separate_errors(values, clusters)
        covariance = np.cov(values.T) / len(values)
        own = np.diag(covariance)
        pairs = [(i, j) for i in range(4) for j in range(i)]
        differences = [own[i] + own[j] - 2 * covariance[i, j] for i, j in pairs]
        design = np.zeros((len(pairs), 4))
        for row, (i, j) in enumerate(pairs):
            design[row, [i, j]] = 1
        expected, *_ = np.linalg.lstsq(design, differences, rcond=None)
        assert errors**2 == pytest.approx(expected)
        assert errors * 200 == pytest.approx([1, 0.5, 2, 1.5], rel=0.15)
        assert (errors < np.sqrt(own)).all()

    def test_clusters_count_and_not_items(self):
        rng = np.random.default_rng(2)
        values = np.repeat(rng.normal(size=(50, 3)), 4, axis=0)
        clusters = np.repeat(np.arange(50), 4)
        by_cluster = models.separate_errors(values[::4], np.arange(50))
        assert models.separate_errors(values, clusters) == pytest.approx(by_cluster)
        # A negative variance is no error.
        noise = rng.normal(size=(100, 2))
        errors = models.separate_errors(np.column_stack([noise, noise.mean(axis=1)]), range(100))
        assert errors[2] == 0
        assert (errors[:2] > 0).all()


def test_which_values_are_right_or_wrong():
    found = models.right_or_wrong([[0, 1, np.nan], [0.5, 2, -1]])
    assert found.tolist() == [[True] * 3, [False] * 3]


def test_the_first_answer_of_a_model_stands_whatever_its_configuration():
    rows = [("a", "p", 1.0), ("a", "q", 0.0), ("b", "p", 0.0), ("a", "p", 0.0), ("b", "r", 1.0)]
    frame = pd.DataFrame(rows, columns=["model", "item", "response"])
    found = models.first_answers(frame.astype({"model": "category"}))
    expected = pd.DataFrame(
        {"a": [1.0, 0.0, np.nan], "b": [0.0, np.nan, 1.0]}, index=["p", "q", "r"]
    )
    pd.testing.assert_frame_equal(found, expected, check_names=False)
    assert models.first_answers(frame.iloc[:0]).empty
