"""Draw synthetic predictions with the robustness paper's design, performances and a known truth.

The paper released no predictions. These are drawn so that every stage can run and be checked:
performance is that of Table A.2 to the last digit, consistency follows a line with effects of
models and datasets, and noise in the prompt lowers the score by a set amount.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.errors import InputError
from studies.robustness.names import n_configurations

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Text = npt.NDArray[np.str_]
Row = Mapping[Hashable, Any]
# The paper's slope; effects and errors as large as its Table A.2 leaves them.
TRUTH: dict[str, Any] = {
    "examples": 100,  # a dataset; a multiple of 25 gives performances of two decimals exactly
    "slope": 1.05,  # of consistency on performance
    "intercept": -0.16,  # consistency at performance 0
    "model_sd": 0.02,  # effects of models
    "dataset_sd": 0.02,  # effects of datasets
    "residual_sd": 0.04,  # errors
    "consistent_advantage": 0.5,  # accuracy of consistent examples: from the pair's (0) to 1 (1)
    "noise_effect": 0.5,  # log odds that noise in the prompt takes from a right answer
}
LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def study(
    performance: pd.DataFrame,
    levels: Mapping[str, Sequence[str]],
    datasets: pd.DataFrame,
    parameters: Mapping[str, Any],
    generator: np.random.Generator,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw the predictions of the whole design, and return them with their truth, both marked."""
    examples, configurations = parameters["examples"], n_configurations(levels)
    # Performances are the paper's; answers are made up, so no model's name stands on them.
    names = {name: f"model {place}" for place, name in enumerate(performance["model"].unique(), 1)}
    performance = performance.assign(model=performance["model"].map(names))
    truth = draw_truth(performance, examples, configurations, parameters, generator)
    answers = dict(zip(datasets["dataset"], datasets["n_answers"]))
    predictions = draw_predictions(
        truth, levels, answers, examples, parameters["noise_effect"], generator
    )
    return predictions, truth.assign(synthetic=True)


