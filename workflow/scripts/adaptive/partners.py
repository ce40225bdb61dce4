"""Which benchmarks of a collection can serve as each other's partners in validity."""

from saturation.adaptive import evaluation, schemas
from saturation.files import stages
from saturation.files.tables import write_csv


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    banks: list[str],
    least: float,
    named: dict[str, str],
    **_wildcards: str,
) -> None:
    respondents = stages.read_each(inputs.each("respondents"), schemas.ANSWERED)
    accuracy = {
        bank: table.set_index("respondent")["accuracy"] for bank, table in zip(banks, respondents)
    }
    write_csv(evaluation.partners(accuracy, least, named), output["partners"])


stages.run(main, globals())
