"""The pinned files of dated scores, each in its own layout, as one table of facts.

A fact is a benchmark, a protocol, a model, a date, a score and its error where one is given. Every
row that is left out is counted with its reason. Dates of models are their release dates, dates of
papers the last day of their month: what a table does not say of the day on which a score was known
cannot be told from it.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.forecast.names import (
    ECI,
    HUB,
    KIND,
    LAYOUTS,
    NLP,
    NLP_KIND,
    OTHER_KIND,
    RATINGS,
    RUN_FLOORS,
    RUNS,
    SAME_SOURCE,
    UNSTATED,
    Layout,
)

FACTS = [
    "source", "benchmark", "protocol", "metric", "kind", "floor", "released",
    "date", "model", "score", "error", "reason",
]  # fmt: skip
OF_SERIES = FACTS[:7]
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


def capabilities_index(table: pd.DataFrame) -> pd.DataFrame:
    """The scores under Epoch AI's capabilities index; chance is subtracted in them already.

    A benchmark whose scores come from several reports is as many series: the reports prompt in
    their own ways. Rows that name no source belong to the benchmark's only one, if it has one.

    Parameters
    ----------
    table
        The source as read.
    """
    named = table["source"].replace(SAME_SOURCE)
    only = named.groupby(table["benchmark"]).agg(lambda names: _only(names.dropna()))
    facts = pd.DataFrame(
        {
            "source": ECI,
            "benchmark": table["benchmark"],
            "protocol": named.fillna(table["benchmark"].map(only)),
            "metric": "share beyond chance",
            "kind": table["benchmark"].map(KIND).fillna(OTHER_KIND),
            "floor": 0.0,
            "released": table["benchmark_release_date"],
            "date": table["date"],
            "model": table["model_version"],
            "score": table["performance"].astype(float),
            "error": np.nan,
        }
    )
    return _with_reasons(facts)


def epoch_table(name: str, table: pd.DataFrame, versions: pd.DataFrame) -> pd.DataFrame:
    """One table of Epoch AI's hub.

    Parameters
    ----------
    name
        Its name without the prefix that all have.
    table
        The source as read, all cells text.
    versions
        The hub's table of model versions, which has their release dates.

    Raises
    ------
    InputError
        If a column that its layout names is not there.
    """
    source = f"history_epoch_{name}"
    layout = LAYOUTS.get(name) or Layout(name, "", scale=1)
    needed = [column for column in (layout.score, layout.error, layout.protocol) if column]
    for column in ("Model version", *needed):
        if column not in table.columns:
            raise InputError(f"{source}: no column '{column}'; it is not the table that is pinned")
    blank = pd.Series(pd.NA, index=table.index, dtype="str")
    facts = pd.DataFrame(
        {
            "source": source,
            "benchmark": layout.benchmark,
            "protocol": _protocol(table, layout),
            "metric": layout.score or "rating",
            "kind": KIND.get(layout.benchmark, OTHER_KIND),
            "floor": layout.floor,
            "released": blank,
            "date": _released(table["Model version"], versions),
            "model": table["Model version"],
            "score": _numbers(table[layout.score], layout.scale) if layout.score else 0.0,
            "error": _numbers(table[layout.error], layout.scale) if layout.error else np.nan,
        }
    )
    return _with_reasons(facts, RATINGS.get(name, ""))


def epoch_runs(table: pd.DataFrame, versions: pd.DataFrame) -> pd.DataFrame:
    """Epoch AI's own evaluations; another version of a task is another series.

    Parameters
    ----------
    table, versions
        As for :func:`epoch_table`.
    """
    facts = pd.DataFrame(
        {
            "source": RUNS,
            "benchmark": table["task"],
            "protocol": "task version " + table["task version"],
            "metric": "best score across scorers",
            "kind": table["task"].map(KIND).fillna(OTHER_KIND),
            "floor": table["task"].map(RUN_FLOORS).fillna(0.0),
            "released": pd.Series(pd.NA, index=table.index, dtype="str"),
            "date": _released(table["model"], versions),
            "model": table["model"],
            "score": _numbers(table["Best score (across scorers)"], 1),
            "error": table["Scores"].str.extract(r"±([\d.]+)", expand=False).astype(float),
        }
    )
    return _with_reasons(facts)


def best_results(table: pd.DataFrame) -> pd.DataFrame:
    """Best results on NLP benchmarks, 2004 to 2022: a series is a task, a data set and a metric.

    A series whose results exceed 1 is in percent throughout; one that mixes percent with
    proportions is left as it is, and refused later.

    Parameters
    ----------
    table
        The source as read.
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
            "kind": NLP_KIND,
            "floor": 0.0,
            "released": pd.Series(pd.NA, index=table.index, dtype="str"),
            "date": month.to_timestamp(how="end").strftime("%Y-%m-%d"),
            "model": table["model"].str.partition(" model in ")[0],
            "score": table["result"] / np.where(highest > 1, 100, 1),
            "error": np.nan,
        }
    )
    share = table["metric"].str.contains(SHARE) & (table["polarity"] == "pos")
    unusable = np.where(share, "", NO_SHARE)
    return _with_reasons(facts, unusable)


