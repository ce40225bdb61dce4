"""The study in one call: the tables of its stages."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from saturation.multiverse import joint, specifications
from saturation.multiverse.names import TITLES
from saturation.multiverse.specifications import CONCLUSIONS

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
    assert list(tables) == ["specifications", "curve", "joint", "choices", "quantities"]
    assert tables["curve"]["conclusion"].value_counts().to_dict() == dict.fromkeys(CONCLUSIONS, 12)
    assert tables["joint"]["conclusion"].tolist() == list(TITLES)
    assert len(tables["quantities"]) == 9 * len(CONCLUSIONS)


def test_the_scripts_make_the_same_tables_in_two_chunks(tables, settings, prepared, tmp_path):
    inputs = {"benchmarks": tmp_path / "benchmarks.csv", "top_scores": tmp_path / "scores.csv"}
    for table, path in zip(prepared, inputs.values()):
        write_csv(table, path)
    drawn = tmp_path / "specifications.csv"
    shared = {
        "choices": settings.choices,
        "epsilon": settings.epsilon,
        "seed": 1,
        "size": "reduced",
    }
    script("specifications")(
        Paths(inputs), Paths({"files": drawn}), specifications=settings.specifications, **shared
    )
    chunks = []
    for chunk in ("1-of-2", "2-of-2"):
        chunks.append({kind: tmp_path / f"{chunk}.{kind}" for kind in ("effect.npy", "z.npy")})
        outputs = {
            "evaluated": tmp_path / f"{chunk}.csv",
            "effect": chunks[-1]["effect.npy"],
            "z": chunks[-1]["z.npy"],
        }
        script("evaluation")(
            Paths(inputs | {"specifications": drawn}), Paths(outputs),
            permutations=settings.permutations, chunk=chunk, **shared,
        )  # fmt: skip
        chunks[-1] = outputs
    merged = {name: [chunk[name] for chunk in chunks] for name in chunks[0]}
    outputs = {
        name: tmp_path / f"{name}.csv" for name in ("curve", "joint", "choices", "quantities")
    }
    outputs["page"] = tmp_path / "joint.html"
    script("joint")(Paths(merged), Paths(outputs), level=settings.level, size="reduced")
    for name in ("specifications", "curve", "joint", "choices", "quantities"):
        again = read_table(tmp_path / f"{name}.csv")
        write_csv(tables[name], tmp_path / "study.csv")
        # The scripts read the observed effects with ten digits.
        pd.testing.assert_frame_equal(read_table(tmp_path / "study.csv"), again, rtol=1e-7)
    assert "Do the conclusions survive other choices?" in outputs["page"].read_text()
    stages.read(outputs["curve"], specifications.CURVE)
    figures = {"curve": outputs["curve"], "joint": outputs["joint"]}
    script("overview")(Paths(figures), Paths({"files": tmp_path / "all.svg"}), size="reduced")
    script("curve")(
        Paths(figures), Paths({"files": tmp_path / "age.svg"}), conclusion="age", size="reduced"
    )
    assert "H1 public" in (tmp_path / "all.svg").read_text()
    assert "Age: " in (tmp_path / "age.svg").read_text()


def test_a_stage_refuses_an_unknown_conclusion(tables, tmp_path):
    bad = tables["specifications"].replace({"conclusion": {"h6": "h7"}})
    write_csv(bad, tmp_path / "specifications.csv")
    with pytest.raises(stages.InputError, match=r"column 'conclusion': value 'h7' is not allowed"):
        stages.read(tmp_path / "specifications.csv", specifications.SPECIFICATIONS)
