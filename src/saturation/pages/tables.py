"""A result's table as a reader sees it: words in place of column names, intervals in one cell.

The CSV beside each page keeps the names and every digit.
"""

import html
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


# A column of longer texts than this gets a width, in which they break into lines.
_LETTERS_A_LINE = 30
_TEXT_WIDTH = "16em"
_NO_ROWS = "<p>Nothing of this kind came out of this run.</p>"
# Longer tables can be searched.
_ROWS_AT_A_GLANCE = 20
_NUMBER = r"|-?[\d.,]+(?:e[-+]?\d+)?"
# Colours are the browser's own, so that they follow its scheme.
_STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem 1.5rem; color: CanvasText;
  background: Canvas; }
h1 { font-size: 1.3rem; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; overflow-wrap: break-word;
  border-bottom: 1px solid light-dark(#ddd, #444); }
th { position: sticky; top: 0; vertical-align: bottom;
  background: light-dark(#f4f4f4, #222); }
tbody tr:hover { background: light-dark(#f4f4f4, #222); }
.scrolled { overflow: auto; max-height: calc(100vh - 8rem); }
input { font: inherit; width: min(20rem, 90vw); padding: .2rem .4rem; }
@media (max-width: 40rem) {
  body { margin: .5rem; }
  th, td { padding: .25rem .4rem; }
  .scrolled { max-height: calc(100vh - 11rem); }
}
"""
_SEARCH = """\
<p><label>Rows with these words: <input type="search"></label> <output>ROWS rows</output></p>
"""
_SCRIPT = """\
<script>
const rows = [...document.querySelectorAll("tbody tr")];
document.querySelector("input").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    shown += !row.hidden;
  }
  document.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
});
</script>
"""


def page(frame: pd.DataFrame, title: str) -> str:
    """A small self-contained HTML page, values escaped; a long table can be searched."""
    shown = readable(frame)
    long = len(shown) > _ROWS_AT_A_GLANCE
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f"<title>{html.escape(title)}</title>\n",
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<style>\n{_STYLE}{_right_aligned(shown)}</style></head>",
        f"<body><h1>{html.escape(title)}</h1>\n",
        _SEARCH.replace("ROWS", str(len(shown))) if long else "",
        _table(shown) if len(shown) else _NO_ROWS,
        f"\n{_SCRIPT if long else ''}</body></html>\n",
    ]
    return "".join(parts)


def _table(shown: pd.DataFrame) -> str:
    """The table, which scrolls where it is wider or longer than the window."""
    texts = [name for name in shown if max(map(len, shown[name]), default=0) > _LETTERS_A_LINE]
    with pd.option_context("display.max_colwidth", None):
        body = shown.to_html(
            index=False, border=0, justify="unset", col_space=dict.fromkeys(texts, _TEXT_WIDTH)
        )
    return f'<div class="scrolled" tabindex="0">{body}</div>'


def _right_aligned(shown: pd.DataFrame) -> str:
    """A rule of style for the columns that hold numbers alone."""
    places = [
        f":is(th, td):nth-child({place})"
        for place, name in enumerate(shown, start=1)
        if shown[name].str.fullmatch(_NUMBER).all() and shown[name].str.len().any()
    ]
    return f"{', '.join(places)} {{ text-align: right; }}\n" if places else ""
