"""Which benchmarks are out of headroom: one status a benchmark, by one stated rule.

Scores come from dated histories, from the annotated top scores and from leaderboards with item
answers; of several sources the one with the newest model decides. Scores are shares of the usable
range, which goes from chance to all items that are not known to be broken.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation import quantity
from saturation.boards.names import BANKS
from saturation.files import schema
from saturation.files.schema import validate
from saturation.files.tables import as_written, records
from saturation.forecast.names import NLP_KIND
from saturation.forecast.series import DAYS_A_MONTH
from saturation.quantity import Quantity
from saturation.statistics import pairs

EXHAUSTED, TIED, SEPARATING, UNDECIDED, STALE = STATUSES = (
    "exhausted", "top tied", "separating", "undecided", "no data since",
)  # fmt: skip
DATED, LISTED, ITEMS = SOURCES = ("dated scores", "listed top scores", "item answers")
SOON = 12  # months ahead
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
        "second_share": schema.proportion(optional=True),
        "n_models": schema.whole(1),
        "scores_from": schema.one_of(SOURCES),
        **dict.fromkeys(("due_earliest", "due_median", "due_latest"), _TEXT),
        "not_in_two_years": schema.proportion(optional=True),
        **dict.fromkeys(("items", "items_date", "items_board"), _TEXT),
        **dict.fromkeys(("items_models", "items_detectable", "n_items"), _NUMBER),
        **dict.fromkeys(("chance", "broken"), schema.proportion()),
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

    best: float  # share of the usable range; NaN where chance is not known
    age: float  # of the newest scored model, in months
    items: str  # `TIED`, `SEPARATING`, or why item answers do not decide
    scores: str  # `SEPARATING`, or why scores alone do not
    unusable: str = ""  # why the scores cannot be compared, if that is so


def judge(known: Evidence, settings: Settings) -> tuple[str, str]:
    """The status of a benchmark and its reason: the one rule, in the order in which it applies."""
    if known.unusable:
        return UNDECIDED, known.unusable
    if known.best >= settings.exhausted_from:
        return EXHAUSTED, f"the best score is at {settings.exhausted_from:.0%} of the usable range"
    if known.age > settings.stale_months:
        return STALE, f"no model of the last {settings.stale_months:g} months was scored"
    if known.items in (TIED, SEPARATING):
        can = "separate" if known.items == SEPARATING else "cannot separate"
        return known.items, f"items {can} the best model from number {settings.k}"
    if known.scores == SEPARATING:
        return SEPARATING, f"scores alone separate the best model from number {settings.k}"
    return UNDECIDED, f"{known.items}; {known.scores}"


def study(inputs: Inputs, settings: Settings) -> Tables:
    """The status of every benchmark with data."""
    called = _spelling(inputs.facts)
    facts = {row.pop("benchmark"): row for row in records(inputs.facts)}
    listed, issues = _listed(inputs, settings, called), _issues(inputs.issues)
    items = _items(inputs, settings, called)
    due = _due(inputs.reach[inputs.reach["threshold"] == settings.exhausted_from])
    rows = []
    for name, own in _scored(inputs, settings, called).groupby("benchmark"):
        newest = own.sort_values(["date", "origin"]).iloc[-1]["origin"]
        known = listed.get(name, {})
        known |= {key: value for key, value in facts.get(name, {}).items() if not pd.isna(value)}
        known |= (
            _all_issues(issues.get(name, {}), known) | items.get(name, {}) | due.get(newest, {})
        )
        rows.append({"benchmark": name} | _row(own[own["origin"] == newest], known, settings))
    table = pd.DataFrame(rows)
    table["place"] = table["status"].map(STATUSES.index)
    table = table.sort_values(["place", "best_share", "benchmark"], ascending=[True, False, True])
    table = validate(as_written(table.reindex(columns=list(STATUS.columns))), STATUS, "status.csv")
    return Tables(table, quantity.frame(_quantities(table, settings)))


def _row(own: Table, known: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """A benchmark's row, from its scores in one source and what else is known of it."""
    of_source = own.iloc[0]
    chance, broken = known.get("chance", of_source["floor"]), known.get("broken", 0.0)
    ranked = _ranked(own, chance, broken)
    best, newest, listed = ranked.iloc[0], ranked["date"].max(), of_source["source"] == LISTED

    def judged(models: Table) -> tuple[str, str]:
        known_chance = len(models) and of_source["kind"] != NLP_KIND
        evidence = Evidence(
            best=models["share"].iloc[0] if known_chance else np.nan,
            age=_months(newest, settings.as_of),
            items=known.get("decides", "no item answers"),
            scores=_by_scores(models, known, settings),
            unusable=known.get("unusable", ""),
        )
        return judge(evidence, settings)

    status, why = judged(ranked)
    old = _months(best["date"], settings.as_of) > settings.old_months
    if status == EXHAUSTED:
        known |= dict.fromkeys(("due_earliest", "due_median", "due_latest"))
    return known | {
        "status": status,
        "as_of": settings.as_of,
        "date": f"{newest:%Y-%m-%d}",
        "why": why,
        "without_best": judged(ranked.iloc[1:])[0],
        "best_model": best["model"],
        "best_date": None if listed else f"{best['date']:%Y-%m-%d}",
        "old_models": not known["recent"] if listed else old,
        "best_score": best["score"],
        "best_share": best["share"],
        "headroom": 1 - best["share"],
        "second_share": ranked["share"].iloc[1] if len(ranked) > 1 else None,
        "n_models": len(ranked),
        "scores_from": of_source["source"],
        "chance": chance,
        "broken": broken,
        "series": of_source["origin"] if of_source["source"] == DATED else None,
    }


