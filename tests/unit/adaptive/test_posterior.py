import numpy as np
import pytest
import xarray as xr

from saturation.adaptive import fit as item_fit
from saturation.adaptive import posterior, synthetic
from saturation.errors import InputError

LIMITS = {"most_divergences": 0, "largest_r_hat": 1.01, "least_ess": 400}
GOOD = {"divergences": 0, "largest_r_hat": 1.01, "smallest_ess_bulk": 400.0}


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_the_posterior_agrees_with_the_map_fit():
    random = np.random.default_rng(0)
    a, b = np.exp(random.normal(0, 0.4, 20)), random.normal(size=20)
    responses = synthetic.draw(random.normal(size=60), a, b, random)
    drawn = posterior.sample(responses, draws=200, tune=300, chains=2, seed=1)
    table = posterior.summary(drawn["posterior"].to_dataset())
    assert posterior.diagnostics(table, drawn)["divergences"] == 0
    assert table["r_hat"].max() < 1.05
    fit = item_fit.fit(responses)
    mean = table[table["parameter"] == "ability"]["mean"]
    assert np.corrcoef(mean, fit.ability)[0, 1] > 0.97


def test_the_prior_of_the_correlation_is_symmetric_about_nought():
    """Twice a Beta(2, 2) less 1: from -1 to 1, variance 1 / 5."""
    import pymc as pm

    built = posterior.model(np.array([[0, 1, 1], [1, 0, -1]], dtype=np.int8))
    drawn = pm.draw(built["correlation"], draws=2000, random_seed=1)
    assert abs(drawn.mean()) < 4 * np.sqrt(0.2 / 2000)
    assert drawn.var() == pytest.approx(0.2, rel=0.1)
    # Difficulties are spread by difficulty_sd alone, whatever the correlation.
    spread = pm.draw((built["difficulty"] - built["difficulty_mean"]) / built["difficulty_sd"],
                     draws=2000, random_seed=1)  # fmt: skip
    assert spread.std() == pytest.approx(1, rel=0.05)


def dataset(**values):
    """Draws as a sampler gives them: chain, draw and one value each."""
    names = {"ability": "respondent"}
    return xr.Dataset(
        {
            name: (("chain", "draw", names.get(name, "item")), array)
            for name, array in values.items()
        }
    )


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


def test_the_gate_lets_its_limits_through():
    posterior.gate(GOOD, LIMITS)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"divergences": 1}, "posterior: 1 divergent transitions; allowed 0"),
        ({"largest_r_hat": 1.0101}, "posterior: R-hat 1.010; allowed 1.01"),
        ({"smallest_ess_bulk": 399.0}, "posterior: bulk ESS 399; needed 400"),
    ],
)
def test_the_gate_names_what_is_beyond(bad, sentence):
    with pytest.raises(InputError) as error:
        posterior.gate(GOOD | bad, LIMITS)
    assert error.value.violations == [f"{sentence}; raise adaptive.posterior.draws"]


def test_a_bank_of_more_cells_is_refused():
    responses = np.zeros((3, 4), dtype=np.int8)
    posterior.require_small(responses, 12, "bank.csv")
    with pytest.raises(InputError, match=r"bank.csv: 12 cells; .* at most 11"):
        posterior.require_small(responses, 11, "bank.csv")
