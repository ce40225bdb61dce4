"""Verdict on a leaderboard's best models, in a word, with the reason and the advice.

The verdict follows from the three answers of :mod:`saturation.leaderboard.top`; the plateau paper's
index decides nothing. **Headroom comes first.** A benchmark is *at its ceiling* where the lower
limit of the best true score reaches the ceiling, and *below* where the upper limit is. More items
like the present ones are advised only where the benchmark is below its ceiling.
"""

from dataclasses import dataclass

from saturation.leaderboard.top import ALL, EQUIVALENT, NONE, NOT_ASKED, SOME, UNCLEAR, Answers

VERDICTS = (
    "separates",
    "separates_in_part",
    "saturated",
    "exhausted",
    "stagnated",
    "underpowered",
    "undetermined",
)

REASONS = {
    "all_separated": "all top models are significantly different",
    "some_separated": "some top models are significantly different, others are not",
    "partly_near_the_ceiling": "some top models are significantly different, and the best may have "
    "reached the ceiling",
    "too_few_items_to_tell": "the items are too few to separate all top models, and to say "
    "whether the best has reached the ceiling",
    "equivalent_at_the_ceiling": "the best model has reached the ceiling, and the top models are "
    "equivalent",
    "order_open": "the best model has reached the ceiling, and no two top models are significantly "
    "different",
    "order_partly_separated": "the best model has reached the ceiling; some top models are "
    "significantly different",
    "order_separated": "the best model has reached the ceiling; all top models are significantly "
    "different",
    "equivalent_below_the_ceiling": "the top models are equivalent, and there is room above them",
    "too_few_items": "no two top models are significantly different, and the items are too few to "
    "show them equivalent",
    "too_few_clusters": "the items are in so few clusters that they can show neither a difference "
    "nor equivalence",
    "headroom_unclear": "no two top models are significantly different, and the best may have "
    "reached the ceiling",
    "no_margin": "no two top models are significantly different, and no margin says what counts as "
    "equivalent",
    "too_few_models": "too few models for a leaderboard verdict; pairs below",
    "metric_not_accuracy_like": "the scores have no known error, so nothing can be tested",
}

# Kinds of advice, and after each reason its kind and its sentence.
_NO_RANKS, _GROUPS = "do not rank the top models by it", "print groups of ties instead of ranks"
_NO_CLAIM, _RETIRE = "claim neither a winner nor a tie", "make harder items, or retire it"
_HARDER = "add harder items, not more like these"
ADVICE = {
    "all_separated": ("keep", "keep it; ranks of the top models may be printed"),
    "some_separated": ("more_items", f"keep it; {_GROUPS}; more items separate more pairs"),
    "partly_near_the_ceiling": ("harder_items", f"{_GROUPS}; {_HARDER}"),
    "too_few_items_to_tell": ("more_items", f"{_NO_CLAIM} between tied models; add items"),
    "equivalent_at_the_ceiling": ("harder_items", f"{_NO_RANKS}; {_RETIRE}"),
    "order_open": ("harder_items", f"{_NO_RANKS}; {_RETIRE}"),
    "order_partly_separated": ("harder_items", f"{_GROUPS}; {_RETIRE}"),
    "order_separated": ("harder_items", f"ranks of the present models may be printed; {_RETIRE}"),
    "equivalent_below_the_ceiling": ("look", f"{_NO_RANKS}; find out why no model gets further"),
    "too_few_items": ("more_items", f"{_NO_CLAIM}; add items"),
    "too_few_clusters": ("more_items", f"{_NO_CLAIM}; add clusters, not items within them"),
    "headroom_unclear": ("harder_items", f"{_NO_RANKS}; {_HARDER}"),
    "no_margin": ("say_more", "say with meaningful_difference which difference matters"),
    "too_few_models": (
        "more_models",
        "print the scores with their intervals; test two of the models with saturation compare A "
        "B FILE; a verdict on the leaderboard takes more models",
    ),
    "metric_not_accuracy_like": (
        "say_more",
        "give item responses, standard errors or intervals, or repeated runs",
    ),
}


@dataclass(frozen=True)
class Verdict:
    """Verdict from `VERDICTS`, and reason from the keys of `REASONS`."""

    verdict: str
    reason: str

    @property
    def explanation(self) -> str:
        """The reason in a sentence."""
        return REASONS[self.reason]


def judge(answers: Answers, abstains: str | None = None) -> Verdict:
    """Judge a leaderboard whose top can be compared.

    `abstains` says why no test could show any difference, if that is so.
    """
    separation, same = answers.resolution.answer, answers.equivalence.answer
    headroom = answers.headroom.answer
    if headroom == NONE:
        if separation == NONE and same == EQUIVALENT:
            return Verdict("saturated", "equivalent_at_the_ceiling")
        order = {ALL: "order_separated", SOME: "order_partly_separated", NONE: "order_open"}
        return Verdict("exhausted", order[separation])
    if separation == ALL:
        return Verdict("separates", "all_separated")
    if headroom == UNCLEAR:
        return judge_near_the_ceiling(answers, abstains)
    if separation == SOME:
        return Verdict("separates_in_part", "some_separated")
    if same == EQUIVALENT:
        return Verdict("stagnated", "equivalent_below_the_ceiling")
    if same == NOT_ASKED:
        return Verdict("undetermined", "no_margin")
    return Verdict("underpowered", "too_few_clusters" if abstains else "too_few_items")


def judge_near_the_ceiling(answers: Answers, abstains: str | None) -> Verdict:
    """Judge a top that may or may not have reached the ceiling."""
    part = answers.resolution.answer == SOME
    reason = "partly_near_the_ceiling" if part else "headroom_unclear"
    if not abstains and lacks_items(answers):
        reason = "too_few_items_to_tell"
    return Verdict("separates_in_part" if part else "undetermined", reason)


def lacks_items(answers: Answers) -> bool:
    """Tell whether items cannot show a gap between the top models as wide as all above the ceiling.

    Harder items would not help: errors are largest where half of the items are solved.
    """
    room = answers.headroom
    if room.ceiling is None or room.lower is None or room.lower >= room.ceiling:
        return False
    return answers.resolution.minimum_detectable_difference > 1 - room.ceiling
