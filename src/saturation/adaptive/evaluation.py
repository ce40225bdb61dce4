"""Evaluation strategies compared: who selects the items, who scores, and how good it is.

For each family of models, item parameters are fitted without that family and its models are then
evaluated; the abilities of each fit are linked to the scale of the fit on all respondents.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from saturation.adaptive import administration, quality
from saturation.adaptive import fit as item_fit
from saturation.adaptive import model as item_model
from saturation.adaptive import subsets as item_subsets
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import Floats, Responses

ANCHOR_SIZES = (10, 50)
CLUSTER_SIZE = 100
FILTER_SIZE = 143
EASY_FROM = {"hard_smart": 0.8, "hard_magi": 0.5}
_RESAMPLES = 1000

Key = tuple[str, int, int]


@dataclass(frozen=True)
class Settings:
    """What is compared: subset sizes, and the number of random subsets of each."""

    sizes: Sequence[int]
    draws: int


@dataclass(frozen=True)
class Fold:
    """One family held out: its rows, the others' rows, and items fitted on the others."""

    rows: np.ndarray
    training: np.ndarray
    discrimination: Floats
    difficulty: Floats
    training_ability: Floats

    @property
    def prior(self) -> item_model.Prior:
        """The training abilities' spread: what is known of a model before its first item."""
        return item_model.Prior(
            float(self.training_ability.mean()), float(self.training_ability.std())
        )

    def ability(self, responses: Responses, chosen: np.ndarray) -> Floats:
        """Abilities of the held-out rows from the chosen items."""
        a, b = self.discrimination[chosen], self.difficulty[chosen]
        return map_ability(responses[self.rows][:, chosen], a, b, self.prior)[0]


def known_fold(respondents: int, items: pd.DataFrame, abilities: Floats) -> Fold:
    """All respondents on item parameters from elsewhere, fitted on models of the given abilities.

    There are no training responses, so that baselines that select by responses fall away.
    """
    return Fold(
        np.arange(respondents),
        np.empty(0, dtype=np.int64),
        items["discrimination"].to_numpy(),
        items["difficulty"].to_numpy(),
        abilities,
    )


@dataclass(frozen=True)
class Evaluated:
    """Scores by method, size and draw; and the adaptive tests behind the fluid scores.

    `stopped` is the number of items until a test is as precise as the stopping rule asks, or the
    whole test's.
    """

    scores: dict[Key, Floats]
    administrations: administration.Administrations
    stopped: np.ndarray


def folds(
    responses: Responses, families: Sequence[str], reference: Floats, slopes: item_fit.Slopes
) -> list[Fold]:
    """Fit the items once per family, without it, linked to the reference abilities."""
    names = np.asarray(families, dtype=object)
    found = []
    for family in dict.fromkeys(families):
        rows, training = np.flatnonzero(names == family), np.flatnonzero(names != family)
        fit = item_fit.fit(responses[training], slopes)
        slope, intercept = item_model.link(fit.ability, reference[training])
        found.append(
            Fold(
                rows,
                training,
                fit.discrimination / slope,
                slope * fit.difficulty + intercept,
                slope * fit.ability + intercept,
            )
        )
    return found


def evaluate(
    responses: Responses, parts: list[Fold], settings: Settings, random: np.random.Generator
) -> Evaluated:
    """Score every respondent by every method.

    Methods: accuracy on all items; accuracy (`random`) and ability (`random_irt`) on random
    subsets that all respondents share; adaptive tests (`fluid`); and the baselines of
    :mod:`saturation.adaptive.subsets`. `fluid` is also read off at each baseline's size.
    """
    persons, bank_size = responses.shape
    sizes = [size for size in settings.sizes if size <= bank_size]
    subsets = {
        size: item_subsets.random_subsets(bank_size, size, settings.draws, random) for size in sizes
    }
    scores: dict[Key, Floats] = {("full_accuracy", bank_size, 0): _accuracy(responses)}
    for size, draws in subsets.items():
        for draw, chosen in enumerate(draws):
            scores["random", size, draw] = _accuracy(responses[:, chosen])
    length = min(bank_size, max([*settings.sizes, FILTER_SIZE]))
    administered = administration.Administrations(
        np.full((persons, length), administration.NO_ITEM),
        np.empty((persons, length)),
        np.empty((persons, length)),
    )
    stopped = np.empty(persons, dtype=np.int64)
    for part in parts:
        mine = responses[part.rows]
        for key, values in _static_scores(responses, part, subsets, random):
            scores.setdefault(key, np.full(persons, np.nan))[part.rows] = values
        _adaptive_part(mine, part, length, administered, stopped)
    for size in sorted({*sizes, *_baseline_sizes(bank_size)}):
        scores["fluid", size, 0] = administered.ability[:, size - 1]
    return Evaluated(scores, administered, stopped)


