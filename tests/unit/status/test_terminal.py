"""What `saturation status` prints with a run and without, and the figure."""

import json

import pytest

from saturation.cli import main
from saturation.files.tables import read_table, shipped, write_csv
from saturation.pages import style
from saturation.status import figures, terminal


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


def test_the_figure_has_a_row_for_each_current_benchmark(unreadable):
    with style.style():
        drawn = figures.overview(read_table(shipped(terminal.SHIPPED)), 0.9)
        labels = [text.get_text() for text in drawn.axes[0].get_yticklabels()]
        assert labels.index("GPQA Diamond") < labels.index("LiveBench")
        assert len(labels) == len(set(labels)) == 42
        sizes = [text.get_fontsize() for axes in drawn.axes for text in axes.texts]
        assert min(sizes) >= figures.SMALL
        assert not unreadable(drawn)
