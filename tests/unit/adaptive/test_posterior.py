import numpy as np
import pytest
import xarray as xr
from scipy import stats
from scipy.special import logit

from saturation.adaptive import posterior, synthetic
from saturation.adaptive.fit import fit
from saturation.adaptive.model import log_likelihood
from saturation.errors import InputError

LIMITS = {"most_divergences": 0, "largest_r_hat": 1.01, "least_ess": 400}
GOOD = {"divergences": 0, "largest_r_hat": 1.01, "smallest_ess_bulk": 400.0}


def test_the_density_is_that_of_the_hierarchical_model():
    """Written from the model: priors, the correlation of -1 to 1, and each observed answer."""
    responses = np.array([[0, 1, 1], [1, 0, -1]], dtype=np.int8)
    built = posterior.model(responses)
    ability, raw_slope, raw = np.array([0.3, -1.2]), np.array([0.5, -0.4, 1.0]), np.arange(3.0)
    slope_sd, difficulty_sd, share = 0.7, 1.5, 0.3
    place = {"slope_mean": 0.2, "slope_sd_log__": np.log(slope_sd), "raw_slope": raw_slope}
    place |= {"difficulty_mean": -0.6, "difficulty_sd_log__": np.log(difficulty_sd)}
    place |= {"raw_difficulty": raw, "correlation_share_logodds__": logit(share)}
    place["ability"] = ability
    found = built.compile_logp(jacobian=False, mode="FAST_COMPILE")(place)
    correlation = 2 * share - 1
    bent = correlation * raw_slope + np.sqrt(1 - correlation**2) * raw
    cells = log_likelihood(
        responses, ability, np.exp(0.2 + slope_sd * raw_slope), -0.6 + difficulty_sd * bent
    )
    expected = cells.sum() + stats.norm.logpdf([0.2, *ability, *raw_slope, *raw]).sum()
    expected += stats.halfnorm(scale=0.5).logpdf(slope_sd) + stats.norm(0, 2).logpdf(-0.6)
    expected += stats.halfnorm(scale=2).logpdf(difficulty_sd) + stats.beta(2, 2).logpdf(share)
    assert found == pytest.approx(expected)


def dataset(**values):
    """Draws as a sampler gives them: chain, draw and one value each."""
    dims = {name: "respondent" if name == "ability" else "item" for name in values}
    return xr.Dataset({name: (("chain", "draw", dims[name]), values[name]) for name in values})


def test_every_draw_is_brought_to_the_scale_of_its_abilities():
    """Logits stay, abilities of each draw have mean 0 and standard deviation 1."""
    random = np.random.default_rng(0)
    draws = dataset(
        ability=random.normal(2, 3, (2, 5, 7)),
        log_discrimination=random.normal(size=(2, 5, 4)),
        difficulty=random.normal(size=(2, 5, 4)),
    )
    scaled = posterior.standardised(draws)
    np.testing.assert_allclose(scaled["ability"].mean("respondent"), 0, atol=1e-12)
    np.testing.assert_allclose(scaled["ability"].std("respondent"), 1)

    def logits(values):
        return np.exp(values["log_discrimination"]) * (values["ability"] - values["difficulty"])

    xr.testing.assert_allclose(logits(scaled), logits(draws))


def test_a_summary_has_a_row_a_parameter():
    draws = np.random.default_rng(1).normal(size=(4, 500, 2)) * [1, 2] + [0, 5]
    draws[0, :, 1] += 20
    table = posterior.summary(dataset(difficulty=draws))
    assert table[["parameter", "index"]].to_numpy().tolist() == [
        ["difficulty", 0],
        ["difficulty", 1],
    ]
    np.testing.assert_allclose(table["mean"], draws.mean(axis=(0, 1)))
    np.testing.assert_allclose(table["sd"], draws.std(axis=(0, 1)))
    # One chain of the second is elsewhere.
    assert table["r_hat"].iloc[0] < 1.01 < 1.5 < table["r_hat"].iloc[1]
    assert table["ess_bulk"].iloc[0] > 1500 > 10 > table["ess_bulk"].iloc[1]
    stats = xr.Dataset({"diverging": (("chain", "draw"), [[True, False], [True, True]])})
    worst = posterior.diagnostics(table, xr.DataTree.from_dict({"sample_stats": stats}))
    assert worst == {
        "divergences": 3,
        "largest_r_hat": table["r_hat"].iloc[1],
        "smallest_ess_bulk": table["ess_bulk"].iloc[1],
    }


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"divergences": 1}, "posterior: 1 divergent transitions; allowed 0"),
        ({"largest_r_hat": 1.0101}, "posterior: R-hat 1.010; allowed 1.01"),
        ({"smallest_ess_bulk": 399.0}, "posterior: bulk ESS 399; needed 400"),
    ],
)
def test_the_gate_names_what_is_beyond_its_limits(bad, sentence):
    posterior.gate(GOOD, LIMITS)
    with pytest.raises(InputError) as error:
        posterior.gate(GOOD | bad, LIMITS)
    assert error.value.violations == [f"{sentence}; raise adaptive.posterior.draws"]


def test_a_bank_of_more_cells_is_refused():
    responses = np.zeros((3, 4), dtype=np.int8)
    posterior.require_small(responses, 12, "bank.csv")
    with pytest.raises(InputError, match=r"bank.csv: 12 cells; .* at most 11"):
        posterior.require_small(responses, 11, "bank.csv")


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_the_posterior_agrees_with_the_map_fit():
    random = np.random.default_rng(0)
    a, b = np.exp(random.normal(0, 0.4, 20)), random.normal(size=20)
    responses = synthetic.draw(random.normal(size=60), a, b, random)
    drawn = posterior.sample(responses, draws=100, tune=200, chains=2, seed=1)
    table = posterior.summary(drawn["posterior"].to_dataset())
    assert posterior.diagnostics(table, drawn)["divergences"] == 0
    mean = table[table["parameter"] == "ability"]["mean"]
    assert np.corrcoef(mean, fit(responses).ability)[0, 1] > 0.97
