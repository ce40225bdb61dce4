"""Forms of growth: scales on which a best score grows by equal steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.forecast.models import CEILINGS, EDGE, FORMS, LINKS, Link


@pytest.mark.parametrize("link", LINKS)
@given(part=st.floats(EDGE, 1 - EDGE))
def test_shares_are_the_inverse_of_steps(link, part):
    share = part * link.ceiling
    assert link.shares(link.steps(share)) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_equal_steps_approach_the_ceiling_and_no_more(form):
    link = Link(form, 0.95)
    path = link.shares(link.steps(0.3) + np.arange(0, 40, 0.5))
    assert (np.diff(path) >= 0).all()
    assert path[-1] == pytest.approx(0.95, abs=1e-3)
    assert link.steps(0.97) == link.steps(1.0)


def test_the_forms_are_the_named_curves():
    steps = np.array([-1.0, 0.0, 2.0])
    assert Link("logistic", 1.0).shares(steps) == pytest.approx(1 / (1 + np.exp(-steps)))
    assert Link("gompertz", 1.0).shares(steps) == pytest.approx(np.exp(-np.exp(-steps)))
    assert Link("exponential", 1.0).shares(steps) == pytest.approx(1 - np.exp(-steps))


def test_there_is_a_scale_for_each_form_and_ceiling():
    assert len(set(LINKS)) == len(FORMS) * len(CEILINGS)
