import math
import re
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive.responses import Bank
from saturation.adaptive.schemas import ITEM_PARAMETERS
from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.files.tables import round_as_csv
from studies.adaptive import evaluation, schemas, study
from studies.adaptive.names import FLUID_BENCHMARKS, FLUID_MODELS
from studies.adaptive.study import BankInput, Settings
from studies.quantity import frame
from validation import answers as made_up


@pytest.fixture(scope="module")
def collection():
    """Two banks of 60 items, and what their study makes of them."""
    people, random = made_up.respondents(3, 2), np.random.default_rng(7)
    ability = made_up.trajectories(people, random)
    banks = {}
    for name in ("one", "two"):
        a, b = np.exp(random.normal(0.2, 0.5, 60)), random.normal(0.2, 1.0, 60)
        cells = made_up.draw(ability, a, b, random)
        items = [f"{name}_{number}" for number in range(60)]
        banks[name] = BankInput(Bank(people["respondent"].tolist(), items, cells), people)
    settings = Settings(7, evaluation.Settings((10, 50), 3), top=3)
    return banks, study.study("both", banks, settings)


@pytest.mark.parametrize(
    ("name", "schema", "bad"),
    [
        ("respondents", schemas.ANSWERED, {"checkpoint": 0}),
        ("item_parameters", ITEM_PARAMETERS, {"item": ""}),
    ],
)
def test_what_others_read_fits_its_schema_and_nothing_else(collection, name, schema, bad):
    table = round_as_csv(collection[1]["banks"]["one"][name])
    validate(table, schema, name)
    with pytest.raises(InputError, match=next(iter(bad))):
        validate(table.assign(**bad), schema, f"{name}.csv")


def test_quantities_are_of_the_tables(collection):
    tables = collection[1]
    values = study.quantities([tables]).set_index("quantity")["value"]
    assert tables["breakdown"] is None
    assert values["one_n_items"] == 60
    assert values["two_stopping_items"] == tables["banks"]["two"]["stopping"]["n_items"].median()
    partner = tables["partners"]["spearman"].iloc[0]
    assert values["one_best_partner_correlation"] == pytest.approx(partner, rel=1e-9)
    row = tables["summary"].query(
        "method == 'fluid' and n_items == 50 and measure == 'monotonicity'"
    )
    found = values["both_fluid_monotonicity_50"]
    assert found == pytest.approx(row["value"].item(), rel=1e-9)


def test_published_parameters_take_the_place_of_fitted_ones(collection):
    own, made = collection[0]["one"], collection[1]["banks"]["one"]
    ability = made["abilities"]["ability"].to_numpy(float)
    known = evaluation.Calibration(made["item_parameters"], ability)
    settings = Settings(7, evaluation.Settings((10, 50), 3), top=3)
    tables = study.study("paper", {"one": replace(own, known=known)}, settings)
    used, there = (
        tables["banks"]["one"]["stopping"]["difficulty_given"],
        made["items"]["difficulty"],
    )
    assert used.between(there.min(), there.max()).all()
    values = tables["breakdown"].set_index("quantity")["value"]
    assert values["paper_n_test_models"] == 6
    assert values["paper_n_training_models"] == len(ability)


def summary(rows):
    return pd.DataFrame(rows, columns=["method", "n_items", "measure", "value"])


def test_each_baseline_stands_beside_the_test_of_its_length():
    given = [("anchor_points", 10, 0.3), ("anchor_points", 50, 0.4), ("hard_magi", 0, 0.6)]
    given += [("irt_clusters", 100, 0.5), ("fluid", 10, 0.7), ("fluid", 50, 0.8)]
    rows = [(*row[:2], "monotonicity", row[2]) for row in (*given, ("fluid", 500, 0.9))]
    # Clusters have no test of a hundred items beside them.
    assert study.baselines(summary(rows), 500).to_numpy().tolist() == [
        ["monotonicity", "anchor_points", 10, 0.3, 10, 0.7],
        ["monotonicity", "anchor_points", 50, 0.4, 50, 0.8],
        ["monotonicity", "hard_magi", "all that are hard", 0.6, 500, 0.9],
    ]
    assert study.baselines(summary(rows[4:]), 10).empty


