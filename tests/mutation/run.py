"""Does a test notice a wrong line? Single-line mutants, each run against the tests of its module.

    python tests/mutation/run.py                     60 places drawn from the whole library
    python tests/mutation/run.py studies/plateau     places of one module or package
    python tests/mutation/run.py --changed main      places on lines changed since a commit

A place is one operator, comparison, number or truth value. A mutant's tests are the unit tests that
import its module. Each mutant runs in a copy of the project, compiled kernels as plain Python.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path("src")
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
# What the interpreter does not compute with.
SKIPPED = ("annotation", "returns", "decorator_list")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=[""], metavar="MODULE")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changed", metavar="COMMIT", help="only lines changed since then")
    given = parser.parse_args()
    files = [
        path
        for path in sorted((ROOT / SOURCE).rglob("*.py"))
        if path.relative_to(ROOT / SOURCE).as_posix().startswith(tuple(given.parts))
    ]
    places = [(path, wrong) for path in files for wrong in mutants(path.read_text("utf-8"))]
    if given.changed:
        changed = {path: lines_changed(path, given.changed) for path in files}
        places = [(path, wrong) for path, wrong in places if wrong[0] in changed[path]]
    random.Random(given.seed).shuffle(places)
    with tempfile.TemporaryDirectory() as folder:
        for part in ("src", "tests", "resources", "workflow", "config", "envs", "validation"):
            shutil.copytree(ROOT / part, Path(folder, part))
        shutil.copy(ROOT / "pyproject.toml", folder)
        report([run(Path(folder), *place) for place in places[: given.sample]])


def mutants(source: str) -> list[tuple[int, str]]:
    """Line and whole source of every mutant of a module."""
    rows = source.splitlines(keepends=True)
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row.encode()))
    encoded, found = source.encode(), []
    for node, wrong in wrong_nodes(ast.parse(source)):
        if node.lineno != node.end_lineno:
            continue
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.lineno - 1] + node.end_col_offset
        text = f"({ast.unparse(wrong)})".encode()
        found.append((node.lineno, (encoded[:first] + text + encoded[last:]).decode()))
    return found


def wrong_nodes(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Every expression that can be made wrong, with one wrong form of it."""
    for field, value in ast.iter_fields(tree):
        if field in SKIPPED:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.AST):
                yield from wrong_nodes(child)
    if isinstance(tree, ast.BinOp | ast.BoolOp) and type(tree.op) in SWAPPED:
        yield tree, changed(tree, op=SWAPPED[type(tree.op)]())
    elif isinstance(tree, ast.Compare) and type(tree.ops[0]) in SWAPPED:
        yield tree, changed(tree, ops=[SWAPPED[type(tree.ops[0])](), *tree.ops[1:]])
    elif isinstance(tree, ast.Constant) and isinstance(tree.value, bool):
        yield tree, ast.Constant(not tree.value)
    elif isinstance(tree, ast.Constant) and isinstance(tree.value, int | float):
        yield tree, ast.Constant(tree.value + 1)


def changed(node: ast.AST, **fields: object) -> ast.AST:
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def lines_changed(path: Path, commit: str) -> set[int]:
    command = ["git", "diff", "--unified=0", commit, "--", str(path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ranges = re.findall(r"^@@ .* \+(\d+)(?:,(\d+))? @@", said, re.M)
    return {int(a) + n for a, count in ranges for n in range(int(count or 1))}


def tests_of(copy: Path, module: str) -> list[str]:
    """The tests below `unit` and `studies` that import a module, else those of its package."""
    package, _, name = module.rpartition("/")
    dotted = module.replace("/", ".")
    holder = dotted.rpartition(".")[0]
    named = re.compile(
        rf"{re.escape(dotted)}\b|from {re.escape(holder)} import [^#]*?\b{name}\b", re.S
    )
    found = [
        str(path)
        for path in sorted((copy / "tests").rglob("test_*.py"))
        if {"unit", "studies"} & set(path.parts)
        if named.search(path.read_text("utf-8").split("\ndef ")[0])
    ]
    folder = "studies" if module.startswith("studies/") else "unit"
    return found or [str(copy / "tests" / folder / package.partition("/")[2])]


def run(copy: Path, path: Path, wrong: tuple[int, str]) -> tuple[str, bool]:
    """Where a mutant stands, and whether a test noticed it."""
    line, source = wrong
    module = path.relative_to(ROOT / SOURCE).with_suffix("").as_posix()
    file = copy / path.relative_to(ROOT)
    right = file.read_text("utf-8")
    file.write_text(source, "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {
        "PYTHONPATH": str(copy / "src"),
        # A compiled kernel may come from a cache that does not know the wrong line.
        "NUMBA_DISABLE_JIT": "1" if "numba" in right else "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "-m", "not heavy", *tests_of(copy, module)],
            cwd=copy, env=environment, capture_output=True, check=False, timeout=900,
        )  # fmt: skip
        noticed = done.returncode != 0
    except subprocess.TimeoutExpired:
        noticed = True
    finally:
        file.write_text(right, "utf-8")
    before, after = right.splitlines()[line - 1].strip(), source.splitlines()[line - 1].strip()
    where = f"{module}:{line}  {before}  ->  {after}"
    print(
        f"{'killed  ' if noticed else 'SURVIVED'} {time.monotonic() - began:4.0f} s  {where}",
        flush=True,
    )
    return where, noticed


def report(done: list[tuple[str, bool]]) -> None:
    noticed = sum(killed for _, killed in done)
    print(f"{noticed} of {len(done)} killed ({noticed / max(len(done), 1):.0%})")


if __name__ == "__main__":
    main()
