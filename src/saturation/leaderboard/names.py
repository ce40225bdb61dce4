"""Metric families: what each says of a metric without looking at its scores.

Plain Python: the config's check reads it too, while the workflow is planned.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from saturation.files import schema as files_schema
from saturation.files.schema import Column, Schema

FAMILIES = ("accuracy", "pass_at_k", "bounded_mean", "rating", "other")
# Without a lowest and a highest score: no unit interval, no ceiling, no course over time.
UNBOUNDED = ("rating", "other")
# Whose direction needs no declaration.
HIGHER_IS_BETTER = ("accuracy", "pass_at_k", "rating")


def bounded(family: str) -> bool:
    """Whether the metric has a lowest and a highest score."""
    return family not in UNBOUNDED


# Files beside a user's file in which its importer looks for the model.
HELM_RUN = "run_spec.json"
MTEB_MODEL = "model_meta.json"
LM_EVAL_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<stamp>\d{4}-\d\d-\d\dT[\d.:-]+)")


def lm_eval_results(samples: Path) -> Path | None:
    """The results file of a samples file's run."""
    match = LM_EVAL_SAMPLES.match(samples.stem)
    return samples.with_name(f"results_{match['stamp']}.json") if match else None


def beside(paths: Iterable[str]) -> list[str]:
    """Files that importers may read beside those they are given, as far as they are there."""
    given = {Path(path) for path in paths}
    near = {path.with_name(name) for path in given for name in (HELM_RUN, MTEB_MODEL)}
    near |= {path for samples in given if (path := lm_eval_results(samples))}
    return sorted(str(path) for path in near - given if path.is_file())


def letters(name: object) -> str:
    """A name by which the same benchmark is known again: its small letters and digits."""
    return "".join(character for character in str(name).lower() if character.isalnum())


# Schemas of the tidy tables into which a user's files are imported.


def _label() -> Column:
    """Text that may be empty: an empty cell is the empty text."""
    return Column(str, coerce=True, default="", description="a name, or nothing")


def _added(column: Column) -> Column:
    """A column that a table may lack as a whole."""
    column.required = False
    return column


SCORES = files_schema.table(
    {
        "benchmark": files_schema.text(),
        "model": files_schema.text(),
        "metric": files_schema.text(),
        "run": _label(),
        "configuration": _label(),
        "date": files_schema.text(optional=True),
        "score": files_schema.number(),
        "standard_error": files_schema.number(0, optional=True),
        "n_items": files_schema.number(1, optional=True),
        "n_source": _added(files_schema.text(optional=True)),
        "synthetic": files_schema.flag(),
    },
    may_be_empty=True,
)

RESPONSES = files_schema.table(
    {
        "benchmark": files_schema.text(),
        "model": files_schema.text(),
        "item": files_schema.text(),
        "cluster": _label(),
        "run": _label(),
        "configuration": _label(),
        "date": _added(_label()),
        "response": files_schema.proportion(),
        "synthetic": files_schema.flag(),
    },
    may_be_empty=True,
)


TEXT = Column(str).dtype


def text_columns(schema: Schema) -> dict[str, type]:
    """Columns that are read as text: a name made of digits, such as 007, is still a name."""
    return {name: str for name, column in schema.columns.items() if column.dtype == TEXT}
