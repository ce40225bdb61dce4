"""The command ``saturation renew``: two versions of a benchmark, and what the renewal did."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError, list_first
from saturation.files.tables import json_line, list_rows, load_table, records
from saturation.leaderboard.read import registry, tidy
from saturation.leaderboard.read.rows import Choice, Origin
from saturation.pages.templates import percent
from saturation.renewal import items as renewal_items
from saturation.renewal.linking import (
    CONCURRENT,
    CONFIDENCE,
    FEWEST_ANCHORS,
    FEWEST_MODELS,
    Linked,
    Versions,
    abstained,
    linked,
    versions,
)
from saturation.renewal.movement import Drift, Movement, drift, maker, movement
from saturation.statistics.intervals import mean
from saturation.statistics.standard_errors import item_matrix

# Of models and items that the page names; the JSON has all.
MOST_SHOWN = 8
SEED = 0
# Takes ``date, score`` of models; gives the best share in a year, or why none is forecast.
Ahead = Callable[[pd.DataFrame], float | str]


@dataclass(frozen=True)
class Renewed:
    """Result of a renewal; where a part is None, its reason is in `reasons`."""

    versions: Versions
    linked: Linked
    items: renewal_items.Items | None
    drift: Drift | None
    movement: Movement | None
    rise: dict[str, float]
    reasons: list[str]
    best: float | None = None  # the best score on NEW that is forecast for a year ahead


def run(options: argparse.Namespace, ahead: Ahead) -> str:
    """Return the printed renewal; `ahead` forecasts the best score, where models have dates."""
    choice = Choice.select(vars(options))
    responses = [load_responses(path, choice) for path in (options.old, options.new)]
    old, new = (item_matrix(table)[0] for table in responses)
    labs, dates = _load_makers(options.models, [*old, *new])
    result = renew(old, new, labs, dates, ahead, _options_of_models(responses))
    return json_line(content(result)) if options.json else "\n".join(sentences(result))


def load_responses(path: Path, choice: Choice) -> pd.DataFrame:
    """Read the item responses of a file, or of all files of a folder, in [0, 1]."""
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    contents = [(str(file), registry.load(Origin(file), choice)) for file in files]
    bounded = all(imported.minimum is not None for _, imported in contents)
    unit = tidy.Unit() if bounded else tidy.Unit(0.0, 1.0, higher_is_better=True)
    responses = tidy.responses(path.stem, contents, unit)
    if responses.empty:
        raise InputError(f"{path}: no answers to single items; give the files that have them")
    return responses


def _options_of_models(responses: Sequence[pd.DataFrame]) -> pd.DataFrame | None:
    """Return the option that each model chose of each item, where all files keep options."""
    if not all(tidy.CHOICE in table for table in responses):
        return None
    key = ["model", "item"]
    choices = pd.concat([table[[*key, tidy.CHOICE]].astype(str) for table in responses])
    return choices.drop_duplicates(key)


def _load_makers(path: Path | None, models: Sequence[str]) -> tuple[dict[str, str], pd.Series]:
    """List each model's maker, from the table or the beginning of its name, and its date."""
    labs, dates = {name: maker(name) for name in models}, pd.Series(dtype=str)
    if path is None:
        return labs, dates
    table = load_table(path)
    if lacking := [name for name in ("model", "lab") if name not in table]:
        raise InputError(f"{path}: no column '{lacking[0]}'; expected the columns model and lab")
    models_column = table["model"].astype(str)
    if (twice := models_column.duplicated()).any():
        row = np.flatnonzero(twice)[0]
        raise InputError(
            f"{path}, row {row + 2}: '{models_column[row]}' stands twice; keep one row a model"
        )
    if "date" in table:
        dates = pd.Series(pd.to_datetime(table["date"], errors="coerce").to_numpy(), models_column)
        wrong = np.flatnonzero(dates.isna() & table["date"].notna().to_numpy())
        if len(wrong):
            raise InputError(
                f"{path}, row {wrong[0] + 2}: date {table['date'].iloc[wrong[0]]!r}; expected an "
                "ISO date such as 2026-01-31"
            )
    return labs | dict(zip(models_column, table["lab"].astype(str))), dates.dropna()


