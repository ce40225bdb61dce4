"""Which benchmarks of a collection can judge each other's validity."""

from collections.abc import Mapping

import pandas as pd

from saturation.adaptive.model import Floats
from saturation.statistics import correlation


def partners(
    accuracy: Mapping[str, pd.Series], least: float, named: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Rank correlation of full accuracies for every pair of benchmarks, and whether it serves.

    Parameters
    ----------
    accuracy
        By benchmark: accuracy of each respondent, indexed by respondent.
    least
        A partner serves from this Spearman correlation up. A benchmark at which most respondents
        guess correlates with nothing and cannot say who is better.
    named
        The one partner of a benchmark, where that is known beforehand.
    """
    rows, chosen = [], named or {}
    for bank, judged in accuracy.items():
        for partner, judge in accuracy.items():
            if partner == bank:
                continue
            both = pd.concat([judged, judge], axis=1, join="inner")
            spearman = correlation.spearman(both.iloc[:, 0], both.iloc[:, 1])["estimate"]
            rows.append(
                {
                    "bank": bank,
                    "partner": partner,
                    "n_respondents": len(both),
                    "spearman": spearman,
                    "serves": bool(
                        spearman >= least if bank not in chosen else chosen[bank] == partner
                    ),
                }
            )
    columns = ["bank", "partner", "n_respondents", "spearman", "serves"]
    return pd.DataFrame(rows, columns=columns)


def serving(table: pd.DataFrame, bank: str) -> list[str]:
    """The partners that serve a bank.

    Parameters
    ----------
    table
        What :func:`partners` returns.
    bank
        The bank judged.
    """
    return [str(name) for name in table.loc[(table["bank"] == bank) & table["serves"], "partner"]]


def accuracies(
    respondents: pd.DataFrame, banks: Mapping[str, pd.DataFrame], names: list[str]
) -> dict[str, Floats]:
    """Full accuracies of a bank's respondents on other banks; who did not answer one is missing.

    Parameters
    ----------
    respondents
        The bank's respondents, whose order is kept.
    banks
        Tables of respondents with their `accuracy`, by bank.
    names
        The banks wanted.
    """
    return {
        name: banks[name]
        .set_index("respondent")["accuracy"]
        .reindex(respondents["respondent"])
        .to_numpy(float)
        for name in names
    }
