"""Models of the config, and their priors."""

import numpy as np
import pytest
from scipy import stats

from saturation.regression.priors import Priors
from saturation.regression.specification import specifications


def test_a_section_becomes_a_model_with_its_priors(sections):
    models = specifications(sections)
    assert list(models) == list(sections)
    assert models["gap"].priors == Priors(intercept=1.5, coefficient=1.0, spread=20.0)
    assert (models["gap"].outcome, models["gap"].likelihood) == ("log_gap", "gaussian")
    assert models["interaction"].rows == "tags"
    assert models["interaction"].formula == "age*log_n"


def test_the_prior_density_by_hand():
    priors = Priors(intercept=2.0, coefficient=0.5, spread=3.0)
    assert priors.scales(3).tolist() == [2.0, 0.5, 0.5]
    by_hand = (
        stats.norm.logpdf(1.0, 0, 2) + stats.norm.logpdf(0.3, 0, 0.5)
        + stats.norm.logpdf(-0.2, 0, 0.5)
    )  # fmt: skip
    coefficient = np.array([[1.0, 0.3, -0.2]])
    assert priors.log_density(coefficient, None)[0] == pytest.approx(by_hand)
    # Half-normal: twice the normal's density.
    spread = np.log(2) + stats.norm.logpdf(1.7, 0, 3)
    assert priors.log_density(coefficient, np.array([1.7]))[0] == pytest.approx(by_hand + spread)


def test_a_flat_prior_has_no_scale():
    with pytest.raises(ValueError, match="flat prior has no scale"):
        Priors(intercept=1.0, coefficient=None, spread=1.0).scales(3)
