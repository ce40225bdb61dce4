"""Between stages: a job's files by name; whole tables come back, truncated ones are named."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import schema as files_schema
from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.plateau.schemas import schema_of

# Two borders, and a table that one study alone reads.
TABLES = ("benchmarks", "index", "tests")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, results):
    """The plateau study's tables as files."""
    folder = tmp_path_factory.mktemp("tables")
    for name in TABLES:
        write_csv(results[name], folder / f"{name}.csv")
    return folder


@pytest.mark.parametrize("name", TABLES)
def test_a_whole_table_comes_back_as_it_was_written(folder, tmp_path, name):
    path = folder / f"{name}.csv"
    write_csv(stages.read(path, schema_of(name)), tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", TABLES)
def test_a_truncated_table_is_named(folder, tmp_path, name, share):
    whole = (folder / f"{name}.csv").read_bytes()
    cut = int(share * len(whole))
    part = tmp_path / f"{name}.csv"
    part.write_bytes(whole[: cut - 1 if whole[cut - 1 : cut] == b"\n" else cut])
    with pytest.raises(InputError, match=rf"{name}\.csv"):
        stages.read(part, schema_of(name))


def test_paths_come_by_name_alone_or_each():
    paths = stages.Paths({"one": "a.csv", "several": ["b.csv", Path("c.csv")], "none": []})
    assert paths["one"] == Path("a.csv")
    assert paths.each("one") == [Path("a.csv")]
    assert paths.each("several") == [Path("b.csv"), Path("c.csv")]
    assert (list(paths), len(paths)) == (["one", "several", "none"], 3)
    for name, count in (("several", 2), ("none", 0)):
        with pytest.raises(KeyError, match=f"{name}: {count} files have this name, not one"):
            paths[name]
    with pytest.raises(KeyError, match="other"):
        paths["other"]


class Files(list):
    """Files of a job as Snakemake gives them: a list, some by name."""

    def __init__(self, *files, **named):
        super().__init__([*files, *named.values()])
        self.named = named

    def items(self):
        return self.named.items()


def job(tmp_path, inputs, **params):
    return SimpleNamespace(
        log=[str(tmp_path / "logs/job.log")],
        input=inputs,
        output=Files("out.csv"),
        wildcards={"k": "3", "bank": "b"},
        params=params,
    )


def test_main_is_called_with_what_the_rule_declares(tmp_path):
    calls = []

    def main(inputs, output, **params):
        calls.append((dict(inputs), dict(output), params))
        sys.stdout.write("said\n")

    inputs = Files(table="in.csv", code="script.py", lock="lock.txt")
    stages.run(main, {"snakemake": job(tmp_path, inputs, k=5, alpha=0.5)})
    stages.run(main, {})  # outside a job nothing happens
    assert calls == [
        (
            {"table": Path("in.csv")},
            {"files": Path("out.csv")},
            # A param comes before the wildcard of the same name.
            {"k": 5, "bank": "b", "alpha": 0.5},
        )
    ]
    assert (tmp_path / "logs/job.log").read_text().startswith("said\ndone in ")


def test_several_tables_of_one_schema_are_read_in_order(tmp_path):
    schema = files_schema.table({"x": files_schema.whole()})
    for name, value in (("b", 2), ("a", 1)):
        write_csv(pd.DataFrame({"x": [value]}), tmp_path / f"{name}.csv")
    tables = stages.read_each([tmp_path / "b.csv", tmp_path / "a.csv"], schema)
    assert [table["x"].tolist() for table in tables] == [[2], [1]]
    (tmp_path / "a.csv").write_text("x\n-1\n")
    with pytest.raises(InputError, match=r"a\.csv, row 2, column 'x'"):
        stages.read_each([tmp_path / "b.csv", tmp_path / "a.csv"], schema)


def test_a_parquet_table_is_read_by_its_schema(tmp_path):
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "t.parquet")
    schema = files_schema.table({"x": files_schema.whole(2)})
    with pytest.raises(InputError, match=r"t\.parquet, row 2, column 'x': value 1"):
        stages.read(tmp_path / "t.parquet", schema)


def test_only_a_table_that_may_be_empty_is_read_without_rows(tmp_path):
    (tmp_path / "t.csv").write_text("x\n")
    read = stages.read(
        tmp_path / "t.csv", files_schema.table({"x": files_schema.whole()}, may_be_empty=True)
    )
    assert read.columns.tolist() == ["x"]
    with pytest.raises(InputError, match="no rows"):
        stages.read(tmp_path / "t.csv", files_schema.table({"x": files_schema.whole()}))
    with pytest.raises(InputError, match="column 'y' is missing"):
        stages.read(
            tmp_path / "t.csv", files_schema.table({"y": files_schema.whole()}, may_be_empty=True)
        )


def test_all_tables_are_read_by_their_names_and_all_that_is_wrong_is_said(tmp_path):
    numbers, names = (
        files_schema.table({"a": kind()}) for kind in (files_schema.whole, files_schema.text)
    )
    for file, cell in (("one", "1"), ("two", "x")):
        (tmp_path / f"{file}.csv").write_text(f"a\n{cell}\n")
    inputs = stages.Paths({"one": tmp_path / "one.csv", "two": tmp_path / "two.csv"})
    found = stages.read_all(inputs, {"two": names, "one": numbers, "other": names})
    assert {name: table["a"].tolist() for name, table in found.items()} == {
        "one": [1],
        "two": ["x"],
    }
    with pytest.raises(InputError) as caught:
        stages.read_all(stages.Paths({"two": tmp_path / "two.csv", "none": tmp_path / "none.csv"}),
                        {"two": numbers, "none": names})  # fmt: skip
    assert ["two.csv" in line or "none.csv" in line for line in caught.value.violations] == [
        True
    ] * 2
