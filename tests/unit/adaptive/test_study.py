import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, schemas, synthetic
from saturation.adaptive.frontier import estimates
from saturation.adaptive.study import Settings, study
from saturation.files.schema import validate

LIKE = {
    "log_discrimination_mean": 0.2,
    "log_discrimination_sd": 0.5,
    "difficulty_mean": 0.2,
    "difficulty_sd": 1.0,
    "correlation": -0.3,
}


@pytest.fixture(scope="module")
def collection():
    """Two synthetic banks of 60 items, with the truth of the first."""
    people = synthetic.respondents(3, 2)
    made = {name: synthetic.bank(name, LIKE, 60, people, 7) for name in ("one", "two")}
    banks = {name: drawn.bank for name, drawn in made.items()}
    settings = Settings(7, evaluation.Settings((10, 50), 3), top=3, synthetic=True)
    return made, study("both", banks, dict.fromkeys(banks, people), settings)


SCHEMAS = {
    "one/item_parameters": schemas.ITEM_PARAMETERS,
    "one/items": schemas.ITEMS,
    "one/abilities": schemas.ABILITIES,
    "one/administrations": schemas.ADMINISTRATIONS,
    "one/models": schemas.MODELS,
    "one/quality": schemas.QUALITY,
    "one/scores": schemas.SCORES,
    "one/stopping": schemas.STOPPING,
    "one/frontier": schemas.FRONTIER,
    "one/top": schemas.TOP,
    "partners": schemas.PARTNERS,
    "summary": schemas.QUALITY,
    "quantities": schemas.QUANTITIES,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_table_is_what_its_stage_writes(collection, name):
    validate(collection[1][name].replace("", np.nan), SCHEMAS[name], name)


def test_it_has_all_tables_of_both_banks(collection):
    _, tables = collection
    per_bank = {name.split("/")[1] for name in SCHEMAS if "/" in name} | {"sizes", "suspects"}
    assert {name.split("/")[1] for name in tables if name.startswith("two/")} == per_bank
    assert {name for name in tables if "/" not in name} == {
        "table1",
        "table2",
        "table3",
        "summary",
        "contrasts",
        "partners",
        "quantities",
    }
    assert tables["table1"]["synthetic"].all()


def test_banks_are_each_others_partners_and_judge_validity(collection):
    _, tables = collection
    assert tables["partners"]["serves"].all()
    assert tables["one/models"]["rank_distance"].notna().all()


def test_the_fit_is_of_the_bank_and_the_quantities_are_of_the_tables(collection):
    made, tables = collection
    fitted = estimates(made["one"].bank, "positive")
    pd.testing.assert_frame_equal(tables["one/items"], fitted.items)
    values = tables["quantities"].set_index("quantity")["value"]
    assert values["one_n_items"] == 60
    assert values["two_stopping_items"] == tables["two/stopping"]["n_items"].median()
    assert values["one_best_partner_correlation"] == tables["partners"]["spearman"].iloc[0]
    row = tables["summary"].query(
        "method == 'fluid' and n_items == 50 and measure == 'monotonicity'"
    )
    assert values["both_fluid_monotonicity_50"] == row["value"].item()


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
