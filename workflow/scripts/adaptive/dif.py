"""Items of a bank that some families find easier than others at the same ability."""

from saturation.adaptive import responses, schemas
from saturation.adaptive.bias import differential
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv


def main(inputs: stages.Paths, output: stages.Paths, **_wildcards: str) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    respondents = stages.read(inputs["respondents"], schemas.ANSWERED)
    found = differential(
        responses.from_wide(cells, str(inputs["responses"]), fewest=1),
        respondents["family"].tolist(),
        respondents["model"].tolist(),
    )
    path = output["files"]
    write_csv(validate(found.items, schemas.DIF, str(path)), path)


stages.run(main, globals())
