"""Movement of gaps between models when items are renewed, and models that favour old items.

The factor is the third reading of alpha (:mod:`studies.boards` has the others): the variance of
gaps after a renewal over what the items of both versions predict. Drift asks of one model what the
factor asks of all: does it answer older items better than its ability explains?
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import fit
from saturation.arrays import Bools, Floats
from saturation.errors import InputError
from saturation.renewal.linking import FEWEST_MODELS, draw_answers, draws
from saturation.statistics.components import jackknife_error
from saturation.statistics.intervals import holm, t_quantile

# New scores as a function of old ones: how much harder the new items are, for weak and strong.
DEGREE = 2
# Random halves whose median factor is the null.
SPLITS = 40
# Errors beyond which two models' old and new gap differ.
Z = 1.96
FEWEST_LABS, FEWEST_ITEMS = 3, 20
# Of the family of all models that are tested for drift.
DRIFT_LEVEL = 0.05
# Rounds in which models that drift are left out of the items' model and of the placebo.
MOST_ROUNDS = 5


class Movement(NamedTuple):
    """Movement of gaps between models from old items to new items.

    Parameters
    ----------
    factor, lower, upper
        Sum of the squared changes of all gaps over the sum of their variances by the items' paired
        errors, with the interval of a jackknife over labs.
    null
        The factor of random halves of all items, the median of many: what gaps move by without a
        renewal. Below 1, since the fit of new scores on old ones takes up some of the change.
    beyond
        Share of the pairs whose gap changes by more than 1.96 of its errors.
    alpha_lost
        How much lower alpha is for a renewed set than for other items of the same kind.
    rank, rank_top
        Spearman correlation of old and new scores: of all models, of the old top ten.
    labs
        Number of groups of models that the jackknife leaves out, one at a time.
    """

    factor: float
    lower: float
    upper: float
    null: float
    beyond: float
    alpha_lost: float
    rank: float
    rank_top: float
    labs: int


def movement(old: pd.DataFrame, new: pd.DataFrame, labs: Sequence[str]) -> Movement:
    """Measure how far gaps move from old to new items, beyond the general shift in difficulty.

    Parameters
    ----------
    old, new
        Items by models in [0, 1], complete; the same models, in the same order.
    labs
        Who made each model: models of one lab move together.

    Raises
    ------
    InputError
        With fewer than ten models, three labs or twenty items: a few say too little.
    """
    a, b, of = old.to_numpy(float), new.to_numpy(float), np.asarray(labs)
    names = np.unique(of)
    if min(len(a), len(b)) < FEWEST_ITEMS:
        raise InputError(
            f"renewal factor: {len(a)} old and {len(b)} new items that all models answered; at "
            f"least {FEWEST_ITEMS} of each are needed"
        )
    if a.shape[1] < FEWEST_MODELS or len(names) < FEWEST_LABS:
        raise InputError(
            f"renewal factor: {a.shape[1]} models of {len(names)} labs answered old and new items; "
            f"at least {FEWEST_MODELS} models of {FEWEST_LABS} labs are needed"
        )
    moved = _Moved.of(a, b)
    fewest = min(len(np.unique(moved.before[of != lab])) for lab in names)
    if fewest < DEGREE + 2:
        raise InputError(
            f"renewal factor: without one lab {fewest} old scores differ; at least {DEGREE + 2} "
            "are needed; add models of other labs"
        )
    factor, beyond = moved.change()
    without = np.array([np.log(moved.without(of == lab).change()[0]) for lab in names])
    half = t_quantile(len(names) - 1) * jackknife_error(without)
    before, after = pd.Series(moved.before), pd.Series(moved.after)
    top = before.sort_values(ascending=False, kind="stable").index[:10]
    return Movement(
        factor=factor,
        lower=factor * np.exp(-half),
        upper=factor * np.exp(half),
        null=_null_factor(np.concatenate([a, b]), len(a)),
        beyond=beyond,
        alpha_lost=np.log(factor) / np.log(len(a)),
        rank=before.corr(after, method="spearman"),
        rank_top=before[top].corr(after[top], method="spearman"),
        labs=len(names),
    )


def maker(model: str) -> str:
    """Guess an undeclared maker of a model from the beginning of the model's name."""
    return re.split(r"[-_./ \d]", model.lower())[0] or model


