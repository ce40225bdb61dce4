"""Which benchmarks are out of headroom: one status a benchmark, by one stated rule.

Scores come from dated histories, from the annotated top scores and from leaderboards with item
answers; of several sources the one with the best score counts. Scores are shares of the usable
range, which goes from chance to all items that are not known to be broken.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation import quantity
from saturation.files import schema
from saturation.files.schema import validate
from saturation.files.tables import as_written, records
from saturation.forecast.names import NLP_KIND
from saturation.forecast.series import DAYS_A_MONTH
from saturation.pages.templates import percent
from saturation.quantity import Quantity
from saturation.statistics import pairs, standard_errors

EXHAUSTED, TIED, SEPARATING, UNDECIDED, STALE = STATUSES = (
    "exhausted", "top tied", "separating", "undecided", "no data since",
)  # fmt: skip
DATED, LISTED, ITEMS = SOURCES = ("dated scores", "listed top scores", "item answers")
YEAR = pd.DateOffset(months=12)
FEWEST_ITEMS = 20
FREE = "free_form"  # answers that cannot be guessed
# What the capabilities index calls scores from which chance has been subtracted.
BEYOND_CHANCE = "share beyond chance"
# Issues that the plateau paper's annotations name, and where they are.
ANNOTATED = {"issue_contamination": "contamination", "issue_mislabelling": "label errors"}
ANNOTATIONS = "https://github.com/evaleval/benchmark-saturation"

_TEXT = schema.text(optional=True)
_NUMBER = schema.number(optional=True)
FACTS = schema.table(
    {
        "benchmark": schema.text(unique=True),
        **dict.fromkeys(("series", "index", "boards"), _TEXT),
        "chance": schema.proportion(optional=True),
        "n_items": schema.number(1, optional=True),
        **dict.fromkeys(("unusable", "superseded_by", "remark"), _TEXT),
        "source": schema.text(),
    }
)
ISSUES = schema.table(
    {
        "benchmark": schema.text(),
        "kind": schema.one_of(["flawed tests", "label errors", "contamination"]),
        "broken": schema.proportion(optional=True),
        "date": schema.text(),
        "fact": schema.text(),
        "url": schema.text(),
    }
)
STATUS = schema.table(
    {
        "benchmark": schema.text(unique=True),
        "status": schema.one_of(STATUSES),
        "as_of": schema.text(),
        "date": schema.text(),
        "why": schema.text(),
        "without_best": schema.one_of(STATUSES),
        "best_model": schema.text(),
        "best_date": _TEXT,
        "old_models": schema.flag(),
        **dict.fromkeys(("best_score", "best_share", "headroom"), schema.proportion()),
        **dict.fromkeys(("best_error", "second_share"), schema.proportion(optional=True)),
        "n_models": schema.whole(1),
        "scores_from": schema.one_of(SOURCES),
        **dict.fromkeys(("due_earliest", "due_median", "due_latest"), _TEXT),
        "not_in_two_years": schema.proportion(optional=True),
        **dict.fromkeys(("items", "items_date", "items_board"), _TEXT),
        **dict.fromkeys(("items_models", "items_detectable", "n_items"), _NUMBER),
        "chance": schema.proportion(optional=True),
        "broken": schema.proportion(),
        **dict.fromkeys(("issues", "issues_source", "superseded_by", "remark"), _TEXT),
        "s_index": schema.proportion(optional=True),
        "s_date": _TEXT,
        "series": _TEXT,
    }
)

Table = pd.DataFrame
Known = dict[str, dict[str, Any]]  # by benchmark
Called = Callable[[str, str, str], str]


@dataclass(frozen=True)
class Settings:
    """Thresholds of the rule; days as ISO dates, lengths of time in months."""

    as_of: str
    observed_on: str  # day on which the annotated scores were collected
    exhausted_from: float  # share of the usable range
    stale_months: float
    old_months: float
    fewest_models: int
    largest_detectable: float
    level: float
    k: int


@dataclass(frozen=True)
class Inputs:
    """What the status is made from, each table as its study writes it."""

    facts: Table
    issues: Table
    series: Table
    scores: Table
    reach: Table
    overview: Table
    models: Table
    benchmarks: Table
    top_scores: Table
    index: Table


@dataclass(frozen=True)
class Tables:
    """One row a benchmark; and how many have each status."""

    status: Table
    quantities: Table


@dataclass(frozen=True)
class Evidence:
    """What a benchmark is judged by."""

    best: float  # share of the usable range; NaN where the chance level is not on record
    age: float  # of the newest scored model, in months
    items: str  # `TIED`, `SEPARATING`, or why item answers do not decide
    scores: str  # `SEPARATING`, or why scores alone do not
    unusable: str = ""  # why the scores cannot be compared, if that is so


def judge(known: Evidence, settings: Settings) -> tuple[str, str]:
    """The status of a benchmark and its reason: the one rule, in the order in which it applies."""
    if known.unusable:
        return UNDECIDED, known.unusable
    if known.best >= settings.exhausted_from:
        return (
            EXHAUSTED,
            f"the best score has reached {percent(settings.exhausted_from, 0)} of the usable range",
        )
    if known.age > settings.stale_months:
        return STALE, f"no model of the last {settings.stale_months:g} months was scored"
    if known.items in (TIED, SEPARATING):
        can = "separate" if known.items == SEPARATING else "cannot separate"
        return known.items, f"items {can} the best model from number {settings.k}"
    if known.scores == SEPARATING:
        return SEPARATING, f"scores alone separate the best model from number {settings.k}"
    return UNDECIDED, "; ".join(filter(None, (known.items, known.scores)))


def study(inputs: Inputs, settings: Settings) -> Tables:
    """The status of every benchmark with data."""
    called = _spelling(inputs.facts)
    facts = {row.pop("benchmark"): row for row in records(inputs.facts)}
    about = [
        _listed(inputs, settings, called),
        _items(inputs, settings, called),
        _issues(inputs, called),
    ]
    due = _due(inputs.reach[inputs.reach["threshold"] == settings.exhausted_from])
    rows = []
    for name, own in _scored(inputs, settings, called).groupby("benchmark"):
        known = {"benchmark": name, "broken": 0.0}
        for source in about:
            known |= source.get(str(name), {})
        known |= {key: value for key, value in facts.get(name, {}).items() if not pd.isna(value)}
        for series in sorted(due.keys() & set(own["origin"])):
            known |= due[series]
        rows.append(_row(own, known, settings))
    table = pd.DataFrame(rows)
    table["place"] = table["status"].map(STATUSES.index)
    table = table.sort_values(["place", "best_share", "benchmark"], ascending=[True, False, True])
    table = validate(as_written(table.reindex(columns=list(STATUS.columns))), STATUS, "status.csv")
    return Tables(table, quantity.frame(_quantities(table)))


def _row(own: Table, known: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """A benchmark's row, from its scores and what else is known of it."""
    own = _shares(own, known.get("chance"), known["broken"])
    best, newest = own.iloc[0], own["date"].max()
    ranked = own[(own["source"] == best["source"]) & (own["origin"] == best["origin"])]
    ranked = ranked.drop_duplicates("name")
    listed = best["source"] == LISTED
    if known.get("items_best", np.inf) < ranked["score"].iloc[: settings.k].min():
        known["decides"] = "item answers are of weaker models than today's best"

    def judged(models: Table) -> tuple[str, str]:
        unknown = models.empty or pd.isna(best["chance"])
        evidence = Evidence(
            best=np.nan if unknown else models["share"].iloc[0],
            age=_months(newest, settings.as_of),
            items=known.get("decides", "no item answers"),
            scores=_by_scores(models, known.get("n_items"), settings),
            unusable=known.get("unusable", ""),
        )
        return judge(evidence, settings)

    status, why = judged(ranked)
    if status == EXHAUSTED and known["broken"]:
        why += f" ({percent(known['broken'], 0)} of the items are known to be broken)"
    old = _months(best["date"], settings.as_of) > settings.old_months
    if status == EXHAUSTED and "not_in_two_years" in known:
        known |= dict.fromkeys(("due_earliest", "due_median", "due_latest"))
        known["not_in_two_years"] = 0.0
    return known | {
        "status": status,
        "as_of": settings.as_of,
        "date": f"{newest:%Y-%m-%d}",
        "why": why,
        "without_best": judged(ranked.iloc[1:])[0],
        "best_model": best["model"].removesuffix("_unknown"),
        "best_date": None if listed else f"{best['date']:%Y-%m-%d}",
        "old_models": not known["recent"] if listed else old,
        "best_score": best["score"],
        "best_share": best["share"],
        "headroom": 1 - best["share"],
        "best_error": _error(best, known.get("n_items")),
        "second_share": ranked["share"].iloc[1] if len(ranked) > 1 else None,
        "n_models": len(ranked),
        "scores_from": best["source"],
        "chance": best["chance"],
        "series": best["origin"] if best["source"] == DATED else None,
    }


