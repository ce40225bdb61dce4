import numpy as np
import pytest

from saturation.adaptive import fit, frontier, model, synthetic
from saturation.adaptive.abilities import eap_ability
from saturation.adaptive.frontier import estimates
from saturation.adaptive.responses import Bank
from saturation.adaptive.schemas import ABILITIES, ITEM_PARAMETERS, ITEMS
from saturation.files.schema import validate


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(3)
    a, b = np.exp(random.normal(0.2, 0.4, 40)), random.normal(0, 1, 40)
    responses = synthetic.draw(random.normal(size=25), a, b, random)
    responses[:, 0], responses[:, 1], responses[2], responses[3, 2:5] = 1, 0, 1, model.MISSING
    responses[2, 1] = model.MISSING
    return Bank([f"m{n}" for n in range(25)], [f"q{n}" for n in range(40)], responses)


@pytest.mark.parametrize("slopes", ["positive", "signed"])
def test_tables_hold_the_fit(bank, slopes):
    tables, fitted = estimates(bank, slopes), fit.fit(bank.responses, slopes)
    assert tables.item_parameters["item"].tolist() == bank.items
    for name in ("discrimination", "difficulty"):
        np.testing.assert_array_equal(tables.item_parameters[name], getattr(fitted, name))
        np.testing.assert_array_equal(tables.items[f"{name}_se"], getattr(fitted, f"{name}_se"))
    np.testing.assert_array_equal(tables.abilities["ability_se"], fitted.ability_se)
    mean, sd = eap_ability(bank.responses, fitted.discrimination, fitted.difficulty)
    np.testing.assert_array_equal(tables.abilities["ability_eap"], mean)
    np.testing.assert_array_equal(tables.abilities["ability_eap_sd"], sd)
    judged = frontier.items(bank.responses, fitted.ability)
    np.testing.assert_array_equal(tables.items["signed_slope"], judged["signed_slope"])
    for table, schema in (
        (tables.item_parameters, ITEM_PARAMETERS),
        (tables.items, ITEMS),
        (tables.abilities, ABILITIES),
    ):
        validate(table, schema, "table")


def test_facts_count_what_the_fit_can_say_little_about(bank):
    facts = estimates(bank, "positive").facts
    assert facts["missing_cells"] == 4
    assert (facts["n_respondents"], facts["n_items"]) == (25, 40)
    assert (facts["items_all_right"], facts["items_all_wrong"]) == (1, 1)
    assert facts["respondents_all_right_or_wrong"] == 1
    assert facts["negative_raw_slopes"] == 0
    assert -np.log(2) < facts["log_likelihood_per_response"] < 0
    assert facts["slopes"] == "positive"
    assert set(facts["prior"]) == {
        "log_discrimination_mean",
        "log_discrimination_sd",
        "difficulty_mean",
        "difficulty_sd",
        "correlation",
    }


def test_only_items_that_abler_respondents_miss_have_a_negative_slope(bank):
    answers = bank.responses.copy()
    answers[:, 5] = 1 - answers[:, 5]  # no cell of it is missing
    turned = Bank(bank.respondents, bank.items, answers)
    assert estimates(turned, "signed").facts["negative_raw_slopes"] == 1 / 40
