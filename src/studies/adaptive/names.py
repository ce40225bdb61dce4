"""Sources of the study's item banks, and the fluid benchmarking paper's data set.

Plain Python, so that planning the workflow need not wait for pandas.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from saturation.adaptive.names import RESPONDENTS

# The data set is public (CC BY 4.0) and is not pinned here: the first fetch writes its revision and
# hashes to a lock file, every later one is checked against that.
FLUID_URL = "https://huggingface.co/datasets/allenai/fluid-benchmarking/resolve"


FLUID_FOLDER = "results/adaptive/fluid"


FLUID_LOCK = "config/fluid.lock.csv"


FLUID_BENCHMARKS = ("arc_challenge", "gsm8k", "hellaswag", "mmlu", "truthfulqa_mc2", "winogrande")


FLUID_MODELS = ("amber-7b", "k2-65b", "olmo1-7b", "olmo2-7b", "pythia-3b", "pythia-7b")


FLUID_RESULTS = tuple(f"lm_eval_results/{model}.csv" for model in FLUID_MODELS)


FLUID_FILES = (
    *(f"irt_models/{benchmark}.csv" for benchmark in FLUID_BENCHMARKS),
    *FLUID_RESULTS,
    "open_llm_leaderboard_results.json",
)


# Pinned answers of at least 20 models to at least 300 items.
ATTEMPTS = tuple(
    f"items_{name}"
    for name in (
        *("highk_math500_cot", "lowk_ap_cot", "lowk_cruxeval_input_cot"),
        *("lowk_cruxeval_output_cot", "lowk_ds1000", "lowk_gpqa_cot", "lowk_jeebench_chat_cot"),
        *("lowk_lsat_cot", "lowk_math500_cot", "lowk_mbpp", "main_lcb_codegen_v6", "main_mbpp"),
        *("main_mbpp_plus", "main_arc_challenge", "main_gsm8k", "main_swebench_lite"),
        *("main_cruxeval_input_t0_2", "main_cruxeval_output_t0_2"),
    )
)


# A bank may have any name and its results are in results/adaptive/banks/: what stands beside that
# folder, no bank is named into.
PUBLISHED = PurePosixPath("results/adaptive/published")


BOARDS = PurePosixPath("resources/boards/responses")


# Layout of an embedded board.
BOARD = "board"


Config = Mapping[str, Any]


@dataclass(frozen=True)
class Bank:
    """Bank as the rules need the bank's settings.

    Attributes
    ----------
    name, collection
        The bank, and the collection that it is listed in.
    responses
        Table of the responses, as it comes.
    respondents
        Table of the respondents; None where each is its own model and family.
    layout
        How the responses are laid out: wide, long, or board for an embedded one.
    partner
        The one bank that judges its validity, where the config names it.
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
    published: str | None = None
    benchmark: str | None = None

    def known(self, table: str) -> list[str]:
        """Name a table from elsewhere, where there are some: item parameters, models' abilities."""
        return [published_file(self.name, table)] if self.published else []

    @property
    def checked_responses(self) -> str:
        """Name the study's responses: a user's checked file, an embedded bank's own."""
        return self._checked("responses")

    @property
    def checked_respondents(self) -> str:
        """The respondents likewise."""
        return self._checked("respondents")

    def _checked(self, table: str) -> str:
        if self.layout == BOARD:
            return str(getattr(self, table))
        return f"results/adaptive/banks/{self.name}/{table}.csv"

    @property
    def published_results(self) -> list[str]:
        """Tables of responses in the published layout: those that there are, or will be."""
        folder = Path(str(self.published))
        if self.published == FLUID_FOLDER:
            return [str(folder / path) for path in FLUID_RESULTS]
        return sorted(str(path) for path in folder.glob("lm_eval_results/*.csv"))

    @property
    def published_parameters(self) -> str:
        """Item parameters of the published layout."""
        return f"{self.published}/irt_models/{self.benchmark}.csv"

    @property
    def published_leaderboard(self) -> str:
        """Results of the models that those item parameters rest on."""
        return f"{self.published}/open_llm_leaderboard_results.json"

    @property
    def tables(self) -> list[str | None]:
        """The user's tables, by whose size a job asks for memory and time."""
        return [] if self.layout == BOARD else [self.responses, self.respondents]


def page(path: str, titles: Mapping[str, str]) -> tuple[str, str] | None:
    """Label and section of a collection's table in the report; None for most tables."""
    name, table = path.split("/")[3:]
    if table.startswith("table"):
        return (
            f"{titles.get(name, name)}: Table {table[5]}, in the paper's form",
            "Evaluation quality",
        )
    return None


def plan(
    adaptive: Config, shipped: Callable[[str], str], own: Callable[[str], str] = str
) -> dict[str, Bank]:
    """Every bank of the config by its name, in the config's order; `own` marks a user's table."""
    return {
        name: _bank(name, entry, collection, settings, shipped, own)
        for collection, settings in adaptive["collections"].items()
        for name, entry in settings["banks"].items()
    }


def _bank(
    name: str,
    entry: Config,
    collection: str,
    settings: Config,
    shipped: Callable[[str], str],
    own: Callable[[str], str],
) -> Bank:
    respondents_file, published = settings.get("respondents"), None
    respondents = own(respondents_file) if respondents_file else None
    layout = entry.get("layout", "wide")
    if "responses" in entry:
        responses = own(entry["responses"])
    elif "board" in entry:
        board, layout = entry["board"], BOARD
        responses = shipped(str(BOARDS / f"{board}.parquet"))
        if board in RESPONDENTS:
            respondents = respondents or shipped(f"resources/adaptive/{RESPONDENTS[board]}.csv")
    else:
        published, responses = settings["published"], published_file(name, "responses")
        # The data set names its respondents itself.
        respondents = published_file(name, "respondents")
    return Bank(
        name=name,
        collection=collection,
        responses=responses,
        respondents=respondents,
        layout=layout,
        partner=entry.get("partner"),
        published=published,
        benchmark=entry.get("benchmark"),
    )


def published(banks: Mapping[str, Bank]) -> list[str]:
    """Names of the banks in the published layout."""
    return [name for name, bank in banks.items() if bank.published is not None]


def embedded(banks: Mapping[str, Bank]) -> list[str]:
    """Names of the banks that are embedded boards."""
    return [name for name, bank in banks.items() if bank.layout == BOARD]


def published_file(bank: str, table: str) -> str:
    """Name the file of a bank's table in the published data set."""
    return str(PUBLISHED / bank / f"{table}.csv")


def pattern(names: Sequence[str]) -> str:
    """Build the regular expression of a wildcard over these names; no names match nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"
