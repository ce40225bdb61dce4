"""Tables and code behind the numbers: rows as the ledger counts them, lines as editors do."""

import pandas as pd

from saturation.dashboard import rows
from saturation.dashboard.rows import Link

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


def test_nothing_behind_is_no_page():
    assert rows.tables(rows.Behind()) == rows.modules(rows.Behind()) == {}
