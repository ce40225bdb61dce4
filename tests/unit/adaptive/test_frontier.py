import numpy as np
import pandas as pd

from saturation.adaptive import frontier, model


def test_curve_is_the_inverse_root_of_the_summed_information():
    a, b = np.array([1.0, 2.0]), np.array([0.0, 1.0])
    table = frontier.curve(np.array([0.0, 1.0]), a, b)
    np.testing.assert_allclose(
        table["information"], model.information(np.array([0.0, 1.0]), a, b).sum(axis=1)
    )
    np.testing.assert_allclose(table["se"] ** -2, table["information"])


def test_top_models_takes_each_model_once():
    people = pd.DataFrame({"model": ["x", "x", "y", "z"]})
    found = frontier.top_models(people, np.array([3.0, 2.0, 1.0, 2.5]), 3)
    assert found.tolist() == [0, 3, 2]


def test_items_flags_constants_and_ranks_the_misleading_item_first():
    ability = np.linspace(-2, 2, 40)
    good = (ability > 0).astype(np.int8)
    responses = np.column_stack([good, 1 - good, np.ones(40), np.zeros(40)]).astype(np.int8)
    table = frontier.items(responses, ability)
    assert table["suspicion_rank"].iloc[1] == 1
    assert table["suspicion_rank"].isna().tolist() == [False, False, True, True]
    assert table["all_right"].tolist() == [False, False, True, False]
    assert table["all_wrong"].tolist() == [False, False, False, True]


def test_smallest_set():
    sizes = pd.DataFrame({"n_items": range(1, 7), "kept": [False, True, False, True, True, True]})
    assert frontier.smallest_set(sizes) == (2, 4)
    assert frontier.smallest_set(sizes.iloc[:3]) == (2, None)
    assert frontier.smallest_set(sizes.iloc[:1]) == (None, None)
    assert frontier.smallest_set(sizes.iloc[3:]) == (4, 4)


def test_ranking_by_size_recognises_the_full_ranking():
    responses = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], dtype=np.int8)
    a, b = np.ones(3), np.array([-1.0, 0.0, 1.0])
    table = frontier.ranking_by_size(responses, a, b, np.array([1.0, 0.0, -1.0]), 3)
    assert table["kept"].iloc[-1]
    assert not table["kept"].iloc[0]
