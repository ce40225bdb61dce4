"""Compare evaluation strategies, pairs of item selection and scorer, by their errors.

For each family of models, item parameters are fitted without that family and its models are then
evaluated; the abilities of each fit are linked to the scale of the fit on all respondents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation import seeds
from saturation.adaptive import administration
from saturation.adaptive import model as item_model
from saturation.adaptive import subsets as item_subsets
from saturation.adaptive.abilities import NO_ITEM
from saturation.adaptive.folds import Fold, folds, weighted_accuracy
from saturation.adaptive.model import Responses, accuracy
from saturation.adaptive.responses import Bank
from saturation.adaptive.subsets import Items
from saturation.arrays import Floats, Integers
from saturation.files.tables import NamedTables
from studies.correlation import ranks, spearman


def partners(
    accuracy: Mapping[str, pd.Series], least: float, named: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Correlate the ranks of full accuracies of every pair of benchmarks, and name the partners."""
    rows, partner_of = [], named or {}
    for bank, partner in permutations(accuracy, 2):
        pair = pd.concat([accuracy[bank], accuracy[partner]], axis=1, join="inner")
        rho = spearman(pair.iloc[:, 0], pair.iloc[:, 1])["estimate"]
        serves = rho >= least if bank not in partner_of else partner_of[bank] == partner
        rows.append((bank, partner, len(pair), rho, serves))
    columns = ["bank", "partner", "n_respondents", "spearman", "serves"]
    return pd.DataFrame(rows, columns=columns)


def serving(table: pd.DataFrame, bank: str) -> list[str]:
    """List the partners of a bank."""
    return table.loc[(table["bank"] == bank) & table["serves"], "partner"].tolist()


def accuracies(
    respondents: pd.DataFrame, banks: NamedTables, names: list[str]
) -> dict[str, Floats]:
    """Look up the full accuracies of a bank's respondents on other banks; missing if unanswered."""
    return {
        name: banks[name]
        .set_index("respondent")["accuracy"]
        .reindex(respondents["respondent"])
        .to_numpy(float)
        for name in names
    }


# Measure of a method and size: draws of subsets by cells (models on benchmarks), and the models.
Cells = tuple[Floats, npt.NDArray[np.object_]]


def cells(group: pd.DataFrame, columns: Sequence[str]) -> dict[str, Cells]:
    """Arrange the measures in some columns by draw, and by model and benchmark."""
    unit = [name for name in ("bank", "model") if name in group]
    wide = group.pivot(index="draw", columns=unit, values=list(columns))
    wide = wide.sort_index(axis="columns")
    values_by_cell = {}
    for column in columns:
        values = wide[[column]].dropna(axis="columns", how="all")
        models = values.columns.get_level_values("model").to_numpy(object)
        values_by_cell[column] = np.ascontiguousarray(values, dtype=float), models
    return values_by_cell


def resample_models(
    names: Sequence[str], resamples: int, random: np.random.Generator
) -> pd.DataFrame:
    """Count each model in each resample of models: a column a model."""
    shares = np.full(len(names), 1 / len(names))
    return pd.DataFrame(random.multinomial(len(names), shares, resamples), columns=list(names))


def mean(values: Floats, weights: Integers) -> Floats:
    """Weighted mean along the last axis; infinite where a value with weight is."""
    with np.errstate(invalid="ignore"):
        total = np.where(weights > 0, weights * values, 0.0).sum(axis=-1)
        return np.asarray(total / weights.sum(axis=-1))


def median(values: Floats, weights: Integers) -> Floats:
    """Median along the last axis of each value taken as often as its weight."""
    places = np.argsort(values, kind="stable")
    # Values in rising order, and beside each how often it or a lesser value is taken.
    ordered, reached = np.broadcast_arrays(
        np.take_along_axis(values, places, axis=-1),
        np.take_along_axis(weights, np.broadcast_to(places, weights.shape), axis=-1).cumsum(-1),
    )
    half = reached[..., -1:] / 2
    lower = np.take_along_axis(ordered, (reached >= half).argmax(axis=-1)[..., None], axis=-1)
    upper = np.take_along_axis(ordered, (reached > half).argmax(axis=-1)[..., None], axis=-1)
    return np.asarray((lower + upper)[..., 0] / 2)


