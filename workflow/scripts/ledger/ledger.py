"""Join every study's claims with its quantities; write the ledger and its summary."""

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html, write_markdown
from saturation.ledger import judge
from saturation.ledger.schemas import CLAIMS, QUANTITIES


def main(inputs: Paths, output: Paths, *, studies: list[str]) -> None:
    files = zip(studies, inputs.each("claims"), inputs.each("quantities"), strict=True)
    table = pd.concat(
        [
            judge.judge(
                stages.read(claims, CLAIMS, dtype={"published": str}),
                stages.read(quantities, QUANTITIES),
                study,
            )
            for study, claims, quantities in files
        ],
        ignore_index=True,
    )
    summary = judge.summary(table)
    write_csv(table, output["ledger"])
    write_html(table, output["html"], "Ledger of published numbers and conclusions")
    write_csv(summary, output["summary"])
    write_markdown(summary, output["markdown"], "What the papers print, and what comes out")


stages.run(main, globals())
