"""Made histories of benchmarks, and the tables that the stages give them in."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from saturation.forecast import series
from studies.forecast import published, study
from studies.forecast.schemas import ARCHIVE


def made(count=8, dates=18, seed=0):
    """Series and scores of benchmarks that grow evenly in logits, a score every second month."""
    rng = np.random.default_rng(seed)
    days = pd.date_range("2022-01-15", periods=dates, freq="2MS")
    about, scores = [], []
    for number in range(count):
        places = -1.5 + 0.1 * rng.gamma(2, 1.0, dates).cumsum() + rng.normal(0, 0.1)
        about.append((f"s-{number}", f"B{number}"))
        score = 0.25 + 0.75 * expit(places)
        scores.append(pd.DataFrame({"series": f"s-{number}", "date": days, "score": score}))
    about = pd.DataFrame(about, columns=["series", "benchmark"]).assign(
        source="made", protocol="5-shot", metric="accuracy", floor=0.25, released="2022-01-01",
        site="made.org", tier="measured",
    )  # fmt: skip
    scores = pd.concat(scores, ignore_index=True).assign(model="m", error=np.nan, known=None)
    return about, scores


@pytest.fixture(scope="session", name="made")
def make():
    return made


@pytest.fixture(scope="session")
def tables():
    """Described series, and their frontier."""
    scores = published.join_scores(*made(), "2026-01-01")
    return published.describe_series(scores), series.best_by_date(scores)


@pytest.fixture(scope="session")
def studied():
    """The whole study of twelve benchmarks that are followed for three years."""
    about, scores = made(count=12)
    scores["date"] = scores["date"].dt.strftime("%Y-%m-%d")
    months = [f"2023-{month:02}" for month in range(3, 13)]
    rng = np.random.default_rng(20251101)
    monthly = pd.DataFrame({"month": months * 6, "benchmark": np.repeat([*"abcdef"], 10)})
    monthly = monthly.assign(leaderboard="v1", rank=1, bdi=rng.integers(7, size=60))
    # No column follows from the others, so that a line through them is one line on every machine.
    monthly["top10_gap"] = rng.uniform(0, 0.3, 60)
    monthly["score"] = monthly["max_score"] = rng.uniform(0.3, 0.5, 60)
    index = monthly.assign(scope="so_far", s_index=rng.uniform(size=60))
    kept = pd.DataFrame(columns=list(ARCHIVE.columns))
    inputs = {"series": about, "scores": scores, "boards": monthly, "kept": kept}
    inputs |= {"monthly": monthly, "index": index}
    chosen = study.Settings("2024-12-01", "2023-01-01", "2024-07-01", 3, 0.95)
    return study.study(inputs, chosen)
