"""Items of a bank that some families find easier than others at the same ability."""

from saturation.adaptive import responses
from saturation.adaptive.bias import differential
from saturation.files import stages
from saturation.files.tables import write_csv


def main(inputs: stages.Paths, output: stages.Paths, *, fewest: int, **_wildcards: str) -> None:
    taken = responses.taken(inputs["responses"], inputs["respondents"], fewest)
    people = taken.respondents
    found = differential(taken.bank, people["family"].tolist(), people["model"].tolist())
    write_csv(found.items, output["files"])


stages.run(main, globals())
