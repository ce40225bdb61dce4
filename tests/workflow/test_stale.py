"""What reruns after each change of inputs, siblings, code, versions, settings and outputs.

One small finished run; each change is made, planned and taken back. The table is the claim: just
these rules run again, by content and never by date alone.
"""

import hashlib
import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest
import yaml

from tests.shared_runs import run_snakemake

ROOT = Path(__file__).parents[2]
A_MONTH = 30 * 86_400
INDEX = {"plateau_index", "plateau_sensitivity"}
PLATEAU = {"plateau_inputs", *INDEX}
CARD = {"own_card_0", "own_cards", "own_gate"}
PREDICTIONS = {"robustness_predictions"}
ALL = {*PLATEAU, *CARD, *PREDICTIONS, "sources_fetch"}
BOARD = "model,score,n_items\n" + "".join(f"m{i},0.{95 - i},500\n" for i in range(6))
TARGETS = ["results/plateau/grid.csv", "card", "results/robustness/predictions.parquet"]
TARGETS += ["results/sources/tiny.csv"]
LM = "mine/lm/*/samples_*.jsonl"
MINE = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-31"}
CONFIG = {
    "plateau": {"alpha": 0.4, "ceiling": 0.6, "resamples": 100, "permutations": 199},
    "discriminability": {"resamples": 100},
    "sources": {"mirror": "mine"},
    "robustness": {"predictions": "mine/predictions.csv", "factors": ["prompt"],
                   "normaliser": "mine_code:plain"},
    "own": {"benchmarks": {
        "board": {"files": ["mine/board.csv"], **MINE},
        "lm": {"files": [LM], **MINE},
        "helm": {"files": ["mine/helm/*/stats.json"], **MINE},
        "mteb": {"files": ["mine/mteb/*/Task.json"], "n_items": 300, **MINE},
    }},
}  # fmt: skip


# What happens to a file: another content, and the date that it then has.
NOW, OLDER, KEPT = (
    (lambda _: None),
    (lambda state: state.st_mtime - A_MONTH),
    (lambda s: s.st_mtime),
)


def edit(name, old, new, date=NOW):
    """A change of a file's text in place."""

    def change(folder):
        path = folder / name
        state, text = path.stat(), path.read_text()
        assert old in text, f"{name}: {old}"
        path.write_text(text.replace(old, new, 1))
        if moment := date(state):
            os.utime(path, (moment, moment))

    return change


def replaced(name, old, new):
    """Another file moved to its place, older than the one that was there, as by mv or rsync -t."""

    def change(folder):
        edit(name, old, new, OLDER)(folder)
        shutil.copy2(folder / name, folder / "other")
        (folder / "other").replace(folder / name)

    return change


def linked(link, name, old, new):
    """Another name of a file, by which its text changes, with its date."""

    def change(folder):
        path, other = folder / name, folder / "mine/other"
        path.replace(other)
        link(other, path)
        edit("mine/other", old, new, KEPT)(folder)

    return change


def exchanged(one, other):
    """Two settings with each other's values."""
    (key, value), (other_key, other_value) = one.split(": "), other.split(": ")

    def change(folder):
        edit("test_config.yaml", one, f"{key}: {other_value}")(folder)
        edit("test_config.yaml", other, f"{other_key}: {value}")(folder)

    return change


def swapped(one, other):
    """Two files with each other's content and date."""

    def change(folder):
        (folder / one).rename(folder / "third")
        (folder / other).rename(folder / one)
        (folder / "third").rename(folder / other)

    return change


def cut(folder):
    """Ten whole rows off the index, its date kept."""
    path = folder / INDEX_CSV
    lines = path.read_text().splitlines(keepends=True)
    edit(INDEX_CSV, "".join(lines[-10:]), "", KEPT)(folder)


def touched(*names):
    """A new date alone."""
    return lambda folder: [(folder / name).touch() for name in names]


def removed(name):
    """A file that is no longer there."""
    return lambda folder: (folder / name).unlink()


def added(name, source):
    """A further file, the copy of another."""

    def change(folder):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy2(folder / source, folder / name)

    return change


def version(package, number):
    """Another installed version of a package."""
    text = f"Metadata-Version: 2.1\nName: {package}\nVersion: {number}\n"
    return lambda folder: write(folder / f"versions/{package}-{number}.dist-info/METADATA", text)


def yesterday(folder):
    """All results a day older, after a clock that was wrong."""
    for path in (folder / "results").rglob("*"):
        os.utime(path, (time.time() - 86_400,) * 2)


SCORES, ALPHA = "resources/plateau/top_scores.csv", "mine/lm/synthetic__alpha"
RESULT, SAMPLES = (f"{ALPHA}/{kind}_2026-11-22T03-48-53.499511.json" for kind in
                   ("results", "samples_sums"))  # fmt: skip
