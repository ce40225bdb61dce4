"""What the author released: its numbers under the study's names, its fits made again."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth, schemas, study
from saturation.files import stages

RESOURCES = Path(__file__).resolve().parents[3] / "resources/discriminability"
MONTHS = ["2023-09", "2023-10", "2023-11", "2024-01"]


@pytest.fixture(scope="module")
def monthly():
    return stages.read(RESOURCES / "author_monthly.csv", schemas.AUTHOR_MONTHLY)


@pytest.fixture(scope="module")
def fits():
    return stages.read(RESOURCES / "author_fits.csv", schemas.AUTHOR_FITS)


@pytest.fixture(scope="module")
def value(monthly, fits):
    return study.author_quantities(monthly, fits).set_index("quantity")["value"].to_dict()


@pytest.mark.parametrize("windows", [6, 10])
def test_a_curve_without_noise_is_found_again(windows):
    best = growth.logistic(np.arange(windows), 0.9, 0.8, 1.5)
    fit = study.refit(best)
    assert fit["ceiling"] == pytest.approx(0.9, abs=1e-6)
    assert fit["rate"] == pytest.approx(0.8, abs=1e-5)
    assert fit["midpoint"] == pytest.approx(1.5, abs=1e-5)
    assert fit["r_squared"] == pytest.approx(1)


def test_the_midpoint_ends_on_the_bound_of_the_released_code(monthly):
    fit = study.refit(monthly.query("benchmark == 'ARC'")["max_score"].to_numpy())
    assert fit["midpoint"] == pytest.approx(-5)
    assert fit["r_squared"] == pytest.approx(-0.5232, abs=3e-4)


def test_all_twelve_fits_come_out_again(value):
    names = [name for name in value if name.endswith("_r_squared__refit")]
    assert len(names) == 12
    for name in names:
        assert value[name] == pytest.approx(value[name.replace("refit", "released")], abs=3e-4)
    ceilings = [name for name in value if name.endswith("_ceiling__refit")]
    for name in ceilings:
        assert value[name] == pytest.approx(value[name.replace("refit", "released")], abs=3e-4)


@pytest.mark.parametrize(
    ("name", "printed", "digits"),
    [
        ("v1_hellaswag_bdi_first", 0.708, 3),
        ("v1_gsm8k_first_to_last", 0.322, 3),
        ("v1_gsm8k_max_score_first", 0.434, 3),
        ("v1_gsm8k_r_squared__refit", 0.986, 3),
        ("v2_gpqa_ceiling__refit", 0.705, 3),
        ("v1_three_relative_loss_least", 0.15, 2),
        ("v1_three_relative_loss_most", 0.24, 2),
        ("v1_declines", 4, 0),
        ("v2_declines", 0, 0),
        ("v1_windows", 10, 0),
        ("v1_gsm8k_months_to_085", 7, 0),
        ("v1_hellaswag_windows_due_by_late_2023", 1, 0),
        ("v1_winogrande_windows_due_by_late_2023", 0, 0),
    ],
)
def test_printed_numbers_come_out(value, name, printed, digits):
    assert round(value[name], digits) == printed


def test_evaluations_are_those_in_windows_of_at_least_ten(value, monthly):
    assert value["evaluations"] == value["v1_evaluations"] + value["v2_evaluations"] == 11789
    assert monthly["n_models"].min() >= 10


def test_a_retirement_needs_all_three_criteria():
    def due(best, gap, bdi):
        windows = pd.DataFrame(
            {"leaderboard": "v1", "benchmark": "ARC", "month": MONTHS, "n_models": 20,
             "max_score": best, "bdi": bdi, "top10_gap": gap}
        )  # fmt: skip
        found = dict(study._of_benchmark(windows))
        return found["windows_due"], found["windows_due_by_late_2023"]

    falling = [0.8, 0.6, 0.6, 0.6]
    assert due(0.95, 0.005, falling) == (3, 2)
    assert due(0.90, 0.005, falling) == (0, 0)
    assert due(0.95, 0.010, falling) == (0, 0)
    assert due(0.95, 0.005, [0.8, 0.69, 0.69, 0.69]) == (0, 0)


def test_a_benchmark_that_never_gets_there_takes_for_ever(value):
    assert value["v1_truthfulqa_months_to_085"] == float("inf")
