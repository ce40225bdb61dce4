"""Which method is better, with the uncertainty of having these models and no others.

Models are the units: one model on eight benchmarks is one draw, not eight. Items are not fitted
again in a resample, so that the true uncertainty is somewhat larger.
"""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.adaptive import resampling
from saturation.adaptive.model import Floats
from saturation.adaptive.quality import STATISTICS

Counts = npt.NDArray[np.int64]
RESAMPLES = 2000
# Measures that are the better, the higher they are; the others are the better, the lower.
HIGHER = {"monotonicity"}
MEASURES = ("rank_distance", "total_variation", "monotonicity")
# Better first, worse second, in the paper's words; compared at every size that both have.
PAIRS = (("fluid", "random_irt"), ("random_irt", "random"), ("fluid", "random"))
# Each baseline with the size at which the adaptive test is compared with it. The hard subsets
# hold thousands of items, so the adaptive test has far fewer.
BASELINES = (
    ("anchor_points", 10),
    ("anchor_points", 50),
    ("irt_clusters", 100),
    ("information_filter", 143),
    ("hard_smart", 0),
    ("hard_magi", 0),
)
# Methods of several sizes beside others of a size of their own: better, its size, worse, its size;
# 0 stands for all items, or all hard ones.
ACROSS = (
    *(("fluid", size or 500, baseline, size) for baseline, size in BASELINES),
    ("fluid", 50, "full_accuracy", 0),
    ("fluid", 500, "full_accuracy", 0),
    ("random", 100, "irt_clusters", 100),
    ("irt_clusters", 100, "anchor_points", 50),
    ("information_filter", 143, "anchor_points", 50),
)
COLUMNS = ["contrast", "value", "lower", "upper", "holds", "holds_families"]
Measured = Mapping[tuple[str, int, str], Floats]


def contrasts(compared: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Advantage of one method over another, above zero where the first is better.

    Parameters
    ----------
    compared
        Measures of each model (with its `family`), method, size and draw on the banks that can be
        averaged over.
    random
        Draws models, families and random subsets.

    Returns
    -------
    pandas.DataFrame
        `contrast` (its name), `value`, `lower`, `upper` (central 95 % over resamples of models),
        `holds`, `holds_families`: share of resamples of models, and of families, in which the
        advantage is above zero.
    """
    families = dict(zip(compared["model"], compared["family"]))
    names = sorted(families)
    by_unit = {
        unit: _measured(compared, resampling.drawn(names, groups, RESAMPLES, random), random)
        for unit, groups in {"model": names, "family": [families[name] for name in names]}.items()
    }
    plain = _measured(compared, None, random)
    rows = []
    for (name, value), (_, models), (_, whole) in zip(
        _named(plain), _named(by_unit["model"]), _named(by_unit["family"]), strict=True
    ):
        lower, upper = np.quantile(models, [0.025, 0.975], method="inverted_cdf")
        shares = float((models > 0).mean()), float((whole > 0).mean())
        rows.append((name, float(value[0]), float(lower), float(upper), *shares))
    return pd.DataFrame(rows, columns=COLUMNS)


def _measured(
    compared: pd.DataFrame, counts: pd.DataFrame | None, random: np.random.Generator
) -> dict[tuple[str, int, str], Floats]:
    """Every measure of every method and size, over resamples, or as it is without counts."""
    subsets: dict[int, Counts] = {}
    found = {}
    for (method, size), group in compared.groupby(["method", "n_items"], sort=True):
        by_column = resampling.cells(group, [STATISTICS[measure][0] for measure in MEASURES])
        for measure in MEASURES:
            values, models = by_column[STATISTICS[measure][0]]
            if values.size == 0:
                continue
            number = len(values)
            if counts is None:
                weights = np.ones((1, values.shape[1]), np.int64)
                averaged = np.ones((1, number), np.int64)
            else:
                weights = counts[list(models)].to_numpy()
                # Methods that share their subsets share their resamples too.
                averaged = subsets.setdefault(
                    number, random.multinomial(number, np.full(number, 1 / number), len(counts))
                )
            statistic = resampling.median if measure == "total_variation" else resampling.mean
            by_subset = np.stack([statistic(draw, weights) for draw in values], axis=1)
            found[str(method), int(str(size)), measure] = resampling.mean(by_subset, averaged)
    return found


def _named(measured: Measured) -> Iterator[tuple[str, Floats]]:
    """Advantages by name, those of several sizes added up last."""
    for measure, (better, worse) in product(MEASURES, PAIRS):
        by_size = {
            size: _advantage(measured, measure, (better, size), (worse, size))
            for method, size, of in measured
            if (method, of) == (worse, measure) and (better, size, measure) in measured
        }
        for size, advantage in by_size.items():
            yield f"{better}_over_{worse}_{measure}_{size}", advantage
        if len(by_size) > 1:
            sizes = list(by_size)
            early = by_size[sizes[0]] - by_size[sizes[-1]]
            yield f"{better}_over_{worse}_{measure}_short_over_long", early
    for measure, (better, size, worse, other) in product(MEASURES, ACROSS):
        if (better, size, measure) in measured and (worse, other, measure) in measured:
            name = f"{better}_{size}_over_{worse}_{other}_{measure}"
            yield name, _advantage(measured, measure, (better, size), (worse, other))
    yield from _steps(measured)


def _steps(measured: Measured) -> Iterator[tuple[str, Floats]]:
    """How much more abilities bring than selection does, over all sizes."""
    for measure in MEASURES:
        sizes = [
            size
            for method, size, of in measured
            if (method, of) == ("random", measure)
            and ("random_irt", size, measure) in measured
            and ("fluid", size, measure) in measured
        ]
        if sizes:
            scaled = [
                _advantage(measured, measure, ("random_irt", n), ("random", n)) for n in sizes
            ]
            chosen = [_advantage(measured, measure, ("fluid", n), ("random_irt", n)) for n in sizes]
            yield f"abilities_over_selection_{measure}", np.asarray(sum(scaled) - sum(chosen))


def _advantage(
    measured: Measured, measure: str, better: tuple[str, int], worse: tuple[str, int]
) -> Floats:
    first, second = measured[(*better, measure)], measured[(*worse, measure)]
    # Both may be infinite, where a model ends where it began.
    with np.errstate(invalid="ignore"):
        difference = first - second if measure in HIGHER else second - first
    return np.where(np.isnan(difference), 0.0, difference)