def _ranked(own: Table, chance: float, broken: float) -> Table:
    """The models by their best score; settings of one model, such as its effort, count once."""
    raw = own["score"].where(own["metric"] != BEYOND_CHANCE, chance + (1 - chance) * own["score"])
    # Rounded, so that a score at a threshold is there on every machine.
    share = ((raw - chance) / (1 - broken - chance)).clip(0, 1).round(9)
    table = own.assign(score=raw, share=share, name=own["model"].str.partition("_")[0])
    table = table.sort_values(["score", "date", "model"], ascending=[False, True, True])
    return table.drop_duplicates("name")


def _by_scores(models: Table, known: dict[str, Any], settings: Settings) -> str:
    """Whether scores alone separate the best model from number k, or why they do not.

    As if no two models shared an item, and adjusted for all pairs of models: more cautious than
    item answers would be.
    """
    n, m = known.get("n_items"), len(models)
    if not len(models) or models["source"].iloc[0] == LISTED:
        return "listed scores are of several protocols"
    if m < settings.fewest_models:
        return f"scores of only {m} models"
    if pd.isna(n):
        return "the number of items is not on record"
    two = models["score"].iloc[[0, settings.k - 1]].to_numpy()
    p = pairs.pooled_z_tests(two, np.array([n, n])).p_value[0, 1] * m * (m - 1) / 2
    return SEPARATING if p <= 1 - settings.level else "scores alone do not separate the top"


def _spelling(facts: Table) -> Called:
    """How a benchmark is called, by the source's column, its key there and its title there."""
    listed = {
        (column, key): row["benchmark"]
        for row in records(facts)
        for column in ("series", "index", "boards")
        for key in str(row[column]).split(";")
    }
    seen: dict[str, str] = {}

    def called(column: str, key: str, title: str) -> str:
        plain = re.sub(r"[^a-z0-9]", "", title.lower())
        return listed.get((column, key)) or seen.setdefault(plain, title)

    return called


def _scored(inputs: Inputs, settings: Settings, called: Called) -> Table:
    """All dated scores: ``benchmark, source, origin, model, date, score, metric, floor, kind``."""
    series = inputs.series[inputs.series["reason"].isna()].rename(columns={"series": "origin"})
    series["benchmark"] = [called("series", name, name) for name in series["benchmark"]]
    scores = inputs.scores.rename(columns={"series": "origin"})
    dated = scores.merge(series[["origin", "benchmark", "metric", "floor", "kind"]], on="origin")
    titles = inputs.benchmarks.set_index("benchmark_id")["name"]
    top = inputs.top_scores.rename(columns={"benchmark_id": "origin"})
    top["benchmark"] = [called("index", key, titles[key]) for key in top["origin"]]
    boards = _boards(inputs, called)
    answered = inputs.models.rename(columns={"board": "origin", "released": "date"})
    answered = answered.merge(boards[["origin", "benchmark"]], on="origin")
    table = pd.concat(
        [
            dated.assign(source=DATED),
            top.assign(source=LISTED, date=settings.observed_on),
            answered.assign(source=ITEMS),
        ]
    ).fillna({"floor": 0.0, "metric": "", "kind": ""})
    table["date"] = pd.to_datetime(table["date"])
    return table[table["date"].notna()]


def _boards(inputs: Inputs, called: Called) -> Table:
    """The leaderboards with item answers; banks of small encoder models are none."""
    boards = inputs.overview[~inputs.overview["board"].isin(list(BANKS))]
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
            "annotated": [words for column, words in ANNOTATED.items() if row[column]],
            "s_index": row["s_index"],
            "s_date": settings.observed_on,
        }
    return found


def _issues(issues: Table) -> Known:
    """Known issues of each benchmark with their sources, and the share of items that is broken."""
    return {
        name: {
            "issues": [f"{row['kind']} ({row['date']}): {row['fact']}" for row in records(own)],
            "sources": list(dict.fromkeys(own["url"])),
            "broken": own["broken"].max(),
            "kinds": set(own["kind"]),
        }
        for name, own in issues.groupby("benchmark")
    }


def _all_issues(own: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Issues with a source of their own, then those that the annotations name."""
    more = [kind for kind in known.get("annotated", []) if kind not in own.get("kinds", ())]
    said = own.get("issues", []) + ([f"{' and '.join(more)} (annotated)"] if more else [])
    sources = own.get("sources", []) + ([ANNOTATIONS] if more else [])
    broken = own.get("broken", np.nan)
    return {
        "issues": "; ".join(said) or None,
        "issues_source": " ".join(sources) or None,
        "broken": 0.0 if pd.isna(broken) else broken,
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


def _quantities(status: Table, settings: Settings) -> Iterator[Quantity]:
    """How many benchmarks have each status; the note names them."""
    soon = str(pd.Period(settings.as_of, "M") + SOON - 1)
    current = status["not_in_two_years"].notna()
    groups = {
        **{name.replace(" ", "_"): status["status"] == name for name in STATUSES},
        "current": current,
        "current_exhausted": current & (status["status"] == EXHAUSTED),
        "current_soon": current
        & (status["status"] != EXHAUSTED)
        & (status["due_median"].fillna("9999") <= soon),
        "rest_on_one_model": status["status"] != status["without_best"],
    }
    yield Quantity("benchmarks", len(status))
    for name, chosen in groups.items():
        listed = status.loc[chosen, "benchmark"]
        yield Quantity(name, len(listed), note="; ".join(listed) if len(listed) < 100 else "")


def _months(date: pd.Timestamp, as_of: str) -> float:
    return float((pd.Timestamp(as_of) - date) / pd.Timedelta(days=DAYS_A_MONTH))
