"""Saturation index of each dataset against its mean robustness."""

from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from saturation.robustness import schemas, study


def main(inputs: Paths, output: Paths, *, k: int, alpha: float) -> None:
    known = inputs["known"]
    tables = study.tables(
        stages.read(inputs["consistency"], schemas.CONSISTENCY),
        stages.read(inputs["datasets"], schemas.DATASET_MEASURES),
        stages.read(inputs["index"], schemas.INDEX),
        validate(read_table(known), schemas.DATASETS, str(known)),
        k,
        alpha,
    )
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
