"""A floor of guessing: found where there is one, and not where there is none."""

import numpy as np
import pytest

from saturation.adaptive import fit, misfit, model
from saturation.errors import InputError

MODELS = [f"m{number // 3}" for number in range(60)]


def bank(guessing, seed=0, items=300):
    """Responses with a twentieth missing, and the abilities on the scale of a fit."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, items)), random.normal(0, 1, items)
    ability = random.normal(size=60)
    chance = guessing + (1 - guessing) * model.probability(ability, a, b)
    responses = (random.random(chance.shape) < chance).astype(np.int8)
    responses[random.random(chance.shape) < 0.05] = model.MISSING
    return responses, (ability - ability.mean()) / ability.std()


def compared(responses, models=MODELS):
    return misfit.compare(responses, models, "positive", fit.fit(responses), 1, "bank")


def test_a_floor_is_found_needed_and_brings_abilities_nearer():
    guessing = 0.15
    responses, ability = bank(guessing)
    table, floored = compared(responses)
    row = table.iloc[0]
    assert len(table) == 1
    assert row["floor_lower"] < guessing < row["floor_upper"]
    assert row["floor"] == pytest.approx(guessing, abs=0.06)
    assert row["lower"] < row["gain"] < row["upper"]
    assert row["needed"]
    assert floored.floor == row["floor"]
    plain = fit.fit(responses)
    assert floored.log_likelihood > plain.log_likelihood + 1.92
    off = [np.square(each.ability - ability).mean() for each in (floored, plain)]
    assert off[0] < 0.9 * off[1]
    assert floored.chance().min() >= row["floor"]


def test_without_guessing_no_floor_is_needed():
    responses, _ = bank(0.0, items=120)
    row = compared(responses)[0].iloc[0]
    assert not row["needed"]
    assert row["floor_lower"] == 0.0
    assert row["floor_upper"] < 0.1
    assert misfit.believed(responses, "bank") == misfit.NONE


@pytest.mark.parametrize(
    ("lower", "gain", "needed"),
    [(0.01, 0.001, True), (0.0, 0.001, False), (0.01, 0.0, False), (0.01, np.nan, False)],
)
def test_a_floor_is_needed_if_it_is_not_nought_and_predicts_better(
    lower, gain, needed, monkeypatch
):
    responses, _ = bank(0.2, items=30)
    plain = fit.fit(responses)
    monkeypatch.setattr(misfit, "estimated", lambda *_: misfit.Floor(0.2, lower, 0.3, plain))
    monkeypatch.setattr(misfit, "_gains", lambda *_: np.full(responses.shape, gain))
    table, fitted = misfit.compare(responses, MODELS, "positive", plain, 1, "bank")
    assert bool(table["needed"].iloc[0]) is needed
    assert fitted is plain
    expected = misfit.Guessing(0.2, lower, 0.3) if needed else misfit.NONE
    assert misfit.believed(responses, "bank") == expected


def test_the_interval_takes_a_models_cells_as_one_unit(monkeypatch):
    """Rows of three that gain alike, as sixty models and as twenty."""
    responses, _ = bank(0.2, items=30)
    plain = fit.fit(responses)
    gains = np.repeat(np.random.default_rng(0).normal(size=(20, 30)), 3, axis=0)
    monkeypatch.setattr(misfit, "estimated", lambda *_: misfit.Floor(0.2, 0.1, 0.3, plain))
    monkeypatch.setattr(misfit, "_gains", lambda *_: gains)
    apart, together = (
        misfit.compare(responses, models, "positive", plain, 1, "bank")[0].iloc[0]
        for models in ([str(row) for row in range(60)], MODELS)
    )
    assert apart["gain"] == together["gain"]
    assert together["upper"] - together["lower"] > 1.2 * (apart["upper"] - apart["lower"])
    alone = misfit.compare(responses, ["m"] * 60, "positive", plain, 1, "bank")[0].iloc[0]
    assert np.isnan(alone["lower"])
    assert alone["gain"] == apart["gain"]


def test_every_cell_is_held_out_once_from_the_fit_that_predicts_it(monkeypatch):
    responses, _ = bank(0.2, items=60)
    given = []
    original = misfit.fit

    def watched(cells, slopes, share=0.0):
        given.append(cells)
        return original(cells, slopes, share)

    monkeypatch.setattr(misfit, "fit", watched)
    gains = misfit._gains(responses, "positive", 0.2, np.random.default_rng(0))
    seen = responses != model.MISSING
    assert np.isfinite(gains[seen]).all()
    assert np.isnan(gains[~seen]).all()
    masks = {cells.tobytes(): cells for cells in given}
    hidden = np.array([seen & (cells == model.MISSING) for cells in masks.values()])
    assert len(hidden) == misfit.PARTS
    assert (hidden.sum(axis=0) == seen).all()


def test_a_part_that_cannot_be_fitted_has_no_gain(monkeypatch):
    def refused(*_):
        raise InputError("no")

    monkeypatch.setattr(misfit, "fit", refused)
    gains = misfit._gains(bank(0.2, items=40)[0], "positive", 0.2, np.random.default_rng(0))
    assert np.isnan(gains).all()


def likelihoods(monkeypatch, of):
    """A stand-in for fits whose log-likelihood by floor is known."""
    responses, _ = bank(0.0, items=10)
    real = fit.fit(bank(0.0, items=60)[0])

    def stand_in(_responses, _slopes, share=0.0):
        value = of(share)
        if not np.isfinite(value):
            raise InputError("no")
        return fit.Fit(**{**real.__dict__, "floor": share, "log_likelihood": value})

    monkeypatch.setattr(misfit, "fit", stand_in)
    return misfit.estimated(responses, "positive", stand_in(None, None))


@pytest.mark.parametrize("truth", [0.03, 0.137, 0.25, 0.42])
def test_the_interval_ends_where_the_likelihood_has_fallen_by_half_a_quantile(truth, monkeypatch):
    found = likelihoods(monkeypatch, lambda share: -500 * (share - truth) ** 2)
    reach = np.sqrt(1.920729 / 500)
    assert found.value == pytest.approx(truth, abs=0.004)
    assert found.lower == pytest.approx(max(truth - reach, 0.0), abs=0.006)
    assert found.upper == pytest.approx(truth + reach, abs=0.006)
    assert found.fitted.floor == found.value


def test_an_interval_holds_nought_where_its_likelihood_is_near_enough(monkeypatch):
    found = likelihoods(monkeypatch, lambda share: -1.92 * (share == 0.0) - 9 * (share > 0.3))
    assert found.lower == 0.0
    found = likelihoods(monkeypatch, lambda share: -1.93 * (share == 0.0) - 9 * (share > 0.3))
    assert found.lower > 0.0


def test_a_floor_that_cannot_be_fitted_leaves_the_upper_end_open(monkeypatch):
    found = likelihoods(monkeypatch, lambda share: 100 * share if share <= 0.23 else -np.inf)
    assert found.value == pytest.approx(0.23, abs=0.006)
    assert np.isnan(found.upper)
    assert found.lower == pytest.approx(found.value - 0.0192, abs=0.006)


def test_a_likelihood_that_rises_to_the_end_ends_there(monkeypatch):
    found = likelihoods(monkeypatch, lambda share: 100 * share)
    assert found.value == pytest.approx(misfit.HIGHEST, abs=0.05)
    assert found.upper >= found.value


def test_a_floor_too_small_to_tell_is_none():
    responses, _ = bank(0.0, items=40)
    plain = fit.fit(responses)
    profile = misfit._Profile(responses, "positive", plain)
    assert profile(model.LEAST_FLOOR / 2) == plain.log_likelihood
    assert profile.fits == {0.0: plain}


def test_chances_are_bounded_away_from_nought_and_one():
    log = misfit._log_chance(np.array([1, 0], dtype=np.int8), np.array([0.0, 1.0]))
    np.testing.assert_allclose(log, np.log([1e-6, 1e-6]))


def test_responses_that_cannot_be_fitted_have_no_floor():
    assert misfit.believed(np.ones((9, 9), dtype=np.int8), "bank") == misfit.NONE


def test_of_large_banks_a_part_is_looked_at():
    responses, _ = bank(0.25)
    assert misfit.looked_at(responses, 300, None) is responses
    part = misfit.looked_at(responses, 120, np.random.default_rng(0))
    assert part.shape == (60, 120)
    columns = {column.tobytes() for column in np.ascontiguousarray(responses.T)}
    assert {column.tobytes() for column in np.ascontiguousarray(part.T)} <= columns


@pytest.mark.parametrize(("persons", "items"), [(80, 1000), (100, 900), (300, 300), (1000, 200)])
def test_with_many_respondents_fewer_items_show_a_floor(monkeypatch, persons, items):
    shapes = []

    def watched(cells, slopes):
        shapes.append(cells.shape)
        raise InputError("enough seen")

    monkeypatch.setattr(misfit, "fit", watched)
    assert misfit.believed(np.zeros((persons, 1200), dtype=np.int8), "bank") == misfit.NONE
    assert shapes == [(persons, items)]


def test_a_floor_that_is_used_is_said():
    assert misfit.NONE.said() == ""
    said = misfit.Guessing(0.151, 0.12, 0.18).said()
    assert said.startswith("right answers are guessed with a chance of 0.15 (0.12 to 0.18): ")
    assert "a chance of 0.11 or more: " in misfit.Guessing(0.11, 0.1, np.nan).said()
