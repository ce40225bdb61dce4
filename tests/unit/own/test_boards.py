"""Cards of real boards: no sentence or number of a card contradicts another."""

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.boards.names import BOARDS
from saturation.files import formats
from saturation.leaderboard import verdict
from saturation.own import card
from saturation.own import pages as own_pages
from saturation.own.study import from_config
from saturation.pages import templates

NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration", "date"]
)


@pytest.fixture(scope="session")
def root(request):
    return request.config.rootpath


@pytest.fixture(scope="session")
def settings(root):
    config = yaml.safe_load((root / "config/config.yaml").read_text(encoding="utf-8"))
    return from_config(config["own"], config["plateau"], config["discriminability"]).top


def responses(root, board):
    """The embedded board as the table that importers give."""
    wide = formats.read(root / f"resources/boards/responses/{board}.parquet")
    known = pd.read_csv(root / "resources/boards/evaluations.csv").query("board == @board")
    long = wide.drop(columns="task").melt("item", var_name="evaluation", value_name="response")
    named = long.dropna().merge(known[["evaluation", "model", "run"]], on="evaluation")
    return named.assign(cluster="", configuration="", run=named["run"].astype(str), date="")


def swe_bench_like():
    """Three models that cannot be told apart, two that are behind: where cards once disagreed."""
    rng = np.random.default_rng(5)
    solved = rng.random(500) < 0.7
    lost = rng.permutation(np.flatnonzero(solved))
    answered = []
    for model in range(25):
        right = solved.copy()
        # The first three each lose two items of their own, the fourth and fifth about thirty.
        right[lost[2 * model : 2 * model + (2 if model < 3 else 28 + model)]] = False
        if model > 4:
            right &= rng.random(500) < 0.8 - 0.02 * model
        answered.append(right)
    frames = [
        pd.DataFrame(
            {"model": f"m{i:02d}", "item": [f"q{j}" for j in range(500)], "cluster": "",
             "run": "", "configuration": "", "date": "", "response": right.astype(float)}
        )
        for i, right in enumerate(answered)
    ]  # fmt: skip
    return pd.concat(frames)


def contradictions(made):
    """Sentences on what in a card does not fit together."""
    frontier, found = made.frontier, card.numbers(made)
    answers = frontier.answers
    index = frontier.index
    apart, same, room = answers.resolution, answers.equivalence, answers.headroom
    best = list(frontier.ties.values())[-1]
    top = apart.models
    with_leader = {model for group in apart.groups if top[0] in group for model in group}
    said = own_pages.answers(frontier, templates.percent, templates.points)
    more = [sentence for sentence in said if "items: about" in sentence]
    needed, present = found["items_needed"], found["items_needed"]["present"]
    gap = frontier.models[0].score - frontier.models[len(top) - 1].score
    reached = verdict.judge(answers, best.abstains)
    kth_apart = top[-1] not in with_leader
    checks = {
        "verdict and answers": (reached.verdict, reached.reason)
        == (made.verdict, made.reason),
        "ties and groups": with_leader == set(top) & set(best.group),
        "told apart and groups": (len(apart.groups) == 1) == (apart.told_apart == 0),
        "all apart and groups of one": (apart.told_apart == apart.pairs)
        == all(len(group) == 1 for group in apart.groups),
        "the k-th is apart and needs items": not (kth_apart and more),
        "more items only if underpowered": bool(more) == (made.verdict == "underpowered"),
        "more items than present": all(
            needed[name] is None or needed[name] > present
            for name in ("any_pair", "every_pair", "alike")
        ),
        "a gap that would show is told apart": kth_apart
        or gap < 1.15 * apart.minimum_detectable_difference,
        "what all pairs can show is no finer than one": apart.minimum_detectable_difference
        >= 0.999 * frontier.power.minimum_detectable_difference,
        "alike and the smallest margin": (same.answer == "alike")
        == (same.within is not None and same.within <= same.margin + 1e-4),
        "S and P on one side of the threshold, or a sentence why not": (
            (index.s_index >= index.threshold) == (index.p_saturated >= 0.5)
        )
        != bool(own_pages.sides(frontier)),
        "a sure P and what equal models would lead by": index.few_right
        or index.p_saturated < 0.95
        or index.all_equal.p_value > 1e-9,
        "P within its range": index.p_saturated_lowest
        <= index.p_saturated
        <= index.p_saturated_highest,
        "a sure P and the interval of S": index.few_right
        or ((index.p_saturated < 0.95 or index.upper >= index.threshold)
        and (index.p_saturated > 0.05 or index.lower < index.threshold)),
        "alike and the gap": same.answer != "alike" or gap < same.margin,
        "room and the best score": room.lower <= frontier.models[0].score <= room.upper,
        "leader's ranks and ties": frontier.models[0].worst_rank >= len(best.group),
        "ties as listed": [m.model for m in frontier.models if m.tied_with_leader]
        == best.group[: len(frontier.models)],
    }  # fmt: skip
    return [name for name, holds in checks.items() if not holds]


