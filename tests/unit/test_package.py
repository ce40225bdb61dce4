"""The package: what it declares is what it imports, and what its pages show runs."""

import ast
import contextlib
import copy
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from snakemake.utils import update_config

import saturation
from saturation import cli
from saturation.adaptive.responses import embedded
from studies.boards import alpha, ranked
from studies.planning import config
from studies.robustness import sources
from studies.robustness.study import Settings, study_predictions

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# What is imported under another name than it is installed by.
DISTRIBUTIONS = {"arviz_stats": "arviz-stats", "vl_convert": "vl-convert-python", "yaml": "pyyaml"}
# What comes with a package that is declared.
COMES_WITH = {
    "cycler": "matplotlib",
    "dateutil": "pandas",
    "h5netcdf": "arviz",
    "markupsafe": "jinja2",
    "mpl_toolkits": "matplotlib",
    "packaging": "pandera",
    "patsy": "statsmodels",
    "PIL": "matplotlib",
    "psutil": "snakemake",
    "pytensor": "pymc",
    "xarray": "arviz",
}


def names(requirements):
    return {re.split(r"[<>=\[\s]", requirement)[0] for requirement in requirements}


def workflow_requirements():
    """Return the requirements of the workflow's environment, as written."""
    lines = (ROOT / "envs/requirements.in").read_text().splitlines()
    return {line.strip() for line in lines if re.match("[a-z]", line)}


def lock_versions(environment):
    """Return the version of each package in a lock file."""
    text = (ROOT / f"envs/{environment}.txt").read_text()
    return dict(re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", text))


def import_distributions(path):
    """Return the distributions of others that a module imports, at its head or in a function."""
    distributions = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module]
        else:
            continue
        packages = {module.split(".")[0] for module in modules}
        packages -= {*sys.stdlib_module_names, "saturation", "studies"}
        requirements = {DISTRIBUTIONS.get(package, package) for package in packages}
        distributions |= {COMES_WITH.get(name, name) for name in requirements}
    return distributions


MODULES = [path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_what_a_module_imports_is_declared(module):
    is_library = module.startswith("saturation/")
    allowed = names(PROJECT["dependencies"] if is_library else workflow_requirements())
    assert import_distributions(ROOT / "src" / module) <= allowed


def test_what_the_package_declares_is_in_every_environment():
    """With the same limits in the workflow's, and in the same versions where commands alone run."""
    assert set(PROJECT["dependencies"]) <= workflow_requirements()
    workflow, commands = lock_versions("requirements"), lock_versions("requirements-card")
    assert {*names(PROJECT["dependencies"]), "hatchling"} <= set(commands)
    assert commands.items() <= workflow.items()


def test_what_is_cited_is_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == saturation.__version__
    date = f"## {citation['version']} ({citation['date-released']})"
    assert date in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def texts():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in pages}


def fenced(language, text):
    return re.findall(rf"(?m)^```{language}\n(.*?)^```", text, re.DOTALL)


def python_examples():
    """Page and code of every example; a Snakefile is tested where workflows are."""
    return [
        (page, GIVEN.get(page, "") + with_results_asserted(code))
        for page, text in texts().items()
        for code in fenced("python", text)
        # The tutorial is run as a whole, where its output is compared.
        if page != "docs/tutorial.md" and not code.startswith("module ")
    ]


# What an example leaves to its reader.
GIVEN = {
    "docs/adapt.md": "def evaluate(items): return {item: n % 2 for n, item in enumerate(items)}\n",
    "docs/files.md": (
        "import numpy as np, pathlib, pyarrow, pyarrow.parquet\n"
        "pathlib.Path('answers').mkdir()\n"
        "for part in range(10):\n"
        "    items = np.repeat(np.arange(1000) + 1000 * part, 100)\n"
        "    made = {'model': np.tile([f'm{n:02d}' for n in range(100)], 1000), 'item': items,\n"
        "            'response': (items % 100 < np.tile(np.arange(100), 1000)).astype('int8')}\n"
        "    pyarrow.parquet.write_table(pyarrow.table(made), f'answers/{part}.parquet')\n"
    ),
    "docs/boards.md": (
        "import pandas as pd\n"
        "items = pd.Series(range(200)).rename_axis('item')\n"
        "rights = {f'm{n}': items * (n + 9) % 100 < 90 - n for n in range(7)}\n"
        "table = pd.DataFrame(rights).astype(int)\n"
        "table.mean().rename('score').rename_axis('model').to_csv('scores.csv')\n"
        "long = table.reset_index().melt('item', var_name='model', value_name='response')\n"
        "long.to_parquet('top.parquet')\n"
    ),
    "docs/robustness.md": (
        "import itertools, numpy as np, pandas as pd, pathlib\n"
        "pathlib.Path('predictions').mkdir()\n"
        "rng = np.random.default_rng(1)\n"
        "columns = ['model', 'dataset', 'example_id', 'paraphrase']\n"
        "for n, model in enumerate(['a-b', 'a', 'b', 'c', 'd']):\n"
        "    cells = itertools.product([model], 'xy', map(str, range(30)), 'pqr')\n"
        "    table = pd.DataFrame(cells, columns=columns)\n"
        "    table['score'] = (rng.random(len(table)) < 0.5 + n / 10).astype(float)\n"
        "    table['prediction'] = table['score'].map({1: 'Yes', 0: 'no '})\n"
        "    table.to_parquet(f'predictions/{model}.parquet')\n"
    ),
    "docs/adaptive.md": (
        "import pandas as pd\n"
        "items = [{'item': f'q{i}', 'discrimination': 1, 'difficulty': i / 9} for i in range(9)]\n"
        "items = pd.DataFrame(items)\n"
        "def evaluate(batch): return [(item, 1) for item in batch]\n"
    ),
}


