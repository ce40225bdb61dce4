"""Statements of the discriminability study: the interval of the index and the tests of its changes.

Scores follow one of seven laws on 20 bins. In a clustered window a few submitters send many models
and their models are alike: what stands for a score is a normal value of which the submitter has its
share, turned into the law's quantile, so that the law of a submitter's model stays what it is.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from saturation.discriminability import bdi, windows
from saturation.discriminability.bdi import Window, rebin
from saturation.discriminability.names import FINE_BINS
from saturation.simulation.check import Check, Outcome
from saturation.statistics import entropy

Floats = NDArray[np.float64]
BINS = 20
LEVEL = 0.95
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
    "pile_at_the_top": _mixture((0.6, stats.norm(0.9, 0.02)), (0.4, stats.beta(3, 3))),
}
EVEN = np.full(FINE_BINS, 1 / FINE_BINS)
# Near the highest entropy, whose error vanishes, the interval covers more than it states.
MOST = dict.fromkeys(LAWS, 0.975) | {"broad": 0.98, "even": 1.0}


def _coarse(law: Floats) -> Floats:
    coarse: Floats = law.reshape(BINS, -1).sum(axis=1)
    return coarse


def _index(law: Floats) -> float:
    return float(special.entr(_coarse(law)).sum() / np.log(BINS))


def covers(rng: np.random.Generator, data_sets: int, law: Floats, n: int) -> Outcome:
    """Interval of the index of `n` independent models."""
    counts = rng.multinomial(n, _coarse(law), size=data_sets)
    found = entropy.jackknife(np.eye(BINS), counts)
    of = entropy.estimate(found.value, found.deviations, counts)
    lower, upper = entropy.interval(of, LEVEL, np.log(BINS))
    truth = _index(law) * np.log(BINS)
    # The largest entropy itself is reached only up to rounding.
    return Outcome(int(((lower <= truth) & (truth <= upper + 1e-12)).sum()), data_sets)


def differs(
    rng: np.random.Generator, data_sets: int, law: Floats, sizes: tuple[int, int]
) -> Outcome:
    """Test of the change between two windows of one law."""
    return _judged(
        (windows.from_first(course, LEVEL)
         for course in _courses(rng, data_sets, [law] * 2, sizes)),
        lambda change: bool(change["significant"]),
    )  # fmt: skip


def falls(
    rng: np.random.Generator, data_sets: int, laws: Sequence[Floats], sizes: Sequence[int]
) -> Outcome:
    """Test of the fall from the peak in a course whose windows all have the same index."""
    return _judged(
        (windows.from_peak(course, LEVEL, rng)
         for course in _courses(rng, data_sets, laws, sizes)),
        lambda change: bool(change["significant"]),
    )  # fmt: skip


def bounds_fall(
    rng: np.random.Generator, data_sets: int, laws: Sequence[Floats], sizes: Sequence[int]
) -> Outcome:
    """Bounds of the fall from the peak of a course that rises and falls."""
    truth = _index(laws[-1]) - max(map(_index, laws))

    def within(change: dict[str, object]) -> bool:
        lower, upper = (change[f"submitters_change_{end}"] for end in ("lower", "upper"))
        return bool(lower <= truth <= upper)  # type: ignore[operator]

    return _judged(
        (windows.from_peak(course, LEVEL, rng)
         for course in _courses(rng, data_sets, laws, sizes)),
        within,
    )  # fmt: skip


def covers_clustered(
    rng: np.random.Generator, data_sets: int, law: Floats, sizes: Sequence[int]
) -> Outcome:
    """Interval of the index with each submitter counted once, their sizes given."""
    truth, hits, abstained = _index(law), 0, 0
    for _ in range(data_sets):
        window = _clustered(rng, law, [sizes])[0]
        abstained += bool(window.reason)
        lower, upper = bdi.interval(window, LEVEL)
        hits += lower <= truth <= upper
    return Outcome(hits, data_sets - abstained, abstained=abstained)


def differs_clustered(
    rng: np.random.Generator, data_sets: int, law: Floats, sizes: Sequence[Sequence[int]]
) -> Outcome:
    """Test of the change between two windows of one law that share submitters."""
    return _judged(
        (windows.from_first(_clustered(rng, law, sizes), LEVEL) for _ in range(data_sets)),
        lambda change: bool(change["significant"]),
    )


def heavy_tailed(number: int, largest: int) -> tuple[int, ...]:
    """Models of each submitter, falling as its rank rises: Zipf's law, at least one each."""
    return tuple(max(1, round(largest / rank)) for rank in range(1, number + 1))