# Method, number of items, draw.
Key = tuple[str, int, int]
_RESAMPLES = 1000
# The mean of total variation is the paper's; a model that gains nothing makes it infinite, so the
# median over models stands beside it.
STATISTICS = {
    "rank_distance": ("rank_distance", mean),
    "total_variation": ("total_variation", median),
    "total_variation__mean": ("total_variation", mean),
    "monotonicity": ("monotonicity", mean),
}
SUMMARY = ["method", "n_items", "measure", "value", "lower", "upper", "n_models", "draws"]


def rank_distance(scores: Floats, partner: Floats) -> Floats:
    """Distance between each respondent's rank by score and its rank on a partner benchmark.

    Ranks run over all respondents given; ties share their mean rank. The mean over respondents
    is the paper's measure of validity (lower is better).
    """
    return np.abs(ranks(scores) - ranks(partner))


def total_variation(curves: Floats) -> Floats:
    """Normalised total variation of training curves (equation 6); lower is better.

    Returns
    -------
    numpy.ndarray
        At least n / (n - 1) for n checkpoints; infinite where a curve ends where it began, not
        a number for fewer than two checkpoints.
    """
    curves = np.asarray(curves, float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    path = np.abs(np.diff(curves)).sum(axis=-1)
    gain = np.abs(curves[..., -1] - curves[..., 0])
    ratio = np.divide(path, gain, out=np.full(np.shape(path), np.inf), where=gain > 0)
    return np.asarray(n / (n - 1) * ratio)


def monotonicity(curves: Floats) -> Floats:
    """Absolute Spearman correlation of checkpoint order and score; 1 is unsaturated.

    A constant curve carries no signal and gives 0; fewer than two checkpoints give no number.
    """
    curves = np.asarray(curves, float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    order = np.arange(n) - (n - 1) / 2
    ranked = ranks(curves) - (n + 1) / 2
    spread = np.sqrt((order**2).sum() * (ranked**2).sum(axis=-1))
    moved = (ranked * order).sum(axis=-1)
    return np.asarray(
        np.abs(np.divide(moved, spread, out=np.zeros(np.shape(moved)), where=spread > 0))
    )


def summarise_models(
    scores: Mapping[Key, Floats], respondents: pd.DataFrame, partners: Mapping[str, Floats]
) -> pd.DataFrame:
    """Rank distance, total variation and monotonicity of each model, method, size and draw.

    Rank distance is over all respondents, averaged over the partner benchmarks; without a
    partner it is missing.
    """
    keys = pd.DataFrame(list(scores), columns=["method", "n_items", "draw"])
    matrix = np.vstack(list(scores.values()))
    distances = [rank_distance(matrix, partner) for partner in partners.values()]
    distance = np.mean(distances or [np.full(matrix.shape, np.nan)], axis=0)
    tables = []
    for model, group in respondents.groupby("model"):
        place = group.sort_values("checkpoint").index.to_numpy()
        curves = matrix[:, place]
        tables.append(
            keys.assign(
                model=model,
                family=group["family"].iloc[0],
                rank_distance=distance[:, place].mean(axis=1),
                total_variation=total_variation(curves),
                monotonicity=monotonicity(curves),
            )
        )
    return pd.concat(tables, ignore_index=True)


def summarise(table: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Each measure by method and size, over models, averaged over draws."""
    rows = []
    for (method, size), group in table.groupby(["method", "n_items"]):
        by_column = cells(group, MEASURES)
        for measure, (column, statistic) in STATISTICS.items():
            values, models = by_column[column]
            if values.size == 0:
                continue
            names = sorted(set(models))
            weights = resample_models(names, _RESAMPLES, random)[list(models)].to_numpy()
            draws = random.integers(len(values), size=_RESAMPLES)
            ends = np.quantile(
                statistic(values[draws], weights), [0.025, 0.975], method="inverted_cdf"
            )
            value = statistic(values, np.ones(values.shape, np.int64)).mean()
            rows.append((method, size, measure, value, *ends, len(names), len(values)))
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


ANCHOR_SIZES = (10, 50)
CLUSTER_SIZE = 100
FILTER_SIZE = 143
EASY_FROM = {"hard_smart": 0.8, "hard_magi": 0.5}
# Items of each test whose median difficulty says whether the test adapts.
FIRST_ITEMS = 50


@dataclass(frozen=True)
class Settings:
    """Strategies to compare, and how abilities are estimated.

    Attributes
    ----------
    sizes, draws
        Sizes of the subsets, and random subsets of each.
    prior
        Of the abilities that are evaluated: a normal distribution with the mean and the spread of
        the training abilities, or the standard normal one. The first item of an adaptive test is
        chosen at the training abilities' mean in either case.
    limits
        No ability is estimated beyond these two, if there are any.
    """

    sizes: Sequence[int]
    draws: int
    prior: Literal["training", "standard"] = "training"
    limits: tuple[float, float] | None = None

    def priors(self, training: Floats) -> item_model.Prior:
        """Return the prior of a model before its first item."""
        moments = (training.mean(), training.std()) if self.prior == "training" else (0.0, 1.0)
        return item_model.Prior(*map(float, (*moments, *(self.limits or (-np.inf, np.inf)))))


@dataclass(frozen=True)
class Calibration:
    """Items (`discrimination`, `difficulty`) and the abilities of those they were fitted on."""

    items: pd.DataFrame
    ability: Floats


@dataclass(frozen=True)
class Evaluated:
    """Scores by method, size and draw; and the adaptive tests behind the fluid scores.

    `stopped` is the number of items until a test is as precise as the stopping rule asks, or the
    whole test's.
    """

    scores: dict[Key, Floats]
    administrations: administration.Administrations
    stopped: Integers


def tables(
    name: str,
    bank: Bank,
    respondents: pd.DataFrame,
    whole: Calibration,
    known: Calibration | None,
    partners: Mapping[str, Floats],
    settings: Settings,
    seed: int,
) -> NamedTables:
    """Evaluate a bank's respondents by every method: tables by the names of their files."""
    if known is None:
        families = respondents["family"].tolist()
        parts = folds(bank.responses, families, whole.ability)
    else:
        # Without training responses baselines that select by responses fall away.
        nobody = np.empty(0, np.int64)
        a, b = (known.items[name].to_numpy(float) for name in ("discrimination", "difficulty"))
        parts = [Fold(np.arange(len(respondents)), nobody, Items(a, b), known.ability)]
    evaluated = evaluate(
        bank.responses, parts, settings, seeds.generator(seed, "adaptive", "evaluate", name)
    )
    models = summarise_models(evaluated.scores, respondents, partners)
    return {
        "administrations": _administration_table(evaluated.administrations, bank),
        "models": models,
        "quality": summarise(models, seeds.generator(seed, "adaptive", "intervals", name)),
        "stopping": _stopping_table(evaluated, bank, whole.ability, (known or whole).items),
    }


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
    scores = {("full_accuracy", bank_size, 0): accuracy(responses)}
    for size, draws in subsets.items():
        for draw, subset in enumerate(draws):
            scores["random", size, draw] = accuracy(responses[:, subset])
    length = min(bank_size, max([*settings.sizes, FILTER_SIZE]))
    administered = administration.Administrations(
        np.full((persons, length), NO_ITEM), *np.full((2, persons, length), np.nan)
    )
    stopped = np.empty(persons, np.int64)
    for fold in parts:
        prior = settings.priors(fold.training_ability)
        for key, values in _static_scores(responses, fold, prior, subsets, random):
            scores.setdefault(key, np.full(persons, np.nan))[fold.rows] = values
        stopped[fold.rows] = _administered(responses, fold, prior, administered)
    baselines = [n for n in (*ANCHOR_SIZES, CLUSTER_SIZE, FILTER_SIZE) if n <= bank_size]
    for size in sorted({*sizes, *baselines}):
        scores["fluid", size, 0] = administered.ability[:, size - 1]
    return Evaluated(scores, administered, stopped)


def _static_scores(
    responses: Responses,
    fold: Fold,
    prior: item_model.Prior,
    subsets: Mapping[int, Integers],
    random: np.random.Generator,
) -> Iterator[tuple[Key, Floats]]:
    held_out, (a, b, _) = responses[fold.rows], fold.items.curve
    bank_size = responses.shape[1]
    for size, draws in subsets.items():
        for draw, subset in enumerate(draws):
            yield ("random_irt", size, draw), fold.ability(responses, subset, prior)
    yield ("full_irt", bank_size, 0), fold.ability(responses, np.arange(bank_size), prior)
    for size in ANCHOR_SIZES if len(fold.training) else ():
        if size <= bank_size:
            points = item_subsets.anchor_points(responses[fold.training], size, random)
            yield ("anchor_points", size, 0), weighted_accuracy(held_out, points)
    if bank_size >= CLUSTER_SIZE:
        clusters = item_subsets.response_space_clusters(a, b, CLUSTER_SIZE, random)
        ability = fold.ability(responses, clusters.items, prior)
        score = model_based_score(held_out, clusters, ability, a, b)
        yield ("irt_clusters", CLUSTER_SIZE, 0), score
    if bank_size >= FILTER_SIZE:
        subset = item_subsets.information_filter(fold.training_ability, a, b, FILTER_SIZE)
        yield ("information_filter", FILTER_SIZE, 0), fold.ability(responses, subset, prior)
    for method, easy_from in EASY_FROM.items() if len(fold.training) else ():
        # What less than so many training models answer rightly, in kind as SMART (Gupta et al.
        # 2024) and MAGI (Paech 2024), whose other filters need item texts.
        subset = np.flatnonzero(accuracy(responses[fold.training].T) < easy_from)
        # Its size differs a little between folds; 0 stands for "as many as are hard".
        yield (method, 0, 0), accuracy(held_out[:, subset])


def _administered(
    responses: Responses, fold: Fold, prior: item_model.Prior, tests: administration.Administrations
) -> Integers:
    """Fill in the tests of the held-out rows; their lengths until they are precise."""
    test = administration.administer(
        responses[fold.rows],
        fold.items.discrimination,
        fold.items.difficulty,
        tests.items.shape[1],
        prior=prior,
        start=fold.training_ability.mean(),
    )
    tests.items[fold.rows] = test.items
    tests.ability[fold.rows] = test.ability
    tests.se[fold.rows] = test.se
    # A test that stops on precision is the beginning of the same test. By the paper's rule a test
    # is precise at the mean distance in ability between respondents of adjacent rank.
    ability = fold.training_ability
    precise = test.se <= np.ptp(ability) / (len(ability) - 1)
    return np.where(precise.any(axis=1), precise.argmax(axis=1) + 1, test.lengths)


def _administration_table(tests: administration.Administrations, bank: Bank) -> pd.DataFrame:
    person, step = places = np.nonzero(tests.items != NO_ITEM)
    return pd.DataFrame(
        {
            "respondent": np.asarray(bank.respondents)[person],
            "step": step + 1,
            "item": np.asarray(bank.items)[tests.items[places]],
            "ability": tests.ability[places],
            "se": tests.se[places],
        }
    )


def _stopping_table(
    evaluated: Evaluated, bank: Bank, ability: Floats, items: pd.DataFrame
) -> pd.DataFrame:
    first = evaluated.administrations.items[:, :FIRST_ITEMS]
    difficulty = np.where(first == NO_ITEM, np.nan, items["difficulty"].to_numpy(float)[first])
    return pd.DataFrame(
        {
            "respondent": bank.respondents,
            "ability": ability,
            "difficulty_given": np.nanmedian(difficulty, axis=1),
            "n_items": evaluated.stopped,
            "reached_limit": evaluated.stopped >= evaluated.administrations.lengths,
        }
    )


RESAMPLES = 2000
# Measures that are the better, the higher they are; the others are the better, the lower.
HIGHER = {"monotonicity"}
MEASURES = ("rank_distance", "total_variation", "monotonicity")
# Better first, worse second, in the paper's words; compared at every size that both have.
PAIRS = (("fluid", "random_irt"), ("random_irt", "random"), ("fluid", "random"))
# Each baseline with the size at which the adaptive test is compared with it. The hard subsets
# hold thousands of items, so the adaptive test has far fewer.
BASELINES = (
    ("anchor_points", 10),
    ("anchor_points", 50),
    ("irt_clusters", 100),
    ("information_filter", 143),
    ("hard_smart", 0),
    ("hard_magi", 0),
)
# Methods of several sizes beside others of a size of their own: better, its size, worse, its size;
# 0 stands for all items, or all hard ones.
ACROSS = (
    *(("fluid", size or 500, baseline, size) for baseline, size in BASELINES),
    ("fluid", 50, "full_accuracy", 0),
    ("fluid", 500, "full_accuracy", 0),
    ("random", 100, "irt_clusters", 100),
    ("irt_clusters", 100, "anchor_points", 50),
    ("information_filter", 143, "anchor_points", 50),
)
Measured = Mapping[tuple[str, int, str], Floats]


def contrasts(compared: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Compute the advantage of a method over another, above zero where the first is better.

    Returns
    -------
    pandas.DataFrame
        `contrast` (its name), `value`, `lower`, `upper` (central 95 % over resamples of models),
        `holds`: share of these resamples in which the advantage is above zero.
    """
    names = sorted(set(compared["model"]))
    counts = resample_models(names, RESAMPLES, random)
    counts = pd.concat([pd.DataFrame(1, [0], names), counts])
    rows = []
    for name, (value, *resampled) in _name_advantages(_measured(compared, counts, random)):
        lower, upper = np.quantile(resampled, [0.025, 0.975], method="inverted_cdf")
        rows.append((name, value, lower, upper, np.greater(resampled, 0).mean()))
    return pd.DataFrame(rows, columns=["contrast", "value", "lower", "upper", "holds"])


def _measured(
    compared: pd.DataFrame, counts: pd.DataFrame, random: np.random.Generator
) -> dict[tuple[str, int, str], Floats]:
    """Compute every measure of every method and size: as it is, then over resamples."""
    subsets: dict[int, Integers] = {}
    measures = {}
    for (method, size), group in compared.groupby(["method", "n_items"]):
        for measure, (values, models) in cells(group, MEASURES).items():
            number = len(values)
            if values.size == 0:
                continue
            weights = counts[list(models)].to_numpy()
            drawn = random.multinomial(number, np.full(number, 1 / number), RESAMPLES)
            # Methods that share their subsets share their resamples too.
            averaged = subsets.setdefault(number, np.vstack([np.ones_like(drawn[0]), drawn]))
            _, statistic = STATISTICS[measure]
            by_subset = np.stack([statistic(subset, weights) for subset in values], axis=1)
            measures[str(method), int(str(size)), measure] = mean(by_subset, averaged)
    return measures


def _name_advantages(measured: Measured) -> Iterator[tuple[str, Floats]]:
    """Yield advantages by name; sums over several sizes come last."""
    by_pair = _compare_pairs(measured)
    for (measure, better, worse), by_size in by_pair.items():
        for size, advantage in by_size.items():
            yield f"{better}_over_{worse}_{measure}_{size}", advantage
        if len(by_size) > 1:
            sizes = list(by_size)
            early = by_size[sizes[0]] - by_size[sizes[-1]]
            yield f"{better}_over_{worse}_{measure}_short_over_long", early
    for measure, (better, size, worse, reference) in product(MEASURES, ACROSS):
        if (better, size, measure) in measured and (worse, reference, measure) in measured:
            name = f"{better}_{size}_over_{worse}_{reference}_{measure}"
            yield name, _advantage(measured, measure, (better, size), (worse, reference))
    for measure in MEASURES:
        # What abilities gain over accuracies, less what selection gains over random items.
        abilities = by_pair[measure, "random_irt", "random"]
        selection = by_pair[measure, "fluid", "random_irt"]
        gains = [abilities[size] - selection[size] for size in abilities if size in selection]
        if gains:
            yield f"abilities_over_selection_{measure}", np.sum(gains, axis=0)


def _compare_pairs(measured: Measured) -> dict[tuple[str, str, str], dict[int, Floats]]:
    """Return the advantage by measure and pair of `PAIRS`, at every size that both have."""
    return {
        (measure, better, worse): {
            size: _advantage(measured, measure, (better, size), (worse, size))
            for method, size, of in measured
            if (method, of) == (worse, measure) and (better, size, measure) in measured
        }
        for measure, (better, worse) in product(MEASURES, PAIRS)
    }


def _advantage(
    measured: Measured, measure: str, better: tuple[str, int], worse: tuple[str, int]
) -> Floats:
    first, second = measured[(*better, measure)], measured[(*worse, measure)]
    # Both may be infinite, where a model ends where it began.
    with np.errstate(invalid="ignore"):
        difference = first - second if measure in HIGHER else second - first
    return np.where(np.isnan(difference), 0.0, difference)


def model_based_score(
    responses: Responses,
    subset: item_subsets.WeightedSubset,
    ability: Floats,
    discrimination: Floats,
    difficulty: Floats,
) -> Floats:
    """Predicted accuracy on the whole bank: seen items as seen, the rest by the model (p-IRT)."""
    expected = item_model.probability(ability, discrimination, difficulty)
    seen = responses[:, subset.items]
    expected[:, subset.items] = np.where(
        seen == item_model.MISSING, expected[:, subset.items], seen
    )
    return np.asarray(expected.mean(axis=1))
