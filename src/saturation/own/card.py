"""The saturation card of one benchmark: a coarse verdict, its date, its reason and its basis."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from saturation.errors import InputError
from saturation.files.tables import records
from saturation.leaderboard import entries, verdict
from saturation.leaderboard.names import bounded
from saturation.leaderboard.top import Difference, Frontier, Settings, frontier
from saturation.own.imports import ImportRecord
from saturation.pages import templates
from saturation.statistics import intervals, standard_errors
from saturation.statistics.intervals import agreement
from saturation.statistics.standard_errors import right_or_wrong

if TYPE_CHECKING:
    from saturation.adaptive.fit import Fit


# What a card holds. A part that cannot be had says why: it is an :class:`Abstention`.

# A row of a monthly table; what is missing is None.
Row = dict[str, float | int | str | None]


@dataclass(frozen=True)
class Abstention:
    """Why a part of the card is not given."""

    abstains: str


@dataclass(frozen=True)
class FewItems:
    """A model that is not ranked, because it answered too few of the items."""

    model: str
    score: float
    n_items: float
    coverage: float


@dataclass(frozen=True)
class DeadItems:
    """Items on which no two models differ, of all that two models or more answered."""

    items: int
    solved_by_all: int
    solved_by_none: int


@dataclass(frozen=True)
class Data:
    """What the card rests on.

    Parameters
    ----------
    apart
        Models that are not ranked.
    remarks
        What was left out or is doubtful, in sentences.
    """

    family: str
    n_models: int
    n_ranked: int
    n_items: int | None
    item_responses: int
    error_sources: list[str]
    least_coverage: float
    apart: list[FewItems]
    dead_items: DeadItems | None
    remarks: list[str]


@dataclass(frozen=True)
class Judged:
    """A verdict with its basis; without `frontier` nothing could be tested.

    Parameters
    ----------
    error_rate
        Of each answer, in leaderboards.
    """

    benchmark: str
    data: Data
    frontier: Frontier | None
    verdict: str
    reason: str
    explanation: str
    error_rate: float | None
    p_saturated: float | None


@dataclass(frozen=True)
class Information:
    """Fisher information of the test at the ability of the best model.

    Parameters
    ----------
    ability_se
        Standard error of an ability there.
    items_with_half
        How many items carry half of the information.
    """

    ability: float
    information: float
    ability_se: float
    highest_information: float
    share_of_highest: float
    items_with_half: int
    n_items: int
    abstains: None = None


@dataclass(frozen=True)
class Suspect:
    """An item that abler models fail more often."""

    item: str
    signed_slope: float
    slope_z: float
    p_adjusted: float
    share_right: float


@dataclass(frozen=True)
class Suspects:
    """Items with a negative slope, significant ones, and the lowest slopes."""

    n_suspects: int
    n_negative: int
    lowest: list[Suspect]
    abstains: None = None


@dataclass(frozen=True)
class Items:
    """What the item response model says.

    Parameters
    ----------
    guessing
        That a floor of guessing is used; empty if not.
    doubt
        Why the model should not be believed; empty if nothing is wrong.
    """

    guessing: str
    doubt: str
    information: Information | Abstention
    suspects: Suspects | Abstention


@dataclass(frozen=True)
class ModelConsistency:
    """How often a model scores alike on an item in all configurations, beside chance."""

    model: str
    n_configurations: int
    n_items: int
    consistency: float
    chance: float
    lowest_mean: float
    highest_mean: float


@dataclass(frozen=True)
class Consistency:
    """Of each model with at least two configurations."""

    models: list[ModelConsistency]
    abstains: None = None


@dataclass(frozen=True)
class EarlierDate:
    """What the card would have said on a date.

    Parameters
    ----------
    gap
        Of the first and the k-th model.
    tied
        Number of models, the first among them.
    """

    date: str
    n_models: int
    verdict: str
    reason: str
    first: str
    score: float
    gap: float
    tied: int


@dataclass(frozen=True)
class Earlier:
    """The verdict at earlier dates; `undated` models are left out."""

    undated: int
    dates: list[EarlierDate]
    abstains: None = None


@dataclass(frozen=True)
class Trend:
    """Slope of a monthly measure, per month, with its interval."""

    slope: float
    lower: float
    upper: float


@dataclass(frozen=True)
class History:
    """The months of a leaderboard.

    Parameters
    ----------
    months
        Rows of the monthly table.
    bdi_change
        From the first month to the last, see
        :func:`saturation.discriminability.windows.from_first`.
    bdi_decline
        From the peak month to the last.
    retirement
        The three criteria in the last month, and whether it is ``due``.
    projection
        Ceiling of the best score with its interval and ``r_squared``, where there is one, and why
        it ``abstains``.
    """

    months: list[Row]
    bdi_change: Row
    trends: dict[str, Trend]
    bdi_decline: float
    retirement: dict[str, bool]
    projection: Row
    abstains: None = None


@dataclass(frozen=True)
class Reached:
    """The best score from a date on."""

    date: str
    best: float


@dataclass(frozen=True)
class Fan:
    """Quantiles of the best score on a date to come."""

    date: str
    q10: float
    q25: float
    q50: float
    q75: float
    q90: float


@dataclass(frozen=True)
class When:
    """Months until something is reached, the central 80 %; None beyond two years."""

    reached_already: bool
    earliest: float | None
    median: float | None
    latest: float | None
    not_in_two_years: float


@dataclass(frozen=True)
class TopWhen(When):
    """Of the top, which may abstain for itself."""

    abstains: None = None


@dataclass(frozen=True)
class Outlook:
    """The next two years of a benchmark.

    Parameters
    ----------
    used_up, top
        When the range is used up, and when the index calls the top indistinguishable.
    """

    origin: str
    known: list[Reached]
    months: list[Fan]
    used_up: When
    top: TopWhen | Abstention
    sentences: list[str]
    abstains: None = None


@dataclass(frozen=True)
class Summary:
    """The few values that continuous integration needs.

    Parameters
    ----------
    stale
        Why an earlier card stands.
    """

    benchmark: str
    verdict: str
    reason: str
    p_saturated: float | None
    s_index: float | None
    observed_on: str
    n_models: int
    n_items: int | None
    tied_at_top: int | None
    synthetic: bool
    stale: str | None


@dataclass(frozen=True)
class Card(Judged):
    """The saturation card of one benchmark.

    Parameters
    ----------
    imported
        What was read; ``import`` in the written card.
    stale
        Why the files could not be read again, where this is an earlier card.
    outlook
        None until :func:`saturation.own.outlook.forecast` has given it.
    earlier_cards
        Those of earlier dates that it takes the place of, the oldest first.
    """

    observed_on: str
    released: str | None
    synthetic: bool
    earlier: Earlier | Abstention
    history: History | Abstention
    items: Items
    consistency: Consistency | Abstention
    imported: ImportRecord
    outlook: Outlook | Abstention | None = None
    stale: list[str] | None = None
    earlier_cards: list[Summary] = field(default_factory=list)

    @property
    def summary(self) -> Summary:
        """One flat record."""
        top = self.frontier
        return Summary(
            benchmark=self.benchmark,
            verdict=self.verdict,
            reason=self.reason,
            p_saturated=self.p_saturated,
            s_index=top.index.s_index if top else None,
            observed_on=self.observed_on,
            n_models=self.data.n_models,
            n_items=self.data.n_items,
            tied_at_top=len(top.deciding[1].group) if top else None,
            synthetic=self.synthetic,
            stale="; ".join(self.stale or []) or None,
        )


# What item responses say beyond the mean: information at the frontier, suspects, consistency.

# A two-parameter model has two unknowns an item: fewer models than this leave them to the prior.
FEWEST_MODELS = 8
MOST_SUSPECTS = 20


def measurement(matrix: pd.DataFrame, level: float) -> Items:
    """What the items still measure at the top, and which look wrongly labelled, by a 2PL model.

    Where a floor of guessing predicts answers held out better, by the model with this floor.

    Parameters
    ----------
    matrix
        Items by models, responses 0 or 1, missing where a model did not answer.
    level
        Confidence level of the family of tests of suspects.
    """
    if reason := _why_not(matrix):
        return Items("", "", Abstention(reason), Abstention(reason))
    from saturation.adaptive import model as item_model
    from saturation.adaptive.fit import fit
    from saturation.adaptive.misfit import believed, doubt, or_without

    responses = matrix.T.fillna(item_model.MISSING).to_numpy().astype(np.int8)
    try:
        guessing, fitted = or_without(
            believed(responses, "own"), lambda floor: fit(responses, "positive", floor)
        )
    except InputError as error:
        abstention = Abstention(str(error))
        return Items("", "", abstention, abstention)
    models = [str(model) for model in matrix.columns]
    return Items(
        guessing=guessing.said(),
        doubt=doubt(responses, models, "own", floor=guessing.value),
        information=information(fitted),
        suspects=suspects(responses, fitted, matrix.index, level),
    )


def information(fitted: "Fit") -> Information:
    """Fisher information of the test where the best model stands."""
    from saturation.adaptive import model as item_model

    best = float(fitted.ability.max())
    # Up to the best model, which stands last.
    grid = np.linspace(fitted.ability.min(), best, 61)
    by_ability = item_model.information(
        grid, fitted.discrimination, fitted.difficulty, fitted.floor
    )
    over_range, by_item = by_ability.sum(axis=1), by_ability[-1]
    at_best = float(by_item.sum())
    shares = np.sort(by_item)[::-1].cumsum() / at_best
    return Information(
        ability=best,
        information=at_best,
        ability_se=float(1 / np.sqrt(at_best)),
        highest_information=float(over_range.max()),
        share_of_highest=float(at_best / over_range.max()),
        items_with_half=int(np.searchsorted(shares, 0.5) + 1),
        n_items=len(by_item),
    )


def suspects(responses: np.ndarray, fitted: "Fit", names: pd.Index, level: float) -> Suspects:
    """Items that abler models get wrong and weaker ones right: candidates for a wrong label.

    The slope of each item, free in sign, as :func:`saturation.adaptive.frontier.items` has it;
    a suspect's slope is below 0 at the given one-sided level after Holm's adjustment. The lowest
    slopes are listed in any case, for reading.

    Parameters
    ----------
    responses
        0, 1 or missing, shape (models, items).
    fitted
        Fit of the same responses.
    names
        The items' names, shape (items,).
    level
        Confidence level of the family of tests.
    """
    from saturation.adaptive.frontier import items

    table = items(responses, fitted.ability).assign(item=names.astype(str)).dropna(
        subset=["slope_z"]
    )  # fmt: skip
    adjusted = intervals.holm(scipy.special.ndtr(table["slope_z"].astype(float)))
    ordered = table.assign(p_adjusted=adjusted).sort_values(["slope_z", "item"])
    lowest = ordered[ordered["signed_slope"] < 0].head(MOST_SUSPECTS)
    columns = ["item", "signed_slope", "slope_z", "p_adjusted", "share_right"]
    return Suspects(
        n_suspects=int((adjusted <= 1 - level).sum()),
        n_negative=int((table["signed_slope"] < 0).sum()),
        lowest=[Suspect(**row) for row in records(lowest[columns])],
    )


def consistency(responses: pd.DataFrame) -> Consistency | Abstention:
    """How often a model scores alike on an item in all configurations, beside chance.

    Output consistency of the robustness study, on scores: the share of items on which all
    configurations agree; the baseline is the exact chance agreement of independent configurations
    with each item at the model's mean.
    """
    if responses.empty or responses["configuration"].nunique() < 2:
        return Abstention("no item responses in more than one configuration")
    tables = {
        str(model): answers.pivot_table(
            index="item", columns="configuration", values="response"
        ).dropna()
        for model, answers in responses.groupby("model", sort=True)
    }
    models = [
        _consistency(model, table)
        for model, table in tables.items()
        if table.shape[1] > 1 and not table.empty
    ]
    if not models:
        return Abstention("no model has the same items in two configurations")
    return Consistency(models)


def _consistency(model: str, table: pd.DataFrame) -> ModelConsistency:
    """One model's consistency, from its responses by item and configuration, none missing."""
    from saturation.robustness.consistency import example_measures

    score = table.to_numpy().ravel()
    examples = example_measures(
        pd.DataFrame(
            {
                "model": pd.Categorical([model] * len(score)),
                "dataset": pd.Categorical(["own"] * len(score)),
                "example_id": pd.Categorical(np.repeat(table.index, table.shape[1])),
                "answer": pd.Categorical(score),
                "score": score,
                "reference": True,
            }
        )
    )
    means = table.mean(axis=0)
    return ModelConsistency(
        model=model,
        n_configurations=table.shape[1],
        n_items=len(table),
        consistency=float(examples["consistent"].mean()),
        chance=float(agreement(examples["performance"].mean(), table.shape[1])),
        lowest_mean=float(means.min()),
        highest_mean=float(means.max()),
    )


