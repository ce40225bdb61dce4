"""Tables in the form of the fluid benchmarking paper's Tables 1-3, and the headline numbers."""

import ast

import pandas as pd

MEASURES = ("rank_distance", "total_variation", "monotonicity")
ABLATIONS = ("random", "random_irt", "fluid")
# Each baseline with the size at which the adaptive test is compared with it. The hard subsets
# hold thousands of items, so the adaptive test has far fewer.
BASELINES = (
    ("anchor_points", 10),
    ("anchor_points", 50),
    ("irt_clusters", 100),
    ("information_filter", 143),
    ("hard_smart", 0),
    ("hard_magi", 0),
)


def baselines(summary: pd.DataFrame, largest: int) -> pd.DataFrame:
    """Table 1: each baseline beside the adaptive test of the same length.

    Parameters
    ----------
    summary
        Measures by method and size.
    largest
        Length of the adaptive test that stands beside subsets larger than it.
    """
    found = summary.set_index(["method", "n_items", "measure"])["value"]
    rows = []
    for measure in MEASURES:
        for method, size in BASELINES:
            length = size or largest
            if (method, size, measure) in found and ("fluid", length, measure) in found:
                rows.append(
                    {
                        "measure": measure,
                        "baseline": method,
                        "items": size if size else "all that are hard",
                        "value": found[method, size, measure],
                        "fluid_items": length,
                        "fluid": found["fluid", length, measure],
                    }
                )
    return pd.DataFrame(
        rows, columns=["measure", "baseline", "items", "value", "fluid_items", "fluid"]
    )


def ablations(summary: pd.DataFrame) -> pd.DataFrame:
    """Table 2: random items, random items with abilities, and adaptive tests, by length."""
    part = summary[summary["method"].isin(ABLATIONS) & summary["measure"].isin(MEASURES)]
    sizes = part.loc[part["method"] == "random", "n_items"].unique()
    part = part[part["n_items"].isin(sizes)]
    table = part.pivot_table(index=["measure", "method"], columns="n_items", values="value")
    order = pd.MultiIndex.from_product([MEASURES, ABLATIONS], names=["measure", "method"])
    table = table.reindex([row for row in order if row in table.index])
    table.columns = [f"items_{size}" for size in table.columns]
    return table.reset_index()


def by_bank(summaries: dict[str, pd.DataFrame], size: int) -> pd.DataFrame:
    """Table 3: the ablations at one length, benchmark by benchmark."""
    rows = [
        summary[
            (summary["n_items"] == size)
            & summary["method"].isin(ABLATIONS)
            & summary["measure"].isin(MEASURES)
        ].assign(bank=bank)
        for bank, summary in summaries.items()
    ]
    table = pd.concat(rows).pivot_table(index=["measure", "method"], columns="bank", values="value")
    order = pd.MultiIndex.from_product([MEASURES, ABLATIONS], names=["measure", "method"])
    return table.reindex([row for row in order if row in table.index]).reset_index()


def headline(collection: str, summary: pd.DataFrame) -> pd.DataFrame:
    """Quantities of a collection: `COLLECTION_METHOD_MEASURE_SIZE`, readings with two underscores.

    The size is left out where the method takes all items, or all hard ones.
    """
    rows = []
    for row in summary.itertuples(index=False):
        measure, _, reading = row.measure.partition("__")
        sized = row.method not in ("full_accuracy", "full_irt", "hard_smart", "hard_magi")
        name = "_".join([collection, row.method, measure, *([str(row.n_items)] if sized else [])])
        rows.append(
            {
                "quantity": f"{name}__{reading}" if reading else name,
                "value": row.value,
                "lower": row.lower,
                "upper": row.upper,
                "note": f"{row.n_models} model-benchmark pairs, {row.draws} subsets",
            }
        )
    return pd.DataFrame(rows, columns=["quantity", "value", "lower", "upper", "note"])


def decidable(claims: pd.DataFrame, computed: set[str]) -> pd.DataFrame:
    """The study's claims with `data_needed` emptied where this run computes what they name.

    The claims rest on data sets that a run may have or not: the paper's own, and the real
    trajectories.
    """
    known = [
        str(claim.quantity) in computed
        if claim.kind == "number"
        else _names(str(claim.rule)) <= computed
        for claim in claims.itertuples()
    ]
    return claims.assign(data_needed=claims["data_needed"].mask(known))


def _names(rule: str) -> set[str]:
    names = {node.id for node in ast.walk(ast.parse(rule)) if isinstance(node, ast.Name)}
    return names - {"abs"}
