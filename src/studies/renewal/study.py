"""LiveCodeBench renewed: 400 problems of April 2024 and 655 later problems, in a single call."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from saturation.files.formats import ITEM, TASK
from saturation.files.tables import NamedTables
from saturation.renewal import items as renewal_items
from saturation.renewal.linking import (
    CONCURRENT,
    CONFIDENCE,
    EQUIPERCENTILE,
    Linked,
    linked,
    versions,
)
from saturation.renewal.movement import Drift, drift, maker, measure_by_date, movement
from studies.quantity import Pick, Quantity, frame, list_numbers, picked
from studies.style import BLUE, GREY, VERMILION, caption

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OLD, NEW = "old", "new"
# Who made a model, by how its name begins; one that matches none stands for itself.
LABS = {
    r"GPT|O\d": "OpenAI",
    r"Claude": "Anthropic",
    r"Gemini": "Google",
    r"DeepSeek|DSCoder": "DeepSeek",
    r"Qw|CodeQ": "Alibaba",
    r"Cllama|CodeLlama": "Meta",
    r"Mistral|Codestral": "Mistral",
    r"StarCoder": "BigCode",
    r"Magi": "UIUC",
    r"OC-": "M-A-P",
    r"WCoder": "WizardLM",
    r"Command": "Cohere",
}
# The five that were released last of those that answered both versions, May to August 2025.
NEWEST = [
    "DeepSeek-R1-0528",
    "Gemini-2.5-Pro-06-05",
    "EXAONE-4.0-32B",
    "OpenReasoning-Nemotron-32B",
    "XBai-o4-medium",
]
# The same answers under two names, in the site's file and in that of the item answers.
SAME = {
    "Claude-3.7-Sonnet (Thinking)": "Claude-3.7-Sonnet",
    "Gemini-2.5-Flash-Preview": "Gemini-2.5-Flash-04-17",
    "Gemini-2.5-Pro": "Gemini-2.5-Pro-03-25",
}
# The best model of April 2024 and of the new problems: what a rise of the best score is made of.
FIRST, LAST = "GPT-4-Turbo-2024-04-09", "O4-Mini (High)"


def lab(model: str) -> str:
    """Name the maker of a model of LiveCodeBench."""
    return next((name for start, name in LABS.items() if re.match(start, model)), model)


def study(
    answers: pd.DataFrame,
    dates: pd.DataFrame,
    cutoffs: pd.DataFrame,
    livebench: pd.DataFrame,
    seed: int = 0,
    level: float = CONFIDENCE,
) -> NamedTables:
    """Compute all tables of the study, from the embedded tables and LiveBench's answers.

    Tables by the names of their files: ``scores``, old scores on the new scale, with intervals;
    ``advice``, a row an item: retire, keep as an anchor, or keep; ``bands``, items of both versions
    by the chance of the best five; ``drift``, models whose cutoff lies among the problems;
    ``placebo``, the same contrast where nothing can have been seen; ``factors``, how far gaps
    moved, by board and by where it is cut; ``quantities``.
    """
    wide = answers.set_index(ITEM).drop(columns=TASK)
    old = (answers[TASK] == OLD).to_numpy()
    when = pd.to_datetime(dates.set_index(["board", "item"])["date"])
    question_dates = when.xs("livecodebench")
    joined = versions(wide[old].dropna(axis=1, how="all"), wide[~old].dropna(axis=1))
    link = linked(joined, seed, level)
    judged = renewal_items.judge_items(joined, seed)
    leaning = drift(*_cutoffs(wide, question_dates, cutoffs), seed)
    factors = pd.DataFrame(_factors(wide.dropna(axis=1), old, when, livebench))
    parts = renewal_items.rise(joined, judged, FIRST, LAST)
    fewer = wide[~old].dropna(axis=1).drop(columns=NEWEST)
    newest = linked(versions(wide[old].dropna(axis=1), fewer), seed)
    numbers = [
        *_linked(link, newest, wide[~old]),
        *_items(judged, parts),
        *_drift(leaning),
        *_moved(factors),
    ]
    return {
        "scores": link.scores,
        "advice": judged.table,
        "bands": judged.bands,
        "drift": leaning.models,
        "placebo": leaning.placebo,
        "factors": factors,
        "quantities": frame(numbers),
    }


def _cutoffs(
    wide: pd.DataFrame, dates: pd.Series, cutoffs: pd.DataFrame
) -> tuple[Any, list[str], dict[str, Any], dict[str, str]]:
    """Answers, models, the items before each tested model's cutoff, and placebo models' labs."""
    when = dates.reindex(wide.index)
    stated = pd.to_datetime(cutoffs.set_index("model")["cutoff"])
    days = [(str(name), day) for name, day in stated.items()]
    before = {name: (when <= day).to_numpy() for name, day in days if day > when.min()}
    null = {name: lab(name) for name, day in days if day <= when.min()}
    return wide.to_numpy(float).T, list(map(str, wide)), before, null


def _factors(
    wide: pd.DataFrame, old: Any, dates: pd.Series, livebench: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Measure the movement of gaps on every leaderboard with dated items."""
    labs = {str(name): lab(str(name)) for name in wide}
    moved = movement(wide[old], wide[~old], list(labs.values()))
    yield {"board": "livecodebench", "cut": "old to new problems", **moved._asdict()}
    by_date = measure_by_date(wide[~old], dates["livecodebench"], labs)
    cut = {"board": "livecodebench_windows", "cut": "new problems by date"}
    yield {**cut, **by_date._asdict()}
    judgments = livebench.set_index(ITEM)
    when = dates["livebench"].reindex(judgments.index)
    first = when == when.groupby(judgments[TASK]).transform("min")
    renewed = ~first.groupby(judgments[TASK]).transform("all")
    answers = judgments[renewed].drop(columns=TASK).dropna(axis=1)
    early = first[renewed]
    factors = movement(answers[early], answers[~early], [maker(str(name)) for name in answers])
    cut = {"board": "livebench", "cut": "first to later questions of five tasks"}
    yield {**cut, **factors._asdict()}


