"""Write a comparison for a terminal, for a pull request, as a page and as JSON."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from saturation.compare.gate import Flips, Outcome
from saturation.compare.sequential import Plan, Stability
from saturation.compare.suite import WORSE, Judged, Suite
from saturation.errors import MOST_NAMES, list_first
from saturation.pages import templates as show

HEADER = ("benchmark", "items", "baseline", "candidate", "difference", "p", "p (Holm)", "answer")
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{{ title }}</title>
<style>body{font:15px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.2rem .6rem;text-align:left;
border-bottom:1px solid #ccc}</style>
<h1>{{ title }}</h1><p>{{ summary }}</p>
<table><tr>{% for name in header %}<th>{{ name }}</th>{% endfor %}</tr>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>
{% for label, sentence in lines %}<p><b>{{ label }}</b> {{ sentence }}</p>
{% endfor %}</html>
"""
MARKDOWN = """### {{ title | md }}

{{ summary | md }}

| {{ header | join(" | ") }} |
|{{ "---|" * header | length }}
{% for row in rows %}
| {{ row | map("md") | join(" | ") }} |
{% endfor %}

{% for label, sentence in lines %}
- **{{ label }}**: {{ sentence | md }}
{% endfor %}
"""


@dataclass(frozen=True)
class Report:
    """All that is said about two versions."""

    baseline: str
    candidate: str
    question: str
    summary: str
    suite: Suite
    gate: Outcome | None = None
    flips: Mapping[str, Flips] | None = None
    notes: Sequence[str] = ()

    @property
    def title(self) -> str:
        """Names of both versions and, of a gate, its decision."""
        decision = f": {self.gate.decision.upper()}" if self.gate else ""
        return f"{self.candidate} against {self.baseline}{decision}"


def write_text(report: Report) -> str:
    """Write the comparison for a terminal."""
    rows = [HEADER, *map(_cells, report.suite.rows)]
    lines = [report.title, *show.wrap(report.summary, ""), ""]
    table = _align(rows)
    if max(map(len, table)) > show.terminal_width():
        # Benchmarks above their numbers, without the unadjusted p-values.
        numbers = _align([("", *row[1:5], *row[6:]) for row in rows])
        table = [line for row, line in zip(rows, numbers) for line in (row[0], line)]
    lines += table
    for label, sentence in _lines(report):
        lines += show.wrap(sentence, " " * 12, f"{label:10}  ")
    return show.plain("\n".join(lines))


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Pad the cells of each column to its width."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def write_markdown(report: Report) -> str:
    """Write the comparison as Markdown, for a pull request or a job's summary."""
    return show.markdown(MARKDOWN, _content(report))


def write_page(report: Report) -> str:
    """Write the comparison as a page that needs no other file."""
    return show.page(PAGE, _content(report))


def encode_report(report: Report) -> dict[str, Any]:
    """Return the comparison for JSON."""
    content = asdict(report)
    if report.gate:
        content["gate"]["exit_code"] = report.gate.exit_code
    return content


def describe_plan(plans: Mapping[str, Plan], checks: Mapping[str, Stability | None]) -> str:
    """Write for a terminal what a suite can show by its baseline alone, and its A/A check."""
    lines = []
    for task, plan in plans.items():
        lines.append(
            f"{task}: {plan.n_items:,} items in {show.counted(plan.runs, 'run')} show a drop of "
            f"{show.points(plan.detectable)} or more (80 % power, one-sided 5 %); a drop of "
            f"{show.points(plan.margin)} needs {show.counted(plan.runs_for_margin, 'run')} of each "
            f"version, or {plan.items_for_margin:,} items"
        )
        if check := checks.get(task):
            lines.append(
                f"  A/A: between two runs of this version {check.flipped:.1f} items change "
                f"({check.flaky} are flaky) and the score moves by up to "
                f"{show.points(check.largest_change)}; 'drop > {show.points(plan.margin)}' would "
                f"be red in {show.percent(check.red_at_margin, 0)} of comparisons with nothing "
                "changed"
            )
    return "\n".join(lines)


def _content(report: Report) -> dict[str, Any]:
    return {
        "title": report.title,
        "summary": report.summary,
        "header": HEADER,
        "rows": [_cells(row) for row in report.suite.rows],
        "lines": list(_lines(report)),
    }


def _cells(row: Judged) -> tuple[str, ...]:
    tested, (before, now) = row.item.difference, row.item.scores
    # No share is above 1: such a score is a rating, read as if it were a percentage.
    scores = [show.percent(x) if x <= 1 else f"{100 * x:,.1f}" for x in (before, now)]
    head = row.item.task, f"{tested.n_items:,}" if tested else "", *scores
    if tested is None:
        return *head, f"{100 * (now - before):+.1f}", "", "", row.answer
    change = f"{100 * tested.value:+.1f} ({100 * tested.lower:+.1f} to {100 * tested.upper:+.1f})"
    p_values = [
        show.probability(p).removeprefix("p ").removeprefix("= ")
        for p in (tested.p_value, row.p_adjusted)
    ]
    return *head, change, *p_values, row.answer


def _lines(report: Report) -> Iterator[tuple[str, str]]:
    suite = report.suite
    if report.gate:
        for reason in report.gate.reasons:
            yield report.gate.decision, reason
    if math.isfinite(suite.mean_lower):
        yield (
            "mean",
            f"{100 * suite.mean:+.1f} points ({100 * suite.mean_lower:+.1f} to "
            f"{100 * suite.mean_upper:+.1f}) over the benchmarks, by their spread",
        )
    plain = suite.plain
    yield "unadjusted", f"better on {plain['better']}, worse on {plain['worse']}"
    yield "question", f"difference on {report.question}; points, 95 % intervals"
    for row in suite.rows:
        for sentence in filter(None, (row.item.reason, *row.item.notes)):
            yield "note", f"{row.item.task}: {sentence}"
    yield from _flipped_items(report)
    for note in report.notes:
        yield "note", note


def _flipped_items(report: Report) -> Iterator[tuple[str, str]]:
    """Count the changed items of all benchmarks, and name changed items of worse benchmarks."""
    flips = report.flips or {}
    lists = [(flip.regressed, flip.improved, flip.flaky) for flip in flips.values()]
    totals = [sum(map(len, kind)) for kind in zip(*lists)]
    if not any(totals):
        return
    yield (
        "items",
        f"{totals[0]:,} right to wrong, {totals[1]:,} wrong to right; {totals[2]:,} flaky in a "
        "version",
    )
    for row in report.suite.rows:
        if row.answer == WORSE or len(flips) == 1:
            changed = flips[row.item.task]
            yield (
                "items",
                f"{row.item.task}: {len(changed.regressed)} right to wrong"
                f"{_name_items(changed.regressed)}; {len(changed.improved)} wrong to right"
                f"{_name_items(changed.improved)}",
            )


def _name_items(items: Sequence[str]) -> str:
    return f" ({list_first(items, MOST_NAMES)})" if items else ""
