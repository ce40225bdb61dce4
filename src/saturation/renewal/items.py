"""Items of two versions: which to retire or keep as anchors, and what is missing."""

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import probability
from saturation.arrays import Floats
from saturation.pages.templates import percent
from saturation.renewal.linking import FEWEST_MODELS, Versions, draw_answers
from saturation.review import report
from saturation.review.report import Review
from saturation.statistics.intervals import CONFIDENCE, benjamini_hochberg
from saturation.statistics.power import Contrast, items_needed

# False discovery rate of anchors that drift.
RATE = 0.05
# Of an item's answers in several runs, from which the model is right on it.
HALF = 0.5
POWER = 0.8
TOP = 5
# An anchor is solved by this share of the models, and discriminates as well as half of the items.
MIDDLE = (0.2, 0.8)
# Of the abilities of the best models until a forecast is due; a normal distribution's spread is 1.
MOST_SHIFT = 5.0
BANDS = (0.0, 0.2, 0.5, 0.8, 0.95, 1.0)
ALL, NONE, CHECK = "retire: all solve it", "retire: none solves it", "check its label"
DRIFTED, ANCHOR, KEEP = "retire: its difficulty drifted", "anchor", "keep"


@dataclass(frozen=True)
class Items:
    """Joint item model of both versions, and its results for items.

    Attributes
    ----------
    table
        ``item, version, models, share, discrimination, difficulty, wrong_key, drift, advice``:
        `wrong_key` is the probability of a wrong key that the review states, missing where it
        states none; `drift` a p-value adjusted to a false discovery rate.
    bands
        ``chance, old, new``: number of items by the chance that the best five are right.
    needed
        ``rival, gap, at_best, like_new, difficulty, chance_now``: items that separate the best
        model from the second and from the fifth at 80 % power, if their abilities differ as
        estimated: of the best difficulty (both right half of the time; the present five as often
        as `chance_now`), and of the new version's.
    """

    fitted: Fit
    table: pd.DataFrame
    bands: pd.DataFrame
    needed: pd.DataFrame
    top: Floats
    abstains: str  # why no label is doubted, if the review states no number of wrong keys


def judge_items(
    given: Versions, seed: int = 0, best: float | None = None, choices: pd.DataFrame | None = None
) -> Items:
    """Fit both versions together and judge each item.

    With the `best` score on new items that is expected when they are used, the items needed are
    those for the best models then, as far apart as those of today. `choices` (``model,
    item, choice``) are the options that models chose, where they are kept.
    """
    review = review_versions(given, choices)
    doubts = {suspect.item: suspect.probability for suspect in review.suspects}
    bits = draw_answers(given.shares, seeds.generator(seed, "renewal", "items"))
    fitted = fit(bits)
    answered = ~np.isnan(given.shares)
    share = np.nansum(given.shares, axis=0) / answered.sum(axis=0)
    table = pd.DataFrame(
        {
            "item": given.items,
            "version": np.where(given.anchors, "both", np.where(given.in_new, "new", "old")),
            "models": answered.sum(axis=0),
            "share": share,
            "discrimination": fitted.discrimination,
            "difficulty": fitted.difficulty,
            "wrong_key": np.nan if review.abstains else [doubts[item] for item in given.items],
            "drift": _drift(given, fitted),
        }
    )
    middle = (share >= MIDDLE[0]) & (share <= MIDDLE[1])
    steep = fitted.discrimination >= np.median(fitted.discrimination)
    reasons = {
        CHECK: table["item"].isin(list_doubts(review)),
        NONE: share == 0,
        ALL: share == 1,
        DRIFTED: table["drift"] < RATE,
        ANCHOR: middle & steep,
    }
    table["advice"] = np.select(list(reasons.values()), list(reasons), KEEP)
    latest = ~np.isnan(given.scores[1]) if given.common.any() else np.ones(len(bits), bool)
    top = np.sort(fitted.ability[latest])[::-1][:TOP]
    bands, needed = _bands(given, fitted, top), _needed(given, fitted, top, best)
    return Items(fitted, table, bands, needed, top, review.abstains)


def review_versions(given: Versions, choices: pd.DataFrame | None = None) -> Review:
    """Review the items of both versions; of several runs, half or more right count as right."""
    shares = pd.DataFrame(given.shares.T, given.items, given.models)
    answers = shares.rename_axis("item").reset_index().melt("item", var_name="model").dropna()
    answers = answers.assign(response=(answers.pop("value") >= HALF).astype(int))
    if choices is not None:
        answers = answers.merge(choices, on=["model", "item"], how="left", validate="1:1")
    return report.review(answers)


