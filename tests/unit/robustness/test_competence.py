import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from saturation.robustness import competence


def drawn(n_models, n_datasets, model_sd, dataset_sd, residual_sd, seed):
    generator = np.random.default_rng(seed)
    model = np.repeat(np.arange(n_models), n_datasets)
    dataset = np.tile(np.arange(n_datasets), n_models)
    x = generator.uniform(0.3, 1, len(model))
    y = (
        -0.16
        + 1.05 * x
        + generator.normal(0, model_sd, n_models)[model]
        + generator.normal(0, dataset_sd, n_datasets)[dataset]
        + generator.normal(0, residual_sd, len(model))
    )
    return pd.DataFrame(
        {
            "model": [f"m{i}" for i in model],
            "dataset": [f"d{i}" for i in dataset],
            "performance": x,
            "output_consistency": y,
        }
    )


def test_crossed_fit_is_that_of_statsmodels():
    pairs = drawn(7, 6, 0.06, 0.05, 0.04, 3).iloc[:-4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = smf.mixedlm(
            "output_consistency ~ performance",
            pairs,
            groups=np.ones(len(pairs)),
            re_formula="0",
            vc_formula={"d": "0 + C(dataset)", "m": "0 + C(model)"},
        ).fit()
    fit = competence.fit_crossed(pairs)
    assert fit.coefficients == pytest.approx(peer.fe_params.to_numpy(), rel=1e-4)
    sds = [fit.dataset_sd, fit.model_sd, fit.residual_sd]
    assert sds == pytest.approx([*np.sqrt(peer.vcomp), np.sqrt(peer.scale)], rel=5e-3)


def test_known_effects_are_recovered():
    fit = competence.fit_crossed(drawn(60, 50, 0.08, 0.03, 0.05, 1))
    assert fit.coefficients[1] == pytest.approx(1.05, abs=0.02)
    assert fit.model_sd == pytest.approx(0.08, rel=0.25)
    assert fit.dataset_sd == pytest.approx(0.03, rel=0.25)
    assert fit.residual_sd == pytest.approx(0.05, rel=0.05)


def test_absent_effects_come_out_as_zero():
    fit = competence.fit_crossed(drawn(9, 6, 0, 0, 0.05, 8))
    assert max(fit.model_sd, fit.dataset_sd) < 0.02


def test_shares_name_the_larger_source_and_add_up():
    pairs = drawn(20, 15, 0.15, 0.0, 0.02, 5)
    shares = competence.variance_shares(pairs, 30, 0.9, np.random.default_rng(0))
    shares = shares.set_index("component")
    assert shares["share"].sum() == pytest.approx(1)
    assert shares.loc["model", "lower"] > shares.loc["dataset", "upper"]


def test_slopes_within_groups_are_those_of_dummy_regressions():
    pairs = drawn(6, 5, 0.05, 0.1, 0.05, 2)
    found = competence.slopes(pairs, 0.95).set_index("reading")
    for reading, group in (("within_dataset", "dataset"), ("within_model", "model")):
        peer = smf.ols(f"output_consistency ~ performance + C({group})", pairs).fit()
        assert found.loc[reading, "slope"] == pytest.approx(peer.params["performance"])
        bounds = found.loc[reading, ["lower", "upper"]].tolist()
        assert bounds == pytest.approx(peer.conf_int().loc["performance"].tolist())
    peer = smf.ols("output_consistency ~ performance", pairs).fit()
    assert found.loc["ols", "r_squared"] == pytest.approx(peer.rsquared)


def test_group_tests_are_type_two_tests():
    pairs = drawn(6, 5, 0.05, 0.1, 0.05, 4).iloc[:-3]
    fit = smf.ols("output_consistency ~ performance + C(model) + C(dataset)", pairs).fit()
    peer = anova_lm(fit, typ=2)
    found = competence.group_tests(pairs).set_index("term")
    for term, name in (("performance", "performance"), ("model", "C(model)")):
        assert found.loc[term, "f"] == pytest.approx(peer.loc[name, "F"])
        assert found.loc[term, "p"] == pytest.approx(peer.loc[name, "PR(>F)"])


def test_a_pair_far_off_the_line_is_named():
    pairs = drawn(9, 6, 0, 0, 0.02, 6)
    pairs.loc[17, "output_consistency"] -= 0.4
    found = competence.outliers(pairs, 0.05)
    assert (
        found.loc[0, ["model", "dataset"]].tolist() == pairs.loc[17, ["model", "dataset"]].tolist()
    )
    assert found["outlier"].tolist() == [True] + [False] * 53
