"""Schemas of the tables of checks."""

from saturation.files import schema
from saturation.simulation.check import FAILS, HOLDS

_ROW = {
    "estimator": schema.text(),
    "statement": schema.text(),
    "scenario": schema.text(),
    "stated": schema.proportion(),
    "lower": schema.proportion(),
    "upper": schema.proportion(),
    "found": schema.proportion(optional=True),
    "found_low": schema.proportion(optional=True),
    "found_high": schema.proportion(optional=True),
    "trials": schema.whole(),
    "abstained": schema.whole(),
    "verdict": schema.one_of([HOLDS, FAILS]),
}
# The checks of one module.
OF_SUBJECT = schema.table({"check": schema.text(), **_ROW}, may_be_empty=True)
# Those of all: no two have one name.
TABLE = schema.table({"check": schema.text(unique=True), **_ROW})