def _linked(found: Linked, newest: Linked, new: pd.DataFrame) -> Iterator[Quantity]:
    for name, key in (("concurrent", CONCURRENT), ("equipercentile", EQUIPERCENTILE)):
        yield Quantity(f"linked_error__{name}", found.errors[key])
    yield Quantity("linked_error__old_score", found.errors["old score as it is"])
    yield Quantity("linked_coverage", found.coverage, note="share of models left out")
    five = newest.scores[newest.scores["model"].isin(NEWEST)].set_index("model")["linked"]
    yield Quantity("linked_error__newest_five", (five - new[NEWEST].mean()).abs().mean())
    complete = found.scores.dropna()
    yield Quantity("linked_half_width", (complete["upper"] - complete["lower"]).mean() / 2)


def _items(judged: renewal_items.Items, parts: Mapping[str, float]) -> Iterator[Quantity]:
    for advice, count in judged.table["advice"].value_counts().sort_index().items():
        yield Quantity(f"items_{str(advice).split(': ')[-1].replace(' ', '_')}", count)
    for row in judged.needed.to_dict("records"):
        yield Quantity(f"items_needed_rank_{row['rival']}", row["at_best"])
        yield Quantity(f"items_needed_rank_{row['rival']}__like_new", row["like_new"])
    yield from list_numbers({f"rise_{name}": part for name, part in parts.items()})


def _moved(factors: pd.DataFrame) -> Iterator[Quantity]:
    words = ["factor", "null", "beyond", "alpha_lost", "rank", "rank_top"]
    yield from picked({"factors": factors}, [Pick("factors", "", "{board}_renewal_{word}", words)])


def _drift(leaning: Drift) -> Iterator[Quantity]:
    yield Quantity("drift_tested", len(leaning.models))
    yield Quantity("drift_models", len(leaning.flagged), note=", ".join(leaning.flagged))
    yield Quantity("placebo_tests", len(leaning.placebo))
    yield Quantity("placebo_rejected", leaning.rejected())
    yield Quantity("placebo_rejected__naive", leaning.rejected(calibrated=False))


