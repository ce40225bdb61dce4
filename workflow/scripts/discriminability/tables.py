"""Tables 1 and 2: a leaderboard's status with the paper's columns and what stands beside them."""

from pathlib import Path

from saturation import discriminability_tables, files


def main(tables: dict[str, Path], outputs: dict[int, dict[str, Path]]) -> None:
    read = {name: files.read_table(path) for name, path in tables.items()}
    for number, paths in outputs.items():
        board = discriminability_tables.leaderboard(read["monthly"], number)
        table = discriminability_tables.status(read, board)
        title = f"Table {number}: status of leaderboard {board}"
        files.write_csv(table, paths["csv"])
        files.write_markdown(discriminability_tables.printed(table), paths["md"], title)
        files.write_html(discriminability_tables.printed(table), paths["html"], title)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