def draw_truth(
    performance: pd.DataFrame,
    examples: int,
    configurations: int,
    parameters: Mapping[str, float],
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Draw how many examples of every pair are consistent and always right.

    The consistency of model m on dataset d is intercept + slope * performance + model effect +
    dataset effect + error, rounded to whole examples and kept within what the performance allows.
    Consistent examples are right more often than the rest: their accuracy is that of the pair
    plus `consistent_advantage` of the way to one. `n_right_mixed` counts right answers to the rest.
    """
    table = performance[["model", "dataset", "performance"]].reset_index(drop=True)
    p = table["performance"].to_numpy()
    effects = _effect(table["model"], parameters["model_sd"], generator)
    effects += _effect(table["dataset"], parameters["dataset_sd"], generator)
    noise = parameters["residual_sd"] * generator.standard_normal(len(table))
    consistency = parameters["intercept"] + parameters["slope"] * p + effects + noise
    consistent = np.clip(np.round(consistency * examples), 0, examples - 1).astype(int)
    accuracy = p + parameters["consistent_advantage"] * (1 - p)
    right = np.round(consistent * accuracy).astype(int)
    total = np.round(p * examples * configurations).astype(int)
    consistent, right = _feasible(consistent, right, total, examples, configurations)
    return table.assign(
        consistency=consistent / examples,
        n_consistent=consistent,
        n_always_right=right,
        n_right_mixed=total - right * configurations,
    )


def draw_predictions(
    truth: pd.DataFrame,
    design: Mapping[str, Sequence[str]],
    answers: Mapping[str, int],
    examples: int,
    noise_effect: float,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Draw the predictions of every model on every example under every configuration.

    A prediction is a letter in either case with stray white space; all configurations are
    originals, as in the paper.
    """
    grid = pd.DataFrame(list(product(*design.values())), columns=list(design))
    log_odds = np.where(grid["noise"] == design["noise"][0], 0.0, -noise_effect)
    blocks = []
    for row in truth.to_dict("records"):
        right = _right(row, examples, log_odds, generator)
        letters = _letters(right, row["n_consistent"], answers[row["dataset"]], generator)
        order = generator.permutation(examples)
        blocks.append(_block(row, grid, right[order], letters[order], generator))
    return pd.concat(blocks, ignore_index=True)


def _effect(names: pd.Series, sd: float, generator: np.random.Generator) -> Floats:
    codes, unique = pd.factorize(names)
    return sd * generator.standard_normal(len(unique))[codes]


def _feasible(
    consistent: Ints, right: Ints, total: Ints, examples: int, configurations: int
) -> tuple[Ints, Ints]:
    """Move the numbers to the nearest that leave each mixed example between 1 and V - 1 right."""
    c, r = np.meshgrid(np.arange(examples), np.arange(examples), indexing="ij")
    nearest = []
    for pair in range(len(total)):
        rest = total[pair] - r * configurations
        mixed = examples - c
        possible = (r <= c) & (mixed <= rest) & (rest <= mixed * (configurations - 1))
        if not possible.any():
            raise InputError(
                f"synthetic study, pair {pair + 1}: {total[pair]} right answers of "
                f"{examples * configurations} leave no mixed example; allowed: a performance "
                "strictly between 0 and 1"
            )
        distance = np.abs(c - consistent[pair]) * examples + np.abs(r - right[pair])
        best = np.argmin(np.where(possible, distance, np.iinfo(np.int64).max))
        nearest.append((c.flat[best], r.flat[best]))
    pairs = np.array(nearest)
    return pairs[:, 0], pairs[:, 1]


def _right(row: Row, examples: int, log_odds: Floats, generator: np.random.Generator) -> Flags:
    """Draw which answers are right, examples by configurations: always right first, mixed last."""
    mixed = examples - row["n_consistent"]
    n_right = row["n_always_right"]
    right = np.zeros((examples, len(log_odds)), dtype=bool)
    right[:n_right] = True
    counts = _counts(mixed, row["n_right_mixed"], len(log_odds), generator)
    # The highest of log odds plus Gumbel noise: a draw without replacement with those odds.
    keys = log_odds + generator.gumbel(size=(mixed, len(log_odds)))
    rank = (-keys).argsort(axis=1).argsort(axis=1)
    right[examples - mixed :] = rank < counts[:, None]
    return right


def _counts(n: int, total: int, configurations: int, generator: np.random.Generator) -> Ints:
    """Draw `n` counts from 1 to V - 1 that add up to `total`, spread widely around their mean."""
    mean = (total - n) / (n * (configurations - 2))
    concentration = 1.5
    share = generator.beta(
        max(concentration * mean, 1e-3), max(concentration * (1 - mean), 1e-3), size=n
    )
    counts = 1 + np.round(share * (configurations - 2)).astype(int)
    while (excess := counts.sum() - total) != 0:
        step = -np.sign(excess)
        movable = np.flatnonzero((counts + step >= 1) & (counts + step <= configurations - 1))
        counts[generator.permutation(movable)[: abs(excess)]] += step
    return counts


def _letters(right: Flags, n_consistent: int, answers: int, generator: np.random.Generator) -> Text:
    """Draw letters of the answers; a consistent example keeps a single wrong answer."""
    wrong = generator.integers(1, answers, size=right.shape)
    wrong[:n_consistent] = wrong[:n_consistent, :1]
    gold = generator.integers(0, answers, size=(len(right), 1))
    return LETTERS[(gold + np.where(right, 0, wrong)) % answers]


def _block(
    row: Row, grid: pd.DataFrame, right: Flags, letters: Text, generator: np.random.Generator
) -> pd.DataFrame:
    """Write the rows of a model on a dataset, with letters as models write them."""
    examples = len(right)
    style = generator.integers(0, 3, size=letters.size)
    text = letters.ravel()
    written = np.select(
        [style == 0, style == 1], [text, np.char.lower(text)], np.char.add(text, " ")
    )
    block = pd.concat([grid] * examples, ignore_index=True)
    block.insert(0, "model", row["model"])
    block.insert(1, "dataset", row["dataset"])
    numbers = np.repeat(np.arange(1, examples + 1), len(grid))
    block.insert(2, "example_id", pd.Series(numbers).map("synthetic_{:04d}".format))
    return block.assign(
        prediction=written, score=right.ravel().astype(float), reference=True, synthetic=True
    )
