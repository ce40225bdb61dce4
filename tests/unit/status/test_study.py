"""The rule at its edges, the usable range, and joins of names, on the embedded tables."""

import math
from pathlib import Path

import pandas as pd
import pytest
from statsmodels.stats.proportion import proportions_ztest

from saturation.files.tables import read_table
from saturation.status.study import (
    EXHAUSTED,
    ITEMS,
    SEPARATING,
    STALE,
    TIED,
    UNDECIDED,
    Evidence,
    judge,
)

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = read_table(ROOT / "resources/status/status.csv").set_index("benchmark")


@pytest.mark.parametrize(
    ("best", "age", "items", "scores", "unusable", "expected"),
    [
        (0.9, 99, SEPARATING, SEPARATING, "", EXHAUSTED),
        (0.8999, 12, TIED, SEPARATING, "", TIED),
        (0.8999, 12.01, TIED, SEPARATING, "", STALE),
        (math.nan, 1, "none", SEPARATING, "", SEPARATING),
        (math.nan, 13, "none", SEPARATING, "", STALE),
        (0.5, 1, SEPARATING, "unknown", "", SEPARATING),
        (0.5, 1, "none", "unknown", "", UNDECIDED),
        (1.0, 1, TIED, SEPARATING, "mixed", UNDECIDED),
    ],
)
def test_the_first_line_that_fits_decides(settings, best, age, items, scores, unusable, expected):
    status, why = judge(Evidence(best, age, items, scores, unusable), settings)
    assert status == expected
    assert why


def test_the_table_of_the_package_is_that_of_the_embedded_tables(today):
    """What forecasts and items add needs a run: `make docs` copies the run's table."""
    by_items = (SHIPPED["scores_from"] == ITEMS) | (SHIPPED["items_date"] == SHIPPED["date"])
    plain = SHIPPED[~by_items & ~SHIPPED["why"].str.startswith("items")]
    columns = ["date", "best_model", "best_share", "second_share", "n_models", "chance", "issues"]
    own = today.loc[plain.index]
    pd.testing.assert_frame_equal(own[columns], plain[columns], check_dtype=False)
    assert (own["status"] == plain["status"]).all()
    assert set(today.index) == set(SHIPPED.index[SHIPPED["scores_from"] != ITEMS])


def test_a_score_is_a_share_of_what_lies_between_chance_and_broken_items(today):
    # Epoch AI's index has 1041/2380 for HLE: 1161 of 2500 right where guessing gives 120.
    hle = today.loc["Humanity's Last Exam"]
    assert hle[["best_score", "best_share"]].tolist() == pytest.approx([1161 / 2500, 1041 / 2380])
    # 404 of 484 tasks solved; 82 of 500 reject right solutions.
    assert today.loc["SWE-bench Verified", "best_share"] == pytest.approx(404 / 484 / 0.836)
    # 94.6 % on four options.
    assert today.loc["GPQA Diamond", "best_score"] == pytest.approx(0.946)
    assert today.loc["GPQA Diamond", "best_share"] == pytest.approx((0.946 - 0.25) / 0.75)
    assert today.loc["MATH-500", "best_error"] == pytest.approx((0.992 * 0.008 / 500) ** 0.5)


def test_nothing_is_exhausted_by_one_model_unless_the_table_says_so(today):
    lone = today[(today["status"] == EXHAUSTED) & (today["second_share"] < 0.9)]
    assert set(lone.index) >= {"C-Eval", "QuALITY", "Global-MMLU"}
    assert (lone["without_best"] != EXHAUSTED).all()


def test_no_chance_level_no_exhaustion(today):
    assert today.loc["GLUE", "status"] == UNDECIDED
    old = today[today["date"] < "2023"]
    assert len(old) > 50
    assert (old["status"] == STALE).all()


