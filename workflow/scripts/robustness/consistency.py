"""Consistency, baselines and their relatives of every example, pair and dataset."""

from collections.abc import Sequence

from saturation import seeds
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv, write_html, write_parquet
from saturation.robustness import consistency, names, schemas


def main(
    inputs: Paths,
    output: Paths,
    *,
    factors: Sequence[str],
    confidence: float,
    resamples: int,
    std_bins: int,
    seed: int,
) -> None:
    # Without the numbers of the configurations: eight bytes a row that nothing here needs.
    columns = [*schemas.KEYS, *factors, "score", "reference", "synthetic", "answer"]
    schema = schemas.prepared(factors, columns)
    datasets = inputs["datasets"]
    tables = consistency.tables(
        stages.read(inputs["predictions"], schema, columns=columns),
        validate(read_table(datasets), schemas.DATASETS, str(datasets)),
        factors,
        confidence,
        resamples,
        std_bins,
        seeds.generator(seed, "robustness", "consistency"),
    )
    write_parquet(tables.pop("examples"), output["examples"])
    for name, table in tables.items():
        write_csv(table, output[name])
    pairs = tables["consistency"]
    title = names.of_table("Output consistency by model and dataset", pairs)
    write_html(pairs.drop(columns="synthetic"), output["html"], title)


stages.run(main, globals())
