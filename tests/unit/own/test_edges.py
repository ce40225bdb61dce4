"""Numbers that a card or a comparison prints where users stand: each case with its right value."""

import re

import numpy as np
import pandas as pd
import pytest

from saturation import cli
from saturation.leaderboard.top import Settings
from saturation.own import compare, pages

SIZES = [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]


@pytest.fixture
def on_table(run, tmp_path):
    """Run the command on a table; gives back code, output and errors."""

    def command(words, table, *options):
        path = tmp_path / "board.csv"
        table.to_csv(path, index=False)
        return run(*words, path, *options)

    return command


@pytest.fixture
def card(on_table):
    def of(table, *options, family="accuracy"):
        return on_table(["card"], table, "--family", family, "--no-pages", "--yes", *options)

    return of


def scores(share, n, models=6):
    return pd.DataFrame({"model": [f"m{i}" for i in range(models)], "score": share, "n_items": n})


def answers(chance, sizes, models=6, seed=0):
    """Right or wrong answers to items in clusters of these sizes; the last models are worse."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    right = rng.random((models, len(cluster))) < chance - 0.05 * np.arange(models)[:, None]
    rows = [(f"m{model}", f"q{item}", int(right[model, item]), f"c{cluster[item]}")
            for model in range(models) for item in range(len(cluster))]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "item", "response", "cluster"])


@pytest.mark.parametrize(
    ("share", "n", "points"),
    [(1.0, 50, "10.8"), (1.0, 200, "2.7"), (0.98, 200, "5.8"), (0.0, 50, "10.8")],
)
def test_the_detectable_difference_has_the_power_of_the_pooled_test(card, share, n, points):
    code, out, _ = card(scores(share, n), "--score-range", 0, 1)
    assert code == 0
    assert f"for these items: {points} points or more (80 % power" in out


def test_a_gate_takes_the_difference_that_is_detectable(card):
    code, _, err = card(scores(0.98, 200), "--fail-on", "detectable>0.04")
    assert code == 3
    assert "0.0582" in err


def compared(table):
    """The text of a comparison of the two models of a table."""
    first, second = table["model"].unique()
    full = table.assign(cluster="", configuration="", run="", date="")
    none = pd.DataFrame(
        columns=["model", "score", "standard_error", "n_items", "run", "configuration", "date"]
    )
    found = compare.two_models(
        (first, second), "board", (none, full), {"family": "accuracy"}, Settings()
    )
    return compare.text(found, pages.unit_of("accuracy", None))


def test_shared_items_need_their_least_number_of_discordant_ones():
    table = pd.DataFrame(
        [(model, f"q{i}", right) for model, right in (("a", 1), ("b", 0)) for i in range(40)],
        columns=["model", "item", "response"],
    )
    # Two items of 40 were said to be enough; mid-p takes five, and 80 % power 16.2 points.
    assert "16.2 points or more" in compared(table)


def test_one_cluster_of_nearly_all_items_shows_no_error(card):
    code, out, _ = card(answers(0.9, [58, 1, 1]))
    assert code == 0
    assert "no test is possible" in out
    assert "add clusters" in " ".join(out.split())
    assert "not reachable" in out
    first = next(line for line in out.splitlines() if line.startswith("top"))
    low, high = map(float, re.search(r"\(([\d.]+) to ([\d.]+) %\)", first).groups())
    assert 0 <= low < 50 < 95 < high <= 100


def test_one_cluster_is_said_to_show_no_variation(card):
    _, out, _ = card(answers(0.9, [60]))
    assert "one cluster, 'c0'" in out


def test_an_item_in_two_clusters_is_refused_by_its_name(card):
    table = answers(0.9, [5] * 12)
    table.loc[table["model"] == "m1", "cluster"] = "other"
    code, _, err = card(table)
    assert code == 1
    assert "item 'q0' is in two clusters, 'c0' and 'other'" in err


@pytest.mark.parametrize("n", [1, 2, 40])
def test_equal_differences_have_an_interval_within_the_range(n):
    table = pd.DataFrame(
        [(model, f"q{i}", score + 0.1 * (i % 2)) for model, score in (("x", 0.3), ("y", 0.7))
         for i in range(n)],
        columns=["model", "item", "response"],
    )  # fmt: skip
    out = compared(table)
    ends = next(line for line in out.splitlines() if line.startswith("difference"))
    low, high = (
        float(part.split(" points")[0]) for part in ends.split("interval ")[1].split(" to ")
    )
    assert -100 <= low < 40 - 1e-9
    assert 40 + 1e-9 < high <= 100
    detectable = next(line for line in out.splitlines() if line.startswith("detectable"))
    assert "not reachable" in detectable or float(detectable.split()[1]) <= 100


def test_an_uncertain_error_of_runs_is_no_overflow(card):
    rng = np.random.default_rng(0)
    rows = [(f"m{m}", f"q{i}", f"run{r}", int(rng.random() < 0.7 - 0.03 * m))
            for m in range(10) for i in range(12) for r in range(3)]  # fmt: skip
    code, out, err = card(pd.DataFrame(rows, columns=["model", "item", "run", "response"]))
    assert (code, err) == (0, "")
    assert "standard error" in out


def test_votes_that_are_all_ties_are_refused(on_table):
    table = pd.DataFrame({"model_a": ["a"] * 12, "model_b": ["b"] * 12, "winner": ["tie"] * 12})
    for words in (["card"], ["compare", "a", "b"]):
        code, _, err = on_table(words, table)
        assert code == 1
        assert "all 12 votes are ties" in err


def test_votes_without_prompt_and_rater_are_said_to_count_as_independent(on_table):
    table = pd.DataFrame({"model_a": "a", "model_b": "b", "winner": ["a", "b", "a", "tie"] * 10})
    _, out, _ = on_table(["card"], table, "--no-pages", "--yes")
    assert "ratings of 40 votes, ties by" in out
    assert "()" not in out
    assert "by nothing" not in out


@pytest.mark.parametrize("what", ["item", "model"])
def test_copies_under_other_names_are_remarked(card, what):
    table = answers(0.7, [1] * 40, models=12).drop(columns="cluster")
    assert "have the same answers" not in card(table)[1]
    copies = table.assign(**{what: table[what] + " again"})
    _, out, _ = card(pd.concat([table, copies]))
    assert f"{what}s have the same answers as another {what}" in " ".join(out.split())


def test_swe_bench_s_sizes_of_clusters_leave_a_test(card):
    _, out, _ = card(answers(0.8, SIZES))
    assert "no test is possible" not in out
    assert "t tests with clustered errors" in out
    assert f"{len(SIZES)} clusters, the largest with 46 % of the items" in " ".join(out.split())
    _, out, _ = card(answers(0.8, [1] * 40).drop(columns="cluster"))
    assert "cluster" not in out


def test_the_demo_clusters_its_items_by_repository(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["demo"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "500 items of 12 repositories" in out
    assert "12 clusters, the largest with 46 % of the items" in out
    table = pd.read_csv(tmp_path / "swebench_verified.csv")
    assert (table.groupby("cluster")["item"].nunique().max(), table["item"].nunique()) == (231, 500)
