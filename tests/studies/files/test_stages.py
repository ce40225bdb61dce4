"""Between stages: a job's files by name; whole tables come back, truncated ones are named."""

import logging
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import schema as files_schema
from saturation.files.tables import write_csv
from studies.files import stages

WHOLE = files_schema.table({"x": files_schema.whole()})


def test_a_whole_table_comes_back_and_a_truncated_one_is_named(tmp_path):
    count, unit = np.arange(40), files_schema.proportion()
    frame = pd.DataFrame({"name": "m", "count": count, "share": count / 39, "note": "said"})
    columns = {"name": files_schema.text(), "count": files_schema.whole(), "share": unit}
    schema = files_schema.table({**columns, "note": files_schema.words_column(["said"])})
    path, again = tmp_path / "t.csv", tmp_path / "again.csv"
    write_csv(frame, path)
    write_csv(stages.read(path, schema), again)
    whole = path.read_bytes()
    assert again.read_bytes() == whole
    for cut in range(0, len(whole) - 1, 7):
        # Nothing is lost with what stands after a whole row.
        if not whole[:cut].endswith((b"said", b"\n")):
            path.write_bytes(whole[:cut])
            with pytest.raises(InputError, match=r"t\.csv"):
                stages.read(path, schema)


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

    code = {"job": "j", "code": "c", "packages": "p", "made": "m"}
    inputs = Files(table="in.csv", beside="model.json")
    stages.run(main, {"snakemake": job(tmp_path, inputs, k=5, alpha=0.5, code=code)})
    stages.run(main, {})  # outside a job nothing happens
    # A param comes before the wildcard of the same name.
    params = {"k": 5, "bank": "b", "alpha": 0.5}
    assert calls == [({"table": Path("in.csv")}, {"files": Path("out.csv")}, params)]
    assert (tmp_path / "logs/job.log").read_text().startswith("said\ndone in ")


def test_several_tables_of_one_schema_are_read_in_order(tmp_path):
    for name, value in (("b", 2), ("a", 1)):
        write_csv(pd.DataFrame({"x": [value]}), tmp_path / f"{name}.csv")
    tables = stages.load_several([tmp_path / "b.csv", tmp_path / "a.csv"], WHOLE)
    assert [table["x"].tolist() for table in tables] == [[2], [1]]
    (tmp_path / "a.csv").write_text("x\n-1\n")
    with pytest.raises(InputError, match=r"a\.csv, row 2, column 'x'"):
        stages.load_several([tmp_path / "b.csv", tmp_path / "a.csv"], WHOLE)


def test_a_parquet_table_is_read_by_its_schema(tmp_path):
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "t.parquet")
    schema = files_schema.table({"x": files_schema.whole(2)})
    with pytest.raises(InputError, match=r"t\.parquet, row 2, column 'x': value 1"):
        stages.read(tmp_path / "t.parquet", schema)


def test_only_a_table_that_may_be_empty_is_read_without_rows(tmp_path):
    (tmp_path / "t.csv").write_text("x\n")
    may, may_not = (
        files_schema.table({name: files_schema.whole()}, may_be_empty=True) for name in "xy"
    )
    assert stages.read(tmp_path / "t.csv", may).columns.tolist() == ["x"]
    for schema, message in ((WHOLE, "no rows"), (may_not, "column 'y' is missing")):
        with pytest.raises(InputError, match=message):
            stages.read(tmp_path / "t.csv", schema)


def test_an_input_error_is_logged_without_a_traceback(tmp_path):
    path = tmp_path / "logs" / "job.log"
    with pytest.raises(SystemExit) as caught, stages.logged(path):
        raise InputError(["first", "second"])
    assert caught.value.code == 1
    assert path.read_text() == "Error: first\nError: second\n"


def test_a_full_disk_is_said_in_the_log_without_a_traceback(tmp_path):
    with pytest.raises(SystemExit), stages.logged(tmp_path / "x.log"):
        Path("/dev/full").write_text("a,b\n")
    text = (tmp_path / "x.log").read_text()
    assert text.startswith("Error: No space left on device: the results cannot be written.")
    assert "Traceback" not in text


def crash():
    sys.stdout.write("printed\n")
    logging.getLogger("job").info("said")
    raise KeyError("lost")


def test_what_a_job_prints_logs_and_raises_goes_to_its_log(tmp_path, capsys):
    root = logging.getLogger()
    before = list(root.handlers), root.level
    path = tmp_path / "job.log"
    with pytest.raises(KeyError), stages.logged(path):
        crash()
    text = path.read_text()
    assert text.startswith("printed\nsaid\n")
    for part in ("Traceback", "KeyError: 'lost'"):
        assert part in text
    assert capsys.readouterr().out == ""
    assert (list(root.handlers), root.level) == before
