import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, study


def summary(rows):
    return pd.DataFrame(
        [
            {"method": method, "n_items": size, "measure": measure, "value": value}
            for method, size, measure, value in rows
        ]
    )


def test_each_baseline_stands_beside_the_test_of_its_length():
    table = study.baselines(
        summary(
            [
                ("anchor_points", 10, "monotonicity", 0.3),
                ("anchor_points", 50, "monotonicity", 0.4),
                ("hard_magi", 0, "monotonicity", 0.6),
                ("irt_clusters", 100, "monotonicity", 0.5),
                ("fluid", 10, "monotonicity", 0.7),
                ("fluid", 50, "monotonicity", 0.8),
                ("fluid", 500, "monotonicity", 0.9),
            ]
        ),
        500,
    )
    # Clusters have no test of a hundred items beside them.
    assert table.to_numpy().tolist() == [
        ["monotonicity", "anchor_points", 10, 0.3, 10, 0.7],
        ["monotonicity", "anchor_points", 50, 0.4, 50, 0.8],
        ["monotonicity", "hard_magi", "all that are hard", 0.6, 500, 0.9],
    ]
    assert study.baselines(summary([("fluid", 10, "monotonicity", 1.0)]), 10).empty


def test_ablations_have_a_column_a_length_in_the_papers_order():
    table = study.ablations(
        summary(
            [
                (method, size, measure, 100 * m + 10 * n + size / 1000)
                for m, measure in enumerate(("monotonicity", "rank_distance", "other"))
                for n, method in enumerate(("fluid", "random", "random_irt", "full_irt"))
                for size in (10, 50)
            ]
            + [("fluid", 143, "monotonicity", 9.0)]
        )
    )
    assert table.columns.tolist() == ["measure", "method", "items_10", "items_50"]
    assert table[["measure", "method"]].to_numpy().tolist() == [
        [measure, method]
        for measure in ("rank_distance", "monotonicity")
        for method in ("random", "random_irt", "fluid")
    ]
    assert table["items_50"].tolist() == pytest.approx([110.05, 120.05, 100.05, 10.05, 20.05, 0.05])


def test_benchmarks_stand_side_by_side_at_one_length():
    one = summary([("random", 10, "monotonicity", 1.0), ("random", 50, "monotonicity", 2.0)])
    two = summary([("random", 50, "monotonicity", 3.0), ("fluid", 50, "monotonicity", 4.0)])
    table = study.by_bank({"one": one, "two": two}, 50)
    assert table.columns.tolist() == ["measure", "method", "one", "two"]
    assert table["method"].tolist() == ["random", "fluid"]
    assert table["two"].tolist() == [3, 4]
    assert table["one"].tolist()[0] == 2
    assert np.isnan(table["one"].tolist()[1])


@pytest.fixture
def measured(evaluated):
    models = {"one": evaluated[4], "two": evaluated[4].assign(rank_distance=np.nan)}
    qualities = {
        bank: evaluation.summarise(table, np.random.default_rng(0))
        for bank, table in models.items()
    }
    return models, qualities


def test_a_collections_tables(measured):
    models, qualities = measured
    tables = study.paper_tables("mine", models, qualities, seed=1, synthetic=True)
    assert tables.left_out == ["two"]
    assert tables.table1["synthetic"].all()
    assert tables.table2.columns.tolist()[2:] == ["items_10", "items_50", "synthetic"]
    # Table 3 is at the middle length, of all banks.
    assert tables.table3.columns.tolist() == ["measure", "method", "one", "two", "synthetic"]
    fluid = tables.table3.query("measure == 'monotonicity' and method == 'fluid'")
    at_50 = qualities["one"].query(
        "measure == 'monotonicity' and method == 'fluid' and n_items == 50"
    )
    assert fluid["one"].item() == at_50["value"].item()
    # Subsets of hard items stand beside the longest test.
    assert tables.table1.query("baseline == 'hard_smart'")["fluid_items"].tolist() == [50] * 3
    assert tables.summary["n_models"].unique().tolist() == [6]
    real = study.paper_tables("mine", models, qualities, seed=1, synthetic=False)
    assert "synthetic" not in real.table1
    pd.testing.assert_frame_equal(real.summary, tables.summary)
    other = study.paper_tables("mine", models, qualities, seed=2, synthetic=False)
    assert not other.summary["lower"].equals(real.summary["lower"])
    np.testing.assert_allclose(other.summary["value"], real.summary["value"])


@pytest.mark.parametrize("missing", [["rank_distance"], [*study.MEASURES]])
def test_what_was_not_measured_has_no_row(evaluated, missing):
    models = {"one": evaluated[4].assign(**dict.fromkeys(missing, np.nan))}
    qualities = {"one": evaluation.summarise(models["one"], np.random.default_rng(0))}
    tables = study.paper_tables("mine", models, qualities, seed=1, synthetic=False)
    present = set(study.MEASURES) - set(missing)
    for table in (tables.table1, tables.table2, tables.table3):
        assert set(table["measure"]) == present
        assert len(table.columns) >= 2
