"""The embedded tables of public answers from their pinned files, and a user's predictions.

Of public answers facts only: no question and no answer is carried, and nothing is left out. What
the sources hold is fixed by their hashes. Predictions are checked, put into a fixed order, and
their answers normalised.
"""

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from saturation.errors import MOST_REPORTED, InputError, refuse
from saturation.files.schema import validate
from saturation.files.tables import NamedTables, records
from studies.robustness import schemas
from studies.robustness.schemas import KEYS

Text = pd.Series  # of str, or of a categorical of str
Normaliser = Callable[[Text], Text]

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
# What the study computes with.
PLAIN: dict[str, Any] = {"category": str, "int16": "int64", "float32": "float64"}
# Our words for verdicts, and the sources'.
VERDICTS = {"right": "correct", "wrong": "incorrect", "abstained": "not_attempted"}
# What a row of predictions is when the file does not say.
MARKS = {"reference": True, "synthetic": False}


def variants(tables: NamedTables) -> pd.DataFrame:
    """Numbers of verdicts on every item over its original wording and its paraphrases.

    `wordings` counts the original too, `original` is its verdict, and `distinct_answers` is missing
    where answers themselves are not known.
    """
    return pd.concat([_variants(table, name) for name, table in tables.items()], ignore_index=True)


def repeats(table: pd.DataFrame) -> pd.DataFrame:
    """Measure agreement of a prompt's repeated runs at temperature zero.

    `run` counts those of a model, task and shots; `same_answer` are questions with one answer in
    all repetitions.
    """
    shots = table["task_config"].map(lambda text: str(ast.literal_eval(text)["shots"]))
    keys = ["model", "task", "shots"]
    table = table.assign(shots=shots)
    table = table.assign(run=table.groupby(keys).cumcount() + 1)
    columns = {"N": "repetitions", "num_questions": "questions", "TACa": "same_answer"}
    return table[[*keys, "run", *columns]].rename(columns=columns)


