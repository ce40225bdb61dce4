"""The study of a collection of item banks: fits, adaptive tests, frontiers, paper tables."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.adaptive.responses import Bank
from saturation.arrays import Floats
from saturation.files.tables import NamedTables, json_line, parse_json, round_as_csv
from saturation.pages.templates import percent
from studies.adaptive import evaluation
from studies.adaptive.evaluation import BASELINES, MEASURES, Calibration
from studies.adaptive.frontier import estimates, frontier
from studies.correlation import spearman
from studies.quantity import Quantity, frame, list_numbers, slug

# Ablations that need no responses of the models behind the items, in the paper's order.
RANDOM = ("random", "random_irt")
METHODS = (*RANDOM, "fluid")


@dataclass(frozen=True)
class Settings:
    """Settings of the config's section ``adaptive``.

    Attributes
    ----------
    seed
        The seed of the run.
    evaluation
        Sizes and draws that are compared.
    least_partner_correlation
        Rank correlation of accuracies from which a benchmark serves as a partner.
    top
        Number of models at the frontier.
    """

    seed: int
    evaluation: evaluation.Settings
    least_partner_correlation: float = 0.6
    top: int = 5


@dataclass(frozen=True)
class BankInput:
    """Inputs of a bank's study.

    Attributes
    ----------
    respondents
        Model, family and checkpoint of its respondents, in its order.
    known
        Published item parameters, in whose place none are fitted to evaluate.
    partner
        The one bank that judges its validity; None for all whose accuracies correlate.
    left_out
        Numbers of items and evaluations of an embedded board that the bank leaves out.
    """

    bank: Bank
    respondents: pd.DataFrame
    known: Calibration | None = None
    partner: str | None = None
    left_out: Mapping[str, int] | None = None


# The tables of a bank by the names of their files, and the facts `fit` and `frontier`.
BankTables = dict[str, Any]
# The same of a collection, with its `banks` and the banks that are `left_out`.
CollectionTables = dict[str, Any]


def study(collection: str, banks: Mapping[str, BankInput], settings: Settings) -> CollectionTables:
    """Compute all tables of a collection of banks with shared respondents.

    By the names of their files: ``table1, table2, table3`` in the form of the fluid benchmarking
    paper's; ``summary``, measures by method and size over the banks that can be averaged over;
    ``contrasts``, which method is better, with the uncertainty of having these models;
    ``partners``, which banks can judge each other's validity; ``quantities``; ``breakdown`` of
    published banks, None else: each measure by benchmark and by model, and counts. Beside them
    ``banks``, the tables of each, and ``left_out``, banks that are not averaged over, for want of a
    partner or of items.
    """
    people = {
        name: bank_input.respondents.assign(accuracy=bank_input.bank.accuracy())
        for name, bank_input in banks.items()
    }
    partners = evaluation.partners(
        {name: table.set_index("respondent")["accuracy"] for name, table in people.items()},
        settings.least_partner_correlation,
        {
            name: bank_input.partner
            for name, bank_input in banks.items()
            if bank_input.partner is not None
        },
    )
    tables_by_bank = {}
    for name, bank_input in banks.items():
        judges = evaluation.accuracies(people[name], people, evaluation.serving(partners, name))
        tables_by_bank[name] = _compute_bank(name, bank_input, people[name], judges, settings)
    # Averages are over what the files hold, so that they can be made again from the files.
    models = {name: round_as_csv(tables["models"]) for name, tables in tables_by_bank.items()}
    paper = paper_tables(
        collection,
        models,
        {name: tables["quality"] for name, tables in tables_by_bank.items()},
        seed=settings.seed,
    )
    headline = [
        *quantify_collection(collection, paper["summary"]),
        *quantify_contrasts(collection, paper["contrasts"]),
    ]
    return {
        **paper,
        "banks": tables_by_bank,
        "partners": partners,
        "quantities": frame(headline),
        "breakdown": _breakdown(collection, banks, tables_by_bank, models),
    }


def quantities(collections: Sequence[CollectionTables]) -> pd.DataFrame:
    """Gather the headline numbers of several collections."""
    numbers: list[Quantity] = []
    parts = []
    for collection in collections:
        for name, tables in collection["banks"].items():
            numbers += quantify_frontier(name, parse_json(json_line(tables["frontier"])))
            numbers += quantify_stopping(name, round_as_csv(tables["stopping"]))
        numbers += quantify_partners(round_as_csv(collection["partners"]))
        made = (collection["quantities"], collection["breakdown"])
        parts += [round_as_csv(table) for table in made if table is not None]
    return pd.concat([*parts, frame(numbers)], ignore_index=True)


def _compute_bank(
    name: str,
    given: BankInput,
    respondents: pd.DataFrame,
    judges: Mapping[str, Floats],
    settings: Settings,
) -> BankTables:
    bank = given.bank
    fitted = estimates(bank)
    ability = fitted["abilities"]["ability"].to_numpy(float)
    whole = Calibration(fitted["item_parameters"], ability)
    evaluated = evaluation.tables(
        name, bank, respondents, whole, given.known, judges, settings.evaluation, settings.seed
    )
    left_out = {} if given.left_out is None else {"left_out": given.left_out}
    return {
        "responses": bank.frame(),
        "respondents": respondents,
        **fitted,
        **evaluated,
        **frontier(bank, respondents, fitted["items"], ability, settings.top),
        "fit": fitted["fit"] | left_out,
    }


def _breakdown(
    collection: str,
    banks: Mapping[str, BankInput],
    made: Mapping[str, BankTables],
    models: NamedTables,
) -> pd.DataFrame | None:
    """Compute the breakdown of a collection whose item parameters are published."""
    calibrations = {
        name: bank_input.known for name, bank_input in banks.items() if bank_input.known is not None
    }
    if len(calibrations) < len(banks):
        return None
    respondents = {name: tables["respondents"] for name, tables in made.items()}
    numbers = [
        *breakdown(collection, models),
        *counts(
            collection,
            respondents,
            {name: len(calibration.items) for name, calibration in calibrations.items()},
            {name: len(calibration.ability) for name, calibration in calibrations.items()},
        ),
    ]
    for name, tables in made.items():
        numbers += stopping(name, tables["stopping"], respondents[name])
    return frame(numbers)


def paper_tables(
    collection: str, models: NamedTables, measured: NamedTables, *, seed: int
) -> dict[str, Any]:
    """Tables 1-3 of a collection, and what they rest on."""
    compared = evaluation.comparable(stack_banks(models))
    summary = evaluation.summarise(
        compared, seeds.generator(seed, "adaptive", "tables", collection)
    )
    sizes = sorted(set(compared.loc[compared["method"] == "random", "n_items"])) or [0]
    return {
        "table1": baselines(summary, sizes[-1]),
        "table2": ablations(summary),
        "table3": tabulate_banks(measured, sizes[len(sizes) // 2]),
        "summary": summary,
        "contrasts": evaluation.contrasts(
            compared, seeds.generator(seed, "adaptive", "contrasts", collection)
        ),
        "left_out": sorted(set(models) - set(compared["bank"])),
    }


def stack_banks(models: NamedTables) -> pd.DataFrame:
    """Join the measures of several banks in a table, with the bank in a column."""
    tables = [table.assign(bank=bank) for bank, table in models.items()]
    return pd.concat(tables, ignore_index=True)


def baselines(summary: pd.DataFrame, largest: int) -> pd.DataFrame:
    """Build table 1: each baseline beside the adaptive test of equal length."""
    values = summary.set_index(["method", "n_items", "measure"])["value"]
    rows = []
    for measure, (method, size) in product(MEASURES, BASELINES):
        items, length = size or "all that are hard", size or largest
        cells = (method, size, measure), ("fluid", length, measure)
        if all(cell in values for cell in cells):
            value, fluid = (values[cell] for cell in cells)
            rows.append((measure, method, items, value, length, fluid))
    columns = ["measure", "baseline", "items", "value", "fluid_items", "fluid"]
    return pd.DataFrame(rows, columns=columns)


def ablations(summary: pd.DataFrame) -> pd.DataFrame:
    """Table 2: random items, random items with abilities, and adaptive tests, by length."""
    compared = _ablated(summary)
    sizes = compared.loc[compared["method"] == "random", "n_items"].unique()
    compared = compared[compared["n_items"].isin(sizes)]
    table = _ordered(compared, "n_items").set_index(["measure", "method"])
    return table.add_prefix("items_").rename_axis(columns=None).reset_index()


def tabulate_banks(summaries: NamedTables, size: int) -> pd.DataFrame:
    """Build table 3: the ablations at a length, benchmark by benchmark."""
    rows = [
        _ablated(summary[summary["n_items"] == size]).assign(bank=bank)
        for bank, summary in summaries.items()
    ]
    return _ordered(pd.concat(rows), "bank")


def _ablated(summary: pd.DataFrame) -> pd.DataFrame:
    return summary[summary["method"].isin(METHODS) & summary["measure"].isin(MEASURES)]


def _ordered(rows: pd.DataFrame, columns: str) -> pd.DataFrame:
    """Arrange values by measure and method in the paper's order, a column a size or bank."""
    table = rows.pivot_table(index=["measure", "method"], columns=columns, values="value")
    order = pd.MultiIndex.from_product([MEASURES, METHODS], names=["measure", "method"])
    return table.reindex(order[order.isin(table.index)]).reset_index()


