"""Make the embedded boards from their pinned sources."""

import pandas as pd

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies.boards import sources
from studies.boards.names import BANKS, COUNTED, DATES, MMLU_PRO_MODELS
from studies.files import stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    path = {file.name: file for file in inputs.each("sources")}
    archives = {model: path[f"board_mmlu_pro_{model}.zip"] for model in MMLU_PRO_MODELS}
    # Others' files: each is read as it is, and checked by the reader of its layout.
    long = pd.concat(
        [
            sources.livebench(load_table(path["board_livebench.parquet"])),
            sources.epoch(load_table(path["board_epoch_runs.csv"])),
            sources.mmlu_pro(archives),
            *(sources.sampled(load_table(path[file]), name) for name, file in COUNTED.items()),
        ],
        ignore_index=True,
    )
    write_csv(sources.evaluations(long, load_table(path[DATES])), output["evaluations"])
    boards = dict(list(long.groupby("board")))
    boards |= {name: sources.bank(load_table(path[f"{name}.csv"]), name) for name in BANKS}
    for target in output.each("responses"):
        formats.write(sources.matrix(boards[target.stem]), target)


stages.run(main, globals())
