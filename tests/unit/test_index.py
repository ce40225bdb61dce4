"""The saturation index: its properties, its gap model against R, and what it refuses."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from saturation import index
from saturation.errors import InputError
from saturation.statistics import intervals

proportions = st.floats(0, 1)
inner = st.floats(0.01, 0.99)
sizes = st.integers(1, 10**7)
alphas = st.floats(0, 1)


def by_hand(s_1, s_k, n, alpha):
    """Equations 1 to 4 written out, for scores whose error is not zero."""
    variance = s_1 * (1 - s_1) / n**alpha + s_k * (1 - s_k) / n**alpha
    return np.exp(-((s_1 - s_k) ** 2) / variance)


@given(proportions, proportions, sizes, alphas)
def test_the_index_is_a_proportion(a, b, n, alpha):
    assert 0 <= index.saturation_index(max(a, b), min(a, b), n, alpha) <= 1


@given(inner, inner, sizes, alphas)
def test_the_index_is_equations_1_to_4(a, b, n, alpha):
    s_1, s_k = max(a, b), min(a, b)
    s_index = index.saturation_index(s_1, s_k, n, alpha)
    assert s_index == pytest.approx(by_hand(s_1, s_k, n, alpha), abs=1e-8)


@given(proportions, sizes, alphas)
def test_equal_scores_are_fully_saturated(score, n, alpha):
    assert index.saturation_index(score, score, n, alpha) == 1


@given(proportions)
def test_each_index_lies_in_one_bin(s_index):
    edges = [0, *index.BIN_EDGES, np.inf]
    inside = [low <= s_index < high for low, high in itertools.pairwise(edges)]
    assert sum(inside) == 1
    assert index.saturation_bin(s_index) == index.BINS[inside.index(True)]


@pytest.mark.parametrize(("number", "edge"), list(enumerate(index.BIN_EDGES, start=1)))
def test_a_bin_holds_its_lower_edge(number, edge):
    assert index.saturation_bin(edge) == index.BINS[number]
    assert index.saturation_bin(np.nextafter(edge, 0)) == index.BINS[number - 1]


def test_k_takes_the_best_scores_whatever_their_order():
    scores = pd.DataFrame({"benchmark_id": "a", "score": [0.5, 0.9, 0.7, 0.8]})
    assert index.top_scores_wide(scores, 3).loc["a"].tolist() == [0.9, 0.8, 0.7]


def test_every_benchmark_with_too_few_scores_is_named():
    scores = pd.DataFrame({"benchmark_id": ["a", "b", "b", "c"], "score": 0.5})
    with pytest.raises(InputError) as caught:
        index.top_scores_wide(scores, 2)
    assert [re.findall(r"'(\w)' has (\d) scores, but k is 2", line) for line in
            caught.value.violations] == [[("a", "1")], [("c", "1")]]  # fmt: skip


def test_the_index_of_equations_1_to_4_by_hand():
    # SE = sqrt(0.25 / 10) each, so SE of the difference is sqrt(0.05); R = 0.1 / SE; S = exp(-R^2).
    assert index.standard_error(0.5, 100) == pytest.approx(np.sqrt(0.025))
    error = index.standard_error_of_difference(0.55, 0.45, 100)
    assert error == pytest.approx(np.sqrt(2 * 0.55 * 0.45 / 10))
    assert index.GapModel.fit_scores(0.55, 0.45, 100).normalised_range() == pytest.approx(
        0.1 / error
    )
    assert index.saturation_index(0.55, 0.45, 100) == pytest.approx(np.exp(-0.01 / 0.0495))
    assert index.saturation_index(0.55, 0.45, 100, 1.0) == pytest.approx(np.exp(-0.01 / 0.00495))


def test_the_functions_assume_what_the_paper_assumes():
    assert (index.K, index.ALPHA, index.Z, index.EPSILON) == (5, 0.5, 1.96, 1e-12)
    assert (index.SATURATED_FROM, index.CEILING, intervals.CONFIDENCE) == (0.7, 0.9, 0.95)
    assert index.BIN_EDGES == (0.01, 0.3, 0.7, 0.9)


def test_epsilon_is_added_to_the_error(monkeypatch):
    monkeypatch.setattr(index, "EPSILON", 0.05)
    error = index.standard_error_of_difference(0.8, 0.7, 100)
    stabilised = index.GapModel.fit_scores(0.8, 0.7, 100).normalised_range()
    assert stabilised == pytest.approx(0.1 / (error + 0.05), rel=1e-12)
    assert index.saturation_index(0.8, 0.7, 100) == np.exp(-(stabilised**2))
    assert index.GapModel.fit_scores(1, 1, 100).normalised_range() == 0


REFUSED = {
    "a score above 1": (lambda: index.saturation_index(99.2, 0.98, 500), "a score is 99.2; "),
    "a k-th score above 1": (lambda: index.saturation_index(0.9, 1.01, 500), "a score is 1.01; "),
    "a score below 0": (lambda: index.saturation_index(0.5, -0.1, 500), "a score is -0.1; "),
    "one score of many": (lambda: index.standard_error([0.5, 50], 500), "a score is 50; "),
    "a range": (
        lambda: index.GapModel.fit_scores(2, 0.5, 500).normalised_range(),
        "a score is 2; ",
    ),
    "an error": (lambda: index.standard_error_of_difference(0.5, 1.5, 9), "a score is 1.5; "),
    "a size below 1": (lambda: index.saturation_index(0.9, 0.8, 0.5), "a test set has 0.5 items"),
    "a size of 0": (lambda: index.standard_error(0.9, [10, 0, 0.5]), "a test set has 0 items"),
    "a binned index": (lambda: index.saturation_bin(1.2), "an index is 1.2; "),
    "a threshold": (lambda: gap_model().repeat_probability(1.1), "a threshold is 1.1; "),
    "a gap's level": (
        lambda: index.interval_of_proportions(0.9, 0.8, 9, 9, level=95),
        "the level of",
    ),
    "a score of two": (lambda: index.interval_of_proportions(92, 0.8, 9, 9), "a score is 92; "),
    "a level": (lambda: gap_model().interval(95), "the level of an interval is 95; "),
    "a noise": (lambda: gap_model(noise=-0.1), "a noise is below 0"),
    "a scale": (lambda: gap_model(scale=0.0), "a scale is not above 0"),
}


def gap_model(gap=0.1, scale=0.1, noise=0.1):
    return index.GapModel(np.array(gap), np.array(scale), np.array(noise))


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused_with_a_sentence(case):
    call, sentence = REFUSED[case]
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(sentence)


def test_what_lies_at_the_edge_is_admitted():
    assert index.saturation_index(1, 0, 1) < 1e-6
    assert index.saturation_index([1, 0], [1, 0], 1).tolist() == [1, 1]
    assert index.standard_error(0.5, 1) == 0.5
    assert index.saturation_bin([0, 1]).tolist() == ["very_low", "very_high"]
    assert gap_model().repeat_probability(1) == 0
    assert gap_model().repeat_probability(0) == 1
    assert index.widest_gap(0) == np.inf
    assert index.widest_gap(1) == 0
    assert gap_model().interval(1) == (0, 1)


def test_what_is_missing_stays_missing():
    missing = index.saturation_index([np.nan, 0.9, 0.9], [0.8, np.nan, 0.8], [100, 100, np.nan])
    assert np.isnan(missing).all()
    assert index.saturation_bin([0.5, np.nan]).tolist() == ["moderate", ""]
    for model in (gap_model(gap=np.nan), gap_model(noise=np.nan), gap_model(np.nan, noise=0.0)):
        assert np.isnan(model.repeat_probability())
        assert np.isnan(model.interval()).all()


@pytest.mark.parametrize("name", ["gap", "gap_small_noise"])
def test_the_gap_model_gives_r_s_numbers(golden, name):
    expected = golden("plateau_statistics")
    error = expected[f"{name}.se"]
    model = gap_model(0.03, error, error if name == "gap" else error / 8)
    assert model.normalised_range() == pytest.approx(0.03 / error)
    shown = {
        "s_index": model.index(),
        "p_again": model.repeat_probability(),
        "p_low": model.repeat_probability(0.3),
    }
    for key, value in shown.items():
        assert value == pytest.approx(expected[f"{name}.{key}"], abs=1e-6), key
    for level, at in ((0.95, name), (0.8, f"{name}_80")):
        ends = [expected[f"{at}.lower"], expected[f"{at}.upper"]]
        assert list(model.interval(level)) == pytest.approx(ends, abs=1e-9)
    assert (model.interval()[1] == 1) == (name == "gap" or model.interval()[1] > 0.999)


def test_the_interval_of_two_proportions_is_r_s(golden):
    expected = golden("plateau_statistics")
    found = index.interval_of_proportions(0.92, 0.75, 500, 600)
    ends = [expected["proportions.lower"], expected["proportions.upper"]]
    assert list(found) == pytest.approx(ends, rel=1e-9)


@given(proportions, proportions, st.integers(1, 500), st.integers(1, 500), alphas)
def test_the_interval_reaches_1_where_newcombe_s_holds_0(a, b, n, m, alpha):
    s_1, s_k = max(a, b), min(a, b)
    lower, upper = index.interval_of_proportions(s_1, s_k, n, m, alpha)
    gap_lower, gap_upper = intervals.newcombe(s_1 * n, n, s_k * m, m)
    assert 0 <= lower <= upper <= 1
    assume(abs(gap_lower) > 1e-9 < abs(gap_upper))
    assert (upper == 1) >= (gap_lower <= 0 <= gap_upper)


@pytest.mark.parametrize("n", [1, 2, 30])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_two_scores_of_0_or_1_may_be_equal_and_need_not_be(n, score):
    lower, upper = index.interval_of_proportions(score, score, n, n)
    assert upper == 1
    assert 0 < lower < 0.5
    apart = index.interval_of_proportions(1.0, 0.0, n, n)
    assert apart[0] < 1e-9
    assert (apart[1] == 1) == (n == 1)


def test_the_gap_model_of_two_scores_believes_the_index_s_own_error(golden):
    expected = golden("plateau_statistics")
    perfect = index.GapModel.fit_scores(1.0, 1.0, 100)
    assert (perfect.noise, perfect.scale) == (0, index.EPSILON)
    model = index.GapModel.fit_scores(0.8, 0.77, 500)
    assert model.gap == pytest.approx(0.03)
    assert model.noise == pytest.approx(expected["gap.se"])
    assert model.scale == pytest.approx(model.noise)
    assert model.repeat_probability() == pytest.approx(expected["gap.p_again"], abs=1e-6)


def test_the_direction_of_the_gap_does_not_matter():
    ahead, behind = gap_model(gap=0.07), gap_model(gap=-0.07)
    assert ahead.index() == behind.index()
    assert list(map(float, ahead.interval())) == pytest.approx(list(map(float, behind.interval())))
    assert ahead.repeat_probability() == pytest.approx(float(behind.repeat_probability()))


def test_a_gap_without_noise_is_known():
    # |gap| / scale is sqrt(-log 0.7) exactly where the index is 0.7.
    edge = np.sqrt(-np.log(0.7))
    for gap, reached in ((edge, 1), (np.nextafter(edge, 1), 0), (-edge, 1), (0.0, 1), (0.9, 0)):
        model = gap_model(gap, scale=1.0, noise=0.0)
        assert model.repeat_probability() == reached
        assert model.interval() == (model.index(), model.index())
        assert model.interval(1) == (model.index(), model.index())
    mixed = gap_model([0.0, 0.9], scale=1.0, noise=[0.0, 0.5])
    assert mixed.repeat_probability()[0] == 1
    assert 0 < mixed.repeat_probability()[1] < 1


def small(scores, n_test=100, **options):
    """The index table of one benchmark."""
    benchmarks = pd.DataFrame({"benchmark_id": ["one"], "n_test": [n_test]})
    top_scores = pd.DataFrame({"benchmark_id": "one", "score": scores})
    return index.index_table(benchmarks, top_scores, **options).iloc[0]


def test_the_ceiling_is_reached_at_its_edge():
    for best, saturated in ((0.9, True), (np.nextafter(0.9, 0), False)):
        row = small([best, 0.89], k=2)
        assert row["statistically_similar"]
        assert (row["similar_at_ceiling"], row["similar_below_ceiling"]) == (
            saturated,
            not saturated,
        )
    assert small([0.8, 0.79], k=2, ceiling=0.8)["similar_at_ceiling"]


def test_models_are_similar_up_to_z_errors():
    r_norm = small([0.8, 0.7], k=2)["r_norm"]
    assert small([0.8, 0.7], k=2, z=r_norm)["statistically_similar"]
    apart = small([0.8, 0.7], k=2, z=np.nextafter(r_norm, 0))
    assert not apart[["statistically_similar", "similar_at_ceiling", "similar_below_ceiling"]].any()


def test_the_table_passes_its_settings_on():
    row = small([0.95, 0.9, 0.8], k=3, alpha=1.0, edges=[0.1, 0.2, 0.3, 0.4])
    assert (row["k"], row["alpha"], row["n_test"]) == (3, 1.0, 100)
    assert (row["s_1"], row["s_k"]) == (0.95, 0.8)
    error = index.standard_error_of_difference(0.95, 0.8, 100, 1.0)
    assert row["se_delta"] == pytest.approx(error)
    assert row["r_norm"] == pytest.approx((0.95 - 0.8) / error)
    assert row["s_index"] == pytest.approx(np.exp(-(row["r_norm"] ** 2)))
    assert row["bin"] == "very_low"
    assert small([0.95, 0.9, 0.9], k=3, edges=[0.1, 0.2, 0.3, 0.4])["bin"] == "very_high"


def test_rows_are_in_the_order_of_the_names_whatever_theirs():
    benchmarks = pd.DataFrame({"benchmark_id": ["b", "c", "a"], "n_test": [200, 300, 100]})
    top_scores = pd.DataFrame(
        {"benchmark_id": ["a", "b", "c"] * 2, "score": [0.5, 0.6, 0.7, 0.9, 0.8, 0.95]}
    )
    table = index.index_table(benchmarks, top_scores, k=2)
    assert table["benchmark_id"].tolist() == ["a", "b", "c"]
    assert table["n_test"].tolist() == [100, 200, 300]
    assert table["s_1"].tolist() == [0.9, 0.8, 0.95]
    assert table["s_k"].tolist() == [0.5, 0.6, 0.7]
    both = index.annotated(benchmarks.assign(name=["B", "C", "A"]), table)
    assert both["name"].tolist() == ["B", "C", "A"]
    assert both["s_1"].tolist() == [0.8, 0.95, 0.9]
    assert both["n_test"].tolist() == [200, 300, 100]


@pytest.mark.parametrize(
    "edges",
    [(0.9, 0.7, 0.3, 0.01), (0.3, 0.3, 0.7, 0.9), (0.3, 0.7), (0.1, 0.2, 0.3, 0.4, 0.5),
     (1, 30, 70, 90), (0.01, np.nan, 0.7, 0.9)],
)  # fmt: skip
def test_edges_that_make_no_bins_are_refused(edges):
    with pytest.raises(ValueError, match=r"ascending are needed|proportions in \[0, 1\]"):
        index.saturation_bin(0.5, edges)


class TestDecision:
    """Whether the index of the true scores reaches the threshold."""

    @staticmethod
    def limits(gap, error=1.0, scale=1.0):
        """The interval of a normal gap."""
        return lambda level: index.index_limits(*intervals.normal(gap, error, level), scale, scale)

    @pytest.mark.parametrize("models", [2, 5, 1000])
    def test_its_edges_are_those_of_the_two_intervals(self, models):
        width = index.widest_gap(0.7) * 10
        two_sided = stats.norm.ppf(0.975)
        all_pairs = stats.norm.ppf(1 - 0.05 / (models * (models - 1)))
        edges = [(width - two_sided, "equivalent", "undecided"),
                 (width + all_pairs, "undecided", "separated")]  # fmt: skip
        for edge, below, above in edges:
            for gap, expected in ((edge - 1e-6, below), (edge + 1e-6, above)):
                for sign in (1, -1):
                    assert index.decision(self.limits(sign * gap, scale=10), models) == expected

    def test_threshold_and_level_move_the_edges(self):
        limits = self.limits(1.0, error=0.55)
        assert index.decision(limits, 2, threshold=0.01) == "equivalent"
        assert index.decision(limits, 2, threshold=0.999999) == "undecided"
        assert index.decision(limits, 2, threshold=0.999, level=0.9) == "separated"

    def test_it_takes_many_boards_at_once(self):
        found = index.decision(self.limits(np.array([0.0, 1.0, 9.0]), error=0.1), 1000)
        assert found.tolist() == ["equivalent", "undecided", "separated"]
        said = [index.side_of_threshold(str(one)).split(" 0.7")[0] for one in index.DECISIONS]
        assert len(set(said)) == 3
