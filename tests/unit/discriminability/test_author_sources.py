"""The author's released files become tables, or it is said what they lack."""

import json

import pandas as pd
import pytest

from saturation.discriminability import schemas, sources
from saturation.errors import InputError
from saturation.files.schema import validate


def test_the_released_files_become_tables_of_proportions():
    raw = pd.DataFrame(
        {"leaderboard": ["v1"], "benchmark": "ARC", "month": "2023-09", "n_models": 735,
         "max_score": 72.09897610921502, "mean_score": 1.0, "bdi_entropy": 0.7402448667400141,
         "top10_gap": 0.2275312855517626}
    )  # fmt: skip
    row = sources.monthly_from_source(raw, "x.csv").iloc[0]
    assert row.tolist() == ["v1", "ARC", "2023-09", 735, 0.720989761092, 0.74024486674,
                            0.00227531285552]  # fmt: skip
    with pytest.raises(InputError, match=r"x\.csv: column 'month' is missing"):
        sources.monthly_from_source(raw.drop(columns="month"), "x.csv")


def test_the_released_fits_become_a_table():
    fit = {"ceiling": 87.25, "steepness": 0.5, "inflection_month_idx": 0.04, "r_squared": 0.98}
    table = sources.fits_from_source({"v2_MATH Lvl 5": fit | {"t_90_idx": 4}}, "fits.json")
    assert validate(table, schemas.AUTHOR_FITS, "fits").to_dict("records") == [
        {"leaderboard": "v2", "benchmark": "MATH Lvl 5", "ceiling": 0.8725, "rate": 0.5,
         "midpoint": 0.04, "r_squared": 0.98}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("released", "said"),
    [
        ({"v1_ARC": {"ceiling": 1}}, "'v1_ARC' lacks steepness, inflection_month_idx, r_squared"),
        ({"v1_ARC": 3}, "'v1_ARC' lacks ceiling"),
        ({"v1": dict.fromkeys(sources.FITTED, 1.0)}, "'v1' lacks a benchmark"),
        ({}, "no fit by LEADERBOARD_BENCHMARK"),
        ([], "no fit by LEADERBOARD_BENCHMARK"),
    ],
)
def test_fits_that_cannot_be_read_are_named(released, said):
    with pytest.raises(InputError, match=said):
        sources.fits_from_source(json.loads(json.dumps(released)), "fits.json")
