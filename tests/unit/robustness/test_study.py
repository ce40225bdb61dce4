"""One call gives what the scripts write, and every table holds to its schema."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.errors import InputError
from saturation.files import stages, tables
from saturation.files.stages import Paths
from saturation.robustness import schemas
from saturation.robustness.study import Settings, calibrated, study

ROOT = Path(__file__).parents[3]
FACTS = ROOT / "resources" / "robustness"
FACTORS = ["paraphrase", "demonstrations", "noise", "temperature"]
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
TRUTH = {**CONFIG["robustness"]["synthetic"], "examples": 20}
SETTINGS = replace(Settings.of(CONFIG), resamples=20, seed=1, synthetic=TRUTH)
INDEX = pd.DataFrame(
    {
        "benchmark_id": ["boolq", "mmlu", "mmlu_pro", "gpqa_diamond"],
        "s_index": [0.9, 0.8, 0.4, 0.2],
        "bin": ["high", "high", "low", "low"],
    }
)


@pytest.fixture(scope="module")
def facts():
    names = ["performance", "design", "datasets", "models", "anova", "external_scores"]
    as_text = {"design": str, "anova": str}
    return {
        name: tables.read_table(FACTS / f"{name}.csv", dtype=as_text.get(name)) for name in names
    } | {
        "variants": stages.read(FACTS / "variants.parquet", schemas.VERDICT_COUNTS),
        "sensitivity": stages.read(FACTS / "sensitivity.csv", schemas.SENSITIVITY),
        "prompts": stages.read(FACTS / "prompts.parquet", schemas.PROMPT_SCORES),
        "repeats": stages.read(FACTS / "repeats.csv", schemas.REPEATED_RUNS),
    }


@pytest.fixture(scope="module")
def whole(facts):
    calibration = calibrated(facts, INDEX, SETTINGS)
    return calibration | study(facts, INDEX, SETTINGS, calibration["synthetic_predictions"])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The scripts, one after the other, in a folder; every file by its name."""
    folder = tmp_path_factory.mktemp("stages")
    files = {path.stem: path for path in FACTS.iterdir() if path.suffix != ".md"}
    tables.write_csv(INDEX, folder / "index.csv")

    def run(script, inputs, outputs, **params):
        main = runpy.run_path(str(ROOT / f"workflow/scripts/robustness/{script}.py"))["main"]
        named = {name: files.get(given, folder / given) for name, given in inputs.items()}
        main(Paths(named), Paths({n: folder / given for n, given in outputs.items()}), **params)

    same = {name: name for name in ("performance", "design", "datasets")}
    run(
        "synthetic",
        same,
        {"predictions": "synthetic_predictions.parquet", "truth": "synthetic_truth.csv"},
        seed=1,
        truth=TRUTH,
    )
    run(
        "predictions",
        {"predictions": "synthetic_predictions.parquet"},
        {"predictions": "predictions.parquet", "missing": "missing.csv"},
        factors=FACTORS,
        score_range=[0, 1],
        normaliser="lower_strip",
        strict=False,
    )
    measures = ["consistency", "configurations", "datasets", "std_distribution"]
    run(
        "consistency",
        {"predictions": "predictions.parquet", "datasets": "datasets"},
        {name: f"{name}.csv" for name in measures}
        | {"examples": "examples.parquet", "html": "consistency.html"},
        factors=FACTORS,
        confidence=0.95,
        resamples=20,
        std_bins=5,
        seed=1,
    )
    regressions = ["slopes", "variance_shares", "group_tests", "outliers"]
    run(
        "slopes",
        {"consistency": "consistency.csv"},
        {name: f"{name}.csv" for name in regressions} | {"html": "slopes.html"},
        confidence=0.95,
        resamples=20,
        outlier_alpha=0.05,
        seed=1,
    )
    run(
        "anova",
        {"predictions": "predictions.parquet"},
        {"csv": "anova.csv", "html": "anova.html"},
        factors=FACTORS,
    )
    run(
        "saturation",
        {
            "consistency": "consistency.csv",
            "datasets": "datasets.csv",
            "index": "index.csv",
            "known": "datasets",
        },
        {"saturation": "saturation.csv", "correlations": "correlations.csv"},
        k=5,
        alpha=0.5,
    )
    run(
        "audit",
        {name: name for name in ("anova", "design", "performance")}
        | {"external": "external_scores"},
        {
            "rows": "audit.csv",
            "html": "audit.html",
            "datasets": "audit_datasets.csv",
            "datasets_html": "audit_datasets.html",
            "external": "external.csv",
        },
    )
    run(
        "recovery",
        {
            "truth": "synthetic_truth.csv",
            "consistency": "consistency.csv",
            "slopes": "slopes.csv",
            "anova": "anova.csv",
        },
        {"files": "recovery.csv"},
        slope=1.05,
        noise_effect=0.5,
    )
    _public(run)
    results = ["slopes", "variance_shares", "correlations", "audit", "audit_datasets", "external"]
    results += ["variants_alike", "trend_components", "trend_outliers", "prompt_spreads", "floor"]
    results += ["variants", "trends", "prompts", "repeats"]
    run(
        "quantities",
        {name: name for name in ("performance", "models", "design")}
        | {name: f"{name}.csv" for name in [*results, "datasets"]},
        {"files": "quantities.csv"},
    )
    drawn = ["consistency", "slopes", "outliers", "std_distribution", "variance_shares"]
    drawn += ["saturation", "correlations", "anova"]
    run("figures", {name: f"{name}.csv" for name in drawn}, {"files": "shares.png"})
    drawn = ["trend_pairs", "trends", "trend_components", "prompts", "prompt_spreads"]
    drawn += ["variants", "repeats", "floor", "audit_datasets"]
    run("public_figures", {name: f"{name}.csv" for name in drawn}, {"files": "trends.png"})
    return folder


