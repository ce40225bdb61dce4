"""The dashboard: light pages that hold their data, need no network and link each other."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from saturation import __version__
from saturation.files.tables import NamedTables
from saturation.index import BINS
from saturation.own.card import Card
from saturation.pages import templates as drawn
from studies.dashboard import rows
from studies.dashboard.rows import Behind, records
from studies.style import BIN_COLOURS, CYCLE, GREY

# A chart dims what the table's filter leaves out: the page sets this parameter to a list of ids.
PICKED = "picked === null || datum.id === null || indexof(picked, datum.id) >= 0"


def age_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Draw saturation over age: a point a benchmark, with its interval."""
    points = rows.dropna(subset=["age", "s_index"])
    base = alt.Chart(_data(points)).encode(
        x=alt.X(
            "age:Q",
            title="age (months since release)",
            scale=alt.Scale(nice=False, zero=False, padding=8),
        ),
        opacity=alt.condition(PICKED, alt.value(0.95), alt.value(0.08)),
    )
    bars = base.mark_rule(strokeWidth=1, color=GREY).encode(
        y=alt.Y("s_lower:Q", title="saturation index S"),
        y2="s_upper:Q",
        opacity=alt.condition(PICKED, alt.value(0.4), alt.value(0.05)),
    )
    about = "Saturation index over age, a point a benchmark; the table below has the numbers"
    return _spec(bars + _points(base, "s_index:Q", "saturation index S"), about)


def compression_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Score compression: the gap of the top five over the best score."""
    in_points = _convert_to_points(rows)
    base = alt.Chart(_data(in_points, "best", "points")).encode(
        x=alt.X("best:Q", title="best score (%)", scale=alt.Scale(domain=[0, 100])),
        opacity=alt.condition(PICKED, alt.value(0.95), alt.value(0.08)),
    )
    scale = alt.Scale(type="symlog", constant=1)
    axis = alt.Axis(values=[0, 1, 2, 5, 10, 20, 50])
    about = (
        "Gap of the top over the best score, a point a benchmark; the table below has the numbers"
    )
    points = _points(base, "points:Q", "gap from first to k-th (points)", scale, axis)
    return _spec(points, about)


def bdi_chart(monthly: pd.DataFrame) -> dict[str, Any]:
    """Draw discriminability over time, each submitter counted once: a line a benchmark."""
    columns = ["id", "benchmark", "month", "n_models", "n_submitters", "bdi_submitters"]
    shown_values = monthly[columns].assign(interval=monthly.apply(_interval, axis=1))
    line = alt.selection_point(name="line", fields=["benchmark"], bind="legend")
    selected = "!length(data('line_store')) || vlSelectionTest('line_store', datum)"
    opacity = alt.condition(f"({PICKED}) && ({selected})", alt.value(1), alt.value(0.1))
    base = alt.Chart(_values(shown_values)).encode(
        x=alt.X("month:T", title=None, axis=alt.Axis(format="%b %Y", labelAngle=-40)),
        y=alt.Y("bdi_submitters:Q", title="BDI", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color(
            "benchmark:N",
            scale=alt.Scale(range=CYCLE),
            legend=alt.Legend(title=None, orient="bottom", columns=3),
        ),
        shape=alt.Shape("benchmark:N", legend=None),
        opacity=opacity,
    )
    points = base.mark_point(filled=True, size=45).encode(
        tooltip=[
            "benchmark:N",
            alt.Tooltip("month:T", format="%b %Y"),
            alt.Tooltip("bdi_submitters:Q", format=".3f", title="BDI"),
            alt.Tooltip("interval:N", title="interval"),
            alt.Tooltip("n_submitters:Q", title="submitters"),
            alt.Tooltip("n_models:Q", title="models"),
        ]
    )
    about = "BDI month by month, a line a benchmark; the table monthly.csv has the numbers"
    return _spec((base.mark_line(strokeWidth=2) + points).add_params(line), about)


def _interval(month: pd.Series) -> str:
    """Write the interval of a month's index in words, or the reason for its absence."""
    if pd.isna(month["bdi_submitters_lower"]):
        return f"none: {month['reason']}"
    return f"{month['bdi_submitters_lower']:.3f} to {month['bdi_submitters_upper']:.3f}"


def draw_all(rows: pd.DataFrame) -> dict[str, Any]:
    """Draw the charts of all benchmarks, with the fields by which a brush picks rows."""
    scored = _convert_to_points(rows)
    return {
        "age": {
            "spec": age_chart(rows),
            "fields": ["age", "s_index"],
            "records": records(rows[["id", "age", "s_index"]]),
        },
        "compression": {
            "spec": compression_chart(rows),
            "fields": ["best", "points"],
            "records": records(scored[["id", "best", "points"]]),
        },
    }


