import numpy as np
import pytest

from saturation.adaptive import fit, floor, model, synthetic
from saturation.errors import InputError


def bank(guessing, seed=0, items=500):
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, items)), random.normal(0, 1, items)
    ability = random.normal(size=60)
    chance = guessing + (1 - guessing) * model.probability(ability, a, b)
    responses = (random.random(chance.shape) < chance).astype(np.int8)
    responses[random.random(chance.shape) < 0.05] = model.MISSING
    return responses, ability


MODELS = [f"m{number // 3}" for number in range(60)]


def test_a_floor_that_there_is_is_not_refuted_and_its_abilities_are_nearer():
    """A two-parameter model imitates one: held-out answers hardly tell them apart."""
    guessed, ability = bank(0.33)
    table = floor.compare(guessed, MODELS, "positive", 1, "bank").set_index("floor")
    assert (table.loc[[0.2, 0.25, 1 / 3], "upper"] > 0).all()
    assert table["gain"].idxmax() in (0.2, 0.25, 1 / 3)
    assert ((table["lower"] < table["gain"]) & (table["gain"] < table["upper"])).all()
    fitted = fit.fit(guessed)
    floored = floor.with_floor(guessed, fitted, 1 / 3, "positive", np.random.default_rng(0))
    standard = (ability - ability.mean()) / ability.std()
    off = [np.square(each.ability - standard).mean() for each in (floored, fitted)]
    assert off[0] < 0.5 * off[1]
    assert floored.chance().min() >= 1 / 3


@pytest.mark.parametrize(("reach", "needed"), [(0.019, True), (0.02, False), (np.nan, False)])
def test_a_floor_is_needed_if_its_interval_lies_above_nought(reach, needed):
    row = floor._row(0.25, 0.02, reach)
    assert bool(row["needed"]) is needed
    assert row["upper"] == pytest.approx(0.02 + reach, nan_ok=True)


def test_without_guessing_no_floor_is_needed():
    table = floor.compare(bank(0.0)[0], MODELS, "positive", 1, "bank")
    assert not table["needed"].any()
    assert (table["upper"] < 0).sum() >= 4


def test_one_model_alone_has_no_interval():
    table = floor.compare(bank(0.33)[0], ["m"] * 60, "positive", 1, "bank")
    assert table["lower"].isna().all()
    assert not table["needed"].any()


def test_the_interval_takes_a_models_cells_as_one_unit():
    """Twenty models' rows as sixty models, and as twenty: the seed draws the same cells."""
    responses, _ = bank(0.2, seed=3, items=200)
    alike = np.repeat(responses[:20], 3, axis=0)
    apart = floor.compare(alike, [str(row) for row in range(60)], "positive", 1, "bank")
    together = floor.compare(alike, MODELS, "positive", 1, "bank")
    np.testing.assert_array_equal(apart["gain"], together["gain"])
    wider = (together["upper"] - together["lower"]) / (apart["upper"] - apart["lower"])
    assert wider.dropna().min() > 1.2


def test_chances_are_bounded_away_from_nought_and_one():
    log = floor._log_chance(np.array([1, 0], dtype=np.int8), np.array([0.0, 1.0]))
    np.testing.assert_allclose(log, np.log([1e-6, 1e-6]))


def test_synthetic_banks_have_no_floor():
    random = np.random.default_rng(2)
    a, b = np.exp(random.normal(0.2, 0.4, 300)), random.normal(0, 1, 300)
    responses = synthetic.draw(random.normal(size=60), a, b, random)
    with_some = floor.with_floor(responses, fit.fit(responses), 0.25, "positive", random)
    assert with_some.chance().min() > 0.25


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_what_is_drawn_as_guessed_is_the_models_share_of_right_answers(share):
    """Items that nobody can know: with a floor every right answer is a guess."""
    responses, _ = bank(0.0, items=100)
    fitted = fit.fit(responses)
    hopeless = floor.Floored(
        fitted.ability, fitted.discrimination, np.where(np.arange(100) < 50, 99.0, -99.0), share
    )
    drawn = {}

    def keep(cells, slopes):
        drawn["cells"] = cells
        return fitted

    original, floor.fit = floor.fit, keep
    try:
        floor._round(responses, hopeless, "positive", np.random.default_rng(0))
    finally:
        floor.fit = original
    assert (drawn["cells"][:, :50] == np.where(responses[:, :50] == 1, 0, responses[:, :50])).all()
    assert (drawn["cells"][:, 50:] == responses[:, 50:]).all()


def test_a_floor_with_which_nothing_can_be_fitted_has_no_gain(monkeypatch):
    original = floor.with_floor

    def refused(responses, plain, share, slopes, random):
        if share > 0.3:
            raise InputError("no")
        return original(responses, plain, share, slopes, random)

    monkeypatch.setattr(floor, "with_floor", refused)
    table = floor.compare(bank(0.2, items=100)[0], MODELS, "positive", 1, "bank")
    assert table["gain"].isna().tolist() == [False, False, False, True, True]
    assert not table["needed"].iloc[3:].any()