def by_model(
    evaluated: Evaluated, respondents: pd.DataFrame, partners: dict[str, Floats]
) -> pd.DataFrame:
    """Rank distance, total variation and monotonicity of each model, method, size and draw.

    Rank distance is over all respondents, averaged over the partner benchmarks; without a
    partner it is missing.
    """
    keys = pd.DataFrame(list(evaluated.scores), columns=["method", "n_items", "draw"])
    scores = np.vstack(list(evaluated.scores.values()))
    distance = np.full(scores.shape, np.nan)
    if partners:
        each = [quality.rank_distance(scores, other) for other in partners.values()]
        distance = np.mean(each, axis=0)
    found = []
    for model, group in respondents.groupby("model", sort=True):
        place = group.sort_values("checkpoint").index.to_numpy()
        curves = scores[:, place]
        found.append(
            keys.assign(
                model=model,
                rank_distance=distance[:, place].mean(axis=1),
                total_variation=quality.total_variation(curves),
                monotonicity=quality.monotonicity(curves),
            )
        )
    return pd.concat(found, ignore_index=True)


# The mean of total variation is the paper's; a model that gains nothing makes it infinite, so the
# median over models stands beside it.
STATISTICS: dict[str, tuple[str, Callable[..., Floats]]] = {
    "rank_distance": ("rank_distance", np.mean),
    "total_variation": ("total_variation", np.median),
    "total_variation__mean": ("total_variation", np.mean),
    "monotonicity": ("monotonicity", np.mean),
}


SUMMARY = ["method", "n_items", "measure", "value", "lower", "upper", "n_models", "draws"]


