"""Saturation card of a benchmark: a coarse verdict, its date, its reason and its basis."""

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from saturation.arrays import PlainNumbers
from saturation.errors import InputError, list_first
from saturation.files.tables import records
from saturation.leaderboard import entries, runs, verdict
from saturation.leaderboard.names import RATER, bounded
from saturation.leaderboard.runs import Elsewhere, Runs
from saturation.leaderboard.top import Frontier, Settings, frontier
from saturation.own.imports import ImportRecord
from saturation.pages import templates
from saturation.planning.config import Config
from saturation.statistics import standard_errors
from saturation.statistics.intervals import agreement
from saturation.statistics.pairs import Pairs

if TYPE_CHECKING:
    from saturation.adaptive.fit import Fit

# A row of a monthly table; what is missing is None.
Row = dict[str, float | int | str | None]

# A two-parameter model has two unknowns an item: fewer models than this leave them to the prior.
FEWEST_MODELS = 8
# Dates that are judged, the last among them: enough for a course, few enough for large boards.
MOST_DATES = 8
FEWEST_DATES = 2
MOST_LISTED = 5  # models whose scores no test compares
LEFT_OUT = "left out, for with so many answers they take longer than all else; --items adds them"


@dataclass(frozen=True)
class Abstention:
    """Reason why a part of the card is absent."""

    abstains: str


@dataclass(frozen=True)
class FewItems:
    """Model that is not ranked, because the model answered too few of the items."""

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
    """Data behind the card."""

    family: str
    n_models: int
    n_ranked: int
    n_items: int | None
    item_responses: int
    error_sources: list[str]
    least_coverage: float
    unranked: list[FewItems]
    dead_items: DeadItems | None
    remarks: list[str]
    solved_by_all: list[str] = field(default_factory=list)  # names of the dead items
    solved_by_none: list[str] = field(default_factory=list)
    best: list[str] = field(default_factory=list)  # models with the highest score


@dataclass(frozen=True)
class Judged:
    """A verdict with its basis; without `frontier` nothing could be tested."""

    benchmark: str
    data: Data
    frontier: Frontier | None
    verdict: str
    reason: str
    explanation: str
    error_rate: float | None  # of each answer, in leaderboards

    @property
    def top(self) -> Frontier | None:
        """Return the frontier of models that are enough for a verdict."""
        return self.frontier if self.frontier and not self.frontier.pairs else None


@dataclass(frozen=True)
class Information(PlainNumbers):
    """Fisher information of the test at the ability of the best model."""

    ability: float
    information: float
    ability_se: float
    highest_information: float
    share_of_highest: float
    items_with_half: int  # how many items carry half of the information
    n_items: int
    abstains: None = None


@dataclass(frozen=True)
class Items:
    """Results of the item response model."""

    information: Information | Abstention
    guessing: str = ""  # that a floor of guessing is used; empty if not
    doubt: str = ""  # why the model should not be believed; empty if nothing is wrong


@dataclass(frozen=True)
class ModelConsistency(PlainNumbers):
    """Consistency of a model's scores on an item over configurations, beside chance."""

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
class Renewal:
    """Movement of gaps from the older half of the items to the newer half."""

    factor: float  # of the variance that items predict
    lower: float
    upper: float
    n_models: int
    labs: int
    detectable: float  # minimum detectable difference for a renewed set
    abstains: None = None


@dataclass(frozen=True)
class EarlierDate:
    """Verdict as of an earlier date."""

    date: str
    n_models: int
    verdict: str
    reason: str
    first: str
    score: float
    gap: float  # between the first and the k-th model
    tied: int  # number of models, the first among them


@dataclass(frozen=True)
class Earlier:
    """The verdict at earlier dates; `undated` models are left out."""

    undated: int
    dates: list[EarlierDate]
    abstains: None = None


@dataclass(frozen=True)
class Trend(PlainNumbers):
    """Slope of a monthly measure, per month, with its interval."""

    slope: float
    lower: float
    upper: float


