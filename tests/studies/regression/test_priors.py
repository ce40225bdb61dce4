"""Models of the config, and their priors."""

import numpy as np
import pytest
from scipy import stats

from studies.regression.priors import Priors


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


def test_only_a_normal_prior_has_a_scale_for_each_coefficient():
    for priors in (
        Priors(intercept=1.0, coefficient=None, spread=1.0),
        Priors(intercept=1.0, coefficient=2.0, spread=1.0, nonzero=3),
    ):
        with pytest.raises(ValueError, match="only a normal prior"):
            priors.scales(3)


def test_the_global_scale_of_a_horseshoe_by_hand():
    priors = Priors(intercept=1.5, coefficient=2.5, spread=20.0, nonzero=4)
    # 4 of 20 coefficients, 64 rows: 4 / 16 * 2 / 8.
    assert priors.global_scale(64, 21) == pytest.approx(0.0625)
    with pytest.raises(ValueError, match="no horseshoe"):
        Priors(intercept=1.5, coefficient=2.5, spread=20.0).global_scale(64, 21)
