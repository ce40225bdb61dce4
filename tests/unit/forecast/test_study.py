"""The whole study on made histories, and its headline numbers."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, outlook, sources, study
from saturation.forecast.names import ALIASES, NLP, NLP_KIND


@pytest.fixture(scope="module")
def results(made, logged, prepared):
    """Tables from twelve benchmarks: six models a date, two old ones, two also in a log."""
    about, scores = made(count=12)
    scores["score"] = 0.25 + 0.75 * ((scores["score"] - 0.25) / 0.75) ** 0.5
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
    settings = study.Settings(
        "2024-12-01", "2023-06-01", "2023-01-01", "2024-07-01", 3, 0.95, "2024-06-01",
        backtest.Settings([3, 6], [12.0], 150, 1),
    )  # fmt: skip
    return vars(study.study(inputs, settings))


def test_the_headline_numbers_are_those_that_were_read_through(results, reviewed):
    reviewed("forecast", results["quantities"])
