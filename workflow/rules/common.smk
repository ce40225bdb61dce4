"""Shared helpers (paths, config, code inputs) of the files in this folder.

in:  config/config.yaml, workflow/schemas/*.yaml
out: the checked config; functions for the rule files
"""

import functools
import gc
import os
import sys
from pathlib import Path

import yaml

# Planning makes many objects that stay: looking through them for garbage takes a fifth of the time.
gc.freeze()
gc.set_threshold(100_000, 20, 20)

# The workflow's own folder, whoever includes it: never the working directory.
ROOT = Path(str(workflow.current_basedir)).resolve().parent.parent
SOURCE = ROOT / "src"
HERE = Path.cwd().resolve()
IN_ANOTHER_WORKFLOW = workflow.modifier.parent_modifier is not None

# Jobs find the library under any deployment, and use the cores that they are given, no more.
os.environ.update(
    PYTHONPATH=os.pathsep.join(
        filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")])
    ),
    OMP_NUM_THREADS="1",
    OPENBLAS_NUM_THREADS="1",
    MKL_NUM_THREADS="1",
    PYTHONHASHSEED="0",
    # PyTensor needs no C compiler here, since numba compiles; fast-math would let cold and warm
    # caches differ in the last bit; the cache stays in the project.
    PYTENSOR_FLAGS="cxx=,numba__fastmath=False,base_compiledir=.snakemake/pytensor",
)
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

from saturation.planning import closure as saturation_closure
from saturation.planning import config as saturation_config
from saturation.errors import InputError
from saturation.planning.paths import expand as expand_paths


def load_yaml(path):
    """The content of a YAML file, by the parser in C where there is one: planning takes less time."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)


def load_schema():
    """The config's schema: the top level with each study's part put in."""
    files = (ROOT / "workflow" / "schemas").glob("*.schema.yaml")
    return saturation_config.assemble(
        {file.name.split(".")[0]: load_yaml(file) for file in files}
    )


def load_config(given):
    """The given config on top of the shipped defaults, checked; all violations are said at once.

    Its files must exist now: with results of an earlier run in place, Snakemake would take a rule
    whose inputs are missing for done. In another workflow its rules may make them.
    """
    defaults = load_yaml(ROOT / "config" / "config.yaml")
    completed = saturation_config.complete(given, defaults)
    try:
        saturation_config.check(completed, load_schema())
        if not IN_ANOTHER_WORKFLOW:
            saturation_config.check_files(completed, HERE)
    except InputError as error:
        raise WorkflowError("\n".join(error.violations)) from None
    return completed


@functools.cache
def shipped(path):
    """A file of the workflow itself, relative to the working directory where that is possible."""
    full = ROOT / path
    return str(full.relative_to(HERE)) if full.is_relative_to(HERE) else str(full)


def code(script):
    """The script and the library modules that it imports, transitively: a job's code input."""
    path = ROOT / "workflow" / "scripts" / script
    modules = saturation_closure.closure(path, SOURCE)
    return [shipped(file.relative_to(ROOT)) for file in [path, *modules]]


def growing(amount):
    """A resource that is given anew, once more, each time that a job is sent again."""
    return lambda wildcards, attempt: amount * attempt


@functools.cache
def own_files(benchmark):
    """The files of one of the user's benchmarks, patterns expanded; a missing one is an error."""
    try:
        return expand_paths(config["own"]["benchmarks"][benchmark]["files"], ROOT)
    except InputError as error:
        raise WorkflowError("\n".join(error.violations)) from None


config = load_config(config)

# One environment for all rules: the conda twin of envs/requirements.txt.
ENVIRONMENT = str(ROOT / "envs" / "environment.yaml")
