"""Judge which benchmarks are out of headroom: a status each, by a stated rule.

Scores are measured (by a benchmark's own site, a third party, or from item answers) or reported (by
developers, in papers and lists). Shares are of the way from chance to all items right.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation.files import schema
from saturation.files.schema import validate
from saturation.files.tables import NamedTables, Row, records, round_as_csv
from saturation.forecast.series import DAYS_A_MONTH, FEWEST_DATES
from saturation.leaderboard import top
from saturation.leaderboard.names import EXHAUSTED, NEAR, ROOM, judge_headroom
from saturation.pages.templates import percent
from saturation.statistics import pairs
from saturation.status.names import RATED, STALE, STATUSES, SUPERSEDED, UNRATED, current, plain
from saturation.status.schemas import STATUS
from studies.forecast.names import MEASURED, NLP, REPORTED
from studies.forecast.published import join_scores
from studies.quantity import Quantity, frame

SEPARATED, TIED = "separated", "tied"
FEWEST_ITEMS = 20
FREE = "free_form"  # answers that cannot be guessed
# The capabilities index has subtracted chance from these scores.
BEYOND_CHANCE = "share beyond chance"
LISTED = "listed by the plateau paper's authors"
# Issues that the plateau paper's annotations name, and where they are.
ANNOTATED = {"issue_contamination": "contamination", "issue_mislabelling": "label errors"}
ANNOTATIONS = "https://github.com/evaleval/benchmark-saturation"
# Shares of the range from which the count of exhausted benchmarks is given, to show how it moves.
SWEEP = (0.8, 0.85, 0.9, 0.95)

_TEXT = schema.text(optional=True)
_SHARE = schema.proportion(optional=True)
FACTS = schema.table(
    {
        "benchmark": schema.text(unique=True),
        **dict.fromkeys(("series", "index", "boards", "reports"), _TEXT),
        "chance": _SHARE,
        "n_items": schema.number(1, optional=True),
        **dict.fromkeys(("n_source", "scale", "scale_source", "unusable"), _TEXT),
        **dict.fromkeys(("superseded_by", "remark"), _TEXT),
        "source": schema.text(),
    }
)
ISSUES = schema.table(
    {
        "benchmark": schema.text(),
        "kind": schema.words_column(["flawed tests", "label errors", "contamination"]),
        **dict.fromkeys(("date", "fact", "url"), schema.text()),
    }
)
# Statuses as of the last refresh.
SAID = schema.table(
    {
        "benchmark": schema.text(unique=True),
        "status": schema.words_column(STATUSES),
        "since": schema.text(),
        "before": schema.words_column(STATUSES, optional=True),
        "seen": schema.words_column(STATUSES, optional=True),
    }
)

Table = pd.DataFrame
Known = dict[str, Row]  # by benchmark
Naming = Callable[[str, str, str], str]


@dataclass(frozen=True)
class Settings:
    """Thresholds of the rule; days as ISO dates, lengths of time in months."""

    as_of: str
    observed_on: str  # day on which the annotated scores were collected
    exhausted_from: float  # share of the way from chance to all right
    stale_months: float
    old_months: float
    fewest_models: int
    largest_detectable: float
    level: float
    k: int


@dataclass(frozen=True)
class Evidence:
    """Numbers that judge a benchmark; NaN where a number is not on record."""

    measured: float  # best shares of the range
    reported: float
    lower: float  # limit of the best measured share
    age: float  # of the newest dated score, in months
    unrated: str = ""  # why the scores have no ceiling that could be reached
    superseded_by: str = ""


def judge(evidence: Evidence, settings: Settings) -> tuple[str, str]:
    """Return the status and its reason: a single rule, in the order of application."""
    goal = percent(settings.exhausted_from, 0)
    if evidence.unrated:
        return UNRATED, evidence.unrated
    if evidence.superseded_by:
        return SUPERSEDED, f"superseded by {evidence.superseded_by}"
    measured = judge_headroom(evidence.measured, evidence.lower, settings.exhausted_from)
    if measured == EXHAUSTED:
        return EXHAUSTED, f"the lower limit of the best measured score is at {goal} or more"
    if not evidence.age <= settings.stale_months:
        return STALE, f"no dated score of a model of the last {settings.stale_months:g} months"
    if measured == NEAR:
        limit = "n is not on record" if np.isnan(evidence.lower) else "its lower limit is below"
        return NEAR, f"the best measured score is at {goal} or more; {limit}"
    if evidence.reported >= settings.exhausted_from:
        return NEAR, f"a reported score is at {goal} or more, no measured one"
    return ROOM, f"no score is at {goal}"


def study(inputs: NamedTables, settings: Settings) -> NamedTables:
    """Judge every benchmark with data.

    The tables have a row a benchmark; the sources with their newest score; the counts by status.
    """
    naming = _spelling(inputs["facts"])
    facts = {row.pop("benchmark"): row for row in records(inputs["facts"])}
    scores = _all_scores(inputs, settings, naming)
    lookups = [
        _listed(inputs, settings, naming),
        _items(inputs, settings, naming),
        _issues(inputs, naming),
        _chances(inputs, naming),
        _changes(inputs["said"]),
    ]
    rows = []
    for name, part in scores.groupby("benchmark"):
        about = {"benchmark": name}
        for source in lookups:
            about |= source.get(str(name), {})
        about |= {key: value for key, value in facts.get(name, {}).items() if not pd.isna(value)}
        rows.append(_row(part, about, settings))
    table = pd.DataFrame(rows)
    table["place"] = table["status"].map(STATUSES.index)
    table["best"] = table[["best_share", "reported_share"]].max(axis=1)
    table = table.sort_values(["place", "best", "benchmark"], ascending=[True, False, True])
    table = validate(
        round_as_csv(table.reindex(columns=list(STATUS.columns))), STATUS, "status.csv"
    )
    return {
        "status": table,
        "sources": _sources(scores),
        "quantities": frame(_quantities(table, settings)),
    }


def _row(scores: Table, about: Row, settings: Settings) -> Row:
    """Make a benchmark's row from its scores and what else is on record."""
    scores = _shares(scores, about.get("chance"))
    measured, reported = (scores[scores["tier"] == tier] for tier in (MEASURED, REPORTED))
    best, claim = (next(iter(records(part.head(1))), {}) for part in (measured, reported))
    scaled = bool(about.get("scale"))
    # Contenders stand on the leaderboard of the best score.
    board = measured[measured["origin"].isin(measured["origin"].head(1))]
    ranked = board.drop_duplicates("name")
    limits = _headroom(ranked, about, settings)
    newest, newest_measured = scores["date"].max(), measured["date"].max()
    evidence = Evidence(
        measured=best.get("share", np.nan),
        reported=claim.get("share", np.nan),
        lower=limits.get("lower", np.nan),
        age=_months(newest, settings.as_of),
        unrated=about.get("unusable") or about.get("scale", ""),
        superseded_by=about.get("superseded_by", ""),
    )
    status, why = judge(evidence, settings)
    few = about.get("n_items", np.inf) < FEWEST_ITEMS
    young = _months(best.get("date"), settings.as_of) <= settings.old_months
    fresh = _months(newest_measured, settings.as_of) <= settings.stale_months
    eligible = status in RATED and fresh and young and not few
    open_end = eligible and status == ROOM
    return about | {
        "status": status,
        "current": eligible,
        "as_of": settings.as_of,
        "why": why,
        "date": _day(newest),
        "measured_date": _day(newest_measured),
        "best_score": best.get("score"),
        "best_share": None if scaled else best.get("share"),
        "best_model": _model_name(best.get("model")),
        "best_date": _day(best.get("date")),
        "sites": "; ".join(sorted(set(measured["origin"]))) or None,
        "reported_score": claim.get("score"),
        "reported_share": None if scaled else claim.get("share"),
        "reported_model": _model_name(claim.get("model")),
        "reported_date": _day(claim.get("date")),
        "reported_by": claim.get("origin"),
        **({} if scaled else limits),
        "n_models": len(ranked),
        "next_year": about.get("next_year") if open_end else None,
        "chance": scores["chance"].iloc[0],
        "chance_source": _chance_source(about, scores),
        "top": _top(ranked, about, settings),
        "anchor": plain(about["benchmark"]).replace("+", "-plus"),
    }


