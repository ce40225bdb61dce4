"""Build the site from the finished run, without network: results/site (make site).

Gathers its source in .cache/site: the documentation as it stands in the repository, with each
study's figures and tables as the report describes them; a gallery; an entry for each package of the
library. Then Sphinx runs with warnings as errors (docs/site/conf.py). Every relative link that
leads to a page or a file of the repository is turned to its place on the site; one that leads
nowhere stops it.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from saturation.files.tables import load_table
from studies.boards.names import EMBEDDED

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
SOURCE = ROOT / ".cache" / "site"
SITE = RESULTS / "site"
# Pages that stand in the repository, by the pattern of their names, and their folder on the site.
PAGES = {
    "docs/*.md": "",
    "docs/site/*.md": "",
    "*.md": "",
    "config/README.md": "config",
    "resources/*/README.md": "resources",
}
# A page of the site says the same.
LEFT_OUT = {"README.md": "index.md"}
# Studies that are sections of another study's page.
SECTIONS = {"regression": "plateau", "multiverse": "plateau"}
# Rows of a table that stand on the page of its study.
ROWS = 20
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
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
    "p_again_index_noise": "P(saturated again), by the index's error",
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


class Item(NamedTuple):
    """A figure or table of the report: its file, its name, its caption (HTML), and its script."""

    path: Path
    title: str
    caption: str
    script: Path

    @property
    def study(self) -> str:
        """The study whose page shows it."""
        maker = self.script.parent.name
        return SECTIONS.get(maker, maker)

    @property
    def name(self) -> str:
        """Its anchor."""
        return "-".join(self.path.relative_to(RESULTS).with_suffix("").parts).replace("_", "-")


def items() -> list[Item]:
    """What the report shows, category after category, by a reporter of ours."""
    folders = filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH")))
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--quiet", "all", "--reporter", "items"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    found = []
    for said in map(json.loads, done.stdout.splitlines()):
        script = (ROOT / "workflow" / "rules" / said["script"]).resolve()
        found.append(Item(ROOT / said["path"], said["title"], said["caption"], script))
    return found


def maker(script: Path, figure: str) -> str:
    """Dotted name of the function that draws a figure, found where the figure has its name.

    That is in a dictionary of figures by name, in the script or in a module of figures that it
    imports; a script with a single figure calls its function.
    """
    for path in (script, *figure_modules(script)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [
            value.func
            for node in ast.walk(tree)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values)
            if isinstance(key, ast.Constant) and key.value == figure and isinstance(value, ast.Call)
        ] + [
            node.value.func
            for node in ast.walk(tree)
            if path == script and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            and ast.unparse(node.targets[0]) == "figure"
        ]  # fmt: skip
        if calls:
            return full_name(ast.unparse(calls[0]), tree, path)
    raise SystemExit(f"{script}: no function is found that draws '{figure}'")


def figure_modules(script: Path) -> list[Path]:
    """Files of the modules of figures that a script imports."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    paths = [ROOT / "src" / f"{name.replace('.', '/')}.py" for name in imported(tree).values()]
    return [path for path in paths if path.name.endswith("figures.py") and path.is_file()]


