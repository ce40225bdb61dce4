"""The dashboard's tables, value by value, and the way from a claim to what is behind it."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.dashboard import rows
from saturation.dashboard.rows import Link
from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import read_table, write_csv
from saturation.index import index_table
from saturation.leaderboard import top as leaderboard_top
from saturation.plateau import uncertainty
from saturation.statistics.standard_errors import binomial_error


def test_a_published_row_joins_its_three_tables(tables):
    table = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    assert list(table.columns) == rows.COLUMNS
    first = table.set_index("id").loc["a"].to_dict()
    assert first == {
        "name": "Alpha-1", "s_index": 0.7, "s_lower": 0.1, "s_upper": 0.97, "bin": "high",
        "first_and_kth": "undecided",
        "age": 10.0, "n": 100, "s_1": 0.9, "s_k": 0.88,
        "gap": pytest.approx(0.02), "own": False, "verdict": None,
        "synthetic": False,
    }  # fmt: skip


def test_a_card_gives_what_its_data_tell_and_no_percentage_for_ratings(cards):
    table = rows.from_cards(cards).set_index("id")
    assert list(table.index) == ["own-mine", "own-arena"]
    assert table.loc["own-mine"].to_dict() == {
        "name": "mine", "s_index": 0.65, "s_lower": 0.6, "s_upper": 0.7, "bin": "moderate",
        "first_and_kth": "separated",
        "age": pytest.approx(365 / 30.44), "n": 150, "s_1": 0.9, "s_k": 0.85,
        "gap": pytest.approx(0.05), "own": True, "verdict": "stagnated",
        "synthetic": True,
    }  # fmt: skip
    arena = table.loc["own-arena"]
    assert arena[["s_1", "s_k", "gap"]].isna().all()
    assert arena["s_index"] == 0.65


def test_one_column_holds_one_kind_of_number_by_either_route():
    """A published benchmark, handed in as the user's own, gives the same row."""
    scores, n = [0.93, 0.92, 0.9, 0.9, 0.88], 250
    top_scores = pd.DataFrame({"benchmark_id": "a", "model": list("vwxyz"), "score": scores})
    benchmarks = pd.DataFrame({"benchmark_id": ["a"], "name": ["A"], "n_test": [n]})
    rng = np.random.default_rng(0)
    intervals = uncertainty.uncertainty_table(benchmarks, top_scores, 5, 0.5, 100, rng)
    study = rows.published(
        benchmarks.assign(months_at_observation=1.0), index_table(benchmarks, top_scores), intervals
    )
    estimates = pd.DataFrame(
        {"model": list("vwxyz"), "score": scores, "standard_error": binomial_error(scores, n),
         "n_items": float(n), "error_source": "binomial", "lower": 0.0, "upper": 1.0}
    )  # fmt: skip
    empty = (pd.DataFrame(), pd.Series(dtype=str))
    frontier = asdict(leaderboard_top.frontier(estimates, *empty, leaderboard_top.Settings()))
    card = {
        "benchmark": "a", "released": None, "observed_on": "2026-01-01", "synthetic": False,
        "verdict": "separates", "frontier": frontier, "data": {"family": "accuracy", "n_items": n},
    }  # fmt: skip
    numbers = ["s_index", "s_lower", "s_upper", "n", "s_1", "s_k", "gap"]
    assert rows.from_cards([card])[numbers].to_numpy()[0] == pytest.approx(
        study[numbers].to_numpy()[0].astype(float)
    )
    assert rows.from_cards([card])["bin"].item() == study["bin"].item()


def test_an_undetermined_card_is_a_row_without_numbers(cards):
    row = rows.from_cards([cards[0] | {"frontier": None, "released": None}]).iloc[0]
    assert row[["s_index", "s_lower", "first_and_kth", "bin", "s_1", "gap", "age"]].isna().all()
    assert row["n"] == 150