def _shares(own: Table, chance: float | None, broken: float) -> Table:
    """The scores with their ``share`` of the usable range, the best first.

    Settings of one model, such as its effort, have one ``name``.
    """
    table = own.assign(chance=own["floor"] if chance is None else chance)
    floor = table["chance"].fillna(0.0)
    beyond = table["metric"] == BEYOND_CHANCE
    table["score"] = table["score"].mask(beyond, floor + (1 - floor) * table["score"])
    table["span"] = 1 - broken - floor
    # Rounded, so that a score at a threshold is there on every machine.
    table["share"] = ((table["score"] - floor) / table["span"]).clip(0, 1).round(9)
    setting = table["model"].str.partition("_")[0]
    table["name"] = setting.where(table["source"] == DATED, table["model"])
    return table.sort_values(["share", "date", "model"], ascending=[False, True, True])


def _by_scores(models: Table, n: float | None, settings: Settings) -> str:
    """Whether scores alone separate the best model from number k, or why they do not.

    As if no two models shared an item, and adjusted for all pairs of models: more cautious than
    item answers would be.
    """
    m = len(models)
    if m < settings.k:
        return f"scores of only {m} models"
    if models["chance"].isna().any():
        return "the chance level is not on record"
    if (models["source"] != DATED).any():
        return "" if models["source"].iloc[0] == ITEMS else "listed scores are of several protocols"
    if m < settings.fewest_models:
        return f"scores of only {m} models"
    if _months(models["date"].max(), settings.as_of) > settings.stale_months:
        return f"scores of one protocol end in {models['date'].max():%B %Y}"
    if n is None or pd.isna(n):
        return "the number of items is not on record"
    two = models["score"].iloc[[0, settings.k - 1]].to_numpy()
    p = pairs.pooled_z_tests(two, np.array([n, n])).p_value[0, 1] * m * (m - 1) / 2
    return SEPARATING if p <= 1 - settings.level else "scores alone do not separate the top"


