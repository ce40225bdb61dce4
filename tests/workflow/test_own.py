"""Cards through the real DAG: the worked example, bad input, the gate, the dashboard."""

import json
import re

import pandas as pd
import pytest
import yaml

LEADERBOARD = "model,score,n_items\n" + "".join(
    f"m{i},{score},500\n" for i, score in enumerate([0.95, 0.949, 0.948, 0.947, 0.946, 0.7])
)
QUICK = {"plateau": {"resamples": 200, "permutations": 199}, "discriminability": {"resamples": 100}}


def config(**benchmark):
    given = {"files": ["mine – ü.txt"], "family": "accuracy", "score_range": [0, 1],
             "observed_on": "2026-01-31"}  # fmt: skip
    return QUICK | {"own": {"benchmarks": {"mine": given | benchmark}}}


@pytest.fixture
def mine(project):
    """A project with a table of the user's own, whose name has spaces and an umlaut."""
    (project.folder / "mine – ü.txt").write_text(LEADERBOARD)
    return project


def log(project, name):
    return (project.folder / "results/logs/own" / name).read_text()


def test_the_worked_example_of_the_readme_runs_and_is_done_then(make_project):
    project = make_project("example")
    example = yaml.safe_load((project.folder / "config/own.yaml").read_text())
    project.finish("card", config=QUICK | example)
    results = project.folder / "results/own"
    for name in example["own"]["benchmarks"]:
        for file in ("card.json", "card.html", "card.md", "badge.svg", "summary.json"):
            text = (results / "benchmarks" / name / file).read_text(encoding="utf-8")
            assert text
            if file in ("card.html", "card.md"):
                assert "ynthetic data" in text
        (line,) = (results / "benchmarks" / name / "summary.json").read_text().splitlines()
        assert json.loads(line)["synthetic"] is True
        assert pd.read_csv(results / "benchmarks" / name / "scores.csv")["synthetic"].all()
    cards = pd.read_csv(results / "cards.csv").set_index("benchmark")
    assert cards["verdict"].to_dict() == {
        "synthetic_arena": "separates_in_part",
        "synthetic_configurations": "undetermined",
        "synthetic_every_eval_ever": "separates_in_part",
        "synthetic_leaderboard": "undetermined",
        "synthetic_lm_eval": "separates_in_part",
    }
    card = json.loads((results / "benchmarks/synthetic_lm_eval/card.json").read_text())
    assert card["frontier"]["ties"]["paired"]["method"] == "mcnemar"
    assert card["items"]["information"]["abstains"] is None
    card = json.loads((results / "benchmarks/synthetic_configurations/card.json").read_text())
    assert card["frontier"]["ties"]["paired"]["method"] == "clustered_t"
    assert len(card["consistency"]["models"]) == 6
    card = json.loads((results / "benchmarks/synthetic_leaderboard/card.json").read_text())
    assert len(card["history"]["months"]) == 9
    again = project.run("card", "--dry-run", config=QUICK | example)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_a_benchmark_cannot_be_called_like_a_file_of_the_workflow(mine):
    given = config()
    entry = given["own"]["benchmarks"].pop("mine")
    given["own"]["benchmarks"] = dict.fromkeys(("Cards.csv", "gate.txt", "a", "A"), entry)
    done = mine.run("card", "--dry-run", config=given)
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert "'Cards.csv' is the name of a file or folder that the workflow writes" in text
    assert "'gate.txt' is the name of" in text
    assert "differ only by case" in text


