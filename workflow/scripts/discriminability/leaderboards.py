"""Check and summarise a user's own leaderboard into the same tables as the embedded ones."""

from collections.abc import Sequence
from typing import Any

from saturation.files.tables import load_table, write_csv
from studies.discriminability import leaderboards
from studies.files import stages
from studies.files.stages import Paths


def main(
    inputs: Paths, output: Paths, *, layout: str, score_range: Sequence[float], on_bad_rows: str
) -> None:
    path = inputs["leaderboard"]
    # The columnar engine reads a million rows in a fraction of the default engine's time.
    # It refuses rows longer than the header by itself.
    columnar: dict[str, Any] = {"engine": "pyarrow", "index_col": None}
    options = {} if path.suffix == ".parquet" else columnar
    kept, dropped = leaderboards.usable(
        load_table(path, **options), layout, score_range, on_bad_rows, str(path)
    )
    for name, table in leaderboards.summarise(kept, leaderboards.OWN).items():
        write_csv(table, output[name])
    write_csv(dropped, output["dropped"])


stages.run(main, globals())
