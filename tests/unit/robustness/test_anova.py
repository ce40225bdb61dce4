from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from saturation.files.tables import read_table
from saturation.robustness import anova

GOLDEN = Path(__file__).parents[2] / "golden"


def unbalanced(seed=0, effect=0.3):
    generator = np.random.default_rng(seed)
    n = 400
    frame = pd.DataFrame(
        {
            "a b": generator.choice(["x", "y"], n, p=[0.8, 0.2]),
            "noise": generator.choice(["n", "s", "t"], n, p=[0.6, 0.3, 0.1]),
            "example_id": generator.integers(0, 40, n).astype(str),
        }
    )
    frame["score"] = (generator.random(n) < 0.4 + effect * (frame["noise"] == "t")).astype(float)
    return frame


def residual_ss(formula, frame):
    return smf.ols(formula, frame).fit().ssr


def test_types_on_an_unbalanced_design_are_those_of_model_comparison():
    frame = unbalanced().rename(columns={"a b": "a"})
    found = anova.analyse(frame, ["a", "noise"])
    full = residual_ss("score ~ C(a) + C(noise)", frame)
    for factor, other in (("a", "noise"), ("noise", "a")):
        expected = residual_ss(f"score ~ C({other})", frame) - full
        rows = found[found["factor"] == factor]
        # Without interactions a factor's sum of squares is the same in both types.
        assert rows["sum_sq"].tolist() == pytest.approx([expected, expected])
        assert rows["partial_eta_sq"].iloc[0] == pytest.approx(expected / (expected + full))


@pytest.mark.parametrize("kind", ["II", "III"])
def test_tables_are_those_of_statsmodels(kind):
    frame = unbalanced(1)
    renamed = frame.rename(columns={"a b": "a"})
    fit = smf.ols("score ~ C(a, Sum) + C(noise, Sum)", renamed).fit()
    peer = anova_lm(fit, typ={"II": 2, "III": 3}[kind])
    found = anova.analyse(frame, ["a b", "noise"])
    found = found[found["anova_type"] == kind].set_index("factor")
    for term, factor in (("C(a, Sum)", "a b"), ("C(noise, Sum)", "noise")):
        assert found.loc[factor, "f"] == pytest.approx(peer.loc[term, "F"])
        assert found.loc[factor, "p"] == pytest.approx(peer.loc[term, "PR(>F)"])
    assert found["eta_sq"].sum() + peer.loc["Residual", "sum_sq"] / peer["sum_sq"].sum() == (
        pytest.approx(1)
    )


def test_clustered_test_sees_a_steady_effect_that_examples_drown():
    """Easy and hard examples differ widely; the factor shifts one answer in ten within each."""
    generator = np.random.default_rng(2)
    easy = np.repeat(generator.random(60) < 0.5, 20)
    level = np.tile(np.repeat(["p", "q"], 10), 60)
    wrong = np.tile(np.arange(20) % 10 == 0, 60) & (level == "q") & easy
    frame = pd.DataFrame(
        {
            "level": level,
            "example_id": np.repeat(np.arange(60), 20).astype(str),
            "score": (easy & ~wrong).astype(float),
        }
    )
    row = anova.analyse(frame, ["level"]).iloc[0]
    assert row["p"] > 0.05
    assert row["cluster_p"] < 1e-4
    assert row["cluster_df_error"] == 59


def test_repeating_every_answer_fools_the_plain_test_only():
    frame = unbalanced(3, effect=0.0)
    tenfold = pd.concat([frame] * 10, ignore_index=True)
    once, often = (anova.analyse(each, ["noise"]).iloc[0] for each in (frame, tenfold))
    assert often["f"] > 9 * once["f"]
    assert often["cluster_f"] == pytest.approx(once["cluster_f"], rel=0.05)


def test_tables_are_those_of_car_and_sandwich():
    """Types II and III of an unbalanced two-way design, and Wald tests by cluster."""
    rows = read_table(GOLDEN / "robustness_anova_data.csv")
    expected = read_table(GOLDEN / "robustness_anova.csv")
    table = anova.analyse(rows, ["paraphrase", "noise"])
    pd.testing.assert_frame_equal(table[expected.columns], expected, check_dtype=False, rtol=1e-8)
    assert table["n"].tolist() == [160] * 5
    assert table["levels"].fillna(0).tolist() == [2, 3, 0, 2, 3]


def test_datasets_are_analysed_on_their_own_and_sorted():
    rows = read_table(GOLDEN / "robustness_anova_data.csv")
    halves = [("z", rows.iloc[:80]), ("a", rows.iloc[80:])]
    table = anova.table(iter(halves), ["paraphrase", "noise"], made_up=True)
    assert list(table.columns[:3]) == ["anova_type", "dataset", "factor"]
    assert table["dataset"].tolist() == ["a"] * 2 + ["z"] * 2 + ["a"] * 3 + ["z"] * 3
    assert table["factor"].tolist() == ["noise", "paraphrase"] * 2 + [
        "intercept", "noise", "paraphrase",
    ] * 2  # fmt: skip
    assert table["synthetic"].all()
    assert table.index.tolist() == list(range(10))
    alone = anova.analyse(rows.iloc[80:], ["paraphrase", "noise"])
    by_factor = alone[alone["anova_type"] == "II"].set_index("factor")["f"]
    assert table.iloc[:2].set_index("factor")["f"].to_dict() == by_factor.to_dict()
    assert not anova.table(halves, ["noise"], made_up=False)["synthetic"].any()


def test_clustered_test_rejects_at_its_level():
    """Examples that differ and no effect: 10 % of 120 tables, standard error 2.7 points."""
    rejected = 0
    for seed in range(120):
        generator = np.random.default_rng(seed)
        easy = np.repeat(generator.random(40), 6)
        frame = pd.DataFrame(
            {
                "noise": np.tile(["n", "s"], 120),
                "example_id": np.repeat(np.arange(40), 6).astype(str),
                "score": (generator.random(240) < easy).astype(float),
            }
        )
        rejected += anova.analyse(frame, ["noise"])["cluster_p"].iloc[0] < 0.1
    assert 0.03 < rejected / 120 < 0.17
