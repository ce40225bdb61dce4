"""Advantages of methods: their sign, their uncertainty over models, and what is left out."""

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation


def compared(advantage=1.0, spread=0.2, models=12, banks=("one", "two"), seed=0):
    """Fluid is nearer to the partner than random items by the advantage, model by model."""
    rng = np.random.default_rng(seed)
    rows = []
    own = rng.normal(advantage, spread, models)
    for bank in banks:
        for model in range(models):
            for method, gain in (("fluid", own[model]), ("random_irt", 0.2), ("random", 0.0)):
                for size in (10, 50):
                    for draw in range(1 if method == "fluid" else 3):
                        noise = rng.normal(0, 0.01)
                        rows.append((bank, f"m{model}", f"f{model % 4}", method, size, draw,
                                     10 - gain + noise, 2 - gain / 10 + noise,
                                     0.5 + gain / 10 + noise))  # fmt: skip
    names = ["bank", "model", "family", "method", "n_items", "draw"]
    return pd.DataFrame(rows, columns=[*names, *evaluation.MEASURES])


def found(table, seed=1):
    return evaluation.contrasts(table, np.random.default_rng(seed)).set_index("contrast")


def test_an_advantage_is_above_zero_in_every_measure():
    table = found(compared())
    for measure, size in (("rank_distance", 1.0), ("total_variation", 0.1), ("monotonicity", 0.1)):
        row = table.loc[f"fluid_over_random_{measure}_10"]
        assert row["value"] == pytest.approx(size, rel=0.2)
        assert row["lower"] > 0
        assert (row["holds"], row["holds_families"]) == (1, 1)


def test_values_are_means_over_subsets_of_the_measure():
    table = compared()
    means = table.groupby(["method", "n_items", "draw"])["rank_distance"].mean()
    means = means.groupby(["method", "n_items"]).mean()
    row = found(table).loc["fluid_over_random_irt_rank_distance_50"]
    assert row["value"] == pytest.approx(means["random_irt", 50] - means["fluid", 50])


def test_models_are_the_units_however_many_banks_they_answered():
    one, many = (found(compared(banks=tuple(map(str, range(banks))))) for banks in (1, 8))
    name = "fluid_over_random_rank_distance_10"
    width = [table.loc[name, "upper"] - table.loc[name, "lower"] for table in (one, many)]
    # Eight banks are not eight times as many models.
    assert width[1] > 0.8 * width[0]
    error = 0.2 / np.sqrt(12)
    assert width[0] == pytest.approx(2 * 1.96 * error, rel=0.5)


def test_what_is_not_there_is_uncertain():
    table = found(compared(advantage=0.0, spread=0.5))
    assert 0.025 < table.loc["fluid_over_random_monotonicity_10", "holds"] < 0.975


def test_steps_and_sizes_are_compared():
    table = found(compared())
    # From random to abilities 0.2, from there to selection about 0.8, at both sizes.
    assert table.loc["abilities_over_selection_rank_distance", "value"] == pytest.approx(
        2 * (0.2 - 0.8), abs=0.3
    )
    early = table.loc["fluid_over_random_rank_distance_short_over_long"]
    assert early["value"] == pytest.approx(0, abs=0.05)
    assert (
        "fluid_over_random_rank_distance_short_over_long"
        not in found(compared()[lambda rows: rows["n_items"] == 10]).index
    )


def test_methods_of_other_sizes_are_compared_where_they_are():
    table = compared()
    extra = table[(table["method"] == "fluid") & (table["n_items"] == 10)]
    table = pd.concat([table, extra.assign(method="anchor_points"), extra.assign(
        method="full_accuracy", n_items=0, rank_distance=0.0)])  # fmt: skip
    rows = found(table)
    assert rows.loc["fluid_10_over_anchor_points_10_rank_distance", "value"] == pytest.approx(0)
    assert rows.loc["fluid_50_over_full_accuracy_0_rank_distance", "upper"] < 0
    assert not rows.index.str.contains("irt_clusters").any()


def test_measures_that_are_missing_have_no_contrast():
    rows = found(compared().assign(rank_distance=np.nan))
    assert not rows.index.str.contains("rank_distance").any()
    assert rows.index.str.contains("monotonicity").any()


def test_models_that_end_where_they_began_do_not_break_it():
    rows = found(compared().assign(total_variation=np.inf))
    assert rows.filter(like="total_variation", axis=0)["value"].eq(0).all()