@dataclass(frozen=True)
class History:
    """The months of a leaderboard."""

    months: list[Row]
    bdi_change: Row  # first month to last: saturation.discriminability.windows.change_from_first
    trends: dict[str, Trend]
    bdi_decline: float  # from the peak month to the last
    retirement: dict[str, bool]  # the three criteria in the last month, and whether it is `due`
    projection: Row  # ceiling of the best score and `r_squared`, or why it `abstains`
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
class Outlook:
    """The next year of a benchmark."""

    origin: str
    known: list[Reached]
    months: list[Fan]
    chance: float | None  # of 90 % of the range within a year; None where it has been reached
    sentences: list[str]
    abstains: None = None


@dataclass(frozen=True)
class Summary:
    """The few values that continuous integration needs."""

    benchmark: str
    verdict: str
    reason: str
    first_and_kth: str | None
    s_index: float | None
    observed_on: str
    n_models: int
    n_items: int | None
    tied_at_top: int | None
    synthetic: bool
    stale: str | None  # why an earlier card stands


@dataclass(frozen=True)
class Card(Judged):
    """Saturation card of a benchmark."""

    observed_on: str
    released: str | None
    synthetic: bool
    earlier: Earlier | Abstention
    history: History | Abstention
    items: Items
    consistency: Consistency | Abstention
    imported: ImportRecord  # `import` in the written card
    known_issues: str = ""  # documented label errors or contamination, with their source
    known_issues_source: str = ""
    score_range: list[float] | None = None  # of a metric that is printed on its own scale
    outlook: Outlook | Abstention | None = None  # saturation.own.outlook.forecast gives it
    runs: Runs | Elsewhere | Abstention | None = None
    renewal: Renewal | Abstention | None = None
    stale: list[str] | None = None  # why the files could not be read again
    earlier_cards: list[Summary] = field(default_factory=list)  # whose place it takes, oldest first

    @property
    def remarks(self) -> list[str]:
        """List remarks on scores and files for the card's reader."""
        left_out = self.items.information == Abstention(LEFT_OUT)
        first = [f"test information is {LEFT_OUT}"] if left_out else []
        return [*first, *self.data.remarks, *self.imported.remarks]

    @property
    def summary(self) -> Summary:
        """One flat record."""
        top = self.top
        return Summary(
            benchmark=self.benchmark,
            verdict=self.verdict,
            reason=self.reason,
            first_and_kth=top.index.first_and_kth if top else None,
            s_index=top.index.s_index if top else None,
            observed_on=self.observed_on,
            n_models=self.data.n_models,
            n_items=self.data.n_items,
            tied_at_top=len(top.deciding.group) if top else None,
            synthetic=self.synthetic,
            stale=f"files failed: {'; '.join(self.stale)}" if self.stale else None,
        )


def card_of(judged: Judged, declared: Config, observed_on: str, **parts: Any) -> Card:
    """Make a card of a verdict, of what is declared of the benchmark, and of the other parts."""
    return Card(
        **vars(judged),
        observed_on=observed_on,
        released=declared.get("released"),
        synthetic=bool(declared.get("synthetic", False)),
        known_issues=declared.get("known_issues") or "",
        known_issues_source=declared.get("known_issues_source") or "",
        **parts,
    )


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Config,
    settings: Settings,
) -> Judged:
    """Judge a benchmark: data, frontier and verdict of its card.

    Scores and responses are those of :mod:`saturation.leaderboard.read.tidy`; either may be empty.
    """
    family, scaled = declared["family"], _convert_margin(declared, settings)
    least = scaled.least_coverage
    counted = entries.select(scores, responses, least)
    items = standard_errors.item_matrix(counted.responses)
    matrix, _ = items
    estimates = standard_errors.estimates(counted.scores, *items, family, scaled.level)
    covered, n_items = entries.coverage(estimates, matrix)
    estimates = estimates.assign(coverage=covered)
    # A model whose number of items nobody knows is ranked.
    ranked = estimates[~(covered < least)]
    few = estimates[covered < least]
    remarks = [
        *counted.remarks,
        *entries.clustered(counted.responses),
        *entries.unshared(matrix),
        *entries.duplicates(matrix),
    ]
    if bounded(family) and not ranked.empty and ranked["score"].max() <= 0:
        # Models that all score 0 are equal because the items are too hard, or broken.
        remarks.append(
            "no model scores above 0: the items are too hard for all of them, or scored wrongly"
        )
    has_errors = ranked["standard_error"].notna().all()
    if len(ranked) == 1 and has_errors:
        remarks.append(_describe_alone(ranked.iloc[0], family))
    elif not has_errors:
        remarks.append(_list_scores(ranked, declared))
    dead, solved, missed = dead_items(matrix.loc[:, matrix.columns.isin(ranked["model"])])
    data = Data(
        family=family,
        n_models=len(estimates),
        n_ranked=len(ranked),
        n_items=None if np.isnan(n_items) else int(n_items),
        item_responses=len(responses),
        error_sources=sorted(ranked["error_source"].unique()),
        least_coverage=least,
        unranked=[
            FewItems(**row) for row in records(few[["model", "score", "n_items", "coverage"]])
        ],
        dead_items=dead,
        remarks=remarks,
        solved_by_all=solved,
        solved_by_none=missed,
        best=ranked["model"][ranked["score"] == ranked["score"].max()].tolist(),
    )
    return judge(benchmark, data, ranked, items, scaled)


