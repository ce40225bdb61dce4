"""The sampler against posteriors that are known (heavy: a program is compiled), and around it."""

import dataclasses

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from scipy.special import expit

from saturation import seeds
from saturation.errors import InputError
from saturation.regression import gate
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort

heavy = pytest.mark.heavy
FLAT = Priors(intercept=1.0, coefficient=None, spread=5.0)
EFFORT = {"draws": 1000, "tune": 500, "chains": 4}


@pytest.fixture(scope="module")
def design():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    outcome = matrix @ [0.4, 1.0, -0.5] + rng.normal(scale=0.3, size=80)
    names = np.array([f"b{i:02d}" for i in range(80)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


@pytest.fixture(scope="module")
def draw():
    """Draws from one compiled program that is wider than the design."""
    from saturation.regression import posterior

    samplers = {cores: posterior.Sampler("gaussian", 6, cores) for cores in (1, 2)}
    return lambda design, priors, seed=1, cores=1: samplers[cores].draw(
        design, priors, Effort(**EFFORT), seed
    )


@heavy
def test_under_a_flat_prior_the_posterior_is_that_of_least_squares(draw, design):
    posterior = draw(design, FLAT)
    coefficient = posterior["coefficient"].to_numpy().reshape(-1, 3)
    fitted, residual, *_ = np.linalg.lstsq(design.matrix, design.outcome, rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(design.matrix.T @ design.matrix)) * residual / 77)
    np.testing.assert_allclose(coefficient.mean(axis=0), fitted, atol=0.1 * error.min())
    np.testing.assert_allclose(coefficient.std(axis=0), error, rtol=0.1)
    assert posterior["spread"].mean() == pytest.approx(np.sqrt(residual[0] / 77), rel=0.05)


@heavy
def test_a_narrow_prior_pulls_as_ridge_regression_does(draw, design):
    priors = Priors(intercept=5.0, coefficient=0.05, spread=5.0)
    posterior = draw(design, priors)
    precision = 1 / float(posterior["spread"].mean()) ** 2
    penalty = np.diag(1 / priors.scales(3) ** 2)
    ridge = np.linalg.solve(
        precision * design.matrix.T @ design.matrix + penalty,
        precision * design.matrix.T @ design.outcome,
    )
    mean = posterior["coefficient"].mean(("chain", "draw")).to_numpy()
    np.testing.assert_allclose(mean, ridge, atol=0.02)
    assert mean[1] < 0.8


@heavy
def test_draws_follow_from_the_seed_and_not_from_the_cores(draw, design):
    one, two = draw(design, FLAT, cores=1), draw(design, FLAT, cores=2)
    assert one.identical(two)
    assert not one.identical(draw(design, FLAT, seed=2))
    assert list(one) == sorted(one)


def test_the_basis_leaves_the_prior_as_it_is(design):
    from saturation.regression.posterior import basis

    priors = Priors(intercept=1.5, coefficient=0.7, spread=1.0)
    directions = basis(design.matrix, priors)
    np.testing.assert_allclose(directions @ directions.T, np.diag([1.5, 0.7, 0.7]) ** 2, atol=1e-12)
    rotated = design.matrix @ directions
    np.testing.assert_allclose(np.triu(rotated.T @ rotated, 1), 0, atol=1e-9)


def test_the_basis_of_a_flat_prior_is_a_rotation(design):
    from saturation.regression.posterior import basis

    directions = basis(design.matrix, FLAT)
    np.testing.assert_allclose(directions @ directions.T, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("likelihood", ["beta", "gaussian", "bernoulli"])
def test_the_density_of_the_model_is_written_out(likelihood):
    """PyMC's log density against SciPy's, up to a constant; PyMC samples the log of the spread."""
    import pytensor

    from saturation.regression.posterior import model

    rng = np.random.default_rng(3)
    matrix, outcome = rng.normal(size=(6, 2)), rng.uniform(0.1, 0.9, 6)
    if likelihood == "bernoulli":
        outcome = (outcome > 0.5).astype(float)
    # The second direction has a flat prior.
    built = model(matrix, outcome, likelihood, shrinks=np.array([1.0, 0.0]), spread=2.0)

    def by_hand(rotated, spread):
        predictor = matrix @ rotated
        prior = stats.norm.logpdf(rotated[0]) + stats.halfnorm.logpdf(spread, scale=2.0)
        if likelihood == "bernoulli":
            return stats.bernoulli.logpmf(outcome, expit(predictor)).sum() + stats.norm.logpdf(
                rotated[0]
            )
        if likelihood == "gaussian":
            return stats.norm.logpdf(outcome, predictor, spread).sum() + prior
        mean = expit(predictor)
        return stats.beta.logpdf(outcome, mean * spread, (1 - mean) * spread).sum() + prior

    points = [(np.array([0.3, -0.5]), 1.4), (np.array([-1.0, 0.8]), 3.1)]
    with pytensor.config.change_flags(cxx="", mode="FAST_COMPILE"):
        density = built.compile_logp(jacobian=False)
        ours = [
            density(
                {"rotated": rotated}
                | ({} if likelihood == "bernoulli" else {"spread_log__": np.log(spread)})
            )
            for rotated, spread in points
        ]
    written = [by_hand(*point) for point in points]
    assert float(ours[0] - ours[1]) == pytest.approx(written[0] - written[1], rel=1e-9)


@pytest.fixture
def nutpie(monkeypatch):
    """Stands in for nutpie: draws what it is told, and remembers what it was given."""
    from saturation.regression import posterior

    class Nutpie:
        def __init__(self):
            self.data, self.settings, self.compiled, self.shift = [], [], [], 0.0

        def compile_pymc_model(self, built):
            self.compiled.append(sorted(variable.name for variable in built.free_RVs))
            return self

        def with_data(self, **data):
            self.data.append(data)
            return self

        def sample(self, program, **settings):
            assert program is self
            self.settings.append(settings)
            rng = np.random.default_rng(settings["seed"])
            shape = (settings["chains"], settings["draws"])
            columns = self.data[-1]["x"].shape[1]
            by_draw = ("chain", "draw")
            rotated = rng.normal(size=(*shape, columns))
            rotated[0] += self.shift
            posterior = {"rotated": ((*by_draw, "column"), rotated)}
            if "spread_scale" in self.data[-1]:
                posterior["spread"] = (by_draw, rng.uniform(1, 2, shape))
            names = ("depth", "diverging", "energy", "logp", "n_steps", "step_size", "time")
            statistics = {name: (by_draw, np.zeros(shape)) for name in names}
            statistics["diverging"] = (by_draw, np.zeros(shape, dtype=bool))

            class Trace:
                pass

            trace = Trace()
            trace.posterior, trace.sample_stats = xr.Dataset(posterior), xr.Dataset(statistics)
            return trace

    stand_in = Nutpie()
    monkeypatch.setattr(posterior, "nutpie", stand_in)
    return stand_in


def test_a_narrower_design_is_filled_up_and_its_own_columns_come_back(nutpie, design):
    from saturation.regression.posterior import STATISTICS, Sampler, basis

    priors = Priors(intercept=1.5, coefficient=0.7, spread=4.0)
    drawn = Sampler("gaussian", 5, cores=2).draw(design, priors, Effort(50, 20, 3), seed=7)
    assert nutpie.compiled == [["spread"]] or nutpie.compiled == [["rotated", "spread"]]
    data = nutpie.data[0]
    directions = basis(design.matrix, priors)
    assert data["x"].shape == (80, 5)
    np.testing.assert_allclose(data["x"][:, :3], design.matrix @ directions)
    assert (data["x"][:, 3:] == 0).all()
    assert data["shrinks"].tolist() == [1, 1, 1, 1, 1]
    assert data["spread_scale"] == 4.0
    assert data["y"] is design.outcome
    assert nutpie.settings[0] == {
        "draws": 50, "tune": 20, "chains": 3, "cores": 2, "seed": 7, "save_warmup": False,
        "progress_bar": False,
    }  # fmt: skip
    rotated = np.random.default_rng(7).normal(size=(3, 50, 5))[..., :3]
    np.testing.assert_allclose(drawn["coefficient"], rotated @ directions.T)
    assert drawn["coefficient"].dims == ("chain", "draw", "column")
    assert drawn["column"].to_numpy().tolist() == design.columns
    assert sorted(drawn) == list(drawn) == sorted([*STATISTICS, "coefficient", "spread"])
    assert drawn["diverging"].dtype == np.int8


def test_a_flat_prior_shrinks_only_the_columns_that_fill_up(nutpie, design):
    from saturation.regression.posterior import Sampler

    drawn = Sampler("bernoulli", 4).draw(design, FLAT, Effort(50, 20, 2), seed=1)
    assert nutpie.data[0]["shrinks"].tolist() == [0, 0, 0, 1]
    assert "spread_scale" not in nutpie.data[0]
    assert "spread" not in drawn
    assert nutpie.settings[0]["cores"] == 1


def test_models_of_a_likelihood_share_a_program_as_wide_as_the_widest(nutpie, design, specified):
    from saturation.regression.posterior import posteriors

    narrow = dataclasses.replace(design, columns=design.columns[:2], matrix=design.matrix[:, :2])
    designs = {"reference": narrow, "interaction": design, "gap": narrow, "yes_or_no": narrow}
    loose = gate.Gate(rhat=1.2, ess=20, divergences=0)
    passed = posteriors(designs, specified, Effort(100, 50, 4), loose, seed=3)
    assert list(passed) == list(specified)
    assert len(nutpie.compiled) == 3
    assert [data["x"].shape[1] for data in nutpie.data] == [3, 3, 2, 2]
    assert [settings["seed"] for settings in nutpie.settings] == [
        seeds.derive(3, "regression", "posterior", name) for name in specified
    ]
    posterior, measured = passed["reference"]
    assert posterior["coefficient"].shape == (4, 100, 2)
    assert measured.equals(gate.diagnostics(posterior))
    table = gate.diagnostics_table(measured)
    assert list(table) == ["parameter", "rhat", "ess_bulk", "ess_tail", "divergences"]
    assert table["parameter"].tolist() == ["Intercept", "age", "spread"]
    assert (table["divergences"] == 0).all()


def test_a_posterior_that_fails_its_gate_stops_all_of_them(nutpie, design, specified):
    from saturation.regression.posterior import posteriors

    nutpie.shift = 5.0
    designs = dict.fromkeys(specified, design)
    strict = gate.Gate(rhat=1.1, ess=20, divergences=0)
    with pytest.raises(InputError, match=r"model 'reference': rhat of"):
        posteriors(designs, specified, Effort(100, 50, 4), strict, seed=3)
    assert len(nutpie.settings) == 1