def breakdown(collection: str, models: NamedTables) -> Iterator[Quantity]:
    """Each measure by benchmark, by model, and the curve of each model on each benchmark.

    Names are `BENCHMARK_METHOD_MEASURE_SIZE`, `COLLECTION_MODEL_METHOD_MEASURE_SIZE` and
    `BENCHMARK_MODEL_METHOD_monotonicity_SIZE`; where a benchmark has no partner it has no rank
    distance. `COLLECTION_share_fluid_varies_less` and `..._share_fluid_rises_more` are shares of
    the combinations of benchmark, size and model in which fluid beats random items. The paper
    prints one draw of random items: `..._SIZE__one_draw` says where 95 % of single draws lie.
    """
    whole = stack_banks(models)
    whole = whole[whole["method"].isin(METHODS)]
    whole = whole.assign(subject=collection + "_" + whole["model"].map(slug))
    whole = whole.assign(curve=whole["bank"] + "_" + whole["model"].map(slug))
    cells = ["bank", "subject", "curve", "method", "n_items"]
    cell_means = whole.groupby(cells, as_index=False)[list(MEASURES)].mean()
    for part, measures in (("bank", MEASURES), ("subject", MEASURES), ("curve", ("monotonicity",))):
        long = cell_means.melt([part, "method", "n_items"], measures)
        means = long.groupby([part, "method", "variable", "n_items"])["value"].mean().dropna()
        for *name, value in means.reset_index().itertuples(index=False):
            yield Quantity("_".join(map(str, name)), value)
        yield from _measure_draws(part, whole)
    alike = evaluation.comparable(stack_banks(models)).assign(collection=collection)
    yield from _measure_draws("collection", alike)
    beside = cell_means.pivot_table(list(MEASURES), ["curve", "n_items"], "method")
    for word, measure, sign in (
        ("varies_less", "total_variation", -1),
        ("rises_more", "monotonicity", 1),
    ):
        gains = sign * (beside[measure]["fluid"] - beside[measure]["random"])
        note = f"of {len(gains)} combinations of benchmark, size and model"
        yield Quantity(f"{collection}_share_fluid_{word}", (gains > 0).mean(), note=note)


