"""The gate names the worst parameter of a posterior that fails."""

import numpy as np
import pytest
import xarray as xr

from saturation.errors import InputError
from saturation.regression import gate
from saturation.regression.convergence import convergence
from saturation.regression.specification import Effort

STRICT = gate.Gate(rhat=1.01, ess=400, divergences=0)


def posterior(shift=0.0, divergences=0, draws=500):
    rng = np.random.default_rng(0)
    coefficient = rng.normal(size=(4, draws, 2))
    coefficient[0, :, 1] += shift
    diverging = np.zeros((4, draws), dtype=np.int8)
    diverging[0, :divergences] = 1
    by_draw = ("chain", "draw")
    return xr.Dataset(
        {
            "coefficient": ((*by_draw, "column"), coefficient),
            "spread": (by_draw, rng.normal(size=(4, draws))),
            "diverging": (by_draw, diverging),
        },
        {"column": np.array(["Intercept", "age"], dtype=object)},
    )


EFFORT = Effort(500, 10, 4)


def test_a_good_posterior_passes_at_once():
    efforts = []

    def draw(effort):
        efforts.append(effort)
        return posterior(draws=effort.draws)

    drawn, measured = gate.passed(draw, EFFORT, STRICT, "mine")
    assert drawn.identical(posterior())
    assert measured.identical(gate.diagnostics(posterior()))
    assert efforts == [EFFORT]


def test_one_that_fails_is_drawn_again_with_more_draws():
    efforts = []

    def draw(effort):
        efforts.append(effort)
        return posterior(divergences=len(efforts) < 3, draws=effort.draws)

    drawn, _ = gate.passed(draw, EFFORT, STRICT, "mine")
    assert efforts == [EFFORT, Effort(1000, 10, 4), Effort(2000, 10, 4)]
    assert drawn.sizes["draw"] == 2000


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
        gate.passed(lambda effort: posterior(**failing), EFFORT, STRICT, "mine")


def test_all_that_is_sampled_passes_the_gate():
    data = posterior()
    others = np.random.default_rng(1).normal(size=(4, 500, 2))
    data["other"] = (("chain", "draw", "parameter"), others)
    data = data.assign_coords(parameter=["lower_cut", "log_gap"])
    draws, names = gate.parameters(data)
    assert names == ["Intercept", "age", "spread", "lower_cut", "log_gap"]
    np.testing.assert_array_equal(draws[4], others[..., 1])


def test_limits_pass_and_the_next_value_does_not():
    measured = gate.diagnostics(posterior(divergences=2))
    rhat = float(measured["rhat"].max())
    bulk, tail = float(measured["ess_bulk"].min()), float(measured["ess_tail"].min())
    passing = gate.Gate(rhat=rhat, ess=min(bulk, tail), divergences=2)
    assert gate.failures(measured, passing, "m") == []
    assert "rhat" in gate.failures(measured, gate.Gate(rhat - 1e-9, 0, 2), "m")[0]
    for limit, criteria in ((bulk + 1e-6, {"ess_bulk"}), (tail + 1e-6, {"ess_tail"})):
        failed = gate.failures(measured, gate.Gate(rhat, limit, 2), "m")
        assert criteria <= {text.split(": ")[1].split(" of")[0] for text in failed}
    assert "divergent" in gate.failures(measured, gate.Gate(rhat, 0, 1), "m")[0]
    assert len(gate.failures(measured, gate.Gate(rhat - 1e-9, 1e9, 1), "m")) == 4


def test_the_worst_parameter_is_named():
    measured = gate.diagnostics(posterior())
    for criterion, worst in (("rhat", np.argmax), ("ess_bulk", np.argmin), ("ess_tail", np.argmin)):
        name = measured["parameter"].to_numpy()[int(worst(measured[criterion].to_numpy()))]
        failed = gate.failures(measured, gate.Gate(1.0 - 1e-6, 1e9, 0), "m")
        said = [text for text in failed if f"{criterion} of" in text]
        assert len(said) == 1
        assert f"{criterion} of '{name}'" in said[0]


def test_every_parameter_has_diagnostics_of_its_own():
    data = posterior(shift=1.0)
    measured = gate.diagnostics(data)
    assert measured["parameter"].to_numpy().tolist() == ["Intercept", "age", "spread"]
    for name, values in vars(convergence(gate.parameters(data)[0])).items():
        np.testing.assert_array_equal(measured[name], values)
    assert measured["rhat"].to_numpy().argmax() == 1


def test_a_diagnostic_that_is_no_number_fails():
    measured = gate.diagnostics(posterior())
    for criterion in ("rhat", "ess_bulk", "ess_tail"):
        broken = measured.copy(deep=True)
        broken[criterion][1] = np.nan
        (failed,) = gate.failures(broken, STRICT, "m")
        assert f"{criterion} of 'age' is nan" in failed


def test_the_fraction_of_missing_information_is_that_of_arviz():
    from arviz_stats.base import array_stats

    energy = np.random.default_rng(4).normal(size=(3, 200)).cumsum(axis=1)
    np.testing.assert_allclose(gate.bfmi(energy), array_stats.bfmi(energy), rtol=1e-12)


def test_without_a_spread_there_is_no_parameter_of_it():
    draws, names = gate.parameters(posterior().drop_vars("spread"))
    assert names == ["Intercept", "age"]
    assert draws.shape == (2, 4, 500)
