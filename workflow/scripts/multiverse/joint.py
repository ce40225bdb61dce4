"""Merge the chunks: the curve and the joint test of every conclusion, agreement by choice."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from saturation.files.stages import read
from saturation.files.tables import logged, read_array, write_csv, write_html
from saturation.multiverse import joint as joint_tests
from saturation.multiverse.schemas import EVALUATED


def main(
    evaluated: Sequence[Path],
    effects: Sequence[Path],
    zs: Sequence[Path],
    output: Mapping[str, Path],
    *,
    level: float,
) -> None:
    table = pd.concat([read(path, EVALUATED) for path in evaluated], ignore_index=True)
    effect = np.concatenate([read_array(path) for path in effects])
    z = np.concatenate([read_array(path) for path in zs])
    curves, tests = [], []
    for rows in table.groupby("conclusion", sort=False).indices.values():
        part = table.iloc[rows]
        curves.append(joint_tests.curve(part, effect[rows], level))
        tests.append(joint_tests.joint_test(part, effect[rows], z[rows], level))
    curve, joint = pd.concat(curves), pd.DataFrame(tests)
    write_csv(curve, output["curve"])
    write_csv(joint, output["joint"])
    write_csv(joint_tests.by_choice(curve), output["choices"])
    write_csv(joint_tests.quantities(joint), output["quantities"])
    write_html(joint, output["page"], "Do the conclusions survive other choices?")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.evaluated],
            [Path(path) for path in snakemake.input.effect],
            [Path(path) for path in snakemake.input.z],
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
