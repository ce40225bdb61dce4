"""How firm an index is, over settings and over errors; the permuted-n control."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.statistics.resampling import p_value
from studies.plateau import resampling, uncertainty


def test_resampled_scores_are_beta_distributed():
    # Mean s and variance s (1 - s) / n: a beta distribution with precision n - 1.
    rng = np.random.default_rng(2)
    draws = uncertainty.resample_scores(np.array([[0.3]]), np.array([50.0]), 4000, rng)
    # No other number is drawn where there is more than one effective item.
    again = np.random.default_rng(2)
    assert (draws == again.beta(0.3 * 49, 0.7 * 49, (4000, 1, 1))).all()
    assert rng.random() == again.random()
    expected = stats.beta(0.3 * 49, 0.7 * 49)
    assert stats.kstest(draws.ravel(), expected.cdf).pvalue > 0.01
    one_item = uncertainty.resample_scores(np.array([[0.3]]), np.array([1.0]), 200, rng)
    assert set(one_item.ravel()) == {0, 1}


@pytest.mark.parametrize("n_effective", [1.0, 50.0])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_score_without_error_does_not_move(score, n_effective):
    draws = uncertainty.resample_scores(
        np.array([[score]]), np.array([n_effective]), 20, np.random.default_rng(1)
    )
    assert (draws == score).all()


@pytest.mark.parametrize("threshold", ["0.3", "0.7", "0.9"])
def test_two_equal_models_reach_the_index_as_often_as_said(from_r, threshold):
    expected = from_r[f"equal_pair.{threshold}"]
    probability = uncertainty.equal_pair_probability(float(threshold))
    assert probability == pytest.approx(expected, abs=1e-9)


def benchmarks_of(scores_by_name, n_test):
    return (
        pd.DataFrame({"benchmark_id": list(scores_by_name), "n_test": n_test}),
        pd.DataFrame(
            [(name, score) for name, scores in scores_by_name.items() for score in scores],
            columns=["benchmark_id", "score"],
        ),
    )


def uncertain(scores, n_test, alpha=1.0, k=2, **options):
    tables = benchmarks_of({"one": scores}, [n_test])
    at = index.index_table(*tables, k, alpha)
    return uncertainty.uncertainty_table(at, tables[1], **options).iloc[0]


def test_the_index_s_own_noise_is_its_gap_model(from_r):
    row = uncertain([0.8, 0.79, 0.77], 500, alpha=0.5, k=3)
    expected = {name: from_r[f"gap.{other}"] for name, other in (
        ("s_index", "s_index"), ("s_lower_index_noise", "lower"),
        ("s_upper_index_noise", "upper"), ("p_again_index_noise", "p_again"))}  # fmt: skip
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, abs=1e-6), name
    lower_bar = uncertain([0.8, 0.79, 0.77], 500, alpha=0.5, k=3, saturated_from=0.3)
    assert lower_bar["p_again_index_noise"] == pytest.approx(from_r["gap.p_low"], abs=1e-6)


def test_by_the_error_of_n_items_the_interval_is_that_of_two_proportions():
    row = uncertain([0.8, 0.79, 0.77], 500, alpha=0.5, k=3)
    expected = index.interval_of_proportions(0.8, 0.77, 500, 500)
    assert [row["s_lower"], row["s_upper"]] == pytest.approx(list(map(float, expected)))
    assert row["s_lower"] > 10 * row["s_lower_index_noise"]


def test_a_published_top_is_tested_among_its_own_pairs():
    # S is 0.7 at a gap of 0.042, whose error is 0.0071: 2 times that for the pair of two models.
    for gap, expected in ((0.0, "equivalent"), (0.05, "undecided"), (0.06, "separated")):
        row = uncertain([0.5 + gap / 2, 0.5 - gap / 2], 10_000, alpha=0.5)
        assert row["first_and_kth"] == expected, gap


def test_what_no_draw_moves_is_certain_at_the_edge_of_the_threshold():
    # Perfect scores do not move under the index's own error, and S = 1 reaches a threshold of 1.
    row = uncertain([1.0, 1.0], 100, saturated_from=1.0)
    for name in ("s_lower_index_noise", "s_upper_index_noise", "s_upper", "p_again_index_noise"):
        assert row[name] == 1, name
    # By the error of n items they need not be equal.
    assert row["s_lower"] < 0.5
    assert uncertain([0.6, 0.2], 10_000)["first_and_kth"] == "separated"


def test_one_item_and_equal_scores_have_numbers():
    for row in (uncertain([1.0, 0.0], 1), uncertain([0.5, 0.5], 1), uncertain([0.0, 0.0], 1)):
        assert row.drop(["benchmark_id", "first_and_kth"]).astype(float).between(0, 1).all()
        assert row["s_lower"] < row["s_upper"] == 1


def index_of(gap, n_test, rng):
    """An index table whose scores have the given gap."""
    s_1 = rng.uniform(0.7, 0.75, len(n_test))
    s_k = s_1 - gap
    return pd.DataFrame({"s_1": s_1, "s_k": s_k, "n_test": n_test, "alpha": 0.5})


def test_the_control_is_what_its_permutations_say():
    rng = np.random.default_rng(8)
    table = index_of(rng.uniform(0.005, 0.1, 12), rng.integers(50, 5000, 12), rng)
    control = uncertainty.permuted_n_control(table, 99, np.random.default_rng(9))
    n_test = table["n_test"].to_numpy(dtype=float)
    dealt = np.random.default_rng(9).permuted(np.tile(n_test, (99, 1)), axis=1)

    def s_index(sizes):
        return index.saturation_index(table["s_1"], table["s_k"], sizes, 0.5)

    (row,) = control.to_dict("records")
    null = np.array([stats.spearmanr(s_index(sizes), sizes).statistic for sizes in dealt])
    rho = stats.spearmanr(s_index(n_test), n_test).statistic
    assert row["outcome"] == "s_index"
    assert row["spearman"] == pytest.approx(rho)
    assert row["null_mean"] == pytest.approx(null.mean())
    assert [row["null_lower"], row["null_upper"]] == pytest.approx(
        np.percentile(null, [2.5, 97.5]).tolist()
    )
    # Two-sided around the null's mean, the observed one counted among the draws.
    extreme = np.abs(null - null.mean()) >= np.abs(rho - null.mean()) - 1e-10
    assert row["p_value"] == pytest.approx((1 + extreme.sum()) / 100)
    assert row["p_value"] == p_value(abs(rho - null.mean()), np.abs(null - null.mean()))


def test_of_many_benchmarks_the_control_goes_in_batches_to_the_same(monkeypatch):
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"s_1": rng.uniform(0.8, 0.9, 9), "s_k": rng.uniform(0.7, 0.8, 9)})
    table = table.assign(n_test=rng.integers(50, 900, 9), alpha=0.5)
    whole = uncertainty.permuted_n_control(table, 20, np.random.default_rng(1))
    monkeypatch.setattr(resampling, "BATCH", 30)
    again = uncertainty.permuted_n_control(table, 20, np.random.default_rng(1))
    pd.testing.assert_frame_equal(again, whole)


def test_a_correlation_with_sizes_that_do_not_vary_is_not_defined():
    rng = np.random.default_rng(1)
    same = index_of(rng.uniform(0.005, 0.1, 10), np.full(10, 500), rng)
    table = uncertainty.permuted_n_control(same, 499, rng)
    assert table[["spearman", "p_value"]].isna().all(axis=None)


def test_the_error_of_the_index_is_that_of_fresh_leaderboards():
    """Of no error where scores have none, and larger the fewer items there are."""
    scores = np.array([[1.0, 1.0, 1.0], [0.8, 0.79, 0.78], [0.8, 0.79, 0.78]])
    n_test = np.array([100.0, 100.0, 10_000.0])
    rng = np.random.default_rng(1)
    spread = uncertainty.error_of_index(scores, n_test, 1.0, 4000, rng)
    assert spread[0] == 0
    draws = rng.beta(scores[1] * 99, (1 - scores[1]) * 99, (40_000, 3))
    best, last = draws.max(axis=1), draws.min(axis=1)
    scale = np.sqrt((best * (1 - best) + last * (1 - last)) / 100)
    assert spread[1] == pytest.approx(np.exp(-(((best - last) / scale) ** 2)).std(), rel=0.05)


def settings_table(s_index):
    s_index = np.asarray(s_index)
    return pd.DataFrame(
        {
            "benchmark_id": [f"b{i}" for i in range(len(s_index))],
            "s_index": s_index,
            "bin": index.saturation_bin(s_index),
        }
    )


def test_agreement_by_hand():
    one = settings_table([0.0, 0.1, 0.5, 0.8, 0.95])
    found = uncertainty.compare(one, settings_table([0.1, 0.2, 0.95, 0.6, 0.96]))
    assert found["n"] == 5
    assert found["same_bin"] == pytest.approx(2 / 5)
    # very_low to low and high to moderate are neighbours, moderate to very_high is not.
    assert found["neighbouring"] == pytest.approx(2 / 3)
    assert found["mean_shift"] == pytest.approx((0.1 + 0.1 + 0.45 + 0.2 + 0.01) / 5)
    # Ranks 1 2 3 4 5 against 1 2 4 3 5: 1 - 6 * 2 / (5 * 24). Bonett and Wright (2000).
    half = 1.959963984540054 * np.sqrt((1 + 0.9**2 / 2) / 2)
    expected = np.tanh(np.arctanh(0.9) + np.array([-half, 0, half]))
    columns = ("spearman_lower", "spearman", "spearman_upper")
    assert [found[name] for name in columns] == pytest.approx(expected.tolist())


def test_a_cell_of_the_grid_is_the_index_at_that_setting(prepared, default_index):
    summary = uncertainty.grid(
        default_index, prepared[1], ks=[5, 2], alphas=[0.5, 0.0], edges=index.BIN_EDGES
    ).set_index(["k", "alpha"])
    assert list(summary.index) == [(2, 0.0), (2, 0.5), (5, 0.0), (5, 0.5)]
    for (k, alpha), row in summary.iterrows():
        expected = index.index_table(*prepared, k=k, alpha=alpha)
        for name, value in uncertainty.compare(default_index, expected).items():
            assert row[name] == pytest.approx(value, nan_ok=True), (k, alpha, name)
        assert row["n_saturated"] == (expected["s_index"] >= 0.7).sum()
    assert summary.loc[(5, 0.5), ["spearman", "same_bin"]].tolist() == pytest.approx([1, 1])
    # Fewer effective items and fewer models can only make more benchmarks look saturated.
    saturated = summary["n_saturated"].unstack()
    assert (saturated[0.0] >= saturated[0.5]).all()
    assert (saturated.loc[2] >= saturated.loc[5]).all()


def test_the_grid_counts_from_the_threshold_on(prepared, default_index):
    edge = default_index["s_index"].sort_values().iloc[30]
    for value in (edge, np.nextafter(edge, 1)):
        table = uncertainty.grid(
            default_index, prepared[1], ks=[5], alphas=[0.5], edges=index.BIN_EDGES,
            saturated_from=value,
        )  # fmt: skip
        assert table["n_saturated"].tolist() == [(default_index["s_index"] >= value).sum()]


def test_comparisons_name_each_setting():
    reference = settings_table([0.0, 0.1, 0.5]).assign(k=5, alpha=0.5)
    others = {
        "k3": settings_table([0.1, 0.2, 0.95]).assign(k=3, alpha=0.5),
        "alpha0": settings_table([0.0, 0.1, 0.5]).assign(k=5, alpha=0.0),
    }
    table = uncertainty.comparisons(reference, others)
    assert table[["setting", "k", "alpha"]].to_numpy().tolist() == [
        ["k3", 3, 0.5], ["alpha0", 5, 0.0]]  # fmt: skip
    assert table["same_bin"].tolist() == pytest.approx([1 / 3, 1])
