"""Three answers about the top of a leaderboard, each with the error rate that the level leaves.

*Resolution*: are the top models separated? *Equivalence*: if not, is every one of them shown to be
within a margin of the best? *Headroom*: is anything left below the ceiling? Each is wrong with at
most 1 - level, whichever models came first by luck. Differences at the top are tested over all
pairs of the k models with the best scores; who is tied with the leader, and who is equivalent to
it, over all models that may be the best.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import pandas as pd
from scipy import special

from saturation.arrays import Bools, Floats, Places, PlainNumbers
from saturation.files.tables import records
from saturation.index import (
    ALPHA,
    BIN_EDGES,
    EPSILON,
    SATURATED_FROM,
    K,
    decision,
    index_limits,
    interval_of_proportions,
    saturation_bin,
)
from saturation.leaderboard import sizes
from saturation.leaderboard.names import judge_headroom
from saturation.statistics import intervals, standard_errors
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, METHODS, NO_TEST, POOLED_Z, Pairs
from saturation.statistics.power import detectable_difference
from saturation.statistics.standard_errors import Items, right_or_wrong
from saturation.statistics.top_gap import EqualModels

T = TypeVar("T")

# Of more models, only the listed ones are compared with all others: all pairs would take memory and
# time with the square of the models, 14 GB for ten thousand.
MOST_PAIRED = 3000
# Errors apart from what all models share are at least this part of a model's own error.
LEAST_SEPARATE = 0.1
# Up to so many items the gap of equal models is exact; beyond, a binomial is normal to all that is
# read, and counting takes seconds.
MOST_COUNTED = 20_000
# From so many of the pair's items, those that all models answered speak for the board.
LEAST_SHARED = 0.5
ALL, SOME, NONE = "all", "some", "none"
EQUIVALENT, NOT_SHOWN = "equivalent", "not_shown"
LEFT, UNCLEAR = "left", "unclear"
NOT_ASKED = "not_asked"
# A model that k others beat with less than this p-value each is not among the best k beyond any
# doubt that the number of models could raise.
DOUBT = 1e-30
# Halvings of the range of scores in the search for the smallest margin that is shown.
HALVINGS = 16


@dataclass(frozen=True)
class Settings:
    """Settings of the judgement of the top; the index has the settings of the plateau study."""

    k: int = K
    alpha: float = ALPHA
    edges: tuple[float, ...] = BIN_EDGES
    saturated_from: float = SATURATED_FROM
    level: float = intervals.CONFIDENCE  #: confidence level of tests and intervals
    #: settings over which the index is shown to move
    k_grid: tuple[int, ...] = (2, 3, 4, 5)
    alpha_grid: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    power: float = 0.8  #: for numbers of items
    margin: float | None = 0.02  #: smallest difference that matters; None where no unit says it
    ceiling: float | None = 0.9  #: score from which nothing is left to gain; None without a highest
    compared: int = 25  #: number of top models that are listed; all are compared
    least_coverage: float = 0.8  #: share of the benchmark's items from which a model is ranked


@dataclass(frozen=True)
class Difference(PlainNumbers):
    """Distance of a model to the leader, and the test of the distance."""

    model: str
    method: str
    items: int | None  #: that both answered; None where scores are compared
    difference: float
    standard_error: float
    p_value: float
    only_leader: int | None  #: items that the model did not solve
    only_model: int | None
    p_adjusted: float
    lower: float  #: Newcombe's interval for independent proportions, else Student's
    upper: float


@dataclass(frozen=True)
class NamedPair(Difference):
    """A model's distance to a better model, of a board that is too small for a verdict."""

    better: str


@dataclass(frozen=True)
class Ties:
    """The leader and all models tied with the leader, by a single kind of tests."""

    method: str
    adjustment: str
    models: int
    items: int | None  #: fewest that a model shares with the leader
    abstains: str | None  #: why no test can separate any two models, if that is so
    group: list[str]
    with_leader: list[Difference]


@dataclass(frozen=True)
class AllEqual(PlainNumbers):
    """Gap of best and k-th if all models had their mean as true score."""

    n_models: int
    score: float
    #: Correlation of two models' answers to an item, by which shared items make gaps smaller; 0
    #: without items that all have answered.
    dependence: float
    #: ``binomial`` (exact for models that solve each item with one probability) or ``normal``.
    law: str
    expected_gap: float
    p_value: float  #: probability of at least the observed gap


@dataclass(frozen=True)
class GridCell(PlainNumbers):
    """The index at a k and an alpha."""

    k: int
    alpha: float
    s_index: float
    bin: str