def _measure_draws(part: str, whole: pd.DataFrame) -> Iterator[Quantity]:
    """Compute the measures of random items, with the central 95 % of single draws."""
    random = whole[whole["method"].isin(RANDOM)]
    draw_means = random.groupby([part, "method", "n_items", "draw"])[list(MEASURES)].mean()
    for (name, method, size), draws in draw_means.groupby(level=[0, 1, 2]):
        # A curve that never moves has no monotonicity.
        for measure, values in draws.replace(math.inf, math.nan).dropna(axis="columns").items():
            lower, upper = values.quantile([0.025, 0.975])
            quantity = f"{name}_{method}_{measure}_{size}__one_draw"
            yield Quantity(quantity, values.mean(), lower, upper, f"{len(values)} draws")


def counts(
    collection: str, respondents: NamedTables, items: Mapping[str, int], n_fitted: Mapping[str, int]
) -> Iterator[Quantity]:
    """Count benchmarks, models, checkpoints and answers."""
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
    """Items that each model's checkpoints need: the first checkpoint, and the most."""
    rows = table.merge(respondents, on="respondent").sort_values("checkpoint")
    for model, of_model in rows.groupby("model"):
        name = f"{bank}_{slug(str(model))}_stopping"
        yield Quantity(f"{name}_first", of_model["n_items"].iloc[0])
        yield Quantity(f"{name}_most", of_model["n_items"].max())


