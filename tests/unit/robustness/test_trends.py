"""Slopes of public answers: known ones are found, and nothing is claimed of too few models."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.robustness import slopes


def measured(models=12, datasets=("a", "b", "c"), slope=0.8, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for place, dataset in enumerate(datasets):
        for model in range(models):
            x = 0.2 + 0.05 * model + 0.05 * place + rng.normal(0, 0.02)
            rows.append((f"m{model}", dataset, x, 0.1 + slope * x + rng.normal(0, noise)))
    table = pd.DataFrame(rows, columns=["model", "dataset", "performance", "output_consistency"])
    return pd.concat([table.assign(measure=name) for name in slopes.MAIN], ignore_index=True)


def test_a_known_slope_is_found_inside_and_across():
    table = slopes.table(measured(), 0.95)
    rows = table[table["measure"] == "verdicts"].set_index("dataset")
    assert list(rows.index) == ["a", "b", "c", "all"]
    assert rows["n"].tolist() == [12, 12, 12, 36]
    assert rows["reading"].tolist() == ["models"] * 3 + ["mixed"]
    assert rows["slope"].to_numpy() == pytest.approx([0.8] * 4, abs=0.05)
    assert (rows["lower"] < rows["slope"]).all()
    assert (rows["slope"] < rows["upper"]).all()


def test_correlations_are_pearsons_with_fishers_interval():
    pairs = measured(noise=0.1)
    row = slopes.table(pairs, 0.95).iloc[0]
    group = pairs[(pairs["measure"] == row["measure"]) & (pairs["dataset"] == row["dataset"])]
    r = stats.pearsonr(group["performance"], group["output_consistency"])
    assert row["correlation"] == pytest.approx(r.statistic)
    assert row["correlation_lower"] == pytest.approx(r.confidence_interval().low)
    assert row["r_squared"] == pytest.approx(r.statistic**2)


def test_hc3_errors_are_those_of_their_formula():
    pairs = measured(noise=0.1)
    row = slopes.table(pairs, 0.95).iloc[0]
    group = pairs[(pairs["measure"] == row["measure"]) & (pairs["dataset"] == row["dataset"])]
    x = np.column_stack([np.ones(len(group)), group["performance"]])
    y = group["output_consistency"].to_numpy()
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ x.T @ y
    leverage = np.einsum("ij,jk,ik->i", x, inverse, x)
    weights = ((y - x @ beta) / (1 - leverage)) ** 2
    error = np.sqrt((inverse @ (x.T * weights) @ x @ inverse)[1, 1])
    half = stats.t.ppf(0.975, len(group) - 2) * error
    assert row["upper"] - row["slope"] == pytest.approx(half)


def test_too_few_models_have_no_slope():
    table = slopes.table(measured(models=slopes.FEWEST - 1), 0.95)
    inside = table[table["dataset"] != "all"]
    assert inside["slope"].isna().all()
    assert inside["n"].eq(slopes.FEWEST - 1).all()
    assert table.loc[table["dataset"] == "all", "slope"].notna().all()
    alone = slopes.table(measured(datasets=("a",), models=slopes.FEWEST), 0.95)
    assert alone["slope"].notna().all()
    assert "all" not in set(alone["dataset"])


def test_components_and_outliers_are_of_every_main_measure():
    pairs = measured(noise=0.02)
    pairs.loc[3, "output_consistency"] += 0.5
    components = slopes.components(pairs, 0.95, np.random.default_rng(1))
    shares = components.groupby("measure")["share"].sum()
    assert shares.to_numpy() == pytest.approx([1.0] * 3)
    assert set(components["measure"]) == set(slopes.MAIN)
    assert components["p"].isna().sum() == 3  # of the rest there is no test
    found = slopes.trends_outliers(pairs, 0.05)
    named = found[found["outlier"]]
    assert named[["measure", "model", "dataset"]].to_numpy().tolist() == [["verdicts", "m3", "a"]]


def runs():
    """Five models; a sixth has no prompt q on d, and data set e has two models."""
    rows = [("d", f"m{m}", "p", seed, 0.5 + m / 100, 0.3) for m in range(6) for seed in (1, 2)]
    rows += [("d", f"m{m}", "q", 1, 0.9, 0.1) for m in range(5)]
    rows += [("e", f"m{m}", "p", 1, 0.4, 0.2) for m in range(2)]
    names = ["dataset", "model", "prompt", "seed", "accuracy", "sensitivity"]
    return pd.DataFrame(rows, columns=names)


def test_only_prompts_that_all_models_had_are_compared():
    table = slopes.of_runs(runs())
    assert table["dataset"].unique().tolist() == ["d"]
    assert table["performance"].tolist() == pytest.approx([0.5 + m / 100 for m in range(6)])
    assert table["output_consistency"].tolist() == pytest.approx([0.7] * 6)
    without = runs()[lambda rows: rows["model"] != "m5"]
    both = slopes.of_runs(without)
    # Prompts weigh the same, however many seeds they had.
    assert both["performance"].iloc[0] == pytest.approx((0.5 + 0.9) / 2)
    assert both["output_consistency"].iloc[0] == pytest.approx((0.7 + 0.9) / 2)


def test_pairs_hold_every_measure_that_is_known():
    variants = pd.DataFrame(
        {
            "model": ["a", "b"],
            "dataset": "d",
            "performance": [0.2, 0.4],
            **{column: [0.1, 0.2] for column in slopes.PARAPHRASES.values()},
        }
    ).assign(answer_consistency=[np.nan, 0.3])
    table = slopes.pairs(variants, runs())
    assert table["measure"].value_counts().to_dict() == {
        "verdicts": 2, "answers": 1, "always_right": 2, "score_std": 2, "drop": 2, "inputs": 6,
    }  # fmt: skip
