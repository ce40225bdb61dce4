"""A bank's fit as tables: item parameters, items, abilities, and facts of the fit."""

from typing import Any, NamedTuple

import pandas as pd

from saturation.adaptive import frontier, model
from saturation.adaptive.abilities import eap_ability
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.fit import fit
from saturation.adaptive.responses import Bank


class Estimates(NamedTuple):
    """The fit of a bank.

    Attributes
    ----------
    item_parameters
        Rows `item, discrimination, difficulty`.
    items
        The same with standard errors and what :func:`saturation.adaptive.frontier.items` says.
    abilities
        Abilities of the fit and their expectations for known items, each with its error.
    facts
        Rounds, prior, and counts of what the fit can say little about.
    """

    item_parameters: pd.DataFrame
    items: pd.DataFrame
    abilities: pd.DataFrame
    facts: dict[str, Any]


def estimates(bank: Bank, slopes: Slopes) -> Estimates:
    """Fit the model to a bank.

    Parameters
    ----------
    bank
        The responses.
    slopes
        The sign that slopes may have.
    """
    fitted = fit(bank.responses, slopes)
    mean, spread = eap_ability(bank.responses, fitted.discrimination, fitted.difficulty)
    parameters = pd.DataFrame(
        {
            "item": bank.items,
            "discrimination": fitted.discrimination,
            "difficulty": fitted.difficulty,
        }
    )
    details = parameters.assign(
        discrimination_se=fitted.discrimination_se, difficulty_se=fitted.difficulty_se
    )
    judged = frontier.items(bank.responses, fitted.ability)
    abilities = pd.DataFrame(
        {
            "respondent": bank.respondents,
            "accuracy": bank.accuracy(),
            "ability": fitted.ability,
            "ability_se": fitted.ability_se,
            "ability_eap": mean,
            "ability_eap_sd": spread,
        }
    )
    likelihoods = model.log_likelihood(
        bank.responses, fitted.ability, fitted.discrimination, fitted.difficulty
    )
    seen = int((bank.responses != model.MISSING).sum())
    facts = {
        "slopes": slopes,
        "rounds": fitted.rounds,
        "prior": fitted.prior,
        "log_likelihood_per_response": likelihoods.sum() / seen,
        "n_respondents": len(bank.respondents),
        "n_items": len(bank.items),
        "missing_cells": int(bank.responses.size - seen),
        "items_all_right": int(judged["all_right"].sum()),
        "items_all_wrong": int(judged["all_wrong"].sum()),
        "respondents_all_right_or_wrong": int(abilities["accuracy"].isin([0, 1]).sum()),
        # An item that all answer alike has no slope: its sign is rounding error.
        "negative_raw_slopes": float((judged["slope_z"] < 0).mean()),
    }
    return Estimates(parameters, pd.concat([details, judged], axis=1), abilities, facts)
