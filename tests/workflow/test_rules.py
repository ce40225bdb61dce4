"""Every rule says its code, log and environment; the code is all that its script imports."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from saturation.planning.code import closure

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*/*.py"))
RULES = [path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk")]


def test_every_rule_says_its_purpose_its_own_code_a_log_and_the_environment(planned):
    assert len(planned) > 20
    for name, rule in planned.items():
        script = rule["script"].removeprefix("../scripts/")
        assert f'code=code("{script}"' in rule["params"], name
        assert rule["docstring"].startswith('"""'), name
        assert rule["log"].startswith('"results/logs/'), name
        assert rule["conda"] == '"../../envs/environment.yaml"', name


def test_numbers_of_a_rule_are_compared_by_their_names(planned):
    # Snakemake compares values alone: two that are exchanged would rerun nothing.
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    sections = {name.upper(): value for name, value in config.items()} | {"config": config}
    wrong = []
    for name, rule in planned.items():
        given = ast.parse(f"f({rule['params']})").body[0].value.keywords
        numbers = 0
        for keyword in given:
            try:
                value = eval(ast.unparse(keyword.value), sections)
            except (NameError, KeyError, TypeError):
                continue
            mapping = isinstance(value, dict)
            values = value.values() if mapping and keyword.arg is None else [value]
            numbers += sum(isinstance(one, int | float) for one in values)
        if numbers > 1:
            wrong.append(name)
    assert wrong == []


def test_no_two_rules_share_a_log(planned):
    logs = [rule["log"] for rule in planned.values()]
    assert len(set(logs)) == len(logs)


def test_every_caption_belongs_to_an_item_and_every_item_has_one():
    named = {
        path.replace("{name}", "*")
        for text in RULES
        for path in re.findall(r'caption=f?"\.\./report/(.+)"', text)
    }
    folder = ROOT / "workflow/report"
    found = {path: {str(file.relative_to(folder)) for file in folder.glob(path)}
             for path in (re.sub(r"\{[^}]+\}", "*", name) for name in named)}  # fmt: skip
    assert [path for path, files in found.items() if not files] == []
    assert set().union(*found.values()) == {
        str(file.relative_to(folder)) for file in folder.glob("*/*.rst")
    }


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
OURS = ("saturation", "studies")
loaded = {}
for script, program in json.load(sys.stdin).items():
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    exec(program, {})
    ours = [module for name, module in sys.modules.items() if name.split(".")[0] in OURS]
    loaded[script] = [module.__file__ for module in ours if getattr(module, "__file__", None)]
print(json.dumps(loaded))
"""


def _imports_of_the_library(script):
    tree = ast.parse(script.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [
        node
        for node in imports
        if any(name.startswith(("saturation", "studies")) for name in _modules(node))
    ]
    return "\n".join(map(ast.unparse, ours))


def _modules(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""]


def test_a_rule_that_the_config_leaves_without_outputs_is_planned(project):
    """The cluster's check runs no regression: its lists of files are empty."""
    config = yaml.safe_load((ROOT / "tests/cluster/config.yaml").read_text())
    project.finish("--dry-run", "results/plateau/index.csv", config=config)
