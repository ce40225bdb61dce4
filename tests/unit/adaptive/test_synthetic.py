import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.adaptive import fit, model, synthetic

DISTRIBUTION = {
    "log_discrimination_mean": 0.2,
    "log_discrimination_sd": 0.7,
    "difficulty_mean": 0.5,
    "difficulty_sd": 1.1,
    "correlation": -0.4,
}


def test_items_follow_the_distribution():
    a, b = synthetic.item_parameters(20000, DISTRIBUTION, np.random.default_rng(0))
    assert np.log(a).mean() == pytest.approx(0.2, abs=0.02)
    assert b.std() == pytest.approx(1.1, abs=0.02)
    assert np.corrcoef(np.log(a), b)[0, 1] == pytest.approx(-0.4, abs=0.02)


def test_models_improve_over_training_and_banks_agree():
    people = synthetic.respondents(4, 3)
    random = np.random.default_rng(1)
    shared = synthetic.trajectories(people, random)
    first, last = (shared[people["checkpoint"] == place].mean() for place in (1, 5))
    assert last > first + 0.5
    bank = synthetic.bank_abilities(shared, random)
    assert np.corrcoef(shared, bank)[0, 1] > 0.9
    assert bank.mean() == pytest.approx(0, abs=1e-12)


LIKE = {
    "log_discrimination_mean": 0.1,
    "log_discrimination_sd": 0.5,
    "difficulty_mean": 0.2,
    "difficulty_sd": 1.0,
    "correlation": -0.3,
}
# Whether intervals cover is a matter of validation/.
BANKS, PERSONS, ITEMS = 2, 60, 300


@pytest.fixture(scope="module")
def simulated():
    """Recovery of banks that the model is true of, and their fits with the truth."""
    tables, fits = [], []
    for seed in range(BANKS):
        random = np.random.default_rng(seed)
        ability = random.normal(size=PERSONS)
        ability = (ability - ability.mean()) / ability.std()
        a, b = synthetic.item_parameters(ITEMS, LIKE, random)
        responses = synthetic.draw(ability, a, b, random)
        fitted = fit.fit(responses)
        tables.append(of_fit(fitted, ability, a, b))
        fits.append((fitted, ability, a, b, responses))
    return pd.concat(tables), fits


def of_fit(fitted, ability, a, b):
    items, abilities = (
        pd.DataFrame({name: getattr(fitted, name) for name in names})
        for names in (
            ("discrimination", "discrimination_se", "difficulty", "difficulty_se"),
            ("ability", "ability_se"),
        )
    )
    true_items = pd.DataFrame({"discrimination": a, "difficulty": b})
    table = synthetic.recovery(items, abilities, true_items, pd.DataFrame({"ability": ability}))
    return table.set_index("parameter")


def test_every_fit_recovers(simulated):
    table, _ = simulated
    assert table.loc["ability", "correlation"].min() > 0.98
    assert table.loc["difficulty", "correlation"].min() > 0.9
    assert table.loc["log_discrimination", "correlation"].min() > 0.7


def test_a_signed_fit_finds_the_items_that_mislead(simulated):
    _, ability, a, _, responses = simulated[1][0]
    turned = responses.copy()
    turned[:, :20] = 1 - turned[:, :20]
    fitted = fit.fit(turned, "signed")
    steep = a[:20] > 1
    assert steep.sum() > 5
    assert (fitted.discrimination[:20][steep] < 0).all()
    assert np.corrcoef(fitted.ability, ability)[0, 1] > 0.97
    slope, se = fit.signed_slopes(turned, ability)
    assert (slope[:20][steep] < 0).all()
    assert (se > 0).all()


def test_missing_cells_widen_the_errors(simulated):
    fitted, *_, responses = simulated[1][0]
    holes = responses.copy()
    holes[:30, ::2] = model.MISSING
    less = fit.fit(holes)
    assert np.median(less.ability_se[:30] / fitted.ability_se[:30]) > 1.2
    assert np.median(less.ability_se[30:] / fitted.ability_se[30:]) < 1.1


def test_recovery_by_hand():
    """Errors 0.1, -0.1, 0.3 of abilities with standard errors of 0.1: one of three is beyond."""
    truth = pd.DataFrame({"ability": [-1.0, 0.0, 1.0]})
    abilities = pd.DataFrame({"ability": [-0.9, -0.1, 1.3], "ability_se": [0.1, 0.1, 0.1]})
    true_items = pd.DataFrame({"discrimination": [1.0, np.e], "difficulty": [0.0, 1.0]})
    items = pd.DataFrame(
        {
            "discrimination": [1.0, np.e**2],
            "discrimination_se": [0.5, 0.4 * np.e**2],
            "difficulty": [1.0, 1.5],
            "difficulty_se": [0.6, 0.1],
        }
    )
    table = synthetic.recovery(items, abilities, true_items, truth).set_index("parameter")
    assert table["n"].tolist() == [3, 2, 2]
    ability = table.loc["ability"]
    assert ability["rmse"] == pytest.approx(np.sqrt(0.11 / 3))
    assert ability["mean_se"] == pytest.approx(0.1)
    assert ability["coverage_95"] == pytest.approx(2 / 3)
    assert ability["correlation"] == pytest.approx(
        stats.pearsonr([-1, 0, 1], [-0.9, -0.1, 1.3]).statistic
    )
    slope = table.loc["log_discrimination"]
    assert slope["rmse"] == pytest.approx(np.sqrt(0.5))
    # An error of 1 in logs beside a relative standard error of 0.4.
    assert slope["coverage_95"] == 0.5
    assert slope["mean_se"] == pytest.approx(0.45)


def test_agreement_by_hand():
    posterior = pd.DataFrame(
        {"parameter": "b", "index": [2, 0, 1], "mean": [4.0, 1.0, 2.0], "sd": [0.5, 0.5, 0.2]}
    )
    table = synthetic.agreement(posterior, {"b": pd.Series([1.0, 2.3, 3.5])})
    assert table["n"].item() == 3
    assert table["correlation"].item() == pytest.approx(np.corrcoef([1, 2.3, 3.5], [1, 2, 4])[0, 1])
    assert table["rms_difference"].item() == pytest.approx(np.sqrt((0.3**2 + 0.5**2) / 3))
    assert table["mean_posterior_sd"].item() == pytest.approx(0.4)
    # 0.3 is within two of 0.2, 0.5 within two of 0.5.
    assert table["share_within_two_sd"].item() == 1
    assert synthetic.agreement(posterior, {"b": pd.Series([1.0, 2.5, 4.0])})[
        "share_within_two_sd"
    ].item() == pytest.approx(2 / 3)
