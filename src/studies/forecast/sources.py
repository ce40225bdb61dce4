"""Convert the pinned files of dated scores, each with its layout, to a single table of facts.

A fact is a benchmark, a protocol, a model, a date, a score and its error where the source has it.
Rows that are left out are counted by reason. A score of a model is dated by the model's release, a
score of a paper by the last day of the paper's month.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.discriminability.bdi import bdi, top_gap
from saturation.errors import InputError
from saturation.files.tables import NamedTables
from saturation.forecast.series import months_after
from saturation.index import saturation_index
from studies.forecast import indices, schemas
from studies.forecast.names import (
    ECI,
    HUB,
    LAYOUTS,
    NLP,
    RATINGS,
    REPORTED,
    RUN_FLOORS,
    RUNS,
    SAME_SOURCE,
    UNSTATED,
    Layout,
)

FACTS = [
    *("source", "benchmark", "protocol", "metric", "floor", "released"),
    *("date", "model", "score", "error", "known", "reason"),
]
ABOUT_SERIES = FACTS[:6]
IDENTITY = ["source", "benchmark", "protocol", "metric"]
NO_DATE = "the release date of the model is not known"
NO_SCORE = "no score"
NO_SHARE = "no share of right answers: its metric has no usable range from 0 to 1"
# Shares of right answers, and means of them; sums of n-gram overlaps have no known ceiling.
SHARE = re.compile(
    r"\b(?:acc|accuracy|f1|em|exact match|precision|recall|map|mrr|auc|uas|las|matched|correct|"
    r"mismatched|success|(?:r\d*|p|hits|recall|precision)[- @]at[- @]?\d+)\b|-f1\b",
    re.IGNORECASE,
)
RUN_DAY = "%d %B %Y %I:%M%p"  # when the log of runs says that one began
INTERVALS = (("50", "q25", "q75"), ("80", "q10", "q90"), ("95", "q2.5", "q97.5"))
PENDING, ENDED = "not due yet", "the series ends before"
# Tasks of each board. The board of a single scaffold has those of `Verified` once more and was
# watched for five months.
N_TEST = {"Test": 2294, "Lite": 300, "Verified": 500, "Multimodal": 517}
LEADERS = 10


def capabilities_index(table: pd.DataFrame) -> pd.DataFrame:
    """Read the scores under Epoch AI's capabilities index, which subtracts chance.

    A benchmark whose scores come from several reports is as many series: the reports prompt in
    their own ways. Rows that name no source belong to the benchmark's only one, if it has one.
    """
    source = table["source"].replace(SAME_SOURCE)
    only = source.groupby(table["benchmark"]).agg(lambda names: _only(names.dropna()))
    facts = pd.DataFrame(
        {
            "source": ECI,
            "benchmark": table["benchmark"],
            "protocol": source.fillna(table["benchmark"].map(only)),
            "metric": "share beyond chance",
            "floor": 0.0,
            "released": table["benchmark_release_date"],
            "date": table["date"],
            "model": table["model_version"],
            "score": table["performance"].astype(float),
        }
    )
    return _add_reasons(facts)


def epoch_table(name: str, table: pd.DataFrame, versions: pd.DataFrame) -> pd.DataFrame:
    """Read a table of Epoch AI's hub."""
    source = f"history_epoch_{name}"
    layout = LAYOUTS.get(name) or Layout(name, "", scale=1)
    needed = [column for column in (layout.score, layout.error, layout.protocol) if column]
    for column in ("Model version", *needed):
        if column not in table.columns:
            raise InputError(f"{source}: no column '{column}'; it is not the table that is pinned")
    facts = pd.DataFrame(
        {
            "source": source,
            "benchmark": layout.benchmark,
            "protocol": _protocol(table, layout),
            "metric": layout.score or "rating",
            "floor": layout.floor,
            "date": _released(table["Model version"], versions),
            "model": table["Model version"],
            "score": _numbers(table[layout.score], layout.scale) if layout.score else 0.0,
            "error": _numbers(table[layout.error], layout.scale) if layout.error else np.nan,
        }
    )
    return _add_reasons(facts, RATINGS.get(name, ""))