def _shares(scores: Table, chance: float | None) -> Table:
    """Add the ``share`` of the way from chance to all right; the best scores come first.

    Settings of one model, such as its effort, have one ``name``. Without a chance level the share
    is the score, which it cannot exceed.
    """
    table = scores.assign(chance=scores["floor"].max() if chance is None else chance)
    floor = table["chance"].fillna(0.0)
    beyond = table["metric"] == BEYOND_CHANCE
    score = table["score"].astype(float)
    table["score"] = score.mask(beyond, floor + (1 - floor) * score)
    # Rounded, so that a score at a threshold is there on every machine.
    table["share"] = ((table["score"] - floor) / (1 - floor)).clip(0, 1).round(9)
    table["name"] = table["model"].str.partition("_")[0]
    return table.sort_values(["share", "date", "model"], ascending=[False, True, True])


def _headroom(ranked: Table, about: Row, settings: Settings) -> Row:
    """Return the limits of the best measured share, by the rule of the cards; none without n."""
    n, chance = about.get("n_items"), ranked["chance"].min()
    if n is None or pd.isna(chance) or ranked.empty:
        return {}
    table = ranked[["model", "score"]].assign(
        n_items=float(n),
        standard_error=np.sqrt(ranked["score"] * (1 - ranked["score"]) / n),
        error_source="binomial",
    )
    table = table.reset_index(drop=True)
    may_lead = top.contenders(table, top.independent_pairs(table), settings.k)
    goal = chance + settings.exhausted_from * (1 - chance)
    options = top.Settings(k=settings.k, level=settings.level, ceiling=goal)
    headroom = top.headroom(table, (pd.DataFrame(), pd.Series(dtype=float)), may_lead, options)
    limits = {"lower": headroom.lower, "upper": headroom.upper}
    shares = {
        name: np.clip((value - chance) / (1 - chance), 0, 1)
        for name, value in limits.items()
        if value is not None
    }
    return shares | {"contenders": may_lead.sum()}


