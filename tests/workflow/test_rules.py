"""Every rule's code input is its script and all library modules that the script imports."""

import ast
import collections
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from saturation.planning.closure import closure, fingerprint
from saturation.planning.studies import CATEGORY

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*/*.py"))


@pytest.fixture(scope="module")
def stages(planned):
    """The rules that run a script, by name."""
    return {name: rule for name, rule in planned.items() if rule["script"]}


def test_every_rule_depends_on_its_own_code(stages):
    assert len(stages) > 60
    for name, rule in stages.items():
        script = ROOT / "workflow/scripts" / "/".join(rule["script"].split("/")[-2:])
        path, digits = rule["params"]["code"].split()
        assert (ROOT / path, digits) == (script, fingerprint(script, ROOT / "src")), name


def test_every_rule_has_a_log_a_measurement_and_the_environment(stages):
    for name, rule in stages.items():
        (log,) = rule["log"]
        assert log.startswith("results/logs/"), name
        # Costs are found by the log's name.
        assert rule["benchmark"] == log.replace("logs", "costs", 1).replace(".log", ".tsv"), name
        assert rule["conda"] == str(ROOT / "envs/environment.yaml"), name


def test_no_two_rules_share_a_log(stages):
    logs = [rule["log"][0] for rule in stages.values()]
    assert len(set(logs)) == len(logs)


def test_resources_grow_when_a_job_is_sent_again(planned):
    # A constant would not grow: growing(...) does.
    assert [name for name, rule in planned.items() if rule["constant_resources"]] == []


def test_every_item_of_the_report_has_one_label_of_its_own_in_its_section(planned):
    seen = collections.Counter()
    for name, rule in planned.items():
        for item in rule["report"]:
            assert list(item["labels"]) == ["item"], (name, item)
            assert item["category"] in CATEGORY.values(), (name, item)
            assert Path(item["caption"]).is_file(), (name, item)
            seen[item["category"], item["subcategory"], item["labels"]["item"]] += 1
    assert len(seen) > 50
    assert [item for item, times in seen.items() if times > 1] == []


def test_every_caption_belongs_to_an_item(planned):
    captions = {Path(item["caption"]).resolve() for rule in planned.values()
                for item in rule["report"]}  # fmt: skip
    files = set((ROOT / "workflow/report").glob("*/*.rst"))
    # By default there is no benchmark of one's own, whose card has it.
    assert files == captions | {ROOT / "workflow/report/own/card.rst"}


@pytest.fixture(scope="module")
def loaded():
    """The library's modules that importing what each script imports loads, in one interpreter.

    The library is unloaded between scripts; other packages stay, which saves their start-up.
    """
    programs = {str(script): _imports_of_the_library(script) for script in SCRIPTS}
    done = subprocess.run(
        [sys.executable, "-c", _LOAD], input=json.dumps(programs),
        capture_output=True, text=True, check=True, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "HOME": str(ROOT)},
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_closure_holds_every_module_that_running_the_script_loads(script, loaded):
    assert {Path(file) for file in loaded[str(script)]} <= set(closure(script, ROOT / "src"))


_LOAD = """
import json, sys
loaded = {}
for script, program in json.load(sys.stdin).items():
    for name in [name for name in sys.modules if name.split(".")[0] == "saturation"]:
        del sys.modules[name]
    exec(program, {})
    ours = [module for name, module in sys.modules.items() if name.split(".")[0] == "saturation"]
    loaded[script] = [module.__file__ for module in ours if getattr(module, "__file__", None)]
print(json.dumps(loaded))
"""


def _imports_of_the_library(script):
    tree = ast.parse(script.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [
        node for node in imports if any(name.startswith("saturation") for name in _modules(node))
    ]
    return "\n".join(map(ast.unparse, ours))


def _modules(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""]


def test_a_rule_that_the_config_leaves_without_outputs_is_planned(project):
    """The cluster's check runs no regression: its lists of files are empty."""
    config = yaml.safe_load((ROOT / "tests/cluster/config.yaml").read_text())
    done = project.run("--dry-run", "results/plateau/index.csv", config=config)
    assert done.returncode == 0, done.stderr
