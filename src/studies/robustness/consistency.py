"""Consistency of a model over configurations of an example, and related measures.

The measures of the robustness paper (section 2 and appendix B.2) on predictions of one's own, then
on public answers: paraphrased questions, paraphrased instructions, and repetitions of one prompt.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
import scipy

from saturation.arrays import Floats
from saturation.statistics import intervals
from studies.robustness.schemas import KEYS, PAIR

BEHAVIOURS = ["always_right", "mixed", "always_wrong"]
# No standard deviation of proportions is larger.
LARGEST_STD = 0.5
VERDICTS = ["right", "wrong", "abstained"]
# Items behind every score of a paraphrased instruction.
ITEMS = 100
_ORDER = [
    *(*PAIR, "performance", "output_consistency", "random_baseline", "score_std", "pdr"),
    *("n_examples", "n_configurations", "output_consistency_lower", "output_consistency_upper"),
    *("always_right", "mixed", "always_wrong", "consistent_wrong", "random_baseline_answers"),
    *("excess", "excess_lower", "excess_upper", "pdr_usual"),
]


def example_measures(rows: pd.DataFrame) -> pd.DataFrame:
    """Measures of every example over its configurations.

    Both performance drops are taken against each reference, over all configurations, and averaged
    over the references. A term with denominator zero is 0 if its numerator is zero as well (nothing
    changed) and left out otherwise (the ratio has no value).

    Parameters
    ----------
    rows
        One row a model, dataset, example and configuration, sorted by the first three: `model`,
        `dataset`, `example_id`, `answer` (categorical), `score` (a proportion: 1 is right, 0 is
        wrong), `reference` (bool).

    Returns
    -------
    pandas.DataFrame
        `n_configurations`; `performance`, the mean score of the reference configurations;
        `success`, the share of configurations with score 1; `binary`, every score is 0 or 1;
        `consistent`, all answers are the same (the paper's c_i); `behaviour` by score;
        `score_std`, population standard deviation of the scores; `pdr`, the paper's drop, mean of
        1 - original / perturbed; `pdr_usual`, the usual one, mean of 1 - perturbed / original.
    """
    score, reference = rows["score"].astype(float), rows["reference"].astype(bool)
    right, positive = score == 1, score > 0
    inverse = (1 / score).where(positive, 0.0)
    cells = rows[KEYS].assign(
        score=score,
        code=rows["answer"].cat.codes,
        n_configurations=1,
        success=right,
        graded=~right & positive,
        positive=positive,
        inverse=inverse,
        reference=reference,
        reference_positive=reference & positive,
        reference_score=score * reference,
        reference_inverse=inverse * reference,
    )
    grouped = cells.groupby(KEYS, sort=False)
    total, scores = grouped.sum(), grouped[["score", "code"]]
    least, most = scores.min(), scores.max()
    always_right, always_wrong = least["score"] == 1, most["score"] == 0
    n = total["n_configurations"]
    return pd.DataFrame(
        {
            "n_configurations": n,
            "performance": total["reference_score"] / total["reference"],
            "success": total["success"] / n,
            "binary": total["graded"] == 0,
            "consistent": least["code"] == most["code"],
            "behaviour": pd.Categorical(
                np.select([always_right, always_wrong], ["always_right", "always_wrong"], "mixed"),
                categories=BEHAVIOURS,
            ),
            "score_std": grouped["score"].std(ddof=0),
            "pdr": _drop_paper(total),
            "pdr_usual": _drop_usual(total),
        }
    ).reset_index()


def _drop_paper(total: pd.DataFrame) -> pd.Series:
    """Mean over references o of the mean over v of 1 - s_o / s_v, by sums over the example.

    From a reference with score 0 a term is 1 where s_v > 0 and 0 elsewhere; from one with a
    positive score only the terms with s_v > 0 have a value.
    """
    above = total["reference_positive"]
    from_zero = (total["reference"] - above) * total["positive"] / total["n_configurations"]
    lost = total["reference_score"] * total["inverse"] / total["positive"]
    return (from_zero + above - lost.fillna(0)) / total["reference"]


def _drop_usual(total: pd.DataFrame) -> pd.Series:
    """Mean over references o of the mean over v of 1 - s_v / s_o; zero where s_o = 0."""
    mean = total["score"] / total["n_configurations"]
    return (total["reference_positive"] - mean * total["reference_inverse"]) / total["reference"]


def pair_measures(
    examples: pd.DataFrame,
    answers: Mapping[str, int],
    confidence: float,
    resamples: int,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Measures of every model and dataset, with intervals and random baselines.

    `answers` are numbers of possible answers by dataset; one that is missing has no k-way baseline.
    `consistent_wrong` is the share of examples with one answer that is not always right. Baselines
    are the paper's, p^V + (1-p)^V, and the k-way one (`_answers`); they are missing where scores
    are graded, since agreement by chance needs right or wrong. `excess` is over the first, with a
    bootstrap interval.
    """
    rows = []
    for pair, group in examples.groupby(PAIR):
        model, dataset = map(str, pair)
        n = group["n_configurations"]
        right = (group["success"] * n).round()
        counted = pd.DataFrame(
            {"right": right, "wrong": n - right, "answers": n, "agree": group["consistent"]}
        )
        row = {"model": model, "dataset": dataset, **_summary(group, confidence)}
        excess = _excess(counted, confidence, resamples, generator)
        if group["binary"].all():
            row |= excess | {"random_baseline": excess["chance"]}
            if dataset in answers:
                by_answers = intervals.agreement(
                    group["success"].mean(), n.to_numpy(), answers[dataset]
                )
                row["random_baseline_answers"] = by_answers.mean()
        rows.append(row)
    return pd.DataFrame(rows).reindex(columns=_ORDER).sort_values(PAIR, ignore_index=True)


def std_distribution(examples: pd.DataFrame, bins: int) -> pd.DataFrame:
    """Describe the distribution of examples' score standard deviations by model and dataset.

    Bins of equal width over (0, 0.5]. Standard deviation zero is split into always right and always
    wrong (appendix C.2); a graded score that never changes but is neither is `constant`. Every
    class is there, with zeros where nothing falls.
    """
    edges = np.linspace(0, LARGEST_STD, bins + 1).tolist()
    labels = [f"({a:.2g}, {b:.2g}]" for a, b in pairwise(edges)]
    classes = ["always_right", "constant", *labels, "always_wrong"]
    # A deviation that rounding puts above an edge is in the bin that ends there.
    bin_of_spread = pd.cut(examples["score_std"] - 1e-9, edges, labels=labels).astype(object)
    behaviour = examples["behaviour"].astype(str)
    names = bin_of_spread.fillna("constant").where(behaviour == "mixed", behaviour)
    counts = pd.crosstab([examples[name] for name in PAIR], names)
    counts = counts.reindex(columns=classes, fill_value=0)
    table = pd.DataFrame(
        {"n_examples": counts.stack(), "share": counts.div(counts.sum(axis=1), axis=0).stack()}
    )
    return table.rename_axis([*PAIR, "std_class"]).reset_index()


def variant_measures(
    counts: pd.DataFrame, confidence: float, resamples: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Consistency over paraphrases by verdict, of every model and data set of public answers.

    `verdict_consistency` is the share of items with one verdict under all wordings,
    `answer_consistency` with one answer (missing where answers are not known), both with Wilson
    intervals; `chance` is the verdict consistency of a model that gives each verdict as often and
    at random, `excess` that above it with a bootstrap interval; the performance drops are from the
    original wording. `std_skewness` is the skewness of the items' standard
    deviations: how long their upper tail is; missing where all are equal.
    """
    examples = variant_examples(counts).groupby(PAIR)
    means = examples[["score_std", "pdr", "pdr_usual"]].mean()
    skewness = examples["score_std"].agg(
        lambda spread: scipy.stats.skew(spread) if np.ptp(spread) > 0 else np.nan
    )
    rows = []
    for pair, group in counts.groupby(PAIR):
        counted = group[VERDICTS].assign(
            answers=group["wordings"], agree=group[VERDICTS].max(axis=1) == group["wordings"]
        )
        row = {
            **dict(zip(PAIR, pair)),
            "examples": len(group),
            "wordings": group["wordings"].mean(),
            "performance": (group["right"] / group["wordings"]).mean(),
            **_agreement(group, confidence),
            **_excess(counted, confidence, resamples, generator),
        }
        rows.append(row)
    return pd.DataFrame(rows).join(means.assign(std_skewness=skewness), on=PAIR)


def variant_examples(counts: pd.DataFrame) -> pd.DataFrame:
    """Measures of every item, from :func:`example_measures`.

    Of each item the wordings are laid out as answers. All with the original's verdict, which score
    the same, are references. Paraphrases carry no names: nothing may be read by configuration.
    """
    items = counts.rename(columns={"item": "example_id"})
    long = items.melt([*KEYS, "original"], VERDICTS, "answer", "times")
    rows = long.loc[long.index.repeat(long["times"])].sort_values(KEYS, ignore_index=True)
    right, reference = rows["answer"] == "right", rows["answer"] == rows["original"]
    rows = rows.assign(score=right.astype(float), reference=reference)
    rows = rows.astype(dict.fromkeys([*KEYS, "answer"], "category"))
    return example_measures(rows).astype(dict.fromkeys(PAIR, str))


def spread_tests(distribution: pd.DataFrame) -> pd.DataFrame:
    """Chi-square tests of whether all models of a data set spread as much, by classes of spread.

    The p-value takes models as independent, though they answer the same items.
    """
    rows = []
    for dataset, group in distribution.groupby("dataset"):
        counts = group.pivot(index="model", columns="std_class", values="n_examples")
        counts = counts.loc[:, counts.sum() > 0]
        rows.append(
            {
                "dataset": dataset,
                "cramers_v": scipy.stats.contingency.association(counts, method="cramer"),
                "p": scipy.stats.chi2_contingency(counts).pvalue,
            }
        )
    results = pd.DataFrame(rows)
    return results.assign(p_holm=intervals.holm(results["p"]))


def prompt_tests(scores: pd.DataFrame) -> pd.DataFrame:
    """Analysis of variance of every task: model and paraphrase, crossed, a score a cell.

    `model`, `paraphrase` and `interaction` are shares of the variance of the cells (the last with
    the noise of 100 items in it); `share_of_answers` is the paraphrase's share of the variance of
    single right or wrong answers, as the paper's eta squared, and `share_by_chance` what it would
    be expected to be without any effect; `f` and `p` test the paraphrase against the
    interaction: are some instructions better for models in general?
    """
    rows = []
    for (suite, task), group in scores.groupby(["suite", "task"]):
        cells = group.pivot(index="paraphrase", columns="model", values="score").to_numpy(float)
        rows.append({"suite": suite, "task": task, **_anova(cells)})
    results = pd.DataFrame(rows)
    return results.assign(p_holm=intervals.holm(results["p"]))


def prompt_spreads(scores: pd.DataFrame) -> pd.DataFrame:
    """Measure a model's spread over paraphrases: the standard deviation of its score.

    `by_chance` is what it would be if each paraphrase drew its own 100 answers; the same items are
    asked, so the true noise is smaller.
    """
    grouped = scores.groupby(["suite", "task", "model"])["score"]
    table = grouped.agg(performance="mean", spread="std").reset_index()
    table["by_chance"] = np.sqrt(table["performance"] * (1 - table["performance"]) / ITEMS)
    return table


def repeat_agreement(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the share of questions to which all repetitions of a prompt give one answer."""
    shares = runs["same_answer"] / runs["questions"]
    keys = ["model", "task", "shots", "run"]
    table = runs.drop(columns="same_answer").assign(answer_consistency=shares)
    return table.sort_values(keys, ignore_index=True)


def floor(table: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Mean consistency of every model over its tasks, and of the mean model over models (`all`)."""
    by_task = table.groupby(["model", "task"])["answer_consistency"].mean()
    groups = [*by_task.groupby("model"), ("all", by_task.groupby("model").mean())]
    rows = [
        (model, values.to_numpy().mean(), *_limit_share(values.to_numpy(), confidence))
        for model, values in groups
    ]
    return pd.DataFrame(rows, columns=["model", "answer_consistency", "lower", "upper"])


def _limit_share(values: Floats, confidence: float) -> tuple[float, float]:
    """Limit the mean of values in [0, 1]; NaN where they do not vary."""
    if not np.ptp(values) > 0:
        return np.nan, np.nan
    error, degrees = scipy.stats.sem(values), len(values) - 1
    lower, upper = intervals.share(values.mean(), error, degrees, confidence)
    return float(lower), float(upper)


def _summary(group: pd.DataFrame, confidence: float) -> dict[str, float]:
    consistent, behaviour = group["consistent"], group["behaviour"]
    lower, upper = intervals.wilson(consistent.sum(), len(group), confidence)
    shares = {name: behaviour == name for name in BEHAVIOURS}
    measures = group[["performance", "score_std", "pdr", "pdr_usual"]].assign(
        output_consistency=consistent,
        consistent_wrong=consistent & ~shares["always_right"],
        **shares,
    )
    return {
        "n_examples": len(group),
        "n_configurations": group["n_configurations"].max(),
        "output_consistency_lower": lower,
        "output_consistency_upper": upper,
        **measures.mean(),
    }


def _agreement(group: pd.DataFrame, confidence: float) -> dict[str, float]:
    """Shares of items that agree, each with its interval, and what they agree on."""
    n, answers = len(group), group["distinct_answers"]
    always = group[VERDICTS].eq(group["wordings"], axis=0).sum()
    agreeing = {
        "answer_consistency": (answers == 1).sum() if answers.notna().all() else np.nan,
        "verdict_consistency": always.sum(),
        "always_right": always["right"],
    }
    row: dict[str, float] = {}
    for name, count in agreeing.items():
        lower, upper = intervals.wilson(count, n, confidence)
        row |= {name: count / n, f"{name}_lower": lower, f"{name}_upper": upper}
    return row | {f"always_{verdict}": always[verdict] / n for verdict in VERDICTS[1:]}


def _excess(
    counted: pd.DataFrame, confidence: float, resamples: int, generator: np.random.Generator
) -> dict[str, float]:
    """Agreement by chance, and the excess over it; the interval resamples examples.

    `counted` has the number of each verdict on an example, of all `answers` and whether they
    `agree`. Examples of a kind are drawn together: the cost does not grow with their number.
    """
    kinds = counted.groupby(list(counted)).size().reset_index(name="examples")
    observed = kinds["examples"].to_numpy() / len(counted)
    drawn = generator.multinomial(len(counted), observed, resamples) / len(counted)
    weights = np.vstack([observed, drawn])
    verdicts = kinds.drop(columns=["answers", "agree", "examples"])
    often = np.clip(weights @ verdicts.div(kinds["answers"], axis=0).to_numpy(), 0, 1)
    chance = np.zeros(len(weights))
    for number in kinds["answers"].unique():
        weight = weights[:, kinds["answers"] == number].sum(axis=1)
        chance += weight * (often**number).sum(axis=1)
    excess = weights @ kinds["agree"].to_numpy(float) - chance
    lower, upper = intervals.percentile(excess[1:], confidence)
    return {"chance": chance[0], "excess": excess[0], "excess_lower": lower, "excess_upper": upper}


def _anova(cells: np.ndarray) -> dict[str, float]:
    """Two-way analysis of variance without replication, by shares of the variance."""
    paraphrases, models = cells.shape
    mean = cells.mean()
    paraphrase, model = cells.mean(axis=1).var(), cells.mean(axis=0).var()
    interaction = cells.var() - paraphrase - model
    freedom = paraphrases - 1, (paraphrases - 1) * (models - 1)
    f = paraphrase / freedom[0] / (interaction / freedom[1])
    return {
        "paraphrases": paraphrases,
        "models": models,
        "performance": mean,
        "model": model / cells.var(),
        "paraphrase": paraphrase / cells.var(),
        "interaction": interaction / cells.var(),
        # Of right or wrong answers the mean square is the mean itself.
        "share_of_answers": paraphrase / (mean - mean**2),
        "share_by_chance": freedom[0] / (cells.size * ITEMS - 1),
        "f": f,
        "p": scipy.special.fdtrc(*freedom, f),
    }