def prompts(tables: Mapping[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    """Mean score of every model under every paraphrase of a task's instruction."""
    scores = {
        task: table.set_index("paraphrase idx").filter(regex="_acc$").stack()
        for task, table in tables.items()
    }
    names = ["suite", "task", "paraphrase", "model"]
    stacked = pd.Series(pd.concat(scores), name="score")
    long = stacked.rename_axis(names).reset_index()
    return long.assign(model=long["model"].str.removesuffix("_acc"))


def sensitivity(table: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each run, and the share of answers that small changes of the input changed."""
    return pd.DataFrame(
        {
            "dataset": table["dataset"],
            "model": table["model"].str.removeprefix("models--"),
            "prompt": table["prompt_type"],
            "shots": table["number_of_shots"],
            "seed": pd.to_numeric(table["seed"], errors="coerce"),
            "questions": table["number_of_data"],
            "accuracy": table["accuracy"],
            "sensitivity": table["sensitivity_general"],
        }
    )


def convert_to_plain(table: pd.DataFrame) -> pd.DataFrame:
    """Convert the names and numbers of an embedded table to text and numbers of full size."""
    kinds = {name: str(kind) for name, kind in table.dtypes.items()}
    return table.astype({name: PLAIN[kind] for name, kind in kinds.items() if kind in PLAIN})


def prepared(
    frame: pd.DataFrame,
    factors: Sequence[str],
    score_range: tuple[float, float],
    normaliser: str,
    strict: bool,
    file: str,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows that the study measures, sorted, and the examples that lack configurations."""
    normalise_text = find_normaliser(normaliser)
    frame = compact(frame, [*KEYS, *factors, "prediction"])
    frame = validate(frame, schemas.predictions(factors, *score_range), file)
    frame = arranged(frame, factors, file, score_range)
    missing = missing_configurations(frame)
    if strict:
        check_complete(missing, file)
    frame["answer"] = normalise(frame["prediction"], normalise_text)
    return frame.drop(columns="prediction"), missing


def lower_strip(text: Text) -> Text:
    """Lower case, white space stripped from both ends (robustness paper, appendix A.1)."""
    return text.str.lower().str.strip()


def lower_no_space(text: Text) -> Text:
    """Lower case, all white space removed: the paper's words, read the other way."""
    return text.str.lower().str.replace(r"\s+", "", regex=True)


def words(text: Text) -> Text:
    """Unicode-compatible lower case words and numbers alone: punctuation does not count."""
    plain = text.str.normalize("NFKC").str.casefold()
    return plain.str.replace(r"[\W_]+", " ", regex=True).str.strip()


def exact(text: Text) -> Text:
    """Return the text unchanged."""
    return text


NORMALISERS = {
    "lower_strip": lower_strip,
    "lower_no_space": lower_no_space,
    "words": words,
    "exact": exact,
}


def find_normaliser(name: str) -> Normaliser:
    """Normaliser by name, or any function on the Python path as ``package.module:function``."""
    if name in NORMALISERS:
        return NORMALISERS[name]
    module, _, function = name.partition(":")
    try:
        return cast(Normaliser, getattr(importlib.import_module(module), function))
    except (ImportError, AttributeError, ValueError):
        raise InputError(
            f"config: key 'robustness.normaliser' has the value {name!r}; allowed: "
            f"{', '.join(NORMALISERS)}, or package.module:function that can be imported"
        ) from None


def normalise(predictions: Text, function: Normaliser) -> Text:
    """Categorical of normalised answers; each distinct text is normalised once."""
    texts = pd.Series(predictions.cat.categories, dtype="str")
    codes, uniques = pd.factorize(function(texts), sort=True)
    answers = pd.Categorical.from_codes(codes[predictions.cat.codes], categories=uniques)
    return pd.Series(answers, index=predictions.index, name="answer")


def compact(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Text columns as categoricals with sorted text: codes of 1 to 4 bytes a cell."""
    return frame.assign(**{name: _coded(frame[name]) for name in columns if name in frame})


def missing_configurations(frame: pd.DataFrame) -> pd.DataFrame:
    """Examples that lack configurations which are seen anywhere in their dataset."""
    expected = frame.groupby("dataset")["configuration"].nunique()
    present = frame.groupby(KEYS).size().rename("n_present").reset_index()
    present["n_expected"] = present["dataset"].map(expected).astype(int)
    return present[present["n_present"] < present["n_expected"]].reset_index(drop=True)


def arranged(
    frame: pd.DataFrame, factors: Sequence[str], file: str, score_range: tuple[float, float]
) -> pd.DataFrame:
    """Sort checked rows, number configurations, and convert scores to proportions."""
    low, high = score_range
    marks = {name: frame.get(name, default) for name, default in MARKS.items()}
    rows = frame.assign(**marks, score=(frame["score"] - low) / (high - low))
    checks = (_duplicates, _single_levels, _mixed_references)
    if violations := [line for check in checks for line in check(rows, factors, file)]:
        raise InputError(violations)
    # One integer from 0 a configuration, in the order of the factors' levels.
    rows["configuration"] = rows.groupby(list(factors)).ngroup()
    return rows.sort_values([*KEYS, "configuration"], ignore_index=True)


def check_complete(missing: pd.DataFrame, file: str) -> None:
    """Raise naming every example of :func:`missing_configurations`."""
    refuse(
        f"{file}: example {row['example_id']} of model {row['model']} on dataset {row['dataset']} "
        f"has {row['n_present']} of {row['n_expected']} configurations; add the rest, or set "
        "config key robustness.strict to false"
        for row in records(missing)
    )


def _variants(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    # Where answers are known, the number of wordings is said once for them and once for verdicts.
    has_answers = "distinct_ans_norm_both" in table
    number = "num_paraphrases_correct_both" if has_answers else "num_paraphrases_both"
    wordings = table[number].astype(int)
    known = {verdict: word for verdict, word in VERDICTS.items() if f"{word}_both" in table}
    marks = pd.DataFrame(
        {verdict: table[f"{word}_orig"].astype(bool) for verdict, word in known.items()}
    )
    variants = pd.DataFrame(
        {
            "dataset": dataset,
            "model": table["model"].str.rpartition("/")[2],
            "item": table["idx"].astype(int),
            "wordings": wordings,
            **dict.fromkeys(VERDICTS, 0),
            **{
                verdict: (table[f"{word}_both"] * wordings).round().astype(int)
                for verdict, word in known.items()
            },
            "original": marks.idxmax(axis=1),
            "distinct_answers": table["distinct_ans_norm_both"] if has_answers else np.nan,
        }
    )
    return variants.sort_values(["model", "item"], ignore_index=True)


def _coded(cells: pd.Series) -> pd.Series:
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str").astype("category")
    names = list(cells.cat.categories.astype("str"))
    return cells.cat.rename_categories(names).cat.reorder_categories(sorted(names))


def _duplicates(frame: pd.DataFrame, factors: Sequence[str], file: str) -> Iterator[str]:
    columns = [*KEYS, *factors]
    again = np.flatnonzero(frame.duplicated(columns))
    for row in again[:MOST_REPORTED]:
        values = frame[columns].iloc[row]
        first = (frame[columns] == values).all(axis=1).to_numpy().argmax()
        cell = ", ".join(f"{name} {value}" for name, value in values.items())
        yield (
            f"{file}, row {row + 2}: the cell ({cell}) stands already in row {first + 2}; "
            "each may stand only once"
        )
    if len(again) > MOST_REPORTED:
        yield f"{file}: and {len(again) - MOST_REPORTED} more duplicate cells"


def _single_levels(frame: pd.DataFrame, factors: Sequence[str], file: str) -> Iterator[str]:
    for dataset, rows in frame.groupby("dataset"):
        for name in factors:
            levels = rows[name].unique()
            if len(levels) < 2:
                yield (
                    f"{file}, row {rows.index[0] + 2}, column '{name}': the factor has "
                    f"one level ({levels[0]!r}) in dataset {dataset}; allowed: at least two "
                    "levels, or leave the factor out of config key robustness.factors"
                )


def _mixed_references(frame: pd.DataFrame, factors: Sequence[str], file: str) -> Iterator[str]:
    marks = frame.groupby(["dataset", *factors])["reference"].agg(["min", "max"])
    for key in marks.index[marks["min"] != marks["max"]]:
        yield (
            f"{file}, column 'reference': configuration {', '.join(map(str, key))} is a reference "
            "in some rows and not in others; allowed: the same mark in every row of it"
        )
    any_reference = frame.groupby("dataset")["reference"].any()
    for dataset in any_reference.index[~any_reference]:
        yield (
            f"{file}, column 'reference': dataset {dataset} has no reference configuration; "
            "mark at least one, or leave the column out: then all are references"
        )
