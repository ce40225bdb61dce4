"""The pinned files from which the embedded boards are made, each in its own layout.

All give one long table: ``board, model, run, item, task, score``. Nothing is left out: a model that
was evaluated again has a second run, whether it answered all items or few.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.leaderboard.read import open

# How hosts spell versions, and how the table of versions does.
_SPELLINGS = {
    r"_(low|medium|high)$": "",
    r"-maas$": "",
    r"^meta-llama-3\.1": "llama-3.1",
    r"^llama-v3p(\d)": r"llama-3.\1",
    r" \((high|med|medium|low|thinking)\)$": "",
    r"_": "-",
    r"^(google|mistralai)-": "",
}
# Systems that are named after the day of their submission.
_SUBMITTED = r"^(\d{8})_"
LONG = ["board", "model", "run", "item", "task", "score"]
# How far printed shares are from whole numbers of right answers.
ROUNDED = 1e-3
# Most answers to an item that are looked for where no source counts them.
MOST_ANSWERS = 64
# Twelve digits tell 1,136 questions apart and keep the file small.
DIGITS = 12
EPOCH = {
    "GPQA diamond": "gpqa_diamond",
    "OTIS Mock AIME 2024-2025": "otis_aime",
    "SWE-Bench verified": "swebench_epoch",
    "FrontierMath-2025-02-28-Public": "frontiermath_public",
}


def livebench(table: pd.DataFrame) -> pd.DataFrame:
    """Read LiveBench's judgments; repeated judgments of a question become runs in order of time."""
    judged = table.sort_values("tstamp", kind="stable")
    run = judged.groupby(["model", "question_id"]).cumcount() + 1
    long = judged.assign(board="livebench", run=run, item=judged["question_id"].str[:DIGITS])
    return _checked(long, "board_livebench")


def epoch(table: pd.DataFrame) -> pd.DataFrame:
    """Epoch AI's runs on four benchmarks; a score is the share right of a run's repetitions."""
    unknown = set(table["benchmark"]) - set(EPOCH)
    if unknown:
        raise InputError(f"board_epoch_runs: no board is known for '{min(unknown)}'")
    first = ~table.duplicated(["benchmark", "model", "run_id"])
    order = table[first].groupby(["benchmark", "model"]).cumcount() + 1
    runs = table.loc[first, ["run_id"]].assign(run=order)
    board = table["benchmark"].map(EPOCH)
    long = table.assign(
        board=board,
        task=board,
        model=table["model"].str.rpartition("/")[2],
        run=table["run_id"].map(runs.set_index("run_id")["run"]),
        item=table["sample_id"],
    )
    hosted_twice = _hosts(table)
    if hosted_twice:
        long["model"] = table["model"].where(long["model"].isin(hosted_twice), long["model"])
    return _checked(long, "board_epoch_runs")


def _hosts(table: pd.DataFrame) -> set[str]:
    """Names without their host under which a benchmark has models of several hosts."""
    hosts = table[["benchmark", "model"]].drop_duplicates()
    name = hosts["model"].str.rpartition("/")[2]
    twice = hosts.assign(name=name).duplicated(["benchmark", "name"])
    return set(name[twice])


def mmlu_pro(archives: Mapping[str, Path]) -> pd.DataFrame:
    """Read MMLU-Pro's answers of several models; an answer without option counts as wrong."""
    read = {model: pd.DataFrame(open.parse_beside(path)) for model, path in archives.items()}
    answers = pd.concat(read, names=["model"]).reset_index("model")
    long = answers.assign(
        board="mmlu_pro",
        run=1,
        item=answers["question_id"].astype(str),
        task=answers["category"],
        score=(answers["pred"] == answers["answer"]).astype(float),
    )
    return _checked(long, "board_mmlu_pro")