def test_months_belong_to_the_row_whose_name_has_the_same_letters(tables, cards, listed):
    months = rows.all_months(tables["monthly"], cards, listed)
    assert list(months) == ["v1", "v2", "your own"]
    assert months["v1"]["id"].tolist() == ["a", None]
    assert months["v2"]["id"].tolist() == ["b"]
    assert months["your own"]["id"].tolist() == ["own-mine"] * 2
    assert months["your own"]["benchmark"].tolist() == ["mine"] * 2
    assert rows.all_months(None, [], listed) == {}


def test_counts_take_the_threshold_itself_and_keep_the_users_apart(listed):
    assert rows.counts(listed, 0.7) == {
        "published": 3, "published_saturated": 2, "above": 0, "below": 0, "open": 3,
        "own": 2, "own_alike": 2, "aged": 4, "scored": 4,
    }  # fmt: skip
    # The user's count by their verdicts, not by an index.
    assert rows.counts(listed, 0.65)["own_alike"] == 2
    apart = listed.replace({"verdict": {"stagnated": "separates_in_part"}})
    assert rows.counts(apart, 0.65)["own_alike"] == 0
    assert rows.counts(listed, 0.71)["published_saturated"] == 1


def test_the_headline_counts_by_whole_intervals_at_their_edges(listed):
    # The user's, the last two, have no part in it.
    for lower, upper, expected in (
        (0.7, 1.0, [3, 0, 0]),
        (0.0, 0.7, [0, 0, 3]),  # an interval that ends at the threshold reaches it
        (0.0, 0.699, [0, 3, 0]),
        ([0.8, 0.1, 0.1, 0.9, 0.9], [0.9, 0.2, 0.9, 1, 1], [1, 1, 1]),
    ):
        found = rows.counts(listed.assign(s_lower=lower, s_upper=upper), 0.7)
        assert [found[side] for side in ("above", "below", "open")] == expected


def test_the_best_models_come_first_ten_of_a_card(tables, cards):
    listed = rows.tops(tables["top_scores"], cards)
    assert listed["a"] == [
        {"model": None, "label": "90.0 %", "share": 0.9},
        {"model": "low", "label": "88.0 %", "share": 0.88},
    ]
    assert [top["model"] for top in listed["own-mine"]] == [f"m{i}" for i in range(10)]
    assert listed["own-mine"][0]["label"] == "90.0 %"
    assert listed["own-arena"][0] == {
        "model": "m0", "label": "0.9", "share": None, "ranks": "1 to 11", "alike": 10,
        "tied": True,
    }  # fmt: skip
    assert [top["tied"] for top in listed["own-mine"]] == [True] * 3 + [False] * 7
    alone = cards[0]["frontier"]["models"][10:]
    lone = cards[0] | {"frontier": cards[0]["frontier"] | {"models": alone}}
    assert rows.tops(tables["top_scores"], [lone])["own-mine"][0]["ranks"] == "11"
    assert rows.tops(tables["top_scores"], [cards[0] | {"frontier": None}])["own-mine"] == []


def test_own_benchmarks_stand_with_what_their_cards_answer(cards):
    stale = cards[1] | {"stale": ["x.csv: bad"], "frontier": None}
    first, second = rows.own([cards[0], stale])
    assert first == {
        "id": "own-mine", "name": "mine", "verdict": "stagnated",
        "explanation": "more items would help", "tied": 3, "ranked": 12,
        "observed_on": "2026-01-31", "synthetic": True, "stale": False,
    }  # fmt: skip
    assert (second["id"], second["tied"], second["stale"]) == ("own-arena", None, True)


def test_facts_are_in_words_and_leave_out_what_is_missing(tables):
    facts = rows.facts(tables["benchmarks"], "2025-11-01")
    assert facts["a"] == {
        "released": "2024-01-01", "citations": "12,345", "test set": "public",
        "languages": "english, german", "answers": "free form", "task": "coding",
        "metrics": "accuracy", "scores read at": "x.org, y.org", "scores as of": "2025-11-01",
    }  # fmt: skip
    assert "scores read at" not in facts["b"]
    assert facts["b"]["to note"] == "doubtful"
    marked = tables["benchmarks"].assign(flags="n_not_test_set;metric_not_accuracy")
    assert rows.facts(marked, "2025-11-01")["a"]["to note"] == (
        "n is not the size of the test set, the metric is no accuracy"
    )
    assert "citations" not in facts["b"]
    assert "test set" not in facts["c"]


