"""Consistency over paraphrases where only counts are known: verdicts on each item's wordings.

Two different wrong answers have the same verdict. Verdict consistency is therefore no less than
output consistency, and the share of items that are right under every wording is no more than it:
where answers themselves are not known, the truth lies between the two.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from saturation.robustness import consistency
from saturation.robustness.schemas import PAIR
from saturation.statistics import intervals

Floats = npt.NDArray[np.float64]
VERDICTS = ["right", "wrong", "abstained"]


def measures(
    counts: pd.DataFrame, confidence: float, resamples: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Performance, consistency and spread of every model and data set.

    Parameters
    ----------
    counts
        From :func:`saturation.robustness.sources.variants`.
    confidence
        Coverage of the intervals.
    resamples
        Bootstrap resamples of the items.
    generator
        Source of randomness.

    Returns
    -------
    pandas.DataFrame
        One row a model and data set, sorted: `examples`; `wordings` (mean); `performance`, the mean
        share of wordings answered rightly; `verdict_consistency`, the share of items with one
        verdict under all wordings; `answer_consistency`, the share with one answer (missing where
        answers are not known); `always_right`, each with Wilson intervals; `always_wrong`,
        `always_abstained`; `chance`, the verdict consistency of a model that gives each verdict
        as often and at random; `excess` over it with a bootstrap interval; `score_std`; `pdr` and
        `pdr_usual`, the paper's and the usual performance drop from the original wording.
    """
    examples = spread(counts)
    rows = []
    for pair, group in counts.groupby(PAIR):
        dataset, model = group["dataset"].iloc[0], group["model"].iloc[0]
        row: dict[str, object] = {"model": model, "dataset": dataset, "examples": len(group)}
        row |= {"wordings": group["wordings"].mean()}
        row |= {"performance": (group["right"] / group["wordings"]).mean()}
        row |= _agreement(group, confidence)
        row |= _chance(group, confidence, resamples, generator)
        kept = examples[(examples["model"] == pair[0]) & (examples["dataset"] == pair[1])]
        row |= {name: kept[name].mean() for name in ("score_std", "pdr", "pdr_usual")}
        rows.append(row)
    return pd.DataFrame(rows)


def spread(counts: pd.DataFrame) -> pd.DataFrame:
    """Measures of every item, from :func:`saturation.robustness.consistency.example_measures`.

    Of each item the wordings are laid out as answers, the original among them as the reference. The
    paraphrases carry no names, so nothing may be read by configuration.

    Parameters
    ----------
    counts
        From :func:`saturation.robustness.sources.variants`.
    """
    ordered = counts.sort_values(["model", "dataset", "item"], ignore_index=True)
    times = ordered[VERDICTS].to_numpy()
    item = np.repeat(np.arange(len(ordered)), times.sum(axis=1))
    verdict = np.repeat(np.tile(np.arange(len(VERDICTS)), len(ordered)), times.ravel())
    original = pd.Categorical(ordered["original"], categories=VERDICTS).codes[item] == verdict
    first = ~pd.Series(item[original]).duplicated().to_numpy()
    reference = np.zeros(len(item), bool)
    reference[np.flatnonzero(original)[first]] = True
    rows = pd.DataFrame(
        {
            "model": pd.Categorical(ordered["model"].to_numpy()[item]),
            "dataset": pd.Categorical(ordered["dataset"].to_numpy()[item]),
            "example_id": pd.Categorical(ordered["item"].to_numpy()[item]),
            "answer": pd.Categorical.from_codes(verdict, categories=pd.Index(VERDICTS)),
            "score": (verdict == 0).astype(float),
            "reference": reference,
        }
    )
    measured = consistency.example_measures(rows)
    return measured.astype(dict.fromkeys(PAIR, str))


def alike(distribution: pd.DataFrame) -> pd.DataFrame:
    """Whether models of a data set spread alike: chi-square over models and classes of the spread.

    Parameters
    ----------
    distribution
        From :func:`saturation.robustness.consistency.std_distribution`.

    Returns
    -------
    pandas.DataFrame
        `dataset`, `models`, `cramers_v` (0 alike, 1 as different as can be), `p`, `p_holm`, and
        `least_constant`, `most_constant`: over models, the share of items whose score never
        changes. The p-value takes models as independent, though they answer the same items.
    """
    rows = []
    for dataset, group in distribution.groupby("dataset", observed=True):
        table = group.pivot_table(
            index="model", columns="std_class", values="n_examples", observed=True
        )
        table = table.loc[:, table.sum() > 0]
        test = scipy.stats.chi2_contingency(table.to_numpy())
        constant = [name for name in ("always_right", "always_wrong") if name in table]
        shares = table[constant].sum(axis=1) / table.sum(axis=1)
        freedom = min(table.shape) - 1
        rows.append(
            {
                "dataset": dataset,
                "models": len(table),
                "cramers_v": np.sqrt(test.statistic / table.to_numpy().sum() / freedom),
                "p": test.pvalue,
                "least_constant": shares.min(),
                "most_constant": shares.max(),
            }
        )
    found = pd.DataFrame(rows)
    return found.assign(p_holm=intervals.holm(found["p"]))


def _agreement(group: pd.DataFrame, confidence: float) -> dict[str, float]:
    """Shares of items that agree, each with its interval, and what they agree on."""
    always = {verdict: group[verdict] == group["wordings"] for verdict in VERDICTS}
    agreeing = {
        "verdict_consistency": np.logical_or.reduce(list(always.values())),
        "always_right": always["right"],
    }
    row = dict.fromkeys(_with_ends("answer_consistency"), float("nan"))
    if group["distinct_answers"].notna().all():
        agreeing["answer_consistency"] = group["distinct_answers"] == 1
    for name, agrees in agreeing.items():
        value, n = float(agrees.mean()), len(group)
        row |= dict(zip(_with_ends(name), (value, *intervals.wilson(agrees.sum(), n, confidence))))
    return row | {f"always_{verdict}": float(always[verdict].mean()) for verdict in VERDICTS[1:]}


def _with_ends(name: str) -> tuple[str, str, str]:
    return name, f"{name}_lower", f"{name}_upper"


def _chance(
    group: pd.DataFrame, confidence: float, resamples: int, generator: np.random.Generator
) -> dict[str, float]:
    """Agreement of verdicts by chance, and the excess; items of one kind are drawn together."""
    kinds = group.groupby([*VERDICTS, "wordings"]).size().reset_index(name="items")
    weights = kinds["items"].to_numpy() / len(group)
    drawn = generator.multinomial(len(group), weights, resamples) / len(group)
    by_chance, agrees = _by_chance(kinds, np.vstack([weights, drawn]))
    excess = agrees - by_chance
    lower, upper = intervals.percentile(excess[1:], confidence)
    return {
        "chance": float(by_chance[0]),
        "excess": float(excess[0]),
        "excess_lower": float(lower),
        "excess_upper": float(upper),
    }


def _by_chance(kinds: pd.DataFrame, weights: Floats) -> tuple[Floats, Floats]:
    """Agreement by chance and agreement found, under each row of weights of the kinds."""
    wordings = kinds["wordings"].to_numpy()
    shares = kinds[VERDICTS].to_numpy() / wordings[:, None]
    often = np.clip(weights @ shares, 0, 1)
    by_chance = np.zeros(len(weights))
    for number in np.unique(wordings):
        by_chance += weights[:, wordings == number].sum(axis=1) * (often**number).sum(axis=1)
    return by_chance, np.asarray(weights @ (shares.max(axis=1) == 1).astype(float))
