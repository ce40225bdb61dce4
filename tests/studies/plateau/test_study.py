"""The study in one call: settings, odd tables, headline numbers and the paper's tables."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import index, seeds
from saturation.files import schema, stages
from studies import style
from studies.ledger import judge
from studies.ledger.schemas import CLAIMS, EVIDENCE, QUANTITIES
from studies.plateau import equal_top, figures, groupings, hypotheses, study, uncertainty
from studies.plateau.names import HYPOTHESES
from studies.plateau.schemas import ISSUES
from studies.plateau.study import Settings

CONFIG = Path(__file__).resolve().parents[3] / "config" / "config.yaml"


@pytest.fixture(scope="module")
def config():
    return yaml.safe_load(CONFIG.read_text(encoding="utf-8"))


def test_the_settings_start_from_the_config(config):
    chosen = config["plateau"]
    expected = {name: chosen[name] for name in asdict(Settings()) if name in chosen}
    expected |= {
        "seed": config["seed"],
        "bin_edges": tuple(chosen["bin_edges"]),
        "grid_k": tuple(chosen["sensitivity"]["k"]),
        "grid_alpha": tuple(chosen["sensitivity"]["alpha"]),
        "same_n": tuple(chosen["same_n"]),
        "equal_models": tuple(chosen["equal_top"]["models"]),
        "equal_dependence": tuple(chosen["equal_top"]["dependence"]),
    }
    assert asdict(Settings()) == expected


def test_the_settings_reach_their_tables(prepared):
    settings = Settings(
        seed=3, k=4, alpha=0.25, z=0.5, bin_edges=(0.1, 0.2, 0.3, 0.4), ceiling=0.8,
        saturated_from=0.4, resamples=100, permutations=9, same_n=(70,), equal_models=(4, 9),
        equal_dependence=(0.0,), grid_k=(2,), grid_alpha=(0.0, 0.1),
    )  # fmt: skip
    tables = study.study(*prepared, settings)
    options = (0.5, (0.1, 0.2, 0.3, 0.4), 0.8)
    expected = index.index_table(*prepared, 4, 0.25, *options)
    pd.testing.assert_frame_equal(tables["index"], expected)
    for name, k, alpha in (("k3", 3, 0.25), ("alpha0", 4, 0.0), ("alpha1", 4, 1.0)):
        expected = index.index_table(*prepared, k, alpha, *options)
        pd.testing.assert_frame_equal(tables[f"index_{name}"], expected)
    grid = uncertainty.grid(
        tables["index"], prepared[1], ks=[2], alphas=[0.0, 0.1], edges=(0.1, 0.2, 0.3, 0.4),
        saturated_from=0.4,
    )  # fmt: skip
    pd.testing.assert_frame_equal(tables["grid"], grid, check_dtype=False)
    assert "same_n_70" in set(tables["controls"]["control"])
    tops = equal_top.equal_top(tables["index"], prepared[1], models=(4, 9), dependence=(0.0,))
    pd.testing.assert_frame_equal(tables["equal_top"], tops, check_dtype=False)
    numbers = tables["quantities"].set_index("quantity")["value"]
    at = tables["index"]
    assert numbers["n_saturated"] == (at["s_index"] >= 0.4).sum()
    below = (at["s_index"] >= 0.4) & (at["s_1"] < 0.8)
    assert numbers["n_saturated_below_ceiling"] == below.sum()
    permuted = tables["tests"].query("test == 'permutation'")["p_value"]
    assert np.allclose(10 * permuted, (10 * permuted).round())


def test_each_comparison_draws_its_own_numbers(results, data, quick):
    # The order in which comparisons are made changes no number.
    (comparison,) = [
        row
        for row in groupings.comparisons(data)
        if (row.hypothesis, row.grouping) == ("h3", "exclusive")
    ]
    rng = seeds.generator(quick.seed, "plateau", "hypotheses", "h3", "exclusive")
    alone = hypotheses.group_tests(data, comparison, 0.7, quick.permutations, rng)
    together = results["tests"].query("hypothesis == 'h3' and grouping == 'exclusive'")
    pd.testing.assert_frame_equal(alone, together.reset_index(drop=True))


UNIFORM = {
    "availability": "public",
    "english_only": True,
    "output_format": "multiple_choice",
    "curated_by_experts": True,
    **dict.fromkeys(("curated_by_crowd", "generated_by_llm", "generated_by_program"), False),
    **dict.fromkeys(ISSUES, False),
    "issue_none_known": True,
    "templated": False,
    "template_in_notes": None,
}

# Each changes the embedded tables: benchmarks, scores.
TABLES = {
    "one benchmark": lambda b, s: (b.head(1), s),
    "three benchmarks": lambda b, s: (b.head(3), s),
    "English alone": lambda b, s: (b[b["english_only"]], s),
    "one size and date": lambda b, s: (
        b.assign(n_test=1000, months_at_observation=18.0, age_months=18),
        s,
    ),
    "no citations": lambda b, s: (b.assign(citations=np.nan), s),
    "one group everywhere": lambda b, s: (b.assign(**UNIFORM), s),
    "all equal scores": lambda b, s: (b, s.assign(score=0.9)),
    "all far apart": lambda b, s: (b.assign(n_test=10**9), s.assign(score=1 / (1 + s["rank"]))),
}


@pytest.fixture(params=TABLES, scope="module")
def odd(request, prepared):
    benchmarks, top_scores = TABLES[request.param](*prepared)
    kept = top_scores["benchmark_id"].isin(benchmarks["benchmark_id"])
    few = Settings(
        resamples=100, permutations=19, equal_models=(5, 20), equal_dependence=(0.0,),
        grid_k=(3, 5), grid_alpha=(0.0, 0.5, 1.0),
    )  # fmt: skip
    return study.study(
        benchmarks.reset_index(drop=True), top_scores[kept].reset_index(drop=True), few
    )


# SciPy says that samples are small or constant; so do the empty cells.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_stage_goes_through_and_what_is_not_defined_has_no_p_value(odd):
    assert odd["quantities"]["quantity"].is_unique
    assert odd["table2"]["hypothesis"].tolist() == [row.label for row in HYPOTHESES.values()]
    for name, statistic in (("trends", "estimate"), ("permuted_n", "spearman")):
        table = odd[name]
        assert table.loc[table[statistic].isna(), "p_value"].isna().all()
    adjusted = odd["tests"][odd["tests"]["test"].str.contains("adjusted")]
    assert adjusted.loc[adjusted["statistic"].isna(), "p_value"].isna().all()
    assert (adjusted["statistic"].dropna() >= -1e-9).all()
    assert odd["family"][["p_value", "holm"]].notna().all(axis=None)


# One figure or another is empty, or has fewer bins, groups or lines.
DRAWN = ("one benchmark", "one group everywhere", "all equal scores")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("odd", DRAWN, indirect=True)
def test_every_figure_can_be_drawn(odd):
    n = len(odd["benchmarks"])
    with style.style():
        drawn = figures.figures(odd, 5, 0.5, 0.7)
        for figure in drawn.values():
            figure.canvas.draw()
    assert f"of {n} benchmarks" in drawn["figure1_overview"].get_suptitle()


@pytest.fixture(scope="module")
def quantities(results):
    return results["quantities"]


def counted_in(tables):
    return study.quantities(tables, seed=0, permutations=9, saturated_from=0.7, ceiling=0.9)


def test_the_headline_numbers_are_those_that_were_read_through(quantities, reviewed):
    schema.validate(quantities.replace({"note": {"": None}}), QUANTITIES, "quantities")
    reviewed("plateau", quantities)


def test_the_edges_of_threshold_and_ceiling_count(results):
    at = results["index"].assign(s_index=0.7, s_1=[0.9] * 30 + [np.nextafter(0.9, 0)] * 30)
    tables = {**results, "index": at}
    counted = counted_in(tables).set_index("quantity")["value"]
    assert counted["n_saturated"] == 60
    assert counted["n_saturated_below_ceiling"] == 30
    intervals = results["intervals"].assign(
        s_index=[0.7] * 10 + [0.69] * 50, s_upper=0.9,
        first_and_kth=["undecided"] * 20 + ["separated"] * 40,
        p_again_index_noise=0.5, s_lower=[0.7] * 7 + [0.69] * 53, s_upper_index_noise=0.7,
        s_lower_index_noise=0.0,
    )  # fmt: skip
    tables = {**results, "intervals": intervals}
    counted = counted_in(tables).set_index("quantity")["value"]
    assert counted["expected_n_saturated_again"] == 5
    tops = ["n_top_equivalent", "n_top_separated", "n_top_undecided"]
    assert counted[tops].tolist() == [0, 40, 20]
    assert counted[["n_index_decided", "n_index_decided__index_noise"]].tolist() == [7, 0]


def test_examples_are_left_out_where_they_are_not(results):
    kept = results["benchmarks"]["benchmark_id"] != "math_500"
    scored = results["top_scores"]["benchmark_id"] != "math_500"
    tables = {**results, "benchmarks": results["benchmarks"][kept],
              "index": results["index"][kept.to_numpy()],
              "top_scores": results["top_scores"][scored]}  # fmt: skip
    names = counted_in(tables)["quantity"]
    assert not names.str.contains("math_500").any()
    assert names.str.contains("table7_livebench").sum() == 7


def test_an_example_that_is_annotated_otherwise_does_not_match(results):
    changed = results["benchmarks"].copy()
    math = changed["benchmark_id"] == "math_500"
    changed.loc[math, ["output_format", "released"]] = ["multiple_choice", "2022-03-05"]
    changed.loc[math, "issue_noise"] = True
    tables = {**results, "benchmarks": changed}
    value = counted_in(tables).set_index("quantity")["value"]
    for name in (
        "table5_{}_properties_match",
        "table6_{}_released_match",
        "table6_{}_issues_match",
    ):
        assert value[name.format("math_500")] == 0
        assert value[name.format("gpqa_diamond")] == 1


ROOT = Path(__file__).resolve().parents[3]


def test_the_ledger_finds_every_quantity_it_asks_for(quantities):
    claims, evidence = (
        stages.read(ROOT / f"resources/ledger/{name}/plateau.csv", schema, dtype={"published": str})
        for name, schema in (("claims", CLAIMS), ("evidence", EVIDENCE))
    )
    study = judge.Study(quantities, "quantities.csv", "a sheet", {})
    # Claims that only another study speaks to are left out.
    ledger, pieces = judge.judged({"plateau": claims}, {"plateau": evidence}, {"plateau": study})
    assert len(ledger) == evidence.query("study == 'plateau'")["claim_id"].nunique() > 100
    assert len(pieces) == (evidence["study"] == "plateau").sum()
    assert {"reproduced", "differs", "undetermined", "undecidable"} <= set(ledger["verdict"])


def test_table_1(results):
    first, *others = results["table1"].to_dict("records")
    interval = first.pop("95 % interval").split(" to ")
    assert 0.8 < float(interval[0]) < 0.92 < float(interval[1]) < 1
    assert [*first.values()] == ["k = 3, alpha = 0.5", "k = 5, alpha = 0.5", 0.92, 48.3]
    assert [row["setting"] for row in others] == ["k = 5, alpha = 0", "k = 5, alpha = 1"]


def test_table_2_has_the_p_values_of_the_family(results):
    table = results["table2"].set_index("hypothesis")
    assert list(table.index) == [row.label for row in study.HYPOTHESES.values()]
    table = table.rename(index=str.lower)
    for row in results["family"].to_dict("records"):
        column = {"raw": "p raw (Holm)", "age_adjusted": "p given age (Holm)"}.get(row["kind"])
        if column:
            expected = f"{row['p_value']:.3f} ({row['holm']:.3f})"
            assert table.loc[row["hypothesis"], column] == expected


def test_a_hypothesis_without_a_test_has_empty_cells(results):
    family = results["family"].query("kind == 'raw' and hypothesis != 'h2'")
    table = study.paper_tables({**results, "family": family}, 5, 0.5)["table2"]
    table = table.set_index("hypothesis")
    assert table["p given age (Holm)"].isna().all()
    assert table.index[table["p raw (Holm)"].isna()].tolist() == ["H2"]
