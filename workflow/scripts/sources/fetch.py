"""Fetch one pinned source from the mirror or its URL; its sha256 is checked before use."""

from pathlib import Path

from studies.files import sources, stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths, *, source: str, suffix: str, mirror: str | None) -> None:
    registry = sources.registry(stages.read(inputs["registry"], sources.REGISTRY))
    pinned = sources.named(registry, source, str(inputs["registry"]))
    sources.require_suffix(pinned, suffix)
    sources.fetch(pinned, Path(mirror) if mirror else None, output["files"])


stages.run(main, globals())
