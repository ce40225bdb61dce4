"""The robustness study's rules, run for real in a folder of their own with small settings."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.files.tables import load_table, write_csv, write_parquet
from studies.robustness import names, schemas, sources, study
from tests.shared_runs import run_snakemake

ROOT = Path(__file__).parents[2]
LEFT_OUT = 7  # the second answer to example 1 of the first model: an incomplete example
COMPARED = ("robustness", "figures")


def snakemake(folder, *targets, **robustness):
    (folder / "config.yaml").write_text(yaml.safe_dump({"robustness": robustness}))
    words = ["--snakefile", ROOT / "Snakefile", "--configfile", "config.yaml", "--directory", "."]
    return run_snakemake([*words, "--cores", 1, *targets], folder)


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
    columns = ["model", "dataset", "example_id", "prompt", "order", "prediction", "score"]
    return pd.DataFrame(rows, columns=columns).drop(index=LEFT_OUT).reset_index(drop=True)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run on a user's table."""
    folder = tmp_path_factory.mktemp("own")
    own_predictions().to_csv(folder / "mine.csv", index=False)
    settings = {"predictions": "mine.csv", "factors": ["prompt", "order"], "resamples": 100}
    done = snakemake(folder, "robustness", **settings)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder, settings


def test_a_users_table_goes_through(finished):
    folder, _ = finished
    table = load_table(folder / "results/robustness/consistency.csv")
    measures = ["performance", "output_consistency", "random_baseline", "score_std", "pdr"]
    assert list(table.columns[:7]) == ["model", "dataset", *measures]
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
    missing = load_table(folder / "results/robustness/missing.csv")
    assert missing[["example_id", "n_present", "n_expected"]].to_numpy().tolist() == [[1, 5, 6]]


def test_the_study_in_a_notebook_gives_the_bytes_of_the_workflow(finished, tmp_path):
    results = finished[0] / "results"
    facts = {
        name: load_table(
            ROOT / f"resources/robustness/{name}.{suffix}", **schemas.AS_TEXT.get(name, {})
        )
        for name, suffix in names.FACTS.items()
    }
    datasets = load_table(ROOT / "resources/robustness/datasets.csv")
    settings = study.Settings(factors=("prompt", "order"), resamples=100)
    rows, missing = sources.prepared(
        load_table(finished[0] / "mine.csv"), settings.factors, (0, 1), "lower_strip", False, "f"
    )
    own = study.study_predictions(rows, datasets, settings)
    made = study.study(facts, settings) | own | {"missing": missing}
    write_parquet(made.pop("examples"), tmp_path / "examples.parquet")
    for name, table in made.items():
        write_csv(table, tmp_path / f"{name}.csv")
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (results / "robustness" / path.name).read_bytes(), path.name


def test_figures_are_those_of_public_answers_and_of_ones_own(finished):
    folder = finished[0] / "results/figures/robustness"
    assert {file.stem for file in folder.glob("*.png")} == set(names.OWN_FIGURES)
    assert {file.stem for file in (folder / "public_figures").glob("*.png")} == set(names.FIGURES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"normalizer": "exact", "factors": ["model"]},
            ["did you mean 'normaliser'", "robustness.factors"],
        ),
        ({"score_range": [1, 0]}, ["robustness.score_range", "[1, 0]"]),
    ],
)
def test_bad_config_is_named(tmp_path, change, words):
    done = snakemake(tmp_path, "--dry-run", "robustness", **change)
    assert done.returncode != 0
    assert all(word in done.stdout + done.stderr for word in words)


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
    assert digests[0] == digests[1]
