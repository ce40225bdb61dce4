"""Errors of ratings from pairwise votes: two equal models differ by chance alone in 5 %.

The models are equal over prompts and raters; each prompt and each rater likes some of them more.
"""

import numpy as np
import pandas as pd

from saturation.leaderboard import votes
from validation.check import SIZE, Check, Event, Rng, repeated

MODELS, TIES = 8, 1.0


def drawn(
    rng: Rng, prompts: int, raters: int, size: int, prompt_sd: float, rater_sd: float
) -> pd.DataFrame:
    """Votes of Davidson's model, with effects of prompt and rater on each model."""
    a = rng.integers(0, MODELS, size)
    b = (a + rng.integers(1, MODELS, size)) % MODELS
    prompt, rater = rng.integers(0, prompts, size), rng.integers(0, raters, size)
    by_prompt = rng.normal(0, prompt_sd, (prompts, MODELS))
    by_rater = rng.normal(0, rater_sd, (raters, MODELS))
    one, other = (by_prompt[prompt, model] + by_rater[rater, model] for model in (a, b))
    ways = np.array([one, other, np.log(TIES) + (one + other) / 2])
    way = (rng.gumbel(size=ways.shape) + ways).argmax(axis=0)
    names = np.array([f"m{number}" for number in range(MODELS)])
    outcome = np.array([1.0, 0.0, 0.5])[way]
    return pd.DataFrame(
        {
            "model_a": names[a],
            "model_b": names[b],
            "outcome": outcome,
            "prompt": prompt,
            "rater": rater,
        }
    )


def _differs(*sizes: float) -> Event:
    def event(rng: Rng) -> bool:
        found = votes.fit(drawn(rng, *sizes))  # type: ignore[arg-type]
        one, other = found.models.index("m0"), found.models.index("m1")
        return bool(votes.pairs(found).p_value[one, other] <= SIZE["stated"])

    return event


CHECKS = tuple(
    Check(
        f"votes_{name}", "leaderboard.votes.pairs",
        "at most 5 %: two equal models, chosen in advance, are significantly different",
        f"{MODELS} equal models, {size} votes on {prompts} prompts by {raters} raters, standard "
        f"deviations {prompt_sd:g} of prompts and {rater_sd:g} of raters",
        simulate=repeated(_differs(prompts, raters, size, prompt_sd, rater_sd)),
        **{**SIZE, "data_sets": 600},
    )
    for name, prompts, raters, size, prompt_sd, rater_sd in (
        ("few_prompts", 13, 120, 1500, 0.6, 0.3),
        ("prompts", 60, 60, 1500, 0.6, 0.3),
        ("raters", 200, 20, 1500, 0.1, 0.6),
        ("independent", 100, 100, 1500, 0.0, 0.0),
    )
)  # fmt: skip
