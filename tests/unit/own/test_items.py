"""What item responses say beyond the mean: information, suspects and consistency."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.adaptive import fit as adaptive_fit
from saturation.adaptive import misfit
from saturation.errors import InputError
from saturation.own import card as own_items
from saturation.statistics import standard_errors


def answers(abilities, items, seed=0):
    """Right or wrong answers of models of these abilities to items of random difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1, items)
    return pd.concat(
        pd.DataFrame(
            {
                "model": f"m{i}",
                "item": [f"q{j}" for j in range(items)],
                "cluster": "",
                "configuration": "",
                "response": (rng.random(items) < 1 / (1 + np.exp(hard - ability))).astype(float),
            }
        )
        for i, ability in enumerate(abilities)
    )


def test_information_falls_where_the_frontier_outgrows_the_items():
    near = answers(np.linspace(-2, 0.5, 12), 120)
    far = answers(np.linspace(-2, 4.5, 12), 120)
    shares = [
        own_items.measurement(
            standard_errors.item_matrix(given)[0], 0.95
        ).information.share_of_highest
        for given in (near, far)
    ]
    assert shares[1] < 0.5 < shares[0]


def test_a_model_that_is_rejected_is_doubted():
    """Twelve models in pairs that answer alike, and twelve that do not."""
    single = answers(np.linspace(-2, 2, 12), 120, seed=1)
    matrix, _ = standard_errors.item_matrix(single)
    assert own_items.measurement(matrix, 0.95).doubt == ""
    paired = matrix.copy()
    paired.iloc[:, 1::2] = matrix.iloc[:, ::2].to_numpy()
    doubt = own_items.measurement(paired, 0.95).doubt
    assert doubt.startswith("the item response model is rejected: a second dimension")
    few = own_items.measurement(matrix.iloc[:, :2], 0.95)
    assert few.doubt == ""
    assert few.guessing == ""


def test_a_floor_that_is_needed_is_used_and_said(monkeypatch):
    matrix, _ = standard_errors.item_matrix(answers(np.linspace(-2, 2, 12), 120, seed=1))
    plain = own_items.measurement(matrix, 0.95)
    assert plain.guessing == ""
    monkeypatch.setattr(misfit, "believed", lambda *_: misfit.Guessing(0.2, 0.1, 0.3))
    found = own_items.measurement(matrix, 0.95)
    assert found.guessing.startswith("right answers are guessed with a chance of 0.20")
    assert found.information.information != plain.information.information


def test_a_floor_that_is_too_much_for_all_items_is_left_out(monkeypatch):
    matrix, _ = standard_errors.item_matrix(answers(np.linspace(-2, 2, 12), 120, seed=1))
    plain = own_items.measurement(matrix, 0.95)
    real = adaptive_fit.fit

    def refused(responses, slopes, share=0.0):
        if share:
            raise InputError("too little is known")
        return real(responses, slopes)

    monkeypatch.setattr(misfit, "believed", lambda *_: misfit.Guessing(0.2, 0.1, 0.3))
    monkeypatch.setattr(adaptive_fit, "fit", refused)
    assert own_items.measurement(matrix, 0.95) == plain


def test_a_flipped_label_is_the_first_suspect():
    responses = answers(np.linspace(-2, 3, 24), 60, seed=3)
    wrong = responses["item"] == "q7"
    able = responses["model"].str[1:].astype(int) >= 12
    responses.loc[wrong, "response"] = (~able[wrong]).astype(float)
    matrix, _ = standard_errors.item_matrix(responses)
    found = own_items.measurement(matrix, 0.95).suspects
    first = found.lowest[0]
    assert first.item == "q7"
    assert first.share_right == matrix.loc["q7"].mean()
    assert first.signed_slope < 0
    assert len(found.lowest) == found.n_negative < 12
    # Holm over the items that are neither all right nor all wrong: the first times their number.
    tested = int(((matrix.mean(axis=1) > 0) & (matrix.mean(axis=1) < 1)).sum())
    assert first.p_adjusted == pytest.approx(tested * stats.norm.cdf(first.slope_z))
    for level, expected in (
        (1 - 1.001 * first.p_adjusted, 1),
        (1 - 0.999 * first.p_adjusted, 0),
    ):
        assert own_items.measurement(matrix, level).suspects.n_suspects == expected


