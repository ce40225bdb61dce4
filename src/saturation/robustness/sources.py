"""The embedded tables of public answers, from the pinned files that they are taken from.

Facts only: no question and no answer is carried. Nothing is left out, and what a source says twice
has to agree with itself.
"""

import ast
from collections.abc import Mapping

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.files.checks import require_columns

# How the two large tables are kept: names as categories, small numbers.
SMALL_VERDICTS = {
    **dict.fromkeys(["dataset", "model", "original"], "category"),
    **dict.fromkeys(["item", "wordings", "right", "wrong", "abstained"], "int16"),
    "distinct_answers": "float32",
}
SMALL_SCORES = {
    **dict.fromkeys(["suite", "task", "model"], "category"),
    "paraphrase": "int16",
    "score": "float64",
}
# Our words for verdicts, and the sources'.
VERDICTS = {"right": "correct", "wrong": "incorrect", "abstained": "not_attempted"}


def variants(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Verdicts on every item over its original wording and its paraphrases.

    Parameters
    ----------
    tables
        The source of each data set by its name: shares of verdicts over all wordings.

    Returns
    -------
    pandas.DataFrame
        `dataset`, `model`, `item`, `wordings` (the original among them), how many of them were
        `right`, `wrong` and `abstained`, `original` (the original's verdict) and
        `distinct_answers` (missing where answers themselves are not known).

    Raises
    ------
    InputError
        If a share is no whole number of wordings, verdicts do not add up, or an item of a model
        stands twice.
    """
    return pd.concat([_variants(table, name) for name, table in tables.items()], ignore_index=True)


def repeats(table: pd.DataFrame) -> pd.DataFrame:
    """How often repeated runs of the same prompt at temperature zero agree.

    Parameters
    ----------
    table
        The source as read.

    Returns
    -------
    pandas.DataFrame
        `model`, `task`, `shots`, `run` (of a model, task and shots: 1, 2, ...), `repetitions`,
        `questions`, `right` (over all repetitions), and questions with `same_answer`, `same_text`,
        right in every repetition (`always_right`) and in at least one (`ever_right`).
    """
    task = table["task_config"].map(ast.literal_eval).map(lambda entry: str(entry["shots"]))
    counts = table["correct_count_per_run"].map(ast.literal_eval)
    made = pd.DataFrame(
        {
            "model": table["model"],
            "task": table["task"],
            "shots": task,
            "run": table.assign(shots=task).groupby(["model", "task", "shots"]).cumcount() + 1,
            "repetitions": table["N"],
            "questions": table["num_questions"],
            "right": counts.map(sum),
            "same_answer": table["TACa"],
            "same_text": table["TACr"],
            "always_right": table["worst_possible_count"],
            "ever_right": table["best_possible_count"],
        }
    )
    wrong = (counts.map(len) != made["repetitions"]) | (made["always_right"] > made["ever_right"])
    wrong |= (
        made[["same_answer", "same_text", "ever_right"]].gt(made["questions"], axis=0).any(axis=1)
    )
    if wrong.any():
        row = made[wrong].iloc[0]
        raise InputError(
            f"repeats_llm_stability: {row['model']} on {row['task']}, {row['shots']} shots: counts "
            f"that do not fit {row['repetitions']} repetitions of {row['questions']} questions"
        )
    return made


def prompts(tables: Mapping[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    """Mean score of every model under every paraphrase of a task's instruction.

    Parameters
    ----------
    tables
        The source of each task by suite and task: one row a paraphrase, a column a model.

    Returns
    -------
    pandas.DataFrame
        `suite`, `task`, `paraphrase`, `model`, `score`.
    """
    parts = []
    for (suite, task), table in tables.items():
        require_columns(table, ["paraphrase idx"], f"prompts_slab_{suite}_{task}")
        scores = table.set_index("paraphrase idx").filter(regex="_acc$")
        if scores.empty or scores.isna().any(axis=None) or scores.index.duplicated().any():
            raise InputError(
                f"prompts_slab_{suite}_{task}: a paraphrase stands twice, or a model has no score "
                "under some paraphrase; every model is needed under each"
            )
        scores.columns = scores.columns.str.removesuffix("_acc")
        columns = [f"{model}" for model in scores.columns]
        long = pd.DataFrame(
            {
                "suite": suite,
                "task": task,
                "paraphrase": np.repeat(scores.index.to_numpy(), len(columns)),
                "model": columns * len(scores),
                "score": scores.to_numpy(float).ravel(),
            }
        )
        parts.append(long)
    return pd.concat(parts, ignore_index=True)


def sensitivity(table: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each run, and the share of answers that small changes of the input changed.

    Parameters
    ----------
    table
        The source as read.

    Returns
    -------
    pandas.DataFrame
        `dataset`, `model`, `prompt`, `shots`, `seed` (missing where none is said), `questions`,
        `accuracy`, `sensitivity`.
    """
    return pd.DataFrame(
        {
            "dataset": table["dataset"],
            "model": table["model"].str.removeprefix("models--"),
            "prompt": table["prompt_type"],
            "shots": table["number_of_shots"],
            "seed": table["seed"],
            "questions": table["number_of_data"],
            "accuracy": table["accuracy"],
            "sensitivity": table["sensitivity_general"],
        }
    )


def _variants(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    source = f"variants of {dataset}"
    # Where answers are known, the number of wordings is said once for them and once for verdicts.
    known = "distinct_ans_norm_both" in table
    number = "num_paraphrases_correct_both" if known else "num_paraphrases_both"
    require_columns(table, ["idx", "model", number, "correct_orig", "correct_both"], source)
    wordings = table[number].astype(int)
    counts = {
        verdict: _whole(table[f"{word}_both"] * wordings, source)
        if f"{word}_both" in table
        else np.zeros(len(table), int)
        for verdict, word in VERDICTS.items()
    }
    made = pd.DataFrame(
        {
            "dataset": dataset,
            "model": table["model"].str.rpartition("/")[2],
            "item": table["idx"].astype(int),
            "wordings": wordings,
            **counts,
            "original": _original(table, source),
            "distinct_answers": table["distinct_ans_norm_both"] if known else np.nan,
        }
    )
    if (made[list(VERDICTS)].sum(axis=1) != wordings).any():
        raise InputError(f"{source}: verdicts do not add up to the number of wordings")
    if made.duplicated(["model", "item"]).any():
        row = made[made.duplicated(["model", "item"])].iloc[0]
        raise InputError(f"{source}: item {row['item']} of model {row['model']} stands twice")
    return made.sort_values(["model", "item"], ignore_index=True)


def _whole(counts: pd.Series, source: str) -> pd.Series:
    whole = counts.round()
    if (abs(counts - whole) > 1e-6).any():
        raise InputError(f"{source}: a share of verdicts is no whole number of wordings")
    return whole.astype(int)


def _original(table: pd.DataFrame, source: str) -> pd.Series:
    marks = pd.DataFrame(
        {
            verdict: table[f"{word}_orig"].astype(bool) if f"{word}_orig" in table else False
            for verdict, word in VERDICTS.items()
        }
    )
    if (marks.sum(axis=1) != 1).any():
        raise InputError(f"{source}: an original wording has no verdict, or two")
    return marks.idxmax(axis=1)
