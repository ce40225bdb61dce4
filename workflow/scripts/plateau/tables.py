"""Write Tables 1, 2, 5, 6 and 7 as CSV and Markdown, and the index as a page for the report."""

from collections.abc import Mapping
from pathlib import Path

from saturation import files, plateau_tables
from saturation.tables import reading
from saturation.tables.plateau import BY_INPUT_NAME


def main(
    inputs: Mapping[str, Path],
    folder: Path,
    page: Path,
    *,
    k: int,
    alpha: float,
    own: bool,
) -> None:
    read = {name: reading.read(path, BY_INPUT_NAME[name]) for name, path in inputs.items()}
    facts, ranked = read["benchmarks"], read["index"]
    everyone = list(facts["benchmark_id"])
    # The paper picks examples out of its sixty; a table of one's own is shown whole.
    examples = everyone if own else plateau_tables.EXAMPLES
    cases = everyone if own else plateau_tables.CASE_STUDIES
    tables = {
        "table1": plateau_tables.sensitivity(read["comparisons"], k, alpha),
        "table2": plateau_tables.hypotheses(read["family"]),
        "table5": plateau_tables.properties(facts, examples),
        "table6": plateau_tables.scores(facts, read["top_scores"], examples),
        "table7": plateau_tables.case_studies(facts, ranked, cases),
    }
    for name, table in tables.items():
        files.write_csv(table, folder / f"{name}.csv")
        files.write_markdown(table, folder / f"{name}.md", name.replace("table", "Table "))
    firm = read["intervals"].drop(columns="s_index")
    shown = ranked.merge(firm, on="benchmark_id").sort_values("s_index", ascending=False)
    files.write_html(shown, page, "Saturation index of every benchmark")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            folder=Path(snakemake.output.tables[0]).parent,
            page=Path(snakemake.output.page),
            **snakemake.params,
        )
