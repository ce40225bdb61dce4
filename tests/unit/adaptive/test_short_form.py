"""Subsets to take home: how items are drawn, what a score says, and files that are refused."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit
from statsmodels.stats.proportion import proportion_confint

from saturation.adaptive import short_form
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.adaptive.short_form import Design, choose_subset, draw_design, estimated, fitness
from saturation.adaptive.subsets import Items
from saturation.errors import InputError


def some_items(number=60, seed=0):
    random = np.random.default_rng(seed)
    return Items(np.exp(random.normal(0, 0.5, number)), random.normal(0, 1, number))


def answered(items, ability, random, extra=0.0):
    knows = items.discrimination * (np.asarray(ability)[:, None] - items.difficulty) + extra
    return (random.random(knows.shape) < expit(knows)).astype(np.int8)


@given(st.integers(1, 59), st.integers(0, 5))
def test_items_are_drawn_once_from_strata_of_neighbours_that_are_all_served(size, seed):
    items = some_items(seed=seed)
    design = draw_design(items, size, np.random.default_rng(seed))
    assert len(set(design.asked)) == len(design.asked) == size
    assert list(design.asked) == sorted(design.asked)
    assert design.weights.sum() == pytest.approx(1)
    taken = np.bincount(design.stratum[design.asked])
    whole = np.bincount(design.stratum)
    assert len(taken) == len(whole) <= max(1, size // 5)
    # As many of each, but where a stratum has no more.
    assert np.ptp(taken[taken < whole]) <= 1 if (taken < whole).any() else True
    # Strata follow each other by the chance of a right answer.
    chance = items.chance(np.linspace(-2.5, 2.5, 11)).mean(axis=0)
    parts = [chance[design.stratum == number] for number in range(len(whole))]
    assert all(one.max() <= other.min() for one, other in itertools.pairwise(parts))


def test_every_item_is_drawn_as_often_as_its_weight_says():
    items = Items(np.ones(40), np.repeat([-8.0, 0.0], [20, 20]))
    random = np.random.default_rng(1)
    designs = [draw_design(items, 10, random) for _ in range(2000)]
    often = np.mean([np.isin(np.arange(40), one.asked) for one in designs], axis=0)
    stratum = designs[0].stratum
    stated = np.array([5 / (stratum == number).sum() for number in stratum])
    np.testing.assert_allclose(often, stated, atol=0.05)
    # An item that nearly all answer alike is drawn less often.
    assert stated[:20].min() < stated[20:].max()
    assert stated[:20].mean() < stated[20:].mean()


def test_items_that_nobody_misses_are_drawn_too():
    items = Items(np.ones(200), np.repeat([-40.0, 0.0], 100))
    design = draw_design(items, 30, np.random.default_rng(0))
    assert design.weights.max() * 200 < 20


def test_residuals_are_as_if_the_item_had_not_been_asked():
    items = some_items(25)
    cells = answered(items, [0.4], np.random.default_rng(5))
    found = estimated(cells, Design(np.zeros(25, dtype=np.int64), np.arange(25)), items)
    without = np.repeat(cells, 25, axis=0)
    np.fill_diagonal(without, MISSING)
    chance = items.chance(items.ability(without, short_form.NEW)[0]).diagonal()
    raw = cells[0] - items.chance(found.ability)[0]
    far, near = (np.abs(each - (cells[0] - chance)).mean() for each in (raw, found.residual[0]))
    assert near < 0.5 * far


def test_an_estimate_by_hand(monkeypatch):
    monkeypatch.setattr(short_form, "_FEW", -1)
    # Two strata of 4 and 2 items, of which 2 and 1 are asked; no slope, so every chance is a half.
    items = Items(np.full(6, 1e-9), np.zeros(6))
    design = Design(np.array([0, 0, 0, 0, 1, 1]), np.array([0, 1, 4]))
    found = estimated(np.array([[1, 0, 1]], dtype=np.int8), design, items)
    # 1/2 + 4/6 * mean(1/2, -1/2) + 2/6 * 1/2
    assert found.share[0] == pytest.approx(0.5 + 1 / 6)
    weights = (4 / 6) ** 2 * (1 - 2 / 4) / 2, (2 / 6) ** 2 * (1 - 1 / 2)
    # Of one answer the model's variance stands alone; of two that found has one degree.
    between, stated = weights[0] * 0.5 + weights[1] * 0.25, sum(weights) * 0.25
    assert found.degrees[0] == 11
    assert found.error[0] ** 2 == pytest.approx((1 * between + 10 * stated) / 11)
    lower, upper = found.interval()
    share, quantile = 2 / 3, stats.t.ppf(0.975, 11)
    effective = share * (1 - share) / found.error[0] ** 2
    alpha = 2 * stats.norm.sf(stats.norm.ppf(0.975))
    scaled = effective * (stats.norm.ppf(0.975) / quantile) ** 2
    expected = proportion_confint(share * scaled, scaled, alpha, method="wilson")
    # Two items are known to be right, one to be wrong.
    assert (lower[0], upper[0]) == pytest.approx((max(expected[0], 2 / 6), min(expected[1], 5 / 6)))
    # Nothing of the second stratum is answered: it is taken for such as the rest.
    some = estimated(np.array([[1, 1, MISSING]], dtype=np.int8), design, items)
    assert some.share[0] == pytest.approx(1.0)
    # Of two models the answers' differences count: 1 and 0 in the first stratum.
    both = estimated(np.array([[1, 0, 1], [0, 0, 1]], dtype=np.int8), design, items)
    value, lower, upper = short_form.difference(both, design, 0, 1)
    assert value == pytest.approx(1 / 3)
    error = np.sqrt(0.5 * sum(weights))
    assert (upper - value, value - lower) == pytest.approx([quantile * error] * 2)
    # A share of the first stratum alone.
    counted = np.array([[True] * 4 + [False] * 2])
    part = estimated(np.array([[1, 1, 1]], dtype=np.int8), design, items, counted=counted)
    assert part.share[0] == pytest.approx(1.0)


def test_limits_of_a_draw_are_those_of_counting():
    """Of 12 items 5 are drawn, 4 of them right: sums of products of binomial coefficients."""

    def chances(right):
        ways = [math.comb(right, hit) * math.comb(12 - right, 5 - hit) for hit in range(6)]
        return np.array(ways) / math.comb(12, 5)

    plausible = [
        right
        for right in range(4, 12)
        if min(chances(right)[4:].sum(), chances(right)[:5].sum()) >= 0.025
    ]
    expected = min(plausible) / 12, max(plausible) / 12
    assert short_form.draw_limits(4, 5, 12) == pytest.approx(expected)
    assert short_form.draw_limits(5, 5, 5) == (1.0, 1.0)


@pytest.mark.parametrize("wrong", range(6))
def test_interval_contains_the_limits_of_the_draw_where_few_answers_are_wrong(wrong):
    """The item model is sure of every answer, so its own error is next to nothing."""
    items = Items(np.full(300, 3.0), np.full(300, -4.0))
    stratum = np.repeat(np.arange(8), [38, 38, 38, 38, 37, 37, 37, 37])
    asked = np.concatenate([np.flatnonzero(stratum == part)[:5] for part in range(8)])
    cells = np.ones((2, 40), dtype=np.int8)
    cells[0, :wrong] = 0
    cells[1] = 1 - cells[0]
    (low, _), (high, _) = estimated(cells, Design(stratum, asked), items).interval()
    lower, upper = short_form.draw_limits(40 - wrong, 40, 300)
    assert (low <= lower and high >= upper) == (wrong <= short_form._FEW)
    assert (high == 1.0) == (wrong == 0)


def test_a_bank_that_is_asked_whole_has_its_share_right_and_no_error():
    items = some_items()
    cells = answered(items, [-1.0, 0.0, 3.0], np.random.default_rng(2))
    found = estimated(cells, Design(np.repeat([0, 1], 30), np.arange(60)), items)
    np.testing.assert_allclose(found.share, cells.mean(axis=1))
    np.testing.assert_allclose(found.interval(), [cells.mean(axis=1)] * 2)


@pytest.fixture(scope="module")
def bank(family_answers):
    return family_answers()


def test_errors_of_differences_are_those_of_draws(bank):
    given, families = bank
    form = choose_subset("mine", given, families, 40, NONE)
    stated = short_form.pairs(given, families, form.items, form.design)
    # By the definition: 80 % power at 5 %.
    quantiles = stats.norm.ppf([0.975, 0.8]).sum()
    assert form.smallest_difference == pytest.approx(quantiles * np.median(stated.error))
    random, found = np.random.default_rng(6), []
    one, other = np.triu_indices(28, 1)
    names = np.array(families)
    kept = names[one] != names[other]
    for _ in range(300):
        design = draw_design(form.items, 40, random)
        share = estimated(given.responses[:, design.asked], design, form.items).share
        found.append((share[one] - share[other])[kept])
    right = given.responses.mean(axis=1)
    np.testing.assert_allclose(stated.apart, np.abs(right[one] - right[other])[kept])
    made = np.sqrt(np.mean((np.array(found) - (right[one] - right[other])[kept]) ** 2, axis=0))
    assert np.mean(stated.error) == pytest.approx(np.mean(made), rel=0.05)


def test_orders_by_hand():
    found = short_form.orders(
        short_form.Pairs(np.array([0.0, 0.03, 0.3]), np.array([0.1, 0.03, 0.0]))
    )
    assert found["pairs"].tolist() == [1, 1, 1]
    assert found["to"].tolist() == [0.02, 0.05, 1.0]
    assert found["kept"].tolist() == pytest.approx([0.5, stats.norm.cdf(1), 1.0])
    assert found["shown"].tolist() == pytest.approx([0.025, stats.norm.cdf(1 - 1.96), 1], abs=1e-5)


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (4, "4 items; expected 5 to 99"),
        (100, "100 items; expected 5 to 99"),
        (5, None),
        (99, None),
    ],
)
def test_sizes_that_are_too_few_or_too_many(bank, size, sentence):
    if sentence is None:
        form = choose_subset("mine", *bank, size, NONE)
        assert len(form.design.asked) == size
        return
    with pytest.raises(InputError, match=sentence):
        choose_subset("mine", *bank, size, NONE)


def test_a_bank_half_of_whose_models_lack_the_hard_items_is_taken(bank):
    given, families = bank
    hard = given.responses.mean(axis=0) < 0.4
    cells = given.responses.copy()
    cells[np.ix_(np.arange(0, 28, 2), hard)] = MISSING
    lacking = Bank(given.respondents, given.items, cells)
    form = choose_subset("mine", lacking, families, 50, NONE)
    answers = dict(zip(given.items, given.responses[0].tolist()))
    one = short_form.score(form, answers)
    assert one.lower < given.responses[0].mean() < one.upper


def test_a_seed_draws_other_items_and_the_same_again(bank):
    first, again, other = (
        choose_subset("mine", *bank, 30, NONE, seed).design.asked.tolist() for seed in (0, 0, 1)
    )
    assert first == again != other


def test_fitness_by_hand():
    """Log-likelihood of a right and a wrong answer less its expectation, in its deviations."""
    items = Items(np.array([1.0, 2.0, 1.0]), np.array([0.0, 0.5, 0.0]))
    p = expit([1.0, 1.0])
    right, wrong = np.log(p), np.log(1 - p)
    spread = np.sqrt((p * (1 - p) * (right - wrong) ** 2).sum())
    excess = right[0] + wrong[1] - (p * right + (1 - p) * wrong).sum()
    found = fitness(np.array([[1, 0, MISSING]], dtype=np.int8), np.array([1.0]), items)
    assert found[0] == pytest.approx(excess / spread)


@pytest.fixture(scope="module")
def made(bank):
    """A subset, and the answers of a family that it does not know."""
    given, families = bank
    known = Bank(given.respondents[:-4], given.items, given.responses[:-4])
    new = [dict(zip(given.items, map(int, row))) for row in given.responses[-4:]]
    return choose_subset("mine", known, families[:-4], 40, Guessing(0.05, 0.01, 0.1)), new


LOST = object()


@pytest.fixture
def changed(made, tmp_path):
    """A function that writes the subset's file, with some of its parts changed or left out."""

    def written(change):
        short_form.write(made[0], tmp_path)
        path = tmp_path / "scorer.json"
        content = json.loads(path.read_text()) | change
        kept = {key: part for key, part in content.items() if part is not LOST}
        path.write_text(json.dumps(kept))
        return path

    return written


