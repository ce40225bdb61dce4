"""Summarise a multiverse: agreement with the paper, and a joint test against chance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.arrays import Bools, Floats
from saturation.files.schema import validate
from saturation.files.tables import NamedTables, round_as_csv
from saturation.statistics import intervals
from studies.multiverse.evaluation import evaluate, permuted_orders
from studies.multiverse.specifications import (
    CHOICES,
    CONCLUSIONS,
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    Data,
    all_conclusions,
)
from studies.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES
from studies.quantity import Pick, frame, picked

INTERVAL = (0.025, 0.975)
# The joint tests: of the median effect, the share of significant ones, and the mean z.
P_VALUES = ("p_median", "p_significant", "p_mean_z")
# One more than the largest rounding error of the stored single-precision effects.
TIE = 1e-6


@dataclass(frozen=True)
class Settings:
    """Settings of a multiverse."""

    choices: Mapping[str, Any]  #: lists of choices, as in the config section ``multiverse``
    specifications: int = 200  #: of a conclusion; all of them where fewer are possible
    permutations: int = 499
    level: float = intervals.ALPHA
    seed: int = 20251101
    size: str = "reduced"  #: or ``full``: specifications and permutations are drawn by this name


def study(benchmarks: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings) -> NamedTables:
    """Evaluate every specification of every conclusion, and judge them together.

    Takes the plateau study's prepared tables; scores are proportions. Gives the tables of
    :func:`tables`, each as its file in results/multiverse/SIZE.
    """
    data = Data.prepare(
        validate(round_as_csv(benchmarks), PREPARED_BENCHMARKS, "benchmarks"),
        validate(round_as_csv(top_scores), PREPARED_SCORES, "top_scores"),
        settings.choices,
    )
    table = all_conclusions(
        data, settings.choices, settings.specifications, settings.seed, settings.size
    )
    rng = seeds.generator(settings.seed, "multiverse", "permutations", settings.size)
    orders = permuted_orders(len(data), settings.permutations, rng)
    effect, z = evaluate(data, table, orders)
    observed = round_as_csv(pd.DataFrame({"effect": effect[:, 0], "z": z[:, 0]})).astype(float)
    # In single precision, the null of 20,000 specifications takes 160 MB.
    null_effect, null_z = effect[:, 1:].astype("float32"), z[:, 1:].astype("float32")
    return tables(table.join(observed), null_effect, null_z, settings.level)


def tables(evaluated: pd.DataFrame, effect: Floats, z: Floats, level: float) -> NamedTables:
    """Build the tables of all conclusions: ``curve``, ``joint``, ``choices``, ``quantities``."""
    curves, tests = [], []
    for rows in evaluated.groupby("conclusion", sort=False).indices.values():
        table = evaluated.iloc[rows]
        curves.append(curve(table, effect[rows], level))
        tests.append(joint_test(table, effect[rows], z[rows], level))
    all_curves, joint = pd.concat(curves), adjusted(pd.DataFrame(tests))
    return {
        "curve": all_curves,
        "joint": joint,
        "choices": summarise_choices(all_curves),
        "quantities": quantities(joint),
    }


def adjusted(joint: pd.DataFrame) -> pd.DataFrame:
    """With Holm's adjustment over all conclusions of each statistic's p-values, ``p_..._holm``.

    Ten conclusions are tested: of ten true ones two runs in five would reject one at 5 % otherwise.
    """
    return joint.assign(**{f"{name}_holm": intervals.holm(joint[name]) for name in P_VALUES})


def agrees(effect: Floats, z: Floats, expected: str, level: float) -> Bools:
    """Check whether each specification agrees with the paper; see `Conclusion.expected`."""
    significant = np.abs(z) >= -scipy.special.ndtri(level / 2)
    agreed: Bools
    if expected == "none":
        agreed = ~significant
    elif expected == "higher":
        agreed = effect > 0
    else:
        agreed = significant & (np.sign(effect) == (1 if expected == "positive" else -1))
    return agreed


def curve(table: pd.DataFrame, effect: Floats, level: float) -> pd.DataFrame:
    """Sort a conclusion's specifications from the smallest effect to the largest.

    With ``rank`` from 1, ``p_value``, ``agrees``, and ``null_lower, null_upper``: where the
    central 95 % of the permutations have the effect of this rank.
    """
    expected = CONCLUSIONS[table["conclusion"].iloc[0]].expected
    lower, upper = np.quantile(np.sort(effect, axis=0), INTERVAL, axis=1)
    keys = ["effect", *DESIGN_COLUMNS, *OUTCOME_COLUMNS]
    ordered = table.sort_values(keys, kind="stable", ignore_index=True)
    z = ordered["z"].to_numpy()
    return ordered.assign(
        p_value=2 * scipy.special.ndtr(-np.abs(z)),
        agrees=agrees(ordered["effect"].to_numpy(), z, expected, level),
        rank=np.arange(1, len(ordered) + 1),
        null_lower=lower,
        null_upper=upper,
    )


def joint_test(table: pd.DataFrame, effect: Floats, z: Floats, level: float) -> dict[str, object]:
    """Test whether the whole curve is more than chance (Simonsohn, Simmons and Nelson 2020).

    Three statistics are compared with their own permutations: the median effect, the share of
    significant specifications, and the mean z (Stouffer's, up to a constant). Where the paper
    states a direction, effects against it do not count; where it states that there is no
    difference, both directions do.

    - ``table``: specifications of one conclusion with their observed ``effect`` and ``z``.
    - ``effect, z``: the same under each permutation, shape (specifications, permutations).

    ``conclusion, statement, expected, specifications, possible, agreement`` with its Wilson
    interval (for the sampling of specifications), ``median_effect`` with the range of the
    central 95 % of the specifications, ``share_significant, mean_z`` and a p-value each.
    """
    conclusion = CONCLUSIONS[table["conclusion"].iloc[0]]
    observed_effect, observed_z = table["effect"].to_numpy(), table["z"].to_numpy()
    agreed = agrees(observed_effect, observed_z, conclusion.expected, level)
    lower, upper = intervals.wilson(agreed.sum(), len(agreed))
    side = _SIDES[conclusion.expected]
    critical = -scipy.special.ndtri(level / 2)

    def p_value(statistic: Callable[[Floats, Floats], Floats]) -> float:
        null = statistic(effect, z)
        observed = statistic(observed_effect[:, None], observed_z[:, None])[0]
        return float((1 + np.sum(null >= observed - TIE)) / (1 + len(null)))

    return {
        "conclusion": conclusion.name,
        "statement": conclusion.statement,
        "expected": conclusion.expected,
        "specifications": len(table),
        "possible": table["possible"].iloc[0],
        "agreement": agreed.mean(),
        "agreement_lower": lower,
        "agreement_upper": upper,
        "median_effect": np.median(observed_effect),
        "effect_lower": np.quantile(observed_effect, INTERVAL[0]),
        "effect_upper": np.quantile(observed_effect, INTERVAL[1]),
        "share_significant": np.mean(np.abs(observed_z) >= critical),
        "mean_z": observed_z.mean(),
        "p_median": p_value(lambda e, _: side(np.median(e, axis=0))),
        "p_significant": p_value(lambda _, z: np.mean(side(z) >= critical, axis=0)),
        "p_mean_z": p_value(lambda _, z: side(z.mean(axis=0, dtype=float))),
    }


# What the statistics are turned to before they are compared with chance: larger is more extreme.
_SIDES = {"none": np.abs, "higher": np.positive, "positive": np.positive, "negative": np.negative}


def summarise_choices(curve_table: pd.DataFrame) -> pd.DataFrame:
    """Summarise agreement and median effect of the specifications that share a choice.

    ``conclusion, choice, value, specifications, agreement, median_effect``.
    """
    tables_by_choice = []
    for choice in CHOICES:
        table = (
            curve_table.groupby(["conclusion", choice])
            .agg(
                specifications=("agrees", "size"),
                agreement=("agrees", "mean"),
                median_effect=("effect", "median"),
            )
            .reset_index()
            .rename(columns={choice: "value"})
        )
        table.insert(1, "choice", choice)
        tables_by_choice.append(table)
    return pd.concat(tables_by_choice, ignore_index=True)


PICKS = [
    Pick("joint", "", "{conclusion}_{word}", columns, note)
    for columns, note in (
        (
            ["agreement"],
            "share of {specifications} of {possible} specifications; interval of their sampling",
        ),
        (["median_effect"], "partial correlation; central 95 % of the specifications"),
        (["p_median", "p_significant"], "joint permutation test"),
        (
            ["p_median_holm", "p_significant_holm"],
            "joint permutation test, Holm over all conclusions",
        ),
    )
]


def quantities(joint: pd.DataFrame) -> pd.DataFrame:
    """Headline numbers of the joint table, see :class:`studies.quantity.Quantity`."""
    ends = {f"effect_{end}": f"median_effect_{end}" for end in ("lower", "upper")}
    return frame(picked({"joint": joint.rename(columns=ends)}, PICKS))
