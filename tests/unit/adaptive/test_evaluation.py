import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, figures, model, paper_tables, synthetic


@pytest.fixture(scope="module")
def study():
    random = np.random.default_rng(5)
    people = synthetic.respondents(3, 2)
    ability = synthetic.trajectories(people, random)
    a, b = np.exp(random.normal(0.2, 0.5, 160)), random.normal(0.3, 1, 160)
    responses = synthetic.draw(ability, a, b, random)
    parts = evaluation.folds(responses, people["family"].tolist(), ability, "positive")
    settings = evaluation.Settings(sizes=(10, 50), draws=6)
    done = evaluation.evaluate(responses, parts, settings, np.random.default_rng(0))
    models = evaluation.by_model(done, people, {"itself": ability})
    return people, responses, parts, done, models


def test_no_fold_sees_the_family_that_it_evaluates(study):
    people, responses, parts, _, _ = study
    covered = np.concatenate([part.rows for part in parts])
    assert sorted(covered) == list(range(len(people)))
    for part in parts:
        mine, others = people["family"].iloc[part.rows], people["family"].iloc[part.training]
        assert not set(mine) & set(others)
    changed = responses.copy()
    changed[parts[0].rows] = 1 - changed[parts[0].rows]
    again = evaluation.folds(
        changed, people["family"].tolist(), np.arange(len(people), dtype=float), "positive"
    )
    assert np.corrcoef(again[0].discrimination, parts[0].discrimination)[0, 1] == pytest.approx(1)


def test_every_respondent_has_a_score_by_every_method(study):
    for score in study[3].scores.values():
        assert np.isfinite(score).all()
    methods = {key[0] for key in study[3].scores}
    assert {"full_accuracy", "full_irt", "random", "random_irt", "fluid"} <= methods
    assert {"anchor_points", "irt_clusters", "information_filter", "hard_smart"} <= methods


def test_summary_holds_each_measure_with_its_interval(study):
    summary = evaluation.summarise(study[4], np.random.default_rng(0))
    part = summary[(summary["method"] == "random") & (summary["n_items"] == 50)]
    assert set(part["measure"]) == set(evaluation.STATISTICS)
    finite = summary[np.isfinite(summary["upper"]) & np.isfinite(summary["value"])]
    assert (finite["lower"] <= finite["upper"]).all()
    by_hand = study[4].query("method == 'fluid' and n_items == 50")["rank_distance"].mean()
    found = summary.query("method == 'fluid' and n_items == 50 and measure == 'rank_distance'")
    assert found["value"].item() == pytest.approx(by_hand)


def test_partners_are_matched_by_name_and_chance_does_not_serve():
    names = [f"m{number}" for number in range(30)]
    random = np.random.default_rng(0)
    first = pd.Series(np.arange(30.0), index=names)
    second = (first * 2).sample(frac=1, random_state=1)
    noise = pd.Series(random.random(30), index=names)
    table = evaluation.partners({"a": first, "b": second, "noise": noise}, least=0.6)
    serves = table.set_index(["bank", "partner"])["serves"]
    assert serves["a", "b"]
    assert serves["b", "a"]
    assert not serves["a", "noise"]


def test_a_partner_that_is_named_is_the_only_one():
    same = pd.Series(np.arange(5.0), index=list("abcde"))
    table = evaluation.partners({"a": same, "b": same, "c": -same}, 0.6, {"a": "c"})
    assert table.loc[table["serves"], ["bank", "partner"]].to_numpy().tolist() == [
        ["a", "c"],
        ["b", "a"],
    ]


def test_claims_are_decidable_where_all_they_name_is_computed():
    claims = pd.DataFrame(
        {
            "kind": ["number", "number", "conclusion", "conclusion"],
            "quantity": ["x", "y", None, None],
            "rule": [None, None, "x.lower > 2 * abs(z)", "x > y"],
            "data_needed": ["the data"] * 4,
        }
    )
    needed = paper_tables.decidable(claims, {"x", "z"})["data_needed"]
    assert needed.isna().tolist() == [True, False, True, False]


def test_tables_and_quantities(study):
    models = study[4].assign(bank="one")
    summary = evaluation.summarise(evaluation.comparable(models), np.random.default_rng(0))
    table2 = paper_tables.ablations(summary)
    assert table2.columns.tolist() == ["measure", "method", "items_10", "items_50"]
    assert len(table2) == 9
    table1 = paper_tables.baselines(summary, 50)
    assert set(table1["baseline"]) == {name for name, _ in paper_tables.BASELINES}
    table3 = paper_tables.by_bank({"one": summary}, 50)
    assert table3.columns.tolist() == ["measure", "method", "one"]
    quantities = paper_tables.headline("mine", summary)
    assert quantities["quantity"].is_unique
    assert all(name.isidentifier() for name in quantities["quantity"])
    assert "mine_fluid_total_variation_50__mean" in set(quantities["quantity"])


def test_a_small_bank_does_not_join_the_average(study):
    models = pd.concat([study[4].assign(bank="one"), study[4].assign(bank="small")])
    models = models[(models["bank"] == "one") | (models["n_items"] < 50)]
    assert set(evaluation.comparable(models)["bank"]) == {"one"}


def test_the_length_of_a_baseline_is_not_that_of_the_tests(study):
    """A bank with room for a baseline's subset, but for no test more, joins the average."""
    models = pd.concat([study[4].assign(bank="one"), study[4].assign(bank="smaller")])
    beyond = models["n_items"].between(51, 159)
    assert beyond.any()
    models = models[(models["bank"] == "one") | ~beyond]
    assert set(evaluation.comparable(models)["bank"]) == {"one", "smaller"}


def test_banks_without_partners_are_averaged_over_when_none_has_one(study):
    alone = study[4].assign(bank="one", rank_distance=np.nan)
    assert set(evaluation.comparable(alone)["bank"]) == {"one"}
    both = pd.concat([alone, study[4].assign(bank="two")])
    assert set(evaluation.comparable(both)["bank"]) == {"two"}


@pytest.mark.parametrize("missing", [["rank_distance"], [*paper_tables.MEASURES]])
def test_tables_and_figures_say_what_was_not_measured(study, missing):
    models = study[4].assign(bank="one", **dict.fromkeys(missing, np.nan))
    summary = evaluation.summarise(evaluation.comparable(models), np.random.default_rng(0))
    assert not set(missing) & set(summary["measure"])
    for table in (
        paper_tables.baselines(summary, 50),
        paper_tables.ablations(summary),
        paper_tables.by_bank({"one": summary}, 50),
        paper_tables.headline("mine", summary),
    ):
        assert len(table.columns) >= 2
    drawn = [figures.quality(summary, "mine"), figures.pairs(models, "mine")]
    said = [text.get_text() for axes in drawn[0].axes for text in axes.texts]
    assert said == [f"not measured:\n{figures.NEEDS[name]}" for name in missing]
    assert len(drawn[1].axes) == 2


def test_missing_cells_do_not_stop_an_evaluation(study):
    _, responses, parts, _, _ = study
    holes = responses.copy()
    holes[np.random.default_rng(1).random(holes.shape) < 0.2] = model.MISSING
    settings = evaluation.Settings(sizes=(10,), draws=2)
    done = evaluation.evaluate(holes, parts, settings, np.random.default_rng(0))
    assert all(np.isfinite(score).all() for score in done.scores.values())
