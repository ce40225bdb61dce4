"""Write Tables 1, 2, 5, 6 and 7 as CSV and Markdown, and the index as a page for the report."""

from pathlib import Path

from saturation import files, plateau_tables
from saturation.tables.plateau import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from saturation.tables.reading import read


def main(
    benchmarks: Path,
    top_scores: Path,
    index: Path,
    intervals: Path,
    comparisons: Path,
    family: Path,
    folder: Path,
    page: Path,
    *,
    k: int,
    alpha: float,
) -> None:
    facts, ranked = read(benchmarks, PREPARED_BENCHMARKS), read(index, INDEX)
    tables = {
        "table1": plateau_tables.sensitivity(files.read_table(comparisons), k, alpha),
        "table2": plateau_tables.hypotheses(files.read_table(family)),
        "table5": plateau_tables.properties(facts),
        "table6": plateau_tables.scores(facts, read(top_scores, PREPARED_SCORES)),
        "table7": plateau_tables.case_studies(facts, ranked),
    }
    for name, table in tables.items():
        files.write_csv(table, folder / f"{name}.csv")
        files.write_markdown(table, folder / f"{name}.md", name.replace("table", "Table "))
    firm = files.read_table(intervals).drop(columns="s_index")
    shown = ranked.merge(firm, on="benchmark_id").sort_values("s_index", ascending=False)
    files.write_html(shown, page, "Saturation index of every benchmark")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.input.index),
            Path(snakemake.input.intervals),
            Path(snakemake.input.comparisons),
            Path(snakemake.input.family),
            folder=Path(snakemake.output.tables[0]).parent,
            page=Path(snakemake.output.page),
            **snakemake.params,
        )
