"""The two errors of the gap at the top: of a leaderboard whose truth is known, and the counts."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.files import formats
from saturation.files.tables import load_table
from saturation.leaderboard import runs
from studies.boards import noise, ranked
from studies.boards.names import ORIGINS, SAMPLED
from studies.boards.ranked import Settings

K = Settings(k=2)


@pytest.fixture
def row(made):
    """The row of one board with these shares and answers to an item."""

    def of(board, shares, counts, names="abcdef"):
        answers = dict(zip(names, np.asarray(shares, float).T))
        one = ranked.ranked(board, *made(board, answers, answers_each=counts), 0.8)
        return noise.noise([one], K).iloc[0]

    return of


def test_errors_of_repeated_answers_are_those_of_their_truth(row):
    rng = np.random.default_rng(0)
    n, m = 20_000, 4
    p, q = np.tile([0.9, 0.5], n // 2), np.tile([0.6, 0.6], n // 2)
    found = row("gmat", np.column_stack([rng.binomial(m, p), rng.binomial(m, q)]) / m, [m, m])
    items, answers = np.var(p - q), np.mean(p * (1 - p) + q * (1 - q))
    errors = np.sqrt(np.array([items + answers, items]) / n)
    assert found[["one_run", "items"]].to_list() == pytest.approx(errors.tolist(), rel=0.04)
    assert found["run_share"] == pytest.approx(answers / (items + answers), rel=0.03)


def test_cards_quote_the_parts_of_runs_that_the_embedded_boards_show(request):
    root = request.config.rootpath / "resources/boards"
    evaluations = load_table(root / "evaluations.csv")
    names = [name for name, origin in ORIGINS.items() if origin == SAMPLED]
    responses = {name: formats.read(root / f"responses/{name}.parquet") for name in names}
    boards = ranked.all_ranked(
        responses, evaluations[evaluations["board"].isin(names)], Settings().least_coverage
    )
    shares = noise.noise(boards, Settings()).set_index("board")["run_share"].dropna()
    for kind in (runs.ANY_KIND, *runs.KINDS.values()):
        own = [name for name in shares.index if kind in (runs.ANY_KIND, runs.elsewhere(name))]
        found = shares[own]
        values = [found.min(), found.median(), found.max()]
        assert kind.boards == len(own)
        assert [round(value, 2) for value in values] == [kind.lowest, kind.middle, kind.highest]


def test_single_answers_show_only_the_sum_of_both_errors(row):
    answers = np.column_stack([[1, 1, 1, 0], [0, 1, 0, 0]])
    found = row("swebench_lite", answers, 1)
    assert found["one_run"] == pytest.approx(stats.sem(answers[:, 0] - answers[:, 1]))
    assert found[["items", "run_share"]].isna().all()
    assert found["items_separated"] == found["one_run_separated"]


def test_one_answer_beside_several_is_an_answer_too(row):
    shares = np.array([[0.75, 0], [1, 0], [0.5, 1], [0.75, 0]])
    found = row("gmat", shares, [4, 1])
    spread = np.var(shares[:, 0] - shares[:, 1], ddof=1) + np.mean(
        shares[:, 0] * (1 - shares[:, 0])
    )
    assert found["one_run"] == pytest.approx(np.sqrt(spread / 4))
    assert np.isnan(found["items"])


def test_the_interval_holds_for_all_pairs_and_compares_first_and_kth(row):
    answers = np.tril(np.ones((12, 5)), 3)
    found = row("swebench_lite", answers, 1)
    assert found["times"] == pytest.approx(stats.t.ppf(1 - 0.05 / 2, 11))
    assert found["gap"] == pytest.approx(1 / 12 * (answers[:, 0].sum() - answers[:, 1].sum()))


def test_counts_are_of_recent_leaderboards_and_without_each_source():
    table = pd.DataFrame(
        [
            (True, SAMPLED, True, True, 0.2),
            (True, SAMPLED, False, True, 0.6),
            (True, "Epoch AI", False, False, np.nan),
            (True, "Epoch AI", True, True, np.nan),
            (True, "LiveBench", True, True, np.nan),
            (False, "EvalPlus", True, True, np.nan),
        ],
        columns=["recent", "origin", "one_run_separated", "items_separated", "run_share"],
    )
    found = pd.DataFrame(noise.quantities(table)).set_index("quantity")
    expected = {
        "n_recent_boards": 5, "n_recent_boards__other_sources": 3,
        "n_recent_boards_separated_one_run": 3, "n_recent_boards_separated_items": 4,
        "n_recent_boards_separated_one_run__other_sources": 2, "n_recent_boards_with_runs": 2,
        "run_share_median": 0.4,
    }  # fmt: skip
    assert {name: found.loc[name, "value"] for name in expected} == pytest.approx(expected)
    shares = found.loc["recent_boards_separated_share_one_run", ["value", "lower", "upper"]]
    assert shares.to_list() == pytest.approx([3 / 5, 1 / 2, 2 / 3])


def test_older_and_small_leaderboards_are_not_current(row):
    ten = np.tile(np.linspace(1, 0.1, 10), (12, 1)).round()
    assert row("swebench_lite", ten, 1, "abcdefghij")["recent"]
    assert not row("gsm8k", ten, 1, "abcdefghij")["recent"]
    assert not row("swebench_lite", ten[:, 1:], 1, "bcdefghij")["recent"]
