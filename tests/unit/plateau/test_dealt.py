"""Effects under dealt-out sizes, each deal computed by hand."""

import numpy as np
import pandas as pd
import pytest

from saturation.index import saturation_index
from saturation.plateau import controls
from saturation.plateau.controls import CONCLUSIONS, samples
from saturation.statistics import correlation, resampling


def by_hand(data, chosen, name, order):
    """An effect with the sizes in this order."""
    n_test = data["n_test"].to_numpy()[order]
    s_index = saturation_index(data["s_1"], data["s_k"], n_test)[chosen.rows]
    conclusion = CONCLUSIONS[name]
    if conclusion.measure == "rank":
        sizes = conclusion.variable == "n_test"
        variable = n_test[chosen.rows] if sizes else chosen.variable
        found = correlation.partial_spearman(variable, s_index, *chosen.given.T)
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
    effects = controls.dealt_effects(table, chosen, drawn)
    assert set(effects) == set(chosen)
    for key, found in effects.items():
        expected = [by_hand(table, chosen[key], key[0], order) for order in drawn]
        assert found == pytest.approx(expected), key


def test_deals_in_several_batches_are_those_of_one(data, monkeypatch):
    drawn = resampling.orders(60, 7, np.random.default_rng(1))
    chosen = {key: row for key, row in samples(data).items() if key[0] in ("h2", "test_size")}
    whole = controls.dealt_effects(data, chosen, drawn)
    monkeypatch.setattr(controls, "DEALS", 3)
    for key, found in controls.dealt_effects(data, chosen, drawn).items():
        assert found == pytest.approx(whole[key])


def test_of_many_benchmarks_the_indices_are_computed_deal_by_deal_to_the_same(data, monkeypatch):
    drawn = resampling.orders(60, 20, np.random.default_rng(1))
    chosen = samples(data)
    crossed = controls.dealt_effects(data, chosen, drawn)
    monkeypatch.setattr(controls, "CROSSED", 59)
    for key, found in controls.dealt_effects(data, chosen, drawn).items():
        assert np.array_equal(found, crossed[key], equal_nan=True), key


def test_without_a_deal_there_is_no_effect(data):
    chosen = samples(data.head(1))
    effects = controls.dealt_effects(data.head(1), chosen, np.empty((0, 1), np.uint8))
    assert all(len(found) == 0 for found in effects.values())


def test_sizes_that_follow_the_groups_make_an_effect_that_deals_do_not(data):
    """Equal scores everywhere: only the sizes tell the groups apart."""
    english = data["english_only"]
    table = data.assign(s_1=0.9, s_k=0.88, n_test=np.where(english, 100, 10_000))
    chosen = {("h2", "none"): samples(table)["h2", "none"]}
    drawn = resampling.orders(60, 999, np.random.default_rng(2))
    null = controls.dealt_effects(table, chosen, drawn)["h2", "none"]
    indices = pd.Series(saturation_index(0.9, 0.88, table["n_test"]))
    observed = indices[english.to_numpy()].mean() - indices[~english.to_numpy()].mean()
    assert observed > 0.1
    assert null.mean() == pytest.approx(0, abs=0.02)
    assert observed > null.max()
