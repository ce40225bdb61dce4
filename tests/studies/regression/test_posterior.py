"""The sampler against posteriors that are known; the gate names the worst parameter."""

import numpy as np
import pytest
import xarray as xr

from saturation.errors import InputError
from studies.regression import posterior as rp
from studies.regression.design import Design
from studies.regression.posterior import load_netcdf, write_netcdf
from studies.regression.priors import Effort, Gate, Priors, Specification

EFFORT = Effort(1000, 500, 4)
WIDE = Priors(intercept=50.0, coefficient=50.0, spread=5.0)


@pytest.fixture(scope="module")
def design():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    outcome = matrix @ [0.4, 1.0, -0.5] + rng.normal(scale=0.3, size=80)
    names = np.array([f"b{i:02d}" for i in range(80)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


@pytest.fixture(scope="module")
def sample(design):
    model = Specification("benchmarks", "log_gap", "gaussian", WIDE, "age + log_n")
    return rp.sampler(design, model)


def least_squares(design):
    """Coefficients, their standard errors and the residual standard deviation."""
    fitted, residual, *_ = np.linalg.lstsq(design.matrix, design.outcome, rcond=None)
    variance = residual[0] / (len(design.outcome) - 3)
    error = np.sqrt(np.diag(np.linalg.inv(design.matrix.T @ design.matrix)) * variance)
    return fitted, error, np.sqrt(variance)


@pytest.mark.parametrize("rows", [80, 50])
def test_under_a_wide_prior_the_posterior_is_that_of_least_squares(design, sample, rows):
    """Also of fewer rows than those that the model was compiled with."""
    kept = design.drop_rows(np.arange(80) >= rows)
    drawn = sample(kept, 1, EFFORT)["posterior"]
    coefficient = drawn["coefficient"].to_numpy().reshape(-1, 3)
    fitted, error, deviation = least_squares(kept)
    np.testing.assert_allclose(coefficient.mean(axis=0), fitted, atol=0.1 * error.min())
    np.testing.assert_allclose(coefficient.std(axis=0), error, rtol=0.1)
    assert drawn["spread"].mean() == pytest.approx(deviation, rel=0.05)


def test_draws_follow_from_the_seed_and_survive_their_file(design, sample, tmp_path):
    effort = Effort(100, 100, 2)
    first, again = sample(design, 1, effort), sample(design, 1, effort)
    assert first.identical(again)
    assert not first.identical(sample(design, 2, effort))
    assert sorted(first["sample_stats"]) == rp.STATISTICS
    assert first["posterior"]["coefficient"].dims == ("chain", "draw", "column")
    assert first["posterior"]["column"].to_numpy().tolist() == design.columns
    assert first["observed_data"]["outcome"].to_numpy().tolist() == design.outcome.tolist()
    assert not any(group.attrs for group in first.subtree)
    paths = [tmp_path / name for name in ("first.nc", "again.nc")]
    for tree, path in zip((first, again), paths, strict=True):
        write_netcdf(tree, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    xr.testing.assert_equal(load_netcdf(paths[0]), first)


def test_a_reviewer_opens_the_posterior_with_arviz(design, sample, tmp_path):
    import arviz

    write_netcdf(sample(design, 1, Effort(100, 100, 2)), tmp_path / "posterior.nc")
    opened = arviz.from_netcdf(tmp_path / "posterior.nc", engine="h5netcdf")
    assert opened.groups() == ["posterior", "sample_stats", "observed_data"]


STRICT = Gate(rhat=1.01, ess=400, divergences=0)


def posterior(shift=0.0, divergences=0, draws=500):
    rng = np.random.default_rng(0)
    coefficient = rng.normal(size=(4, draws, 2))
    coefficient[0, :, 1] += shift
    diverging = np.zeros((4, draws), dtype=bool)
    diverging[0, :divergences] = True
    by_draw = ("chain", "draw")
    drawn = xr.Dataset(
        {"coefficient": ((*by_draw, "column"), coefficient),
         "spread": (by_draw, rng.normal(size=(4, draws)))},
        {"column": np.array(["Intercept", "age"], dtype=object)},
    )  # fmt: skip
    stats = xr.Dataset({"diverging": (by_draw, diverging)})
    return xr.DataTree.from_dict({"posterior": drawn, "sample_stats": stats})


SHORT = Effort(500, 10, 4)


def test_one_that_fails_is_drawn_again_with_more_draws():
    efforts = []

    def draw(effort):
        efforts.append(effort)
        return posterior(divergences=len(efforts) < 3, draws=effort.draws)

    drawn, _ = rp.passed(draw, SHORT, STRICT, "mine")
    assert efforts == [SHORT, Effort(1000, 10, 4), Effort(2000, 10, 4)]
    assert drawn["posterior"].sizes["draw"] == 2000


@pytest.mark.parametrize(
    ("failing", "said"),
    [
        ({"shift": 3.0}, r"'mine': rhat of 'age' is .*at most 1.01"),
        ({"draws": 50}, r"ess_tail of .*at least 400"),
        ({"divergences": 3}, "3 divergent transitions; allowed: at most 0"),
    ],
)
def test_one_that_fails_with_the_most_draws_stops_the_run(failing, said):
    with pytest.raises(InputError, match=said):
        rp.passed(lambda effort: posterior(**failing), SHORT, STRICT, "mine")


def test_limits_pass_and_the_next_value_does_not():
    measured = rp.diagnostics(posterior(divergences=2))
    rhat = float(measured["rhat"].max())
    bulk, tail = float(measured["ess_bulk"].min()), float(measured["ess_tail"].min())
    passing = Gate(rhat=rhat, ess=min(bulk, tail), divergences=2)
    assert rp.failures(measured, passing, "m") == []
    assert "rhat" in rp.failures(measured, Gate(rhat - 1e-9, 0, 2), "m")[0]
    for limit, criteria in ((bulk + 1e-6, {"ess_bulk"}), (tail + 1e-6, {"ess_tail"})):
        failed = rp.failures(measured, Gate(rhat, limit, 2), "m")
        assert criteria <= {text.split(": ")[1].split(" of")[0] for text in failed}
    assert "divergent" in rp.failures(measured, Gate(rhat, 0, 1), "m")[0]
    assert len(rp.failures(measured, Gate(rhat - 1e-9, 1e9, 1), "m")) == 4


def test_the_worst_parameter_is_named():
    measured = rp.diagnostics(posterior())
    for criterion, worst in (("rhat", np.argmax), ("ess_bulk", np.argmin), ("ess_tail", np.argmin)):
        name = measured["parameter"].iloc[int(worst(measured[criterion].to_numpy()))]
        failed = rp.failures(measured, Gate(1.0 - 1e-6, 1e9, 0), "m")
        said = [text for text in failed if f"{criterion} of" in text]
        assert len(said) == 1
        assert f"{criterion} of '{name}'" in said[0]


def test_a_diagnostic_that_is_no_number_fails():
    measured = rp.diagnostics(posterior())
    for criterion in ("rhat", "ess_bulk", "ess_tail"):
        broken = measured.copy()
        broken.loc[1, criterion] = np.nan
        (failed,) = rp.failures(broken, STRICT, "m")
        assert f"{criterion} of 'age' is nan" in failed


@pytest.mark.parametrize("kept", [0, 100, 3000])
def test_a_netcdf_file_that_is_cut_short_is_named(tmp_path, kept):
    path = tmp_path / "posterior.nc"
    write_netcdf(xr.Dataset({"x": ("draw", np.arange(500.0))}), path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"posterior\.nc: not readable as NetCDF"):
        load_netcdf(path)
