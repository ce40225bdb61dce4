from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.adaptive import administration, folds, model, subsets
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.responses import Bank
from studies.adaptive import evaluation
from validation import answers as made_up


def test_the_correlation_is_over_those_who_answered_both():
    first = pd.Series([1.0, 2, 3, 4, 0], index=list("abcde"))
    second = pd.Series([4.0, 1, 3, 2], index=list("dabc"))
    table = evaluation.partners({"x": first, "y": second}, least=0.5)
    assert table["n_respondents"].tolist() == [4, 4]
    # 1 - 6 * (1 + 1) / (4 * 15)
    assert table["spearman"].tolist() == pytest.approx([0.8, 0.8])
    just = table["spearman"].iloc[0]
    for least, serves in ((just, ["y"]), (np.nextafter(just, 1), [])):
        table = evaluation.partners({"x": first, "y": second}, least)
        assert evaluation.serving(table, "x") == serves


def test_a_partner_that_is_named_is_the_only_one():
    same = pd.Series(np.arange(5.0), index=list("abcde"))
    table = evaluation.partners({"a": same, "b": same, "c": -same}, 0.6, {"a": "c"})
    assert [evaluation.serving(table, name) for name in "abc"] == [["c"], ["a"], []]
    alone = evaluation.partners({"a": same}, 0.6)
    assert alone.empty
    assert alone.columns.tolist() == table.columns.tolist()


def test_accuracies_come_in_the_order_of_the_bank():
    respondents = pd.DataFrame({"respondent": ["c", "a", "b"]})
    other = pd.DataFrame({"respondent": ["a", "b"], "accuracy": [0.1, 0.2]})
    found = evaluation.accuracies(respondents, {"x": other, "y": other}, ["x"])
    assert list(found) == ["x"]
    np.testing.assert_array_equal(found["x"], [np.nan, 0.1, 0.2])


WEIGHTED = st.lists(
    st.tuples(st.floats(-5, 5) | st.just(np.inf), st.integers(0, 3)), min_size=1, max_size=9
).filter(lambda rows: any(weight for _, weight in rows))


@given(WEIGHTED)
def test_weights_count_a_value_so_often(rows):
    values, weights = map(np.array, zip(*rows))
    repeated = np.repeat(values, weights)
    for shape in (values, values[None, :]):
        (mean,) = evaluation.mean(shape, weights[None, :])
        assert mean == pytest.approx(repeated.mean())
        (median,) = evaluation.median(shape, weights[None, :])
        assert median == pytest.approx(np.median(repeated))
    assert np.isnan(evaluation.mean(np.array([1.0, 2.0]), np.array([[0, 0]]))).all()


def test_models_are_drawn_with_replacement():
    drawn = evaluation.resample_models(["a", "b", "c"], 500, np.random.default_rng(0))
    assert drawn.sum(axis=1).eq(3).all()
    assert drawn["a"].mean() == pytest.approx(1, abs=0.15)


def test_cells_are_those_of_a_pivot_table_whatever_the_order_of_rows():
    units = [("two", "a"), ("one", "c"), ("one", "a"), ("two", "b")]
    rows = [(*unit, draw, 100 * n + draw) for n, unit in enumerate(units) for draw in (2, 0, 1)]
    table = pd.DataFrame(rows, columns=["bank", "model", "draw", "measure"])
    table.loc[table["measure"] < 100, "measure"] = np.nan
    table = table.sample(frac=1, random_state=0)
    values, models = evaluation.cells(table, ["measure"])["measure"]
    # Models that are measured nowhere fall away.
    expected = table.pivot_table(index="draw", columns=["bank", "model"], values="measure")
    assert values.tolist() == expected.to_numpy().tolist()
    assert models.tolist() == expected.columns.get_level_values("model").tolist()
    assert evaluation.cells(table.assign(measure=np.nan), ["measure"])["measure"][0].size == 0


