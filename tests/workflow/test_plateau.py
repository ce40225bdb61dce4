"""The plateau study through the real DAG: results, reruns, bytes, bad input."""

import json

import pandas as pd
import pytest
import shipped_tables

from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.index import saturation_index
from saturation.ledger import terminal
from studies.plateau.names import table_1
from studies.plateau.schemas import OPTIONAL, schema_of
from studies.plateau.study import Settings, study
from tests.shared_runs import run_snakemake

# The other studies' claims are judged in their own tests.
QUICK = {
    "plateau": {"resamples": 200, "permutations": 199},
    "ledger": {"studies": ["plateau"]},
}


@pytest.fixture(scope="module")
def finished(make_project):
    """The plateau study and its ledger, run once on two cores with few permutations."""
    project = make_project("finished")
    project.finish("plateau", "ledger", config=QUICK)
    return project


def test_the_index_has_the_contracted_columns_and_the_papers_bins(finished):
    index = pd.read_csv(finished.folder / "results/plateau/index.csv")
    contract = ["benchmark_id", "k", "alpha", "n_test", "s_1", "s_k", "se_delta", "r_norm"]
    contract += ["s_index", "bin"]
    assert list(index.columns[: len(contract)]) == contract
    bins = index["bin"].value_counts().to_dict()
    assert bins == {"very_high": 14, "high": 15, "moderate": 11, "low": 9, "very_low": 11}


def test_the_one_call_gives_the_bytes_of_the_workflow(finished, tmp_path):
    folder = finished.folder / "results/plateau"
    prepared = [
        stages.read(folder / f"inputs/{name}.csv", schema_of(name))
        for name in ("benchmarks", "top_scores")
    ]
    tables = study(*prepared, Settings(**QUICK["plateau"]))
    written = {
        **{path.stem: path for path in folder.glob("*.csv")},
        **{path.stem: path for path in folder.glob("tables/*.csv")},
        **{f"index_{name}": folder / f"index/k{k}_alpha{alpha}.csv"
           for name, (k, alpha) in table_1(5, 0.5).items()},
        **{name: folder / f"inputs/{name}.csv" for name in ("benchmarks", "top_scores")},
    }  # fmt: skip
    assert set(written) == set(tables)
    for name, path in written.items():
        write_csv(tables[name], tmp_path / path.name)
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), name


def test_the_ledger_judges_every_claim(finished):
    ledger = pd.read_csv(finished.folder / "results/ledger/ledger.csv")
    evidence = pd.read_csv(finished.folder / "resources/ledger/evidence/plateau.csv")
    # The study alone speaks to some of the paper's claims; the others need the two studies on it.
    alone = evidence.loc[evidence["study"] == "plateau", "claim_id"].unique()
    assert set(ledger["claim_id"]) == set(alone)
    assert {"reproduced", "differs", "undetermined", "undecidable"} <= set(ledger["verdict"])
    numbers = ledger[ledger["kind"] == "number"].set_index("places")["verdict"]
    # Four numbers of items in Table 7 are copied from the authors' sheet, not computed.
    for table, verdicts in (
        ("Table 7", {"reproduced": 20, "consistent": 4}),
        ("Table 1", {"reproduced": 6}),
    ):
        assert numbers[numbers.index.str.startswith(table)].value_counts().to_dict() == verdicts


def test_the_shipped_ledger_is_that_of_a_run(finished):
    """Compare the claims whose evidence is of the plateau study; few permutations suffice."""
    tables = shipped_tables.tables_of_ledger(finished.folder / "results")
    shipped, pieces = terminal.load_shipped()
    studies = pieces.groupby("claim_id")["study"].agg(set)
    alone = studies.index[studies.map({"plateau"}.issuperset)]
    columns = ["verdict", "grade", "published", "places"]
    rerun, kept = (
        table.set_index("claim_id").loc[alone, columns] for table in (tables["ledger"], shipped)
    )
    assert len(alone) > 100
    pd.testing.assert_frame_equal(rerun, kept)


def test_every_figure_is_written_in_three_formats(finished):
    folder = finished.folder / "results/figures/plateau"
    names = {path.stem for path in folder.iterdir()}
    assert {"figure1_overview", "figure2_hypotheses", "figure4_citations"} <= names
    for name in names:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert "<svg" in (folder / f"{name}.svg").read_text()[:2000]


@pytest.mark.heavy
def test_one_core_and_two_cores_give_the_same_bytes(finished, make_project):
    drawn = [f"results/plateau/{name}.csv" for name in ("intervals", "tests", "controls")]
    other = make_project("one_core")
    other.finish(*drawn, config=QUICK, cores=1)
    both = finished.results()
    assert other.results().items() <= both.items()