def epoch_runs(table: pd.DataFrame, versions: pd.DataFrame) -> pd.DataFrame:
    """Read the log of Epoch AI's evaluations; another version of a task is another series."""
    facts = pd.DataFrame(
        {
            "source": RUNS,
            "benchmark": table["task"],
            "protocol": "task version " + table["task version"],
            "metric": "best score across scorers",
            "floor": table["task"].map(RUN_FLOORS).fillna(0.0),
            "date": _released(table["model"], versions),
            "model": table["model"],
            "score": _numbers(table["Best score (across scorers)"], 1),
            "error": table["Scores"].str.extract(r"±([\d.]+)", expand=False).astype(float),
            "known": pd.to_datetime(table["started_at"], format=RUN_DAY).dt.strftime("%Y-%m-%d"),
        }
    )
    return _add_reasons(facts)


def best_results(table: pd.DataFrame) -> pd.DataFrame:
    """Read the best results on NLP benchmarks; a series is a task, a data set and a metric.

    A series whose results exceed 1 is in percent throughout; one that mixes percent with
    proportions is left as it is, and refused later.
    """
    by = ["task", "dataset", "metric"]
    highest = table.groupby(by)["result"].transform("max")
    month = pd.PeriodIndex(table["date"], freq="M")
    facts = pd.DataFrame(
        {
            "source": NLP,
            "benchmark": table["dataset"],
            "protocol": table["task"],
            "metric": table["metric"],
            "floor": 0.0,
            "date": month.to_timestamp(how="end").strftime("%Y-%m-%d"),
            "model": table["model"].str.partition(" model in ")[0],
            "score": table["result"] / np.where(highest > 1, 100, 1),
        }
    )
    share = table["metric"].str.contains(SHARE) & (table["polarity"] == "pos")
    unusable = np.where(share, "", NO_SHARE)
    return _add_reasons(facts, unusable)


def add_releases(facts: pd.DataFrame) -> pd.DataFrame:
    """Fill in the release date of a benchmark from any source that has the date."""
    dates = facts.groupby("benchmark")["released"].min()
    return facts.assign(released=facts["benchmark"].map(dates))


def correct_models(facts: pd.DataFrame, corrections: pd.DataFrame) -> pd.DataFrame:
    """Replace names of models that the benchmark's own table contradicts."""
    keys = ["source", "benchmark", "model", "score"]
    table = facts.merge(corrections[[*keys, "corrected_model"]], on=keys, how="left")
    return table.assign(model=table["corrected_model"].fillna(table["model"]))[facts.columns]


def add_sites(series: pd.DataFrame, citations: pd.DataFrame) -> pd.DataFrame:
    """Add the ``site`` that published each series, and its ``tier``.

    The capabilities index cites its source by the protocol; a table of the hub has one source. A
    citation that the table of citations lacks is a report.
    """
    cited = series["protocol"].where(series["source"] == ECI, series["source"])
    cited = cited.mask(cited == UNSTATED, series["benchmark"] + ": " + cited)
    listed = citations.set_index("citation")
    return series.assign(
        site=cited.map(listed["site"]).fillna(cited),
        tier=cited.map(listed["tier"]).fillna(REPORTED),
    )


def series_and_scores(facts: pd.DataFrame, citations: pd.DataFrame) -> NamedTables:
    """Split facts into the embedded tables of series, scores and excluded rows."""
    excluded = facts[facts["reason"] != ""].groupby(["source", "benchmark", "reason"]).size()
    usable = facts[facts["reason"] == ""].fillna({"protocol": ""})
    series = usable[ABOUT_SERIES].drop_duplicates(IDENTITY).sort_values(IDENTITY, ignore_index=True)
    number = series.groupby("source").cumcount() + 1
    short = series["source"].str.removeprefix("history_")
    series.insert(0, "series", short + "-" + number.astype(str))
    scores = usable.merge(series[["series", *IDENTITY]], on=IDENTITY)
    columns = ["series", "date", "model", "score", "error", "known"]
    return {
        "series": add_sites(series, citations).assign(
            protocol=series["protocol"].replace("", pd.NA)
        ),
        "scores": scores[columns].sort_values(columns[:4], ignore_index=True),
        "excluded": excluded.rename("rows").reset_index(),
    }


def archived(bands: pd.DataFrame, sources: Sequence[bytes], version: str) -> pd.DataFrame:
    """Add to forecasts the beginning of their sources' sha256 and the code's fingerprint."""
    content = hashlib.sha256(b"".join(sources)).hexdigest()[:16]
    table = bands.assign(data=content, code=version)
    return table.reindex(columns=list(schemas.ARCHIVE.columns)).reset_index(drop=True)


