"""Merge the chunks: the curve and the joint test of every conclusion, agreement by choice."""

import numpy as np
import pandas as pd

from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import read_array, write_csv, write_html
from saturation.multiverse import joint
from saturation.multiverse.specifications import EVALUATED


def main(inputs: Paths, output: Paths, *, level: float, size: str) -> None:  # noqa: ARG001
    evaluated = pd.concat(read_each(inputs.each("evaluated"), EVALUATED), ignore_index=True)
    effect, z = (
        np.concatenate([read_array(path) for path in inputs.each(name)]) for name in ("effect", "z")
    )
    tables = joint.tables(evaluated, effect, z, level)
    for name, table in tables.items():
        write_csv(table, output[name])
    write_html(tables["joint"], output["page"], "Do the conclusions survive other choices?")


run(main, globals())
