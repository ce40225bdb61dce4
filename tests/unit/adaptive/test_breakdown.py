"""The published collection by benchmark and by model, and what the ledger asks of it."""

import re
from pathlib import Path

import pandas as pd
import pytest

from saturation.adaptive import study
from saturation.adaptive.names import FLUID_BENCHMARKS, FLUID_MODELS
from saturation.quantity import frame

LEDGER = Path(__file__).resolve().parents[3] / "resources/ledger/evidence/fluid.csv"
COMMAND = "snakemake --cores 2 adaptive ledger --configfile config/fluid.yaml"


def measured(fluid=1.0, random=3.0, models=("A-1", "B-2"), sizes=(10,)):
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
    banks = {"p_x": measured(), "p_y": measured(fluid=5.0).assign(rank_distance=float("nan"))}
    table = frame(study.breakdown("p", banks))
    return table.set_index("quantity")["value"]


def test_draws_are_averaged_then_models_or_benchmarks(numbers):
    assert numbers["p_x_fluid_total_variation_10"] == pytest.approx(1.0)
    assert numbers["p_a_1_fluid_total_variation_10"] == pytest.approx((1.0 + 5.0) / 2)
    assert numbers["p_x_b_2_random_monotonicity_10"] == pytest.approx((1 / 2.5 + 1 / 3.5) / 2)


def test_a_benchmark_without_a_partner_has_no_rank_distance(numbers):
    assert "p_y_fluid_rank_distance_10" not in numbers
    assert numbers["p_a_1_fluid_rank_distance_10"] == pytest.approx(1.0)


def test_the_shares_count_combinations_in_which_fluid_is_better(numbers):
    assert numbers["p_share_fluid_varies_less"] == 0.5
    assert numbers["p_share_fluid_rises_more"] == 0.5


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
    banks = {f"paper_{name}": measured(models=FLUID_MODELS, sizes=sizes)
             for name in FLUID_BENCHMARKS}  # fmt: skip
    people = pd.DataFrame(
        [(f"{model}_1", model, 1) for model in FLUID_MODELS],
        columns=["respondent", "model", "checkpoint"],
    )
    needed = pd.DataFrame(
        {"respondent": people["respondent"], "ability": range(6), "difficulty_given": range(6),
         "n_items": 5}
    )  # fmt: skip
    ones = dict.fromkeys(banks, 1)
    summary = pd.DataFrame(
        [
            (method, size, measure, 1.0, 1.0, 1.0, 6, 1)
            for method in ("random", "random_irt", "fluid", "full_accuracy")
            for size in sizes
            for measure in ("rank_distance", "total_variation__mean", "monotonicity")
        ],
        columns=["method", "n_items", "measure", "value", "lower", "upper", "n_models", "draws"],
    )
    partners = pd.DataFrame({"bank": list(banks), "spearman": 0.5})
    rows = [
        *study.breakdown("paper", banks),
        *study.counts("paper", dict.fromkeys(banks, people), ones, ones),
        *study.stopping("paper_hellaswag", needed, people),
        *study.of_collection("paper", summary),
        *study.of_stopping("paper_hellaswag", needed),
        *study.of_partners(partners),
    ]
    given = {row.quantity for row in rows}
    evidence = pd.read_csv(LEDGER)
    evidence = evidence[evidence["command"] == COMMAND]
    asked = evidence["quantity"].fillna("") + " " + evidence["rule"].fillna("")
    lacking = {name for text in asked for name in re.findall(r"paper_\w+", text)} - given
    assert not lacking
    assert asked.str.strip().ne("").all(), "a command that decides nothing"