@dataclass(frozen=True)
class Index(PlainNumbers):
    """The saturation index of a leaderboard."""

    k: int
    alpha: float
    s_1: float
    s_k: float
    s_index: float
    bin: str
    first: str
    kth: str
    gap: float  #: best less k-th score, on the items that both answered where there are such
    #: Interval of the index of the true scores of these two models, as if they had been named
    #: before they were measured; it reaches 1 where the gap may be 0.
    lower: float
    upper: float
    #: What the gap's interval is: ``newcombe`` (independent proportions), ``paired_adjusted`` (the
    #: same independent 0/1 items), ``paired_t`` (same items, graded or in clusters), ``normal``.
    method: str
    #: ``equivalent``, ``separated`` or ``undecided``: whether the index of the true scores reaches
    #: the threshold (:func:`saturation.index.decision`).
    first_and_kth: str
    threshold: float  #: from which value on the index counts as saturated
    all_equal: AllEqual
    #: :func:`saturation.statistics.standard_errors.implied_alpha`, and the index at that alpha: by
    #: the error of the gap that the shared items show; None without.
    implied_alpha: float | None
    s_index_measured: float | None
    grid: list[GridCell]


@dataclass(frozen=True)
class Resolution:
    """Separated pairs of the top models."""

    answer: str  #: ``all`` pairs of the top models, ``some`` or ``none`` are separated
    models: list[str]  #: best score first
    separated: int
    pairs: int
    groups: list[list[str]]  #: models of which no two are separated; groups may overlap
    minimum_detectable_difference: float  #: of best and k-th, among the pairs of the top models
    n_items: float  #: that the best and the k-th share, or the fewer of theirs; NaN if unknown
    #: Items at which the first, and the last, of the pairs that are not separated would be, at
    #: the gaps as measured: more than there are. None if all are separated or the number of items
    #: is unknown, infinite for equal scores.
    items_for_any: float | None
    items_for_all: float | None

    @property
    def first_and_kth(self) -> bool:
        """Tell whether the best and the k-th model are separated."""
        ends = {self.models[0], self.models[-1]}
        return not any(ends <= set(group) for group in self.groups)


@dataclass(frozen=True)
class Equivalence:
    """Equivalence test of the top models."""

    #: ``equivalent``: every one of them is less than the margin behind the best model, whichever
    #: that is; ``not_shown``; ``not_asked`` without a margin.
    answer: str
    margin: float | None  #: in the unit of the scores; None for a metric without range
    contenders: int  #: number of models that may be the best: all but those far behind
    p_value: float | None  #: of the weakest of the tests, adjusted for the choice of the top
    within: float | None  #: smallest margin at which they would be equivalent
    #: Items at which the top would be shown equivalent with the power if all models tied with the
    #: leader are truly equal; None where they are, where some are separated, or n is unknown.
    items_for_equivalence: float | None = None


@dataclass(frozen=True)
class Headroom(PlainNumbers):
    """Headroom below the ceiling."""

    #: ``none``: the best true score is shown to reach the ceiling; ``left``: shown not to;
    #: ``unclear``; ``not_asked`` for a metric without range.
    answer: str
    ceiling: float | None  #: score from which nothing is left, less what is known of wrong labels
    lower: float | None  #: one-sided bounds of the best true score, each at the level
    upper: float | None
    status: str | None  #: one of ``HEADROOM``, by the rule of the table of statuses


@dataclass(frozen=True)
class Answers:
    """The three answers about the top."""

    resolution: Resolution
    equivalence: Equivalence
    headroom: Headroom


@dataclass(frozen=True)
class Power:
    """Power of the gap of the best to the k-th model with a number of items."""

    level: float
    power: float
    n_items: float  #: as in :class:`Resolution`
    minimum_detectable_difference: float  #: of the two if they were chosen in advance
    #: Items at which the observed gap to the second and to the k-th model would be found among the
    #: pairs of the top; None without a number of items, infinite for equal scores.
    items_for_top_two: float | None
    items_for_top_k: float | None
    k: int


@dataclass(frozen=True)
class RankedModel:
    """A listed model."""

    model: str
    score: float
    standard_error: float
    lower: float
    upper: float
    n_items: float
    error_source: str
    best_rank: int  #: the ranks that it may hold among all models, together at the level
    worst_rank: int
    tied_with_leader: bool
    coverage: float = np.nan  #: share of the items that it answered, where that is known


