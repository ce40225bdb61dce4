"""The whole study, its headline numbers and tables, and what the author released."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import load_table, write_csv
from studies.discriminability import leaderboards, names, schemas, study

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text())["discriminability"]


def summary(months=7, rows=60):
    """Two benchmarks over some months, one of them filling up; families come back."""
    rng = np.random.default_rng(1)
    frame = pd.concat(
        pd.DataFrame(
            {"model": [f"m{month}-{i}" for i in range(rows)], "date": f"2024-{month + 1:02d}-15",
             "family": [f"f{i % 20}" for i in range(rows)],
             "easy": rng.beta(4 + 2 * month, 2, rows), "hard": rng.beta(2, 4, rows)}
        )
        for month in range(months)
    )  # fmt: skip
    kept, _ = leaderboards.usable(frame, "wide", (0, 1), "stop", "own.csv")
    return leaderboards.summarise(kept, leaderboards.OWN)


BENCHMARKS = pd.DataFrame(
    {"benchmark": ["easy", "hard"], "kind": ["knowledge", "reasoning"], "n_test": [1000, np.nan]}
)


SETTINGS = CONFIG | {"resamples": 50, "min_last_models": 60, "seed": 2}


@pytest.fixture(scope="module")
def by_name():
    return study.study(summary(), BENCHMARKS, SETTINGS)


@pytest.mark.parametrize("name", schemas.RESULTS)
def test_what_others_read_can_be_written_and_read_by_its_schema(by_name, name, tmp_path):
    write_csv(by_name[name], tmp_path / "table.csv")
    read = stages.read(tmp_path / "table.csv", schemas.RESULTS[name])
    assert len(read) == len(by_name[name])
    assert [*read.columns] == [*by_name[name].columns]


def test_rows_left_out_before_are_listed_with_the_windows_left_out():
    dropped = pd.DataFrame([{"leaderboard": "own", "benchmark": "easy", "row": 3, "reason": "bad"}])
    made = study.study(summary(months=2, rows=20), BENCHMARKS, SETTINGS, dropped)
    assert made["dropped"]["row"].tolist() == [3]


def test_a_benchmark_that_is_not_listed_is_named():
    with pytest.raises(InputError, match=r"mine\.csv: no row for benchmark 'hard'; add one"):
        study.study(summary(months=1), BENCHMARKS.head(1), SETTINGS, file="mine.csv")


def test_a_study_of_a_single_window_has_no_changes():
    made = study.study(summary(months=1), BENCHMARKS, SETTINGS)
    assert made["changes"].empty
    assert made["population"].empty
    assert made["growth"].query("reading == 'honest'")["abstains"].tolist() == [True, True]


@pytest.mark.parametrize(
    "score",
    [lambda i: 50.0, lambda i: 50.0 + 10 * (i % 2), lambda i: 100.0 * (i % 2)],
    ids=["constant", "ties", "0 and 1"],
)
def test_scores_without_spread_give_values_or_reasons(score):
    frame = pd.DataFrame(
        [(f"m{month}-{i}", "b", f"2024-0{month}-01", score(i)) for month in (1, 2, 3)
         for i in range(80)],
        columns=["model", "benchmark", "date", "score"],
    )  # fmt: skip
    kept, _ = leaderboards.screen(leaderboards.numbered(frame, "x"), (0, 100), "x")
    made = study.study(
        leaderboards.summarise(kept, "own"),
        pd.DataFrame({"benchmark": ["b"], "kind": ["other"], "n_test": [np.nan]}),
        SETTINGS,
    )
    assert made["monthly"]["bdi_submitters_lower"].isna().all()
    assert made["changes"]["p_value"].isna().all()
    assert made["changes"]["significant"].isna().all()
    assert (made["changes"]["reason"] != "").all()


@pytest.fixture(scope="module")
def embedded():
    """Tables of the study of the embedded leaderboards by name."""
    folder = ROOT / "resources/discriminability"
    summary = {
        name: load_table(folder / f"{name}_monthly.csv", **schemas.AS_TEXT)
        for name in names.SUMMARY
    }
    benchmarks, dropped, families = (
        load_table(folder / f"{name}.csv", **schemas.AS_TEXT)
        for name in ("benchmarks", "dropped", "families")
    )
    settings = CONFIG | {"resamples": 20, "seed": 2}
    return study.study(summary, benchmarks, settings, dropped, families)


def test_the_headline_numbers_are_those_that_were_read_through(embedded, reviewed):
    reviewed("discriminability", embedded["quantities"])


def counted_in(embedded, **tables):
    return study.quantities(embedded | tables).set_index("quantity")["value"]


def test_a_score_above_085_by_march_2024_counts(embedded):
    monthly = embedded["monthly"].assign(max_score=0.85)
    early = (monthly["benchmark"] == "ARC") & (monthly["month"] == "2024-02")
    monthly.loc[early, "max_score"] = 0.8501
    assert counted_in(embedded, monthly=monthly)["v1_above_085_by_early_2024"] == 1


def test_the_papers_groups_need_the_papers_leaderboard(embedded):
    renamed = {
        name: table.assign(leaderboard=table["leaderboard"].replace({"v1": "own"}))
        for name, table in embedded.items()
        if "leaderboard" in table
    }
    found = set(counted_in(embedded, **renamed).index)
    assert not any(name.startswith("v1_") for name in found)
    assert "own_hellaswag_windows_due_by_late_2023" in found
    # Without one of the three the losses are not given.
    changes = embedded["changes"]
    found = counted_in(embedded, changes=changes[changes["benchmark"] != "ARC"])
    assert "v1_three_relative_loss_least" not in found
    # The released check of bins is on HellaSwag up to the last large window.
    found = counted_in(embedded, changes=changes.query("last_window == 'any'"))
    assert "bins_shift__released_check" not in found
    # A window that is no month has no distance to the retirement.
    found = counted_in(embedded, retirement=embedded["retirement"].assign(month="2023Q4"))
    assert "v1_hellaswag_months_due_before_retirement" not in found


def test_two_benchmarks_with_the_same_letters_are_refused(embedded):
    twin = embedded["monthly"].query("benchmark == 'ARC'").assign(benchmark="arc")
    with pytest.raises(InputError, match=r"v1_arc_max_score.*names that differ in letters"):
        counted_in(embedded, monthly=pd.concat([embedded["monthly"], twin]))


def test_the_papers_table_takes_the_change_to_the_last_window_and_the_two_fits():
    """Two leaderboards; on the first, `a` has two windows and `b` a single one."""
    monthly = pd.DataFrame(
        [("w", "a", 0.1), ("v", "a", 0.825), ("v", "a", 0.815), ("v", "b", 0.5)],
        columns=["leaderboard", "benchmark", "max_score"],
    )
    change = {
        "leaderboard": "v", "benchmark": "a", "bdi_from": 0.75, "bdi_to": 0.5, "change": -0.2,
        "submitters_change": -0.25, "submitters_change_lower": -0.375,
        "submitters_change_upper": 0.125, "reason": np.nan,
        "last_window": "any",
    }  # fmt: skip
    others = ({"last_window": "large"}, {"leaderboard": "w"})
    rows = [change, *({**change, "change": -9.0, **other} for other in others)]
    growth = pd.DataFrame(
        [
            ("v", "a", "paper", 0.86, 0.985, np.nan, np.nan),
            ("v", "a", "honest", 0.875, 0.9, False, ""),
            ("v", "b", "paper", 0.49, 0.2, np.nan, np.nan),
            ("v", "b", "honest", 0.6, 0.3, True, "R2 is low"),
        ],
        columns=["leaderboard", "benchmark", "reading", "ceiling", "r_squared", "abstains",
                 "reason"],
    )  # fmt: skip
    due = {"leaderboard": "v", "benchmark": ["a", "b"], "first_due": ["2024-05", np.nan]}
    tables = {"monthly": monthly, "growth": growth, "changes": pd.DataFrame(rows)}
    table = study.status(tables | {"first_due": pd.DataFrame(due)}, "v").astype(object)
    assert table.fillna("").to_numpy().tolist() == [
        ["a", 0.825, 0.75, 0.5, -0.2, -0.25, -0.375, 0.125, "", 0.86, 0.985, 0.875, "", "2024-05"],
        ["b", 0.5, "", "", "", "", "", "", "", 0.49, 0.2, "", "R2 is low", ""],
    ]


@pytest.fixture(scope="module")
def value():
    """The author's numbers by name."""
    monthly, fits = (
        load_table(ROOT / f"resources/discriminability/author_{name}.csv")
        for name in ("monthly", "fits")
    )
    return study.author_quantities(monthly, fits).set_index("quantity")["value"].to_dict()