def renew(
    old: pd.DataFrame,
    new: pd.DataFrame,
    labs: dict[str, str],
    dates: pd.Series,
    ahead: Ahead,
    choices: pd.DataFrame | None,
) -> Renewed:
    """Analyse the answers to two versions; what they cannot show has its reason.

    Parameters
    ----------
    old, new
        Items by models, shares right in [0, 1], NaN where not answered.
    labs
        Who made each model, by its name.
    dates, ahead
        When models were released, by their names, and what forecasts the best score in a year.
    choices
        The option that each model chose of each item (``model, item, choice``), where kept.
    """
    pair = versions(old, new)
    reasons = []
    if pair.regraded:
        reasons.append(
            f"{len(pair.regraded)} items have one name in both files and other answers of the "
            "same models: they count as different items"
        )
    link = _link(pair, labs)
    if link.lacks:
        reasons.append(f"old scores are not put on the new scale: {link.lacks}")
    best = _best_then(pair, link, dates, ahead)
    if isinstance(best, str):
        reasons.append(f"new items are advised for the present best models: {best}")
        best = None
    judged = _judge_items(pair, best, choices, reasons)
    drifting, moved = _moves(pair, labs, reasons) if link.errors else (None, None)
    parts: dict[str, Any] = {}
    if link.method == CONCURRENT and judged:
        leaders = [pair.models[np.nanargmax(scores)] for scores in pair.scores]
        rises = renewal_items.rise(pair, judged, *leaders)
        parts = {**rises, "first": leaders[0], "last": leaders[1]}
    return Renewed(pair, link, judged, drifting, moved, parts, reasons, best)


def _link(pair: Versions, labs: dict[str, str]) -> Linked:
    """Link both versions; models of a single lab cannot show how other models move."""
    link = linked(pair, SEED)
    makers = {labs[name] for name, shared in zip(pair.models, pair.common) if shared}
    if link.errors and len(makers) == 1:
        return abstained(
            pair,
            f"all models that answered both are of one lab ('{makers.pop()}'), which cannot show "
            "how others move; add models of other labs, or name labs with --models",
        )
    return link


def _judge_items(
    pair: Versions, best: float | None, choices: pd.DataFrame | None, reasons: list[str]
) -> renewal_items.Items | None:
    """Judge the items of versions on a joint scale; else add the reason to `reasons`."""
    if not pair.joined:
        reasons.append(
            f"items are not judged: {pair.common.sum()} models answered both versions and "
            f"{pair.anchors.sum()} items are in both, so models of the two files are on no common "
            f"scale; {FEWEST_MODELS} models, or {FEWEST_ANCHORS} items, of both are needed"
        )
        return None
    try:
        judged = renewal_items.judge_items(pair, SEED, best, choices)
    except InputError as error:
        reasons.append(f"items are not judged: {error.violations[0]}")
        return None
    if judged.abstains:
        reasons.append(f"no label is doubted: {judged.abstains}")
    return judged


def _moves(
    pair: Versions, labs: dict[str, str], reasons: list[str]
) -> tuple[Drift | None, Movement | None]:
    """Measure which models that answered both lean on old items, and how far gaps moved."""
    common = np.flatnonzero(pair.common)
    makers = {pair.models[row]: labs[pair.models[row]] for row in common}
    alone, shares = pair.in_new & ~pair.in_old, pair.shares[common]
    drifting, moved = None, None
    with suppress(InputError):
        drifting = drift(shares, list(makers), dict.fromkeys(makers, ~alone), makers, SEED)
    old, new = (pd.DataFrame(shares[:, has].T).dropna() for has in (pair.in_old, alone))
    try:
        moved = None if pair.regraded else movement(old, new, list(makers.values()))
    except InputError as error:
        reasons += error.violations
    return drifting, moved


def _best_then(pair: Versions, link: Linked, dates: pd.Series, ahead: Ahead) -> float | str | None:
    """Forecast the best score on NEW in a year from observed or linked scores; or why not."""
    if dates.empty:
        return None
    scores = pd.Series(pair.scores[1], pair.models)
    if link.method:
        scores = scores.fillna(link.scores.set_index("model")["linked"])
    return ahead(pd.DataFrame({"date": dates, "score": scores}).dropna())


def content(found: Renewed) -> dict[str, Any]:
    """Return the whole content for programs."""
    rows = {"scores": found.linked.scores}
    if found.items:
        judged = found.items
        rows |= {"items": judged.table, "bands": judged.bands, "needed": judged.needed}
    if found.drift:
        rows["drift"] = found.drift.models
    return {
        "method": found.linked.method or None,
        "level": CONFIDENCE,
        "errors_on_models_left_out": found.linked.errors,
        "coverage_on_models_left_out": found.linked.coverage,
        "renewal": found.movement._asdict() if found.movement else None,
        "rise_of_the_best_score": found.rise,
        "best_score_in_a_year": found.best,
        "reasons": found.reasons,
        **{name: list_rows(table) for name, table in rows.items()},
    }


