"""What packed files weigh, against their unpacked content."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from saturation.planning import weights

TEXT = b"model,item,response\n" + b"m,q,1\n" * 200_000


@pytest.fixture
def table():
    """A long table of right and wrong answers."""
    models, items = np.divmod(np.arange(200_000), 1000)
    return pd.DataFrame({"model": models, "item": items, "response": items % 2})


def weighed(path):
    return weights.megabytes([path]) * 1e6


def test_text_weighs_its_size(tmp_path):
    path = tmp_path / "text.csv"
    path.write_bytes(TEXT)
    assert weighed(path) == len(TEXT)


def test_gzip_weighs_what_it_unpacks_to(tmp_path):
    path = tmp_path / "text.csv.gz"
    path.write_bytes(gzip.compress(TEXT))
    assert path.stat().st_size < len(TEXT) / 100
    assert weighed(path) == len(TEXT)


def test_an_archive_weighs_all_its_members(tmp_path):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one", "other"):
            archive.writestr(name, TEXT)
    assert weighed(path) == 2 * len(TEXT)


def test_zstd_weighs_many_times_its_size(tmp_path):
    path = tmp_path / "text.csv.zst"
    with pa.CompressedOutputStream(str(path), "zstd") as stream:
        stream.write(TEXT)
    assert weighed(path) == weights.MOST_UNPACKED * path.stat().st_size


def test_parquet_weighs_its_cells(tmp_path, table):
    path = tmp_path / "table.parquet"
    table.to_parquet(path)
    assert weighed(path) == table.size * weights.PARQUET_CELL
    assert weighed(path) > 2 * path.stat().st_size


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"PAR1", b"\x1f\x8b"])
@pytest.mark.parametrize("rest", [b"", b"damaged" * 10])
def test_a_damaged_file_weighs_at_least_its_size(tmp_path, start, rest):
    path = tmp_path / "damaged"
    path.write_bytes(start + rest)
    assert weighed(path) >= len(start + rest)


def test_packing_lets_no_file_weigh_less_than_it_is(tmp_path):
    path = tmp_path / "short.gz"
    path.write_bytes(gzip.compress(b"x"))
    assert weighed(path) == path.stat().st_size > 1


def test_what_is_missing_and_a_folder_weigh_nothing(tmp_path):
    assert weights.megabytes([tmp_path / "missing", tmp_path]) == 0
    assert weights.megabytes([]) == 0


def test_files_add_up_and_the_heaviest_group_is_found(tmp_path):
    files = [tmp_path / f"{size}" for size in (10, 20, 25)]
    for path in files:
        path.write_bytes(b"x" * int(path.name))
    assert weights.megabytes(files) == pytest.approx(55e-6)
    assert weights.heaviest([files[:2], files[2:]]) == files[:2]
    assert weights.heaviest([]) == []


def test_a_file_is_opened_anew_only_when_it_has_changed(tmp_path, monkeypatch):
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(b"a" * 3_000_000))
    assert weights.megabytes([path]) == 3
    with monkeypatch.context() as closed:
        closed.setattr(weights, "_unpacked", pytest.fail)
        assert weights.megabytes([path]) == 3
    path.write_bytes(gzip.compress(b"a" * 5_000_000))
    assert weights.megabytes([path]) == 5
