"""How long benchmarks last, with censoring and delayed entry."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.duration.survfunc import SurvfuncRight

from saturation.forecast import lifespans
from saturation.forecast.names import ALIASES


def series_of(*rows):
    base = {
        "series": "s", "benchmark": "B", "kind": "code", "released": pd.Timestamp("2020-01-01"),
        "observed_until": pd.Timestamp("2024-01-01"),
    }  # fmt: skip
    return pd.DataFrame([base | row for row in rows])


def frontier_of(**best):
    """Frontiers by series: dates and best shares."""
    return pd.concat(
        [
            pd.DataFrame({"series": name, "date": pd.to_datetime(list(own)), "best": own.values()})
            for name, own in best.items()
        ],
        ignore_index=True,
    )


def span(best, end, **row):
    table = lifespans.spans(series_of(row), frontier_of(s=best))
    return table[table["end"] == end].iloc[0]


def test_the_end_is_the_first_day_on_the_share():
    found = span({"2020-07-01": 0.2, "2022-01-01": 0.9, "2023-01-01": 0.95}, "share")
    assert found["ended"]
    assert found["months"] == pytest.approx(24, abs=0.1)
    assert found["entry"] == pytest.approx(6, abs=0.1)
    assert found["era"] == "2020 to 2022"


def test_below_the_share_it_is_censored_when_last_watched():
    found = span({"2020-07-01": 0.2, "2022-01-01": 0.899}, "share")
    assert not found["ended"]
    assert found["months"] == pytest.approx(48, abs=0.1)


@pytest.mark.parametrize(("until", "ended"), [("2022-12-20", False), ("2023-01-10", True)])
def test_a_best_score_that_stands_for_a_year_is_the_last(until, ended):
    best = {"2020-07-01": 0.2, "2022-01-01": 0.6, "2022-06-01": 0.6}
    found = span(best, "improvement", observed_until=pd.Timestamp(until))
    assert found["ended"] == ended
    if ended:
        assert found["months"] == pytest.approx(24, abs=0.1)


def test_what_had_ended_before_it_was_watched_is_left_out():
    found = span({"2023-01-01": 0.95, "2023-06-01": 0.96}, "share")
    assert found["reason"] == "it had ended when its scores begin"


def test_without_a_release_date_life_begins_with_the_scores():
    found = span({"2021-01-01": 0.2, "2022-01-01": 0.95}, "share", released=pd.NaT)
    assert (found["entry"], found["months"]) == (0, pytest.approx(12, abs=0.1))


def lives(count=150, seed=2, factor=0.93):
    rng = np.random.default_rng(seed)
    year = rng.integers(2010, 2026, count)
    life = 60 * factor ** (year - 2018.0) * rng.weibull(1.6, count)
    until = rng.uniform(20, 120, count)
    return pd.DataFrame(
        {
            "series": "s",
            "benchmark": [f"B{number}" for number in range(count)],
            "kind": "code",
            "era": np.where(year < 2018, "2015 to 2019", "since 2023"),
            "end": "share",
            "released": pd.to_datetime({"year": year, "month": 1, "day": 1}),
            "entry": 0.0,
            "months": np.minimum(life, until),
            "ended": life <= until,
            "reason": "",
        }
    )


def test_the_median_is_kaplan_and_meier_s():
    table = lives()
    row = lifespans.curves(table, 0.95).set_index("group").loc["all"]
    curve = SurvfuncRight(table["months"], table["ended"].astype(int))
    assert row["median"] == curve.quantile(0.5)
    assert row["lower"] < row["median"] < row["upper"]
    assert row["note"] == ""


def test_groups_with_few_ends_have_no_median_and_say_so():
    table = lives(12).assign(ended=[True] * 4 + [False] * 8)
    row = lifespans.curves(table, 0.95).set_index("group").loc["all"]
    assert np.isnan(row["median"])
    assert row["note"] == "fewer than 5 ended"


def test_where_most_go_on_there_is_no_median():
    table = lives(30).assign(months=np.arange(30) + 1.0, ended=[True] * 6 + [False] * 24)
    row = lifespans.curves(table, 0.95).set_index("group").loc["all"]
    assert np.isnan(row["median"])
    assert row["note"] == "half of them did not end while watched"


def test_the_factor_a_year_is_recovered():
    row = lifespans.pace(lives(2000), 0.95).iloc[0]
    assert row["lower"] < 0.93 < row["upper"]
    assert row["upper"] - row["lower"] < 0.03
    assert row["shape"] == pytest.approx(1.6, abs=0.15)


@pytest.mark.parametrize("changes", [{"ended": False}, {"released": pd.Timestamp("2020-01-01")}])
def test_without_ends_or_without_years_no_factor_is_given(changes):
    row = lifespans.pace(lives(50).assign(**changes), 0.95).iloc[0]
    assert row["note"].startswith("fewer than 5 ended, or all were released in one year")
    assert np.isnan(row["factor_a_year"])


def test_delayed_entry_is_not_taken_for_a_long_life():
    rng = np.random.default_rng(4)
    life, entry = 40 * rng.weibull(1.5, 6000), rng.uniform(0, 60, 6000)
    there = life > entry
    zeros, ended = np.zeros(there.sum()), np.ones(there.sum(), bool)
    found = lifespans.weibull(life[there], entry[there], ended, zeros + rng.normal(size=len(zeros)))
    blind = lifespans.weibull(life[there], zeros, ended, zeros + rng.normal(size=len(zeros)))
    assert np.exp(found["intercept"]) == pytest.approx(40, rel=0.08)
    assert np.exp(blind["intercept"]) > 45


def annotated():
    """Annotations of the benchmarks that have an alias: all alike but for who is public."""
    names = list(ALIASES)
    table = pd.DataFrame({"benchmark_id": names, "availability": "public"})
    table.loc[table.index < 8, "availability"] = "private"
    defaults = {
        "english_only": True, "output_format": "multiple_choice", "curated_by_experts": True,
        "curated_by_crowd": False, "generated_by_llm": False, "generated_by_program": False,
        "templated": False, "template_in_notes": False, "issue_none_known": True,
    }  # fmt: skip
    issues = ("contamination", "noise", "mislabelling", "bias", "other")
    defaults |= {f"issue_{name}": False for name in issues}
    return table.assign(**defaults)


def test_groups_that_live_unlike_long_are_told_apart_and_small_ones_are_not_tested():
    names = list(ALIASES.values())
    private = np.arange(len(names)) < 8
    table = lives(len(names)).assign(
        benchmark=names, months=np.where(private, 60.0, 10.0) + np.arange(len(names)), ended=True
    )
    found = lifespans.hypotheses(table, annotated()).set_index("hypothesis")
    row = found.loc["h1"]
    assert row["groups"] == f"private: 8; public: {len(names) - 8}"
    assert row["p_holm"] == pytest.approx(row["p_value"])
    assert row["p_value"] < 0.001
    assert found.drop(index="h1")["p_value"].isna().all()
    assert found.drop(index="h1")["note"].str.startswith("a group has fewer than 3").all()
