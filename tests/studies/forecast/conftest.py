"""Made histories of benchmarks, and the tables that the stages give them in."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, outlook, series
from saturation.forecast.models import Link
from saturation.forecast.names import ALIASES, NLP, NLP_KIND
from studies.forecast import sources, study


def made(count=8, dates=18, seed=0):
    """Series and scores of benchmarks that grow evenly in logits, a score every second month."""
    rng = np.random.default_rng(seed)
    days = pd.date_range("2022-01-15", periods=dates, freq="2MS")
    about, scores = [], []
    for number in range(count):
        places = -1.5 + 0.1 * rng.gamma(2, 1.0, dates).cumsum() + rng.normal(0, 0.1)
        about.append((f"s-{number}", f"B{number}", ("code", "agents")[number % 2]))
        score = 0.25 + 0.75 * Link("logistic", 1.0).shares(places)
        scores.append(pd.DataFrame({"series": f"s-{number}", "date": days, "score": score}))
    about = pd.DataFrame(about, columns=["series", "benchmark", "kind"]).assign(
        source="made", protocol="5-shot", metric="accuracy", floor=0.25, released="2022-01-01"
    )
    scores = pd.concat(scores, ignore_index=True).assign(model="m", error=np.nan)
    return about, scores


@pytest.fixture(scope="session", name="made")
def make():
    return made


@pytest.fixture(scope="session")
def logged():
    """A function that adds a log of the first two benchmarks, run 40 days after the release."""

    def added(about, scores):
        names = {"s-0": "log-0", "s-1": "log-1"}
        runs = scores[scores["series"].isin(names)]
        ran = (runs["date"] + pd.Timedelta(days=40)).clip(lower=pd.Timestamp("2023-01-01"))
        runs = runs.assign(
            series=runs["series"].replace(names),
            # A tenth less than the other source has: whatever is used of it shows.
            score=0.25 + (runs["score"] - 0.25) * 0.9,
            known=ran.dt.strftime("%Y-%m-%d"),
        )
        of_log = about.head(2).assign(series=list(names.values()), source="log")
        scores = pd.concat([scores.assign(known=None), runs], ignore_index=True)
        return pd.concat([about, of_log], ignore_index=True), scores

    return added


def described(about, scores):
    """Series as the stages give them."""
    table = series.described(about, scores, "2026-01-01")
    table["released"] = pd.to_datetime(table["released"])
    return table.assign(reason=table["reason"].replace("", None))


@pytest.fixture(scope="session")
def tables():
    """Described series with dates, and their frontier."""
    about, scores = made()
    return described(about, scores), series.frontier(about, scores)


@pytest.fixture(scope="session")
def told(logged):
    """Eight benchmarks and a log of two of them: series, the eight's frontier, all scores."""
    eight, scores = made()
    about, scores = logged(eight, scores)
    return described(about, scores), series.frontier(eight, scores), scores


@pytest.fixture(scope="session")
def settings():
    return backtest.Settings([3, 6], [12.0], 150, 1)


@pytest.fixture(scope="session")
def studied(logged, prepared, settings):
    """The whole study of twelve benchmarks, six models a date: two are old, two also in a log."""
    about, scores = made(count=12)
    scores["score"] = 0.25 + 0.75 * ((scores["score"] - 0.25) / 0.75) ** 0.5
    # One of them has a single date.
    scores = scores[(scores["series"] != "s-9") | ~scores["series"].duplicated()]
    old = about["series"].isin(["s-10", "s-11"])
    about = about.assign(
        benchmark=[*ALIASES.values()][:12],
        source=about["source"].mask(old, NLP),
        kind=about["kind"].mask(old, NLP_KIND),
        released=pd.date_range("2020-06-01", periods=12, freq="45D").strftime("%Y-%m-%d"),
    )
    about, scores = logged(about, scores)
    behind = [
        scores.assign(model=f"m{number}", score=0.25 + (scores["score"] - 0.25) * share)
        for number, share in enumerate(np.linspace(0.5, 0.95, 5))
    ]
    months = [f"2023-{month:02}" for month in range(3, 13)]
    rows = np.arange(60)
    monthly = pd.DataFrame({"month": months * 6, "benchmark": np.repeat([*"abcdef"], 10)})
    monthly = monthly.assign(leaderboard="v1", rank=1, top10_gap=rows % 4 / 9, bdi=rows % 7)
    monthly["score"] = monthly["max_score"] = 0.3 + rows**2 % 11 / 50
    index = monthly.assign(scope="so_far", s_index=rows % 5 / 5)
    bands = pd.DataFrame(
        {"month": range(1, 25), "series": "s-2", "benchmark": "B", "kind": "code", "best": 0.5}
    ).assign(origin="2023-01-01")
    levels = zip(outlook.QUANTILES, np.linspace(0.5, 0.9, 7), strict=True)
    bands = bands.assign(**{f"q{100 * quantile:g}": level for quantile, level in levels})
    inputs = study.Inputs(
        about, pd.concat([scores, *behind], ignore_index=True), monthly, prepared[0],
        sources.archived(bands, [b""], "v"), monthly, index,
    )  # fmt: skip
    chosen = study.Settings(
        "2024-12-01", "2023-06-01", "2023-01-01", "2024-07-01", 3, 0.95, "2024-06-01",
        settings,
    )  # fmt: skip
    return vars(study.study(inputs, chosen))
