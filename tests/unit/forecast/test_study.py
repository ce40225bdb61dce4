"""Headline numbers of the forecasts."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import indices, lifespans, scoring, study, tops
from saturation.forecast.scoring import METHOD
from saturation.forecast.study import quantities


@pytest.fixture
def results(tables, tested, ahead_and_after):
    ahead, after = ahead_and_after
    cases = indices.history_cases(*tables, [pd.Timestamp("2023-06-01")])
    prediction = indices.prediction(cases, 0.95)
    return {
        "summary": scoring.summary(tested[0], 0.95),
        "peer": tops.compared(after, 0.95),
        "reach": ahead["reach"],
        "indices": prediction.assign(note=prediction["note"].replace("", None)),
        "lifespans_pace": pd.DataFrame(
            [
                ["share", 9, 5, 0.9, 0.8, 0.97, 1.5, None],
                ["improvement", 9, 0, *[np.nan] * 4, "fewer than 5 ended"],
            ],
            columns=lifespans.PACE,
        ),
        "tops": pd.DataFrame(
            [[6, 45, 22, 0.2, 0.3, 0.5, 0.4, 0.6, 0.2, 0.1, 0.3, 0.1, -0.2, 0.4, 0.9]],
            columns=tops.TOPS,
        ),
        "lifespans_survival": pd.DataFrame(
            [
                ["share", "code", 8, 2, 30.0, 20.0, 40.0],
                ["share", lifespans.CHANGE, 50, 9, 0.9, 0.8, 0.99],
            ],
            columns=lifespans.SURVIVAL,
        ),
        "later": pd.DataFrame(
            [
                ["h1", "a_year", "public", 22, 18, -1.5, -2.0, -1.0, 0.001, 0.005, None],
                ["h2", "a_year", "english", 22, 22, *[np.nan] * 5, "too small"],
            ],
            columns=lifespans.LATER,
        ),
    }


def test_the_numbers_are_those_of_the_tables(results):
    found = quantities(results).set_index("quantity")
    recent = results["summary"]
    row = recent[(recent["group"] == scoring.RECENT) & (recent["method"] == METHOD)].iloc[0]
    own = found.loc[f"skill_{row['horizon']}_months"]
    assert (own["value"], own["lower"]) == (row["skill"], row["skill_lower"])
    cutoff = results["peer"].query("event == 'rise'").set_index("method").loc[METHOD]
    assert found.loc["cutoff_coverage_80", "value"] == cutoff["coverage_80"]
    stays = recent[(recent["group"] == scoring.RECENT) & (recent["method"] == "persistence")]
    assert found.loc["crps_persistence_3_months", "value"] == stays["crps"].iloc[0]
    assert "skill_persistence_3_months" not in found.index
    half = results["reach"][results["reach"]["threshold"] == 0.5]
    assert found.loc["reached_50_already", "value"] == half["reached_already"].mean()
    assert found.loc["reached_50_in_two_years", "value"] == pytest.approx(
        1 - half["not_in_two_years"].mean()
    )
    assert "predicts_rho_histories_gap_6_months" in found.index
    assert not any("boards" in name for name in found.index)
    share = found.loc["life_span_factor_a_year_share"].tolist()
    assert share[:4] == [0.9, 0.8, 0.97, "5 of 9 ended"]
    assert "life_span_factor_a_year_improvement" not in found.index
    assert found.loc["top_said_6_months", "value"] == 0.3
    assert found.loc["top_came_6_months", "upper"] == 0.6
    within = found.loc["life_span_factor_within_kinds_share"]
    assert within.tolist()[:4] == [0.9, 0.8, 0.99, "9 of 50 ended"]
    assert found.loc["life_span_median_code_share", "value"] == 30
    assert found.loc["later_h1_a_year", "note"] == "18 of 22 are public"
    assert found.loc["later_h1_a_year_p", "value"] == 0.005
    assert "later_h2_a_year" not in found.index


def test_the_last_year_has_what_fell_due_in_it(tested):
    forecasts, _ = tested
    today = pd.Timestamp("2024-12-01")
    table = study._summary(forecasts, forecasts.head(0), today, 0.95)
    late = table.query("group == @scoring.LAST_YEAR and method == @METHOD")
    own = forecasts.query("method == @METHOD and not abstains")
    due = pd.to_datetime(own["origin"]) + pd.to_timedelta(own["horizon"] * 365.25 / 12, "D")
    wanted = own[due > "2023-12-01"].groupby("horizon").size()
    assert 0 < wanted.sum() < len(own)
    assert late.set_index("horizon")["forecasts"].to_dict() == wanted.to_dict()
    assert scoring.AS_KNOWN not in set(table["group"])
