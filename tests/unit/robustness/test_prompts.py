"""Paraphrases as a factor: against statsmodels, and against what no effect would look like."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from saturation.robustness import consistency


def scores(effect=0.0, paraphrases=30, models=6, seed=0):
    rng = np.random.default_rng(seed)
    wording = rng.normal(0, effect, paraphrases)[:, None]
    ability = np.linspace(0.3, 0.7, models)[None, :]
    chance = np.clip(ability + wording, 0, 1)
    cells = rng.binomial(consistency.ITEMS, chance) / consistency.ITEMS
    place, model = (index.ravel() for index in np.indices(cells.shape))
    return pd.DataFrame(
        {
            "suite": "s",
            "task": "t",
            "paraphrase": place,
            "model": [f"m{number}" for number in model],
            "score": cells.ravel(),
        }
    )


def test_the_analysis_is_that_of_statsmodels():
    table = scores(effect=0.05)
    (row,) = consistency.tests(table).to_dict("records")
    fit = smf.ols("score ~ C(paraphrase) + C(model)", table).fit()
    expected = anova_lm(fit, typ=2)
    assert row["f"] == pytest.approx(expected.loc["C(paraphrase)", "F"])
    assert row["p"] == pytest.approx(expected.loc["C(paraphrase)", "PR(>F)"])
    total = expected["sum_sq"].sum()
    for name, term in (("paraphrase", "C(paraphrase)"), ("model", "C(model)")):
        assert row[name] == pytest.approx(expected.loc[term, "sum_sq"] / total)
    assert row["model"] + row["paraphrase"] + row["interaction"] == pytest.approx(1)


def test_the_share_of_answers_is_that_of_single_right_or_wrong_ones():
    table = scores(effect=0.1, paraphrases=4, models=3)
    rights = (table["score"] * consistency.ITEMS).round().astype(int)
    single = pd.DataFrame(
        {
            "paraphrase": np.repeat(table["paraphrase"], consistency.ITEMS),
            "right": np.concatenate([[1] * k + [0] * (consistency.ITEMS - k) for k in rights]),
        }
    )
    expected = anova_lm(smf.ols("right ~ C(paraphrase)", single).fit())["sum_sq"]
    (row,) = consistency.tests(table).to_dict("records")
    assert row["share_of_answers"] == pytest.approx(expected.iloc[0] / expected.sum())


def test_without_an_effect_the_share_is_what_chance_gives_and_the_test_holds_its_level():
    rows = [consistency.tests(scores(seed=seed)).iloc[0] for seed in range(200)]
    found = pd.DataFrame(rows)
    # Items are drawn anew for each cell here, within models of different ability.
    assert found["share_of_answers"].mean() == pytest.approx(
        found["share_by_chance"].iloc[0], rel=0.1
    )
    assert 0.01 < (found["p"].astype(float) < 0.05).mean() < 0.1
    assert consistency.tests(scores(effect=0.1)).iloc[0]["p"] < 1e-6


def test_spreads_are_of_every_model():
    table = consistency.spreads(scores())
    assert len(table) == 6
    first = scores().query("model == 'm0'")["score"]
    row = table.iloc[0]
    assert row["spread"] == pytest.approx(first.std())
    assert (row["lowest"], row["highest"]) == (first.min(), first.max())
    assert row["by_chance"] == pytest.approx(np.sqrt(first.mean() * (1 - first.mean()) / 100))
    assert table["paraphrases"].eq(30).all()


def test_p_values_are_adjusted_over_the_tasks():
    both = pd.concat([scores(), scores(seed=1).assign(task="u")])
    found = consistency.tests(both)
    assert found["p_holm"].max() >= found["p"].max()
    assert found["p_holm"].min() == pytest.approx(min(1, 2 * found["p"].min()))