def test_written_and_read_back_it_scores_the_same(made, tmp_path):
    form, new = made
    open_above = replace(form, guessing=form.guessing._replace(upper=np.nan))
    assert short_form.write(open_above, tmp_path) == ["items.csv", "scorer.json"]
    again = short_form.load(tmp_path / "scorer.json")
    assert again.items.floor == again.guessing.value == 0.05
    assert np.isnan(again.guessing.upper)
    for answers in new:
        one, other = short_form.score(form, answers), short_form.score(again, answers)
        numbers = [(each.ability, each.accuracy, each.lower, each.upper) for each in (one, other)]
        assert numbers[0] == pytest.approx(numbers[1], abs=1e-7)
    table = pd.read_csv(tmp_path / "items.csv")
    assert list(table) == ["item", "weight", "discrimination", "difficulty"]
    assert table["weight"].sum() == pytest.approx(1)
    path = tmp_path / "scorer.json"
    path.write_text(path.read_text(), encoding="utf-8-sig")
    assert short_form.load(path).bank == "mine"


@pytest.mark.parametrize("key", ["respondents", "families"])
def test_a_count_in_the_file_is_at_least_one(changed, key):
    assert getattr(short_form.load(changed({key: 1})), key) == 1
    with pytest.raises(InputError, match=f"scorer.json: {key}: "):
        short_form.load(changed({key: 0}))


