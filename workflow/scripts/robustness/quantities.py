"""The study's headline numbers, for the ledger and the reader."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.robustness import schemas, study


def main(inputs: Paths, output: Paths) -> None:
    facts = {
        "performance": stages.read(inputs["performance"], schemas.PERFORMANCE),
        "models": stages.read(inputs["models"], schemas.MODELS),
        "design": stages.read(inputs["design"], schemas.DESIGN, dtype=str),
    }
    # Of predictions of one's own there may be none.
    measured = {
        name: stages.read(inputs[name], schemas.BY_INPUT_NAME[name])
        for name in schemas.BY_INPUT_NAME
        if name in inputs and inputs.each(name)
    }
    # The printed digits are what the audit is about: as numbers they would lose their zeros.
    digits = dict.fromkeys(schemas.STATISTICS, str)
    measured["audit"] = stages.read(inputs["audit"], schemas.AUDIT, dtype=digits)
    write_csv(study.table(facts, measured), output["files"])


stages.run(main, globals())
