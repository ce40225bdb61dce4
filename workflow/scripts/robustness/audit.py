"""Check the paper's printed statistics against each other and against its design."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import anova, names, schemas


def main(inputs: Paths, output: Paths) -> None:
    tables = anova.tables(
        stages.read(inputs["anova"], schemas.PRINTED_ANOVA, dtype=str),
        names.levels(stages.read(inputs["design"], schemas.DESIGN, dtype=str)),
        stages.read(inputs["performance"], schemas.PERFORMANCE),
        stages.read(inputs["external"], schemas.EXTERNAL),
    )
    rows, datasets = tables["audit"], tables["audit_datasets"]
    write_csv(rows, output["rows"])
    write_html(rows, output["html"], "Tables C.1 and C.2, each row checked")
    write_csv(datasets, output["datasets"])
    write_html(datasets, output["datasets_html"], "What Tables C.1 and C.2 say about each dataset")
    write_csv(tables["external"], output["external"])


stages.run(main, globals())