def _judged(
    changes: Iterator[dict[str, object]], event: Callable[[dict[str, object]], bool]
) -> Outcome:
    made = list(changes)
    judged = [change for change in made if not change["reason"]]
    return Outcome(sum(map(event, judged)), len(judged), abstained=len(made) - len(judged))


def _courses(
    rng: np.random.Generator, data_sets: int, laws: Sequence[Floats], sizes: Sequence[int]
) -> Iterator[list[Window]]:
    """Courses of windows of independent models, one law and size a window."""
    for _ in range(data_sets):
        yield [
            bdi.counted_once(rng.multinomial(n, _coarse(law)), None)
            for law, n in zip(laws, sizes, strict=True)
        ]


def _clustered(
    rng: np.random.Generator, law: Floats, sizes: Sequence[Sequence[int]]
) -> list[Window]:
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


def _falling(windows_: int) -> list[int]:
    """Sizes that fall evenly on the scale of logarithms from `LARGE` to `SMALL`."""
    return [round(size) for size in np.geomspace(LARGE, SMALL, windows_).tolist()]


INTERVAL = "discriminability.submitters.interval"
FIRST, PEAK = "discriminability.windows.from_first", "discriminability.windows.from_peak"
SAME = "a change is significant although the windows have one law"
MANY = heavy_tailed(150, 100)


def _coverage() -> Iterator[Check]:
    for name, law in {**LAWS, "even": EVEN}.items():
        for n in SIZES:
            yield Check(
                f"discriminability_interval_{name}_{n}",
                "statistics.entropy.interval",
                "the 95 % interval contains the index of the law",
                f"{n} independent models, law: {name.replace('_', ' ')}",
                LEVEL, 0.93, MOST[name], 10_000,
                partial(covers, law=law, n=n),
            )  # fmt: skip


def _levels() -> Iterator[Check]:
    for name, law in LAWS.items():
        for n in (SMALL, 200, LARGE):
            yield Check(
                f"discriminability_change_{name}_{n}",
                FIRST,
                SAME,
                f"{LARGE} and then {n} independent models, law: {name.replace('_', ' ')}",
                1 - LEVEL, 0.02, 0.07, 4000,
                partial(differs, law=law, sizes=(LARGE, n)),
            )  # fmt: skip


def _peaks() -> Iterator[Check]:
    for count in (6, 12, 24):
        for kind, sizes in (("200", [200] * count), ("falling", _falling(count))):
            for name in ("normal", "pile_at_the_top"):
                yield Check(
                    f"discriminability_peak_{name}_{count}_{kind}",
                    PEAK,
                    "a fall from the peak is significant although all windows have one law",
                    f"{count} windows of {sizes[0]} to {sizes[-1]} models, "
                    f"law: {name.replace('_', ' ')}",
                    (1 - LEVEL) / 2, 0.0, 0.07, 1000,
                    partial(falls, laws=[LAWS[name]] * count, sizes=sizes),
                )  # fmt: skip
    rising = [LAWS["narrow"], LAWS["skewed"], LAWS["broad"], LAWS["normal"], LAWS["skewed"]]
    yield Check(
        "discriminability_peak_bounds", PEAK,
        "the 95 % bounds contain the fall from the peak",
        "5 windows of 300 models whose index rises and falls",
        LEVEL, 0.93, 1.0, 1000,
        partial(bounds_fall, laws=rising, sizes=[300] * 5),
    )  # fmt: skip


def _clusters() -> Iterator[Check]:
    later = tuple(reversed(MANY))
    for name, law in LAWS.items():
        scenario = (
            f"{len(MANY)} submitters of 1 to {MANY[0]} models, correlated {ALIKE:g}, "
            f"law: {name.replace('_', ' ')}"
        )
        yield Check(
            f"discriminability_submitters_interval_{name}", INTERVAL,
            "the 95 % interval contains the index of a submitter's model", scenario,
            LEVEL, 0.93, 0.975, 2000, partial(covers_clustered, law=law, sizes=MANY),
        )  # fmt: skip
        yield Check(
            f"discriminability_submitters_change_{name}", FIRST, SAME,
            f"two windows of {scenario}; who sends many in one sends few in the other",
            1 - LEVEL, 0.02, 0.07, 2000, partial(differs_clustered, law=law, sizes=(MANY, later)),
        )  # fmt: skip


CHECKS: tuple[Check, ...] = (*_coverage(), *_levels(), *_peaks(), *_clusters())
