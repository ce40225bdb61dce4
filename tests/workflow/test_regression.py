"""The joint regression through the real DAG: one small model, reruns, bytes, bad input."""

import pandas as pd
import pytest
import yaml

SMALL = {
    "regression": {
        "default_models": ["small"],
        "reference_model": "reference",
        "sampling": {"draws": 100, "tune": 200, "chains": 2},
        "gate": {"ess": 20, "rhat": 1.2},
        "refits": {"draws": 100, "tune": 200, "rhat": 1.2, "ess": 20},
        "permutations": 100,
        "bootstrap": 200,
        "models": {
            "small": {
                "rows": "benchmarks",
                "outcome": "saturated",
                "likelihood": "bernoulli",
                "priors": {"intercept": 1.5, "coefficient": 1.0, "spread": 1.0},
                "formula": "age + log_n",
            },
            "reference": {
                "rows": "benchmarks",
                "outcome": "s_index",
                "likelihood": "beta",
                "priors": {"intercept": 1.5, "coefficient": 1.0, "spread": 20.0},
                "formula": "age + log_n + log_citations",
            },
        },
    }
}
RESULTS = "results/regression"
DESIGN = f"{RESULTS}/small/design.csv"


def changed(*path, **values):
    """The small config with other values at a place in its regression section."""
    config = yaml.safe_load(yaml.safe_dump(SMALL))
    place = config["regression"]
    for key in path:
        place = place[key]
    place |= values
    return config


@pytest.fixture(scope="module")
def indexed(make_project):
    """A project whose inputs of the regression are there."""
    project = make_project("regression")
    project.finish("results/plateau/index.csv", cores=1)
    return project


def test_a_formula_that_cannot_be_fitted_stops_before_sampling(indexed):
    done = indexed.run(
        f"{RESULTS}/small/posterior.nc",
        config=changed("models", "small", formula="age + size"),
        cores=1,
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "regression.models.small: the formula names column 'size', which does not exist" in said
    assert not (indexed.folder / DESIGN).exists()


@pytest.mark.heavy
def test_a_small_model_runs_through_and_gives_the_same_bytes_on_one_core(make_project):
    config = changed("refits", folds=3, singly=["small"])
    first, second = make_project("regression_two"), make_project("regression_one")
    first.finish("regression", config=config)
    quantities = pd.read_csv(first.folder / RESULTS / "quantities.csv").set_index("quantity")
    assert quantities.loc["r2_held_out_small", "value"] < 0.5
    assert quantities.loc["r2_leave_one_out_small", "value"] < 0.5
    for scheme, refits in (("folds", 3), ("singly", 60)):
        folder = first.folder / RESULTS / "small/refits" / scheme
        assert len(pd.read_csv(folder / "predictions.csv")) == 60
        assert len(pd.read_csv(folder / "refits.csv")) == refits
    again = first.run("regression", "--dry-run", config=config)
    assert "Nothing to be done" in again.stdout + again.stderr
    assert second.run("regression", config=config, cores=1).returncode == 0
    assert first.results() == second.results()


@pytest.mark.heavy
def test_the_reference_model_is_calibrated(make_project):
    project = make_project("calibration")
    project.finish("calibration", cores=2)
    uniform = pd.read_csv(project.folder / RESULTS / "calibration/uniformity.csv")
    ranks = pd.read_csv(project.folder / RESULTS / "calibration/ranks.csv")
    assert ranks["simulation"].nunique() >= 200
    assert (uniform["p_holm"] > 0.01).all()
