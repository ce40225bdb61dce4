"""Consistency of a model over configurations of the same example, and its relatives.

The measures of the robustness paper (section 2 and appendix B.2), each with what it leaves open
settled and named: see :func:`example_measures` for the division by zero in the performance drop.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.robustness.schemas import BEHAVIOURS, LARGEST_STD, PAIR
from saturation.statistics import chance, intervals

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
# Of each dataset, the mean over models.
MEASURES = ["performance", "output_consistency", "random_baseline", "excess", "pdr"]


def tables(
    rows: pd.DataFrame,
    datasets: pd.DataFrame,
    factors: Sequence[str],
    confidence: float,
    resamples: int,
    std_bins: int,
    generator: np.random.Generator,
) -> dict[str, pd.DataFrame]:
    """All measures: by example, by model and dataset, by configuration, by dataset, as spread.

    Parameters
    ----------
    rows
        From :func:`saturation.robustness.predictions.prepared`.
    datasets
        `dataset`, `n_answers`: number of possible answers, missing where free-form.
    factors
        Columns that together name a configuration.
    confidence
        Coverage of the intervals.
    resamples
        Bootstrap resamples of the examples.
    std_bins
        Bins of the score standard deviation between 0 and its maximum.
    generator
        Source of randomness.

    Returns
    -------
    dict of pandas.DataFrame
        `examples`, and marked as made up or not `consistency`, `configurations`, `datasets`,
        `std_distribution`.
    """
    counted = datasets.dropna(subset=["n_answers"])
    answers = dict(zip(counted["dataset"], counted["n_answers"]))
    examples = example_measures(rows)
    configurations = configuration_measures(rows, factors)
    pairs = pair_measures(examples, configurations, answers, confidence, resamples, generator)
    measured = {
        "consistency": pairs,
        "configurations": configurations,
        "datasets": dataset_measures(pairs, confidence),
        "std_distribution": std_distribution(examples, std_bins),
    }
    made_up = bool(rows["synthetic"].any())
    marked = {name: table.assign(synthetic=made_up) for name, table in measured.items()}
    return {"examples": examples, **marked}


def example_measures(rows: pd.DataFrame) -> pd.DataFrame:
    """Measures of every example over its configurations.

    Parameters
    ----------
    rows
        One row a model, dataset, example and configuration, sorted by the first three: `model`,
        `dataset`, `example_id`, `answer` (categorical), `score` (a proportion: 1 is right, 0 is
        wrong), `reference` (bool).

    Returns
    -------
    pandas.DataFrame
        One row an example: `n_configurations`; `performance`, the mean score of its reference
        configurations; `success`, the share of configurations with score 1; `binary`,
        every score is 0 or 1; `consistent`, all answers are the same (the
        paper's c_i); `behaviour`, one of always_right, mixed, always_wrong by score;
        `score_std`, population standard deviation of the scores; `pdr`, the paper's drop, mean
        of 1 - original / perturbed; `pdr_usual`, the usual drop, mean of
        1 - perturbed / original.

    Notes
    -----
    Both drops are taken against each reference, over all configurations, and averaged over the
    references. A term with denominator zero is 0 if its numerator is zero as well (nothing
    changed) and left out otherwise (the ratio has no value).
    """
    starts = _starts(rows)
    n = np.diff(np.append(starts, len(rows)))
    score = rows["score"].to_numpy(dtype=float)
    code = rows["answer"].cat.codes.to_numpy()
    reference = rows["reference"].to_numpy(dtype=bool)
    mean = np.add.reduceat(score, starts) / n
    variance = np.add.reduceat((score - np.repeat(mean, n)) ** 2, starts) / n
    right = score == 1
    least, most = np.minimum.reduceat(score, starts), np.maximum.reduceat(score, starts)
    behaviour = np.where(least == 1, 0, np.where(most == 0, 2, 1)).astype(np.int64)
    references = np.add.reduceat(reference.astype(float), starts)
    measured = rows.iloc[starts][[*PAIR, "example_id"]].reset_index(drop=True)
    return measured.assign(
        n_configurations=n,
        performance=_ratio(np.add.reduceat(score * reference, starts), references),
        success=np.add.reduceat(right.astype(float), starts) / n,
        binary=np.logical_and.reduceat(right | (score == 0), starts),
        consistent=np.minimum.reduceat(code, starts) == np.maximum.reduceat(code, starts),
        behaviour=pd.Categorical.from_codes(behaviour, categories=pd.Index(BEHAVIOURS)),
        score_std=np.sqrt(variance),
        pdr=_drop_paper(score, reference, starts, n),
        pdr_usual=_drop_usual(score, reference, starts, n),
    )


def pair_measures(
    examples: pd.DataFrame,
    configurations: pd.DataFrame,
    answers: Mapping[str, int],
    confidence: float,
    resamples: int,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Measures of every model and dataset, with intervals and random baselines.

    Parameters
    ----------
    examples
        From :func:`example_measures`.
    configurations
        From :func:`configuration_measures`.
    answers
        Number of possible answers of each dataset; datasets without one get no k-way baseline.
    confidence
        Coverage of the intervals.
    resamples
        Bootstrap resamples of the examples, for the interval of the excess.
    generator
        Source of randomness.

    Returns
    -------
    pandas.DataFrame
        One row a model and dataset. `output_consistency` with its Wilson interval; what share of
        examples is `always_right`, `mixed`, `always_wrong` by score, and `consistent_wrong`:
        agrees on an answer that is not always right; the baselines `random_baseline` (the
        paper's, p^V + (1-p)^V), `random_baseline_answers` (k-way) and
        `random_baseline_configurations` (each configuration its own p); `excess` over the first
        with a bootstrap interval, `excess_answers` over the second; `score_std`, `pdr`,
        `pdr_usual` (means over examples) and `pdr_usual_dataset` (the drop of mean scores).
        Baselines are missing where scores are graded: agreement by chance needs right or wrong.
    """
    by_configuration = dict(iter(configurations.groupby(PAIR, observed=True)))
    rows = []
    for pair, group in examples.groupby(PAIR, observed=True):
        model, dataset = map(str, pair)
        scores = by_configuration[pair]
        measures = _summary(group, confidence)
        measures |= _baselines(group, scores, answers.get(dataset))
        measures |= _excess(measures, group, confidence, resamples, generator)
        measures["pdr_usual_dataset"] = _dataset_drop(scores)
        rows.append({"model": model, "dataset": dataset, **measures})
    return pd.DataFrame(rows)[_ORDER].sort_values(PAIR, ignore_index=True)


def configuration_measures(rows: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Mean score and success rate of every model, dataset and configuration.

    Parameters
    ----------
    rows
        One row a model, dataset, example and configuration.
    factors
        Columns that together name a configuration.

    Returns
    -------
    pandas.DataFrame
        `model`, `dataset`, the factors, `reference`, `n_examples`, `score` (mean), `success`
        (share of examples with score 1), sorted.
    """
    grouped = rows.assign(success=rows["score"] == 1).groupby([*PAIR, *factors], observed=True)
    table = grouped.agg(
        reference=("reference", "first"),
        n_examples=("score", "size"),
        score=("score", "mean"),
        success=("success", "mean"),
    )
    return table.reset_index()


def std_distribution(examples: pd.DataFrame, bins: int) -> pd.DataFrame:
    """How the examples' score standard deviations are distributed, for each model and dataset.

    Standard deviation zero is split into always right and always wrong (appendix C.2); a graded
    score that never changes but is neither falls in the class `constant`.

    Parameters
    ----------
    examples
        From :func:`example_measures`.
    bins
        Number of equal bins over (0, 0.5]: no standard deviation of proportions is larger.

    Returns
    -------
    pandas.DataFrame
        `model`, `dataset`, `std_class`, `order`, `n_examples`, `share`; every class is there,
        with zeros where nothing falls.
    """
    edges = np.linspace(0, LARGEST_STD, bins + 1)
    labels = [f"({a:.2g}, {b:.2g}]" for a, b in pairwise(edges)]
    classes = ["always_right", "constant", *labels, "always_wrong"]
    spread = examples["score_std"].to_numpy()
    varying = 1 + np.clip(np.ceil(spread / LARGEST_STD * bins - 1e-9), 0, bins).astype(int)
    behaviour = examples["behaviour"].astype(str).to_numpy()
    position = np.select(
        [behaviour == "always_right", behaviour == "always_wrong"], [0, bins + 2], varying
    ).astype(np.int64)
    name = pd.Categorical.from_codes(position, categories=pd.Index(classes))
    pairs = examples[PAIR].assign(std_class=name)
    counts = pairs.groupby([*PAIR, "std_class"], observed=False).size().rename("n_examples")
    table = counts.reset_index()
    table["order"] = table["std_class"].cat.codes
    total = table.groupby(PAIR, observed=False)["n_examples"].transform("sum")
    table["share"] = table["n_examples"] / total
    kept = table[total > 0].sort_values([*PAIR, "order"], ignore_index=True)
    return kept[[*PAIR, "std_class", "order", "n_examples", "share"]]


def dataset_measures(pairs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Mean over models of a dataset's measures, with t intervals over models.

    Parameters
    ----------
    pairs
        From :func:`pair_measures`.
    confidence
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        `dataset`, `n_models`, and for performance, output consistency, random baseline, excess
        and pdr the mean, `_lower` and `_upper`; from the most to the least robust dataset.
    """
    rows = []
    for dataset, group in pairs.groupby("dataset"):
        row: dict[str, object] = {"dataset": dataset, "n_models": len(group)}
        for measure in MEASURES:
            values = group[measure].to_numpy(dtype=float)
            lower, upper = intervals.mean(values, confidence)
            row |= {measure: group[measure].mean()}
            row |= {f"{measure}_lower": lower, f"{measure}_upper": upper}
        rows.append(row)
    table = pd.DataFrame(rows)
    return table.sort_values(["output_consistency", "dataset"], ascending=[False, True])


_BASELINES = ["random_baseline", "random_baseline_answers", "random_baseline_configurations"]
_ORDER = [
    *PAIR,
    "performance",
    "output_consistency",
    "random_baseline",
    "score_std",
    "pdr",
    "n_examples",
    "n_configurations",
    "output_consistency_lower",
    "output_consistency_upper",
    "always_right",
    "mixed",
    "always_wrong",
    "consistent_wrong",
    "random_baseline_answers",
    "random_baseline_configurations",
    "excess",
    "excess_lower",
    "excess_upper",
    "excess_answers",
    "pdr_usual",
    "pdr_usual_dataset",
]


def _starts(rows: pd.DataFrame) -> Places:
    """Position of each example's first row."""
    new = np.zeros(len(rows), dtype=bool)
    new[0] = True
    for name in [*PAIR, "example_id"]:
        code = rows[name].cat.codes.to_numpy()
        new[1:] |= code[1:] != code[:-1]
    return np.flatnonzero(new)


def _drop_paper(score: Floats, reference: npt.NDArray[np.bool_], starts: Places, n: Ints) -> Floats:
    """Mean over references o of the mean over v of 1 - s_o / s_v, by sums over the example.

    For s_o = 0 every term is defined: 1 where s_v > 0, 0 where s_v = 0. For s_o > 0 the terms
    with s_v > 0 are, and sum to their number minus s_o times the sum of 1 / s_v.
    """
    positive = (score > 0).astype(float)
    n_positive = np.add.reduceat(positive, starts)
    inverse = np.add.reduceat(_ratio(positive, score, 0.0), starts)
    n_references = np.add.reduceat(reference.astype(float), starts)
    n_above = np.add.reduceat(positive * reference, starts)
    total = np.add.reduceat(score * reference, starts)
    from_zero = (n_references - n_above) * n_positive / n
    from_above = n_above - _ratio(total * inverse, n_positive, 0.0)
    return _ratio(from_zero + from_above, n_references)


def _drop_usual(score: Floats, reference: npt.NDArray[np.bool_], starts: Places, n: Ints) -> Floats:
    """Mean over references o of the mean over v of 1 - s_v / s_o; zero where s_o = 0."""
    above = (score > 0) & reference
    n_references = np.add.reduceat(reference.astype(float), starts)
    n_above = np.add.reduceat(above.astype(float), starts)
    inverse = np.add.reduceat(_ratio(above.astype(float), score, 0.0), starts)
    mean = np.add.reduceat(score, starts) / n
    return _ratio(n_above - mean * inverse, n_references)


def _dataset_drop(configurations: pd.DataFrame) -> float:
    """1 - perturbed / original with mean scores, averaged over the references above zero."""
    score = configurations["score"].to_numpy()
    original = score[configurations["reference"].to_numpy(dtype=bool) & (score > 0)]
    return float(np.mean(1 - score.mean() / original)) if original.size else float("nan")


def _summary(group: pd.DataFrame, confidence: float) -> dict[str, float]:
    n = len(group)
    consistent = group["consistent"].to_numpy(dtype=bool)
    lower, upper = intervals.wilson(consistent.sum(), n, confidence)
    shares = {name: float((group["behaviour"] == name).mean()) for name in BEHAVIOURS}
    return {
        "n_examples": n,
        "n_configurations": int(group["n_configurations"].max()),
        "performance": float(group["performance"].mean()),
        "output_consistency": float(consistent.mean()),
        "output_consistency_lower": lower,
        "output_consistency_upper": upper,
        **shares,
        "consistent_wrong": float((consistent & (group["behaviour"] != "always_right")).mean()),
        "score_std": float(group["score_std"].mean()),
        "pdr": float(group["pdr"].mean()),
        "pdr_usual": float(group["pdr_usual"].mean()),
    }


def _baselines(
    group: pd.DataFrame, configurations: pd.DataFrame, answers: int | None
) -> dict[str, float]:
    baselines = dict.fromkeys(_BASELINES, float("nan"))
    if not group["binary"].all():
        return baselines
    success, count = group["success"].mean(), group["n_configurations"].to_numpy()
    baselines["random_baseline"] = float(chance.agreement(success, count).mean())
    if answers is not None:
        by_answers = chance.agreement(success, count, answers)
        baselines["random_baseline_answers"] = float(by_answers.mean())
    baselines["random_baseline_configurations"] = chance.agreement_of(configurations["success"])
    return baselines


def _excess(
    measures: Mapping[str, float],
    group: pd.DataFrame,
    confidence: float,
    resamples: int,
    generator: np.random.Generator,
) -> dict[str, float]:
    """Consistency above the baselines; the interval resamples examples.

    Examples that are alike in consistency, success and number of configurations are drawn
    together, as one multinomial count: the cost does not grow with their number.
    """
    excess = measures["output_consistency"] - measures["random_baseline"]
    kinds = group.groupby(["consistent", "success", "n_configurations"]).size().reset_index()
    share = generator.multinomial(len(group), kinds[0] / len(group), resamples) / len(group)
    success = np.clip(share @ kinds["success"].to_numpy(), 0, 1)
    baseline = np.zeros(resamples)
    for count in kinds["n_configurations"].unique():
        weight = share[:, kinds["n_configurations"] == count].sum(axis=1)
        baseline += weight * chance.agreement(success, count)
    drawn = share @ kinds["consistent"].to_numpy(dtype=float) - baseline
    known = not np.isnan(excess)
    lower, upper = intervals.percentile(drawn, confidence) if known else (np.nan, np.nan)
    return {
        "excess": excess,
        "excess_lower": float(lower),
        "excess_upper": float(upper),
        "excess_answers": measures["output_consistency"] - measures["random_baseline_answers"],
    }


def _ratio(above: Floats, below: Floats, otherwise: float = float("nan")) -> Floats:
    """Quotient where the denominator is not zero, `otherwise` elsewhere."""
    quotient = np.full(np.shape(above), otherwise)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient
