"""Few items tried on families left out: adaptive tests, subsets, and the published shortcuts."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.random import Generator

from saturation import seeds
from saturation.adaptive import subsets
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.folds import Fold, check_families, folds, weighted_accuracy
from saturation.adaptive.misfit import Guessing, fit_or_drop_floor
from saturation.adaptive.model import MISSING, Prior, Responses, accuracy, answer_weight
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Session, Stop
from saturation.adaptive.short_form import (
    NEW,
    Design,
    check_size,
    draw_design,
    estimated,
    weighted_share,
)
from saturation.adaptive.subsets import Items
from saturation.arrays import Floats, Integers
from saturation.errors import InputError
from saturation.statistics.intervals import CONFIDENCE, percentile, t_quantile, wilson

log = logging.getLogger(__name__)


class Excess(NamedTuple):
    """By how much errors exceed what is stated.

    Attributes
    ----------
    factor
        What stated errors are multiplied by; at least 1.
    degrees
        Degrees of freedom of its square.
    rms
        Root mean square of the errors, families weighing the same.
    """

    factor: float
    degrees: float
    rms: float

    def reach(self, error: Floats) -> Floats:
        """Half the width of 95 % intervals for a model of a new family."""
        return np.asarray(t_quantile(self.degrees) * self.factor * error)

    def least_rms(self) -> float:
        """Lower 95 % limit of the root mean square."""
        limit = scipy.special.chdtri(self.degrees, 1 - CONFIDENCE)
        return float(self.rms * np.sqrt(self.degrees / limit))


def excess(missed: Sequence[Floats], stated: Sequence[Floats]) -> Excess:
    """Compare errors made with errors stated.

    Returns
    -------
    Excess
        The square of the factor is the mean, families weighing the same, of the squared errors in
        units of those stated. Its degrees of freedom are Satterthwaite's for normal errors whose
        correlation within a family is estimated by the products of its pairs: with a correlation
        of 1 as many as families, with none as many as models.
    """
    # Where all was asked nothing is stated, and nothing missed.
    scaled = [
        np.divide(missed_part, error, out=np.zeros_like(missed_part), where=error > 0)
        for missed_part, error in zip(missed, stated, strict=True)
    ]
    square = np.mean([np.mean(part**2) for part in scaled])
    pairs = [
        (part.sum() ** 2 - (part**2).sum()) / (len(part) * (len(part) - 1))
        for part in scaled
        if len(part) > 1
    ]
    shared = np.clip(np.mean(pairs) / square, 0.0, 1.0) if pairs and square > 0 else 0.0
    counts = np.array([len(part) for part in scaled])
    variance = (2.0 * (1.0 / counts + (1.0 - 1.0 / counts) * shared**2)).sum() / len(counts) ** 2
    rms = np.sqrt(np.mean([np.mean(part**2) for part in missed]))
    return Excess(max(np.sqrt(square), 1.0), 2.0 / variance, rms)


# Of an ability's variance, what is left to miss where nearly all items were asked.
_LEAST = 0.01


class Prediction(NamedTuple):
    """Predictions of the model for each respondent.

    Attributes
    ----------
    ability, ability_se
        From the asked items, and their standard errors if the model holds.
    share
        Share right of the whole bank: the asked items as answered, the others as expected.
    error
        Its standard errors, if the model holds.
    """

    ability: Floats
    ability_se: Floats
    share: Floats
    error: Floats


def ability_missed(
    responses: Responses, ability: Floats, ability_se: Floats, items: Items, prior: Prior
) -> tuple[Floats, Floats]:
    """By how much abilities from some items miss those from all, and the standard errors of that.

    Returns
    -------
    tuple
        One value a respondent each. All items hold those asked: what is left to miss has the
        difference of the variances, if the model holds.
    """
    whole, whole_se = items.ability(responses, prior)
    variance = np.maximum(ability_se**2 - whole_se**2, _LEAST * ability_se**2)
    return ability - whole, np.sqrt(variance)


def predicted(cells: Responses, asked: Integers, items: Items, prior: Prior) -> Prediction:
    """Predict each respondent's share right from any items under the model.

    Returns
    -------
    Prediction
        Errors are those of a first-order expansion in the answers: asked items move the ability
        and count themselves; items not asked vary about what is expected of them.
    """
    seen = cells != MISSING
    ability, ability_se = items.part(asked).ability(cells, prior)
    chance, counts = items.chance(ability), answer_weight(ability, *items.curve)
    spread = chance * (1.0 - chance)
    size = chance.shape[1]
    residual = np.where(seen, cells - chance[:, asked], 0.0)
    # What a small step in ability changes, of items not asked.
    slope = spread * counts
    unasked = slope.sum(axis=1) - np.where(seen, slope[:, asked], 0.0).sum(axis=1)
    lever = unasked / size * ability_se**2
    seen_spread = np.where(seen, spread[:, asked], 0.0)
    variance = (
        ((lever[:, None] * counts[..., asked]) ** 2 * seen_spread).sum(axis=1)
        + (spread.sum(axis=1) - seen_spread.sum(axis=1)) / size**2
        + (lever / prior.sd) ** 2
    )
    # Of a bank that is asked to its end there is nothing left to miss but rounding.
    incomplete = seen.sum(axis=1) < size
    share = np.clip((chance.sum(axis=1) + residual.sum(axis=1)) / size, 0.0, 1.0)
    return Prediction(ability, ability_se, share, np.sqrt(np.where(incomplete, variance, 0.0)))


def fitted(
    responses: Responses, families: Sequence[str], guessing: Guessing
) -> tuple[Guessing, Fit, list[Fold]]:
    """Fit a bank, and again with each family held out; return the floor in use before both."""
    check_families(families)

    def build(floor: float) -> tuple[Fit, list[Fold]]:
        whole = fit(responses, floor)
        return whole, folds(responses, families, whole.ability, floor)

    floor_in_use, parts = fit_or_drop_floor(guessing, build)
    return floor_in_use, *parts


class Test(NamedTuple):
    """Adaptive test of new models, and its measured errors.

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
    respondents: int
    families: int
    guessing: Guessing

    @property
    def tells_share(self) -> bool:
        """Check whether the share right is predicted no worse than by random items."""
        return self.share_errors.least_rms() <= self.random_error

    def session(self, stop: Stop, choice: Choice) -> Session:
        """Start a session of a new model."""
        table = bank_table(self.names, self.items)
        return Session(table, None, NEW, stop, choice, self.items.floor)

    def predicted(self, session: Session) -> Prediction:
        """Predict the score on the whole bank from a session's answers."""
        return _predicted(session, self.items)


