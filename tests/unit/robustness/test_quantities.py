"""Headline numbers: the paper's own facts, and what was measured under its right name."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation import quantity
from saturation.files.tables import read_table
from saturation.robustness import study

FACTS = Path(__file__).parents[3] / "resources" / "robustness"
LEVELS = {
    "paraphrase": ["a", "b"],
    "demonstrations": ["2", "4"],
    "noise": ["none", "spaces", "affixes"],
    "temperature": ["0.2", "0.8"],
}


def table_of(rows):
    return quantity.frame(rows).set_index("quantity")


def values(rows):
    return table_of(rows)["value"]


def test_the_design_has_the_papers_counts():
    found = values(
        study.from_design(
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
    table = table_of(study.from_performance(cells, 24))
    bounded = table.dropna(subset=["lower", "upper"])
    assert (bounded["lower"] <= bounded["value"]).all()
    assert (bounded["value"] <= bounded["upper"]).all()
    changed = cells.copy()
    changed.loc[changed["dataset"] == "IMDB", "performance"] -= 0.09
    moved = table["value"] - values(study.from_performance(changed, 24))
    assert moved["average_imdb"] == pytest.approx(0.09)
    assert moved["average_gpqa"] == 0


@pytest.mark.parametrize(("synthetic", "prefix"), [(True, "synthetic_"), (False, "")])
def test_numbers_of_made_up_predictions_carry_their_name(synthetic, prefix):
    slopes = pd.DataFrame(
        {"reading": ["ols"], "slope": [1.0], "lower": [0.9], "upper": [1.1], "r_squared": [0.8]}
    ).assign(synthetic=synthetic)
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
    table = table_of(study.from_measurement(slopes, shares, datasets, correlations))
    names = ["slope_ols", "r_squared", "share_model", "consistency_mmlu_pro", "rho_s_index"]
    rows = table.loc[[f"{prefix}{name}" for name in names]]
    assert len(table) == len(rows)
    assert rows["value"].tolist() == [1.0, 0.8, 0.1, 0.5, 0.6]
    ends = rows[["lower", "upper"]].to_numpy().tolist()
    assert ends[0] == [0.9, 1.1]
    assert ends[2:4] == [[0, 0.2], [0.4, 0.6]]
    note = "synthetic predictions: says nothing about any model" if synthetic else ""
    assert rows["note"].tolist() == [note] * 4 + [f"{note}; n = 5" if synthetic else "n = 5"]


def test_numbers_of_performance_by_hand():
    """Three models on an easy and a hard dataset, three configurations."""
    cells = pd.DataFrame(
        {
            "model": ["gpt-oss-120b", "gpt-oss-20b", "other"] * 2,
            "dataset": ["BoolQ"] * 3 + ["MMLU"] * 3,
            "performance": [0.9, 0.8, 1.0, 0.8, 0.5, 0.79],
        }
    )
    table = table_of(study.from_performance(cells, 3))
    found = table[["value", "lower", "upper"]].T
    chance = [p**3 + (1 - p) ** 3 for p in (0.9, 0.8, 1.0)]
    assert found["average_boolq"].tolist() == pytest.approx([0.9, 0.895, 0.905])
    assert found["lowest_boolq"].tolist() == pytest.approx([0.8, 0.795, 0.805])
    assert found["highest_mmlu"].tolist() == pytest.approx([0.8, 0.795, 0.805])
    assert found["baseline_mean_boolq"]["value"] == pytest.approx(sum(chance) / 3)
    assert found["baseline_min_boolq"]["value"] == pytest.approx(chance[1])
    assert found["baseline_max_boolq"]["value"] == 1
    low, high = 0.795**3 + 0.205**3, 0.805**3 + 0.195**3
    assert found["baseline_min_boolq"][["lower", "upper"]].tolist() == pytest.approx([low, high])
    assert found["baseline_min_boolq__rounding_low"]["value"] == pytest.approx(low)
    assert found["baseline_min_boolq__rounding_high"]["value"] == pytest.approx(high)
    # A cell of 0.80 counts, one of 0.79 does not; BoolQ is not among the hard ones.
    assert found["hard_cells_from_080"]["value"] == 1
    assert found["hard_baseline_max"]["value"] == pytest.approx(0.8**3 + 0.2**3)
    assert found["hard_average_max"]["value"] == pytest.approx(2.09 / 3)
    assert found["baseline_at_080"].tolist() == pytest.approx([chance[1], low, high])
    assert found["gpt_oss_gap_mmlu"].tolist() == pytest.approx([0.3, 0.29, 0.31])
    assert found["gpt_oss_gap_boolq__rounding_high"]["value"] == pytest.approx(0.11)


def audited(**columns):
    rows = {
        "anova_type": ["II", "II", "II", "III"],
        "dataset": ["D", "D", "D", "D"],
        "factor": ["noise", "demonstrations", "paraphrase", "intercept"],
        "p": ["0.040", "0.050", "0.051", "0.000"],
        "sum_sq": ["1.0", "2.0", "3.0", "9.0"],
        "error_ss_low": [90.0, 90.0, 90.0, 90.0],
        "error_ss_high": [110.0, 110.0, 110.0, 110.0],
        "types_fit": [True, True, False, False],
        "consistent": [True, False, True, True],
        "mean_square_fits": [True, True, False, True],
        "p_fits": [True, False, True, True],
        "share_fits": [False, True, True, True],
        "partial_fits": [True, True, True, False],
        "error_fits": [True, True, True, True],
        "inconsistent": [float("nan"), "p_fits", float("nan"), float("nan")],
    }
    return pd.DataFrame({**rows, **columns})


DATASETS = pd.DataFrame({"dataset": ["D"], "n_fits": [True], "n_low": [10], "n_high": [14]})
EXTERNAL = pd.DataFrame(
    {
        "model": ["M-1", "M-1", "M-1", "N"],
        "dataset": ["MMLU", "MMLU", "GPQA", "MMLU"],
        "measured": [80, 80, 50, 60],
        "published": [85, 84, 50, 70],
        "table_a2": [80, 80, 40, 60],
        "fits": [True, True, False, True],
    }
)


def test_numbers_of_the_audit_by_hand():
    table = table_of(study.from_audit(audited(), DATASETS, EXTERNAL))
    found = table["value"]
    # At 0.05 a p-value is neither above nor below the level.
    assert found["p_not_significant"] == pytest.approx(1 / 3)
    assert found["p_not_significant__both_tables"] == pytest.approx(1 / 3)
    assert found["p_not_significant__with_intercepts"] == 0.25
    significant = ["significant_noise", "significant_demonstrations", "significant_other"]
    assert found[significant].tolist() == [1, 0, 0]
    # 3.0 is from 2.95 to 3.05, the error from 90 to 110; the intercept does not count.
    low, high = 2.95 / (2.95 + 110), 3.05 / (3.05 + 90)
    share = table.loc["largest_share", ["value", "lower", "upper"]].tolist()
    assert share == pytest.approx([(low + high) / 2, low, high])
    assert table.loc["audit_ii_d_demonstrations", ["value", "note"]].tolist() == [0, "p_fits"]
    assert table.loc["audit_iii_d_intercept", ["value", "note"]].tolist() == [1, ""]
    cells = found[found.index.str.startswith("cell_")]
    assert len(cells) == 4 * 5
    assert sorted(cells.index[cells == 0]) == [
        "cell_ii_d_demonstrations_p",
        "cell_ii_d_noise_eta_sq",
        "cell_ii_d_paraphrase_f",
        "cell_iii_d_intercept_partial_eta_sq",
    ]
    assert found["audit_types_equal"] == pytest.approx(2 / 3)
    assert found[["audit_rows", "audit_rows_consistent"]].tolist() == [4, 3]
    assert found["audit_datasets_with_design_n"] == 1
    assert table.loc["audit_n_d", ["value", "lower", "upper"]].tolist() == [12, 10, 14]


def test_other_significant_factors_are_counted_apart():
    factors = ["temperature", "demonstrations", "demonstrations", "intercept"]
    rows = audited(factor=factors, p=["0.049", "0.010", "0.010", "0.000"])
    rows = rows.assign(dataset=["D", "D", "E", "D"])
    found = values(study.from_audit(rows, DATASETS, EXTERNAL))
    significant = ["significant_noise", "significant_demonstrations", "significant_other"]
    assert found[significant].tolist() == [0, 2, 1]


def test_numbers_of_external_scores_by_hand():
    table = table_of(study.from_audit(audited(), DATASETS, EXTERNAL))
    found = table["value"]
    # One cell of two tables stands once.
    names = ["table_a2_m_1_mmlu", "table_a2_m_1_gpqa", "table_a2_n_mmlu"]
    assert found[names].tolist() == [0.8, 0.4, 0.6]
    assert found[["external_rows", "external_misplaced"]].tolist() == [4, 1]
    assert found["external_mean_gap"] == pytest.approx((5 + 4 + 0 + 10) / 400)
    assert found["external_largest_gap"] == pytest.approx(0.1)
    assert found["external_mean_gap__table_a2_cells"] == pytest.approx((5 + 4 + 10 + 10) / 400)
    assert found["external_largest_gap__table_a2_cells"] == pytest.approx(0.1)
    r = np.corrcoef(EXTERNAL["measured"], EXTERNAL["published"])[0, 1]
    # Fisher's interval: z plus or minus 1.96 standard errors of 1 / sqrt(n - 3) = 1.
    ends = np.tanh(np.arctanh(r) + np.array([-1, 1]) * 1.959963984540054)
    row = table.loc["external_correlation", ["value", "lower", "upper"]].tolist()
    assert row == pytest.approx([r, *ends])


def test_slugs_are_identifiers():
    assert study.slug("MMLU-Pro (v2)") == "mmlu_pro__v2_"
