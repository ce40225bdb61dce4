"""Addresses of the dashboard's pages, and links from the ledger's cells."""

from hypothesis import given
from hypothesis import strategies as st

from saturation.dashboard import links
from saturation.dashboard.links import Link


def test_a_table_is_known_by_its_path_wherever_the_project_stands():
    assert links.table("results/plateau/quantities.csv") == "plateau_quantities"
    assert links.table("/home/results/x/results/plateau/quantities.csv") == "plateau_quantities"
    assert links.table("resources/ledger/claims/fluid.csv") == "ledger_claims_fluid"
    assert links.near("/a/resources/b.csv") == "resources/b.csv"
    assert links.near("elsewhere/b.csv") == "elsewhere/b.csv"


def test_code_is_known_by_its_module():
    assert links.module("/x/src/saturation/plateau/quantities.py") == "plateau.quantities"
    assert links.code("src/saturation/index.py:12; src/saturation/boards/alpha.py:3") == [
        Link("src/saturation/index.py:12", "code/index.html#L12"),
        Link("src/saturation/boards/alpha.py:3", "code/boards.alpha.html#L3"),
    ]
    assert links.code(None) == []


def test_cells_lead_to_their_rows_or_to_their_table():
    file = "results/boards/quantities.csv"
    assert links.cells(file, "column value, row 5, 12") == [
        Link(f"{file}, row 5", "data/boards_quantities.html#row-5"),
        Link("row 12", "data/boards_quantities.html#row-12"),
    ]
    assert links.cells(file, float("nan")) == [Link(file, "data/boards_quantities.html")]
    assert links.cells(None, None) == []


def test_only_pinned_sources_are_links():
    assert links.sources("open_llm_v1; the paper", {"open_llm_v1"}) == [
        Link("open_llm_v1", "sources.html#open_llm_v1"),
        Link("the paper", None),
    ]


def test_names_of_pages_are_quoted():
    assert links.benchmark("own-a b") == "benchmarks/own-a%20b.html"
    assert links.claim("plateau", "plateau_001") == "papers/plateau.html#plateau_001"


def test_anchors_of_names_that_look_alike_differ():
    assert links.slugs(["A b", "a-b", "...", "!"]) == {
        "A b": "a-b", "a-b": "a-b-2", "...": "model", "!": "model-2"
    }  # fmt: skip


@given(st.lists(st.text(), unique=True, max_size=20))
def test_every_name_has_an_anchor_of_its_own(names):
    anchors = links.slugs(names)
    assert len(set(anchors.values())) == len(names)
    assert all(anchor and " " not in anchor for anchor in anchors.values())
