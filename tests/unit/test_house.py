"""The house: layers, sizes, how hard its code is to read, docstrings, feet of scripts."""

import ast
import re
from pathlib import Path

import pytest

from tests import house

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
SCRIPTS = ROOT / "workflow" / "scripts"

# Every package and every module that stands alone, lowest layer first: a module imports from lower
# layers of its own storey or from its own package. `studies` imports `saturation`, never the other
# way.
LAYERS = {
    "saturation": [
        {"arrays", "errors", "provenance", "seeds"},
        {"pages"},
        {"files", "planning", "statistics"},
        {"index"},
        {"discriminability", "adaptive", "leaderboard", "review", "suite"},
        {"forecast", "renewal", "live"},
        {"own", "status", "ledger"},
        {"compare"},
        {"commands"},
        {"cli"},
    ],
    "studies": [
        {"correlation", "files", "planning", "quantity", "style"},
        {"plateau", "discriminability", "adaptive", "robustness"},
        {"regression", "multiverse", "boards", "forecast", "renewal", "review", "suites"},
        {"status", "ledger"},
        {"releases"},
        {"dashboard"},
    ],
}
LEVEL = {
    (storey, name): level
    for storey, layers in LAYERS.items()
    for level, names in enumerate(layers)
    for name in names
}
# A module `names` holds what planning and statistics both need: any layer of its storey may read
# it.
SHARED = "names"
MOST_LINES = 60
MOST_MODULES = 21
# Docstrings of parameters stand where others call; an entry of fewer words repeats its name.
FEWEST_WORDS = 5
# A figure may only fall until it meets its ceiling: measure, today's maximum, ceiling.
RATCHETS = [
    ("tokens of saturation", lambda: house.tokens_of_storey("saturation"), 200_000, 200_000),
    # Twice this figure rose: by what no command needs, which moved here.
    ("tokens of studies", lambda: house.tokens_of_storey("studies"), 131_981, 120_000),
    ("% question words", house.question_words, 1, 1),
    ("% pronouns", house.pronouns, 5, 5),
    ("% participles", house.participles, 1, 1),
    ("% functions without verb", house.functions_without_verb, 2, 2),
    ("fmt: skip", house.skipped_formats, 20, 20),
]
MOST_COMPLEX = 15


def names_in(path):
    """The modules of both storeys that a file imports, as tuples of their parts."""
    for node in ast.walk(house.syntax_tree(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                f"{path}: relative import; the code closure follows absolute ones"
            )
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (tuple(name.split(".")) for name in names if name.split(".")[0] in LAYERS)


def module_of(parts):
    """The file of the module that an import names: the name itself or what holds it."""
    while len(parts) > 1:
        file = SOURCE.joinpath(*parts)
        if file.with_suffix(".py").is_file():
            return file.with_suffix(".py")
        if (file / "__init__.py").is_file():
            return file / "__init__.py"
        parts = parts[:-1]
    return None


def unit_of(path):
    """The storey of a file, and its package or the module itself where it stands alone."""
    return path.relative_to(SOURCE).with_suffix("").parts[:2]


def modules():
    tops = {SOURCE / storey / "__init__.py" for storey in LAYERS}
    return [path for path in sorted(SOURCE.rglob("*.py")) if path not in tops]


def test_every_package_has_a_layer():
    assert {unit_of(path) for path in modules()} <= set(LEVEL)


def test_imports_go_to_lower_layers_or_stay_in_their_package():
    wrong = []
    for path in modules():
        unit = unit_of(path)
        for parts in names_in(path):
            target = parts[:2]
            if len(target) == 1 or target == unit:
                continue
            if parts[0] != unit[0]:
                allowed = unit[0] == "studies"
            else:
                allowed = parts[2:3] == (SHARED,) or LEVEL[target] < LEVEL[unit]
            if not allowed:
                wrong.append(f"{path.relative_to(SOURCE)} imports {'.'.join(parts)}")
    assert wrong == []


def test_no_imports_go_round_in_a_circle():
    imported = {
        path: {file for parts in names_in(path) if (file := module_of(parts))} - {path}
        for path in modules()
    }
    left = dict(imported)
    while free := [path for path, needs in left.items() if not needs & left.keys()]:
        for path in free:
            del left[path]
    assert [str(path.relative_to(SOURCE)) for path in left] == []


def test_a_result_is_two_steps_from_the_function_that_makes_it(planned):
    """From a file its rule names the script; the script imports the study's package."""
    lost = []
    for name, rule in planned.items():
        if rule["script"]:
            script = SCRIPTS.joinpath(*rule["script"].split("/")[-2:])
            if not list(names_in(script)):
                lost.append(name)
    assert lost == []


def test_packages_are_small():
    sizes = {
        folder: len(list(folder.glob("*.py"))) - 1
        for folder in {path.parent for path in modules()} - {SOURCE / storey for storey in LAYERS}
    }
    assert {folder.name for folder, size in sizes.items() if size > MOST_MODULES} == set()


def functions():
    """Every function of the library, the scripts and what measures speed."""
    for folder in ("src", "workflow/scripts", "speed"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(house.syntax_tree(path)):
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


@pytest.mark.parametrize(
    ("measure", "most", "ceiling"),
    [row[1:] for row in RATCHETS],
    ids=[row[0] for row in RATCHETS],
)
def test_code_gets_no_harder_to_read(measure, most, ceiling):
    assert most >= ceiling
    assert measure() <= most


def test_functions_are_simple():
    too_complex = {
        name: complexity
        for name, complexity in house.complexities().items()
        if complexity > MOST_COMPLEX
    }
    assert too_complex == {}


def entries(docstring):
    """The entries of a docstring's section of parameters, each with its words."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", docstring, re.M | re.S)
    if section is None:
        return {}
    found = re.split(r"^(?=\S)", section[1], flags=re.M)
    return {text.partition("\n")[0]: text.partition("\n")[2].split() for text in found if text}


def test_docstrings_say_what_the_signature_does_not():
    wordy = []
    for path in modules():
        for node in ast.walk(house.syntax_tree(path)):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            listed = entries(ast.get_docstring(node) or "")
            private = node.name.startswith("_") and isinstance(node, ast.FunctionDef)
            if (private and listed) or any(len(words) < FEWEST_WORDS for words in listed.values()):
                wordy.append(f"{path.relative_to(SOURCE)}: {node.name}")
    assert wordy == []


@pytest.mark.parametrize(
    "path", sorted(SCRIPTS.glob("*/*.py")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_a_script_has_a_foot_of_one_line(path):
    tree = house.syntax_tree(path)
    assert ast.unparse(tree.body[-1]).removeprefix("stages.") == "run(main, globals())"
    assert not any(isinstance(node, ast.Name) and node.id == "snakemake" for node in ast.walk(tree))
