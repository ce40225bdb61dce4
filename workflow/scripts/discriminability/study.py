"""All metrics of every window with their intervals, what follows from them, and headline numbers.

One job for all of it: started anew for each table, Python would take longer than the work.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.discriminability import schemas, study
from saturation.discriminability.names import PAGES
from saturation.discriminability.study import Settings, derived, measured
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html, write_markdown


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any], seed: int) -> None:
    formed = {name: stages.read(inputs[name], schemas.INPUTS[name]) for name in schemas.INPUTS}
    chosen = Settings.of(settings, seed)
    monthly, changes = (
        _kept(name, table, output)
        for name, table in zip(("monthly", "changes"), measured(formed, chosen), strict=True)
    )
    made = derived(formed, monthly, changes, chosen)
    tables = {"monthly": monthly, "changes": changes}
    tables |= {name: _kept(name, table, output) for name, table in made.items()}
    for name in ("dropped", *(["families"] if "families" in inputs else [])):
        tables[name] = stages.read(inputs[name], schemas.BEHIND_QUANTITIES[name])
    for number, board in enumerate(study.leaderboards(monthly), start=1):
        status = study.status(tables, board)
        printed = study.printed(status)
        title = f"Table {number}: status of leaderboard {board}"
        write_csv(status, output[f"table_{number}_csv"])
        write_markdown(printed, output[f"table_{number}_md"], title)
        write_html(printed, output[f"table_{number}_html"], title)
    write_csv(study.quantities_quantities(tables), output["quantities"])


def _kept(name: str, table: pd.DataFrame, output: Paths) -> pd.DataFrame:
    """Write a table, and give it as its file has it: what follows can be made from the files."""
    write_csv(table, output[name])
    if name in PAGES:
        write_html(table, output[f"{name}_html"], PAGES[name].title)
    schema = schemas.RESULTS.get(name)
    return stages.read(output[name], schema) if schema else table


stages.run(main, globals())
