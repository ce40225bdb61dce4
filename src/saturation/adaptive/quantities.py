"""The study's headline numbers."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from saturation.quantity import Quantity
from saturation.statistics import correlation

# Their sizes are left out of names: they take all items, or all hard ones.
WHOLE = ("full_accuracy", "full_irt", "hard_smart", "hard_magi")


def of_collection(collection: str, summary: pd.DataFrame) -> Iterator[Quantity]:
    """Measures of a collection: `COLLECTION_METHOD_MEASURE_SIZE`, readings with two underscores.

    Parameters
    ----------
    collection
        The collection's name.
    summary
        Measures by method and size, as :func:`saturation.adaptive.quality.summarise` has them.
    """
    for row in summary.to_dict("records"):
        measure, _, reading = str(row["measure"]).partition("__")
        size = [] if row["method"] in WHOLE else [str(row["n_items"])]
        name = "_".join([collection, str(row["method"]), measure, *size])
        yield Quantity(
            f"{name}__{reading}" if reading else name,
            float(row["value"]),
            float(row["lower"]),
            float(row["upper"]),
            f"{row['n_models']} models, {row['draws']} subsets",
        )


def of_contrasts(collection: str, contrasts: pd.DataFrame) -> Iterator[Quantity]:
    """Advantages of methods: `COLLECTION_BETTER_over_WORSE_MEASURE_SIZE`.

    Parameters
    ----------
    collection
        The collection's name.
    contrasts
        From :func:`saturation.adaptive.contrasts.contrasts`.
    """
    for row in contrasts.to_dict("records"):
        note = (
            f"above zero in {row['holds']:.1%} of resamples of models, {row['holds_families']:.1%} "
            "of families"
        )
        name = f"{collection}_{row['contrast']}"
        yield Quantity(name, row["value"], row["lower"], row["upper"], note)


def of_frontier(bank: str, facts: Mapping[str, Any]) -> Iterator[Quantity]:
    """Facts of a bank at its top; one that there is not has no value.

    Parameters
    ----------
    bank
        The bank's name.
    facts
        Numbers by name, as :func:`saturation.adaptive.frontier.frontier` has them.
    """
    for name, fact in sorted(facts.items()):
        yield Quantity(f"{bank}_{name}", math.nan if fact is None else float(fact))


def of_stopping(bank: str, stopping: pd.DataFrame) -> Iterator[Quantity]:
    """How many items tests need, and whether they adapt.

    Parameters
    ----------
    bank
        The bank's name.
    stopping
        One row a respondent: `ability`, `difficulty_given`, `n_items`.
    """
    needed = stopping["n_items"]
    # Missing where tests take the whole bank and have the same median of all.
    follows = correlation.spearman(stopping["ability"], stopping["difficulty_given"])["estimate"]
    yield Quantity(
        f"{bank}_stopping_items",
        float(needed.median()),
        float(needed.min()),
        float(needed.max()),
        "median, fewest and most items over respondents",
    )
    yield Quantity(
        f"{bank}_difficulty_follows_ability",
        float(follows),
        note="Spearman, ability and median difficulty of the first 50 items given",
    )


def of_partners(partners: pd.DataFrame) -> Iterator[Quantity]:
    """The highest rank correlation of each benchmark with another of its collection."""
    for bank, best in partners.groupby("bank")["spearman"].max().items():
        yield Quantity(f"{bank}_best_partner_correlation", float(best))
