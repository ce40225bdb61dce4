"""What goes wrong on real machines, over the whole default run: the results must be the same after.

Usage: python tests/recovery.py RESULTS [--kills 30] [--terms 20] [--kills-alone] [--cores 2]
           [--folder DIR] [--targets ...]
RESULTS is an undisturbed run's folder. In a copy of the project, the run is killed (whole group,
SIGKILL, then SIGTERM) at random moments and taken up again as `make results` does, from an empty
folder each time that it has come to its end; then finished, and again after the clock of all
results was set back a day, its caches were overwritten, a result was edited, a source vanished,
the folder of results was read-only and the disk was full. Every case prints a line; the exit code
is 1 where bytes differ or a message is missing. Half an hour on two cores;
tests/workflow/test_faults.py has few targets of it.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("Snakefile", "config", "envs", "profiles", "resources", "src", "workflow")
A_DAY = 86_400
# A stage that began just before a SIGTERM is let finish, which takes longer on a busy machine.
PATIENCE = 120


class Recovery:
    """A copy of the project, and how it is run in it."""

    def __init__(self, folder: Path, known: Path, cores: int, targets: list[str]) -> None:
        self.folder, self.known, self.targets = folder, known.resolve(), targets
        self.cores = str(cores)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)

    def start(self, *before: str) -> subprocess.Popen[str]:
        """Begin, as `make results` does: a lock that nobody holds is removed."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src")}
        release = [sys.executable, "-m", "studies.planning.run", "begin"]
        # What was killed may take a moment to end.
        for _ in range(PATIENCE):
            if (
                subprocess.run(release, cwd=self.folder, env=environment, check=False).returncode
                == 0
            ):
                break
            time.sleep(1)
        command = [*before, sys.executable, "-m", "snakemake", "--cores", self.cores, *self.targets]
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def finish(self, *before: str) -> tuple[int, str]:
        """Run to the end; the exit code and what was said."""
        run = self.start(*before)
        said, _ = run.communicate()
        return run.returncode, said

    def same(self) -> str:
        """Empty if all results have the known bytes, else what differs."""
        command = [sys.executable, ROOT / "tests/compare_results.py", self.known, "results"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stdout

    def kill(self, seconds: float, by: signal.Signals = signal.SIGKILL) -> str:
        """Start, and end all of it after so long: nothing of it lives on.

        A run that was taken up often enough ends before: its results are compared and removed, so
        that the next kill hits a run again.
        """
        run = self.start()
        try:
            said, _ = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, by)
            try:
                run.communicate(timeout=PATIENCE)
                # What was killed is gone once the system has taken note of its end.
                for _ in range(PATIENCE):
                    os.killpg(run.pid, 0)
                    time.sleep(1)
            except ProcessLookupError:
                return ""
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                return f"Snakemake still lived {PATIENCE} s after {by.name}"
            return f"a stage lives on after {by.name}"
        if run.returncode:
            return said
        wrong = self.same()
        shutil.rmtree(self.folder / "results")
        return wrong

    def completed(self) -> str:
        """Finish the run: nothing is wrong where it ends well with the known bytes."""
        code, said = self.finish()
        return self.same() if code == 0 else said[-2000:]

    def clock_set_back(self) -> str:
        """All results are of yesterday, as after a clock that was wrong."""
        moment = time.time() - A_DAY
        for path in (self.folder / "results").rglob("*.csv"):
            os.utime(path, (moment, moment))
        return self.completed()

    def corrupt_cache(self) -> str:
        """Python's own caches are overwritten."""
        for path in self.folder.rglob("*.pyc"):
            path.write_bytes(b"not what it was")
        shutil.rmtree(self.folder / "results/regression", ignore_errors=True)
        shutil.rmtree(self.folder / "results/plateau", ignore_errors=True)
        return self.completed()

    def edited(self) -> str:
        """A result is edited, its date kept, and what Snakemake notes is gone after that."""
        table = self.folder / "results/plateau/index.csv"
        state = table.stat()
        table.write_bytes(table.read_bytes()[:-100] + b"\n")
        os.utime(table, ns=(state.st_atime_ns, state.st_mtime_ns))
        if wrong := self.completed():
            return wrong
        table.write_bytes(table.read_bytes()[:-100] + b"\n")
        shutil.rmtree(self.folder / ".snakemake/metadata")
        return self.completed()

    def vanished_source(self) -> str:
        """An embedded table is gone: a sentence with its name, and the same results once back."""
        table = self.folder / "resources/plateau/top_scores.csv"
        aside = table.rename(table.with_suffix(".aside"))
        code, said = self.finish()
        aside.rename(table)
        if code == 0 or table.name not in said:
            return f"code {code}, nothing said of {table.name}: {said[-500:]}"
        return self.completed()

    def read_only(self) -> str:
        """The folder of results cannot be written: a sentence with the file's name."""
        folder = self.folder / "results/plateau"
        shutil.rmtree(folder / "tables", ignore_errors=True)
        (folder / "index.csv").unlink(missing_ok=True)
        folder.chmod(0o555)
        drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
        code, said = self.finish(*(drop if os.geteuid() == 0 else ()))
        folder.chmod(0o755)
        if code == 0 or "ermission denied" not in said:
            return f"code {code}: {said[-500:]}"
        return self.completed()

    def disk_full(self) -> str:
        """Results on a file system of 64 kilobytes: said so, and the same once there is room."""
        results = self.folder / "results"
        shutil.rmtree(results)
        results.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(results)], check=False
        )
        if mounted.returncode:
            results.rmdir()
            return "not tried: no file system may be mounted here"
        try:
            code, said = self.finish()
            if code == 0 or "No space left" not in said:
                return f"code {code}: {said[-500:]}"
            remount = ["mount", "-o", "remount,size=2g", str(results)]
            subprocess.run(remount, check=True)
            return self.completed()
        finally:
            subprocess.run(["umount", str(results)], check=False)


def main() -> int:
    """Try every case; how many failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("known", type=Path, help="results of an undisturbed run of this code")
    parser.add_argument("--kills", type=int, default=30, help="by SIGKILL to the run's group")
    parser.add_argument("--terms", type=int, default=20, help="the same by SIGTERM to the group")
    parser.add_argument("--kills-alone", action="store_true", help="none of the other faults")
    parser.add_argument("--longest", type=float, default=60.0, help="seconds until a kill")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="of the copy (default: a temporary folder)")
    parser.add_argument("--targets", nargs="*", default=[], help="default: the whole default run")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    tried = Recovery(folder, given.known, given.cores, given.targets)
    moments = random.Random(given.seed)
    cases: list[tuple[str, Callable[[], str]]] = []
    for by in [signal.SIGKILL] * given.kills + [signal.SIGTERM] * given.terms:
        seconds = moments.uniform(1, given.longest)
        label = f"{len(cases) + 1}: {by.name} after {seconds:.0f} s"
        cases.append((label, lambda seconds=seconds, by=by: tried.kill(seconds, by)))
    cases.append(("the run after all kills", tried.completed))
    others = (
        tried.clock_set_back, tried.corrupt_cache, tried.edited, tried.vanished_source,
        tried.read_only, tried.disk_full,
    )  # fmt: skip
    cases += [(case.__doc__ or "", case) for case in others if not given.kills_alone]
    failed = 0
    for label, case in cases:
        wrong = case()
        failed += bool(wrong)
        print(f"{'WRONG' if wrong else 'ok'}: {label}{': ' + wrong if wrong else ''}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
