"""The robustness study's rules, run for real in a folder of their own with small settings."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.files.tables import read_table
from saturation.ledger import judge

ROOT = Path(__file__).parents[2]
LEFT_OUT = 7  # the second answer to example 1 of the first model: an incomplete example
COMPARED = ("robustness", "figures")
COLUMNS = [
    "model",
    "dataset",
    "performance",
    "output_consistency",
    "random_baseline",
    "score_std",
    "pdr",
]


def snakemake(folder, *targets, **robustness):
    (folder / "config.yaml").write_text(yaml.safe_dump({"robustness": robustness}))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--configfile", "config.yaml", "--directory", ".", "--cores", "1", *targets]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def own_predictions(seed=0):
    """Four models, three datasets, 30 examples, two prompts and three orders of the options."""
    generator = np.random.default_rng(seed)
    ability = {"weak": -1.0, "fair": 0.0, "good": 1.0, "best": 2.0}
    ease = {"hard": -1.0, "medium": 0.5, "easy": 2.5}
    rows = []
    for model, theta in ability.items():
        for dataset, beta in ease.items():
            for example in range(30):
                p = 1 / (1 + np.exp(-(theta + beta + 2 * generator.standard_normal())))
                for prompt in ("plain", "polite"):
                    for order in ("abc", "bca", "cab"):
                        right = generator.random() < p
                        text = "Gold " if right else str(generator.choice(["x", "y"]))
                        rows.append((model, dataset, example, prompt, order, text, int(right)))
    names = ["model", "dataset", "example_id", "prompt", "order", "prediction", "score"]
    return pd.DataFrame(rows, columns=names).drop(index=LEFT_OUT).reset_index(drop=True)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run on a user's table."""
    folder = tmp_path_factory.mktemp("own")
    own_predictions().to_csv(folder / "mine.csv", index=False)
    settings = {"predictions": "mine.csv", "factors": ["prompt", "order"], "resamples": 100}
    done = snakemake(folder, "results/robustness/quantities.csv", **settings)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder, settings


def test_a_users_table_goes_through(finished):
    folder, _ = finished
    table = read_table(folder / "results/robustness/consistency.csv")
    assert list(table.columns[:7]) == COLUMNS
    assert len(table) == 12
    assert not table["synthetic"].any()
    raw = own_predictions()
    raw["prediction"] = raw["prediction"].str.strip().str.lower()
    agreed = raw.groupby(["model", "dataset", "example_id"])["prediction"].agg(
        lambda texts: len(set(texts)) == 1
    )
    expected = agreed.groupby(["model", "dataset"]).mean()
    found = table.set_index(["model", "dataset"])["output_consistency"]
    pd.testing.assert_series_equal(found, expected.sort_index(), check_names=False)


def test_incomplete_examples_are_reported(finished):
    missing = read_table(finished[0] / "results/robustness/missing.csv")
    assert missing[["example_id", "n_present", "n_expected"]].to_numpy().tolist() == [[1, 5, 6]]


def test_quantities_of_own_data_are_not_called_synthetic(finished):
    names = read_table(finished[0] / "results/robustness/quantities.csv")["quantity"]
    assert "slope_ols" in set(names)
    assert not names.str.startswith("synthetic").any()


def test_public_answers_keep_their_own_names_beside_them(finished):
    names = read_table(finished[0] / "results/robustness/quantities.csv")["quantity"]
    assert {"slope_mixed", "public_slope_verdicts_all"} <= set(names)


def test_nothing_made_up_is_in_the_default_run(tmp_path):
    done = snakemake(tmp_path, "--dry-run", "robustness")
    planned = done.stdout + done.stderr
    assert "robustness_variants" in planned
    assert "synthetic" not in planned


def test_every_claim_gets_a_verdict(finished):
    claims, evidence = (
        {"robustness": read_table(ROOT / f"resources/ledger/{name}/robustness.csv")}
        for name in ("claims", "evidence")
    )
    quantities = read_table(finished[0] / "results/robustness/quantities.csv")
    study = judge.Study(quantities, "quantities.csv", "printed tables", {})
    ledger, _ = judge.judged(claims, evidence, {"robustness": study})
    assert len(ledger) == len(claims["robustness"])
    rewardbench = ledger["statement"].str.contains("analysis of variance of RewardBench")
    assert ledger.loc[rewardbench, "verdict"].tolist() == ["differs"]


def test_the_second_run_has_nothing_to_do(finished):
    folder, settings = finished
    done = snakemake(folder, "results/robustness/quantities.csv", **settings)
    assert "Nothing to be done" in done.stderr + done.stdout


def test_bad_input_stops_before_anything_is_computed(tmp_path):
    bad = own_predictions()
    bad.loc[10, "score"] = 3
    bad.to_csv(tmp_path / "bad.csv", index=False)
    settings = {"predictions": "bad.csv", "factors": ["prompt", "order"]}
    target = "results/robustness/consistency.csv"
    assert snakemake(tmp_path, target, **settings).returncode != 0
    log = (tmp_path / "results/logs/robustness/predictions.log").read_text()
    assert "bad.csv, row 12, column 'score': value 3" in log
    assert not (tmp_path / "results/robustness/predictions.parquet").exists()


def test_strict_mode_refuses_incomplete_examples(tmp_path):
    own_predictions().to_csv(tmp_path / "gap.csv", index=False)
    settings = {"predictions": "gap.csv", "factors": ["prompt", "order"]}
    target = "results/robustness/missing.csv"
    assert snakemake(tmp_path, target, strict=True, **settings).returncode != 0
    log = (tmp_path / "results/logs/robustness/predictions.log").read_text()
    assert "example 1 of model weak on dataset hard has 5 of 6 configurations" in log


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"normalizer": "exact", "factors": ["model"]},
            ["did you mean 'normaliser'", "robustness.factors"],
        ),
        ({"score_range": [1, 0]}, ["score_range"]),
    ],
)
def test_bad_config_is_named(tmp_path, change, words):
    done = snakemake(tmp_path, "--dry-run", "robustness", **change)
    assert done.returncode != 0
    assert all(word in done.stdout + done.stderr for word in words)


@pytest.mark.heavy
def test_the_truth_of_synthetic_predictions_is_found(tmp_path):
    done = snakemake(tmp_path, "results/robustness/recovery.csv", resamples=100)
    assert done.returncode == 0, done.stderr[-3000:]
    recovery = read_table(tmp_path / "results/robustness/recovery.csv")
    assert recovery["recovered"].iloc[:3].all()


@pytest.mark.heavy
def test_the_default_run_is_whole_and_repeats_to_the_byte(tmp_path):
    digests = []
    for name, cores in (("one", "1"), ("two", "2")):
        folder = tmp_path / name
        folder.mkdir()
        done = snakemake(folder, "robustness", "--cores", cores, resamples=100)
        assert done.returncode == 0, done.stderr[-3000:]
        results = folder / "results"
        digests.append(
            {
                path.relative_to(results): path.read_bytes()
                for path in sorted(results.rglob("*"))
                if path.is_file() and path.relative_to(results).parts[0] in COMPARED
            }
        )
        assert not (results / "robustness/recovery.csv").exists()
    assert digests[0] == digests[1]
