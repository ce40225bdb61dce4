"""The commands that look things up: `check`, `formats`, `doctor`."""

import os
from pathlib import Path

from saturation.commands.base import Options, as_json
from saturation.doctor import examine
from saturation.errors import refuse
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


def run_doctor(options: Options) -> str:
    """List what this machine lacks for the workflow."""
    lacks = examine(Path.cwd(), os.environ)
    refuse(f"{lack.problem}; {lack.remedy}" for lack in lacks if lack.stops)
    missing = [lack.sentence() for lack in lacks]
    if options.json:
        return as_json({"missing": missing})
    return "\n".join([*missing, "Nothing that is needed is missing."])
