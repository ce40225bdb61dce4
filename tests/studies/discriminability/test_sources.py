"""The pinned exports and the files that the author released."""

import pandas as pd
import pytest

from saturation.errors import InputError
from studies.discriminability import sources


def v1():
    return pd.DataFrame(
        {"Model": ["a", "b", "c"], "date": ["2024-01-03", "2024-01-04", None],
         "Precision": "fp16", "Model sha": ["1", "2", "3"], "Architecture": ["L", "Unknown", "M"],
         "#Params (B)": [7.0, 7.0, 1.5], **{name: [50.0, 60.0, 70.0] for name in sources.V1}}
    )  # fmt: skip


def v2():
    return pd.DataFrame(
        {"fullname": ["a", "b"], "Submission Date": ["2024-07-03", "2024-07-04"],
         "Precision": "fp16", "Model sha": ["1", "2"], "Base Model": ["meta/x", "Removed"],
         **{name: [40.0, 30.0] for name in sources.V2},
         **{f"{name} Raw": [0.5, 0.45] for name in sources.V2}}
    )  # fmt: skip


def test_scores_are_percent_and_raw_accuracies_are_brought_to_them():
    rows = sources.open_llm(v2(), sources.EXPORTS["v2"])
    assert len(rows) == 12
    first = rows.iloc[0]
    assert (first["model"], first["benchmark"], first["score"]) == ("a", "IFEval", 40)
    assert first["accuracy"] == 50
    assert first["variant"] == "fp16 1"
    assert rows["row"].tolist()[:2] == [2, 3]
    # In v1 the score is the accuracy.
    rows = sources.open_llm(v1(), sources.EXPORTS["v1"])
    assert rows["accuracy"].tolist() == rows["score"].tolist()


def test_submitters_are_numbered_in_the_order_of_their_names():
    frame = pd.concat([v2(), v2(), v2()], ignore_index=True)
    frame["fullname"] = ["zoe/a", "Ann/b", "zoe/c", "bob/d", "Ann/a", "alone"]
    rows = sources.open_llm(frame, sources.EXPORTS["v2"]).head(6)
    assert rows["submitter"].tolist() == ["s0003", "s0000", "s0003", "s0002", "s0000", "s0001"]


def test_a_family_is_the_base_model_else_architecture_and_size():
    bases = sources.open_llm(v2(), sources.EXPORTS["v2"])["family"].head(2)
    assert bases.fillna("").tolist() == ["meta/x", ""]
    families = sources.open_llm(v1(), sources.EXPORTS["v1"])["family"].head(3)
    assert families.fillna("").tolist() == ["L 7.0B", "", "M 1.5B"]


def test_families_are_counted_by_the_account_and_the_first_hyphen():
    hyphened = ["a/Qwen2.5-1", "a/qwen2.5-2", "b-c/x-y", "alone-1"]
    names = [*hyphened, "a/Qwen2.5", "b-c/x", "a/b/c", None]
    counted = sources.counted_families({"v2": pd.DataFrame({"fullname": names})})
    # a/Qwen2.5, a/qwen2.5, b-c/x, alone, a/b, and the one without a name
    assert counted.iloc[0].tolist() == ["v2", 8, 6, 2, 3]


def test_the_summary_of_both_and_the_rows_left_out():
    summary, dropped = sources.summarised({"v1": v1(), "v2": v2()}, {"v1": "1.csv", "v2": "2.csv"})
    entries = summary["bins"].groupby("leaderboard")["count"].sum()
    assert entries.to_dict() == {"v1": 12, "v2": 12}
    assert dropped[["leaderboard", "row", "reason"]].drop_duplicates().to_numpy().tolist() == [
        ["v1", 4, "the date is missing"]
    ]


def test_the_released_files_become_tables_of_proportions():
    raw = pd.DataFrame(
        {"leaderboard": ["v1"], "benchmark": "ARC", "month": "2023-09", "n_models": 735,
         "max_score": 72.09897610921502, "mean_score": 1.0, "bdi_entropy": 0.7402448667400141,
         "top10_gap": 0.2275312855517626}
    )  # fmt: skip
    row = sources.monthly_from_source(raw, "x.csv").iloc[0]
    assert row.tolist() == ["v1", "ARC", "2023-09", 735, 0.720989761092, 0.74024486674,
                            0.00227531285552]  # fmt: skip
    with pytest.raises(InputError, match=r"x\.csv: column 'month' is missing"):
        sources.monthly_from_source(raw.drop(columns="month"), "x.csv")


def test_the_released_fits_become_a_table():
    fit = {"ceiling": 87.25, "steepness": 0.5, "r_squared": 0.98}
    table = sources.fits_from_source({"v2_MATH Lvl 5": fit | {"t_90_idx": 4}})
    assert table.to_dict("records") == [
        {"leaderboard": "v2", "benchmark": "MATH Lvl 5", "ceiling": 0.8725, "r_squared": 0.98}
    ]
