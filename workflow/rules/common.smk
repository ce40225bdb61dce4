"""Paths, the checked config, fingerprints of code and resources, shared by all rule files.

in:  config/config.yaml, workflow/schemas/*.yaml
"""

import functools
import os
import subprocess
import sys
from pathlib import Path

import yaml
from snakemake.utils import update_config


def own_folder():
    """The workflow's own folder, whoever includes it: never the working directory.

    Of a workflow taken from a git repository, Snakemake fetches the rule files alone.
    """
    place = str(workflow.current_basedir)
    if Path(place).is_dir():
        return Path(place).resolve().parents[1]
    address, _, version = place.removeprefix("git+").rpartition("@")
    address = address.removesuffix("workflow/rules").rstrip("/")
    address = address if "://" in address else f"https://{address}"
    folder = Path(".snakemake/saturation").resolve() / version
    git = functools.partial(subprocess.run, check=True)
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.{os.getpid()}")
        git(["git", "clone", "--quiet", address, part])
        git(["git", "-C", part, "checkout", "--quiet", version])
        part.replace(folder)
    elif (folder / ".git/HEAD").read_text().startswith("ref:"):
        # A branch may have moved.
        git(["git", "-C", folder, "pull", "--quiet", "--ff-only"], check=False)
    return folder


ROOT = own_folder()
SOURCE = ROOT / "src"
HERE = Path.cwd().resolve()
IN_ANOTHER_WORKFLOW = Path(workflow.basedir).resolve() not in (ROOT, ROOT / "workflow")
# A job on a node without a shared file system: the user's tables are where the run was started.
FAR_AWAY = {"remote", "none"} <= set(sys.argv)

# Results are in an object store: as an option, or in a profile.
IN_A_STORE = workflow.storage_settings.default_storage_provider is not None
# Snakemake 9.27 asks a store whether there is something to update, then copies the file here.
if IN_A_STORE:
    update = lambda path: path

# Jobs find the library under any deployment, and use the cores that they are given, no more.
os.environ.update(
    PYTHONPATH=os.pathsep.join([str(SOURCE), *filter(None, [os.getenv("PYTHONPATH")])]),
    OMP_NUM_THREADS="1",
    OPENBLAS_NUM_THREADS="1",
    MKL_NUM_THREADS="1",
    PYTHONHASHSEED="0",
    # No C compiler, since numba compiles; with fast-math, cold and warm caches differ in a bit.
    PYTENSOR_FLAGS="cxx=,numba__fastmath=False,base_compiledir=.snakemake/pytensor",
)
sys.path.insert(0, str(SOURCE))

from studies.boards.names import EMBEDDED
from saturation.errors import InputError
from saturation.leaderboard.names import HELM_RUN, MTEB_MODEL, lm_eval_results
from studies.plateau.names import CONCLUSION_TITLES
from saturation.planning import config as benchmarks
from saturation.planning.code import function
from studies.planning import config as planned
from studies.planning import run
from studies.planning.config import CATEGORY, STUDIES
from studies.planning.jobs import followed, growing, named, settings_of

snakemake_folder = HERE / ".snakemake"
# Snakemake itself ends in a traceback, a dry run too.
if not os.access(snakemake_folder if snakemake_folder.exists() else HERE, os.W_OK):
    sys.exit(
        f"{snakemake_folder}: cannot be written, and Snakemake keeps its notes there; copy the project to a "
        "folder of yours (saturation check compares results and writes nothing)"
    )


def plainly(function, *arguments, **named):
    """What a function returns; where the user's input is wrong, its sentences alone."""
    try:
        return function(*arguments, **named)
    except InputError as error:
        sys.exit("\n".join(error.violations))


def load_config(given):
    """The given config on top of the shipped defaults, checked.

    Its files must exist now: with results of an earlier run in place, Snakemake would take a rule
    whose inputs are missing for done. In another workflow its rules may make them.
    """
    load_yaml = functools.partial(yaml.load, Loader=yaml.CSafeLoader)
    completed = load_yaml((ROOT / "config" / "config.yaml").read_bytes())
    update_config(completed, given)
    files = (ROOT / "workflow" / "schemas").glob("*.schema.yaml")
    parts = {path.name.split(".")[0]: load_yaml(path.read_bytes()) for path in files}
    plainly(planned.check, completed, planned.assemble(parts))
    if not (IN_ANOTHER_WORKFLOW or FAR_AWAY):
        plainly(planned.check_files, completed, HERE)
    return completed


