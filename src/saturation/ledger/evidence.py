"""What one piece of evidence says of its claim: its outcome, its value and a remark.

A *number* agrees when the computed quantity, in the printed unit, rounds to the printed digits.
Where nobody says how it was computed, the study computes each reasonable reading as a quantity
``base__reading``; a row that names the base without a primary value stands for all of them, and
agrees only if every one of them gives the number. A *rule* over quantities agrees when it is true;
one that only says that a test did not reject settles nothing. Where a row has a rule for what would
speak against its claim, data that show neither settle nothing. A rule with a threshold of ours is
tried over the threshold's range as well.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.ledger.rules import Quantities, evaluate, names_in

AGREES = "agrees"
CONTRADICTS = "contradicts"
UNSETTLED = "does not settle"
NOT_RUN = "not run here"
NOT_RELEASED = "not released"
OUTCOMES = (AGREES, CONTRADICTS, UNSETTLED, NOT_RUN, NOT_RELEASED)

THRESHOLD = "threshold"  # the name under which a rule asks for the row's threshold
THRESHOLD_POINTS = 101


@dataclass(frozen=True)
class Finding:
    """What a piece of evidence says.

    Parameters
    ----------
    outcome
        One of `OUTCOMES`.
    computed
        The value in the printed unit, or whether the rule holds; empty where nothing was computed.
    remark
        Values with their bounds, readings tried, what is missing.
    why_unsettled
        For `UNSETTLED`: ``fails to reject``, ``not shown``, ``threshold`` or ``readings``.
    """

    outcome: str
    computed: str = ""
    remark: str = ""
    why_unsettled: str = ""


def found(
    claim: Mapping[str, Any],
    evidence: Mapping[str, Any],
    known: Quantities,
    skipped: Mapping[str, str],
    named: Collection[str] = (),
) -> Finding:
    """Outcome of one row of evidence.

    Parameters
    ----------
    claim, evidence
        Rows of the tables of claims and of evidence.
    known
        ``value``, ``lower`` and ``upper`` of every quantity of the row's study by name.
    skipped
        Why quantities without a value were not computed, by name.
    named
        Quantities that another row of the same claim names: they are no readings of this one.

    Raises
    ------
    InputError
        For a quantity that nothing computes where the row says neither what it needs nor which
        command computes it, and for a rule that cannot be evaluated.
    """
    wanted = asked(evidence)
    absent = [name for name in wanted if not _computed(name, known)]
    if not wanted or absent:
        return _not_computed(evidence, absent, skipped)
    if pd.notna(evidence["rule"]):
        finding = _ruled(evidence, known)
    else:
        finding = _counted(claim, evidence, known, named)
    more = [name for name in _listed(evidence["beside"]) if name not in wanted]
    beside = _with_bounds(more, known)
    return Finding(
        finding.outcome,
        finding.computed,
        "; ".join(part for part in (finding.remark, beside) if part),
        finding.why_unsettled,
    )


def rounds_to(value: float, published: float, decimals: int) -> bool:
    """Whether a value, rounded half up or half to even, is the published number.

    Both roundings count: papers do not say which their software used. The value is first cut
    to 12 significant digits, so that 0.145 is not missed for its binary form.

    Parameters
    ----------
    value
        What is computed here.
    published
        What the paper prints.
    decimals
        To how many decimals it is printed.
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


def asked(evidence: Mapping[str, Any]) -> list[str]:
    """The quantities without which a row of evidence cannot be judged.

    Parameters
    ----------
    evidence
        A row of the table of evidence.
    """
    if pd.notna(evidence["rule"]):
        rules = [str(evidence[kind]) for kind in ("rule", "against") if pd.notna(evidence[kind])]
        names = dict.fromkeys(name for rule in rules for name in names_in(rule))
        return [name for name in names if name not in (THRESHOLD, "abs")]
    return [str(evidence["quantity"])] if pd.notna(evidence["quantity"]) else []


def _computed(name: str, known: Quantities) -> bool:
    """Whether a quantity, or a reading of it, has a value."""
    return any(
        not isnan(float(row["value"]))
        for other, row in known.items()
        if other == name or other.startswith(f"{name}__")
    )


def _not_computed(
    evidence: Mapping[str, Any], absent: list[str], skipped: Mapping[str, str]
) -> Finding:
    """What is said of a claim whose quantities this run does not have."""
    why = [f"{name} is not computed: {skipped[name]}" for name in absent if name in skipped]
    if pd.notna(evidence["command"]):
        return Finding(NOT_RUN, remark="; ".join([*why, f"to decide it: {evidence['command']}"]))
    if pd.notna(evidence["needs"]):
        return Finding(NOT_RELEASED, remark=f"needed: {evidence['needs']}")
    if why:
        return Finding(NOT_RUN, remark="; ".join(why))
    raise InputError(
        f"evidence {evidence['evidence_id']}: nothing computes quantity '{absent[0]}'; compute it, "
        "or say in needs what was not released, or in command what computes it"
    )