def _why_not(matrix: pd.DataFrame) -> str | None:
    if matrix.shape[1] < FEWEST_MODELS:
        return f"{matrix.shape[1]} models with item responses; {FEWEST_MODELS} are needed"
    if not right_or_wrong(matrix).all():
        return "responses are not 0 or 1"
    if len(set(matrix.mean(axis=0))) == 1:
        return "all models answer alike"
    return None


# The numbers that maintainers of a leaderboard ask for, under fixed names.


def numbers(card: Judged) -> dict[str, Any]:
    """Verdict, ties, ranks, top pair, dead items and what the items can show.

    Returns
    -------
    dict
        Plain values; None where nothing can be said, also where no number of items would do.
    """
    found: dict[str, Any] = {
        "verdict": card.verdict,
        "reason": card.reason,
        "error_rate": card.error_rate,
        "dead_items": card.data.dead_items and asdict(card.data.dead_items),
    }
    parts = ("groups", "tie_group", "rank_intervals", "top_pair", "alike_within", "headroom",
             "minimum_detectable_difference", "items_needed")  # fmt: skip
    frontier = card.frontier
    if frontier is None:
        return found | dict.fromkeys(parts)
    power, headroom = frontier.power, frontier.answers.headroom
    apart, same = frontier.answers.resolution, frontier.answers.equivalence
    _, best = frontier.deciding
    return found | {
        "groups": apart.groups,
        "tie_group": best.group,
        "rank_intervals": [
            {"model": model.model, "best_rank": model.best_rank, "worst_rank": model.worst_rank}
            for model in frontier.models
        ],
        "top_pair": _top_pair(frontier.models[0].model, best.with_leader[0]),
        "alike_within": same.within,
        "headroom": {
            "ceiling": headroom.ceiling, "lower": headroom.lower, "upper": headroom.upper
        },
        "minimum_detectable_difference": {
            "named_pair": _known(power.minimum_detectable_difference),
            "all_pairs": _known(apart.minimum_detectable_difference),
        },
        "items_needed": {
            "present": _known(power.n_items),
            "top_two": _known(power.items_for_top_two),
            "top_k": _known(power.items_for_top_k),
            "any_pair": _known(apart.items_for_any),
            "every_pair": _known(apart.items_for_all),
            "alike": _known(same.items_for_alike),
        },
    }  # fmt: skip