@pytest.fixture
def boards(tables, listed):
    return rows.boards(tables, listed)


def test_a_board_stands_on_the_page_of_the_benchmark_of_its_name(boards):
    first, second = boards
    assert (first["id"], first["address"]) == ("b", "benchmarks/b.html")
    assert (second["id"], second["address"]) == (
        "board-mmlu_pro", "benchmarks/board-mmlu_pro.html"
    )  # fmt: skip
    assert first["explanation"].startswith("no two top models are significantly different")
    assert first["sources"] == ["board_epoch_runs"]
    assert not first["older"]


def test_boards_of_models_older_than_two_years_say_so(tables, cards):
    renamed = {
        name: tables[name].replace({"board": {"gpqa_diamond": "gsm8k"}})
        for name in ("overview", "models", "course", "remarks")
    }
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    assert [board["older"] for board in rows.boards(renamed, listed)] == [True, True]
    # A user's benchmark of the same name is another.
    own = rows.from_cards([cards[0] | {"benchmark": "Beta"}])
    assert rows.boards(tables, own)[0]["id"] == "board-gpqa_diamond"


def test_models_have_the_ranks_that_they_may_hold(boards):
    first, second = boards
    assert [model["ranks"] for model in first["ranks"]] == ["1 to 2", "1 to 2", "3"]
    assert [model["alike"] for model in first["ranks"]] == [1, 1, 0]
    assert [model["label"] for model in first["ranks"]] == ["90.0 %", "85.0 %", "50.0 %"]
    assert (first["newest"], second["newest"]) == ("2025-03-04", None)
    assert [row["until"] for row in first["course"]] == ["2025-03-31", "2025-06-30"]
    assert (second["course"], second["remarks"]) == ([], [])
    assert first["remarks"] == ["left out: 1 evaluation"]


def test_every_model_has_its_place_on_each_board_and_card(boards, cards):
    models = {model["model"]: model for model in rows.by_model(boards, cards)}
    assert [place["title"] for place in models["m"]["places"]] == ["Beta", "MMLU-Pro"]
    second = models["m"]["places"][1]
    assert second == {
        "title": "MMLU-Pro", "address": "benchmarks/board-mmlu_pro.html", "rank": 2, "of": 3,
        "tied": False, "dated": None, "ranks": "2", "alike": 0, "label": "80.0 %",
    }  # fmt: skip
    assert models["m"]["released"] == "2025-01-01"
    assert models["n (new)"]["released"] is None
    # Two names with the same letters have two anchors.
    assert {models["n (new)"]["anchor"], models["N [new]"]["anchor"]} == {"n-new", "n-new-2"}
    own = models["m3"]["places"]
    assert [place["title"] for place in own] == ["mine", "arena"]
    assert own[0]["dated"] == "2026-01-31"
    assert (own[0]["rank"], own[0]["of"], own[0]["ranks"], own[0]["alike"]) == (4, 12, "4 to 11", 7)
    assert [place["label"] for place in own] == ["87.0 %", "0.9"]
    undetermined = cards[0] | {"frontier": None}
    assert len(rows.by_model(boards, [undetermined])) == 4
    names = [model["model"].lower() for model in rows.by_model(boards, cards)]
    assert names == sorted(names)


FACTS = {"mmlu": {"released": "2020-09-07"}, "unheard_of": {"released": "2021-01-01"}}


def reach(**values):
    row = {"benchmark": "MMLU", "origin": "2026-08-01", "threshold": 0.9, "reached_already": False}
    row |= {"earliest": 2.0, "median": 6.0, "latest": None, **values}
    return pd.DataFrame([row, row | {"threshold": 0.5, "reached_already": True}])


