"""A table of checks, made by hand."""

import pandas as pd
import pytest

from saturation.simulation.check import FAILS, HOLDS


@pytest.fixture
def row():
    """A row of the table; what is given replaces what it has."""

    def made(name, **changes):
        usual = {
            "check": name,
            "estimator": "a.module.coin",
            "statement": "heads",
            "scenario": "fair",
            "stated": 0.95,
            "lower": 0.93,
            "upper": 0.975,
            "found": 0.94,
            "found_low": 0.93,
            "found_high": 0.95,
            "trials": 1000,
            "abstained": 0,
            "verdict": HOLDS,
        }
        return usual | changes

    return made


@pytest.fixture
def table(row):
    """Five checks of two estimators; two do not hold, one of them far off, one says nothing."""
    return pd.DataFrame(
        [
            row("coin_a"),
            row("coin_b", found=0.9, found_low=0.88, found_high=0.92, verdict=FAILS),
            row("coin_c", found=0.6, found_low=0.58, found_high=0.62, verdict=FAILS),
            row("die_a", estimator="a.module.die", abstained=500),
            row(
                "die_b", estimator="a.module.die", found=float("nan"), found_low=float("nan"),
                found_high=float("nan"), trials=0, abstained=9, verdict=FAILS,
            ),
        ]
    )  # fmt: skip