def test_scores_alone_separate_as_independent_proportions_of_all_pairs(judged):
    """At the number of items where statsmodels' test, times the number of pairs, crosses 5 %."""
    models = [f"m{place}" for place in range(9)]
    shares = [0.8, 0.78, 0.77, 0.76, 0.7, 0.3, 0.3, 0.3, 0.3]

    def p(n):
        return proportions_ztest([0.8 * n, 0.7 * n], [n, n])[1] * 9 * 8 / 2

    enough = next(n for n in range(100, 2000) if p(n) <= 0.05)
    assert p(enough - 1) > 0.05
    series = {"series": "s", "source": "x", "benchmark": "Toy", "protocol": "p", "metric": "acc"}
    table = pd.DataFrame([series | {"kind": "code", "floor": 0.0, "released": None}])
    dates = pd.date_range("2026-01-01", periods=9, freq="7D")
    scores = pd.DataFrame({"series": "s", "model": models, "date": dates, "score": shares})
    for n, status in ((enough, SEPARATING), (enough - 1, UNDECIDED)):
        facts = pd.DataFrame([{"benchmark": "Toy", "series": "Toy", "n_items": n}])
        facts = facts.reindex(columns=[*facts, "index", "boards", "chance", "unusable"])
        row = judged(series=table, scores=scores, facts=facts).loc["Toy"]
        assert row["status"] == status
    unsized = judged(series=table, scores=scores, facts=facts.assign(n_items=None)).loc["Toy"]
    assert "the number of items is not on record" in unsized["why"]
    assert row[["best_model", "second_share", "date"]].tolist() == ["m0", 0.78, "2026-02-26"]


@pytest.mark.parametrize(
    ("best", "given", "expected"),
    [
        (0.88, {}, TIED),
        (0.88, {"detectable": 0.051}, "too few items to see gaps below 5 points"),
        (0.88, {"kth_tied": False, "detectable": 0.2}, SEPARATING),
        (0.88, {"n_models": 7}, "item answers of only 7 models"),
        (0.88, {"released": "2024-09-30"}, "item answers end in September 2024"),
        (0.80, {}, "item answers are of weaker models than today's best"),
    ],
)
def test_item_answers_decide_where_they_are_new_and_of_the_best(
    judged, board, best, given, expected
):
    # By then no model had reached 90 % of GPQA Diamond's range.
    row = judged("2025-10-15", **board(best, **given)).loc["GPQA Diamond"]
    assert expected in (row["status"], *row["why"].split("; "))


def test_names_join_only_what_is_one_test(today, judged, board):
    facts = read_table(ROOT / "resources/status/benchmarks.csv")
    series = set(read_table(ROOT / "resources/forecast/series.csv")["benchmark"])
    assert {key for text in facts["series"].dropna() for key in text.split(";")} <= series
    index = set(read_table(ROOT / "resources/plateau/benchmarks.csv")["benchmark_id"])
    assert set(facts["index"].dropna()) <= index
    known = set(today.index) | set(facts["benchmark"])
    assert set(read_table(ROOT / "resources/status/issues.csv")["benchmark"]) <= known
    # 0.706 is the bash-only board's; 0.292 are 14 of Tier 4's 48 problems.
    assert today.loc["SWE-bench Verified, bash only", "best_score"] == 0.706
    assert today.loc["FrontierMath Tier 4 (2025)", "s_index"] == pytest.approx(0.577, abs=0.001)
    # Case and hyphens make no other benchmark, a plus does; encoders are on no list.
    # Case and hyphens make no other benchmark, a plus does; encoders are on no list; a board and a
    # list of one name are two sources.
    boards = [
        board(0.99, board="toy", title="Human-Eval"),
        board(0.99, board="toy_2", title="Toy+"),
        board(0.99, board="nlu_snli", title="SNLI+"),
        board(0.5, board="gsm8k", title="GSM8K"),
    ]
    tables = {name: pd.concat(one[name] for one in boards) for name in ("overview", "models")}
    table = judged(**tables)
    assert table.loc["HumanEval", "items_board"] == "toy"
    assert "Toy+" in table.index
    assert "SNLI+" not in table.index
    assert table.loc["GSM8K", "n_models"] == 5


def test_a_forecast_of_one_month_ends_in_the_month_of_its_origin(judged):
    about = {"origin": "2026-08-01", "threshold": 0.9, "not_in_two_years": 0.3}
    about |= {"earliest": 1, "median": 12, "latest": None}
    reach = pd.DataFrame([about | {"series": name} for name in ("epoch_eci-72", "epoch_eci-55")])
    months = ["due_earliest", "due_median", "due_latest", "not_in_two_years"]
    table = judged(reach=reach).fillna({"due_latest": ""})[months]
    assert table.loc["Humanity's Last Exam"].tolist() == ["2026-08", "2027-07", "", 0.3]
    # What is exhausted has no date of exhaustion.
    assert table.loc["GPQA Diamond"].fillna("").tolist() == ["", "", "", 0]
