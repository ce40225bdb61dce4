"""What the indices said of a benchmark, against what came."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.forecast.series import months_after
from studies.forecast import indices


def boards():
    months = pd.period_range("2023-09", periods=10, freq="M").astype(str)
    rows, index = [], []
    for number in range(6):
        for place, month in enumerate(months):
            key = {"leaderboard": "v1", "benchmark": f"B{number}", "month": month}
            score = 0.5 + 0.01 * place * (number + 1) - (0.2 if place == 3 else 0)
            rows.append(key | {"max_score": score, "top10_gap": 0.01 * number, "bdi": 0.1 * number})
            index += [
                key | {"scope": scope, "s_index": value}
                for scope, value in (("so_far", 0.9 - 0.1 * number), ("window", 0.0))
            ]
    return pd.DataFrame(rows), pd.DataFrame(index)


def test_a_case_joins_the_index_so_far_with_the_rise_to_the_same_day_later():
    cases = indices.board_cases(*boards())
    row = cases[(cases["benchmark"] == "v1 B2") & (cases["month"] == "2023-09")].iloc[0]
    assert row["ahead"] == 6
    assert row["s_index"] == pytest.approx(0.7)
    assert row["rise"] == pytest.approx(0.18)
    # The dip of the fourth month is not the best so far, and twelve months were not watched.
    dip = cases[(cases["benchmark"] == "v1 B2") & (cases["month"] == "2023-12")].iloc[0]
    assert dip["best"] == pytest.approx(0.56)
    assert set(cases["ahead"]) == {6}


def test_histories_have_the_gap_of_the_five_best_dates(tables):
    series, frontier = tables
    day = pd.Timestamp("2023-06-01")
    cases = indices.history_cases(series, frontier, [day])
    row = cases[(cases["benchmark"] == "B3") & (cases["ahead"] == 6)].iloc[0]
    own = frontier[frontier["series"] == "B3, measured"]
    past = own[own["date"] <= day]["share"].sort_values(ascending=False)
    later = own[own["date"] <= months_after(day, 6)]["best"].iloc[-1]
    assert row["gap"] == pytest.approx(past.iloc[0] - past.iloc[4])
    assert row["rise"] == pytest.approx(later - past.iloc[0])
    assert len(cases) == 2 * len(series)


def made_cases(link, benchmarks=20, each=4, seed=0):
    rng = np.random.default_rng(seed)
    count = benchmarks * each
    best, gap = rng.normal(size=(2, count))
    return pd.DataFrame(
        {
            "benchmark": np.repeat([f"B{number}" for number in range(benchmarks)], each),
            "gap": gap,
            "best": best,
            "rise": -0.6 * best + link * gap + 0.5 * rng.normal(size=count),
        }
    ).assign(setting="histories", month="2024-01", ahead=6, s_index=np.nan, bdi=np.nan)


def predicted(cases, predictor="gap"):
    table = indices.prediction(cases, 0.95)
    own = table[(table["setting"] == "histories") & (table["predictor"] == predictor)]
    return own[own["ahead"] == 6].iloc[0]


def test_the_correlations_are_spearman_s_and_the_partial_one_of_ranks():
    cases = made_cases(0.5)
    row = predicted(cases)
    assert row["rho"] == pytest.approx(stats.spearmanr(cases["gap"], cases["rise"])[0])
    ranks = cases[["gap", "best", "rise"]].rank().to_numpy()
    inverse = np.linalg.inv(np.corrcoef(ranks.T))
    partial = -inverse[0, 2] / np.sqrt(inverse[0, 0] * inverse[2, 2])
    assert row["partial"] == pytest.approx(partial)
    # Fisher's z with the error of a jackknife over the twenty benchmarks.
    z = [
        np.arctanh(stats.spearmanr(part["gap"], part["rise"])[0])
        for part in (cases[cases["benchmark"] != name] for name in cases["benchmark"].unique())
    ]
    half = stats.t.ppf(0.975, 19) * np.sqrt(19 * np.var(z))
    limits = np.tanh(np.arctanh(row["rho"]) + np.array([-half, half]))
    assert row[["rho_lower", "rho_upper"]].tolist() == pytest.approx(limits.tolist())


def test_a_predictor_without_a_part_of_its_own_has_no_partial_correlation():
    cases = made_cases(0.5)
    row = predicted(cases.assign(gap=-cases["best"]))
    assert np.isnan(row["partial"])
    row = predicted(cases.assign(gap=1.0))
    assert np.isnan([row["rho"], row["rho_lower"]]).all()
    row = predicted(cases, "best")
    assert row["rho_upper"] < 0
    assert np.isnan(row["partial"])


def test_fewer_than_five_benchmarks_are_abstained_from():
    row = predicted(made_cases(0.5, benchmarks=4))
    assert row["note"] == "fewer than 5 benchmarks"
    assert np.isnan(row["rho"])
    assert predicted(made_cases(0.5, benchmarks=5))["note"] == ""
