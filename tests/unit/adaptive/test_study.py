import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, schemas, synthetic
from saturation.adaptive.frontier import estimates
from saturation.adaptive.study import BankInput, Settings, Truth, quantities, study
from saturation.files.schema import validate
from saturation.files.tables import as_written

LIKE = {
    "log_discrimination_mean": 0.2,
    "log_discrimination_sd": 0.5,
    "difficulty_mean": 0.2,
    "difficulty_sd": 1.0,
    "correlation": -0.3,
}


@pytest.fixture(scope="module")
def collection():
    """Two synthetic banks of 60 items, and what their study makes of them."""
    people = synthetic.respondents(3, 2)
    made = {name: synthetic.bank(name, LIKE, 60, people, 7) for name in ("one", "two")}
    settings = Settings(7, evaluation.Settings((10, 50), 3), top=3)
    banks = {
        name: BankInput(drawn.bank, people, truth=Truth(drawn.true_items, drawn.true_abilities))
        for name, drawn in made.items()
    }
    return made, study("both", banks, settings)


SCHEMAS = {
    "respondents": schemas.ANSWERED,
    "item_parameters": schemas.ITEM_PARAMETERS,
    "items": schemas.ITEMS,
    "abilities": schemas.ABILITIES,
    "administrations": schemas.ADMINISTRATIONS,
    "models": schemas.MODELS,
    "stopping": schemas.STOPPING,
    "frontier": schemas.FRONTIER,
    "top": schemas.TOP,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_others_read_fits_its_schema(collection, name):
    validate(as_written(getattr(collection[1].banks["one"], name)), SCHEMAS[name], name)


def test_banks_are_each_others_partners_and_judge_validity(collection):
    _, tables = collection
    assert tables.partners["serves"].all()
    assert tables.banks["one"].models["rank_distance"].notna().all()
    assert tables.table1["synthetic"].all()
    assert tables.banks["one"].recovery["synthetic"].all()
    assert tables.breakdown is None


def test_the_fit_is_of_the_bank_and_the_quantities_are_of_the_tables(collection):
    made, tables = collection
    fitted = estimates(made["one"].bank, "positive")
    pd.testing.assert_frame_equal(tables.banks["one"].items, fitted.items)
    values = quantities([tables]).set_index("quantity")["value"]
    assert values["one_n_items"] == 60
    assert values["two_stopping_items"] == tables.banks["two"].stopping["n_items"].median()
    partner = tables.partners["spearman"].iloc[0]
    assert values["one_best_partner_correlation"] == pytest.approx(partner, rel=1e-9)
    row = tables.summary.query("method == 'fluid' and n_items == 50 and measure == 'monotonicity'")
    found = values["both_fluid_monotonicity_50"]
    assert found == pytest.approx(row["value"].item(), rel=1e-9)


def test_published_parameters_take_the_place_of_fitted_ones(collection):
    made, _ = collection
    drawn = made["one"]
    known = evaluation.Calibration(
        drawn.true_items, drawn.true_abilities["ability"].to_numpy(float)
    )
    given = BankInput(drawn.bank, synthetic.respondents(3, 2), known=known)
    tables = study("paper", {"one": given}, Settings(7, evaluation.Settings((10, 50), 3), top=3))
    used = tables.banks["one"].stopping["difficulty_given"]
    assert set(tables.banks["one"].administrations["item"]) <= set(drawn.true_items["item"])
    assert used.between(
        drawn.true_items["difficulty"].min(), drawn.true_items["difficulty"].max()
    ).all()
    values = tables.breakdown.set_index("quantity")["value"]
    assert values["paper_n_test_models"] == 6
    assert values["paper_n_training_models"] == len(drawn.true_abilities)


def test_a_synthetic_bank_is_the_same_wherever_it_stands(collection):
    made, _ = collection
    alone = synthetic.bank("two", LIKE, 60, synthetic.respondents(3, 2), 7)
    np.testing.assert_array_equal(alone.bank.responses, made["two"].bank.responses)
    other = synthetic.bank("two", LIKE, 60, synthetic.respondents(3, 2), 8)
    assert (other.bank.responses != made["two"].bank.responses).any()
    assert alone.bank.items[:2] == ["two_1", "two_2"]
    assert alone.true_items["synthetic"].all()
    assert alone.true_abilities["ability"].std(ddof=0) == pytest.approx(1)
    # Banks share their respondents: their abilities agree but for the bank's own deviations.
    both = np.corrcoef(made["one"].true_abilities["ability"], alone.true_abilities["ability"])
    assert 0.9 < both[0, 1] < 1