@pytest.mark.parametrize("board", BOARDS)
def test_an_embedded_board(root, settings, board):
    table = responses(root, board)
    made = card.assemble(board, NO_SCORES, table, {"family": "bounded_mean"}, settings)
    assert contradictions(made) == []
    best = made.frontier.ties["paired"]
    fractional = table[~table["response"].isin([0, 1])].model.unique()
    for row in best.with_leader:
        graded = bool({row.model, best.group[0]} & set(fractional))
        assert row.method != "mcnemar" or not graded, row.model
    assert made.data.dead_items.items <= made.data.n_items


def test_a_board_of_three_ties_and_a_fifth_that_is_told_apart(settings):
    table = swe_bench_like()
    made = card.assemble("swe", NO_SCORES, table, {"family": "accuracy"}, settings)
    assert contradictions(made) == []
    assert made.verdict == "separates_in_part"
    assert set(card.numbers(made)["tie_group"]) == {"m00", "m01", "m02"}
    # What once contradicted the ties: the paper's index at its alpha.
    assert made.frontier.index.s_index > 0.7
    pair = card.numbers(made)["top_pair"]
    both = table[table["model"].isin([pair["first"], pair["second"]])]
    differ = both.groupby("item")["response"].sum() == 1
    assert pair["discordant_items"] == differ.sum() == pair["only_first"] + pair["only_second"]


@pytest.mark.parametrize("board", ["gpqa_diamond", "swebench_epoch"])
def test_a_partial_run_a_repeat_or_a_weak_model_does_not_flip_the_verdict(root, settings, board):
    table = responses(root, board)
    leader = table.groupby("model")["response"].mean().idxmax()
    own = table[table["model"] == leader]

    def made(extra):
        whole = pd.concat([table, extra])
        return card.assemble(board, NO_SCORES, whole, {"family": "bounded_mean"}, settings)

    before = made(own.iloc[:0])
    partial = own.iloc[:10].assign(model="partial", response=1.0)
    repeat = own.assign(run=own["run"] + " again")
    weak = own.assign(model="weak", response=0.0)
    for extra in (partial, repeat, weak):
        after = made(extra)
        for name in ("verdict", "reason"):
            assert getattr(after, name) == getattr(before, name)
        kept = after.frontier.models[: len(before.frontier.models)]
        numbers = ("model", "score", "standard_error", "lower", "upper", "n_items")
        for one, other in zip(before.frontier.models, kept, strict=True):
            assert [getattr(one, name) for name in numbers] == [
                getattr(other, name) for name in numbers
            ]


def test_ten_items_leave_p_open_where_the_leader_has_three_right(root, settings):
    """FrontierMath's public items: most models solve none, and the first leads by chance or not."""
    table = responses(root, "frontiermath_public")
    made = card.assemble("public", NO_SCORES, table, {"family": "bounded_mean"}, settings)
    index = made.frontier.index
    assert index.few_right
    assert index.s_index < index.threshold
    assert index.p_saturated_lowest < 0.05 < 0.95 < index.p_saturated_highest
    said = own_pages.probability(made.frontier)
    assert "with so few right answers" in said
    assert "because the rest of the board" in own_pages.sides(made.frontier)