def test_ablations_have_a_column_a_length_in_the_papers_order():
    rows = [
        (method, size, measure, 100 * m + 10 * n + size / 1000)
        for m, measure in enumerate(("monotonicity", "rank_distance", "other"))
        for n, method in enumerate(("fluid", "random", "random_irt", "full_irt"))
        for size in (10, 50)
    ]
    table = study.ablations(summary([*rows, ("fluid", 143, "monotonicity", 9.0)]))
    assert table.columns.tolist() == ["measure", "method", "items_10", "items_50"]
    assert table["measure"].tolist() == ["rank_distance"] * 3 + ["monotonicity"] * 3
    assert table["method"].tolist() == ["random", "random_irt", "fluid"] * 2
    assert table["items_50"].tolist() == pytest.approx([110.05, 120.05, 100.05, 10.05, 20.05, 0.05])


def test_benchmarks_stand_side_by_side_at_one_length():
    one = summary([("random", 10, "monotonicity", 1.0), ("random", 50, "monotonicity", 2.0)])
    two = summary([("random", 50, "monotonicity", 3.0), ("fluid", 50, "monotonicity", 4.0)])
    table = study.tabulate_banks({"one": one, "two": two}, 50)
    assert table.columns.tolist() == ["measure", "method", "one", "two"]
    assert table["method"].tolist() == ["random", "fluid"]
    np.testing.assert_array_equal(table[["one", "two"]], [[2, 3], [np.nan, 4]])


def with_qualities(**models):
    """Models of banks, and the summaries of their measures."""
    random = np.random.default_rng(0)
    return models, {bank: evaluation.summarise(each, random) for bank, each in models.items()}


def test_a_collections_tables(evaluated):
    alone = evaluated[4].assign(rank_distance=np.nan)
    models, qualities = with_qualities(one=evaluated[4], two=alone)
    tables = study.paper_tables("mine", models, qualities, seed=1)
    assert tables["left_out"] == ["two"]
    assert tables["table2"].columns.tolist()[2:] == ["items_10", "items_50"]
    # Table 3 is at the middle length, of all banks.
    assert tables["table3"].columns.tolist() == ["measure", "method", "one", "two"]
    wanted = "measure == 'monotonicity' and method == 'fluid'"
    at_50 = qualities["one"].query(f"{wanted} and n_items == 50")["value"].item()
    assert tables["table3"].query(wanted)["one"].item() == at_50
    # Subsets of hard items stand beside the longest test.
    assert tables["table1"].query("baseline == 'hard_smart'")["fluid_items"].tolist() == [50] * 3
    assert tables["summary"]["n_models"].unique().tolist() == [6]
    other = study.paper_tables("mine", models, qualities, seed=2)
    assert not other["summary"]["lower"].equals(tables["summary"]["lower"])
    np.testing.assert_allclose(other["summary"]["value"], tables["summary"]["value"])


@pytest.mark.parametrize("missing", [["rank_distance"], [*study.MEASURES]])
def test_what_was_not_measured_has_no_row(evaluated, missing):
    given = with_qualities(one=evaluated[4].assign(**dict.fromkeys(missing, np.nan)))
    tables = study.paper_tables("mine", *given, seed=1)
    for table in (tables["table1"], tables["table2"], tables["table3"]):
        assert set(table["measure"]) == set(study.MEASURES) - set(missing)


def measured_row(**fields):
    given = {"method": "fluid", "n_items": 50, "measure": "monotonicity", "value": 0.5}
    given |= {"lower": 0.4, "upper": 0.6, "n_models": 18, "draws": 1}
    return pd.DataFrame([given | fields])


