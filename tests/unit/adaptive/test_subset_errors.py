"""The comparison of subsets: families left out, refusals, and each method's own prediction."""

import numpy as np
import pytest

from saturation.adaptive import replay, short_form
from saturation.adaptive.misfit import Guessing
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from validation import subset as simulation


@pytest.fixture(scope="module")
def bank():
    cells = simulation.answered(np.random.default_rng(8), simulation.topics, 0.0)
    items = [f"i{number}" for number in range(simulation.ITEMS)]
    return Bank([f"m{row}" for row in range(54)], items, cells), simulation.FAMILY.astype(
        str
    ).tolist()


@pytest.fixture(scope="module")
def table(bank):
    return replay.subset_errors("mine", *bank, [30, 60], [60], 10, 1)


def test_every_method_at_every_size_with_the_errors_of_nine_families(table):
    assert sorted(zip(table["method"], table["n_items"])) == sorted(
        (method, size)
        for method in replay.METHODS
        for size in (30, 60)
        if size == 60 or not method.startswith("adaptive")
    )
    assert set(table["families"]) == {9}
    assert set(table["refused"]) == {0}
    assert (table["rms_error"] >= table["bias"].abs()).all()
    rows = table.set_index(["method", "n_items"])
    for method in ("subset", "random", "irt_clusters"):
        assert rows.loc[(method, 60), "rms_error"] < rows.loc[(method, 30), "rms_error"]
    assert rows.loc[("subset", 60), "rms_error"] < rows.loc[("random", 60), "rms_error"]
    # Random items miss as the binomial says: here shares right are near a half.
    assert rows.loc[("random", 60), "rms_error"] == pytest.approx(
        np.sqrt(0.22 / 60 * 0.8), rel=0.15
    )
    stated = rows["coverage"].dropna()
    assert set(stated.index.get_level_values("method")) == {
        *("subset", "subset_2pl", "adaptive", "adaptive_2pl", "random")
    }
    assert (stated > 0.8).all()


def test_a_family_that_cannot_be_left_out_is_counted_with_the_reason(bank, monkeypatch):
    true = replay.short_forms

    def without_one(name, known, families, *others):
        if "3" not in families:
            raise InputError("no such bank")
        return true(name, known, families, *others)

    monkeypatch.setattr(replay, "short_forms", without_one)
    found = replay.subset_errors("mine", *bank, [30], [], 2, 1)
    assert set(found["families"]) == {8}
    assert set(found["refused"]) == {1}
    assert set(found["reason"]) == {"no such bank"}
    monkeypatch.setattr(
        replay, "short_forms", lambda *_: (_ for _ in ()).throw(InputError("never"))
    )
    with pytest.raises(InputError, match="mine: never"):
        replay.subset_errors("mine", *bank, [30], [], 2, 1)


def test_without_guessing_the_two_parameter_model_is_what_is_used(table):
    numbers = table.set_index(["method", "n_items"]).drop(columns=["bank", "reason"])
    assert numbers.loc["subset"].equals(numbers.loc["subset_2pl"])
    assert numbers.loc["adaptive"].equals(numbers.loc["adaptive_2pl"])


def test_with_guessing_both_are_tried(monkeypatch):
    cells = simulation.answered(np.random.default_rng(8), simulation.none, 0.25)
    items = [f"i{number}" for number in range(simulation.ITEMS)]
    guessed = Bank([f"m{row}" for row in range(54)], items, cells)
    monkeypatch.setattr(short_form, "believed", lambda *_: Guessing(0.25, 0.2, 0.3))
    families = simulation.FAMILY.astype(str).tolist()
    found = replay.subset_errors("mine", guessed, families, [40], [40], 2, 1)
    numbers = found.set_index("method")["rms_error"]
    assert numbers["subset"] != numbers["subset_2pl"]
    assert numbers["subset"] < numbers["random"]
    assert numbers["adaptive"] < numbers["adaptive_2pl"]
