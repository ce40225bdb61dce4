"""Describe the embedded suites of tasks, and draw how few tasks keep the ranking."""

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies import style
from studies.files.stages import Paths, run
from studies.style import write_figure
from studies.suites import study


def main(inputs: Paths, output: Paths, *, seed: int) -> None:
    mteb = (load_table(inputs[name]) for name in ("scores", "models", "tasks"))
    suites = {
        study.MTEB: study.mteb(*mteb),
        study.LIVEBENCH: study.livebench(formats.read(inputs["livebench"])),
    }
    for name in (study.V1, study.V2, study.HELM):
        suites[name] = study.plain_suite(load_table(inputs[name]))
    tables = study.study(suites, seed)
    for name, table in tables.items():
        write_csv(table, output[name])
    with style.style():
        figure = study.figure(tables)
        write_figure(figure, output.each("figure"))


run(main, globals())
