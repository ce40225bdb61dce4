"""Variance components of components_data.csv by generalizit 0.1.2, in an environment of its own.

python tests/golden/components_generalizit.py >> tests/golden/components.csv
"""

import contextlib
import io
import sys

import pandas as pd
from generalizit import GeneralizIT

DESIGNS = {"crossed": "model x item x run", "model": "item x (run:model)"}
TERMS = {
    "run:model": "model:run",
    "item:model": "model:item",
    "item:(run:model)": "model:item:run",
}
# It rounds sums of squares to four digits.
SCALE = 1e4

table = pd.read_csv("tests/golden/components_data.csv").drop(columns="kept")
for name, design in DESIGNS.items():
    data = table.assign(score=SCALE * table["score"])
    if name == "model":
        data["run"] = data["model"] + data["run"]
    with contextlib.redirect_stdout(io.StringIO()):
        fitted = GeneralizIT(data=data, design_str=design, response="score")
        fitted.calculate_anova()
    for term, variance in fitted.design.anova_table["Variance"].drop("mean").items():
        called = term.replace(" x ", ":")
        sys.stdout.write(
            f"generalizit_{name},{TERMS.get(called, called)},{variance / SCALE**2:.12g}\n"
        )
