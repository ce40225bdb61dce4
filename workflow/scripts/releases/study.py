"""Test the differences that release notes print, and draw how many exceed their error."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import load_table, write_csv
from saturation.status.schemas import STATUS
from studies import style
from studies.files import stages
from studies.files.stages import Paths
from studies.releases import figures
from studies.releases.study import study
from studies.style import write_figures


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    embedded = {name: load_table(inputs[name]) for name in ("claims", "spellings", "agreement")}
    status = stages.read(inputs["status"], STATUS)
    tables = study(**embedded, status=status, settings=settings)
    for name, table in tables.items():
        write_csv(table, output[name])
    with style.style():
        write_figures({"claims": figures.claims(tables["counts"])}, output.each("figures"))


stages.run(main, globals())