def _top(ranked: Table, about: Row, settings: Settings) -> str:
    """Say whether the best model is separated from number k, by item answers or by scores alone."""
    item_answers = about.get("decides", "no item answers")
    if about.get("items_best", np.inf) < ranked["score"].iloc[: settings.k].min():
        item_answers = "item answers are of weaker models than today's best"
    if item_answers in (TIED, SEPARATED):
        return str(item_answers)
    scores_answer = _compare_scores(ranked, about.get("n_items"), settings)
    return (
        SEPARATED if scores_answer == SEPARATED else f"not shown: {item_answers}; {scores_answer}"
    )


def _compare_scores(models: Table, n: float | None, settings: Settings) -> str:
    """Say whether scores alone separate the best model from number k.

    As if no two models shared an item, and adjusted for all pairs of models: more cautious than
    item answers would be.
    """
    m = len(models)
    if m < settings.fewest_models:
        return f"scores of only {m} models"
    if pd.isna(n):
        return "the number of items is not on record"
    two = models["score"].iloc[[0, settings.k - 1]].to_numpy()
    p = pairs.pooled_z_tests(two, np.array([n, n])).p_value[0, 1] * m * (m - 1) / 2
    return SEPARATED if p <= 1 - settings.level else "scores alone do not separate the top"


def _spelling(facts: Table) -> Naming:
    """Map a source's column, its key there and its title there to the benchmark's name."""
    listed: dict[tuple[str, str], str] = {
        (column, key): row["benchmark"]
        for row in records(facts)
        for column in ("series", "index", "boards", "reports")
        for key in str(row[column]).split(";")
    }
    seen = {plain(name): name for name in facts["benchmark"]}

    def naming(column: str, key: str, title: str) -> str:
        return listed.get((column, key)) or seen.setdefault(plain(title), title)

    return naming


