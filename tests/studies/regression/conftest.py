"""What the tests of the regression share: small models, and posteriors that nobody sampled."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from scipy.special import expit

from saturation.files.tables import load_table
from studies.regression.priors import specifications

PRIORS = {"intercept": 1.5, "coefficient": 1.0, "spread": 20.0}
SECTIONS = {
    "reference": {
        "rows": "benchmarks", "outcome": "s_index", "likelihood": "beta", "priors": PRIORS,
        "formula": "age + log_n + private",
    },
    "interaction": {
        "rows": "tags", "outcome": "s_index", "likelihood": "beta", "priors": PRIORS,
        "formula": "age*log_n",
    },
    "gap": {
        "rows": "benchmarks", "outcome": "log_gap", "likelihood": "gaussian", "priors": PRIORS,
        "formula": "age + log_n",
    },
    "yes_or_no": {
        "rows": "benchmarks", "outcome": "saturated", "likelihood": "bernoulli",
        "priors": PRIORS, "formula": "age + log_n",
    },
}  # fmt: skip
MISSING = {"citations": "median", "output_format": "own_level", "languages": "own_level"}


@pytest.fixture(scope="session")
def sections():
    """The config's models."""
    return SECTIONS


@pytest.fixture(scope="session")
def specified():
    return specifications(SECTIONS)


@pytest.fixture(scope="session")
def missing():
    return MISSING


def made_up(design, likelihood, seed=0, draws=60):
    """A posterior of two chains around nothing in particular, as the sampler returns one."""
    rng = np.random.default_rng(seed)
    by_draw = ("chain", "draw")
    coefficient = rng.normal(0.1, 0.15, (2, draws, len(design.columns)))
    variables = {"coefficient": ((*by_draw, "column"), coefficient)}
    if likelihood != "bernoulli":
        variables["spread"] = (by_draw, rng.uniform(1.5, 2.5, (2, draws)))
    stats = {
        "diverging": (by_draw, np.zeros((2, draws), dtype=bool)),
        "energy": (by_draw, rng.normal(size=(2, draws))),
    }
    chains = {"chain": np.arange(2), "draw": np.arange(draws)}
    columns = {"column": np.array(design.columns, dtype=object)}
    return xr.DataTree.from_dict(
        {
            "posterior": xr.Dataset(variables, chains | columns),
            "sample_stats": xr.Dataset(stats, chains),
        }
    )


@pytest.fixture(scope="session")
def posterior_of():
    return made_up


@pytest.fixture(params=["beta", "gaussian", "bernoulli"])
def likelihood(request):
    """Every likelihood in turn."""
    return request.param


def log_density(likelihood, eta, y, point):
    """Log density of the outcomes, by scipy."""
    if likelihood == "bernoulli":
        return stats.bernoulli.logpmf(y, expit(eta))
    spread = point["spread"]
    if likelihood == "gaussian":
        return stats.norm.logpdf(y, eta, spread)
    return stats.beta.logpdf(y, expit(eta) * spread, expit(-eta) * spread)


@pytest.fixture(scope="session")
def of_rows():
    return log_density


@pytest.fixture(scope="session")
def golden():
    """A table that R made, see tests/golden."""
    folder = Path(__file__).parents[2] / "golden"
    return lambda name: load_table(folder / f"{name}.csv")