def _error(best: "pd.Series[Any]", n: float | None) -> float | None:
    """Standard error of a share of the usable range, where the number of items is known."""
    if n is None or pd.isna(n):
        return None
    return float(standard_errors.binomial_error(best["score"], n) / best["span"])


def plain(name: str) -> str:
    """A name as it is compared: HumanEval and HumanEval+ are two, Human-Eval is the first."""
    return re.sub(r"[^a-z0-9+]", "", name.lower())


def _spelling(facts: Table) -> Called:
    """How a benchmark is called, by the source's column, its key there and its title there."""
    listed: dict[tuple[str, str], str] = {
        (column, key): row["benchmark"]
        for row in records(facts)
        for column in ("series", "index", "boards")
        for key in str(row[column]).split(";")
    }
    seen = {plain(name): name for name in facts["benchmark"]}

    def called(column: str, key: str, title: str) -> str:
        return listed.get((column, key)) or seen.setdefault(plain(title), title)

    return called


def _scored(inputs: Inputs, settings: Settings, called: Called) -> Table:
    """All dated scores: ``benchmark, source, origin, model, date, score, metric, floor``."""
    series = inputs.series[inputs.series["reason"].isna()].rename(columns={"series": "origin"})
    # Chance on the benchmarks of papers before 2023 is not on record.
    series["floor"] = series["floor"].where(series["kind"] != NLP_KIND)
    series["benchmark"] = [called("series", name, name) for name in series["benchmark"]]
    scores = inputs.scores.rename(columns={"series": "origin"})
    dated = scores.merge(series[["origin", "benchmark", "metric", "floor"]], on="origin")
    about = inputs.benchmarks.set_index("benchmark_id")
    top = inputs.top_scores.rename(columns={"benchmark_id": "origin"})
    top["benchmark"] = [called("index", key, about["name"][key]) for key in top["origin"]]
    top["floor"] = (top["origin"].map(about["output_format"]) != FREE).map({True: np.nan, False: 0})
    boards = _boards(inputs, called)[["origin", "benchmark", "date"]]
    # A model without a date is no newer than the newest one of its board, for all that is known.
    answered = inputs.models.rename(columns={"board": "origin"}).merge(boards, on="origin")
    table = pd.concat(
        [
            dated.assign(source=DATED),
            top.assign(source=LISTED, date=settings.observed_on),
            answered.assign(source=ITEMS),
        ]
    )
    table["date"] = pd.to_datetime(table["date"])
    return table[table["date"].notna()]


def _boards(inputs: Inputs, called: Called) -> Table:
    """Name each leaderboard with item answers, and date it by its newest model."""
    boards = inputs.overview
    released = inputs.models.groupby("board")["released"].max()
    return boards.assign(
        benchmark=[called("boards", *pair) for pair in zip(boards["board"], boards["title"])],
        date=pd.to_datetime(boards["board"].map(released)),
    ).rename(columns={"board": "origin"})


