"""Two models of one benchmark, and two cards."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from saturation import cli
from saturation.errors import InputError
from saturation.leaderboard import top
from saturation.own import compare, pages, schemas

SETTINGS = top.Settings()
NO_SCORES = pd.DataFrame(columns=list(schemas.SCORES.columns))


def answered(both, one, other, none, names=("a", "b")):
    """Responses with so many items that both, only one, only the other and none solved."""
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, one, other, none], axis=0)
    rows = [(name, f"q{i:04d}", float(value)) for name, column in zip(names, right.T)
            for i, value in enumerate(column)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["model", "item", "response"])
    return table.assign(benchmark="x", cluster="", run="", configuration="", date="")


def compared(responses, names=("a", "b"), **changes):
    declared = {"family": "accuracy", **changes}
    return compare.two_models(names, "x", (NO_SCORES, responses), declared, SETTINGS)


def test_paired_items_give_the_mid_p_test_and_the_adjusted_interval():
    found = compared(answered(300, 40, 20, 140))
    assert (found.better, found.other, found.answer) == ("a", "b", "different")
    assert (found.only_better, found.only_other, found.items) == (40, 20, 500)
    # Mid-p: the two-sided exact value less the probability of what was seen.
    binomial = stats.binom(60, 0.5)
    assert found.p_value == pytest.approx(2 * binomial.cdf(20) - binomial.pmf(20))
    # Bonett and Price (2012), by hand.
    p_one, p_other = 41 / 502, 21 / 502
    half = 1.959964 * np.sqrt((p_one + p_other - (p_one - p_other) ** 2) / 502)
    gap = p_one - p_other
    assert (found.lower, found.upper) == pytest.approx((gap - half, gap + half), abs=1e-6)
    assert found.difference == pytest.approx(0.04)


def test_the_order_of_the_names_and_other_models_change_nothing():
    two = answered(300, 40, 20, 140)
    third = answered(100, 200, 10, 190, names=("c", "d"))
    assert compared(pd.concat([two, third]), ("B", "a")) == compared(two)


def test_answers_and_their_texts_are_those_that_were_read_through(as_reviewed):
    different, few = answered(300, 40, 20, 140), compared(answered(60, 12, 9, 40))
    assert min(few.items_for_difference, few.items_for_equivalence) > 121
    found = [
        compared(different),
        compared(answered(5990, 5, 4, 4001)),
        few,
        compared(answered(480, 9, 6, 5)),
        compared(different.assign(response=different["response"] / 2)),
        replace(few, margin=None, items=None, items_available=np.nan),
        replace(few, equivalent_within=None, items_for_difference=np.inf),
    ]
    assert [one.answer for one in found[:4]] == [
        "different", "equivalent", "undecided", "undecided"
    ]  # fmt: skip
    assert [one.at_the_ceiling for one in found[:4]] == [False, False, False, True]
    said = [compare.text(one, pages.unit_of("accuracy", None)) for one in found]
    as_reviewed("compare.txt", "\n\n".join(said) + "\n")


def test_a_model_that_answered_half_of_the_items_counts():
    table = answered(300, 40, 20, 140)
    half = table[(table["model"] == "a") | (table["item"] < "q0250")]
    assert compared(half).items == 250


def test_scores_with_their_n_are_compared_as_independent():
    scores = pd.DataFrame({
        "model": ["a", "b"], "score": [0.8, 0.7], "n_items": [400.0, 100.0],
        "standard_error": np.nan, "run": "", "configuration": "", "date": None,
    })  # fmt: skip
    found = compare.two_models(
        ("a", "b"), "x", (scores, answered(0, 0, 0, 0)), {"family": "accuracy"}, SETTINGS
    )
    pooled = np.sqrt(0.78 * 0.22 * (1 / 400 + 1 / 100))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(0.1 / pooled))
    assert (found.items, found.items_available) == (None, 100)


def test_votes_give_the_ratings_difference_with_its_clustered_error(tmp_path, capsys):
    rng, names = np.random.default_rng(3), np.array(["1", "01", "c"])
    one, step = rng.integers(0, 3, 400), rng.integers(1, 3, 400)
    other, prompt = (one + step) % 3, rng.integers(0, 40, 400)
    strength = np.array([0.0, 0.9, 0.3]) + rng.normal(0, 0.4, (40, 3))
    chance = 1 / (1 + np.exp(strength[prompt, other] - strength[prompt, one]))
    won = rng.random(400) < chance
    frame = {"model_a": names[one], "model_b": names[other], "prompt": prompt}
    table = pd.DataFrame(frame | {"winner": np.where(won, "model_a", "model_b")})
    table.to_json(tmp_path / "votes.json", orient="records")
    assert cli.main(["compare", "1", "01", str(tmp_path / "votes.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    design = np.eye(3)[one] - np.eye(3)[other]
    logit = sm.Logit(won, design[:, 1:]).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": prompt, "use_correction": False}
    )
    scale = 400 / np.log(10)
    error = scale * logit.bse[0] * np.sqrt(40 / 39)
    assert (found["better"], found["other"]) == ("01", "1")
    assert found["difference"] == pytest.approx(scale * logit.params[0], rel=1e-5)
    half = stats.t.ppf(0.975, 39) * error
    assert found["upper"] - found["difference"] == pytest.approx(half, rel=1e-5)
    p_value = 2 * stats.t.sf(scale * logit.params[0] / error, 39)
    assert found["p_value"] == pytest.approx(p_value, rel=1e-4)
    assert cli.main(["compare", "1", "zebra", str(tmp_path / "votes.json")]) == 1
    assert "no model is called 'zebra'" in capsys.readouterr().err
    (tmp_path / "mixed.json").write_text('[{"winner": 1}, 2]')
    assert cli.main(["compare", "1", "01", str(tmp_path / "mixed.json")]) == 1


@pytest.mark.parametrize(
    ("names", "part"),
    [(("a", "zebra"), "no model is called 'zebra'"), (("a", "A"), "both names are those of")],
)
def test_names_that_cannot_be_used(names, part):
    with pytest.raises(InputError, match=part):
        compared(answered(10, 5, 5, 10), names)


def test_two_cards_and_their_common_models(tmp_path, capsys):
    for name, scores in (("one", [0.8, 0.7, 0.6, 0.5, 0.4]), ("two", [0.7, 0.72, 0.5, 0.4, 0.3])):
        rows = "".join(f"m{i},{score}\n" for i, score in enumerate(scores))
        (tmp_path / f"{name}.csv").write_text("model,score\n" + rows)
        words = [tmp_path / f"{name}.csv", "--family", "accuracy", "--n-items", "500",
                 "--output", tmp_path / name, "--observed-on", "2026-01-01"]  # fmt: skip
        assert cli.main(["card", *map(str, words)]) == 0
    capsys.readouterr()
    assert cli.main(["compare", str(tmp_path / "one"), str(tmp_path / "two"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [about["benchmark"] for about in found["cards"]] == ["one", "two"]
    assert found["spearman"] == pytest.approx(0.9)
    assert found["moved_most"]["m1"] == pytest.approx(0.02)
    assert cli.main(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    assert "common      5 listed models" in capsys.readouterr().out
    assert cli.main(["compare", str(tmp_path / "one"), "nothing"]) == 1
    assert "nothing is no file" in capsys.readouterr().err


def test_a_leaderboard_with_its_number_of_items_is_one_benchmark(tmp_path, capsys):
    path = tmp_path / "board.csv"
    path.write_text("model,accuracy,n\na,0.90,1000\nb,0.70,1000\nc,0.50,1000\n")
    assert cli.main(["compare", "a", "b", str(path), "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert (compared["answer"], compared["better"]) == ("different", "a")
    assert compared["difference"] == pytest.approx(0.2)
