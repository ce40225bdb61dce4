"""Items that look mislabelled, against statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

from saturation.adaptive import model
from studies.adaptive import bias as adaptive_bias

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
    alone = adaptive_bias.judged(responses, ability, ["a"] * 90)
    assert (alone.items["reading"] == "").all()
    few = adaptive_bias.judged(*answers(wrong=15), FAMILIES)
    assert np.isnan(few.one_side)
    assert not few.shared