def test_the_gate_fails_after_the_cards_and_a_failed_import_leaves_the_earlier_one(mine):
    # Beside it, a table of two tasks, of which one line makes two cards.
    rows = "".join(f"m{i},{0.9 - i / 50},{0.5 + i / 50},x\n" for i in range(6))
    (mine.folder / "tasks.csv").write_text("model,easy task,hard,kind\n" + rows)
    gated = config()
    benchmarks = gated["own"]["benchmarks"]
    benchmarks["tasks"] = benchmarks["mine"] | {
        "files": ["tasks.csv"],
        "each_task": True,
        "n_items": 500,
    }
    gated["own"]["fail_on"] = ["saturated", "underpowered"]
    assert mine.run("card", config=gated).returncode != 0
    said = "'tasks-hard': the verdict is underpowered (too_few_items), which own.fail_on names"
    assert said in log(mine, "gate.log")
    cards = pd.read_csv(mine.folder / "results/own/cards.csv")
    assert list(cards["benchmark"]) == ["mine", "tasks-easy-task", "tasks-hard"]
    folder = mine.folder / "results/own/benchmarks"
    assert pd.read_csv(folder / "tasks-hard/scores.csv")["score"].max() == 0.6
    folder /= "mine"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    table = mine.folder / "mine – ü.txt"
    good = table.read_text()
    table.write_text(good.replace("0.949", "94.9"))
    assert mine.run("card", config=config()).returncode != 0
    text = log(mine, "gate.log")
    assert "benchmark 'mine': the card and its data as of 2026-01-31 stay in place" in text
    assert "score 94.9 is outside" in text
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    marked = {"card.json", "card.html", "card.md", "summary.json"}
    assert {name for name in before if after[name] != before[name]} == marked
    page = after["card.html"].decode()
    assert "<b>As of 2026-01-31.</b> This is an earlier card" in page
    assert "score 94.9 is outside" in page
    assert json.loads(after["card.json"]) | {"stale": None} == json.loads(before["card.json"])
    table.write_text(good)
    card = "results/own/benchmarks/mine/card.json"
    assert mine.run(card, config=config()).returncode == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_changes_makes_the_cards_of_its_job_alone(project):
    # Jobs of one benchmark on average, not of 32.
    jobs = project.folder / "src/studies/planning/jobs.py"
    jobs.write_text(jobs.read_text().replace("MOST_ON_AVERAGE = 32", "MOST_ON_AVERAGE = 3"))
    names = [f"b{number}" for number in range(6)]
    given = config()
    entry = given["own"]["benchmarks"].pop("mine")
    for name in names:
        (project.folder / f"{name}.csv").write_text(LEADERBOARD)
        given["own"]["benchmarks"][name] = entry | {"files": [f"{name}.csv"]}
    first, second = ["b0", "b3", "b4", "b5"], ["b1", "b2"]
    folder = project.folder / "results/own/benchmarks"

    def planned():
        done = project.run("card", "--dry-run", config=given)
        return set(re.findall(r"^rule (own_card_\d+):", done.stdout + done.stderr, re.MULTILINE))

    cards = "results/own/cards.csv"
    project.finish(cards, config=given)
    # One card's file is a target.
    card = f"results/own/benchmarks/{first[0]}/card.html"
    assert "Nothing to be done" in project.run("--dry-run", card, config=given).stdout
    assert list(pd.read_csv(project.folder / cards)["benchmark"]) == sorted(names)
    assert planned() == set()
    page = (folder / second[0] / "card.md").read_bytes()
    (folder / second[0] / "card.md").unlink()
    assert planned() == {"own_card_1"}
    (folder / second[0] / "card.md").write_bytes(page)
    given["own"]["benchmarks"][first[0]] = given["own"]["benchmarks"][first[0]] | {"n_items": 500}
    assert planned() == {"own_card_0"}
    # What cannot be read marks its card, and the others of its job are made.
    before = {name: (folder / name / "card.json").read_bytes() for name in names}
    (project.folder / f"{first[1]}.csv").write_text("model,score\nx,0.5\n")
    (project.folder / f"{first[2]}.csv").write_text(LEADERBOARD.replace("0.7", "0.6"))
    assert planned() == {"own_card_0"}
    project.run(cards, config=given)
    changed = {name for name in names if (folder / name / "card.json").read_bytes() != before[name]}
    assert changed == {first[1], first[2]}
    stale = pd.read_csv(project.folder / cards).set_index("benchmark")["stale"]
    assert list(stale.dropna().index) == [first[1]]


def test_without_benchmarks_the_card_says_what_to_do(project):
    assert project.run("card", config=QUICK).returncode != 0
    assert "own.benchmarks is empty" in log(project, "cards.log")


def test_a_missing_file_and_bad_keys_are_named(mine):
    done = mine.run("card", config=config(files=["none.json"]))
    assert "no file matches 'none.json'" in done.stdout + done.stderr
    bad = config(family="acuracy", n_item=5)
    bad["own"]["benchmarks"]["my bench"] = bad["own"]["benchmarks"]["mine"]
    done = mine.run("card", config=bad)
    text = done.stdout + done.stderr
    assert "'acuracy'" in text
    assert "own.benchmarks.mine.family" in text
    assert "'own.benchmarks.mine.n_item' (value 5) is not known" in text
    assert "did you mean 'n_items'?" in text
    assert "a name starts with a letter or digit" in text


@pytest.mark.heavy
def test_one_and_two_cores_give_the_same_bytes(mine):
    assert mine.run("card", config=config(), cores=2).returncode == 0
    first = mine.results()
    mine.finish("card", "--forceall", config=config(), cores=1)
    assert mine.results() == first


@pytest.mark.heavy
def test_the_dashboard_shows_all_studies_and_the_card(mine):
    mine.finish("dashboard", config=config())
    folder = mine.folder / "results/dashboard"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Without intervals, 29 of 60 have such an S" in page
    assert 'href="benchmarks/own-mine.html"' in page
    assert "Of your own benchmarks, 0 of 1 have equivalent top models" in page
    assert "plateau_001" in (folder / "ledger.html").read_text(encoding="utf-8")
    assert max(path.stat().st_size for path in folder.rglob("*.html")) < 1_500_000
