"""Consistency over paraphrases of public answers, the audit of the paper, and their figures."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import load_table, write_csv
from studies import style
from studies.files import stages
from studies.files.stages import Paths
from studies.robustness import figures, schemas, study
from studies.style import write_figures


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    facts = {
        name: load_table(path, **schemas.AS_TEXT.get(name, {})) for name, path in inputs.items()
    }
    tables = study.study(facts, study.Settings(**settings))
    for name, table in tables.items():
        write_csv(table, output[name])
    written = {name: load_table(output[name], **schemas.NAMES_AS_TEXT) for name in tables}
    with style.style():
        write_figures(figures.draw_public(written), output.each("figures"))


stages.run(main, globals())
