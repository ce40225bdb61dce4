"""What `saturation status` prints with a run and without, and the figure."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.cli import main
from saturation.files.tables import read_table, shipped, write_csv
from saturation.pages import style
from saturation.status import terminal
from studies.status import figures


@pytest.mark.parametrize(
    ("months", "said"),
    [
        ((None, None, None), "not within two years (75 %)"),
        (("2027-08", None, None), "not within two years (75 %, Aug 2027 at the earliest)"),
        (("2026-09", "2027-01", None), "Jan 2027 (Sep 2026 to after two years)"),
        (("2026-09", "2027-01", "2028-03"), "Jan 2027 (Sep 2026 to Mar 2028)"),
    ],
)
def test_a_forecast_in_words(months, said):
    names = ("due_earliest", "due_median", "due_latest")
    row = {"status": "undecided", "not_in_two_years": 0.75} | dict(zip(names, months, strict=True))
    assert terminal.due(row) == said
    assert terminal.due(row | {"status": "exhausted"}) == "reached"
    assert terminal.due(row | {"not_in_two_years": None}) == "no forecast"


def printed(capsys, *words):
    code = main(["status", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_without_a_run_the_package_answers_and_with_one_the_run(capsys, tmp_path):
    none = ["--results", str(tmp_path)]
    code, out, _ = printed(capsys, *none, "gpqa-diamond", "--json")
    (row,) = json.loads(out)
    assert (code, row["benchmark"], row["date"]) == (0, "GPQA Diamond", "2026-07-31")
    table = read_table(shipped(terminal.SHIPPED))
    write_csv(table.assign(date="2030-01-01"), tmp_path / "status/status.csv")
    assert json.loads(printed(capsys, *none, "hle", "--json")[1])[0]["date"] == "2030-01-01"
    listed = printed(capsys, *none)[1]
    assert all(name in listed for name in table[table["status"] != "no data since"]["benchmark"])


def test_an_unknown_name_gets_a_suggestion(capsys):
    code, out, err = printed(capsys, "gpqa diamnd")
    assert (code, out) == (1, "")
    assert "GPQA Diamond" in err


def test_the_page_has_the_table_of_the_package():
    page = Path(__file__).resolve().parents[3] / "docs/status.md"
    table = terminal.markdown(read_table(shipped(terminal.SHIPPED)))
    assert table in page.read_text("utf-8")


def test_the_figure_has_each_current_benchmark_with_its_best_share_and_forecast(unreadable):
    status = read_table(shipped(terminal.SHIPPED))
    with style.style():
        drawn = figures.overview(status, 0.9)
        assert not unreadable(drawn)
    left, right = drawn.axes
    labels = [text.get_text() for text in left.get_yticklabels()]
    assert labels.index("GPQA Diamond") < labels.index("LiveBench")
    assert len(labels) == len(set(labels)) == 42
    names = [style.short(name, figures.LETTERS) for name in status["benchmark"]]
    rows = status.set_index(pd.Index(names)).loc[labels]
    bars = [line.get_xdata()[1] for line in left.lines[:-1:2]]
    assert bars == pytest.approx(100 * rows["best_share"])
    assert left.lines[-1].get_xdata()[0] == 90
    # The month of the day itself is the first of the forecast.
    now = pd.Period(status["as_of"].iloc[0], "M")
    due = rows[(rows["status"] != "exhausted") & rows["due_earliest"].notna()]
    lines = [line.get_xdata() for line in right.lines]
    assert [x[0] for x in lines if len(x) == 2] == months_from(now, due["due_earliest"])
    medians = [line.get_xdata()[0] for line in right.lines if line.get_marker() == "|"]
    assert medians == months_from(now, due["due_median"].dropna())
    ends = [x[1] for x in lines if len(x) == 2]
    known = due["due_latest"].notna().to_numpy()
    assert np.array(ends)[known].tolist() == months_from(now, due["due_latest"].dropna())
    assert set(np.array(ends)[~known]) == {figures.MONTHS + 0.8}


def months_from(now, months):
    return [(pd.Period(month, "M") - now).n + 1 for month in months]
