"""Items are fitted without each family in turn; accuracies are shares of the cells that exist."""

import numpy as np
import pytest

from saturation.adaptive import folds, model, subsets
from saturation.errors import InputError


def test_no_fold_sees_the_family_that_it_evaluates(evaluated):
    people, responses, parts, _, _ = evaluated
    covered = np.concatenate([part.rows for part in parts])
    assert sorted(covered) == list(range(len(people)))
    for part in parts:
        held_out, others = people["family"].iloc[part.rows], people["family"].iloc[part.training]
        assert not set(held_out) & set(others)
    changed, place = responses.copy(), np.arange(len(people), dtype=float)
    changed[parts[0].rows] = 1 - changed[parts[0].rows]
    again = folds.folds(changed, people["family"].tolist(), place)
    assert np.corrcoef(again[0].items.discrimination, parts[0].items.discrimination)[
        0, 1
    ] == pytest.approx(1)


def test_a_fit_that_is_refused_names_the_family_left_out(evaluated):
    people, responses, _, _, _ = evaluated
    alike = responses.copy()
    alike[people["family"] != "family2"] = responses[0]
    with pytest.raises(InputError, match="without the family 'family2': responses: all resp"):
        folds.folds(alike, people["family"].tolist(), np.arange(30.0))


def test_accuracy_counts_the_cells_that_there_are():
    responses = np.array([[1, 0, -1], [-1, -1, -1], [1, 1, 1]], dtype=np.int8)
    assert model.accuracy(responses).tolist() == [0.5, 0, 1]
    weighted = subsets.WeightedSubset(np.array([0, 1]), np.array([0.25, 0.75]))
    assert folds.weighted_accuracy(responses, weighted).tolist() == [0.25, 0, 1]
