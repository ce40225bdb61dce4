"""Every rule's code input is its script and all library modules that the script imports."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from saturation.planning.closure import closure

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*/*.py"))
RULE_FILES = sorted((ROOT / "workflow/rules").glob("*.smk"))
RULE = re.compile(r"(?m)^(?:checkpoint|rule) (\w+):\n((?:(?:    .*)?\n)+)")


def rules():
    """Name and body of every rule that runs a script."""
    for path in RULE_FILES:
        for name, body in RULE.findall(path.read_text()):
            script = re.search(r'script:\s*"\.\./scripts/([^"]+)"', body)
            if script:
                yield pytest.param(script[1], body, id=name)


@pytest.mark.parametrize(("script", "body"), list(rules()))
def test_every_rule_depends_on_its_own_code(script, body):
    assert f'code=code("{script}")' in body
    assert "conda:\n        ENVIRONMENT" in body
    assert "log:" in body
    assert "benchmark:" in body
    # A constant would not grow when the job is sent again: growing(...) does.
    assert not re.search(r"(mem_mb|runtime)=\d", body)


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
