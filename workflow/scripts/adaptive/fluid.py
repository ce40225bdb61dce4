"""Fetch the fluid benchmarking paper's data set; the first fetch writes the lock file."""

from pathlib import Path

from saturation.files import locked, stages


def main(
    _inputs: stages.Paths, output: stages.Paths, *, paths: list[str], url: str, lock: str
) -> None:
    locks = [stages.read(lock, locked.LOCK)] if Path(lock).exists() else []
    known = locked.by_path(locks[0]) if locks else {}
    targets = dict(zip(paths, output.each("files"), strict=True))
    locked.write(locked.fetch(targets, url, known), Path(lock))


stages.run(main, globals())
