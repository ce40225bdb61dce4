"""Whether intervals of a jackknife over families cover where checkpoints hang together."""

from functools import partial

import numpy as np

from saturation.adaptive.fit import fit
from saturation.adaptive.relatives import clustered
from saturation.errors import InputError
from saturation.simulation import adaptive
from saturation.simulation.check import Check, Outcome

MODELS = [f"m{row // adaptive.CHECKPOINTS}" for row in range(adaptive.PERSONS)]


def covered(
    rng: np.random.Generator, data_sets: int, draw: adaptive.Draw, parameter: str
) -> Outcome:
    """How often 95 % intervals contain the truth; banks that are refused abstain."""
    hits = trials = abstained = 0
    for _ in range(data_sets):
        ability, difficulty, responses = draw(rng)
        try:
            fitted = fit(responses)
            found = clustered(responses, fitted, MODELS)
        except InputError:
            abstained += 1
            continue
        truth = ability if parameter == "ability" else difficulty
        off = np.abs(getattr(fitted, parameter) - truth)
        hits += int((off < getattr(found, f"{parameter}_reach")()).sum())
        trials += len(truth)
    return Outcome(hits, trials, abstained=abstained)


CHECKS: tuple[Check, ...] = tuple(
    Check(
        name=f"relatives_{parameter}_{name}",
        estimator="adaptive.relatives.clustered",
        statement=f"the 95 % interval contains the true {parameter}",
        scenario=scenario,
        stated=0.95,
        lower=0.93,
        upper=0.98,
        data_sets=20,
        simulate=partial(covered, draw=draw, parameter=parameter),
    )
    for name, draw, scenario in (
        ("fitting", adaptive.fitting, "60 respondents, 300 items, two-parameter model"),
        (
            "checkpoints",
            adaptive.checkpoints,
            "twelve models of five checkpoints that share item effects, 300 items",
        ),
    )
    for parameter in ("ability", "difficulty")
)
