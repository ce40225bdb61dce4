"""Which library modules a script needs: the code on which a stage's result depends.

Snakemake reruns a job when its script changes but does not see the modules that the script
imports. The rules therefore name the files found here as inputs (design rule 5).
"""

import ast
import functools
import re
import textwrap
from pathlib import Path

PACKAGE = "saturation"
# An import statement of the package, at any depth, with its names in brackets or on its line.
# Parsing whole files instead would take most of the time that planning the workflow takes.
_STATEMENT = re.compile(
    rf"^[ \t]*(?:import|from)[ ]{PACKAGE}\b(?:[^(\n]*\([^)]*\)|[^\n]*)", re.MULTILINE
)


def closure(script: Path, source: Path) -> list[Path]:
    """Library files that a script imports, directly or through other modules, sorted.

    Parameters
    ----------
    script
        A Python file; it is read, never executed. Imports inside functions count.
    source
        The folder that holds the package.

    Raises
    ------
    FileNotFoundError
        If an import names a module of the package that does not exist.
    """
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        new = _imported(waiting.pop(), source) - found
        found |= new
        waiting.extend(new)
    return sorted(found)


@functools.cache
def _imported(path: Path, source: Path) -> frozenset[Path]:
    text = path.read_text(encoding="utf-8")
    statements = "\n".join(map(textwrap.dedent, _STATEMENT.findall(text)))
    files: set[Path] = set()
    for node in ast.parse(statements, filename=str(path)).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                files |= _files(alias.name, source)
        elif isinstance(node, ast.ImportFrom) and node.module:
            files |= _files(node.module, source)
            for alias in node.names:
                if _path(f"{node.module}.{alias.name}", source) is not None:
                    files |= _files(f"{node.module}.{alias.name}", source)
    return frozenset(files)


def _files(module: str, source: Path) -> set[Path]:
    """The module's file and the ``__init__`` of every package above it."""
    parts = module.split(".")
    if parts[0] != PACKAGE:
        return set()
    files = set()
    for end in range(1, len(parts) + 1):
        path = _path(".".join(parts[:end]), source)
        if path is None:
            raise FileNotFoundError(f"no module {module} under {source}")
        files.add(path)
    return files


def _path(module: str, source: Path) -> Path | None:
    base = source.joinpath(*module.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None

