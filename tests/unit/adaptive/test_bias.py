"""Items that look mislabelled, and items that families find easier: against R and statsmodels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit
from statsmodels.stats.multitest import multipletests

from saturation.adaptive import bias as adaptive_bias
from saturation.adaptive import model
from saturation.adaptive.bias import differential
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.errors import InputError

FAMILIES = [f"f{number // 5}" for number in range(90)]


def answers(bias=0.0, wrong=0, seed=1, items=300):
    """Checkpoints of 18 models; some labels wrong; answers drawn to one of two options by bias."""
    random = np.random.default_rng(seed)
    ability = np.tile([-1.5, -0.5, 0, 0.4, 0.7], 18) + np.repeat(random.normal(size=18), 5)
    ability = (ability - ability.mean()) / ability.std()
    preferred = bias * (0.8 * np.repeat(random.normal(size=18), 5) - 0.6 * ability)
    a, b = np.exp(random.normal(0, 0.4, items)), random.normal(-0.5, 1, items)
    logit = a * (ability[:, None] - b) + np.outer(preferred, random.choice([-1, 1], items))
    responses = (random.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int8)
    responses[:, :wrong] = 1 - responses[:, :wrong]
    return responses, ability


def slopes(responses, design):
    place = adaptive_bias.regressed(responses, design, adaptive_bias._WIDE)
    return place[:, 0], adaptive_bias.clustered(responses, design, place, FAMILIES)


def test_slopes_and_clustered_errors_are_those_of_statsmodels(monkeypatch):
    monkeypatch.setattr(adaptive_bias, "_WIDE", 1e4)
    responses, ability = answers(items=6)
    responses[3, 2] = responses[50, 2] = model.MISSING
    design = np.column_stack([ability, np.ones(90)])
    slope, error = slopes(responses, design)
    clusters = np.repeat(np.arange(18), 5)
    for item in range(6):
        seen = responses[:, item] != model.MISSING
        groups = {"groups": clusters[seen], "use_correction": False}
        glm = sm.GLM(responses[seen, item], design[seen], family=sm.families.Binomial())
        fitted = glm.fit(tol=1e-12, cov_type="cluster", cov_kwds=groups)
        assert slope[item] == pytest.approx(fitted.params[0], rel=1e-5)
        assert error[item] == pytest.approx(fitted.bse[0] * np.sqrt(18 / 17), rel=1e-3)


def test_of_a_shared_bias_the_items_on_its_side_are_said_to_be_so(monkeypatch):
    responses, ability = answers(1.5, wrong=30, seed=2)
    alone = [str(row) for row in range(90)]
    found = adaptive_bias.judged(responses, ability, alone)
    assert found.shared
    assert found.others < found.one_side - 0.2
    called = found.items[found.items["reading"] != ""]
    assert (called["p_bh"] <= 0.05).all()
    assert (called["reading"] == adaptive_bias.BIAS).sum() > 10
    assert (called["reading"] == adaptive_bias.LABEL).sum() == 3  # on the other side
    monkeypatch.setattr(adaptive_bias, "SHARED", 1.1)
    again = adaptive_bias.judged(responses, ability, alone).items
    assert (again.loc[called.index, "reading"] == adaptive_bias.LABEL).all()


def test_p_values_are_one_sided_with_a_degree_of_freedom_a_family():
    responses, ability = answers(wrong=5)
    responses[:, 7], responses[:, 8] = 1, 0
    table = adaptive_bias.judged(responses, ability, FAMILIES).items
    design = np.column_stack([ability, np.ones(90)])
    slope, error = slopes(responses, design)
    kept = np.setdiff1d(np.arange(300), [7, 8])
    p = stats.t.cdf(slope / error, 17)[kept]
    np.testing.assert_allclose(table["p_value"][kept], p)
    np.testing.assert_allclose(table["p_holm"][kept], multipletests(p, method="holm")[1])
    np.testing.assert_allclose(table["p_bh"][kept], multipletests(p, method="fdr_bh")[1])
    assert table.loc[[7, 8], ["p_value", "p_holm", "p_bh"]].isna().all(axis=None)
    assert (table.loc[[7, 8], "reading"] == "").all()


def test_too_few_families_and_too_few_negative_slopes_say_nothing():
    responses, ability = answers(wrong=30)
    for families, known in ((["a"] * 45 + ["b"] * 45, False), (["a", "b", "c"] * 30, True)):
        found = adaptive_bias.judged(responses, ability, families)
        assert found.items["p_value"].notna().any() == known
        assert found.items["clustered_se"].notna().all()
    alone = adaptive_bias.judged(responses, ability, ["a"] * 90)
    assert (alone.items["reading"] == "").all()
    assert alone.items["clustered_se"].isna().all()
    few = adaptive_bias.judged(*answers(wrong=15), FAMILIES)
    assert np.isnan(few.one_side)
    assert np.isnan(few.others)
    assert not few.shared


GOLDEN = Path(__file__).parents[2] / "golden/dif.csv"


def test_the_score_test_is_that_of_r_s_glm():
    # Numbers of the golden script's generator.
    drawn = [12345]
    for _ in range(420):
        drawn.append(16807 * drawn[-1] % (2**31 - 1))
    numbers = np.reshape(drawn[1:], (7, 60)) / (2**31 - 1)
    ability, family = 4 * numbers[0] - 2, np.repeat(["a", "b", "c"], 20)
    shift = np.outer(np.arange(6) / 3, family == "b")
    cells = (numbers[1:] < expit(ability - 0.5 + shift)).T.astype(np.int8)
    groups = np.column_stack([family == "b", family == "c"]).astype(float)
    table = adaptive_bias._tests(cells, ability, groups, ["a", "b", "c"])
    golden = pd.read_csv(GOLDEN)
    # The prior that keeps all-right items finite is wide, not flat.
    np.testing.assert_allclose(table["statistic"], golden["statistic"], rtol=2e-3)
    np.testing.assert_allclose(table["p_value"], golden["p_value"], rtol=5e-3)
    assert set(table["degrees"]) == {2}
    assert table["easiest"].iloc[-1] == "b"


def bank(seed, shift, items=60, families=3, models=40):
    random = np.random.default_rng(seed)
    family = np.repeat(np.arange(families), models)
    ability = random.normal(0, 0.7, families)[family] + random.normal(0, 0.7, len(family))
    a, b = np.exp(random.normal(0, 0.4, items)), random.normal(0, 1, items)
    extra = np.zeros((len(family), items))
    extra[np.ix_(family == 0, range(10))] = shift
    chance = expit(a * (ability[:, None] - b) + extra)
    cells = (random.random(chance.shape) < chance).astype(np.int8)
    names = [f"m{row}" for row in range(len(family))]
    return Bank(names, [f"i{item}" for item in range(items)], cells), family.astype(str).tolist()


def test_items_that_differ_are_found_and_taken_out_of_the_matching(monkeypatch):
    given, families = bank(0, 2.5)
    found = differential(given, families, given.respondents)
    assert found.families == ["0", "1", "2"]
    assert found.items["item"].tolist() == given.items
    assert found.items["differs"][:10].mean() >= 0.7
    assert found.items["differs"][10:].mean() <= 0.06
    assert set(found.items["easiest"][:10][found.items["differs"][:10]]) == {"0"}
    assert 1 < found.rounds < adaptive_bias.MOST_ROUNDS
    assert found.items["spread"][:10].mean() > found.items["spread"][10:].mean() + 0.8
    monkeypatch.setattr(adaptive_bias, "MOST_ROUNDS", 1)
    once = differential(given, families, given.respondents)
    assert found.items["statistic"][10:].mean() < once.items["statistic"][10:].mean()


def test_constant_items_and_missing_cells_have_no_say():
    given, families = bank(1, 0.0)
    cells = given.responses.copy()
    cells[:, 3] = 1
    cells[::2, 4] = MISSING
    found = differential(Bank(given.respondents, given.items, cells), families, given.respondents)
    row = found.items.iloc[3]
    assert np.isnan(row["p_value"])
    assert not row["differs"]
    assert np.isfinite(found.items["p_value"].drop(3)).all()


def test_of_a_model_s_checkpoints_the_last_is_taken_and_small_families_are_left_out():
    given, families = bank(2, 0.0, models=10)
    units = [f"u{row // 2}" for row in range(30)]
    # Five models of each family, two checkpoints each: the first of each has no say.
    turned = given.responses.copy()
    turned[::2, 5] = 1 - turned[::2, 5]
    first = differential(given, families, units)
    assert first.families == ["0", "1", "2"]
    other = [name if row < 28 else "3" for row, name in enumerate(families)]
    assert differential(given, other, units).families == ["0", "1"]
    with pytest.raises(InputError, match="1 families have at least 5 models; two are needed"):
        differential(given, ["a"] * 22 + ["b"] * 8, units)
