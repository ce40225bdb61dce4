"""Tables and code behind the numbers: rows as the ledger counts them, lines as editors do."""

import pandas as pd

from saturation.dashboard import behind
from saturation.dashboard.links import Link

QUANTITIES = pd.DataFrame(
    {
        "quantity": ["a", "b", "c"],
        "value": [0.5, 1e-9, None],
        "made_by": ["saturation.plateau.quantities:_first", "saturation.x:y", None],
    }
)
KNOWN = behind.Behind(
    {"/x/results/plateau/quantities.csv": QUANTITIES},
    {"/x/src/saturation/plateau/quantities.py": "import x\n\n\ndef _first(a, b):\n    pass\n"},
)


def test_rows_are_numbered_from_two_and_say_which_code_made_them():
    table = behind.tables(KNOWN)["plateau_quantities"]
    assert table["path"] == "results/plateau/quantities.csv"
    assert [row["number"] for row in table["rows"]] == [2, 3, 4]
    # A small number is no zero.
    assert [row["cells"]["value"] for row in table["rows"]] == ["0.5", "1e-09", ""]
    assert [row["code"] for row in table["rows"]] == [
        Link("plateau.quantities, line 4", "code/plateau.quantities.html#L4"), None, None
    ]  # fmt: skip
    assert table["columns"] == ["quantity", "value", "made_by"]


def test_code_is_shown_line_by_line():
    module = behind.modules(KNOWN)["plateau.quantities"]
    assert module["path"] == "src/saturation/plateau/quantities.py"
    assert module["lines"][3] == "def _first(a, b):"


def test_nothing_behind_is_no_page():
    assert behind.tables(behind.Behind()) == behind.modules(behind.Behind()) == {}