def test_a_forecast_is_added_to_the_benchmark_that_has_one():
    found = rows.added(FACTS, reach())
    assert found["mmlu"] == {
        "released": "2020-09-07",
        "90 % of the range used up": "by January 2027 (80 %: September 2026 to after July 2028), "
        "forecast of 2026-08-01",
    }
    assert found["unheard_of"] == FACTS["unheard_of"]
    reached = rows.added(FACTS, reach(reached_already=True))
    assert reached["mmlu"]["90 % of the range used up"] == "by 2026-08-01"
    assert rows.added(FACTS, None) == FACTS


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("index", "s_index", 1.2),
        ("index", "bin", "huge"),
        ("index", "n_test", 0),
        ("intervals", "first_and_kth", "even"),
        ("top_scores", "score", 88),
        ("monthly", "bdi_submitters", 1.5),
        ("ledger", "verdict", "maybe"),
    ],
)
def test_a_wrong_value_is_named(name, column, value, tables, tmp_path):
    path = tmp_path / "table.csv"
    schema = rows.BY_INPUT_NAME[name]
    write_csv(tables[name].assign(more=1), path)  # a column that is not shown
    assert len(stages.read(path, schema)) == len(tables[name])
    write_csv(tables[name].assign(**{column: value}), path)
    with pytest.raises(InputError, match=column):
        stages.read(path, schema)


@pytest.mark.parametrize("name", ["monthly", "ledger", "evidence"])
def test_an_empty_table_is_read_where_a_study_may_have_none(name, tables, tmp_path):
    write_csv(tables[name].iloc[:0], tmp_path / "table.csv")
    assert stages.read(tmp_path / "table.csv", rows.BY_INPUT_NAME[name]).empty


def test_a_table_is_known_by_its_path_wherever_the_project_stands():
    assert rows.table("results/plateau/quantities.csv") == "plateau_quantities"
    assert rows.table("/home/results/x/results/plateau/quantities.csv") == "plateau_quantities"
    assert rows.table("resources/ledger/claims/fluid.csv") == "ledger_claims_fluid"
    assert rows.near("/a/resources/b.csv") == "resources/b.csv"
    assert rows.near("elsewhere/b.csv") == "elsewhere/b.csv"


def test_code_is_known_by_its_module():
    assert rows.module("/x/src/saturation/plateau/study.py") == "plateau.study"
    assert rows.code("src/saturation/index.py:12; src/saturation/boards/alpha.py:3") == [
        Link("src/saturation/index.py:12", "code/index.html#L12"),
        Link("src/saturation/boards/alpha.py:3", "code/boards.alpha.html#L3"),
    ]
    assert rows.code(None) == []


def test_cells_lead_to_their_rows_or_to_their_table():
    file = "results/boards/quantities.csv"
    assert rows.cells(file, "column value, row 5, 12") == [
        Link(f"{file}, row 5", "data/boards_quantities.html#row-5"),
        Link("row 12", "data/boards_quantities.html#row-12"),
    ]
    assert rows.cells(file, float("nan")) == [Link(file, "data/boards_quantities.html")]
    assert rows.cells(None, None) == []


@given(st.lists(st.text(), unique=True, max_size=20))
def test_every_name_has_an_anchor_of_its_own(names):
    known = {"A b": "a-b", "a-b": "a-b-2", "...": "model", "!": "model-2"}
    assert rows.slugs([*known]) == known
    anchors = rows.slugs(names)
    assert len(set(anchors.values())) == len(names)
    assert all(anchor and " " not in anchor for anchor in anchors.values())


QUANTITIES = pd.DataFrame(
    {
        "quantity": ["a", "b", "c"],
        "value": [0.5, 1e-9, None],
        "made_by": ["saturation.plateau.study:_first", "saturation.x:y", None],
    }
)
KNOWN = rows.Behind(
    {"/x/results/plateau/quantities.csv": QUANTITIES},
    {"/x/src/saturation/plateau/study.py": "import x\n\n\ndef _first(a, b):\n    pass\n"},
    pd.DataFrame(columns=["name"]),
)


