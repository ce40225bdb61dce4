"""Live adaptive test of a model: next item, ability so far, and the stopping rule.

Items are chosen and abilities estimated by the functions that replay recorded responses
(:mod:`saturation.adaptive.administration`): on the same answers both ask the same items.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive.abilities import NO_ITEM, Curves, estimated, most_informative
from saturation.adaptive.fit import check_parameters
from saturation.adaptive.model import MISSING, STANDARD, Prior
from saturation.adaptive.schemas import ITEM_PARAMETERS
from saturation.errors import InputError, refuse
from saturation.files import schema as files_schema
from saturation.files.tables import parse_json

FORMAT, VERSION = "saturation adaptive session", 3
_AGAIN = "save the session again, or begin a new one"


@dataclass(frozen=True)
class Stop:
    """Stopping rule of a session; a session also ends when no item is left.

    Attributes
    ----------
    standard_error
        Once the ability's standard error is at most this; 0 never ends it.
    length
        After this many items; None sets no limit.
    """

    standard_error: float = 0.0
    length: int | None = None

    def __post_init__(self) -> None:
        if not self.standard_error >= 0 or (self.length is not None and self.length < 1):
            raise InputError(
                f"stop: standard_error {self.standard_error}, length {self.length}; expected a "
                "standard error of at least 0 and a length of at least 1"
            )


@dataclass(frozen=True)
class Choice:
    """Choice rule among informative items.

    Attributes
    ----------
    batch
        Items chosen at one ability, because models are evaluated in batches.
    among
        Each item is drawn from this many that inform most, so that sessions do not all show the
        same items (randomesque exposure control); 1 takes the best.
    """

    batch: int = 1
    among: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.batch < 1 or self.among < 1:
            raise InputError(
                f"choice: batch {self.batch}, among {self.among}; expected at least 1 of each"
            )


TO_THE_END = Stop()
BEST = Choice()


class Session:
    """Adaptive test of a model, an item or a batch of items at a time.

    Parameters
    ----------
    items
        Rows `item, discrimination, difficulty`, one an item of the bank.
    start
        Ability that is assumed for the first choice, and for nothing else; the prior's mean
        without it.
    choice
        How items are chosen among those that inform.
    floor
        Chance of a right answer by guessing, for all items.

    Attributes
    ----------
    names
        Names of the items, in the order of the bank.
    ability, standard_error
        Estimate after the answers so far; of the prior before the first answer.
    answers
        Answers by item in the order in which they came; None for an item left out.

    Raises
    ------
    InputError
        If the items are not a bank, or the floor is no chance to guess.
    """

    def __init__(
        self,
        items: pd.DataFrame,
        start: float | None = None,
        prior: Prior = STANDARD,
        stop: Stop = TO_THE_END,
        choice: Choice = BEST,
        floor: float = 0.0,
    ) -> None:
        self._items = _checked(items)
        self.floor = float(floor)
        self._curves = Curves.convert(
            self._items["discrimination"].to_numpy(float),
            self._items["difficulty"].to_numpy(float),
            floor,
        )
        self.start = prior.mean if start is None else float(start)
        self.prior, self.stop, self.choice = prior, stop, choice
        self.names = self._items["item"].tolist()
        self._number = {name: number for number, name in enumerate(self.names)}
        self._row = np.full(len(self.names), MISSING, np.int8)
        self._used = np.zeros(len(self.names), np.bool_)
        self.answers: dict[str, int | None] = {}
        self._given: list[int] = []
        self._pending: list[str] = []
        self.ability, self.standard_error = float(prior.mean), float(prior.sd)

    @property
    def stopped(self) -> str | None:
        """Return the reason to stop: standard error, length or bank; None before the end.

        A batch that has been chosen is answered to its end.
        """
        if self._pending:
            return None
        if self.standard_error <= self.stop.standard_error:
            return "standard error"
        if self._count_remaining() <= 0:
            return "length"
        return "bank" if self._used.all() else None

    def next_items(self) -> list[str]:
        """Names of the items that wait for an answer: a new batch if none does; none at the end."""
        if not self._pending and self.stopped is None:
            for _ in range(min(self.choice.batch, self._count_remaining(), (~self._used).sum())):
                number = self._choose_item()
                self._used[number] = True
                self._pending.append(self.names[number])
        return list(self._pending)

    def answer(self, item: str, right: bool | int | None) -> None:
        """Record an answer.

        Parameters
        ----------
        right
            Whether it is right; None leaves out an item that could not be evaluated.

        Raises
        ------
        InputError
            If the item does not wait for an answer, or the answer is none.
        """
        if item not in self._pending:
            waiting = ", ".join(self._pending) or "none; ask next_items() first"
            raise InputError(
                f"session: item '{item}' does not wait for an answer; waiting: {waiting}"
            )
        if right is not None and right not in (0, 1):
            raise InputError(
                f"session: item '{item}' has the answer {right!r}; expected True, False or None"
            )
        self._pending.remove(item)
        self._record(item, None if right is None else int(right))

    def saved(self) -> str:
        """Return the session as JSON for :meth:`resume`."""
        state = {"answers": [*self.answers.items()], "pending": self._pending}
        return json.dumps({**self._settings(), **state}, allow_nan=False)

    def resume(self, text: str, where: str = "session") -> None:
        """Resume a saved session with unchanged items and settings.

        Parameters
        ----------
        where
            The text comes from, in messages.

        Raises
        ------
        InputError
            If the text is no saved session, or one of other items or settings.
        """
        content = _parse(text, where)
        state = {key: content.pop(key, None) for key in ("answers", "pending")}
        settings = json.loads(json.dumps(self._settings()))
        refuse(
            f"{where}: the session was saved with {key} {content.get(key)}, and here it is "
            f"{settings.get(key)}; give the same, or begin a new session"
            for key in dict.fromkeys([*settings, *content])
            if key not in settings or content.get(key) != settings[key]
        )
        try:
            answers = [(str(item), right) for item, right in state["answers"]]
            pending = [str(item) for item in state["pending"]]
        except (TypeError, ValueError):
            raise InputError(f"{where}: answers or pending items are damaged; {_AGAIN}") from None
        refuse(f"{where}: {reason}; {_AGAIN}" for reason in self._violations(answers, pending))
        for item, right in answers:
            self._record(item, right)
        for item in pending:
            self._used[self._number[item]] = True
        self._pending = pending

    def _violations(self, answers: list[tuple[str, Any]], pending: list[str]) -> Iterator[str]:
        """Find items that stand twice or are not in the bank, and answers that are none."""
        for item, times in Counter([item for item, _ in answers] + pending).items():
            if times > 1:
                yield f"item '{item}' stands {times} times"
            if item not in self._number:
                yield f"item '{item}' is not in the bank"
        for item, right in answers:
            if right not in (0, 1, None):
                yield f"item '{item}' has the answer {right!r}; expected 0, 1 or null"

    def _settings(self) -> dict[str, Any]:
        """Return all settings of the item choice as JSON, which has no infinity."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "items_sha256": hashlib.sha256(
                json.dumps(self._items.to_dict("list")).encode()
            ).hexdigest(),
            "start": self.start,
            "floor": self.floor,
            "prior": [end if np.isfinite(end) else None for end in self.prior.numbers],
            **asdict(self.stop),
            **asdict(self.choice),
        }

    def _count_remaining(self) -> int:
        """Items until the longest length; those left out do not count."""
        if self.stop.length is None:
            return len(self.names)
        return self.stop.length - len(self._given) - len(self._pending)

    def _record(self, item: str, right: int | None) -> None:
        """Note an answer and estimate the ability anew."""
        self.answers[item] = right
        number = self._number[item]
        self._used[number] = True
        if right is None:
            return
        self._row[number] = right
        self._given.append(number)
        self.ability, self.standard_error = estimated(
            self._row,
            np.array(self._given, np.int64),
            self._curves,
            self.ability,
            self.standard_error,
            self.prior.numbers,
        )

    def _choose_item(self) -> int:
        """Choose the next item at random among the best."""
        at = self.ability if len(self._given) else self.start
        barred = self._used.copy()
        best: list[int] = []
        while len(best) < self.choice.among:
            number = most_informative(at, barred, self._curves)
            if number == NO_ITEM:
                break
            barred[number] = True
            best.append(number)
        if self.choice.among == 1:
            return best[0]
        names = ("adaptive", "session", len(self.answers) + len(self._pending))
        return best[seeds.generator(self.choice.seed, *names).integers(len(best))]


def _parse(text: str, where: str) -> dict[str, Any]:
    """Parse a saved session's JSON."""
    try:
        content = parse_json(text)
    except ValueError as error:
        raise InputError(f"{where}: not whole JSON ({error}); {_AGAIN}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{where}: this JSON is not a '{FORMAT}'; {_AGAIN}")
    return content


def _checked(items: pd.DataFrame) -> pd.DataFrame:
    """Return the items if they are a valid bank."""
    table = files_schema.validate(items, ITEM_PARAMETERS, "items")
    check_parameters(
        table["discrimination"].to_numpy(float), table["difficulty"].to_numpy(float), len(table)
    )
    return table.reset_index(drop=True)