@dataclass(frozen=True)
class Frontier:
    """Analysis of a leaderboard's top models.

    Ties are by ``independent`` tests and, with item responses, by ``paired`` ones.
    """

    models: list[RankedModel]
    ties: dict[str, Ties]
    answers: Answers
    power: Power
    index: Index
    #: All pairs, Holm-adjusted together, of fewer models than the k that a verdict takes.
    pairs: list[NamedPair] = field(default_factory=list)

    @property
    def deciding(self) -> Ties:
        """Return the ties by the tests that decide."""
        return deciding(self.ties)


def frontier(
    estimates: pd.DataFrame,
    items: Items,
    settings: Settings,
    tests: dict[str, Pairs] | None = None,
) -> Frontier:
    """Everything the card says about the top models.

    Ties and ranks are those among all models; `settings.compared` only limits what is listed.

    Parameters
    ----------
    estimates
        :func:`saturation.statistics.standard_errors.estimates` of the models that are ranked, best
        first, at least two; the errors of the first k known.
    items
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    tests
        Tests of all pairs where they are not those of :func:`all_pairs`: one kind, by its name.
    """
    ranked = estimates.reset_index(drop=True)
    listed = max(settings.compared, settings.k)
    tests = tests or all_pairs(ranked, items, listed)
    adjusted_by_tests = {
        name: statistics_pairs.adjust_pairs(pairs.p_value, contenders(ranked, pairs, 1))
        for name, pairs in tests.items()
    }
    best, adjusted = deciding(tests), deciding(adjusted_by_tests)
    over_all = statistics_pairs.adjust_pairs(best.p_value)
    ranks = statistics_pairs.rank_intervals(best.difference, over_all, settings.level)
    tied = statistics_pairs.tie_group(adjusted, settings.level)
    ranking = ranked.head(len(ranks)).assign(
        best_rank=ranks[:, 0], worst_rank=ranks[:, 1], tied_with_leader=tied[: len(ranks)]
    )
    return Frontier(
        models=[RankedModel(**row) for row in records(ranking.head(listed))],
        ties={
            name: tie_group(ranked, pairs, adjusted_by_tests[name], settings)
            for name, pairs in tests.items()
        },
        answers=answers(ranked, items, best, adjusted, settings),
        power=power(ranked, best, settings),
        index=index(ranked, items, settings),
        pairs=pairs_by_name(ranked, best, settings) if len(ranked) < settings.k else [],
    )


def pairs_by_name(ranked: pd.DataFrame, pairs: Pairs, settings: Settings) -> list[NamedPair]:
    """Return the differences of all pairs of few models, adjusted over these pairs."""
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)
    return [
        NamedPair(
            **vars(_difference(ranked, pairs, adjusted, pair, settings)),
            better=ranked["model"][pair[0]],
        )
        for pair in itertools.combinations(range(len(ranked)), 2)
    ]


def deciding(by_tests: dict[str, T]) -> T:
    """Return the result of the tests that decide, the last ones: paired where the data allow."""
    return list(by_tests.values())[-1]


def all_pairs(models: pd.DataFrame, items: Items, listed: int) -> dict[str, Pairs]:
    """Test all pairs: as independent, and on common items wherever two models share any.

    With more than `MOST_PAIRED` models, those of all with the `listed` ones. The tests are
    ``independent`` and ``paired``: these, for pairs that share fewer than two clusters of items,
    are independent too, and left out if no pair shares more.
    """
    leaders = listed if len(models) > MOST_PAIRED else None
    matrix, clusters = items
    if matrix.empty:
        return {"independent": independent_pairs(models, leaders=leaders)}
    answers = matrix.reindex(columns=models["model"])
    binary = right_or_wrong(answers).all(axis=0) & answers.notna().any().to_numpy()
    share = (models["error_source"] == "binomial") | ((models["error_source"] == "items") & binary)
    independent = independent_pairs(models, share, leaders)
    tests = statistics_pairs.paired_tests(answers, clusters, leaders)
    tested = tests.method != NO_TEST
    np.fill_diagonal(tested, False)
    if not tested.any():
        return {"independent": independent}
    paired = statistics_pairs.choose(tested, tests, independent)
    return {"independent": independent, "paired": paired}


