"""Where each bank of the adaptive study comes from.

Read while the workflow plans its jobs: the standard library only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from saturation.adaptive.names import FLUID_FOLDER, FLUID_RESULTS

# A bank may have any name and its results are in results/adaptive/banks/: what stands beside that
# folder, no bank is named into.
SYNTHETIC = PurePosixPath("results/adaptive/synthetic")
PUBLISHED = PurePosixPath("results/adaptive/published")
SOURCES = PurePosixPath("results/sources")
# The banks of the pinned sources whose respondents are embedded.
EMBEDDED_PREFIX = "nlu_"
# Checkpoints of each synthetic model.
CHECKPOINTS = 5

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Bank:
    """One bank as the rules need it.

    Attributes
    ----------
    name, collection
        The bank, and the collection that it is listed in.
    responses
        Table of the responses, as it comes.
    respondents
        Table of the respondents; None where each is its own model and family.
    layout
        How the responses are laid out: wide or long.
    partner
        The one bank that judges its validity, where the config names it.
    synthetic
        The config of a synthetic bank; None for responses that are real.
    published
        Folder of the fluid benchmarking data set, for a bank in its layout.
    benchmark
        The bank's name in that data set.
    """

    name: str
    collection: str
    responses: str
    respondents: str | None
    layout: str = "wide"
    partner: str | None = None
    synthetic: Config | None = None
    published: str | None = None
    benchmark: str | None = None

    @property
    def known(self) -> list[str]:
        """Item parameters from elsewhere, where there are some."""
        return [published_file(self.name, "item_parameters")] if self.published else []

    @property
    def known_abilities(self) -> list[str]:
        """Abilities of the models that those item parameters rest on."""
        return [published_file(self.name, "abilities")] if self.published else []


def plan(adaptive: Config, embedded_respondents: str) -> dict[str, Bank]:
    """Every bank of the config by its name, in the config's order.

    Parameters
    ----------
    adaptive
        The config's section ``adaptive``, checked.
    embedded_respondents
        Path of the table of respondents of the pinned ``nlu_*`` sources.
    """
    return {
        name: _bank(name, entry, collection, settings, embedded_respondents)
        for collection, settings in adaptive["collections"].items()
        for name, entry in settings["banks"].items()
    }


def _bank(
    name: str, entry: Config, collection: str, settings: Config, embedded_respondents: str
) -> Bank:
    source, respondents = entry.get("source"), settings.get("respondents")
    published = None
    if "responses" in entry:
        responses = entry["responses"]
    elif source is not None:
        responses = str(SOURCES / f"{source}.csv")
        if source.startswith(EMBEDDED_PREFIX):
            respondents = respondents or embedded_respondents
    elif "synthetic" in entry:
        responses = synthetic_file(name, "responses")
        respondents = respondents or str(SYNTHETIC / "respondents.csv")
    else:
        published, responses = settings["published"], published_file(name, "responses")
        # The data set names its respondents itself.
        respondents = published_file(name, "respondents")
    return Bank(
        name=name,
        collection=collection,
        responses=responses,
        respondents=respondents or None,
        layout=entry.get("layout", "wide"),
        partner=entry.get("partner"),
        synthetic=dict(entry) if "synthetic" in entry else None,
        published=published,
        benchmark=entry.get("benchmark"),
    )


def synthetic(banks: Mapping[str, Bank]) -> dict[str, Config]:
    """The synthetic banks' config by name."""
    return {name: bank.synthetic for name, bank in banks.items() if bank.synthetic is not None}


def published(banks: Mapping[str, Bank]) -> list[str]:
    """Names of the banks in the published layout."""
    return [name for name, bank in banks.items() if bank.published is not None]


def published_results(bank: Bank) -> list[str]:
    """Tables of responses of a bank in the published layout: those that there are, or will be.

    Parameters
    ----------
    bank
        A bank with a `published` folder.
    """
    folder = Path(str(bank.published))
    if bank.published == FLUID_FOLDER:
        return [str(folder / path) for path in FLUID_RESULTS]
    return sorted(str(path) for path in folder.glob("lm_eval_results/*.csv"))


def all_synthetic(banks: Mapping[str, Bank], names: Sequence[str]) -> bool:
    """Whether every bank of these names is synthetic.

    Parameters
    ----------
    banks
        All banks by name.
    names
        The banks asked about.
    """
    return all(banks[name].synthetic is not None for name in names)


def small_enough(adaptive: Config, banks: Mapping[str, Bank]) -> list[str]:
    """Banks that are certainly small enough for the full posterior: synthetic ones.

    How many cells other banks have shows only when they are read.

    Parameters
    ----------
    adaptive
        The config's section ``adaptive``, checked.
    banks
        All banks by name.
    """
    models = adaptive["synthetic"]["families"] * adaptive["synthetic"]["models_per_family"]
    most = adaptive["posterior"]["largest_cells"]
    return [
        name
        for name, config in synthetic(banks).items()
        if config["n_items"] * CHECKPOINTS * models <= most
    ]


def synthetic_file(bank: str, table: str) -> str:
    """A synthetic bank's ``responses``, ``true_items`` or ``true_abilities``.

    Parameters
    ----------
    bank
        The bank's name, or a wildcard.
    table
        The table's name.
    """
    return str(SYNTHETIC / bank / f"{table}.csv")


def published_file(bank: str, table: str) -> str:
    """A table read from the published data set, of one bank.

    Parameters
    ----------
    bank
        The bank's name, or a wildcard.
    table
        ``responses``, ``respondents``, ``item_parameters`` or ``abilities``.
    """
    return str(PUBLISHED / bank / f"{table}.csv")


def pattern(names: Sequence[str]) -> str:
    """Regular expression of a wildcard that is one of these names; without any it fits nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"