def tried(
    bank: Bank, families: Sequence[str], stop: Stop, choice: Choice, guessing: Guessing
) -> Test:
    """Replay an adaptive test on every family with items fitted without that family."""
    if stop.length is not None and stop.length >= len(bank.items):
        raise InputError(
            f"stop: length {stop.length}; the bank has {len(bank.items)} items: ask fewer, or all "
            "of them without an adaptive test"
        )
    guessing, whole, parts = fitted(bank.responses, families, guessing)
    abilities, shares, squares = zip(*(_replay_family(bank, fold, stop, choice) for fold in parts))
    return Test(
        bank.items,
        Items.extract(whole),
        excess(*zip(*abilities)),
        excess(*zip(*shares)),
        np.sqrt(np.mean([part.mean() for part in squares])),
        len(bank.respondents),
        len(parts),
        guessing,
    )


def _replay_family(
    bank: Bank, fold: Fold, stop: Stop, choice: Choice
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Floats]:
    """Replay the tests of a family with items fitted without that family.

    Returns errors made and stated, of abilities and of shares right, and squared errors of random
    items.
    """
    rows = bank.responses[fold.rows]
    predictions, counts = zip(*(_replay_row(bank, row, fold, stop, choice) for row in rows))
    ability, ability_se, share, share_se = map(np.concatenate, zip(*predictions))
    right, lengths = accuracy(rows), np.array(counts)
    return (
        ability_missed(rows, ability, ability_se, fold.items, fold.prior),
        (share - right, share_se),
        right * (1.0 - right) / lengths * (1.0 - lengths / len(bank.items)),
    )


def bank_table(names: Sequence[str], items: Items) -> pd.DataFrame:
    """Build the item table of a session."""
    return pd.DataFrame(
        {"item": names, "discrimination": items.discrimination, "difficulty": items.difficulty}
    )


def replayed(session: Session, right: Mapping[str, int]) -> Session:
    """Replay recorded answers through a session to its end."""
    while batch := session.next_items():
        for item in batch:
            answer = right.get(item, MISSING)
            session.answer(item, None if answer == MISSING else answer)
    return session


def _replay_row(
    bank: Bank, row: Responses, fold: Fold, stop: Stop, choice: Choice
) -> tuple[Prediction, int]:
    """One respondent's test with the fold's items; and the number of its answers."""
    items = fold.items
    session = Session(bank_table(bank.items, items), None, fold.prior, stop, choice, items.floor)
    replayed(session, dict(zip(bank.items, row.tolist())))
    asked = sum(answer is not None for answer in session.answers.values())
    return _predicted(session, items), asked


