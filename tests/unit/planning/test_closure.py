"""Which library files a script depends on."""

import ast
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from saturation.planning import closure

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def library(tmp_path):
    """A package in which a imports b imports c; d stands alone; sub is a package."""
    package = tmp_path / "saturation"
    (package / "sub").mkdir(parents=True)
    contents = {
        "__init__.py": "",
        "a.py": "from saturation.b import x\nimport numpy\n",
        "b.py": "def f():\n    from saturation import c\n",
        "c.py": "from saturation import a\n",
        "d.py": "raise RuntimeError('never executed')\n",
        "sub/__init__.py": "",
        "sub/e.py": "import saturation.d\n",
    }
    for name, text in contents.items():
        (package / name).write_text(text)
    return tmp_path


def files_of(library, text):
    script = library / "script.py"
    script.write_text(text)
    found = closure.closure(script, library)
    assert found == sorted(found)
    return {path.relative_to(library / "saturation").as_posix() for path in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import numpy\nfrom pathlib import Path\n", set()),
        ("import saturation\n", {"__init__.py"}),
        ("from saturation import d\n", {"__init__.py", "d.py"}),
        ("import saturation.a as m\n", {"__init__.py", "a.py", "b.py", "c.py"}),
        ("def f():\n    from saturation.c import y\n", {"__init__.py", "a.py", "b.py", "c.py"}),
        ("if True:\n    from saturation import (  # why\n        a,\n        d,\n    )\n",
         {"__init__.py", "a.py", "b.py", "c.py", "d.py"}),
        ("x = 'saturation'\n# from saturation import d\nimport saturationless\n", set()),
        ("from saturation.sub import e\n",
         {"__init__.py", "sub/__init__.py", "sub/e.py", "d.py"}),
        ("from saturation.sub.e import z\n",
         {"__init__.py", "sub/__init__.py", "sub/e.py", "d.py"}),
    ],
)  # fmt: skip
def test_imports_are_followed(library, text, expected):
    assert files_of(library, text) == expected


@pytest.mark.parametrize("text", ["import saturation.none\n", "from saturation.none import x\n"])
def test_a_module_that_does_not_exist_is_an_error(library, text):
    with pytest.raises(FileNotFoundError, match=r"no module saturation\.none"):
        files_of(library, text)


def test_no_import_statement_of_a_script_or_module_is_overlooked():
    paths = [*ROOT.glob("workflow/scripts/*/*.py"), *ROOT.glob("src/**/*.py")]
    assert len(paths) > 100
    for path in paths:
        found = closure.closure(path, ROOT / "src")
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in getattr(node, "names", []) if hasattr(alias, "name")]
            if isinstance(node, ast.ImportFrom):
                names = [node.module, *(f"{node.module}.{name}" for name in names)]
            elif not isinstance(node, ast.Import):
                continue
            for name in names:
                file = (ROOT / "src").joinpath(*name.split(".")).with_suffix(".py")
                assert not file.is_file() or file in found, (path, name)


def test_one_study_s_tables_do_not_rerun_another_stage():
    found = closure.closure(ROOT / "workflow" / "scripts" / "plateau" / "index.py", ROOT / "src")
    names = {path.name for path in found}
    assert {"index.py", "tables.py", "errors.py"} <= names
    assert not names & {"hypotheses.py", "trends.py", "judge.py", "figures.py"}


SCRIPT = """
from saturation.a import x

def twice(number):
    return 2 * number
"""
COMMENTED = """'''What it is.'''
# Why.
from saturation.a import x


def twice(number):  # doubled
    '''Twice.'''

    return 2 * number
"""


def fingerprint(library, text):
    (library / "script.py").write_text(text)
    closure._imported.cache_clear()
    closure._behaviour.cache_clear()
    return closure.fingerprint(library / "script.py", library)


def test_comments_docstrings_and_dates_leave_the_fingerprint(library):
    before = fingerprint(library, SCRIPT)
    assert len(before) == 16
    assert fingerprint(library, COMMENTED) == before
    module = library / "saturation" / "b.py"
    module.write_text("'''What b is.'''\n" + module.read_text() + "\n# why\n")
    (library / "saturation" / "d.py").write_text("raise ValueError('of nobody')\n")
    assert fingerprint(library, SCRIPT) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("2 *", "3 *"),
        lambda text: text.replace("saturation.a", "saturation.b"),
        lambda text: text + "'a string that is no docstring'\n",
    ],
)
def test_what_a_script_does_changes_the_fingerprint(library, change):
    assert fingerprint(library, change(SCRIPT)) != fingerprint(library, SCRIPT)


