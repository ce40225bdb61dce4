"""The plateau study's tests and controls, and the multiverse's joint tests.

Synthetic benchmarks have the shapes of the study: 60 of them, groups of 6 to 40, indices that crowd
at both ends, sizes from some dozens to hundreds of thousands. The multiverse's are the embedded
benchmarks with their scores permuted.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.files import stages
from saturation.files.tables import records, shipped
from saturation.index import index_table, saturation_index
from saturation.statistics.resampling import p_value
from studies.correlation import partial_spearman
from studies.multiverse import joint
from studies.multiverse.evaluation import evaluate, permuted_orders
from studies.multiverse.joint import P_VALUES
from studies.multiverse.specifications import CONCLUSIONS, Data, specifications
from studies.plateau import hypotheses, resampling, schemas, uncertainty
from studies.plateau.controls import Sample, contrast, shuffled_effects
from studies.plateau.equal_top import equal_top
from studies.plateau.groupings import Comparison
from studies.plateau.inputs import prepare
from validation.check import (
    COVERAGE,
    SIZE,
    Check,
    Outcome,
    Rng,
    covered,
    drawn_once,
    rejected,
    repeated,
)

Array = NDArray[np.float64]
# Rows of a table by their names.
Rows = dict[Any, dict[str, Any]]

BENCHMARKS = 60
ALPHA, THRESHOLD, PERMUTATIONS = 0.05, 0.7, 199


def _controlled(rng: Rng) -> pd.DataFrame:
    """Scores, sizes and index of benchmarks that are unrelated to each other."""
    s_1 = rng.uniform(0.5, 0.99, BENCHMARKS)
    s_k = s_1 * (1 - rng.beta(0.7, 10, BENCHMARKS))
    n_test = np.round(np.exp(rng.normal(8, 1.8, BENCHMARKS))).clip(20)
    table = pd.DataFrame({"s_1": s_1, "s_k": s_k, "n_test": n_test, "alpha": 0.5})
    return table.assign(s_index=saturation_index(s_1, s_k, n_test))


def _permuted_n_rejects(first: int, given: bool, rng: Rng) -> bool:
    """An effect differs from those of permuted sizes though sizes are unrelated."""
    key = ("h2", "age" if given else "none")
    data = _controlled(rng)
    member = (rng.permutation(BENCHMARKS) < first).astype(np.float64)
    age: Array = data["s_1"].to_numpy(float) * 40 + 10 * member
    age += rng.uniform(1, 40, BENCHMARKS)
    chosen = Sample(np.arange(BENCHMARKS), member, age[:, None][:, : int(given)])
    drawn = resampling.orders(BENCHMARKS, PERMUTATIONS, rng)
    null = shuffled_effects(data, {key: chosen}, drawn)[key]
    observed = float(data["s_index"].to_numpy() @ contrast(chosen))
    distance = np.abs(null - null.mean())
    return p_value(abs(observed - null.mean()), distance) <= ALPHA


def _adjusted_f_rejects(first: int, rng: Rng) -> bool:
    """A group effect at equal age is significant where only age has one."""
    member = (np.arange(BENCHMARKS) < first) * 1.0
    age = rng.gamma(2, 18, BENCHMARKS) + 20 * member
    outcome = rng.beta(0.4, 0.4, BENCHMARKS) + 0.005 * age
    drawn = resampling.orders(BENCHMARKS, PERMUTATIONS, rng)
    return resampling.adjusted_f_test(outcome, member, age, drawn)[1] <= ALPHA


def _slope_covered(first: int, shape: tuple[float, float], rng: Rng) -> bool:
    """The interval of a difference at equal age holds the true one.

    The first group's indices are ``beta(0.4, 0.4)``, the others' ``beta(*shape)``.
    """
    member = (np.arange(BENCHMARKS) < first) * 1.0
    age = rng.gamma(2, 18, BENCHMARKS)
    others = rng.beta(*shape, BENCHMARKS)
    index = np.where(member == 1, rng.beta(0.4, 0.4, BENCHMARKS), others) + 0.002 * age
    _, lower, upper = resampling.slope(index, member, age)
    return bool(lower <= 0.5 - shape[0] / sum(shape) <= upper)


def _rank_covered(correlation: float, given: bool, rng: Rng) -> bool:
    """The interval of a rank correlation holds that of the distribution, 53 benchmarks.

    Pairs are normal with this correlation, whose Spearman correlation is 6 asin(r / 2) / pi; what
    is held fixed is unrelated to either.
    """
    x, y = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], 53).T
    held = rng.normal(size=(int(given), 53))
    found = partial_spearman(x, y, *held)
    return bool(found["lower"] <= 6 / np.pi * np.arcsin(correlation / 2) <= found["upper"])


def _equal_top(models: int, items: int, score: float, rng: Rng, data_sets: int) -> Outcome:
    """How often the gap of equal models is called larger than theirs, scores as observed."""
    results = np.sort(rng.binomial(items, score, (data_sets, models)), axis=1)[:, -5:] / items
    return rejected(_p_larger(results, models, items, 0.0), ALPHA)


def _equal_top_shared(
    models: int, items: int, dependence: float, rng: Rng, data_sets: int
) -> Outcome:
    """The same where models share how hard the items are, the correlation known.

    Difficulties are beta distributed with mean 0.7, so that two models' answers correlate so.
    """
    strength = 1 / dependence - 1
    gaps = np.empty((data_sets, 5))
    for place in range(data_sets):
        chance = rng.beta(0.7 * strength, 0.3 * strength, items)
        scores = (rng.random((models, items)) < chance).mean(axis=1)
        gaps[place] = np.sort(scores)[-5:]
    return rejected(_p_larger(gaps, models, items, dependence), ALPHA)


def _p_larger(results: Array, models: int, items: int, dependence: float) -> Array:
    """Probability that equal models have a gap as large as each row's first to fifth score."""
    ids = [f"b{place:06}" for place in range(len(results))]
    scores = pd.DataFrame({"benchmark_id": np.repeat(ids, 5), "score": results.ravel()})
    benchmarks = pd.DataFrame({"benchmark_id": ids, "n_test": items})
    index = index_table(benchmarks, scores)
    table = equal_top(index, scores, models=(models,), dependence=(dependence,))
    return table["p_larger"].to_numpy()