def imported(tree: ast.AST) -> dict[str, str]:
    """Full name of everything of the library that a module imports, by its name there."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("saturation", "studies"))
        for alias in node.names
    }


def full_name(called: str, tree: ast.AST, path: Path) -> str:
    """Dotted name of what a module calls: its own function, or one that it imports."""
    first, _, rest = called.partition(".")
    own = path.with_suffix("").as_posix().rpartition("/src/")[2].replace("/", ".")
    known = imported(tree).get(first, f"{own}.{first}")
    return f"{known}.{rest}" if rest else known


def pages() -> dict[Path, Path]:
    """Where each page of the repository stands on the site."""
    found = {}
    for pattern, folder in PAGES.items():
        for page in sorted(ROOT.glob(pattern)):
            if page.relative_to(ROOT).as_posix() not in LEFT_OUT:
                below = page.parent.name if folder == "resources" else ""
                found[page] = SOURCE / folder / below / page.name
    return found


def linked(text: str, page: Path, place: Path, places: dict[Path, Path]) -> str:
    """The text of a page with its relative links leading to where things are on the site.

    A picture or a file of the repository that is no page comes along.
    """

    def turned(link: re.Match[str]) -> str:
        before, target, anchor, after = link.groups()
        if re.match(r"\w+:", target):
            return link[0]
        file = Path(os.path.normpath(page.parent / target))
        if not file.is_file():
            raise SystemExit(f"{page.relative_to(ROOT)}: the link '{target}' leads nowhere")
        if file not in places:
            name = file.relative_to(ROOT)
            places[file] = SOURCE / LEFT_OUT.get(name.as_posix(), Path("files") / name)
            if name.as_posix() not in LEFT_OUT:
                places[file].parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, places[file])
        return f"{before}{os.path.relpath(places[file], place.parent)}{anchor or ''}{after}"

    # A page named by its file gets the name that it has on the site.
    return re.sub(r"\[[\w/]+\.md\]\(", "[](", LINK.sub(turned, text))


def block(name: str, readme: str) -> str:
    """A part of the README that the results fill."""
    (found,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", readme, re.DOTALL)
    return str(found)


def figure(item: Item) -> str:
    """A figure with its caption and the code that drew it."""
    module, _, function = maker(item.script, item.path.stem).rpartition(".")
    code = os.path.relpath(ROOT / "src" / f"{module.replace('.', '/')}.py", SOURCE)
    return (
        f"({item.name})=\n### {item.title}\n\n![{item.title}]({copied(item, 'figures')})\n\n"
        f"{html(item.caption + '<details><summary>The code that drew it</summary>')}\n"
        f"```{{literalinclude}} {code}\n:pyobject: {function}\n```\n\n{html('</details>')}"
    )


def card(item: Item, page: str) -> str:
    """The same in the gallery: the picture leads to its study, the function to its reference."""
    picture = f"![{item.title}]({copied(item, 'figures')})"
    return (
        f":::{{container}} card\n[{picture}]({page}#{item.name})\n\n"
        f"**{item.title}**\n\n{html(item.caption)}\n"
        f"{{py:func}}`{maker(item.script, item.path.stem)}`\n:::\n"
    )


def table(item: Item) -> str:
    """The first rows of a table with its caption, and a link to all of it."""
    frame = load_table(item.path)
    rows = readable(frame.head(ROWS)).to_html(index=False, border=0, justify="unset")
    shown = f'<div class="table-wrapper docutils container">{rows}</div>'
    address = copied(item, "extra/tables").removeprefix("extra/")
    link = f'<p><a href="{address}">All {len(frame)} rows as CSV</a></p>'
    return f"### {item.title}\n\n{html(item.caption)}\n{html(shown + link)}\n"


def html(text: str) -> str:
    """HTML as it is."""
    return f"```{{raw}} html\n{text}\n```\n"


def copied(item: Item, folder: str) -> str:
    """The address of an item's file, which comes along."""
    address = f"{folder}/{item.name}{item.path.suffix}"
    (SOURCE / folder).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(item.path, SOURCE / address)
    return address


def additions(study: str, found: list[Item]) -> str:
    """What the run adds to a study's page: figures, tables, and the paper's tables."""
    own = [item for item in found if item.study == study]
    drawn = [figure(item) for item in own if item.path.suffix == ".png"]
    tables = [table(item) for item in own if item.path.suffix == ".csv"]
    papers = [] if any("tables" in item.path.parts for item in own) else list(paper_tables(study))
    return "".join(
        f"\n## {title}\n\n" + "\n".join(parts)
        for title, parts in (("Figures", drawn), ("Tables", [*tables, *papers]))
        if parts
    )


def paper_tables(study: str) -> Iterator[str]:
    """The paper's tables as they come out here, their headings two levels down."""
    for path in sorted((RESULTS / study / "tables").glob("*.md")):
        yield re.sub(r"(?m)^# ", "### ", path.read_text(encoding="utf-8"))


def gallery(found: list[Item], titles: dict[str, str]) -> str:
    """Every figure, study after study."""
    parts = []
    for study, title in titles.items():
        cards = [
            card(item, f"{study}.md")
            for item in found
            if item.study == study and item.path.suffix == ".png"
        ]
        if cards:
            parts.append(f"## {title}\n\n::::{{container}} gallery\n" + "".join(cards) + "::::\n")
    return "\n".join(parts)


def reference() -> None:
    """A page for each package of the library, its modules one after the other."""
    (SOURCE / "api").mkdir()
    library = ROOT / "src" / "saturation"
    packages = sorted(path.parent for path in library.glob("*/__init__.py"))
    alone = sorted(path for path in library.glob("*.py") if path.stem != "__init__")
    chapters = {"modules": alone} | {
        package.name: sorted(path for path in package.rglob("*.py") if path.stem != "__init__")
        for package in packages
    }
    for chapter, modules in chapters.items():
        name = f"saturation.{chapter}" if chapter != "modules" else "Single modules"
        parts = [headed(name, "=")]
        if chapter != "modules":
            parts.append(f".. automodule:: {name}\n   :no-members:\n")
        for module in modules:
            dotted = ".".join(module.relative_to(library.parent).with_suffix("").parts)
            parts.append(f"{headed(dotted, '-')}\n.. automodule:: {dotted}\n")
        (SOURCE / "api" / f"{chapter}.rst").write_text("\n".join(parts), encoding="utf-8")


