"""List what a machine lacks for the workflow, in sentences, before anything is installed.

Run by ``make doctor`` and by every command of the Makefile that installs. It needs nothing but
Python itself.
"""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

# Measured: 1.4 GB of packages and 0.1 GB of results; the regression's samplers take 1.5 GB.
DISK_GB, MEMORY_GB = 2.0, 3.0


@dataclass(frozen=True)
class Lack:
    """Missing part of the machine, its remedy, and whether nothing works without the part."""

    problem: str
    remedy: str
    stops: bool = True

    def sentence(self) -> str:
        """Join the problem and its remedy in a line."""
        return f"{'needed' if self.stops else 'note'}: {self.problem}; {self.remedy}"


def examine(folder: Path, environment: Mapping[str, str]) -> list[Lack]:
    """Everything that is missing, what stops first."""
    packages = folder / environment.get("VENV", ".venv")
    # What make writes last: an installation that was cut off has to be made room for again.
    installed = (packages / "results.stamp").is_file()
    lacks = [*_places(folder, packages, environment), *_programs(environment, installed)]
    lacks += _room(folder, installed)
    return sorted(lacks, key=lambda lack: not lack.stops)


def _places(folder: Path, packages: Path, environment: Mapping[str, str]) -> Iterator[Lack]:
    if any(letter.isspace() for letter in str(packages)):
        yield Lack(
            f"there is a space in the path {packages}, and Snakemake starts Python by it",
            "move the folder, or install elsewhere: make results VENV=/a/path/without/it",
        )
    for path in (folder, folder / "results", folder / ".snakemake"):
        if path.exists() and not os.access(path, os.W_OK):
            yield Lack(f"{path} cannot be written", "change its owner or its mode")
    home = environment.get("HOME", "")
    cache = Path(environment.get("XDG_CACHE_HOME") or Path(home, ".cache"))
    nearest = next(path for path in (cache, *cache.parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        yield Lack(
            f"{cache} cannot be written, where Snakemake keeps a cache",
            "use make, which puts it into the project, or set XDG_CACHE_HOME",
            stops=False,
        )


def _programs(environment: Mapping[str, str], installed: bool) -> Iterator[Lack]:
    # Debian and Ubuntu ship it apart from Python.
    if not installed and importlib.util.find_spec("ensurepip") is None:
        yield Lack(
            "this Python cannot make environments, its module ensurepip is missing",
            "install it: on Debian and Ubuntu, apt install python3-venv",
        )
    if shutil.which("which", path=environment.get("PATH", "")) is None:
        yield Lack("the command `which` is missing, which Snakemake calls", "install it")


def _room(folder: Path, installed: bool) -> Iterator[Lack]:
    free = shutil.disk_usage(folder).free / 1e9
    if not installed and free < DISK_GB:
        yield Lack(
            f"{free:.1f} GB are free at {folder}; packages and results take {DISK_GB:g}",
            "make room, or move the folder",
        )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    if memory < MEMORY_GB:
        yield Lack(
            f"the machine has {memory:.1f} GB of memory; some stages take 1.5 at a time",
            "use one core: snakemake --cores 1",
            stops=False,
        )


def main() -> int:
    """Say what is missing; the code is 1 where something stops the workflow."""
    lacks = examine(Path.cwd(), os.environ)
    for lack in lacks:
        sys.stderr.write(lack.sentence() + "\n")
    return int(any(lack.stops for lack in lacks))


if __name__ == "__main__":
    sys.exit(main())
