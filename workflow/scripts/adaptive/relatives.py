"""Errors of a bank's items and abilities that reckon with families of models."""

from saturation.adaptive import responses
from saturation.files import stages
from saturation.files.tables import write_csv
from studies.adaptive import relatives


def main(inputs: stages.Paths, output: stages.Paths, *, fewest: int, **_wildcards: str) -> None:
    taken = responses.taken(inputs["responses"], inputs["respondents"], fewest)
    found = relatives.tables(taken.bank, taken.respondents["family"].tolist())
    write_csv(found.items, output["item_table"])
    write_csv(found.abilities, output["abilities"])


stages.run(main, globals())
