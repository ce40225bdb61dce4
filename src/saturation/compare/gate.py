"""Decide in continuous integration whether a candidate may replace its baseline."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from saturation.compare.paired import THESE, Answers, Difference, measure_difference
from saturation.compare.sequential import repeated_p
from saturation.compare.suite import UNDECIDED, Settings, Suite
from saturation.errors import InputError, refuse
from saturation.pages.templates import probability
from saturation.statistics import intervals
from saturation.statistics.power import Contrast, detectable_difference

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
EXIT_CODES = {PASS: 0, FAIL: 3, INCONCLUSIVE: 4}
# Below this share of common items, two files hold other benchmarks.
LEAST_SHARED = 0.5
_RULE = re.compile(r"worse(?:\s*>\s*(\d+(?:\.\d+)?))?|undecided")


@dataclass(frozen=True)
class Rules:
    """Rules of a gate: drops above margins, as shares, and undecided differences."""

    margins: tuple[float, ...]
    undecided: bool


@dataclass(frozen=True)
class Flips:
    """Items whose answer changed for most runs, and items whose answer varies over the runs."""

    regressed: tuple[str, ...]  #: right before, wrong now
    improved: tuple[str, ...]
    flaky: tuple[str, ...]  #: within a version


@dataclass(frozen=True)
class Outcome:
    """The gate's decision, with a sentence for each reason."""

    decision: str
    reasons: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 for pass, 3 for fail, 4 for inconclusive."""
        return EXIT_CODES[self.decision]


@dataclass(frozen=True)
class Bounds:
    """Difference of a benchmark, with missing answers for and against the candidate."""

    observed: Difference
    best: Difference
    worst: Difference


def parse_rules(text: str) -> Rules:
    """Parse the value of ``--fail-on``, as ``worse>2, undecided``; margins are in points."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    rules = [_RULE.fullmatch(word) for word in words]
    for word, rule in zip(words, rules):
        if rule is None:
            raise InputError(
                f"--fail-on '{word}': expected worse, worse>2 (points) or undecided, with commas "
                "between several"
            )
    margins = {float(rule[1] or 0) / 100 for rule in rules if rule and rule[0] != "undecided"}
    return Rules(tuple(sorted(margins)), "undecided" in words)


def check_tasks(tasks: Mapping[str, Answers]) -> None:
    """Refuse benchmarks that two versions answered with mostly other items."""
    violations = []
    for task, answers in tasks.items():
        shared, items = len(answers.shared().baseline), len(answers.baseline)
        if shared < LEAST_SHARED * items or shared < 2:
            violations.append(
                f"{task}: the versions share {shared} of {items} items; compare runs of one "
                "benchmark, with the same names of items"
            )
    refuse(violations)


def bound_difference(answers: Answers, question: str = THESE, level: float = 0.95) -> Bounds:
    """Measure the difference as answered, and with missing answers at their best and worst."""
    observed = measure_difference(answers, question, level)
    if not answers.missing:
        return Bounds(observed, observed, observed)
    best, worst = (
        measure_difference(answers.filled(*values), question, level)
        for values in ((0.0, 1.0), (1.0, 0.0))
    )
    return Bounds(observed, best, worst)


def note_missing(answers: Answers, bounds: Bounds) -> tuple[str, ...]:
    """Return a sentence on missing answers and how far they may move the difference."""
    if not answers.missing:
        return ()
    cells = answers.baseline.size + answers.candidate.size
    return (
        f"{answers.missing:,} of {cells:,} answers are missing: with them the difference lies "
        f"between {100 * bounds.worst.value:+.1f} and {100 * bounds.best.value:+.1f} points",
    )


def find_flips(answers: Answers) -> Flips:
    """List the items that changed from mostly right to mostly wrong, and the reverse."""
    shared = answers.shared()
    before, now = shared.baseline.mean(axis=1), shared.candidate.mean(axis=1)
    varied = [
        table.min(axis=1) < table.max(axis=1) for table in (shared.baseline, shared.candidate)
    ]
    lists = (before >= 0.5) & (now < 0.5), (before < 0.5) & (now >= 0.5), varied[0] | varied[1]
    return Flips(*(tuple(map(str, shared.baseline.index[where])) for where in lists))


def decide(bounds: Mapping[str, Bounds], suite: Suite, rules: Rules, settings: Settings) -> Outcome:
    """Decide by every rule: fail if any fails, pass only if all pass.

    Missing answers count against every decision: a drop has to be shown with them at their best
    for the candidate, its absence with them at their worst. Drops are tested under one error rate
    over the benchmarks (Holm); the gate passes a benchmark only where a drop of the margin is
    excluded or, for any drop, would have been seen.
    """
    failed: list[str] = []
    unclear: list[str] = []
    for margin in rules.margins:
        failed += _drops(bounds, margin, settings)
        unclear += _unseen(bounds, margin, settings)
    if rules.undecided:
        failed += [f"{row.item.task}: not decided" for row in suite.rows if row.answer == UNDECIDED]
    if failed:
        return Outcome(FAIL, tuple(failed))
    return Outcome(INCONCLUSIVE, tuple(unclear)) if unclear else Outcome(PASS, ())


def _drops(bounds: Mapping[str, Bounds], margin: float, settings: Settings) -> Iterator[str]:
    p_values = [
        repeated_p(bound.best.p_drop_above(margin), settings.looks) for bound in bounds.values()
    ]
    above = f" by more than {100 * margin:g} points" if margin else ""
    for (task, bound), p in zip(bounds.items(), intervals.holm(p_values).tolist()):
        if p <= 1 - settings.level:
            yield (
                f"{task}: worse{above}: {100 * bound.observed.value:+.1f} points "
                f"({100 * bound.observed.lower:.1f} to {100 * bound.observed.upper:.1f}), "
                f"{probability(p)} over {len(bounds)} benchmarks"
            )


def _unseen(bounds: Mapping[str, Bounds], margin: float, settings: Settings) -> Iterator[str]:
    wrong, smallest = 1 - settings.level, margin or settings.margin
    for task, bound in bounds.items():
        contrast = Contrast(0.0, bound.worst.error, degrees=bound.worst.degrees)
        # One-sided, adjusted over the benchmarks as if none were decided.
        detectable = detectable_difference(contrast, 2 * wrong / len(bounds), settings.power)
        excluded = repeated_p(bound.worst.p_drop_below(smallest), settings.looks) <= wrong
        visible = not margin and detectable <= smallest
        if not (excluded or visible):
            yield (
                f"{task}: a drop of {100 * smallest:g} points is neither shown nor excluded "
                f"({100 * bound.observed.value:+.1f} points, {100 * bound.worst.lower:.1f} to "
                f"{100 * bound.best.upper:.1f}); these answers show drops of "
                f"{100 * detectable:.1f} points or more"
            )