@pytest.mark.parametrize("module", ["a", "b", "c"])
def test_what_an_imported_module_does_changes_the_fingerprint(library, module):
    before = fingerprint(library, SCRIPT)
    path = library / "saturation" / f"{module}.py"
    path.write_text(path.read_text() + "y = 1\n")
    assert fingerprint(library, SCRIPT) != before


def test_a_function_of_nothing_but_its_docstring_is_one_that_passes(library):
    documented = fingerprint(library, "def f():\n    '''Nothing.'''\n")
    assert documented == fingerprint(library, "def f():\n    pass\n")


@pytest.mark.parametrize(
    "held",
    [
        "class A:\n    {}",
        "async def f():\n    {}",
        "if a:\n    {}",
        "if a:\n    b\nelse:\n    {}",
        "for a in b:\n    {}",
        "while a:\n    b\nelse:\n    {}",
        "with a:\n    {}",
        "try:\n    {}\nfinally:\n    a",
        "try:\n    a\nexcept b:\n    {}",
        "try:\n    a\nexcept b:\n    c\nelse:\n    {}",
        "try:\n    a\nfinally:\n    {}",
        "match a:\n    case 1:\n        {}",
    ],
)
def test_a_docstring_is_dropped_wherever_its_function_stands(library, held):
    indented = "\n" + (held[: held.index("{}")].rpartition("\n")[2])
    plain, documented = (
        fingerprint(library, held.format(function.replace("\n", indented)))
        for function in ("def g():\n    return 1", "def g():\n    '''One.'''\n    return 1")
    )
    assert plain == documented


@pytest.mark.parametrize("head", ["class A", "def f()", "async def f()"])
def test_each_kind_of_docstring_is_dropped(library, head):
    plain = fingerprint(library, f"{head}:\n    x = 1\n")
    assert fingerprint(library, f"{head}:\n    'Why.'\n    x = 1\n") == plain


@pytest.fixture
def known(monkeypatch):
    """What is known of code, nothing at first; `leave` is the end of a run."""
    ends = []
    monkeypatch.setattr(closure, "_KNOWN", {})
    monkeypatch.setattr(
        closure.atexit, "register", lambda end, *given: ends.append(lambda: end(*given))
    )
    return SimpleNamespace(digests=closure._KNOWN, leave=lambda: ends.pop()())


def test_what_was_found_out_is_not_found_out_again(library, tmp_path, known, monkeypatch):
    file = tmp_path / "notes" / "code.json"
    closure.remember(file)
    before = fingerprint(library, SCRIPT)
    known.leave()
    assert list(file.parent.iterdir()) == [file]
    known.digests.clear()
    closure.remember(file)
    monkeypatch.setattr(closure.ast, "dump", pytest.fail)
    assert fingerprint(library, SCRIPT) == before
    noted = file.stat().st_mtime_ns
    known.leave()
    assert file.stat().st_mtime_ns == noted


def test_a_changed_text_is_not_known(library, tmp_path, known):
    closure.remember(tmp_path / "code.json")
    before = fingerprint(library, SCRIPT)
    assert fingerprint(library, SCRIPT.replace("2", "3")) != before


@pytest.mark.parametrize("content", ["", "[1]", "3", '{"a": ', "\x00"])
def test_notes_that_cannot_be_read_are_written_anew(library, tmp_path, known, content):
    file = tmp_path / "code.json"
    expected = fingerprint(library, SCRIPT)
    known.digests.clear()
    file.write_text(content)
    closure.remember(file)
    assert fingerprint(library, SCRIPT) == expected
    known.leave()
    assert len(json.loads(file.read_text())) == len(known.digests) > 0


def test_notes_that_cannot_be_written_are_left(library, tmp_path, known):
    (tmp_path / "file").write_text("")
    closure.remember(tmp_path / "file" / "code.json")
    fingerprint(library, SCRIPT)
    known.leave()
