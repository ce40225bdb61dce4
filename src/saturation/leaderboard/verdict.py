"""Whether a leaderboard still tells its best models apart, in one word, and why.

The word follows from the three answers of :mod:`saturation.leaderboard.top`. The plateau paper's
index stands beside them and decides nothing.
"""

from dataclasses import dataclass

from saturation.leaderboard.top import ALIKE, ALL, NONE, NOT_ASKED, SOME, UNCLEAR, Answers

VERDICTS = (
    "separates",
    "separates_in_part",
    "saturated",
    "stagnated",
    "underpowered",
    "undetermined",
)

REASONS = {
    "told_apart": "all of the top models are told apart",
    "partly_told_apart": "some of the top models are told apart, others are not",
    "alike_at_the_ceiling": "the top models are shown alike, and nothing is left to gain",
    "alike_below_the_ceiling": "the top models are shown alike, though there is room above them",
    "too_few_items": "no two of the top models are told apart, and too few items show them alike",
    "too_few_clusters": "items in so few clusters can neither tell models apart nor show them "
    "alike",
    "headroom_unclear": "the top models are shown alike, but not whether there is room above them",
    "no_margin": "no two of the top models are told apart, and no margin says what alike means",
    "too_few_models": "too few models to compare",
    "metric_not_accuracy_like": "the metric has no known error, so nothing can be tested",
}


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`, and one of the keys of `REASONS`."""

    verdict: str
    reason: str

    @property
    def explanation(self) -> str:
        """The reason in a sentence."""
        return REASONS[self.reason]


def judge(answers: Answers, abstains: str | None = None) -> Verdict:
    """The verdict on a leaderboard whose top can be compared.

    What is told apart comes first. Only where no two of the top models are does it matter whether
    they are shown alike, and only where they are, what is left below the ceiling. `abstains` says
    why no test could tell any two models apart, if that is so.
    """
    apart, same = answers.resolution.answer, answers.equivalence.answer
    left = answers.headroom.answer
    if apart == ALL:
        return Verdict("separates", "told_apart")
    if apart == SOME:
        return Verdict("separates_in_part", "partly_told_apart")
    if same == NOT_ASKED:
        return Verdict("undetermined", "no_margin")
    if same != ALIKE:
        return Verdict("underpowered", "too_few_clusters" if abstains else "too_few_items")
    if left == UNCLEAR:
        return Verdict("undetermined", "headroom_unclear")
    if left == NONE:
        return Verdict("saturated", "alike_at_the_ceiling")
    return Verdict("stagnated", "alike_below_the_ceiling")