INDEX_CSV, BODY = "results/plateau/index.csv", "src/saturation/index.py"
SCRIPT = "workflow/scripts/plateau/sensitivity.py"
CHANGES = {
    # Embedded tables.
    "a score, now": (edit(SCORES, ",o3,", ",o4,"), PLATEAU),
    "a score, older": (edit(SCORES, ",o3,", ",o4,", OLDER), PLATEAU),
    "a score, date kept": (edit(SCORES, ",o3,", ",o4,", KEPT), PLATEAU),
    "a table moved to its place": (replaced(SCORES, ",o3,", ",o4,"), PLATEAU),
    "another name of a table": (linked(os.link, SCORES, ",o3,", ",o4,"), PLATEAU),
    "what a link leads to": (linked(os.symlink, SCORES, ",o3,", ",o4,"), PLATEAU),
    "a table touched": (touched(SCORES), set()),
    "a table of another study": (replaced("resources/boards/evaluations.csv", "1", "2"), set()),
    "a card's template": (edit("workflow/templates/card.md.j2", "# {{", "## {{", OLDER), CARD),
    # A user's files, and those that importers read beside them.
    "a board moved to its place": (replaced("mine/board.csv", "m5", "m6"), CARD),
    "a board touched": (touched("mine/board.csv"), set()),
    "samples, older": (edit(f"{SAMPLES}l", "doc_id", "doc_id ", OLDER), CARD),
    "samples added": (added("mine/lm/x/samples_sums_2026-01-01T00.jsonl", f"{SAMPLES}l"), CARD),
    "samples removed": (removed(f"{SAMPLES}l"), CARD),
    "predictions moved there": (replaced("mine/predictions.csv", "Yes", "No"), PREDICTIONS),
    "lm-eval results beside samples": (edit(RESULT, "results", "results "), CARD),
    "lm-eval results, older": (edit(RESULT, "results", "results ", OLDER), CARD),
    "lm-eval results removed": (removed(RESULT), CARD),
    "HELM's run_spec.json": (edit("mine/helm/run:model=a/run_spec.json", '"a"', '"c"', KEPT), CARD),
    "HELM's run_spec.json removed": (removed("mine/helm/run:model=a/run_spec.json"), CARD),
    "MTEB's model_meta.json": (edit("mine/mteb/b/model_meta.json", '"b"', '"c"', OLDER), CARD),
    "MTEB's model_meta.json added": (added("mine/model_meta.json", "mine/mteb/b/model_meta.json"),
                                     CARD),
    # Code.
    "a function": (edit(BODY, "np.sqrt(score", "np.sqrt(2 * score", OLDER), PLATEAU | CARD),
    "a comment": (edit(BODY, '"""', '# Why.\n"""'), set()),
    "a script": (edit(SCRIPT, "    others =", "    del names\n    others =", OLDER),
                 {"plateau_sensitivity"}),
    "a constant in compiled code": (edit("src/saturation/adaptive/model.py", "MISSING = -1",
                                         "MISSING = -2", OLDER), CARD),
    "the user's function": (edit("mine/code/mine_code.py", "low(text)", "low(text) + ''", KEPT),
                            PREDICTIONS),
    "what it imports": (edit("mine/code/near.py", "lower", "upper", KEPT), PREDICTIONS),
    # Settings.
    "two settings exchanged": (exchanged("alpha: 0.4", "ceiling: 0.6"), INDEX | CARD),
    "a setting that another has": (edit("test_config.yaml", "ceiling: 0.6", "ceiling: 0.4"),
                                   INDEX | CARD),
    # Packages.
    "a package of the cards": (version("numba", "99"), CARD),
    "a package that others need": (version("numpy", "99"), ALL),
    "a package of nobody": (version("snakefmt", "99"), set()),
    # Results.
    "an index, now": (edit(INDEX_CSV, "0.9", "0.8"), INDEX),
    "an index, date kept": (edit(INDEX_CSV, "0.9", "0.8", KEPT), INDEX),
    "an index cut short, date kept": (cut, INDEX),
    "two results exchanged": (swapped("results/plateau/index/k3_alpha0.4.csv",
                                      "results/plateau/index/k5_alpha0.0.csv"), INDEX),
    "a last table": (edit("results/plateau/grid.csv", "0.", "1.", KEPT), {"plateau_sensitivity"}),
    "a checked table": (edit("results/plateau/inputs/top_scores.csv", "0.", "1.", OLDER), PLATEAU),
    "a card": (edit("results/own/benchmarks/lm/card.json", "lm", "ml"), CARD),
    "a source": (edit("results/sources/tiny.csv", "1", "3", KEPT), {"sources_fetch"}),
    "a result removed": (removed("results/plateau/grid.csv"), {"plateau_sensitivity"}),
    "a wrong clock": (yesterday, set()),
    "another commit checked out, and back": (touched(BODY, SCRIPT, "workflow/rules/plateau.smk",
                                                     "resources/sources.csv"), set()),
}  # fmt: skip


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.fixture(scope="module")
def finished(make_project):
    """A small finished run of three studies on embedded tables and a user's files."""
    project = make_project("stale")
    mine = project.folder / "mine"
    write(mine / "board.csv", BOARD)
    shutil.copytree(ROOT / "tests/fixtures/lm_eval/0.4.13", mine / "lm")
    for model in ("a", "b"):
        stats = {"exact_match": 0.8, "num_instances": 300}
        write(mine / f"helm/run:model={model}/stats.json",
              [{"name": {"name": name, "split": "test"}, "mean": mean, "sum": mean, "count": 1}
               for name, mean in stats.items()])  # fmt: skip
        write(mine / f"helm/run:model={model}/run_spec.json", {"adapter_spec": {"model": model}})
        scores = {"test": [{"main_score": 0.8}]}
        write(mine / f"mteb/{model}/Task.json",
              {"mteb_version": "2", "task_name": "Task", "scores": scores})  # fmt: skip
        write(mine / f"mteb/{model}/model_meta.json", {"name": model})
    rows = [f"{model},d,{example},{prompt},Yes,{example % 2}"
            for model in "ab" for example in range(9) for prompt in "pq"]  # fmt: skip
    header = "model,dataset,example_id,prompt,prediction,score"
    write(mine / "predictions.csv", "\n".join([header, *rows]) + "\n")
    write(
        mine / "code/mine_code.py", "import near\n\ndef plain(text):\n    return near.low(text)\n"
    )
    write(mine / "code/near.py", "def low(text):\n    return text.str.lower()\n")
    write(mine / "tiny.csv", "a,b\n1,2\n")
    registry = project.folder / "resources/sources.csv"
    names = registry.read_text().splitlines()[0].split(",")
    digest = hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    row = {"name": "tiny", "path": "tiny.csv", "sha256": digest, "bytes": "8", "licence": "none",
           "url": "http://127.0.0.1:9/tiny.csv", "what": "a test"}  # fmt: skip
    write(registry, f"{','.join(names)}\n{','.join(row[name] for name in names)}\n")
    write(project.folder / "test_config.yaml", yaml.safe_dump(CONFIG))
    environment = os.environ | {"PYTHONPATH": str(mine / "code"), "SATURATION_IMPORTS": "1"}
    project.finish(*TARGETS, config=CONFIG, env=environment)
    return project.folder


