"""Make the embedded tables of dated scores from their pinned sources."""

import pandas as pd

from saturation.files.tables import load_table, write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.forecast import sources
from studies.forecast.names import ECI, LAYOUTS, NLP, RATINGS, RUNS, VERSIONS


def main(inputs: Paths, output: Paths) -> None:
    # Other projects' files: each is read as it is, and checked by the reader of its layout.
    tables = {
        path.stem: load_table(path, encoding="utf-8-sig", dtype=None if path.stem == NLP else str)
        for path in inputs.each("sources")
    }
    versions = tables[VERSIONS]
    facts = pd.concat(
        [
            sources.capabilities_index(tables[ECI]),
            sources.epoch_runs(tables[RUNS], versions),
            *(
                sources.epoch_table(name, tables[f"history_epoch_{name}"], versions)
                for name in (*LAYOUTS, *RATINGS)
            ),
            sources.best_results(tables[NLP]),
        ],
        ignore_index=True,
    )
    facts = sources.correct_models(facts, load_table(inputs["corrections"]))
    citations = load_table(inputs["citations"])
    for name, table in sources.series_and_scores(sources.add_releases(facts), citations).items():
        write_csv(table, output[name])


stages.run(main, globals())