def _describe_alone(model: pd.Series, family: str) -> str:
    """Write the score and interval of the only model."""
    numbers = [model[name] for name in ("score", "lower", "upper")]
    score, low, high = (templates.percent(x, 1) if bounded(family) else f"{x:g}" for x in numbers)
    return f"{model['model']}: {score} ({low} to {high})"


def _list_scores(ranked: pd.DataFrame, declared: Config) -> str:
    """Write the best scores, which no test compares, in the direction of the files."""
    shares, is_bounded = ranked["score"].to_numpy(), bounded(declared["family"])
    is_error = declared.get("higher_is_better") is False
    if is_error:
        shares = float(is_bounded) - shares
    limits = is_bounded and declared.get("score_range")
    low, high = limits or (0, 1)
    in_percent = is_bounded and not limits
    scale = partial(templates.percent, digits=2) if in_percent else "{:.6g}".format
    named = [
        f"{model} {scale(low + share * (high - low))}"
        for model, share in zip(ranked["model"], shares)
    ]
    direction = ", lower is better" if is_error else ""
    return f"best scores{direction}: {list_first(named, MOST_LISTED)}"


def judge(
    benchmark: str,
    data: Data,
    ranked: pd.DataFrame,
    items: standard_errors.Items,
    settings: Settings,
    tests: dict[str, Pairs] | None = None,
) -> Judged:
    """Judge ranked models by the answers about their top, unless a reason forbids a verdict.

    Arguments are those of :func:`saturation.leaderboard.top.frontier`. Too few models for a verdict
    still have pairs that can be tested, if all errors are known.
    """
    reason, top = unusable(ranked, settings.k), None
    has_errors = len(ranked) > 1 and (ranked["standard_error"] > 0).all()
    if reason is None or (reason == "too_few_models" and has_errors):
        top = frontier(ranked, items, settings, tests)
    if reason is None and top is not None:
        reached = verdict.judge(top.answers, top.deciding.abstains)
    else:
        reached = verdict.Verdict("undetermined", str(reason))
    error_rate = None if top is None else round(1 - settings.level, 12)
    return Judged(
        benchmark, data, top, reached.verdict, reached.reason, reached.explanation, error_rate
    )


def _convert_margin(declared: Config, settings: Settings) -> Settings:
    """Set a benchmark's own margin, and lower its ceiling by the share of wrong labels."""
    margin, ceiling = settings.margin, settings.ceiling
    if not bounded(declared["family"]):
        margin, ceiling = None, None
    elif declared.get("higher_is_better") is False:
        ceiling = None  # how few errors are as good as none depends on the task
    elif ceiling is not None:
        ceiling -= declared.get("label_noise") or 0.0
    return replace(
        settings, margin=declared.get("meaningful_difference") or margin, ceiling=ceiling
    )


def dead_items(matrix: pd.DataFrame) -> tuple[DeadItems | None, list[str], list[str]]:
    """Items that all models solved, or none did, of those that two or more answered; their names.

    The count, the names of the ones that all solved, and of those that none did.
    """
    answered = matrix[matrix.notna().sum(axis=1) > 1]
    if answered.empty:
        return None, [], []
    names = answered.index.astype(str)
    solved = names[answered.min(axis=1) == 1].tolist()
    missed = names[answered.max(axis=1) == 0].tolist()
    return DeadItems(len(answered), len(solved), len(missed)), solved, missed