def test_golden_values():
    curve = np.array([0.0, 2.0, 1.0, 3.0])
    np.testing.assert_allclose(evaluation.total_variation(curve), 4 / 3 * 5 / 3)
    np.testing.assert_allclose(evaluation.monotonicity(curve), 0.8)
    ranks = evaluation.rank_distance(np.array([0.1, 0.5, 0.9]), np.array([3.0, 2.0, 1.0]))
    np.testing.assert_allclose(ranks, [2, 0, 2])
    assert evaluation.total_variation(np.array([1.0, 3.0])) == 2
    assert evaluation.monotonicity(np.array([3.0, 1.0])) == 1
    assert evaluation.total_variation(np.array([1.0, 2.0, 1.0])) == np.inf
    assert evaluation.monotonicity(np.array([1.0, 1.0, 1.0])) == 0
    assert np.isnan(evaluation.total_variation(np.array([1.0])))
    assert np.isnan(evaluation.monotonicity(np.array([1.0])))


def test_measures_of_a_model_are_those_of_its_checkpoints_in_order():
    draws = np.array([[0.2, 0.9, 0.4, 0.1], [0.3, 0.8, 0.4, 0.9]])
    scores = {("random", 2, draw): values for draw, values in enumerate(draws)}
    people = pd.DataFrame({"model": list("yxxy"), "family": "f", "checkpoint": [2, 1, 2, 1]})
    partners = {"p": np.array([1.0, 2.0, 3.0, 4.0]), "q": np.array([4.0, 3.0, 2.0, 1.0])}
    table = evaluation.summarise_models(scores, people, partners)
    assert table["model"].tolist() == ["x", "x", "y", "y"]
    assert table["draw"].tolist() == [0, 1, 0, 1]
    y = table[table["model"] == "y"].set_index("draw")
    # Ranks of draw 0 are 2, 4, 3, 1; of p 1, 2, 3, 4 and of q 4, 3, 2, 1: y is rows 0 and 3.
    assert y.loc[0, "rank_distance"] == pytest.approx(np.mean([(1 + 3) / 2, (2 + 0) / 2]))
    # From 0.1 to 0.2: one rise, which is the whole path, twice for two checkpoints.
    assert y.loc[0, "total_variation"] == pytest.approx(2)
    assert y.loc[0, "monotonicity"] == pytest.approx(1)
    assert evaluation.summarise_models(scores, people, {})["rank_distance"].isna().all()


def measures(**columns):
    table = {"method": "random", "n_items": 10, "draw": 0, "rank_distance": 1.0}
    table |= {"total_variation": 2.0, "monotonicity": 0.5, **columns}
    return pd.DataFrame(table)


def test_a_summary_is_the_mean_over_draws_of_the_mean_or_median_over_models():
    table = measures(
        model=["a", "b", "c"] * 2, draw=[0, 0, 0, 1, 1, 1], total_variation=[1, 2, 6, 3, 4, 11]
    )
    summary = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    assert summary.index.tolist() == list(evaluation.STATISTICS)
    assert summary.loc["total_variation", "value"] == pytest.approx((2 + 4) / 2)
    assert summary.loc["total_variation__mean", "value"] == pytest.approx((3 + 6) / 2)
    assert summary.loc["rank_distance", ["value", "lower", "upper"]].tolist() == [1, 1, 1]
    assert (summary["n_models"] == 3).all()
    assert (summary["draws"] == 2).all()


def test_intervals_hold_the_luck_of_models_and_of_draws():
    """Means of 40 models: the interval is near that of the normal of their standard error."""
    values = np.random.default_rng(1).normal(size=40)
    table = measures(model=[f"m{number:02}" for number in range(40)], monotonicity=values)
    summary = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    error, limits = values.std() / np.sqrt(40), summary.loc["monotonicity", ["lower", "upper"]]
    expected = values.mean() + 1.96 * error * np.array([-1, 1])
    np.testing.assert_allclose(limits.astype(float), expected, atol=0.3 * error)
    # One draw high, one low: the interval reaches from one to the other.
    apart = measures(model=["a", "b"] * 2, draw=[0, 0, 1, 1], monotonicity=[0.1, 0.1, 0.9, 0.9])
    summary = evaluation.summarise(apart, np.random.default_rng(0)).set_index("measure")
    row = summary.loc["monotonicity", ["value", "lower", "upper"]].tolist()
    assert row == pytest.approx([0.5, 0.1, 0.9])


