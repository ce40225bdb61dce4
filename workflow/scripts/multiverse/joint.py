"""Merge the chunks: the curve and the joint test of every conclusion, agreement by choice."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from saturation import files, multiverse_joint
from saturation.tables.multiverse import EVALUATED
from saturation.tables.reading import read


def main(
    evaluated: Sequence[Path],
    effects: Sequence[Path],
    zs: Sequence[Path],
    output: Mapping[str, Path],
    *,
    level: float,
) -> None:
    table = pd.concat([read(path, EVALUATED) for path in evaluated], ignore_index=True)
    effect = np.concatenate([files.read_array(path) for path in effects])
    z = np.concatenate([files.read_array(path) for path in zs])
    curves, tests = [], []
    for rows in table.groupby("conclusion", sort=False).indices.values():
        part = table.iloc[rows]
        curves.append(multiverse_joint.curve(part, effect[rows], level))
        tests.append(multiverse_joint.joint_test(part, effect[rows], z[rows], level))
    curve, joint = pd.concat(curves), pd.DataFrame(tests)
    files.write_csv(curve, output["curve"])
    files.write_csv(joint, output["joint"])
    files.write_csv(multiverse_joint.by_choice(curve), output["choices"])
    files.write_csv(multiverse_joint.quantities(joint), output["quantities"])
    files.write_html(joint, output["page"], "Do the conclusions survive other choices?")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.evaluated],
            [Path(path) for path in snakemake.input.effect],
            [Path(path) for path in snakemake.input.z],
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