def _all_scores(inputs: NamedTables, settings: Settings, naming: Naming) -> Table:
    """Stack all scores: ``benchmark, tier, origin, model, date, score, metric, floor``."""
    scores = inputs["scores"].assign(date=pd.to_datetime(inputs["scores"]["date"]))
    dated = join_scores(inputs["series"], scores, settings.as_of).rename(columns={"site": "origin"})
    # Best results of papers count from as many dates as a forecast needs.
    papers = dated["source"] == NLP
    dated = dated[~papers | (dated.groupby("series")["date"].transform("nunique") >= FEWEST_DATES)]
    # Chance on the benchmarks of papers before 2023 is not on record.
    dated["floor"] = dated["floor"].mask(dated["source"] == NLP)
    dated["benchmark"] = [naming("series", name, name) for name in dated["benchmark"]]
    about = inputs["benchmarks"].set_index("benchmark_id")
    listed = inputs["top_scores"].assign(origin=LISTED)
    listed["benchmark"] = [
        naming("index", key, about["name"][key]) for key in listed["benchmark_id"]
    ]
    guessed = listed["benchmark_id"].map(about["output_format"]) != FREE
    listed["floor"] = guessed.map({True: np.nan, False: 0.0})
    precise = inputs["listed"].set_index("model")
    listed["date"] = listed["model"].map(precise["released"])
    listed["score"] = listed["model"].map(precise["score"]).fillna(listed["score"])
    reports = inputs["reports"].assign(
        origin="llm-stats.com",
        benchmark=[naming("reports", name, name) for name in inputs["reports"]["report"]],
    )
    boards = _boards(inputs, naming)[["board", "benchmark", "date"]]
    answered = inputs["models"].merge(boards, on="board").assign(origin="item answers")
    # A model without a date is at most as new as the newest one of its leaderboard.
    answered["date"] = pd.to_datetime(answered["released"]).fillna(answered["date"])
    table = pd.concat(
        [
            dated,
            listed.assign(tier=REPORTED),
            reports.assign(tier=REPORTED),
            answered.assign(tier=MEASURED),
        ],
        ignore_index=True,
    )
    table["date"] = pd.to_datetime(table["date"])
    columns = ["benchmark", "tier", "origin", "model", "date", "score", "metric", "floor", "source"]
    return table[columns].fillna({"model": "not named"})


def _sources(scores: Table) -> Table:
    """Date each kind of source by its newest score."""
    kind = scores["source"].fillna(scores["origin"])
    kind = kind.mask(kind.str.startswith("history_epoch_"), "Epoch AI's hub")
    kind = kind.mask(kind.eq(NLP), "best results in papers, 2004 to 2022")
    table = (
        scores.assign(source=kind)
        .groupby("source", as_index=False)
        .agg(benchmarks=("benchmark", "nunique"), scores=("score", "size"), newest=("date", "max"))
    )
    return table.assign(newest=table["newest"].dt.strftime("%Y-%m-%d"))


def _boards(inputs: NamedTables, naming: Naming) -> Table:
    """Name each leaderboard with item answers, and date the leaderboard by its newest model."""
    boards = inputs["overview"]
    released = inputs["models"].groupby("board")["released"].max()
    return boards.assign(
        benchmark=[naming("boards", *pair) for pair in zip(boards["board"], boards["title"])],
        date=pd.to_datetime(boards["board"].map(released)),
    )


def _items(inputs: NamedTables, settings: Settings, naming: Naming) -> Known:
    """Say what item answers show of each top, and whether they are recent enough to decide."""
    answers = {}
    for board in records(_boards(inputs, naming).sort_values("date", na_position="first")):
        age, gap = _months(board["date"], settings.as_of), board["detectable"]
        if board["n_models"] < settings.fewest_models:
            answer = f"item answers of only {board['n_models']} models"
        elif not board["kth_tied"]:
            answer = SEPARATED
        elif gap <= settings.largest_detectable:
            answer = TIED
        else:
            answer = f"too few items to see gaps below {100 * gap:.0f} points"
        decides = answer
        if pd.isna(board["date"]):
            decides = "item answers without dates"
        elif age > settings.stale_months:
            decides = f"item answers end in {board['date']:%B %Y}"
        answers[board["benchmark"]] = {
            "decides": decides,
            "items": answer,
            "items_date": _day(board["date"]),
            "items_board": board["board"],
            "items_models": board["n_models"],
            "items_detectable": gap,
            "items_best": board["s_1"],
        }
    return answers


