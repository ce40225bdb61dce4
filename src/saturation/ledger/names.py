"""The verdicts, and the papers whose claims are judged, by the names that readers see."""

from typing import NamedTuple

REPRODUCED = "reproduced"
DIFFERS = "differs"
UNDETERMINED = "undetermined"
NOT_RUN_HERE = "not run here"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, DIFFERS, UNDETERMINED, NOT_RUN_HERE, UNDECIDABLE)


class Paper(NamedTuple):
    """A paper.

    Parameters
    ----------
    title
        For readers.
    authors
        As one cites them in a sentence.
    url
        Where it, or what was released with it, can be found.
    """

    title: str
    authors: str
    url: str


PAPERS = {
    "plateau": Paper(
        "When AI Benchmarks Plateau", "Akhtar et al., 2026", "https://arxiv.org/abs/2602.16763"
    ),
    "discriminability": Paper(
        "Benchmark Saturation: Score Compression Across LLM Leaderboards",
        "Yagubyan, 2026",
        "https://github.com/Abelo9996/benchmark-saturation",
    ),
    "fluid": Paper(
        "Fluid Language Model Benchmarking",
        "Hofmann et al., 2025",
        "https://arxiv.org/abs/2509.11106",
    ),
    "robustness": Paper(
        "Robustness as an Emergent Property of Task Performance",
        "Ashury-Tahan et al., 2026",
        "https://arxiv.org/abs/2602.03344",
    ),
}


def paper(name: str) -> Paper:
    """A paper by its short name; one that is not listed by that name alone."""
    return PAPERS.get(name, Paper(name, "", ""))
