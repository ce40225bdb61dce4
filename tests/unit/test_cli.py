"""The console command: what it prints, where it writes, how it refuses."""

import io
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import saturation
from saturation import cli
from saturation.adaptive import folds
from saturation.commands import card as card_command
from saturation.index import interval_of_proportions
from saturation.leaderboard.read import registry
from saturation.own import imports

EXAMPLE = Path(__file__).parents[2] / "resources/own/example"
SCORES = "".join(f"m{i},{score},500\n" for i, score in enumerate([0.85, 0.78, 0.7, 0.6, 0.5]))


@pytest.fixture
def leaderboard(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("model,score,n_items\n" + SCORES)
    return path


def test_a_reader_that_wants_no_more_gets_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "saturation.cli", "formats"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


class TestIndex:
    def test_the_readme_s_example(self, run):
        # Hand: SE = sqrt((0.992 x 0.008 + 0.982 x 0.018) / sqrt(500)) = 0.033808; R = 0.29579;
        # S = exp(-R^2) = 0.916.
        words = ("index", "--s-1", 0.992, "--s-k", 0.982, "--n", 500)
        code, text, errors = run(*words)
        assert (code, errors) == (0, "")
        assert text.startswith("S 0.916 (95 % interval 0.664 to 1.000), very high\nundecided: ")
        # R^2 = 0.01^2 x 500 / (0.992 x 0.008 + 0.982 x 0.018) = 1.9519
        lines = run(*words, "--alpha", 1)[1].splitlines()
        assert (lines[0][:8], lines[0][-5:]) == ("S 0.142 ", ", low")
        # The level is that of one pair: of three models these would be undecided.
        words = ("index", "--s-1", 0.9, "--s-k", 0.8, "--n", 170, "--alpha", 1, "--json")
        found = json.loads(run(*words)[1])
        ends = interval_of_proportions(0.9, 0.8, 170, 170, 1.0)
        assert (found["decision"], found["bin"]) == ("separated", "very low")
        assert [found["lower"], found["upper"]] == pytest.approx(list(map(float, ends)))

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [(("--s-1", 99, "--s-k", 0.9, "--n", 10), "[0, 1]"),
         (("--s-1", 0.9, "--s-k", 0.8, "--n", 0), "1"),
         (("--s-1", "nan", "--s-k", 0.8, "--n", 10), "--s-1 is nan"),
         (("--s-1", 0.9, "--s-k", 0.8, "--n", 10, "--alpha", -1), "--alpha is -1")],
    )  # fmt: skip
    def test_values_that_cannot_be_are_refused(self, run, words, sentence):
        code, text, errors = run("index", *words)
        assert (code, text) == (1, "")
        assert errors.startswith("Error: ")
        assert sentence in errors


def test_the_table_of_commands_says_the_limit_of_answers():
    said = cli.COMMANDS["card"].arguments["--items"]["help"]
    assert f"more than {card_command.MOST_ANSWERS:,} answers" in said


def test_an_option_names_a_value_that_is_no_number_of_items(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["card", "x.csv", "--n-items", "many"])
    assert "--n-items: 'many' is not a number of items" in capsys.readouterr().err


