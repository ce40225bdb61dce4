"""Check and summarise a user's own leaderboard into the same tables as the embedded ones."""

from collections.abc import Sequence
from pathlib import Path

from saturation.discriminability import leaderboards, summaries
from saturation.files.tables import logged, read_table, write_csv


def main(
    leaderboard: Path,
    layout: str,
    score_range: Sequence[float],
    on_bad_rows: str,
    tables: dict[str, Path],
    dropped: Path,
) -> None:
    # The columnar engine reads a million rows in a fraction of the default engine's time.
    # It refuses rows longer than the header by itself.
    columnar = {"engine": "pyarrow", "index_col": None}
    options = {} if leaderboard.suffix == ".parquet" else columnar
    frame = read_table(leaderboard, **options)
    read = leaderboards.long_format if layout == "wide" else leaderboards.numbered
    kept, bad = leaderboards.screen(read(frame, str(leaderboard)), score_range, str(leaderboard))
    if on_bad_rows == "stop":
        leaderboards.require_kept(bad, str(leaderboard))
    for name, table in summaries.summarise(kept, "own").items():
        write_csv(table, tables[name])
    bad = bad.assign(leaderboard="own").reindex(columns=leaderboards.DROPPED)
    write_csv(bad, dropped)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            leaderboard=Path(snakemake.input.leaderboard),
            layout=snakemake.params.layout,
            score_range=snakemake.params.score_range,
            on_bad_rows=snakemake.params.on_bad_rows,
            tables={name: Path(snakemake.output[name]) for name in summaries.TABLES},
            dropped=Path(snakemake.output.dropped),
        )