def _top_pair(first: str, second: Difference) -> dict[str, Any]:
    wins, losses = second.only_leader, second.only_model
    return {
        "first": first,
        "second": second.model,
        "difference": _known(second.difference),
        "lower": _known(second.lower),
        "upper": _known(second.upper),
        "p_value": _known(second.p_value),
        "p_adjusted": _known(second.p_adjusted),
        "items": second.items,
        "only_first": wins,
        "only_second": losses,
        "discordant_items": None if wins is None or losses is None else wins + losses,
    }


def _known(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


# The verdict.


def dead_items(matrix: pd.DataFrame) -> DeadItems | None:
    """How many items tell no two models apart, because all solved them or none did.

    Parameters
    ----------
    matrix
        Responses in [0, 1], items by ranked models; items that fewer than two models answered do
        not count. None without responses.
    """
    answered = matrix[matrix.notna().sum(axis=1) > 1]
    if answered.empty:
        return None
    return DeadItems(
        items=len(answered),
        solved_by_all=int((answered.min(axis=1) == 1).sum()),
        solved_by_none=int((answered.max(axis=1) == 0).sum()),
    )


def settings_of(declared: Mapping[str, Any], settings: Settings) -> Settings:
    """Settings for a benchmark, in the unit of its scores.

    Parameters
    ----------
    declared
        The benchmark's entry in the config: ``family`` and, optionally, ``meaningful_difference``
        in place of the margin, and ``label_noise``, the share of items whose label is known to be
        wrong, by which the ceiling is lower.
    """
    margin, ceiling = settings.margin, settings.ceiling
    if not bounded(declared["family"]):
        margin, ceiling = None, None
    elif ceiling is not None:
        ceiling -= declared.get("label_noise") or 0.0
    return replace(
        settings, margin=declared.get("meaningful_difference") or margin, ceiling=ceiling
    )


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: Settings,
) -> Judged:
    """The card without its history and item sections: data, frontier, verdict.

    Parameters
    ----------
    scores, responses
        As :mod:`saturation.leaderboard.read.tidy` gives them; either may be empty.
    declared
        The benchmark's entry in the config, see :func:`settings_of`.
    """
    family, chosen = declared["family"], settings_of(declared, settings)
    least = chosen.least_coverage
    counted = entries.select(scores, responses, least)
    matrix, clusters = standard_errors.item_matrix(counted.responses)
    estimates = standard_errors.estimates(counted.scores, matrix, clusters, family, chosen.level)
    covered, n_items = entries.coverage(estimates, matrix)
    estimates = estimates.assign(coverage=covered)
    # A model whose number of items nobody knows is ranked.
    ranked = estimates[~(covered < least)]
    few = estimates[covered < least]
    data = Data(
        family=family,
        n_models=len(estimates),
        n_ranked=len(ranked),
        n_items=None if np.isnan(n_items) else int(n_items),
        item_responses=len(responses),
        error_sources=sorted(ranked["error_source"].unique()),
        least_coverage=least,
        apart=[FewItems(**row) for row in records(few[["model", "score", "n_items", "coverage"]])],
        dead_items=dead_items(matrix.loc[:, matrix.columns.isin(ranked["model"])]),
        remarks=counted.remarks + entries.unshared(estimates, matrix) + _floor(ranked, family),
    )
    if reason := unusable(ranked, chosen.k):
        unknown = verdict.Verdict("undetermined", reason)
        return Judged(benchmark, data, None, *_words(unknown), error_rate=None, p_saturated=None)
    top = frontier(ranked, matrix, clusters, chosen)
    return Judged(
        benchmark,
        data,
        top,
        *_words(verdict.judge(top.answers, top.deciding[1].abstains)),
        error_rate=round(1 - chosen.level, 12),
        p_saturated=top.index.p_saturated,
    )


