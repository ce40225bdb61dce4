"""The whole study of one collection on tables in memory: what its stages do, in turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from saturation.adaptive import evaluation, partners, quantities
from saturation.adaptive.estimates import Estimates, estimates
from saturation.adaptive.frontier import frontier
from saturation.adaptive.model import Floats
from saturation.adaptive.paper_tables import paper_tables
from saturation.adaptive.responses import Bank
from saturation.quantity import frame


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
    collection
        The collection's name.
    banks
        Responses by bank.
    respondents
        By bank: model, family and checkpoint of its respondents, in its order.
    settings
        What the config sets.
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
        *quantities.of_collection(collection, made.summary),
        *quantities.of_contrasts(collection, made.contrasts),
    ]
    for name in banks:
        headlines += quantities.of_frontier(name, found.facts[f"{name}/frontier"])
        headlines += quantities.of_stopping(name, found.tables[f"{name}/stopping"])
    headlines += quantities.of_partners(found.partners)
    named = ("table1", "table2", "table3", "summary", "contrasts")
    tables = found.tables | {name: getattr(made, name) for name in named}
    return tables | {"partners": found.partners, "quantities": frame(headlines)}


class OfBanks(NamedTuple):
    """What the banks of a collection give, before they are averaged over.

    Attributes
    ----------
    tables
        Tables by ``BANK/TABLE``.
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
    """Fit, evaluation and frontier of every bank of a collection.

    Parameters
    ----------
    banks, respondents, settings
        As for :func:`study`.
    """
    people = {
        name: respondents[name].assign(accuracy=bank.accuracy()) for name, bank in banks.items()
    }
    judges = partners.partners(
        {name: table.set_index("respondent")["accuracy"] for name, table in people.items()},
        settings.least_partner_correlation,
    )
    tables: dict[str, pd.DataFrame] = {}
    facts: dict[str, dict[str, Any]] = {}
    for name, bank in banks.items():
        fitted = estimates(bank, settings.evaluation.slopes)
        judging = partners.accuracies(people[name], people, partners.serving(judges, name))
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