def independent_pairs(
    models: pd.DataFrame, share: pd.Series | None = None, leaders: int | None = None
) -> Pairs:
    """Test pairs as if the models' scores were independent.

    The pooled test for two shares of solved items, since it holds at 0 % and 100 %; else the z-test
    with each model's own error. `share` says which scores are shares of independent 0/1 items, by
    default those with a binomial error; only the first `leaders` models are compared with all.
    """
    share = models["error_source"] == "binomial" if share is None else share
    by_error = statistics_pairs.z_tests(models["score"], models["standard_error"], leaders)
    if not share.any():
        return by_error
    shared = share.to_numpy()[:, None] & share.to_numpy()[None, :leaders]
    # Others get numbers that the pooled test can take, and are not taken from it.
    pooled = statistics_pairs.pooled_z_tests(
        models["score"].where(share, 0.5), models["n_items"].where(share, 1), leaders
    )
    return statistics_pairs.choose(shared, pooled, by_error)


def tie_group(models: pd.DataFrame, pairs: Pairs, adjusted: Floats, settings: Settings) -> Ties:
    """Return the group tied at the top, and the listed models' differences to the leader."""
    tied = statistics_pairs.tie_group(adjusted, settings.level)
    return Ties(
        method=" and ".join(METHODS[code] for code in np.unique(pairs.method[0, 1:])),
        adjustment="holm" if len(models) == adjusted.shape[1] else "bonferroni",
        models=int(contenders(models, pairs, 1).sum()),
        items=_whole(np.fmin.reduce(pairs.items[0, 1:])),
        abstains=_abstains(pairs, settings),
        group=models["model"][tied].tolist(),
        with_leader=[
            _difference(models, pairs, adjusted, (0, place), settings)
            for place in range(1, min(settings.compared, len(models)))
        ],
    )


def power(top: pd.DataFrame, pairs: Pairs, settings: Settings) -> Power:
    """Compute the power with this number of items, and the items that the top needs.

    Each gap to the leader is taken with the items that the two models share, or the fewer of theirs
    where scores are compared; no other model's number of items enters.
    """
    last, alone = min(settings.k, len(top)) - 1, 1 - settings.level
    _, alpha = _separated(top, pairs, settings)
    second, kth = (
        sizes.contrast(top, pairs, 0, place, _bounded(top, settings)) for place in (1, last)
    )
    return Power(
        level=settings.level,
        power=settings.power,
        n_items=float(sizes.shared_items(top, pairs, 0, last)),
        minimum_detectable_difference=detectable_difference(kth, alone, settings.power),
        items_for_top_two=sizes.items_to_separate(second, alpha, settings.power),
        items_for_top_k=sizes.items_to_separate(kth, alpha, settings.power),
        k=last + 1,
    )


def answers(
    ranked: pd.DataFrame,
    items: Items,
    pairs: Pairs,
    adjusted: Floats,
    settings: Settings,
) -> Answers:
    """Return the three answers about the top.

    From tests of all pairs, and their p-values adjusted over the models that may be the best.
    """
    may_lead = contenders(ranked, pairs, settings.k)
    separation = resolution(ranked, pairs, settings)
    same = equivalence(ranked, pairs, may_lead, settings)
    # Models that differ are not shown equal by any number of items.
    if separation.answer == NONE and same.answer == NOT_SHOWN and same.margin is not None:
        k, has_error = len(separation.models), np.isfinite(ranked["standard_error"].to_numpy(float))
        # As if all that are tied with the leader were equal.
        equal = statistics_pairs.tie_group(adjusted, settings.level) & has_error
        wrong = (1 - settings.level) / max(same.contenders - k + 1, 1)
        items_needed = sizes.items_to_show_equivalence(
            ranked, pairs, equal, same.margin, wrong, settings.power, k
        )
        same = replace(same, items_for_equivalence=items_needed)
    return Answers(separation, same, headroom(ranked, items, may_lead, settings))


def contenders(ranked: pd.DataFrame, pairs: Pairs, k: int) -> Bools:
    """Select models that may be among the best k: not clearly behind k models.

    A weak model is no contender, so that adding one makes no other answer harder to reach. A model
    whose error nobody knows cannot be one.
    """
    behind = (pairs.difference < 0) & (pairs.p_value < DOUBT)
    has_error = np.isfinite(ranked["standard_error"].to_numpy(float))
    may_lead: Bools = (behind.sum(axis=1) < k) & has_error
    return may_lead


