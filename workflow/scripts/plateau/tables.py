"""Write Tables 1, 2, 5, 6 and 7 as CSV and Markdown, and the index as a page for the report."""

from collections.abc import Mapping
from pathlib import Path

from saturation.files import stages
from saturation.files.tables import logged, write_csv, write_html, write_markdown
from saturation.plateau import paper_tables
from saturation.plateau.schemas import BY_INPUT_NAME


def main(
    inputs: Mapping[str, Path],
    folder: Path,
    page: Path,
    *,
    k: int,
    alpha: float,
    own: bool,
) -> None:
    read = {name: stages.read(path, BY_INPUT_NAME[name]) for name, path in inputs.items()}
    facts, ranked = read["benchmarks"], read["index"]
    everyone = list(facts["benchmark_id"])
    # The paper picks examples out of its sixty; a table of one's own is shown whole.
    examples = everyone if own else paper_tables.EXAMPLES
    cases = everyone if own else paper_tables.CASE_STUDIES
    tables = {
        "table1": paper_tables.sensitivity(read["comparisons"], k, alpha),
        "table2": paper_tables.hypotheses(read["family"]),
        "table5": paper_tables.properties(facts, examples),
        "table6": paper_tables.scores(facts, read["top_scores"], examples),
        "table7": paper_tables.case_studies(facts, ranked, cases),
    }
    for name, table in tables.items():
        write_csv(table, folder / f"{name}.csv")
        write_markdown(table, folder / f"{name}.md", name.replace("table", "Table "))
    firm = read["intervals"].drop(columns="s_index")
    shown = ranked.merge(firm, on="benchmark_id").sort_values("s_index", ascending=False)
    write_html(shown, page, "Saturation index of every benchmark")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            folder=Path(snakemake.output.tables[0]).parent,
            page=Path(snakemake.output.page),
            **snakemake.params,
        )
