"""Fetch the fluid benchmarking paper's data set; the first fetch writes the lock file."""

from pathlib import Path

from saturation.files import sources, stages


def main(
    _inputs: stages.Paths, output: stages.Paths, *, paths: list[str], url: str, lock_file: str
) -> None:
    lock = Path(lock_file)
    known = sources.by_path(stages.read(lock, sources.LOCK)) if lock.exists() else {}
    targets = dict(zip(paths, output.each("files"), strict=True))
    sources.write(sources.fetch_unpinned(targets, url, known), lock)


stages.run(main, globals())
