"""The hierarchical Weibull regression: known truth, other software, and what pooling does."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import lifespans
from saturation.forecast.lifespans import Lives


def made(count=1200, kinds=4, spread=0.5, slope=-0.08, shape=1.8, seed=0):
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, spread, kinds)
    effects -= effects.mean()
    kind = rng.integers(0, kinds, count)
    year = rng.integers(-6, 7, count).astype(float)
    life = np.exp(4 + effects[kind] + slope * year) * rng.weibull(shape, count)
    entry = np.where(rng.random(count) < 0.3, rng.uniform(0, 20, count), 0.0)
    until = entry + rng.uniform(12, 90, count)
    there = life > entry
    lives = Lives(np.minimum(life, until), entry, life <= until, year, kind)
    return Lives(*(part[there] for part in lives)), effects


def test_truth_is_recovered_with_its_kinds():
    lives, effects = made()
    drawn = lifespans.draws(lives, np.random.default_rng(1))
    assert drawn.shape == (lifespans.DRAWS, 7)
    middle, error = drawn.mean(axis=0), drawn.std(axis=0)
    assert abs(middle[1] + 0.08) < 3 * error[1]
    assert abs(np.exp(middle[2]) - 1.8) < 0.2
    contrasts = drawn[:, 3:] - drawn[:, 3:].mean(axis=1, keepdims=True)
    assert contrasts.mean(axis=0) == pytest.approx(effects, abs=0.15)


def test_with_one_kind_it_is_the_regression_by_maximum_likelihood():
    lives, _ = made(kinds=1)
    drawn = lifespans.draws(lives, np.random.default_rng(1))
    plain = lifespans.weibull(lives.months, lives.entry, lives.ended, lives.year)
    assert drawn[:, 1].mean() == pytest.approx(plain["slope"], abs=0.3 * plain["slope_error"])
    assert drawn[:, 1].std() == pytest.approx(plain["slope_error"], rel=0.15)


def test_a_kind_of_which_nothing_ended_is_pulled_to_the_others_and_wide():
    lives, _ = made(count=600, kinds=3, spread=0.0)
    new = lives.kind == 2
    quiet = lives._replace(
        ended=lives.ended & ~new, months=np.where(new, lives.entry + 1.0, lives.months)
    )
    drawn = lifespans.draws(quiet, np.random.default_rng(1))
    widths = drawn[:, 3:].std(axis=0)
    assert widths[2] > widths[:2].max()


def spans(lives, end="share"):
    return pd.DataFrame(
        {
            "end": end, "reason": "", "kind": np.array(["a", "b", "c", "d"])[lives.kind],
            "released": pd.to_datetime([f"{2018 + int(year)}-01-01" for year in lives.year]),
            "months": lives.months, "entry": lives.entry, "ended": lives.ended,
        }
    )  # fmt: skip


def test_the_table_holds_each_kind_and_the_change_a_year():
    lives, _ = made(count=500)
    few = spans(lives, "improvement").head(40).assign(ended=False)
    left = spans(lives).assign(reason="it had ended", kind="e")
    table = lifespans.survival(
        pd.concat([spans(lives), few, left]), 2018, 0.95, np.random.default_rng(2)
    )
    assert list(table.columns) == lifespans.SURVIVAL
    assert set(table["end"]) == {"share"}
    assert table["what"].tolist() == ["a", "b", "c", "d", lifespans.CHANGE]
    assert (table["lower"] < table["value"]).all()
    assert (table["value"] < table["upper"]).all()
    (change,) = table[table["what"] == lifespans.CHANGE].to_dict("records")
    assert change["lower"] < np.exp(-0.08) < change["upper"]
    assert change["benchmarks"] == len(lives.months)
    assert table["ended"].iloc[:4].sum() == change["ended"] == lives.ended.sum()


def test_the_median_is_that_of_the_kinds_mean_year():
    lives, effects = made(count=3000, spread=0.3)
    table = lifespans.survival(spans(lives), 2018, 0.95, np.random.default_rng(2))
    first = lives.kind == 0
    expected = np.exp(4 + effects[0] - 0.08 * lives.year[first].mean()) * np.log(2) ** (1 / 1.8)
    assert table["value"].iloc[0] == pytest.approx(expected, rel=0.1)
