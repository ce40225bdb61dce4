"""The adaptive study through the real DAG, on small tables of a user's own."""

import functools
import http.server
import json
import shutil
import subprocess
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.adaptive import responses
from saturation.files.tables import write_csv
from studies.adaptive import banks as item_banks
from studies.adaptive import evaluation, study
from studies.ledger import judge
from tests.shared_runs import run_snakemake
from validation import answers as made_up

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "run": ["own"],
    "sizes": [10, 20],
    "draws": 3,
    "collections": {
        "own": {
            "respondents": "people.csv",
            "banks": {
                "first": {"responses": "first.csv", "layout": "long"},
                "second": {"responses": "second.csv"},
            },
        }
    },
}


# The layout of the paper's data set: item parameters, a table a model, the leaderboard's abilities.
PUBLISHED = {
    "run": ["paper"],
    "sizes": [10, 50],
    "draws": 2,
    "fewest_respondents": 10,
    "prior": "standard",
    "limits": [-1.5, 4],
    "collections": {
        "paper": {
            "published": "data",
            "banks": {
                "paper_mmlu": {"benchmark": "mmlu", "partner": "paper_arc"},
                "paper_arc": {"benchmark": "arc", "partner": "paper_mmlu"},
            },
        }
    },
}


def run(folder: Path, settings: dict, *targets: str) -> subprocess.CompletedProcess:
    (folder / "own.yaml").write_text(yaml.safe_dump({"adaptive": settings}))
    words = ["--snakefile", ROOT / "Snakefile", "--configfile", "own.yaml", "--directory", "."]
    return run_snakemake([*words, "--cores", 1, "--quiet", "--nolock", *targets], folder)


def given_in(folder: Path) -> Path:
    """Respondents and two tables of responses, one long and one wide."""
    random = np.random.default_rng(0)
    people = made_up.respondents(3, 2)
    people.to_csv(folder / "people.csv", index=False)
    ability = made_up.trajectories(people, random)
    for name in ("first", "second"):
        a, b = np.exp(random.normal(0.3, 0.4, 40)), random.normal(0, 1, 40)
        cells = pd.DataFrame(
            made_up.draw(ability, a, b, random),
            index=pd.Index(people["respondent"]),
            columns=[f"{name}{number}" for number in range(40)],
        )
        if name == "first":
            long = cells.stack().rename("correct").rename_axis(["respondent", "item"])
            long.reset_index().iloc[5:].to_csv(folder / "first.csv", index=False)
        else:
            cells.reset_index().to_csv(folder / "second.csv", index=False)
    return folder


@pytest.fixture
def tables(tmp_path):
    return given_in(tmp_path)


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """The study of both tables, run once."""
    folder = given_in(tmp_path_factory.mktemp("adaptive"))
    done = run(folder, SETTINGS, "results/adaptive/quantities.csv")
    assert done.returncode == 0, done.stderr
    return folder


def test_the_study_writes_what_a_notebook_gets(studied, tmp_path):
    """Every table of a collection byte for byte, and the headline numbers of all."""
    people = pd.read_csv(studied / "people.csv")
    banks = {
        "first": item_banks.build_from_long(pd.read_csv(studied / "first.csv"), "first.csv", 20),
        "second": item_banks.build_from_wide(pd.read_csv(studied / "second.csv"), "second.csv", 20),
    }
    given = {
        name: study.BankInput(bank, responses.check_respondents(people, bank, "people.csv"))
        for name, bank in banks.items()
    }
    settings = study.Settings(20251101, evaluation.Settings(SETTINGS["sizes"], SETTINGS["draws"]))
    made = study.study("own", given, settings)
    folders = {f"banks/{name}": tables for name, tables in made["banks"].items()}
    folders |= {"collections/own": made}
    expected = {
        f"{folder}/{name}": table
        for folder, found in folders.items()
        for name, table in found.items()
        if isinstance(table, pd.DataFrame)
    }
    expected["quantities"] = study.quantities([made])
    assert len(expected) == 2 * 10 + 7 + 1
    for name, table in expected.items():
        write_csv(table, tmp_path / "expected.csv")
        written = (studied / f"results/adaptive/{name}.csv").read_bytes()
        assert written == (tmp_path / "expected.csv").read_bytes(), name


