"""Whether a bank's users are told that the model should not be believed."""

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import misfit
from saturation.errors import InputError
from validation import adaptive as simulation

MODELS = simulation.MODELS


def said(draw, seed=1, **truth):
    return misfit.doubt(draw(np.random.default_rng(seed), **truth)[2], MODELS, "bank")


def test_nothing_is_said_where_the_model_is_true():
    assert said(simulation.fitting) == ""


@pytest.mark.parametrize(
    ("draw", "part"),
    [
        (simulation.testlets, "items that depend on each other"),
        (simulation.two_dimensions, "a second dimension"),
        (simulation.checkpoints, "rows that are not independent respondents"),
    ],
)
def test_each_departure_is_named(draw, part):
    sentence = said(draw)
    assert sentence.startswith("the item response model is rejected: ")
    assert part in sentence


def test_a_model_with_the_floor_that_it_needs_is_not_doubted():
    """Banks that it draws have the floor too, and are fitted with it."""
    responses = simulation.fitting(np.random.default_rng(1), guessing=0.25)[2]
    guessing = misfit.believed(responses, "bank")
    assert guessing.lower < 0.25 < guessing.upper
    assert misfit.doubt(responses, MODELS, "bank", floor=guessing.value) == ""


def test_banks_drawn_have_the_floor_that_is_tried(monkeypatch):
    responses = simulation.fitting(np.random.default_rng(1), guessing=0.25)[2]
    floors = []
    original = misfit.replicated

    def watched(cells, fitted, *others):
        for drawn, again in original(cells, fitted, *others):
            floors.append((fitted.floor, again.floor))
            yield drawn, again

    monkeypatch.setattr(misfit, "replicated", watched)
    misfit.doubt(responses, MODELS, "bank", floor=0.2)
    assert floors == [(0.2, 0.2)] * misfit.REPLICATES


def test_the_same_bank_is_judged_alike():
    responses = simulation.testlets(np.random.default_rng(2))[2]
    first = misfit.doubt(responses, MODELS, "bank")
    assert first == misfit.doubt(responses, MODELS, "bank")


def test_of_large_banks_some_items_are_looked_at(monkeypatch):
    responses = simulation.fitting(np.random.default_rng(3))[2]
    shapes = []
    original = misfit.fit

    def watched(cells, slopes, share):
        shapes.append(cells.shape)
        return original(cells, slopes, share)

    monkeypatch.setattr(misfit, "fit", watched)
    for most in (simulation.ITEMS, simulation.ITEMS - 1, 100):
        monkeypatch.setattr(misfit, "MOST_ITEMS", most)
        misfit.doubt(responses, MODELS, "bank")
    # Replicates are of the same size.
    assert list(dict.fromkeys(items for _, items in shapes)) == [300, 299, 100]


def test_a_bank_that_cannot_be_judged_is_said_to_be(monkeypatch):
    responses = simulation.fitting(np.random.default_rng(4))[2]
    monkeypatch.setattr(misfit, "replicated", lambda *_: iter(()))
    sentence = misfit.doubt(responses, MODELS, "bank")
    assert sentence.endswith("it can be fitted to 0 of 38 banks that it draws itself")

    def refused(*_):
        raise InputError("too few")

    monkeypatch.setattr(misfit, "fit", refused)
    sentence = misfit.doubt(responses, MODELS, "bank")
    assert sentence == "whether the item response model fits cannot be said: too few"


def test_statistics_count_together():
    """One in twenty banks has one statistic or the other above all; only the largest counts."""
    first, second = np.arange(20.0), np.arange(20.0)
    first[0], second[0] = 40.0, 5.5
    table = pd.DataFrame({"a": first, "b": second, "c": np.nan})
    assert misfit.too_large(table) == ["a"]
    table.loc[7, "b"] = 90.0
    # Another bank is more extreme in the other one.
    assert misfit.too_large(table) == []
    assert misfit.too_large(pd.DataFrame({"a": np.ones(20)})) == []
    table = pd.DataFrame({"a": first, "b": first})
    assert misfit.too_large(table) == ["a", "b"]
