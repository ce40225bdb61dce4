"""The commands that look things up: `check`, `formats`."""

from saturation.commands.base import Options, as_json
from saturation.leaderboard.read.registry import importers
from saturation.planning.check import check


def run_check(options: Options) -> str:
    """Check that results are what their inputs, code and packages make."""
    return check(options.results)


def run_formats(options: Options) -> str:
    """List the file formats that can be read."""
    formats = {importer.name: importer.sentence() for importer in importers()}
    if options.json:
        return as_json({"formats": formats})
    return "\n".join(f"{name}: {sentence}" for name, sentence in formats.items())
