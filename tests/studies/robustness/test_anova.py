"""Analysis of variance against car, sandwich and statsmodels; the audit of printed tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from saturation.files.tables import load_table
from studies.robustness import anova
from studies.robustness.schemas import STATISTICS

GOLDEN = Path(__file__).parents[2] / "golden"
RESOURCES = Path(__file__).parents[3] / "resources" / "robustness"
LEVELS = {"paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2}


def test_tables_are_those_of_car_and_sandwich():
    """Types II and III of an unbalanced two-way design, and Wald tests by cluster."""
    rows = load_table(GOLDEN / "robustness_anova_data.csv")
    expected = load_table(GOLDEN / "robustness_anova.csv")
    table = anova.analyse(rows, ["paraphrase", "noise"])
    pd.testing.assert_frame_equal(table[expected.columns], expected, check_dtype=False, rtol=1e-8)
    assert table["n"].tolist() == [160] * 5


def test_datasets_are_analysed_on_their_own_and_sorted():
    rows = load_table(GOLDEN / "robustness_anova_data.csv")
    table = anova.analyses(rows.assign(dataset=["z"] * 80 + ["a"] * 80), ["paraphrase", "noise"])
    assert list(table.columns[:3]) == ["anova_type", "dataset", "factor"]
    assert table["dataset"].tolist() == ["a"] * 2 + ["z"] * 2 + ["a"] * 3 + ["z"] * 3
    assert table["factor"].tolist() == ["noise", "paraphrase"] * 2 + [
        "intercept", "noise", "paraphrase",
    ] * 2  # fmt: skip
    alone = anova.analyse(rows.iloc[80:], ["paraphrase", "noise"])
    by_factor = alone[alone["anova_type"] == "II"].set_index("factor")["f"]
    assert table.iloc[:2].set_index("factor")["f"].to_dict() == by_factor.to_dict()


def of_factor(scores):
    """The analysis of a factor: rows are examples, columns levels."""
    example, level = (place.ravel() for place in np.indices(np.shape(scores)))
    rows = pd.DataFrame({"example_id": example, "noise": level, "score": np.ravel(scores)})
    table = anova.analyse(rows, ["noise"])
    return table[(table["anova_type"] == "II") & (table["factor"] == "noise")].iloc[0]


@pytest.mark.parametrize("levels", [2, 4])
def test_clustered_test_is_hotellings_of_differences_between_levels(levels):
    scores = np.random.default_rng(3).random((9, levels))
    away = scores[:, 1:] - scores[:, [0]]
    mean, inverse = away.mean(axis=0), np.linalg.inv(np.atleast_2d(np.cov(away.T)))
    freedom = 9 - (levels - 1)
    f = 9 * mean @ inverse @ mean * freedom / (8 * (levels - 1))
    row = of_factor(scores)
    assert row["cluster_f"] == pytest.approx(f)
    assert row["cluster_df_error"] == freedom
    assert row["cluster_p"] == pytest.approx(stats.f.sf(f, levels - 1, freedom))
    if levels == 2:
        assert row["cluster_p"] == pytest.approx(stats.ttest_rel(*scores.T).pvalue)


def test_clustered_test_needs_more_examples_than_contrasts():
    rng = np.random.default_rng(1)
    enough, short = (of_factor(rng.random((examples, 4))) for examples in (4, 3))
    assert np.isfinite(enough["cluster_p"])
    assert enough["note"] == ""
    assert short[["cluster_f", "cluster_df_error", "cluster_p"]].isna().all()
    assert "3 examples" in short["note"]
    assert np.isfinite(short["p"])


def test_clustered_test_keeps_its_level_with_many_levels_and_few_examples():
    rng = np.random.default_rng(5)
    p = [of_factor(rng.random((12, 8)))["cluster_p"] for _ in range(400)]
    assert 0.02 <= np.mean(np.array(p) <= 0.05) <= 0.09


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.ones((5, 3)), "scores are equal"),
        (np.random.default_rng(0).random((1, 3)), "leave no error"),
    ],
)
def test_analysis_without_an_error_is_empty_and_says_why(scores, reason):
    row = of_factor(scores)
    columns = ["sum_sq", "f", "p", "eta_sq", "partial_eta_sq", "cluster_f", "cluster_p"]
    assert row[columns].isna().all()
    assert reason in row["note"]


def test_clustered_test_needs_levels_that_differ_differently_between_examples():
    shifted = np.random.default_rng(0).random((9, 1)) + np.array([0, 0.1, 0.3])
    row = of_factor(shifted)
    assert np.isnan(row["cluster_p"])
    assert "same amount" in row["note"]


@pytest.fixture(scope="module")
def performance():
    return load_table(RESOURCES / "performance.csv")


@pytest.fixture(scope="module")
def sound():
    """A balanced analysis, printed with three decimals or four significant digits."""
    generator = np.random.default_rng(4)
    grid = pd.MultiIndex.from_product([range(n) for n in LEVELS.values()], names=list(LEVELS))
    frame = pd.concat([grid.to_frame(index=False)] * 900, ignore_index=True)
    frame["example_id"] = np.repeat(np.arange(100), len(frame) // 100)
    probability = 0.7 - 0.04 * (frame["noise"] == 2) - 0.02 * frame["demonstrations"]
    frame["score"] = (generator.random(len(frame)) < probability).astype(float)
    table = anova.analyse(frame, list(LEVELS)).assign(dataset="D")
    for name in STATISTICS:
        table[name] = [f"{v:.3f}" if v >= 1e-3 or v == 0 else f"{v:.3e}" for v in table[name]]
    columns = ["anova_type", "dataset", "factor", *STATISTICS]
    return table[columns], frame["score"].mean()


def interval(low, high):
    return np.array([low, high], dtype=float)


def ends(found):
    return list(map(tuple, found.reshape(2, -1).T.tolist()))


def test_printed_numbers_stand_for_what_rounds_to_them():
    assert ends(anova.printed(["0.5", "0.000"])) == [(0.45, 0.55), (0.0, 0.0005)]
    assert ends(anova.printed(["4.412e-06"])) == [pytest.approx((4.4115e-06, 4.4125e-06))]


def test_quotients_and_shares_by_hand():
    x, y = interval([1, 2], [3, 4]), interval([2, 0], [4, 5])
    assert ends(anova.quotient(x, y)) == [(0.25, 1.5), (0.4, np.inf)]
    assert ends(anova.share_of(x, y)) == [(1 / 5, 3 / 5), (2 / 7, 1)]


def test_intervals_meet_at_their_ends():
    x = interval([1, 1, 1], [2, 2, 2])
    assert anova.meets(x, interval([2, 2.1, 0], [3, 3, 1])).tolist() == [True, False, True]


def test_consensus_is_where_most_intervals_meet():
    assert ends(anova.consensus(interval([0, 3, 3.5, 20], [4, 6, 9, 21]))) == [(3.5, 4)]
    assert ends(anova.consensus(interval([5, 1, 9], [6, 2, 10]))) == [(1, 2)]


def test_a_sound_analysis_passes_every_check(sound):
    table, mean = sound
    rows = anova.audit_rows(table, LEVELS, 21600)
    assert rows["consistent"].all(), rows[["factor", "inconsistent"]]
    dataset = anova.audit_datasets(rows, LEVELS, 21600).iloc[0]
    assert dataset["n_fits"]
    assert dataset["mean_low"] <= mean <= dataset["mean_high"]


@pytest.mark.parametrize(
    ("column", "value", "check"),
    [
        ("p", "0.900", "p_fits"),
        ("partial_eta_sq", "9.000e-04", "eta_fits"),
        ("eta_sq", "9.000e-04", "share_fits"),
        ("sum_sq", "99.000", "mean_square_fits"),
        ("f", "999.000", "types_fit"),
    ],
)
def test_one_wrong_number_is_found(sound, column, value, check):
    table = sound[0].copy()
    table.loc[0, column] = value
    row = anova.audit_rows(table, LEVELS, 21600).iloc[0]
    assert not row["consistent"]
    assert check in row["inconsistent"].split(", ")


def test_the_papers_tables():
    audited = anova.audit_rows(load_table(RESOURCES / "anova.csv", dtype=str), LEVELS, 21600)
    assert list(audited)[:4] == ["anova_type", "dataset", "factor", "f"]
    assert len(audited) == 54
    assert audited["consistent"].sum() == 28
    datasets = anova.audit_datasets(audited, LEVELS, 21600).set_index("dataset")
    assert datasets.index[datasets["n_fits"]].tolist() == ["BoolQ", "MMLU"]
    assert datasets.loc["IMDB", ["n_low", "n_high"]].tolist() == [20393, 20410]
    assert datasets.loc["RewardBench", "levels_differ"] == "noise (4 levels, design 3)"
    assert (datasets.drop(index="RewardBench")["levels_differ"] == "").all()
    added = datasets.loc["RewardBench", ["mean_added_low", "mean_added_high"]]
    assert added.tolist() == pytest.approx([0.7365, 0.7512], abs=5e-5)


def test_the_intercept_of_levels_of_unequal_size_is_the_mean_of_their_means():
    """Type III with contrasts that sum to zero, by statsmodels."""
    rng = np.random.default_rng(0)
    level = np.repeat([0, 1, 2, 3], [40, 40, 40, 5])
    rows = pd.DataFrame({"y": rng.normal(0.7, 0.3, len(level)), "level": level})
    fit = ols("y ~ C(level, Sum)", rows).fit()
    text = f"{anova_lm(fit, typ=3).loc['Intercept', 'sum_sq']:.9f}"
    square = anova.printed([text])[:, 0]
    differ = pd.DataFrame({"df_implied": [3]})
    found = anova._mean_of_levels(differ, square, interval(125, 125), 120)
    assert found[0] == pytest.approx(rows.groupby("level")["y"].mean().mean())


def test_misplaced_external_scores_are_found(performance):
    external = load_table(RESOURCES / "external_scores.csv")
    table = anova.audit_external(external, performance)
    wrong = table[~table["fits"]]
    assert set(wrong["model"]) == {"Llama-4-Scout-17B-Instruct", "llama-4-maverick-17b-instruct"}


def test_baselines_by_hand():
    table = anova.baseline_range(pd.Series([0.9, 1.0]), 3)
    assert table["value"].tolist() == pytest.approx([0.9**3 + 0.1**3, 1])
    assert table["lower"].tolist() == pytest.approx([0.895**3 + 0.105**3, 0.995**3 + 0.005**3])
    assert table["upper"].tolist() == pytest.approx([0.905**3 + 0.095**3, 1])


def test_a_dataset_without_an_intercept_has_no_implied_mean(sound):
    table = sound[0][sound[0]["anova_type"] == "II"]
    dataset = anova.audit_datasets(anova.audit_rows(table, LEVELS, 21600), LEVELS, 21600).iloc[0]
    assert dataset.filter(regex="^mean_(added_)?(low|high)$").isna().tolist() == [True] * 4


def test_statistics_of_nothing_and_of_everything_stay_open():
    """An F and a share that are printed as zero leave the error without an upper bound."""
    zero = {"f": "0.000", "p": "0.990", "eta_sq": "0.000", "partial_eta_sq": "0.000"}
    table = pd.DataFrame(
        [{"anova_type": "II", "dataset": "D", "factor": "noise", "sum_sq": "0.001", **zero}]
    )
    row = anova.audit_rows(table, LEVELS, 21600).iloc[0]
    assert row["error_ss_high"] == np.inf
    assert row["p_high"] == 1
    assert "eta_fits" not in row["inconsistent"]
