"""Does the joint test reject as often as it says? With several sets of benchmarks."""

import numpy as np
import pytest

from saturation.multiverse import joint
from saturation.multiverse.conclusions import CONCLUSIONS
from saturation.multiverse.data import Data
from saturation.multiverse.evaluation import evaluate
from saturation.multiverse.specifications import specifications
from saturation.multiverse.tests import permuted_orders

LEVEL = 0.05
PERMUTATIONS = 99
EXCLUDED = ["nothing", "metric_not_accuracy", "n_not_test_set", "any_flag"]


def relabelled(benchmarks, top_scores, within, rng):
    """The scores and sizes of the benchmarks moved together to others of the same block."""
    names = benchmarks["benchmark_id"].to_numpy()
    new = names.copy()
    for block in within:
        new[block] = rng.permutation(names[block])
    sizes = dict(zip(new, benchmarks.set_index("benchmark_id").loc[names, "n_test"]))
    return (
        benchmarks.assign(n_test=benchmarks["benchmark_id"].map(sizes)),
        top_scores.assign(benchmark_id=top_scores["benchmark_id"].map(dict(zip(names, new)))),
    )


def rejected(prepared, choices, conclusion, data_sets, within, size=30):
    """Share of data sets without any effect in which each joint test rejects."""
    rejections = np.zeros(len(joint.P_VALUES))
    for run in range(data_sets):
        rng = np.random.default_rng(run)
        data = Data.of(*relabelled(*prepared, within, rng), {**choices, "excluded": EXCLUDED})
        table = specifications(
            data, CONCLUSIONS[conclusion], {**choices, "excluded": EXCLUDED}, size, rng
        )
        orders = permuted_orders(len(data), PERMUTATIONS, rng)
        effect, z = evaluate(data, table, orders)
        table = table.assign(effect=effect[:, 0], z=z[:, 0])
        row = joint.joint_test(table, effect[:, 1:], z[:, 1:], LEVEL)
        rejections += [row[name] <= LEVEL for name in joint.P_VALUES]
    return rejections / data_sets


def limits(data_sets):
    """Where the share of rejections lies but for one in a thousand tests of a true level."""
    error = (LEVEL * (1 - LEVEL) / data_sets) ** 0.5
    return max(LEVEL - 3.3 * error, 0.0), LEVEL + 3.3 * error


def test_the_level_holds_over_several_sets_of_benchmarks(prepared, choices):
    share = rejected(prepared, choices, "h1", 40, [np.arange(60)], size=12)
    assert (share <= limits(40)[1]).all()


@pytest.mark.heavy
@pytest.mark.parametrize("conclusion", ["h1", "h2", "h5", "adoption"])
def test_the_level_holds_from_both_sides(prepared, choices, conclusion):
    """H2 and adoption are asked with covariates held fixed."""
    share = rejected(prepared, choices, conclusion, 200, [np.arange(60)])
    low, high = limits(200)
    assert (share <= high).all()
    assert share.max() >= low


@pytest.mark.heavy
def test_the_level_holds_where_the_outcome_depends_on_a_covariate(prepared, choices):
    """Scores move among benchmarks of about the same age alone: age still goes with saturation."""
    by_age = np.argsort(prepared[0]["months_at_observation"].to_numpy(), kind="stable")
    share = rejected(prepared, choices, "adoption", 200, np.split(by_age, 10))
    assert (share <= limits(200)[1]).all()
