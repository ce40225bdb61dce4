"""The multiverse in one call gives the bytes that its script writes."""

import importlib.util
from pathlib import Path

import pytest

from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.multiverse import joint
from saturation.multiverse.names import TITLES

SCRIPTS = Path(__file__).parents[3] / "workflow" / "scripts" / "multiverse"


@pytest.fixture(scope="module")
def settings(choices):
    return joint.Settings(choices, specifications=12, permutations=19)


@pytest.fixture(scope="module")
def tables(prepared, settings):
    return joint.study(*prepared, settings)


def script(name):
    """A script's main."""
    spec = importlib.util.spec_from_file_location(f"multiverse_{name}", SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


def test_every_conclusion_has_its_tables(tables):
    counts = tables.curve["conclusion"].value_counts().to_dict()
    assert counts == dict.fromkeys(TITLES, 12)
    assert tables.joint["conclusion"].tolist() == list(TITLES)
    assert len(tables.quantities) == 9 * len(TITLES)
    assert tables.specifications["reference"].sum() == len(TITLES)


def test_notebook_and_workflow_give_the_same_bytes(tables, settings, prepared, tmp_path):
    inputs = {name: tmp_path / f"{name}.csv" for name in ("benchmarks", "top_scores")}
    for table, path in zip(prepared, inputs.values()):
        write_csv(table, path)
    outputs = {name: tmp_path / f"{name}.csv" for name in vars(tables)}
    outputs["page"] = tmp_path / "joint.html"
    script("joint")(Paths(inputs), Paths(outputs), **vars(settings))
    for name, table in vars(tables).items():
        write_csv(table, tmp_path / "study.csv")
        assert (tmp_path / "study.csv").read_bytes() == outputs[name].read_bytes(), name
    figures = {"curve": outputs["curve"], "joint": outputs["joint"]}
    script("overview")(Paths(figures), Paths({"files": tmp_path / "all.svg"}), size="reduced")
    script("curve")(
        Paths(figures), Paths({"files": tmp_path / "age.svg"}), conclusion="age", size="reduced"
    )
    assert "H1 public" in (tmp_path / "all.svg").read_text()
    assert "Age: " in (tmp_path / "age.svg").read_text()
