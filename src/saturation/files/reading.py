"""A result's table as a page of its own for reading, in the report and on the site."""

import html

import pandas as pd

from saturation.files.headings import readable

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
    """A small self-contained HTML page, values escaped; a long table can be searched.

    Parameters
    ----------
    frame
        The table; see :func:`saturation.files.headings.readable` for what a reader sees of it.
    title
        Heading above it.
    """
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
