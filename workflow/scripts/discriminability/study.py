"""Every metric of every window, what follows from them, and the author's numbers beside them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.files import schema
from saturation.files.tables import load_table, write_csv
from studies.discriminability import schemas, study
from studies.discriminability.names import SUMMARY
from studies.files import stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any], seed: int) -> None:
    file = inputs["benchmarks"]  # perhaps the user's, who need not end it with a line feed
    results = study.study(
        {name: read(inputs, name) for name in SUMMARY},
        schema.validate(load_table(file), schemas.BENCHMARKS, str(file)),
        {**settings, "seed": seed},
        read(inputs, "dropped"),
        read(inputs, "families") if "families" in inputs else None,
        str(file),
    )
    released = read(inputs, "author_monthly"), read(inputs, "author_fits")
    author = study.author_quantities(*released)
    for name, table in {**results, "author": author}.items():
        write_csv(table, output[name])


def read(inputs: Paths, name: str) -> pd.DataFrame:
    """Read a table that the study itself has made."""
    return load_table(inputs[name], **schemas.AS_TEXT)


stages.run(main, globals())
