"""Check that results follow from the present inputs, code and packages."""

from collections.abc import Iterator
from pathlib import Path

from saturation import provenance
from saturation.errors import InputError, refuse
from saturation.planning import code
from saturation.provenance import Hashes, Record

SOURCE = Path(code.__file__).parents[2]
# Of what `make` and Snakemake add to the results, each says where it comes from.
ADDED = ("logs", "report.html", "site", "tests", "validation")


def check(results: Path) -> str:
    """Write a line on each job's results: number of inputs, code; then the packages.

    Raise with a sentence on every file that is not what a job has recorded, and every result that
    no job has.
    """
    if not results.is_dir():
        raise InputError(f"{results}: there is no such folder; name that of a run's results")
    project = results.resolve().parent
    recorded = list(provenance.records(results / "logs"))
    records = [record for _, record in recorded]
    hashes = Hashes(project)
    with code.writing_nothing():
        violations = [
            sentence
            for path, record in recorded
            for sentence in _violations(record, path, project, hashes)
        ]
    outputs = {project / path for record in records for path in record.outputs}
    violations += [
        f"{path}: no job has recorded that it made this; remove it, and `make results`"
        for path in _files(results.resolve())
        if not outputs & {path, *path.parents}
    ]
    refuse(violations)
    versions = sorted({version for record in records for version in record.packages.split(", ")})
    return "\n".join(
        [
            *(
                f"{record.job.strip()}: {len(record.outputs)} results of {len(record.inputs)} "
                f"inputs, code {record.code.split()[-1]}"
                for record in records
            ),
            f"packages: {', '.join(versions)}",
            f"{len(records)} jobs: all that they read and wrote, their code and packages are as "
            "recorded",
        ]
    )


def describe_change(record: Record, path: str, now: str | None) -> str:
    """Describe how a file differs from the record of the job that read or wrote the file."""
    did = "wrote" if path in record.outputs else "read"
    return f"{path}: {'changed' if now else 'removed'} since {record.job.strip()} {did} it"


def _violations(record: Record, place: Path, project: Path, hashes: Hashes) -> Iterator[str]:
    """Describe deviations from a job's record; `place` is the record."""
    job = record.job.strip()
    if record.outputs and not any((project / path).exists() for path in record.outputs):
        yield (
            f"{', '.join(record.outputs)}: removed since {job} wrote it; make it again, or remove "
            f"the record {place} too"
        )
        return
    for path, now in provenance.changed(record, hashes).items():
        yield describe_change(record, path, now)
    name, _, fingerprint = record.code.rpartition(" ")
    script = project / name
    if not script.is_file():
        yield f"{script}: not there, so that the code of {job} cannot be compared"
        return
    if code.fingerprint(script, SOURCE) != fingerprint:
        yield f"{name}: it, or a module that it imports, changed since {job} ran"
    installed, recorded = (
        set(filter(None, text.split(", ")))
        for text in (code.packages(script, SOURCE), record.packages)
    )
    # What was not there then has made nothing: `make test` adds packages to the environment.
    if missing := recorded - installed:
        then, now = (", ".join(sorted(some)) or "none" for some in (missing, installed - recorded))
        yield f"{name}: packages changed since {job} ran: then {then}; now {now}"


def _files(results: Path) -> Iterator[Path]:
    for path in sorted(results.rglob("*")):
        inside = path.relative_to(results).parts
        if path.is_file() and inside[0] not in ADDED and not inside[-1].startswith("."):
            yield path
