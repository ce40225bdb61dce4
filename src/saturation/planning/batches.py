"""Which of the user's benchmarks share a job."""

import hashlib
from collections.abc import Collection

# A job's start costs as much as six cards, and while jobs wait Snakemake looks at all of them again
# as often a second as jobs have ended; what it notes of one job grows with the square of its files.
MOST_ON_AVERAGE = 32


def batches(names: Collection[str]) -> dict[int, list[str]]:
    """Deal benchmarks out to jobs, so that a further one changes the job that it joins alone.

    A name's job follows from its hash. Their number doubles when they would have more than
    ``MOST_ON_AVERAGE`` benchmarks on average, and only then do others change.

    Returns
    -------
    dict
        The sorted names of each job that has any, by the job's number.
    """
    jobs = 1
    while len(names) > jobs * MOST_ON_AVERAGE:
        jobs *= 2
    dealt: dict[int, list[str]] = {}
    for name in sorted(names):
        digest = hashlib.sha256(name.encode()).digest()
        dealt.setdefault(int.from_bytes(digest[:8]) % jobs, []).append(name)
    return dict(sorted(dealt.items()))
