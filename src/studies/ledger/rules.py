"""The language of a claim's rule: an expression over quantities, and nothing else.

Names are quantities, ``.lower`` and ``.upper`` their bounds; numbers, comparisons, ``and``, ``or``,
``not``, the four operations and ``abs()`` are understood. Nothing else is, so that a table of
claims can do nothing but compare numbers.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import records

Quantities = Mapping[str, Mapping[str, float]]

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}


def evaluate(rule: str, quantities: Quantities) -> bool:
    """Truth of a rule over quantities."""
    try:
        return bool(_Evaluation(rule, quantities).evaluate_node(_parsed(rule).body))
    except ZeroDivisionError:
        raise InputError(f"rule '{rule}' divides by zero") from None


def names_in(rule: str) -> list[str]:
    """Return the names that a rule uses, each once, outermost names first."""
    nodes = ast.walk(_parsed(rule))
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)))


def _parsed(rule: str) -> ast.Expression:
    try:
        return ast.parse(rule, mode="eval")
    except SyntaxError as error:
        raise InputError(f"rule '{rule}' cannot be read: {error.msg}") from None


class _Evaluation:
    """Evaluation of a rule over a table of quantities; a method for each kind of expression."""

    def __init__(self, rule: str, quantities: Quantities) -> None:
        self.rule = rule
        self.quantities = quantities

    def evaluate_node(self, node: ast.AST) -> Any:
        """Value of an expression."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._lookup(node.id, "value")
            case ast.Attribute():
                return self._bound(node)
            case ast.BoolOp():
                return self._truth(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.BinOp():
                return self._operator(node.op, node)(
                    self.evaluate_node(node.left), self.evaluate_node(node.right)
                )
            case ast.UnaryOp():
                return self._operator(node.op, node)(self.evaluate_node(node.operand))
            case ast.Call():
                return self._call(node)
        return self._refuse(node)

    def _refuse(self, node: ast.AST) -> NoReturn:
        raise InputError(f"rule '{self.rule}': '{ast.unparse(node)}' is not understood")

    def _operator(self, kind: ast.AST, node: ast.AST) -> Callable[..., Any]:
        return _OPERATORS.get(type(kind)) or self._refuse(node)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value if isinstance(node.value, int | float) else self._refuse(node)

    def _bound(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.attr in ("lower", "upper"):
            return self._lookup(node.value.id, node.attr)
        return self._refuse(node)

    def _truth(self, node: ast.BoolOp) -> bool:
        # Every part is evaluated first: an unknown name is an error wherever it stands.
        values = [self.evaluate_node(value) for value in node.values]
        return all(values) if isinstance(node.op, ast.And) else any(values)

    def _comparison(self, node: ast.Compare) -> bool:
        compared = [self._operator(kind, node) for kind in node.ops]
        sides = [self.evaluate_node(side) for side in (node.left, *node.comparators)]
        return all(holds(a, b) for holds, a, b in zip(compared, sides, sides[1:]))

    def _call(self, node: ast.Call) -> Any:
        function = isinstance(node.func, ast.Name) and node.func.id
        if function == "abs" and len(node.args) == 1 and not node.keywords:
            return abs(self.evaluate_node(node.args[0]))
        return self._refuse(node)

    def _lookup(self, name: str, bound: str) -> float:
        if name not in self.quantities:
            raise InputError(f"rule '{self.rule}': nothing computes quantity '{name}'")
        value = float(self.quantities[name][bound])
        if math.isnan(value):
            raise InputError(f"rule '{self.rule}': quantity '{name}' has no {bound}")
        return value


# The numbers that README, docs and the report's first page quote, by the names in their texts.


def quoted(
    quantities: Mapping[str, pd.DataFrame], summary: pd.DataFrame, grades: pd.DataFrame
) -> dict[str, Any]:
    """Return values by name; leave out missing values.

    ``NAME``, ``NAME_lower``, ``NAME_upper`` and ``NAME_note`` of every quantity, of the first study
    that has it; of the ledger, the counts by verdict and by grade.
    """
    values: dict[str, Any] = {}
    for table in quantities.values():
        for row in records(table):
            name = row["quantity"]
            limits = {f"{name}_{key}": row[key] for key in ("lower", "upper", "note")}
            values = {name: row["value"], **limits, **values}
    for row in records(grades):
        values[row["grade"].replace(",", "").replace(" ", "_")] = row["claims"]
    for total in records(summary[summary["paper"] == "all"]):
        values |= {name.replace(" ", "_"): count for name, count in total.items()}
    return {name: value for name, value in values.items() if not pd.isna(value)}
