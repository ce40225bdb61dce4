"""One page on all benchmarks: what its table, its plots and its pages for each benchmark show."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from saturation.drawing import pages
from saturation.drawing.style import BIN_COLOURS, CYCLE, PALETTE
from saturation.index import BINS

COLUMNS = [
    "id",
    "name",
    "s_index",
    "s_lower",
    "s_upper",
    "bin",
    "p_saturated",
    "age",
    "n",
    "s_1",
    "s_k",
    "gap",
    "own",
    "synthetic",
]
# A chart dims what the table's filter leaves out: the page sets this parameter to a list of ids.
PICKED = "picked === null || datum.id === null || indexof(picked, datum.id) >= 0"


def published(
    benchmarks: pd.DataFrame, index: pd.DataFrame, intervals: pd.DataFrame
) -> pd.DataFrame:
    """The plateau study's benchmarks as rows of the dashboard's table.

    Parameters
    ----------
    benchmarks
        ``benchmark_id, name, months_at_observation``.
    index
        ``benchmark_id, n_test, s_1, s_k, s_index, bin``.
    intervals
        ``benchmark_id, s_lower, s_upper, p_saturated``.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`; scores are proportions, ages months.
    """
    table = benchmarks[["benchmark_id", "name", "months_at_observation"]].merge(
        index[["benchmark_id", "n_test", "s_1", "s_k", "s_index", "bin"]], on="benchmark_id"
    )
    table = table.merge(
        intervals[["benchmark_id", "s_lower", "s_upper", "p_saturated"]], on="benchmark_id"
    )
    return table.rename(
        columns={"benchmark_id": "id", "months_at_observation": "age", "n_test": "n"}
    ).assign(gap=lambda rows: rows["s_1"] - rows["s_k"], own=False, synthetic=False)[COLUMNS]


def from_cards(cards: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The user's benchmarks as rows of the table.

    P(saturated) is here the one with the index's own noise, so that it means the same in all rows;
    a benchmark whose metric has no range has no score columns.
    """
    rows = []
    for card in cards:
        index = (card["frontier"] or {}).get("index") or {}
        scale = card["data"]["family"] not in ("rating", "other")
        rows.append(
            {
                "id": f"own-{card['benchmark']}",
                "name": card["benchmark"],
                "s_index": index.get("s_index"),
                "s_lower": index.get("lower"),
                "s_upper": index.get("upper"),
                "bin": index.get("bin"),
                "p_saturated": index.get("p_saturated_index_noise"),
                "age": months_between(card["released"], card["observed_on"]),
                "n": card["data"]["n_items"],
                "s_1": index.get("s_1") if scale else None,
                "s_k": index.get("s_k") if scale else None,
                "gap": index["s_1"] - index["s_k"] if scale and index else None,
                "own": True,
                "synthetic": card["synthetic"],
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def months_between(start: str | None, end: str) -> float | None:
    """Age in months of 30.44 days, as in the plateau paper; None without a start."""
    if start is None:
        return None
    return (pd.Timestamp(end) - pd.Timestamp(start)).days / 30.44


def age_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Saturation over age: one point a benchmark, with its interval."""
    shown = rows.dropna(subset=["age", "s_index"])
    base = alt.Chart(_data(shown)).encode(
        x=alt.X(
            "age:Q",
            title="age (months since release)",
            scale=alt.Scale(nice=False, zero=False, padding=8),
        ),
        opacity=alt.condition(PICKED, alt.value(0.95), alt.value(0.08)),
    )
    bars = base.mark_rule(strokeWidth=1, color=PALETTE["grey"]).encode(
        y=alt.Y("s_lower:Q", title="saturation index S"),
        y2="s_upper:Q",
        opacity=alt.condition(PICKED, alt.value(0.4), alt.value(0.05)),
    )
    return _spec(bars + _points(base, "s_index:Q", "saturation index S"))


def compression_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Score compression: the gap of the top five over the best score."""
    shown = _in_points(rows)
    base = alt.Chart(_data(shown, "best", "points")).encode(
        x=alt.X("best:Q", title="best score (%)", scale=alt.Scale(domain=[0, 100])),
        opacity=alt.condition(PICKED, alt.value(0.95), alt.value(0.08)),
    )
    scale = alt.Scale(type="symlog", constant=1)
    axis = alt.Axis(values=[0, 1, 2, 5, 10, 20, 50])
    return _spec(_points(base, "points:Q", "gap from first to k-th (points)", scale, axis))


def bdi_chart(monthly: pd.DataFrame) -> dict[str, Any]:
    """Discriminability over time: one line a benchmark of one leaderboard.

    Parameters
    ----------
    monthly
        ``id`` (of the table's row, missing if it has none), ``benchmark, month, n_models, bdi,
        bdi_lower, bdi_upper``.
    """
    columns = ["id", "benchmark", "month", "n_models", "bdi", "bdi_lower", "bdi_upper"]
    line = alt.selection_point(name="line", fields=["benchmark"], bind="legend")
    chosen = "!length(data('line_store')) || vlSelectionTest('line_store', datum)"
    shown = alt.condition(f"({PICKED}) && ({chosen})", alt.value(1), alt.value(0.1))
    base = alt.Chart(alt.Data(values=records(monthly[columns]))).encode(
        x=alt.X("month:T", title=None, axis=alt.Axis(format="%b %Y", labelAngle=-40)),
        y=alt.Y("bdi:Q", title="BDI", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color(
            "benchmark:N",
            scale=alt.Scale(range=[PALETTE[name] for name in CYCLE]),
            legend=alt.Legend(title=None, orient="bottom", columns=3),
        ),
        shape=alt.Shape("benchmark:N", legend=None),
        opacity=shown,
    )
    points = base.mark_point(filled=True, size=45).encode(
        tooltip=[
            alt.Tooltip("benchmark:N"),
            alt.Tooltip("month:T", format="%b %Y"),
            alt.Tooltip("bdi:Q", format=".3f", title="BDI"),
            alt.Tooltip("bdi_lower:Q", format=".3f", title="lower"),
            alt.Tooltip("bdi_upper:Q", format=".3f", title="upper"),
            alt.Tooltip("n_models:Q", title="models"),
        ],
    )
    return _spec((base.mark_line(strokeWidth=2) + points).add_params(line))


def all_months(
    monthly: pd.DataFrame | None, cards: Sequence[Mapping[str, Any]], rows: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Monthly discriminability of each leaderboard, the user's own last, with the rows' ids.

    A published line belongs to the row whose name has the same letters and digits.
    """
    ids = {_letters(name): str(key) for name, key in zip(rows["name"], rows["id"]) if name}
    boards = {} if monthly is None else dict(list(monthly.groupby("leaderboard", sort=True)))
    own = [
        pd.DataFrame(card["history"]["months"]).assign(benchmark=card["benchmark"])
        for card in cards
        if not card["history"]["abstains"]
    ]
    if own:
        boards["your own"] = pd.concat(own, ignore_index=True)
    return {
        str(name): table.assign(id=[ids.get(_letters(one)) for one in table["benchmark"]])
        for name, table in boards.items()
    }


def specifications(rows: pd.DataFrame, months: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Every chart's specification, with the records and fields by which a brush picks rows."""
    charts: dict[str, Any] = {
        "age": {
            "spec": age_chart(rows),
            "fields": ["age", "s_index"],
            "records": records(rows[["id", "age", "s_index"]]),
        },
        "compression": {
            "spec": compression_chart(rows),
            "fields": ["best", "points"],
            "records": records(_in_points(rows)[["id", "best", "points"]]),
        },
    }
    for place, table in enumerate(months.values()):
        charts[f"bdi-{place}"] = {"spec": bdi_chart(table), "fields": None, "records": []}
    return charts


def counts(rows: pd.DataFrame, saturated_from: float) -> dict[str, int]:
    """Sample sizes for headings and captions."""
    saturated = rows["s_index"].astype(float) >= saturated_from
    mine = rows["own"].astype(bool)
    return {
        "published": int((~mine).sum()),
        "published_saturated": int((saturated & ~mine).sum()),
        "own": int(mine.sum()),
        "own_saturated": int((saturated & mine).sum()),
        "aged": int(rows[["age", "s_index"]].notna().all(axis=1).sum()),
        "scored": int(rows[["s_1", "gap"]].notna().all(axis=1).sum()),
    }


def tops(
    top_scores: pd.DataFrame, cards: Sequence[Mapping[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """The top models of each benchmark with a label, and a bar's length for bounded scores."""
    listed: dict[str, list[dict[str, Any]]] = {}
    ordered = top_scores.sort_values(["benchmark_id", "score"], ascending=[True, False])
    for row in ordered.itertuples():
        model = None if pd.isna(row.model) else str(row.model)
        listed.setdefault(str(row.benchmark_id), []).append(_top(model, float(row.score), True))
    for card in cards:
        bounded = card["data"]["family"] not in ("rating", "other")
        models = (card["frontier"] or {}).get("models") or []
        listed[f"own-{card['benchmark']}"] = [
            _top(model["model"], model["score"], bounded) for model in models[:10]
        ]
    return listed


def facts(benchmarks: pd.DataFrame) -> dict[str, dict[str, str]]:
    """What the annotation says of each benchmark, in words; what is missing is left out."""
    titles = {
        "released": "released",
        "citations": "citations",
        "availability": "test set",
        "languages": "languages",
        "output_format": "answers",
        "input_format": "task",
        "metrics": "metrics",
        "flags": "flags",
    }
    table = benchmarks.set_index("benchmark_id")[list(titles)].rename(columns=titles)
    return {
        str(name): {
            str(title): _in_words(value) for title, value in row.items() if not pd.isna(value)
        }
        for name, row in table.iterrows()
    }


def ledger_content(ledger: pd.DataFrame | None) -> dict[str, Any]:
    """The ledger's rows, and how often each verdict occurs."""
    if ledger is None:
        return {"ledger": [], "verdicts": {}, "studies": []}
    shown = ledger.assign(
        computed=[_short(value) for value in ledger["computed"]],
        published=[_short(value) for value in ledger["published"]],
    )
    return {
        "ledger": records(shown),
        "verdicts": {str(name): int(n) for name, n in ledger["verdict"].value_counts().items()},
        "studies": sorted(ledger["study"].unique()),
    }


def embedded(content: Any) -> str:
    """JSON that can stand inside a script element whatever its strings hold."""
    text = json.dumps(content, sort_keys=True, allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(template: str, content: Mapping[str, Any]) -> str:
    """The page from its template; every value but the assets is escaped."""
    return pages.page(template, content)


def _in_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with scores, best score and gap in percent for the axes."""
    return rows.dropna(subset=["s_1", "gap"]).assign(
        best=lambda table: 100 * table["s_1"], points=lambda table: 100 * table["gap"]
    )


def _top(model: str | None, score: float, bounded: bool) -> dict[str, Any]:
    label = pages.percent(score) if bounded else pages.number(score, 1)
    return {"model": model, "label": label, "share": round(score, 4) if bounded else None}


def _letters(name: Any) -> str:
    return "".join(character for character in str(name).lower() if character.isalnum())


def _in_words(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return f"{int(value):,}"
    return str(value).replace(";", ", ").replace("_", " ")


def _short(value: Any) -> str:
    """A number with four digits; text as it is; nothing for what is missing."""
    if value is None or pd.isna(value):
        return ""
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return str(value)


def _points(
    base: alt.Chart,
    y: str,
    title: str,
    scale: Any = alt.Undefined,
    axis: Any = alt.Undefined,
) -> alt.Chart:
    """Points coloured and shaped by bin, with a brush that the page listens to."""
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    return (
        base.mark_point(filled=True, size=70, stroke=PALETTE["grey"], strokeWidth=1)
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
                alt.Tooltip("s_index:Q", format=".2f", title="S index"),
                alt.Tooltip("p_saturated:Q", format=".2f", title="P(saturated)"),
                alt.Tooltip("age:Q", format=".0f", title="age (months)"),
                alt.Tooltip("n:Q", format=",", title="n"),
            ],
        )
        .add_params(brush)
    )


def _data(rows: pd.DataFrame, *more: str) -> alt.Data:
    columns = ["id", "name", "s_index", "s_lower", "s_upper", "bin", "p_saturated", "age", "n"]
    table = rows[[*columns, *more]].assign(
        origin=rows["own"].map({True: "your own", False: "published"})
    )
    return alt.Data(values=records(table))


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain values, missing ones as None, floats short: the page is sent about."""
    records = table.astype(object).where(table.notna(), None).to_dict("records")
    return [
        {
            str(key): round(value, 6) if isinstance(value, float) else value
            for key, value in row.items()
        }
        for row in records
    ]


def _spec(chart: Any) -> dict[str, Any]:
    sized = chart.properties(width="container", height=300).add_params(
        alt.param(name="picked", value=None)
    )
    spec: dict[str, Any] = sized.to_dict()
    return spec
