"""The whole study of one collection on tables in memory: what its stages do, in turn."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from saturation import seeds
from saturation.adaptive import evaluation
from saturation.adaptive.evaluation import BASELINES
from saturation.adaptive.frontier import Estimates, estimates, frontier
from saturation.adaptive.model import Floats
from saturation.adaptive.responses import Bank
from saturation.quantity import Quantity, frame
from saturation.statistics import correlation

# The published collection by benchmark and by model, as its paper breaks it down, and its counts.

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
    models
        Measures by bank, as :func:`saturation.adaptive.evaluation.by_model` has them.
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
    """Items that each model's checkpoints need: the first checkpoint, and the most."""
    rows = table.merge(respondents, on="respondent").sort_values("checkpoint")
    for model, of_model in rows.groupby("model"):
        name = f"{bank}_{slug(str(model))}_stopping"
        yield Quantity(f"{name}_first", float(of_model["n_items"].iloc[0]))
        yield Quantity(f"{name}_most", float(of_model["n_items"].max()))


def slug(name: str) -> str:
    """A model's name as part of a quantity's."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())


# Tables in the form of the fluid benchmarking paper's Tables 1-3.

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
    compared = evaluation.comparable(together(models))
    summary = evaluation.summarise(
        compared, seeds.generator(seed, "adaptive", "tables", collection)
    )
    sizes = sorted(set(compared.loc[compared["method"] == "random", "n_items"])) or [0]
    flag = {"synthetic": True} if synthetic else {}
    return PaperTables(
        table1=baselines(summary, sizes[-1]).assign(**flag),
        table2=ablations(summary).assign(**flag),
        table3=by_bank(measured, sizes[len(sizes) // 2]).assign(**flag),
        summary=summary,
        contrasts=evaluation.contrasts(
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


# The study's headline numbers.

# Their sizes are left out of names: they take all items, or all hard ones.
WHOLE = ("full_accuracy", "full_irt", "hard_smart", "hard_magi")


def of_collection(collection: str, summary: pd.DataFrame) -> Iterator[Quantity]:
    """Measures of a collection: `COLLECTION_METHOD_MEASURE_SIZE`, readings with two underscores.

    Parameters
    ----------
    summary
        Measures by method and size, as :func:`saturation.adaptive.evaluation.summarise` has them.
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
    """Advantages of methods: `COLLECTION_BETTER_over_WORSE_MEASURE_SIZE`."""
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
    facts
        Numbers by name, as :func:`saturation.adaptive.frontier.frontier` has them.
    """
    for name, fact in sorted(facts.items()):
        yield Quantity(f"{bank}_{name}", math.nan if fact is None else float(fact))


def of_stopping(bank: str, stopping: pd.DataFrame) -> Iterator[Quantity]:
    """How many items tests need, and whether they adapt.

    Parameters
    ----------
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


@dataclass(frozen=True)
class Settings:
    """What the config's section ``adaptive`` sets.

    Attributes
    ----------
    seed
        The seed of the run.
    evaluation
        Sizes and draws that are compared, and the sign that slopes may have.
    least_partner_correlation
        Rank correlation of accuracies from which a benchmark serves as a partner.
    top
        Number of models at the frontier.
    synthetic
        Whether the collection's banks are synthetic, which its tables then say.
    """

    seed: int
    evaluation: evaluation.Settings
    least_partner_correlation: float = 0.6
    top: int = 5
    synthetic: bool = False


def study(
    collection: str,
    banks: Mapping[str, Bank],
    respondents: Mapping[str, pd.DataFrame],
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """All tables of a collection, those of a bank as ``BANK/TABLE``.

    Parameters
    ----------
    respondents
        By bank: model, family and checkpoint of its respondents, in its order.
    """
    found = of_banks(banks, respondents, settings)
    made = paper_tables(
        collection,
        {name: found.tables[f"{name}/models"] for name in banks},
        {name: found.tables[f"{name}/quality"] for name in banks},
        seed=settings.seed,
        synthetic=settings.synthetic,
    )
    headlines = [
        *of_collection(collection, made.summary),
        *of_contrasts(collection, made.contrasts),
    ]
    for name in banks:
        headlines += of_frontier(name, found.facts[f"{name}/frontier"])
        headlines += of_stopping(name, found.tables[f"{name}/stopping"])
    headlines += of_partners(found.partners)
    named = ("table1", "table2", "table3", "summary", "contrasts")
    tables = found.tables | {name: getattr(made, name) for name in named}
    return tables | {"partners": found.partners, "quantities": frame(headlines)}


class OfBanks(NamedTuple):
    """What the banks of a collection give, before they are averaged over.

    Attributes
    ----------
    facts
        Facts of the fit and of the frontier, by ``BANK/fit`` and ``BANK/frontier``.
    partners
        Which banks can judge each other's validity.
    """

    tables: dict[str, pd.DataFrame]
    facts: dict[str, dict[str, Any]]
    partners: pd.DataFrame


def of_banks(
    banks: Mapping[str, Bank], respondents: Mapping[str, pd.DataFrame], settings: Settings
) -> OfBanks:
    """Fit, evaluation and frontier of every bank of a collection."""
    people = {
        name: respondents[name].assign(accuracy=bank.accuracy()) for name, bank in banks.items()
    }
    judges = evaluation.partners(
        {name: table.set_index("respondent")["accuracy"] for name, table in people.items()},
        settings.least_partner_correlation,
    )
    tables: dict[str, pd.DataFrame] = {}
    facts: dict[str, dict[str, Any]] = {}
    for name, bank in banks.items():
        fitted = estimates(bank, settings.evaluation.slopes)
        judging = evaluation.accuracies(people[name], people, evaluation.serving(judges, name))
        tables |= _of_bank(name, bank, people[name], fitted, judging, settings)
        at_top = frontier(
            bank, people[name], fitted.items, fitted.abilities["ability"].to_numpy(), settings.top
        )
        tables |= {f"{name}/{key}": getattr(at_top, key) for key in ("top", "sizes", "suspects")}
        tables[f"{name}/frontier"] = at_top.curve
        facts |= {f"{name}/fit": dict(fitted.facts), f"{name}/frontier": at_top.facts}
    return OfBanks(tables, facts, judges)


def _of_bank(
    name: str,
    bank: Bank,
    respondents: pd.DataFrame,
    fitted: Estimates,
    judging: Mapping[str, Floats],
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """What the fit and the evaluation of a bank give."""
    whole = evaluation.Calibration(
        fitted.item_parameters, fitted.abilities["ability"].to_numpy(float)
    )
    evaluated = evaluation.tables(
        name, bank, respondents, whole, None, judging, settings.evaluation, settings.seed
    )
    estimated = ("item_parameters", "items", "abilities")
    return {f"{name}/{key}": getattr(fitted, key) for key in estimated} | {
        f"{name}/{key}": table for key, table in evaluated._asdict().items()
    }
