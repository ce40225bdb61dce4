"""The table of all checks: put together, compared with the committed one, and in a few columns."""

from collections.abc import Iterable

import pandas as pd

from saturation.files.schema import validate
from saturation.simulation.check import FAILS, HOLDS
from saturation.simulation.schemas import TABLE

# What a row states, apart from what was found.
STATED = ["check", "estimator", "statement", "scenario", "lower", "upper"]


def gathered(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all modules, by name."""
    rows = pd.concat(list(parts), ignore_index=True)
    return validate(rows, TABLE, "the checks of all modules").sort_values(
        "check", ignore_index=True
    )


def refused(table: pd.DataFrame, known: pd.DataFrame) -> list[str]:
    """A sentence for each check that does not hold and is not known not to hold."""
    failing = set(known.loc[known["verdict"] == FAILS, "check"])
    return [
        f"check '{row['check']}' does not hold: {row['estimator']} states {row['stated']:.3g} "
        f"({row['statement']}; {row['scenario']}), found {row['found']:.3f} in {row['trials']} "
        f"trials; accepted: {row['lower']:g} to {row['upper']:g}"
        for row in table[table["verdict"] == FAILS].to_dict("records")
        if row["check"] not in failing
    ]


def differences(stated: pd.DataFrame, known: pd.DataFrame) -> list[str]:
    """What the committed table says of checks that are no longer as it says."""
    # Bounds as tables hold them: to ten digits.
    new = stated.set_index("check")[STATED[1:]].round(10)
    old = known.set_index("check")[STATED[1:]].round(10)
    sentences = [f"check '{name}' has no row" for name in new.index.difference(old.index)]
    sentences += [f"row '{name}' has no check" for name in old.index.difference(new.index)]
    both = new.index.intersection(old.index)
    changed = (new.loc[both] != old.loc[both]).any(axis=1)
    return [*sentences, *(f"check '{name}' is stated otherwise" for name in both[changed])]


def by_estimator(table: pd.DataFrame) -> pd.DataFrame:
    """Of each estimator: checks, how many hold, and the least and most that they found."""
    rows = [
        {
            "estimator": estimator,
            "checks": len(its),
            "hold": int((its["verdict"] == HOLDS).sum()),
            "stated, %": _range(its["stated"]),
            "found, %": _range(its["found"]),
        }
        for estimator, its in table.groupby("estimator")
    ]
    return pd.DataFrame(rows)


def _range(shares: "pd.Series[float]") -> str:
    """Least and most of some shares, in percent; one where they are the same."""
    ends = dict.fromkeys(f"{100 * end:.1f}" for end in (shares.min(), shares.max()))
    return " to ".join(ends)


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table in words, for readers: what does not hold first, then by name."""
    ordered = table.sort_values(["verdict", "check"], ignore_index=True)

    def percent(name: str) -> "pd.Series[str]":
        return (100 * ordered[name]).map("{:.1f}".format).where(ordered[name].notna(), "")

    given = ordered["abstained"] + ordered["trials"]
    abstained = ordered["abstained"].astype(str) + " of " + given.astype(str)
    return pd.DataFrame(
        {
            "estimator": ordered["estimator"],
            "statement": ordered["statement"],
            "scenario": ordered["scenario"],
            "stated, %": percent("stated"),
            "found, %": percent("found"),
            "error of the simulation": percent("found_low") + " to " + percent("found_high"),
            "accepted, %": percent("lower") + " to " + percent("upper"),
            "abstained": abstained.where(ordered["abstained"] > 0, ""),
            "verdict": ordered["verdict"],
        }
    )
