"""Which library modules a script needs: the code on which a stage's result depends.

Snakemake reruns a job when its script changes but does not see the modules that the script
imports. The rules therefore have the fingerprint of all this code as a parameter: a job runs anew
when it changes, and not for a comment, a docstring or a file's date.
"""

import ast
import atexit
import contextlib
import functools
import hashlib
import json
import os
import re
import sys
import textwrap
from pathlib import Path

PACKAGE = "saturation"
# A package that looks for its own modules when it is used, as a registry does.
_DISCOVERY = "iter_modules(__path__)"
# Digests of code by the hash of its text: syntax trees take most of the time of a run with nothing
# to do.
_KNOWN: dict[str, str] = {}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Where a statement holds others: branches of an if, a loop, a try, a match.
_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
# An import statement of the package, at any depth, with its names in brackets or on its line.
# Parsing whole files instead would take most of the time that planning the workflow takes.
_STATEMENT = re.compile(
    rf"^[ \t]*(?:import|from)[ ]{PACKAGE}\b(?:[^(\n]*\([^)]*\)|[^\n]*)", re.MULTILINE
)


def fingerprint(script: Path, source: Path) -> str:
    """What a script and the library modules that it imports do, in 16 hexadecimal digits.

    Comments, docstrings, blank lines and where the files lie leave it as it is.
    """
    digest = hashlib.sha256()
    for path in (script, *closure(script, source)):
        name = script.name if path == script else path.relative_to(source).as_posix()
        digest.update(f"{name}\0{_behaviour(path)}\0".encode())
    return digest.hexdigest()[:16]


def remember(file: Path) -> None:
    """Take up what earlier runs found out about code, and note at this run's end what is new."""
    # A list or a number is no such file either.
    with contextlib.suppress(OSError, ValueError, TypeError):
        _KNOWN.update(json.loads(file.read_text(encoding="utf-8")))
    atexit.register(_note, file, len(_KNOWN))


def _note(file: Path, known: int) -> None:
    """Write all that is known, unless nothing is new."""
    if len(_KNOWN) == known:
        return
    # Several runs of a cluster may do so at once: each writes a whole file, and the last one stays.
    own = file.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(json.dumps(_KNOWN), encoding="utf-8")
        own.replace(file)


@functools.cache
def _method() -> bytes:
    """What a digest depends on beside the text: how it is made, and Python's syntax trees."""
    return Path(__file__).read_bytes() + sys.version.encode()


@functools.cache
def _behaviour(path: Path) -> str:
    """Digest of a file's syntax tree without docstrings, known if such a text was seen before."""
    text = path.read_bytes()
    key = hashlib.sha256(_method() + text).hexdigest()
    if key not in _KNOWN:
        tree = ast.parse(text, filename=str(path))
        _drop_docstrings(tree)
        _KNOWN[key] = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return _KNOWN[key]


def _drop_docstrings(statement: ast.AST) -> None:
    """Take docstrings out of a statement and of what it holds.

    Statements alone are gone through: a tree has ten times as many expressions, in which there is
    no docstring, and to look at them took as long as all else.
    """
    if isinstance(statement, _DOCUMENTED) and ast.get_docstring(statement, clean=False) is not None:
        # A body of nothing but its docstring would be empty, which no function is.
        statement.body = statement.body[1:] or [ast.Pass()]
    for block in _BLOCKS:
        for inner in getattr(statement, block, ()):
            _drop_docstrings(inner)


def closure(script: Path, source: Path) -> list[Path]:
    """Library files that a script imports, directly or through other modules, sorted."""
    modules: set[Path] = set()
    waiting = [script]
    while waiting:
        new = _imported(waiting.pop(), source) - modules
        modules |= new
        waiting.extend(new)
    return sorted(modules)


@functools.cache
def _imported(path: Path, source: Path) -> frozenset[Path]:
    """Files of the modules that a file names in its import statements."""
    text = path.read_text(encoding="utf-8")
    statements = "\n".join(map(textwrap.dedent, _STATEMENT.findall(text)))
    modules = _modules(source)
    names: set[str] = set()
    for node in ast.parse(statements, filename=str(path)).body:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            names.update([node.module, *(name for name in inside if name in modules)])
    for name in names - modules.keys():
        raise FileNotFoundError(f"no module {name} under {source}")
    files = {modules[above] for name in names for above in _with_packages(name)}
    if path.name == "__init__.py" and _DISCOVERY in text:
        files |= set(path.parent.glob("*.py"))
    return frozenset(files)


@functools.cache
def _modules(source: Path) -> dict[str, Path]:
    """File of every module and package of the library by its dotted name."""
    files = {}
    for path in (source / PACKAGE).rglob("*.py"):
        parts = path.relative_to(source).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def _with_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
