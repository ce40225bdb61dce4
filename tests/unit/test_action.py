"""The action's last step, run by a shell as a runner does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import saturation

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ROWS = {
    name: "".join(f"m{i},{best - i / 500:.3f}\n" for i in range(6))
    for name, best in (("one", 0.97), ("two", 0.96))
}


@pytest.fixture
def step(tmp_path):
    """A function that runs the step with inputs, and gives back its code and what it wrote."""
    *_, card = ACTION["runs"]["steps"]
    (tmp_path / "boards").mkdir()
    for name, rows in ROWS.items():
        (tmp_path / f"boards/{name}.csv").write_text("model,score\n" + rows)

    def run(**given):
        inputs = {name: text.get("default", "") for name, text in ACTION["inputs"].items()} | given
        files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        variables = {
            name: inputs[text.removeprefix("${{ inputs.").removesuffix(" }}")]
            for name, text in card["env"].items()
        }
        variables |= {name: str(file) for name, file in files.items()}
        variables["RUNNER_TEMP"] = str(tmp_path)
        variables["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", card["run"]],
            cwd=tmp_path, text=True, capture_output=True, check=False,
            env={**os.environ, **variables},
        )  # fmt: skip
        texts = [file.read_text() if file.exists() else "" for file in files.values()]
        return done, *texts

    return run


def test_a_limit_fails_the_job_after_the_pages_are_written(step, tmp_path):
    options = {"options": "--family accuracy --n-items 500 --name board"}
    done, output, summary = step(**options, **{"files": "boards/one.csv", "fail-on": "tied>5"})
    assert done.returncode == 3
    assert "tied is 6" in done.stderr
    assert output == "json=card/cards.json\nverdict=exhausted\n"
    assert summary.startswith("# board: exhausted")
    card = json.loads((tmp_path / "card/cards.json").read_text())["cards"][0]
    assert card["tool"].startswith("saturation ")
    assert card["schema_version"] == 5
    done, _, _ = step(**options, **{"files": "boards/*.csv", "fail-on": "separates"})
    assert done.returncode == 1  # two scores of each model
    done, _, _ = step(files="nothing/*.csv")
    assert (done.returncode, done.stdout) == (1, "::error::no file matches: nothing/*.csv\n")


def test_a_comparison_is_in_the_summary_and_has_its_exit_code(step, tmp_path):
    for name, step_of_right in (("old", 10), ("new", 2)):
        rows = [f"{name},q{i},{int(i % step_of_right > 0)}" for i in range(400)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["model,item,response", *rows]))
    sides = {"baseline": "old.csv", "candidate": "new.csv"}
    done, _, summary = step(**sides, **{"fail-on": "worse>2"})
    assert done.returncode == 3
    assert summary.startswith("### new against old: FAIL")
    assert (tmp_path / "card/compare.html").is_file()
    assert step(**sides)[0].returncode == 0


def test_the_hooks_commands_are_understood():
    card, compare = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    from saturation.compare.gate import parse_rules
    from saturation.own.cards import conditions

    for hook, command, read in ((card, "card", conditions), (compare, "compare", parse_rules)):
        words = hook["entry"].split()
        assert words[:2] == ["saturation", command]
        assert read(words[-1])


def test_a_release_s_tag_is_compared_with_the_version():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["build"]["steps"]
    (check,) = [one["run"] for one in steps if one.get("name") == "The tag is the version"]
    for tag, code in ((f"v{saturation.__version__}", 0), ("v9.9.9", 1)):
        done = subprocess.run(
            ["bash", "-c", check], cwd=ROOT, env={**os.environ, "TAG": tag}, capture_output=True
        )
        assert done.returncode == code


def test_actions_of_others_are_named_by_commit():
    """A tag can be moved to other code."""
    contents = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS]
    jobs = [job for content in contents for job in content["jobs"].values()]
    steps = [step for job in [ACTION["runs"], *jobs] for step in job["steps"]]
    uses = {step["uses"] for step in steps if "uses" in step} - {"./"}
    assert uses
    assert {name for name in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name)} == set()