def scored(archive: pd.DataFrame, frontier: pd.DataFrame) -> pd.DataFrame:
    """Compare archived forecasts with the best score on the day that they were due.

    The state is empty where a forecast could be scored.
    """
    last = frontier.groupby("series")["date"].max()
    rows = []
    for row in archive.to_dict("records"):
        due = months_after(pd.Timestamp(row["origin"]), row["month"])
        watched = last.get(row["series"], pd.NaT) >= due
        state = PENDING if due > frontier["date"].max() else "" if watched else ENDED
        past = frontier[(frontier["series"] == row["series"]) & (frontier["date"] <= due)]
        outcome = np.nan if state else past["best"].iloc[-1]
        about = {name: row[name] for name in ("series", "benchmark", "origin", "month", "q50")}
        inside = {
            f"inside_{level}": np.nan if state else float(row[low] <= outcome <= row[high])
            for level, low, high in INTERVALS
        }
        rows.append({**about, "observed": outcome, **inside, "state": state})
    return pd.DataFrame(rows)


def results(path: Path) -> pd.DataFrame:
    """Read the dated results of SWE-bench's leaderboards; scores are proportions."""
    boards = {
        board["name"]: board["results"]
        for board in json.loads(path.read_text("utf-8"))["leaderboards"]
    }
    missing = sorted(set(N_TEST) - set(boards))
    if missing:
        raise InputError([f"{path}: there is no board '{name}'" for name in missing])
    table = pd.DataFrame(
        [
            {"benchmark": name, "date": result["date"], "score": result["resolved"] / 100}
            for name in N_TEST
            for result in boards[name]
        ]
    )
    return table.assign(date=pd.to_datetime(table["date"]))


def cases(table: pd.DataFrame, k: int, alpha: float, bins: int) -> pd.DataFrame:
    """Compute each leaderboard's monthly indices, and the best score's subsequent rise.

    Columns of `indices.CASES`. A month's indices are those of all results so far, since months have
    few; months count from the first with ten results to the last of all boards.
    """
    last = table["date"].max().to_period("M")
    monthly, index = [], []
    for name, n_test in N_TEST.items():
        ordered = table[table["benchmark"] == name].sort_values("date")
        begin = ordered["date"].iloc[LEADERS - 1].to_period("M")
        for month in pd.period_range(begin, last, freq="M"):
            so_far = ordered.loc[ordered["date"].dt.to_period("M") <= month, "score"].to_numpy()
            best = -np.sort(-so_far)
            key = {"leaderboard": "SWE-bench", "benchmark": name, "month": str(month)}
            counts, _ = np.histogram(so_far, bins, (0, 1))
            measured = {"max_score": best[0], "top10_gap": top_gap(best, LEADERS)}
            monthly.append(key | measured | {"bdi": float(bdi(counts))})
            s_index = saturation_index(best[0], best[k - 1], n_test, alpha)
            index.append(key | {"scope": "so_far", "s_index": float(s_index)})
    return indices.board_cases(pd.DataFrame(monthly), pd.DataFrame(index))


def _add_reasons(facts: pd.DataFrame, unusable: Any = "") -> pd.DataFrame:
    """Add the reason for which a fact is left out; empty for a fact that is used."""
    facts = facts.assign(reason=unusable)
    excluded = [
        facts["reason"] != "",
        facts["score"].isna(),
        facts[["date", "model"]].isna().any(axis=1),
    ]
    facts["reason"] = np.select(excluded, [facts["reason"], NO_SCORE, NO_DATE], "")
    return facts.reindex(columns=FACTS).astype({"released": "str"})


def _only(names: pd.Series) -> str:
    """Return the only name; the hub's where there is no name, `UNSTATED` for several names."""
    unique = [*dict.fromkeys(names)]
    if len(unique) > 1:
        return UNSTATED
    return str(unique[0]) if unique else HUB


def _protocol(table: pd.DataFrame, layout: Layout) -> pd.Series:
    if not layout.protocol:
        return pd.Series("", index=table.index)
    protocols = table[layout.protocol].fillna(UNSTATED)
    return layout.protocol.lower() + ": " + protocols


def _numbers(cells: pd.Series, scale: float) -> pd.Series:
    """Convert numbers to proportions of the scale; ``42%`` is 42 of 100."""
    text = cells.astype("str").str.strip()
    percent = text.str.endswith("%").fillna(value=False)
    values = pd.to_numeric(text.str.rstrip("%").str.rstrip(), errors="coerce")
    return values / np.where(percent, 100, scale)


def _released(models: pd.Series, versions: pd.DataFrame) -> pd.Series:
    dates = versions.dropna(subset=["id"]).drop_duplicates("id").set_index("id")
    return models.map(dates["Version release date"])
