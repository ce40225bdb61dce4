"""Shared helpers (paths, config, fingerprints of code) of the files in this folder.

in:  config/config.yaml, workflow/schemas/*.yaml
out: the checked config; functions for the rule files, and what every rule with a script is given
"""

import functools
import gc
import os
import sys
from pathlib import Path

import yaml
from snakemake.sourcecache import LocalGitFile, LocalSourceFile

# Planning makes many objects that stay: looking through them for garbage takes a fifth of the time.
gc.freeze()
gc.set_threshold(100_000, 20, 20)


def own_folder(basedir):
    """The workflow's own folder, whoever includes it: never the working directory.

    Of a workflow that another one names by its git repository, Snakemake has at hand only the files
    that it runs itself: library and tables are checked out beside its cache, a folder a commit.
    """
    if isinstance(basedir, LocalSourceFile):
        return Path(str(basedir)).resolve().parent.parent
    # Looks for git when it is imported, which nobody else needs.
    from git import Repo

    local = isinstance(basedir, LocalGitFile)
    repository = Repo(basedir.repo_path) if local else basedir.hosted_repo.repo
    commit = repository.commit(basedir.ref).hexsha
    folder = Path(".snakemake/saturation").resolve() / commit
    if not folder.exists():
        unfinished = folder.with_name(f"{commit}.{os.getpid()}")
        copy = repository.clone(str(unfinished), no_checkout=True, shared=True)
        copy.git.checkout(commit)
        unfinished.replace(folder)
    return folder


ROOT = own_folder(workflow.current_basedir)
SOURCE = ROOT / "src"
HERE = Path.cwd().resolve()
IN_ANOTHER_WORKFLOW = workflow.modifier.parent_modifier is not None
# Rules of a workflow that takes this one in.
OTHERS = {stage.name for stage in workflow.rules}

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
from saturation.planning import messages as saturation_messages
from saturation.errors import InputError
from saturation.planning.closing import failures
from saturation.planning import weights as saturation_weights
from saturation.planning.paths import expand as expand_paths
from saturation.planning.running import note as note_run
from saturation.planning.studies import CATEGORY, STUDIES

saturation_closure.remember(Path(".snakemake/saturation/code.json").resolve())
# From here on, errors of ours are said without what Snakemake adds to them.
PLAIN = saturation_messages.Plain()
logger.addFilter(PLAIN)


def load_yaml(path):
    """The content of a YAML file, by the parser in C where there is one: planning takes less time."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)


def load_schema():
    """The config's schema: the top level with each study's part put in."""
    files = (ROOT / "workflow" / "schemas").glob("*.schema.yaml")
    parts = {file.name.split(".")[0]: load_yaml(file) for file in files}
    return saturation_config.assemble(parts, STUDIES)


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
    """A file of the workflow itself, relative to the working directory where that is possible.

    Not in another workflow, which may put its prefix before every relative path.
    """
    full = ROOT / path
    # With results of an earlier run in place, Snakemake would take what is made from it for done.
    if not full.exists():
        raise WorkflowError(f"{full}: this file of the project is missing; restore it")
    near = full.is_relative_to(HERE) and not IN_ANOTHER_WORKFLOW
    return str(full.relative_to(HERE)) if near else str(full)


def code(script):
    """A script, and the fingerprint of it and of the library modules that it imports.

    Taken when a job asks for it: the first ones run while the others' code is read.
    """
    path = f"workflow/scripts/{script}"
    return (
        lambda wildcards: f"{path} {saturation_closure.fingerprint(ROOT / path, SOURCE)}"
    )


def growing(amount, per_mb=0, files=()):
    """A resource that grows with the user's files, and each time that a job is sent again.

    amount: for small files. per_mb: what each megabyte of them adds once they are unpacked, measured
    by speed/scale.py and speed/own.py --weights. files: paths, of which None stands for none, or a
    function of the wildcards that names them: of the user's, whose size is known when the workflow
    is planned, unlike that of what rules make.
    """

    def needed(wildcards, attempt):
        named = files(wildcards) if callable(files) else files
        weight = saturation_weights.megabytes(filter(None, named))
        return round((amount + per_mb * weight) * attempt)

    return needed


@functools.cache
def own_files(benchmark):
    """The files of one of the user's benchmarks, patterns expanded; a missing one is an error.

    In another workflow its rules may make them.
    """
    files = OWN_BENCHMARKS[benchmark]["files"]
    try:
        return expand_paths(files, ROOT, made_later=IN_ANOTHER_WORKFLOW)
    except InputError as error:
        raise WorkflowError("\n".join(error.violations)) from None


def own_benchmarks(given):
    """The user's benchmarks; one that asks for a card of each task stands for as many."""
    if not any(entry.get("each_task") for entry in given.values()):
        return given
    # Only here, since it reads the files with pandas.
    from saturation.own.imports import each

    benchmarks = {}
    try:
        for name, entry in given.items():
            if entry.get("each_task"):
                files = expand_paths(entry["files"], ROOT)
                benchmarks |= each(name, files, entry)
            else:
                benchmarks[name] = entry
        saturation_config.check_names(benchmarks)
    except InputError as error:
        said = list(error.violations)
        if IN_ANOTHER_WORKFLOW:
            said.append(
                "config: own.benchmarks: each_task reads its files while the run is planned, before "
                "any rule can make them; give each task a benchmark of its own"
            )
        raise WorkflowError("\n".join(said)) from None
    return benchmarks


