"""A job runs again for what its files hold: not for their dates, and not in another place."""

import shutil

# Its input is larger than the megabyte up to which Snakemake by itself compares contents.
TARGET = "results/discriminability/inputs/submitters.csv"
CONFIG = {"discriminability": {"resamples": 100}}
SOURCE = "resources/discriminability/submitters_monthly.csv"


def planned(project):
    """What a dry run says of the target."""
    done = project.run("--dry-run", TARGET, config=CONFIG)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_copied_results_are_results_until_a_byte_of_a_large_table_changes(make_project, project):
    finished = make_project("finished")
    done = finished.run(TARGET, config=CONFIG)
    assert done.returncode == 0, done.stderr
    source = project.folder / SOURCE
    assert source.stat().st_size > 1e6
    for part in ("results", ".snakemake/metadata"):
        shutil.copytree(finished.folder / part, project.folder / part, copy_function=shutil.copy)
    # Of a clone, every file has the date at which it was made.
    source.touch()
    assert "Nothing to be done" in planned(project)
    source.write_bytes(source.read_bytes().removesuffix(b"\n") + b" \n")
    assert "discriminability_study" in planned(project)