def sources(
    table: pd.DataFrame, sites: Mapping[str, Mapping[str, Any]], judgments: pd.DataFrame
) -> NamedTables:
    """Build the embedded tables from the pinned files.

    Parameters
    ----------
    table
        Item answers of LiveCodeBench's 1,055 problems.
    sites
        What the site showed, by date; of what several say of a model or a problem, the latest.
    judgments
        LiveBench's judgments, whose first date stands for a question's release.
    """
    identified = table.assign(**{ITEM: table["example_id"].str.partition(".")[2]})
    wide = identified.pivot(index=ITEM, columns="model", values="pass1")
    days: dict[str, Any] = {}
    cutoffs: dict[str, Any] = {}
    for day, site in sorted(sites.items()):
        performances = pd.DataFrame(site["performances"])
        days |= zip(performances["question_id"], performances["date"])
        stated = {row["model_repr"]: row["release_date"] for row in site["models"]}
        cutoffs |= {SAME.get(name, name): when for name, when in stated.items()}
        pivot = performances.pivot(index="question_id", columns="model", values="pass@1") / 100
        if day == min(sites):
            old = wide.index.isin(pivot.index)
        further = pivot.rename(columns=SAME).drop(columns=wide.columns, errors="ignore")
        wide = wide.join(further)
    wide.insert(0, TASK, np.where(old, OLD, NEW))
    first = judgments.groupby("question_id")["tstamp"].min()
    boards = {
        "livebench": pd.to_datetime(first, unit="s").rename(lambda item: item[:12]),
        "livecodebench": pd.to_datetime(pd.Series(days).reindex(wide.index), unit="ms"),
    }
    dated = [
        pd.DataFrame(
            {"board": board, "item": board_table.index, "date": board_table.dt.strftime("%Y-%m-%d")}
        )
        for board, board_table in boards.items()
    ]
    release_dates = pd.to_datetime(
        pd.Series({name: cutoffs[name] for name in wide if name in cutoffs}), unit="ms"
    )
    return {
        "answers": wide.reset_index().rename_axis(columns=None),
        "items": pd.concat(dated, ignore_index=True),
        "models": pd.DataFrame(
            {"model": release_dates.index, "cutoff": release_dates.dt.strftime("%Y-%m-%d")}
        ),
    }


def figure(scores: pd.DataFrame, quantities: pd.DataFrame) -> "Figure":
    """Old scores on the new scale, with their intervals, beside what came out."""
    import matplotlib.pyplot as plt

    rows = scores.dropna().sort_values("linked", ignore_index=True)
    canvas, axes = plt.subplots(figsize=(5.5, 5.6))
    places = np.arange(len(rows))
    ends = np.array([rows["linked"] - rows["lower"], rows["upper"] - rows["linked"]])
    axes.plot(100 * rows["old"], places, "|", color=GREY, ms=6, mew=2, label="old score")
    axes.errorbar(
        100 * rows["linked"],
        places,
        xerr=100 * ends,
        fmt="o",
        ms=3.5,
        lw=1.2,
        color=BLUE,
        label="old score on the new scale, with interval",
    )
    axes.plot(
        100 * rows["observed"],
        places,
        "x",
        color=VERMILION,
        ms=5,
        mew=1.5,
        label="score on new problems",
    )
    axes.set_yticks(places, rows["model"], fontsize=6.5)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlabel("problems solved, %")
    axes.legend(fontsize=7, loc="upper left")
    inside = (rows["observed"] >= rows["lower"]) & (rows["observed"] <= rows["upper"])
    value = quantities.set_index("quantity")["value"]
    caption(
        canvas,
        f"New problems cost {100 * value['linked_error__old_score']:.0f} points; from old answers "
        f"a model's new score is predicted within {100 * value['linked_error__concurrent']:.1f}",
        f"LiveCodeBench: 400 problems of April 2024, 655 later ones, {len(rows)} models, each left "
        f"out when its score is predicted; {inside.sum()} of {len(rows)} lie in their interval.",
    )
    return canvas