# Their sizes are left out of names: they take all items, or all hard ones.
WHOLE = ("full_accuracy", "full_irt", "hard_smart", "hard_magi")


def quantify_collection(collection: str, summary: pd.DataFrame) -> Iterator[Quantity]:
    """Measures of a collection: `COLLECTION_METHOD_MEASURE_SIZE`, readings with two underscores."""
    for row in summary.to_dict("records"):
        measure, _, reading = row["measure"].partition("__")
        size = [] if row["method"] in WHOLE else [str(row["n_items"])]
        name = "_".join([collection, row["method"], measure, *size])
        yield Quantity(
            f"{name}__{reading}" if reading else name,
            row["value"],
            row["lower"],
            row["upper"],
            f"{row['n_models']} models, {row['draws']} subsets",
        )


def quantify_contrasts(collection: str, contrasts: pd.DataFrame) -> Iterator[Quantity]:
    """Advantages of methods: `COLLECTION_BETTER_over_WORSE_MEASURE_SIZE`."""
    for row in contrasts.to_dict("records"):
        note = f"above zero in {percent(row['holds'])} of resamples of models"
        name = f"{collection}_{row['contrast']}"
        yield Quantity(name, row["value"], row["lower"], row["upper"], note)


def quantify_frontier(bank: str, facts: Mapping[str, Any]) -> Iterator[Quantity]:
    """Return facts of a bank at its top; a missing fact has no value."""
    yield from list_numbers(
        {
            f"{bank}_{name}": math.nan if fact is None else fact
            for name, fact in sorted(facts.items())
        }
    )


def quantify_stopping(bank: str, stopping: pd.DataFrame) -> Iterator[Quantity]:
    """Measure the items that tests need, and whether they adapt."""
    needed = stopping["n_items"]
    # Missing where tests take the whole bank and have the same median of all.
    follows = spearman(stopping["ability"], stopping["difficulty_given"])["estimate"]
    yield Quantity(
        f"{bank}_stopping_items",
        needed.median(),
        needed.min(),
        needed.max(),
        "median, fewest and most items over respondents",
    )
    yield Quantity(
        f"{bank}_difficulty_follows_ability",
        follows,
        note="Spearman, ability and median difficulty of the first 50 items given",
    )


def quantify_partners(partners: pd.DataFrame) -> Iterator[Quantity]:
    """Return the highest rank correlation of each benchmark with another of its collection."""
    for bank, best in partners.groupby("bank")["spearman"].max().items():
        yield Quantity(f"{bank}_best_partner_correlation", best)
