"""Addresses of the dashboard's pages, and links from the ledger's cells."""

from hypothesis import given
from hypothesis import strategies as st

from saturation.dashboard import rows
from saturation.dashboard.rows import Link


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


def test_only_pinned_sources_are_links():
    assert rows.sources("open_llm_v1; the paper", {"open_llm_v1"}) == [
        Link("open_llm_v1", "sources.html#open_llm_v1"),
        Link("the paper", None),
    ]


def test_names_of_pages_are_quoted():
    assert rows.benchmark("own-a b") == "benchmarks/own-a%20b.html"
    assert rows.claim("plateau", "plateau_001") == "papers/plateau.html#plateau_001"


def test_anchors_of_names_that_look_alike_differ():
    assert rows.slugs(["A b", "a-b", "...", "!"]) == {
        "A b": "a-b", "a-b": "a-b-2", "...": "model", "!": "model-2"
    }  # fmt: skip


@given(st.lists(st.text(), unique=True, max_size=20))
def test_every_name_has_an_anchor_of_its_own(names):
    anchors = rows.slugs(names)
    assert len(set(anchors.values())) == len(names)
    assert all(anchor and " " not in anchor for anchor in anchors.values())
