"""A job runs again for what its files hold: not for their dates, and not in another place."""

import shutil

import pytest

# Its input is larger than the megabyte up to which Snakemake by itself compares contents.
TARGET = "results/discriminability/inputs/submitters.csv"
SOURCE = "resources/discriminability/submitters_monthly.csv"


def planned(project):
    """What a dry run says of the target."""
    done = project.run("--dry-run", TARGET)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def finished(make_project):
    project = make_project("finished")
    done = project.run(TARGET)
    assert done.returncode == 0, done.stderr
    assert (project.folder / SOURCE).stat().st_size > 1e6
    return project


def test_a_large_table_that_was_only_touched_reruns_nothing(finished):
    (finished.folder / SOURCE).touch()
    assert "Nothing to be done" in planned(finished)


def test_results_copied_with_their_metadata_are_results_there(finished, project):
    for part in ("results", ".snakemake/metadata"):
        shutil.copytree(finished.folder / part, project.folder / part, copy_function=shutil.copy)
    # Of a clone, every file has the date at which it was made.
    (project.folder / SOURCE).touch()
    assert "Nothing to be done" in planned(project)


def test_another_byte_of_a_large_table_reruns_its_stage(project, finished):
    for part in ("results", ".snakemake/metadata"):
        shutil.copytree(finished.folder / part, project.folder / part)
    source = project.folder / SOURCE
    source.write_bytes(source.read_bytes().removesuffix(b"\n") + b" \n")
    assert "discriminability_study" in planned(project)
