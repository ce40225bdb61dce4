"""What a reader of a card should know of its scores, and no file says."""

import re
from collections.abc import Sequence

import pandas as pd

from saturation.board.importers import plausible, stated, tidy
from saturation.board.importers.rows import Imported
from saturation.errors import listed

# How rows begin that stand among the models and are none.
_NO_MODEL = re.compile(
    r"(humans?|average|mean|median|random|chance|majority|overall|total|sota)\b", re.IGNORECASE
)


def remarks(
    imported: Sequence[tuple[str, Imported]],
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    unit: tidy.Unit,
) -> list[str]:
    """Sentences on what is doubtful: where n comes from, scores, units, rows that are no models.

    Parameters
    ----------
    imported
        Each file's name and what was read from it.
    scores, responses
        The tidy tables that this became.
    unit
        What the config declares of the metric.
    """
    models = sorted({*scores["model"], *responses["model"].unique()})
    found = [
        _derived(scores),
        _turned(imported, unit),
        _lone_one(imported, unit),
        _no_models(models),
        _uncountable(scores) if unit.counted else "",
    ]
    return [sentence for sentence in found if sentence]


def _derived(scores: pd.DataFrame) -> str:
    derived = scores[scores["n_source"] == tidy.DERIVED]
    if derived.empty:
        return ""
    counts = ", ".join(f"{n:,.0f}" for n in sorted(set(derived["n_items"])))
    return f"n of {len(derived)} scores follows from score and standard error: {counts} items"


def _turned(imported: Sequence[tuple[str, Imported]], unit: tidy.Unit) -> str:
    said = {score.higher_is_better for _, content in imported for score in content.scores}
    said |= {content.higher_is_better for _, content in imported}
    lower = False in said if unit.higher_is_better is None else not unit.higher_is_better
    if not lower:
        return ""
    if unit.bounded:
        return "lower is better in the files; here it is turned round: 80 % stands for their 20 %"
    return "lower is better in the files; here it is turned round: scores have the other sign"


def _lone_one(imported: Sequence[tuple[str, Imported]], unit: tidy.Unit) -> str:
    every = [(file, score) for file, content in imported for score in content.scores]
    limits = tidy.range_of([score for _, score in every], unit)
    place = plausible.lone_one([float(score.score) for _, score in every], limits)
    if place is None or limits is None:
        return ""
    file, score = every[place]
    return (
        f"{tidy.where_of(file, score.row, score.model)}: score 1 beside percentages is read as "
        f"1 of {limits[1]:g}; if it stands for all, write {limits[1]:g}"
    )


def _no_models(models: Sequence[str]) -> str:
    names = [model for model in models if _NO_MODEL.match(model)]
    if not names:
        return ""
    return f"ranked among the models; leave the rows out that are none: {listed(names)}"


def _uncountable(scores: pd.DataFrame) -> str:
    """A wrong n is seen where it allows no such score (GRIM; Brown and Heathers 2017)."""
    known = scores[scores["n_items"].notna()]
    wrong = [
        (score, n)
        for score, n in zip(known["score"].astype(float), known["n_items"].astype(int), strict=True)
        if not stated.countable(round(score, 12), n)
    ]
    if not wrong:
        return ""
    score, n = wrong[0]
    return (
        f"{len(wrong)} of {len(known)} scores are not those of so many right answers of n, such as "
        f"{score:.6g} of {n:,}: is n right, or are they means over runs or tasks?"
    )
