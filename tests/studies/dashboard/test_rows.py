"""The dashboard's tables, value by value, and the way from a claim to what is behind it."""

from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest

from saturation.files import stages
from saturation.files.tables import load_table, write_csv
from saturation.index import index_table
from saturation.leaderboard import top as leaderboard_top
from saturation.statistics.standard_errors import binomial_error
from studies.dashboard import rows
from studies.plateau import uncertainty
from tests.shared_cards import typed_card


def test_one_column_holds_one_kind_of_number_by_either_route():
    """A published benchmark, handed in as the user's own, gives the same row."""
    scores, n = [0.93, 0.92, 0.9, 0.9, 0.88], 250
    top_scores = pd.DataFrame({"benchmark_id": "a", "model": list("vwxyz"), "score": scores})
    benchmarks = pd.DataFrame({"benchmark_id": ["a"], "name": ["A"], "n_test": [n]})
    index = index_table(benchmarks, top_scores)
    intervals = uncertainty.uncertainty_table(index, top_scores)
    study = rows.published(benchmarks.assign(months_at_observation=1.0), index, intervals)
    estimates = pd.DataFrame(
        {"model": list("vwxyz"), "score": scores, "standard_error": binomial_error(scores, n),
         "n_items": float(n), "error_source": "binomial", "lower": 0.0, "upper": 1.0}
    )  # fmt: skip
    empty = (pd.DataFrame(), pd.Series(dtype=str))
    frontier = leaderboard_top.frontier(estimates, empty, leaderboard_top.Settings())
    card = replace(typed_card([], {}, {}, data={"n_items": n}, released=None), frontier=frontier)
    numbers = ["s_index", "s_lower", "s_upper", "n", "s_1", "s_k", "gap"]
    assert rows.list_cards([card])[numbers].to_numpy()[0] == pytest.approx(
        study[numbers].to_numpy()[0].astype(float)
    )
    assert rows.list_cards([card])["bin"].item() == study["bin"].item()


def test_counts_take_the_threshold_itself_and_keep_the_users_apart(listed):
    assert rows.counts(listed, 0.7) == {
        "published": 3, "published_saturated": 2, "above": 0, "below": 0, "open": 3,
        "own": 3, "own_alike": 2, "aged": 4, "scored": 4,
    }  # fmt: skip
    # The user's count by their verdicts, not by an index.
    assert rows.counts(listed, 0.65)["own_alike"] == 2
    apart = listed.replace({"verdict": {"stagnated": "separates_in_part"}})
    assert rows.counts(apart, 0.65)["own_alike"] == 0
    assert rows.counts(listed, 0.71)["published_saturated"] == 1


def test_the_headline_counts_by_whole_intervals_at_their_edges(listed):
    # The user's, the last three, have no part in it.
    for lower, upper, expected in (
        (0.7, 1.0, [3, 0, 0]),
        (0.0, 0.7, [0, 0, 3]),  # an interval that ends at the threshold reaches it
        (0.0, 0.699, [0, 3, 0]),
        ([0.8, 0.1, 0.1, *[0.9] * 3], [0.9, 0.2, 0.9, *[1] * 3], [1, 1, 1]),
    ):
        found = rows.counts(listed.assign(s_lower=lower, s_upper=upper), 0.7)
        assert [found[side] for side in ("above", "below", "open")] == expected


def test_boards_of_models_older_than_two_years_say_so(tables, cards):
    renamed = {
        name: tables[name].replace({"board": {"gpqa_diamond": "gsm8k"}})
        for name in ("overview", "models", "remarks")
    }
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    assert [board["older"] for board in rows.boards(renamed, listed)] == [True, True]
    # A user's benchmark of the same name is another.
    own = rows.list_cards([replace(cards[0], benchmark="Beta")])
    assert rows.boards(tables, own)[0]["id"] == "board-gpqa_diamond"


def test_a_status_has_the_page_of_its_benchmark_or_board_or_its_own(tables):
    listed = rows.statuses(
        tables["status"], tables["frontier"], [{"board": "mmlu_pro", "id": "board-mmlu_pro"}]
    )
    pages = {row["benchmark"]: row["id"] for row in listed}
    assert pages == {"Later": "now-later", "MMLU": "mmlu", "Pro": "board-mmlu_pro"}
    assert rows.count_statuses(listed) == {
        "current": 2, "by_report": 1, "exhausted": 0, "near the ceiling": 1, "room left": 1,
    }  # fmt: skip


def test_the_curve_rises_at_the_day_of_a_score(tables):
    curve = {row["benchmark"]: row["curve"] for row in rows.statuses(
        tables["status"], tables["frontier"], []
    )}  # fmt: skip
    width, height = rows.CURVE
    places = [tuple(map(float, place.split(","))) for place in curve["MMLU"].split()]
    assert places[0] == (0, height * 0.7)
    assert places[-1] == (width, height * 0.5)
    rise = [place for place in places if 0 < place[0] < width]
    assert [y for _, y in rise] == [height * 0.7, height * 0.5]
    assert rise[0][0] == pytest.approx(width * 184 / 365, abs=0.1)
    assert curve["Pro"] is None


