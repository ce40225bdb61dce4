"""What item responses say beyond the mean: information at the frontier, suspects, consistency."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from saturation.errors import InputError
from saturation.files.tables import records
from saturation.statistics import intervals
from saturation.statistics.chance import agreement
from saturation.statistics.standard_errors import right_or_wrong

if TYPE_CHECKING:
    from saturation.adaptive.fit import Fit

# A two-parameter model has two unknowns an item: fewer models than this leave them to the prior.
FEWEST_MODELS = 8
MOST_SUSPECTS = 20


def measurement(matrix: pd.DataFrame, level: float) -> dict[str, Any]:
    """What the items still measure at the top, and which look wrongly labelled, by a 2PL model.

    Where a floor of guessing predicts answers held out better, by the model with this floor.

    Parameters
    ----------
    matrix
        Items by models, responses 0 or 1, missing where a model did not answer.
    level
        Confidence level of the family of tests of suspects.

    Returns
    -------
    dict
        ``information`` and ``suspects``; each has ``abstains`` with the reason if nothing can be
        said. See :func:`information` and :func:`suspects`. ``guessing`` says that a floor is used,
        ``doubt`` why the model should not be believed; each is empty where it is not so.
    """
    if reason := _why_not(matrix):
        return _nothing(reason)
    from saturation.adaptive import model as item_model
    from saturation.adaptive.doubt import doubt
    from saturation.adaptive.fit import fit
    from saturation.adaptive.floor import believed, or_without

    responses = matrix.T.fillna(item_model.MISSING).to_numpy().astype(np.int8)
    try:
        guessing, fitted = or_without(
            believed(responses, "own"), lambda floor: fit(responses, "positive", floor)
        )
    except InputError as error:
        return _nothing(str(error))
    models = [str(model) for model in matrix.columns]
    return {
        "guessing": guessing.said(),
        "doubt": doubt(responses, models, "own", floor=guessing.value),
        "information": information(fitted),
        "suspects": suspects(responses, fitted, matrix.index, level),
    }


def _nothing(reason: str) -> dict[str, Any]:
    return {
        "guessing": "",
        "doubt": "",
        "information": {"abstains": reason},
        "suspects": {"abstains": reason},
    }


def information(fitted: "Fit") -> dict[str, Any]:
    """Fisher information of the test where the best model stands.

    Returns
    -------
    dict
        Ability of the best model, the information there, the standard error of an ability there
        (its inverse root), the highest information on the models' range, the share of it that is
        left at the frontier, and how many items carry half of the information there.
    """
    from saturation.adaptive import model as item_model

    frontier = float(fitted.ability.max())
    # Up to the best model, which stands last.
    grid = np.linspace(fitted.ability.min(), frontier, 61)
    by_ability = item_model.information(
        grid, fitted.discrimination, fitted.difficulty, fitted.floor
    )
    over_range, by_item = by_ability.sum(axis=1), by_ability[-1]
    at_frontier = float(by_item.sum())
    shares = np.sort(by_item)[::-1].cumsum() / at_frontier
    return {
        "abstains": None,
        "ability": frontier,
        "information": at_frontier,
        "ability_se": float(1 / np.sqrt(at_frontier)),
        "highest_information": float(over_range.max()),
        "share_of_highest": float(at_frontier / over_range.max()),
        "items_with_half": int(np.searchsorted(shares, 0.5) + 1),
        "n_items": len(by_item),
    }


def suspects(responses: np.ndarray, fitted: "Fit", names: pd.Index, level: float) -> dict[str, Any]:
    """Items that abler models get wrong and weaker ones right: candidates for a wrong label.

    The slope of each item, free in sign, as :func:`saturation.adaptive.frontier.items` has it;
    a suspect's slope is below 0 at the given one-sided level after Holm's adjustment. The lowest
    slopes are listed in any case, for reading.

    Parameters
    ----------
    responses
        0, 1 or missing, shape (models, items).
    fitted
        Fit of the same responses.
    names
        The items' names, shape (items,).
    level
        Confidence level of the family of tests.

    Returns
    -------
    dict
        ``n_suspects``, ``n_negative`` and ``lowest``.
    """
    from saturation.adaptive.frontier import items

    table = items(responses, fitted.ability).assign(item=names.astype(str)).dropna(
        subset=["slope_z"]
    )  # fmt: skip
    adjusted = intervals.holm(scipy.special.ndtr(table["slope_z"].astype(float)))
    ordered = table.assign(p_adjusted=adjusted).sort_values(["slope_z", "item"])
    lowest = ordered[ordered["signed_slope"] < 0].head(MOST_SUSPECTS)
    columns = ["item", "signed_slope", "slope_z", "p_adjusted", "share_right"]
    return {
        "abstains": None,
        "n_suspects": int((adjusted <= 1 - level).sum()),
        "n_negative": int((table["signed_slope"] < 0).sum()),
        "lowest": records(lowest[columns]),
    }


def consistency(responses: pd.DataFrame) -> dict[str, Any]:
    """How often a model scores alike on an item in all configurations, beside chance.

    Output consistency of the robustness study, on scores: the share of items on which all
    configurations agree; the baseline is the exact chance agreement of independent configurations
    with each item at the model's mean.

    Parameters
    ----------
    responses
        ``model, item, configuration, response``.

    Returns
    -------
    dict
        ``abstains``, or ``models``: consistency, baseline and spread of the configurations' means
        for each model with at least two configurations.
    """
    if responses.empty or responses["configuration"].nunique() < 2:
        return {"abstains": "no item responses in more than one configuration"}
    tables = {
        str(model): answers.pivot_table(
            index="item", columns="configuration", values="response"
        ).dropna()
        for model, answers in responses.groupby("model", sort=True)
    }
    models = [
        _consistency(model, table)
        for model, table in tables.items()
        if table.shape[1] > 1 and not table.empty
    ]
    if not models:
        return {"abstains": "no model has the same items in two configurations"}
    return {"abstains": None, "models": models}


def _consistency(model: str, table: pd.DataFrame) -> dict[str, Any]:
    """One model's consistency, from its responses by item and configuration, none missing."""
    from saturation.robustness.consistency import example_measures

    score = table.to_numpy().ravel()
    examples = example_measures(
        pd.DataFrame(
            {
                "model": pd.Categorical([model] * len(score)),
                "dataset": pd.Categorical(["own"] * len(score)),
                "example_id": pd.Categorical(np.repeat(table.index, table.shape[1])),
                "answer": pd.Categorical(score),
                "score": score,
                "reference": True,
            }
        )
    )
    means = table.mean(axis=0)
    return {
        "model": model,
        "n_configurations": table.shape[1],
        "n_items": len(table),
        "consistency": float(examples["consistent"].mean()),
        "chance": float(agreement(examples["performance"].mean(), table.shape[1])),
        "lowest_mean": float(means.min()),
        "highest_mean": float(means.max()),
    }


def _why_not(matrix: pd.DataFrame) -> str | None:
    if matrix.shape[1] < FEWEST_MODELS:
        return _too_few(matrix.shape[1])
    if not right_or_wrong(matrix).all():
        return "responses are not 0 or 1"
    if len(set(matrix.mean(axis=0))) == 1:
        return "all models answer alike"
    return None


def _too_few(models: int) -> str:
    return f"{models} models with item responses; {FEWEST_MODELS} are needed"
