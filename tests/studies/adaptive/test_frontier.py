import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import fit, model
from saturation.adaptive.responses import Bank
from studies.adaptive import frontier
from validation import answers as made_up


def test_items_flags_constants_and_ranks_the_misleading_item_first():
    ability = np.linspace(-2, 2, 40)
    good = (ability > 0).astype(np.int8)
    responses = np.column_stack([good, 1 - good, np.ones(40), np.zeros(40)]).astype(np.int8)
    responses[::10, 1] = model.MISSING
    table = frontier.items(responses, ability)
    assert table["suspicion_rank"].iloc[1] == 1
    assert table["suspicion_rank"].isna().tolist() == [False, False, True, True]
    assert table["all_right"].tolist() == [False, False, True, False]
    assert table["all_wrong"].tolist() == [False] * 3 + [True]
    assert table["n"].tolist() == [40, 36, 40, 40]
    assert table["share_right"].tolist() == [0.5, 0.5, 1.0, 0.0]
    slope, se = fit.signed_slopes(responses, ability)
    np.testing.assert_allclose(table["slope_z"][:2], (slope / se)[:2])


def test_smallest_set():
    sizes = pd.DataFrame({"n_items": range(1, 7), "kept": [False, True, False, True, True, True]})
    assert frontier.smallest_set(sizes) == 4
    assert frontier.smallest_set(sizes.iloc[:3]) is None
    assert frontier.smallest_set(sizes.iloc[3:]) == 4


def test_ranking_by_size_recognises_the_full_ranking():
    responses = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], dtype=np.int8)
    a, b = np.ones(3), np.array([-1.0, 0.0, 1.0])
    table = frontier.ranking_by_size(responses, a, b, np.array([1.0, 0.0, -1.0]), 3)
    assert table["kept"].iloc[-1]
    assert not table["kept"].iloc[0]
    # The item that informs most at the three abilities is the middle one, which two answer alike.
    assert table["n_items"].tolist() == [1, 2, 3]
    assert len(frontier.ranking_by_size(responses, a, b, np.array([1.0, 0.0, -1.0]), 2)) == 2


def test_all_of_the_top_of_a_bank():
    responses = np.array(
        [[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, -1]], dtype=np.int8
    )
    bank = Bank(list("vwxyz"), ["q0", "q1", "q2", "q3"], responses)
    people = pd.DataFrame({"model": list("mmnon"), "family": list("mmnon")})
    ability = np.array([1.5, 0.5, -1.0, -1.5, 0.4])
    items = frontier.items(responses, ability).assign(
        item=bank.items, discrimination=[1.0, 2.0, 1.0, 0.5], difficulty=[-2.0, 0.0, 1.0, 0.0]
    )
    top = frontier.frontier(bank, people, items, ability, 2)
    errors = []
    for best in (1.5, 0.4):
        chance = 1 / (1 + np.exp(-items["discrimination"] * (best - items["difficulty"])))
        errors.append((items["discrimination"] ** 2 * chance * (1 - chance)).sum() ** -0.5)
    slope, _ = fit.signed_slopes(responses, ability)
    counts = {"n_items": 4, "items_all_right": 1, "items_all_wrong": 0}
    assert top["frontier"] == counts | {
        "smallest_set_stable": frontier.smallest_set(top["sizes"]),
        "negative_slope_share": (slope < 0).mean(),
        "se_at_top": pytest.approx(max(errors)),
        "smallest_gap_at_top": pytest.approx(1.1),
    }


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(3)
    a, b = np.exp(random.normal(0.2, 0.4, 40)), random.normal(0, 1, 40)
    responses = made_up.draw(random.normal(size=25), a, b, random)
    responses[:, 0], responses[:, 1], responses[2], responses[3, 2:5] = 1, 0, 1, model.MISSING
    responses[2, 1] = model.MISSING
    return Bank([f"m{n}" for n in range(25)], [f"q{n}" for n in range(40)], responses)


def test_tables_hold_the_fit(bank):
    tables, fitted = frontier.estimates(bank), fit.fit(bank.responses)
    assert tables["item_parameters"]["item"].tolist() == bank.items
    judged = frontier.items(bank.responses, fitted.ability)
    np.testing.assert_array_equal(tables["items"]["signed_slope"], judged["signed_slope"])
    for name in ("discrimination", "discrimination_se", "difficulty", "difficulty_se"):
        np.testing.assert_array_equal(tables["items"][name], getattr(fitted, name))
    np.testing.assert_array_equal(tables["abilities"]["ability_se"], fitted.ability_se)
    facts = tables["fit"]
    assert facts == {"rounds": fitted.rounds, "prior": fitted.prior, "missing_cells": 4}


def test_only_items_that_abler_respondents_miss_have_a_negative_slope(bank):
    answers = bank.responses.copy()
    answers[:, 5] = 1 - answers[:, 5]  # no cell of it is missing
    turned = Bank(bank.respondents, bank.items, answers)
    assert (frontier.estimates(turned)["items"]["slope_z"] < 0).mean() == 1 / 40
