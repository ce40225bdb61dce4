"""Addresses of the dashboard's pages, and the way from a claim to the row and line behind it."""

import pandas as pd
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


def test_code_is_shown_line_by_line():
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


def test_words_that_are_not_known_stay_as_they_are(tables):
    odd = tables["evidence"].assign(study="else", role="odd", method="none")
    piece = rows.content(tables["ledger"], odd, set())["claims"][0]["pieces"][0]
    assert (piece["study"], piece["role"], piece["method"]) == ("else", "odd", None)


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


def test_what_is_not_shown_has_no_row(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    tables["models"] = tables["models"].assign(released=None)
    found = {one.what: one for one in rows.origins(tables, "2025-11-01", [])}
    assert len(found) == 2
    assert found["Ranks, ties and verdicts of real boards"].dated == "not known"
