"""Recompute the status of every benchmark from the embedded files, by pandas and scipy alone."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import betaincinv

RESOURCES = Path(__file__).resolve().parents[3] / "resources"
PAPERS = "history_sota_nlp"


def read(name):
    return pd.read_csv(RESOURCES / f"{name}.csv")


def spelled(name):
    return re.sub(r"[^a-z0-9+]", "", str(name).lower())


def renamed(column, keys, titles, names):
    """Names of benchmarks; titles that differ by case, spaces or hyphens are one, see `names`."""
    facts = read("status/benchmarks")
    listed = facts.dropna(subset=[column]).assign(key=facts[column].str.split(";")).explode("key")
    listed = dict(zip(listed["key"], listed["benchmark"], strict=True))
    return [
        listed.get(key) or names.setdefault(spelled(title), title)
        for key, title in zip(keys, titles, strict=True)
    ]


def first_names():
    return {spelled(name): name for name in read("status/benchmarks")["benchmark"]}


def all_scores(as_of="2026-08-01"):
    """Stack what a benchmark has on record, but for item answers."""
    names = first_names()
    dated = read("forecast/scores").merge(read("forecast/series"), on="series")
    bad = dated.loc[~dated["score"].between(0, 1) | (dated["date"] > as_of), "series"]
    dated = dated[~dated["series"].isin(bad)]
    days = dated.groupby(["benchmark", "tier"])["date"].transform("nunique")
    dated = dated[(dated["source"] != PAPERS) | (days >= 5)]
    dated["key"] = dated["benchmark"]
    dated["floor"] = dated["floor"].mask(dated["source"] == PAPERS)
    dated["beyond"] = dated["metric"] == "share beyond chance"
    dated["benchmark"] = renamed("series", dated["key"], dated["key"], names)
    plateau = read("plateau/benchmarks").set_index("benchmark_id")
    listed = read("plateau/top_scores").dropna(subset=["score"])
    models = read("status/listed").set_index("model")
    listed["score"] = listed["model"].map(models["score"]).fillna(listed["score"] / 100)
    listed["date"] = listed["model"].map(models["released"])
    listed["floor"] = (listed["benchmark_id"].map(plateau["output_format"]) == "free_form").map(
        {True: 0.0, False: np.nan}
    )
    ids = listed["benchmark_id"]
    listed["benchmark"] = renamed("index", ids, ids.map(plateau["name"]), names)
    reports = read("status/reported")
    reports["benchmark"] = renamed("reports", reports["report"], reports["report"], names)
    both = [listed.assign(tier="reported"), reports.assign(tier="reported")]
    table = pd.concat([dated, *both], ignore_index=True)
    facts = read("status/benchmarks").set_index("benchmark")
    chance = table["benchmark"].map(facts["chance"])
    table["chance"] = chance.fillna(table.groupby("benchmark")["floor"].transform("max"))
    floor = table["chance"].fillna(0)
    table["score"] = table["score"].mask(
        table["beyond"].eq(True), floor + (1 - floor) * table["score"]
    )
    table["share"] = ((table["score"] - floor) / (1 - floor)).clip(0, 1).round(9)
    return table


def sizes():
    """The number of items by benchmark: of the table of facts, else of the annotations."""
    plateau = read("plateau/benchmarks")
    sized = plateau[~plateau["flags"].fillna("").str.contains("n_not_test_set")]
    names = renamed("index", sized["benchmark_id"], sized["name"], first_names())
    known = dict(zip(names, sized["n_test"], strict=True))
    facts = read("status/benchmarks").dropna(subset=["n_items"])
    return pd.Series(known | dict(zip(facts["benchmark"], facts["n_items"], strict=True)))


def table(as_of="2026-08-01"):
    """One row a benchmark without item answers."""
    facts = read("status/benchmarks").set_index("benchmark")
    rises, n = read("forecast/rises"), sizes()
    rows = []
    for name, part in all_scores(as_of).groupby("benchmark"):
        fact = facts.reindex([name]).iloc[0]
        measured, reported = (part[part["tier"] == tier] for tier in ("measured", "reported"))
        best, report = measured["share"].max(), reported["share"].max()
        chance, items = part["chance"].iloc[0], n.get(name, np.nan)
        lower = np.nan
        if len(measured) and not np.isnan([chance, items]).any():
            top = measured[measured["share"] == best].sort_values(["date", "model"]).iloc[0]
            board = measured[measured["site"] == top["site"]].copy()
            board["name"] = board["model"].str.partition("_")[0]
            many = board["name"].nunique()
            right = top["score"] * items
            # As many contenders as models: at most too many, which the test allows for.
            limit = betaincinv(right, items - right + 1, 0.05 / many) if right else 0.0
            lower = max((limit - chance) / (1 - chance), 0)
        stale = not (pd.Timestamp(as_of) - pd.Timestamp(part["date"].max())).days <= 365
        if isinstance(fact["unusable"], str) or isinstance(fact["scale"], str):
            status = "not rated"
        elif isinstance(fact["superseded_by"], str):
            status = "superseded"
        elif lower >= 0.9:
            status = "exhausted"
        elif stale:
            status = "no data since"
        else:
            status = (
                "near the ceiling" if max(best, report) >= 0.9 or report >= 0.9 else "room left"
            )
        needed = np.log(9) - np.log(np.clip(best, 0.005, 0.995) / (1 - np.clip(best, 0.005, 0.995)))
        enough = rises["windows"][rises["rise"] >= needed].sum() / rises["windows"].sum()
        rows.append((name, status, part["date"].max(), best, report, lower, items, chance, enough))
    columns = ["benchmark", "status", "date", "best", "reported", "lower", "n", "chance", "next"]
    return pd.DataFrame(rows, columns=columns).set_index("benchmark")