class TestCard:
    def test_verdict_ties_and_what_the_items_can_show(self, run, leaderboard):
        code, text, errors = run(
            "card", leaderboard, "--family", "accuracy", "--score-range", 0, 1,
            "--observed-on", "2026-01-31", "--name", "mine", "--no-pages",
        )  # fmt: skip
        assert (code, errors) == (0, "")
        lines = text.splitlines()
        assert lines[0] == "mine: SEPARATES, as of 2026-01-31"
        assert "data        5 models, 500 items, accuracy" in lines
        (top,) = [line for line in lines if line.startswith("top         m0   85.0 %  (")]
        assert top.endswith("rank 1")

    def test_files_say_what_nobody_declares(self, run, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        code, text, errors = run("card", *sorted(EXAMPLE.glob("lm_eval/*/*.json*")))
        assert (code, errors) == (0, "")
        lines = text.splitlines()
        assert lines[0] == "synthetic_task: SEPARATES IN PART, as of 2026-01-01"
        assert lines[-1] == "pages       cards/synthetic_task/card.html"
        assert len(lines) <= 26
        assert max(map(len, lines)) <= 100
        assert "the metric's family is taken to be accuracy" in text
        assert (tmp_path / "cards/synthetic_task/card.html").is_file()

    def test_what_is_open_is_asked_at_once_with_one_command_that_settles_it(self, run, tmp_path):
        path = tmp_path / "board.csv"
        path.write_text("model,win_rate,accuracy (%)\n" + "".join(
            f"m{i % 9},{90 - i},{90 - 2 * i}\n" for i in range(10)))  # fmt: skip
        code, text, errors = run("card", path, "--no-pages")
        assert (code, text) == (1, "")
        command, *lines = errors.splitlines()
        assert command.endswith(" --metric win_rate --duplicates mean --n-items N_ITEMS")
        assert sum(line.startswith("  - ") for line in lines) == 3
        words = shlex.split(command.replace("N_ITEMS", "50"))[1:]
        assert run(*words)[0] == 0
        assert run(*words[:-2], "--yes")[0] == 1  # nobody knows n
        accepted = run("card", path, "--no-pages", "--yes", "--n-items", 50)[1]
        judged, stated = accepted.partition("notes ")[0], run(*words)[1].partition("notes ")[0]
        assert judged == stated
        # The terminal has room for the first remarks alone.
        written = run("card", path, "--no-pages", "--yes", "--n-items", 50, "--json")[1]
        for answer in ("metric = win_rate", "duplicates = mean"):
            assert f"taken as proposed, not stated: {answer}" in written

    def test_standard_input_folders_and_patterns(self, run, leaderboard, tmp_path, monkeypatch):
        content = leaderboard.read_bytes()
        monkeypatch.setattr(cli.sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        code, text, _ = run("card", "-", "--no-pages")
        assert (code, text.splitlines()[0]) == (0, "stdin: SEPARATES, undated")
        below = tmp_path / "results/model"
        below.mkdir(parents=True)
        (below / "results_1.csv").write_bytes(content)
        (below / "other.csv").write_text("no,table\n1,2\n")
        for path in (tmp_path / "results", tmp_path / "results/results_*.csv"):
            assert run("card", path, "--no-pages")[0] == 0
        (tmp_path / "none").mkdir()
        assert "no file in this folder" in run("card", tmp_path / "none")[2]

    def test_a_task_that_cannot_be_read_does_not_cost_the_others_theirs(self, run, tmp_path):
        rows = "".join(f"m{i},{0.95 - i / 10},{0.5 + i / 50}\n" for i in range(5))
        (tmp_path / "w.csv").write_text(f"model,easy,hard\n{rows}m9,0.1,x\n")
        code, text, errors = run("card", tmp_path / "w.csv", "--each-task", "--n-items", 500,
                                 "--no-pages")  # fmt: skip
        assert code == 1
        assert text.startswith("w: SEPARATES") or "w-easy" in text
        assert "w-hard" in errors
        assert "score 'x'" in errors

    def test_many_answers_leave_the_item_model_out_unless_it_is_asked_for(
        self, run, tmp_path, monkeypatch
    ):
        right = np.random.default_rng(0).random((60, 9)) < np.linspace(0.2, 0.9, 9)
        table = pd.DataFrame(right.astype(int), columns=list("abcdefghi")).rename_axis("item")
        path = tmp_path / "x.csv"
        table.reset_index().melt("item", var_name="model", value_name="response").to_csv(path)

        def card(*words):
            return json.loads(run("card", path, "--yes", "--no-pages", "--json", *words)[1])[
                "cards"
            ]

        (whole,) = card()
        monkeypatch.setattr(card_command, "MOST_ANSWERS", 539)
        (short,), (asked,) = card(), card("--items")
        assert asked == whole
        parts = whole["items"].pop("information"), short["items"].pop("information")
        assert ["abstains" if part["abstains"] else "n_items" for part in parts] == [
            "n_items", "abstains"]  # fmt: skip
        assert {**short, "items": 0} == {**whole, "items": 0}
        assert "--items" in run("card", path, "--yes", "--no-pages")[1]

    def test_pages_are_those_of_the_workflow(self, run, tmp_path):
        files = sorted(EXAMPLE.glob("every_eval_ever/*.json"))
        code, text, _ = run(
            "card", *files, "--synthetic", "--released", "2025-01-01",
            "--output", tmp_path / "pages",
        )  # fmt: skip
        assert code == 0
        assert text.startswith("synthetic_f1: SEPARATES IN PART, as of 2026-01-01\n")
        assert text.endswith(f"pages       {tmp_path / 'pages'}/card.html\n")
        names = {"card.html", "card.md", "badge.svg", "card.json", "summary.json",
                 "every_eval_ever.jsonl"}  # fmt: skip
        assert {path.name for path in (tmp_path / "pages").iterdir()} == names
        card = json.loads((tmp_path / "pages/card.json").read_text())
        assert (card["data"]["n_models"], card["released"]) == (6, "2025-01-01")
        for page in ("card.html", "card.md"):
            assert "ynthetic data" in (tmp_path / "pages" / page).read_text()

    def test_a_verdict_that_is_not_accepted_has_its_own_code(self, run, leaderboard, capsys):
        words = ("card", leaderboard, "--family", "accuracy", "--no-pages")
        code, text, errors = run(*words, "--fail-on", "saturated,separates")
        assert code == 3
        assert text.startswith("x: SEPARATES, ")
        assert errors == "Refused: --fail-on names x (separates)\n"
        code, text, errors = run(*words, "--fail-on", "tied >= 1, items<500,score>.9", "--json")
        assert code == 3
        assert json.loads(text)["cards"][0]["benchmark"] == "x"
        assert errors == "Refused: --fail-on names x (tied >= 1: tied is 1)\n"
        # What is not known is no pass.
        assert run(*words, "--fail-on", "dead_items>5")[2].endswith("dead_items is not known)\n")
        assert run(*words, "--fail-on", "saturated, stagnated")[0] == 0
        with pytest.raises(SystemExit, match="2"):
            run(*words, "--columns", "score")
        code, _, errors = run(*words, "--columns", "model=a", "--columns", "model=b")
        assert (code, "named twice" in errors) == (1, True)
        with pytest.raises(SystemExit, match="2"):
            run(*words, "--fail-on", "saturated,bad")
        assert "'bad' is neither a verdict (separates," in capsys.readouterr().err

    def test_a_card_of_each_task(self, run, tmp_path):
        rows = "".join(f"m{i},{0.85 - i / 10},{0.5 + i / 1000}\n" for i in range(6))
        (tmp_path / "w.csv").write_text("model,easy task,hard\n" + rows)
        words = ("card", tmp_path / "w.csv", "--family", "accuracy", "--n-items", 500,
                 "--observed-on", "2026-01-31")  # fmt: skip
        code, text, errors = run(
            *words, "--name", "w", "--each-task", "--higher-is-better",
            "--output", tmp_path / "pages", "--fail-on", "underpowered",
        )  # fmt: skip
        assert code == 3
        assert text.splitlines() == [
            "w-easy-task  separates              6 models      500 items  2026-01-31  best: m0",
            "w-hard       underpowered           6 models      500 items  2026-01-31  best: m5",
            f"pages       {tmp_path / 'pages'}",
        ]
        assert errors == "Refused: --fail-on names w-hard (underpowered)\n"
        assert (tmp_path / "pages/w-hard/card.html").is_file()
        code, _, errors = run(*words, "--no-pages")
        assert code == 1
        assert errors.splitlines()[0].endswith(" --no-pages --each-task")

    def test_a_task_without_scores_is_named_beside_the_cards(self, run, tmp_path):
        scores = zip("aabbcc", "mnmnmn", (0.5, 0.6, 0.7, 0.4, "", ""))
        rows = "".join(f"{model},{part},{score}\n" for part, model, score in scores)
        (tmp_path / "w.csv").write_text("model,split,auc\n" + rows)
        code, text, errors = run("card", tmp_path / "w.csv", "--no-pages", "--each-task")
        assert (code, errors) == (0, "")
        *cards, lack = text.splitlines()
        # Remarks that both cards have stand once, below them.
        assert [card.split()[0] for card in cards][:3] == ["w-a", "w-b", "notes"]
        assert text.count("no file gives a date") == 1
        assert lack == f"left out    w-c: {tmp_path / 'w.csv'}: no model has a score in 'auc'"
        _, text, _ = run("card", tmp_path / "w.csv", "--no-pages", "--each-task", "--json")
        assert [line.partition(":")[0] for line in json.loads(text)["left_out"]] == ["w-c"]
        (tmp_path / "w.csv").write_text("model,split,auc\nx,a,\nx,b,\n")
        assert run("card", tmp_path / "w.csv", "--no-pages", "--each-task")[0] == 1

    def test_paths_from_here_and_from_the_root_go_together(self, run, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for name in ("a.csv", "b.csv"):
            Path(name).write_text("model,accuracy,n_items\n" + name[0] + ",0.5,100\n")
        code, text, _ = run("card", "a.csv", tmp_path / "b.csv", "--no-pages")
        assert code == 0
        assert "2 models" in text

    def test_options_declare_what_files_do_not_say(self, run, tmp_path):
        line = {"doc_id": 0, "filter": "none", "metrics": ["mine"], "mine": 0.25}
        (tmp_path / "s.jsonl").write_text(json.dumps(line) + "\n")
        words = ("card", tmp_path / "s.jsonl", "--family", "bounded_mean", "--score-range", 0, 1,
                 "--observed-on", "2026-01-31", "--task", "t")  # fmt: skip
        code, _, errors = run(*words, "--higher-is-better")
        assert code == 1
        assert "give it with the option --model" in errors
        code, _, errors = run(*words, "--model", "m")
        assert code == 1
        assert errors.splitlines()[0].endswith(" --higher-is-better")
        words = (*words, "--no-pages", "--model", "m")
        assert run(*words, "--no-higher-is-better")[0] == 0

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [(("--n-items", -5), "--n-items: -5"),
         (("--observed-on", "soon"), "--observed-on: 'soon'"),
         (("--released", "2026-02-31"), "--released: '2026-02-31'"),
         (("--interval-level", 95), "--interval-level: 95"),
         (("--score-range", 5, 1), "--score-range has the value [5.0, 1.0]"),
         (("--name", "../x"), "../x"),
         (("--family", "rating"), "because the family rating has no range")],
    )  # fmt: skip
    def test_what_the_config_would_refuse_is_refused(self, run, leaderboard, words, sentence):
        valid = ("--family", "accuracy", "--score-range", 0, 1, "--observed-on", "2026-01-31")
        code, text, errors = run("card", leaderboard, *valid, *words)
        assert (code, text) == (1, "")
        assert sentence in errors

    def test_a_place_that_cannot_be_written_to_is_named(self, run, leaderboard):
        valid = ("--family", "accuracy", "--score-range", 0, 1, "--observed-on", "2026-01-31")
        code, _, errors = run("card", leaderboard, *valid, "--output", leaderboard)
        assert code == 1
        assert f"{leaderboard}: the card cannot be written there" in errors


def test_formats_are_those_that_are_registered(run):
    code, text, _ = run("formats")
    assert code == 0
    names = [line.split(": ")[0] for line in text.splitlines()]
    assert names == [one.name for one in registry.importers()]
    assert "\nlm_eval_samples: lm-evaluation-harness samples (JSONL with 'doc_id', " in text


class TestLedger:
    def test_a_claim_of_a_run(self, run, tmp_path):
        folder = tmp_path / "ledger"
        folder.mkdir()
        (folder / "ledger.csv").write_text(
            "claim_id,paper,places,statement,grade,verdict,quotation,published,computed\n"
            "plateau_001,plateau,abstract,Benchmarks,recomputed,differs,,60,61\n"
        )
        columns = "evidence_id,claim_id,study,role,data,method,outcome,quantity,rule,computed,"
        columns += "remark,note,file,cell,source,code\n"
        (folder / "evidence.csv").write_text(
            columns + "plateau_001a,plateau_001,plateau,natural,none,ours,agrees,,,,,,,,,\n"
        )
        code, text, errors = run("ledger", "--results", tmp_path, "--verdict", "differs")
        assert (code, errors) == (0, "")
        assert "Benchmarks: printed 60, computed 61 (abstract)" in text
        code, text, errors = run("ledger", "plateau_01", "--results", tmp_path)
        assert (code, text) == (1, "")
        assert errors.startswith("Error: the ledger has no claim 'plateau_01'")

    def test_without_a_run_it_says_which_command_makes_it(self, run, tmp_path):
        code, text, errors = run("ledger", "--results", tmp_path)
        assert (code, text) == (1, "")
        assert "make results" in errors

    def test_an_unknown_verdict_is_not_understood(self, run, capsys):
        with pytest.raises(SystemExit, match="2"):
            run("ledger", "--verdict", "maybe")
        assert "'maybe' is no verdict; there are reproduced" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"saturation {saturation.__version__}\n"


def test_a_command_is_needed(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "guess"),
    [
        ("cart", "did you mean card?"),
        ("CARD", "did you mean card?"),
        ("ledgre", "did you mean ledger?"),
        ("xyz", "there are demo, "),
        ("", "there are demo, "),
    ],
)
def test_a_mistyped_command_is_one_sentence(capsys, word, guess):
    with pytest.raises(SystemExit, match="2"):
        cli.main([word, "--family", "accuracy"])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"Error: no command {word}; {guess}")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("word", "guess"), [("--familly", "did you mean --family?"), ("--qqqqqq=3", "it is no option;")]
)
def test_a_mistyped_option_is_one_sentence(capsys, word, guess):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["card", "a.csv", word, "accuracy"])
    said = capsys.readouterr().err
    assert said.startswith(f"Error: card does not take {word.split('=')[0]}; {guess}")
    assert said.count("\n") == 1


