"""Specifications evaluated: whole designs, in any number of chunks, with one set of orders."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation import seeds
from saturation.multiverse import evaluation
from saturation.multiverse.specifications import (
    CONCLUSIONS,
    DESIGN_COLUMNS,
    REFERENCE_OUTCOME,
    specifications,
)


@given(chunks=st.integers(1, 12))
def test_chunks_partition_the_specifications_without_splitting_a_design(chunks):
    designs = np.repeat(np.arange(7), [1, 5, 2, 9, 1, 1, 3])
    table = pd.DataFrame({name: designs if name == "grouping" else 0 for name in DESIGN_COLUMNS})
    chunk = evaluation.chunk_of(table, chunks)
    assert chunk.min() >= 0
    assert chunk.max() < chunks
    assert (np.diff(chunk) >= 0).all()
    assert len(set(zip(designs, chunk))) == len(set(designs))


def test_a_design_goes_to_the_chunk_in_which_it_starts():
    designs = np.repeat(np.arange(4), [3, 3, 4, 2])
    table = pd.DataFrame(dict.fromkeys(DESIGN_COLUMNS, designs))
    assert evaluation.chunk_of(table, 3).tolist() == [0] * 6 + [1] * 4 + [2] * 2


def test_chunks_evaluate_to_the_same_bytes_as_the_whole(multiverse_data, choices):
    rng = np.random.default_rng(1)
    table = specifications(multiverse_data, CONCLUSIONS["h3"], choices, 40, rng)
    orders = evaluation.orders_of(multiverse_data, 19, 1, "reduced")
    whole = evaluation.evaluate(multiverse_data, table, orders)
    chunk = evaluation.chunk_of(table, 3)
    assert set(chunk) == {0, 1, 2}
    parts = [evaluation.evaluate(multiverse_data, table[chunk == c], orders) for c in range(3)]
    for place in (0, 1):
        joined = np.concatenate([part[place] for part in parts])
        np.testing.assert_array_equal(joined, whole[place])


def test_orders_follow_from_the_seed_and_the_size(multiverse_data):
    orders = evaluation.orders_of(multiverse_data, 5, 1, "reduced")
    rng = seeds.generator(1, "multiverse", "permutations", "reduced")
    by_hand = rng.permuted(np.tile(np.arange(60), (5, 1)), axis=1)
    np.testing.assert_array_equal(orders[1:], by_hand)
    assert not np.array_equal(orders, evaluation.orders_of(multiverse_data, 5, 1, "full"))


def test_a_design_that_cannot_be_estimated_is_named(multiverse_data, aged):
    design = dataclasses.replace(aged("test_size", "log_n", "log_n", "student"))
    table = pd.DataFrame([{**vars(design), **vars(REFERENCE_OUTCOME)}])
    with pytest.raises(ValueError, match=r"grouping='log_n'.*cannot be estimated"):
        evaluation.evaluate(multiverse_data, table, np.arange(60)[None])
