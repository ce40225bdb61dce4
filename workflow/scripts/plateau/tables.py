"""Write Tables 1, 2, 5, 6 and 7 as CSV and Markdown, and the index as a page for the report."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html, write_markdown
from saturation.plateau import study as plateau_study
from saturation.plateau.schemas import BY_INPUT_NAME


def main(inputs: Paths, output: Paths, *, k: int, alpha: float, whole: bool) -> None:
    study = stages.read_all(inputs, BY_INPUT_NAME)
    tables = plateau_study.tables(study, k, alpha, whole)
    for path in output.each("csv"):
        write_csv(tables[path.stem], path)
    for path in output.each("markdown"):
        write_markdown(tables[path.stem], path, path.stem.replace("table", "Table "))
    page = plateau_study.page(study["index"], study["intervals"])
    write_html(page, output["page"], "Saturation index of every benchmark")


stages.run(main, globals())
