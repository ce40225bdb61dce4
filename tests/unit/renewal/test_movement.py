"""How far gaps move, and which models lean on old items, on data whose truth is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from saturation.errors import InputError
from saturation.renewal.movement import drift, measure_by_date, movement

LABS = [f"lab{m % 6}" for m in range(30)]


def made(rng, spread):
    """Thirty models on old and harder new items; `spread` moves their abilities in between."""
    ability = rng.normal(0, 1, 30)
    moved = ability + rng.normal(0, spread, 30)
    chance = (
        special.expit(given + rng.normal(ease, 1.5, (size, 1)))
        for given, ease, size in ((ability, 0.5, 400), (moved, -0.7, 600))
    )
    return tuple(pd.DataFrame((rng.random(p.shape) < p).astype(float)) for p in chance)


def test_the_factor_is_the_change_of_all_gaps_over_their_errors_with_a_jackknife_over_labs():
    old, new = made(np.random.default_rng(4), 0.5)
    found = movement(old, new, LABS)
    before, after = old.mean(), new.mean()
    curve = np.poly1d(np.polyfit(before, after, 2))
    scaled, rest = old * curve.deriv()(before), after - curve(before)
    pairs = list(itertools.combinations(range(30), 2))
    changes = np.array([(rest[i] - rest[j]) ** 2 for i, j in pairs])
    variances = np.array(
        [
            (scaled[i] - scaled[j]).var() / len(old) + (new[i] - new[j]).var() / len(new)
            for i, j in pairs
        ]
    )
    assert found.factor == pytest.approx(changes.sum() / variances.sum())
    assert found.beyond == (changes > 1.96**2 * variances).mean()
    assert found.alpha_lost == pytest.approx(np.log(found.factor) / np.log(400))
    assert found.rank == pytest.approx(stats.spearmanr(before, after).statistic)
    top = before.nlargest(10).index
    assert found.rank_top == pytest.approx(stats.spearmanr(before[top], after[top]).statistic)
    kept = [[m for m in range(30) if LABS[m] != name] for name in sorted(set(LABS))]
    logs = [np.log(movement(old[k], new[k], [LABS[m] for m in k]).factor) for k in kept]
    half = stats.t.ppf(0.975, 5) * np.sqrt(5 * np.var(logs))
    ends = found.factor * np.exp([-half, half])
    assert [found.lower, found.upper] == pytest.approx(list(ends))
    assert found.labs == 6


def test_dated_items_are_cut_at_the_date_that_halves_them_best():
    old, new = made(np.random.default_rng(4), 0.5)
    answers = pd.concat([old.iloc[:100], new.iloc[:99]], ignore_index=True)
    labs = dict(enumerate(LABS))
    # The median is the earlier of two dates: no item is older than it.
    dates = pd.Series(["2024-01-01"] * 100 + ["2024-02-01"] * 99)
    assert measure_by_date(answers, dates, labs) == movement(answers[:100], answers[100:], LABS)
    ages = pd.Series(pd.date_range("2024-01-01", periods=199))
    assert measure_by_date(answers, ages, labs) == movement(answers[:99], answers[99:], LABS)


def test_few_models_or_labs_say_nothing():
    rng = np.random.default_rng(5)
    old, new = made(rng, 0.0)
    with pytest.raises(InputError, match="9 models of 6 labs"):
        movement(old.iloc[:, :9], new.iloc[:, :9], LABS[:9])
    with pytest.raises(InputError, match="30 models of 1 labs"):
        measure_by_date(old, pd.Series(np.arange(400)), dict.fromkeys(range(30), "one"))
    with pytest.raises(InputError, match="without one lab 2 old scores differ"):
        movement(old, new, ["a"] * 28 + ["b", "c"])
    with pytest.raises(InputError, match="400 old and 19 new items"):
        movement(old, new.iloc[:19], LABS)


def leaning(rng, gain):
    """Forty models, of which the first answers items before its cutoff better by `gain`."""
    ability, difficulty = np.linspace(-1.5, 1.5, 40), rng.normal(0, 1, 400)
    logits = 1.2 * (ability[:, None] - difficulty) + rng.normal(0, 0.5, (40, 400))
    # What one model lacks: all follow another course over time, which no model explains.
    logits += np.outer(rng.normal(0, 0.4, 40), np.linspace(-1, 1, 400))
    logits[0, :200] += gain
    return (rng.random(logits.shape) < special.expit(logits)).astype(float)


def judged(answers, before):
    names = [f"m{m}" for m in range(len(answers))]
    null = {name: f"lab{m % 8}" for m, name in enumerate(names) if m}
    return drift(answers, names, {"m0": before}, null)


def test_a_model_that_leans_on_old_items_is_found_and_leaves_its_null():
    before = np.arange(400) < 200
    found = judged(leaning(np.random.default_rng(6), 2.5), before)
    assert found.flagged == ["m0"]
    assert found.models["placebo"].item() > 1.3
    # It answers them better by about a quarter; the model without it says so in full.
    assert found.models["difference"].item() > 0.15


def test_a_tested_model_is_judged_by_the_others():
    answers, before = leaning(np.random.default_rng(9), 0.0), np.arange(400) < 200
    labs = {f"m{m}": f"lab{m % 8}" for m in range(40)}
    found = drift(answers, list(labs), dict.fromkeys(labs, before), labs)
    z = found.placebo.set_index("model")["z"]
    row = found.models.iloc[0]
    wide = np.sqrt((z.drop(row["model"]) ** 2).mean())
    assert row["placebo"] == pytest.approx(wide)
    assert row["p_value"] == pytest.approx(stats.t.sf(row["z"] / wide, 38))


def test_without_a_placebo_nothing_is_said_to_drift():
    answers = leaning(np.random.default_rng(8), 2.5)
    found = drift(answers, [f"m{m}" for m in range(40)], {"m0": np.arange(400) < 200}, {"m1": "a"})
    assert found.flagged == []


def test_null_factor_of_items_without_a_renewal_is_near_the_factor():
    """Old and new items of one kind: both split the same items at random."""
    rng = np.random.default_rng(2)
    ability, difficulty = rng.normal(size=30), rng.normal(size=(400, 1))
    right = (rng.random((400, 30)) < special.expit(ability - difficulty)).astype(float)
    table = pd.DataFrame(right)
    labs = [f"lab{model % 6}" for model in range(30)]
    calm = movement(table[:200], table[200:], labs)
    assert 0.6 < calm.null < 1
    renewed = table.copy()
    chance = special.expit(rng.normal(size=30) - difficulty[200:])
    renewed.iloc[200:] = (rng.random((200, 30)) < chance).astype(float)
    moved = movement(renewed[:200], renewed[200:], labs)
    assert moved.factor > 3 > 1.2 > moved.null
