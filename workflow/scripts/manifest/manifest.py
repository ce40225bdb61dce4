"""Write down what the run was made from and what it made, each file with its hash."""

from collections.abc import Mapping
from typing import Any

from saturation.files import sources, stages
from saturation.files.stages import Paths
from saturation.files.tables import write_json


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any], commit: str) -> None:
    written = sources.manifest(
        settings, inputs["versions"], inputs.each("read"), inputs.each("made")
    )
    write_json(written, output["manifest"])
    write_json(sources.origin(commit), output["origin"])


stages.run(main, globals())