def _benchmarks(rng: Rng, slope: float, effect: float, groups: int) -> pd.DataFrame:
    """Benchmarks whose index goes with age; younger ones are more often in the first group.

    The index piles up at both ends, as it does in the study. The first group's is raised by
    `effect`, so that beyond age the groups differ by it.
    """
    age = rng.uniform(3, 90, BENCHMARKS)
    group = np.where(rng.random(BENCHMARKS) < 0.5 - 0.004 * age, 0,
                     rng.integers(1, groups, BENCHMARKS))  # fmt: skip
    spread = rng.beta(0.6, 0.6, BENCHMARKS) * (1 - effect - 90 * slope)
    return pd.DataFrame(
        {
            "benchmark_id": np.arange(BENCHMARKS).astype(str),
            "label": group.astype(str),
            "s_index": spread + slope * age + effect * (group == 0),
            "n_test": np.exp(rng.normal(7, 1.3, BENCHMARKS)).round(),
            hypotheses.AGE: age,
            hypotheses.RECORDED_AGE: age.round(),
            "citations": rng.lognormal(5, 1.5, BENCHMARKS).round(),
        }
    )


def _tested(slope: float, effect: float, groups: int, rng: Rng) -> Rows:
    """Every test of one comparison by its name."""
    data = _benchmarks(rng, slope, effect, groups)
    labels = data.set_index("benchmark_id")["label"]
    comparison = Comparison("h0", "primary", "0", labels)
    tests = hypotheses.group_tests(
        data.drop(columns="label"), comparison, THRESHOLD, PERMUTATIONS, rng
    )
    return {row["test"]: row for row in records(tests)}


def _rejects(drawn: Callable[[int], tuple[Rows, ...]], test: str, _: Rng, count: int) -> Outcome:
    return rejected([tests[test]["p_value"] for tests in drawn(count)], ALPHA)