def _words(reached: verdict.Verdict) -> tuple[str, str, str]:
    return reached.verdict, reached.reason, reached.explanation


def _floor(ranked: pd.DataFrame, family: str) -> list[str]:
    """A board on which nobody scores is too hard, or broken; its models are alike for that."""
    if not bounded(family) or ranked.empty or ranked["score"].max() > 0:
        return []
    return ["no model scores above 0: the items are too hard for all of them, or scored wrongly"]


def unusable(estimates: pd.DataFrame, k: int) -> str | None:
    """Why the top cannot be judged: too few models, or errors that nobody knows; else None.

    Parameters
    ----------
    estimates
        Scores with errors, best first.
    k
        Number of top models that are judged.
    """
    if len(estimates) < k:
        return "too_few_models"
    if estimates["standard_error"].head(k).isna().any():
        return "metric_not_accuracy_like"
    return None


# What the card would have said at earlier dates of the data: verdict, gap and ties.

# Dates that are judged, the last among them: enough for a course, few enough for large boards.
MOST_DATES = 8
FEWEST_DATES = 2


def earlier(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: Settings,
) -> Earlier | Abstention:
    """The card's verdict on the evaluations up to each of some dates, as the card itself has it.

    A date is the last of its month on which something was evaluated. Of item responses only a
    model's latest are known, so that a model counts from their date on.
    """
    tables = [_dated(scores), _dated(responses)]
    known = sorted({str(date) for table in tables for date in table["date"].unique()})
    if len(known) < FEWEST_DATES:
        return Abstention(f"{templates.counted(len(known), 'date')} of evaluations")
    rows = []
    for date in _chosen(known):
        scored, answered = (table[table["date"].astype(str) <= date] for table in tables)
        made = assemble(benchmark, scored, answered, declared, settings)
        if made.frontier is not None:
            rows.append(_row(date, made, made.frontier))
    if len(rows) < FEWEST_DATES:
        return Abstention(
            f"{templates.counted(len(rows), 'date')} by which enough models for a verdict had been "
            "evaluated"
        )
    models = [set(table["model"].unique()) for table in (scores, responses)]
    dated = [set(table["model"].unique()) for table in tables]
    return Earlier(undated=len(set.union(*models) - set.union(*dated)), dates=rows)


def _dated(table: pd.DataFrame) -> pd.DataFrame:
    if "date" not in table:
        return table.assign(date="").iloc[:0]
    return table[(table["date"].notna() & (table["date"] != "")).to_numpy()]


def _chosen(dates: list[str]) -> list[str]:
    """The last date of each month; of many months some, evenly, with the first and the last."""
    ends = list({date[:7]: date for date in dates}.values())
    if len(ends) == 1:
        ends = [dates[0], dates[-1]]
    places = np.linspace(0, len(ends) - 1, min(len(ends), MOST_DATES)).round().astype(int)
    return [ends[place] for place in places]


def _row(date: str, made: Judged, frontier: Frontier) -> EarlierDate:
    return EarlierDate(
        date=date,
        n_models=made.data.n_ranked,
        verdict=made.verdict,
        reason=made.reason,
        first=frontier.models[0].model,
        score=frontier.models[0].score,
        gap=frontier.index.gap,
        tied=len(frontier.deciding[1].group),
    )
