"""Items that families find easier or harder: against R, recovery, and what is refused."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from saturation.adaptive import bias
from saturation.adaptive.bias import differential
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.errors import InputError

GOLDEN = Path(__file__).parents[2] / "golden/dif.csv"


def uniform(count, state):
    """Numbers of the golden script's generator, and its next state."""
    drawn = []
    for _ in range(count):
        state = 16807 * state % (2**31 - 1)
        drawn.append(state / (2**31 - 1))
    return np.array(drawn), state


def test_the_score_test_is_that_of_r_s_glm():
    numbers, state = uniform(60, 12345)
    ability = 4 * numbers - 2
    family = np.repeat(["a", "b", "c"], 20)
    columns = []
    for item in range(6):
        numbers, state = uniform(60, state)
        columns.append(numbers < expit(ability - 0.5 + item / 3 * (family == "b")))
    cells = np.column_stack(columns).astype(np.int8)
    groups = np.column_stack([family == "b", family == "c"]).astype(float)
    table = bias._tests(cells, ability, groups, ["a", "b", "c"])
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


def test_items_that_differ_are_found_and_say_who_finds_them_easy():
    given, families = bank(0, 2.5)
    found = differential(given, families, given.respondents)
    assert found.families == ["0", "1", "2"]
    assert found.items["item"].tolist() == given.items
    assert found.items["differs"][:10].mean() >= 0.7
    assert found.items["differs"][10:].mean() <= 0.06
    assert set(found.items["easiest"][:10][found.items["differs"][:10]]) == {"0"}
    assert 1 < found.rounds < bias.MOST_ROUNDS
    assert found.items["spread"][:10].mean() > found.items["spread"][10:].mean() + 0.8


def test_purification_takes_the_items_that_differ_out_of_the_matching(monkeypatch):
    given, families = bank(0, 2.5)
    monkeypatch.setattr(bias, "MOST_ROUNDS", 1)
    once = differential(given, families, given.respondents)
    monkeypatch.undo()
    whole = differential(given, families, given.respondents)
    others = slice(10, None)
    assert whole.items["statistic"][others].mean() < once.items["statistic"][others].mean()


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
