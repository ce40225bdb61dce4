"""Check a bank's responses and respondents; write them in one layout."""

from saturation.adaptive import responses
from saturation.files.tables import load_table, write_csv
from studies.adaptive import banks
from studies.files import stages

READERS = {"wide": banks.build_from_wide, "long": banks.build_from_long}


def main(
    inputs: stages.Paths, output: stages.Paths, *, layout: str, fewest: int, **_wildcards: str
) -> None:
    table, given = inputs["table"], inputs.each("respondents")
    # What users hand in is checked by its reader, which names the rows that are at fault.
    answered = READERS[layout](load_table(table), str(table), fewest)
    if given:
        respondents = responses.check_respondents(load_table(given[0]), answered, str(given[0]))
    else:
        respondents = responses.list_respondents(answered)
    write_csv(answered.frame(), output["responses"])
    write_csv(respondents.assign(accuracy=answered.accuracy()), output["respondents"])


stages.run(main, globals())
