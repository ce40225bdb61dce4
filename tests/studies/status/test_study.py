"""The rule at its edges, the range, the tiers, and joins of names, on the embedded tables."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from saturation.files.tables import load_table
from studies.status.study import (
    EXHAUSTED,
    NEAR,
    ROOM,
    SEPARATED,
    STALE,
    SUPERSEDED,
    TIED,
    UNRATED,
    Evidence,
    judge,
)

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = load_table(ROOT / "resources/status/status.csv").set_index("benchmark")
NONE = math.nan


@pytest.mark.parametrize(
    ("measured", "reported", "lower", "age", "more", "expected"),
    [
        (0.95, NONE, 0.9, 99, {}, EXHAUSTED),
        (0.95, NONE, 0.8999, 12, {}, NEAR),
        (0.9, NONE, NONE, 12, {}, NEAR),
        (0.9, NONE, NONE, 12.01, {}, STALE),
        (0.8999, 0.9, 0.85, 1, {}, NEAR),
        (NONE, 0.99, NONE, 1, {}, NEAR),
        (0.8999, 0.8999, 0.85, 1, {}, ROOM),
        (NONE, 0.5, NONE, NONE, {}, STALE),
        (1.0, 1.0, 1.0, 1, {"superseded_by": "B2"}, SUPERSEDED),
        (1.0, 1.0, 1.0, 1, {"superseded_by": "B2", "unrated": "marks"}, UNRATED),
    ],
)
def test_the_first_line_that_fits_decides(settings, measured, reported, lower, age, more, expected):
    status, why = judge(Evidence(measured, reported, lower, age, **more), settings)
    assert status == expected
    assert why


def test_the_table_of_the_package_is_that_of_the_embedded_tables(today):
    """What chances and items add needs a run: `make docs` copies the run's table."""
    plain = SHIPPED[~SHIPPED["sites"].fillna("").str.contains("item answers")]
    columns = ["status", "date", "best_score", "best_share", "best_model", "lower", "n_models",
               "reported_score", "reported_date", "chance", "n_items", "issues"]  # fmt: skip
    pd.testing.assert_frame_equal(
        today.loc[plain.index, columns], plain[columns], check_dtype=False
    )
    alone = SHIPPED["sites"].eq("item answers") & SHIPPED["reported_score"].isna()
    assert set(today.index) == set(SHIPPED.index[~alone])


def test_a_share_goes_from_chance_to_all_items(today):
    # Epoch AI's index has 1041/2380 for HLE: 1161 of 2500 right where guessing gives 120.
    hle = today.loc["Humanity's Last Exam"]
    assert hle[["best_score", "best_share"]].tolist() == pytest.approx([1161 / 2500, 1041 / 2380])
    # 404 of 484 tasks solved; nothing is subtracted for the 82 of 500 with flawed tests.
    swe = today.loc["SWE-bench Verified"]
    assert swe["best_share"] == pytest.approx(404 / 484)
    assert (swe["reported_share"], swe["status"]) == (0.95, NEAR)
    assert "82 of 500" in swe["issues"]
    # 94.6 % on four options.
    assert today.loc["GPQA Diamond", "best_share"] == pytest.approx((0.946 - 0.25) / 0.75)


def test_the_lower_limit_is_held_over_all_contenders(today):
    """Clopper and Pearson's, at 5 % shared by the contenders."""
    for name, right, n in (("Surface Evolver Bench", 152, 160), ("MATH level 5", None, 1324)):
        row = today.loc[name]
        right = row["best_score"] * n if right is None else right
        limit = stats.beta.ppf(0.05 / row["contenders"], right, n - right + 1)
        assert row["lower"] == pytest.approx(limit)
    gpqa = today.loc["GPQA Diamond"]
    right = gpqa["best_score"] * 198
    limit = stats.beta.ppf(0.05 / gpqa["contenders"], right, 198 - right + 1)
    assert gpqa["lower"] == pytest.approx((limit - 0.25) / 0.75)
    assert gpqa["contenders"] > 50