@pytest.mark.parametrize("terminal", [True, False])
def test_a_command_that_takes_long_says_so_in_a_terminal(capsys, monkeypatch, terminal):
    monkeypatch.setattr(cli, "_PATIENCE", 0.01)
    monkeypatch.setattr(cli.sys.stderr, "isatty", lambda: terminal, raising=False)
    said, deadline = "", time.monotonic() + 60
    with cli._show_progress():
        for place in (1, 2):
            (imports if place == 1 else folds).log.info("reading %d", place)
        # A busy machine may let the thread wait.
        while terminal and "reading 2" not in said and time.monotonic() < deadline:
            time.sleep(0.01)
            said += capsys.readouterr().err
    said += capsys.readouterr().err
    assert (f"{cli._CLEARED}reading 2, " in said) == terminal
    assert said.endswith(cli._CLEARED if terminal else "")


def test_columns_are_suggested_as_words_of_the_command(run, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(
        "model,my item,score\n"
        + "".join(f"m{m},q{q},{(m + q) % 2}\n" for m in range(6) for q in range(20))
    )
    _, _, errors = run("card", path, "--no-pages")
    asked = "--columns model=model --columns 'item=my item' --columns response=score"
    assert errors.splitlines()[0].endswith(asked)
    words = shlex.split(asked)
    assert run("card", path, "--no-pages", *words)[0] == 0


class TestCompareVersions:
    @pytest.fixture
    def versions(self, tmp_path):
        """Two runs of two tasks: the candidate fails a fifth of the items of the second."""
        rng = np.random.default_rng(1)
        for task, drop in (("kept", 0.0), ("lost", 0.2)):
            right = rng.random(300) < 0.8
            for side, fails in (("old", 0.0), ("new", drop)):
                (tmp_path / side).mkdir(exist_ok=True)
                for run_number in (1, 2):
                    answers = right & (rng.random(300) >= fails + 0.02)
                    table = pd.DataFrame({"model": side, "item": [f"q{i}" for i in range(300)],
                                          "response": answers.astype(int)})  # fmt: skip
                    table.to_csv(tmp_path / side / f"{task}_run{run_number}.csv", index=False)
        return sorted(tmp_path.glob("old/*")), sorted(tmp_path.glob("new/*"))

    def test_a_drop_is_red_and_names_task_and_items(self, run, versions):
        old, new = versions
        words = ("compare", "--baseline", *old, "--candidate", *new, "--fail-on", "worse>2")
        code, out, err = run(*words)
        assert code == 3
        assert "lost: worse by more than 2 points" in err
        assert "right to wrong (q" in out
        code, out, _ = run(*words, "--json")
        content = json.loads(out)
        assert content["gate"]["exit_code"] == 3
        assert {row["item"]["task"]: row["answer"] for row in content["suite"]["rows"]}["lost"] == (
            "worse"
        )
        assert run(*words, "--markdown")[1].startswith("### new against old: FAIL")

    def test_what_cannot_be_decided_has_a_code_of_its_own(self, run, versions, tmp_path):
        old, new = versions
        words = ("compare", "--baseline", old[0], "--candidate", new[0], "--fail-on")
        code, out, err = run(*words, "worse>1", "--until-decided", 5, "--page", tmp_path / "x.html")
        assert code == 4
        assert "neither shown nor excluded" in err
        assert "not decided after run 1 of at most 5" in " ".join(out.split())
        assert "<table>" in (tmp_path / "x.html").read_text()

    def test_the_baseline_alone_gives_a_plan_and_an_a_a_check(self, run, versions):
        code, out, _ = run("compare", "--baseline", *versions[0])
        assert code == 0
        assert out.count("A/A") == 2
        plans = json.loads(run("compare", "--baseline", *versions[0], "--json")[1])["plans"]
        assert plans["kept"]["n_items"] == 300
        assert plans["kept"]["runs"] == 2

    def test_bad_input_is_refused_with_what_to_do(self, run, versions):
        old, new = versions
        for words, sentence in (
            (("--baseline", *old, "--candidate", *old), "given as --baseline and as --candidate"),
            (("--baseline", *old, "--candidate", new[0]), "task 'lost' is only in the baseline"),
            (("--candidate", *new), "--candidate needs --baseline"),
            (("--baseline", old[0], new[0]), "hold 2 models"),
            (("--baseline", *old, "--candidate", *new, "--fail-on", "bad"), "expected worse"),
        ):
            code, _, err = run("compare", *words)
            assert (code, sentence in err) == (1, True), words

    def test_logs_of_tools_are_versions(self, run):
        logs = Path(__file__).parents[1] / "fixtures/lm_eval/0.4.13"
        old, new = (
            sorted((logs / f"synthetic__{name}").glob("*.json*")) for name in ("alpha", "beta")
        )
        code, out, _ = run(
            "compare", "--baseline", *old, "--candidate", *new, "--fail-on", "worse", "--json"
        )
        (row,) = json.loads(out)["suite"]["rows"]
        assert code == 4
        assert (row["item"]["task"], row["item"]["difference"]["n_items"]) == ("sums", 6)
        words = ("compare", "--baseline", *old[:1], "--candidate", *new[:1])
        code, _, err = run(*words, "--meaningful-difference", -1)
        assert (code, "expected a share" in err) == (1, True)
        assert "scores without answers" in run(*words)[2]

    def test_swapped_versions_are_noticed_by_their_dates(self, run, tmp_path):
        for name, day in (("old", "2026-02-01"), ("new", "2026-01-01")):
            rows = [f"{name},q{i},{i % 2},{day}" for i in range(60)]
            (tmp_path / f"{name}.csv").write_text("\n".join(["model,item,response,date", *rows]))
        files = (tmp_path / "old.csv", tmp_path / "new.csv")
        code, out, _ = run("compare", "--baseline", files[0], "--candidate", files[1])
        assert code == 0
        assert "are the versions swapped?" in " ".join(out.split())

    def test_two_models_of_a_release_note(self, run, tmp_path):
        path = tmp_path / "notes.md"
        path.write_text(
            "| Benchmark | A | B |\n|---|---|---|\n| MMLU | 80.1 | 84.0 |\n| HLE2 | 5 | 6 |\n"
        )
        code, out, _ = run("compare", "A", "B", path)
        assert code == 0
        assert "A is higher than B on 0 of 1 tested benchmark: better on 0, worse on 1" in out
        assert "1 not tested" in " ".join(out.split())
        assert run("compare", "A", "C", path)[0] == 1

    @pytest.mark.parametrize("columns", ["60", "80", "96"])
    def test_a_comparison_of_benchmarks_fits_the_terminal(
        self, run, tmp_path, monkeypatch, columns
    ):
        monkeypatch.setenv("COLUMNS", columns)
        path = tmp_path / "notes.md"
        name = "A benchmark with a name of many words (Pass@1)"
        path.write_text(
            f"| Benchmark | A | B |\n|---|---|---|\n| MMLU | 80.1 | 84.0 |\n| {name} | 5 | 6 |\n"
        )
        out = run("compare", "A", "B", path)[1]
        assert max(map(len, out.splitlines())) <= max(80, int(columns))
        assert name.split(" (")[0] in out
        assert "-3.9 (" in out


@pytest.mark.parametrize(
    ("paths", "models"),
    [
        (["a/x.json", "a/y.json"], ["x", "y"]),
        (["r/lab/m1/summary.json", "r/lab/m2/summary.json"], ["m1", "m2"]),
        (["r/m1/t1.json", "r/m1/t2.json", "r/m2/t1.json"], ["m1", "m1", "m2"]),
        (["r/x.json", "r/x.md"], ["x.json", "x.md"]),
    ],
)
def test_a_file_names_its_model_by_its_stem_or_by_its_folder(paths, models):
    files = imports.name_models([{"path": path} for path in paths], {"model": "file"})
    assert [file["model"] for file in files] == models
