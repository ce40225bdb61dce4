"""Fingerprint of the code on which a job's result depends, and versions of the packages.

Snakemake reruns a job when its script changes, but does not see the modules that the script
imports. So every rule has this fingerprint as a parameter. Comments, docstrings, blank lines and
dates leave it as it is.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.metadata
import importlib.util
import json
import py_compile
import re
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from saturation import provenance

# What earlier runs found out about each text: to parse the library takes longer than to plan a run.
NOTES = Path(".snakemake/saturation/code")
# What another method or another Python found out is not used.
_METHOD = Path(__file__).read_bytes() + sys.version.encode()
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def fingerprint(script: Path, source: Path) -> str:
    """Fingerprint a script and its imported modules below `source`, without running any."""
    digest = hashlib.sha256()
    for path in (script, *closure(script, source)):
        name = script.name if path == script else path.relative_to(source).as_posix()
        digest.update(f"{name}\0{_behaviour(path)[0]}\0".encode())
    return digest.hexdigest()[:16]


def closure(script: Path, source: Path) -> list[Path]:
    """Files below `source` that a script imports, directly or through other modules, sorted."""
    modules: set[Path] = set()
    waiting = [script]
    while waiting:
        files = _imported(waiting.pop(), source)
        waiting += files - modules
        modules |= files
    for path in modules:
        _compile(path)
    return sorted(modules - {script})


@functools.cache
def _imported(path: Path, source: Path) -> set[Path]:
    """Files below `source` that a file imports itself, also inside functions.

    A package that looks for its modules itself imports all, packages inside it among them.
    """
    files = {file for name in _behaviour(path)[1:] if (file := _file(source, name))}
    if path.name == "__init__.py" and "iter_modules(__path__)" in path.read_text("utf-8"):
        files |= set(path.parent.rglob("*.py"))
    return files


def packages(script: Path, source: Path) -> str:
    """Name and installed version of the packages that a script's closure imports, and of theirs."""
    names = {name for path in (script, *closure(script, source)) for name in _behaviour(path)[1:]}
    provided, installed = _installed()
    outside = {name for name in names if "." not in name and not _file(source, name)}
    waiting = [package for name in outside for package in provided.get(name, [])]
    versions = {}
    while waiting:
        name = waiting.pop()
        if name in installed and name not in versions:
            versions[name], needed = installed[name]
            waiting += needed
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))


def function(name: str) -> str:
    """Fingerprint a user's function ``package.module:function``; empty if missing.

    It is looked for on the Python path, and what it imports from the same folder counts, unless
    that is where packages are installed.
    """
    module, _, _ = name.partition(":")
    for folder in map(Path, sys.path):
        if path := _file(folder.resolve(), module):
            if "site-packages" in folder.parts:
                return fingerprint(path, path)
            _compile(path)
            return fingerprint(path, folder.resolve())
    return ""


@functools.cache
def _behaviour(path: Path) -> list[str]:
    """Digest a file's behaviour, and list the names that the file may import."""
    text = path.read_bytes()

    def digest() -> Any:
        tree = ast.parse(text, filename=str(path))
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.Pass()]
            names.update(_names_in(node))
        above = {".".join(name.split(".")[:end]) for name in names for end in range(1, 9)}
        return [hashlib.sha256(ast.dump(tree).encode()).hexdigest(), *sorted(above)]

    return list(
        _noted(text, digest, lambda note: isinstance(note, list) and {*map(type, note)} == {str})
    )


def _names_in(node: ast.AST) -> list[str]:
    """List the dotted names that a statement may import."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


@functools.cache
def _compile(path: Path) -> None:
    """Have Python compare a module's compiled form with its text, not with its date and size."""
    if not _WRITES.get():
        return
    compiled = Path(importlib.util.cache_from_source(path))
    with contextlib.suppress(OSError):
        # The first flag of a compiled file: whether it holds the hash of its text.
        dated = compiled.is_file() and compiled.read_bytes()[4:5] <= b"\0"
        if dated or not (compiled.is_file() or sys.dont_write_bytecode):
            mode = py_compile.PycInvalidationMode.CHECKED_HASH
            py_compile.compile(str(path), quiet=2, invalidation_mode=mode)


@functools.cache
def _file(source: Path, name: str) -> Path | None:
    """File of a module or package below a folder by its dotted name."""
    first, *inside = name.split(".")
    if first not in _list_modules(source):
        return None
    path = source.joinpath(first, *inside)
    files = (path.with_name(f"{path.name}.py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


@functools.cache
def _list_modules(source: Path) -> set[str]:
    """List modules and packages in a folder: most imported names lie elsewhere."""
    return {path.stem for path in source.iterdir()} if source.is_dir() else set()


@functools.cache
def _installed() -> tuple[dict[str, list[str]], dict[str, tuple[str, list[str]]]]:
    """List packages by what is imported of them; by name their version and requirements."""
    folders = [str(path) for folder in sys.path for path in Path(folder).glob("*.dist-info")]

    def list_packages() -> Any:
        installed: dict[str, tuple[str, list[str]]] = {}
        for package in importlib.metadata.distributions():
            needed = filter(_applies, package.requires or [])
            # Of a package that was half removed, a folder may be left.
            if package.name:
                installed.setdefault(
                    _plain(package.name), (package.version, [*map(_plain, needed)])
                )
        provided = importlib.metadata.packages_distributions()
        return {name: [*map(_plain, of)] for name, of in provided.items()}, installed

    provided, installed = _noted(
        "\n".join(folders).encode(), list_packages, lambda note: [*map(type, note)] == [dict, dict]
    )
    return provided, installed


def _applies(requirement: str) -> bool:
    """Tell whether a package needs a requirement here: this Python, this system, no extras."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        marker = Requirement(requirement).marker
    except InvalidRequirement:  # of an old package
        return True
    return marker is None or marker.evaluate({"extra": ""})


def _plain(requirement: str) -> str:
    """Write a package's name as all its spellings agree."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


# Whether anything is written for later plans: `saturation check` leaves no trace.
_WRITES = ContextVar("writes", default=True)


@contextlib.contextmanager
def writing_nothing() -> Iterator[None]:
    """Keep no notes and compile nothing."""
    before = _WRITES.set(False)
    try:
        yield
    finally:
        _WRITES.reset(before)


def _noted(text: bytes, find: Callable[[], Any], is_whole: Callable[[Any], bool]) -> Any:
    """Return an earlier run's complete note of a text; else analyse and note the text."""
    note = NOTES / hashlib.sha256(_METHOD + text).hexdigest()
    with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
        if is_whole(content := json.loads(note.read_text("utf-8"))):
            return content
    content = find()
    if _WRITES.get():
        # Several runs of a cluster may do so at once, and some where nothing may be written.
        with contextlib.suppress(OSError):
            provenance.write_whole(note, content)
    return content