def _listed(inputs: NamedTables, settings: Settings, naming: Naming) -> Known:
    """Return what the plateau study has of each benchmark."""
    index = inputs["index"][["benchmark_id", "s_index"]]
    answers = {}
    for row in records(inputs["benchmarks"].merge(index, on="benchmark_id")):
        sized = "n_not_test_set" not in str(row["flags"]) and not pd.isna(row["n_test"])
        size = {"n_items": row["n_test"], "n_source": ANNOTATIONS} if sized else {}
        answers[naming("index", row["benchmark_id"], row["name"])] = {
            **size,
            "benchmark_id": row["benchmark_id"],
            "s_index": row["s_index"],
            "s_date": settings.observed_on,
        }
    return answers


def _issues(inputs: NamedTables, naming: Naming) -> Known:
    """Return the known issues of each benchmark, with their sources."""
    facts = inputs["issues"]
    sentences = facts["kind"] + " (" + facts["date"] + "): " + facts["fact"]
    annotated = [
        {
            "benchmark": naming("index", row["benchmark_id"], row["name"]),
            "kind": kind,
            "sentence": f"{kind} (annotated)",
            "url": ANNOTATIONS,
        }
        for row in records(inputs["benchmarks"])
        for column, kind in ANNOTATED.items()
        if row[column]
    ]
    table = pd.concat([facts.assign(sentence=sentences), pd.DataFrame(annotated)]).drop_duplicates(
        ["benchmark", "kind"]
    )
    return {
        str(name): {
            "issues": "; ".join(rows["sentence"]),
            "issues_source": " ".join(rows["url"].unique()),
        }
        for name, rows in table.groupby("benchmark")
    }


def _chances(inputs: NamedTables, naming: Naming) -> Known:
    """Return the probability that measured scores reach the target in the next year."""
    table = inputs["chances"][inputs["chances"]["series"].str.endswith(f", {MEASURED}")]
    return {
        naming("series", row["benchmark"], row["benchmark"]): {
            "next_year": row["probability"],
            "history": row["series"],
        }
        for row in records(table)
    }


def _changes(said: Table) -> Known:
    """Return the changes of the last refresh; the first refresh changed nothing."""
    newest = said["since"].max()
    return {
        row["benchmark"]: {"changed": f"{row['before']} before {row['since']}"}
        for row in records(said)
        if row["since"] == newest and not pd.isna(row["before"])
    }


def _chance_source(about: Row, scores: Table) -> str | None:
    """Say where the chance level stands."""
    if pd.isna(scores["chance"].iloc[0]):
        return None
    if about.get("chance") is not None:
        return str(about["source"])
    return "answers cannot be guessed, or the source has subtracted chance"


def _quantities(status: Table, settings: Settings) -> Iterator[Quantity]:
    """Count the benchmarks of each status; the note names them."""
    now = current(status)
    newest = f"{pd.Timestamp(now['measured_date'].max()):%B %Y}" if len(now) else ""
    yield Quantity("status_current", len(now), note=newest)
    for name in RATED:
        part, word = now[now["status"] == name], name.replace(" ", "_")
        yield Quantity(f"status_current_{word}", len(part), note="; ".join(part["benchmark"]))
    best = now[["best_share", "reported_share"]].max(axis=1)
    reported = now[(now["status"] == NEAR) & ~(now["best_share"] >= settings.exhausted_from)]
    yield Quantity(
        "status_current_near_reported", len(reported), note="; ".join(reported["benchmark"])
    )
    for share in SWEEP:
        for name, values in (("limit", now["lower"]), ("best", now["best_share"]), ("any", best)):
            yield Quantity(f"status_current_{name}_{100 * share:.0f}", (values >= share).sum())


def _day(date: Any) -> str | None:
    return None if pd.isna(date) else f"{pd.Timestamp(date):%Y-%m-%d}"


def _model_name(model: str | None) -> str | None:
    return None if model is None else model.removesuffix("_unknown")


def _months(date: Any, as_of: str) -> float:
    if pd.isna(date):
        return np.nan
    return float((pd.Timestamp(as_of) - date) / pd.Timedelta(days=DAYS_A_MONTH))
