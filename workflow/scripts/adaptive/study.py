"""Fit, evaluate and look at the top of all banks of embedded boards, one collection after another.

One job for all of them: started anew for each bank, Python would take longer than the work.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pandas as pd

from saturation.adaptive import evaluation, responses, schemas
from saturation.adaptive.study import Settings, of_banks
from saturation.files import formats, stages
from saturation.files.tables import write_csv, write_html, write_json

# Suspects on a page; the table has all.
SHOWN = 50


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collections: Mapping[str, Sequence[str]],
    settings: Mapping[str, Any],
    whole: Mapping[str, Any],
    fewest: int,
    written: Mapping[str, Sequence[str]],
) -> None:
    boards = dict(zip(chain.from_iterable(collections.values()), inputs.each("boards")))
    people = dict(zip(boards, inputs.each("respondents")))
    chosen = Settings(evaluation=evaluation.Settings(**settings), **whole)
    made: dict[str, pd.DataFrame] = {}
    known: dict[str, Any] = {}
    for collection, banks in collections.items():
        named = {bank: stages.read(people[bank], schemas.RESPONDENTS) for bank in banks}
        read = {
            bank: responses.from_board(
                formats.read(boards[bank]), table["respondent"].tolist(), str(boards[bank]), fewest
            )
            for bank, table in named.items()
        }
        found = of_banks({bank: taken.bank for bank, taken in read.items()}, named, chosen)
        made |= found.tables | {collection: found.partners}
        known |= found.facts
        for bank, taken in read.items():
            known[f"{bank}/fit"] |= {"left_out": taken.left_out}
    for name, path in zip(written["tables"], output.each("tables"), strict=True):
        write_csv(made[name], path)
    for name, path in zip(written["facts"], output.each("facts"), strict=True):
        write_json(known[name], path)
    for page in output.each("pages"):
        bank = page.parent.name
        title = f"Label-error suspects of {bank}: worst {SHOWN}"
        write_html(made[f"{bank}/suspects"].head(SHOWN), page, title)


stages.run(main, globals())
