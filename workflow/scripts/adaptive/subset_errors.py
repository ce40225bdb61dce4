"""How far subsets of the embedded boards miss models of families left out, beside shortcuts."""

from collections.abc import Sequence

import pandas as pd

from saturation.adaptive.frontier import embedded
from saturation.adaptive.replay import ablation
from saturation.files import stages
from saturation.files.tables import write_csv


def main(
    _inputs: stages.Paths,
    output: stages.Paths,
    *,
    seed: int,
    boards: Sequence[str],
    sizes: Sequence[int],
    adaptive: Sequence[int],
    draws: int,
) -> None:
    tables = []
    for board in boards:
        bank, respondents = embedded(board)
        families = respondents["family"].tolist()
        tables.append(ablation(board, bank, families, sizes, adaptive, draws, seed))
    write_csv(pd.concat(tables, ignore_index=True), output["files"])


stages.run(main, globals())
