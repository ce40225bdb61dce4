"""Fetch the fluid benchmarking paper's data set; the first fetch writes the lock file."""

from pathlib import Path

from saturation.files import locked, stages


def main(
    _inputs: stages.Paths, output: stages.Paths, *, paths: list[str], url: str, lock: str
) -> None:
    known = {}
    if Path(lock).exists():
        known = stages.read(lock, locked.LOCK).set_index("path").to_dict("index")
    targets = dict(zip(paths, output.each("files"), strict=True))
    locked.write(locked.fetch(targets, url, known), Path(lock))


stages.run(main, globals())
