"""The package: what it declares is what it imports, and what its README shows runs."""

import ast
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "src/saturation"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# What is imported under another name than it is installed by.
DISTRIBUTIONS = {"yaml": "pyyaml"}
# What comes with a package that is declared.
COMES_WITH = {
    "arviz_stats": "arviz", "cycler": "matplotlib", "formulae": "bambi",
    "mpl_toolkits": "matplotlib", "patsy": "statsmodels", "pytensor": "pymc", "xarray": "arviz",
}  # fmt: skip
# Modules that need an extra as soon as they are imported; all others import it where they use it.
NEEDS = {
    "figures": (r".*figures\.py", r"drawing/style\.py", r"dashboard/.*"),
    "regression": (r"regression/.*", r"adaptive/posterior\.py"),
}


def names(requirements):
    return {re.split(r"[<>=\[\s]", requirement)[0] for requirement in requirements}


CORE = names(PROJECT["dependencies"])
EXTRAS = {name: names(given) for name, given in PROJECT["optional-dependencies"].items()}
EXTRAS["workflow"] |= EXTRAS["figures"] | EXTRAS["regression"]


def imported(path):
    """Packages that a module imports: when it is imported, and where it uses them."""
    tree = ast.parse(path.read_text())
    late = {
        id(node)
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) or _only_for_types(part)
        for node in ast.walk(part)
    }
    found = {"at once": set(), "late": set()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module]
        else:
            continue
        for module in modules:
            package = module.split(".")[0]
            if package not in {*sys.stdlib_module_names, "saturation"}:
                name = DISTRIBUTIONS.get(package, package)
                found["late" if id(node) in late else "at once"].add(COMES_WITH.get(name, name))
    return found


def _only_for_types(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@pytest.mark.parametrize(
    "path", sorted(LIBRARY.rglob("*.py")), ids=lambda path: str(path.relative_to(LIBRARY))
)
def test_what_a_module_imports_is_declared(path):
    module = path.relative_to(LIBRARY).as_posix()
    extras = [name for name, paths in NEEDS.items() if any(re.fullmatch(p, module) for p in paths)]
    allowed = CORE.union(*(EXTRAS[extra] for extra in extras))
    uses = imported(path)
    assert uses["at once"] <= allowed
    assert uses["late"] <= allowed.union(*EXTRAS.values())


def test_imports_are_found_where_they_stand(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(
        "import os, numpy as np\nfrom yaml import load\nfrom saturation import index\n"
        "if TYPE_CHECKING:\n    import xarray\ndef f():\n    from matplotlib import pyplot\n"
    )
    assert imported(path) == {"at once": {"numpy", "pyyaml"}, "late": {"arviz", "matplotlib"}}


def test_the_workflow_s_environment_has_what_the_package_declares():
    lines = (ROOT / "envs/requirements.in").read_text().splitlines()
    environment = {line.strip() for line in lines if re.match("[a-z]", line)}
    extras = PROJECT["optional-dependencies"]
    declared = {*PROJECT["dependencies"], *(one for given in extras.values() for one in given)}
    assert {one for one in declared if not one.startswith("saturation[")} <= environment


def readme_examples():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def with_results_asserted(example):
    """The example with ``expression  # number`` as a comparison to the digits shown."""

    def compared(line):
        shown = re.fullmatch(r"(\S.*\))  # (\d+\.(\d+))", line)
        return (
            line
            if shown is None
            else f"assert round(float({shown[1]}), {len(shown[3])}) == {shown[2]}"
        )

    return "\n".join(map(compared, example.splitlines()))


def test_the_readme_has_an_example_with_a_result():
    examples = list(map(with_results_asserted, readme_examples()))
    assert examples
    assert any("assert round(" in example for example in examples)


@pytest.mark.parametrize("example", readme_examples())
def test_the_readme_s_examples_run_and_give_what_they_say(example):
    exec(with_results_asserted(example), {})


@pytest.mark.heavy
def test_in_an_empty_environment_the_wheel_has_all_that_is_needed(tmp_path):
    """Needs the package index, and the build backend in the environment of the tests."""
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("saturation-*.whl")
    files = set(zipfile.ZipFile(wheel).namelist())
    for shipped in ("config/config.yaml", "resources/plateau/benchmarks.csv",
                    "workflow/templates/card.html.j2"):  # fmt: skip
        assert f"saturation/shipped/{shipped}" in files
    assert not [file for file in files if file.endswith(".pyc")]
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv/bin"

    def run(*words):
        done = subprocess.run(
            [binaries / words[0], *map(str, words[1:])], cwd=tmp_path, text=True,
            capture_output=True, check=False, env={"PATH": str(binaries)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("pip", "install", "--quiet", wheel)
    installed = run("pip", "list").lower()
    assert "snakemake" not in installed
    assert "pymc" not in installed
    for example in readme_examples():
        run("python", "-c", with_results_asserted(example))
    assert "card" in run("saturation", "--help")
    assert run("saturation", "--version") == f"saturation {PROJECT['version']}\n"
    assert "0.916" in run("saturation", "index", "--s-1", 0.992, "--s-k", 0.982, "--n", 500)
    samples = sorted((ROOT / "resources/own/example/lm_eval").glob("*/*"))
    text = run("saturation", "card", *samples, "--family", "accuracy", "--output", "pages")
    assert "synthetic_task: SEPARATES IN PART" in text
    assert (tmp_path / "pages/card.html").is_file()
    program = (
        "import pandas as pd; from saturation.files.shipped import shipped; "
        "print(len(pd.read_csv(shipped('resources/plateau/benchmarks.csv'))))"
    )
    assert run("python", "-c", program) == "60\n"
    modules = [
        "saturation." + path.relative_to(LIBRARY).with_suffix("").as_posix().replace("/", ".")
        for path in sorted(LIBRARY.rglob("*.py"))
        if not any(
            re.fullmatch(pattern, path.relative_to(LIBRARY).as_posix())
            for patterns in NEEDS.values()
            for pattern in patterns
        )
        and path.name != "__init__.py"
    ]
    run("python", "-c", f"import importlib; [importlib.import_module(m) for m in {modules!r}]")
