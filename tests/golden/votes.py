"""Golden values of Bradley-Terry ratings, from evalica 0.4.2 and choix 0.4.1.

In an environment of their own: pip install evalica choix; python tests/golden/votes.py
"""

from pathlib import Path

import choix
import evalica
import numpy as np
import pandas as pd

MODELS, VOTES, PROMPTS, RATERS = 6, 400, 20, 15

rng = np.random.default_rng(20261125)
strength = rng.normal(0, 0.8, MODELS)
first = rng.integers(0, MODELS, VOTES)
second = (first + rng.integers(1, MODELS, VOTES)) % MODELS
prompt, rater = rng.integers(0, PROMPTS, VOTES), rng.integers(0, RATERS, VOTES)
shift = rng.normal(0, 0.7, (PROMPTS, MODELS))
ahead = strength[first] + shift[prompt, first] - strength[second] - shift[prompt, second]
wins = rng.random(VOTES) < 1 / (1 + np.exp(-ahead))
votes = pd.DataFrame({
    "model_a": [f"m{i}" for i in first], "model_b": [f"m{i}" for i in second],
    "winner": np.where(wins, "model_a", "model_b"), "prompt": prompt, "rater": rater,
})  # fmt: skip
found = evalica.bradley_terry(
    votes["model_a"], votes["model_b"],
    votes["winner"].map({"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y}),
    tolerance=1e-14, limit=100_000,
)  # fmt: skip
by_evalica = np.log(found.scores.reindex([f"m{i}" for i in range(MODELS)]))
pairs = [(a, b) if won else (b, a) for a, b, won in zip(first, second, wins)]
by_choix = choix.opt_pairwise(MODELS, [(int(a), int(b)) for a, b in pairs], alpha=0, tol=1e-12)
ratings = pd.DataFrame({
    "model": [f"m{i}" for i in range(MODELS)],
    "evalica": (by_evalica - by_evalica.mean()).to_numpy(),
    "choix": by_choix - by_choix.mean(),
})  # fmt: skip
folder = Path(__file__).parent
votes.to_csv(folder / "votes_data.csv", index=False)
ratings.to_csv(folder / "votes.csv", index=False, float_format="%.10f")
