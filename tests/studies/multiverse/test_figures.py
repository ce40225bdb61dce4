"""Figures of the multiverse draw what their tables say."""

import numpy as np
import pandas as pd
import pytest

from studies.multiverse import figures, joint
from studies.multiverse.specifications import CHOICES

pytestmark = pytest.mark.usefixtures("styled")


@pytest.fixture(scope="module")
def tables():
    """Two conclusions of eighty specifications; the second agrees in few of them."""
    rng = np.random.default_rng(3)
    rows = []
    for name, shift in (("h1", 0.0), ("age", 0.1)):
        table = pd.DataFrame(dict.fromkeys(CHOICES, "same"), index=range(80))
        table["k"] = np.where(np.arange(80) < 40, 3, 5)
        effect = np.linspace(-0.4, 0.4, 80) + shift
        rows.append(table.assign(conclusion=name, effect=effect, z=6 * effect, possible=500))
    evaluated = pd.concat(rows, ignore_index=True)
    null = rng.normal(0, 0.1, (160, 50))
    made = joint.tables(evaluated, null, 6 * null, 0.05)
    return made["curve"], made["joint"].set_index("conclusion")


def test_figures_are_those_that_were_read_through(tables, figures_as_reviewed):
    curve, tests = tables
    figures_as_reviewed("multiverse", {"age": figures.draw_curve(curve, tests, "age")})


def test_a_short_curve_has_a_piece_for_each_specification(tables):
    curve = tables[0][tables[0]["conclusion"] == "h1"].head(7)
    shares = figures._shares(curve.assign(k=[2, 3, 3, 3, 3, 3, 2]))
    assert shares.loc["k", :].to_numpy().tolist() == [
        [1, 0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 0],
    ]  # fmt: skip
