"""The study's headline numbers, and the paper's tables."""

from typing import Any

from saturation.files.tables import write_csv, write_markdown
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import study as plateau_study
from studies.plateau.schemas import schema_of


def main(inputs: Paths, output: Paths, *, k: int, alpha: float, **options: Any) -> None:
    study = {name: stages.read(path, schema_of(name)) for name, path in inputs.items()}
    write_csv(plateau_study.quantities(study, **options), output["quantities"])
    tables = plateau_study.paper_tables(study, k, alpha)
    for path in output.each("csv"):
        write_csv(tables[path.stem], path)
    for path in output.each("markdown"):
        write_markdown(tables[path.stem], path, path.stem.replace("table", "Table "))


stages.run(main, globals())
