import numpy as np
import pytest

from saturation.adaptive import fit as item_fit
from saturation.adaptive import synthetic


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_the_posterior_agrees_with_the_map_fit():
    from saturation.adaptive import posterior

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
