"""The dashboard's charts: Vega-Lite specifications that hold their own data."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from saturation.dashboard.rows import records
from saturation.drawing.style import BIN_COLOURS, CYCLE, PALETTE
from saturation.index import BINS

# A chart dims what the table's filter leaves out: the page sets this parameter to a list of ids.
PICKED = "picked === null || datum.id === null || indexof(picked, datum.id) >= 0"


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
    """Discriminability over time, each submitter counted once: one line a benchmark.

    Parameters
    ----------
    monthly
        ``id`` (of the table's row, missing if it has none), ``benchmark, month, n_models,
        n_submitters, bdi_submitters`` with ``_lower`` and ``_upper``, ``reason``.
    """
    columns = ["id", "benchmark", "month", "n_models", "n_submitters", "bdi_submitters"]
    shown_values = monthly[columns].assign(
        interval=[_interval(row) for _, row in monthly.iterrows()]
    )
    line = alt.selection_point(name="line", fields=["benchmark"], bind="legend")
    chosen = "!length(data('line_store')) || vlSelectionTest('line_store', datum)"
    shown = alt.condition(f"({PICKED}) && ({chosen})", alt.value(1), alt.value(0.1))
    base = alt.Chart(_values(shown_values)).encode(
        x=alt.X("month:T", title=None, axis=alt.Axis(format="%b %Y", labelAngle=-40)),
        y=alt.Y("bdi_submitters:Q", title="BDI", scale=alt.Scale(domain=[0, 1])),
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
            alt.Tooltip("bdi_submitters:Q", format=".3f", title="BDI"),
            alt.Tooltip("interval:N", title="interval"),
            alt.Tooltip("n_submitters:Q", title="submitters"),
            alt.Tooltip("n_models:Q", title="models"),
        ],
    )
    return _spec((base.mark_line(strokeWidth=2) + points).add_params(line))


def _interval(month: pd.Series) -> str:
    """The interval of a month's index in words, or why there is none."""
    if pd.isna(month["bdi_submitters_lower"]):
        return f"none: {month['reason']}"
    return f"{month['bdi_submitters_lower']:.3f} to {month['bdi_submitters_upper']:.3f}"


def specifications(rows: pd.DataFrame, months: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Every chart's specification, with the records and fields by which a brush picks rows.

    Parameters
    ----------
    rows
        The table's rows.
    months
        :func:`saturation.dashboard.rows.all_months`.
    """
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


def _in_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with scores, best score and gap in percent for the axes."""
    return rows.dropna(subset=["s_1", "gap"]).assign(
        best=lambda table: 100 * table["s_1"], points=lambda table: 100 * table["gap"]
    )


def _points(
    base: alt.Chart,
    y: str,
    title: str,
    scale: Any = alt.Undefined,
    axis: Any = alt.Undefined,
) -> alt.Chart:
    """Points coloured by bin and shaped by origin, with a brush that the page listens to."""
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    points: alt.Chart = (
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
                alt.Tooltip("s_index:Q", format=".2f", title="S"),
                alt.Tooltip("p_saturated:Q", format=".2f", title="P(saturated)"),
                alt.Tooltip("age:Q", format=".0f", title="age (months)"),
                alt.Tooltip("n:Q", format=",", title="n"),
            ],
        )
        .add_params(brush)
    )
    return points


def _data(rows: pd.DataFrame, *more: str) -> alt.Data:
    columns = ["id", "name", "s_index", "s_lower", "s_upper", "bin", "p_saturated", "age", "n"]
    table = rows[[*columns, *more]].assign(
        origin=rows["own"].map({True: "your own", False: "published"})
    )
    return _values(table)


def _values(table: pd.DataFrame) -> alt.Data:
    return alt.Data(values=records(table))  # type: ignore[no-untyped-call]  # altair leaves it out


def _spec(chart: Any) -> dict[str, Any]:
    sized = chart.properties(width="container", height=300).add_params(
        alt.param(name="picked", value=None)
    )
    spec: dict[str, Any] = sized.to_dict()
    return spec
