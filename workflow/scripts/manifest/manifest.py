"""Write down what the run was made from and what it made, each file with its hash."""

import platform
from collections.abc import Mapping
from typing import Any

from saturation.files.tables import write_json
from studies.files import stages
from studies.files.sources import hashes
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any], commit: str) -> None:
    made = {
        "config": settings,
        "lock": hashes([inputs["versions"]]),
        "inputs": hashes(inputs.each("read")),
        "outputs": hashes(inputs.each("made")),
    }
    write_json(made, output["manifest"])
    origin = {
        "commit": commit,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.platform(),
    }
    write_json(origin, output["origin"])


stages.run(main, globals())
