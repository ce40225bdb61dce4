"""H1 to H6 asked of the scores that came."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from saturation.forecast import lifespans
from saturation.forecast.names import ALIASES

OBSERVED = pd.Timestamp("2025-11-01")


def logit(share):
    return np.log(share / (1 - share))


def test_a_course_is_what_was_reached_gained_a_year_and_gained_since():
    series = pd.DataFrame(
        {
            "series": ["s1", "s2", "s3"],
            "benchmark": ["MMLU", "GPQA diamond", "of nobody"],
            "released": pd.to_datetime(["2023-01-01", None, None]),
        }
    )
    frontier = pd.DataFrame(
        [
            ("s1", "2024-01-01", 0.2), ("s1", "2025-01-01", 0.6),
            ("s2", "2025-01-01", 0.4), ("s2", "2025-10-01", 0.5), ("s2", "2026-06-01", 0.9),
            ("s3", "2025-01-01", 0.4),
        ],
        columns=["series", "date", "best"],
    ).assign(date=lambda table: pd.to_datetime(table["date"]))  # fmt: skip
    first, second = lifespans.courses(series, frontier, OBSERVED).to_dict("records")
    assert (first["benchmark_id"], second["benchmark_id"]) == ("mmlu", "gpqa_diamond")
    assert first["age"] == pytest.approx(2, abs=0.01)
    assert first["year"] == pytest.approx(2025, abs=0.01)
    assert first["reached"] == pytest.approx(logit(0.6))
    assert first["a_year"] == pytest.approx(logit(0.6) - logit(0.2), rel=0.01)
    # Its scores ended before the paper's day.
    assert np.isnan(first["since"])
    # Unknown release: from the first score.
    assert second["age"] == pytest.approx(516 / 365.25)
    assert second["since"] == pytest.approx(logit(0.9) - logit(0.5))


@pytest.fixture(scope="module")
def annotated(request):
    path = request.config.rootpath / "resources/plateau/benchmarks.csv"
    table = pd.read_csv(path)
    return table[table["benchmark_id"].isin(ALIASES)]


@pytest.fixture(scope="module")
def table(annotated):
    rng = np.random.default_rng(0)
    count = len(annotated)
    private = (annotated["availability"] == "private").to_numpy(float)
    return pd.DataFrame(
        {
            "benchmark_id": annotated["benchmark_id"].to_numpy(),
            "age": rng.uniform(1, 7, count),
            "year": rng.uniform(2022, 2026, count),
            "reached": rng.normal(size=count) + 3 * private,
            "a_year": rng.normal(size=count),
            "since": np.nan,
        }
    )


@pytest.fixture(scope="module")
def found(table, annotated, request):
    from saturation.plateau.inputs import prepare

    tops = pd.read_csv(request.config.rootpath / "resources/plateau/top_scores.csv")
    everyone = pd.read_csv(request.config.rootpath / "resources/plateau/benchmarks.csv")
    benchmarks, _ = prepare(
        everyone, tops, score_scale="percent", observed_on="2025-11-01", at_least=5
    )
    return lifespans.later(table, benchmarks, 0.95, np.random.default_rng(1))


def test_the_difference_is_least_squares_with_age_and_year_held_fixed(found, table, annotated):
    row = found[(found["hypothesis"] == "h1") & (found["outcome"] == "reached")].iloc[0]
    own = table.assign(public=(annotated["availability"] == "public").to_numpy(float))
    fit = smf.ols("reached ~ public + np.log(age) + year", own).fit()
    assert row["difference"] == pytest.approx(fit.params["public"])
    assert [row["lower"], row["upper"]] == pytest.approx(fit.conf_int().loc["public"].tolist())
    assert row["p_value"] == pytest.approx(fit.pvalues["public"], abs=0.01)
    assert row["difference"] < -1.5
    assert row["p_holm"] >= row["p_value"]


def test_a_small_group_has_a_note_and_no_number(found):
    none = found[found["note"] != ""]
    assert set(none["hypothesis"][none["outcome"] == "a_year"]) == {"h2"}
    assert len(none[none["outcome"] == "since"]) == 6
    numbers = ["difference", "lower", "upper", "p_value", "p_holm"]
    assert none[numbers].isna().all(axis=None)
    assert found.loc[found["note"] == "", numbers].notna().all(axis=None)
