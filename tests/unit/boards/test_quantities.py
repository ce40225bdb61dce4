"""Headline numbers of the boards."""

import numpy as np
import pytest

from saturation.boards.study import quantities


@pytest.fixture(scope="module")
def numbers(tables):
    return tables["quantities"].set_index("quantity")


def test_alpha_of_each_board_stands_with_its_interval_and_reason(numbers, tables):
    livebench = numbers.loc["livebench_alpha"]
    assert livebench["lower"] < livebench["value"] < livebench["upper"]
    assert numbers.loc["livebench_alpha__groups", "upper"] < 1
    assert np.isnan(numbers.loc["frontiermath_public_alpha", "value"])
    assert "10 items" in numbers.loc["frontiermath_public_alpha", "note"]
    assert numbers.loc["gpqa_diamond_alpha__mean_of_runs", "value"] > 1.2
    assert "nlu_boolq_run_noise" not in numbers.index


def test_counts_are_those_of_the_tables(numbers):
    expected = {"n_boards": 5, "n_boards_measured": 4, "n_boards_above_paper": 4,
                "n_boards_above_one": 4, "n_boards_groups": 1, "n_boards_groups_above_paper": 1,
                "n_boards_groups_below_one": 1, "n_boards_kth_tied": 2,
                "published_n_saturated__paper": 29}  # fmt: skip
    assert {name: numbers.loc[name, "value"] for name in expected} == expected


def test_the_prediction_is_wider_than_the_mean(numbers):
    mean, new = numbers.loc["alpha_pooled"], numbers.loc["alpha_predicted"]
    assert new["lower"] < mean["lower"] < mean["value"] == new["value"] < mean["upper"]
    assert "alpha_slope_correlation" in numbers.index
    assert "published_n_similar__groups_livebench" in numbers.index
    assert numbers.loc["equal_similar_share", "value"] == pytest.approx(0.71, abs=0.01)


def test_dead_items_are_the_median_over_boards(numbers, tables):
    table = tables["overview"]
    dead = np.sort((table["all_right"] + table["all_wrong"]) / table["n_items"])
    assert numbers.loc["dead_share_median", "value"] == pytest.approx(dead[2])


def test_boards_of_one_origin_leave_out_what_needs_others(tables):
    only = dict(tables)
    only["pooled"] = tables["pooled"][~tables["pooled"]["over"].str.contains("NLU")]
    found = quantities(only, 5, 0.5, 1.96, 0.7).set_index("quantity")
    assert "alpha_pooled__without_nlu_banks" not in found.index


def test_intervals_that_reach_a_limit_are_on_neither_side(tables):
    wide = dict(tables)
    grouped = (tables["alpha"]["sample"] == "groups") & tables["alpha"]["reason"].isna()
    wide["alpha"] = tables["alpha"].assign(
        lower=tables["alpha"]["lower"].mask(grouped, 0.4),
        upper=tables["alpha"]["upper"].mask(grouped, 1.1),
    )
    found = quantities(wide, 5, 0.5, 1.96, 0.7).set_index("quantity")["value"]
    assert found["n_boards_groups"] == 1
    assert found["n_boards_groups_above_paper"] == found["n_boards_groups_below_one"] == 0