@pytest.mark.parametrize("name", ["ledger", "evidence"])
def test_an_empty_table_is_read_where_a_study_may_have_none(name, tables, tmp_path):
    write_csv(tables[name].iloc[:0], tmp_path / "table.csv")
    assert stages.read(tmp_path / "table.csv", rows.BY_INPUT_NAME[name]).empty


def test_a_table_is_known_by_its_path_wherever_the_project_stands():
    assert rows.table("results/plateau/quantities.csv") == "plateau_quantities"
    assert rows.table("/home/results/x/results/plateau/quantities.csv") == "plateau_quantities"
    assert rows.table("resources/ledger/claims/fluid.csv") == "ledger_claims_fluid"
    assert rows.near("/a/resources/b.csv") == "resources/b.csv"
    assert rows.near("elsewhere/b.csv") == "elsewhere/b.csv"


def test_every_name_has_an_anchor_of_its_own():
    known = {
        "A b": "a-b", "a-b": "a-b-2", "a-b-2": "a-b-2-2", "a b": "a-b-3", "...": "model",
        "!": "model-2",
    }  # fmt: skip
    assert rows.slugs([*known]) == known


def test_a_paper_that_is_not_listed_has_its_short_name(tables):
    every = tables["ledger"].assign(verdict="undecidable", paper="new")
    found = rows.content(every, tables["evidence"], set())
    assert found["verdicts"] == {"undecidable": 3}
    assert found["papers"][0]["title"] == "new"


def test_what_is_not_shown_has_no_origin(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    tables["models"] = tables["models"].assign(released=None)
    published, boards, _ = rows.origins(tables, "2025-11-01", [])
    assert (published.dated, boards.dated) == ("2025-11-01", "not known")


@pytest.mark.parametrize("name", rows.READ_AS)
def test_a_printed_number_is_read_with_its_digits(tmp_path, name):
    """A float would make 35.94 of 35.940."""
    (tmp_path / "table.csv").write_text("published\n35.940\n1e-23\n")
    found = load_table(tmp_path / "table.csv", **rows.READ_AS[name])
    assert found["published"].tolist() == ["35.940", "1e-23"]


@pytest.fixture
def differences():
    """Three differences of two release notes; the last has no number of items."""
    text = """\
document,benchmark,metric,model,rival,score,rival_score,n_items,error_like_these,remark,answer_like_these,answer_on_these
kimi_k2,MMLU,EM,New,Old,89.5,88.0,14042,0.01,,not decided,better
kimi_k2,GPQA,,New,Old,75.1,48.4,198,0.04,,better,better
llama_4,Arena,elo,Maverick,Old,1400,1300,,,a rating,not tested,not tested
"""
    return pd.read_csv(StringIO(text))


def test_differences_of_release_notes_are_counted_by_note(differences):
    releases = rows.list_releases(differences)
    assert (releases["tested"], releases["significant"]) == (2, 1)
    claims = releases["claims"]
    assert [claim["anchor"] for claim in claims] == ["kimi-k2-1", "kimi-k2-2", "llama-4-3"]
    assert claims[0]["difference"] == pytest.approx(1.5)
    assert claims[0]["error"] == pytest.approx(1.0)
    assert claims[2]["difference"] is None
    counts = {note["title"]: sum(note["answers"].values()) for note in releases["notes"]}
    assert (counts["Kimi K2"], counts["Llama 4"], counts["MiMo-7B"]) == (2, 1, 0)
    assert rows.list_releases(None) is None


def test_tasks_are_listed_in_the_order_in_which_to_keep_them():
    table = pd.DataFrame(
        {
            "suite": "s",
            "task": ["B", "b", "A"],
            "family": "f",
            "predicted": 0.5,
            "kept_as": [3, 1, 2],
        }
    )
    tasks = rows.list_suites(table, "task")
    assert [task["task"] for task in tasks] == ["b", "A", "B"]
    assert [task["anchor"] for task in tasks] == ["s-b", "s-a", "s-b-2"]
    assert rows.list_suites(None, "task") == []


def test_news_are_changed_statuses_and_best_scores_of_models_of_the_last_months():
    dates = {"a": "2026-05-01", "b": "2026-05-02", "c": None, "d": "2026-07-01", "e": "2026-07-02"}
    listed = [
        {"as_of": "2026-08-01", "name": name, "best_date": date, "current": name != "e",
         "changed": "room left before 2026-08-01" if name == "a" else None}
        for name, date in dates.items()
    ]  # fmt: skip
    news = rows.news(listed)
    assert [row["name"] for row in news["changed"]] == ["a"]
    assert [row["name"] for row in news["bests"]] == ["d", "b"]