def resolution(ranked: pd.DataFrame, pairs: Pairs, settings: Settings) -> Resolution:
    """Return which pairs of the top k models are separated, by Holm over these pairs alone.

    The k models are those with the best scores. Of models that are not, none has to be compared:
    a pair that scores select among k is wrongly separated no more often than among k models alone.
    """
    is_separated, alpha = _separated(ranked, pairs, settings)
    k = len(is_separated)
    contrasts = {
        (first, second): sizes.contrast(ranked, pairs, first, second, _bounded(ranked, settings))
        for first, second in itertools.combinations(range(k), 2)
    }
    separated = sum(bool(is_separated[place]) for place in contrasts)
    ends = contrasts[0, k - 1]
    needed_by_pair = [
        sizes.items_to_separate(contrast, alpha, settings.power)
        for place, contrast in contrasts.items()
        if not is_separated[place]
    ]
    needed = [number for number in needed_by_pair if number is not None]
    names = ranked["model"].head(k).tolist()
    return Resolution(
        answer=ALL if separated == len(contrasts) else SOME if separated else NONE,
        models=names,
        separated=separated,
        pairs=len(contrasts),
        groups=[[names[place] for place in group] for group in groups(is_separated)],
        minimum_detectable_difference=detectable_difference(ends, alpha, settings.power),
        n_items=float(sizes.shared_items(ranked, pairs, 0, k - 1)),
        items_for_any=min(needed, default=None),
        items_for_all=max(needed, default=None),
    )


def _bounded(ranked: pd.DataFrame, settings: Settings) -> bool:
    """Tell whether scores are shares, which a metric without a ceiling has none of."""
    return settings.ceiling is not None and bool(ranked["score"].between(0, 1).all())


def _separated(ranked: pd.DataFrame, pairs: Pairs, settings: Settings) -> tuple[Bools, float]:
    """Return the separated pairs of the top k, and each remaining pair's level."""
    k, wrong = min(settings.k, len(ranked)), 1 - settings.level
    separated = statistics_pairs.holm_pairs(pairs.p_value[:k, :k]) <= wrong
    n_open = int((~separated[np.triu_indices(k, 1)]).sum())
    return separated, wrong / max(n_open, 1)


def groups(separated: Bools) -> list[list[int]]:
    """Largest sets of models of which no two are separated, in the models' order.

    By insertion and absorption (H.-P. Piepho (2004), Journal of Computational and Graphical
    Statistics 13, 456-466): a set that holds two models that are separated is split into one
    without the first and one without the second.
    """
    cliques = [frozenset(range(len(separated)))]
    for first, second in np.argwhere(np.triu(separated, 1)).tolist():
        parts = []
        for group in cliques:
            pair_is_in = {first, second} <= group
            parts += [group - {first}, group - {second}] if pair_is_in else [group]
        cliques = [group for group in set(parts) if not any(group < larger for larger in parts)]
    return sorted(sorted(group) for group in cliques)


def equivalence(
    ranked: pd.DataFrame, pairs: Pairs, may_lead: Bools, settings: Settings
) -> Equivalence:
    """Test whether each of the top models is less than the margin behind the best of all.

    The best model and the top are not known beforehand. With v contenders and k in the top, each
    one-sided test is held to (1 - level)/(v - k + 1): against the one model that is truly best,
    no more than v - k + 1 models can stand wrongly in the top alone, and where more do all of them
    have to pass. Without a choice (v = k) this is the plain pair of one-sided tests.
    """
    k, margin, number = min(settings.k, len(ranked)), settings.margin, int(may_lead.sum())
    if margin is None:
        return Equivalence(NOT_ASKED, None, number, None, None)
    n_chosen = max(number - k + 1, 1)

    def p_value(margin: float) -> float:
        p = statistics_pairs.lead_p_values(pairs, ranked["score"], ranked["n_items"], margin, k)
        np.fill_diagonal(p, 0.0)
        return min(float(p[may_lead].max()) * n_chosen, 1.0)

    p = p_value(margin)
    equivalent = p <= 1 - settings.level
    return Equivalence(
        answer=EQUIVALENT if equivalent else NOT_SHOWN,
        margin=margin,
        contenders=number,
        p_value=p,
        within=_smallest(p_value, 1 - settings.level, margin),
    )


def headroom(ranked: pd.DataFrame, items: Items, may_lead: Bools, settings: Settings) -> Headroom:
    """Test whether the best true score reaches the ceiling.

    The leader's score is the highest of many, so that its lower bound is held to the level over all
    contenders; the upper bound is the highest of theirs. Bounds of shares are exact (Clopper and
    Pearson), for other errors with the number of items that the error stands for (Korn and Graubard
    1998, Survey Methodology 24, 193-201).
    """
    if settings.ceiling is None:
        return Headroom(NOT_ASKED, None, None, None, None)
    wrong = 1 - settings.level
    within = ranked[may_lead]
    level = wrong / max(len(within), 1)
    lower = _bound(within.head(1), items, level, upper=False).max()
    upper = _bound(within, items, wrong, upper=True).max()
    answer = UNCLEAR
    if lower >= settings.ceiling:
        answer = NONE
    elif upper < settings.ceiling:
        answer = LEFT
    status = judge_headroom(ranked["score"].max(), lower, settings.ceiling)
    return Headroom(answer, settings.ceiling, lower, upper, status)


