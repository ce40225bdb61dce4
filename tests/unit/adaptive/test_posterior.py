import numpy as np
import pandas as pd
import pytest

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
    draws, divergences = posterior.sample(responses, draws=200, tune=300, chains=2, seed=1)
    assert divergences == 0
    table = posterior.summary(draws)
    assert table["r_hat"].max() < 1.05
    fit = item_fit.fit(responses)
    mean = table[table["parameter"] == "ability"]["mean"]
    assert np.corrcoef(mean, fit.ability)[0, 1] > 0.97


def test_every_draw_is_brought_to_the_scale_of_its_abilities():
    """Logits stay, abilities of each draw have mean 0 and standard deviation 1."""
    random = np.random.default_rng(0)
    draws = {
        "ability": random.normal(2, 3, (2, 5, 7)),
        "log_discrimination": random.normal(size=(2, 5, 4)),
        "difficulty": random.normal(size=(2, 5, 4)),
    }
    scaled = posterior._standardised(draws)
    np.testing.assert_allclose(scaled["ability"].mean(axis=2), 0, atol=1e-12)
    np.testing.assert_allclose(scaled["ability"].std(axis=2), 1)

    def logits(values):
        away = values["ability"][..., None] - values["difficulty"][:, :, None]
        return np.exp(values["log_discrimination"])[:, :, None] * away

    np.testing.assert_allclose(logits(scaled), logits(draws))


@pytest.mark.filterwarnings("ignore")
def test_a_summary_has_a_row_a_parameter():
    draws = np.random.default_rng(1).normal(size=(4, 500, 2)) * [1, 2] + [0, 5]
    draws[0, :, 1] += 20
    table = posterior.summary({"difficulty": draws})
    assert table[["parameter", "index"]].to_numpy().tolist() == [
        ["difficulty", 0],
        ["difficulty", 1],
    ]
    np.testing.assert_allclose(table["mean"], draws.mean(axis=(0, 1)))
    np.testing.assert_allclose(table["sd"], draws.std(axis=(0, 1)))
    # One chain of the second is elsewhere.
    assert table["r_hat"].iloc[0] < 1.01 < 1.5 < table["r_hat"].iloc[1]
    assert table["ess_bulk"].iloc[0] > 1500 > 10 > table["ess_bulk"].iloc[1]
    worst = posterior.diagnostics(table, 3)
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


def test_a_summary_is_a_table():
    assert isinstance(posterior.summary({}), pd.DataFrame)
