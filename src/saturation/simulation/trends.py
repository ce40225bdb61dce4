"""The plateau study's tests: groups and trends of 60 benchmarks, with age held fixed or not."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.files.tables import records
from saturation.plateau import hypotheses, uncertainty
from saturation.plateau.groupings import Comparison
from saturation.simulation.check import Check, Outcome
from saturation.simulation.counting import covered, drawn_once, rejected, repeated

Floats = NDArray[np.float64]
Rng = np.random.Generator
# Rows of the table of tests by their name.
Tests = dict[str, dict[str, Any]]

LEVEL = 0.05
THRESHOLD = 0.7
PERMUTATIONS = 199
BENCHMARKS = 60


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


def _tested(slope: float, effect: float, groups: int, rng: Rng) -> Tests:
    """Every test of one comparison by its name."""
    data = _benchmarks(rng, slope, effect, groups)
    labels = data.set_index("benchmark_id")["label"]
    comparison = Comparison("h0", "primary", "0", labels)
    tests = hypotheses.group_tests(
        data.drop(columns="label"), comparison, THRESHOLD, PERMUTATIONS, rng
    )
    return {row["test"]: row for row in records(tests)}


def _rejects(drawn: Callable[[int], tuple[Tests, ...]], test: str, _: Rng, count: int) -> Outcome:
    # Chi-squared is not made where no benchmark, or every one, is saturated.
    made = [tests[test]["p_value"] if test in tests else np.nan for tests in drawn(count)]
    return rejected(made, LEVEL)


def _contains(
    drawn: Callable[[int], tuple[Tests, ...]], test: str, truth: float, _: Rng, count: int
) -> Outcome:
    rows = [tests[test] for tests in drawn(count)]
    lower, upper = ([row[f"effect_{end}"] for row in rows] for end in ("lower", "upper"))
    return covered(lower, upper, truth)


def _citations(rng: Rng) -> dict[tuple[str, str], dict[str, Any]]:
    """Trends where saturation and citations both go with age, and not with each other."""
    data = _benchmarks(rng, 0.005, 0.0, 2)
    data["citations"] *= 1 + data[hypotheses.AGE] / 20
    return {(row["trend"], row["reading"]): row for row in records(hypotheses.trends(data))}


def _citations_given_age(
    drawn: Callable[[int], tuple[dict[tuple[str, str], dict[str, Any]], ...]],
    reading: str,
    _: Rng,
    count: int,
) -> Outcome:
    return rejected([rows["citations", reading]["p_value"] for rows in drawn(count)], LEVEL)


def _dealt_sizes(outcome: str, rng: Rng) -> bool:
    """Test sets whose sizes have nothing to do with their scores."""
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
    return bool((table.loc[table["outcome"] == outcome, "p_value"] <= LEVEL).all())


REJECTS = "the test at 5 % rejects a true null hypothesis"
CONTAINS = "the 95 % interval contains the true effect"
SIZE = {"stated": LEVEL, "lower": 0.03, "upper": 0.07}
AT_MOST = {"stated": LEVEL, "lower": 0.0, "upper": 0.065}
COVERAGE = {"stated": 0.95, "lower": 0.93, "upper": 0.975}

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


def _test_check(truth: str, test: str, bounds: dict[str, float], note: str = "") -> Check:
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

CHECKS: tuple[Check, ...] = (
    *(_test_check("equal", test, SIZE) for test in ("rank", "permutation", "welch", "rate_chi2")),
    *(
        _test_check("equal", test, AT_MOST, ", at most so often")
        for test in ("rate", "rate_chi2_yates")
    ),
    *(_interval_check("equal", test, 0.0) for test in ("rank", "welch", "rate")),
    *(
        _test_check("aged", test, SIZE)
        for test in ("age_adjusted", "recorded_age_adjusted", "age_and_log_n_adjusted")
    ),
    *(
        _interval_check("apart", test, 0.2)
        for test in ("age_adjusted", "recorded_age_adjusted", "age_and_log_n_adjusted")
    ),
    *(_test_check("four", test, SIZE) for test in ("rank", "anova", "rate_chi2", "age_adjusted")),
    *(
        Check(
            f"trends_citations_{reading}", "plateau.trends.trends", f"{reading}: {REJECTS}{note}",
            "60 benchmarks whose citations and saturation both go with age", **bounds,
            data_sets=1000, simulate=partial(_citations_given_age, _TRENDS, reading),
        )
        for reading, bounds, note in (
            ("partial_spearman", SIZE, ""),
            ("residual_spearman", SIZE, ""),
            ("partial_pearson_log", SIZE, ""),
            ("residual_of_index", AT_MOST, ", at most so often"),
        )
    ),
    *(
        Check(
            f"trends_permuted_n_{outcome}", "plateau.uncertainty.permuted_n_control", REJECTS,
            "60 benchmarks whose sizes have nothing to do with their scores", **SIZE,
            data_sets=1000, simulate=repeated(partial(_dealt_sizes, outcome)),
        )
        for outcome in ("s_index", "top_gap")
    ),
)  # fmt: skip
