"""The joint regression through the real DAG: one small model, reruns, bytes, bad input."""

import pandas as pd
import pytest
import yaml

# Each run samples for minutes.
pytestmark = pytest.mark.heavy

SMALL = {
    "regression": {
        "default_models": ["small"],
        "reference_model": "small",
        "sampling": {"draws": 300, "tune": 300},
        "gate": {"ess": 100, "rhat": 1.05},
        "refits": {"pareto_k": 0.0, "draws": 100, "tune": 200, "rhat": 1.2, "ess": 20},
        "permutations": 100,
        "bootstrap": 200,
        "calibration": {"simulations": 20, "draws": 19},
        "models": {
            "small": {
                "rows": "benchmarks",
                "outcome": "s_index",
                "likelihood": "beta",
                "priors": {"intercept": 1.5, "coefficient": 1.0, "spread": 20.0},
                "formula": "age + log_n + log_citations",
            }
        },
    }
}
RESULTS = "results/plateau/regression"
DESIGN = f"{RESULTS}/small/design.csv"


def changed(**model):
    """The small config with other keys of its model."""
    config = yaml.safe_load(yaml.safe_dump(SMALL))
    config["regression"]["models"]["small"] |= model
    return config


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"formula": "age + size"}, "names column 'size', which does not exist"),
        ({"formula": "age + issue_none", "rows": "tags"}, "'issue_none', which does not exist"),
        ({"outcome": "saturated"}, "allowed with the likelihood beta: s_index"),
        ({"likelihood": "poisson"}, "allowed: `beta`, `gaussian`, `bernoulli`"),
    ],
)
def test_a_model_that_cannot_be_fitted_stops_before_sampling(project, model, said):
    done = project.run(DESIGN, config=changed(**model))
    assert done.returncode != 0
    assert said in done.stdout + done.stderr
    assert not (project.folder / DESIGN).exists()


def test_too_few_benchmarks_stop_before_sampling(project):
    config = changed()
    config["regression"]["minimum_rows"] = 61
    done = project.run(DESIGN, config=config)
    assert done.returncode != 0
    assert "the table has 60 rows; regression.minimum_rows asks for at least 61" in (
        done.stdout + done.stderr
    )


def test_a_default_model_that_is_not_there_is_named(project):
    done = project.run("-n", config={"regression": {"default_models": ["mian"]}})
    assert done.returncode != 0
    assert "names the model 'mian'; allowed: main, interaction" in done.stdout + done.stderr


@pytest.mark.heavy
def test_a_small_model_runs_through_and_gives_the_same_bytes_on_one_core(make_project):
    first, second = make_project("regression_two"), make_project("regression_one")
    done = first.run("regression", config=SMALL)
    assert done.returncode == 0, done.stderr
    quantities = pd.read_csv(first.folder / RESULTS / "quantities.csv").set_index("quantity")
    assert quantities.loc["r2_loo_small", "value"] < 0.5
    held_out = pd.read_csv(first.folder / RESULTS / "small/held_out.csv")
    assert len(held_out) == 60
    assert held_out["exact"].any()
    again = first.run("regression", "--dry-run", config=SMALL)
    assert "Nothing to be done" in again.stdout + again.stderr
    assert second.run("regression", config=SMALL, cores=1).returncode == 0
    assert first.results() == second.results()


@pytest.mark.heavy
def test_the_reference_model_is_calibrated(make_project):
    project = make_project("calibration")
    done = project.run("calibration", cores=2)
    assert done.returncode == 0, done.stderr
    uniform = pd.read_csv(project.folder / RESULTS / "calibration/uniformity.csv")
    ranks = pd.read_csv(project.folder / RESULTS / "calibration/ranks.csv")
    assert ranks["simulation"].nunique() >= 200
    assert (uniform["p_holm"] > 0.01).all()