def _contains(
    drawn: Callable[[int], tuple[Rows, ...]], test: str, truth: float, _: Rng, count: int
) -> Outcome:
    rows = [tests[test] for tests in drawn(count)]
    lower, upper = ([row[f"effect_{end}"] for row in rows] for end in ("lower", "upper"))
    return covered(lower, upper, truth)


def _citations(rng: Rng) -> Rows:
    """Trends where saturation and citations both go with age, and not with each other."""
    data = _benchmarks(rng, 0.005, 0.0, 2)
    data["citations"] *= 1 + data[hypotheses.AGE] / 20
    return {(row["trend"], row["reading"]): row for row in records(hypotheses.trends(data))}


def _citations_given_age(
    drawn: Callable[[int], tuple[Rows, ...]], reading: str, _: Rng, count: int
) -> Outcome:
    return rejected([rows["citations", reading]["p_value"] for rows in drawn(count)], ALPHA)


def _unrelated_sizes(rng: Rng) -> bool:
    """Test sets whose sizes are unrelated to their scores."""
    best = rng.uniform(0.6, 0.99, BENCHMARKS)
    index = pd.DataFrame(
        {
            "s_1": best,
            "s_k": best - rng.exponential(0.03, BENCHMARKS),
            "n_test": np.exp(rng.normal(7, 1.3, BENCHMARKS)).round(),
            "alpha": 0.5,
        }
    )
    table = uncertainty.permuted_n_control(index, PERMUTATIONS, rng)
    return bool(table["p_value"].item() <= ALPHA)


# A small multiverse with several sets of benchmarks, in which the joint tests once went wrong.
CHOICES: Mapping[str, Any] = {
    "k": [3, 5],
    "alpha": [0.0, 0.5],
    "error_model": ["independent", "smoothed"],
    "outcome": ["s_index", "z", "saturated"],
    "saturated_from": [0.7],
    "age": ["months_at_observation", "age_months"],
    "excluded": ["nothing", "metric_not_accuracy", "n_not_test_set", "any_flag"],
    "test": ["student", "robust", "rank", "permutation"],
    "smallest_group": 3,
}


@lru_cache
def _embedded() -> tuple[pd.DataFrame, pd.DataFrame]:
    """The embedded benchmarks and their top scores, as the plateau study prepares them."""
    benchmarks, top_scores = (
        stages.read(shipped(f"resources/plateau/{name}.csv"), schema)
        for name, schema in (("benchmarks", schemas.BENCHMARKS), ("top_scores", schemas.TOP_SCORES))
    )
    return prepare(
        benchmarks, top_scores, score_scale="percent", observed_on="2025-11-01", at_least=5
    )