def test_own_responses_give_the_contract_tables_and_bad_ones_stop(studied):
    bank = studied / "results/adaptive/banks/first"
    items = pd.read_csv(bank / "item_parameters.csv")
    assert items.columns.tolist() == ["item", "discrimination", "difficulty"]
    given = pd.read_csv(bank / "administrations.csv")
    assert given.columns.tolist() == ["respondent", "step", "item", "ability", "se"]
    assert set(given["item"]) <= set(items["item"])
    before = (bank / "item_parameters.csv").read_bytes()

    table = pd.read_csv(studied / "first.csv")
    table.loc[3, "correct"] = 7
    table.to_csv(studied / "first.csv", index=False)
    refused = run(studied, SETTINGS, "results/adaptive/quantities.csv")
    assert refused.returncode != 0
    log = (studied / "results/logs/adaptive/responses/first.log").read_text()
    assert "first.csv, row 5, column 'correct': value 7" in log
    assert (bank / "item_parameters.csv").read_bytes() == before


def test_a_bank_may_have_the_name_of_a_folder_of_the_study(tables):
    """Its respondents were taken from the made-up ones when it was called synthetic."""
    settings = yaml.safe_load(yaml.safe_dump(SETTINGS))
    banks = settings["collections"]["own"]["banks"]
    for name in ("synthetic", "published"):
        banks[name] = {"responses": "second.csv"}
    done = run(
        tables,
        settings,
        "results/adaptive/banks/synthetic/respondents.csv",
        "results/adaptive/banks/published/respondents.csv",
    )
    assert done.returncode == 0, done.stderr
    people = pd.read_csv(tables / "people.csv")
    for name in ("synthetic", "published"):
        folder = tables / "results/adaptive/banks" / name
        assert pd.read_csv(folder / "respondents.csv")["model"].tolist() == people["model"].tolist()
    assert not (tables / "results/adaptive/synthetic").exists()


@pytest.mark.heavy
@pytest.mark.parametrize("banks", [["first"], ["first", "second"]])
def test_own_responses_without_respondents_go_through_the_whole_study(tables, banks):
    """No checkpoints, one bank or two, and fewer items than the default test lengths."""
    given = SETTINGS["collections"]["own"]["banks"]
    collection = {"respondents": None, "banks": {name: given[name] for name in banks}}
    settings = SETTINGS | {"sizes": [10, 50, 100, 500], "collections": {"own": collection}}
    done = run(tables, settings, "adaptive")
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(tables / "results/adaptive/collections/own/summary.csv")
    assert set(table["measure"]) == ({"rank_distance"} if len(banks) == 2 else set())
    assert (tables / "results/figures/adaptive/collections/own/quality.png").is_file()


@pytest.fixture
def published(tmp_path):
    random = np.random.default_rng(1)
    for name in ("irt_models", "lm_eval_results"):
        (tmp_path / "data" / name).mkdir(parents=True)
    people = made_up.respondents(1, 3)
    ability = made_up.trajectories(people, random)
    cells = []
    for benchmark in ("mmlu", "arc"):
        items = [f"{benchmark}_{number}" for number in range(60)]
        a, b = np.exp(random.normal(0.3, 0.4, 60)), random.normal(0, 1, 60)
        parameters = pd.DataFrame({"a": a, "b": b}, index=items)
        parameters.to_csv(tmp_path / "data/irt_models" / f"{benchmark}.csv")
        cells.append(pd.DataFrame(made_up.draw(ability, a, b, random).T, index=items))
    for model, rows in people.groupby("model"):
        scored = pd.concat(cells)[rows.index].set_axis(
            [f"step{p}" for p in rows["checkpoint"]], axis=1
        )
        scored.to_csv(tmp_path / "data/lm_eval_results" / f"{model}.csv")
    abilities = {"ability": {"one": -1.0, "two": 0.5, "three": 2.0}}
    board = json.dumps({"mmlu": abilities, "arc": abilities})
    (tmp_path / "data/open_llm_leaderboard_results.json").write_text(board)
    return tmp_path