def _ruled(evidence: Mapping[str, Any], known: Quantities) -> Finding:
    """The outcome of a rule."""
    rule = str(evidence["rule"])
    has_threshold = pd.notna(evidence["threshold"])
    holds = evaluate(rule, _with(known, evidence["threshold"] if has_threshold else None))
    values = _with_bounds(asked(evidence), known)
    remark = f"{rule}: {values}"
    computed = "holds" if holds else "does not hold"
    if has_threshold:
        held = held_for(evidence, known)
        remark += f"; threshold {float(evidence['threshold']):g} is ours; {_ranges(held)}"
        if any(held.values()) and not all(held.values()):
            return Finding(UNSETTLED, computed, remark, "threshold")
    if holds and pd.notna(evidence["fails_to_reject"]):
        return Finding(UNSETTLED, computed, remark, "fails to reject")
    if holds:
        return Finding(AGREES, computed, remark)
    if pd.notna(evidence["against"]) and not evaluate(str(evidence["against"]), known):
        return Finding(UNSETTLED, computed, remark, "not shown")
    return Finding(CONTRADICTS, computed, remark)


def held_for(evidence: Mapping[str, Any], known: Quantities) -> dict[float, bool]:
    """Whether the row's rule holds at each point of its threshold's range.

    Parameters
    ----------
    evidence
        A row with ``threshold_from`` and ``threshold_to``.
    known
        The quantities.
    """
    points = np.linspace(
        float(evidence["threshold_from"]), float(evidence["threshold_to"]), THRESHOLD_POINTS
    )
    rule = str(evidence["rule"])
    return {float(point): evaluate(rule, _with(known, point)) for point in points}


def _ranges(held: Mapping[float, bool]) -> str:
    """The range over which a rule holds, in words."""
    tried = f"{_shown(min(held))} to {_shown(max(held))}"
    inside = [point for point, holds in held.items() if holds]
    if not inside:
        return f"it holds nowhere from {tried}"
    if len(inside) == len(held):
        return f"it holds everywhere from {tried}"
    return f"it holds from {_shown(min(inside))} to {_shown(max(inside))} of the range {tried}"


def _with(known: Quantities, threshold: Any) -> Quantities:
    """The quantities and, under its name, the threshold."""
    if threshold is None:
        return known
    return {**known, THRESHOLD: {"value": float(threshold)}}


def _counted(
    claim: Mapping[str, Any],
    evidence: Mapping[str, Any],
    known: Quantities,
    named: Collection[str],
) -> Finding:
    """The outcome of a quantity: its own value, or all of its readings where it has none."""
    published, decimals = float(claim["published"]), int(claim["decimals"])
    scale = float(evidence["scale"]) if pd.notna(evidence["scale"]) else 1.0
    base = str(evidence["quantity"])
    values = {
        name: float(row["value"]) * scale
        for name, row in known.items()
        if name == base or (name.startswith(f"{base}__") and name not in named)
    }
    giving = [name for name, value in values.items() if rounds_to(value, published, decimals)]
    closest = min(values, key=lambda name: (isnan(values[name]), abs(values[name] - published)))
    shown = base if base in values else closest
    remark = f"{base} = {values[shown]:.6g}{_interval(known[shown], scale)}"
    if len(values) > 1:
        remark += f"; {len(giving)} of {len(values)} readings give {claim['published']}"
        remark += f", the closest, '{_reading(closest)}', {values[closest]:.6g}"
    computed = f"{values[shown]:.6g}"
    if base in giving or len(giving) == len(values):
        return Finding(AGREES, computed, remark)
    if giving:
        return Finding(UNSETTLED, computed, remark, "readings")
    return Finding(CONTRADICTS, computed, remark)


def _with_bounds(names: list[str], known: Quantities) -> str:
    """Values of quantities with their intervals, in words."""
    return ", ".join(
        f"{name} = {_shown(float(known[name]['value']))}{_interval(known[name])}"
        for name in names
        if name in known
    )


def _interval(row: Mapping[str, float], scale: float = 1.0) -> str:
    """The interval of a quantity, where it has one."""
    lower, upper = float(row["lower"]) * scale, float(row["upper"]) * scale
    return "" if isnan(lower) or isnan(upper) else f" ({_shown(lower)} to {_shown(upper)})"


def _shown(value: float) -> str:
    """Four significant digits, and no fewer than all digits before the point."""
    return f"{value:.0f}" if abs(value) >= 1e4 and np.isfinite(value) else f"{value:.4g}"


def _listed(names: Any) -> list[str]:
    """Names that stand in one cell, separated by semicolons."""
    return [] if pd.isna(names) else [name.strip() for name in str(names).split(";")]


def _reading(name: str) -> str:
    return name.partition("__")[2] or "primary"
