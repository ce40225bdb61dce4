"""Specifications: distinct, sampled at random, the reference always among them."""

import numpy as np
import pytest

from saturation import seeds
from saturation.multiverse import specifications as drawn_from
from saturation.multiverse.evaluation import evaluate
from saturation.multiverse.specifications import (
    CONCLUSIONS,
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    REFERENCE_OUTCOME,
)

KEYS = [*DESIGN_COLUMNS, *OUTCOME_COLUMNS]


@pytest.mark.parametrize("conclusion", CONCLUSIONS.values(), ids=lambda conclusion: conclusion.name)
def test_specifications_are_distinct_and_hold_the_reference(multiverse_data, choices, conclusion):
    rng = np.random.default_rng(1)
    drawn = drawn_from.specifications(multiverse_data, conclusion, choices, 30, rng)
    assert len(drawn) == 30
    assert not drawn.duplicated(KEYS).any()
    assert drawn["reference"].sum() == 1
    everything = drawn_from.specifications(multiverse_data, conclusion, choices, 10**6, rng)
    assert len(everything) == drawn["possible"].iloc[0]
    assert not everything.duplicated(KEYS).any()
    # Two specifications with the same numbers would count one analysis twice.
    effect, z = evaluate(multiverse_data, drawn, np.arange(60)[None])
    assert np.isfinite(effect).all()
    assert np.isfinite(z).all()


def test_the_reference_is_the_papers_outcome_with_the_first_of_every_other_choice(
    multiverse_data, choices
):
    everything = drawn_from.specifications(
        multiverse_data, CONCLUSIONS["h4"], choices, 10**6, np.random.default_rng(0)
    )
    reference = everything[everything["reference"]].iloc[0]
    assert reference[OUTCOME_COLUMNS].tolist() == list(vars(REFERENCE_OUTCOME).values())
    assert reference[DESIGN_COLUMNS].tolist() == [
        "h4", "primary", "none", "not_used", "nothing", "student",
    ]  # fmt: skip
    without = drawn_from.specifications(
        multiverse_data, CONCLUSIONS["h4"], choices | {"k": [3]}, 20, np.random.default_rng(0)
    )
    assert len(without) == 20
    assert not without["reference"].any()


def test_as_many_as_are_possible_is_all_and_one_fewer_is_a_sample(multiverse_data, choices):
    def count(size):
        rng = np.random.default_rng(3)
        return drawn_from.specifications(multiverse_data, CONCLUSIONS["h5"], choices, size, rng)

    everything = count(10**6)
    assert count(len(everything)).equals(everything)
    sampled = count(len(everything) - 1)
    assert len(sampled) == len(everything) - 1
    assert (sampled["possible"] == len(everything)).all()


def test_every_other_specification_is_drawn_alike(multiverse_data, choices):
    """Each of the others is in a sample of half of them about every second time."""
    slim = choices | {"test": ["student"], "excluded": ["nothing"], "alpha": [0.5], "k": [5]}
    everything = drawn_from.specifications(
        multiverse_data, CONCLUSIONS["h5"], slim, 10**6, np.random.default_rng(0)
    ).set_index(KEYS)
    counts = dict.fromkeys(everything.index, 0)
    half, rounds = len(everything) // 2, 300
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        sample = drawn_from.specifications(multiverse_data, CONCLUSIONS["h5"], slim, half, rng)
        for key in sample.set_index(KEYS).index:
            counts[key] += 1
    others = [counts[key] for key in everything.index[~everything["reference"]]]
    assert counts[everything.index[everything["reference"]][0]] == rounds
    share = (half - 1) / (len(everything) - 1)
    assert 0.8 * share < min(others) / rounds <= max(others) / rounds < 1.2 * share


def test_each_conclusion_is_drawn_from_a_stream_of_its_own(multiverse_data, choices):
    table = drawn_from.all_conclusions(multiverse_data, choices, 20, 1, "reduced")
    assert table["conclusion"].tolist() == [name for name in CONCLUSIONS for _ in range(20)]
    rng = seeds.generator(1, "multiverse", "specifications", "reduced", "quality")
    alone = drawn_from.specifications(multiverse_data, CONCLUSIONS["quality"], choices, 20, rng)
    assert alone.equals(table[table["conclusion"] == "quality"].reset_index(drop=True))
