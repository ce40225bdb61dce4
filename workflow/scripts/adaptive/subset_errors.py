"""What choices of items and scorers are worth on families left out, by the two-parameter model."""

from collections.abc import Sequence

import pandas as pd

from saturation import seeds
from saturation.adaptive.misfit import NONE
from saturation.adaptive.replay import ablation
from saturation.adaptive.responses import embedded
from saturation.files.tables import load_table, write_csv
from studies.adaptive.banks import build_from_attempts
from studies.files import stages

# Of a pinned board's items.
TENTH = 0.1


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    seed: int,
    boards: Sequence[str],
    sizes: Sequence[int],
    adaptive: Sequence[int],
    draws: int,
) -> None:
    tables = []
    for path in inputs.each("pinned"):
        random = seeds.generator(seed, "adaptive", "attempts", path.stem)
        bank, families = build_from_attempts(load_table(path), str(path), random)
        size = round(TENTH * len(bank.items))
        tables.append(ablation(path.stem, bank, families, [size], NONE, [size], draws, seed))
    write_csv(pd.concat(tables, ignore_index=True), output["pinned"])
    tables = []
    for board in boards:
        bank, respondents = embedded(board)
        families = respondents["family"].tolist()
        tables.append(ablation(board, bank, families, sizes, NONE, adaptive, draws, seed))
    write_csv(pd.concat(tables, ignore_index=True), output["embedded"])


stages.run(main, globals())
