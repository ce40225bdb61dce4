"""Linked scores: constants as R has them, truth recovered, intervals, and what abstains."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit

from saturation.renewal import linking
from saturation.renewal.linking import ANCHORED, CONCURRENT, EQUIPERCENTILE, linked, versions

GOLDEN = Path(__file__).parents[2] / "golden/linking.csv"


def golden_anchors():
    """Numbers of the golden script's generator: three sets of items on two scales."""
    state = 4711

    def draw():
        nonlocal state
        state = 16807 * state % (2**31 - 1)
        return state / (2**31 - 1)

    for number in (1, 2, 3):
        old, new, slope = np.zeros((12, 2)), np.zeros((12, 2)), 0.7 + 0.3 * number
        for i in range(12):
            old[i] = 0.5 + 1.5 * draw(), 4 * draw() - 2
            new[i, 0] = old[i, 0] / slope * (0.8 + 0.4 * draw())
            new[i, 1] = slope * old[i, 1] + 0.5 * number - 1 + 0.6 * (draw() - 0.5)
        yield number, old, new


def test_constants_are_those_of_r():
    golden = pd.read_csv(GOLDEN).set_index("set")
    for number, old, new in golden_anchors():
        found = linking.stocking_lord(old, new)
        np.testing.assert_allclose(found, golden.loc[number], atol=1e-6)


def made(rng, models=30, items=150, shift=0.0, drift=0.0):
    """Answers of models to items whose difficulty is centred at a shift; abilities may move."""
    level = stats.norm.ppf((np.arange(models) + 0.5) / models)
    ability = level + drift * rng.standard_normal(models)
    slope, difficulty = rng.uniform(0.8, 1.6, items), shift + rng.standard_normal(items)
    right = rng.random((items, models)) < expit(slope[:, None] * (ability - difficulty[:, None]))
    names = [f"lab{m % 5}-m{m}" for m in range(models)]
    return pd.DataFrame(right.astype(float), columns=names)


def pair(rng, **how):
    """An old and a harder new version."""
    new = made(rng, shift=1.0, **how)
    return made(rng), new.set_axis([f"n{item}" for item in new.index])


def test_common_models_put_old_scores_on_the_new_scale():
    old, new = pair(np.random.default_rng(0))
    found = linked(versions(old, new.iloc[:, ::2]))
    truth = new.mean().reindex(found.scores["model"]).to_numpy()
    assert found.method == CONCURRENT
    assert found.errors[CONCURRENT] < 0.05 < found.errors["old score as it is"]
    assert found.scores["observed"].isna().sum() == 15
    # Fewer than three of the models that answered both are as strong, or as weak.
    common, others = old.iloc[:, ::2].mean(), old.iloc[:, 1::2].mean()
    far = [min((common >= score).sum(), (common <= score).sum()) < 3 for score in others]
    assert set(found.scores.loc[found.scores["outside"], "model"]) == set(others.index[far])
    # Also of models that never answered the new version.
    assert np.abs(found.scores["linked"] - truth).max() < 0.12
    assert 0.75 <= found.coverage <= 1
    # Student's t with the errors on the models left out, a model's own not among them.
    table = found.scores.assign(off=found.scores["linked"] - found.scores["observed"])
    for row in table.iloc[[5, 6]].itertuples():
        off = table["off"].drop(row.Index).dropna()
        half = stats.t.ppf(0.95, len(off) - 1) * np.sqrt((off**2).mean())
        assert row.upper - row.linked == pytest.approx(half)


def test_a_score_does_not_enter_its_own_prediction():
    old, new = pair(np.random.default_rng(2))
    before = linked(versions(old, new)).scores.set_index("model")
    name = old.columns[15]
    new[name] = 1 - new[name]
    after = linked(versions(old, new)).scores.set_index("model")
    assert before.loc[name, "linked"] == after.loc[name, "linked"]
    assert before.loc[name, "observed"] != after.loc[name, "observed"]


def test_common_items_link_where_no_model_answered_both():
    rng = np.random.default_rng(3)
    every = made(rng, models=60, items=160)
    found = linked(versions(every.iloc[:100, :30], every.iloc[60:, 30:]))
    truth = every.iloc[60:, :30].mean()
    assert found.method == ANCHORED
    assert np.abs(found.scores["linked"] - truth.to_numpy()).mean() < 0.05
    assert np.isnan(found.coverage)
    # Intervals hold the errors of abilities and anchors, not that of the answers to these items.
    ends = found.scores[["lower", "upper"]].to_numpy().T - truth.to_numpy()
    assert (np.prod(ends, axis=0) < 0).mean() > 0.6


def test_equipercentile_takes_over_where_answers_have_no_ability_in_common():
    rng = np.random.default_rng(4)
    level = np.linspace(0.2, 0.9, 14)
    # Each model solves a random part of the items: no item is harder than another.
    old, new = ((rng.random((200, 14)) < part).astype(float) for part in (level, level**6))
    names = [f"m{m}" for m in range(14)]
    new = pd.DataFrame(new, [f"n{item}" for item in range(200)], names)
    found = linked(versions(pd.DataFrame(old, columns=names), new))
    assert found.errors[EQUIPERCENTILE] < found.errors["old score as it is"]


def test_items_that_were_regraded_are_no_anchors():
    rng = np.random.default_rng(5)
    old = made(rng, models=12)
    new = old * (rng.random(old.shape) < 0.7)
    given = versions(old, new)
    assert len(given.regraded) == len(old)
    assert not given.anchors.any()
    assert given.common.all()
    assert versions(old, old).anchors.all()
    # Half of a version is enough for a score on it.
    rows = pd.Series(np.arange(len(old)))
    for missing, scored in ((len(old) // 2, True), (len(old) // 2 + 1, False)):
        short = old.assign(**{old.columns[0]: old.iloc[:, 0].mask(rows < missing)})
        assert np.isfinite(versions(short, new).scores[0][0]) == scored
    assert versions(old.mask(rng.random(old.shape) < 0.3), old).anchors.all()


def test_without_anything_in_common_or_new_nothing_is_linked():
    old, new = pair(np.random.default_rng(6))
    same = old.sample(frac=1, random_state=0)
    for one, other, told in (
        (old.iloc[:, :15], new.iloc[:, 15:], "0 models answered both"),
        (old.iloc[:, :9], new, "fewer than 10"),
        (old, same, "no item that the old one lacks"),
    ):
        found = linked(versions(one, other))
        assert found.method == ""
        assert told in found.lacks
        assert found.scores["linked"].isna().all()


def test_interval_is_wider_for_a_model_with_fewer_old_answers():
    old, new = pair(np.random.default_rng(0))
    halves = []
    for answers in (old, old.mask(np.arange(150)[:, None] % 2 * (old.columns == "lab0-m15") == 1)):
        scores = linked(versions(answers, new.iloc[:, ::2])).scores.set_index("model")
        halves.append((scores["upper"] - scores["lower"]) / 2)
    models = halves[0].index[scores["observed"].isna()].drop("lab0-m15")
    assert halves[1]["lab0-m15"] > 1.15 * halves[0]["lab0-m15"]
    assert (halves[1] / halves[0])[models].between(0.85, 1.15).all()