def planned(folder):
    """Rules that a dry run would run."""
    paths = os.pathsep.join(str(folder / name) for name in ("mine/code", "versions"))
    words = [*TARGETS, "-n", "--cores", 1, "--configfile", "test_config.yaml"]
    environment = os.environ | {"PYTHONPATH": paths, "SATURATION_IMPORTS": "1"}
    done = run_snakemake(words, folder, environment)
    text = done.stdout + done.stderr
    assert "Nothing to be done" in text or "This was a dry-run" in text, text
    return set(re.findall(r"^(?:local)?rule (\w+):", text, re.MULTILINE)) - {"card"}


def restore(folder, kept):
    """Every file as it was, with its date; the records may stay as a plan has marked them."""
    parts = [part for part in kept.iterdir() if part.name != ".snakemake"]
    for path in [file for part in parts for file in [part, *part.rglob("*")]]:
        to = folder / path.relative_to(kept)
        if path.is_file() and "logs" not in path.parts:
            state = to.stat() if to.exists() else None
            same = state and state.st_mtime_ns == path.stat().st_mtime_ns
            if not same or to.is_symlink() or to.read_bytes() != path.read_bytes():
                to.unlink(missing_ok=True)
                shutil.copy2(path, to)
    for path in [file for part in ("mine", "versions") for file in (folder / part).rglob("*")]:
        if path.is_file() and not (kept / path.relative_to(folder)).exists():
            path.unlink()
    shutil.rmtree(folder / "versions", ignore_errors=True)


def test_a_change_reruns_what_it_touches_and_nothing_else(finished, tmp_path):
    assert planned(finished) == set()
    kept = tmp_path / "kept"
    shutil.copytree(finished, kept)
    wrong = {}
    for name, (change, expected) in CHANGES.items():
        change(finished)
        found = planned(finished)
        if found != expected:
            wrong[name] = f"ran {sorted(found - expected)}, did not {sorted(expected - found)}"
        restore(finished, kept)
    assert wrong == {}
    assert planned(finished) == set()


def test_a_renamed_folder_reruns_nothing(finished):
    moved = finished.rename(finished.with_name("moved"))
    assert planned(moved) == set()
    moved.rename(finished)


def test_without_what_snakemake_noted_everything_runs_again(finished):
    shutil.rmtree(finished / ".snakemake/metadata")
    shutil.rmtree(finished / "results/logs")
    edit("mine/board.csv", "m5", "m7", OLDER)(finished)
    before = (finished / "mine/board.csv").stat().st_mtime
    assert planned(finished) == ALL
    # A user's file keeps its date where no object store judges by it.
    assert (finished / "mine/board.csv").stat().st_mtime == before