def _public(run):
    """The stages of public answers."""
    run(
        "variants",
        {"counts": "variants"},
        {"variants": "variants.csv", "html": "variants.html", "spread": "variants_spread.csv"}
        | {"alike": "variants_alike.csv"},
        confidence=0.95,
        resamples=20,
        std_bins=5,
        seed=1,
    )
    run(
        "trends",
        {"variants": "variants.csv", "runs": "sensitivity"},
        {"pairs": "trend_pairs.csv", "trends": "trends.csv", "html": "trends.html"}
        | {"components": "trend_components.csv", "outliers": "trend_outliers.csv"},
        confidence=0.95,
        outlier_alpha=0.05,
        seed=1,
    )
    run(
        "prompts",
        {"scores": "prompts"},
        {"prompts": "prompts.csv", "html": "prompts.html", "spreads": "prompt_spreads.csv"},
    )
    run(
        "repeats",
        {"runs": "repeats"},
        {"repeats": "repeats.csv", "floor": "floor.csv"},
        confidence=0.95,
    )


def test_the_scripts_write_what_one_call_gives(whole, written):
    """To the ten digits of the files; a fit that is found by iteration loses some of them."""
    iterated = {"slopes", "variance_shares", "recovery", "trends"}
    paths = {path.stem: path for path in written.iterdir() if path.suffix in (".csv", ".parquet")}
    assert set(whole) == set(paths) - {"index"}
    for name, table in whole.items():
        expected = table
        if paths[name].suffix == ".csv":
            again = written / "again" / f"{name}.csv"
            tables.write_csv(table, again)
            expected = tables.read_table(again)
        found = tables.read_table(paths[name])
        if name.endswith("outliers"):  # ordered by numbers of which two may be level
            found, expected = (
                table.sort_values(
                    [*table.columns.intersection(["measure"]), "model", "dataset"],
                    ignore_index=True,
                )
                for table in (found, expected)
            )
        precision = 5e-3 if name in iterated else 1e-8
        if name in (
            "trend_components",
            "quantities",
        ):  # each resample is a fit that stops near its optimum
            precision = 3e-2
        pd.testing.assert_frame_equal(found, expected, rtol=precision, atol=precision, obj=name)


