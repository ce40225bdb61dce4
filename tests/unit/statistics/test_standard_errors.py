"""Standard errors beyond the binomial, against known values and simulated truth."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from saturation.statistics import standard_errors as models

SCORES = ["model", "score", "standard_error", "n_items", "run"]


def table(*rows):
    return pd.DataFrame(rows, columns=SCORES).astype({"standard_error": float, "n_items": float})


def no_items():
    return models.item_matrix(pd.DataFrame(columns=["model", "item", "cluster", "response"]))


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_is_that_of_statsmodels_and_never_empty(n, share):
    count = round(share * n)
    low, high = models.wilson_interval(count / n, n, 0.95)
    expected = proportion_confint(count, n, method="wilson")
    assert (float(low), float(high)) == pytest.approx(expected, abs=1e-9)
    assert high > low


def test_newcombe_is_that_of_statsmodels_also_at_the_bounds():
    for a, m, b, n in ((56, 70, 48, 80), (10, 10, 0, 10), (50, 50, 49, 50)):
        expected = confint_proportions_2indep(a, m, b, n, method="newcomb", compare="diff")
        found = models.newcombe_interval(a / m, m, b / n, n, 0.95)
        assert found == pytest.approx(expected, abs=1e-9)


def test_a_perfect_score_has_an_error_and_it_falls_with_n():
    small, large = models.binomial_error([1.0, 1.0], [10, 1000])
    assert 0 < large < small
    assert models.binomial_error(0.5, 100) == pytest.approx(0.05)


def test_clustered_error_of_single_items_is_the_usual_one_and_of_copies_is_not_fooled():
    x = np.array([0, 1, 1, 0, 1, 1, 1.0])
    assert models.clustered_error(x, np.arange(7)) == pytest.approx(x.std(ddof=1) / np.sqrt(7))
    copies = models.clustered_error(np.repeat(x, 4), np.repeat(np.arange(7), 4))
    assert copies == pytest.approx(models.clustered_error(x, np.arange(7)))
    assert np.isnan(models.clustered_error(x, np.zeros(7)))


@pytest.mark.parametrize(("runs", "most"), [(40, 1.05), (4, 1.25)])
def test_repeated_runs_recover_the_error_of_their_mean(runs, most):
    """Runs share their items; the truth is the spread of the mean. Few runs err upwards."""
    rng = np.random.default_rng(1)
    n = 200
    means, variances = [], []
    for _ in range(1000):
        right = rng.beta(2, 1, n)
        scores = rng.binomial(1, right, (runs, n)).mean(axis=1)
        means.append(scores.mean())
        variances.append(models.repeated_runs_error(scores, n) ** 2)
    assert 0.95 < np.sqrt(np.mean(variances)) / np.std(means) < most


def test_repeated_runs_without_n_know_only_the_noise_of_the_runs():
    assert models.repeated_runs_error([0.5, 0.6], None) == pytest.approx(0.05)
    assert models.repeated_runs_error([0.5, 0.5], None) == 0


@pytest.mark.parametrize(
    ("family", "row", "source", "error"),
    [
        ("accuracy", ("a", 0.5, None, 100, ""), "binomial", 0.05),
        ("accuracy", ("a", 0.5, 0.02, 100, ""), "supplied", 0.02),
        ("bounded_mean", ("a", 0.5, None, 100, ""), "upper_bound", 0.05),
        ("pass_at_k", ("a", 0.5, None, 100, ""), "upper_bound", 0.05),
        ("rating", ("a", 1300.0, 4.0, None, ""), "supplied", 4.0),
    ],
)
def test_each_family_takes_the_best_error_it_has(family, row, source, error):
    found = models.estimates(table(row), *no_items(), family, 0.95).iloc[0]
    assert (found["error_source"], found["standard_error"]) == (source, pytest.approx(error))
    assert found["lower"] < found["score"] < found["upper"]


def test_a_metric_of_which_nothing_is_known_has_no_error():
    found = models.estimates(table(("a", 7.5, None, 100, "")), *no_items(), "other", 0.95).iloc[0]
    assert found["error_source"] == "unknown"
    assert np.isnan(found["standard_error"])


def test_a_supplied_error_of_zero_at_100_percent_is_not_believed():
    found = models.estimates(table(("a", 1.0, 0.0, 50, "")), *no_items(), "accuracy", 0.95)
    assert found["standard_error"].item() > 0
    assert found["lower"].item() == pytest.approx(proportion_confint(50, 50, method="wilson")[0])


def test_runs_and_items_come_before_aggregates():
    runs = table(("a", 0.5, 0.01, 100, "1"), ("a", 0.6, 0.01, 100, "2"))
    assert models.estimates(runs, *no_items(), "accuracy", 0.95)["error_source"].item() == "runs"
    responses = pd.DataFrame(
        {"model": "a", "item": [f"q{i}" for i in range(8)], "cluster": "", "response": [1, 0] * 4}
    )
    matrix, clusters = models.item_matrix(responses)
    found = models.estimates(runs, matrix, clusters, "accuracy", 0.95)
    assert (found["error_source"].item(), found["n_items"].item()) == ("items", 8)


def test_one_cluster_for_all_items_is_no_cluster():
    responses = pd.DataFrame(
        {"model": "a", "item": ["p", "q", "r"], "cluster": "all", "response": [1, 0, 1]}
    )
    _, clusters = models.item_matrix(responses)
    assert clusters.nunique() == 3


def test_discounted_binomial_errors_are_those_of_the_plateau_paper():
    from saturation.index import standard_error_of_difference

    full = float(standard_error_of_difference(0.9, 0.8, 400, 1.0))
    assert models.discounted(full, 400, 0.5) == pytest.approx(
        float(standard_error_of_difference(0.9, 0.8, 400, 0.5))
    )
    assert models.discounted(full, float("nan"), 1.0) == full


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.0, 1.5))
def test_the_implied_alpha_undoes_the_discount(s_1, s_k, alpha):
    variance = s_1 * (1 - s_1) + s_k * (1 - s_k)
    assert models.implied_alpha(s_1, s_k, np.sqrt(variance / 500**alpha), 500) == pytest.approx(
        alpha, abs=1e-9
    )


def test_the_implied_alpha_needs_some_error():
    assert np.isnan(models.implied_alpha(1.0, 1.0, 0.1, 100))
    assert np.isnan(models.implied_alpha(0.9, 0.8, 0.0, 100))