def test_few_models_or_graded_or_equal_responses_are_not_judged():
    few, _ = standard_errors.item_matrix(answers([0, 1], 30))
    assert "2 models" in own_items.measurement(few, 0.95).suspects.abstains
    graded, _ = standard_errors.item_matrix(answers(np.arange(9), 30))
    assert "not 0 or 1" in own_items.measurement(graded * 0.5, 0.95).information.abstains
    same = own_items.measurement(graded * 0, 0.95)
    assert "alike" in same.suspects.abstains


def test_consistency_beside_chance():
    one = answers([0], 50).assign(configuration="a")
    other = one.assign(configuration="b")
    (found,) = own_items.consistency(pd.concat([one, other])).models
    assert found.consistency == 1
    p = one["response"].mean()
    assert found.chance == pytest.approx(p**2 + (1 - p) ** 2)
    (opposite,) = own_items.consistency(
        pd.concat([one, other.assign(response=1 - one["response"])])
    ).models
    assert opposite.consistency == 0
    assert own_items.consistency(one).abstains


def test_information_by_hand():
    """Two items: a^2 p (1 - p) at the best model, whose ability is that of the second item."""
    fitted = SimpleNamespace(
        ability=np.array([-1.0, 0.0, 1.0]),
        discrimination=np.array([2.0, 1.0]),
        difficulty=np.array([-1.0, 1.0]),
        floor=0.0,
    )
    found = own_items.information(fitted)
    p = 1 / (1 + np.exp(-4))
    expected = 4 * p * (1 - p) + 0.25
    at_first = 4 * 0.25 + (1 / (1 + np.exp(2))) * (1 / (1 + np.exp(-2)))
    assert found.ability == 1
    assert found.information == pytest.approx(expected)
    assert found.ability_se == pytest.approx(expected**-0.5)
    assert found.highest_information == pytest.approx(at_first, abs=0.01)
    assert found.share_of_highest == pytest.approx(expected / found.highest_information)
    assert (found.items_with_half, found.n_items) == (1, 2)


def test_answers_without_a_common_ability_are_not_measured():
    matrix, _ = standard_errors.item_matrix(answers(np.linspace(-1, 1, 12), 30))
    guesses = matrix * 0 + np.random.default_rng(2).integers(0, 2, matrix.shape)
    found = own_items.measurement(guesses, 0.95)
    for part in ("information", "suspects"):
        assert "no ability that items have in common" in getattr(found, part).abstains
    assert found.doubt == ""


def test_eight_models_are_enough():
    matrix, _ = standard_errors.item_matrix(answers(np.linspace(-2, 2, 8), 100))
    assert own_items.measurement(matrix, 0.95).information.abstains is None
    seven = own_items.measurement(matrix.iloc[:, :7], 0.95).information.abstains
    assert seven == "7 models with item responses; 8 are needed"


def configured(scores, configuration, model="m"):
    names = [f"q{i:02d}" for i in range(len(scores))]
    return pd.DataFrame(
        {"model": model, "item": names, "configuration": configuration, "response": scores}
    )


def test_consistency_by_hand():
    responses = pd.concat(
        [
            configured([1, 1, 0, 0, 1.0], "a"),
            configured([1, 0, 0, 0, 1.0], "b"),
            configured([1, 1, 0, 1.0], "c"),  # the last item is not in all three
            configured([1, 0.0], "a", "only one"),
        ]
    )
    (found,) = own_items.consistency(responses).models
    assert found == own_items.ModelConsistency(
        model="m",
        n_configurations=3,
        n_items=4,
        consistency=0.5,
        chance=pytest.approx(2 / 2**3),  # right half of the time, three times
        lowest_mean=0.25,
        highest_mean=0.75,
    )


def test_consistency_abstains_without_shared_items_or_configurations():
    apart = pd.concat([configured([1.0], "a"), configured([1.0], "b").assign(item="other")])
    assert "same items in two" in own_items.consistency(apart).abstains
    assert "more than one" in own_items.consistency(configured([1.0], "a")).abstains
    assert "more than one" in own_items.consistency(configured([1.0], "a").iloc[:0]).abstains


def test_consistency_of_graded_scores_is_of_equal_ones_and_models_come_in_order():
    responses = pd.concat(
        configured(scores, configuration, model)
        for model in ("z", "a")
        for configuration, scores in (("x", [0.5, 0.25]), ("y", [0.5, 0.75]))
    )
    models = own_items.consistency(responses).models
    assert [row.model for row in models] == ["a", "z"]
    assert [row.consistency for row in models] == [0.5, 0.5]
    assert models[0].chance == pytest.approx(0.5)