def _relabelled(by_age: bool, rng: Rng) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores and sizes permuted together, among benchmarks of about the same age if asked."""
    benchmarks, top_scores = _embedded()
    age = benchmarks["months_at_observation"].to_numpy()
    # Within tenths by age, age still goes with saturation.
    blocks = np.array_split(np.argsort(age, kind="stable"), 10) if by_age else [np.arange(len(age))]
    ids = benchmarks["benchmark_id"].to_numpy()
    new = ids.copy()
    for block in blocks:
        new[block] = rng.permutation(ids[block])
    sizes = dict(zip(new, benchmarks.set_index("benchmark_id").loc[ids, "n_test"]))
    return (
        benchmarks.assign(n_test=benchmarks["benchmark_id"].map(sizes)),
        top_scores.assign(benchmark_id=top_scores["benchmark_id"].map(dict(zip(ids, new)))),
    )


def _p_values(conclusion: str, by_age: bool, rng: Rng) -> list[float]:
    """P-values of the joint tests on one relabelled data set."""
    data = Data.prepare(*_relabelled(by_age, rng), CHOICES)
    table = specifications(data, CONCLUSIONS[conclusion], CHOICES, 30, rng)
    effect, z = evaluate(data, table, permuted_orders(len(data), 99, rng))
    observed = table.assign(effect=effect[:, 0], z=z[:, 0])
    row = joint.joint_test(observed, effect[:, 1:], z[:, 1:], ALPHA)
    return [float(str(row[name])) for name in P_VALUES]


def _joint_rejections(
    drawn: Callable[[int], tuple[list[float], ...]], place: int, _: Rng, data_sets: int
) -> Outcome:
    return rejected([of_data_set[place] for of_data_set in drawn(data_sets)], ALPHA)


REJECTS = "the test at 5 % rejects a true null hypothesis"
CONTAINS = "the 95 % interval contains the true effect"
_TRUTHS = {
    "equal": ((0.0, 0.0, 2), "60 benchmarks, two groups of 20 and 40 that do not differ"),
    "aged": ((0.005, 0.0, 2), "60 benchmarks that saturate with age, younger in one of two groups"),
    "apart": ((0.005, 0.2, 2), "the same, and one group's index is 0.2 higher at any age"),
    "four": ((0.0, 0.0, 4), "60 benchmarks, four groups that do not differ"),
}
_DRAWN = {
    name: drawn_once(f"trends_{name}", partial(_tested, *truth))
    for name, (truth, _) in _TRUTHS.items()
}


def _test_check(truth: str, test: str, bounds: dict[str, Any], note: str = "") -> Check:
    return Check(
        f"trends_{truth}_{test}_test", "plateau.hypotheses.group_tests",
        f"test {test}: {REJECTS}{note}", _TRUTHS[truth][1], **bounds,
        data_sets=600, simulate=partial(_rejects, _DRAWN[truth], test),
    )  # fmt: skip


def _interval_check(truth: str, test: str, effect: float) -> Check:
    return Check(
        f"trends_{truth}_{test}_interval", "plateau.hypotheses.group_tests",
        f"test {test}: {CONTAINS}", _TRUTHS[truth][1], **COVERAGE,
        data_sets=600, simulate=partial(_contains, _DRAWN[truth], test, effect),
    )  # fmt: skip


_TRENDS = drawn_once("trends_citations", _citations)
ANYWHERE = "scores and sizes of 60 benchmarks relabelled at random, four sets of benchmarks"
NO_EFFECT = "p is at most 0.05 in 5 % of the data sets without an effect"
CONTAINED = "the 95 % interval by HC3 errors contains the true effect"


def _controls() -> list[Check]:
    """Permuted sizes, the F test at equal age, and intervals of differences."""
    return [
        *(
            Check(
                f"plateau_dealt_n_{first}{'_age' if given else ''}",
                "plateau.controls.shuffled_effects",
                NO_EFFECT,
                f"{first} of 60 benchmarks in one group, sizes unrelated to all else"
                + (", at equal age" if given else ""),
                **SIZE, data_sets=1000,
                simulate=repeated(partial(_permuted_n_rejects, first, given)),
            )
            for first, given in ((16, False), (44, True), (6, True))
        ),
        *(
            Check(
                f"plateau_permutation_{first}_age", "plateau.resampling.adjusted_f_test",
                NO_EFFECT,
                f"{first} of 60 benchmarks in one group, older by 20 months; the index follows age",
                **SIZE, data_sets=1000, simulate=repeated(partial(_adjusted_f_rejects, first)),
            )
            for first in (6, 16, 29)
        ),
        *(
            Check(
                f"plateau_slope_{first}_{name}", "plateau.resampling.slope", CONTAINED,
                f"{first} of 60 benchmarks in one group, indices of "
                f"{'the same' if name == 'alike' else 'another'} law, at equal age",
                **COVERAGE, data_sets=1000,
                simulate=repeated(partial(_slope_covered, first, shape)),
            )
            for name, shape, sizes in (
                ("alike", (0.4, 0.4), (10, 16)),
                ("unlike", (0.5, 2.0), (10, 16, 29)),
            )
            for first in sizes
        ),
        *(
            Check(
                f"plateau_rank_{round(10 * correlation)}{'_given' if given else ''}",
                "correlation.partial_spearman",
                "the 95 % interval contains the true correlation",
                f"53 benchmarks, normal pairs that correlate {correlation:g}"
                + (", another variable held fixed" if given else ""),
                **COVERAGE, data_sets=1000,
                simulate=repeated(partial(_rank_covered, correlation, given)),
            )
            for correlation, given in ((0.0, False), (0.3, True), (0.6, False))
        ),
    ]  # fmt: skip


def _equal_tops() -> list[Check]:
    estimator = "plateau.equal_top.equal_top"
    return [
        *(
            Check(
                f"plateau_equal_top_{models}_{items}", estimator, NO_EFFECT,
                f"the best five of {models} equal models, {items} items, true score {score:g}",
                **SIZE, data_sets=600,
                simulate=partial(_equal_top, models, items, score),
            )
            # The best scores lie above the true one, which makes the assumed errors too small; gaps
            # of few items are few values, so that p jumps over 0.05.
            for models, items, score, lower, upper in (
                (5, 500, 0.8, 0.015, 0.07),
                (20, 2000, 0.8, 0.03, 0.075),
                (200, 15_000, 0.7, 0.03, 0.075),
            )
        ),
        Check(
            "plateau_equal_top_shared", estimator, NO_EFFECT,
            "the best five of 20 equal models, 400 items whose difficulty they share "
            "(correlation 0.5)",
            **SIZE, data_sets=600,
            simulate=partial(_equal_top_shared, 20, 400, 0.5),
        ),
    ]  # fmt: skip


def _trends() -> list[Check]:
    """Tests and intervals of groups, of trends, and of sizes."""
    return [
        *(
            _test_check("equal", test, SIZE)
            for test in ("rank", "permutation", "welch")
        ),
        _test_check("equal", "rate", SIZE, ", at most so often"),
        *(_interval_check("equal", test, 0.0) for test in ("welch", "rate")),
        _test_check("aged", "age_adjusted", SIZE),
        _interval_check("apart", "age_adjusted", 0.2),
        *(_test_check("four", test, SIZE) for test in ("anova", "age_adjusted")),
        *(
            Check(
                f"trends_citations_{reading}", "plateau.hypotheses.trends",
                f"{reading}: {REJECTS}{note}",
                "60 benchmarks whose citations and saturation both go with age", **bounds,
                data_sets=1000, simulate=partial(_citations_given_age, _TRENDS, reading),
            )
            for reading, bounds, note in (
                ("partial_spearman", SIZE, ""),
                ("residual_spearman", SIZE, ""),
                ("partial_pearson_log", SIZE, ""),
                ("residual_of_index", SIZE, ", at most so often"),
            )
        ),
        Check(
            "trends_permuted_n_s_index", "plateau.uncertainty.permuted_n_control", REJECTS,
            "60 benchmarks whose sizes have nothing to do with their scores", **SIZE,
            data_sets=1000, simulate=repeated(_unrelated_sizes),
        ),
    ]  # fmt: skip


def _multiverse(conclusion: str, by_age: bool, truth: str) -> list[Check]:
    """A check of each joint test of a conclusion, on the same relabelled data sets."""
    scenario = f"multiverse_{conclusion}{'_by_age' if by_age else ''}"
    drawn = drawn_once(scenario, partial(_p_values, conclusion, by_age))
    return [
        Check(
            f"{scenario}_{name}", "multiverse.joint.joint_test",
            f"{name} rejects a true null hypothesis at 5 %, at most so often: with few "
            "specifications its values are few",
            f"{conclusion}: {truth}", **SIZE, data_sets=400,
            simulate=partial(_joint_rejections, drawn, place),
        )
        for place, name in enumerate(P_VALUES)
    ]  # fmt: skip


CHECKS = (
    *_controls(),
    *_equal_tops(),
    *_trends(),
    *_multiverse("h1", False, ANYWHERE),
    *_multiverse("h2", False, f"{ANYWHERE}, given age"),
    *_multiverse("h5", False, ANYWHERE),
    *_multiverse("adoption", True, "relabelled among benchmarks of about the same age, given age"),
)
