"""A subset of a bank to take home: items drawn at random within strata, and how to score them.

Strata are of predicted difficulty, so that each item's probability of being drawn is known. The
share right of the whole bank is estimated by the item response model's chances, corrected by how
the drawn items were answered beside them (a difference estimator, augmented inverse probability
weighting). Its interval rests on the draw and not on the model: it covers whatever the model's
truth, also for a model that is abler than all known ones.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from jsonschema import Draft202012Validator

from saturation import seeds
from saturation.adaptive.fit import fit
from saturation.adaptive.misfit import NONE, Guessing, fit_or_drop_floor
from saturation.adaptive.model import (
    MISSING,
    Prior,
    Responses,
    answer_weight,
    log_odds,
    probability,
)
from saturation.adaptive.responses import Bank
from saturation.adaptive.subsets import Items
from saturation.arrays import Bools, Floats, Integers, PlainNumbers
from saturation.errors import InputError, refuse
from saturation.files.tables import load_json, shipped, write_csv, write_json
from saturation.statistics.intervals import CONFIDENCE, normal_quantile, t_quantile, wilson
from saturation.statistics.power import Contrast, detectable_difference

FEWEST_ITEMS = 5
POWER = 0.8
# Spread of the abilities' prior in those of the models known: a new model is often abler than all
# of them, and is not to be pulled back to their midst.
WIDE = 3.0
# On the scale of a fit, on which the abilities have mean 0 and standard deviation 1.
NEW = Prior(0.0, WIDE)
# Abilities over which chances are averaged to order items, and items that are drawn of a stratum.
_PLACES, _OF_STRATUM = np.linspace(-2.5, 2.5, 11), 5
# No item counts as less uncertain than this share of the mean: a new model may surprise.
_LEAST_SPREAD = 0.5
# The model's variance counts as that of so many more degrees of freedom: few drawn items of easy
# or hard strata may by chance all be answered alike.
_MODEL_DEGREES = 10
# With so few wrong answers, or right ones, the variance of the answers says too little of the draw.
_FEW = 3
# Of an answer's influence on its own predicted chance.
_MOST_LEVERAGE = 0.5
# Differences between two models' shares right by which orders are tabled.
DISTANCES = (0.0, 0.02, 0.05, 0.1, 0.2, 1.0)


class Design(NamedTuple):
    """Items drawn at random within strata: the stratum of every item, and the items drawn."""

    stratum: Integers
    asked: Integers

    @property
    def strata(self) -> Floats:
        """Encode each item's stratum as 1 among 0, items by strata."""
        return np.eye(self.stratum.max() + 1)[self.stratum]

    @property
    def weights(self) -> Floats:
        """Share of the bank that each drawn item stands for."""
        of_bank, of_drawn = (
            np.bincount(labels, minlength=self.stratum.max() + 1)
            for labels in (self.stratum, self.stratum[self.asked])
        )
        strata = self.stratum[self.asked]
        return of_bank[strata] / of_drawn[strata] / len(self.stratum)