def _predicted(session: Session, items: Items) -> Prediction:
    number = {name: place for place, name in enumerate(session.names)}
    answers = {item: right for item, right in session.answers.items() if right is not None}
    places = np.array([number[item] for item in answers], np.int64)
    cells = np.array([list(answers.values())], np.int8).reshape(1, len(places))
    return predicted(cells, places, items, session.prior)


# Degree of the polynomial from ability to share right, and decimals to which abilities differ.
_DEGREE, _DECIMALS = 3, 6
OURS, RANDOM, ADAPTIVE = "subset", "random", "adaptive"
# What each method of :func:`ablation` asks, and how it scores.
METHODS = {
    RANDOM: "random items, share right",
    "random_scored": "random items, share right corrected by the model (as the subset)",
    "random_model": "random items, what the model predicts",
    "strata": "random within strata of difficulty, weighted share right",
    OURS: "random within strata of difficulty, corrected by the model: the subset",
    "informative_model": "the most informative items, what the model predicts",
    "anchor_points": "anchor points, weighted share right",
    "irt_clusters": "clusters of items, blend of share right and model (tinyBenchmarks in kind)",
    "information_filter": "the most informative items, cubic of the ability (metabench in kind)",
    "disagreement": "items that split the known models, ridge regression (DISCO in kind)",
    ADAPTIVE: "adaptive test, what the model predicts",
}
# Items of an adaptive test that are evaluated at a time.
_BATCH = 10
_RESAMPLES = 2000
# Penalty of the ridge regression, a respondent.
_PENALTY = 1.0


class Predicted(NamedTuple):
    """Predictions of a method for a family's models; limits are missing without interval."""

    method: str
    size: int
    value: Floats
    lower: Floats | float = np.nan
    upper: Floats | float = np.nan


def ablation(
    name: str,
    bank: Bank,
    families: Sequence[str],
    sizes: Sequence[int],
    guessing: Guessing,
    adaptive: Sequence[int] = (),
    draws: int = 40,
    seed: int = 0,
) -> pd.DataFrame:
    """Measure the gain from item choice and from the scorer, on families left out.

    Each family is left out of everything but the search for a floor of guessing; models are
    judged by the share right of the items that they answered.

    Returns
    -------
    pandas.DataFrame
        Rows `bank, method, n_items, rms_error, ratio, lower, upper, bias, coverage, width,
        families`: root mean square and mean error; the former relative to that of random items,
        with its 95 % interval over families; coverage and mean width of 95 % intervals (missing
        where a method has none). Families weigh the same. Methods as in :data:`METHODS`.
    """
    for size in sizes:
        check_size(bank, size)
    rows = []
    _, _, parts = fitted(bank.responses, families, guessing)
    for place, fold in enumerate(parts, start=1):
        log.info("trying subsets on family %d of %d", place, len(parts))
        random = seeds.generator(seed, "adaptive", "ablation", name, families[fold.rows[0]])
        cells = bank.responses[fold.rows]
        for size in sizes:
            methods = [
                *_predict_at_random(cells, fold, size, draws, random),
                *_shortcuts(bank.responses, fold, size, random),
                *([_tested(bank, fold, size)] if size in adaptive else []),
            ]
            rows += [_missed(families[fold.rows[0]], method, accuracy(cells)) for method in methods]
    table = _summary(pd.concat(rows), seeds.generator(seed, "adaptive", "ablation", name))
    table.insert(0, "bank", name)
    return table


def _missed(family: str, one: Predicted, truth: Floats) -> pd.DataFrame:
    repeated = np.broadcast_to(truth, one.value.shape)
    lower, upper = (np.broadcast_to(end, one.value.shape) for end in (one.lower, one.upper))
    # Limits that a share of all items meets but for rounding hold it.
    inside = (lower <= repeated + 1e-9) & (repeated <= upper + 1e-9)
    return pd.DataFrame(
        {
            "method": one.method,
            "n_items": one.size,
            "family": family,
            "bias": (one.value - repeated).ravel(),
            "square": np.square(one.value - repeated).ravel(),
            "coverage": np.where(np.isfinite(lower), inside, np.nan).ravel(),
            "width": (upper - lower).ravel(),
        }
    )


