"""Tables 1 and 2: a leaderboard's status with the paper's columns and what stands beside them."""

from pathlib import Path

from saturation.discriminability import paper_tables
from saturation.files.tables import logged, read_table, write_csv, write_html, write_markdown


def main(tables: dict[str, Path], outputs: dict[int, dict[str, Path]]) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    for number, paths in outputs.items():
        board = paper_tables.leaderboard(read["monthly"], number)
        table = paper_tables.status(read, board)
        title = f"Table {number}: status of leaderboard {board}"
        write_csv(table, paths["csv"])
        write_markdown(paper_tables.printed(table), paths["md"], title)
        write_html(paper_tables.printed(table), paths["html"], title)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={n: Path(path) for n, path in snakemake.input.items() if n != "code"},
            outputs={
                number: {
                    suffix: Path(snakemake.output[f"table_{number}_{suffix}"])
                    for suffix in ("csv", "md", "html")
                }
                for number in snakemake.params.numbers
            },
        )
