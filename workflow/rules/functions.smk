"""Input functions of the studies' rules: which files a wildcard stands for.

in:  the lists that the studies' rule files make of their config
out: functions of wildcards, called when a job is planned
"""

from saturation.boards.names import EMBEDDED
from saturation.multiverse import names as multiverse_names

# What the report calls wildcards; a name of the user's own stays as it is.
IN_WORDS = {
    **{name: board.title for name, board in EMBEDDED.items()},
    **multiverse_names.TITLES,
    "nlu": "NLU banks",
    "reduced": "Reduced",
    "full": "Full",
}


def in_words(name):
    """What the report calls a wildcard's value."""
    return IN_WORDS.get(name, name)


def titled(words):
    """Words of the report in which wildcards stand by their titles."""

    def in_full(wildcards):
        return words.format(
            **{name: in_words(value) for name, value in wildcards.items()}
        )

    in_full.words = words
    return in_full


def item_titled(words):
    """The label of an item of the report, its wildcards by their titles."""
    in_full = titled(words)

    def labels(wildcards):
        return {"item": in_full(wildcards)}

    labels.words = {"item": words}
    return labels


def adaptive_published_results(wildcards):
    """The tables of responses of a bank in the published layout."""
    return saturation_banks.published_results(ADAPTIVE_BANKS[wildcards.published_bank])


def adaptive_tables(wildcards):
    """The user's tables behind a bank, for its jobs' resources."""
    bank = ADAPTIVE_BANKS[wildcards.bank]
    return [bank.responses, bank.respondents]


def adaptive_banks_of(wildcards):
    """The banks of a collection, for inputs by its wildcard."""
    return list(ADAPTIVE_COLLECTIONS[wildcards.collection]["banks"])


def adaptive_tables_of_all(wildcards):
    """The user's tables behind the banks of a collection, for its jobs' resources."""
    banks = [ADAPTIVE_BANKS[bank] for bank in adaptive_banks_of(wildcards)]
    return [path for bank in banks for path in (bank.responses, bank.respondents)]


def adaptive_fellows(wildcards):
    """The banks that can be each other's partners."""
    return list(
        ADAPTIVE_COLLECTIONS[ADAPTIVE_BANKS[wildcards.bank].collection]["banks"]
    )


def adaptive_all_synthetic(wildcards):
    """Whether all banks of a collection are synthetic."""
    return saturation_banks.all_synthetic(ADAPTIVE_BANKS, adaptive_banks_of(wildcards))


def of_each_model(name):
    """The file of this name of every model of the run, in their order."""
    return [f"{REGRESSION_RESULTS}/{model}/{name}" for model in DEFAULT_MODELS]


def of_each_refit(name):
    """The file of this name of every way in which benchmarks leave a model, model after model."""
    return [
        f"{REGRESSION_RESULTS}/{model}/refits/{scheme}/{name}"
        for model in DEFAULT_MODELS
        for scheme in SCHEMES[model]
    ]


def multiverse_chunks(kind):
    """All files of one kind that the chunks of a multiverse leave."""

    def files(wildcards):
        count = MULTIVERSE[wildcards.size]["chunks"]
        return [
            f"results/multiverse/{wildcards.size}/evaluation/{number + 1}-of-{count}.{kind}"
            for number in range(count)
        ]

    return files


def own_paths(names):
    """All files of some of the user's benchmarks; no prefix of another workflow is theirs."""

    def files(wildcards):
        paths = [entry["path"] for name in names for entry in own_files(name)]
        return list(map(local, paths)) if IN_ANOTHER_WORKFLOW else paths

    return files


def own_heaviest(names):
    """The files of the one of the user's benchmarks that takes most memory: one is read at a time."""

    def files(wildcards):
        return saturation_weights.heaviest(
            own_paths([name])(wildcards) for name in names
        )

    return files


def own_entries(names):
    """What the config says of each file of some of the user's benchmarks."""

    def entries(wildcards):
        return {name: own_files(name) for name in names}

    return entries


def ledger_makers(wildcards):
    """Where quantities are made: the ledger says of each from which line of code it comes."""
    modules = sorted(SOURCE.glob("saturation/*/*.py"))
    return [
        shipped(str(module.relative_to(ROOT)))
        for module in modules
        if "Quantity(" in module.read_text(encoding="utf-8")
    ]