def draw_design(items: Items, size: int, random: np.random.Generator) -> Design:
    """Draw items at random within strata of predicted difficulty.

    Items are ordered by their chance of a right answer over a wide range of abilities and cut
    into strata that hold equal shares of the answers' standard deviations; of each the same
    number is drawn, so that items whose answer nearly all models share are drawn less often.
    """
    chance = items.chance(_PLACES)
    spread = np.sqrt((chance * (1.0 - chance)).mean(axis=0))
    spread = np.maximum(spread, _LEAST_SPREAD * spread.mean())
    order = np.argsort(chance.mean(axis=0), kind="stable")
    middle = spread[order].cumsum() - 0.5 * spread[order]
    stratum = np.empty(len(order), np.int64)
    strata = max(1, size // _OF_STRATUM)
    stratum[order] = np.minimum(middle / spread.sum() * strata, strata - 1)
    # Strata without an item are none.
    stratum = np.unique(stratum, return_inverse=True)[1]
    counts = np.bincount(stratum)
    sizes = np.zeros_like(counts)
    for _ in range(size):
        sizes[np.where(sizes < counts, sizes, size).argmin()] += 1
    draws = [
        random.choice(np.flatnonzero(stratum == number), count, replace=False)
        for number, count in enumerate(sizes)
    ]
    return Design(stratum, np.sort(np.concatenate(draws)))


class Estimate(NamedTuple):
    """Estimate of each respondent's score from answers to drawn items.

    Attributes
    ----------
    ability, ability_se
        Ability and its standard error if the item response model holds.
    share, error, degrees
        Share right of the bank, its standard error over the draws, and degrees of freedom of that.
    residual, spread
        Respondents by drawn items: answers less predicted chances (as if the item had not been
        asked; 0 where it is not answered), and the variance that the model expects of them.
    seen
        Which are answered.
    right, items
        Number of right answers to drawn items, and of items that the share right is of.
    """

    ability: Floats
    ability_se: Floats
    share: Floats
    error: Floats
    degrees: Floats
    residual: Floats
    spread: Floats
    seen: Bools
    right: Floats
    items: Floats

    @property
    def possible(self) -> tuple[Floats, Floats]:
        """Return the lowest and the highest share right that the answers leave possible."""
        wrong = self.seen.sum(axis=1) - self.right
        return self.right / self.items, 1.0 - wrong / self.items

    def interval(self) -> tuple[Floats, Floats]:
        """Return limits of the share right: Wilson's with the effective number of items.

        With few wrong answers, or few right ones, they contain the exact limits of a random draw.
        They lie within the shares that the answers leave possible.
        """
        answered = self.seen.sum(axis=1)
        least = 0.5 / answered
        value = np.clip(self.share, 0.0, 1.0)
        inner = np.clip(value, least, 1.0 - least)
        certain = self.error == 0
        effective = inner * (1.0 - inner) / np.where(certain, 1.0, self.error) ** 2
        # Wilson's limits depend on the quantile and the number of items by their ratio alone.
        effective *= (normal_quantile(CONFIDENCE) / t_quantile(self.degrees)) ** 2
        lower, upper = (
            np.where(certain, value, limit) for limit in wilson(value * effective, effective)
        )
        for row in np.flatnonzero(np.minimum(self.right, answered - self.right) <= _FEW):
            exact = draw_limits(int(self.right[row]), int(answered[row]), int(self.items[row]))
            lower[row], upper[row] = min(lower[row], exact[0]), max(upper[row], exact[1])
        return np.clip(lower, *self.possible), np.clip(upper, *self.possible)


@lru_cache(maxsize=4096)
def draw_limits(right: int, answered: int, items: int) -> tuple[float, float]:
    """Return exact limits of the share right of a bank, from answers to items drawn at random.

    Each limit is exceeded in at most half of the error that the confidence leaves
    (hypergeometric distribution, as Clopper and Pearson's limits are of the binomial).

    Examples
    --------
    All of 40 drawn items right, of 300 in the bank:

    >>> draw_limits(40, 40, 300)
    (0.92, 1.0)
    """
    possible = np.arange(right, items - (answered - right) + 1)
    draw = scipy.stats.hypergeom(items, possible, answered)
    tail = (1.0 - CONFIDENCE) / 2
    lower = possible[draw.sf(right - 1) >= tail].min()
    upper = possible[draw.cdf(right) >= tail].max()
    return float(lower / items), float(upper / items)


def estimated(
    cells: Responses, design: Design, items: Items, prior: Prior = NEW, counted: Bools | None = None
) -> Estimate:
    """Estimate each respondent's share right from answers to the drawn items.

    Parameters
    ----------
    cells
        Respondents by drawn items. Items of a stratum that are not answered are taken for such as
        the others.
    counted
        Of which items the share right is meant, respondents by items; of all without it.
    """
    seen = cells != MISSING
    drawn_items = items.part(design.asked)
    ability, ability_se = drawn_items.ability(cells, prior)
    chance = items.chance(ability)
    predicted = chance[:, design.asked]
    spread = predicted * (1.0 - predicted)
    of_bank = np.ones_like(chance) if counted is None else counted.astype(float)
    sizes = of_bank @ design.strata
    raw = np.where(seen, cells - predicted, 0.0)
    share = _extended(raw, seen, design, sizes) + (chance * of_bank).sum(axis=1) / sizes.sum(axis=1)
    # How far its own answer has moved an item's chance.
    counts = answer_weight(ability, *drawn_items.curve)
    leverage = np.minimum(spread * (counts * ability_se[:, None]) ** 2, _MOST_LEVERAGE)
    residual = raw / (1.0 - leverage)
    error, degrees = _errors(residual, spread, seen, design, sizes)
    return Estimate(
        ability,
        ability_se,
        share,
        error,
        degrees,
        residual,
        spread,
        seen,
        right=(cells == 1).sum(axis=1),
        items=sizes.sum(axis=1),
    )


def _extended(values: Floats, seen: Bools, design: Design, sizes: Floats) -> Floats:
    """Average values of drawn items, 0 where missing, over the bank."""
    mean = _average_by_stratum(values, seen, design.strata[design.asked])
    return np.asarray((sizes * mean).sum(axis=1) / sizes.sum(axis=1))


def _average_by_stratum(values: Floats, seen: Bools, strata: Floats) -> Floats:
    """Average values of drawn items by stratum; where none is answered, over all strata."""
    answered = seen @ strata
    pooled = values.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    return np.where(answered > 0, values @ strata / np.maximum(answered, 1), pooled)


def _errors(
    residual: Floats, spread: Floats, seen: Bools, design: Design, sizes: Floats
) -> tuple[Floats, Floats]:
    """Compute standard errors of bank means over the draws, and their degrees of freedom."""
    strata = design.strata[design.asked]
    answered = seen @ strata
    some = np.maximum(answered, 1)
    mean = residual @ strata / some
    between = (residual**2 @ strata - answered * mean**2) / np.maximum(answered - 1, 1)
    expected = _average_by_stratum(np.where(seen, spread, 0.0), seen, strata)
    whole = sizes.sum(axis=1, keepdims=True)
    remaining = np.clip(1.0 - answered / np.maximum(sizes, 1), 0.0, 1.0)
    weight = (sizes / whole) ** 2 * remaining / some
    measured = (weight * np.where(answered > 1, between, expected)).sum(axis=1)
    stated = (weight * expected).sum(axis=1)
    degrees = np.maximum(answered - 1, 0).sum(axis=1)
    variance = (degrees * measured + _MODEL_DEGREES * stated) / (degrees + _MODEL_DEGREES)
    return np.sqrt(variance), degrees + _MODEL_DEGREES


def weighted_share(cells: Responses, design: Design) -> Floats:
    """Share right by the strata alone, without the item response model."""
    seen = cells != MISSING
    sizes = np.broadcast_to(design.strata.sum(axis=0), (len(cells), design.stratum.max() + 1))
    return _extended(np.where(seen, cells, 0).astype(float), seen, design, sizes)


def difference(found: Estimate, design: Design, one: int, other: int) -> tuple[float, float, float]:
    """Estimate the difference of two respondents' shares right, with a 95 % interval.

    Both answered the same items: what makes these easier or harder for both falls away.
    """
    shared = (found.seen[one] & found.seen[other])[None]
    apart = np.where(shared, found.residual[one] - found.residual[other], 0.0)
    sizes = design.strata.sum(axis=0)[None]
    error, degrees = _errors(
        apart, (found.spread[one] + found.spread[other])[None], shared, design, sizes
    )
    value = found.share[one] - found.share[other]
    reach = (t_quantile(degrees) * error)[0]
    return value, max(value - reach, -1.0), min(value + reach, 1.0)


@dataclass(frozen=True)
class ShortForm:
    """Subset of a bank, with the constants that score a new model's answers.

    Attributes
    ----------
    names
        All items of the bank.
    items
        Their parameters, in the same order.
    design
        Their strata, and numbers of the items drawn.
    smallest_difference
        Between two models' shares right, that is found with a power of 80 %.
    worst_fit
        The least fit (:func:`fitness`) among the models known.
    doubt
        What speaks against the model on this bank, as :mod:`saturation.adaptive.misfit` says.
    guessing
        The floor of guessing that the items were fitted with.
    """

    bank: str
    names: Sequence[str]
    items: Items
    design: Design
    smallest_difference: float
    worst_fit: float
    respondents: int
    families: int
    doubt: str = ""
    guessing: Guessing = NONE


def choose_subset(
    name: str, bank: Bank, families: Sequence[str], size: int, guessing: Guessing, seed: int = 0
) -> ShortForm:
    """Choose a subset of a bank.

    Parameters
    ----------
    families
        The family of each respondent.
    guessing
        The floor of guessing to use, if the bank can be fitted with it.
    seed
        Of the draw, with the bank's name and the size.

    Raises
    ------
    InputError
        If the size is none of this bank's, or the model cannot be fitted.
    """
    check_size(bank, size)
    guessing, whole = fit_or_drop_floor(guessing, lambda floor: fit(bank.responses, floor))
    items = Items.extract(whole)
    design = draw_design(items, size, seeds.generator(seed, "adaptive", "subset", name, size))
    drawn_items = items.part(design.asked)
    cells = bank.responses[:, design.asked]
    fits = fitness(cells, drawn_items.ability(cells, NEW)[0], drawn_items)
    return ShortForm(
        bank=name,
        names=bank.items,
        items=items,
        design=design,
        smallest_difference=smallest_difference(bank, families, items, design),
        worst_fit=fits.min(),
        respondents=len(bank.respondents),
        families=len(set(families)),
        guessing=guessing,
    )


def check_size(bank: Bank, size: int) -> None:
    """Refuse a size that no subset of the bank has."""
    if not FEWEST_ITEMS <= size < len(bank.items):
        raise InputError(
            f"subset: {size} items; expected {FEWEST_ITEMS} to {len(bank.items) - 1}, one fewer "
            "than the bank has"
        )


class Pairs(NamedTuple):
    """Pairs of models of different families: differences of shares right, and their errors."""

    apart: Floats
    error: Floats


def _error_covariance(bank: Bank, items: Items, design: Design) -> Floats:
    """Return the covariance over draws of the errors of the bank's models' shares right."""
    seen = bank.responses != MISSING
    chance = items.chance(items.ability(bank.responses, NEW)[0])
    residual = np.where(seen, bank.responses - chance, 0.0)
    drawn_of = design.strata[design.asked].sum(axis=0)
    covariance = np.zeros((len(residual), len(residual)))
    for number, count in enumerate(drawn_of):
        part = residual[:, design.stratum == number]
        whole = part.shape[1]
        if whole > 1:
            scale = (whole / residual.shape[1]) ** 2 * (1.0 - count / whole) / count
            covariance += scale * np.cov(part)
    return covariance


def expected_errors(form: ShortForm, bank: Bank, families: Sequence[str]) -> tuple[float, float]:
    """Return the errors of the bank's models on the subset, and on as many random items.

    Root mean square errors of the share right over draws; families weigh the same.
    """
    size, right = len(form.design.asked), bank.accuracy()
    seen = (bank.responses != MISSING).sum(axis=1)
    simple = right * (1.0 - right) / size * np.maximum(1.0 - size / seen, 0.0)
    drawn_in_strata = np.diag(_error_covariance(bank, form.items, form.design))
    variances = pd.DataFrame({"subset": drawn_in_strata, "random": simple})
    by_family = variances.groupby(np.asarray(families, str)).mean()
    subset, random = np.sqrt(by_family.mean())
    return subset, random


def pairs(bank: Bank, families: Sequence[str], items: Items, design: Design) -> Pairs:
    """Return differences between the bank's models and their errors on a subset of this design."""
    covariance = _error_covariance(bank, items, design)
    right, names = bank.accuracy(), np.asarray(families, object)
    first, second = np.triu_indices(len(right), 1)
    if len(set(families)) > 1:
        first, second = (rows[names[first] != names[second]] for rows in (first, second))
    variance = np.diag(covariance)
    square = variance[first] + variance[second] - 2.0 * covariance[first, second]
    return Pairs(np.abs(right[first] - right[second]), np.sqrt(np.maximum(square, 0.0)))


def smallest_difference(bank: Bank, families: Sequence[str], items: Items, design: Design) -> float:
    """Compute the minimum detectable difference of two models' shares right at 80 % power."""
    error = np.median(pairs(bank, families, items, design).error)
    return detectable_difference(Contrast(0.0, error), 1 - CONFIDENCE, POWER)


def orders(found: Pairs) -> pd.DataFrame:
    """Tabulate the chance that a subset keeps two models' order, by the difference of shares.

    Returns
    -------
    pandas.DataFrame
        Rows `from, to, pairs, kept, shown`: the mean probabilities that the better model is ahead
        on the subset, and that the difference is significant at 5 %, by the errors of
        :func:`pairs` as if normal.
    """
    scaled = np.full_like(found.apart, np.inf)
    np.divide(found.apart, found.error, out=scaled, where=found.error > 0)
    place = np.digitize(found.apart, DISTANCES[1:-1])
    table = pd.DataFrame(
        {
            "from": np.asarray(DISTANCES)[place],
            "to": np.asarray(DISTANCES)[place + 1],
            "kept": scipy.special.ndtr(scaled),
            "shown": scipy.special.ndtr(scaled - normal_quantile(CONFIDENCE)),
        }
    )
    grouped = table.groupby(["from", "to"]).agg(
        pairs=("kept", "size"), kept=("kept", "mean"), shown=("shown", "mean")
    )
    return grouped.reset_index()


def fitness(cells: Responses, ability: Floats, items: Items) -> Floats:
    """Measure person fit: observed against expected log-likelihood (l_z, Drasgow 1985).

    Log-likelihood less its expectation, in its standard deviations: far below 0 for answers that
    are right where the model expects wrong ones and the other way round.
    """
    chance = probability(ability, *items.curve)
    logit = np.where(cells == MISSING, 0.0, log_odds(ability, *items.curve))
    spread = chance * (1.0 - chance)
    # log-likelihood less expectation: (x - p) times the log odds, item by item
    away = (np.where(cells == MISSING, chance, cells) - chance) * logit
    variance = (spread * logit**2).sum(axis=1)
    return np.asarray(away.sum(axis=1) / np.sqrt(np.where(variance > 0, variance, 1.0)))


# Of the subset's items that must be answered.
LEAST_ANSWERED = 0.5


@dataclass(frozen=True)
class Score(PlainNumbers):
    """Score of a model from its answers to a subset.

    Attributes
    ----------
    ability, ability_se
        On the scale on which the bank's respondents have mean 0 and standard deviation 1, and its
        standard error if the item response model holds.
    accuracy, lower, upper
        Share right of the whole bank and its 95 % interval over the draw of items.
    fitness
        How likely the answers are beside what is expected of such a model (about standard normal).
    notes
        What a reader must know before believing it.
    """

    answered: int
    ability: float
    ability_se: float
    accuracy: float
    lower: float
    upper: float
    fitness: float
    notes: tuple[str, ...]


class Difference(NamedTuple):
    """Difference of two models' shares right, with its 95 % interval."""

    one: str
    other: str
    value: float
    lower: float
    upper: float


def score(form: ShortForm, answers: Mapping[str, int]) -> Score:
    """Ability and share right of the whole bank from a model's answers to the subset.

    Parameters
    ----------
    answers
        0 or 1 by item; items of the bank that are not in the subset are left out.

    Raises
    ------
    InputError
        If an answer is neither 0 nor 1, an item is not in the bank, or fewer than half of the
        subset is answered.
    """
    cells = _cells(form, answers)
    estimate = estimated(cells, form.design, form.items)
    lower, upper = estimate.interval()
    fit = fitness(cells, estimate.ability, form.items.part(form.design.asked))[0]
    return Score(
        answered=estimate.seen.sum(),
        ability=estimate.ability[0],
        ability_se=estimate.ability_se[0],
        accuracy=np.clip(estimate.share, *estimate.possible)[0],
        lower=lower[0],
        upper=upper[0],
        fitness=fit,
        notes=tuple(_notes(form, cells, fit)),
    )


def compared(form: ShortForm, answers: Mapping[str, Mapping[str, int]]) -> list[Difference]:
    """Compare each model with the next best by answers to shared items."""
    cells = np.concatenate([_cells(form, model_answers) for model_answers in answers.values()])
    estimate = estimated(cells, form.design, form.items)
    names, order = list(answers), np.argsort(-estimate.share, kind="stable")
    return [
        Difference(names[better], names[worse], *difference(estimate, form.design, better, worse))
        for better, worse in itertools.pairwise(order)
    ]


def _cells(form: ShortForm, answers: Mapping[str, int]) -> Responses:
    """One row: the answers in the subset's order."""
    bank_items = set(form.names)
    wrong = [
        f"answers: item '{item}' is not in the bank '{form.bank}'; score answers to its items"
        for item in answers
        if item not in bank_items
    ]
    wrong += [
        f"answers: item '{item}' has the answer {answer!r}; expected 0 (wrong) or 1 (right)"
        for item, answer in answers.items()
        if answer not in (0, 1)
    ]
    subset = [form.names[number] for number in form.design.asked]
    there = sum(item in answers for item in subset)
    if not wrong and there < LEAST_ANSWERED * len(subset):
        wrong = [
            f"answers: {there} of the subset's {len(subset)} items are answered; at least half "
            "are needed"
        ]
    refuse(wrong)
    return np.array([[answers.get(item, MISSING) for item in subset]], np.int8)


def _notes(form: ShortForm, cells: Responses, fit: float) -> list[str]:
    notes = [form.guessing.describe()] if form.guessing.value else []
    if form.doubt:
        notes.append(
            f"{form.doubt}. The interval of the share right rests on the draw of items and not on "
            "the model; the ability's standard error is the model's and too small"
        )
    lacking = int((cells == MISSING).sum())
    if lacking:
        notes.append(
            f"{lacking} items of the subset are not answered: the interval takes them for such as "
            "the answered ones of their strata"
        )
    if fit < form.worst_fit:
        notes.append(
            f"the answers are unlike those of all {form.respondents} models that the subset rests "
            f"on (fitness {fit:.1f}; lowest there {form.worst_fit:.1f}). Check that each answer "
            "stands at its item"
        )
    return notes


def items_table(form: ShortForm) -> pd.DataFrame:
    """Return the subset's items: rows `item, weight, discrimination, difficulty`."""
    places = form.design.asked
    return pd.DataFrame(
        {
            "item": [form.names[number] for number in places],
            "weight": form.design.weights,
            "discrimination": form.items.discrimination[places],
            "difficulty": form.items.difficulty[places],
        }
    )


def samples(items: Sequence[str]) -> dict[str, list[int]] | None:
    """Documents by task, as lm-evaluation-harness takes them with `--samples`.

    None if any is not named as the harness's samples are: `TASK/_NUMBER`.
    """
    documents: dict[str, list[int]] = {}
    for item in items:
        task, _, number = item.rpartition("/")
        if not task or not number.isdecimal():
            return None
        documents.setdefault(task, []).append(int(number))
    return documents


FORMAT, VERSION = "saturation subset", 4


def write(form: ShortForm, folder: Path) -> list[str]:
    """Write `items.csv`, for people, and `scorer.json`, which :func:`load` reads.

    Beside them `samples.json`, if the items are named as lm-evaluation-harness names its own.
    The folder is made if it is not there; returns the names of the files.
    """
    table = items_table(form)
    write_csv(table, folder / "items.csv")
    documents = samples(table["item"].tolist())
    if documents is not None:
        write_json(documents, folder / "samples.json")
    covariance = form.items.covariance
    assert covariance is not None
    write_json(
        {
            "format": FORMAT,
            "version": VERSION,
            "items": list(form.names),
            "discrimination": form.items.discrimination.tolist(),
            "difficulty": form.items.difficulty.tolist(),
            "covariance": covariance[:, [0, 0, 1], [0, 1, 1]].tolist(),
            "stratum": form.design.stratum.tolist(),
            "subset": table["item"].tolist(),
            "floor": {
                name: value if np.isfinite(value) else None
                for name, value in form.guessing._asdict().items()
            },
            **{key: getattr(form, key) for key in _ALIKE},
        },
        folder / "scorer.json",
    )
    return ["items.csv", *(["samples.json"] if documents is not None else []), "scorer.json"]


def load(path: Path) -> ShortForm:
    """Read a subset that :func:`write` wrote; raise InputError if the file is invalid."""
    content = _content(path)
    number = {name: place for place, name in enumerate(content["items"])}
    # JSON knows no NaN.
    floor = {name: np.nan if value is None else value for name, value in content["floor"].items()}
    guessing = Guessing(**floor)
    stratum = np.array(content["stratum"])
    drawn_items = np.array([number.get(name, -1) for name in content["subset"]])
    covariance = np.array(content["covariance"])[:, [0, 1, 1, 2]].reshape(-1, 2, 2)
    keys = ("items", "discrimination", "difficulty", "covariance", "stratum")
    lengths = {len(content[key]) for key in keys}
    whole = len(lengths) == 1 and len(number) == len(content["items"]) and drawn_items.min() >= 0
    if (
        not whole
        or len(set(drawn_items)) < len(drawn_items)
        # Every stratum has an item that is drawn.
        or set(stratum[drawn_items]) != set(range(stratum.max() + 1))
        or (np.linalg.det(covariance) <= 0).any()
        or guessing.value < guessing.lower
        or guessing.value > guessing.upper
    ):
        raise InputError(
            f"{path}: items, parameters, strata, floor and subset do not belong together; write "
            "it again with `saturation subset`"
        )
    return ShortForm(
        items=Items(
            np.array(content["discrimination"]),
            np.array(content["difficulty"]),
            guessing.value,
            covariance,
        ),
        names=content["items"],
        design=Design(stratum, drawn_items),
        guessing=guessing,
        **{key: content[key] for key in _ALIKE},
    )


def _content(path: Path) -> dict[str, Any]:
    """Parse the parts of the file by its schema."""
    again = "write it again with `saturation subset`"
    content = load_json(path, again)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path}: this JSON is not a '{FORMAT}'; give scorer.json")
    if content.get("version") != VERSION:
        raise InputError(
            f"{path}: version {content.get('version')!r}; this program reads version {VERSION}: "
            f"{again}, or use the program that wrote it"
        )
    schema = load_json(shipped("resources/adaptive/scorer.schema.json"), again)
    wrong = Draft202012Validator(schema).iter_errors(content)
    refuse(
        f"{path}: {'.'.join(map(str, error.absolute_path)) or 'the whole'}: "
        f"{error.message[-200:]}; {again}"
        for error in sorted(wrong, key=lambda error: list(error.absolute_path))
    )
    return content


# Parts that the file holds as they are.
_ALIKE = ("bank", "smallest_difference", "worst_fit", "respondents", "families", "doubt")
