"""Analysis of variance of the scores on the configuration factors, a dataset at a time."""

from collections.abc import Iterator, Sequence

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import anova, schemas
from saturation.robustness import names as robustness_names


def main(inputs: Paths, output: Paths, *, factors: Sequence[str]) -> None:
    path = inputs["predictions"]
    names = ["dataset", "synthetic"]
    marks = stages.read(path, schemas.prepared(factors, names), columns=names)
    columns = [*factors, "example_id", "score"]
    schema = schemas.prepared(factors, columns)

    def blocks() -> Iterator[tuple[str, pd.DataFrame]]:
        for dataset in sorted(marks["dataset"].unique()):
            chosen = [("dataset", "==", dataset)]
            yield dataset, stages.read(path, schema, columns=columns, filters=chosen)

    table = anova.table(blocks(), factors, bool(marks["synthetic"].any()))
    title = robustness_names.of_table("Analysis of variance of the scores, type II and III", table)
    write_csv(table, output["csv"])
    write_html(table.drop(columns="synthetic"), output["html"], title)


stages.run(main, globals())