def list_doubts(found: Review) -> list[str]:
    """List the first items of a review, as many as wrong keys are expected, and ties with them."""
    if found.next_wrong is None or found.remaining_wrong is None:
        return []
    chance = [suspect.probability for suspect in found.suspects]
    length = round(found.next_wrong.expected + found.remaining_wrong.expected)
    while 0 < length < len(chance) and chance[length] == chance[length - 1]:
        length += 1
    return [suspect.item for suspect in found.suspects[:length]]


def rise(given: Versions, items: Items, first: str, last: str) -> dict[str, float]:
    """Decompose a rise from a model's old score to a later model's new score.

    ``change``, and its parts: ``ability`` and ``items`` (harder ones lower it), each as the mean of
    both orders, and ``rest``: drift and the noise of the items.
    """
    rows = [given.models.index(name) for name in (first, last)]
    ability = items.fitted.ability[rows]
    chance = items.fitted.chance(ability)
    expected = np.array([chance[:, has].mean(axis=1) for has in (given.in_old, given.in_new)])
    change = given.scores[1][rows[1]] - given.scores[0][rows[0]]
    abler = (expected[:, 1] - expected[:, 0]).mean()
    harder = (expected[1] - expected[0]).mean()
    return {"change": change, "ability": abler, "items": harder, "rest": change - abler - harder}


def _bands(given: Versions, fitted: Fit, top: Floats) -> pd.DataFrame:
    names = [f"{percent(low, 0)} to {percent(high, 0)}" for low, high in itertools.pairwise(BANDS)]
    chances = fitted.chance(top).mean(axis=0)
    place = np.clip(np.searchsorted(BANDS, chances) - 1, 0, len(names) - 1)
    count = {
        name: np.bincount(place[has], minlength=len(names))
        for name, has in (("old", given.in_old), ("new", given.in_new))
    }
    return pd.DataFrame({"chance": names, **count})


def _needed(given: Versions, fitted: Fit, top: Floats, best: float | None) -> pd.DataFrame:
    rows, now = [], top
    new = fitted.discrimination[given.in_new], fitted.difficulty[given.in_new]

    def short(shift: float) -> float:
        return float(best or 0) - float(probability(top[:1] + shift, *new).mean())

    shift = MOST_SHIFT
    if short(shift) < 0:
        shift = scipy.optimize.brentq(short, 0.0, shift) if short(0.0) > 0 else 0.0
    top = top + shift
    typical = np.array([np.median(fitted.discrimination)])
    for rival in (2, TOP):
        if len(top) < rival:
            continue
        pair = top[[0, rival - 1]]
        middle = pair.mean(keepdims=True)
        counts = []
        for chance in (probability(pair, typical, middle), probability(pair, *new)):
            error = np.sqrt((chance * (1 - chance)).sum(axis=0).mean())
            gap = (chance[0] - chance[1]).mean()
            counts.append(items_needed(Contrast(gap, error), 1 - CONFIDENCE, POWER))
        easy = probability(now, typical, middle).mean()
        rows.append((rival, pair[0] - pair[1], *counts, middle[0], easy))
    names = ["rival", "gap", "at_best", "like_new", "difficulty", "chance_now"]
    return pd.DataFrame(rows, columns=names)


def _drift(given: Versions, fitted: Fit) -> Floats:
    """Test whether an anchor is easier or harder for later models than for models of the old file.

    Residuals of both groups, in errors of the item model, about the median over anchors and by
    their median absolute deviation: what the model misses of all items alike is no drift.
    """
    p_values = np.full(len(given.items), np.nan)
    late = ~np.isnan(given.scores[1])
    if given.anchors.sum() < FEWEST_MODELS or min(late.sum(), (~late).sum()) < FEWEST_MODELS:
        return p_values
    chance = fitted.chance()[:, given.anchors]
    off = given.shares[:, given.anchors] - chance
    spread = np.where(np.isnan(off), np.nan, chance * (1 - chance))
    sides = [(off[side], spread[side]) for side in (late, ~late)]
    mean = np.subtract(*(np.nanmean(away, axis=0) for away, _ in sides))
    error = sum(np.nansum(wide, axis=0) / np.isfinite(wide).sum(axis=0) ** 2 for _, wide in sides)
    z = mean / np.sqrt(error)
    z = (z - np.median(z)) / max(1.0, scipy.stats.median_abs_deviation(z, scale="normal"))
    p_values[given.anchors] = benjamini_hochberg(2 * scipy.special.ndtr(-np.abs(z)))
    return p_values
