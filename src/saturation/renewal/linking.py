"""Link scores on an old version of a benchmark to the scale of a new version.

This is linking, not equating: the two versions are not parallel forms, and a score on one cannot
stand in for a score on the other. Where the same models answered both, one item response model is
fitted to all answers (concurrent calibration); where only items are shared, two models are fitted
and the scale of one is brought onto the other's by their characteristic curves.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive.fit import fit
from saturation.adaptive.model import MISSING, Responses, probability
from saturation.arrays import Bools, Floats, Places
from saturation.errors import InputError
from saturation.statistics.intervals import t_quantile

# With fewer models that answered both versions, or fewer common items, nothing is linked.
FEWEST_MODELS, FEWEST_ANCHORS = 10, 10
# A model is outside unless so many of the models that answered both are at least as strong, and so
# many at least as weak.
FEWEST_BEYOND = 3
# Of the intervals of linked scores.
CONFIDENCE = 0.9
# Where answers are shares of several runs, bits are drawn this often and results averaged.
DRAWS = 5
# Cells that the fits with models left out may look at; with more, several are left out at once.
MOST_CELLS, FEWEST_FOLDS = 2e7, 5
# An anchor's answers are the same in both files, in this share of the cells that both have; and
# items are those of the old version under other names if this share of them was answered alike.
SAME_ANSWERS = 0.95
# The item response model gives way where its errors on models left out are larger by this.
WORSE = 1.1
CONCURRENT, ANCHORED, EQUIPERCENTILE = "concurrent calibration", "anchor items", "equipercentile"
_NODES = np.linspace(-4, 4, 41)
_WEIGHTS = np.exp(-0.5 * _NODES**2)


@dataclass(frozen=True)
class Versions:
    """The answers to two versions, models by items, shares in [0, 1] or NaN.

    Attributes
    ----------
    in_old, in_new
        Which items each version has; anchors are in both and have one column.
    regraded
        Items of one name in both versions whose answers differ; they count as different items.
    """

    models: list[str]
    items: list[str]
    shares: Floats
    in_old: Bools
    in_new: Bools
    regraded: list[str]

    @cached_property
    def scores(self) -> tuple[Floats, Floats]:
        """Mean on the old and on the new version.

        NaN where a model lacks half of a version, or of the items that it alone has.
        """
        return _means(self.shares, self.in_old, self.in_new), _means(
            self.shares, self.in_new, self.in_old
        )

    @property
    def common(self) -> Bools:
        """Mask the models that answered both versions."""
        return np.asarray(np.isfinite(self.scores).all(axis=0))

    @property
    def joined(self) -> bool:
        """Check whether shared models or items put all models on a joint scale."""
        old, new = np.isfinite(self.scores)
        if np.array_equal(old, new):
            return True
        return bool(self.common.sum() >= FEWEST_MODELS or self.anchors.sum() >= FEWEST_ANCHORS)

    @property
    def anchors(self) -> Bools:
        """Mask the items that are in both versions."""
        return self.in_old & self.in_new


@dataclass(frozen=True)
class Linked:
    """Old scores on the new scale.

    Attributes
    ----------
    method
        How they were linked; empty where they could not be.
    scores
        ``model, old, linked, lower, upper, observed, outside``: a model's linked score comes from
        its answers to old items alone, whether or not it answered new ones; it is outside where
        hardly a model that answered both is as weak or as strong, and its interval is then a guess.
    errors
        Mean absolute error of each method on models left out, and of the old score as it is.
    coverage
        Share of the models left out whose score lies in its interval, made without them.
    lacks
        Why nothing was linked, and what would help.
    """

    method: str
    scores: pd.DataFrame
    errors: dict[str, float]
    coverage: float = np.nan
    lacks: str = ""


def versions(old: pd.DataFrame, new: pd.DataFrame) -> Versions:
    """Join two tables, items by models.

    Shares of right answers, indexed by item, a model a column, NaN where not answered. Items of one
    name are anchors unless the models of both files answered them differently.
    """
    for name, table in (("old", old), ("new", new)):
        if table.index.duplicated().any() or table.columns.duplicated().any():
            raise InputError(f"{name} version: an item or a model stands twice; name each once")
    old, new = (table.dropna(how="all") for table in (old, new))
    regraded = []
    # Missing where not both tables have an answer.
    away = np.abs((old - new).to_numpy(float))
    alike = away[~np.isnan(away)] < 0.5
    if len(alike) and alike.mean() < SAME_ANSWERS:
        shared = old.index.intersection(new.index)
        regraded = list(map(str, shared))
        new = new.rename(index={name: f"{name} (new)" for name in shared})
    whole = old.combine_first(new)
    items = old.index.union(new.index, sort=False)
    models = old.columns.union(new.columns, sort=False)
    return Versions(
        models=list(map(str, models)),
        items=list(map(str, items)),
        shares=whole.reindex(index=items, columns=models).to_numpy(float).T,
        in_old=items.isin(old.index),
        in_new=items.isin(new.index),
        regraded=regraded,
    )


def linked(given: Versions, seed: int = 0, level: float = CONFIDENCE) -> Linked:
    """Every old score on the new scale, by what the versions have in common."""
    if reason := _explain_no_link(given):
        return abstained(given, reason)
    link = link_by_models if given.common.sum() >= FEWEST_MODELS else link_by_items
    return link(given, seed, level)


def _explain_no_link(given: Versions) -> str:
    """Explain why the versions cannot be linked; empty if they can."""
    if np.isfinite(given.scores[0]).sum() < FEWEST_MODELS:
        return (
            f"fewer than {FEWEST_MODELS} models answered the old version: run more, of several "
            "labs, on both"
        )
    if min(given.in_old.sum(), given.in_new.sum()) < FEWEST_ANCHORS:
        return (
            f"{given.in_old.sum()} old and {given.in_new.sum()} new items: at least "
            f"{FEWEST_ANCHORS} of each are needed"
        )
    if given.common.sum() >= FEWEST_MODELS:
        return _explain_useless_models(given)
    if given.anchors.sum() >= FEWEST_ANCHORS:
        return ""
    return (
        f"{given.common.sum()} models answered both versions and {given.anchors.sum()} items are "
        f"in both: run at least {FEWEST_MODELS} models of the old leaderboard, of several labs and "
        f"levels, on the new version, or keep {FEWEST_ANCHORS} old items in it. If names were "
        "changed, use the same in both files"
    )


def _explain_useless_models(given: Versions) -> str:
    """Explain why linking models cannot predict the new version; empty if they can."""
    alone = given.in_new & ~given.in_old
    if not alone.any():
        return "the new version has no item that the old one lacks: give one that has"
    for name, scores in zip(("old", "new"), given.scores):
        if np.ptp(scores[given.common]) == 0:
            return (
                f"all models that answered both have the same score on the {name} version; add "
                "models, or items that separate them"
            )
    telling, before = (
        [tuple(row) for row in given.shares[given.common][:, has].T if len(set(row)) > 1]
        for has in (alone, given.in_old)
    )
    if telling and len(set(telling) & set(before)) >= SAME_ANSWERS * len(set(telling)):
        return (
            "the new version's items have the answers of old ones under other names: it is the old "
            "version, reordered or renamed"
        )
    return ""


def link_by_models(given: Versions, seed: int, level: float) -> Linked:
    """Linked by models that answered both versions, with errors of models left out.

    Each fold of these models is left out of the new version, and its scores there are predicted
    from its old answers. The interval of a linked score is that of Student's t with these errors:
    whatever moves between versions is in it (ability, items, runs, the linking, a change of what
    is measured). A model's own error is left out of its own interval. Where the item response
    model's own error is larger than that of the models left out, the interval is wider by as much.
    """
    old, new = given.scores
    common = np.flatnonzero(given.common)
    predictions = {EQUIPERCENTILE: _equipercentile(old, new, common)}
    spread = np.ones(len(old))
    with suppress(InputError):
        predictions[CONCURRENT], spread = _concurrent(given, seed)
    errors = {
        name: np.abs(values - new)[common].mean()
        for name, values in {"old score as it is": old, **predictions}.items()
    }
    method = EQUIPERCENTILE
    if CONCURRENT in predictions and errors[CONCURRENT] <= WORSE * errors[EQUIPERCENTILE]:
        method = CONCURRENT
    off = (predictions[method] - new)[common]
    half = np.full(len(old), _half(off, level))
    half[common] = [_half(np.delete(off, place), level) for place in range(len(off))]
    half *= np.maximum(1.0, spread / np.sqrt(np.square(spread[common]).mean()))
    table = _table(given, predictions[method], half)
    return Linked(method, table, errors, (np.abs(off) <= half[common]).mean())


def link_by_items(given: Versions, seed: int, level: float) -> Linked:
    """Linked by items that are in both versions, by Stocking and Lord's constants.

    The interval has the errors of the abilities and of the constants, by a jackknife over groups
    of anchors. No model shows how scores move between the versions beyond that.
    """
    answered = [np.isfinite(scores) for scores in given.scores]
    has = given.in_old, given.in_new
    fits = [
        fit(draw_answers(given.shares[cells], seeds.generator(seed, "renewal", "anchors")))
        for cells in map(np.ix_, answered, has)
    ]
    before, after = fits
    pairs = [
        np.column_stack([version.discrimination, version.difficulty])[given.anchors[items]]
        for version, items in zip(fits, has)
    ]
    slope, shift = stocking_lord(*pairs)
    ability = slope * before.ability + shift
    groups = np.arange(len(pairs[0])) % min(20, len(pairs[0]))
    without = np.array([stocking_lord(*(part[groups != g] for part in pairs)) for g in set(groups)])
    off = (without - without.mean(axis=0)) @ np.vstack([before.ability, np.ones_like(ability)])
    linking = (len(without) - 1) / len(without) * np.square(off).sum(axis=0)
    reach = t_quantile(len(without) - 1, level)
    error = reach * np.sqrt(np.square(slope * before.ability_se) + linking)
    value = np.full(len(given.models), np.nan)
    value[answered[0]], lower, upper = (
        # The test's characteristic curve: the expected share right.
        after.chance(at).mean(axis=1)
        for at in (ability, ability - error, ability + error)
    )
    table = _table(given, value, np.zeros_like(value)).assign(lower=lower, upper=upper)
    return Linked(ANCHORED, table, {})


def draw_answers(shares: Floats, rng: np.random.Generator) -> Responses:
    """Right or wrong by chance, as often as the shares say; right and wrong stay as they are."""
    bits = (rng.random(shares.shape) < shares).astype(np.int8)
    bits[np.isnan(shares)] = MISSING
    return bits


def draws(shares: Floats) -> int:
    """Count draws of bits: a single draw where all answers are right or wrong."""
    return 1 if np.isin(shares[~np.isnan(shares)], (0, 1)).all() else DRAWS


def stocking_lord(old: Floats, new: Floats) -> tuple[float, float]:
    """Estimate slope and shift from the old ability scale to the new scale, by test curves.

    Parameters
    ----------
    old, new
        Discrimination and difficulty of the anchors on either scale, shape (items, 2).
    """
    target = probability(_NODES, *new.T)

    def off(constants: Floats) -> Floats:
        slope, shift = constants
        away = target - probability(_NODES, old[:, 0] / slope, slope * old[:, 1] + shift)
        return np.asarray(np.sqrt(_WEIGHTS) * away.sum(axis=1))

    slope = new[:, 1].std() / old[:, 1].std()
    start = np.array([slope, new[:, 1].mean() - slope * old[:, 1].mean()])
    close = dict.fromkeys(("xtol", "ftol", "gtol"), 1e-14)
    solution = scipy.optimize.least_squares(
        off, start, bounds=([1e-3, -np.inf], np.inf), x_scale="jac", **close
    )
    return solution.x[0], solution.x[1]


def _concurrent(given: Versions, seed: int) -> tuple[Floats, Floats]:
    """Predict each model's share of new items right from its answers to old items alone.

    Beside it stands the prediction's error by the item response model: of the ability, and of the
    answers to new items.
    """
    common, alone = np.flatnonzero(given.common), given.in_new & ~given.in_old
    often = draws(given.shares)
    affordable = int(MOST_CELLS / given.shares.size / often)
    folds = min(len(common), max(FEWEST_FOLDS, affordable))
    total, variance = np.zeros((2, len(given.models)))
    for draw in range(often):
        rng = seeds.generator(seed, "renewal", "concurrent", draw)
        bits = draw_answers(given.shares, rng)
        fold = rng.permutation(len(common)) % folds
        for number in range(folds):
            rows = common[fold == number]
            masked = bits.copy()
            masked[np.ix_(rows, alone)] = MISSING
            items = fit(masked)
            if number == 0:
                rows = np.append(rows, np.flatnonzero(~given.common))
            chance = items.chance()[np.ix_(rows, given.in_new)]
            total[rows] += chance.mean(axis=1)
            spread = chance * (1.0 - chance)
            slope = (items.discrimination[given.in_new] * spread).mean(axis=1)
            of_answers = spread.mean(axis=1) / given.in_new.sum()
            variance[rows] += np.square(slope * items.ability_se[rows]) + of_answers
    return total / often, np.sqrt(variance / often)


def _equipercentile(old: Floats, new: Floats, common: Places) -> Floats:
    """Link by equal ranks among models that answered both versions, each left out in turn."""

    def mapped(values: Floats, places: Places) -> Floats:
        curve = pd.Series(np.sort(new[places])).groupby(np.sort(old[places])).mean()
        return np.interp(values, curve.index.to_numpy(float), curve.to_numpy(float))

    linked_scores = mapped(old, common)
    for place in common:
        linked_scores[place] = mapped(old[[place]], common[common != place])[0]
    return np.where(np.isnan(old), np.nan, linked_scores)


def _half(off: Floats, level: float) -> float:
    """Half width of an interval, by errors of models left out."""
    reach = t_quantile(len(off) - 1, level)
    return float(reach * np.sqrt(np.square(off).mean()))


def _table(given: Versions, value: Floats, half: Floats) -> pd.DataFrame:
    old, new = given.scores
    basis = old[given.common] if given.common.any() else old
    table = pd.DataFrame(
        {
            "model": given.models,
            "old": old,
            "linked": value,
            "lower": np.clip(value - half, 0, 1),
            "upper": np.clip(value + half, 0, 1),
            "observed": new,
            "outside": _outside(old, basis) & ~given.common,
        }
    )
    return table[np.isfinite(old)].reset_index(drop=True)


def _outside(scores: Floats, common: Floats) -> Bools:
    """Return which models have fewer than `FEWEST_BEYOND` common models at least as far out."""
    ordered = np.sort(common[np.isfinite(common)])
    weaker = np.searchsorted(ordered, scores, side="right")
    stronger = len(ordered) - np.searchsorted(ordered, scores)
    return np.minimum(weaker, stronger) < FEWEST_BEYOND


def _means(shares: Floats, has: Bools, other: Bools) -> Floats:
    answered = ~np.isnan(shares)
    enough = answered[:, has].mean(axis=1) >= 0.5
    if (has & ~other).any():
        enough &= answered[:, has & ~other].mean(axis=1) >= 0.5
    total = np.where(answered, shares, 0)[:, has].sum(axis=1)
    return np.where(enough, total / np.maximum(answered[:, has].sum(axis=1), 1), np.nan)


def abstained(given: Versions, reason: str) -> Linked:
    """No linked scores, and why."""
    nothing = np.full(len(given.models), np.nan)
    return Linked("", _table(given, nothing, nothing), {}, lacks=reason)
