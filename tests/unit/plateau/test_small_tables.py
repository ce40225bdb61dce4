"""Tables of one's own may be small or uniform: what is undefined is left out, nothing breaks."""

import numpy as np
import pytest

from saturation.drawing import style
from saturation.plateau import figures, paper_tables, trends
from saturation.plateau import quantities as plateau_quantities
from saturation.plateau.schemas import ISSUES

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
def odd(request, prepared, study):
    benchmarks, top_scores = TABLES[request.param](*prepared)
    kept = top_scores["benchmark_id"].isin(benchmarks["benchmark_id"])
    return study(benchmarks.reset_index(drop=True), top_scores[kept].reset_index(drop=True))


# SciPy says that samples are small or constant; so do the empty cells.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_stage_goes_through(odd):
    tables = odd
    data = tables["benchmarks"].merge(tables["index"].drop(columns="n_test"), on="benchmark_id")
    quantities = plateau_quantities.quantities(tables, 0.7, 0.9, 19, np.random.default_rng(2))
    assert quantities["quantity"].is_unique
    assert len(paper_tables.hypotheses(tables["family"])) == 7
    rows = {(row["trend"], row["reading"]): row for _, row in tables["trends"].iterrows()}
    labels = trends.citation_bin(data["citations"])
    with style.style():
        for figure in (
            figures.age_bins(data, tables["bins"], rows["age", "spearman_recorded"]),
            figures.citation_bins(data, tables["bins"], labels, rows["citations", "raw"]),
            figures.sensitivity(tables["grid"], 5, 0.5, len(data)),
            figures.intervals(tables["intervals"], data.set_index("benchmark_id")["name"], 0.7),
            figures.permuted_n(tables["permuted_n"], len(data)),
        ):
            figure.canvas.draw()


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
