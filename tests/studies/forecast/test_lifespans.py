"""How long benchmarks last, with censoring and delayed entry, and the hypotheses about it."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from saturation.forecast.names import ALIASES
from saturation.statistics.intervals import holm
from studies.forecast import lifespans
from studies.forecast.lifespans import Lives


def span(best, end, **row):
    """Of one series with these best shares by date."""
    base = {
        "series": "s", "benchmark": "B", "kind": "code", "released": pd.Timestamp("2020-01-01"),
        "observed_until": pd.Timestamp("2024-01-01"),
    }  # fmt: skip
    dates = pd.to_datetime(list(best))
    frontier = pd.DataFrame({"series": "s", "date": dates, "best": best.values()})
    table = lifespans.spans(pd.DataFrame([base | row]), frontier)
    return table[table["end"] == end].iloc[0]


@pytest.mark.parametrize(
    ("best", "released", "ended", "entry", "months"),
    [
        ({"2020-07-01": 0.2, "2022-01-01": 0.9, "2023-01-01": 0.95}, "2020-01-01", True, 6, 24),
        # Below the share it is censored when last watched.
        ({"2020-07-01": 0.2, "2022-01-01": 0.899}, "2020-01-01", False, 6, 48),
        # Without a release date life begins with the scores.
        ({"2021-01-01": 0.2, "2022-01-01": 0.95}, None, True, 0, 12),
    ],
)
def test_the_end_is_the_first_day_on_the_share(best, released, ended, entry, months):
    found = span(best, "share", released=pd.Timestamp(released))
    assert (found["ended"], found["era"]) == (ended, "2020 to 2022")
    assert found[["entry", "months"]].tolist() == pytest.approx([entry, months], abs=0.1)


def test_a_best_score_that_stands_for_a_year_is_the_last():
    best = {"2020-07-01": 0.2, "2022-01-01": 0.6, "2022-06-01": 0.6}
    found = [
        span(best, "improvement", observed_until=pd.Timestamp(until))
        for until in ("2022-12-20", "2023-01-10")
    ]
    assert [one["ended"] for one in found] == [False, True]
    assert found[1]["months"] == pytest.approx(24, abs=0.1)


def test_what_had_ended_before_it_was_watched_is_left_out():
    found = span({"2023-01-01": 0.95, "2023-06-01": 0.96}, "share")
    assert found["reason"] == "it had ended when its scores begin"


def life_spans(count=150, seed=2, factor=0.93):
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


def of_all(table):
    return lifespans.curves(table, 0.95).set_index("group").loc["all"]


def test_the_median_is_kaplan_and_meier_s():
    table = life_spans()
    row = of_all(table)
    curve = SurvfuncRight(table["months"], table["ended"].astype(int))
    assert row["median"] == curve.quantile(0.5)
    assert row["lower"] < row["median"] < row["upper"]
    assert row["note"] == ""


def test_where_few_ended_or_most_go_on_there_is_no_median():
    months = np.arange(30) + 1.0
    for ended, note in (
        (4, "fewer than 5 ended"),
        (5, "half of them did not end while watched"),
    ):
        row = of_all(life_spans(30).assign(months=months, ended=months <= ended))
        assert np.isnan(row["median"])
        assert row["note"] == note


def test_the_factor_a_year_is_recovered():
    row = lifespans.pace(life_spans(2000), 0.95).iloc[0]
    assert row["lower"] < 0.93 < row["upper"]
    assert row["upper"] - row["lower"] < 0.03
    assert row["shape"] == pytest.approx(1.6, abs=0.15)


@pytest.mark.parametrize("changes", [{"ended": False}, {"released": pd.Timestamp("2020-01-01")}])
def test_without_ends_or_without_years_no_factor_is_given(changes):
    row = lifespans.pace(life_spans(50).assign(**changes), 0.95).iloc[0]
    assert row["note"].startswith("fewer than 5 ended, or all were released in one year")
    assert np.isnan(row["factor_a_year"])


@pytest.fixture(scope="module")
def private(prepared):
    """Whether the test set of each annotated benchmark with a history is private."""
    return prepared[0].set_index("benchmark_id").loc[list(ALIASES), "availability"] == "private"


def test_groups_that_live_unlike_long_are_separated_and_small_ones_are_not_tested(
    prepared, private
):
    count = len(ALIASES)
    months = np.where(private, 60.0, 10.0) + np.arange(count)
    table = life_spans(count).assign(benchmark=ALIASES.values(), months=months, ended=True)
    found = lifespans.hypotheses(table, prepared[0]).set_index("hypothesis")
    row = found.loc["h1"]
    assert row["groups"] == f"private: {private.sum()}; public: {count - private.sum()}"
    assert row["p_value"] < 0.01
    tested = found[found["note"] == ""]
    assert tested["p_holm"].tolist() == pytest.approx(holm(tested["p_value"]))
    # All are English.
    assert found.loc["h2", "note"].startswith("a group has fewer than 3")
    assert np.isnan(found.loc["h2", "p_value"])


def of_kinds(count=1200, kinds=4, spread=0.5, slope=-0.08, shape=1.8, seed=0):
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, spread, kinds)
    effects -= effects.mean()
    kind = rng.integers(0, kinds, count)
    year = rng.integers(-6, 7, count).astype(float)
    life = np.exp(4 + effects[kind] + slope * year) * rng.weibull(shape, count)
    entry = np.where(rng.random(count) < 0.3, rng.uniform(0, 20, count), 0.0)
    until = entry + rng.uniform(12, 90, count)
    there = life > entry
    lives = Lives(np.minimum(life, until), entry, life <= until, year, kind)
    return Lives(*(part[there] for part in lives)), effects


def test_derivatives_are_those_of_the_density():
    lives, _ = of_kinds()
    at = np.array([4.1, -0.05, 0.2, 0.1, -0.2, 0.05, 0.02])
    gradient, hessian = lifespans._derivatives(at, lives, 0.35)
    density, given = lifespans.negative_log_likelihood, {"args": (lives, 0.35)}
    by_steps = approx_fprime(at, density, centered=True, **given)
    assert gradient == pytest.approx(by_steps, rel=1e-5, abs=1e-5)
    assert hessian == pytest.approx(approx_hess(at, density, **given), rel=1e-3, abs=1e-2)
    # Of kinds' effects the whole normal density counts: spreads are compared by it.
    narrow, wide = (density(at, lives, s) + stats.norm.logpdf(at[3:], 0, s).sum() for s in (0.3, 1))
    assert narrow == pytest.approx(wide)


def test_with_one_kind_it_is_the_regression_by_maximum_likelihood():
    lives, _ = of_kinds(kinds=1)
    drawn = lifespans.draws(lives, np.random.default_rng(1))
    plain = lifespans.weibull(lives.months, lives.entry, lives.ended, lives.year)
    assert drawn[:, 1].mean() == pytest.approx(plain["slope"], abs=0.3 * plain["slope_error"])
    assert drawn[:, 1].std() == pytest.approx(plain["slope_error"], rel=0.15)


def as_spans(lives, end="share"):
    return pd.DataFrame(
        {
            "end": end, "reason": "", "kind": np.array(["a", "b", "c", "d"])[lives.kind],
            "released": pd.to_datetime([f"{2018 + int(year)}-01-01" for year in lives.year]),
            "months": lives.months, "entry": lives.entry, "ended": lives.ended,
        }
    )  # fmt: skip


def test_the_table_holds_each_kind_and_the_change_a_year():
    lives, effects = of_kinds()
    few = as_spans(lives, "improvement").head(40).assign(ended=False)
    left = as_spans(lives).assign(reason="it had ended", kind="e")
    spans = pd.concat([as_spans(lives), few, left])
    table = lifespans.survival(spans, 0.95, np.random.default_rng(2))
    assert set(table["end"]) == {"share"}
    assert table["what"].tolist() == ["a", "b", "c", "d", lifespans.CHANGE]
    # The median of a Weibull distribution of shape 1.8, by kind, and the change of its scale.
    truth = [*np.exp(4 + effects) * np.log(2) ** (1 / 1.8), np.exp(-0.08)]
    assert (table["lower"] < truth).all()
    assert (truth < table["upper"]).all()
    assert table["value"].to_numpy() == pytest.approx(truth, rel=0.2)
    (change,) = table[table["what"] == lifespans.CHANGE].to_dict("records")
    assert change["benchmarks"] == len(lives.months)
    assert table["ended"].iloc[:4].sum() == change["ended"] == lives.ended.sum()


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
            ("s2", "2025-01-01", 0.4), ("s2", "2025-11-01", 0.5), ("s2", "2026-06-01", 0.9),
            ("s3", "2025-01-01", 0.4),
        ],
        columns=["series", "date", "best"],
    ).assign(date=lambda outcomes: pd.to_datetime(outcomes["date"]))  # fmt: skip
    observed = pd.Timestamp("2025-11-01")
    first, second = lifespans.courses(series, frontier, observed).to_dict("records")
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
def outcomes(private):
    rng = np.random.default_rng(0)
    count = len(private)
    return pd.DataFrame(
        {
            "benchmark_id": private.index,
            "age": rng.uniform(1, 7, count),
            "year": rng.uniform(2022, 2026, count),
            "reached": rng.normal(size=count) + 3 * private.to_numpy(float),
            "a_year": rng.normal(size=count),
            "since": np.nan,
        }
    )


@pytest.fixture(scope="module")
def found(outcomes, prepared):
    return lifespans.later(outcomes, prepared[0], 0.95, np.random.default_rng(1))


def test_the_difference_is_least_squares_with_age_and_year_held_fixed(found, outcomes, private):
    row = found[(found["hypothesis"] == "h1") & (found["outcome"] == "reached")].iloc[0]
    own = outcomes.assign(public=1 - private.to_numpy(float))
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
