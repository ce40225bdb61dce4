"""Where in the code a quantity is made: file and line of the function that its table names."""

import ast
from collections.abc import Iterator, Mapping

FOLDER = "src/"


def places(sources: Mapping[str, str]) -> dict[str, str]:
    """File and line of every function, by ``module:function`` as quantities name their maker.

    Parameters
    ----------
    sources
        Text of Python files by path; what stands before the last ``src/`` is left out.

    Returns
    -------
    dict
        ``src/PACKAGE/MODULE.py:LINE`` by ``PACKAGE.MODULE:FUNCTION``.
    """
    found = {}
    for path, text in sources.items():
        file = FOLDER + path.rpartition(FOLDER)[2]
        module = file.removeprefix(FOLDER).removesuffix(".py").replace("/", ".")
        for name, line in _functions(ast.parse(text)):
            found[f"{module}:{name}"] = f"{file}:{line}"
    return found


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, int]]:
    """Name and line of every function of a module or class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{inside}{node.name}"
            yield name, node.lineno
            if isinstance(node, ast.ClassDef):
                yield from _functions(node, f"{name}.")
