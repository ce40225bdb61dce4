import numpy as np

from saturation.adaptive import model

RANDOM = np.random.default_rng(0)
SQUARE = RANDOM.normal(size=(20, 2, 2))
POSITIVE = SQUARE @ SQUARE.swapaxes(1, 2) + 0.1 * np.eye(2)


def test_matrices_are_filled_row_by_row():
    stack = model.matrices(*(np.array([value, 10 * value]) for value in (1.0, 2.0, 3.0, 4.0)))
    assert stack.tolist() == [[[1, 2], [3, 4]], [[10, 20], [30, 40]]]


def test_products_inverses_determinants_and_roots_are_numpys():
    vectors = RANDOM.normal(size=(20, 2))
    np.testing.assert_allclose(
        model.products(SQUARE, vectors), np.einsum("nij,nj->ni", SQUARE, vectors)
    )
    np.testing.assert_allclose(model.inverted(SQUARE), np.linalg.inv(SQUARE), rtol=1e-9)
    np.testing.assert_allclose(model.determinants(SQUARE), np.linalg.det(SQUARE))
    np.testing.assert_allclose(model.roots(POSITIVE), np.linalg.cholesky(POSITIVE), atol=1e-12)


def test_a_singular_block_has_a_root():
    """NumPy's Cholesky refuses it, or gives what is not a number."""
    singular = np.array([[[4.0, 2.0], [2.0, 1.0 - 1e-17]]])
    assert model.roots(singular).tolist() == [[[2, 0], [1, 0]]]
