"""The whole study, its headline numbers and tables, and what the author released."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.discriminability import leaderboards, names, schemas, study
from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import write_csv

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


SETTINGS = study.Settings.of(CONFIG | {"resamples": 50, "min_last_models": 60}, seed=2)


@pytest.fixture(scope="module")
def by_name():
    return vars(study.study(summary(), BENCHMARKS, SETTINGS))


@pytest.mark.parametrize("name", schemas.RESULTS)
def test_what_others_read_can_be_written_and_read_by_its_schema(by_name, name, tmp_path):
    write_csv(by_name[name], tmp_path / "table.csv")
    read = stages.read(tmp_path / "table.csv", schemas.RESULTS[name])
    assert len(read) == len(by_name[name])
    assert [*read.columns] == [*by_name[name].columns]


def test_the_tables_tell_the_same_story(by_name):
    monthly = by_name["monthly"].set_index(["benchmark", "month"])
    values = by_name["quantities"].set_index("quantity")["value"]
    assert values["own_easy_bdi_first"] == pytest.approx(monthly.loc[("easy", "2024-01"), "bdi"])
    assert values["benchmarks"] == 2
    status = by_name["status"]["table_1"].set_index("benchmark")
    assert status.loc["hard", "max_score"] == pytest.approx(monthly.loc["hard", "max_score"].max())
    assert by_name["population"].query("unit == 'family'")["members"].min() == 20
    index = by_name["index_over_time"].set_index("benchmark")
    assert index.loc["hard", "s_index"].isna().all()
    assert index.loc["easy", "s_index"].notna().all()
    by_bins = by_name["bin_choice"].set_index(["bins", "benchmark", "month"])["bdi"]
    assert by_bins[20, "easy", "2024-03"] == monthly.loc[("easy", "2024-03"), "bdi"]


def test_rows_left_out_before_are_listed_with_the_windows_left_out():
    dropped = pd.DataFrame([{"leaderboard": "own", "benchmark": "easy", "row": 3, "reason": "bad"}])
    made = study.study(summary(months=2, rows=20), BENCHMARKS, SETTINGS, dropped)
    assert made.dropped["row"].tolist() == [3]


def test_a_benchmark_that_is_not_listed_is_named():
    with pytest.raises(InputError, match=r"mine\.csv: no row for benchmark 'hard'; add one"):
        study.study(summary(months=1), BENCHMARKS.head(1), SETTINGS, file="mine.csv")


def test_a_study_of_a_single_window_has_no_changes():
    made = study.study(summary(months=1), BENCHMARKS, SETTINGS)
    assert made.changes.empty
    assert made.population.empty
    assert made.growth.query("reading == 'honest'")["abstains"].tolist() == [True, True]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("bin", 300, "value 300 is not allowed; expected number of the bin, 0 to 299"),
        ("bin", -1, "0 to 299"),
        ("count", 0, "a whole number of at least 1"),
        ("count", 1.5, "value '1.5' is not allowed"),
        ("month", "2024-13", "a month, YYYY-MM"),
        ("leaderboard", None, "the value is missing"),
    ],
)
def test_a_summary_against_its_schema_is_refused(tmp_path, column, value, message):
    table = summary(months=1)["bins"].astype(object)
    table.loc[4, column] = value
    write_csv(table, tmp_path / "bins.csv")
    with pytest.raises(InputError, match=message):
        stages.read(tmp_path / "bins.csv", schemas.SUMMARY["bins"])


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
    assert made.monthly["bdi_submitters_lower"].isna().all()
    assert made.changes["p_value"].isna().all()
    assert made.changes["significant"].isna().all()
    assert (made.changes["reason"] != "").all()


BOARDS = [("v1", "ARC"), ("v1", "HellaSwag"), ("v1", "Winogrande"), ("v2", "MATH Lvl 5")]
NAN = np.nan


def boards(**columns):
    """One row for each of the four benchmarks."""
    return pd.DataFrame(BOARDS, columns=["leaderboard", "benchmark"]).assign(**columns)


def three_windows():
    """Three windows each; the last is not the best."""
    frames = []
    for place, month in enumerate(["2024-01", "2024-04", "2024-02"]):
        bdi = [0.7, 0.6, 0.5][place] - 0.1 * np.arange(4)
        gap = [0.02, 0.009, 0.01][place]
        frames.append(
            boards(
                month=month,
                elapsed=[0, 3, 1][place],
                n_models=[[100] * 4, [40] * 4, [60, 61, 62, 63]][place],
                n_submitters=[80, 30, 50][place],
                max_score=[0.5, 0.9, 0.8][place] - 0.1 * np.arange(4),
                bdi=bdi,
                **{f"top10_gap{end}": gap + off for end, off in ENDS.items()},
                **{f"bdi_submitters{end}": bdi + 0.01 + off for end, off in ENDS.items()},
            )
        )
    return pd.concat(frames, ignore_index=True)


ENDS = {"": 0, "_lower": -0.005, "_upper": 0.007}


def changes():
    common = {"from": "2024-01", "to": "2024-04", "n_from": 100, "n_to": 40}
    values = boards(
        change=[-0.3, -0.2, -0.1, 0.1],
        relative=[-0.4, -0.3, -0.2, 0.2],
        submitters_from=["2024-01", "2024-01", NAN, "2024-01"],
        submitters_change=[-0.29, -0.19, NAN, 0.11],
        submitters_change_lower=[-0.39, -0.4, NAN, 0.09],
        submitters_change_upper=[-0.19, 0.01, NAN, 0.31],
        p_value=[0.001, 0.06, NAN, 0.05],
        significant=pd.Series([True, False, None, True], dtype=object),
        reason=[NAN, "", "last window: 30 submitters", ""],
        p_value_entries=[0.001, 0.04, 0.03, 0.2],
        apart=[True, True, False, False],
        **common,
    )
    peak = values.assign(comparison="peak_to_last", last_window="any", change=-0.5,
                         submitters_from="2024-03")  # fmt: skip
    large = values.assign(comparison="first_to_last", last_window="large", to="2024-02")
    return pd.concat(
        [values.assign(comparison="first_to_last", last_window="any"), peak, large.head(2)],
        ignore_index=True,
    )


def growth():
    paper = [
        boards(reading=reading, ceiling=0.9 + 0.01 * shift, r_squared=0.5 + 0.1 * shift,
               t90=4.0 + shift, headroom=0.1 * shift)
        for shift, reading in enumerate(names.READINGS[:3])
    ]  # fmt: skip
    honest = boards(
        reading="honest", ceiling=0.95, r_squared=0.8, backtest_error=0.02, persistence_error=0.03,
        abstains=[False, True, True, True], reason=["", *["R2 is low"] * 3],
    )  # fmt: skip
    return pd.concat([*paper, honest])


@pytest.fixture
def tables():
    retirement = pd.concat(
        [
            boards(month="2023-12", due=[False, True, False, False]),
            boards(month="2024-01", due=[False, True, False, True]),
        ]
    )
    fixed = boards(
        comparison="first_to_last", last_window="large", unit="family", members=16,
        change=[-0.1, -0.1, NAN, -0.1], corrected_change=-0.12, corrected_change_lower=-0.3,
        corrected_change_upper=0.1,
    )  # fmt: skip
    return {
        "monthly": three_windows(),
        "changes": changes(),
        "growth": growth(),
        "population": pd.concat(
            [fixed, fixed.assign(unit="model", corrected_change=9),
             fixed.assign(last_window="any", corrected_change=9)]
        ),
        "dynamic": boards(models_so_far=[10, 30, 20, 7]),
        "retirement": retirement,
        "pace": boards(
            first_cp=[0.7, 0.8, 0.9, 0.2], highest_cp=[0.8746, 0.95, 0.9, 0.4],
            last_cp=[0.8, 0.9, 0.9, 0.4], gain_a_month=[0.02, 0.01, 0, 0.05],
            gain_a_month_error=[0.001, 0.002, 0, 0.01], months_to_085=[3, 0, 0, NAN],
        ),
        "kinds": pd.DataFrame(
            [{"leaderboard": "v1", "kind": "knowledge", "benchmarks": 3,
              **{f"{value}_{of}": number
                 for value in ("first_cp", "highest_cp", "gain_a_month", "months_to_085")
                 for of, number in (("mean", 0.5), ("min", 0.25), ("max", 0.75))}}]
        ),
        "agreement": pd.DataFrame(
            [("v1", "ARC", "window", 0.3, -0.1, 0.6, 10), ("v1", "ARC", "so_far", 0.4, 0, 0.7, 9),
             ("all", "all", "window", 0.1, -0.2, 0.4, 40)],
            columns=["leaderboard", "benchmark", "scope", "estimate", "lower", "upper", "n"],
        ),
        "bin_choice": pd.concat(
            [boards(month=month, bins=bins, bdi=[0.1, base + shift, 0.9, 0.2])
             for month, base in (("2024-02", 0.5), ("2024-04", 0.1))
             for bins, shift in ((5, -0.02), (20, 0.04), (50, 0.1))]
        ),
        "bin_choice_summary": pd.DataFrame(
            {"bins": [5, 10, 20, 50], "mean_shift": [-0.2, 0.05, 0, -0.1],
             "min_shift": [-0.45, -0.1, 0, -0.2], "max_shift": [0.1, 0.3, 0, 0.4],
             "order_agreement": [0.7, 0.9, 1, 0.8], "worst_month_agreement": [0.2, 0.6, 1, 0.5],
             "trend_agreement": [0.5, 1, 1, 0.75], "worst_trend_correlation": [-0.2, 0.9, 1, 0.3]}
        ),
        "dropped": pd.DataFrame(
            [("v1", 5, "2024-01"), ("v1", 5, None), ("v1", 7, None), ("v1", NAN, "2023-12"),
             ("v2", 5, None)],
            columns=["leaderboard", "row", "month"],
        ),
    }  # fmt: skip


@pytest.fixture
def named(tables):
    return study.quantities(tables).set_index("quantity")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("v1_arc_top10_gap_largest", 0.02),
        ("v1_arc_first_to_last_relative_loss", 0.4),
        ("v1_arc_ceiling__midpoint_observed", 0.91),
        ("v1_arc_t90__midpoint_observed", 5),
        ("v1_arc_abstains", 0),
        ("v1_winogrande_abstains", 1),
        ("v1_hellaswag_windows_due", 2),
        ("v1_hellaswag_windows_due_by_late_2023", 1),
        ("v2_math_lvl_5_windows_due", 1),
        ("v1_arc_cp", 0.8746),
        ("v1_arc_cp__of_printed_score", 0.875),
        ("v1_evaluations", 200),
        ("v1_rows_dropped", 2),
        ("v1_models", 30),
        ("v1_declines", 3),
        ("v2_declines", 0),
        ("v1_cp_lowest", 0.7),
        ("v1_cp_range", 0.2),
        ("v1_gaps_below_share", 1 / 3),  # a gap of exactly one point is not below it
        ("bins_shift", 0.45),
        ("bins_shift__mean", 0.2),
        ("bins_shift__mean_from_10", 0.1),
        ("bins_trend_agreement__from_10", 0.75),
        ("bins_order_agreement__from_10", 0.8),
        ("evaluations", 202 + 203),
        ("bdi_lowest", 0.2),
        ("bdi_highest", 0.7),
        ("projections_made", 1),
        ("v1_three_relative_loss_least", 0.2),
        ("v1_three_relative_loss_most", 0.4),
        ("v1_above_085_by_early_2024", 0),
        ("v1_hellaswag_months_due_before_retirement", 6),
    ],
)
def test_a_number_alone(named, name, value):
    assert named.loc[name, "value"] == pytest.approx(value)
    assert named.loc[name, ["lower", "upper"]].isna().all()


@pytest.mark.parametrize(
    ("name", "value", "lower", "upper", "note"),
    [
        ("v1_arc_bdi_first", 0.7, NAN, NAN, "2024-01, n = 100"),
        ("v1_arc_bdi_submitters_last", 0.61, 0.605, 0.617, "2024-04, 30 submitters"),
        ("v1_declines_significant", 1, NAN, NAN, "of 2 tested"),
        ("changes_not_significant", 1, NAN, NAN, "of 3 tested; 4 changes"),
        ("changes_not_significant__entries", 1, NAN, NAN, "of 4 tested; 4 changes"),
        ("changes_not_significant__large_last", 1, NAN, NAN, "of 2 tested; 2 changes"),
        ("changes_overlapping", 2, NAN, NAN, "of 4"),
        ("v1_changes_overlapping", 1, NAN, NAN, "of 3"),
        ("v1_months", 4, NAN, NAN, "2023-12 to 2024-04, small ones too"),
        ("bins_shift__released_check", 0.06, NAN, NAN, "2024-02"),
        ("v1_arc_top10_gap_last", 0.009, 0.004, 0.016, "2024-04, n = 40"),
        ("v1_arc_first_to_last", -0.3, NAN, NAN, "2024-01 (n = 100) to 2024-04 (n = 40)"),
        ("v1_arc_peak_to_last_submitters", -0.29, -0.39, -0.19, "from 2024-03"),
        ("v1_arc_first_to_last_submitters", -0.29, -0.39, -0.19, "from 2024-01"),
        ("v1_winogrande_first_to_last_submitters", NAN, NAN, NAN, "last window: 30 submitters"),
        ("v1_arc_first_to_last__large_last", -0.3, NAN, NAN,
         "2024-01 (n = 100) to 2024-02 (n = 40)"),
        ("v1_arc_honest_ceiling", 0.95, NAN, NAN, ""),
        ("v1_arc_first_to_last_family", -0.12, -0.3, 0.1,
         "one model of each of 16 families present in both windows"),
        ("v1_arc_gain_a_month", 0.02, 0.02 - 1.959964 * 0.001, 0.02 + 1.959964 * 0.001, ""),
        ("v1_knowledge_gain_a_month", 0.5, 0.25, 0.75, "mean, least and most of 3 benchmarks"),
        ("v1_arc_agreement", 0.3, -0.1, 0.6, "Spearman of 1 - BDI and S, n = 10"),
        ("all_all_agreement", 0.1, -0.2, 0.4, "Spearman of 1 - BDI and S, n = 40"),
        ("v1_hellaswag_loss", 0.2, NAN, NAN, ""),
    ],
)  # fmt: skip
def test_a_number_with_its_interval_and_note(named, name, value, lower, upper, note):
    row = named.loc[name]
    assert row[["value", "lower", "upper"]].tolist() == pytest.approx(
        [value, lower, upper], nan_ok=True
    )
    assert row["note"] == note


def test_notes_of_numbers_that_are_missing_or_never(named):
    assert named.loc["v1_arc_windows_due", "note"] == "never due"
    assert named.loc["v1_hellaswag_windows_due", "note"] == "first due 2023-12"
    assert np.isnan(named.loc["v2_math_lvl_5_months_to_085", "value"])
    assert named.loc["v2_math_lvl_5_months_to_085", "note"] == "missing: not reached"
    assert "v1_winogrande_first_to_last_family" not in named.index  # too few members


def test_a_score_above_085_by_march_2024_counts(tables):
    early = tables["monthly"]
    early.loc[(early["benchmark"] == "ARC") & (early["month"] == "2024-02"), "max_score"] = 0.8501
    early.loc[early["benchmark"] == "HellaSwag", "max_score"] = 0.85
    named = study.quantities(tables).set_index("quantity")["value"]
    assert named["v1_above_085_by_early_2024"] == 1


def test_the_papers_groups_need_the_papers_leaderboard(tables):
    renamed = {
        name: table.assign(leaderboard=table["leaderboard"].replace({"v1": "own"}))
        if "leaderboard" in table else table
        for name, table in tables.items()
    }  # fmt: skip
    names = study.quantities(renamed)["quantity"]
    assert not names.str.startswith("v1_").any()
    assert "own_hellaswag_windows_due" in set(names)
    # Without one of the three the losses are not given.
    fewer = tables["changes"][tables["changes"]["benchmark"] != "ARC"]
    names = set(study.quantities({**tables, "changes": fewer})["quantity"])
    assert "v1_three_relative_loss_least" not in names
    # The released check of bins is on HellaSwag up to the last large window.
    fewer = tables["changes"].query("last_window == 'any'")
    names = set(study.quantities({**tables, "changes": fewer})["quantity"])
    assert "bins_shift__released_check" not in names
    # A window that is no month has no distance to the retirement.
    quarters = tables["retirement"].assign(month="2023Q4")
    names = set(study.quantities({**tables, "retirement": quarters})["quantity"])
    assert "v1_hellaswag_months_due_before_retirement" not in names


def test_families_are_counted_where_the_models_names_are_known(tables, named):
    assert not named.index.str.contains("families").any()
    counts = pd.DataFrame(
        {"leaderboard": ["v2"], "evaluations": [9], "families": [4], "largest_family": [3],
         "named": [5]}
    )  # fmt: skip
    value = study.quantities({**tables, "families": counts}).set_index("quantity")["value"]
    assert value["v2_families"] == 4
    assert value["v2_largest_family"] == 3
    assert value["v2_qwen2_5_models"] == 5


def test_two_benchmarks_with_the_same_letters_are_refused(tables):
    twin = tables["monthly"].query("benchmark == 'ARC'").assign(benchmark="arc")
    tables["monthly"] = pd.concat([tables["monthly"], twin])
    with pytest.raises(InputError, match=r"v1_arc_max_score.*names that differ in letters"):
        study.quantities(tables)


def test_the_printed_table_is_in_percent_with_its_interval_in_one_cell():
    """Two leaderboards; on the first, `a` has two windows and `b` a single one."""
    monthly = pd.DataFrame(
        [("w", "a", 0.1), ("v", "a", 0.825), ("v", "a", 0.815), ("v", "b", 0.5)],
        columns=["leaderboard", "benchmark", "max_score"],
    )
    change = {
        "leaderboard": "v", "benchmark": "a", "bdi_from": 0.75, "bdi_to": 0.5, "change": -0.2,
        "submitters_change": -0.25, "submitters_change_lower": -0.375,
        "submitters_change_upper": 0.125, "reason": np.nan,
        "comparison": "first_to_last", "last_window": "any",
    }  # fmt: skip
    others = ({"comparison": "peak_to_last"}, {"last_window": "large"}, {"leaderboard": "w"})
    rows = [change, *({**change, "change": -9.0, **other} for other in others)]
    growth = pd.DataFrame(
        [
            ("v", "a", "paper", 0.86, 0.985, np.nan, np.nan),
            ("v", "a", "paper_running_maximum", 0.1, 0.1, np.nan, np.nan),
            ("v", "a", "honest", 0.875, 0.9, False, ""),
            ("v", "b", "paper", 0.49, 0.2, np.nan, np.nan),
            ("v", "b", "honest", 0.6, 0.3, True, "R2 is low"),
        ],
        columns=["leaderboard", "benchmark", "reading", "ceiling", "r_squared", "abstains",
                 "reason"],
    )  # fmt: skip
    due = {"leaderboard": "v", "benchmark": ["a", "b"], "first_due": ["2024-05", np.nan]}
    tables = {"monthly": monthly, "growth": growth, "changes": pd.DataFrame(rows)}
    printed = study.printed(study.status(tables | {"first_due": pd.DataFrame(due)}, "v"))
    assert printed.iloc[0].tolist() == [
        "a", "82.5", "0.82", "0.750", "0.500", "-0.200", "-0.250 [-0.375, +0.125]", "", "86.0",
        "0.98", "87.5", "", "2024-05",
    ]  # fmt: skip
    assert printed.iloc[1].tolist() == [
        "b", "50.0", "0.50", "—", "—", "—", "—", "", "49.0", "0.20", "—", "R2 is low", "never",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def value():
    """The author's numbers by name."""
    monthly, fits = (
        stages.read(ROOT / f"resources/discriminability/author_{name}.csv", schema)
        for name, schema in (("monthly", schemas.AUTHOR_MONTHLY), ("fits", schemas.AUTHOR_FITS))
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


def test_a_retirement_needs_all_three_criteria():
    def due(best, gap, bdi):
        windows = pd.DataFrame(
            {"month": ["2023-09", "2023-10", "2023-11", "2024-01"], "max_score": best,
             "bdi": bdi, "top10_gap": gap}
        )  # fmt: skip
        found = dict(study._of_benchmark(windows))
        return found["windows_due"], found["windows_due_by_late_2023"]

    falling = [0.8, 0.6, 0.6, 0.6]
    assert due(0.95, 0.005, falling) == (3, 2)
    assert due(0.90, 0.005, falling) == (0, 0)
    assert due(0.95, 0.010, falling) == (0, 0)
    assert due(0.95, 0.005, [0.8, 0.69, 0.69, 0.69]) == (0, 0)
