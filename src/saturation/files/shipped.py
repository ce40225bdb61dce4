"""Files that come with the package: embedded tables, templates, the default config."""

from pathlib import Path

# A wheel has them beside the library, a clone where the repository keeps them.
INSTALLED = Path(__file__).resolve().parents[1] / "shipped"
REPOSITORY = Path(__file__).resolve().parents[3]


def shipped(path: str) -> Path:
    """A file by its path in the repository, such as ``resources/plateau/benchmarks.csv``.

    Raises
    ------
    FileNotFoundError
        If the package does not come with it.
    """
    for folder in (INSTALLED, REPOSITORY):
        if (folder / path).is_file():
            return folder / path
    raise FileNotFoundError(f"{path}: the package comes without this file")