def draw_months(months: NamedTables) -> dict[str, Any]:
    """Draw a chart of discriminability over time for each leaderboard."""
    return {
        f"bdi-{place}": {"spec": bdi_chart(table)} for place, table in enumerate(months.values())
    }


def _convert_to_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with scores, best score and gap in percent for the axes."""
    return rows.dropna(subset=["s_1", "gap"]).assign(
        best=lambda table: 100 * table["s_1"], points=lambda table: 100 * table["gap"]
    )


def _points(
    base: alt.Chart, y: str, title: str, scale: Any = alt.Undefined, axis: Any = alt.Undefined
) -> alt.Chart:
    """Points coloured by bin and shaped by origin, with a brush that the page listens to."""
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    points: alt.Chart = (
        base.mark_point(filled=True, size=70, stroke=GREY, strokeWidth=1)
        .encode(
            y=alt.Y(y, title=title, scale=scale, axis=axis),
            color=alt.Color(
                "bin:N",
                sort=BINS,
                scale=alt.Scale(domain=BINS, range=[BIN_COLOURS[name] for name in BINS]),
                legend=alt.Legend(
                    title=None,
                    orient="bottom",
                    labelExpr="replace(datum.label, '_', ' ')",
                    columns=3,
                ),
            ),
            shape=alt.Shape(
                "origin:N",
                scale=alt.Scale(domain=["published", "your own"], range=["circle", "diamond"]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("name:N", title="benchmark"),
                alt.Tooltip("s_index:Q", format=".2f", title="S"),
                alt.Tooltip("first_and_kth:N", title="first and k-th"),
                alt.Tooltip("age:Q", format=".0f", title="age (months)"),
                alt.Tooltip("n:Q", format=",", title="n"),
            ],
        )
        .add_params(brush)
    )
    return points


def _data(rows: pd.DataFrame, *more: str) -> alt.Data:
    columns = ["id", "name", "s_index", "s_lower", "s_upper", "bin", "first_and_kth", "age", "n"]
    table = rows[[*columns, *more]].assign(
        origin=rows["own"].map({True: "your own", False: "published"})
    )
    return _values(table)


def _values(table: pd.DataFrame) -> alt.Data:
    return alt.Data(values=records(table))  # type: ignore[no-untyped-call]  # altair leaves it out


def _spec(chart: Any, about: str) -> dict[str, Any]:
    """Return the specification; a screen reader hears the chart's subject."""
    sized = chart.properties(width="container", height=300, description=about).add_params(
        alt.param(name="picked", value=None)
    )
    spec: dict[str, Any] = sized.to_dict()
    return spec


STYLE, SCRIPT, BUNDLE = "assets/dashboard.css", "assets/dashboard.js", "assets/vega.js"
PREVIEW = "assets/preview.png"
NO_LEDGER: dict[str, Any] = {"claims": [], "verdicts": {}, "papers": []}


def pages(
    tables: NamedTables,
    cards: Sequence[Card],
    known: Behind,
    templates: Mapping[str, str],
    settings: Mapping[str, Any],
) -> Iterator[tuple[str, str]]:
    """Every page of the dashboard; every value in them is escaped.

    Yields
    ------
    tuple
        Path in the dashboard's folder, and text.
    """
    content = _content(tables, cards, known, settings)
    render = drawn.load_together(templates)
    yield STYLE, render("dashboard.css.j2", {"colours": BIN_COLOURS})
    yield SCRIPT, templates["dashboard.js"]
    for path, name, more in _listed(content, known):
        root = "../" * path.count("/")
        specs = embedded(more.get("specs", {}))
        yield path, render(name, {**content, **more, "specs": specs, "root": root, "path": path})


