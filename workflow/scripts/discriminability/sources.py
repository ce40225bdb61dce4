"""Make the embedded tables: the two leaderboards' summary, and what the author released."""

import json

from saturation.files.tables import load_table, write_csv
from studies.discriminability import sources
from studies.files import stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    files = {name: str(inputs[name]) for name in sources.EXPORTS}
    # No schema for what others released: the files are pinned by their hashes.
    exports = {name: load_table(file) for name, file in files.items()}
    summary, dropped = sources.summarised(exports, files)
    monthly, fits = inputs["author_monthly"], inputs["author_fits"]
    released = json.loads(fits.read_text(encoding="utf-8"))
    tables = summary | {
        "dropped": dropped,
        "families": sources.counted_families(exports),
        "author_monthly": sources.monthly_from_source(load_table(monthly), monthly.name),
        "author_fits": sources.fits_from_source(released),
    }
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
