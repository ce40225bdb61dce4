import numpy as np
import pytest

from saturation import irt_fit, synthetic_bank


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_the_posterior_agrees_with_the_map_fit():
    from saturation import irt_nuts

    random = np.random.default_rng(0)
    a, b = np.exp(random.normal(0, 0.4, 20)), random.normal(size=20)
    responses = synthetic_bank.draw(random.normal(size=60), a, b, random)
    draws, divergences = irt_nuts.sample(responses, draws=200, tune=300, chains=2, seed=1)
    assert divergences == 0
    table = irt_nuts.summary(draws)
    assert table["r_hat"].max() < 1.05
    fit = irt_fit.fit(responses)
    mean = table[table["parameter"] == "ability"]["mean"]
    assert np.corrcoef(mean, fit.ability)[0, 1] > 0.97