def test_the_published_layout_is_tested_on_its_own_item_parameters(published):
    wanted = "results/adaptive/banks/paper_mmlu/administrations.csv"
    done = run(published, PUBLISHED, wanted)
    assert done.returncode == 0, done.stderr
    given = pd.read_csv(published / wanted)
    known = pd.read_csv(published / "data/irt_models/mmlu.csv", index_col=0)
    # A test starts at the leaderboard's mean ability, on the published parameters.
    p = 1 / (1 + np.exp(-known["a"] * (0.5 - known["b"])))
    first = given.loc[given["step"] == 1, "item"].unique()
    assert first.tolist() == [(known["a"] ** 2 * p * (1 - p)).idxmax()]
    assert given["ability"].between(-1.5, 4).all()
    first_score = given[given["step"] == 1].iloc[0]
    a, b = known.loc[first_score["item"]]
    # The estimate is under N(0, 1): the root of the score of one answer.
    right = first_score["ability"] + a / (1 + np.exp(-a * (first_score["ability"] - b)))
    assert min(abs(right), abs(right - a)) < 1e-6


@pytest.mark.heavy
def test_the_paper_s_data_are_fetched_locked_and_checked(published, project):
    """End to end on a small data set in its layout, served here instead of by the Hub."""
    (published / "main").mkdir()
    (published / "data").rename(published / "main/data")
    models = sorted(path.stem for path in (published / "main/data/lm_eval_results").iterdir())
    names = project.folder / "src/studies/adaptive/names.py"
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(published))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        names.write_text(
            names.read_text()
            + f'FLUID_URL = "http://127.0.0.1:{server.server_port}"\n'
            + 'FLUID_BENCHMARKS = ("arc", "mmlu")\n'
            + f"FLUID_RESULTS = {tuple(f'lm_eval_results/{model}.csv' for model in models)}\n"
            + 'FLUID_FILES = ("irt_models/arc.csv", "irt_models/mmlu.csv", *FLUID_RESULTS,'
            + ' "open_llm_leaderboard_results.json")\n'
        )
        paper = PUBLISHED["collections"]["paper"] | {"published": "results/adaptive/fluid"}
        asked = {"adaptive": PUBLISHED | {"collections": {"paper": paper}}}
        project.finish("results/adaptive/quantities.csv", config=asked)
        lock = project.folder / "config/fluid.lock.csv"
        locked = lock.read_bytes()
        assert pd.read_csv(lock)["path"].str.startswith("data/").sum() == 3 + len(models)
        numbers = pd.read_csv(project.folder / "results/adaptive/quantities.csv")
        assert {"paper_n_combinations", "paper_mmlu_fluid_monotonicity_50"} <= set(
            numbers["quantity"]
        )

        board = published / "main/data/open_llm_leaderboard_results.json"
        board.write_text(board.read_text().replace("0.5", "0.6"))
        shutil.rmtree(project.folder / "results/adaptive/fluid")
        fetched = "results/adaptive/fluid/open_llm_leaderboard_results.json"
        refused = project.run(fetched, config=asked)
        server.shutdown()
    assert refused.returncode != 0
    log = (project.folder / "results/logs/adaptive/fluid.log").read_text()
    assert "open_llm_leaderboard_results.json: sha256 is" in log
    assert "but the lock file has" in log
    assert lock.read_bytes() == locked


@pytest.mark.heavy
def test_the_published_data_decide_rows_of_the_ledger(published):
    done = run(published, PUBLISHED, "results/adaptive/quantities.csv")
    assert done.returncode == 0, done.stderr
    claims, evidence = (
        {"fluid": pd.read_csv(ROOT / f"resources/ledger/{name}/fluid.csv")}
        for name in ("claims", "evidence")
    )
    quantities = pd.read_csv(published / "results/adaptive/quantities.csv")
    study = judge.Study(quantities, "quantities.csv", "", {})
    _, pieces = judge.judged(claims, evidence, {"adaptive": study})
    outcome = pieces.dropna(subset="quantity").drop_duplicates("quantity")
    outcome = outcome.set_index("quantity")["outcome"]
    assert outcome["paper_n_test_models"] == "contradicts"
    assert outcome["paper_fluid_rank_distance_50"] in ("agrees", "contradicts")
    assert outcome["paper_fluid_rank_distance_500"] == "not run here"


@pytest.mark.heavy
def test_the_default_run_is_whole_and_the_second_does_nothing(tmp_path):
    words = ["--snakefile", ROOT / "Snakefile", "--directory", ".", "--cores", 2, "adaptive"]
    first = run_snakemake(words, tmp_path)
    assert first.returncode == 0, first.stderr
    again = run_snakemake(words, tmp_path)
    assert "Nothing to be done" in again.stdout + again.stderr
    ablations = pd.read_csv(tmp_path / "results/adaptive/collections/nlu/table2.csv")
    assert set(ablations["method"]) == {"random", "random_irt", "fluid"}
