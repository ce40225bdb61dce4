"""The multiverse's joint tests: scores of the embedded benchmarks relabelled without any effect."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.files import stages
from saturation.files.tables import shipped
from saturation.multiverse import joint, names
from saturation.multiverse.evaluation import evaluate, permuted_orders
from saturation.multiverse.specifications import CONCLUSIONS, P_VALUES, Data, specifications
from saturation.plateau.inputs import prepare
from saturation.plateau.schemas import BENCHMARKS, TOP_SCORES
from saturation.simulation.check import Check, Outcome
from saturation.simulation.counting import drawn_once, rejected

Rng = np.random.Generator
Blocks = list[NDArray[np.intp]]
Prepared = tuple[pd.DataFrame, pd.DataFrame]

LEVEL = 0.05
PERMUTATIONS = 99
# A small multiverse with several sets of benchmarks, in which the joint tests once went wrong.
CHOICES: Mapping[str, Any] = {
    "k": [3, 5],
    "alpha": [0.0, 0.5],
    "error_model": ["independent", "smoothed"],
    "outcome": ["s_index", "z", "saturated"],
    "saturated_from": [0.7],
    "age": ["months_at_observation", "age_months"],
    "excluded": ["nothing", "metric_not_accuracy", "n_not_test_set", "any_flag"],
    "test": list(names.TESTS),
    "smallest_group": 3,
}
SPECIFICATIONS = 30


@lru_cache
def embedded() -> Prepared:
    """The embedded benchmarks and their top scores, as the plateau study prepares them."""
    benchmarks, top_scores = (
        stages.read(shipped(f"resources/plateau/{name}.csv"), schema)
        for name, schema in (("benchmarks", BENCHMARKS), ("top_scores", TOP_SCORES))
    )
    return prepare(
        benchmarks, top_scores, score_scale="percent", observed_on="2025-11-01", at_least=5
    )


def relabelled(prepared: Prepared, blocks: Blocks, rng: Rng) -> Prepared:
    """The scores and sizes of the benchmarks moved together to others of the same block."""
    benchmarks, top_scores = prepared
    ids = benchmarks["benchmark_id"].to_numpy()
    new = ids.copy()
    for block in blocks:
        new[block] = rng.permutation(ids[block])
    sizes = dict(zip(new, benchmarks.set_index("benchmark_id").loc[ids, "n_test"]))
    return (
        benchmarks.assign(n_test=benchmarks["benchmark_id"].map(sizes)),
        top_scores.assign(benchmark_id=top_scores["benchmark_id"].map(dict(zip(ids, new)))),
    )


def _by_age() -> Blocks:
    """Tenths of the benchmarks by age: age still goes with saturation."""
    age = embedded()[0]["months_at_observation"].to_numpy()
    return np.array_split(np.argsort(age, kind="stable"), 10)


def p_values(conclusion: str, blocks: Blocks, rng: Rng) -> list[float]:
    """P-values of the joint tests on one relabelled data set."""
    data = Data.of(*relabelled(embedded(), blocks, rng), CHOICES)
    table = specifications(data, CONCLUSIONS[conclusion], CHOICES, SPECIFICATIONS, rng)
    effect, z = evaluate(data, table, permuted_orders(len(data), PERMUTATIONS, rng))
    observed = table.assign(effect=effect[:, 0], z=z[:, 0])
    row = joint.joint_test(observed, effect[:, 1:], z[:, 1:], LEVEL)
    return [float(str(row[name])) for name in P_VALUES]


def _relabelled_p_values(conclusion: str, by_age: bool, rng: Rng) -> list[float]:
    blocks = _by_age() if by_age else [np.arange(len(embedded()[0]))]
    return p_values(conclusion, blocks, rng)


def _checks(conclusion: str, by_age: bool, truth: str) -> list[Check]:
    """A check of each joint test of a conclusion, on the same relabelled data sets."""
    scenario = f"multiverse_{conclusion}{'_by_age' if by_age else ''}"
    drawn = drawn_once(scenario, partial(_relabelled_p_values, conclusion, by_age))
    return [
        Check(
            f"{scenario}_{name}", "multiverse.joint.joint_test",
            f"{name} rejects a true null hypothesis at 5 %, at most so often: with few "
            "specifications its values are few",
            f"{conclusion}: {truth}", stated=LEVEL, lower=0.0, upper=0.09, data_sets=160,
            simulate=partial(_rejections, drawn, place),
        )
        for place, name in enumerate(P_VALUES)
    ]  # fmt: skip


def _rejections(
    drawn: Callable[[int], tuple[list[float], ...]], place: int, _: Rng, data_sets: int
) -> Outcome:
    return rejected([of_data_set[place] for of_data_set in drawn(data_sets)], LEVEL)


ANYWHERE = "scores and sizes of 60 benchmarks relabelled at random, four sets of benchmarks"

CHECKS: tuple[Check, ...] = (
    *_checks("h1", False, ANYWHERE),
    *_checks("h2", False, f"{ANYWHERE}, given age"),
    *_checks("h5", False, ANYWHERE),
    *_checks("adoption", True, "relabelled among benchmarks of about the same age, given age"),
)
