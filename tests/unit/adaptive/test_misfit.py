import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from saturation.adaptive import fit, misfit, model
from saturation.adaptive.responses import Bank
from saturation.errors import InputError

PERSONS, ITEMS = 45, 160
PAIR = ("largest_eigenvalue", "item_correlation")
MODELS = [f"m{number // 5}" for number in range(PERSONS)]


def bank(change=None, seed=0):
    """A bank that follows the model, or one that `change` makes depart from it."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, ITEMS)), random.normal(0, 1, ITEMS)
    logit = a * (random.normal(size=PERSONS)[:, None] - b)
    if change is not None:
        logit = logit + change(random)
    responses = (random.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int8)
    responses[random.random(responses.shape) < 0.03] = model.MISSING
    names = [
        [f"{kind}{number}" for number in range(n)] for kind, n in (("r", PERSONS), ("q", ITEMS))
    ]
    return Bank(*names, responses)


def second_dimension(random):
    return 1.5 * random.normal(size=(PERSONS, 1)) * random.choice([-1, 1], ITEMS)


def checkpoints(random):
    return np.repeat(1.2 * random.normal(size=(PERSONS // 5, ITEMS)), 5, axis=0)


def found(given, replicates=19):
    return misfit.misfit(given, MODELS, "positive", replicates, 1, "bank")


def test_a_bank_that_the_model_draws_is_as_expected():
    tables = found(bank())
    tests = tables.misfit.set_index("statistic")
    assert (tests["p_value"] > 0.05).all()
    assert misfit.reasons(tables.misfit, tables.floors) == []
    assert misfit.sentence([]) == ""
    assert misfit.verdict(tables.misfit, tables.floors) == "no departure from the model was found"
    assert (tables.misfit_items["p_adjusted"] < 0.05).sum() <= 2
    assert tables.misfit_items["infit"].mean() == pytest.approx(
        tables.misfit_items["expected_infit"].mean(), rel=0.02
    )
    assert tables.misfit_respondents[["ability_floor", "ability_floor_se"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("change", "statistic"),
    [(second_dimension, "largest_eigenvalue"), (checkpoints, "model_correlation")],
)
def test_departures_show_in_their_statistic(change, statistic):
    tables = found(bank(change), 79)
    tests = tables.misfit.set_index("statistic")
    assert tests.loc[statistic, "rejected"]
    assert tests.loc[statistic, "p_value"] == pytest.approx(1 / 80)
    assert tests.loc[statistic, "observed"] > tests.loc[statistic, "highest"]
    verdict = misfit.verdict(tables.misfit, tables.floors)
    assert verdict.startswith("the item response model is rejected: ")
    assert misfit.MEANING[statistic].split(": ")[1] in verdict


def test_statistics_are_those_of_their_definitions():
    responses = bank().responses
    fitted = fit.fit(responses)
    chance = model.probability(fitted.ability, fitted.discrimination, fitted.difficulty)
    residual = (responses - chance) / np.sqrt(chance * (1 - chance))
    residual[responses == model.MISSING] = 0
    got = misfit.statistics(responses, fitted, MODELS)
    between = np.corrcoef(residual)
    assert got["largest_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(between)[-1])
    q3 = np.corrcoef(residual.T)[np.triu_indices(ITEMS, 1)]
    assert got["item_correlation"] == pytest.approx(np.sqrt(np.square(q3).mean()))
    pairs = [
        between[i, j]
        for i in range(PERSONS)
        for j in range(i + 1, PERSONS)
        if MODELS[i] == MODELS[j]
    ]
    assert got["model_correlation"] == pytest.approx(np.mean(pairs))


def test_mean_squares_are_those_of_their_definitions():
    responses = bank().responses
    fitted = fit.fit(responses)
    chance = model.probability(fitted.ability, fitted.discrimination, fitted.difficulty)
    for axis, n in ((0, ITEMS), (1, PERSONS)):
        squares = misfit.mean_squares(responses, fitted, axis)
        for place in range(0, n, 17):
            cells, p = (np.take(values, place, 1 - axis) for values in (responses, chance))
            cells, p = cells[cells >= 0], p[cells >= 0]
            weight = p * (1 - p)
            assert squares.infit[place] == pytest.approx(((cells - p) ** 2).sum() / weight.sum())
            assert squares.outfit[place] == pytest.approx(((cells - p) ** 2 / weight).mean())


def test_an_item_that_the_abler_get_wrong_has_the_largest_infit():
    given = bank()
    right = given.responses.sum(axis=1)
    given.responses[:, 11] = right < np.median(right)
    table = found(given, 9).misfit_items.set_index("item")
    assert table["infit"].idxmax() == "q11"


def test_mean_squares_are_compared_with_the_replicates_by_students_t():
    random = np.random.default_rng(2)
    drawn = np.exp(random.normal(0.1, 0.2, (30, 3)))
    squares = misfit.Squares(np.array([1.1, 0.5, 3.0]), np.ones(3))
    table = misfit.squares_table("item", ["a", "b", "c"], squares, drawn)
    for place, row in table.iterrows():
        logs = np.log(drawn[:, place])
        away = (np.log(row["infit"]) - logs.mean()) / (logs.std(ddof=1) * np.sqrt(1 + 1 / 30))
        assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(away), 29))
    np.testing.assert_allclose(
        table["p_adjusted"], multipletests(table["p_value"], method="fdr_bh")[1]
    )
    alike = misfit.squares_table("item", ["a"], misfit.Squares(*np.ones((2, 1))), np.ones((9, 1)))
    assert alike["p_value"].isna().all()


def test_models_of_one_row_have_no_correlation_of_checkpoints():
    tables = misfit.misfit(bank(), [str(row) for row in range(PERSONS)], "positive", 5, 1, "bank")
    row = tables.misfit.set_index("statistic").loc["model_correlation"]
    assert np.isnan(row["observed"])
    assert np.isnan(row["p_adjusted"])
    assert not row["rejected"]


def floors(**changes):
    row = {"floor": 0.25, "floor_lower": 0.2, "floor_upper": 0.31, "gain": 0.02}
    return pd.DataFrame([row | {"lower": 0.01, "upper": 0.03, "needed": True} | changes])


def test_a_floor_that_is_needed_is_used(monkeypatch):
    given = bank()
    plain = fit.fit(given.responses)
    guessed = fit.fit(given.responses, floor=0.1)
    monkeypatch.setattr(misfit, "compare", lambda *_: (floors(), guessed))
    tables = found(given, 3)
    assert misfit.reasons(tables.misfit, tables.floors) == [
        "guessing, with a chance of 0.25 (0.20 to 0.31)"
    ]
    assert misfit.verdict(tables.misfit, tables.floors).startswith(
        "the item response model is rejected: guessing, with a chance of 0.25 (0.20 to 0.31). "
    )
    used = tables.misfit_respondents
    assert used["ability_floor"].tolist() == guessed.ability.tolist()
    assert used["ability_floor_se"].tolist() == guessed.ability_se.tolist()
    assert np.abs(used["ability_floor"] - plain.ability).max() > 0.02


def test_a_title_names_what_speaks_against_the_model():
    tests = pd.DataFrame({"statistic": list(misfit.MEANING), "rejected": [True, False, True]})
    assert misfit.short(tests, floors()) == (
        "the model is rejected: shared residuals, dependent checkpoints, guessing"
    )
    tests["rejected"] = False
    assert misfit.short(tests, floors(needed=False)) == ""
    assert misfit.SHORT.keys() == misfit.MEANING.keys()


def test_a_floor_without_an_upper_end_is_one_or_more():
    assert misfit.guessing(floors(floor_upper=np.nan)) == [
        "guessing, with a chance of 0.25 or more"
    ]
    assert misfit.guessing(floors(needed=False)) == []


def test_replicates_that_cannot_be_fitted_leave_it_open(monkeypatch):
    count = iter(range(99))

    def refused(responses, slopes, share=0.0):
        if next(count) in (0, 3):
            return fit.fit(responses, slopes, share)
        raise InputError("no")

    monkeypatch.setattr(misfit, "fit", refused)
    tables = found(bank(), 9)
    assert tables.misfit["p_value"].isna().all()
    assert not tables.misfit["rejected"].any()
    for table in (tables.misfit_items, tables.misfit_respondents):
        assert table["infit"].notna().all()
        assert table[["expected_infit", "p_value", "p_adjusted"]].isna().all(axis=None)
    verdict = misfit.verdict(tables.misfit, tables.floors)
    assert verdict.startswith(
        "whether the model fits cannot be said: the model can be fitted to 1 of 9"
    )


def test_p_values_are_adjusted_by_holm_over_the_statistics():
    drawn = pd.DataFrame({name: np.arange(99.0) for name in PAIR})
    table = misfit._tests(dict(zip(PAIR, (200.0, 96.5), strict=True)), drawn)
    assert table["p_value"].tolist() == [0.01, 0.03]
    assert table["p_adjusted"].tolist() == [0.02, 0.03]
    assert table["rejected"].tolist() == [True, True]
    table = misfit._tests(dict(zip(PAIR, (96.5, 95.5), strict=True)), drawn)
    assert table["rejected"].tolist() == [False, False]