def shell_examples():
    """Page and lines of every run of commands of ours, in the order in which they stand.

    Those on other tools' output, whose model or task the reader puts in, cannot be run.
    """
    found = []
    for page, text in texts().items():
        lines = re.findall(
            r"(?m)^(?: {4}|\|[^|]*\| `)?(saturation (?!ledger 0|.*--model MODEL)[^`\n]*)", text
        )
        found += [(page, lines)] if lines else []
    return found


def printed_examples():
    """Commands with the output that a page shows below them; ``...`` stands for further lines."""
    return [
        (command, shown)
        for text in texts().values()
        for command, shown in re.findall(r"(?m)^\$ (saturation .*)\n((?:(?!```).*\n)+)", text)
    ]


def words_of(command, folder):
    """The words of a command after its name, patterns expanded as a shell does."""
    for word in shlex.split(command, comments=True)[1:]:
        files = sorted(folder.glob(word)) if "*" in word else []
        yield from [str(file.relative_to(folder)) for file in files] or [word]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with the files that the pages' commands are about."""
    folder = tmp_path_factory.mktemp("files")
    example = ROOT / "resources/own/example"
    shutil.copytree(example / "lm_eval", folder / "results")
    for number, file in enumerate(sorted(example.glob("lm_eval/*/results_*.json"))):
        shutil.copy(file, folder / f"results_{number}.json")
    (folder / "logs").mkdir()
    for log in (ROOT / "tests/fixtures/inspect_ai/0.3.285").glob("*.eval"):
        shutil.copy(log, folder / "logs")
    scores = pd.DataFrame({"model": list("abcdef"), "score": [0.9, 0.88, 0.85, 0.8, 0.7, 0.6]})
    scores["n_items"] = 500
    for name in ("leaderboard", "scores"):
        scores.to_csv(folder / f"{name}.csv", index=False)
    others = scores.rename(columns={"model": "System", "score": "Accuracy"})
    others.to_csv(folder / "board.csv", index=False)
    bank, _ = embedded("nlu_hellaswag")
    answers = {"model": "mine", "item": bank.items, "response": bank.responses[0]}
    pd.DataFrame(answers).to_csv(folder / "answers.csv", index=False)
    for version in ("old", "new"):
        names = bank.items if version == "old" else [f"new-{item}" for item in bank.items]
        part = bank.responses[::9, :200] if version == "old" else bank.responses[::9, 200:400]
        pd.DataFrame(part.T.astype(float), names[:200], bank.respondents[::9]).rename_axis(
            "item"
        ).to_csv(folder / f"{version}.csv")
    add_versions_and_suites(folder)
    # README's commands read the table that the demo writes.
    with contextlib.chdir(folder):
        assert cli.main(["demo"]) == 0
    return folder


