"""The table of the package against an independent recomputation, and what holds of every row."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

spec = importlib.util.spec_from_file_location(
    "recomputed", Path(__file__).with_name("recomputed.py")
)
recomputed = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recomputed)
SHIPPED = pd.read_csv(recomputed.RESOURCES / "status/status.csv").set_index("benchmark")
# Benchmarks with item answers have more measured scores than the embedded tables of scores.
PLAIN = SHIPPED[~SHIPPED["sites"].fillna("").str.contains("item answers")]


@pytest.fixture(scope="module")
def again():
    return recomputed.table()


def test_every_row_agrees_with_the_recomputation(again):
    mine = again.loc[PLAIN.index]
    assert mine["status"].tolist() == PLAIN["status"].tolist()
    assert mine["date"].tolist() == PLAIN["date"].tolist()
    rated = PLAIN["scale"].isna()
    for name, column in (("best", "best_share"), ("reported", "reported_share")):
        np.testing.assert_allclose(mine.loc[rated, name], PLAIN.loc[rated, column], atol=1e-8)
    for name, column in (("n", "n_items"), ("chance", "chance")):
        np.testing.assert_allclose(mine[name], PLAIN[column], rtol=1e-9)
    # With all models as contenders the limit is at most as high.
    limits = pd.DataFrame({"mine": mine["lower"], "theirs": PLAIN["lower"]})[rated].dropna()
    assert (limits["mine"] <= limits["theirs"] + 1e-9).all()
    assert (limits["theirs"] - limits["mine"]).max() < 0.03
    given = PLAIN["next_year"].dropna()
    assert len(given) > 20
    np.testing.assert_allclose(mine.loc[given.index, "next"], given, atol=1e-9)


def test_no_usable_score_is_better_or_newer_than_its_row():
    scores = recomputed.all_scores()
    by_benchmark = scores.groupby("benchmark").agg(score=("score", "max"), date=("date", "max"))
    rows = SHIPPED.loc[by_benchmark.index]
    best = rows[["best_score", "reported_score"]].max(axis=1)
    assert (best >= by_benchmark["score"] - 1e-9).all()
    assert (rows["date"].fillna("") >= by_benchmark["date"].fillna("")).all()


def test_every_current_row_is_young_and_sourced():
    now = SHIPPED[SHIPPED["current"]]
    day = pd.Timestamp(now["as_of"].iloc[0])
    for column, months in (("best_date", 24), ("measured_date", 12)):
        assert ((day - pd.to_datetime(now[column])).dt.days <= months * 30.4375).all(), column
    assert now["chance"].notna().all()
    assert now["chance_source"].notna().all()
    assert now.loc[now["n_items"].notna(), "n_source"].notna().all()
    assert (now["n_items"].fillna(99) >= 20).all()
    assert now["superseded_by"].isna().all()
    assert set(now["status"]) <= {"exhausted", "near the ceiling", "room left"}


def test_a_scale_without_a_ceiling_has_no_share():
    other = SHIPPED[SHIPPED["scale"].notna()]
    assert {"GDPval", "METR Time Horizons", "Balrog", "WeirdML"} <= set(other.index)
    assert other[["best_share", "reported_share", "lower", "next_year"]].isna().all(axis=None)
    assert (other["status"] == "not rated").all()


def test_a_forecast_is_refused_where_any_score_has_passed():
    passed = SHIPPED[["best_share", "reported_share"]].max(axis=1) >= 0.9
    assert SHIPPED.loc[passed, "next_year"].isna().all()


def test_the_embedded_tables_of_cards_are_those_of_the_study():
    rises = recomputed.read("forecast/rises")
    assert (rises["rise"].diff().dropna() > 0).all()
    record = recomputed.read("forecast/record").set_index("origin")
    assert record.loc["all", "scored"] == record["scored"].iloc[:-1].sum()
    assert record.loc["all", "came"] == record["came"].iloc[:-1].sum()
