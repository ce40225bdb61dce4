import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import fit, misfit, model
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from studies.adaptive import misfit as study_misfit
from validation import adaptive as simulation

THREES = [f"m{number // 3}" for number in range(60)]


def guessed(guessing, seed=0, items=300):
    """Responses with a twentieth missing, and the abilities on the scale of a fit."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, items)), random.normal(0, 1, items)
    ability = random.normal(size=60)
    chance = guessing + (1 - guessing) * model.probability(ability, a, b)
    responses = (random.random(chance.shape) < chance).astype(np.int8)
    responses[random.random(chance.shape) < 0.05] = model.MISSING
    return responses, (ability - ability.mean()) / ability.std()


def with_floor(responses, models=THREES):
    return study_misfit.compare(responses, models, fit.fit(responses), 1, "bank")


def refused(*_):
    raise InputError("too few")


def test_a_floor_is_found_needed_and_brings_abilities_nearer():
    guessing = 0.15
    responses, ability = guessed(guessing)
    (row,) = with_floor(responses).itertuples()
    assert row.floor_lower < guessing < row.floor_upper
    assert row.floor == pytest.approx(guessing, abs=0.06)
    assert row.lower < row.gain < row.upper
    assert row.needed
    plain = fit.fit(responses)
    floored = fit.fit(responses, row.floor)
    assert floored.log_likelihood > plain.log_likelihood + 1.92
    off = [np.square(each.ability - ability).mean() for each in (floored, plain)]
    assert off[0] < 0.9 * off[1]


@pytest.mark.parametrize(
    ("lower", "gain", "needed"),
    [(0.021, 0.001, True), (0.02, 0.001, False), (0.03, 0.0, False), (0.03, np.nan, False)],
)
def test_a_floor_is_needed_if_it_is_above_one_in_fifty_and_predicts_better(
    lower, gain, needed, monkeypatch
):
    responses, _ = guessed(0.2, items=30)
    monkeypatch.setattr(misfit, "estimated", lambda *_: misfit.Guessing(0.2, lower, 0.3))
    monkeypatch.setattr(misfit, "measure_gains", lambda *_: np.full(responses.shape, gain))
    table = with_floor(responses)
    assert bool(table["needed"].iloc[0]) is needed
    expected = misfit.Guessing(0.2, lower, 0.3) if needed else misfit.NONE
    assert misfit.believed(responses, "bank") == expected


def test_the_interval_takes_a_models_cells_as_one_unit(monkeypatch):
    """Rows of three that gain alike, as sixty models and as twenty."""
    responses, _ = guessed(0.2, items=30)
    gains = np.repeat(np.random.default_rng(0).normal(size=(20, 30)), 3, axis=0)
    monkeypatch.setattr(misfit, "estimated", lambda *_: misfit.Guessing(0.2, 0.1, 0.3))
    monkeypatch.setattr(misfit, "measure_gains", lambda *_: gains)
    apart, together = (
        with_floor(responses, models).iloc[0]
        for models in ([str(row) for row in range(60)], THREES)
    )
    assert apart["gain"] == together["gain"]
    assert together["upper"] - together["lower"] > 1.2 * (apart["upper"] - apart["lower"])
    alone = with_floor(responses, ["m"] * 60).iloc[0]
    assert np.isnan(alone["lower"])
    assert alone["gain"] == apart["gain"]


def test_every_cell_is_held_out_once_from_the_fit_that_predicts_it(monkeypatch):
    responses, _ = guessed(0.2, items=60)
    given = []
    original = misfit.fit

    def watched(cells, *choices):
        given.append(cells)
        return original(cells, *choices)

    monkeypatch.setattr(misfit, "fit", watched)
    gains = misfit.measure_gains(responses, 0.2, np.random.default_rng(0))
    seen = responses != model.MISSING
    np.testing.assert_array_equal(np.isfinite(gains), seen)
    masks = {cells.tobytes(): cells for cells in given}
    hidden = np.array([seen & (cells == model.MISSING) for cells in masks.values()])
    assert len(hidden) == misfit.PARTS
    assert (hidden.sum(axis=0) == seen).all()
    # A part that cannot be fitted has no gain.
    monkeypatch.setattr(misfit, "fit", refused)
    gains = misfit.measure_gains(responses, 0.2, np.random.default_rng(0))
    assert np.isnan(gains).all()


def likelihoods(monkeypatch, of):
    """A stand-in for fits whose log-likelihood by floor is known."""
    responses, _ = guessed(0.0, items=10)
    real = fit.fit(guessed(0.0, items=60)[0])

    def stand_in(_responses, share=0.0, _start=None):
        value = of(share)
        if not np.isfinite(value):
            raise InputError("no")
        return fit.Fit(**{**real.__dict__, "floor": share, "log_likelihood": value})

    monkeypatch.setattr(misfit, "fit", stand_in)
    return misfit.estimated(responses, stand_in(None))


@pytest.mark.parametrize("truth", [0.03, 0.137, 0.25, 0.42])
def test_the_interval_ends_where_the_likelihood_has_fallen_by_half_a_quantile(truth, monkeypatch):
    found = likelihoods(monkeypatch, lambda share: -500 * (share - truth) ** 2)
    reach = np.sqrt(1.920729 / 500)
    assert found.value == pytest.approx(truth, abs=0.004)
    assert found.lower == pytest.approx(max(truth - reach, 0.0), abs=0.006)
    assert found.upper == pytest.approx(truth + reach, abs=0.006)


@pytest.mark.parametrize(("fallen", "holds"), [(1.92, True), (1.93, False)])
def test_an_interval_holds_nought_where_its_likelihood_is_near_enough(fallen, holds, monkeypatch):
    found = likelihoods(monkeypatch, lambda share: -fallen * (share == 0.0) - 9 * (share > 0.3))
    assert (found.lower == 0.0) is holds


def test_a_floor_that_cannot_be_fitted_leaves_the_upper_end_open(monkeypatch):
    found = likelihoods(monkeypatch, lambda share: 100 * share if share <= 0.23 else -np.inf)
    assert found.value == pytest.approx(0.23, abs=0.006)
    assert np.isnan(found.upper)
    assert found.lower == pytest.approx(found.value - 0.0192, abs=0.006)


def test_a_floor_too_small_to_tell_is_none():
    responses, _ = guessed(0.0, items=40)
    plain = fit.fit(responses)
    profile = misfit._Profile(responses, plain)
    assert profile(model.LEAST_FLOOR / 2) == plain.log_likelihood
    assert profile.fits == {0.0: plain}
    assert misfit.believed(np.ones((9, 9), dtype=np.int8), "bank") == misfit.NONE
    log = misfit._log_chance(np.array([1, 0], dtype=np.int8), np.array([0.0, 1.0]))
    np.testing.assert_allclose(log, np.log([1e-6, 1e-6]))


def test_of_large_banks_a_part_is_looked_at():
    responses, _ = guessed(0.25)
    assert misfit.looked_at(responses, 300, None) is responses
    part = misfit.looked_at(responses, 120, np.random.default_rng(0))
    assert part.shape == (60, 120)
    columns = {column.tobytes() for column in np.ascontiguousarray(responses.T)}
    assert {column.tobytes() for column in np.ascontiguousarray(part.T)} <= columns


@pytest.mark.parametrize(("persons", "items"), [(80, 1000), (100, 900), (300, 300), (1000, 200)])
def test_with_many_respondents_fewer_items_show_a_floor(monkeypatch, persons, items):
    shapes = []

    def watched(cells, *_):
        shapes.append(cells.shape)
        raise InputError("enough seen")

    monkeypatch.setattr(misfit, "fit", watched)
    many = np.zeros((persons, 1200), dtype=np.int8)
    assert misfit.believed(many, "bank") == misfit.NONE
    assert misfit.doubt(many, ["m"] * persons, "bank").endswith("cannot be said: enough seen")
    assert shapes == [(persons, items), (persons, misfit.MOST_ITEMS)]


PERSONS, ITEMS = 45, 120
PAIR = ("largest_eigenvalue", "item_correlation")
MODELS = np.repeat(np.arange(PERSONS // 5), 5).astype(str).tolist()


def bank():
    """A bank that follows the model."""
    random = np.random.default_rng(0)
    a, b = np.exp(random.normal(0.2, 0.4, ITEMS)), random.normal(0, 1, ITEMS)
    logit = a * (random.normal(size=PERSONS)[:, None] - b)
    responses = (random.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int8)
    responses[random.random(responses.shape) < 0.03] = model.MISSING
    respondents, items = (list(map(str, range(n))) for n in responses.shape)
    return Bank(respondents, items, responses)


def found(given, replicates=19):
    return study_misfit.misfit(given, MODELS, replicates, 1, "bank")


@pytest.fixture(scope="module")
def expected():
    """Responses, their fit and the chances that it gives them."""
    responses = bank().responses
    fitted = fit.fit(responses)
    return responses, fitted, fitted.chance()


def test_statistics_are_those_of_their_definitions(expected):
    responses, fitted, chance = expected
    residual = (responses - chance) / np.sqrt(chance * (1 - chance))
    residual[responses == model.MISSING] = 0
    got = misfit.statistics(responses, fitted, MODELS)
    between = np.corrcoef(residual)
    assert got["largest_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(between)[-1])
    q3 = np.corrcoef(residual.T)[np.triu_indices(ITEMS, 1)]
    assert got["item_correlation"] == pytest.approx(np.sqrt(np.square(q3).mean()))
    same = np.triu(np.equal.outer(MODELS, MODELS), 1)
    assert got["model_correlation"] == pytest.approx(between[same].mean())


def test_models_of_one_row_have_no_correlation_of_checkpoints(expected):
    found = misfit.statistics(*expected[:2], [str(row) for row in range(PERSONS)])
    table = study_misfit._tests(found, pd.DataFrame([found, found])).set_index("statistic")
    row = table.loc["model_correlation"]
    assert np.isnan(row[["observed", "p_adjusted"]].to_numpy(float)).all()
    assert not row["rejected"]


def test_a_floor_is_said_with_its_interval():
    assert "with a chance of 0.25 (0.20 to 0.31): " in misfit.Guessing(0.25, 0.2, 0.31).describe()
    assert "with a chance of 0.25 or more: " in misfit.Guessing(0.25, 0.2, np.nan).describe()


@pytest.mark.parametrize(
    ("fits", "replicates", "known"), [((0, 3), 9, False), ((0, 1, 2), 4, True)]
)
def test_replicates_that_cannot_be_fitted_leave_it_open(monkeypatch, fits, replicates, known):
    count = iter(range(99))

    def fitted_some(*choices):
        return (fit.fit if next(count) in fits else refused)(*choices)

    for module in (misfit, study_misfit):
        monkeypatch.setattr(module, "fit", fitted_some)
    tables = found(bank(), replicates)
    assert tables["misfit"]["p_value"].notna().all() == known
    assert not tables["misfit"]["rejected"].any()
    said = tables["misfit"]["note"].dropna().str.contains("can be fitted to 1 of 9").any()
    assert said != known


def test_p_values_are_adjusted_by_holm_over_the_statistics():
    drawn = pd.DataFrame({name: np.arange(99.0) for name in PAIR})
    table = study_misfit._tests(dict(zip(PAIR, (200.0, 96.5), strict=True)), drawn)
    assert table["p_value"].tolist() == [0.01, 0.03]
    assert table["p_adjusted"].tolist() == [0.02, 0.03]
    assert table["rejected"].tolist() == [True, True]
    table = study_misfit._tests(dict(zip(PAIR, (96.5, 95.5), strict=True)), drawn)
    assert table["rejected"].tolist() == [False, False]


def test_departures_are_named_and_banks_drawn_have_the_floor_that_is_tried(monkeypatch):
    dependent = simulation.testlets(np.random.default_rng(1))[2]
    sentence = misfit.doubt(dependent, simulation.MODELS, "bank")
    assert sentence.startswith(misfit.REJECTED)
    assert sentence.endswith("items that depend on each other")
    responses = simulation.fitting(np.random.default_rng(1))[2]
    floors = []
    original = misfit.replicated

    def watched(cells, fitted, *others):
        for drawn, again in original(cells, fitted, *others):
            floors.append((fitted.floor, again.floor))
            yield drawn, again

    monkeypatch.setattr(misfit, "replicated", watched)
    assert misfit.doubt(responses, simulation.MODELS, "bank", floor=0.01) == ""
    assert floors == [(0.01, 0.01)] * misfit.REPLICATES


def test_a_bank_that_cannot_be_judged_is_said_to_be(monkeypatch):
    responses = simulation.fitting(np.random.default_rng(4))[2]
    fitted = fit.fit(responses)
    one_too_few = [(responses, fitted)] * (misfit.REPLICATES - 1)
    monkeypatch.setattr(misfit, "replicated", lambda *_: iter(one_too_few))
    sentence = misfit.doubt(responses, simulation.MODELS, "bank")
    assert sentence.endswith("it can be fitted to 18 of 38 banks that it draws itself")
    monkeypatch.setattr(misfit, "fit", refused)
    sentence = misfit.doubt(responses, simulation.MODELS, "bank")
    assert sentence == "whether the item response model fits cannot be said: too few"


def test_statistics_count_together():
    """One in twenty banks has one statistic or the other above all; only the largest counts."""
    first, second = np.arange(20.0), np.arange(20.0)
    first[0], second[0] = 40.0, 5.5
    table = pd.DataFrame({"a": first, "b": second, "c": np.nan})
    assert misfit.too_large(table) == ["a"]
    # Another bank is more extreme in the other one.
    assert misfit.too_large(table.assign(b=np.where(np.arange(20) == 7, 90.0, second))) == []
    assert misfit.too_large(pd.DataFrame({"a": np.ones(20)})) == []
    assert misfit.too_large(table.assign(b=first)) == ["a", "b"]
