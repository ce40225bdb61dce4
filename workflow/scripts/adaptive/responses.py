"""Check a bank's responses and respondents; write them in one layout."""

from saturation.adaptive import responses, schemas
from saturation.adaptive.names import BOARD
from saturation.files import formats, stages
from saturation.files.tables import read_table, write_csv

READERS = {"wide": responses.from_wide, "long": responses.from_long}


def main(
    inputs: stages.Paths, output: stages.Paths, *, layout: str, fewest: int, **_wildcards: str
) -> None:
    table, given = inputs["table"], inputs.each("respondents")
    if layout == BOARD:
        named = stages.read(given[0], schemas.RESPONDENTS)["respondent"].tolist() if given else None
        answered = responses.from_board(formats.read(table), named, str(table), fewest).bank
    else:
        # What users hand in is checked by its reader, which names the rows that are at fault.
        answered = READERS[layout](read_table(table), str(table), fewest)
    if inputs.each("respondents"):
        path = inputs["respondents"]
        respondents = responses.check_respondents(read_table(path), answered, str(path))
    else:
        respondents = responses.own_respondents(answered)
    write_csv(answered.frame(), output["responses"])
    write_csv(respondents.assign(accuracy=answered.accuracy()), output["respondents"])


stages.run(main, globals())