def test_items_named_as_the_harness_does_are_its_samples(made, tmp_path):
    named = ["mmlu/3", "mmlu/1", "a/b/2"]
    assert short_form.samples(named) == {"mmlu": [3, 1], "a/b": [2]}
    for other in ("q1", "mmlu/x", "/3", "3"):
        assert short_form.samples([*named, other]) is None
    form, _ = made
    toy = replace(form, names=[f"toy/{n}" for n in range(len(form.names))])
    assert short_form.write(toy, tmp_path) == ["items.csv", "samples.json", "scorer.json"]
    found = json.loads((tmp_path / "samples.json").read_text())
    assert found == {"toy": form.design.asked.tolist()}


def test_a_score_is_the_estimate_within_what_the_answers_leave_possible(made):
    form, new = made
    cells = np.array([[new[0][form.names[item]] for item in form.design.asked]], dtype=np.int8)
    found = estimated(cells, form.design, form.items)
    one = short_form.score(form, new[0])
    assert (one.answered, one.ability) == (40, found.ability[0])
    assert (one.accuracy, one.ability_se) == (found.share[0], found.ability_se[0])
    lower, upper = found.interval()
    assert (one.lower, one.upper) == (lower[0], upper[0])
    assert one.lower < np.mean(list(new[0].values())) < one.upper
    best = short_form.score(form, dict.fromkeys(form.names, 1))
    assert best.upper == 1.0
    assert best.lower > 0.8
    worst = short_form.score(form, dict.fromkeys(form.names, 0))
    assert worst.lower == 0.0
    assert worst.upper < 0.2
    # 40 of 100 items are known to be right, or wrong.
    assert best.lower >= 0.4
    assert worst.upper <= 0.6


