"""Check that what a job reads follows from the files that earlier jobs read."""

from collections.abc import Iterable
from pathlib import Path

from saturation import provenance
from saturation.errors import refuse
from saturation.planning.check import describe_change
from saturation.provenance import Hashes


def check_files(paths: Iterable[Path]) -> None:
    """Raise where a file that led to some results differs from the job's record of the file.

    Jobs without a record, as those of an object store, are not asked, nor files that are gone.
    """
    makers = {
        path: record
        for _, record in provenance.records(Path(provenance.LOGS))
        for path in record.outputs
    }
    hashes, waiting = Hashes(), [str(path) for path in paths]
    ancestors = {}
    while waiting:
        record = makers.get(waiting.pop())
        if record and record.job not in ancestors:
            ancestors[record.job] = record
            waiting += record.inputs
    refuse(
        describe_change(record, path, now)
        for record in ancestors.values()
        for path, now in provenance.changed(record, hashes).items()
        if now
    )
