"""Fetch the fluid benchmarking paper's data set; the first fetch writes the lock file."""

from pathlib import Path

from saturation.files.tables import write_csv
from studies.files import sources, stages


def main(
    _inputs: stages.Paths, output: stages.Paths, *, paths: list[str], url: str, lock_file: str
) -> None:
    lock = Path(lock_file)
    locked = stages.read(lock, sources.LOCK).set_index("path") if lock.exists() else None
    known = {} if locked is None else locked.to_dict("index")
    targets = dict(zip(paths, output.each("files"), strict=True))
    fetched = sources.fetch_unpinned(targets, url, known)
    if locked is None:
        write_csv(fetched, lock)


stages.run(main, globals())
