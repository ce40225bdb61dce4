"""Compare two versions on a benchmark by their answers to shared items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from saturation.arrays import Floats
from saturation.statistics import intervals, pairs

# What a difference is generalised to: other runs of the same items, or other items too.
THESE, LIKE = QUESTIONS = ("these items", "items like these")


@dataclass(frozen=True)
class Answers:
    """Answers of two versions to the items of a benchmark, NaN where an answer is missing.

    Parameters
    ----------
    baseline, candidate
        Tables of items by runs, with the same items in the same order.
    clusters
        The cluster of each item; None where items are independent.
    """

    baseline: pd.DataFrame
    candidate: pd.DataFrame
    clusters: pd.Series | None = None

    @property
    def runs(self) -> int:
        """Number of runs of the version that has fewer."""
        return min(self.baseline.shape[1], self.candidate.shape[1])

    @property
    def missing(self) -> int:
        """Number of answers that are missing in either version."""
        return int(self.baseline.isna().sum().sum() + self.candidate.isna().sum().sum())

    def shared(self) -> "Answers":
        """Return the items that both versions answered at least once."""
        answered = self.baseline.notna().any(axis=1) & self.candidate.notna().any(axis=1)
        groups = None if self.clusters is None else self.clusters[answered]
        return Answers(self.baseline[answered], self.candidate[answered], groups)

    def filled(self, baseline: float, candidate: float) -> "Answers":
        """Fill missing answers with constants."""
        return Answers(
            self.baseline.fillna(baseline), self.candidate.fillna(candidate), self.clusters
        )


def pair_answers(baseline: Sequence[pd.DataFrame], candidate: Sequence[pd.DataFrame]) -> Answers:
    """Pair the responses of two versions, each a list of files, by their items.

    Tables are those of :func:`saturation.leaderboard.read.tidy.responses`; every file, run,
    configuration and date is a run.
    """
    sides = [_items_by_runs(files) for files in (baseline, candidate)]
    items = sides[0].index.union(sides[1].index)
    responses = pd.concat([*baseline, *candidate], ignore_index=True)
    groups = responses.astype({"item": str, "cluster": str}).groupby("item")["cluster"].first()
    clusters = groups.reindex(items)
    tables = sides[0].reindex(items), sides[1].reindex(items)
    return Answers(*tables, clusters if clusters.ne("").all() else None)


def _items_by_runs(files: Sequence[pd.DataFrame]) -> pd.DataFrame:
    responses = pd.concat(files, keys=range(len(files)), names=["file"]).reset_index("file")
    runs = ["run", "configuration", "date"]
    responses = responses.astype({**dict.fromkeys(["item", *runs], str), "response": float})
    wide = responses.pivot_table("response", "item", [*runs, "file"])
    return wide.set_axis(range(wide.shape[1]), axis=1)


@dataclass(frozen=True)
class Difference:
    """The candidate's score less the baseline's on a benchmark, and its error."""

    scores: tuple[float, float]  #: of the baseline and the candidate
    value: float
    error: float
    degrees: float  #: of freedom of the error; infinite for normal tests
    lower: float
    upper: float
    p_worse: float  #: one-sided: of a candidate that is not worse
    p_better: float
    test: str
    n_items: int | None
    n_runs: int | None

    @property
    def p_value(self) -> float:
        """Two-sided p-value of no difference."""
        return min(1.0, 2 * min(self.p_worse, self.p_better))

    def p_drop_above(self, margin: float) -> float:
        """Return the p-value of the test against a drop of at most the margin."""
        return self.p_worse if margin == 0 else self._tail(-self.value - margin, margin)

    def p_drop_below(self, margin: float) -> float:
        """Return the p-value of the test against a drop of the margin or more."""
        return self._tail(self.value + margin, margin)

    def p_equivalent(self, margin: float) -> float:
        """Return the p-value of the equivalence test (TOST) at the margin."""
        return max(self.p_drop_below(margin), self._tail(margin - self.value, margin))

    def _tail(self, distance: float, margin: float) -> float:
        # As in pairs.lead_p_values: a difference on few items is easily missed by few clusters.
        least = np.sqrt(margin * (1 - margin) / (self.degrees + 1))
        error = max(self.error, float(least))
        if not (error > 0 and self.degrees > 0):
            return 1.0
        return float(special.stdtr(self.degrees, -distance / error))


def measure_difference(
    answers: Answers, question: str = THESE, level: float = intervals.CONFIDENCE
) -> Difference:
    """Test the difference of two versions on the items that both answered.

    On these items the error is that of runs alone: the variance of answers to the same item, with
    one pair of answers more that differ each way, as Bonett and Price add. For items like these,
    and where no version has two runs, the tests are those of
    :func:`saturation.statistics.pairs.paired_tests` on the items' means.

    Parameters
    ----------
    answers
        In [0, 1]; items without an answer of both versions are left out.
    question
        `THESE` for the error of runs alone, `LIKE` for the error of items too.
    """
    shared = answers.shared()
    tables = shared.baseline.to_numpy(float), shared.candidate.to_numpy(float)
    means = tuple(np.nanmean(table, axis=1) for table in tables)
    scores = means[0].mean(), means[1].mean()
    most_runs = max(table.shape[1] for table in tables)
    if question == LIKE or most_runs == 1:
        return _test_over_items(scores, means, shared, level)
    error = _error_over_runs(tables, shared.runs)
    return normal_difference(scores, error, "runs", (len(means[0]), shared.runs), level)


def normal_difference(
    scores: tuple[float, float],
    error: float,
    test: str,
    sizes: tuple[int, int],
    level: float = intervals.CONFIDENCE,
) -> Difference:
    """Test two scores whose difference has this error, as normal; `sizes` are items and runs."""
    value = scores[1] - scores[0]
    half = intervals.normal_quantile(level) * error
    tail = special.ndtr(value / error)
    return Difference(
        scores=scores,
        value=value,
        error=error,
        degrees=np.inf,
        lower=max(value - half, -1.0),
        upper=min(value + half, 1.0),
        p_worse=tail,
        p_better=1 - tail,
        test=test,
        n_items=sizes[0],
        n_runs=sizes[1],
    )


def _error_over_runs(tables: tuple[Floats, Floats], runs: int) -> float:
    """Compute the difference's error on these items; a single run has the other file's variance."""
    spreads = np.array(
        [
            np.nanmean(np.nanvar(table, axis=1, ddof=1)) if table.shape[1] > 1 else np.nan
            for table in tables
        ]
    )
    spreads = np.where(np.isnan(spreads), np.nanmean(spreads), spreads)
    answered = [(1 / (~np.isnan(table)).sum(axis=1)).sum() for table in tables]
    variance = spreads[0] * answered[0] + spreads[1] * answered[1]
    return float(np.sqrt(variance + 2 / runs**2)) / len(tables[0])


def _test_over_items(
    scores: tuple[float, float], means: tuple[Floats, ...], shared: Answers, level: float
) -> Difference:
    matrix = pd.DataFrame({"candidate": means[1], "baseline": means[0]})
    groups = pd.Series(matrix.index if shared.clusters is None else list(shared.clusters))
    tested = pairs.paired_tests(matrix, groups)
    pair = tested.select((0, 1))
    value, error, degrees = map(float, (pair.difference, pair.standard_error, pair.degrees))
    n = int(pair.items)
    if pair.method == pairs.MCNEMAR:
        lower, upper = intervals.paired_proportions(pair.wins, tested.wins[1, 0], n, level)
        error, degrees = (upper - lower) / 2 / intervals.normal_quantile(level), np.inf
    else:
        half = intervals.t_quantile(max(degrees, 1e-9), level) * error
        lower, upper = value - half, value + half
    tail = float(pair.p_value) / 2
    return Difference(
        scores=scores,
        value=value,
        error=error,
        degrees=degrees,
        lower=lower,
        upper=upper,
        p_worse=tail if value < 0 else 1 - tail,
        p_better=tail if value > 0 else 1 - tail,
        test=pairs.METHODS[int(pair.method)],
        n_items=n,
        n_runs=shared.runs,
    )
