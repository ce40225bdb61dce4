"""Order items by the evidence that their key is wrong, and state what a reviewer will find.

An item whose key is wrong shows itself where models agree on one other option. How often such items
have a wrong key was learned from questions that people checked (``resources/review``): a logistic
regression on the share of models that chose the most common other option and the share that is
right. Between subjects that share varies by more than these two explain, which widens intervals.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from saturation.arrays import Floats, Places
from saturation.errors import InputError

# Fewer models agree by chance.
FEWEST_MODELS = 3
# Central probability of the stated intervals.
CONFIDENCE = 0.9
# The least share right of a subject from which the weights were learned.
LEAST_SHARE = 0.55
OPTIONS, RIGHT_ALONE = "options", "right or wrong"


class Weights(NamedTuple):
    """Logistic regression of wrong keys, for a kind of evidence and number of models.

    ``heterogeneity`` is the variance of the ratio of found and expected wrong keys between
    subjects, each held out in turn; ``subjects`` is the number of equally large subjects that would
    tell as much; ``degrees`` are the degrees of freedom of this variance, few where few subjects
    make most of it.
    """

    slopes: Floats
    heterogeneity: float
    subjects: float
    degrees: float


class Yield(NamedTuple):
    """The expected number of wrong keys among some items, with an interval (90 %)."""

    expected: float
    lower: float
    upper: float


def evidence(answers: pd.DataFrame) -> pd.DataFrame:
    """Count, for each item, who is right and who chose the most common other option.

    Parameters
    ----------
    answers
        Rows of ``model``, ``item`` and ``response`` (1 right, 0 wrong), and ``choice`` where the
        options that models chose are kept.

    Returns
    -------
    pandas.DataFrame
        A row an item, those to look at first: ``models``, ``right``, ``other`` (models that chose
        the most common other option; missing without options), ``option`` and ``abler``: how much
        abler the models that are wrong are, in share right of the other items.

    Raises
    ------
    InputError
        If responses are neither 0 nor 1, or fewer than three models answered.
    """
    answers = answers.astype({"item": str, "model": str})
    if not answers["response"].isin([0, 1]).all():
        raise InputError("a review needs answers that are right or wrong; these are graded")
    if answers["model"].nunique() < FEWEST_MODELS:
        raise InputError(
            f"{answers['model'].nunique()} models answered; a review needs {FEWEST_MODELS} or more"
        )
    items = answers.groupby("item")["response"].agg(models="size", right="sum")
    items["abler"] = _abler(answers)
    items[["option", "other"]] = _most_common_other(answers, items.index)
    right = items["right"] / items["models"]
    agreement = (items["other"] / items["models"]).fillna(1 - right)
    order = np.lexsort((-items["abler"], right, -agreement))
    return items.iloc[order].reset_index()


def probabilities(items: pd.DataFrame, weights: Weights) -> Floats:
    """Return each item's probability of a wrong key."""
    chance: Floats = special.expit(predictors(items) @ weights.slopes)
    return chance


def predictors(items: pd.DataFrame) -> Floats:
    """Return what the logistic regression is on: a row an item, the constant first."""
    right, ones = (items["right"] / items["models"]).to_numpy(float), np.ones(len(items))
    if items["other"].isna().any():
        wrong = 1 - right
        return np.column_stack([ones, wrong, wrong**2, items["abler"]])
    other_share = (items["other"] / items["models"]).to_numpy(float)
    return np.column_stack([ones, other_share, right, other_share**2, other_share * right])


def expected_wrong(chance: Floats, weights: Weights, groups: Places) -> Yield:
    """State how many of some items have a wrong key.

    The number is taken as gamma distributed: its variance is that of independent items, and of a
    ratio that varies between subjects, learned from so many subjects and averaged over the groups.
    Since that ratio's variance was estimated, its part is widened as Student's quantile is.

    Parameters
    ----------
    chance
        Probability that each item's key is wrong.
    groups
        Subject of each item, as codes from 0.
    """
    expected = chance.sum()
    if expected == 0:
        return Yield(0.0, 0.0, 0.0)
    shares = np.bincount(groups, chance)
    averaged = (shares**2).sum() / expected**2
    tail = (1 - CONFIDENCE) / 2
    wider = (stats.t.ppf(tail, weights.degrees) / stats.norm.ppf(tail)) ** 2
    ratio_variance = wider * weights.heterogeneity * (averaged + 1 / weights.subjects)
    variance = (chance * (1 - chance)).sum() + ratio_variance * expected**2
    lower, upper = stats.gamma.ppf(
        [tail, 1 - tail], expected**2 / variance, scale=variance / expected
    )
    return Yield(expected, np.floor(lower), min(np.ceil(upper), len(chance)))


def reasons(items: pd.DataFrame) -> Iterator[str]:
    """Explain for each item in words why the item is on the list."""
    for models, right, option, option_count, abler in zip(
        *(items[name] for name in ("models", "right", "option", "other", "abler"))
    ):
        agree = (
            f"{option_count:.0f} of {models} models chose {option}, " if option_count > 0 else ""
        )
        key = f"{right:.0f} of {models} agree with the key" if right else "none agrees with the key"
        yield agree + key + (", abler models fail it more often" if abler > 0 and right else "")


def _abler(answers: pd.DataFrame) -> "pd.Series[float]":
    """Return how much abler the models that are wrong on an item are than those that are right."""
    ability = answers.groupby("model")["response"].mean()
    share = answers["model"].map(ability)
    groups = share.groupby([answers["item"], answers["response"]])
    means = groups.mean().unstack().reindex(columns=[0, 1])
    return (means[0] - means[1]).fillna(0.0)


def _most_common_other(answers: pd.DataFrame, items: "pd.Index[str]") -> pd.DataFrame:
    """Return, for each item, the option that most wrong models chose, and how many did."""
    choices = answers["choice"].astype("str").fillna("") if "choice" in answers else pd.Series([""])
    if (choices == "").all():
        return pd.DataFrame({"option": "", "other": np.nan}, index=items)
    wrong = answers.assign(choice=choices)[(answers["response"] == 0) & (choices != "")]
    counts = wrong.groupby(["item", "choice"]).size().rename("other").reset_index()
    first = counts.sort_values(["other", "choice"], ascending=[False, True], kind="stable")
    option = first.drop_duplicates("item").set_index("item").reindex(items)
    return pd.DataFrame({"option": option["choice"].fillna(""), "other": option["other"].fillna(0)})
