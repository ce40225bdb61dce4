"""Models of the config, and their priors."""

import pytest

from studies.regression.priors import Priors


def test_the_intercept_has_a_scale_of_its_own():
    assert Priors(intercept=2.0, coefficient=0.5, spread=3.0).scales(3).tolist() == [2.0, 0.5, 0.5]


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