def test_pages_and_figures_are_written_too(written):
    for name in ("consistency", "slopes", "anova"):
        assert "(synthetic predictions)" in (written / f"{name}.html").read_text()
    assert "each row checked" in (written / "audit.html").read_text()
    assert "about each dataset" in (written / "audit_datasets.html").read_text()
    for name in ("shares", "trends"):
        assert (written / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_settings_are_those_of_the_config():
    settings = Settings.of({**CONFIG, "seed": 5})
    assert settings.factors == tuple(FACTORS)
    assert settings.score_range == (0, 1)
    assert (settings.confidence, settings.resamples, settings.std_bins) == (0.95, 1000, 5)
    assert (settings.k, settings.alpha) == (5, 0.5)
    assert settings.seed == 5


def test_made_up_numbers_are_called_so(whole):
    names = whole["quantities"]["quantity"]
    assert names.str.startswith("synthetic_slope").sum() == 5
    assert "slope_ols" not in set(names)
    assert all(whole[name]["synthetic"].all() for name in ("consistency", "slopes", "anova"))


def test_no_real_model_has_made_up_answers(facts, whole):
    made_up = set(whole["synthetic_truth"]["model"]) | set(whole["consistency"]["model"])
    assert made_up == {f"model {place}" for place in range(1, 10)}
    assert not made_up & set(facts["performance"]["model"])


def test_without_predictions_only_what_is_public_is_measured(facts):
    tables_ = study(facts, INDEX, SETTINGS)
    assert {"variants", "trends", "audit", "quantities"} <= set(tables_)
    assert not {"consistency", "slopes", "recovery"} & set(tables_)
    names = tables_["quantities"]["quantity"]
    assert not names.str.startswith("synthetic").any()
    assert names.str.startswith("public_slope").any()


def test_what_was_put_in_is_found_again(whole):
    recovery = whole["recovery"].set_index("what")
    exact = recovery.index.str.startswith(("consistency", "always_right"))
    assert recovery.loc[exact, "recovered"].tolist() == [True, True]


def test_a_users_predictions_have_no_truth_to_recover(facts, whole):
    answers = whole["synthetic_predictions"].drop(columns="synthetic")
    tables_ = study(facts, INDEX, SETTINGS, answers)
    assert set(whole) - set(tables_) == {"recovery", "synthetic_truth", "synthetic_predictions"}
    assert not tables_["consistency"]["synthetic"].any()
    assert "slope_ols" in set(tables_["quantities"]["quantity"])
    numbers = ["model", "dataset", "output_consistency", "excess_lower"]
    pd.testing.assert_frame_equal(tables_["consistency"][numbers], whole["consistency"][numbers])


@pytest.mark.parametrize(
    ("name", "schema", "column", "value", "expected"),
    [
        ("consistency", schemas.CONSISTENCY, "output_consistency", 1.2, "proportion"),
        ("slopes", schemas.SLOPES, "slope", "steep", "a number"),
        ("anova", schemas.ANOVA, "anova_type", "IV", "one of: II, III"),
        ("audit", schemas.AUDIT, "p_fits", "maybe", "True or False"),
        ("saturation", schemas.SATURATION, "n_models", 0, "at least 1"),
    ],
)
def test_a_damaged_table_is_named(written, tmp_path, name, schema, column, value, expected):
    text = tables.read_table(written / f"{name}.csv", dtype=str)
    text.loc[1, column] = str(value)
    path = tmp_path / f"{name}.csv"
    text.to_csv(path, index=False, lineterminator="\n")
    digits = dict.fromkeys(schemas.STATISTICS, str) if name == "audit" else None
    with pytest.raises(InputError) as error:
        stages.read(path, schema, dtype=digits)
    message = str(error.value)
    assert f"column '{column}'" in message
    assert expected in message


def test_prepared_predictions_keep_their_types_when_they_are_read(written):
    path = written / "predictions.parquet"
    rows = stages.read(path, schemas.prepared(FACTORS))
    plain = tables.read_table(path)
    pd.testing.assert_series_equal(rows.dtypes, plain.dtypes)
    assert rows.memory_usage(deep=True).sum() == plain.memory_usage(deep=True).sum()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": 1.5}, "column 'score'"),
        ({"answer": "yes"}, "column 'answer'"),
        ({"reference": "True"}, "column 'reference'"),
        ({"extra": 1}, "column 'extra' is not known"),
    ],
)
def test_prepared_predictions_that_were_changed_are_refused(written, tmp_path, change, words):
    rows = tables.read_table(written / "predictions.parquet").head(50)
    tables.write_parquet(rows.assign(**change), tmp_path / "bad.parquet")
    with pytest.raises(InputError, match=words):
        stages.read(tmp_path / "bad.parquet", schemas.prepared(FACTORS))


def test_a_missing_category_is_refused(written, tmp_path):
    rows = tables.read_table(written / "predictions.parquet").head(50)
    answer = rows["answer"].copy()
    answer.iloc[3] = np.nan
    tables.write_parquet(rows.assign(answer=answer), tmp_path / "bad.parquet")
    with pytest.raises(InputError, match="row 5, column 'answer': the value is missing"):
        stages.read(tmp_path / "bad.parquet", schemas.prepared(FACTORS))
