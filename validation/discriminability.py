"""The index's interval, the tests of its changes, and the ceiling of a growth curve.

Scores follow one of seven distributions on 20 bins. In a clustered window a few submitters send
many similar models: each score is the distribution's quantile of a normal value that the
submitter's models share in part, so that a submitter's model keeps the distribution.

Best scores of windows lie below a logistic curve, the frontier, by chance; the study fits the best
so far.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from saturation.discriminability import bdi, growth, windows
from saturation.discriminability.bdi import Window, rebin
from saturation.discriminability.names import FINE_BINS
from saturation.files.tables import records
from saturation.statistics import entropy
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, repeated

Floats = NDArray[np.float64]
BINS = 20
CONFIDENCE = 0.95
SIZES = (50, 100, 200, 733, 1000)
LARGE, SMALL = 733, 50  # of the first and the last window of Open LLM Leaderboard v1
# Share of the submitter in the variance of a model's score: about the highest on the Open LLM
# Leaderboards, on which it is 0.4 to 0.8 in most windows.
ALIKE = 0.7


def _mixture(*parts: tuple[float, Any]) -> Floats:
    """Shares of the fine bins of a mixture of frozen laws of scipy."""
    edges = np.linspace(0, 1, FINE_BINS + 1)
    shares: Floats = np.sum([weight * np.diff(law.cdf(edges)) for weight, law in parts], axis=0)
    normalised: Floats = shares / shares.sum()
    return normalised


LAWS = {
    "normal": _mixture((1, stats.norm(0.5, 0.15))),
    "narrow": _mixture((1, stats.norm(0.72, 0.05))),
    "skewed": _mixture((1, stats.beta(6, 1.5))),
    "two_humps": _mixture((0.5, stats.beta(20, 60)), (0.5, stats.beta(60, 20))),
    "broad": _mixture((1, stats.beta(2, 2))),
    "few_far_off": _mixture((0.95, stats.norm(0.72, 0.03)), (0.05, stats.uniform(0, 0.5))),
    "pile_at_the_top": _mixture((0.6, stats.norm(0.9, 0.02)), (0.4, stats.beta(3, 3))),
}
EVEN = np.full(FINE_BINS, 1 / FINE_BINS)
# Of the projection, as the config ships them.
DEMANDS = growth.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.1)
CEILING, RATE, MIDPOINT = 0.85, 0.35, 2.0
NOISE = 0.01


def _coarse(law: Floats) -> Floats:
    coarse: Floats = law.reshape(BINS, -1).sum(axis=1)
    return coarse


def _index(law: Floats) -> float:
    return float(special.entr(_coarse(law)).sum() / np.log(BINS))


def _covers(law: Floats, n: int, rng: Rng, data_sets: int) -> Outcome:
    """Interval of the index of `n` independent models."""
    counts = rng.multinomial(n, _coarse(law), size=data_sets)
    found = entropy.jackknife(np.eye(BINS), counts)
    of = entropy.estimate(found.value, found.deviations, counts)
    more = entropy.add_one_unit(np.eye(BINS), counts)
    lower, upper = entropy.interval(of, more, CONFIDENCE, np.log(BINS))
    truth = _index(law) * np.log(BINS)
    # The largest entropy itself is reached only up to rounding.
    return Outcome(int(((lower <= truth) & (truth <= upper + 1e-12)).sum()), data_sets)


def _significant(change: dict[str, Any]) -> bool | None:
    """Whether a change is; None where no test is made."""
    return None if change["reason"] else bool(change["significant"])


def _differs(law: Floats, sizes: tuple[int, int], rng: Rng) -> bool | None:
    """Test of the change between two windows of one distribution."""
    return _significant(windows.change_from_first(_course([law] * 2, sizes, rng), CONFIDENCE))


def _covers_clustered(law: Floats, sizes: Sequence[int], rng: Rng) -> bool | None:
    """Interval of the index with each submitter counted once, their sizes given."""
    window = _clustered(law, [sizes], rng)[0]
    lower, upper = bdi.interval(window, CONFIDENCE)
    return None if window.reason else bool(lower <= _index(law) <= upper)


def _differs_clustered(law: Floats, sizes: Sequence[Sequence[int]], rng: Rng) -> bool | None:
    """Test of the change between two windows of one distribution that share submitters."""
    return _significant(windows.change_from_first(_clustered(law, sizes, rng), CONFIDENCE))


def _heavy_tailed(number: int, largest: int) -> tuple[int, ...]:
    """Models of each submitter, falling as its rank rises: Zipf's law, at least one each."""
    return tuple(max(1, round(largest / rank)) for rank in range(1, number + 1))


def _course(laws: Sequence[Floats], sizes: Sequence[int], rng: Rng) -> list[Window]:
    """Windows of independent models, one distribution and size a window."""
    return [
        bdi.counted_once(rng.multinomial(n, _coarse(law)), None)
        for law, n in zip(laws, sizes, strict=True)
    ]


