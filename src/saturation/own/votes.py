"""The card of pairwise votes: Bradley-Terry ratings, judged as any leaderboard."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import NamedTables
from saturation.leaderboard import raters, votes
from saturation.leaderboard.read import tables
from saturation.leaderboard.top import Settings
from saturation.own.card import Abstention, Card, Data, Items, Judged, card_of, judge
from saturation.own.imports import FileRecord, ImportRecord
from saturation.pages.templates import counted, percent
from saturation.planning.config import Config

NO_HISTORY = Abstention("the metric has no lowest and highest score")
NO_ITEMS = Abstention("votes are no item responses")
# Votes of a rater whose share of ties is told.
FEWEST_VOTES = 20
NO_DATES = Abstention("all votes are rated together")
SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")


def table(path: Path, columns: Mapping[str, str] | None = None) -> pd.DataFrame | None:
    """Read the votes of a file; None if the file holds something else.

    Columns are ours with the file's names, as the option `columns` says them.
    """
    if path.suffix not in SUFFIXES or not path.is_file():
        return None
    try:
        if path.suffix in (".json", ".jsonl"):
            # Texts stay texts: the model "007" is not the number 7.
            frame = pd.read_json(path, lines=path.suffix == ".jsonl", dtype=False)
        else:
            frame = tables.load_frame(path)
    except (ValueError, TypeError, InputError, OSError, RecursionError):
        return None  # whoever reads it as another format says why
    # Columns that are missing are reported by the reader of other files.
    frame = frame.rename(columns={theirs: ours for ours, theirs in (columns or {}).items()})
    return frame if votes.map_columns(list(frame.columns)) else votes.name_pair(frame)


def card(
    benchmark: str, tables: NamedTables, declared: Config, observed_on: str, settings: Settings
) -> Card:
    """Make the card of the votes of some files, by their names."""
    fitted, remarks = rated(tables)
    return card_of(
        judged(benchmark, fitted, declared, settings, remarks),
        declared,
        observed_on,
        earlier=NO_DATES,
        history=NO_HISTORY,
        items=Items(NO_ITEMS),
        consistency=NO_ITEMS,
        imported=ImportRecord(
            [FileRecord(file, "votes", 0, len(table)) for file, table in tables.items()]
        ),
        outlook=NO_HISTORY,
    )


def rated(tables: NamedTables) -> tuple[votes.Ratings, list[str]]:
    """Rate models by the votes of some files; with the ratings come remarks."""
    tidied = {file: votes.tidy(table, file) for file, table in tables.items()}
    all_votes = pd.concat([table for table, _ in tidied.values()], ignore_index=True)
    for name in votes.CLUSTERS:
        if name in all_votes and all_votes[name].isna().any():
            raise InputError(f"some of the files have a column {name}, others have none")
    remarks = list(dict.fromkeys(remark for _, notes in tidied.values() for remark in notes))
    remarks += _describe_raters(all_votes)
    if "rater" in all_votes and all_votes["rater"].nunique() < raters.FEWEST_RATERS:
        all_votes = all_votes.drop(columns="rater")
    fitted = votes.fit(all_votes)
    parts = [counted(number, name) for name, number in fitted.clusters.items()]
    by = " and ".join(fitted.clusters)
    errors = f"errors are clustered by {by}" if by else "errors take all votes as independent"
    remarks.insert(
        0,
        f"Bradley-Terry ratings of {counted(len(all_votes), 'vote')}"
        f"{' (' + ', '.join(parts) + ')' if parts else ''}, ties by Davidson's model; {errors}; "
        f"an item is a {fitted.unit} here",
    )
    return fitted, remarks


def _describe_raters(every: pd.DataFrame) -> list[str]:
    """Summarise raters: their number, agreement, and differences."""
    if "rater" not in every:
        return []
    number = every["rater"].nunique()
    sentences = []
    if number < raters.FEWEST_RATERS:
        sentences.append(
            f"{counted(number, 'rater')}: no variance worth an interval, so that errors hold for "
            f"{'this one' if number == 1 else 'these two'} alone"
        )
    if "prompt" in every and (agreed := raters.agreement(every)) is not None:
        sentences.append(
            f"raters agree on {percent(agreed.same, 0)} of the votes on the same comparison "
            f"({percent(agreed.chance, 0)} by chance; Krippendorff's alpha {agreed.alpha:.2f})"
        )
    ties = (every["outcome"] == 0.5).groupby(every["rater"]).agg(["size", "mean"])
    busy = ties.loc[ties["size"] >= FEWEST_VOTES, "mean"]
    if len(busy) > 1:
        low, high = busy.quantile([0.1, 0.9])
        sentences.append(
            f"ties are {percent(low, 0)} to {percent(high, 0)} of a rater's votes (10 to 90 % of "
            f"{len(busy)} raters with {FEWEST_VOTES} votes or more)"
        )
    return sentences


def judged(
    benchmark: str,
    found: votes.Ratings,
    declared: Config,
    settings: Settings,
    remarks: Sequence[str] = (),
) -> Judged:
    """Ratings as a card's frontier and verdict.

    The margin of equivalence is the benchmark's own, in rating points, else the difference at which
    the better model wins `settings.margin` more than half of the votes.
    """
    margin = declared.get("meaningful_difference")
    if not margin and settings.margin is not None:
        margin = votes.margin(settings.margin)
    vote_settings = replace(settings, margin=margin, ceiling=None)
    models = votes.ranked(found, settings.level)
    data = Data(
        family="rating",
        n_models=len(models),
        n_ranked=len(models),
        n_items=found.n,
        item_responses=0,
        error_sources=["votes"],
        least_coverage=settings.least_coverage,
        unranked=[],
        dead_items=None,
        remarks=list(remarks),
    )
    nothing = (pd.DataFrame(), pd.Series(dtype=str))
    return judge(benchmark, data, models, nothing, vote_settings, {"votes": votes.pairs(found)})
