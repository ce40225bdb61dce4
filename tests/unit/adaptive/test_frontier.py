import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import fit, frontier, model, synthetic
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.responses import Bank


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
    # The item that informs most at the three abilities is the middle one.
    first, _ = map_ability(responses[:, [1]], a[[1]], b[[1]])
    gaps = first[:-1] - first[1:]
    assert table["smallest_gap"].iloc[0] == pytest.approx(gaps.min(), abs=1e-12)
    assert gaps.min() == 0
    assert table["n_items"].tolist() == [1, 2, 3]
    assert len(frontier.ranking_by_size(responses, a, b, np.array([1.0, 0.0, -1.0]), 2)) == 2


def test_all_of_the_top_of_a_bank():
    responses = np.array(
        [[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, -1]], dtype=np.int8
    )
    bank = Bank(list("vwxyz"), ["q0", "q1", "q2", "q3"], responses)
    people = pd.DataFrame({"model": list("mmnon"), "family": list("mmnon")})
    ability = np.array([1.5, 0.5, -1.0, -1.5, 0.4])
    judged = frontier.items(responses, ability)
    items = pd.concat(
        [
            pd.DataFrame(
                {
                    "item": bank.items,
                    "discrimination": [1.0, 2.0, 1.0, 0.5],
                    "difficulty": [-2.0, 0.0, 1.0, 0.0],
                }
            ),
            judged,
        ],
        axis=1,
    )
    top = frontier.frontier(bank, people, items, ability, 2)
    assert top.top["respondent"].tolist() == ["v", "z"]
    assert top.top["ability"].tolist() == [1.5, 0.4]
    assert len(top.curve) == 201
    assert (top.curve["ability"].iloc[0], top.curve["ability"].iloc[-1]) == (-2.5, 2.5)
    # The first item is all right; of the others the last is answered by the weaker.
    assert top.suspects["item"].tolist()[0] == "q3"
    assert top.suspects["suspicion_rank"].tolist() == [1, 2, 3]
    slope, se = fit.signed_slopes(responses, ability)
    assert top.facts == {
        "n_items": 4,
        "items_all_right": 1,
        "items_all_wrong": 0,
        "negative_slope_share": float((slope < 0).mean()),
        "suspects_beyond_two_se": int((slope[1:] / se[1:] < -2).sum()),
        "suspects_after_holm": 0,
        "suspects_of_labels": 0,
        "suspects_of_shared_bias": 0,
        # Of few negative slopes nothing is said.
        "negative_slopes_on_one_side": None,
        "other_slopes_on_that_side": None,
        "se_at_top": float(top.top["se"].max()),
        "smallest_gap_at_top": pytest.approx(1.1),
        "smallest_set_first": frontier.smallest_set(top.sizes)[0],
        "smallest_set_stable": frontier.smallest_set(top.sizes)[1],
    }


def test_shares_and_slopes_of_items_count_the_cells_that_there_are():
    responses = np.array([[1, 0], [0, 1], [-1, 1]], dtype=np.int8)
    ability = np.array([1.0, -1.0, 0.0])
    table = frontier.items(responses, ability)
    assert table["n"].tolist() == [2, 3]
    assert table["share_right"].tolist() == [0.5, pytest.approx(2 / 3)]
    slope, se = fit.signed_slopes(responses, ability)
    np.testing.assert_allclose(table["slope_z"], slope / se)
    assert table["suspicion_rank"].tolist() == [2, 1]


def test_suspects_are_beyond_two_standard_errors():
    bank = Bank(["a", "b"], ["x", "y"], np.array([[1, 0], [0, 1]], dtype=np.int8))
    people = pd.DataFrame({"model": ["a", "b"], "family": ["a", "b"]})
    items = pd.DataFrame({"discrimination": [1.0, 1], "difficulty": [0.0, 0], "all_right": False})
    items = items.assign(all_wrong=False, signed_slope=[-1.0, 1], suspicion_rank=[1, 2])
    for z, count in ((-2.0, 0), (-2.001, 1)):
        top = frontier.frontier(bank, people, items.assign(slope_z=[z, 1]), np.array([1.0, 0]), 2)
        assert top.facts["suspects_beyond_two_se"] == count


def test_suspects_are_counted_by_what_they_look_like():
    """Of forty items with their labels turned most are found, and none is put down to a bias."""
    random = np.random.default_rng(1)
    ability = random.normal(size=60)
    a, b = np.full(200, 1.5), random.normal(0, 1, 200)
    responses = synthetic.draw(ability, a, b, random)
    responses[:, :40] = 1 - responses[:, :40]
    names = [f"m{number}" for number in range(60)]
    bank = Bank(names, [f"q{number}" for number in range(200)], responses)
    items = frontier.items(responses, ability).assign(
        item=bank.items, discrimination=1.0, difficulty=0.0
    )
    people = pd.DataFrame({"model": names, "family": names})
    top = frontier.frontier(bank, people, items, ability, 2)
    assert 5 <= top.facts["suspects_after_holm"] < top.facts["suspects_of_labels"] <= 45
    assert top.facts["suspects_of_labels"] >= 25
    assert top.facts["suspects_of_shared_bias"] == 0
    assert 0.5 <= top.facts["negative_slopes_on_one_side"] < 0.8
    assert 0 < top.facts["other_slopes_on_that_side"] < 1
    listed = top.suspects.set_index("item")
    assert (listed["reading"] == "label").sum() == top.facts["suspects_of_labels"]
    assert listed.loc["q0", "clustered_se"] > 0