def test_the_rows_that_an_audit_found_wrong(today):
    def measured(name):
        return today.loc[name, ["best_score", "measured_date"]].tolist()

    assert measured("OSWorld") == [0.721, "2026-02-17"]
    assert measured("Cybench") == [0.42, "2025-08-05"]
    assert today.loc["Cybench", ["reported_score", "status"]].tolist() == [1.0, NEAR]
    assert measured("GSO-Bench") == [pytest.approx(0.4706), "2026-06-30"]
    assert today.loc["METR Time Horizons", "best_score"] == pytest.approx(0.788644)
    assert today.loc["METR Time Horizons", "best_share":"best_share"].isna().all()
    assert today.loc["DeepResearch Bench", "best_score"] == pytest.approx(0.553138)
    assert today.loc["ARC Challenge", "reported_score"] == 0.972
    assert today.loc["Aider polyglot", "best_model"] == "gpt-5-2025-08-07_high"
    assert today.loc["SQuAD v2", ["reported_model", "status"]].tolist() == [
        "IE-Net (ensemble)", STALE,
    ]  # fmt: skip
    assert today.loc["WinoGrande", "n_items"] == 1267
    # The day of collection is the date of no score.
    assert (today["date"] != "2025-11-01").all()
    assert today.loc[["RACE", "QuAC", "GLUE"], "status"].tolist() == [STALE] * 3


def test_no_chance_level_no_exhaustion(today):
    assert today.loc["TruthfulQA", "status"] == NEAR
    old = today[today["date"] < "2023"]
    assert len(old) > 50
    assert (old["status"] == STALE).all()
    assert not old["current"].any()


def toy(judged, alone, shares, n, chance=None, tier="measured"):
    """The row of a benchmark with these scores of models of 2026."""
    series = {"series": "s", "source": "x", "benchmark": "Toy", "protocol": "p", "metric": "acc"}
    series |= {"floor": 0.0, "released": None, "site": "toy.org", "tier": tier}
    dates = pd.date_range("2026-01-01", periods=len(shares), freq="7D").strftime("%Y-%m-%d")
    models = [f"m{place}" for place in range(len(shares))]
    scores = pd.DataFrame({"series": "s", "model": models, "date": dates, "score": shares})
    facts = pd.DataFrame([{"benchmark": "Toy", "series": "Toy", "n_items": n, "chance": chance}])
    facts = facts.reindex(columns=[*facts, "index", "boards", "reports", "source", "scale"])
    tables = {"series": pd.DataFrame([series]), "scores": scores, "facts": facts}
    return judged(**alone() | tables).loc["Toy"]


@pytest.mark.parametrize(
    ("best", "n", "tier", "expected"),
    [
        (1.0, 1000, "measured", EXHAUSTED),
        (0.91, 1000, "measured", NEAR),
        (1.0, None, "measured", NEAR),
        (1.0, 1000, "reported", NEAR),
        (0.89, 10**6, "measured", ROOM),
    ],
)
def test_only_measured_scores_with_a_number_of_items_exhaust(
    judged, alone, best, n, tier, expected
):
    row = toy(judged, alone, [best, 0.5], n, tier=tier)
    assert row["status"] == expected
    assert row["current"] == (tier == "measured")


def test_a_benchmark_of_few_items_or_old_best_is_not_current(judged, alone):
    assert not toy(judged, alone, [1.0], 19)["current"]
    assert toy(judged, alone, [1.0], 20)["current"]
    otis = "OTIS Mock AIME 2024-2025"
    old = judged("2027-07-01", **alone(otis)).loc[otis]
    assert old["status"] == NEAR
    assert old["current"]
    assert not judged("2028-05-01", **alone(otis)).loc[otis, "current"]


def test_scores_alone_separate_as_independent_proportions_of_all_pairs(judged, alone):
    """At the number of items where statsmodels' test, times the number of pairs, crosses 5 %."""
    shares = [0.8, 0.78, 0.77, 0.76, 0.7, 0.3, 0.3, 0.3, 0.3]

    def p(n):
        return proportions_ztest([0.8 * n, 0.7 * n], [n, n])[1] * 9 * 8 / 2

    enough = next(n for n in range(100, 2000) if p(n) <= 0.05)
    assert p(enough - 1) > 0.05
    assert toy(judged, alone, shares, enough)["top"] == SEPARATED
    assert toy(judged, alone, shares, enough - 1)["top"].startswith("not shown")
    assert "not on record" in toy(judged, alone, shares, None)["top"]
    row = toy(judged, alone, shares, enough)
    assert row[["best_model", "n_models", "date"]].tolist() == ["m0", 9, "2026-02-26"]