def test_models_are_compared_in_the_order_of_their_shares(made):
    form, new = made
    found = short_form.compared(form, {f"m{n}": answers for n, answers in enumerate(new)})
    shares = {f"m{n}": short_form.score(form, own).accuracy for n, own in enumerate(new)}
    order = sorted(shares, key=lambda name: -shares[name])
    assert [(one.one, one.other) for one in found] == list(itertools.pairwise(order))
    for pair in found:
        assert pair.value == pytest.approx(shares[pair.one] - shares[pair.other])
        assert pair.lower < pair.value < pair.upper


def test_answers_unlike_all_others_and_those_that_lack_are_said_to_be(made):
    form, new = made
    chosen = [form.names[item] for item in form.design.asked]
    hard = form.items.difficulty > np.median(form.items.difficulty)
    turned = {name: int(hard[number]) for number, name in enumerate(form.names)}
    one = short_form.score(form, {name: turned[name] for name in chosen})
    assert one.fitness < form.worst_fit
    assert "unlike those of all 24 models" in one.notes[-1]
    half = {name: new[0][name] for name in chosen[:20]}
    some = short_form.score(replace(form, doubt="it is rejected"), half)
    assert some.answered == 20
    assert [note.split()[0] for note in some.notes[:3]] == ["right", "it", "20"]
    half.pop(chosen[0])
    with pytest.raises(InputError, match="19 of the subset's 40 items"):
        short_form.score(form, half)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"i1": 2}, "item 'i1' has the answer 2; expected 0"),
        ({"elsewhere": 1}, "item 'elsewhere' is not in the bank 'mine'"),
    ],
)
def test_answers_that_are_none_are_refused(made, answers, sentence):
    with pytest.raises(InputError, match=sentence):
        short_form.score(made[0], answers)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "x"}, "is not a 'saturation subset'"),
        ({"version": 3}, "version 3; this program reads version 4"),
        ({"worst_fit": -np.inf}, "-Infinity is no number"),
        ({"families": 0}, "families: 0 is less"),
        ({"discrimination": [1.0]}, "do not belong together"),
        ({"discrimination": [0.0] * 100}, "discrimination.0: "),
        ({"covariance": [[1.0, 2.0, 1.0]] * 100}, "do not belong together"),
        ({"covariance": [[1.0, 2.0]] * 100}, "covariance.0: "),
        ({"stratum": [0] * 99 + [1]}, "do not belong together"),
        ({"stratum": [0] * 99 + [-1]}, "stratum.99: "),
        ({"subset": [f"x{n}" for n in range(40)]}, "do not belong together"),
        ({"subset": ["i1"] * 40}, "do not belong together"),
        ({"items": ["i1"] * 100}, "do not belong together"),
        ({"floor": {"value": 1.0, "lower": 0.1, "upper": 0.2}}, "floor.value: "),
        ({"floor": {"value": 0.3, "lower": 0.1, "upper": 0.2}}, "do not belong together"),
        ({"floor": {"value": 0.1, "lower": 0.2, "upper": 0.3}}, "do not belong together"),
        ({"floor": {"value": 0.1, "lower": None, "upper": 0.2}}, "floor.lower: "),
        *(({name: LOST}, f"'{name}' is a req") for name in ("floor", "stratum")),
    ],
)
def test_a_damaged_file_is_refused(changed, change, sentence):
    path = changed(change)
    with pytest.raises(InputError, match=sentence):
        short_form.load(path)
    path.write_text(path.read_text()[:9])
    with pytest.raises(InputError, match="not whole JSON"):
        short_form.load(path)
    with pytest.raises(InputError, match="cannot be read"):
        short_form.load(path.parent / "none.json")