def test_a_model_on_two_banks_is_one_unit():
    table = measures(model=["a", "a"], bank=["one", "two"], rank_distance=[1.0, 3.0])
    row = evaluation.summarise(table, np.random.default_rng(0)).set_index("measure")
    # There is no other model to draw.
    columns = ["value", "n_models", "lower", "upper"]
    assert row.loc["rank_distance", columns].tolist() == [2, 1, 2, 2]


def test_what_is_measured_nowhere_has_no_row():
    table = measures(model=["a", "b"], rank_distance=np.nan)
    found = evaluation.summarise(table, np.random.default_rng(0))
    assert set(found["measure"]) == set(evaluation.STATISTICS) - {"rank_distance"}
    table = table.assign(total_variation=np.nan, monotonicity=np.nan)
    nothing = evaluation.summarise(table, np.random.default_rng(0))
    assert nothing.columns.tolist() == evaluation.SUMMARY
    assert nothing.empty


def test_banks_that_can_be_averaged_over():
    """Those with a partner where one has one; of them those whose random subsets are longest."""
    rows = [
        *(("one", method, 160, 1.0) for method in ("full_accuracy", "full_irt")),
        *(("one", "random", size, 1.0) for size in (10, 50)),
        # Room for a baseline's subset more, or for less; and none that has a partner.
        *(("more", method, size, 1.0) for method, size in (("random", 50), ("fluid", 143))),
        ("small", "random", 10, 1.0),
        ("alone", "random", 50, np.nan),
    ]
    banks = pd.DataFrame(rows, columns=["bank", "method", "n_items", "rank_distance"])
    table = evaluation.comparable(banks)
    assert table["bank"].tolist() == ["one"] * 4 + ["more"] * 2
    assert table["n_items"].tolist() == [0, 0, 10, 50, 50, 143]
    assert set(evaluation.comparable(banks.query("bank == 'alone'"))["bank"]) == {"alone"}


def test_folds_are_on_the_scale_of_the_reference(evaluated):
    """Abilities and items alike: logits are those of the fold's own fit."""
    people, responses, _, _, _ = evaluated
    families, place = people["family"].tolist(), np.linspace(-1, 1, len(people))
    fold, unscaled = (
        folds.folds(responses, families, reference)[0] for reference in (3 * place + 5, place)
    )
    there = (3 * place + 5)[fold.training]
    prior = evaluation.Settings((10,), 1).priors(fold.training_ability)
    assert (prior.mean, prior.sd) == pytest.approx((there.mean(), there.std()))
    assert (prior.lower, prior.upper) == (-np.inf, np.inf)
    chances = [each.items.chance(each.training_ability) for each in (fold, unscaled)]
    np.testing.assert_allclose(*chances, atol=1e-9)


def test_every_respondent_has_a_score_by_every_method(evaluated):
    scores = evaluated[3].scores
    for score in scores.values():
        assert np.isfinite(score).all()
    assert {key[:2] for key in scores} == {
        *product(("full_accuracy", "full_irt"), [160]),
        *product(("random", "random_irt", "anchor_points"), (10, 50)),
        *product(["fluid"], (10, 50, 100, 143)),
        *(("irt_clusters", 100), ("information_filter", 143)),
        *product(("hard_smart", "hard_magi"), [0]),
    }
    assert sum(key[:2] == ("random", 10) for key in scores) == 6


def test_scores_are_those_of_their_definitions(evaluated):
    _, responses, parts, done, _ = evaluated
    np.testing.assert_allclose(done.scores["full_accuracy", 160, 0], responses.mean(axis=1))
    for part in parts:
        own = responses[part.rows]
        prior = evaluation.Settings((10,), 1).priors(part.training_ability)
        test = administration.administer(own, *part.items[:2], 143, prior=prior)
        np.testing.assert_array_equal(done.scores["fluid", 50, 0][part.rows], test.ability[:, 49])
        hard = own[:, responses[part.training].mean(axis=0) < 0.5].mean(axis=1)
        np.testing.assert_allclose(done.scores["hard_magi", 0, 0][part.rows], hard)
        precise = test.se <= np.ptp(part.training_ability) / (len(part.training) - 1)
        for row, stopped in zip(precise, done.stopped[part.rows]):
            assert stopped == (np.flatnonzero(row)[0] + 1 if row.any() else 143)


