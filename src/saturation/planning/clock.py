"""Files from the future, as a machine whose clock was wrong leaves them.

Snakemake refuses an output that is older than what it was made from, so that no run could go on
before that day has come. Read while the workflow is planned: the standard library alone.
"""

import os
from collections.abc import Iterable
from pathlib import Path

# Clocks of file servers are a little off, which does no harm.
TOLERATED = 60.0


def bring_back(folders: Iterable[Path], now: float) -> list[Path]:
    """Date the files of folders that are from the future to now.

    Returns
    -------
    list of pathlib.Path
        What was dated anew; a file that may not be, or that just vanished, is left.
    """
    changed = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            try:
                if path.lstat().st_mtime <= now + TOLERATED:
                    continue
                os.utime(path, (now, now), follow_symlinks=False)
            except OSError:
                continue
            changed.append(path)
    return changed