def summarise(table: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Each measure by method and size, over models, averaged over draws.

    Parameters
    ----------
    table
        What :func:`by_model` returns, possibly of several banks (column `bank`): models of
        different banks then count as units of their own.
    random
        Draws models with replacement and one random subset per resample: the interval holds the
        luck of both.
    """
    rows = []
    units = ["bank", "model"] if "bank" in table else ["model"]
    for (method, size), group in table.groupby(["method", "n_items"], sort=True):
        for measure, (column, statistic) in STATISTICS.items():
            values = group.pivot_table(
                index="draw", columns=units, values=column, aggfunc="first", sort=True
            ).to_numpy()
            if values.size == 0 or np.isnan(values).all():
                continue
            value, lower, upper = _interval(values, statistic, random)
            rows.append(
                {
                    "method": method,
                    "n_items": size,
                    "measure": measure,
                    "value": value,
                    "lower": lower,
                    "upper": upper,
                    "n_models": values.shape[1],
                    "draws": values.shape[0],
                }
            )
    return pd.DataFrame(rows, columns=SUMMARY)


def comparable(models: pd.DataFrame) -> pd.DataFrame:
    """Rows of the banks that can be averaged over; 0 stands for all items.

    These are the banks with a partner, where any has one, and of them those whose tests are as long
    as the longest: an average over sizes that mixed in a small bank for the short tests only would
    compare banks, not sizes.
    """
    whole = models["method"].isin(["full_accuracy", "full_irt"])
    table = models.assign(n_items=models["n_items"].mask(whole, 0))
    partnered = table.loc[table["rank_distance"].notna(), "bank"].unique()
    if len(partnered):
        table = table[table["bank"].isin(partnered)]
    longest = table[table["method"] == "random"].groupby("bank")["n_items"].max()
    return table[table["bank"].isin(longest.index[longest == longest.max()])]


def _interval(
    values: Floats, statistic: Callable[..., Floats], random: np.random.Generator
) -> tuple[float, float, float]:
    draws, models = values.shape
    draw = random.integers(draws, size=_RESAMPLES)
    chosen = random.integers(models, size=(_RESAMPLES, models))
    resampled = statistic(values[draw[:, None], chosen], axis=1)
    lower, upper = np.quantile(resampled, [0.025, 0.975], method="inverted_cdf")
    return float(np.mean(statistic(values, axis=1))), float(lower), float(upper)


def _baseline_sizes(bank_size: int) -> list[int]:
    return [size for size in (*ANCHOR_SIZES, CLUSTER_SIZE, FILTER_SIZE) if size <= bank_size]


def _static_scores(
    responses: Responses,
    part: Fold,
    subsets: dict[int, np.ndarray],
    random: np.random.Generator,
) -> Iterator[tuple[Key, Floats]]:
    mine, a, b = responses[part.rows], part.discrimination, part.difficulty
    bank_size = responses.shape[1]
    for size, draws in subsets.items():
        for draw, chosen in enumerate(draws):
            yield ("random_irt", size, draw), part.ability(responses, chosen)
    yield ("full_irt", bank_size, 0), part.ability(responses, np.arange(bank_size))
    for size in ANCHOR_SIZES if len(part.training) else ():
        if size <= bank_size:
            points = item_subsets.anchor_points(responses[part.training], size, random)
            yield ("anchor_points", size, 0), _weighted_accuracy(mine, points)
    if bank_size >= CLUSTER_SIZE:
        clusters = item_subsets.response_space_clusters(a, b, CLUSTER_SIZE, random)
        ability = part.ability(responses, clusters.items)
        score = item_subsets.model_based_score(mine, clusters, ability, a, b)
        yield ("irt_clusters", CLUSTER_SIZE, 0), score
    if bank_size >= FILTER_SIZE:
        chosen = item_subsets.information_filter(part.training_ability, a, b, FILTER_SIZE)
        yield ("information_filter", FILTER_SIZE, 0), part.ability(responses, chosen)
    for method, easy_from in EASY_FROM.items() if len(part.training) else ():
        chosen = item_subsets.hard_items(responses[part.training], easy_from)
        # Its size differs a little between folds; 0 stands for "as many as are hard".
        yield (method, 0, 0), _accuracy(mine[:, chosen])


def _adaptive_part(
    mine: Responses,
    part: Fold,
    length: int,
    administered: administration.Administrations,
    stopped: np.ndarray,
) -> None:
    test = administration.administer(
        mine, part.discrimination, part.difficulty, length, prior=part.prior
    )
    administered.items[part.rows] = test.items
    administered.ability[part.rows] = test.ability
    administered.se[part.rows] = test.se
    # A test that stops on precision is the beginning of the same test.
    precise = test.se <= administration.mean_rank_gap(part.training_ability)
    stopped[part.rows] = np.where(precise.any(axis=1), precise.argmax(axis=1) + 1, test.lengths)


def _accuracy(responses: Responses) -> Floats:
    seen = (responses != item_model.MISSING).sum(axis=1)
    return np.asarray((responses == 1).sum(axis=1) / np.maximum(seen, 1))


def _weighted_accuracy(responses: Responses, subset: item_subsets.WeightedSubset) -> Floats:
    cells = responses[:, subset.items]
    weight = np.where(cells != item_model.MISSING, subset.weights, 0.0)
    total = weight.sum(axis=1)
    return np.asarray((weight * (cells == 1)).sum(axis=1) / np.where(total > 0, total, 1.0))


def partners(
    accuracy: dict[str, pd.Series], least: float, named: dict[str, str] | None = None
) -> pd.DataFrame:
    """Rank correlation of full accuracies for every pair of benchmarks, and whether it serves.

    Parameters
    ----------
    accuracy
        By benchmark: accuracy of each respondent, indexed by respondent.
    least
        A partner serves from this Spearman correlation up. A benchmark at which most respondents
        guess correlates with nothing and cannot say who is better.
    named
        The one partner of a benchmark, where that is known beforehand.
    """
    rows, chosen = [], named or {}
    for bank, mine in accuracy.items():
        for partner, other in accuracy.items():
            if partner == bank:
                continue
            both = pd.concat([mine, other], axis=1, join="inner")
            spearman = float(both.iloc[:, 0].corr(both.iloc[:, 1], method="spearman"))
            rows.append(
                {
                    "bank": bank,
                    "partner": partner,
                    "n_respondents": len(both),
                    "spearman": spearman,
                    "serves": bool(
                        spearman >= least if bank not in chosen else chosen[bank] == partner
                    ),
                }
            )
    columns = ["bank", "partner", "n_respondents", "spearman", "serves"]
    return pd.DataFrame(rows, columns=columns)