def unusable(estimates: pd.DataFrame, k: int) -> str | None:
    """Explain why the top k cannot be judged: unknown errors, or too few models; else None."""
    if estimates["standard_error"].head(k).isna().any():
        return "metric_not_accuracy_like"
    return "too_few_models" if len(estimates) < k else None


def repeated(
    scores: pd.DataFrame, responses: pd.DataFrame, judged: Judged, settings: Settings
) -> Runs | Elsewhere | Abstention | None:
    """Measure run-to-run noise by the repeated runs of first and k-th, or by other leaderboards."""
    top = judged.top
    if top is None or judged.data.family not in ("accuracy", "pass_at_k"):
        return None
    counted = entries.select(scores, responses, settings.least_coverage).responses
    if counted.empty or counted["run"].nunique() < 2:
        if len(scores["run"].unique()) > 1:
            return Abstention("it takes the answers of each run")
        return runs.elsewhere(judged.benchmark)
    if len(counted["configuration"].unique()) > 1:
        return Abstention("the answers are of several configurations; give those of one")
    if counted["run"].astype(str).str.startswith(RATER).any():
        return None  # of raters, not of runs
    if (counted["cluster"] != "").any():
        return Abstention("the items are in clusters, whose part is not measured here")
    listed = [model.model for model in top.models]
    responses_listed = counted[counted["model"].isin(listed)]
    first, kth = top.index.first, top.index.kth
    if reason := runs.unusable(responses_listed, first, kth):
        return Abstention(reason)
    stated = scores.dropna(subset=["standard_error"]).groupby("model")["standard_error"].max()
    return replace(
        runs.repeated(responses_listed, first, kth, top.index.k, settings.level),
        **runs.errors_of_source(responses_listed, listed, stated),
    )


def renewed(
    responses: pd.DataFrame, dates: pd.Series | None, judged: Judged
) -> Renewal | Abstention | None:
    """Estimate what a renewed set can show from the movement of gaps, older to newer items.

    Takes the date of each item, by its name; None where there are no item responses.
    """
    if judged.top is None or responses.empty:
        return None
    if dates is None:
        return Abstention("not known without the dates of the items")
    from saturation.renewal import movement

    matrix, _ = standard_errors.item_matrix(responses)
    matrix = matrix[matrix.index.isin(dates.index) & (matrix.notna().mean(axis=1) > 0.5)]
    try:
        labs = {str(name): movement.maker(str(name)) for name in matrix}
        halves = movement.measure_by_date(matrix, dates, labs)
    except InputError as error:
        return Abstention(f"for a renewed set: not known; {error.violations[0]}")
    wider = math.sqrt(max(halves.factor, 1.0))
    detectable = wider * judged.top.power.minimum_detectable_difference
    return Renewal(
        factor=halves.factor,
        lower=halves.lower,
        upper=halves.upper,
        n_models=matrix.dropna(axis=1).shape[1],
        labs=halves.labs,
        # Infinite where a bounded metric lacks the room.
        detectable=math.inf if bounded(judged.data.family) and detectable > 1 else detectable,
    )


def earlier(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Config,
    settings: Settings,
) -> Earlier | Abstention:
    """Judge the evaluations up to each of some dates, as the card itself does.

    A date is the last of its month on which something was evaluated. Of item responses only a
    model's latest are known, so that a model counts from their date on.
    """
    tables = [_dated(scores), _dated(responses)]
    known_dates = sorted({str(date) for table in tables for date in table["date"].unique()})
    if len(known_dates) < FEWEST_DATES:
        return Abstention(f"{templates.counted(len(known_dates), 'date')} of evaluations")
    rows = []
    for date in _pick_dates(known_dates):
        scored, answered = (table[table["date"].astype(str) <= date] for table in tables)
        card = assemble(benchmark, scored, answered, declared, settings)
        if top := card.top:
            rows.append(
                EarlierDate(
                    date=date,
                    n_models=card.data.n_ranked,
                    verdict=card.verdict,
                    reason=card.reason,
                    first=top.models[0].model,
                    score=top.models[0].score,
                    gap=top.index.gap,
                    tied=len(top.deciding.group),
                )
            )
    if len(rows) < FEWEST_DATES:
        return Abstention(
            f"{templates.counted(len(rows), 'date')} by which enough models for a verdict had been "
            "evaluated"
        )
    models, dated = (
        {model for table in group for model in table["model"].unique()}
        for group in ((scores, responses), tables)
    )
    return Earlier(undated=len(models - dated), dates=rows)