def test_a_standard_prior_leaves_the_start_and_holds_every_ability(evaluated):
    """The first item lies at the training mean, abilities under N(0, 1) within the limits."""
    _, responses, parts, _, _ = evaluated
    b, ability = parts[0].items.difficulty + 1.5, parts[0].training_ability + 1.5
    moved = replace(parts[0], items=parts[0].items._replace(difficulty=b), training_ability=ability)
    a, own = moved.items.discrimination, responses[moved.rows]
    settings = evaluation.Settings((10,), 2, prior="standard", limits=(-0.4, 0.9))
    done = evaluation.evaluate(responses, [moved], settings, np.random.default_rng(0))
    prior = model.Prior(0.0, 1.0, -0.4, 0.9)
    test = administration.administer(own, a, b, 143, prior=prior, start=ability.mean())
    np.testing.assert_array_equal(done.scores["fluid", 10, 0][moved.rows], test.ability[:, 9])
    at_start = model.information(np.array([ability.mean()]), a, b)[0]
    assert set(done.administrations.items[moved.rows, 0]) == {at_start.argmax()}
    random = done.scores["random_irt", 10, 0][moved.rows]
    assert -0.4 <= random.min() <= random.max() <= 0.9
    whole = done.scores["full_irt", 160, 0][moved.rows]
    np.testing.assert_array_equal(whole, map_ability(own, a, b, prior)[0])


def test_a_small_bank_leaves_out_what_it_has_no_room_for(evaluated):
    people, responses, _, _, _ = evaluated
    small, ability = responses[:, :60], np.linspace(-1, 1, len(people))
    parts = folds.folds(small, people["family"].tolist(), ability)
    settings = evaluation.Settings(sizes=(10, 61), draws=2)
    done = evaluation.evaluate(small, parts, settings, np.random.default_rng(0))
    sized = {key[:2] for key in done.scores if key[0] in ("random", "fluid", "irt_clusters")}
    assert sized == {("random", 10), ("fluid", 10), ("fluid", 50)}
    assert done.administrations.items.shape[1] == 60


@pytest.fixture(scope="module")
def tables():
    """A bank of 30 items with holes, by its own fit and on items from elsewhere."""
    random = np.random.default_rng(2)
    people = made_up.respondents(3, 2)
    ability = made_up.trajectories(people, random)
    a, b = np.exp(random.normal(0.3, 0.3, 30)), random.normal(0, 1, 30)
    responses = made_up.draw(ability, a, b, random)
    responses[0, :25] = model.MISSING
    bank = Bank(people["respondent"].tolist(), [f"q{n}" for n in range(30)], responses)
    items = pd.DataFrame({"item": bank.items, "discrimination": a, "difficulty": b})
    whole = evaluation.Calibration(items.assign(difficulty=b + 100), ability)
    known = evaluation.Calibration(items, np.linspace(-1, 2, 61))
    settings = evaluation.Settings(sizes=(5, 10), draws=7)
    made = (
        evaluation.tables("bank", bank, people, whole, on, {}, settings, 1) for on in (known, None)
    )
    return bank, whole, known, *(SimpleNamespace(**tables) for tables in made)


def test_tables_have_each_step_and_every_draw(tables):
    bank, _, _, known, _ = tables
    steps = known.administrations.groupby("respondent", sort=False)["step"].agg(list)
    assert steps.index.tolist() == bank.respondents
    # The first respondent has five responses, so that its test is five items long.
    assert steps.iloc[0] == [1, 2, 3, 4, 5]
    assert steps.iloc[1] == list(range(1, 31))
    assert set(known.administrations["item"].iloc[:5]) == set(bank.items[25:])
    drawn = known.models.query("method == 'random'")
    assert sorted(drawn["draw"].unique()) == list(range(7))
    assert known.quality.query("method == 'random'")["draws"].iloc[0] == 7


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


