"""Adaptive tests tried on families left out: how far they miss what all items would say."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive.evaluation import Fold, accuracy
from saturation.adaptive.floor import Guessing
from saturation.adaptive.held_out import Excess, excess
from saturation.adaptive.model import MISSING, Floats, Prior, Responses
from saturation.adaptive.prediction import Items, Prediction, ability_missed, predicted
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Session, Stop
from saturation.adaptive.short_form import NEW, check_families, fitted, prior_of
from saturation.adaptive.subsets import WeightedSubset
from saturation.errors import InputError


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
    guessing
        The floor of guessing that the items were fitted with.
    """

    names: Sequence[str]
    items: Items
    ability_errors: Excess
    share_errors: Excess
    random_error: float
    lengths: Sequence[int]
    respondents: int
    families: int
    guessing: Guessing

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
        table = bank_table(self.names, self.items)
        return Session(table, None, NEW, stop, choice, self.items.floor)

    def predicted(self, session: Session) -> Prediction:
        """What a session's answers say of the whole bank.

        Parameters
        ----------
        session
            As :meth:`session` began it.
        """
        return _predicted(session, self.names, self.items, NEW)


def tried(
    bank: Bank,
    families: Sequence[str],
    stop: Stop,
    choice: Choice,
    name: str = "",
    guessing: Guessing | None = None,
) -> Test:
    """Replay an adaptive test on every family with items that do not know it.

    Parameters
    ----------
    bank
        The responses.
    families
        The family of each respondent.
    stop, choice
        When a test ends, and how items are chosen.
    name
        The bank's name, from which a random stream derives where `guessing` is None.
    guessing
        The floor of guessing to use; None finds out whether one predicts better
        (:func:`saturation.adaptive.short_form.fitted`).

    Raises
    ------
    InputError
        If families are too few, a test may ask the whole bank, or the model cannot be fitted.
    """
    check_families(families)
    if stop.length is not None and stop.length >= len(bank.items):
        raise InputError(
            f"stop: length {stop.length}; the bank has {len(bank.items)} items: ask fewer, or all "
            "of them without an adaptive test"
        )
    guessing, whole, parts = fitted(bank.responses, families, name, guessing)
    outcomes = [_of_family(bank, fold, stop, choice) for fold in parts]
    return Test(
        bank.items,
        Items(whole.discrimination, whole.difficulty, whole.floor),
        excess([one.ability_missed for one in outcomes], [one.ability_stated for one in outcomes]),
        excess([one.share_missed for one in outcomes], [one.share_stated for one in outcomes]),
        float(np.sqrt(np.mean([one.random.mean() for one in outcomes]))),
        [length for one in outcomes for length in one.lengths],
        len(bank.respondents),
        len(parts),
        guessing,
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
    right, lengths = accuracy(rows), np.array([asked for _, asked in tests])
    return _Outcome(
        *ability_missed(rows, ability, ability_se, fold.items, prior),
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
    items = fold.items
    session = Session(bank_table(bank.items, items), None, prior, stop, choice, items.floor)
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