def index(estimates: pd.DataFrame, items: Items, settings: Settings) -> Index:
    """Compute S with its interval, the resulting decision, and the gap of equal models.

    The index is the plateau paper's, with each model's own error in place of the binomial one (the
    same where that is the binomial one). Without n only alpha = 1 is possible. Arguments are those
    of :func:`frontier`.
    """
    board = estimates[estimates["standard_error"] > 0].reset_index(drop=True)
    last = min(settings.k, len(board)) - 1
    matrix, clusters = items
    # Numbers in the names' order: every pair and level looks the clusters up anew.
    items = matrix, pd.Series(pd.factorize(clusters, sort=True)[0], clusters.index)
    pair = _pair(board, last, items, settings.level)
    alpha = settings.alpha if _sized(board, last) else 1.0
    scale = _scale(board, last, alpha)
    value = _value(pair.gap, scale)
    (s_1, s_k), (n_1, n_k) = (board[name][[0, last]] for name in ("score", "n_items"))

    def limits(level: float) -> tuple[Floats, Floats]:
        if pair.method == "newcombe":
            return interval_of_proportions(s_1, s_k, n_1, n_k, alpha, level)
        wider = _pair(board, last, items, level)
        return index_limits(wider.lower, wider.upper, scale, scale)

    lower, upper = limits(settings.level)
    separate = _separate_errors(board, items, pair.items)
    on_items = np.isfinite(pair.items)
    return Index(
        k=last + 1,
        alpha=alpha,
        s_1=s_1,
        s_k=s_k,
        s_index=value,
        bin=str(saturation_bin(value, settings.edges)),
        first=board["model"][0],
        kth=board["model"][last],
        gap=pair.gap,
        lower=float(lower),
        upper=float(upper),
        method=pair.method,
        first_and_kth=str(decision(limits, last + 1, settings.saturated_from, settings.level)),
        threshold=settings.saturated_from,
        all_equal=_all_equal(board, last + 1, pair.gap, separate, matrix),
        implied_alpha=standard_errors.implied_alpha(s_1, s_k, pair.error, pair.items)
        if on_items
        else None,
        s_index_measured=_value(pair.gap, pair.error + EPSILON) if on_items else None,
        grid=_grid(board, items, settings),
    )


def _difference(
    models: pd.DataFrame,
    pairs: Pairs,
    adjusted: Floats,
    pair: tuple[int, int],
    settings: Settings,
) -> Difference:
    """Return the distance of a pair's second model to its first."""
    lower, upper = _interval(models, pairs, pair, settings)
    return Difference(
        model=models["model"][pair[1]],
        method=METHODS[pairs.method[pair]],
        items=_whole(pairs.items[pair]),
        difference=pairs.difference[pair],
        standard_error=pairs.standard_error[pair],
        p_value=pairs.p_value[pair],
        only_leader=_whole(pairs.wins[pair]),
        only_model=_whole(pairs.wins[pair[::-1]]),
        p_adjusted=adjusted[pair],
        lower=lower,
        upper=upper,
    )


def _abstains(pairs: Pairs, settings: Settings) -> str | None:
    """Return why no two of the top models could be separated, whatever the responses, or None."""
    k = min(settings.k, len(pairs.difference))
    if not (pairs.method[0, 1:k] == CLUSTERED_T).all():
        return None
    degrees, clusters = (part[0, 1:k].max() for part in (pairs.degrees, pairs.clusters))
    if degrees < standard_errors.FEWEST_DEGREES:
        return (
            f"nothing is known of the error over clusters of so unequal size ({clusters:.0f}, "
            f"{degrees:.1f} degrees of freedom); add clusters, not items within them"
        )
    if np.exp2(1 - clusters) * k * (k - 1) / 2 > 1 - settings.level:
        return (
            f"{clusters:.0f} clusters cannot separate any two of {k} models at this level; add "
            "clusters, not items within them"
        )
    return None


def _whole(items: float) -> int | None:
    return None if np.isnan(items) else int(items)


