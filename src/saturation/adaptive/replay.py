"""Adaptive tests tried on families left out: how far they miss what all items would say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive import subsets
from saturation.adaptive.evaluation import Fold, accuracy, weighted_accuracy
from saturation.adaptive.fit import fit
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING, Floats, Prior, Responses
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Session, Stop
from saturation.adaptive.short_form import (
    NEW,
    ShortForm,
    check_families,
    fitted,
    prior_of,
    short_forms,
)
from saturation.adaptive.subsets import (
    Excess,
    Items,
    Prediction,
    WeightedSubset,
    ability_missed,
    excess,
    predicted,
)
from saturation.errors import InputError
from saturation.statistics.intervals import wilson


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
        """A session of a new model."""
        table = bank_table(self.names, self.items)
        return Session(table, None, NEW, stop, choice, self.items.floor)

    def predicted(self, session: Session) -> Prediction:
        """What a session's answers say of the whole bank."""
        return _predicted(session, self.names, self.items, NEW)


def tried(
    bank: Bank,
    families: Sequence[str],
    stop: Stop,
    choice: Choice,
    name: str = "",
    guessing: Guessing | None = None,
) -> Test:
    """Replay an adaptive test on every family with items that do not know it."""
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
    """The items as a session takes them."""
    return pd.DataFrame(
        {"item": names, "discrimination": items.discrimination, "difficulty": items.difficulty}
    )


def replayed(session: Session, right: Mapping[str, int]) -> Session:
    """A session that recorded answers have been given to, to its end."""
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


# Degree of the polynomial from ability to share right.
_DEGREE = 3
OURS, RANDOM, ADAPTIVE = "subset", "random", "adaptive"
# The same with the two-parameter model, whether or not a floor of guessing predicts better.
PLAIN, ADAPTIVE_PLAIN = "subset_2pl", "adaptive_2pl"
# Items of an adaptive test that are evaluated at a time.
_BATCH = 10
METHODS = (
    *(OURS, PLAIN, ADAPTIVE, ADAPTIVE_PLAIN, RANDOM),
    *("anchor_points", "irt_clusters", "information_filter"),
)


class Predicted(NamedTuple):
    """A method's predictions for the models of one family; limits are missing without interval."""

    method: str
    size: int
    value: Floats
    lower: Floats
    upper: Floats


def subset_errors(
    name: str,
    bank: Bank,
    families: Sequence[str],
    sizes: Sequence[int],
    adaptive: Sequence[int],
    draws: int,
    seed: int,
) -> pd.DataFrame:
    """Error, coverage and width of each method and size on families left out.

    Returns
    -------
    pandas.DataFrame
        Rows `bank, method, n_items, rms_error, bias, coverage, width, families, refused, reason`:
        root mean square error and mean error, coverage and mean width of 95 % intervals (missing
        where a method has none), families weighing the same; families predicted, and those without
        which the subset was refused, with the first reason.
    """
    names = np.asarray(families, dtype=object)
    found: list[pd.DataFrame] = []
    refused: dict[str, str] = {}
    for family in dict.fromkeys(families):
        rows, training = np.flatnonzero(names == family), np.flatnonzero(names != family)
        known = Bank(
            [bank.respondents[row] for row in training], bank.items, bank.responses[training]
        )
        cells = bank.responses[rows]
        try:
            whole = fit(known.responses)
            ours = _ours(name, cells, known, names[training].tolist(), sizes, adaptive)
        except InputError as error:
            refused[family] = error.violations[0]
            continue
        fold = Fold(rows, training, whole.discrimination, whole.difficulty, whole.ability)
        random = seeds.generator(seed, "adaptive", "subset errors", name, family)
        methods = [
            *ours,
            *_random(cells, sizes, draws, random),
            *_shortcuts(bank.responses, fold, sizes, random),
        ]
        truth = accuracy(cells)
        found += [_missed(family, one, truth) for one in methods]
    return _summary(name, found, refused)


def _missed(family: str, one: Predicted, truth: Floats) -> pd.DataFrame:
    repeated = np.broadcast_to(truth, one.value.shape)
    has_interval = np.isfinite(one.lower)
    inside = (one.lower <= repeated) & (repeated <= one.upper)
    return pd.DataFrame(
        {
            "method": one.method,
            "n_items": one.size,
            "family": family,
            "missed": (one.value - repeated).ravel(),
            "inside": np.where(has_interval, inside, np.nan).ravel(),
            "width": (one.upper - one.lower).ravel(),
        }
    )


