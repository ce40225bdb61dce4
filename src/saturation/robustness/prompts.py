"""What a paraphrase of the instruction does to the score: a real factor with 136 to 259 levels."""

import numpy as np
import pandas as pd
import scipy

from saturation.statistics import intervals

# Items behind every score of the source.
ITEMS = 100


def tests(scores: pd.DataFrame) -> pd.DataFrame:
    """Analysis of variance of every task: model and paraphrase, crossed, one score a cell.

    Parameters
    ----------
    scores
        From :func:`saturation.robustness.sources.prompts`.

    Returns
    -------
    pandas.DataFrame
        `suite`, `task`, `paraphrases`, `models`, `performance`; `model`, `paraphrase` and
        `interaction`: shares of the variance of the cells (the last with the noise of 100 items in
        it); `share_of_answers`, the paraphrase's share of the variance of single right or wrong
        answers, as the paper's eta squared, with `share_by_chance`, what paraphrases without any
        effect would be expected to have; `f`, `p` of the paraphrase against the interaction (are
        some instructions better for models in general?), and `p_holm` over the tasks.
    """
    rows = []
    for (suite, task), group in scores.groupby(["suite", "task"]):
        cells = group.pivot(index="paraphrase", columns="model", values="score").to_numpy(float)
        rows.append({"suite": suite, "task": task, **_anova(cells)})
    found = pd.DataFrame(rows)
    return found.assign(p_holm=intervals.holm(found["p"]))


def spreads(scores: pd.DataFrame) -> pd.DataFrame:
    """How far a model's score moves with the paraphrase.

    Parameters
    ----------
    scores
        As for :func:`tests`.

    Returns
    -------
    pandas.DataFrame
        `suite`, `task`, `model`, `paraphrases`, `performance` (mean), `spread` (standard deviation
        over paraphrases), `by_chance` (what it would be if each paraphrase drew its own 100
        answers; the same items are asked, so the true noise is smaller), `lowest`, `highest`.
    """
    grouped = scores.groupby(["suite", "task", "model"])["score"]
    table = grouped.agg(
        paraphrases="size", performance="mean", spread="std", lowest="min", highest="max"
    ).reset_index()
    table["by_chance"] = np.sqrt(table["performance"] * (1 - table["performance"]) / ITEMS)
    return table


def _anova(cells: np.ndarray) -> dict[str, float]:
    """Two-way analysis of variance without replication, by sums of squares."""
    paraphrases, models = cells.shape
    mean = cells.mean()
    between = {
        "paraphrase": models * ((cells.mean(axis=1) - mean) ** 2).sum(),
        "model": paraphrases * ((cells.mean(axis=0) - mean) ** 2).sum(),
    }
    total = ((cells - mean) ** 2).sum()
    interaction = total - between["paraphrase"] - between["model"]
    freedom = paraphrases - 1, (paraphrases - 1) * (models - 1)
    f = (between["paraphrase"] / freedom[0]) / (interaction / freedom[1])
    # Of right or wrong answers the mean square is the mean itself.
    answers = cells.size * (mean - mean**2)
    return {
        "paraphrases": paraphrases,
        "models": models,
        "performance": mean,
        "model": between["model"] / total,
        "paraphrase": between["paraphrase"] / total,
        "interaction": interaction / total,
        "share_of_answers": between["paraphrase"] / answers,
        "share_by_chance": freedom[0] / (cells.size * ITEMS - 1),
        "f": f,
        "p": float(scipy.special.fdtrc(*freedom, f)),
    }
