"""What the study's tables may hold, at the edges; whole tables are read in test_study.py."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.robustness import schemas


def rows():
    return pd.DataFrame(
        {
            "model": ["m", "m"],
            "dataset": ["d", "d"],
            "example_id": ["1", "2"],
            "noise": ["none", "none"],
            "score": [0.0, 1.0],
            "reference": True,
            "synthetic": False,
            "configuration": [0, 1],
            "answer": ["a", "b"],
        }
    ).astype(dict.fromkeys(["model", "dataset", "example_id", "noise", "answer"], "category"))


def test_prepared_predictions_pass_whole_or_in_part():
    pd.testing.assert_frame_equal(validate(rows(), schemas.prepared(["noise"]), "f"), rows())
    names = ["dataset", "synthetic"]
    assert list(schemas.prepared(["noise"], names).columns) == names
    validate(rows()[names], schemas.prepared(["noise"], names), "f")


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("score", [0.0, 1.001]),
        ("score", [-0.001, 1.0]),
        ("configuration", [-1, 0]),
        ("noise", ["none", "none"]),
        ("synthetic", ["False", "False"]),
    ],
)
def test_what_no_stage_writes_is_refused(column, values):
    with pytest.raises(InputError, match=f"column '{column}'"):
        validate(rows().assign(**{column: values}), schemas.prepared(["noise"]), "f")


def test_a_cell_and_a_statistic_may_stand_once():
    cells = pd.DataFrame({"model": ["m"] * 2, "dataset": ["d"] * 2, "performance": [0.0, 1.0]})
    with pytest.raises(InputError, match="model m, dataset d is a duplicate"):
        validate(cells, schemas.PERFORMANCE, "f")
    validate(cells.assign(dataset=["d", "e"]), schemas.PERFORMANCE, "f")
    with pytest.raises(InputError, match=r"1\.01"):
        validate(
            cells.assign(dataset=["d", "e"], performance=[1.0, 1.01]), schemas.PERFORMANCE, "f"
        )


@pytest.mark.parametrize(
    ("digits", "allowed"), [("0.050", True), ("4.4e-06", True), ("12", False), ("-0.1", False)]
)
def test_printed_statistics_are_digits_with_a_point(digits, allowed):
    row = dict.fromkeys(schemas.STATISTICS, "0.001") | {"p": digits}
    table = pd.DataFrame([{"anova_type": "II", "dataset": "D", "factor": "noise", **row}])
    if allowed:
        validate(table, schemas.PRINTED_ANOVA, "f")
        return
    with pytest.raises(InputError, match=r"column 'p'.*printed digits"):
        validate(table, schemas.PRINTED_ANOVA, "f")


def test_of_the_plateau_studys_index_only_what_is_used_is_kept():
    index = pd.DataFrame(
        {"benchmark_id": ["a", "b"], "k": 5, "s_index": [0.5, np.nan], "bin": ["low", None]}
    )
    kept = validate(index, schemas.INDEX, "index.csv")
    assert list(kept.columns) == ["benchmark_id", "s_index", "bin"]
    with pytest.raises(InputError, match="duplicate"):
        validate(index.assign(benchmark_id="a"), schemas.INDEX, "index.csv")