def _dated(table: pd.DataFrame) -> pd.DataFrame:
    if "date" not in table:
        return table.assign(date="").iloc[:0]
    return table[(table["date"].notna() & (table["date"] != "")).to_numpy()]


def _pick_dates(dates: list[str]) -> list[str]:
    """Pick the last date of each month; of many months some, evenly, with first and last."""
    ends = list({date[:7]: date for date in dates}.values())
    if len(ends) == 1:
        ends = [dates[0], dates[-1]]
    places = np.linspace(0, len(ends) - 1, min(len(ends), MOST_DATES)).round().astype(int)
    return [ends[place] for place in places]


def measurement(matrix: pd.DataFrame, most: float = math.inf) -> Items:
    """Return what the items still measure at the top, by a 2PL model.

    Where a floor of guessing predicts held-out answers better, by the model with this floor.
    """
    if reason := _explain_no_noise(matrix, most):
        return Items(Abstention(reason))
    from saturation.adaptive import model as item_model
    from saturation.adaptive.fit import fit
    from saturation.adaptive.misfit import believed, doubt, fit_or_drop_floor

    responses = matrix.T.fillna(item_model.MISSING).to_numpy(np.int8)
    try:
        guessing, fitted = fit_or_drop_floor(
            believed(responses, "own"), lambda floor: fit(responses, floor)
        )
    except InputError as error:
        return Items(Abstention(str(error)))
    models = [str(model) for model in matrix.columns]
    return Items(
        guessing=guessing.describe(),
        doubt=doubt(responses, models, "own", floor=guessing.value),
        information=information(fitted),
    )


def information(fitted: "Fit") -> Information:
    """Fisher information of the test where the best model stands."""
    from saturation.adaptive import model as item_model

    best = fitted.ability.max()
    # Up to the best model, which stands last.
    grid = np.linspace(fitted.ability.min(), best, 61)
    by_ability = item_model.information(
        grid, fitted.discrimination, fitted.difficulty, fitted.floor
    )
    over_range, by_item = by_ability.sum(axis=1), by_ability[-1]
    at_best = by_item.sum()
    shares = np.sort(by_item)[::-1].cumsum() / at_best
    return Information(
        ability=best,
        information=at_best,
        ability_se=1 / np.sqrt(at_best),
        highest_information=over_range.max(),
        share_of_highest=at_best / over_range.max(),
        items_with_half=int(np.searchsorted(shares, 0.5) + 1),
        n_items=len(by_item),
    )


def consistency(responses: pd.DataFrame) -> Consistency | Abstention:
    """Measure consistency of a model's scores on an item over configurations, beside chance.

    Output consistency of the robustness study, on scores: the share of items on which all
    configurations agree; the baseline is the exact chance agreement of independent configurations
    with each item at the model's mean.
    """
    if responses.empty or responses["configuration"].nunique() < 2:
        return Abstention("no item responses in more than one configuration")
    models = []
    for model, answers in responses.groupby("model"):
        table = answers.pivot_table(index="item", columns="configuration", values="response")
        table = table.dropna()
        if table.shape[1] < 2 or table.empty:
            continue
        means = table.mean()
        models.append(
            ModelConsistency(
                model=str(model),
                n_configurations=table.shape[1],
                n_items=len(table),
                consistency=(table.max(axis=1) == table.min(axis=1)).mean(),
                chance=float(agreement(means.mean(), table.shape[1])),
                lowest_mean=means.min(),
                highest_mean=means.max(),
            )
        )
    if not models:
        return Abstention("no model has the same items in two configurations")
    return Consistency(models)


def _explain_no_noise(matrix: pd.DataFrame, most: float) -> str | None:
    if matrix.shape[1] < FEWEST_MODELS:
        return f"{matrix.shape[1]} models with item responses; {FEWEST_MODELS} are needed"
    if not standard_errors.right_or_wrong(matrix).all():
        return "responses are not 0 or 1"
    if len(set(matrix.mean())) == 1:
        return "all models answer alike"
    return LEFT_OUT if matrix.count().sum() > most else None
