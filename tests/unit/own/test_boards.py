"""Cards of real boards: no sentence or number of a card contradicts another."""

import pandas as pd
import pytest

from saturation.files import formats
from saturation.leaderboard import verdict
from saturation.own import card
from studies.boards.names import BOARDS

NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration", "date"]
)


def responses(root, board):
    """The embedded board as the table that importers give."""
    wide = formats.read(root / f"resources/boards/responses/{board}.parquet")
    known = pd.read_csv(root / "resources/boards/evaluations.csv").query("board == @board")
    long = wide.drop(columns="task").melt("item", var_name="evaluation", value_name="response")
    named = long.dropna().merge(known[["evaluation", "model", "run"]], on="evaluation")
    return named.assign(cluster="", configuration="", run=named["run"].astype(str), date="")


def contradictions(made):
    """Sentences on what in a card does not fit together."""
    frontier = made.frontier
    answers = frontier.answers
    index = frontier.index
    apart, same, room = answers.resolution, answers.equivalence, answers.headroom
    best = list(frontier.ties.values())[-1]
    top = apart.models
    with_leader = {model for group in apart.groups if top[0] in group for model in group}
    items = (apart.items_for_any, apart.items_for_all)
    gap = frontier.models[0].score - frontier.models[len(top) - 1].score
    reached = verdict.judge(answers, best.abstains)
    kth_apart = top[-1] not in with_leader
    checks = {
        "verdict and answers": (reached.verdict, reached.reason) == (made.verdict, made.reason),
        # Who is tied is asked of all models, what is separated of the top alone.
        "ties and groups": with_leader <= set(best.group),
        "told apart and groups": (len(apart.groups) == 1) == (apart.separated == 0),
        "more items only where room is left": verdict.ADVICE[made.reason][0] != "more_items"
        or room.answer == "left"
        or made.reason == "too_few_items_to_tell",
        "more items than present": all(
            number is None or number > frontier.power.n_items for number in items
        ),
        "a gap that would show is told apart": kth_apart
        or gap < 1.15 * apart.minimum_detectable_difference,
        "alike and the smallest margin": (same.answer == "equivalent")
        == (same.within is not None and same.within <= same.margin + 1e-4),
        "equivalent and the interval of S": (index.first_and_kth == "equivalent")
        == (index.lower >= index.threshold),
        "separated and the interval of S": index.first_and_kth != "separated"
        or index.upper < index.threshold,
        "alike and the gap": same.answer != "equivalent" or gap < same.margin,
        "room and the best score": room.lower <= frontier.models[0].score <= room.upper,
    }  # fmt: skip
    return [name for name, holds in checks.items() if not holds]


@pytest.mark.parametrize("board", BOARDS)
def test_an_embedded_board(pytestconfig, default_settings, board):
    table = responses(pytestconfig.rootpath, board)
    declared = {"family": "bounded_mean"}
    made = card.assemble(board, NO_SCORES, table, declared, default_settings.top)
    assert contradictions(made) == []
    best = made.frontier.ties["paired"]
    fractional = table[~table["response"].isin([0, 1])].model.unique()
    for row in best.with_leader:
        graded = bool({row.model, best.group[0]} & set(fractional))
        assert row.method != "mcnemar" or not graded, row.model
