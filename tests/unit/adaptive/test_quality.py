import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from saturation.adaptive.quality import monotonicity, rank_distance, total_variation

CURVES = npst.arrays(float, (3, 5), elements=st.floats(-100, 100).map(lambda x: round(x, 3)))


def test_golden_values():
    curve = np.array([0.0, 2.0, 1.0, 3.0])
    np.testing.assert_allclose(total_variation(curve), 4 / 3 * 5 / 3)
    np.testing.assert_allclose(monotonicity(curve), 0.8)
    np.testing.assert_allclose(
        rank_distance(np.array([0.1, 0.5, 0.9]), np.array([3.0, 2.0, 1.0])), [2, 0, 2]
    )


def test_degenerate_curves():
    assert total_variation(np.array([1.0, 2.0, 1.0])) == np.inf
    assert monotonicity(np.array([1.0, 1.0, 1.0])) == 0
    assert np.isnan(total_variation(np.array([1.0])))
    assert np.isnan(monotonicity(np.array([1.0])))


@given(CURVES)
def test_bounds_and_invariance(curves):
    variation, order = total_variation(curves), monotonicity(curves)
    assert (variation >= 5 / 4 - 1e-9).all()
    assert ((order >= 0) & (order <= 1 + 1e-12)).all()
    np.testing.assert_allclose(monotonicity(-2 * curves + 1), order, atol=1e-12)
    np.testing.assert_allclose(total_variation(curves[:, ::-1]), variation, rtol=1e-9)


@given(CURVES)
def test_no_distance_between_a_score_and_itself(curves):
    assert (rank_distance(curves, 3 * curves + 1) == 0).all()
