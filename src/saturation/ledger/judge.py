"""The ledger: every number and conclusion that a paper prints, beside what is computed here.

A *number* is reproduced when the computed quantity, in the printed unit, rounds to the printed
digits. Where a paper does not say how it computed a number, the study computes each reasonable
reading as a quantity ``base__reading``; the number counts as reproduced if one of them gives it,
and the note names that reading and how many were tried. Where none does, the note names the
closest, which stands in the ledger unless the study has a primary reading, ``base``. A *conclusion*
is reproduced when its stated rule, an expression over quantities, is true. A claim whose data were
not released is *undecidable*, and so is a conclusion over a quantity that this run did not compute
(no value, and a note that says why).
"""

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError

COLUMNS = [
    "claim_id",
    "study",
    "location",
    "kind",
    "statement",
    "published",
    "computed",
    "decimals",
    "verdict",
    "note",
]
VERDICTS = ("reproduced", "differs", "undecidable")

Quantities = Mapping[str, Mapping[str, float]]


def judge(claims: pd.DataFrame, quantities: pd.DataFrame, study: str) -> pd.DataFrame:
    """Join a study's claims with its quantities and give each a verdict.

    Parameters
    ----------
    claims
        Rows of ``resources/ledger/STUDY.csv``.
    quantities
        Rows ``quantity, value, lower, upper, note``.
    study
        Name of the study.

    Returns
    -------
    pandas.DataFrame
        The columns of the contract, in the claims' order.

    Raises
    ------
    InputError
        For a claim that names a quantity nobody computes without saying which data are missing,
        a duplicate quantity, or a rule that is not a plain expression.
    """
    twice = quantities.loc[quantities["quantity"].duplicated(), "quantity"]
    if len(twice):
        raise InputError(
            [f"{study}: quantity '{name}' is computed twice; name each reading" for name in twice]
        )
    known = {
        str(row["quantity"]): {name: row[name] for name in ("value", "lower", "upper")}
        for row in quantities.to_dict("records")
    }
    skipped = _skipped(quantities)
    rows = [_judged(claim, known, skipped, study) for claim in claims.to_dict("records")]
    return pd.DataFrame(rows, columns=COLUMNS)


def rounds_to(value: float, published: float, decimals: int) -> bool:
    """Whether a value, rounded half up or half to even, is the published number.

    Both roundings count: papers do not say which their software used. The value is first cut
    to 12 significant digits, so that 0.145 is not missed for its binary form.
    """
    if not np.isfinite(value):
        return False
    exact = Decimal(f"{value:.12g}")
    printed = Decimal(repr(float(published)))
    step = Decimal(1).scaleb(-decimals)
    return any(
        exact.quantize(step, rounding=mode) == printed.quantize(step)
        for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    )


