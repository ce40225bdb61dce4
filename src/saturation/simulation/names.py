"""Which modules of this package hold checks: plain Python, because planning needs it too."""

import re
from pathlib import Path
from pkgutil import iter_modules

# A module of checks is one that assigns CHECKS; it is read, not imported, which takes no time.
_EXPORT = re.compile(r"^CHECKS\b", re.MULTILINE)
_FOLDER = Path(__file__).parent


def subjects(folder: Path = _FOLDER) -> list[str]:
    """Names of the modules that export ``CHECKS``, sorted: each is one job."""
    names = (module.name for module in iter_modules([str(folder)]))
    return sorted(
        name
        for name in names
        if _EXPORT.search((folder / f"{name}.py").read_text(encoding="utf-8"))
    )