def _summary(cells: pd.DataFrame, random: Generator) -> pd.DataFrame:
    """Means over families, and ratios to random items with intervals over families."""
    keys = ["method", "n_items"]
    by_family = cells.groupby([*keys, "family"], sort=False).mean()
    table = by_family.groupby(keys, sort=False).mean()
    squares = by_family["square"].unstack("family")
    counts = random.multinomial(
        squares.shape[1], np.full(squares.shape[1], 1 / squares.shape[1]), _RESAMPLES
    )
    resampled = pd.DataFrame(squares.to_numpy() @ counts.T, index=squares.index)
    base = pd.MultiIndex.from_arrays(
        [np.full(len(table), RANDOM), table.index.get_level_values("n_items")]
    )
    ratios = np.sqrt(resampled.loc[table.index].to_numpy() / resampled.loc[base].to_numpy())
    lower, upper = percentile(ratios, axis=1)
    whole = np.sqrt(table["square"])
    return pd.DataFrame(
        {
            "rms_error": whole,
            "ratio": whole / whole.loc[base].to_numpy(),
            "lower": lower,
            "upper": upper,
            **table[["bias", "coverage", "width"]],
            "families": squares.shape[1],
        }
    ).reset_index()


def _predict_at_random(
    cells: Responses, fold: Fold, size: int, draws: int, random: Generator
) -> Iterator[Predicted]:
    """Random items, all over the bank and within strata, by each scorer."""
    counted, prior = cells != MISSING, fold.prior
    whole = np.zeros(cells.shape[1], np.int64)
    for _ in range(draws):
        (subset,) = subsets.random_subsets(cells.shape[1], size, 1, random)
        plain, design = Design(whole, subset), draw_design(fold.items, size, random)
        right = accuracy(cells[:, subset])
        counts = np.maximum((cells[:, subset] != MISSING).sum(axis=1), 1)
        yield Predicted(RANDOM, size, right, *wilson(right * counts, counts))
        model = predicted(cells[:, subset], subset, fold.items, prior)
        yield Predicted("random_model", size, model.share)
        yield Predicted("strata", size, weighted_share(cells[:, design.asked], design))
        for method, form in (("random_scored", plain), (OURS, design)):
            estimate = estimated(cells[:, form.asked], form, fold.items, prior, counted)
            value = np.clip(estimate.share, 0.0, 1.0)
            yield Predicted(method, size, value, *estimate.interval())


def _shortcuts(
    responses: Responses, fold: Fold, size: int, random: Generator
) -> Iterator[Predicted]:
    """Items chosen, and the published shortcuts; they state no interval."""
    held_out, training = responses[fold.rows], responses[fold.training]
    prior, right = fold.prior, accuracy(training)
    points = subsets.anchor_points(training, size, random)
    yield Predicted("anchor_points", size, weighted_accuracy(held_out, points))
    clusters = subsets.response_space_clusters(*fold.items.curve[:2], size, random)
    known_shares, new = (
        (
            weighted_accuracy(cells, clusters),
            predicted(cells[:, clusters.items], clusters.items, fold.items, prior).share,
        )
        for cells in (training, held_out)
    )
    # By their errors on the models known.
    by_weight, by_model = (np.square(shares - right).mean() for shares in known_shares)
    share = by_model / (by_weight + by_model)
    yield Predicted("irt_clusters", size, share * new[0] + (1.0 - share) * new[1])
    subset = subsets.information_filter(fold.training_ability, *fold.items.curve[:2], size)
    old, predictions = (
        predicted(cells[:, subset], subset, fold.items, prior) for cells in (training, held_out)
    )
    yield Predicted("informative_model", size, predictions.share)
    yield Predicted("information_filter", size, regressed(old.ability, right, predictions.ability))
    split = subsets.disagreement(training, size)
    value = subsets.ridge(training[:, split], right, held_out[:, split], _PENALTY)
    yield Predicted("disagreement", size, value)


def regressed(known: Floats, right: Floats, new: Floats) -> Floats:
    """Share right by a polynomial of the ability, no further than the known abilities go."""
    degree = min(_DEGREE, len(np.unique(known.round(_DECIMALS))) - 1)
    line = np.polynomial.Polynomial.fit(known, right, degree)
    return np.asarray(np.clip(line(np.clip(new, known.min(), known.max())), 0.0, 1.0))


def _tested(bank: Bank, fold: Fold, size: int) -> Predicted:
    """Adaptive tests: what the model predicts after them."""
    shares = [
        _replay_row(bank, row, fold, Stop(length=size), Choice(batch=_BATCH))[0].share
        for row in bank.responses[fold.rows]
    ]
    return Predicted(ADAPTIVE, size, np.concatenate(shares))
