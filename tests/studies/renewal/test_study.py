"""The study on every fifth problem of the embedded tables; how they are made; the figure."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.files import formats
from saturation.files.tables import load_table
from studies.renewal import study
from studies.style import style

RESOURCES = Path(__file__).resolve().parents[3] / "resources"


@pytest.fixture(scope="module")
def tables():
    answers, livebench = (
        formats.read(RESOURCES / f"{name}.parquet")
        for name in ("renewal/answers", "boards/responses/livebench")
    )
    dates, cutoffs = (load_table(RESOURCES / f"renewal/{name}.csv") for name in ("items", "models"))
    return study.study(answers[::5], dates, cutoffs, livebench[::3])


def test_the_headline_numbers_are_those_that_were_read_through(tables, reviewed):
    reviewed("renewal", tables["quantities"])


def test_the_figure_has_each_model_s_old_new_and_linked_score_with_its_interval(tables, unreadable):
    with style():
        drawn = study.figure(tables["scores"], tables["quantities"])
        assert not unreadable(drawn)
    axes = drawn.axes[0]
    rows = tables["scores"].dropna().sort_values("linked")
    assert [label.get_text() for label in axes.get_yticklabels()] == rows["model"].tolist()
    old, linked, observed = (100 * rows[name] for name in ("old", "linked", "observed"))
    found = [line.get_xdata() for line in axes.lines]
    assert np.array(found) == pytest.approx(np.array([old, linked, observed]))
    bars = np.array(axes.collections[0].get_segments())
    assert bars[:, :, 0] == pytest.approx(100 * rows[["lower", "upper"]].to_numpy())
    assert bars[:, 0, 1].tolist() == [*range(len(rows))]
    inside = (observed >= bars[:, 0, 0]) & (observed <= bars[:, 1, 0])
    assert f"{inside.sum()} of {len(rows)} lie" in " ".join(t.get_text() for t in drawn.texts)


DAY = 86_400_000


def test_the_embedded_tables_take_the_latest_of_what_sites_say():
    table = pd.DataFrame(
        [("x.1", "A", 0.5), ("x.2", "A", 1.0)], columns=["example_id", "model", "pass1"]
    )

    def site(shown, released):
        performances = [
            {"question_id": item, "model": model, "pass@1": score, "date": day * DAY}
            for item, model, score, day in shown
        ]
        models = [{"model_repr": model, "release_date": day * DAY} for model, day in released]
        return {"performances": performances, "models": models}

    sites = {
        "2025": site(
            [("1", "Gemini-2.5-Pro", 30.0, 9), ("2", "Gemini-2.5-Pro", 40.0, 31)],
            [("Gemini-2.5-Pro", 59), ("A", 1)],
        ),
        "2024": site([("1", "A", 99.0, 8), ("1", "B", 20.0, 8)], [("A", 0), ("C", 5)]),
    }
    judgments = pd.DataFrame({"question_id": ["q" * 20] * 2, "tstamp": [2 * 86_400, 86_400]})
    made = study.sources(table, sites, judgments)
    answers = made["answers"].set_index("item")
    assert answers["task"].tolist() == ["old", "new"]
    assert answers.drop(columns="task").to_dict("index") == {
        "1": {"A": 0.5, "B": 0.2, "Gemini-2.5-Pro-03-25": 0.3},
        "2": {"A": 1.0, "B": pytest.approx(np.nan, nan_ok=True), "Gemini-2.5-Pro-03-25": 0.4},
    }
    assert made["items"].to_numpy().tolist() == [
        ["livebench", "q" * 12, "1970-01-02"],
        ["livecodebench", "1", "1970-01-10"],
        ["livecodebench", "2", "1970-02-01"],
    ]
    assert made["models"].to_numpy().tolist() == [
        ["A", "1970-01-02"], ["Gemini-2.5-Pro-03-25", "1970-03-01"],
    ]  # fmt: skip
