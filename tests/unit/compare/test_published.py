"""Printed scores: tables of release notes, the catalogue and errors without answers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.compare import published, tables
from saturation.compare.paired import THESE
from saturation.compare.published import (
    Agreement,
    Catalogue,
    Limits,
    compare_published,
    pair_scores,
    predict_agreement,
    scores_difference,
)
from saturation.errors import InputError

AGREED = Agreement(Limits(0.3, 0.5, 0.7), Limits(0.2, 0.4, 0.6))
NOTES = """# New
| Benchmark (Metric) | # Shots | Old-1 | New-2 |
|---|---|---|---|
| **English** | | | |
| Params | - | 7B | 8B |
| MMLU (EM) | 5-shot | 80.0 | **81.5** |
| HumanEval-Mul (Pass@1) | 0-shot | 70.0 | 75.0 |
| Codeforces (Rating) | - | 700 | 900 |
| AIME 2024 (Avg@64) | - | 40.0 | 60.0† |

<table><tr><th>Model</th><th>GPQA</th><th>AIME 2024 cons@64</th></tr>
<tr><td>Old-1</td><td>50.1</td><td>60</td></tr><tr><td>New-2</td><td>-</td><td>70</td></tr></table>
"""


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "release.md"
    path.write_text(NOTES)
    return tables.load_published(path)


def test_tables_are_read_whichever_way_they_are_turned(notes):
    assert notes[notes["table"] == 1]["benchmark"].unique().tolist() == [
        "MMLU", "HumanEval-Mul", "Codeforces", "AIME 2024"
    ]  # fmt: skip
    turned = notes[notes["table"] == 2]
    assert turned[["benchmark", "metric", "model", "score"]].to_numpy().tolist() == [
        ["GPQA", "", "Old-1", 50.1],
        ["AIME 2024", "cons@64", "Old-1", 60.0],
        ["AIME 2024", "cons@64", "New-2", 70.0],
    ]
    assert notes[notes["mark"] == "†"]["model"].tolist() == ["New-2"]


@pytest.mark.parametrize("corner", ["Model", ""])
def test_a_corner_stands_above_what_the_header_does_not_name(tmp_path, corner):
    path = tmp_path / "release.md"
    path.write_text(f"|{corner}|Llama-x|Qwen-y|\n|-|-|-|\n|MMLU|80.1|81.2|\n|BBH|70.3|71.4|\n")
    assert set(tables.load_published(path)["model"]) == {"Llama-x", "Qwen-y"}
    path.write_text(f"|{corner}|MMLU|BBH|\n|-|-|-|\n|Llama-x|80.1|70.3|\n|Qwen-y|81.2|71.4|\n")
    assert set(tables.load_published(path)["model"]) == {"Llama-x", "Qwen-y"}


@pytest.mark.parametrize(
    ("cells", "score_range", "scores", "marks"),
    [
        ("0.71|0.61", None, [71.0, 61.0], ["", ""]),
        ("71|0.6", None, [71.0, 0.6], ["", "?"]),
        ("71|0.6", (0, 1), [7100.0, 60.0], ["", ""]),
        ("71|0.6", (0, 100), [71.0, 0.6], ["", ""]),
        ("0.7%†|0.6 %", None, [0.7, 0.6], ["†", ""]),
        ("71|0.0", None, [71.0, 0.0], ["", ""]),
    ],
)
def test_scores_of_at_most_1_are_shares_or_asked_about(tmp_path, cells, score_range, scores, marks):
    path = tmp_path / "release.md"
    path.write_text(f"|Model|MMLU|GPQA|\n|--|--|--|\n|A|{cells}|\n|B|{cells}|\n")
    read = tables.load_published(path, score_range)
    assert read["score"].tolist() == [score for score in scores for _ in "AB"]
    assert read["mark"].tolist() == [mark for mark in marks for _ in "AB"]
    catalogue = published.load_catalogue()
    items = [
        compare_published(row, catalogue, published.load_agreement())
        for row in pair_scores(read, "A", "B")
    ]
    assert ["shares or percentages" in item.reason for item in items] == ["?" in m for m in marks]


@pytest.mark.parametrize(
    ("text", "name", "metric"),
    [
        ("DROP (3-shot F1)", "DROP", "3-shot F1"),
        ("LiveCodeBench (24/8~25/5)", "LiveCodeBench (24/8~25/5)", ""),
        ("AIME 2024 cons@64", "AIME 2024", "cons@64"),
        ("TAU-bench (airline) (Pass@1)", "TAU-bench (airline)", "Pass@1"),
    ],
)
def test_the_metric_in_brackets_is_no_part_of_the_name(text, name, metric):
    assert tables.split_metric(text) == (name, metric)


def test_a_file_without_such_tables_is_refused(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("| a | b |\n|---|---|\n| 1 | 2 |\n")
    with pytest.raises(InputError, match="Benchmark"):
        tables.load_published(path)


def test_the_error_is_that_of_correlated_proportions():
    found = scores_difference((0.7, 0.74), 998, AGREED)
    mean = (0.72 * 998 + 1) / 1000
    assert found.error == pytest.approx(np.sqrt(2 * mean * (1 - mean) * 0.7 / 998))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(0.04 / found.error))
    averaged = scores_difference((0.7, 0.74), 998, AGREED, runs=4)
    assert (averaged.error / found.error) ** 2 == pytest.approx((0.7 - 0.2 * 0.75) / 0.7)
    repeated = scores_difference((0.7, 0.74), 998, AGREED, THESE, runs=4)
    assert (repeated.error / found.error) ** 2 == pytest.approx(0.6 / 4 / 0.7)
    assert scores_difference((1.0, 1.0), 30, AGREED).error > 0


def test_agreement_is_predicted_for_a_new_pair_on_a_new_board():
    boards = pd.DataFrame(
        {
            "kind": ["code", "code", "exams", "exams"],
            "correlation": [0.4, 0.5, 0.6, 0.5],
            "spread": [0.05, 0.06, 0.04, 0.05],
            "run_part": [0.2, 0.3, 0.4, np.nan],
        }
    )
    found = predict_agreement(boards, "code")
    spread = np.sqrt(boards["correlation"].var() * 1.25 + (boards["spread"] ** 2).mean())
    assert found.correlation.lower == pytest.approx(0.5 - stats.t(3).ppf(0.95) * spread)
    # One degree of freedom is left of three boards in two kinds.
    assert found.run_part.mean == pytest.approx(0.25)
    assert found.run_part.upper == pytest.approx(
        min(0.25 + stats.t(1).ppf(0.95) * np.sqrt(0.005 * 1.5), 1)
    )
    assert predict_agreement(boards).run_part.mean == pytest.approx(0.3)


def compared(notes, **stated):
    catalogue = published.load_catalogue()
    catalogue.declare(stated)
    rows = pair_scores(notes, "Old-1", "New-2")
    agreement = published.load_agreement()
    items = [compare_published(row, catalogue, agreement) for row in rows]
    return {item.task: item for item in items}


def test_benchmarks_are_matched_exactly_or_asked(notes):
    items = compared(notes)
    assert items["MMLU (EM)"].difference.n_items == 14_042
    assert items["MMLU (EM)"].chance == 0.25
    unknown = items["HumanEval-Mul (Pass@1)"]
    assert unknown.difference is None
    assert "is it HumanEval?" in unknown.reason
    assert "no share" in items["Codeforces (Rating)"].reason
    assert "several attempts" in items["AIME 2024 (cons@64)"].reason
    assert items["AIME 2024 (Avg@64)"].difference.n_runs == 64
    assert items["AIME 2024 (Avg@64)"].notes == (published.MARKED,)


def test_a_user_states_a_number_of_items_or_a_benchmark(notes):
    name = "HumanEval-Mul"
    assert compared(notes, **{name: "1312"})[f"{name} (Pass@1)"].difference.n_items == 1312
    assert compared(notes, **{name: "HumanEval"})[f"{name} (Pass@1)"].difference.n_items == 164
    with pytest.raises(InputError, match="expected a number of items"):
        compared(notes, **{name: "nothing"})


def test_a_shipped_benchmark_has_a_number_of_items_or_the_reason_why_it_varies():
    table = published.load_table(published.shipped("resources/releases/benchmarks.csv"))
    assert (table["n_items"].notna() ^ table["varies"].notna()).all()
    entries = Catalogue(pd.DataFrame(columns=["benchmark"]), table)
    assert entries.find("swe-bench verified").n_items == 500
    assert entries.find("LiveCodeBench v6").varies


def test_numbers_of_items_are_those_of_the_embedded_data_that_they_are_checked_with():
    root = Path(__file__).parents[3] / "resources"
    sizes = pd.read_csv(root / "releases/benchmarks.csv").set_index("benchmark")
    named = sizes["checked"].dropna()
    annotated = pd.read_csv(root / "plateau/benchmarks.csv").set_index("name")["n_test"]
    for name in named.index[named == "resources/plateau/benchmarks.csv"]:
        assert sizes.loc[name, "n_items"] == annotated[name]
    boards = {"CRUXEval-I": "cruxeval_input", "CRUXEval-O": "cruxeval_output", "MBPP": "mbpp"}
    assert set(boards) == set(named.index[named == "resources/boards/responses"])
    for name, board in boards.items():
        answers = pd.read_parquet(root / f"boards/responses/{board}.parquet")
        assert sizes.loc[name, "n_items"] == len(answers)
    questions = pd.read_csv(root / "review/mmlu_redux.csv")
    assert sizes.loc["MMLU-Redux-2.0", "n_items"] == len(questions)
