"""Fingerprint of the code on which a job's result depends.

Snakemake reruns a job when its script changes, but does not see the modules that the script
imports. So every rule has this fingerprint as a parameter. Comments, docstrings, blank lines and
dates leave it as it is.
"""

import ast
import contextlib
import functools
import hashlib
import os
import sys
from pathlib import Path

PACKAGE = "saturation"
# What earlier runs found out about each text: to parse the library takes longer than to plan a run.
NOTES = Path(".snakemake/saturation/code")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def fingerprint(script: Path, source: Path) -> str:
    """What a script and the library modules below `source` that it imports do; nothing is run."""
    digest = hashlib.sha256()
    for path in (script, *closure(script, source)):
        name = script.name if path == script else path.relative_to(source).as_posix()
        digest.update(f"{name}\0{_behaviour(path)[0]}\0".encode())
    return digest.hexdigest()[:16]


def closure(script: Path, source: Path) -> list[Path]:
    """Library files that a script imports, directly or through other modules, sorted.

    Imports inside functions count. A package that looks for its modules itself imports all.
    """
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        path = waiting.pop()
        files = {_modules(source).get(name, path) for name in _behaviour(path)[1:]}
        if path.name == "__init__.py" and "iter_modules(__path__)" in path.read_text("utf-8"):
            files |= set(path.parent.glob("*.py"))
        waiting += files - found
        found |= files
    return sorted(found - {script})


@functools.cache
def _behaviour(path: Path) -> list[str]:
    """Digest of what a file does, and the names that it may import from the library."""
    text = path.read_bytes()
    method = Path(__file__).read_bytes() + sys.version.encode()
    note = NOTES.resolve() / hashlib.sha256(method + text).hexdigest()
    with contextlib.suppress(OSError):
        return note.read_text("utf-8").split()
    tree = ast.parse(text, filename=str(path))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    above = {".".join(name.split(".")[:end]) for name in names for end in range(1, 9)}
    ours = sorted(name for name in above if name.split(".")[0] == PACKAGE)
    found = [hashlib.sha256(ast.dump(tree).encode()).hexdigest(), *ours]
    # Several runs of a cluster may do so at once: each writes a whole file.
    note.parent.mkdir(parents=True, exist_ok=True)
    part = note.with_suffix(f".{os.getpid()}")
    part.write_text("\n".join(found), "utf-8")
    part.replace(note)
    return found


@functools.cache
def _modules(source: Path) -> dict[str, Path]:
    """File of every module and package of the library by its dotted name."""
    paths = (source / PACKAGE).rglob("*.py")
    dotted = {".".join(path.relative_to(source).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}