def advantage_table(banks=("one", "two"), advantage=1.0, spread=0.2, models=12, seed=0):
    """Fluid is nearer to the partner than random items by the advantage, model by model."""
    rng = np.random.default_rng(seed)
    own = rng.normal(advantage, spread, models)
    methods = [("fluid", 0), *product(("random_irt", "random"), range(3))]
    units = product(banks, range(models), methods, (10, 50))
    names = ["bank", "number", "method", "draw", "n_items"]
    table = pd.DataFrame([(b, m, *which, n) for b, m, which, n in units], columns=names)
    gain = (
        table["method"]
        .map({"random_irt": 0.2, "random": 0.0})
        .fillna(pd.Series(own[table["number"]]))
    )
    noise = rng.normal(0, 0.01, len(table))
    return table.assign(
        model="m" + table["number"].astype(str),
        rank_distance=10 - gain + noise,
        total_variation=2 - gain / 10 + noise,
        monotonicity=0.5 + gain / 10 + noise,
    )


def contrasts(table, seed=1):
    return evaluation.contrasts(table, np.random.default_rng(seed)).set_index("contrast")


def test_values_are_advantages_of_means_over_subsets():
    table = advantage_table()
    means = table.groupby(["method", "n_items", "draw"])[list(evaluation.MEASURES)].mean()
    means = means.groupby(["method", "n_items"]).mean()
    gain = means.loc["random_irt"] - means.loc["fluid"]
    found = contrasts(table)
    # Lower is better; of monotonicity higher.
    for measure, sign in (("rank_distance", 1), ("monotonicity", -1)):
        row = found.loc[f"fluid_over_random_irt_{measure}_50"]
        assert row["value"] == pytest.approx(sign * gain.loc[50, measure])
        assert 0 < row["lower"] < row["value"] < row["upper"]
        assert row["holds"] == 1


def test_models_are_the_units_however_many_banks_they_answered():
    one = advantage_table(["one"])
    many = pd.concat([one.assign(bank=str(bank)) for bank in range(8)])
    columns = ["value", "lower", "upper", "holds"]
    np.testing.assert_allclose(contrasts(many)[columns], contrasts(one)[columns], atol=1e-12)


def test_steps_and_sizes_are_compared():
    table = contrasts(advantage_table())
    # From random to abilities 0.2, from there to selection about 0.8, at both sizes.
    step = table.loc["abilities_over_selection_rank_distance", "value"]
    assert step == pytest.approx(2 * (0.2 - 0.8), abs=0.3)
    early = "fluid_over_random_rank_distance_short_over_long"
    assert table.loc[early, "value"] == pytest.approx(0, abs=0.05)
    assert early not in contrasts(advantage_table()[lambda rows: rows["n_items"] == 10]).index


def test_methods_of_other_sizes_are_compared_where_they_are():
    table = advantage_table()
    extra = table[(table["method"] == "fluid") & (table["n_items"] == 10)]
    table = pd.concat([table, extra.assign(method="anchor_points"), extra.assign(
        method="full_accuracy", n_items=0, rank_distance=0.0)])  # fmt: skip
    rows = contrasts(table)
    assert rows.loc["fluid_10_over_anchor_points_10_rank_distance", "value"] == pytest.approx(0)
    assert rows.loc["fluid_50_over_full_accuracy_0_rank_distance", "upper"] < 0
    assert not rows.index.str.contains("irt_clusters").any()


def test_measures_that_are_missing_have_no_contrast():
    rows = contrasts(advantage_table().assign(rank_distance=np.nan, total_variation=np.inf))
    assert not rows.index.str.contains("rank_distance").any()
    assert rows.index.str.contains("monotonicity").any()
    # Models that end where they began do not break it.
    assert rows.filter(like="total_variation", axis=0)["value"].eq(0).all()


def test_model_based_score_is_accuracy_when_every_item_is_seen():
    rng = np.random.default_rng(0)
    responses = (rng.random((20, 150)) < 0.5).astype(np.int8)
    ability, a, b = rng.normal(size=20), rng.uniform(0.5, 2, 150), rng.normal(size=150)
    everything = subsets.WeightedSubset(np.arange(150), np.full(150, 1 / 150))
    score = evaluation.model_based_score(responses, everything, ability, a, b)
    np.testing.assert_allclose(score, responses.mean(axis=1))
