"""What `saturation status` prints with a run and without, and the figures."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import shipped_tables

from saturation.cli import main
from saturation.files.tables import load_table, shipped, write_csv
from saturation.forecast.names import HIGHEST
from saturation.pages import style
from saturation.status import terminal
from saturation.status.names import current
from studies.status import figures
from studies.style import style as figure_style


def printed(capsys, *words):
    code = main(["status", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def nothing(tmp_path):
    """Options that find no run."""
    return ["--results", str(tmp_path)]


@pytest.fixture(scope="module")
def table():
    return load_table(shipped(terminal.SHIPPED))


def test_without_a_run_the_package_answers_and_with_one_the_run(capsys, tmp_path, nothing, table):
    code, out, _ = printed(capsys, *nothing, "gpqa-diamond", "--json")
    (row,) = json.loads(out)
    assert (code, row["benchmark"], row["measured_date"]) == (0, "GPQA Diamond", "2026-07-31")
    write_csv(table.assign(date="2030-01-01"), tmp_path / "status/status.csv")
    assert json.loads(printed(capsys, *nothing, "hle", "--json")[1])[0]["date"] == "2030-01-01"


def test_a_runs_table_of_other_columns_is_refused_with_a_sentence(capsys, tmp_path, nothing, table):
    write_csv(table.drop(columns="why"), tmp_path / "status/status.csv")
    code, _, err = printed(capsys, *nothing)
    assert code == 1
    assert "column 'why' is missing" in err


def test_a_status_loads_neither_schemas_nor_statistics(nothing):
    """They take longer than all else."""
    script = (
        "import sys; from saturation.cli import main; main(sys.argv[1:]); "
        "sys.exit(' '.join({'pandera', 'scipy', 'numba', 'matplotlib'} & set(sys.modules)) or 0)"
    )
    command = [sys.executable, "-c", script, "status", "GPQA Diamond", *nothing]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def names(out):
    lines = out.split("\n\n")[0].splitlines()[1:]
    return [re.split(r" {2,}", line)[0] for line in lines]


def test_the_current_benchmarks_come_first_and_fit_in_80_columns(capsys, nothing, table):
    out = printed(capsys, *nothing)[1]
    assert names(out) == [style.short(name, terminal.WIDE) for name in current(table)["benchmark"]]
    assert max(map(len, out.splitlines())) <= 80
    chances = current(table)["next_year"].dropna()
    assert chances.is_monotonic_decreasing
    everything = printed(capsys, *nothing, "--all")[1]
    assert len(names(everything)) == len(table)


def test_the_table_is_cited_by_its_content(capsys, nothing):
    path = shipped(terminal.SHIPPED)
    digits = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    assert printed(capsys, *nothing)[1].endswith(f"Cite it with SHA-256 {digits}.\n")
    page = (Path(__file__).parents[3] / "docs/status.md").read_text(encoding="utf-8")
    assert f"data of 1 August 2026, SHA-256 {digits}." in page


def test_a_status_filters_and_every_count_has_its_denominator(capsys, nothing, table):
    for status in ("exhausted", "near-the-ceiling", "no data since"):
        listed = names(printed(capsys, *nothing, *status.split())[1])
        assert len(listed) == (table["status"] == status.replace("-", " ")).sum()
    now = current(table)["status"]
    lines = terminal.counts(table)
    numbers = [int(number) for number in re.findall(r"\d+", lines[0])]
    assert numbers == [len(now), *(sum(now == name) for name in terminal.RATED)]
    stale = (table["status"] == "no data since").sum()
    assert lines[1].startswith(f"{stale} of all {len(table)} ")


def test_an_unknown_name_gets_a_suggestion(capsys):
    code, out, err = printed(capsys, "gpqa diamnd")
    assert (code, out) == (1, "")
    assert "GPQA Diamond" in err


def test_a_benchmark_in_full_names_both_tiers_and_its_limit(capsys, nothing):
    out = printed(capsys, *nothing, "swe-bench", "verified")[1]
    for words in ("83.5 %", "95.0 %", "82 of 500", "34 contenders", "484 items", "llm-stats.com"):
        assert words in out


def test_the_page_has_the_tables_of_the_package(table):
    page = (Path(__file__).resolve().parents[3] / "docs/status.md").read_text("utf-8")
    assert shipped_tables.print_statuses(table) in page
    sources = load_table(shipped(terminal.SOURCES_FILE))
    assert shipped_tables.print_table(sources) in page
    for anchor in table.loc[table["current"], "anchor"]:
        assert f'<a id="{anchor}"></a>' in page


def test_the_figure_has_each_current_benchmark_with_its_best_share_and_chance(unreadable, table):
    with figure_style():
        drawn = figures.overview(table, 0.9)
        assert not unreadable(drawn)
    left, right = drawn.axes
    labels = [text.get_text() for text in left.get_yticklabels()]
    now = current(table)
    assert labels == [style.short(name, figures.LETTERS) for name in now["benchmark"]]
    bars = [line.get_xdata()[1] for line in left.lines if len(line.get_xdata()) == 2]
    assert bars[: len(now)] == pytest.approx(100 * now["best_share"])
    chances = now["next_year"].dropna().clip(upper=HIGHEST)
    assert [bar.get_width() for bar in right.patches] == pytest.approx(100 * chances)


def test_the_outlook_shows_the_twelve_next(table):
    now = current(table)
    names = now.loc[now["next_year"].notna(), "history"]
    frontier = pd.DataFrame({"series": names, "date": pd.Timestamp("2026-01-01"), "best": 0.5})
    chances = pd.DataFrame({"series": names, "q10": 0.6, "q90": 0.9})
    with figure_style():
        drawn = figures.outlook(table, frontier, chances)
    titles = [axes.get_title("left").split("\n")[0] for axes in drawn.axes]
    following = now[now["next_year"].notna()]["benchmark"].head(12)
    assert titles == [style.short(name, figures.NAME_LETTERS) for name in following]
