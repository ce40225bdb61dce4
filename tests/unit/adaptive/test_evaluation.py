from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import administration, evaluation, model, subsets, synthetic
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.responses import Bank
from saturation.errors import InputError


def test_no_fold_sees_the_family_that_it_evaluates(evaluated):
    people, responses, parts, _, _ = evaluated
    covered = np.concatenate([part.rows for part in parts])
    assert sorted(covered) == list(range(len(people)))
    for part in parts:
        held_out, others = people["family"].iloc[part.rows], people["family"].iloc[part.training]
        assert not set(held_out) & set(others)
    changed = responses.copy()
    changed[parts[0].rows] = 1 - changed[parts[0].rows]
    again = evaluation.folds(
        changed, people["family"].tolist(), np.arange(len(people), dtype=float), "positive"
    )
    assert np.corrcoef(again[0].discrimination, parts[0].discrimination)[0, 1] == pytest.approx(1)


def test_folds_are_on_the_scale_of_the_reference(evaluated):
    """Abilities and items alike: logits are those of the fold's own fit."""
    people, responses, _, _, _ = evaluated
    reference = 3 * np.linspace(-1, 1, len(people)) + 5
    fold = evaluation.folds(responses, people["family"].tolist(), reference, "positive")[0]
    there = reference[fold.training]
    assert fold.training_ability.mean() == pytest.approx(there.mean())
    assert fold.training_ability.std() == pytest.approx(there.std())
    prior = evaluation.Settings((10,), 1).priors(fold.training_ability)
    assert (prior.mean, prior.sd) == pytest.approx((there.mean(), there.std()))
    assert (prior.lower, prior.upper) == (-np.inf, np.inf)
    unscaled = evaluation.folds(
        responses, people["family"].tolist(), (reference - 5) / 3, "positive"
    )[0]
    np.testing.assert_allclose(
        model.probability(fold.training_ability, fold.discrimination, fold.difficulty),
        model.probability(unscaled.training_ability, unscaled.discrimination, unscaled.difficulty),
        atol=1e-9,
    )


def test_every_respondent_has_a_score_by_every_method(evaluated):
    scores = evaluated[3].scores
    for score in scores.values():
        assert np.isfinite(score).all()
    assert {key[:2] for key in scores} == {
        ("full_accuracy", 160),
        ("full_irt", 160),
        *((method, size) for method in ("random", "random_irt") for size in (10, 50)),
        *(("fluid", size) for size in (10, 50, 100, 143)),
        *(("anchor_points", size) for size in (10, 50)),
        ("irt_clusters", 100),
        ("information_filter", 143),
        ("hard_smart", 0),
        ("hard_magi", 0),
    }
    assert sum(key[:2] == ("random", 10) for key in scores) == 6


def test_scores_are_those_of_their_definitions(evaluated):
    _, responses, parts, done, _ = evaluated
    np.testing.assert_allclose(done.scores["full_accuracy", 160, 0], responses.mean(axis=1))
    for part in parts:
        own = responses[part.rows]
        prior = evaluation.Settings((10,), 1).priors(part.training_ability)
        test = administration.administer(
            own, part.discrimination, part.difficulty, 143, prior=prior
        )
        np.testing.assert_array_equal(done.scores["fluid", 50, 0][part.rows], test.ability[:, 49])
        hard = subsets.hard_items(responses[part.training], 0.5)
        np.testing.assert_allclose(
            done.scores["hard_magi", 0, 0][part.rows], own[:, hard].mean(axis=1)
        )
        precise = test.se <= np.ptp(part.training_ability) / (len(part.training) - 1)
        for row, stopped in zip(precise, done.stopped[part.rows]):
            assert stopped == (np.flatnonzero(row)[0] + 1 if row.any() else 143)


def test_a_standard_prior_leaves_the_start_and_holds_every_ability(evaluated):
    """The first item lies at the training mean, abilities under N(0, 1) within the limits."""
    _, responses, parts, _, _ = evaluated
    moved = replace(
        parts[0],
        difficulty=parts[0].difficulty + 1.5,
        training_ability=parts[0].training_ability + 1.5,
    )
    a, b, own = moved.discrimination, moved.difficulty, responses[moved.rows]
    settings = evaluation.Settings((10,), 2, prior="standard", limits=(-0.4, 0.9))
    done = evaluation.evaluate(responses, [moved], settings, np.random.default_rng(0))
    prior = model.Prior(0.0, 1.0, -0.4, 0.9)
    test = administration.administer(
        own, a, b, 143, prior=prior, start=moved.training_ability.mean()
    )
    np.testing.assert_array_equal(done.scores["fluid", 10, 0][moved.rows], test.ability[:, 9])
    at_start = model.information(np.array([moved.training_ability.mean()]), a, b)[0]
    assert set(done.administrations.items[moved.rows, 0]) == {at_start.argmax()}
    for method, size in (("fluid", 10), ("random_irt", 10), ("full_irt", 160)):
        score = done.scores[method, size, 0][moved.rows]
        assert score.min() >= -0.4
        assert score.max() <= 0.9
    np.testing.assert_array_equal(
        done.scores["full_irt", 160, 0][moved.rows], map_ability(own, a, b, prior)[0]
    )


def test_random_subsets_are_the_same_for_all_families(evaluated):
    """Whoever answers alike has the same score."""
    _, responses, parts, _, _ = evaluated
    alike = responses.copy()
    first, second = parts[0].rows[0], parts[1].rows[0]
    alike[second] = alike[first]
    settings = evaluation.Settings(sizes=(10,), draws=3)
    done = evaluation.evaluate(alike, parts, settings, np.random.default_rng(0))
    for draw in range(3):
        score = done.scores["random", 10, draw]
        assert score[first] == score[second]