def with_releases(facts: pd.DataFrame) -> pd.DataFrame:
    """The facts with a benchmark's release date wherever one of the sources has it.

    Parameters
    ----------
    facts
        Tables of this module, one under the other.
    """
    dates = facts.groupby("benchmark")["released"].min()
    return facts.assign(released=facts["benchmark"].map(dates))


def series_and_scores(facts: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    """The three embedded tables: what the series are, their scores, and what was left out.

    Parameters
    ----------
    facts
        Tables of this module, one under the other.

    Returns
    -------
    dict of pandas.DataFrame
        ``series``, ``scores`` and ``excluded``, in the columns of their schemas.
    """
    excluded = facts[facts["reason"] != ""].groupby(["source", "benchmark", "reason"]).size()
    kept = facts[facts["reason"] == ""].fillna({"protocol": ""})
    series = kept[OF_SERIES].drop_duplicates(IDENTITY).sort_values(IDENTITY, ignore_index=True)
    number = series.groupby("source").cumcount() + 1
    short = series["source"].str.removeprefix("history_")
    series.insert(0, "series", short + "-" + number.astype(str))
    scores = kept.merge(series[["series", *IDENTITY]], on=IDENTITY)
    wanted = ["series", "date", "model", "score", "error"]
    return {
        "series": series.assign(protocol=series["protocol"].replace("", pd.NA)),
        "scores": scores[wanted].sort_values(wanted[:4], ignore_index=True),
        "excluded": excluded.rename("rows").reset_index(),
    }


def _with_reasons(facts: pd.DataFrame, unusable: Any = "") -> pd.DataFrame:
    """The facts with the reason for which a row is left out; empty for one that is used."""
    facts = facts.assign(reason=unusable)
    used = facts["reason"] == ""
    facts.loc[used & facts["score"].isna(), "reason"] = NO_SCORE
    used = facts["reason"] == ""
    facts.loc[used & (facts["date"].isna() | facts["model"].isna()), "reason"] = NO_DATE
    return facts[FACTS]


def _only(names: pd.Series) -> str:
    """The only name; of none that of the hub, of several none."""
    known = [*dict.fromkeys(names)]
    if len(known) > 1:
        return UNSTATED
    return str(known[0]) if known else HUB


def _protocol(table: pd.DataFrame, layout: Layout) -> pd.Series:
    if not layout.protocol:
        return pd.Series("", index=table.index)
    named = table[layout.protocol].fillna(UNSTATED)
    return layout.protocol.lower() + ": " + named


def _numbers(cells: pd.Series, scale: float) -> pd.Series:
    """Numbers as proportions of the scale; ``42%`` is 42 of 100."""
    text = cells.astype("str").str.strip()
    percent = text.str.endswith("%").fillna(value=False)
    values = pd.to_numeric(text.str.rstrip("%").str.rstrip(), errors="coerce")
    return values / np.where(percent, 100, scale)


def _released(models: pd.Series, versions: pd.DataFrame) -> pd.Series:
    dates = versions.dropna(subset=["id"]).drop_duplicates("id").set_index("id")
    return models.map(dates["Version release date"])
