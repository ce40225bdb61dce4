"""Import what evaluation tools wrote about one benchmark into the two tidy tables."""

from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_json
from saturation.own.imports import read


def main(
    inputs: Paths,
    output: Paths,
    *,
    benchmark: str,
    entries: list[dict[str, Any]],
    declared: dict[str, Any],
) -> None:
    paths = inputs.each("files")
    files = [{**entry, "path": path} for entry, path in zip(entries, paths, strict=True)]
    imports = read(benchmark, files, declared)
    write_csv(imports.scores, output["scores"])
    write_csv(imports.responses, output["responses"])
    write_json(imports.record, output["record"])


stages.run(main, globals())
