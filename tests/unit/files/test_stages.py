"""Tables between stages: whole ones come back as they were, truncated ones are named."""

import pytest

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import read_table, write_csv
from saturation.plateau.schemas import BY_INPUT_NAME


@pytest.fixture(scope="module")
def folder(tmp_path_factory, results):
    """The plateau study's tables as files."""
    folder = tmp_path_factory.mktemp("tables")
    for name in BY_INPUT_NAME:
        write_csv(results[name], folder / f"{name}.csv")
    return folder


@pytest.mark.parametrize("name", BY_INPUT_NAME)
def test_a_whole_table_comes_back_as_it_was_written(folder, tmp_path, name):
    path = folder / f"{name}.csv"
    write_csv(stages.read(path, BY_INPUT_NAME[name]), tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", BY_INPUT_NAME)
def test_a_truncated_table_is_named(folder, tmp_path, name, share):
    whole = (folder / f"{name}.csv").read_bytes()
    cut = int(share * len(whole))
    part = tmp_path / f"{name}.csv"
    part.write_bytes(whole[: cut - 1 if whole[cut - 1 : cut] == b"\n" else cut])
    with pytest.raises(InputError, match=rf"{name}\.csv"):
        stages.read(part, BY_INPUT_NAME[name])


@pytest.mark.parametrize("name", BY_INPUT_NAME)
def test_a_table_without_a_row_or_a_column_is_named(folder, tmp_path, name):
    table = read_table(folder / f"{name}.csv")
    part = tmp_path / f"{name}.csv"
    write_csv(table.head(0), part)
    if name in ("tests", "family"):  # nothing to test in a table of one group
        assert stages.read(part, BY_INPUT_NAME[name]).empty
    else:
        with pytest.raises(InputError, match="the table has no rows"):
            stages.read(part, BY_INPUT_NAME[name])
    write_csv(table.drop(columns=table.columns[-1]), part)
    with pytest.raises(InputError, match=f"column '{table.columns[-1]}' is missing"):
        stages.read(part, BY_INPUT_NAME[name])