def test_names_say_collection_method_measure_and_size():
    (whole,) = study.quantify_collection("mine", measured_row())
    note = "18 models, 1 subsets"
    assert astuple(whole)[:5] == ("mine_fluid_monotonicity_50", 0.5, 0.4, 0.6, note)
    assert whole.made_by == "studies.adaptive.study:quantify_collection"
    (reading,) = study.quantify_collection("mine", measured_row(measure="total_variation__mean"))
    assert reading.quantity == "mine_fluid_total_variation_50__mean"
    (whole,) = study.quantify_collection("mine", measured_row(method="hard_smart", n_items=0))
    assert whole.quantity == "mine_hard_smart_monotonicity"


def test_facts_of_the_frontier_by_name_and_without_value_where_there_is_none():
    found = list(study.quantify_frontier("b", {"z": 3, "a": None, "c": 0.25}))
    assert [row.quantity for row in found] == ["b_a", "b_c", "b_z"]
    assert math.isnan(found[0].value)
    assert [row.value for row in found[1:]] == [0.25, 3]
    assert all(math.isnan(row.lower) and row.note == "" for row in found)


def test_stopping_by_hand():
    stopping = pd.DataFrame(
        {"ability": [0.0, 1, 2, 3], "difficulty_given": [1.0, 3, 2, 4], "n_items": [9, 4, 20, 5]}
    )
    needed, adapts = study.quantify_stopping("b", stopping)
    assert astuple(needed)[:4] == ("b_stopping_items", 7, 4, 20)
    assert adapts.quantity == "b_difficulty_follows_ability"
    # 1 - 6 * (1 + 1) / (4 * 15)
    assert adapts.value == pytest.approx(0.8)
    # It follows nothing where all are given the same.
    same = stopping.assign(difficulty_given=2.0)
    assert math.isnan(list(study.quantify_stopping("b", same))[1].value)


def test_the_best_partner_is_the_one_that_correlates_most():
    table = pd.DataFrame({"bank": ["b", "a", "b"], "spearman": [0.1, 0.3, 0.2]})
    found = {row.quantity: row.value for row in study.quantify_partners(table)}
    assert found == {"a_best_partner_correlation": 0.3, "b_best_partner_correlation": 0.2}
    assert list(study.quantify_partners(table.iloc[:0])) == []


LEDGER = Path(__file__).resolve().parents[3] / "resources/ledger/evidence/fluid.csv"
COMMAND = "snakemake --cores 2 ledger --configfile config/fluid.yaml"


def of_bank(fluid=1.0, random=3.0, models=("A-1", "B-2"), sizes=(10,)):
    """Measures of a bank: two draws of random items, whose mean is `random`."""
    return pd.DataFrame(
        [
            (method, size, draw, model, value + shift, value + shift, 1 / (value + shift))
            for method, value in (("fluid", fluid), ("random", random), ("random_irt", 2.0))
            for size in sizes
            for draw, shift in ((0, -0.5), (1, 0.5))
            for model in models
        ],
        columns=["method", "n_items", "draw", "model", "rank_distance", "total_variation",
                 "monotonicity"],
    )  # fmt: skip


@pytest.fixture
def numbers():
    banks = {"p_x": of_bank(), "p_y": of_bank(fluid=5.0).assign(rank_distance=float("nan"))}
    table = frame(study.breakdown("p", banks))
    return table.set_index("quantity")["value"]


def test_draws_are_averaged_then_models_or_benchmarks(numbers):
    assert numbers["p_x_fluid_total_variation_10"] == pytest.approx(1.0)
    assert numbers["p_a_1_fluid_total_variation_10"] == pytest.approx((1.0 + 5.0) / 2)
    assert numbers["p_x_b_2_random_monotonicity_10"] == pytest.approx((1 / 2.5 + 1 / 3.5) / 2)
    # A benchmark without a partner has no rank distance.
    assert "p_y_fluid_rank_distance_10" not in numbers
    assert numbers["p_a_1_fluid_rank_distance_10"] == pytest.approx(1.0)
    assert numbers["p_share_fluid_varies_less"] == 0.5
    assert numbers["p_share_fluid_rises_more"] == 0.5


