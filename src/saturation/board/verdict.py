"""Whether a leaderboard still tells its best models apart, in one word, and why."""

from dataclasses import dataclass

VERDICTS = ("separates", "weakening", "saturated", "stagnated", "undetermined")

REASONS = {
    "separated": "the data tell the best model from the k-th",
    "solved": "the best score is at the ceiling: little is left to gain",
    "resolvable": "compressed, but more items would separate the top",
    "underpowered": "too few items to see a difference that would matter",
    "alike": "the items would show a difference that matters, and there is none",
    "declining": "the best and the k-th are told apart, but scores draw together with time",
    "too_few_models": "too few models to compare",
    "metric_not_accuracy_like": "the metric has no known error, so nothing can be tested",
}


@dataclass(frozen=True)
class Thresholds:
    """Where one verdict ends and the next begins.

    Parameters
    ----------
    ceiling
        Best score from which models that cannot be told apart make a benchmark saturated rather
        than stagnated; the paper gives no number.
    weakening_from
        P(saturated) from which the verdict is at least weakening.
    meaningful_difference
        Smallest difference of scores that matters to the benchmark's users.
    resolvable_factor
        Up to so many times the present items, more items count as a remedy.
    decline
        Relative fall of the discriminability index from its peak that counts as declining.
    """

    ceiling: float = 0.9
    weakening_from: float = 0.05
    meaningful_difference: float = 0.02
    resolvable_factor: float = 10.0
    decline: float = 0.15


@dataclass(frozen=True)
class Findings:
    """What a verdict is reached from.

    Parameters
    ----------
    s_index, s_1
        Saturation index and best score.
    p_saturated
        Posterior probability that the index of the two true scores reaches its threshold.
    kth_tied
        Whether the k-th model is not shown to differ from the best.
    bounded
        Whether the metric has a ceiling at all; ratings have none and stagnate at most.
    n_items
        Number of items; NaN if unknown.
    items_for_top_k
        Items at which the gap between the best and the k-th would be found; None if unknown.
    minimum_detectable_difference
        Between the best and the k-th, in the unit of the scores.
    bdi_decline
        Relative fall of the discriminability index from its peak; None without a course over time.
    """

    s_index: float
    s_1: float
    p_saturated: float
    kth_tied: bool
    bounded: bool
    n_items: float
    items_for_top_k: float | None
    minimum_detectable_difference: float
    bdi_decline: float | None = None


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`, and one of the keys of `REASONS`."""

    verdict: str
    reason: str

    @property
    def explanation(self) -> str:
        """The reason in a sentence."""
        return REASONS[self.reason]


def judge(findings: Findings, thresholds: Thresholds, saturated_from: float) -> Verdict:
    """The verdict on a leaderboard whose top can be compared.

    ``saturated`` and ``stagnated`` follow the plateau paper: the index reaches its threshold, and
    the best score decides which of the two; P(saturated) says how firm that is. ``separates`` needs
    that the leader is shown to differ from the k-th model, P(saturated) below the limit, and no
    decline. All else is ``weakening``.

    Parameters
    ----------
    findings
        See :class:`Findings`.
    thresholds
        See :class:`Thresholds`.
    saturated_from
        The index's own threshold.
    """
    if findings.s_index >= saturated_from:
        if findings.bounded and findings.s_1 >= thresholds.ceiling:
            return Verdict("saturated", "solved")
        return Verdict("stagnated", compressed(findings, thresholds))
    if findings.p_saturated >= thresholds.weakening_from or findings.kth_tied:
        return Verdict("weakening", compressed(findings, thresholds))
    if findings.bdi_decline is not None and findings.bdi_decline > thresholds.decline:
        return Verdict("weakening", "declining")
    return Verdict("separates", "separated")


def compressed(findings: Findings, thresholds: Thresholds) -> str:
    """Why top models that cannot be told apart cannot: a remedy, too few items, or truly alike.

    Parameters
    ----------
    findings
        What is known of the top of a leaderboard.
    thresholds
        From where a number counts.
    """
    needed = findings.items_for_top_k
    if needed is not None and needed <= thresholds.resolvable_factor * findings.n_items:
        return "resolvable"
    detectable = findings.minimum_detectable_difference
    if findings.bounded and detectable <= thresholds.meaningful_difference:
        return "alike"
    return "underpowered"
