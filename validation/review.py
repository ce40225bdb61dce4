"""Stated numbers of wrong keys: 90 % intervals contain what people would find.

Evidence is that of real items. Whether a key is wrong is simulated: its probability by the
regression learned from the real findings, times a ratio of its subject. The regression is then
learned anew on 30 subjects, and states the numbers for the other 27.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pandas as pd
from scipy import special

from saturation.files.tables import load_table, shipped
from saturation.review import evidence
from saturation.review.evidence import OPTIONS, RIGHT_ALONE
from studies.review import study
from validation.check import Check, Outcome, Rng, drawn_once

# Ratios of subjects: gamma with the variance that the real findings have, or lognormal odds with
# the standard deviation that a logistic regression with random intercepts finds there.
VARIANCE, DEVIATION = 2.0, 1.7
RATIOS = {
    "gamma": f"gamma ratios of subjects with variance {VARIANCE:g}",
    "lognormal": f"lognormal odds of subjects with standard deviation {DEVIATION:g}",
}
PARTS = {"first": slice(0, study.NEXT), "others": slice(study.NEXT, None)}


@cache
def evidence_of_items(kind: str, models: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the real items' evidence, and the learned log odds of a wrong key."""
    questions = load_table(shipped("resources/review/mmlu_redux.csv"))
    items = study.items_with_findings(study.long_answers(questions), questions, kind, models)
    return items, evidence.predictors(items) @ study.learn(items).slopes


def chances_of_wrong_keys(
    log_odds: np.ndarray, subject: np.ndarray, law: str, rng: Rng
) -> np.ndarray:
    """Return each item's true probability of a wrong key, with its subject's ratio."""
    subjects = subject.max() + 1
    if law == "gamma":
        ratios = rng.gamma(1 / VARIANCE, VARIANCE, subjects)
        chances: np.ndarray = np.minimum(special.expit(log_odds) * ratios[subject], 1)
        return chances
    # Odds of the same mean.
    log_ratios = rng.normal(-(DEVIATION**2) / 2, DEVIATION, subjects)
    shifted: np.ndarray = special.expit(log_odds + log_ratios[subject])
    return shifted


@cache
def contained(kind: str, models: int, law: str) -> Callable[[int], tuple[dict[str, bool], ...]]:
    """Return, by number of data sets, whether each part's interval contains the true number."""
    items, log_odds = evidence_of_items(kind, models)
    subject = pd.factorize(items["subject"])[0]

    def draw(rng: Rng) -> dict[str, bool]:
        chance = chances_of_wrong_keys(log_odds, subject, law, rng)
        simulated = items.assign(wrong=rng.random(len(items)) < chance)
        learned_on = rng.permutation(subject.max() + 1)[: study.LEARNED_ON]
        training = np.isin(subject, learned_on)
        weights = study.learn(simulated[training])
        held_out, codes = simulated[~training], pd.factorize(subject[~training])[0]
        stated = evidence.probabilities(held_out, weights)
        wrong = held_out["wrong"].to_numpy()
        intervals = {
            part: evidence.expected_wrong(stated[rows], weights, codes[rows])
            for part, rows in PARTS.items()
        }
        return {
            part: bool(interval.lower <= wrong[PARTS[part]].sum() <= interval.upper)
            for part, interval in intervals.items()
        }

    return drawn_once(f"review_{kind}_{models}_{law}", draw)


def _coverage(kind: str, models: int, law: str, part: str, _: Rng, data_sets: int) -> Outcome:
    """Count the data sets in which the interval of a part contains the true number."""
    hits = sum(data_set[part] for data_set in contained(kind, models, law)(data_sets))
    return Outcome(hits, data_sets)


CHECKS = tuple(
    Check(
        f"review_{part}_{name}_{models}_{law}",
        "review.evidence.expected_wrong",
        f"the {100 * evidence.CONFIDENCE:.0f} % interval contains the number of wrong keys among "
        + (
            f"the first {study.NEXT} items"
            if part == "first"
            else f"all but the first {study.NEXT}"
        ),
        f"{study.LEARNED_ON} subjects learned from, 27 held out, {models} models judged by {kind}; "
        f"{sentence}",
        stated=evidence.CONFIDENCE,
        safe="more",
        data_sets=400,
        simulate=partial(_coverage, kind, models, law, part),
        shares=f"{name}_{models}_{law}",
    )
    for kind, name in ((OPTIONS, "options"), (RIGHT_ALONE, "right"))
    for models in (5, 14)
    for law, sentence in RATIOS.items()
    for part in PARTS
)
