"""The published collection by benchmark and by model, as its paper breaks it down, and its counts.

Total variation is averaged as in the paper: a model that gains nothing makes it infinite.
"""

import itertools
from collections.abc import Iterator, Mapping

import pandas as pd

from saturation.quantity import Quantity

# The paper's Tables 3 and 4: ablations that need no responses of the models behind the items.
METHODS = ("random", "random_irt", "fluid")
MEASURES = ("rank_distance", "total_variation", "monotonicity")


def breakdown(collection: str, models: Mapping[str, pd.DataFrame]) -> Iterator[Quantity]:
    """Each measure by benchmark, by model, and the curve of each model on each benchmark.

    Names are `BENCHMARK_METHOD_MEASURE_SIZE`, `COLLECTION_MODEL_METHOD_MEASURE_SIZE` and
    `BENCHMARK_MODEL_METHOD_monotonicity_SIZE`; where a benchmark has no partner it has no rank
    distance. `COLLECTION_share_fluid_varies_less` and `..._share_fluid_rises_more` are shares of
    the combinations of benchmark, size and model in which fluid beats random items.

    Parameters
    ----------
    collection
        The collection's name.
    models
        Measures by bank, as :func:`saturation.adaptive.quality.by_model` has them.
    """
    whole = pd.concat(
        [table.assign(bank=bank) for bank, table in models.items()], ignore_index=True
    )
    whole = whole[whole["method"].isin(METHODS)]
    whole = whole.assign(subject=collection + "_" + whole["model"].map(slug))
    cells = ["bank", "subject", "method", "n_items"]
    drawn = whole.groupby(cells, as_index=False)[list(MEASURES)].mean()
    for part in ("bank", "subject"):
        means = drawn.groupby([part, "method", "n_items"], as_index=False)[list(MEASURES)].mean()
        for row, measure in itertools.product(means.to_dict("records"), MEASURES):
            if not pd.isna(row[measure]):
                yield Quantity(
                    f"{row[part]}_{row['method']}_{measure}_{row['n_items']}", row[measure]
                )
    for row in drawn.to_dict("records"):
        model = row["subject"].removeprefix(f"{collection}_")
        name = f"{row['bank']}_{model}_{row['method']}_monotonicity_{row['n_items']}"
        yield Quantity(name, row["monotonicity"])
    beside = drawn.pivot_table(index=["bank", "subject", "n_items"], columns="method")
    for word, measure, sign in (
        ("varies_less", "total_variation", -1),
        ("rises_more", "monotonicity", 1),
    ):
        gains = sign * (beside[measure]["fluid"] - beside[measure]["random"])
        note = f"of {len(gains)} combinations of benchmark, size and model"
        yield Quantity(f"{collection}_share_fluid_{word}", float((gains > 0).mean()), note=note)


def counts(
    collection: str,
    respondents: Mapping[str, pd.DataFrame],
    items: Mapping[str, int],
    n_fitted: Mapping[str, int],
) -> Iterator[Quantity]:
    """How many benchmarks, models, checkpoints and answers there are.

    Parameters
    ----------
    collection
        The collection's name.
    respondents
        Rows with `model`, one a checkpoint, by bank.
    items
        Number of items by bank.
    n_fitted
        Number of models that the bank's items were fitted on.
    """
    first = next(iter(respondents.values()))
    yield Quantity(f"{collection}_n_benchmarks", len(respondents))
    yield Quantity(f"{collection}_n_test_models", first["model"].nunique())
    yield Quantity(f"{collection}_n_training_models", max(n_fitted.values()))
    for model, number in first["model"].value_counts(sort=False).items():
        yield Quantity(f"{collection}_checkpoints_{slug(str(model))}", number)
    evaluated = {bank: len(table) for bank, table in respondents.items()}
    yield Quantity(f"{collection}_n_combinations", sum(evaluated.values()))
    answers = sum(number * items[bank] for bank, number in evaluated.items())
    yield Quantity(f"{collection}_evaluations", answers)


def stopping(bank: str, table: pd.DataFrame, respondents: pd.DataFrame) -> Iterator[Quantity]:
    """Items that each model's checkpoints need: the first checkpoint, and the most.

    Parameters
    ----------
    bank
        The bank's name.
    table
        `respondent`, `n_items`.
    respondents
        `respondent`, `model`, `checkpoint`.
    """
    rows = table.merge(respondents, on="respondent").sort_values("checkpoint")
    for model, of_model in rows.groupby("model"):
        name = f"{bank}_{slug(str(model))}_stopping"
        yield Quantity(f"{name}_first", float(of_model["n_items"].iloc[0]))
        yield Quantity(f"{name}_most", float(of_model["n_items"].max()))


def slug(name: str) -> str:
    """A model's name as part of a quantity's."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())