def test_a_fit_that_is_refused_names_the_family_left_out(evaluated):
    people, responses, _, _, _ = evaluated
    alike = responses.copy()
    alike[people["family"] != "family2"] = responses[0]
    with pytest.raises(InputError, match="without the family 'family2': responses: all resp"):
        evaluation.folds(alike, people["family"].tolist(), np.arange(30.0), "positive")


def test_a_small_bank_leaves_out_what_it_has_no_room_for(evaluated):
    _, responses, _, _, _ = evaluated
    people = evaluated[0]
    small = responses[:, :60]
    parts = evaluation.folds(
        small, people["family"].tolist(), np.linspace(-1, 1, len(people)), "positive"
    )
    settings = evaluation.Settings(sizes=(10, 61), draws=2)
    done = evaluation.evaluate(small, parts, settings, np.random.default_rng(0))
    assert {key[:2] for key in done.scores if key[0] in ("random", "fluid", "irt_clusters")} == {
        ("random", 10),
        ("fluid", 10),
        ("fluid", 50),
    }
    assert done.administrations.items.shape[1] == 60


def test_missing_cells_do_not_stop_an_evaluation(evaluated):
    _, responses, parts, _, _ = evaluated
    holes = responses.copy()
    holes[np.random.default_rng(1).random(holes.shape) < 0.2] = model.MISSING
    settings = evaluation.Settings(sizes=(10,), draws=2)
    done = evaluation.evaluate(holes, parts, settings, np.random.default_rng(0))
    assert all(np.isfinite(score).all() for score in done.scores.values())


def test_accuracy_counts_the_cells_that_there_are():
    responses = np.array([[1, 0, -1], [-1, -1, -1], [1, 1, 1]], dtype=np.int8)
    assert evaluation.accuracy(responses).tolist() == [0.5, 0, 1]
    weighted = subsets.WeightedSubset(np.array([0, 1]), np.array([0.25, 0.75]))
    assert evaluation.weighted_accuracy(responses, weighted).tolist() == [0.25, 0, 1]


@pytest.fixture(scope="module")
def tables():
    """A bank of 30 items with holes, by its own fit and on items from elsewhere."""
    random = np.random.default_rng(2)
    people = synthetic.respondents(3, 2)
    ability = synthetic.trajectories(people, random)
    a, b = np.exp(random.normal(0.3, 0.3, 30)), random.normal(0, 1, 30)
    responses = synthetic.draw(ability, a, b, random)
    responses[0, :25] = model.MISSING
    bank = Bank(people["respondent"].tolist(), [f"q{n}" for n in range(30)], responses)
    items = pd.DataFrame({"item": bank.items, "discrimination": a, "difficulty": b})
    whole = evaluation.Calibration(items.assign(difficulty=b + 100), ability)
    known = evaluation.Calibration(items, np.linspace(-1, 2, 61))
    settings = evaluation.Settings(sizes=(5, 10), draws=7)
    return (
        bank,
        whole,
        known,
        evaluation.tables("bank", bank, people, whole, known, {}, settings, 1),
        evaluation.tables("bank", bank, people, whole, None, {}, settings, 1),
    )


def test_tables_say_each_step_that_was_taken(tables):
    bank, _, _, known, _ = tables
    steps = known.administrations.groupby("respondent", sort=False)["step"].agg(list)
    assert steps.index.tolist() == bank.respondents
    # The first respondent has five responses, so that its test is five items long.
    assert steps.iloc[0] == [1, 2, 3, 4, 5]
    assert steps.iloc[1] == list(range(1, 31))
    assert set(known.administrations["item"].iloc[:5]) == set(bank.items[25:])


def test_known_items_are_tested_on_and_nobody_is_held_out(tables):
    bank, _, known, table, own = tables
    a, b = (known.items[name].to_numpy() for name in ("discrimination", "difficulty"))
    first = table.administrations.query("step == 1").iloc[1:]["item"].unique()
    # The mean ability of the models that the items rest on is 0.5.
    best = model.information(np.array([0.5]), a, b)[0].argmax()
    assert first.tolist() == [bank.items[best]]
    assert "anchor_points" not in set(table.models["method"])
    assert "anchor_points" in set(own.models["method"])


def test_stopping_takes_the_difficulties_tested_on(tables):
    """A cell that was not given counts for nothing in the median."""
    bank, whole, known, table, own = tables
    np.testing.assert_array_equal(table.stopping["ability"], whole.ability)
    b = dict(zip(bank.items, known.items["difficulty"]))
    first = table.administrations.query("respondent == @bank.respondents[0]")["item"]
    assert table.stopping["difficulty_given"].iloc[0] == pytest.approx(first.map(b).median())
    assert table.stopping["n_items"].iloc[0] == 5
    assert table.stopping["reached_limit"].iloc[0]
    assert own.stopping["difficulty_given"].min() > 90


def test_scores_of_the_first_draws_are_kept(tables):
    assert sorted(tables[3].scores.query("method == 'random'")["draw"].unique()) == [0, 1, 2, 3, 4]
    assert sorted(tables[3].models.query("method == 'random'")["draw"].unique()) == list(range(7))
    assert tables[3].quality.query("method == 'random'")["draws"].tolist()[0] == 7
