"""Adaptive tests tried on families left out: how far they miss what all items would say."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.evaluation import Fold, accuracy, folds
from saturation.adaptive.fit import fit
from saturation.adaptive.held_out import Excess, excess
from saturation.adaptive.model import MISSING, Floats, Prior, Responses
from saturation.adaptive.prediction import Items, Prediction, predicted
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Session, Stop
from saturation.adaptive.short_form import NEW, check_families, prior_of
from saturation.adaptive.subsets import WeightedSubset

# Of an ability's variance, where a test asks nearly all items.
_LEAST = 0.01


class Test(NamedTuple):
    """An adaptive test of new models, and what it is worth.

    Attributes
    ----------
    names, items
        The bank's items and their parameters.
    ability_errors
        By how much abilities on families left out miss those from all items, beyond what the model
        states.
    share_errors
        The same of the share right of the whole bank.
    random_error
        Root mean square error of the share right of as many random items.
    lengths
        Number of items that each of the bank's models was asked.
    respondents, families
        How many all this rests on.
    """

    names: Sequence[str]
    items: Items
    ability_errors: Excess
    share_errors: Excess
    random_error: float
    lengths: Sequence[int]
    respondents: int
    families: int

    @property
    def tells_share(self) -> bool:
        """Whether the share right is predicted no worse than random items would."""
        return self.share_errors.least_rms() <= self.random_error

    def session(self, stop: Stop, choice: Choice) -> Session:
        """A session of a new model.

        Parameters
        ----------
        stop, choice
            When it ends, and how items are chosen.
        """
        return Session(bank_table(self.names, self.items), None, NEW, stop, choice)

    def predicted(self, session: Session) -> Prediction:
        """What a session's answers say of the whole bank.

        Parameters
        ----------
        session
            As :meth:`session` began it.
        """
        return _predicted(session, self.names, self.items, NEW)


def tried(bank: Bank, families: Sequence[str], stop: Stop, choice: Choice) -> Test:
    """Replay an adaptive test on every family with items that do not know it.

    Parameters
    ----------
    bank
        The responses.
    families
        The family of each respondent.
    stop, choice
        When a test ends, and how items are chosen.

    Raises
    ------
    InputError
        If families are too few or the model cannot be fitted.
    """
    check_families(families)
    whole = fit(bank.responses)
    parts = folds(bank.responses, families, whole.ability, "positive")
    outcomes = [_of_family(bank, fold, stop, choice) for fold in parts]
    return Test(
        bank.items,
        Items(whole.discrimination, whole.difficulty),
        excess([one.ability_missed for one in outcomes], [one.ability_stated for one in outcomes]),
        excess([one.share_missed for one in outcomes], [one.share_stated for one in outcomes]),
        float(np.sqrt(np.mean([one.random.mean() for one in outcomes]))),
        [length for one in outcomes for length in one.lengths],
        len(bank.respondents),
        len(parts),
    )


class _Outcome(NamedTuple):
    """Errors made and stated of one family's tests, and squares of those of random items."""

    ability_missed: Floats
    ability_stated: Floats
    share_missed: Floats
    share_stated: Floats
    random: Floats
    lengths: list[int]


def _of_family(bank: Bank, fold: Fold, stop: Stop, choice: Choice) -> _Outcome:
    """Tests of one family with items that do not know it."""
    prior = prior_of(fold.training_ability)
    rows = bank.responses[fold.rows]
    tests = [_of_row(bank, row, fold, stop, choice, prior) for row in rows]
    ability, ability_se, share, share_se = (
        np.concatenate([getattr(one, part) for one, _ in tests])
        for part in ("ability", "ability_se", "expected", "error")
    )
    whole, whole_se = map_ability(rows, fold.discrimination, fold.difficulty, prior)
    right, lengths = accuracy(rows), np.array([asked for _, asked in tests])
    return _Outcome(
        ability - whole,
        # All items hold those asked: what is left to miss is the difference of the variances.
        np.sqrt(np.maximum(ability_se**2 - whole_se**2, _LEAST * ability_se**2)),
        share - right,
        share_se,
        right * (1.0 - right) / lengths * (1.0 - lengths / len(bank.items)),
        lengths.tolist(),
    )


def bank_table(names: Sequence[str], items: Items) -> pd.DataFrame:
    """The items as a session takes them.

    Parameters
    ----------
    names, items
        Of the bank.
    """
    return pd.DataFrame(
        {"item": names, "discrimination": items.discrimination, "difficulty": items.difficulty}
    )


def replayed(session: Session, right: Mapping[str, int]) -> Session:
    """A session that recorded answers have been given to, to its end.

    Parameters
    ----------
    session
        Begun.
    right
        0 or 1 by item; items with another answer, or none, are left out.
    """
    while batch := session.next_items():
        for item in batch:
            answer = right.get(item, MISSING)
            session.answer(item, None if answer == MISSING else answer)
    return session


def _of_row(
    bank: Bank, row: Responses, fold: Fold, stop: Stop, choice: Choice, prior: Prior
) -> tuple[Prediction, int]:
    """One respondent's test with the fold's items; and the number of its answers."""
    items = Items(fold.discrimination, fold.difficulty)
    session = Session(bank_table(bank.items, items), None, prior, stop, choice)
    replayed(session, dict(zip(bank.items, row.tolist(), strict=True)))
    found = _predicted(session, bank.items, items, prior)
    return found, sum(answer is not None for answer in session.answers.values())


def _predicted(session: Session, names: Sequence[str], items: Items, prior: Prior) -> Prediction:
    number = {name: place for place, name in enumerate(names)}
    given = {item: right for item, right in session.answers.items() if right is not None}
    asked = np.array([number[item] for item in given], dtype=np.int64)
    cells = np.array([list(given.values())], dtype=np.int8).reshape(1, len(asked))
    weights: Floats = np.full(len(asked), 1.0 / max(len(asked), 1))
    return predicted(cells, WeightedSubset(asked, weights), items, 0.0, prior)
