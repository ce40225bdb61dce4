"""How long benchmarks last, with censoring and delayed entry."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.duration.survfunc import SurvfuncRight

from studies.forecast import lifespans


def span(best, **changes):
    """The span of one series with these best shares by date."""
    dates = pd.to_datetime(list(best))
    row = {
        "series": "s", "benchmark": "B", "released": pd.Timestamp("2020-01-01"),
        "last": dates[-1], "papers": False, "reason": "",
    }  # fmt: skip
    frontier = pd.DataFrame({"series": "s", "date": dates, "best": best.values()})
    return lifespans.spans(pd.DataFrame([row | changes]), frontier).iloc[0]


@pytest.mark.parametrize(
    ("best", "released", "ended", "entry", "months"),
    [
        ({"2020-07-01": 0.2, "2022-01-01": 0.9, "2023-01-01": 0.95}, "2020-01-01", True, 6, 24),
        # Below the share it is censored when last watched.
        ({"2020-07-01": 0.2, "2022-01-01": 0.899}, "2020-01-01", False, 6, 24),
        # Without a release date life begins with the scores.
        ({"2021-01-01": 0.2, "2022-01-01": 0.95}, None, True, 0, 12),
    ],
)
def test_the_end_is_the_first_day_on_the_share(best, released, ended, entry, months):
    found = span(best, released=pd.Timestamp(released))
    assert (found["ended"], found["era"]) == (ended, "2020 to 2022")
    assert found[["entry", "months"]].tolist() == pytest.approx([entry, months], abs=0.1)


def test_what_had_ended_before_it_was_watched_is_left_out():
    found = span({"2023-01-01": 0.95, "2023-06-01": 0.96})
    assert found["reason"] == "it had ended when its scores begin"


def test_the_median_is_kaplan_and_meier_s_by_era():
    rng = np.random.default_rng(2)
    life, until = 40 * rng.weibull(1.6, 120), rng.uniform(20, 120, 120)
    table = pd.DataFrame({"months": np.minimum(life, until), "ended": life <= until})
    table = table.assign(series="s", benchmark="B", entry=0.0, reason="")
    table["era"] = np.repeat(["2020 to 2022", "since 2023"], [116, 4])
    found = lifespans.medians(table, 0.95).set_index("group")
    first = table.head(116)
    curve = SurvfuncRight(first["months"], first["ended"].astype(int))
    row = found.loc["2020 to 2022"]
    assert row["median"] == curve.quantile(0.5)
    assert row["lower"] < row["median"] < row["upper"]
    assert found.loc["since 2023", "note"] == "fewer than 5 ended"
    left_out = lifespans.medians(table.assign(reason="why"), 0.95)
    assert left_out["benchmarks"].tolist() == [0]
