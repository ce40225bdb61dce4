"""Which library files a script depends on, and what changes its fingerprint."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from saturation.planning import code

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def notes(tmp_path, monkeypatch):
    """Where digests are noted: nowhere else than here."""
    monkeypatch.setattr(code, "NOTES", tmp_path / "notes")


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
    found = code.closure(script, library)
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


def forget():
    for cached in (code._behaviour, code._imported, code._file, code._list_modules):
        cached.cache_clear()


def fingerprint(library, text):
    (library / "script.py").write_text(text)
    forget()
    return code.fingerprint(library / "script.py", library)


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


@pytest.mark.parametrize("head", ["class A", "def f()", "async def f()"])
def test_each_kind_of_docstring_is_dropped(library, head):
    plain = fingerprint(library, f"{head}:\n    x = 1\n")
    assert fingerprint(library, f"{head}:\n    'Why.'\n    x = 1\n") == plain


def test_what_was_noted_is_not_parsed_again(library, notes, monkeypatch):
    before = fingerprint(library, SCRIPT)
    monkeypatch.setattr(code.ast, "parse", pytest.fail)
    assert fingerprint(library, SCRIPT) == before


def test_a_package_that_looks_for_its_modules_has_them_all(library):
    finds = "import pkgutil\nlist(pkgutil.iter_modules(__path__))\n"
    (library / "saturation/sub/__init__.py").write_text(finds)
    inside = library / "saturation/sub/inside"
    inside.mkdir()
    for name in ("__init__.py", "deep.py"):
        (inside / name).write_text("x = 1\n")
    found = files_of(library, "import saturation.sub\n")
    assert {"sub/e.py", "sub/inside/__init__.py", "sub/inside/deep.py"} <= found


@pytest.mark.parametrize("text", ["3", "{}", "[]", "[1, 2]", "{", "[" * 100_000])
def test_a_damaged_note_is_made_again(library, notes, text):
    before = fingerprint(library, SCRIPT)
    for note in (library / "notes").iterdir():
        note.write_text(text)
    for found in (code._behaviour, code._imported):
        found.cache_clear()
    assert fingerprint(library, SCRIPT) == before


def test_nothing_is_written_where_nothing_may_be(library, tmp_path):
    with code.writing_nothing():
        fingerprint(library, SCRIPT)
    assert not (tmp_path / "notes").exists()
    (tmp_path / "notes").write_text("a file where the folder of notes would be")
    fingerprint(library, SCRIPT)


def test_packages_are_those_that_the_closure_imports_and_what_they_need(tmp_path, monkeypatch):
    for name, more in {
        "One-Two-1.0": "Requires-Dist: deep.er>=1\nRequires-Dist: left; extra == 'x'\n"
        "Requires-Dist: aside; python_version < '3'\nRequires-Dist: aside; 'x' in extra\n",
        "deep_er-2.5": "", "left-1": "", "aside-1": "",
    }.items():  # fmt: skip
        folder = tmp_path / f"installed/{name}.dist-info"
        folder.mkdir(parents=True)
        package, version = name.rsplit("-", 1)
        (folder / "METADATA").write_text(f"Name: {package}\nVersion: {version}\n{more}")
        (folder / "top_level.txt").write_text(f"{package[:3].lower()}\n")
    (tmp_path / "installed/broken-1.dist-info").mkdir()
    monkeypatch.setattr(code.sys, "path", [str(tmp_path / "installed")])
    code._installed.cache_clear()
    (tmp_path / "script.py").write_text("from near import far\n")
    (tmp_path / "near.py").write_text("def f():\n    import one.part, os, nowhere\n")
    assert code.packages(tmp_path / "script.py", tmp_path) == "deep-er 2.5, one-two 1.0"
    code._installed.cache_clear()


def test_a_users_function_is_known_by_what_its_module_and_those_beside_it_do(tmp_path, monkeypatch):
    def found():
        forget()
        return code.function("a.b:f")

    folder = tmp_path / "mine"
    (folder / "a").mkdir(parents=True)
    monkeypatch.setattr(code.sys, "path", [str(folder)])
    assert found() == ""
    (folder / "a/b.py").write_text("import c\n")
    (folder / "c.py").write_text("x = 1\n")
    first = found()
    (folder / "c.py").write_text("x = 1  # why\n")
    assert found() == first
    (folder / "c.py").write_text("x = 2\n")
    assert len({"", first, found()}) == 3
    # What is installed there imports half a world.
    (folder / "a").rename(tmp_path / "a")
    folder.rename(tmp_path / "site-packages")
    (tmp_path / "a").rename(tmp_path / "site-packages/a")
    monkeypatch.setattr(code.sys, "path", [str(tmp_path / "site-packages")])
    installed = found()
    (tmp_path / "site-packages/c.py").write_text("x = 3\n")
    assert installed == found() != ""


@pytest.mark.parametrize("compiles", [
    lambda library: files_of(library, "import saturation.d\n"),
    lambda library: code.function("saturation.d:f"),
])  # fmt: skip
def test_a_module_of_the_same_size_and_date_is_not_taken_from_its_compiled_form(
    library, compiles, monkeypatch
):
    """Python itself looks at nothing else: results would be of the code that was there before."""
    monkeypatch.setattr(code.sys, "path", [str(library)])
    path, environment = library / "saturation/d.py", os.environ | {"PYTHONPATH": str(library)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    monkeypatch.setattr(code.sys, "dont_write_bytecode", True)
    compiles(library)
    assert not (path.parent / "__pycache__").exists()
    found = []
    for number in (1, 2, 3):
        path.write_text(f"print({number})\n")
        os.utime(path, (1, 1))
        if number == 2:
            code._compile.cache_clear()
            compiles(library)
        command = [sys.executable, "-c", "import saturation.d"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.append(done.stdout.strip())
    assert found == ["1", "2", "3"]
    # Where nothing of it can be read or written, the plan goes on.
    (compiled,) = (path.parent / "__pycache__").glob("d.*")
    compiled.unlink()
    compiled.mkdir()
    code._compile.cache_clear()
    compiles(library)
