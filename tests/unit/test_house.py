"""The house: layers, one word from rule to test, short functions, feet of scripts.

Exceptions stand in tables here, each with a reason; one that is no longer needed fails its test.
"""

import ast
import sys
from pathlib import Path

import pytest

from saturation.planning.closure import closure

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "src" / "saturation"
SCRIPTS = ROOT / "workflow" / "scripts"

# Every package and every module that stands alone, lowest layer first: a module imports from lower
# layers or from its own package.
LAYERS = [
    {"doctor", "errors", "seeds"},
    {"files", "planning", "drawing", "statistics"},
    {"index", "quantity"},
    {"plateau", "discriminability", "adaptive", "robustness", "board"},
    {"regression", "multiverse", "boards", "forecast", "live"},
    {"own", "ledger", "dashboard", "costs"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Names that planning and statistics both need: a study's module `names` imports nothing of ours, so
# that what is below the studies may read it while the workflow is planned.
SHARED = "names"
MOST_LINES = 60

# The module that does a rule's work, where it is not called by the rule's word.
SUBJECT = {
    "sources_fetch": "files/sources",
    "ledger": "ledger/judge",
    "dashboard": "dashboard/page",
    "manifest": "files/manifest",
    "plateau_verify": "files/differences",
    "plateau_tables": "plateau/paper_tables",
    "discriminability_verify": "files/differences",
    "regression_calibration_figure": "regression/figures",
    "boards_verify": "files/differences",
    "forecast_verify": "files/differences",
    "adaptive_fluid": "files/locked",
    "robustness_verify": "files/differences",
    "multiverse_overview": "multiverse/figures",
    "multiverse_curve": "multiverse/figures",
    "own_gate": "own/cards",
}
# What else of a rule's word is missing, and why.
EXCEPTIONS = {
    "sources_fetch": ({"output"}, "the outputs are the sources themselves"),
    "plateau_verify": ({"output"}, "verification.csv: the noun of the same word"),
    "plateau_uncertainty": ({"output"}, "the tables are named by what they hold: intervals"),
    "plateau_sensitivity": ({"output"}, "the tables are named by what they hold: grid and so on"),
    "plateau_hypotheses": ({"output"}, "the tables are named by what they hold: tests and so on"),
    "discriminability_verify": ({"output"}, "verification.csv: the noun of the same word"),
    "discriminability_study": ({"output"}, "the tables of all its parts, by what they hold"),
    "discriminability_author_sources": ({"output"}, "author_monthly.csv and author_fits.csv"),
    "boards_verify": ({"output"}, "verification.csv: the noun of the same word"),
    "forecast_verify": ({"output"}, "verification.csv: the noun of the same word"),
    "robustness_verify": ({"output"}, "verification.csv: the noun of the same word"),
    "adaptive_study": ({"output"}, "the files of the stages whose work it does at once"),
    "adaptive_evaluation": ({"output"}, "administrations.csv and others, which others read"),
    "adaptive_paper_tables": ({"output"}, "table1 to table3, as in the paper"),
    "adaptive_collection_figures": ({"output"}, "figures are named by what they show"),
    "regression_summary": ({"output"}, "the tables are named by what they hold: fit, effects"),
    "regression_calibration_figure": ({"output"}, "calibration.png: of make full only"),
    "multiverse_curve": ({"output"}, "a curve is named by its conclusion"),
}

# Scripts that read a table without its schema, and why.
READS_RAW = {
    "adaptive/responses.py": "the published data set, checked by its own reader",
    "adaptive/responses.py": "the user's responses, checked by their own reader",
    "boards/sources.py": "others' files, each read as it is by the reader of its layout",
    "discriminability/sources.py": "the author's table; its reader names what it lacks",
    "discriminability/study.py": "the user's table of benchmarks: validated, but a file of one's "
    "own need not end with a newline",
    "discriminability/leaderboards.py": "the user's leaderboard, screened row by row",
    "discriminability/sources.py": "exports as others publish them, validated column by column",
    "forecast/sources.py": "others' tables, each read as it is by the reader of its layout",
    "plateau/inputs.py": "the user's two tables, checked together",
    "plateau/verify.py": "the published sheet as it is; sheet checks its vocabulary",
    "robustness/consistency.py": "the user's table of datasets: validated, as above",
    "robustness/sources.py": "the user's predictions: validated, as above",
    "robustness/sources.py": "others' files, each read as it is by the reader of its layout",
    "robustness/study.py": "the user's table of datasets: validated, as above",
}


def names_in(path):
    """The modules of the library that a file imports, as tuples of their parts."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                f"{path}: relative import; the code closure follows absolute ones"
            )
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (tuple(name.split(".")) for name in names if name.split(".")[0] == "saturation")


def module_of(parts):
    """The file of the module that an import names: the name itself or what holds it."""
    while len(parts) > 1:
        file = LIBRARY.joinpath(*parts[1:])
        if file.with_suffix(".py").is_file():
            return file.with_suffix(".py")
        if (file / "__init__.py").is_file():
            return file / "__init__.py"
        parts = parts[:-1]
    return None


def unit_of(path):
    """The package, or the module that stands alone, to which a file of the library belongs."""
    return path.relative_to(LIBRARY).with_suffix("").parts[0]


def modules():
    return [path for path in sorted(LIBRARY.rglob("*.py")) if path != LIBRARY / "__init__.py"]


def test_every_package_has_a_layer():
    assert {unit_of(path) for path in modules()} <= set(LEVEL)


def test_imports_go_to_lower_layers_or_stay_in_their_package():
    wrong = []
    for path in modules():
        unit = unit_of(path)
        for parts in names_in(path):
            target = parts[1] if len(parts) > 1 else None
            if SHARED in parts[2:3]:
                continue
            if target not in (None, unit) and LEVEL[target] >= LEVEL[unit]:
                wrong.append(f"{path.relative_to(LIBRARY)} imports {'.'.join(parts)}")
    assert wrong == []


@pytest.mark.parametrize("path", sorted(LIBRARY.glob(f"*/{SHARED}.py")), ids=unit_of)
def test_shared_names_import_nothing_of_ours_nor_anything_heavy(path):
    assert list(names_in(path)) == []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    from_elsewhere = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {node.module for node in from_elsewhere} | {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_no_imports_go_round_in_a_circle():
    imported = {
        path: {file for parts in names_in(path) if (file := module_of(parts))} - {path}
        for path in modules()
    }
    left = dict(imported)
    while free := [path for path, needs in left.items() if not needs & left.keys()]:
        for path in free:
            del left[path]
    assert [str(path.relative_to(LIBRARY)) for path in left] == []


def word_of(name, rule):
    """Study and word of a rule STUDY_WORD, or STUDY alone."""
    study = rule["script"].split("/")[-2]
    return study, study if name == study else name.removeprefix(f"{study}_")


def code_of(rule):
    """The library's modules on which a rule's script depends."""
    return closure(SCRIPTS.joinpath(*rule["script"].split("/")[-2:]), ROOT / "src")


def subject_of(name, rule):
    """The module that does a rule's work, without suffix."""
    study, word = word_of(name, rule)
    return SUBJECT.get(name, word if (LIBRARY / f"{word}.py").is_file() else f"{study}/{word}")


def missing(name, rule):
    """What of a rule's word is missing."""
    study, word = word_of(name, rule)
    folder, _, module = subject_of(name, rule).rpartition("/")
    there = {
        "name": name == study or name.startswith(f"{study}_"),
        "script": rule["script"].endswith(f"{study}/{word}.py"),
        "module": LIBRARY / f"{subject_of(name, rule)}.py" in code_of(rule),
        "output": any(word in file for file in rule["output"]),
        "test": (ROOT / "tests/unit" / folder / f"test_{module}.py").is_file(),
    }
    return {part for part, present in there.items() if not present}


def test_one_word_runs_from_a_rule_to_its_test(planned):
    stages = {name: rule for name, rule in planned.items() if rule["script"]}
    gaps = {name: gap for name, rule in stages.items() if (gap := missing(name, rule))}
    assert gaps == {name: gap for name, (gap, _) in EXCEPTIONS.items()}
    assert set(SUBJECT) <= set(stages)


def test_no_listed_module_would_be_found_without_the_list(planned):
    superfluous = [
        name
        for name in SUBJECT
        if LIBRARY.joinpath(*word_of(name, planned[name])).with_suffix(".py")
        in code_of(planned[name])
    ]
    assert superfluous == []


def functions():
    """Every function of the library, the scripts and what measures speed."""
    for folder in ("src", "workflow/scripts", "speed"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield path.relative_to(ROOT), node


def test_functions_are_short():
    # Parameters are counted by ruff, PLR0913.
    long = [
        f"{path}: {node.name} has {lines} lines"
        for path, node in functions()
        if (lines := node.end_lineno - node.lineno + 1) > MOST_LINES
    ]
    assert long == []


def stages():
    """Scripts of rules; those of docs/ are run by make."""
    return [path for path in sorted(SCRIPTS.glob("*/*.py")) if path.parent.name != "docs"]


@pytest.mark.parametrize("path", stages(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_script_has_a_foot_of_one_line(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.unparse(tree.body[-1]).removeprefix("stages.") == "run(main, globals())"
    assert not any(isinstance(node, ast.Name) and node.id == "snakemake" for node in ast.walk(tree))


def test_tables_are_read_by_their_schema():
    raw = [
        f"{path.parent.name}/{path.name}"
        for path in stages()
        if "read_table(" in path.read_text(encoding="utf-8")
    ]
    assert sorted(raw) == sorted(READS_RAW)
    library = [
        str(path.relative_to(LIBRARY))
        for path in modules()
        if "read_table(" in path.read_text(encoding="utf-8")
        and path.relative_to(LIBRARY).parts[:2] not in (("board", "importers"),)
        and unit_of(path) != "files"
    ]
    assert library == []
