"""Check a bank's responses and respondents; write them in one layout."""

from saturation.adaptive import responses
from saturation.files import stages
from saturation.files.tables import read_table, write_csv

READERS = {"wide": responses.from_wide, "long": responses.from_long}


def main(
    inputs: stages.Paths, output: stages.Paths, *, layout: str, fewest: int, **_wildcards: str
) -> None:
    # What users hand in is checked by its reader, which names the rows that are at fault.
    answered = READERS[layout](read_table(inputs["table"]), str(inputs["table"]), fewest)
    if inputs.each("respondents"):
        path = inputs["respondents"]
        respondents = responses.check_respondents(read_table(path), answered, str(path))
    else:
        respondents = responses.own_respondents(answered)
    write_csv(answered.frame(), output["responses"])
    write_csv(respondents.assign(accuracy=answered.accuracy()), output["respondents"])


stages.run(main, globals())
