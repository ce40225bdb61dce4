"""Schemas of the tables of checks."""

from saturation.files import columns
from saturation.simulation.check import FAILS, HOLDS

_ROW = {
    "estimator": columns.text(),
    "statement": columns.text(),
    "scenario": columns.text(),
    "stated": columns.proportion(),
    "lower": columns.proportion(),
    "upper": columns.proportion(),
    "found": columns.proportion(optional=True),
    "found_low": columns.proportion(optional=True),
    "found_high": columns.proportion(optional=True),
    "trials": columns.whole(),
    "abstained": columns.whole(),
    "verdict": columns.one_of([HOLDS, FAILS]),
}
# The checks of one module.
OF_SUBJECT = columns.table({"check": columns.text(), **_ROW}, may_be_empty=True)
# Those of all: no two have one name.
TABLE = columns.table({"check": columns.text(unique=True), **_ROW})
