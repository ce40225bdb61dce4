"""Headline numbers: the paper's own facts, and what was measured under its right name."""

from pathlib import Path

import pandas as pd
import pytest

from saturation.files.tables import read_table
from saturation.robustness import quantities

FACTS = Path(__file__).parents[3] / "resources" / "robustness"
LEVELS = {"paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2}


def values(table):
    assert table["quantity"].is_unique
    return table.set_index("quantity")["value"]


def test_the_design_has_the_papers_counts():
    found = values(
        quantities.from_design(
            read_table(FACTS / "performance.csv"),
            read_table(FACTS / "models.csv")["family"],
            LEVELS,
            100,
        )
    )
    counts = ["n_models", "n_datasets", "n_pairs", "n_configurations", "n_inferences"]
    assert found[counts].tolist() == [9, 6, 54, 24, 129_600]


def test_rounding_bounds_hold_the_value_and_a_changed_cell_moves_its_average():
    cells = read_table(FACTS / "performance.csv")
    table = quantities.from_performance(cells, 24)
    bounded = table.dropna(subset=["lower", "upper"])
    assert (bounded["lower"] <= bounded["value"]).all()
    assert (bounded["value"] <= bounded["upper"]).all()
    changed = cells.copy()
    changed.loc[changed["dataset"] == "IMDB", "performance"] -= 0.09
    moved = values(table) - values(quantities.from_performance(changed, 24))
    assert moved["average_imdb"] == pytest.approx(0.09)
    assert moved["average_gpqa"] == 0


@pytest.mark.parametrize(("synthetic", "prefix"), [(True, "synthetic_"), (False, "")])
def test_numbers_of_made_up_predictions_carry_their_name(synthetic, prefix):
    slopes = pd.DataFrame(
        {"reading": ["ols"], "slope": [1.0], "lower": [0.9], "upper": [1.1], "r_squared": [0.8]}
    )
    shares = pd.DataFrame({"component": ["model"], "share": [0.1], "lower": [0], "upper": [0.2]})
    datasets = pd.DataFrame(
        {
            "dataset": ["MMLU-Pro"],
            "output_consistency": [0.5],
            "output_consistency_lower": [0.4],
            "output_consistency_upper": [0.6],
        }
    )
    correlations = pd.DataFrame({"index": ["s_index"], "rho": [0.6], "n": [5]})
    found = values(
        quantities.from_measurement(slopes, shares, datasets, correlations, synthetic=synthetic)
    )
    names = ["slope_ols", "r_squared", "share_model", "consistency_mmlu_pro", "rho_s_index"]
    assert found[[f"{prefix}{name}" for name in names]].tolist() == [1.0, 0.8, 0.1, 0.5, 0.6]
