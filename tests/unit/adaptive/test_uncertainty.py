"""The errors of many respondents against the matrix written out; that is tried in test_fit.py."""

import numpy as np
import pytest
from scipy import linalg

from saturation.adaptive import abilities, fit, model, synthetic


def moments(persons, items, missing, slopes="positive", seed=3):
    """Responses and what a fit knows of them before its errors."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, items)), random.normal(0, 1, items)
    responses = synthetic.draw(random.normal(size=persons), a, b, random)
    responses[random.random(responses.shape) < missing] = model.MISSING
    form = model.COORDINATES[slopes]
    cells = fit._Cells(responses, np.ascontiguousarray(responses.T))
    state = fit._begun(responses, form)
    while not state.converged:
        state = fit._round(cells, state, form)
    return responses, state.ability, state.mean, state.covariance, form


@pytest.mark.parametrize(
    ("persons", "items", "missing", "tolerance"),
    [(150, 400, 0.0, 1e-6), (150, 400, 0.3, 4e-3), (100, 3000, 0.1, 2e-3), (120, 60, 0.0, 1e-4)],
)
@pytest.mark.parametrize("slopes", ["positive", "signed"])
def test_the_projection_gives_the_errors_of_the_whole_matrix(
    persons, items, missing, tolerance, slopes, monkeypatch
):
    given = moments(persons, items, missing, slopes)
    exact, carried = abilities.errors(*given)
    monkeypatch.setattr(abilities, "MOST_EXACT", persons - 1)
    # In several chunks.
    monkeypatch.setattr(abilities, "_CHUNK", persons * items // 3)
    error, added = abilities.errors(*given)
    assert 0 < np.abs(error / exact - 1).max() < tolerance
    whole = given[3] + carried
    np.testing.assert_allclose(given[3] + added, whole, atol=2 * tolerance * np.abs(whole).max())
    # It is far from leaving the items' uncertainty out.
    slope, intercept = given[4].lines(given[2])
    info = np.where(
        given[0] == model.MISSING, 0, model.information(given[1], slope, -intercept / slope)
    )
    assert np.abs((info.sum(axis=1) + 1) ** -0.5 / exact - 1).max() > 2 * tolerance


def test_up_to_its_limit_the_matrix_is_written_out(monkeypatch):
    given = moments(60, 80, 0.1)
    exact, _ = abilities.errors(*given)
    monkeypatch.setattr(abilities, "MOST_EXACT", 60)
    assert abilities.errors(*given)[0].tobytes() == exact.tobytes()
    monkeypatch.setattr(abilities, "MOST_EXACT", 59)
    assert abilities.errors(*given)[0].tobytes() != exact.tobytes()


def test_woodburys_identity_on_a_surface():
    random = np.random.default_rng(0)
    rest, scale = random.uniform(5, 9, 30), random.normal(size=(30, 2))
    smooth = random.normal(size=(30, 4)) / 3
    spread, middle = abilities._inverse(rest, smooth, scale)
    free = linalg.null_space(scale.T)
    left = np.diag(rest) - smooth @ smooth.T
    expected = free @ np.linalg.inv(free.T @ left @ free) @ free.T
    np.testing.assert_allclose(np.diag(1 / rest) + spread @ middle @ spread.T, expected, atol=1e-12)


def test_what_is_left_is_held_to_the_abilities_prior():
    """Items that take more than there is would leave errors without a root."""
    rest = np.full(20, 4.0)
    smooth = np.linspace(-1, 1, 20)[:, None] ** 2 * 9
    scale = np.column_stack([np.ones(20), np.linspace(-1, 1, 20)])
    spread, middle = abilities._inverse(rest, smooth, scale)
    variance = 1 / rest + ((spread @ middle) * spread).sum(axis=1)
    assert variance.min() > 0
    assert variance.max() <= 1.0


@pytest.mark.heavy
def test_ten_thousand_respondents_are_fitted():
    random = np.random.default_rng(5)
    a, b = np.exp(random.normal(0, 0.4, 500)), random.normal(size=500)
    ability = random.normal(size=10_000)
    fitted = fit.fit(synthetic.draw(ability, a, b, random))
    standard = (ability - ability.mean()) / ability.std()
    covered = (np.abs(fitted.ability - standard) < 1.96 * fitted.ability_se).mean()
    assert 0.94 < covered < 0.96
