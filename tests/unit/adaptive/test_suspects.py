import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

from saturation.adaptive import bias as adaptive_bias
from saturation.adaptive import model

FAMILIES = [f"f{number // 5}" for number in range(90)]


def bank(bias=0.0, wrong=0, seed=1, items=300):
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


def second_dimension(responses, ability):
    design = np.column_stack([ability, np.ones(len(ability))])
    place = adaptive_bias.regressed(responses, design, adaptive_bias._WIDE)
    return adaptive_bias.second_dimension(responses, design, place)


def test_slopes_and_clustered_errors_are_those_of_statsmodels(monkeypatch):
    monkeypatch.setattr(adaptive_bias, "_WIDE", 1e4)
    responses, ability = bank(items=6)
    responses[3, 2] = responses[50, 2] = model.MISSING
    design = np.column_stack([ability, np.ones(90)])
    slope, error = slopes(responses, design)
    clusters = np.repeat(np.arange(18), 5)
    for item in range(6):
        seen = responses[:, item] != model.MISSING
        fitted = sm.GLM(responses[seen, item], design[seen], family=sm.families.Binomial()).fit(
            tol=1e-12,
            cov_type="cluster",
            cov_kwds={"groups": clusters[seen], "use_correction": False},
        )
        assert slope[item] == pytest.approx(fitted.params[0], rel=1e-5)
        assert error[item] == pytest.approx(fitted.bse[0] * np.sqrt(18 / 17), rel=1e-3)


def test_wrong_labels_are_found_and_few_others():
    responses, ability = bank(wrong=30)
    found = adaptive_bias.judged(responses, ability, FAMILIES)
    reading = found.items["reading"]
    assert (reading[:30] == adaptive_bias.LABEL).mean() > 0.6
    assert (reading[30:] == adaptive_bias.LABEL).sum() <= 3
    assert not (reading == adaptive_bias.BIAS).any()
    assert 0.5 <= found.one_side < 0.75
    assert not found.shared


@pytest.mark.parametrize("bias", [1.5, 3.0])
def test_a_preferred_answer_is_not_called_a_label_error(bias):
    responses, ability = bank(bias)
    found = adaptive_bias.judged(responses, ability, FAMILIES)
    assert found.shared
    assert found.one_side > 0.9
    assert found.others < found.one_side - 0.2
    assert not (found.items["reading"] == adaptive_bias.LABEL).any()


def test_of_a_shared_bias_the_items_on_its_side_are_said_to_be_so(monkeypatch):
    responses, ability = bank(4.0)
    alone = [str(row) for row in range(90)]
    found = adaptive_bias.judged(responses, ability, alone)
    called = found.items[found.items["reading"] != ""]
    assert (called["p_bh"] <= 0.05).all()
    assert (called["reading"] == adaptive_bias.BIAS).sum() > 10
    monkeypatch.setattr(adaptive_bias, "SHARED", 1.1)
    again = adaptive_bias.judged(responses, ability, alone).items
    assert (again.loc[called.index, "reading"] == adaptive_bias.LABEL).all()


def test_p_values_are_one_sided_with_a_degree_of_freedom_a_family():
    responses, ability = bank(wrong=5)
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


def test_two_families_say_nothing_of_variation_between_them():
    responses, ability = bank(wrong=30)
    for families, known in ((["a"] * 45 + ["b"] * 45, False), (["a", "b", "c"] * 30, True)):
        found = adaptive_bias.judged(responses, ability, families)
        assert found.items["p_value"].notna().any() == known
    alone = adaptive_bias.judged(responses, ability, ["a"] * 90)
    assert (alone.items["reading"] == "").all()
    assert alone.items["clustered_se"].isna().all()


def test_few_negative_slopes_have_no_side():
    responses, ability = bank(wrong=15)
    found = adaptive_bias.judged(responses, ability, FAMILIES)
    assert np.isnan(found.one_side)
    assert np.isnan(found.others)
    assert not found.shared


def test_the_second_dimension_is_beside_ability():
    responses, ability = bank(2.0)
    second = second_dimension(responses, ability)
    assert abs(np.corrcoef(second, ability)[0, 1]) < 1e-8
    assert second.std() == pytest.approx(1)