def test_the_report_is_one_self_contained_page(finished):
    finished.finish("--report", "results/report.html", "plateau", "ledger", config=QUICK)
    page = (finished.folder / "results/report.html").read_text()
    (finished.folder / "results/report.html").unlink()
    assert "1 Plateau" in page
    assert "7 Ledger" in page


def embedded(project, name):
    return pd.read_csv(project.folder / f"resources/plateau/{name}.csv", dtype=str)


def test_bad_input_leaves_earlier_results_untouched(finished):
    before = finished.results()
    benchmarks = embedded(finished, "benchmarks")
    benchmarks.assign(n_test="-1").to_csv(finished.folder / "bad.csv", index=False)
    done = finished.run(
        "plateau", config={"plateau": {**QUICK["plateau"], "benchmarks": "bad.csv"}}
    )
    assert done.returncode != 0
    assert "bad.csv, row 2, column 'n_test': value -1" in done.stderr
    assert finished.results() == before


def test_claims_are_judged_under_the_paper_s_settings_only(project):
    target = ["--dry-run", "--forceall", "results/ledger/ledger.csv"]
    # Under the paper's own they are judged above.
    done = project.finish(*target, config={"plateau": {"k": 4}})
    assert "resources/ledger/claims/plateau.csv" not in done.stdout
    assert "resources/ledger/claims/discriminability.csv" in done.stdout


def test_unknown_config_keys_are_all_named_before_anything_runs(project):
    done = project.run("plateau", config={"plateau": {"alhpa": 1}, "sed": 3})
    assert done.returncode != 0
    assert "key 'plateau.alhpa' (value 1) is not known" in done.stderr
    assert "did you mean 'alpha'" in done.stderr
    assert "key 'sed' (value 3) is not known" in done.stderr
    assert not (project.folder / "results").exists()


def test_a_damaged_source_is_refused(project):
    mirror = project.folder / "mirror"
    registry = pd.read_csv(project.folder / "resources/sources.csv").set_index("name")
    copy = mirror / registry.loc["plateau_annotations", "path"]
    copy.parent.mkdir(parents=True)
    copy.write_text("not the sheet")
    done = project.run(
        "results/sources/plateau_annotations.csv", config={"sources": {"mirror": "mirror"}}
    )
    assert done.returncode != 0
    assert "sha256" in done.stderr
    assert registry.loc["plateau_annotations", "sha256"] in done.stderr
    assert not (project.folder / "results/sources/plateau_annotations.csv").exists()


def test_a_table_of_ones_own_with_three_scores_in_proportions_runs_from_any_directory(
    project, tmp_path
):
    here = tmp_path / "elsewhere"
    here.mkdir()
    kept = ["math_500", "gpqa_diamond", "mmlu_pro", "arc_agi", "mgsm", "quac", "livebench", "glue"]
    benchmarks, scores = embedded(project, "benchmarks"), embedded(project, "top_scores")
    benchmarks = benchmarks[benchmarks["benchmark_id"].isin(kept)].drop(columns=OPTIONAL)
    wanted = scores["benchmark_id"].isin(kept) & scores["rank"].astype(int).le(3)
    scores = scores[wanted].drop(columns="model")
    scores["score"] = scores["score"].astype(float) / 100
    benchmarks.to_csv(here / "mine.csv", index=False)
    scores.to_csv(here / "scores.csv", index=False)
    config = {
        "plateau": {
            **QUICK["plateau"],
            "benchmarks": "mine.csv",
            "top_scores": "scores.csv",
            "score_scale": "proportion",
            "k": 3,
            "sensitivity": {"k": [2, 3]},
        },
        "multiverse": {"k": [2, 3]},
    }
    (here / "config.yaml").write_text(json.dumps(config))
    words = ["--cores", 2, "results/plateau/quantities.csv", "--configfile", "config.yaml"]
    done = run_snakemake([*words, "--snakefile", project.folder / "Snakefile"], here)
    assert done.returncode == 0, done.stderr
    index = pd.read_csv(here / "results/plateau/index.csv").set_index("benchmark_id")
    assert sorted(index.index) == sorted(kept)
    assert index.loc["math_500", "s_index"] == pytest.approx(saturation_index(0.992, 0.983, 500))
    table = pd.read_csv(here / "results/plateau/tables/table1.csv")
    assert list(table["setting"]) == [f"k = 3, alpha = {alpha}" for alpha in ("0.5", "0", "1")]
