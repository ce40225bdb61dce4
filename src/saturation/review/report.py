"""Review the items of a benchmark: which to look at first, what to expect, what would change."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from saturation.files.tables import load_table, shipped
from saturation.review import evidence
from saturation.review.evidence import OPTIONS, RIGHT_ALONE, Weights, Yield

# How many items a reviewer reads in one sitting.
SITTING = 50


@dataclass(frozen=True)
class Suspect:
    """Item to look at: the probability that its key is wrong, and the reason for listing."""

    item: str
    probability: float
    reason: str


@dataclass(frozen=True)
class Review:
    """The items in the order in which to look at them, and what to expect.

    Nothing is expected where ``abstains`` says why; probabilities then order the items alone.
    ``held`` are the shares of trials on held-out subjects in which the intervals of the first items
    and of all others held. ``best`` is the best model's share right of all items, ``best_without``
    of the items that are not among the first fifty.
    """

    models: int
    items: int
    evidence: str
    suspects: list[Suspect]
    next_items: int
    next_wrong: Yield | None
    remaining_wrong: Yield | None
    held: tuple[float, ...]
    abstains: str
    best: float
    best_without: float
    best_model: str
    best_model_without: str


def review(answers: pd.DataFrame, subjects: pd.Series | None = None) -> Review:
    """Order the items of a benchmark, and state how many keys are wrong.

    Parameters
    ----------
    answers
        Answers of models to items, as :func:`saturation.review.evidence.evidence` takes them.
    subjects
        Subject of each item, indexed by the item's name. Wrong keys are not spread evenly over
        subjects, so that several of them narrow the interval.
    """
    items = evidence.evidence(answers)
    kind = RIGHT_ALONE if items["other"].isna().any() else OPTIONS
    learned = select_weights(kind, answers["model"].nunique())
    weights = parse_weights(learned)
    trials = ["covered_subject"] * 2 if subjects is None else ["covered_next", "covered_rest"]
    chance = evidence.probabilities(items, weights)
    subject = items["item"].map({} if subjects is None else subjects)
    codes = pd.factorize(subject, use_na_sentinel=False)[0]
    first = slice(0, SITTING)
    scores = answers.groupby("model")["response"].mean()
    answers_judged = answers[~answers["item"].astype(str).isin(items["item"][first])]
    without = answers_judged.groupby("model")["response"].mean()
    solved = (items["right"] / items["models"]).mean()
    # Of harder items no number of wrong keys is stated.
    reason = ""
    if solved < evidence.LEAST_SHARE:
        reason = (
            f"{100 * solved:.0f} % of the answers are right, and the rates were learned where "
            f"{100 * evidence.LEAST_SHARE:.0f} % or more are"
        )
    parts = [
        None if reason else evidence.expected_wrong(chance[rows], weights, codes[rows])
        for rows in (first, slice(SITTING, None))
    ]
    return Review(
        models=len(scores),
        items=len(items),
        evidence=kind,
        suspects=[
            Suspect(item, probability, reason)
            for item, probability, reason in zip(
                items["item"], chance.tolist(), evidence.reasons(items)
            )
        ],
        next_items=len(items[first]),
        next_wrong=parts[0],
        remaining_wrong=parts[1],
        held=tuple(learned[trials].astype(float)),
        abstains=reason,
        best=scores.max(),
        best_without=without.max(),
        best_model=str(scores.idxmax()),
        best_model_without=str(without.idxmax()) if len(without) else "",
    )


def select_weights(kind: str, models: int) -> pd.Series:
    """Return what was learned with the most models that are no more than these."""
    table = load_table(shipped("resources/review/weights.csv"))
    rows = table[(table["evidence"] == kind) & (table["models"] <= models)]
    return rows.sort_values("models").iloc[-1]


def parse_weights(row: pd.Series) -> Weights:
    """Take the weights out of a row of the table."""
    slopes = row.filter(like="slope_").astype(float).dropna()
    heterogeneity, subjects, degrees = map(float, row[list(Weights._fields[1:])])
    return Weights(np.asarray(slopes, np.float64), heterogeneity, subjects, degrees)


def text(review: Review, shown: int = 10) -> Iterator[tuple[str, str]]:
    """Yield the printed lines: a label and a sentence."""
    by = (
        "the options that models chose"
        if review.evidence == OPTIONS
        else "right and wrong alone (options make a better list: --columns choice=NAME)"
    )
    yield "data", f"{review.models} models, {review.items:,} items, judged by {by}"
    if (first := review.next_wrong) and (rest := review.remaining_wrong):
        yield (
            "expect",
            f"{first.expected:.0f} wrong keys among the first {review.next_items} items "
            f"({first.lower:.0f} to {first.upper:.0f}, 90 %), {rest.expected:.0f} among the other "
            f"{review.items - review.next_items:,} ({rest.lower:.0f} to {rest.upper:.0f})",
        )
        yield (
            "trials",
            "on held-out subjects of MMLU such intervals held in "
            f"{100 * review.held[0]:.0f} % of the trials for the first items, in "
            f"{100 * review.held[1]:.0f} % for the others",
        )
    else:
        yield "expect", f"no number of wrong keys is stated: {review.abstains}"
    if np.isfinite(review.best_without):
        yield (
            "best score",
            f"{100 * review.best:.1f} % ({review.best_model}) on all items, "
            f"{100 * review.best_without:.1f} % ({review.best_model_without}) without the first "
            f"{review.next_items}",
        )
    for place, suspect in enumerate(review.suspects[:shown], start=1):
        yield f"{place}", f"{suspect.item}: {suspect.reason}"
    yield (
        "note",
        "read these items before you call them wrong: models also agree on common misconceptions, "
        "and a question can be unclear although its key is right",
    )
