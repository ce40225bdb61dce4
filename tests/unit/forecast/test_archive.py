"""Forecasts that are kept with their date, and how those did that have come due."""

import numpy as np
import pandas as pd
import pytest

from saturation.files import stages
from saturation.forecast import sources
from saturation.forecast.schemas import ARCHIVE

ROOT_ARCHIVE = "resources/forecast/archive.csv"


def bands(best=0.5):
    table = pd.DataFrame({"month": range(1, 25)}).assign(
        series="s-0", benchmark="B0", kind="code", origin="2023-01-01", best=best
    )
    for name, value in zip(
        ["q2.5", "q10", "q25", "q50", "q75", "q90", "q97.5"],
        [0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9],
        strict=True,
    ):
        table[name] = value
    return table


def test_four_horizons_are_kept_with_data_and_code():
    kept = sources.archived(bands(), [b"a", b"b"], "v")
    assert list(kept["month"]) == [3, 6, 12, 24]
    assert set(kept["code"]) == {"v"}
    assert sources.archived(bands(), [b"a", b"c"], "v")["data"].iloc[0] != kept["data"].iloc[0]


@pytest.fixture
def came():
    series = pd.DataFrame({"series": ["s-0", "s-1"]})
    series["observed_until"] = pd.to_datetime(["2023-08-01", "2024-03-01"])
    frontier = pd.DataFrame(
        {
            "series": "s-0",
            "date": pd.to_datetime(["2022-12-01", "2023-03-01", "2023-05-01"]),
            "best": [0.5, 0.65, 0.85],
        }
    )
    return series, frontier


def test_what_has_come_due_is_scored_and_the_rest_says_why_not(came):
    found = sources.scored(sources.archived(bands(), [b""], "v"), *came).set_index("month")
    assert list(found["state"]) == ["", "", sources.ENDED, sources.PENDING]
    assert found.loc[3, ["observed", "inside_50", "inside_80"]].tolist() == [0.65, 1, 1]
    assert found.loc[6, ["observed", "inside_80", "inside_95"]].tolist() == [0.85, 0, 1]
    assert np.isnan(found.loc[12, "observed"])


def test_a_series_that_is_no_more_has_ended(came):
    kept = sources.archived(bands().assign(series="gone"), [b""], "v")
    assert sources.scored(kept, *came)["state"].iloc[0] == sources.ENDED


def test_the_first_forecasts_are_kept(pytestconfig):
    kept = stages.read(pytestconfig.rootpath / ROOT_ARCHIVE, ARCHIVE)
    assert (kept["origin"] == "2026-08-01").any()
    assert not kept.duplicated(["series", "origin", "month"]).any()