def test_a_single_draw_lies_between_the_draws(numbers):
    """Of two draws, 2.5 and 3.5, the quantiles are a fortieth from the ends."""
    table = frame(study.breakdown("p", {"p_x": of_bank()})).set_index("quantity")
    for name in ("p_x", "p_a_1", "p"):
        row = table.loc[f"{name}_random_total_variation_10__one_draw"]
        assert [row["value"], row["lower"], row["upper"]] == pytest.approx([3.0, 2.525, 3.475])
    assert not any("fluid" in name for name in table.index if name.endswith("__one_draw"))
    assert "p_y_random_rank_distance_10__one_draw" not in numbers


def test_counts_are_of_models_checkpoints_and_answers():
    people = pd.DataFrame({"model": ["A-1", "A-1", "B-2"]})
    rows = study.counts("p", {"x": people, "y": people}, {"x": 10, "y": 20}, {"x": 5, "y": 7})
    found = {row.quantity: row.value for row in rows}
    assert found == {
        "p_n_benchmarks": 2, "p_n_test_models": 2, "p_n_training_models": 7,
        "p_checkpoints_a_1": 2, "p_checkpoints_b_2": 1, "p_n_combinations": 6, "p_evaluations": 90,
    }  # fmt: skip


def test_stopping_is_of_the_first_checkpoint_and_the_most():
    people = pd.DataFrame(
        {"respondent": ["a", "b", "c"], "model": ["M"] * 3, "checkpoint": [3, 1, 2]}
    )
    needed = pd.DataFrame({"respondent": ["a", "b", "c"], "n_items": [5, 20, 90]})
    found = {row.quantity: row.value for row in study.stopping("x", needed, people)}
    assert found == {"x_m_stopping_first": 20, "x_m_stopping_most": 90}


def test_the_ledger_s_command_computes_what_its_rows_ask():
    """Every quantity that the command is said to give is one that the run of it names."""
    sizes = (10, 50, 100, 500)
    banks = {f"paper_{name}": of_bank(models=FLUID_MODELS, sizes=sizes)
             for name in FLUID_BENCHMARKS}  # fmt: skip
    names = list(FLUID_MODELS)
    people = pd.DataFrame({"respondent": names, "model": names, "checkpoint": 1})
    needed = people[["respondent"]].assign(ability=range(6), difficulty_given=range(6), n_items=5)
    ones = dict.fromkeys(banks, 1)
    methods = ("random", "random_irt", "fluid", "full_accuracy")
    measures = ("rank_distance", "total_variation__mean", "monotonicity")
    given = [measured_row(method=method, n_items=size, measure=measure)
             for method in methods for size in sizes for measure in measures]  # fmt: skip
    partners = pd.DataFrame({"bank": list(banks), "spearman": 0.5})
    rows = [
        *study.breakdown("paper", banks),
        *study.counts("paper", dict.fromkeys(banks, people), ones, ones),
        *study.stopping("paper_hellaswag", needed, people),
        *study.quantify_collection("paper", pd.concat(given)),
        *study.quantify_stopping("paper_hellaswag", needed),
        *study.quantify_partners(partners),
    ]
    given = {row.quantity for row in rows}
    evidence = pd.read_csv(LEDGER)
    evidence = evidence[evidence["command"] == COMMAND]
    asked = evidence["quantity"].fillna("") + " " + evidence["rule"].fillna("")
    lacking = {name for text in asked for name in re.findall(r"paper_\w+", text)} - given
    assert not lacking
    assert asked.str.strip().ne("").all(), "a command that decides nothing"
