"""Metric families: what each says of a metric without looking at its scores.

Plain Python: the config's check reads it too, while the workflow is planned.
"""

import re
from pathlib import Path

FAMILIES = ("accuracy", "pass_at_k", "bounded_mean", "rating", "other")
# Without a lowest and a highest score: no unit interval, no ceiling, no course over time.
UNBOUNDED = ("rating", "other")
# Whose direction needs no declaration.
HIGHER_IS_BETTER = ("accuracy", "pass_at_k", "rating")


# Headroom of a benchmark in words, on its card and in the table of statuses.
EXHAUSTED, NEAR, ROOM = HEADROOM = ("exhausted", "near the ceiling", "room left")


def judge_headroom(best: float, lower: float, ceiling: float) -> str:
    """Return the headroom in words, by the best measured score and its lower limit.

    >>> judge_headroom(best=0.93, lower=0.88, ceiling=0.9)
    'near the ceiling'
    """
    if lower >= ceiling:
        return EXHAUSTED
    return NEAR if best >= ceiling else ROOM


def bounded(family: str) -> bool:
    """Check whether the metric has a lowest and a highest score.

    Examples
    --------
    >>> bounded("accuracy")
    True
    """
    return family not in UNBOUNDED


# Files beside a user's file in which its importer looks for the model.
HELM_RUN = "run_spec.json"
MTEB_MODEL = "model_meta.json"
LM_EVAL_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<stamp>\d{4}-\d\d-\d\dT[\d.:-]+)")


def lm_eval_results(samples: Path) -> Path | None:
    """Find the results file of a samples file's run."""
    match = LM_EVAL_SAMPLES.match(samples.stem)
    return samples.with_name(f"results_{match['stamp']}.json") if match else None


# Before a rater's name, where raters stand in the column of the runs.
RATER = "rater "


def letters(name: object) -> str:
    """Reduce a benchmark's name to small letters and digits, to match spellings.

    Examples
    --------
    >>> letters("GPQA Diamond")
    'gpqadiamond'
    """
    return "".join(character for character in str(name).lower() if character.isalnum())


# Names of the column of a table of votes that says who won.
WINNERS = ("winner", "preference", "outcome")


def may_hold_votes(path: Path) -> bool:
    """Tell whether a file's first bytes speak of a winner, since most files hold no votes."""
    if path.suffix == ".parquet" or not path.is_file():
        return path.suffix == ".parquet"
    try:
        with path.open("rb") as file:
            head = file.read(2**16).lower()
    except OSError:
        return False  # whoever reads it says why
    return any(name.encode() in head for name in WINNERS)
