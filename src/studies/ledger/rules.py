"""The language of a claim's rule: an expression over quantities, and nothing else.

Names are quantities, ``.lower`` and ``.upper`` their bounds; numbers, comparisons, ``and``, ``or``,
``not``, the four operations and ``abs()`` are understood. Nothing else is, so that a table of
claims can do nothing but compare numbers.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import NamedTables, records

Quantities = Mapping[str, Mapping[str, Any]]

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
        return bool(_evaluate(_parsed(rule).body, quantities))
    except ZeroDivisionError:
        raise InputError(f"rule '{rule}' divides by zero") from None
    except ValueError as error:
        raise InputError(f"rule '{rule}': {error}") from None


def names_in(rule: str) -> list[str]:
    """Return the names that a rule uses, each once, outermost names first."""
    nodes = ast.walk(_parsed(rule))
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)))


def _parsed(rule: str) -> ast.Expression:
    try:
        return ast.parse(rule, mode="eval")
    except SyntaxError as error:
        raise InputError(f"rule '{rule}' cannot be read: {error.msg}") from None


def _evaluate(node: ast.AST, quantities: Quantities) -> Any:
    """Value of an expression; a ValueError where it is not understood or has no value."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return _look_up(quantities, name, "value")
        case ast.Attribute(value=ast.Name(id=name), attr="lower" | "upper" as bound):
            return _look_up(quantities, name, bound)
        case ast.BoolOp():
            # Every part is evaluated first: an unknown name is an error wherever it stands.
            parts = [_evaluate(part, quantities) for part in node.values]
            return all(parts) if isinstance(node.op, ast.And) else any(parts)
        case ast.Compare() if all(type(kind) in _OPERATORS for kind in node.ops):
            sides = [_evaluate(side, quantities) for side in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:])
            return all(_OPERATORS[type(kind)](a, b) for kind, a, b in pairs)
        case ast.BinOp() if type(node.op) in _OPERATORS:
            sides = [_evaluate(side, quantities) for side in (node.left, node.right)]
            return _OPERATORS[type(node.op)](*sides)
        case ast.UnaryOp() if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](_evaluate(node.operand, quantities))
        case ast.Call(func=ast.Name(id="abs"), args=[argument], keywords=[]):
            return abs(_evaluate(argument, quantities))
    raise ValueError(f"'{ast.unparse(node)}' is not understood")


def _look_up(quantities: Quantities, name: str, bound: str) -> float:
    if name not in quantities:
        raise ValueError(f"nothing computes quantity '{name}'")
    value = float(quantities[name][bound])
    if math.isnan(value):
        raise ValueError(f"quantity '{name}' has no {bound}")
    return value


# The numbers that README, docs and the report's first page quote, by the names in their texts.


def quoted(quantities: NamedTables, summary: pd.DataFrame, grades: pd.DataFrame) -> dict[str, Any]:
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
