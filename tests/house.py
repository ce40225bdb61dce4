"""Measure what a reader of the two storeys has to understand, for the ratchets in test_house."""

import ast
import functools
import io
import re
import tokenize
from pathlib import Path

from complexipy import code_complexity

SOURCE = Path(__file__).resolve().parents[1] / "src"
STOREYS = ("saturation", "studies")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
QUESTION_WORDS = re.compile(r"\W*(What|Which|How|Whether|When|Where|Why|Who|Whose)\b")
PRONOUNS = re.compile(r"\b(one|ones|it|others|that of|those of|the same|such)\b")
PARTICIPLES = (
    "found|known|own|said|one|other|others|chosen|shown|told|held|here|given|made|kept|rest|left"
    "|named|asked|wanted|called|meant|taken|read|drawn|written|what|both|each|every"
)
PARTICLES = (
    "of|with|by|from|as|in|at|on|to|not|so|no|is|are|has|or|and|without|below|beside|together"
    "|alone|again|plainly"
)


@functools.cache
def syntax_tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def storey_files(storey):
    return sorted((SOURCE / storey).rglob("*.py"))


def files():
    return [path for storey in STOREYS for path in storey_files(storey)]


def nodes(*kinds):
    """Yield the nodes of these kinds in the syntax trees of both storeys."""
    for path in files():
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, kinds):
                yield node


def first_lines():
    for node in nodes(ast.Module, ast.ClassDef, ast.FunctionDef):
        if docstring := ast.get_docstring(node):
            yield docstring.split("\n")[0]


def code_tokens(path):
    """Count a file's tokens that are neither comments, line ends nor docstrings."""
    text = path.read_text(encoding="utf-8")
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
    }
    return sum(
        token.type not in LAYOUT
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def tokens_of_storey(storey):
    return sum(map(code_tokens, storey_files(storey)))


def percent(flags):
    flags = list(flags)
    return 100 * sum(flags) / len(flags)


def question_words():
    """Return the percentage of docstrings that begin with a question word."""
    return percent(QUESTION_WORDS.match(line) is not None for line in first_lines())


def pronouns():
    """Return the percentage of docstrings whose first line leans on a pronoun."""
    return percent(PRONOUNS.search(line) is not None for line in first_lines())


def participles():
    """Return the percentage of assigned names that are participles or pronouns."""
    return percent(
        re.fullmatch(PARTICIPLES, node.id) is not None
        for node in nodes(ast.Name)
        if isinstance(node.ctx, ast.Store)
    )


def functions_without_verb():
    """Return the percentage of functions that begin with a participle, pronoun or particle."""
    return percent(
        re.match(f"_*({PARTICIPLES}|{PARTICLES})(_|$)", node.name) is not None
        for node in nodes(ast.FunctionDef)
        if not node.name.startswith("__")
    )


def skipped_formats():
    return sum(path.read_text(encoding="utf-8").count("# fmt: skip") for path in files())


def complexities():
    """Return the cognitive complexity of every function by its file and name."""
    return {
        f"{path.relative_to(SOURCE)}:{function.name}": function.complexity
        for path in files()
        for function in code_complexity(path.read_text(encoding="utf-8")).functions
    }