def test_rows_are_numbered_from_two_and_say_which_code_made_them():
    table = rows.tables(KNOWN)["plateau_quantities"]
    assert table["path"] == "results/plateau/quantities.csv"
    assert [row["number"] for row in table["rows"]] == [2, 3, 4]
    # A small number is no zero.
    assert [row["cells"]["value"] for row in table["rows"]] == ["0.5", "1e-09", ""]
    assert [row["code"] for row in table["rows"]] == [
        Link("plateau.study, line 4", "code/plateau.study.html#L4"), None, None
    ]  # fmt: skip
    assert table["columns"] == ["quantity", "value", "made_by"]
    module = rows.modules(KNOWN)["plateau.study"]
    assert module["path"] == "src/saturation/plateau/study.py"
    assert module["lines"][3] == "def _first(a, b):"


def test_claims_are_short_and_have_their_evidence(tables):
    found = rows.content(tables["ledger"], tables["evidence"], {"known"})
    first, second, _ = found["claims"]
    assert [row["computed"] for row in found["claims"]] == ["59.9876", "no", ""]
    assert [row["published"] for row in found["claims"]] == ["11836", "yes", ""]
    assert first["address"] == "papers/plateau.html#x"
    assert second["quotation"] is None
    assert [len(row["pieces"]) for row in found["claims"]] == [1, 2, 1]
    (piece,) = first["pieces"]
    assert piece["study"] == "the plateau study"
    assert piece["role"] == "the natural reading"
    assert piece["method"] == "usual practice"
    assert piece["code"] == [Link("src/saturation/index.py:3", "code/index.html#L3")]
    assert [one.address for one in piece["cells"]] == [
        "data/plateau_quantities.html#row-2", "data/plateau_quantities.html#row-5"
    ]  # fmt: skip
    assert piece["sources"] == [Link("known", "sources.html#known"), Link("a sheet", None)]
    assert second["pieces"][1]["code"] == []


def test_claims_are_counted_by_paper_and_verdict(tables):
    found = rows.content(tables["ledger"], tables["evidence"], set())
    assert found["verdicts"] == {"reproduced": 2, "differs": 1}
    assert [(one["name"], one["claims"], one["verdicts"]) for one in found["papers"]] == [
        ("plateau", 2, {"reproduced": 2}), ("fluid", 1, {"differs": 1})
    ]  # fmt: skip
    assert found["papers"][0]["title"] == "When AI Benchmarks Plateau"
    every = tables["ledger"].assign(verdict="undecidable", paper="new")
    found = rows.content(every, tables["evidence"], set())
    assert found["verdicts"] == {"undecidable": 3}
    assert found["papers"][0]["title"] == "new"  # a paper that is not listed has its short name


def test_every_kind_of_number_has_its_date_its_tables_and_its_sources(tables, cards):
    found = {one.what: one for one in rows.origins(tables, "2025-11-01", cards)}
    published = found["Published scores, S and its interval"]
    assert published.dated == "2025-11-01"
    assert published.tables[0] == ("benchmarks.csv", "data/shown_benchmarks.csv")
    assert published.sources == [("plateau_annotations", "sources.html#plateau_annotations")]
    assert found["BDI month by month"].dated == "2024-01"
    boards = found["Ranks, ties and verdicts of real boards"]
    assert boards.dated == "models released 2025-01-01 to 2025-03-04"
    assert boards.sources[-1].address is None
    assert found["Claims, evidence and verdicts"].dated == "the papers' texts"
    assert found["Your own benchmark mine"].dated == "2026-01-31"
    # What is not shown has no row.
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    tables["models"] = tables["models"].assign(released=None)
    found = {one.what: one for one in rows.origins(tables, "2025-11-01", [])}
    assert len(found) == 2
    assert found["Ranks, ties and verdicts of real boards"].dated == "not known"


@pytest.mark.parametrize("name", rows.READ_AS)
def test_a_printed_number_is_read_with_its_digits(tmp_path, name):
    """A float would make 35.94 of 35.940."""
    (tmp_path / "table.csv").write_text("published\n35.940\n1e-23\n")
    found = read_table(tmp_path / "table.csv", **rows.READ_AS[name])
    assert found["published"].tolist() == ["35.940", "1e-23"]
