"""The published collection by benchmark and by model, and its counts."""

from saturation.adaptive import schemas, study
from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.quantity import frame


def main(inputs: stages.Paths, output: stages.Paths, *, collection: str, banks: list[str]) -> None:
    models = stages.read_each(inputs.each("models"), schemas.MODELS)
    answered = stages.read_each(inputs.each("respondents"), schemas.ANSWERED)
    respondents = dict(zip(banks, answered, strict=True))
    parameters = stages.read_each(inputs.each("parameters"), schemas.ITEM_PARAMETERS)
    fitted = stages.read_each(inputs.each("fitted"), schemas.LEADERBOARD_ABILITIES)
    needed = stages.read_each(inputs.each("stopping"), schemas.STOPPING)
    numbers = [
        *study.breakdown(collection, dict(zip(banks, models, strict=True))),
        *study.counts(
            collection,
            respondents,
            dict(zip(banks, map(len, parameters), strict=True)),
            dict(zip(banks, map(len, fitted), strict=True)),
        ),
    ]
    for bank, table in zip(banks, needed, strict=True):
        numbers += study.stopping(bank, table, respondents[bank])
    write_csv(frame(numbers), output["files"])


stages.run(main, globals())