if not IN_ANOTHER_WORKFLOW and Path("config/config.yaml").is_file():

    configfile: "config/config.yaml"


config = load_config(config)

# One environment for all rules: the conda twin of envs/requirements.txt.
ENVIRONMENT = str(ROOT / "envs" / "environment.yaml")

# The versions of all packages, for rules whose numbers depend on a sampler's or an optimiser's.
LOCK = shipped("envs/requirements.txt")

# Which of several jobs that could run goes first. Those that check a table of the user's, so that
# what is wrong is said soon; those on the longest chains; last the figures, for which nothing waits.
CHECKS_TABLES = 100
LONG_CHAIN = 10
NO_FIGURE = 2
LONG_FIGURES = 1

# What the studies add to the default run and to the ledger; each rule file says it by offer().
OFFERS = {}


def offer(study, targets, quantities, judged=True, paper=None):
    """Put a study into the default run and, if its claims can be judged, into the ledger.

    targets: what the default run makes of it. quantities: its headline numbers, or several tables
    of them, each by the name that evidence has for it. judged: whether it runs on the papers' own
    data and settings, which the claims are about. paper: whose claims they answer, where it does
    not have the study's name.
    """
    OFFERS[study] = {
        "targets": targets,
        "quantities": (
            quantities if isinstance(quantities, dict) else {study: quantities}
        ),
        "judged": judged and study in config["ledger"]["studies"],
        "paper": paper or study,
    }


def finish():
    """Give each rule of this workflow that runs a script what all of them need.

    These are a log, a measurement of its cost, the environment, and the fingerprint of its code as
    a parameter, where the rule itself says nothing else. Called once, after the last rule, so that no rule can lack
    them. Log and measurement are called STUDY/WORD/WILDCARDS after the rule STUDY_WORD;
    what a user names a benchmark or a bank cannot take the name of another rule's.
    """
    for stage in workflow.rules:
        if not stage.script or stage.name in OTHERS:
            continue
        study, script = stage.script.split("/")[-2:]
        word = stage.name.partition(f"{study}_")[2] or stage.name
        # A rule of a list that the config leaves empty has no output.
        first = str(next(iter(stage.output), ""))
        values = [f"{{{name}}}" for name in stage.wildcard_names]
        values.sort(key=lambda value: first.find(value.strip("}")))
        job = os.path.join(study, word, *values)
        modifier = stage.output_modifier
        if not stage.log:
            stage.log_modifier = modifier
            stage.set_log(f"results/logs/{job}.log")
        if not stage.benchmark:
            stage.benchmark_modifier = modifier
            stage.benchmark = f"results/costs/{job}.tsv"
        if not stage.priority and not stage.name.endswith(("_figures", "_figure")):
            stage.priority = NO_FIGURE
        if not stage.conda_env:
            stage.conda_env = ENVIRONMENT
        stage.set_params(code=code(f"{study}/{script}"))
        text = (ROOT / "workflow" / "scripts" / study / script).read_text(
            encoding="utf-8"
        )
        stage.docstring = stage.docstring or saturation_messages.purpose(text)
    purposes = {stage.name: stage.docstring for stage in workflow.rules}
    files = [str(file) for stage in workflow.rules for file in stage.output]
    PLAIN.learn(purposes, files)