def _content(
    tables: NamedTables, cards: Sequence[Card], known: Behind, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the content that all pages share."""
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    if cards:
        listed = pd.concat([listed, rows.list_cards(cards)], ignore_index=True)
    listed = listed.sort_values("s_index", ascending=False, kind="stable", ignore_index=True)
    months = rows.all_months(tables.get("monthly"), cards, listed)
    boards = rows.boards(tables, listed)
    models = rows.list_models(boards, cards)
    statuses = rows.statuses(tables["status"], tables["frontier"], boards)
    judged = (
        rows.content(tables["ledger"], tables["evidence"], set(known.sources["name"]))
        if "ledger" in tables and "evidence" in tables
        else NO_LEDGER
    )
    return {
        "settings": settings,
        "counts": rows.counts(listed, settings["saturated_from"]),
        "bins": BINS,
        "listed": listed,
        "rows": [row | {"address": rows.benchmark(row["id"])} for row in rows.records(listed)],
        "cards": {rows.card_id(card): card for card in cards},
        "tops": rows.tops(tables["top_scores"], cards),
        "facts": rows.facts(tables["benchmarks"], settings["observed_on"]),
        "status": statuses,
        "now": {row["id"]: row for row in statuses},
        "news": rows.news(statuses),
        "status_counts": rows.count_statuses(statuses),
        "curve": rows.CURVE,
        "months": months,
        "boards": boards,
        "models": models,
        "anchors": {model["model"]: model["anchor"] for model in models},
        "sources": rows.records(known.sources),
        "origins": rows.origins(tables, settings["observed_on"], cards),
        "version": __version__,
        "releases": rows.list_releases(tables.get("releases")),
        "rankings": rows.list_suites(tables.get("rankings"), "aggregate"),
        "tasks": rows.list_suites(tables.get("tasks"), "task"),
        **judged,
    }


def _listed(content: Mapping[str, Any], known: Behind) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, template and own content of every page."""
    listed, months = content["listed"], content["months"]
    yield "index.html", "index", {"specs": draw_all(listed)}
    yield "time.html", "time", {"specs": draw_months(months)}
    for name in ("ledger", "models", "sources", "releases", "suites"):
        yield f"{name}.html", name, {}
    for paper in content["papers"]:
        claims = [claim for claim in content["claims"] if claim["paper"] == paper["name"]]
        yield f"papers/{paper['name']}.html", "paper", {"paper": paper, "claims": claims}
    boards = {board["id"]: board for board in content["boards"]}
    # A later row of the same benchmark tells more of it.
    subjects = [
        *({"id": name, "name": row["benchmark"]} for name, row in content["now"].items()),
        *({"id": name, "name": board["title"]} for name, board in boards.items()),
        *content["rows"],
    ]
    for name, row in {subject["id"]: subject for subject in subjects}.items():
        months_of = {
            board: course
            for board, table in months.items()
            if len(course := table[table["id"] == name])
        }
        own_content = {
            "row": row,
            "board": boards.get(name),
            "courses": {board: rows.records(course) for board, course in months_of.items()},
            "specs": draw_months(months_of),
        }
        yield f"benchmarks/{name}.html", "benchmark", own_content
    for name, table in rows.tables(known).items():
        yield f"data/{name}.html", "table", {"table": table, "copy": f"{name}.csv"}
    for name, module in rows.modules(known).items():
        yield f"code/{name}.html", "code", {"module": module}


def embedded(content: Any) -> str:
    """JSON that can stand inside a script element whatever its strings hold; empty for nothing."""
    if not content:
        return ""
    text = json.dumps(content, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


FINDINGS = ".. findings\n"
CLAIMS = ".. claims\n"
PROVENANCE = ".. provenance\n"
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
_CODE = re.compile(r"`([^`<>]+)`(?!_)")


def landing(
    text: str,
    findings: str,
    quoted: Mapping[str, Any],
    summary: pd.DataFrame,
    provenance: Mapping[str, str],
) -> str:
    """Render the report's front page as reStructuredText: results and sources."""
    points = [point for point in re.split(r"(?m)^(?=- )", findings) if point]
    sentences = "".join(
        _restructured(drawn.quoting(point, quoted))
        for point in points
        if set(re.findall(r"{(\w+)", point)) <= set(quoted)
    )
    facts = "".join(f":{name}: {fact}\n" for name, fact in provenance.items())
    text = text.replace(FINDINGS, _under("What comes out", sentences))
    text = text.replace(CLAIMS, _under("The papers' claims", _table(summary)))
    return text.replace(PROVENANCE, _under("What it was made from", facts))


def provenance(manifest: Mapping[str, Any], origin: Mapping[str, str]) -> dict[str, str]:
    """Describe a run's sources in words."""
    (lock, digits), *_ = manifest["lock"].items()
    inputs, outputs = manifest["inputs"], manifest["outputs"]
    return {
        "Code": f"commit ``{origin['commit']}``",
        "Packages": f"``{lock}``, SHA-256 ``{digits}``; Python {origin['python']}",
        "Data": f"{len(inputs)} files in ``resources/``; the plateau paper's benchmarks as of "
        f"{manifest['config']['plateau']['observed_on']}",
        "Random draws": f"from the seed {manifest['config']['seed']}",
        "Results": f"{len(outputs)} files; each with its hash in ``results/manifest.json``",
        "Machine": origin["system"],
    }


def _under(heading: str, text: str) -> str:
    """Render a section; empty without text."""
    return f"{heading}\n{'-' * len(heading)}\n\n{text}\n" if text else ""


def _restructured(markdown: str) -> str:
    """Write links and code as reStructuredText; the report lies a folder below the README."""
    return _LINK.sub(r"`\1 <../\2>`__", _CODE.sub(r"``\1``", markdown))


def _table(frame: pd.DataFrame) -> str:
    rows = frame.to_csv(index=False).splitlines()
    return ".. csv-table::\n   :header-rows: 1\n\n" + "".join(f"   {row}\n" for row in rows)
