"""The study in one call: its settings, and tables of one's own that are small or uniform."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import index, seeds
from saturation.pages import style
from saturation.plateau import equal_top, figures, groupings, hypotheses, uncertainty
from saturation.plateau.names import HYPOTHESES
from saturation.plateau.schemas import ISSUES
from saturation.plateau.study import Settings, study

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
        "whole": chosen["benchmarks"] is not None,
    }
    assert asdict(Settings()) == expected


def test_the_settings_reach_their_tables(prepared):
    settings = Settings(
        seed=3,
        k=4,
        alpha=0.25,
        z=0.5,
        epsilon=0.01,
        bin_edges=(0.1, 0.2, 0.3, 0.4),
        ceiling=0.8,
        saturated_from=0.4,
        resamples=100,
        permutations=9,
        same_n=(70,),
        equal_models=(4, 9),
        equal_dependence=(0.0,),
        grid_k=(2,),
        grid_alpha=(0.0, 0.1),
    )
    tables = vars(study(*prepared, settings))
    options = (0.5, 0.01, (0.1, 0.2, 0.3, 0.4), 0.8)
    expected = index.index_table(*prepared, 4, 0.25, *options)
    pd.testing.assert_frame_equal(tables["index"], expected)
    for name, k, alpha in (("k3", 3, 0.25), ("alpha0", 4, 0.0), ("alpha1", 4, 1.0)):
        expected = index.index_table(*prepared, k, alpha, *options)
        pd.testing.assert_frame_equal(tables[f"index_{name}"], expected)
    cells = uncertainty.grid(*prepared, [2], [0.0, 0.1], (0.1, 0.2, 0.3, 0.4), 0.01)
    grid = uncertainty.grid_summary(cells, tables["index"], 0.4)
    pd.testing.assert_frame_equal(tables["grid"], grid, check_dtype=False)
    assert "same_n_70" in set(tables["controls"]["control"])
    tops = equal_top.equal_top(
        tables["index"], prepared[1], models=(4, 9), dependence=(0.0,), saturated_from=0.4,
        epsilon=0.01,
    )  # fmt: skip
    pd.testing.assert_frame_equal(tables["equal_top"], tops, check_dtype=False)
    numbers = tables["quantities"].set_index("quantity")["value"]
    at = tables["index"]
    assert numbers["n_saturated"] == (at["s_index"] >= 0.4).sum()
    below = (at["s_index"] >= 0.4) & (at["s_1"] < 0.8)
    assert numbers["n_saturated_below_ceiling"] == below.sum()
    permuted = tables["tests"].query("test == 'permutation'")["p_value"]
    assert np.allclose(10 * permuted, (10 * permuted).round())


def test_without_settings_the_study_is_the_config_s(prepared, monkeypatch):
    seen = []
    monkeypatch.setattr(index, "index_table", lambda *arguments: seen.append(arguments) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        study(*prepared)
    assert seen[0][2:] == (5, 0.5, 1.96, 1e-12, (0.01, 0.3, 0.7, 0.9), 0.9)


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
    "two benchmarks": lambda b, s: (b.head(2), s),
    "three benchmarks": lambda b, s: (b.head(3), s),
    "five benchmarks": lambda b, s: (b.head(5), s),
    "ten benchmarks": lambda b, s: (b.head(10), s),
    "English alone": lambda b, s: (b[b["english_only"]], s),
    "one size": lambda b, s: (b.assign(n_test=1000), s),
    "one release date": lambda b, s: (b.assign(months_at_observation=18.0, age_months=18), s),
    "no citations": lambda b, s: (b.assign(citations=np.nan), s),
    "four citations": lambda b, s: (b.assign(citations=b["citations"].where(b.index < 4)), s),
    "one group everywhere": lambda b, s: (b.assign(**UNIFORM), s),
    "all equal scores": lambda b, s: (b, s.assign(score=0.9)),
    "all far apart": lambda b, s: (b.assign(n_test=10**9), s.assign(score=1 / (1 + s["rank"]))),
}


@pytest.fixture(params=TABLES, scope="module")
def odd(request, prepared):
    benchmarks, top_scores = TABLES[request.param](*prepared)
    kept = top_scores["benchmark_id"].isin(benchmarks["benchmark_id"])
    few = Settings(
        resamples=100,
        permutations=19,
        equal_models=(5, 20),
        equal_dependence=(0.0,),
        grid_k=(3, 5),
        grid_alpha=(0.0, 0.5, 1.0),
        whole=True,
    )
    tables = study(benchmarks.reset_index(drop=True), top_scores[kept].reset_index(drop=True), few)
    return vars(tables)


# SciPy says that samples are small or constant; so do the empty cells.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_stage_goes_through(odd):
    assert odd["quantities"]["quantity"].is_unique
    assert len(odd["table7"]) == len(odd["benchmarks"])
    assert odd["table2"]["hypothesis"].tolist() == [row.label for row in HYPOTHESES.values()]


# One figure or another is empty, or has fewer bins, groups or lines.
DRAWN = ("one benchmark", "no citations", "one group everywhere", "all equal scores")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("odd", DRAWN, indirect=True)
def test_every_figure_can_be_drawn(odd):
    n = len(odd["benchmarks"])
    with style.style():
        drawn = figures.figures(odd, 5, 0.5, 0.7)
        for figure in drawn.values():
            figure.canvas.draw()
    assert f"of {n} benchmarks" in drawn["figure1_overview"].get_suptitle()
    assert f"of {n} benchmarks" in drawn["intervals"].get_suptitle()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_not_defined_has_no_p_value(odd):
    tables = odd
    for name, statistic in (("trends", "estimate"), ("permuted_n", "spearman")):
        table = tables[name]
        assert table.loc[table[statistic].isna(), "p_value"].isna().all()
    adjusted = tables["tests"][tables["tests"]["test"].str.contains("adjusted")]
    assert adjusted.loc[adjusted["statistic"].isna(), "p_value"].isna().all()
    assert (adjusted["statistic"].dropna() >= -1e-9).all()
    assert tables["family"][["p_value", "holm", "benjamini_hochberg"]].notna().all(axis=None)