def sentences(found: Renewed) -> Iterator[str]:
    """One page in words."""
    pair = found.versions
    yield (
        f"OLD {pair.in_old.sum():,} items, NEW {pair.in_new.sum():,}, {pair.anchors.sum():,} in "
        f"both; {pair.common.sum()} models answered both"
    )
    yield from _harder(found)
    yield from _scores(found.linked)
    if found.drift:
        flagged = found.drift.flagged
        names = ", ".join(flagged[:MOST_SHOWN]) if flagged else "none"
        yield f"\nAnswer older items better than their ability explains: {names}"
        yield (
            f"  of {len(found.drift.models)} models tested (Holm, 5 %), each against the others; "
            "the item model alone would doubt "
            f"{percent(found.drift.rejected(calibrated=False), 0)} of those"
        )
    if found.items:
        yield from _items(found.items, found.best)
    yield from (f"\n{reason[0].upper()}{reason[1:]}." for reason in found.reasons)


def _harder(found: Renewed) -> Iterator[str]:
    old, new = (scores[found.versions.common] for scores in found.versions.scores)
    if len(old) >= FEWEST_MODELS:
        lower, upper = mean(new - old)
        yield (
            f"\nThe same models score {100 * (new - old).mean():+.1f} points on NEW "
            f"({100 * lower:+.1f} to {100 * upper:+.1f}, by model)"
        )
    if found.rise:
        yield (
            f"The best score moved {100 * found.rise['change']:+.1f} points: abler models "
            f"{100 * found.rise['ability']:+.1f}, the items' difficulty "
            f"{100 * found.rise['items']:+.1f}, drift and noise {100 * found.rise['rest']:+.1f}"
        )
    if (moved := found.movement) is not None:
        yield (
            f"Gaps between models moved with {moved.factor:.1f} times ({moved.lower:.1f} to "
            f"{moved.upper:.1f}) the variance that items predict (random halves of all items: "
            f"{moved.null:.2f}); ranks agree {moved.rank:.2f}, "
            f"{moved.rank_top:.2f} within the old top ten"
        )


def _scores(found: Linked) -> Iterator[str]:
    if not found.method:
        return
    tried = "not tried on models left out"
    if found.errors:
        off = 100 * found.errors[found.method]
        inside = percent(found.coverage, 0)
        tried = f"mean error {off:.1f} points and {inside} inside on models left out"
    level = percent(CONFIDENCE, 0)
    rate = f"{level} intervals, which cover 90 to 91 % in simulations"
    yield f"\nOld scores on the new scale, by {found.method} ({rate}; {tried})"
    yield "  This is linking, not equating: the versions are not parallel forms."
    table = found.scores.sort_values("linked", ascending=False)
    for row in records(table.head(MOST_SHOWN)):
        seen = "" if np.isnan(row["observed"]) else f", observed {100 * row['observed']:.1f}"
        beyond = (
            "; hardly a model that answered both is so weak or so strong: the interval is a guess"
            if row["outside"]
            else ""
        )
        yield (
            f"  {row['model']}: {100 * row['old']:.1f} is worth {100 * row['linked']:.1f} "
            f"({100 * row['lower']:.1f} to {100 * row['upper']:.1f}){seen}{beyond}"
        )
    if (more := len(table) - MOST_SHOWN) > 0:
        yield f"  and {more} more: --json"


def _items(judged: renewal_items.Items, best: float | None) -> Iterator[str]:
    yield "\nItems"
    for advice, rows in judged.table.groupby("advice"):
        names = list_first(rows["item"].tolist(), MOST_SHOWN)
        listing = "" if advice == renewal_items.KEEP else f": {names}"
        yield f"  {advice} ({len(rows)}){listing}"
    counts = ", ".join(f"{row['new']} at {row['chance']}" for row in records(judged.bands))
    yield f"  NEW items by the chance that the best five are right: {counts}"
    when = "" if best is None else f" in a year (best score on NEW then: {best:.0%})"
    for row in records(judged.needed):
        yield (
            f"  to separate the best from number {row['rival']} at 80 %{when}: "
            f"{row['at_best']:,.0f} items that the present best five solve in "
            f"{row['chance_now']:.0%}, or {row['like_new']:,.0f} like those of NEW"
        )
