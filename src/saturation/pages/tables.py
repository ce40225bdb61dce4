"""A result's table as a reader sees it: words in place of column names, intervals in one cell.

The CSV beside each page keeps the names and every digit.
"""

import re
from typing import Any

import pandas as pd

from saturation.boards.names import EMBEDDED

# What a column is called where its own words do not say it; the others lose their underscores.
HEADINGS = {
    **{name: board.title for name, board in EMBEDDED.items()},
    "alpha": "exponent α",
    "benchmark_id": "benchmark",
    "bin": "level of S",
    "claim_id": "claim",
    "df": "degrees of freedom",
    "df_error_high": "degrees of freedom of the error, most",
    "df_error_low": "degrees of freedom of the error, fewest",
    "df_implied": "degrees of freedom, implied",
    "elapsed": "time since the first window",
    "elpd": "expected log predictive density",
    "eta_fits": "η² fits",
    "eta_sq": "η²",
    "evidence_id": "evidence",
    "lower": "lower limit",
    "max_score": "best score",
    "n": "number",
    "n_consistent": "rows that are consistent",
    "n_design": "answers by the design",
    "n_fits": "answers fit",
    "n_from": "models, from",
    "n_high": "answers implied, most",
    "n_left_out": "left out",
    "n_low": "answers implied, fewest",
    "n_to": "models, to",
    "n_test": "test-set size n",
    "p_again_if_equal": "P(saturated again), two equal models",
    "p_again_index_noise": "P(saturated again), by the index's error",
    "p_again_reranked": "P(saturated again), ranked anew",
    "p_saturated": "P(S at the threshold or above)",
    "p_value": "p",
    "p_value_entries": "p, each evaluation once",
    "partial_eta_sq": "partial η²",
    "partial_fits": "partial η² fits",
    "pdr_usual": "performance drop rate, usual form",
    "r_norm": "normalised gap R",
    "r_squared": "R²",
    "s_1": "best score",
    "s_index": "S",
    "s_k": "k-th score",
    "s_lower_index_noise": "S, lower limit by the index's error",
    "s_upper_index_noise": "S, upper limit by the index's error",
    "sd": "standard deviation",
    "se_delta": "error of the gap",
    "slope_z": "z of the slope",
    "sum_sq": "sum of squares",
    "t90": "months to 90 %",
    "upper": "upper limit",
}
# Words inside a name.
_WORDS = {
    "anova": "ANOVA",
    "bdi": "BDI",
    "bh": "Benjamini-Hochberg",
    "elpd": "ELPD",
    "f": "F",
    "holm": "Holm",
    "pdr": "performance drop rate",
    "r2": "R²",
    "s": "S",
    "se": "standard error",
    "ss": "sum of squares",
    "sq": "squares",
    "std": "standard deviation",
    "top10": "top 10",
    "top20": "top 20",
}
# Names that a reader looks up elsewhere, letter by letter.
_LOOKED_UP = {"claim_id", "evidence_id", "item", "remark"}
_CODED = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_ANSWERS = {"True": "yes", "False": "no"}
_LIMITS = ("_lower", "_upper")
_ENDS = {"_lower": "lower limit", "_upper": "upper limit", "_se": "standard error"}


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """A table with headings in words, values for reading and each estimate with its interval.

    Returns
    -------
    pandas.DataFrame
        Text in every cell; a missing value is empty.
    """
    shown: dict[str, list[str]] = {}
    for name in map(str, frame.columns):
        stem = name.removesuffix(_LIMITS[0]).removesuffix(_LIMITS[1])
        limits = [f"{stem}{limit}" for limit in _LIMITS]
        joined = {stem, *limits} <= set(frame.columns)
        if joined and name != stem:
            continue
        cells = [_cell(value, name) for value in frame[name]]
        if joined:
            ends = zip(*(frame[limit] for limit in limits), strict=True)
            cells = [
                f"{cell} [{_cell(low, name)}, {_cell(high, name)}]" if pd.notna(low) else cell
                for cell, (low, high) in zip(cells, ends, strict=True)
            ]
        words = heading(name) + (" [interval]" if joined else "")
        shown[name if words in shown else words] = cells
    return pd.DataFrame(shown, dtype=object)


def heading(name: str) -> str:
    """The words for a column."""
    if name in HEADINGS:
        return HEADINGS[name]
    for end, words in _ENDS.items():
        if name.endswith(end):
            return f"{heading(name.removesuffix(end))}, {words}"
    if name.startswith("p_"):
        return f"p, {heading(name.removeprefix('p_'))}"
    if name.startswith("n_"):
        return f"number of {heading(name.removeprefix('n_'))}"
    return " ".join(_WORDS.get(word, word) for word in name.split("_"))


def _cell(value: Any, column: str) -> str:
    if pd.isna(value):
        return ""
    if str(value) in _ANSWERS:
        return _ANSWERS[str(value)]
    if isinstance(value, float):
        small = column.split("_")[0] == "p" and 0 <= value < 0.0001
        return "< 0.0001" if small else f"{value:.4g}"
    text = str(value)
    coded = column not in _LOOKED_UP and _CODED.fullmatch(text)
    return text.replace("_", " ") if coded else text