def test_all_twelve_fits_come_out_again(value):
    names = [name for name in value if name.endswith(("_r_squared__refit", "_ceiling__refit"))]
    assert len(names) == 24
    for name in names:
        assert value[name] == pytest.approx(value[name.replace("refit", "released")], abs=3e-4)


@pytest.mark.parametrize(
    ("name", "printed", "digits"),
    [
        ("v1_hellaswag_bdi_first", 0.708, 3),
        ("v1_gsm8k_first_to_last", 0.322, 3),
        ("v1_gsm8k_max_score_first", 0.434, 3),
        ("v1_gsm8k_r_squared__refit", 0.986, 3),
        ("v2_gpqa_ceiling__refit", 0.705, 3),
        ("v1_three_relative_loss_least", 0.15, 2),
        ("v1_three_relative_loss_most", 0.24, 2),
        ("v1_declines", 4, 0),
        ("v2_declines", 0, 0),
        ("v1_windows", 10, 0),
        ("v1_gsm8k_months_to_085", 7, 0),
        ("v1_truthfulqa_months_to_085", float("inf"), 0),
        ("v1_hellaswag_windows_due_by_late_2023", 1, 0),
        ("v1_winogrande_windows_due_by_late_2023", 0, 0),
    ],
)
def test_printed_numbers_come_out(value, name, printed, digits):
    assert round(value[name], digits) == printed
