"""Tables in the form of the fluid benchmarking paper's Tables 1-3."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from saturation import seeds
from saturation.adaptive import contrasts, quality
from saturation.adaptive.contrasts import BASELINES

MEASURES = ("rank_distance", "total_variation", "monotonicity")
ABLATIONS = ("random", "random_irt", "fluid")


class PaperTables(NamedTuple):
    """A collection's tables, and what they rest on.

    Attributes
    ----------
    table1, table2, table3
        In the form of the paper's.
    summary
        Measures by method and size over the banks that can be averaged over.
    contrasts
        Which method is better, with the uncertainty of having these models.
    left_out
        Banks that are not averaged over, for want of a partner or of items.
    """

    table1: pd.DataFrame
    table2: pd.DataFrame
    table3: pd.DataFrame
    summary: pd.DataFrame
    contrasts: pd.DataFrame
    left_out: list[str]


def paper_tables(
    collection: str,
    models: Mapping[str, pd.DataFrame],
    measured: Mapping[str, pd.DataFrame],
    *,
    seed: int,
    synthetic: bool,
) -> PaperTables:
    """Tables 1-3 of a collection; those of synthetic banks say so in a column.

    Parameters
    ----------
    collection
        The collection's name, from which the random stream derives.
    models
        By bank: measures of each model, method, size and draw.
    measured
        By bank: measures by method and size.
    seed
        The seed of the run.
    synthetic
        Whether all banks are synthetic.
    """
    compared = quality.comparable(together(models))
    summary = quality.summarise(compared, seeds.generator(seed, "adaptive", "tables", collection))
    sizes = sorted(set(compared.loc[compared["method"] == "random", "n_items"])) or [0]
    flag = {"synthetic": True} if synthetic else {}
    return PaperTables(
        table1=baselines(summary, sizes[-1]).assign(**flag),
        table2=ablations(summary).assign(**flag),
        table3=by_bank(measured, sizes[len(sizes) // 2]).assign(**flag),
        summary=summary,
        contrasts=contrasts.contrasts(
            compared, seeds.generator(seed, "adaptive", "contrasts", collection)
        ),
        left_out=sorted(set(models) - set(compared["bank"])),
    )


def together(models: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The measures of several banks in one table, with the bank in a column."""
    tables = [table.assign(bank=bank) for bank, table in models.items()]
    return pd.concat(tables, ignore_index=True)


def baselines(summary: pd.DataFrame, largest: int) -> pd.DataFrame:
    """Table 1: each baseline beside the adaptive test of the same length.

    Parameters
    ----------
    summary
        Measures by method and size.
    largest
        Length of the adaptive test that stands beside subsets larger than it.
    """
    values = summary.set_index(["method", "n_items", "measure"])["value"]
    rows = []
    for measure in MEASURES:
        for method, size in BASELINES:
            length = size or largest
            if (method, size, measure) in values and ("fluid", length, measure) in values:
                rows.append(
                    {
                        "measure": measure,
                        "baseline": method,
                        "items": size if size else "all that are hard",
                        "value": values[method, size, measure],
                        "fluid_items": length,
                        "fluid": values["fluid", length, measure],
                    }
                )
    return pd.DataFrame(
        rows, columns=["measure", "baseline", "items", "value", "fluid_items", "fluid"]
    )


def ablations(summary: pd.DataFrame) -> pd.DataFrame:
    """Table 2: random items, random items with abilities, and adaptive tests, by length."""
    compared = _ablated(summary)
    sizes = compared.loc[compared["method"] == "random", "n_items"].unique()
    compared = compared[compared["n_items"].isin(sizes)]
    table = _ordered(compared, "n_items").set_index(["measure", "method"])
    return table.add_prefix("items_").rename_axis(columns=None).reset_index()


def by_bank(summaries: Mapping[str, pd.DataFrame], size: int) -> pd.DataFrame:
    """Table 3: the ablations at one length, benchmark by benchmark.

    Parameters
    ----------
    summaries
        Measures by method and size, of each bank.
    size
        Number of items.
    """
    rows = [
        _ablated(summary[summary["n_items"] == size]).assign(bank=bank)
        for bank, summary in summaries.items()
    ]
    return _ordered(pd.concat(rows), "bank")


def _ablated(summary: pd.DataFrame) -> pd.DataFrame:
    return summary[summary["method"].isin(ABLATIONS) & summary["measure"].isin(MEASURES)]


def _ordered(rows: pd.DataFrame, columns: str) -> pd.DataFrame:
    """Values with measure and method in the paper's order, and one column a size or bank."""
    table = rows.pivot_table(index=["measure", "method"], columns=columns, values="value")
    order = pd.MultiIndex.from_product([MEASURES, ABLATIONS], names=["measure", "method"])
    return table.reindex(order[order.isin(table.index)]).reset_index()