@pytest.fixture
def workplace(files, tmp_path, monkeypatch):
    """A copy of the files; the working directory."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add_versions_and_suites(folder):
    """Write answers of two versions, a release note, scores on tasks, and samples with choices."""
    items = [f"q{item}" for item in range(400)]
    for version, every in (("old", 9), ("new", 8)):
        (folder / version).mkdir()
        right = [int(item % every > 0) for item in range(400)]
        answers = pd.DataFrame({"model": version, "item": items, "response": right})
        answers.to_csv(folder / f"{version}/answers.csv", index=False)
    (folder / "release.md").write_text(
        "| Benchmark | GPT-4.1 | Kimi K2 Instruct |\n|---|---|---|\n| MMLU | 90.4 | 89.5 |\n"
        "| MATH-500 | 92.4 | 97.4 |\n"
    )
    tasks = pd.DataFrame(
        {f"t{task}": [(7 * model + task) % 13 / 20 for model in range(6)] for task in range(6)},
        index=pd.Index([f"lab{model}/m" for model in range(6)], name="model"),
    )
    tasks.to_csv(folder / "tasks.csv")
    pd.DataFrame({"task": tasks.columns, "family": list("aabbcc")}).to_csv(
        folder / "types.csv", index=False
    )
    pd.DataFrame({"model": tasks.index, "released": "2026-01-01"}).to_csv(
        folder / "models.csv", index=False
    )
    for model, letters in (("a", "ABCD"), ("b", "ABCA"), ("c", "ABDD")):
        choices = pd.Series(list(letters * 9))
        right = (choices == pd.Series(list("ABCC" * 9))).astype(int)
        answers = pd.DataFrame({"model": model, "item": items[:36], "response": right})
        answers.assign(choice=choices).to_csv(folder / f"answers_{model}.csv", index=False)


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


def test_there_are_examples_and_results_are_compared():
    assert {"docs/adapt.md", "docs/plateau.md"} <= {page for page, _ in python_examples()}
    assert {"docs/own.md", "docs/adapt.md"} <= {page for page, _ in shell_examples()}
    assert len(printed_examples()) > 1
    assert any("assert round(" in code for _, code in python_examples())


@pytest.mark.parametrize(("page", "code"), python_examples())
def test_examples_in_python_run_and_give_what_they_say(page, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(code, {})


def test_sums_of_a_million_answers_in_parts_are_the_models_scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (recipe,) = (code for page, code in python_examples() if page == "docs/files.md")
    exec(recipe, {})
    scores, top = pd.read_csv("scores.csv", index_col="model"), pd.read_parquet("top.parquet")
    assert list(scores["score"]) == [n / 100 for n in range(100)]
    assert set(scores["n_items"]) == {10_000}
    assert top.groupby("model").size().to_dict() == {f"m{n}": 10_000 for n in range(80, 100)}


def recipe(page):
    (code,) = (code for of, code in python_examples() if of == page)
    made = {}
    exec(code, made)
    return made


def test_alpha_of_the_best_models_answers_is_that_of_the_whole_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = recipe("docs/boards.md")
    whole = made["table"][made["table"].mean().sort_values(ascending=False).index].astype(float)
    alone = whole.index.to_series()
    board = ranked.Ranked("mbpp", whole, alone, None, np.full(7, 1), [])
    row = alpha.measured([board], ranked.Settings(k=5)).iloc[0]
    found = [made[name] for name in ("value", "lower", "upper")]
    assert found == pytest.approx(list(row[["alpha", "lower", "upper"]]), rel=1e-9)


def test_consistency_in_parts_is_that_of_all_predictions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recipe("docs/robustness.md")
    table = pd.concat(map(pd.read_parquet, Path("predictions").glob("*")), ignore_index=True)
    rows, _ = sources.prepared(table, ["paraphrase"], (0, 1), "lower_strip", False, "all")
    datasets = pd.DataFrame({"dataset": ["x", "y"], "n_answers": np.nan})
    whole = study_predictions(rows, datasets, Settings(factors=["paraphrase"]))["consistency"]
    found = pd.read_csv("consistency.csv")
    pd.testing.assert_frame_equal(found, whole[found.columns], rtol=1e-9)


# Takes a minute; tests/unit/live has a smaller one.
SLOW = "saturation subset nlu_hellaswag --size 500"


@pytest.mark.parametrize(
    ("page", "commands"),
    [
        pytest.param(*example, marks=pytest.mark.heavy if example[1][0].startswith(SLOW) else ())
        for example in shell_examples()
    ],
)
def test_commands_run(page, commands, workplace, capsys):
    for command in commands:
        code = cli.main(list(words_of(command, workplace)))
        assert code in ((0, 3, 4) if "--fail-on" in command else (0,)), capsys.readouterr().err


@pytest.mark.parametrize(("command", "shown"), printed_examples())
def test_commands_print_what_is_shown(command, shown, workplace, capsys):
    cli.main(list(words_of(command, workplace)))
    said = capsys.readouterr().out
    assert (
        said.startswith(shown.removesuffix("...\n")) if shown.endswith("\n...\n") else said == shown
    )


def test_targets_of_make_exist():
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
    for page, text in texts().items():
        named = re.findall(r"`make ([a-z-]+)", text) + re.findall(r"(?m)^make ([a-z-]+)", text)
        assert set(named) <= targets, page


def test_parts_of_a_config_are_allowed():
    defaults = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    schemas = (ROOT / "workflow/schemas").glob("*.schema.yaml")
    parts = {path.name.split(".")[0]: yaml.safe_load(path.read_text()) for path in schemas}
    given = [
        example
        for text in texts().values()
        for example in map(yaml.safe_load, fenced("yaml", text))
        if isinstance(example, dict) and set(example) <= set(defaults)
    ]
    assert given
    for example in given:
        completed = copy.deepcopy(defaults)
        update_config(completed, example)
        config.check(completed, config.assemble(parts))


def test_the_shell_can_complete_commands(capsys, monkeypatch):
    """The line of docs/questions.md finds the commands in the help."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    (line,) = re.findall(r"(?m)^complete .*", texts()["docs/questions.md"])
    program = re.search(r"awk '(.*?)'", line)[1]
    helped = capsys.readouterr().out
    found = subprocess.run(["awk", program], input=helped, check=True, stdout=-1, text=True)
    assert found.stdout.split() == list(cli.COMMANDS)