def measure_by_date(answers: pd.DataFrame, dates: pd.Series, labs: Mapping[str, str]) -> Movement:
    """Measure movement in a set of dated items, cut at the date that halves them best.

    Parameters
    ----------
    answers
        Items by models; models that lack an answer are left out.
    dates
        Of each item, by its name.
    labs
        Of each model, by its name.
    """
    complete = answers.dropna(axis=1)
    when = pd.to_datetime(dates.reindex(complete.index))
    imbalance = (2 * (when.rank(method="min") - 1) - when.count()).abs()
    cut = when[imbalance == imbalance.min()].min()
    models: list[Any] = list(complete)
    return movement(complete[when < cut], complete[when >= cut], [labs[name] for name in models])


def _null_factor(answers: Floats, first: int) -> float:
    """Return the median factor over random splits of items into as many old and new items."""
    random = seeds.generator(0, "renewal", "null")
    factors = []
    for _ in range(SPLITS):
        order = random.permutation(len(answers))
        moved = _Moved.of(answers[order[:first]], answers[order[first:]])
        if len(np.unique(moved.before)) >= DEGREE + 2:
            factors.append(moved.change()[0])
    return np.median(factors) if factors else np.nan


class _Moved(NamedTuple):
    """Old and new scores, and the covariances of their errors over models."""

    before: Floats
    after: Floats
    old: Floats
    new: Floats

    @classmethod
    def of(cls, old: Floats, new: Floats) -> "_Moved":
        """Return scores and errors of two versions, items by models."""
        errors = [np.cov(version, rowvar=False) / len(version) for version in (old, new)]
        return cls(old.mean(axis=0), new.mean(axis=0), *errors)

    def without(self, models: Bools) -> "_Moved":
        places = np.flatnonzero(~models)
        square = np.ix_(places, places)
        return _Moved(self.before[places], self.after[places], self.old[square], self.new[square])

    def change(self) -> tuple[float, float]:
        """Compute the factor of the variance, and the share of pairs beyond 1.96 errors."""
        shift = np.polynomial.Polynomial.fit(self.before, self.after, DEGREE)
        residual, slope = self.after - shift(self.before), shift.deriv()(self.before)
        errors = self.old * np.outer(slope, slope) + self.new
        first, second = np.triu_indices(len(residual), 1)
        squared = (residual[first] - residual[second]) ** 2
        variance = errors[first, first] + errors[second, second] - 2 * errors[first, second]
        factor = squared.sum() / variance.sum()
        return factor, (squared > Z**2 * variance).mean()


@dataclass(frozen=True)
class Drift:
    """Models that answer older items better than their ability explains.

    Attributes
    ----------
    models
        ``model, before, after, difference, z, placebo, p_value, p_adjusted, drifts``, one row a
        tested model: items on both sides of its cutoff, mean residual before less after, that in
        errors of the item model, the size of placebo differences in the same errors, and
        p-values, one-sided, by itself and by Holm over all tested models.
    placebo
        ``model, before, difference, z, p_value``: the same of models that cannot have seen any
        item, at the cutoffs of others; two-sided, each judged by the other models.
    """

    models: pd.DataFrame
    placebo: pd.DataFrame

    @property
    def flagged(self) -> list[str]:
        """Models that drift."""
        return [str(name) for name in self.models.loc[self.models["drifts"], "model"]]

    def rejected(self, calibrated: bool = True) -> float:
        """Share of placebo tests at 5 %: against the other placebo models, or by the item model."""
        wrong = self.placebo["p_value"] < 0.05 if calibrated else self.placebo["z"].abs() > Z
        return wrong.mean()


def drift(
    shares: Floats,
    models: Sequence[str],
    before: Mapping[str, Bools],
    null: Mapping[str, Any],
    seed: int = 0,
) -> Drift:
    """Contrast each model's residuals on items before and after its cutoff, against a placebo.

    Models fit no item model exactly, so the naive test rejects far too often. The placebo says how
    often: the same contrast, at the same cutoffs, of models that cannot lean on the items. Models
    that drift are left out of the items' model and of the placebo, and all is computed again.

    Parameters
    ----------
    shares
        Models by items in [0, 1], NaN where not answered.
    before
        For each model that is tested, by its name: which items are older than its cutoff.
    null
        Models that serve as placebo, with their labs; one that is tested is not its own placebo.
        Without a placebo of ten models of three labs nothing is said to drift.
    """
    flagged: list[str] = []
    for _ in range(MOST_ROUNDS):
        placebo = {name: lab for name, lab in null.items() if name not in flagged}
        residuals, variances = (
            pd.DataFrame(of, list(models)) for of in _residuals(shares, models, flagged, seed)
        )
        judgement = _judge_drift(residuals, variances, before, placebo)
        if set(judgement.flagged) <= set(flagged):
            break
        flagged = sorted({*flagged, *judgement.flagged})
    return judgement


