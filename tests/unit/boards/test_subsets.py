"""Subsets of items that keep the top: on models that did not choose them."""

import numpy as np
import pandas as pd
import pytest

from saturation.boards import overview

SETTINGS = overview.SubsetsSettings(k=5, level=0.95, kept=0.95, halves=20)


def tried(answers, settings=SETTINGS, seed=0):
    return overview.subsets(pd.DataFrame(answers), settings, np.random.default_rng(seed))


def kept(table, way, size):
    return float(table.query("way == @way and size == @size")["kept"].iloc[0])


def test_the_more_items_the_more_pairs_are_kept(drawn):
    table = tried(drawn(np.random.default_rng(0), 600, np.linspace(2, -1, 30)))
    for way in (overview.CHOSEN, overview.RANDOM):
        rows = table[table["way"] == way]
        assert rows["size"].tolist() == [10, 20, 30, 50, 75, 100, 150, 200, 300, 500]
        assert rows["kept"].iloc[-1] > 0.97 > rows["kept"].iloc[0]
        assert (rows["lower"] <= rows["kept"]).all()
        assert (rows["kept"] <= rows["upper"]).all()


def test_items_that_measure_are_chosen_over_those_that_do_not(drawn):
    rng = np.random.default_rng(1)
    answers = drawn(rng, 600, np.linspace(2, -2, 30))
    answers[100:] = rng.random((500, 30)).round()
    table = tried(answers)
    assert kept(table, "chosen", 50) > kept(table, "random", 50) + 0.1


def test_what_half_of_the_models_choose_by_luck_is_worth_nothing_to_the_others():
    """With all of the models choosing, items picked by luck would keep every pair."""
    rng, gains = np.random.default_rng(2), []
    for _ in range(40):
        answers = (rng.random((400, 40)) < np.linspace(0.62, 0.5, 40)).astype(float)
        table = tried(answers, SETTINGS._replace(halves=5))
        gains.append(kept(table, "chosen", 30) - kept(table, "random", 30))
    # Standard error of the mean: some 0.015.
    assert np.mean(gains) == pytest.approx(0, abs=0.05)


def test_a_tie_keeps_no_pair():
    """A hundred items decide all; the first ten in the order of covariance are ties."""
    answers = np.repeat(np.linspace(1, 0, 14)[None, :] > 0.5, 40, axis=0).astype(float)
    table = tried(answers)
    rows = table[table["way"] == "random"]
    assert (rows["kept"] == 1).all()
    flat = np.ones((40, 14))
    flat[-12:, 7:] = 0
    rows = tried(flat)
    assert kept(rows, "random", 10) > 0.9
    assert tried(np.ones((40, 14))).empty


def test_pairs_that_all_items_do_not_tell_apart_are_not_asked_for():
    rng = np.random.default_rng(5)
    chance = np.repeat([0.9, 0.2], 10)
    table = tried((rng.random((400, 20)) < chance).astype(float))
    assert kept(table, "random", 50) > 0.98


def test_too_few_models_try_nothing(drawn):
    assert tried(drawn(np.random.default_rng(3), 50, np.linspace(2, -2, 11))).empty
    assert not tried(drawn(np.random.default_rng(3), 50, np.linspace(2, -2, 12))).empty


def test_missing_answers_take_no_part(drawn):
    answers = drawn(np.random.default_rng(4), 300, np.linspace(2, -2, 20))
    whole = tried(answers)
    answers[:30, ::2] = np.nan
    part = tried(answers)
    assert part["kept"].notna().all()
    assert kept(part, "random", 200) == pytest.approx(kept(whole, "random", 200), abs=0.05)


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([0.9, 0.96, 0.99], 20),
        ([0.96, 0.94, 0.99], 30),
        ([0.95, 0.95, 0.95], 10),
        ([0.9, 0.9, 0.9], np.nan),
    ],
)
def test_the_smallest_size_is_that_from_which_on_all_keep(shares, expected):
    table = pd.DataFrame({"way": "random", "size": [10, 20, 30], "kept": shares})
    assert overview.smallest(table, "random", 0.95) == pytest.approx(expected, nan_ok=True)
    assert np.isnan(overview.smallest(pd.DataFrame(), "random", 0.95))