# Every file of the workflow itself that a rule reads.
SHIPPED = {}


def shipped(path):
    """A file of the workflow itself, relative to the working directory where that is possible.

    It travels with the workflow: no object store is asked for it. Not relative in another
    workflow, which may put its prefix before every relative path.
    """
    full = ROOT / path
    # With results of an earlier run in place, Snakemake would take what is made from it for done.
    if not full.exists():
        sys.exit(f"{full}: this file of the project is missing; restore it")
    near = full.is_relative_to(HERE) and not IN_ANOTHER_WORKFLOW
    found = str(full.relative_to(HERE) if near else full)
    return SHIPPED.setdefault(path, sourcecache_entry(found, found))


def own_or_shipped(path, embedded):
    """A user's table, which is read where the run was started; without one, the embedded table."""
    return local(path) if path else shipped(embedded)


def code(script, part=""):
    """What a job follows from beside its settings; part: which of a script's rules it is."""
    return lambda wildcards: followed(ROOT, script, part, wildcards, TOKENS)


def attribute_of(objects, wildcard, name):
    """Read an attribute of the object that a wildcard names."""
    return lambda wildcards: getattr(objects[getattr(wildcards, wildcard)], name)


# What the report calls wildcards; a name of the user's own stays as it is.
TITLES = {name: board.title for name, board in EMBEDDED.items()} | CONCLUSION_TITLES
TITLES |= {"nlu": "NLU banks", "reduced": "Reduced", "full": "Full"}


def titled(words):
    """Words of the report in which wildcards stand by their titles."""
    called = lambda items: {name: TITLES.get(value, value) for name, value in items}
    return lambda wildcards: words.format(**called(wildcards.items()))


def reported(path, study, label, section="", caption=None):
    """A file in the report; label and section may hold wildcards."""
    return report(
        path,
        caption=f"../report/{study}/{caption or Path(path).stem}.rst",
        category=CATEGORY[study],
        subcategory=titled(section) if section else None,
        labels=lambda wildcards: {"item": titled(label)(wildcards)},
    )


def drawn(folder, study, figures, section=None, caption="{}"):
    """Figures in three formats; their names with label, or section and label, in the report."""
    files = []
    for name, said in figures.items():
        part, label = (section, said) if isinstance(said, str) else said
        stem = f"results/figures/{folder}/{name}"
        files.append(reported(f"{stem}.png", study, label, part, caption.format(name)))
        files += [f"{stem}.pdf", f"{stem}.svg"]
    return files


if not IN_ANOTHER_WORKFLOW and Path("config/config.yaml").is_file():

    configfile: "config/config.yaml"


config = load_config(config)

# Which of several jobs that could run goes first: those that check a table of the user's, so that
# what is wrong is said soon; then those on the longest chains; then long ones, so that none is left
# over when nothing else is.
CHECKS_TABLES = 100
LONG_CHAIN = 10
LONG = 5

# What the studies add to the default run and to the ledger; each rule file says it by offer().
OFFERS = {}


def offer(study, targets, quantities, judged=True, paper=None):
    """Put a study into the default run and, if its claims can be judged, into the ledger.

    targets: what the default run makes of it. quantities: its headline numbers, or several tables
    of them, each by the name that evidence has for it. judged: whether it runs on the papers' own
    data and settings, which the claims are about. paper: whose claims they answer, if not its own.
    """
    tables = quantities if isinstance(quantities, dict) else {study: quantities}
    OFFERS[study] = {
        "targets": targets,
        "quantities": tables,
        "judged": judged and study in config["ledger"]["studies"],
        "paper": paper or study,
    }


def files_beside(paths):
    """List files that importers may read beside those they are given, as far as they exist."""
    paths_given = {Path(path) for path in paths}
    near = {
        path.with_name(name) for path in paths_given for name in (HELM_RUN, MTEB_MODEL)
    }
    near |= {path for samples in paths_given if (path := lm_eval_results(samples))}
    return sorted(str(path) for path in near - paths_given if path.is_file())