def _clustered(law: Floats, sizes: Sequence[Sequence[int]], rng: Rng) -> list[Window]:
    """Windows of the same submitters, each window with its own numbers of models."""
    shared = rng.standard_normal(len(sizes[0]))
    entries = []
    for month, of_window in enumerate(sizes):
        who = np.repeat(np.arange(len(of_window)), of_window)
        value = np.sqrt(ALIKE) * shared[who]
        value += np.sqrt(1 - ALIKE) * rng.standard_normal(len(who))
        place = np.searchsorted(law.cumsum(), special.ndtr(value)).clip(max=FINE_BINS - 1)
        entries.append(
            pd.DataFrame({"benchmark": "b", "month": month, "submitter": who.astype(str),
                          "bin": place})
        )  # fmt: skip
    known = bdi.repeated(pd.concat(entries))
    return [
        bdi.counted_once(
            rebin(np.bincount(window["bin"], minlength=FINE_BINS), BINS),
            known[known["month"] == month],
        )
        for month, window in enumerate(entries)
    ]


def _least_squares(windows: int, rng: Rng) -> bool:
    """The interval where its theory holds: independent errors around the curve."""
    months = np.arange(windows, dtype=float)
    best = growth.logistic(months, CEILING, RATE, MIDPOINT) + rng.normal(0, NOISE, windows)
    bounds = growth.Bounds((0.6, growth.RATE_BOUNDS[0], -np.inf), (1.0, 10.0, np.inf))
    fitted = growth.fit(months, best, bounds)
    lower, upper = growth.profile_interval(months, best, fitted, bounds, CONFIDENCE)
    return lower <= CEILING <= upper


def _projected(best: Floats) -> dict[str, Any]:
    """What the study's own reading says."""
    monthly = pd.DataFrame(
        {"leaderboard": "l", "benchmark": "b", "elapsed": np.arange(len(best)), "max_score": best}
    )
    fits = growth.growth_table(monthly, DEMANDS, CONFIDENCE)
    (honest,) = records(fits[fits["reading"] == "honest"])
    return honest


def _projects_a_line(windows: int, rng: Rng) -> bool:
    """Scores that rise by the same amount in every window: no ceiling is in sight."""
    best = np.linspace(0.3, 0.8, windows) - rng.exponential(NOISE, windows)
    return not _projected(best)["abstains"]


def _falling(windows_: int) -> list[int]:
    """Sizes that fall evenly on the scale of logarithms from `LARGE` to `SMALL`."""
    return [round(size) for size in np.geomspace(LARGE, SMALL, windows_).tolist()]


SAME = "a change is significant although the windows have one distribution"
CHANGE = "discriminability.windows.change_from_first"
MANY = _heavy_tailed(150, 100)


def _of_law(name: str, law: Floats) -> Iterator[Check]:
    """Interval and change under one distribution, and with submitters."""
    said = f"distribution: {name.replace('_', ' ')}"
    for n in (SMALL, 200, LARGE):
        yield Check(
            f"discriminability_change_{name}_{n}", CHANGE, SAME,
            f"{LARGE} and then {n} independent models, {said}", **SIZE,
            data_sets=4000, simulate=repeated(partial(_differs, law, (LARGE, n))),
        )  # fmt: skip
    scenario = f"{len(MANY)} submitters of 1 to {MANY[0]} models, correlated {ALIKE:g}, {said}"
    yield Check(
        f"discriminability_submitters_interval_{name}", "discriminability.bdi.interval",
        "the 95 % interval contains the index of a submitter's model", scenario,
        **COVERAGE, data_sets=2000, simulate=repeated(partial(_covers_clustered, law, MANY)),
    )  # fmt: skip
    yield Check(
        f"discriminability_submitters_change_{name}", CHANGE, SAME,
        f"two windows of {scenario}; who sends many in one sends few in the other", **SIZE,
        data_sets=2000, simulate=repeated(partial(_differs_clustered, law, (MANY, MANY[::-1]))),
    )  # fmt: skip


def _growth() -> Iterator[Check]:
    yield Check(
        "growth_profile", "discriminability.growth.profile_interval",
        "the 95 % interval contains the true ceiling",
        "12 windows with independent errors of one point around the curve",
        **COVERAGE, data_sets=1000,
        simulate=repeated(partial(_least_squares, 12)),
    )  # fmt: skip
    yield Check(
        "growth_abstention", "discriminability.growth.growth_table",
        "a ceiling is projected although none is in sight, at most so often",
        "12 windows in which the best score rises along a line",
        **SIZE, data_sets=400,
        simulate=repeated(partial(_projects_a_line, 12)),
    )  # fmt: skip


CHECKS = (
    *(
        Check(
            f"discriminability_interval_{name}_{n}", "statistics.entropy.interval",
            "the 95 % interval contains the index of the distribution",
            f"{n} independent models, distribution: {name.replace('_', ' ')}",
            **COVERAGE, data_sets=10_000,
            simulate=partial(_covers, law, n),
        )
        for name, law in {**LAWS, "even": EVEN}.items()
        for n in SIZES
    ),
    *(check for name, law in LAWS.items() for check in _of_law(name, law)),
    *_growth(),
)  # fmt: skip