def _summary(name: str, found: list[pd.DataFrame], refused: dict[str, str]) -> pd.DataFrame:
    if not found:
        raise InputError([f"{name}: {reason}" for reason in dict.fromkeys(refused.values())])
    cells = pd.concat(found, ignore_index=True)
    cells["square"] = np.square(cells["missed"])
    by_family = cells.groupby(["method", "n_items", "family"], sort=False).mean()
    table = by_family.groupby(["method", "n_items"], sort=False).mean().reset_index()
    return pd.DataFrame(
        {
            "bank": name,
            "method": table["method"],
            "n_items": table["n_items"],
            "rms_error": np.sqrt(table["square"]),
            "bias": table["missed"],
            "coverage": table["inside"],
            "width": table["width"],
            "families": cells["family"].nunique(),
            "refused": len(refused),
            "reason": next(iter(refused.values()), None),
        }
    )


def _ours(
    name: str,
    cells: Responses,
    known: Bank,
    families: Sequence[str],
    sizes: Sequence[int],
    adaptive: Sequence[int],
) -> list[Predicted]:
    """Subsets and adaptive tests with the floor that is needed, if one is, and without one."""
    forms = short_forms(name, known, families, sizes)
    all_forms = [forms]
    if forms[0].guessing != NONE:
        all_forms.append(short_forms(name, known, families, sizes, NONE))
    found = [
        [*_subsets(cells, each), *_adaptive(cells, known, families, adaptive, each[0].guessing)]
        for each in all_forms
    ]
    without = {OURS: PLAIN, ADAPTIVE: ADAPTIVE_PLAIN}
    return found[0] + [one._replace(method=without[one.method]) for one in found[-1]]


def _subsets(cells: Responses, forms: Sequence[ShortForm]) -> Iterator[Predicted]:
    for form in forms:
        found = form.predicted(cells[:, form.asked.items])
        value, reach = found.accuracy(form.share), form.errors.reach(found.error)
        yield Predicted(OURS, len(form.asked.items), value, value - reach, value + reach)


def _adaptive(
    cells: Responses,
    known: Bank,
    families: Sequence[str],
    sizes: Sequence[int],
    guessing: Guessing,
) -> Iterator[Predicted]:
    """Adaptive tests: what they predict, also where they would rather not say it."""
    for size in sizes:
        stop, choice = Stop(length=size), Choice(batch=_BATCH)
        test = tried(known, families, stop, choice, guessing=guessing)
        found = [
            test.predicted(
                replayed(
                    test.session(stop, choice), dict(zip(known.items, row.tolist(), strict=True))
                )
            )
            for row in cells
        ]
        value = np.concatenate([one.accuracy(0.0) for one in found])
        reach = test.share_errors.reach(np.concatenate([one.error for one in found]))
        yield Predicted(ADAPTIVE, size, value, value - reach, value + reach)


def _random(
    cells: Responses, sizes: Sequence[int], draws: int, random: np.random.Generator
) -> Iterator[Predicted]:
    """Share right of random items, with Wilson's interval."""
    for size in sizes:
        drawn = subsets.random_subsets(cells.shape[1], size, draws, random)
        value = np.array([accuracy(cells[:, chosen]) for chosen in drawn])
        yield Predicted(RANDOM, size, value, *wilson(value * size, size))


def _shortcuts(
    responses: Responses, fold: Fold, sizes: Sequence[int], random: np.random.Generator
) -> Iterator[Predicted]:
    """The published shortcuts, which state no interval."""
    held_out, training = responses[fold.rows], responses[fold.training]
    items = Items(fold.discrimination, fold.difficulty)
    right = accuracy(training)
    for size in sizes:
        points = subsets.anchor_points(training, size, random)
        yield _bare("anchor_points", size, weighted_accuracy(held_out, points))
        clusters = subsets.response_space_clusters(*items[:2], size, random)
        known, new = (
            (
                weighted_accuracy(cells, clusters),
                predicted(cells[:, clusters.items], clusters, items, prior=NEW).expected,
            )
            for cells in (training, held_out)
        )
        # By their errors on the models known.
        by_weight, by_model = (np.square(one - right).mean() for one in known)
        share = by_model / (by_weight + by_model)
        value = share * new[0] + (1.0 - share) * new[1]
        yield _bare("irt_clusters", size, value)
        filtered = subsets.information_filter(fold.training_ability, *items[:2], size)
        yield _bare("information_filter", size, _regressed(responses, fold, filtered, items, right))


def _bare(method: str, size: int, value: Floats) -> Predicted:
    none = np.full(value.shape, np.nan)
    return Predicted(method, size, value, none, none)


def _regressed(
    responses: Responses, fold: Fold, chosen: subsets.Indices, items: Items, right: Floats
) -> Floats:
    """Share right by a polynomial of the ability, fitted to the training respondents."""
    subset = WeightedSubset(chosen, np.full(len(chosen), 1.0 / len(chosen)))
    known = predicted(responses[fold.training][:, chosen], subset, items, prior=NEW).ability
    new = predicted(responses[fold.rows][:, chosen], subset, items, prior=NEW).ability
    line = np.polynomial.Polynomial.fit(known, right, _DEGREE)
    return np.asarray(np.clip(line(np.clip(new, known.min(), known.max())), 0.0, 1.0))