def _interval(
    models: pd.DataFrame, pairs: Pairs, pair: tuple[int, int], settings: Settings
) -> tuple[float, float]:
    """Return the interval of the gap of two models.

    Newcombe's for independent proportions, else Student's. Differences of bounded scores lie within
    -1 and 1, and where those over items are all the same, their limits are those of items that were
    not drawn.
    """
    level = settings.level
    gap, error = pairs.difference[pair], pairs.standard_error[pair]
    if pairs.method[pair] == POOLED_Z:
        (a, b), (n_a, n_b) = models["score"].iloc[[*pair]], models["n_items"].iloc[[*pair]]
        return intervals.newcombe(a * n_a, n_a, b * n_b, n_b, level)
    degrees = pairs.degrees[pair]
    by_items = pairs.method[pair] in (CLUSTERED_T, MCNEMAR)
    if by_items and (error == 0 or degrees < standard_errors.FEWEST_DEGREES):
        return intervals.constant(gap, degrees + 1, level)
    half = intervals.t_quantile(degrees, level) * error
    lower, upper = gap - half, gap + half
    if by_items or _bounded(models, settings):
        return max(lower, -1.0), min(upper, 1.0)
    return lower, upper


@dataclass(frozen=True)
class _Pair:
    """The signed gap of the leader and another model, as in :class:`Index`.

    `items` both answered; NaN where scores are compared.
    """

    gap: float
    error: float
    lower: float
    upper: float
    method: str
    items: float


def _pair(board: pd.DataFrame, place: int, items: Items, level: float) -> _Pair:
    """Return the leader and the model at a place, on their shared items if possible."""
    gap = board["score"][0] - board["score"][place]
    error = np.hypot(board["standard_error"][0], board["standard_error"][place])
    names = list(board["model"][[0, place]])
    matrix, clusters = items
    if set(names) <= set(matrix.columns):
        shared = matrix[names].dropna()
        groups = clusters.loc[shared.index]
        # One cluster says nothing about variation between clusters, no shared item about anything.
        if len(groups.unique()) > 1:
            return _paired(shared.to_numpy(), groups, error, level)
    sources = set(board["error_source"][[0, place]])
    method = "newcombe" if sources == {"binomial"} else "normal"
    return _Pair(gap, error, *intervals.normal(gap, error, level), method, np.nan)


def _paired(both: Floats, groups: pd.Series, independent: float, level: float) -> _Pair:
    difference = both[:, 0] - both[:, 1]
    n, gap = len(difference), difference.mean()
    if groups.nunique() == n and right_or_wrong(both).all():
        lower, upper = intervals.paired_proportions(
            (difference > 0).sum(), (difference < 0).sum(), n, level
        )
        error = (upper - lower) / (2 * intervals.normal_quantile(level))
        return _Pair(gap, error, lower, upper, "paired_adjusted", n)
    error, degrees, _ = standard_errors.mean_error(difference, groups)
    if not error > 0 or degrees < standard_errors.FEWEST_DEGREES:
        # The same difference on every item leaves no sign of its error but the models' own.
        limits = intervals.normal(gap, independent, level)
        return _Pair(gap, independent, *limits, "normal", n)
    half = intervals.t_quantile(degrees, level) * error
    return _Pair(gap, error, gap - half, gap + half, "paired_t", n)


def _separate_errors(board: pd.DataFrame, items: Items, pair_items: float) -> Floats:
    """Each model's error apart from what all share; its own where there are no shared items."""
    stated = board["standard_error"].to_numpy(float)
    matrix, clusters = items
    if len(board) < 3 or not set(board["model"]) <= set(matrix.columns):
        return stated
    shared = matrix[list(board["model"])].dropna()
    groups = clusters.loc[shared.index]
    if groups.nunique() < 2 or not len(shared) >= LEAST_SHARED * pair_items:
        return stated
    separate = standard_errors.separate_errors(shared.to_numpy(), groups.to_numpy())
    return np.maximum(separate, LEAST_SEPARATE * stated)


def _all_equal(
    board: pd.DataFrame, k: int, gap: float, separate: Floats, matrix: pd.DataFrame
) -> AllEqual:
    errors = board["standard_error"].to_numpy(float)
    score = board["score"].mean()
    dependence = np.clip(1 - np.mean(separate**2) / np.mean(errors**2), 0, 1)
    sizes, sources = board["n_items"], set(board["error_source"])
    is_binomial = sources == {"binomial"} or (sources == {"items"} and right_or_wrong(matrix).all())
    if is_binomial and len(set(sizes)) == 1 and sizes[0] <= MOST_COUNTED and sizes[0] % 1 == 0:
        law, n = "binomial", int(sizes[0])
        equal = EqualModels.binomial(k, len(board), n, min(max(score, 0.0), 1.0), dependence)
    else:
        law = "normal"
        error = np.sqrt(np.mean(errors**2))
        equal = EqualModels.normal(k, len(board), error, dependence)
    p_value = float(equal.p_value(max(gap, 0.0)))
    return AllEqual(len(board), score, dependence, law, equal.mean(), p_value)


