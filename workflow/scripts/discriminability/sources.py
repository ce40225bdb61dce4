"""Summarise the two pinned Open LLM Leaderboard exports; the embedded tables are this result."""

from saturation.discriminability import schemas, sources
from saturation.files import schema, stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv


def main(inputs: Paths, output: Paths) -> None:
    files = {name: str(inputs[name]) for name in sources.EXPORTS}
    exports = {
        name: schema.validate(
            read_table(file), schemas.export(sources.EXPORTS[name].columns()), file
        )
        for name, file in files.items()
    }
    summary, dropped = sources.summarised(exports, files)
    for name, table in summary.items():
        write_csv(table, output[name])
    write_csv(dropped, output["dropped"])
    write_csv(sources.counted_families(exports), output["families"])


stages.run(main, globals())