def summary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Number of claims by study, kind and verdict, with a total row."""
    counts = pd.crosstab([ledger["study"], ledger["kind"]], ledger["verdict"])
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0).reset_index()
    counts["claims"] = counts[list(VERDICTS)].sum(axis=1)
    total = counts[[*VERDICTS, "claims"]].sum()
    counts.loc[len(counts)] = {"study": "all", "kind": "all", **total.to_dict()}
    counts.columns.name = None
    return counts


def evaluate(rule: str, quantities: Quantities) -> bool:
    """Truth of a rule such as ``h1_age_adjusted_p > 0.05 and h1_effect.lower < 0``.

    Names are quantities, ``.lower`` and ``.upper`` their bounds; numbers, comparisons, ``and``,
    ``or``, ``not``, the four operations and ``abs()`` are understood, and nothing else.

    Raises
    ------
    InputError
        If the rule cannot be parsed, uses anything else, divides by zero, or names an unknown
        quantity.
    """
    try:
        return bool(_value(_parsed(rule).body, quantities, rule))
    except ZeroDivisionError:
        raise InputError(f"rule '{rule}' divides by zero") from None


def _skipped(quantities: pd.DataFrame) -> dict[str, str]:
    """Why quantities without a value were not computed."""
    empty = quantities[quantities["value"].isna() & quantities["note"].notna()]
    return dict(zip(empty["quantity"], empty["note"]))


def _judged(
    claim: dict[str, Any], known: Quantities, skipped: Mapping[str, str], study: str
) -> dict[str, Any]:
    row = {name: claim.get(name) for name in COLUMNS} | {"study": study}
    notes = [claim["note"]] if pd.notna(claim["note"]) else []
    if pd.notna(claim["data_needed"]):
        row["computed"] = None
        row["verdict"] = "undecidable"
        notes.insert(0, f"not at hand: {claim['data_needed']}")
    elif reasons := [
        f"{name} is not computed: {skipped[name]}" for name in _asked(claim) if name in skipped
    ]:
        row["computed"] = None
        row["verdict"] = "undecidable"
        notes[:0] = reasons
    elif claim["kind"] == "number":
        row["computed"], row["verdict"], note = _number(claim, known)
        notes[:0] = [note] if note else []
    else:
        holds = evaluate(claim["rule"], known)
        row["computed"] = "holds" if holds else "does not hold"
        row["verdict"] = "reproduced" if holds else "differs"
        notes.insert(0, f"rule: {claim['rule']} ({_values_in(claim['rule'], known)})")
    row["note"] = "; ".join(map(str, notes))
    return row


def _asked(claim: dict[str, Any]) -> list[str]:
    """The quantities without which a claim cannot be judged."""
    return [claim["quantity"]] if claim["kind"] == "number" else _names_in(claim["rule"])


def _number(claim: dict[str, Any], known: Quantities) -> tuple[str, str, str]:
    base, decimals = str(claim["quantity"]), int(claim["decimals"])
    readings = [name for name in known if name == base or name.startswith(f"{base}__")]
    if not readings:
        raise InputError(
            f"claim {claim['claim_id']}: nothing computes quantity '{base}'; "
            "compute it or say in data_needed which data are missing"
        )
    readings.sort(key=lambda name: (name != base, name))
    scale = float(claim["scale"]) if pd.notna(claim["scale"]) else 1.0
    values = {name: float(known[name]["value"]) * scale for name in readings}
    published = float(claim["published"])
    fitting = [name for name in readings if rounds_to(values[name], published, decimals)]
    closest = min(readings, key=lambda name: (isnan(values[name]), abs(values[name] - published)))
    chosen = fitting[0] if fitting else base if base in values else closest
    tried = len(readings)
    if tried == 1:
        note = ""
    elif fitting:
        note = f"reading '{_reading(chosen)}', 1 of {tried} tried ({len(fitting)} give it)"
    else:
        note = (
            f"none of {tried} readings gives it; the closest is '{_reading(closest)}' "
            f"with {values[closest]:.6g}"
        )
    return f"{values[chosen]:.6g}", "reproduced" if fitting else "differs", note


def _reading(name: str) -> str:
    return name.partition("__")[2] or "primary"


def _parsed(rule: str) -> ast.Expression:
    try:
        return ast.parse(rule, mode="eval")
    except SyntaxError as error:
        raise InputError(f"rule '{rule}' cannot be read: {error.msg}") from None


def _names_in(rule: str) -> list[str]:
    nodes = ast.walk(_parsed(rule))
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)))


def _values_in(rule: str, known: Quantities) -> str:
    unique = [name for name in _names_in(rule) if name in known]
    return ", ".join(f"{name} = {float(known[name]['value']):.4g}" for name in unique)


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


def _value(node: ast.AST, known: Quantities, rule: str) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return _lookup(known, name, "value", rule)
        case ast.Attribute(value=ast.Name(id=name), attr="lower" | "upper" as bound):
            return _lookup(known, name, bound, rule)
        case ast.BoolOp(op=ast.And(), values=values):
            # Every part is evaluated first: an unknown name is an error wherever it stands.
            parts = [_value(value, known, rule) for value in values]
            return all(parts)
        case ast.BoolOp(values=values):
            parts = [_value(value, known, rule) for value in values]
            return any(parts)
        case ast.Compare(left=left, ops=ops, comparators=right) if all(
            type(op) in _OPERATORS for op in ops
        ):
            sides = [_value(side, known, rule) for side in (left, *right)]
            return all(_OPERATORS[type(o)](a, b) for o, a, b in zip(ops, sides, sides[1:]))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, known, rule), _value(right, known, rule))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(operand, known, rule))
        case ast.Call(func=ast.Name(id="abs"), args=[argument], keywords=[]):
            return abs(_value(argument, known, rule))
    raise InputError(f"rule '{rule}': '{ast.unparse(node)}' is not understood")


def _lookup(known: Quantities, name: str, bound: str, rule: str) -> float:
    if name not in known:
        raise InputError(f"rule '{rule}': nothing computes quantity '{name}'")
    value = float(known[name][bound])
    if np.isnan(value):
        raise InputError(f"rule '{rule}': quantity '{name}' has no {bound}")
    return value