def bank(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Read responses of checkpoints as the test sets' authors lay them out, a row a respondent."""
    respondent = str(table.columns[0])
    long = table.melt(respondent, var_name="item", value_name="score")
    long = long.rename(columns={respondent: "model"}).assign(board=name, run=1, task=name)
    return _checked(long.astype({"item": str, "score": float}), name)


def sampled(table: pd.DataFrame, board: str) -> pd.DataFrame:
    """Each model's share right of an item, and of how many answers: ``answers``.

    The task is what the name of an item says before its last slash or first dot, else the board.
    """
    correct = table["pass1"] * table["count"]
    item = table["example_id"].astype(str)
    task = item.str.extract(r"^([a-z]+)\.", expand=False).fillna(board)
    # Shares are printed with ten digits: the number of right answers is whole.
    broken = (correct - correct.round()).abs() > ROUNDED
    if broken.any():
        row = table[broken].iloc[0]
        raise InputError(
            f"items of {board}, model {row['model']}, item {row['example_id']}: a share of "
            f"{row['pass1']:g} is none of {row['count']:g} answers"
        )
    score = correct.round() / table["count"]
    long = table.assign(board=board, run=1, item=item, task=task, score=score)
    answers = table["count"].astype(int)
    return _checked(long, f"items of {board}").assign(answers=answers.to_numpy())


def evaluations(long: pd.DataFrame, models: pd.DataFrame) -> pd.DataFrame:
    """One row an evaluation: ``board, evaluation, model, run, items, answers, date``.

    ``answers`` are those of the model to an item, of which a score is the share right; where the
    source does not count them, the fewest that all shares allow (0 if none does).
    """
    by = long.groupby(["board", "model", "run"])
    table = by.agg(items=("item", "size"), answers=("answers", "min")).reset_index()
    uncounted = table["answers"].isna()
    table["answers"] = table["answers"].mask(uncounted, by["score"].agg(repetitions).to_numpy())
    table = table.astype({"answers": int})
    table.insert(1, "evaluation", evaluation_name(table["model"], table["run"]))
    return table.assign(date=release_dates(models, table["model"]))


def repetitions(shares: pd.Series) -> int:
    """Return the fewest answers that give all of these shares; 0 if more than the maximum."""
    values = np.unique(shares)
    for m in range(1, MOST_ANSWERS + 1):
        if np.allclose(values * m, np.round(values * m), atol=1e-6):
            return m
    return 0


def evaluation_name(model: pd.Series, run: pd.Series) -> pd.Series:
    """Return an evaluation's name: the model, and the run from the second on."""
    return model.where(run == 1, model + " (run " + run.astype(str) + ")")


def matrix(long: pd.DataFrame) -> pd.DataFrame:
    """Arrange a board for :func:`saturation.files.formats.write`, items in their order."""
    named = long.assign(evaluation=evaluation_name(long["model"], long["run"]))
    wide = named.pivot(index=["item", "task"], columns="evaluation", values="score")
    wide.columns.name = None
    return wide.reset_index()


def release_dates(models: pd.DataFrame, names: pd.Series) -> pd.Series:
    """Return the release date of each model under any host's name: its earliest version's.

    Of a system that is named after the day of its submission, that day. ISO dates, missing where
    the table has none.
    """
    known = models.dropna(subset=["id", "Version release date"])
    dates = known["Version release date"].groupby(_version(known["id"])).min()
    day = pd.to_datetime(names.str.extract(_SUBMITTED, expand=False), format="%Y%m%d")
    return _version(names).map(dates).fillna(day.dt.strftime("%Y-%m-%d"))


def _version(names: pd.Series) -> pd.Series:
    """Return a model's version: without host, effort and a host's own spelling."""
    bare = names.str.rpartition("/")[2].str.lower()
    for host_s, usual in _SPELLINGS.items():
        bare = bare.str.replace(host_s, usual, regex=True)
    return bare


def _checked(long: pd.DataFrame, source: str) -> pd.DataFrame:
    """Order the columns and require each answer once."""
    twice = long[long.duplicated(LONG[:-2])]
    if len(twice):
        where = ", ".join(f"{name} {twice.iloc[0][name]}" for name in LONG[:-2])
        raise InputError(f"{source}: two answers for {where}")
    return long[LONG].reset_index(drop=True)
