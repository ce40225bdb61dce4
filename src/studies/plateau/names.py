"""Name the plateau study's hypotheses, its settings in the paper, and its examples.

Without heavy imports: planning reads this module too. A hypothesis is one row of `HYPOTHESES` and,
if it compares groups, one or more rows of `studies.plateau.groupings.READINGS`; tests, family,
tables and figures follow from these two.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis on what drives saturation (Table 2), in our own words.

    - ``statement``: what is held to be true.
    - ``title``: title of its panel in Figure 2.
    - ``shown``: reading that Figure 2 shows; a hypothesis without readings is shown by age bins.
    - ``numbered``: whether it is one of the paper's hypotheses, which Figure 2 shows.
    """

    label: str
    statement: str
    title: str
    shown: str = "primary"
    numbered: bool = True


# H3 is shown as in the authors' script for Figure 2, where its printed age test comes from too
# (resources/plateau/README.md).
HYPOTHESES = {
    "h1": Hypothesis(
        "H1",
        "Benchmarks with public test data saturate faster than those with held-out test data.",
        "H1 accessibility",
    ),
    "h2": Hypothesis(
        "H2",
        "English-only benchmarks saturate faster than benchmarks in other or several languages.",
        "H2 language",
    ),
    "h3": Hypothesis(
        "H3",
        "Benchmarks written by people resist saturation better than synthetic or mixed ones.",
        "H3 curation",
        shown="human_and_automatic",
    ),
    "h4": Hypothesis(
        "H4",
        "Benchmarks with closed answers saturate faster than those with free-form answers.",
        "H4 output format",
    ),
    "h5": Hypothesis(
        "H5",
        "Older and more widely used benchmarks saturate faster (raw: age; given age: citations).",
        "H5 age",
    ),
    "h6": Hypothesis(
        "H6", "Benchmarks made from templates saturate faster than those without.", "H6 templating"
    ),
    "quality": Hypothesis(
        "quality",
        "Benchmarks with documented quality issues saturate faster than those without.",
        "quality issues",
        numbered=False,
    ),
}

# What the paper prints is about its data under these settings.
PAPER_SETTINGS = {
    "observed_on": "2025-11-01",
    "k": 5,
    "alpha": 0.5,
    "z": 1.96,
    "bin_edges": [0.01, 0.3, 0.7, 0.9],
    "saturated_from": 0.7,
}

# The top models of Table 1's first row.
TABLE_1_K = 3


def table_1(k: int, alpha: float) -> dict[str, tuple[int, float]]:
    """Return Table 1's settings (k, alpha) by name: a change at a time from the default."""
    return {"k3": (TABLE_1_K, float(alpha)), "alpha0": (k, 0.0), "alpha1": (k, 1.0)}


# The rows that Tables 5 and 6, and Table 7 with appendix E's case studies, print as examples.
EXAMPLES = ("math_500", "gpqa_diamond")
CASE_STUDIES = ("math_500", "livebench", "livecodebench", "truthfulqa", "humanitys_last_exam")

FIGURES = {
    "figure1_overview": ("Index", "S of every benchmark (Figure 1)"),
    "sensitivity": ("Sensitivity", "Other numbers of models and exponents"),
    "figure2_hypotheses": ("Hypotheses", "Groups of benchmarks (Figure 2)"),
    "figure4_citations": ("Hypotheses", "Citations (Figure 4)"),
}
"""The study's figures: the report's section of each, and its label there."""

TABLES = (1, 2)
"""Numbers of the paper's tables that are recomputed."""


# The multiverse: each conclusion with the title that figures give it, in the order of tables and
# figures.
CONCLUSION_TITLES = {
    "h1": "H1 public",
    "h2": "H2 English",
    "h3": "H3 not expert-curated",
    "h4": "H4 closed-ended",
    "h5": "H5 citations, raw",
    "h6": "H6 templated",
    "age": "Age",
    "test_size": "Test-set size",
    "adoption": "Citations, given age",
    "quality": "Quality issues",
}


# Whether a printed score can be a share of the printed number of items.

# Scores are read from text: what is beyond this many decimals is arithmetic.
MOST_DECIMALS = 8


def possible(score: float, n: int) -> bool | None:
    """Check whether some number of right answers to n items rounds to a score.

    A score that cannot has another number of items, is a mean over runs, or is no share right.

    None where the decimals are too few to tell: then every score is some share of n.
    """
    decimals = len(f"{score:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2])
    step = 10.0**-decimals
    if 100 / n <= step:
        return None
    right = score * n / 100
    nearest = (math.floor(right), math.ceil(right))
    return any(abs(100 * count / n - score) <= step / 2 + 10.0**-MOST_DECIMALS for count in nearest)
