"""Summarise the two pinned Open LLM Leaderboard exports; the embedded tables are this result."""

import pandas as pd

from saturation.discriminability import leaderboards, summaries
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv

# Columns of the scores, and of the model and the date, in each export.
EXPORTS = {
    "v1": (
        {n: n for n in ["ARC", "HellaSwag", "MMLU", "TruthfulQA", "Winogrande", "GSM8K"]},
        {"model": "Model", "date": "date"},
    ),
    "v2": (
        {n: f"{n} Raw" for n in ["IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO"]},
        {"model": "fullname", "date": "Submission Date"},
    ),
}
PERCENT = (0, 100)


def main(inputs: Paths, output: Paths) -> None:
    summarised, dropped = [], []
    for name, (scores, labels) in EXPORTS.items():
        rows = leaderboards.open_llm(read_table(inputs[name]), scores, labels)
        kept, bad = leaderboards.screen(rows, PERCENT, str(inputs[name]))
        summarised.append(summaries.summarise(kept, name))
        dropped.append(bad.assign(leaderboard=name))
    for name, table in summaries.combine(summarised).items():
        write_csv(table, output[name])
    left_out = pd.concat(dropped).reindex(columns=leaderboards.DROPPED)
    write_csv(left_out, output["dropped"])


stages.run(main, globals())