def _value(gap: float, scale: float) -> float:
    return float(index_limits(gap, gap, scale, scale)[0])


def _sized(board: pd.DataFrame, place: int) -> bool:
    """Check whether both models' numbers of items are known."""
    return bool(np.isfinite(board["n_items"][[0, place]]).all())


def _scale(board: pd.DataFrame, place: int, alpha: float) -> float:
    """Denominator of R_norm: the independent error of the gap, each model's at n^alpha items."""
    models = board.iloc[[0, place]]
    errors = models["standard_error"]
    if alpha < 1:  # at alpha = 1 n may be missing
        errors = errors * models["n_items"] ** ((1 - alpha) / 2)
    return math.hypot(*errors) + EPSILON


def _grid(board: pd.DataFrame, items: Items, settings: Settings) -> list[GridCell]:
    cells = []
    for k in settings.k_grid:
        if k > len(board):
            continue
        gap = _pair(board, k - 1, items, settings.level).gap
        for alpha in settings.alpha_grid if _sized(board, k - 1) else (1.0,):
            scale = _scale(board, k - 1, alpha)
            value = _value(gap, scale)
            cells.append(GridCell(k, alpha, value, str(saturation_bin(value, settings.edges))))
    return cells


def _smallest(p_value: Callable[[float], float], wrong: float, margin: float) -> float | None:
    """Smallest margin whose p-value is low enough, by halving; None if none is that is searched."""
    # Shares lie within 1 of each other; in points, ten times what matters is far.
    low, high = 0.0, 1 - 1e-9 if margin < 1 else 10 * margin
    if p_value(high) > wrong:
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if p_value(middle) <= wrong else (middle, high)
    return high


def _bound(models: pd.DataFrame, items: Items, wrong: float, *, upper: bool) -> Floats:
    """One-sided bounds of true scores."""
    score = models["score"].to_numpy(float)
    n = _effective(models, items, wrong)
    # An upper bound of right answers is a lower bound of wrong ones.
    share = np.clip(1 - score if upper else score, 0, 1)
    count = share * n
    with np.errstate(invalid="ignore"):
        exact = np.where(count > 0, special.betaincinv(count, n - count + 1, wrong), 0.0)
    reach = special.ndtri(1 - wrong) * models["standard_error"].to_numpy(float)
    if upper:
        return np.where(np.isfinite(n), 1 - exact, score + reach)
    return np.where(np.isfinite(n), exact, score - reach)


def _effective(models: pd.DataFrame, items: Items, wrong: float) -> Floats:
    """Compute the number of independent right or wrong answers equivalent to each model's error."""
    matrix, clusters = items
    score, error = (models[name].to_numpy(float) for name in ("score", "standard_error"))
    # A score at either end has no variance to compare with its error.
    n = models["n_items"].to_numpy(float)
    inside = (score > 0) & (score < 1) & (error > 0)
    n = np.where(inside, score * (1 - score) / np.where(inside, error, 1.0) ** 2, n)
    codes = pd.factorize(clusters.reindex(matrix.index))[0]
    for place, (name, source) in enumerate(zip(models["model"], models["error_source"])):
        if name in matrix.columns:
            n[place] = _count_items(matrix[name].to_numpy(float), codes, n[place], wrong)
        elif source == "binomial":
            n[place] = models["n_items"].iloc[place]
    return n


def _count_items(values: Floats, clusters: Places, by_error: float, wrong: float) -> float:
    """Return a model's effective number of responses: fewer where clustered or graded."""
    is_answered = ~np.isnan(values)
    answered = values[is_answered]
    error, degrees, effective = standard_errors.mean_error(answered, clusters[is_answered])
    if effective == len(answered) and right_or_wrong(answered).all():
        return len(answered)
    if not error > 0 or degrees < standard_errors.FEWEST_DEGREES:
        return effective
    # What a t quantile takes for an error from few values.
    reach = special.stdtrit(degrees, 1 - wrong)
    return by_error * (special.ndtri(1 - wrong) / reach) ** 2 if reach > 0 else by_error
