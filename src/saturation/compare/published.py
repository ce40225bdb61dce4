"""Compare two published scores of a benchmark, without the answers behind them."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
from scipy import special

from saturation.compare.paired import LIKE, Difference, normal_difference
from saturation.compare.suite import Item
from saturation.compare.tables import NO_SHARE, OF_EITHER_UNIT, ROW
from saturation.errors import InputError
from saturation.files.tables import Row, list_rows, load_table, records, shipped
from saturation.leaderboard.runs import ANY_KIND, elsewhere
from saturation.statistics import intervals
from saturation.status.names import plain

OF_SEVERAL = re.compile(r"cons@|maj@(?!1\b)|multiple attempts", re.I)
RUNS = re.compile(r"avg@(\d+)", re.I)
MARKED = "a footnote marks a score: it may be cited, or of another protocol"
CAVEATS = (
    "from printed scores: the agreement of two models' answers is predicted from leaderboards with "
    "item answers, at its lower end; a score of unlike protocols, or cited from elsewhere, differs "
    "by more than this error",
)


class Limits(NamedTuple):
    """Limits of a quantity on a new benchmark, with its mean over leaderboards."""

    lower: float
    mean: float
    upper: float


@dataclass(frozen=True)
class Agreement:
    """The correlation of two models' answers, and the part of their variance that is the run's.

    Predicted for a pair of leaders on a new benchmark from leaderboards with item answers.
    """

    correlation: Limits
    run_part: Limits


def predict_agreement(boards: pd.DataFrame, kind: str = ANY_KIND.kind) -> Agreement:
    """Predict the agreement of two models on a new benchmark, with lower and upper 95 % limits.

    Student's predictive distribution over boards, with the spread between pairs of models of one
    board. The run's part is that of boards of the same kind, where there are any, with the spread
    of all boards around the mean of their kind.
    """
    within = (boards["spread"] ** 2).mean()
    repeated = boards[boards["run_part"].notna()]
    means = repeated.groupby("kind")["run_part"].transform("mean")
    alike = repeated[repeated["kind"] == kind]
    degrees = max(len(repeated) - repeated["kind"].nunique(), 1)
    spread = (repeated["run_part"] - means).pow(2).sum() / degrees
    parts = alike["run_part"]
    if kind == ANY_KIND.kind or alike.empty:
        parts, spread = repeated["run_part"], repeated["run_part"].var()
    return Agreement(
        _predicted(boards["correlation"], boards["correlation"].var(), within),
        _predicted(parts, spread, 0.0),
    )


def _predicted(values: "pd.Series[float]", between: float, within: float) -> Limits:
    mean, n = values.mean(), len(values)
    error = math.sqrt(between * (1 + 1 / n) + within)
    reach = special.stdtrit(max(n - 1, 1), 1 - intervals.ALPHA) * error
    return Limits(max(mean - reach, 0.0), mean, min(mean + reach, 1.0))


def scores_difference(
    scores: tuple[float, float],
    n_items: float,
    agreement: Agreement,
    question: str = LIKE,
    runs: int = 1,
) -> Difference:
    """Test two scores on shared items at the least of their likely correlations.

    With p the mean score, n items and r runs of each model, correlation c and run's part w, the
    variance of the difference is 2 p (1 - p) (1 - c - w (1 - 1/r)) / n over items like these, and
    2 p (1 - p) w / (n r) on these items. The end of c and w is taken that makes it large. An item
    each way is added, so that two perfect scores have an error.
    """
    mean = (sum(scores) / 2 * n_items + 1) / (n_items + 2)
    single = 2 * mean * (1 - mean) / n_items
    if question == LIKE:
        part = 1 - agreement.correlation.lower - agreement.run_part.lower * (1 - 1 / runs)
    else:
        part = agreement.run_part.upper / runs
    sizes = (int(n_items), runs)
    return normal_difference(scores, math.sqrt(single * part), "published scores", sizes)


class Entry(NamedTuple):
    """Catalogue record of a benchmark; None where a value is not on record."""

    benchmark: str
    n_items: float | None
    chance: float | None = None
    varies: str | None = None  #: why no number of items is on record


class Catalogue:
    """Benchmarks by their exact names and known spellings."""

    def __init__(self, status: pd.DataFrame, spellings: pd.DataFrame) -> None:
        self._entries = {}
        for row in list_rows(status):
            facts = {name: row[name] for name in Entry._fields if name in row}
            self._entries[plain(row["benchmark"])] = Entry(**facts)
        for row in list_rows(spellings):
            names = [row["benchmark"], *(row["spellings"] or "").split(";")]
            listed = [self._entries[plain(name)] for name in names if plain(name) in self._entries]
            entry = (listed or [Entry(row["benchmark"], None)])[0]
            entry = entry._replace(n_items=row["n_items"], varies=row["varies"])
            self._entries |= {plain(name): entry for name in names if name}

    def find(self, name: str) -> Entry | None:
        """Return the benchmark of exactly this name or spelling."""
        return self._entries.get(plain(name))

    def suggest(self, name: str) -> list[str]:
        """Suggest benchmarks whose names contain the name or are contained in the name."""
        key = plain(name)
        near = {
            entry.benchmark
            for other, entry in self._entries.items()
            if len(other) > len("bench") and (other in key or key in other)
        }
        return sorted(near)

    def declare(self, items: Mapping[str, str]) -> None:
        """Add what a user states: a number of items, or which benchmark a name stands for."""
        for name, value in items.items():
            counted = value.isdecimal() and int(value) > 0
            entry = Entry(name, float(value)) if counted else self.find(value)
            if entry is None:
                raise InputError(
                    f"--items {name}={value}: expected a number of items, or a benchmark that "
                    "`saturation status` lists"
                )
            self._entries[plain(name)] = entry


def compare_published(
    row: Row, catalogue: Catalogue, boards: pd.DataFrame, question: str = LIKE
) -> Item:
    """Compare the two scores of a row of :func:`pair_scores`, which are percentages."""
    benchmark, metric = str(row["benchmark"]), str(row["metric"])
    scores = row["baseline"] / 100, row["candidate"] / 100
    entry = catalogue.find(benchmark)
    agreement = predict_agreement(boards, elsewhere(benchmark).kind)
    reason, difference = _obstacle(metric, scores, row["marks"]), None
    if not reason and (entry is None or entry.n_items is None):
        reason = _unknown_size(benchmark, entry, catalogue, sum(scores) / 2, agreement)
    elif not reason and entry and entry.n_items:
        runs = RUNS.search(metric)
        difference = scores_difference(
            scores, entry.n_items, agreement, question, int(runs[1]) if runs else 1
        )
    return Item(
        task=f"{benchmark} ({metric})" if metric else benchmark,
        difference=difference,
        scores=scores,
        chance=entry.chance or 0.0 if entry else 0.0,
        reason=reason,
        notes=(MARKED,) if row["marks"].strip(OF_EITHER_UNIT) else (),
    )


def _obstacle(metric: str, scores: tuple[float, float], marks: str) -> str:
    """Explain why a difference of these scores has no binomial error; empty if the error exists."""
    if NO_SHARE.search(metric) or not all(0 <= score <= 1 for score in scores):
        return "the metric is no share of right answers"
    if OF_EITHER_UNIT in marks:
        return "shares or percentages? State it with --score-range 0 1 or --score-range 0 100"
    return "the score is of several attempts together" if OF_SEVERAL.search(metric) else ""


def _unknown_size(
    benchmark: str, entry: Entry | None, catalogue: Catalogue, mean: float, agreement: Agreement
) -> str:
    """List minimum detectable differences for several numbers of items, and the open question."""
    remark = f": {entry.varies}" if entry and entry.varies else ""
    if entry is None and (near := catalogue.suggest(benchmark)):
        remark = f"; is it {' or '.join(near)}? State --items '{benchmark}=NAME'"
    of_item = math.sqrt(2 * mean * (1 - mean) * (1 - agreement.correlation.lower))
    significant = 100 * intervals.normal_quantile(intervals.CONFIDENCE) * of_item
    needed = [f"{significant / math.sqrt(n):.1f}" for n in (100, 1000, 10_000)]
    return (
        f"the number of items is not on record{remark}; significant would be {', '.join(needed)} "
        "points with 100, 1,000, 10,000 items"
    )


def pair_scores(scores: pd.DataFrame, baseline: str, candidate: str) -> list[Row]:
    """Pair the printed scores of two models by table, benchmark and metric."""
    sides = [scores[scores["model"] == name].drop_duplicates(ROW) for name in (baseline, candidate)]
    paired = sides[0].merge(sides[1], on=ROW, suffixes=("_baseline", "_candidate"))
    paired = paired.rename(columns={"score_baseline": "baseline", "score_candidate": "candidate"})
    paired["marks"] = paired["mark_baseline"].fillna("") + paired["mark_candidate"].fillna("")
    return records(paired[[*ROW, "baseline", "candidate", "marks"]])


def load_catalogue() -> Catalogue:
    """Read the shipped catalogue."""
    return Catalogue(
        load_table(shipped("resources/status/status.csv")),
        load_table(shipped("resources/releases/benchmarks.csv")),
    )


def load_agreement() -> pd.DataFrame:
    """Read the shipped agreement of answers."""
    return load_table(shipped("resources/releases/agreement.csv"))
