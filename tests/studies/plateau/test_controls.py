"""The table of controls: its samples, its own indices, tests and nulls."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.index import saturation_index
from studies.correlation import partial_spearman
from studies.plateau import controls, resampling
from studies.plateau.controls import ADJUSTED, CONCLUSIONS, Sample, contrast, samples


def test_there_is_a_row_for_each_effect_and_control(results):
    rows = results["controls"]
    names = ["index", "same_n_500", "same_n_1000", "same_n_3000", "gap_rank"]
    for (conclusion, _), effects in rows.groupby(["conclusion", "adjusted"]):
        expected = [*names, "dealt_n"]
        if CONCLUSIONS[conclusion].measure == "share":
            expected.remove("gap_rank")
        assert effects["control"].tolist() == expected
    assert not rows.duplicated(["conclusion", "adjusted", "control"]).any()


def test_the_outcomes_take_n_out(data):
    outcomes = controls.outcome_table(data, [50, 900])
    assert list(outcomes) == ["index", "same_n_50", "same_n_900", "gap_rank"]
    assert (outcomes["index"] == data["s_index"]).all()
    assert outcomes["same_n_900"].iloc[3] == pytest.approx(
        saturation_index(data["s_1"].iloc[3], data["s_k"].iloc[3], 900)
    )
    gap = (data["s_1"] - data["s_k"]).round(9)
    assert stats.spearmanr(outcomes["gap_rank"], gap)[0] == pytest.approx(-1)
    assert outcomes["gap_rank"].mean() == pytest.approx(0.5)
    assert outcomes["gap_rank"].between(0, 1).all()
    # Equal gaps are ties, whatever the scores are.
    table = data.head(3).assign(s_1=[0.3, 0.4, 0.9], s_k=[0.2, 0.3, 0.5])
    assert table["s_1"].iloc[0] - 0.2 != table["s_1"].iloc[1] - 0.3
    assert controls.outcome_table(table)["gap_rank"].tolist() == pytest.approx(
        [2 / 3, 2 / 3, 1 / 6]
    )


def test_a_benchmark_at_the_threshold_counts_as_saturated_and_ranks_have_none():
    outcomes = pd.DataFrame({"index": [0.69, 0.7, 0.71], controls.GAP_RANK: [0.1, 0.5, 0.9]})
    shares = controls._measured(outcomes, controls.SHARE, 0.7)
    assert shares.to_dict("list") == {"index": [0, 1, 1]}
    assert controls._measured(outcomes, "mean", 0.7) is outcomes


def effect(control, value, p, conclusion="h2"):
    return {
        "conclusion": conclusion, "adjusted": "none", "control": control, "effect": value,
        "p_value": p,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("effects", "shown", "kept"),
    [
        ([effect("index", 0.3, 0.05), effect("same_n_9", 0.1, 0.05)], True, True),
        ([effect("index", 0.3, 0.051), effect("same_n_9", 0.1, 0.01)], False, False),
        ([effect("index", 0.3, 0.01), effect("same_n_9", 0.1, 0.051)], True, False),
        ([effect("index", 0.3, 0.01), effect("same_n_9", -0.1, 0.01)], True, False),
        (
            [effect("index", 0.3, 0.01), effect("same_n_9", 0.1, 0.01), effect("gap_rank", 1, 0.2)],
            True, False,
        ),
        ([effect("index", 0.3, 0.01), effect("same_n_9", 0.1, 0.01), effect("dealt_n", 0, 0.9)],
         True, True),
    ],
)  # fmt: skip
def test_an_effect_is_kept_where_every_control_shows_it(effects, shown, kept):
    other = [effect("index", 0.1, 0.9, "h1"), effect("same_n_9", 0.1, 0.9, "h1")]
    verdicts = controls.judge_without_n(pd.DataFrame([*effects, *other]))
    assert verdicts["conclusion"].tolist() == ["h2", "h1"]
    assert verdicts[["shown", "kept"]].to_numpy().tolist() == [[shown, kept], [False, False]]


def test_a_dealt_effect_is_described_and_the_observed_one_placed():
    null = np.linspace(-1, 1, 201)
    row = controls._shuffled(0.9, null)
    expected = {"estimate": 0, "lower": -0.95, "upper": 0.95, "p_value": (1 + 22) / 202}
    assert row == pytest.approx(expected)
    for observed, draws in ((np.nan, null), (0.9, null[:0]), (0.9, np.array([np.nan, 1.0]))):
        assert np.isnan(list(controls._shuffled(observed, draws).values())).all()


def test_what_is_not_defined_says_so_and_has_no_p_value(data):
    table = data[data["english_only"]].assign(citations=np.nan).reset_index(drop=True)
    found = controls.controls(table, seed=1, permutations=19)
    missing = found[found["conclusion"].isin(["h2", "citations"])]
    assert missing["p_value"].isna().all()
    assert missing["note"].notna().all()
    assert found.loc[found["effect"].notna(), "p_value"].notna().all()


@pytest.mark.parametrize(("benchmarks", "defined"), [(3, True), (2, False)])
def test_three_benchmarks_have_an_effect(data, benchmarks, defined):
    found = controls.controls(data.head(benchmarks), seed=1, permutations=19)
    effects = found.query("conclusion == 'age' and control == 'index'")["effect"]
    assert effects.notna().tolist() == [defined]


def test_the_samples_are_the_groups_of_the_study(data):
    chosen = samples(data)
    assert set(chosen) == {
        (name, adjusted)
        for name in CONCLUSIONS
        for adjusted in ADJUSTED
        if (name, adjusted) != ("age", "age")
    }
    language = chosen["h2", "age"]
    assert language.variable.sum() == 44
    assert len(language.rows) == 60
    assert (data["english_only"].to_numpy()[language.rows] == language.variable).all()
    assert language.given[:, 0] == pytest.approx(data["months_at_observation"].to_numpy())
    assert chosen["h2", "none"].given.shape == (60, 0)
    # ANLI has no output format, seven benchmarks have no count of citations.
    assert len(chosen["h4", "none"].rows) == 59
    cited = chosen["citations", "none"]
    assert len(cited.rows) == 53
    assert (cited.variable == data["citations"].astype(float).to_numpy()[cited.rows]).all()


def test_the_contrast_gives_the_least_squares_slope():
    rng = np.random.default_rng(0)
    variable, age, outcome = (np.arange(9) < 4) * 1.0, rng.uniform(1, 60, 9), rng.normal(size=9)
    plain = Sample(np.arange(9), variable, np.empty((9, 0)))
    difference = outcome[:4].mean() - outcome[4:].mean()
    assert outcome @ contrast(plain) == pytest.approx(difference)
    adjusted = Sample(np.arange(9), variable, age[:, None])
    design = np.column_stack([np.ones(9), variable, age])
    slope = np.linalg.lstsq(design, outcome)[0][1]
    assert outcome @ contrast(adjusted) == pytest.approx(slope)
    assert np.isnan(contrast(plain._replace(variable=np.ones(9)))).all()


def by_hand(data, chosen, name, order):
    """An effect with the sizes in this order."""
    n_test = data["n_test"].to_numpy()[order]
    s_index = saturation_index(data["s_1"], data["s_k"], n_test)[chosen.rows]
    conclusion = CONCLUSIONS[name]
    if conclusion.measure == "rank":
        sizes = conclusion.variable == "n_test"
        variable = n_test[chosen.rows] if sizes else chosen.variable
        found = partial_spearman(variable, s_index, *chosen.given.T)
        return found["estimate"]
    outcome = s_index >= 0.7 if conclusion.measure == "share" else s_index
    design = np.column_stack([chosen.variable, np.ones(len(chosen.rows)), chosen.given])
    return np.linalg.lstsq(design, outcome.astype(float))[0][0]


@pytest.mark.parametrize("tied", [False, True])
def test_every_effect_of_a_deal_is_that_of_the_reshuffled_table(data, tied):
    # Equal scores twice give ties among the indices.
    table = data.assign(s_k=data["s_k"].mask(data.index < 2, data["s_1"])) if tied else data
    chosen = samples(table)
    drawn = resampling.orders(60, 3, np.random.default_rng(0))
    effects = controls.shuffled_effects(table, chosen, drawn)
    assert set(effects) == set(chosen)
    for key, found in effects.items():
        expected = [by_hand(table, chosen[key], key[0], order) for order in drawn]
        assert found == pytest.approx(expected), key


def test_without_a_deal_there_is_no_effect(data):
    one = data.head(1)
    none = controls.shuffled_effects(one, samples(one), np.empty((0, 1), np.uint8))
    assert all(len(found) == 0 for found in none.values())
