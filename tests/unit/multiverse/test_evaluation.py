"""Specifications evaluated: one set of orders for all."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.multiverse import evaluation
from saturation.multiverse.specifications import (
    REFERENCE_OUTCOME,
)


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
