"""Old and new problems of LiveCodeBench: linked scores, items, drift, and how far gaps move."""

from typing import Any

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies import style
from studies.files.stages import Paths, run
from studies.renewal import study
from studies.style import write_figure


def main(inputs: Paths, output: Paths, *, settings: dict[str, Any]) -> None:
    answers, livebench = (formats.read(inputs[name]) for name in ("answers", "livebench"))
    dates, cutoffs = (load_table(inputs[name]) for name in ("dates", "cutoffs"))
    tables = study.study(answers, dates, cutoffs, livebench, **settings)
    for name, table in tables.items():
        write_csv(table, output[name])
    with style.style():
        figure = study.figure(tables["scores"], tables["quantities"])
        write_figure(figure, output.each("figure"))


run(main, globals())