@pytest.mark.parametrize(
    ("best", "given", "expected"),
    [
        (0.88, {}, TIED),
        (0.88, {"detectable": 0.051}, "too few items to see gaps below 5 points"),
        (0.88, {"kth_tied": False, "detectable": 0.2}, SEPARATED),
        (0.88, {"n_models": 7}, "item answers of only 7 models"),
        (0.88, {"released": "2024-09-30"}, "item answers end in September 2024"),
        (0.80, {}, "item answers are of weaker models than today's best"),
    ],
)
def test_item_answers_decide_where_they_are_new_and_of_the_best(
    judged, alone, board, best, given, expected
):
    # By then no model had reached 90 % of GPQA Diamond's range.
    row = judged("2025-10-15", **alone("GPQA diamond") | board(best, **given)).loc["GPQA Diamond"]
    assert expected in row["top"]


def test_names_join_only_what_is_one_test(today, judged, board, embedded):
    facts = embedded["facts"]
    series = set(embedded["series"]["benchmark"])
    assert {key for text in facts["series"].dropna() for key in text.split(";")} <= series
    index = set(load_table(ROOT / "resources/plateau/benchmarks.csv")["benchmark_id"])
    assert set(facts["index"].dropna()) <= index
    known = set(today.index) | set(facts["benchmark"])
    assert set(embedded["issues"]["benchmark"]) <= known
    # 0.706 is the bash-only board's; 0.292 are 14 of Tier 4's 48 problems.
    assert today.loc["SWE-bench Verified, bash only", "reported_score"] == 0.706
    assert today.loc["FrontierMath Tier 4 (2025)", "s_index"] == pytest.approx(0.577, abs=0.001)
    # Case and hyphens make no other benchmark, a plus does.
    boards = [
        board(0.99, board="toy", title="Human-Eval"),
        board(0.5, board="gsm8k", title="GSM8K"),
    ]
    boards += [board(0.99, board="toy_2", title="Toy+")]
    tables = {name: pd.concat(made[name] for made in boards) for name in ("overview", "models")}
    table = judged(**tables)
    assert table.loc["HumanEval", "items_board"] == "toy"
    assert "Toy+" in table.index
    assert table["anchor"].is_unique


def test_a_change_of_the_last_refresh_is_in_the_table(judged, embedded):
    said = embedded["said"].assign(before=None, since="2026-07-01")
    here = said["benchmark"] == "GPQA Diamond"
    said = said.assign(
        before=said["before"].mask(here, ROOM), since=said["since"].mask(here, "2026-08-01")
    )
    changed = judged(said=said)["changed"].dropna()
    assert changed.to_dict() == {"GPQA Diamond": "room left before 2026-08-01"}


def test_only_what_has_room_has_a_chance(judged, alone, embedded):
    chances = pd.DataFrame(
        {
            "series": ["HLE, measured", "GPQA diamond, measured", "Cybench, measured"],
            "benchmark": ["HLE", "GPQA diamond", "Cybench"],
            "probability": [0.3, np.nan, 0.2],
        }
    )
    tables = alone(*chances["benchmark"]) | {"reports": embedded["reports"]}
    table = judged(chances=chances, **tables)["next_year"].dropna()
    # A report has passed the target of Cybench.
    assert table.to_dict() == {"Humanity's Last Exam": 0.3}


def test_numbers_of_items_read_off_scores_can_be_read_off_them():
    """Scores as multiples of 1/n, up to one unit of the last digit that the series prints."""
    facts = pd.read_csv(ROOT / "resources/status/benchmarks.csv")
    series = pd.read_csv(ROOT / "resources/forecast/series.csv")
    dated = pd.read_csv(ROOT / "resources/forecast/scores.csv").merge(series, on="series")
    pattern = r"(\d+) of (\d+) different scores are k/(\d+)(?: or k/(\d+))?"
    told = facts.set_index("benchmark")["n_source"].str.extract(pattern).dropna(subset=[0])
    assert len(told) == 6
    names = facts.set_index("benchmark")["series"].fillna(
        facts.set_index("benchmark").index.to_series()
    )
    for name, (hits, number, *grids) in told.iterrows():
        scores = np.unique(dated.loc[dated["benchmark"] == names[name], "score"])
        digits = min(4, max(len(repr(float(score)).split(".")[1]) for score in scores))
        near = np.zeros(len(scores), dtype=bool)
        for grid in [int(grid) for grid in grids if isinstance(grid, str)]:
            near |= np.abs(scores - np.round(scores * grid) / grid) < 10.0**-digits
        assert (name, near.sum(), len(scores)) == (name, int(hits), int(number))
