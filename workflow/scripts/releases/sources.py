"""Take the scores of the release notes from the pinned files, and the agreement of answers."""

from collections.abc import Mapping
from typing import Any

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.releases.sources import agreement_of_boards, claims_of_documents


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    evaluations = load_table(inputs["evaluations"])
    responses = {file.stem: formats.read(file) for file in inputs.each("responses")}
    write_csv(
        agreement_of_boards(responses, evaluations, settings["least_coverage"]), output["agreement"]
    )
    write_csv(claims_of_documents(inputs.each("sources")), output["claims"])


stages.run(main, globals())