def _residuals(
    shares: Floats, models: Sequence[str], left_out: Sequence[str], seed: int
) -> tuple[Floats, Floats]:
    """Answers less what the items' model expects, and the variance of an answer."""
    clean = ~np.isin(models, left_out)
    total = np.zeros(shares.shape)
    often = draws(shares)
    for draw in range(often):
        bits = draw_answers(shares, seeds.generator(seed, "renewal", "drift", draw))
        items = fit(bits[clean])
        ability, _ = map_ability(bits, items.discrimination, items.difficulty)
        total += items.chance(ability)
    chance = total / often
    return shares - chance, np.where(np.isnan(shares), np.nan, chance * (1 - chance))


class _Contrast(NamedTuple):
    """Contrast of a model at a cutoff: items on both sides, difference and its number of errors."""

    before: int
    after: int
    difference: float
    z: float


def _contrasts(
    residuals: pd.DataFrame, variances: pd.DataFrame, before: Bools, models: Iterable[str]
) -> dict[str, _Contrast]:
    """Return the contrasts at a cutoff of the models that answered enough on both sides."""
    contrasts = {}
    for model in models:
        residual, variance = residuals.loc[model].to_numpy(), variances.loc[model].to_numpy()
        answered = ~np.isnan(residual)
        sides = [answered & before, answered & ~before]
        early, late = (side.sum() for side in sides)
        if min(early, late) < FEWEST_ITEMS:
            continue
        difference = np.subtract(*(residual[side].mean() for side in sides))
        error = np.sqrt(sum(variance[side].sum() / side.sum() ** 2 for side in sides))
        contrasts[model] = _Contrast(early, late, difference, difference / error)
    return contrasts


def _judge_drift(
    residuals: pd.DataFrame,
    variances: pd.DataFrame,
    before: Mapping[str, Bools],
    null: Mapping[str, Any],
) -> Drift:
    """Test each model's contrast against the placebo's contrasts at the same cutoff."""
    rows, placebo = [], []
    cutoffs = {tuple(np.flatnonzero(older)): older for older in before.values()}
    for older in cutoffs.values():
        models = [name for name, mask in before.items() if np.array_equal(mask, older)]
        values, rivals = (
            _contrasts(residuals, variances, older, names) for names in (models, null)
        )
        z = pd.Series({name: value.z for name, value in rivals.items()}, dtype=float)
        for model, value in values.items():
            placebo_z = z.drop(model, errors="ignore")
            rows.append((model, *value, *_test_contrast(value.z, placebo_z, null, sided=1)))
        for name, value in rivals.items():
            _, p_value = _test_contrast(value.z, z.drop(name), null, sided=2)
            placebo.append((name, older.sum(), value.difference, value.z, p_value))
    names = ["model", "before", "after", "difference", "z", "placebo", "p_value"]
    table = pd.DataFrame(rows, columns=names)
    adjusted = holm(table["p_value"]) if len(table) else np.array([])
    table = table.assign(p_adjusted=adjusted, drifts=adjusted < DRIFT_LEVEL)
    placebo_table = pd.DataFrame(placebo, columns=["model", "before", "difference", "z", "p_value"])
    return Drift(table.sort_values("p_value", kind="stable", ignore_index=True), placebo_table)


def _test_contrast(
    z: float, null: pd.Series, labs: Mapping[str, Any], sided: int
) -> tuple[float, float]:
    """Compute the placebo's spread over the stated spread, and the p-value by Student's t."""
    if len(null) < FEWEST_MODELS - 1 or len({labs[name] for name in null.index}) < FEWEST_LABS:
        return np.nan, 1.0
    # Differences of few models can be small by chance: the placebo only widens.
    wide = max(1.0, np.sqrt((null**2).mean()))
    value = abs(z) if sided == 2 else z
    return wide, sided * scipy.special.stdtr(len(null) - 1, -value / wide)