def _items(inputs: Inputs, settings: Settings, called: Called) -> Known:
    """What item answers say of each benchmark, and whether that decides its status."""
    found: Known = {}
    for board in records(_boards(inputs, called).sort_values("date", na_position="first")):
        age, gap = _months(board["date"], settings.as_of), board["detectable"]
        if board["n_models"] < settings.fewest_models:
            says = decides = f"item answers of only {board['n_models']} models"
        elif not board["kth_tied"]:
            says = decides = SEPARATING
        elif gap <= settings.largest_detectable:
            says = decides = TIED
        else:
            says = decides = f"too few items to see gaps below {100 * gap:.0f} points"
        if pd.isna(board["date"]):
            decides = "item answers without dates"
        elif age > settings.stale_months:
            decides = f"item answers end in {board['date']:%B %Y}"
        found[board["benchmark"]] = {
            "decides": decides,
            "items": says,
            "items_date": None if pd.isna(board["date"]) else f"{board['date']:%Y-%m-%d}",
            "items_board": board["origin"],
            "items_models": board["n_models"],
            "items_detectable": gap,
            "items_best": board["s_1"],
        }
    return found


def _listed(inputs: Inputs, settings: Settings, called: Called) -> Known:
    """What the plateau study has of each benchmark."""
    index = inputs.index[["benchmark_id", "s_index"]]
    found: Known = {}
    for row in records(inputs.benchmarks.merge(index, on="benchmark_id")):
        own_size = "n_not_test_set" not in str(row["flags"])
        found[called("index", row["benchmark_id"], row["name"])] = {
            "n_items": row["n_test"] if own_size else None,
            "recent": bool(row["recent_models_evaluated"]),
            "s_index": row["s_index"],
            "s_date": settings.observed_on,
        }
    return found


def _issues(inputs: Inputs, called: Called) -> Known:
    """Known issues of each benchmark and the share of items that is broken, with sources."""
    own = inputs.issues.assign(
        said=[f"{r['kind']} ({r['date']}): {r['fact']}" for r in records(inputs.issues)]
    )
    annotated = [
        {"benchmark": called("index", row["benchmark_id"], row["name"]), "kind": kind,
         "said": f"{kind} (annotated)", "url": ANNOTATIONS}
        for row in records(inputs.benchmarks) for column, kind in ANNOTATED.items() if row[column]
    ]  # fmt: skip
    every = pd.concat([own, pd.DataFrame(annotated)]).drop_duplicates(["benchmark", "kind"])
    return {
        str(name): {
            "issues": "; ".join(rows["said"]),
            "issues_source": " ".join(rows["url"].unique()),
            "broken": rows["broken"].fillna(0.0).max(),
        }
        for name, rows in every.groupby("benchmark")
    }


def _due(reach: Table) -> Known:
    """When each series is forecast to be exhausted: ``YYYY-MM``, empty beyond two years."""
    found: Known = {}
    for row in records(reach):
        # Reached within one month is reached in the month that starts at the origin.
        start = pd.Period(row["origin"], "M") - 1
        found[row["series"]] = {
            f"due_{name}": None if pd.isna(row[name]) else str(start + int(row[name]))
            for name in ("earliest", "median", "latest")
        } | {"not_in_two_years": row["not_in_two_years"]}
    return found


def current(status: Table) -> dict[str, Table]:
    """Benchmarks with a current history: exhausted, due ``soon`` by forecast, or later.

    Left out are samples of few problems, and what a newer version has superseded.
    """
    few = status["n_items"] < FEWEST_ITEMS
    own = status[status["not_in_two_years"].notna() & status["superseded_by"].isna() & ~few]
    soon = own["due_median"].fillna("9999") < (pd.to_datetime(own["as_of"]) + YEAR).dt.strftime(
        "%Y-%m"
    )
    done = own["status"] == EXHAUSTED
    return {"exhausted": own[done], "soon": own[~done & soon], "later": own[~done & ~soon]}


def _quantities(status: Table) -> Iterator[Quantity]:
    """How many benchmarks have each status; the note names them."""
    groups = {name.replace(" ", "_"): status[status["status"] == name] for name in STATUSES}
    groups |= {f"current_{name}": table for name, table in current(status).items()}
    groups["rest_on_one_model"] = status[status["status"] != status["without_best"]]
    yield Quantity("status_benchmarks", len(status))
    own = pd.concat(current(status).values())
    newest = f"{pd.Timestamp(own['date'].max()):%B %Y}" if len(own) else ""
    yield Quantity("status_current", len(own), note=newest)
    for name, table in groups.items():
        yield Quantity(f"status_{name}", len(table), note="; ".join(table["benchmark"]))


def _months(date: pd.Timestamp, as_of: str) -> float:
    return float((pd.Timestamp(as_of) - date) / pd.Timedelta(days=DAYS_A_MONTH))
