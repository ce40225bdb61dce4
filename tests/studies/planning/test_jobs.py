"""Which benchmarks share a job, and what packed files weigh against their unpacked content."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from studies.planning import jobs

TEXT = b"model,item,response\n" + b"m,q,1\n" * 200_000


def weighed(path):
    return jobs.megabytes([path]) * 1e6


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
    assert weighed(path) == jobs.MOST_UNPACKED * path.stat().st_size


def test_parquet_weighs_its_cells(tmp_path):
    path = tmp_path / "table.parquet"
    models, items = np.divmod(np.arange(200_000), 1000)
    table = pd.DataFrame({"model": models, "item": items, "response": items % 2})
    table.to_parquet(path)
    assert weighed(path) == table.size * jobs.PARQUET_CELL
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
    assert jobs.megabytes([tmp_path / "missing", tmp_path]) == 0
    assert jobs.megabytes([]) == 0


def test_files_add_up_and_the_heaviest_group_is_found(tmp_path):
    files = [tmp_path / f"{size}" for size in (10, 20, 25)]
    for path in files:
        path.write_bytes(b"x" * int(path.name))
    assert jobs.megabytes(files) == pytest.approx(55e-6)
    assert jobs.heaviest([files[:2], files[2:]]) == files[:2]
    assert jobs.heaviest([]) == []


def test_a_file_that_has_changed_is_weighed_anew(tmp_path):
    path = tmp_path / "scores.csv.gz"
    for size in (3, 5):
        path.write_bytes(gzip.compress(b"a" * size * 1_000_000))
        assert jobs.megabytes([path]) == size


@given(st.integers(0, 120), st.text(min_size=1, max_size=8))
def test_a_further_one_changes_only_the_job_that_it_joins(number, further):
    others = {f"b {place}" for place in range(number)} - {further}
    before, after = jobs.batches(others), jobs.batches(sorted(others | {further}, reverse=True))
    assert sorted(name for job in before.values() for name in job) == sorted(others)
    assert all(before.values())
    assume(len(others) / jobs.MOST_ON_AVERAGE not in (1, 2))  # else the number of jobs doubles
    changed = {job for job in before.keys() | after if before.get(job) != after.get(job)}
    assert changed == {job for job, members in after.items() if further in members}


@pytest.mark.parametrize(
    ("benchmarks", "count"), [(0, 0), (1, 1), (32, 1), (33, 2), (64, 2), (65, 4)]
)
def test_few_share_one_job_and_more_have_twice_as_many(benchmarks, count):
    assert len(jobs.batches([f"b{number}" for number in range(benchmarks)])) == count


def test_a_name_keeps_its_job_from_run_to_run():
    names = ["gpqa", "mmlu", "swe-bench", "arc", *(f"b{number}" for number in range(40))]
    batches = jobs.batches(names)
    found = [[job for job, members in batches.items() if name in members] for name in names[:4]]
    assert found == [[0], [1], [0], [1]]


def test_resources_double_on_retry(tmp_path):
    file = tmp_path / "own.csv"
    file.write_bytes(bytes(3_000_000))
    for files in ([file, None], lambda wildcards: [tmp_path / wildcards]):
        needed = jobs.growing(100, 2, files)
        assert [needed("own.csv", attempt) for attempt in (1, 2, 3)] == [106, 212, 318]
    assert jobs.growing(100)(None, attempt=2) == 200
