"""What goes wrong on real machines: each fault is made, then the run is taken up again."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest
import yaml

from studies.planning import run as planning

CONFIG = {"plateau": {"resamples": 5000, "permutations": 199}}
TARGET = "results/plateau/intervals.csv"
INPUTS = "results/plateau/inputs/benchmarks.csv"
SECONDS = 120


def start(project, *arguments):
    """A run in the background, in a process group of its own."""
    (project.folder / "config.test.yaml").write_text(yaml.safe_dump(CONFIG))
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    command += ["--configfile", "config.test.yaml"]
    return subprocess.Popen(
        command, cwd=project.folder, start_new_session=True, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def stage(run, script):
    """The process of the run that executes a script, once there is one."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and run.poll() is None:
        for process in psutil.Process(run.pid).children(recursive=True):
            try:
                command = process.cmdline()
            except psutil.Error:
                continue
            if "snakemake" not in command and any(part.endswith(script) for part in command):
                return process
        time.sleep(0.02)
    pytest.fail(f"no process ran {script}: {run.stderr.read() if run.poll() is not None else ''}")


@pytest.fixture(scope="module")
def prepared(make_project):
    """A project whose inputs are made, and whose index is not."""
    project = make_project("prepared")
    project.finish(INPUTS)
    return project


def test_kills_and_a_second_run_leave_the_results_of_an_undisturbed_one(
    project, prepared, make_project
):
    undisturbed = make_project("undisturbed")
    for copy in (project, undisturbed):
        for part in ("results", ".snakemake"):
            shutil.copytree(prepared.folder / part, copy.folder / part)
    undisturbed.finish(TARGET, config=CONFIG)
    # A stage is killed.
    run = start(project, TARGET)
    stage(run, "uncertainty.py").send_signal(signal.SIGKILL)
    message = run.communicate(timeout=SECONDS)[1]
    assert run.returncode != 0
    assert "plateau_uncertainty" in message
    assert not (project.folder / TARGET).exists()
    # All of it is killed.
    run = start(project, TARGET)
    stage(run, "uncertainty.py")
    # As `make results` asks before it starts.
    assert "another run is at work" in planning.begin(project.folder)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate(timeout=SECONDS)
    locked = project.run(TARGET, config=CONFIG)
    assert locked.returncode != 0
    assert "--unlock" in locked.stderr
    # A killed process counts until the machine has taken note of its end.
    end = time.monotonic() + SECONDS
    while (said := planning.begin(project.folder)) and time.monotonic() < end:
        time.sleep(0.1)
    assert said is None
    # Two run at the same time.
    first = start(project, TARGET)
    job = stage(first, "uncertainty.py")
    # Held, so that it cannot end before the second run has looked.
    job.suspend()
    try:
        second = project.run(TARGET, config=CONFIG)
    finally:
        job.resume()
    assert second.returncode != 0
    assert "Directory cannot be locked" in second.stderr
    message = first.communicate(timeout=SECONDS)[1]
    assert first.returncode == 0, message
    assert project.results() == undisturbed.results()


@pytest.mark.parametrize(
    ("part", "options", "message"),
    [
        ("results/plateau", (), "Permission denied: 'results/plateau/index"),
        (
            ".snakemake",
            ("-n",),
            ".snakemake: cannot be written",
        ),
    ],
)
def test_a_read_only_folder_stops_the_run_with_its_name(prepared, part, options, message):
    project, target = prepared, "results/plateau/index.csv"
    folder = project.folder / part
    folder.chmod(0o555)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *options, target]
    if os.geteuid() == 0:  # root writes anywhere, unless it gives that capability up
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    try:
        done = subprocess.run(
            command, cwd=project.folder, capture_output=True, text=True, check=False
        )
    finally:
        folder.chmod(0o755)
    assert done.returncode != 0
    assert message in done.stderr
    assert not (project.folder / target).exists()


def test_on_a_full_disk_the_run_says_so_and_accepts_nothing_half_written(prepared):
    project, target = prepared, "results/plateau/index/k5_alpha1.0.csv"
    (project.folder / "results/plateau/index").mkdir()
    # A file system of one page, seen by this shell alone, in the place of the folder.
    script = f"""
        mount -t tmpfs -o size=4k tmpfs results/plateau/index || exit 77
        {sys.executable} -m snakemake --cores 1 {target}
        echo "first run: $?, left: $(ls -A results/plateau/index)"
        mount -o remount,size=1m results/plateau/index
        {sys.executable} -m snakemake --cores 1 {target}
        echo "second run: $?, left: $(wc -l < {target})"
    """
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no file system of its own may be mounted here: {done.stderr.strip()}")
    assert "Error: No space left on device: the results cannot be written." in done.stderr
    assert "first run: 1, left: \n" in done.stdout
    assert "second run: 0, left: 61\n" in done.stdout


def test_a_damaged_cached_source_is_fetched_again(project):
    content = b"a,b\n1,2\n"
    mirror = project.folder / "mirror"
    mirror.mkdir()
    (mirror / "tiny.csv").write_bytes(content)
    registry = project.folder / "resources/sources.csv"
    header = registry.read_text().splitlines()[0]
    values = {
        "name": "tiny", "path": "tiny.csv", "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": "8", "licence": "none", "url": "http://127.0.0.1:9/tiny.csv", "what": "a test",
    }  # fmt: skip
    row = ",".join(values[name] for name in header.split(","))
    registry.write_text(f"{header}\n{row}\n")
    config = {"sources": {"mirror": "mirror"}}
    target = project.folder / "results/sources/tiny.csv"
    assert project.run("results/sources/tiny.csv", config=config).returncode == 0
    target.write_bytes(content[:-3])
    project.finish("results/sources/tiny.csv", config=config)
    assert target.read_bytes() == content