def headed(title: str, line: str) -> str:
    """A heading of reStructuredText."""
    return f"{title}\n{line * len(title)}\n"


SEARCH = """<p><label>Search the checks
<input type="search" id="checks-search" autocomplete="off"></label>
<output id="checks-count"></output></p>{table}<script>
(() => {{
  const rows = [...document.querySelectorAll("#checks tbody tr")];
  const field = document.getElementById("checks-search");
  const show = () => {{
    const words = field.value.toLowerCase().split(/\\s+/);
    const fits = (row) => words.every((word) => row.textContent.toLowerCase().includes(word));
    rows.forEach((row) => {{ row.hidden = !fits(row); }});
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("checks-count").textContent = `${{shown}} of ${{rows.length}} checks`;
  }};
  field.addEventListener("input", show);
  show();
}})();
</script>"""


def checks() -> str:
    """Every check of validation as a table that a reader can search."""
    columns = [
        "check",
        "estimator",
        "statement",
        "scenario",
        "stated",
        "found",
        "trials",
        "verdict",
    ]
    frame = readable(load_table(ROOT / "validation" / "table.csv")[columns])
    rows = frame.to_html(index=False, border=0, justify="unset", table_id="checks")
    shown = f'<div class="table-wrapper docutils container" tabindex="0">{rows}</div>'
    return html(SEARCH.format(table=shown))


def citations() -> str:
    """What to cite, from CITATION.cff."""
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    address = os.environ.get("REPOSITORY") or said.get("repository-code")
    address = (address or "the address that you cloned it from").rstrip("/")
    version = f"version {said['version']}, {said['date-released']}"
    lines = [f"- **{said['title']}**, {version}. {address}."]
    for paper in said["references"]:
        names = [f"{one['given-names']} {one['family-names']}" for one in paper["authors"]]
        address = paper.get("url") or paper.get("repository-code")
        lines.append(f"- {', '.join(names)} ({paper['year']}). [{paper['title']}]({address}).")
    return "\n".join(lines)


def gather() -> None:
    """The source of the site."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for folder in ("extra", "static"):
        (SOURCE / folder).mkdir(parents=True)
    places = pages()
    found = items()
    readme_file = ROOT / "README.md"
    readme = readme_file.read_text(encoding="utf-8")
    texts = {page: page.read_text(encoding="utf-8") for page in places}
    studies = {
        study: texts[page].partition("\n")[0].removeprefix("# ")
        for study in dict.fromkeys(item.study for item in found)
        if (page := ROOT / "docs" / f"{study}.md") in texts
    }
    made = {
        "gallery": gallery(found, studies),
        "citations": citations(),
        "checks": checks(),
    }
    for page, place in places.copy().items():
        text = linked(texts[page], page, place, places)
        for name in re.findall(r"<!-- from README: (\w+) -->", text):
            part = linked(block(name, readme), readme_file, place, places)
            text = text.replace(f"<!-- from README: {name} -->", part)
        for name, content in made.items():
            text = text.replace(f"<!-- made: {name} -->", content)
        if page.parent in (ROOT / "docs", ROOT / "docs" / "site"):
            text += additions(page.stem, found)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    reference()
    shutil.copy(ROOT / "docs/site/conf.py", SOURCE)
    shutil.copy(ROOT / "docs/site/site.css", SOURCE / "static")
    copy_dashboard(SOURCE / "extra" / "dashboard")


def copy_dashboard(folder: Path) -> None:
    """Copy the dashboard with a link from each of its pages to the site."""
    shutil.copytree(RESULTS / "dashboard", folder)
    for page in folder.rglob("*.html"):
        root = "../" * len(page.relative_to(folder).parts)
        link = f'<a href="{root}index.html">Documentation</a>'
        text = page.read_text(encoding="utf-8").replace("<!-- site -->", link, 1)
        page.write_text(text, encoding="utf-8")


def main() -> None:
    """Gather and build."""
    gather()
    shutil.rmtree(SITE, ignore_errors=True)
    words = ["--fail-on-warning", "--keep-going", "--quiet", "--doctree-dir", ".cache/doctrees"]
    command = [sys.executable, "-m", "sphinx", *words, str(SOURCE), str(SITE)]
    subprocess.run(command, cwd=ROOT, check=True)
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"{SITE / 'index.html'}: {len(list(SITE.rglob('*.html')))} pages, {size / 1e6:.0f} MB")


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


if __name__ == "__main__":
    main()
