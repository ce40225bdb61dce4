"""What scripts may import: starting is what most jobs of the default run do most of the time.

Asked by what is loaded, not by the clock: a script is run as a module, which imports what its
module and the library name at their tops, and computes nothing.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "workflow" / "scripts"

# Their regressions and mixed models are statsmodels'.
MIXED = ("robustness/anova", "robustness/slopes", "robustness/trends", "robustness/public_figures")
# What takes long to import (processor seconds beyond those of pandas), and the scripts that compute
# with it, by the start of their path; any other imports it where it is used, or not at all.
BUDGET = {
    "scipy.stats": (0.4, MIXED),  # statsmodels has it
    "scipy.optimize": (0.2, MIXED),
    "statsmodels": (0.6, MIXED),
    "numba": (0.3, ("adaptive/",)),
    "nutpie": (1.6, ()),
    "arviz": (1.6, ()),
    "pymc": (2.0, ()),
    # Says what is wrong with a table, which nearly none is.
    "pandera": (0.25, ()),
    "altair": (0.2, ("dashboard/",)),
    "formulae": (0.2, ()),
    "matplotlib.pyplot": (0.3, ("dashboard/", "adaptive/recovery")),
    "xarray": (0.2, ("regression/figures", "regression/calibration_figure")),
}
# They sample posteriors, for which all of it is needed.
SAMPLERS = ("regression/posterior", "regression/refits", "regression/calibration.py")
# Made by hand, outside of the run.
BY_HAND = "docs/"

RUN = """
import runpy, sys
runpy.run_path(sys.argv[1])
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""


def scripts() -> list[str]:
    return sorted(
        name
        for path in SCRIPTS.rglob("*.py")
        if not (name := path.relative_to(SCRIPTS).as_posix()).startswith((BY_HAND, *SAMPLERS))
    )


def draws(script: str) -> bool:
    return "saturation.pages import style" in (SCRIPTS / script).read_text(encoding="utf-8")


@pytest.mark.parametrize("script", scripts())
def test_a_script_imports_nothing_slow_that_it_does_not_need(script):
    forbidden = {
        module
        for module, (_, allowed) in BUDGET.items()
        if not script.startswith(allowed) and not (module == "matplotlib.pyplot" and draws(script))
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN, SCRIPTS / script, *forbidden],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_the_budget_names_scripts_that_there_are():
    for start in {start for _, allowed in BUDGET.values() for start in allowed} | {*SAMPLERS}:
        assert any(
            path.relative_to(SCRIPTS).as_posix().startswith(start) for path in SCRIPTS.rglob("*.py")
        )
