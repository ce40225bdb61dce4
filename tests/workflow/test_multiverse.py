"""The multiverse through the real DAG: chunks do not change bytes, every conclusion is there."""

import pandas as pd
import pytest

from saturation.multiverse.names import TITLES as CONCLUSIONS

# Without the figure, which takes longer than all the rest at this size.
TABLES = "results/multiverse/reduced/joint.csv"


def settings(chunks):
    return {"multiverse": {"reduced": {"specifications": 30, "permutations": 19, "chunks": chunks}}}


@pytest.fixture(scope="module")
def finished(make_project):
    """The reduced multiverse in three chunks."""
    project = make_project("three_chunks")
    done = project.run(TABLES, config=settings(3))
    assert done.returncode == 0, done.stderr
    return project


def test_chunks_and_cores_do_not_change_a_byte(finished, make_project):
    other = make_project("one_chunk")
    done = other.run(TABLES, config=settings(1), cores=1)
    assert done.returncode == 0, done.stderr
    assert other.results() == finished.results()


def test_every_conclusion_has_its_specifications_and_its_agreement(finished):
    folder = finished.folder / "results/multiverse/reduced"
    curve = pd.read_csv(folder / "curve.csv")
    assert curve["conclusion"].value_counts().to_dict() == dict.fromkeys(CONCLUSIONS, 30)
    agreement = curve.groupby("conclusion")["agrees"].mean()
    joint = pd.read_csv(folder / "joint.csv").set_index("conclusion")
    pd.testing.assert_series_equal(
        joint["agreement"].sort_index(), agreement.sort_index(), check_names=False
    )


def test_the_full_multiverse_has_a_curve_for_every_conclusion(finished):
    planned = finished.run("--dry-run", "multiverse", config=settings(3)).stdout
    for conclusion in CONCLUSIONS:
        assert f"results/figures/multiverse/full/{conclusion}.png" in planned
    assert "16-of-16.csv" in planned
