"""The tables that the dashboard reads: what it takes, it checks; the rest it leaves."""

import pandas as pd
import pytest

from saturation.dashboard import rows
from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import write_csv


@pytest.mark.parametrize(
    "name", ["index", "intervals", "top_scores", "monthly", "ledger", "evidence"]
)
def test_a_studys_table_passes_with_columns_that_are_not_shown(name, tables, tmp_path):
    path = tmp_path / "table.csv"
    write_csv(tables[name].assign(more=1), path)
    read = stages.read(path, rows.BY_INPUT_NAME[name])
    assert len(read) == len(tables[name])


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("index", "s_index", 1.2),
        ("index", "bin", "huge"),
        ("index", "n_test", 0),
        ("intervals", "p_saturated", -0.1),
        ("top_scores", "score", 88),
        ("monthly", "bdi_submitters", 1.5),
    ],
)
def test_a_wrong_value_is_named(name, column, value, tables, tmp_path):
    path = tmp_path / "table.csv"
    write_csv(tables[name].assign(**{column: value}), path)
    with pytest.raises(InputError, match=column):
        stages.read(path, rows.BY_INPUT_NAME[name])


@pytest.mark.parametrize("name", ["monthly", "ledger", "evidence"])
def test_an_empty_table_is_read_where_a_study_may_have_none(name, tables, tmp_path):
    path = tmp_path / "table.csv"
    write_csv(tables[name].iloc[:0], path)
    assert isinstance(stages.read(path, rows.BY_INPUT_NAME[name]), pd.DataFrame)
