"""Write what follows from the pip locks in envs/: the conda twin, and versions without hashes."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVS = ROOT / "envs"
HEADER = """\
# The same versions as requirements.txt, for runs with `--software-deployment-method conda`.
# Written from the lock by `make lock`; a test compares the two.
name: saturation
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python >=3.11,<3.14
"""
# Installed by pip for the library itself; conda jobs find the library on their path.
NOT_NEEDED = {"hatchling", "editables"}


def direct(text: str) -> list[str]:
    """Names of the packages that requirements.in asks for."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    names = (re.split(r"[<>=[\s]", line)[0] for line in lines if line)
    return sorted(set(names) - NOT_NEEDED)


def locked(text: str) -> dict[str, str]:
    """Version of every locked package."""
    return dict(re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", text))


def rendered(requirements_in: str, lock: str) -> str:
    """The environment file: every direct dependency at its locked version."""
    versions = locked(lock)
    lines = [f"  - {name} =={versions[name]}" for name in direct(requirements_in)]
    return HEADER + "\n".join(lines) + "\n"


def pin_versions(lock: str) -> str:
    """Return the constraints of a lock without their hashes, which pre-commit cannot use."""
    return "".join(f"{name}=={version}\n" for name, version in locked(lock).items())


if __name__ == "__main__":
    text = rendered((ENVS / "requirements.in").read_text(), (ENVS / "requirements.txt").read_text())
    (ENVS / "environment.yaml").write_text(text)
    (ENVS / "versions-card.txt").write_text(
        pin_versions((ENVS / "requirements-card.txt").read_text())
    )
