"""The multiverse through the real DAG: every conclusion is there, and notebook equals workflow."""

import pandas as pd
import pytest
import yaml

from saturation.files import stages
from saturation.files.tables import write_csv
from studies.multiverse.joint import Settings, study
from studies.plateau.names import CONCLUSION_TITLES
from studies.plateau.schemas import schema_of

SMALL = {"specifications": 30, "permutations": 19}
CONFIG = {"multiverse": {"reduced": SMALL}}


@pytest.fixture(scope="module")
def finished(make_project):
    """The reduced multiverse, without the figure, which takes longer than all the rest here."""
    project = make_project("finished")
    project.finish("results/multiverse/reduced/joint.csv", config=CONFIG)
    return project


def test_the_one_call_gives_the_bytes_of_the_workflow(finished, tmp_path):
    config = yaml.safe_load((finished.folder / "config/config.yaml").read_text())
    choices = {
        name: value
        for name, value in config["multiverse"].items()
        if name not in ("reduced", "full", "level")
    }
    level = config["multiverse"]["level"]
    settings = Settings(choices, level=level, seed=config["seed"], **SMALL)
    prepared = [
        stages.read(finished.folder / f"results/plateau/inputs/{name}.csv", schema_of(name))
        for name in ("benchmarks", "top_scores")
    ]
    for name, table in study(*prepared, settings).items():
        write_csv(table, tmp_path / f"{name}.csv")
        written = finished.folder / f"results/multiverse/reduced/{name}.csv"
        assert (tmp_path / f"{name}.csv").read_bytes() == written.read_bytes(), name
    joint = pd.read_csv(finished.folder / "results/multiverse/reduced/joint.csv")
    assert dict(zip(joint["conclusion"], joint["specifications"])) == dict.fromkeys(
        CONCLUSION_TITLES, 30
    )


def test_the_full_multiverse_has_a_curve_for_every_conclusion(finished):
    planned = finished.run("--dry-run", "multiverse", config=CONFIG).stdout
    for conclusion in CONCLUSION_TITLES:
        assert f"results/figures/multiverse/full/{conclusion}.png" in planned
