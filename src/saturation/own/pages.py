"""The card as a page, as Markdown and as a badge."""

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from saturation.index import side_of_threshold
from saturation.leaderboard.names import bounded
from saturation.leaderboard.top import (
    Answers,
    Equivalence,
    Frontier,
    Headroom,
    RankedModel,
    Resolution,
)
from saturation.leaderboard.verdict import VERDICTS
from saturation.own.card import Abstention, Card, Outlook, Reached
from saturation.pages import templates as show

# The drawing of a forecast, in pixels.
WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 24
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Drawing:
    """A forecast in pixels: what was reached, and a fan of what is to be expected."""

    known: str
    median: str
    bands: list[str]  # points of polygons, the wider first
    today: float
    ticks: list[tuple[float, float]]  # vertical places with the score
    years: list[tuple[float, int]]  # horizontal places with the year
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    top: int = TOP


def fan(outlook: Outlook | Abstention | None) -> Drawing | None:
    """Paths and places for the card's template; None where nothing is forecast."""
    if not isinstance(outlook, Outlook):
        return None
    known, months = outlook.known, outlook.months
    today = Reached(outlook.origin, known[-1].best)
    first, last = pd.Timestamp(known[0].date), pd.Timestamp(months[-1].date)

    def x(date: str) -> float:
        share = (pd.Timestamp(date) - first) / (last - first)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)

    def y(score: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score, 1)

    def points(places: Sequence[Reached]) -> str:
        return " ".join(f"{x(place.date)},{y(place.best)}" for place in places)

    def ahead(quantile: str) -> list[Reached]:
        return [today, *(Reached(month.date, getattr(month, quantile)) for month in months)]

    steps = [known[0]]
    for before, after in zip(known, [*known[1:], today], strict=True):
        steps += [Reached(after.date, before.best), after]
    return Drawing(
        known=points(steps),
        median=points(ahead("q50")),
        bands=[
            f"{points(ahead(low))} {points(ahead(high)[::-1])}"
            for low, high in (("q10", "q90"), ("q25", "q75"))
        ],
        today=x(outlook.origin),
        ticks=[(y(score), score) for score in TICKS],
        years=[(x(f"{year}-01-01"), year) for year in range(first.year + 1, last.year + 1)],
    )


# Fill and ink of each verdict: a colour-blind-safe order, each pair with contrast above 4.5.
COLOURS = {
    "separates": ("#00614A", "#ffffff"),
    "separates_in_part": ("#56B4E9", "#1a1a1a"),
    "underpowered": ("#E69F00", "#1a1a1a"),
    "saturated": ("#A33C00", "#ffffff"),
    "stagnated": ("#8C3B6B", "#ffffff"),
    "undetermined": ("#5A5A5A", "#ffffff"),
}
# What the maintainer of a benchmark can do after a verdict, by its reason.
NEXT = {
    "told_apart": "keep it; the ranks of the top models may be printed",
    "partly_told_apart": "keep it; print groups of ties instead of ranks, or add items",
    "alike_at_the_ceiling": "do not rank the top by it; make harder items, or retire it",
    "alike_below_the_ceiling": "do not rank the top by it; look why no model gets further",
    "too_few_items": "claim neither a winner nor a tie; add items",
    "too_few_clusters": "claim neither a winner nor a tie; add clusters, not items in them",
    "headroom_unclear": "do not rank the top by it; add items to learn whether room is left",
    "no_margin": "say with meaningful_difference which difference matters, and ask again",
    "too_few_models": "evaluate more models, and ask again",
    "metric_not_accuracy_like": "give item responses or intervals, and ask again",
}
# Tests, intervals and sources of errors as the tables call them, for people.
_IN_WORDS = {
    "mcnemar": "McNemar's mid-p test",
    "clustered_t": "t tests with clustered errors",
    "pooled_z": "z tests with pooled shares",
    "z": "z tests",
    "no_test": "no test",
    "newcombe": "Newcombe's interval",
    "paired_adjusted": "Bonett and Price's interval of paired answers",
    "normal": "a normal interval",
    "paired_t": "Student's interval of paired answers",
    "items": "item responses",
    "binomial": "number of items",
}
PLOT_WIDTH = 180
_CHARACTER = 6.6
_PADDING = 10
_MARGIN = 5
# Of a rating: digits in all, and decimals of one near 0.
_DIGITS, _MOST_DECIMALS = 4, 6
# In a terminal. One line less than 26, for the one that says where the pages are.
TERMINAL_WIDTH, MOST_LINES = 96, 25
LABEL = 10
MOST_MODELS = 5

Format = Callable[[float | None], str]


def in_words(name: str) -> str:
    """Tests, intervals or sources of errors for people, joined by ``and`` or a comma."""
    for mark in (" and ", ", "):
        if mark in name:
            return mark.join(map(in_words, name.split(mark)))
    return _IN_WORDS.get(name, show.words(name))


def answers(
    frontier: Frontier, score: Format, gap: Format, named: Callable[[str], str] = str
) -> list[str]:
    """The three answers in sentences with their numbers, and what more items would do."""
    found = frontier.answers
    return [
        _resolution(found.resolution, gap, named),
        _equivalence(found.equivalence, len(found.resolution.models), gap),
        *_headroom(found.headroom, score),
        *_more_items(found, gap),
    ]


def _resolution(found: Resolution, gap: Format, named: Callable[[str], str]) -> str:
    k, apart, pairs = len(found.models), found.told_apart, found.pairs
    counted = {0: "no two", pairs: "all"}.get(apart, f"{apart} of {pairs} pairs")
    tied = [group for group in found.groups if len(group) > 1]
    groups = ", ".join(f"({', '.join(map(named, group))})" for group in tied)
    return (
        f"told apart, among all pairs: {counted} of the first {k} models"
        + (f"; not told apart within {groups}" if 0 < apart < pairs else "")
        + f"; a difference of {gap(found.minimum_detectable_difference)} would show"
    )


def _equivalence(found: Equivalence, k: int, gap: Format) -> str:
    if found.margin is None:
        return "alike: not asked; no margin says which difference matters"
    within = "no margin" if found.within is None else f"{gap(found.within)} and more"
    shown = "yes" if found.answer == "alike" else "not shown"
    return (
        f"alike within {gap(found.margin)}: {shown} (that the first {k} are so near the best "
        f"model, whichever it is, is shown for {within})"
    )


def _headroom(found: Headroom, score: Format) -> Iterator[str]:
    if found.ceiling is not None:
        said = {"none": "none is left", "left": "some is left", "unclear": "unclear"}[found.answer]
        yield (
            f"room below the ceiling of {score(found.ceiling)}: {said} (the best true score is at "
            f"least {score(found.lower)}, at most {score(found.upper)})"
        )


def _more_items(found: Answers, gap: Format) -> Iterator[str]:
    """How many items would settle what the present ones leave open; nothing if nothing is open."""
    same, apart = found.equivalence, found.resolution
    is_open = apart.answer == "none" and same.answer == "not_shown"
    if not is_open or same.items_for_alike is None:
        return
    first, pair = apart.items_for_any, ""
    if first is not None and math.isfinite(first):
        pair = f", about {show.number(first, 0)} tell a first pair apart if its gap is as measured"
    yield (
        f"of {show.number(apart.n_items, 0)} items: about "
        f"{show.number(same.items_for_alike, 0)} show the first models alike within "
        f"{gap(same.margin)} if they are equal{pair}"
    )


def decided(frontier: Frontier | None) -> str:
    """Whether the true scores of the first and the k-th model are shown to reach the threshold."""
    if frontier is None:
        return ""
    index = frontier.index
    said = side_of_threshold(index.first_and_kth, index.threshold)
    return f"first and number {index.k} {index.first_and_kth}: {said}"


def equality(frontier: Frontier, gap: Format) -> str:
    """What the gap between the best and the k-th would be if all models were equal, in words."""
    index, equal = frontier.index, frontier.index.all_equal
    return (
        f"were all {equal.n_models} models equal, the best would lead number {index.k} by "
        f"{gap(equal.expected_gap)} on average; it leads by {gap(index.gap)} "
        f"({show.probability(equal.p_value)})"
    )


def card_html(card: Card, template: str) -> str:
    """The card as one self-contained page."""
    content = _content(card, show.isolated) | {"colour": COLOURS[card.verdict][0]}
    return show.page(template, content)


def card_markdown(card: Card, template: str) -> str:
    """The card as Markdown, for a repository or an issue."""
    return show.markdown(template, _content(card))


def badge(card: Card, template: str) -> str:
    """The verdict as a badge in SVG; wide enough for its text."""
    value = f"{show.words(card.verdict)} {card.observed_on}"
    split = round(len("saturation") * _CHARACTER + _PADDING)
    fill, ink = COLOURS[card.verdict]
    return show.page(
        template,
        {
            "split": split,
            "width": split + round(len(value) * _CHARACTER + _PADDING),
            "value": value,
            "title": f"{card.benchmark}: {value} ({show.words(card.reason)})",
            "colour": fill,
            "ink": ink,
        },
    )


def score_format(family: str) -> Format:
    """Percentages for bounded metrics; for ratings four digits, with one decimal at least."""
    return show.percent if bounded(family) else _rating


def _rating(score: float | None) -> str:
    """An Elo of 1312.4, a loss of 1.234."""
    if not score or not math.isfinite(score):
        return show.number(score, 1)
    before = math.floor(math.log10(abs(score))) + 1
    return show.number(score, min(max(1, _DIGITS - before), _MOST_DECIMALS))


def gap_format(family: str) -> Format:
    """Percentage points for bounded metrics, plain numbers for ratings."""
    return show.points if bounded(family) else score_format(family)


def _content(card: Card, named: Callable[[str], str] = str) -> dict[str, object]:
    frontier = card.frontier
    cells = frontier.index.grid if frontier else []
    grid: dict[int, list[float]] = {}
    for cell in cells:
        grid.setdefault(cell.k, []).append(cell.s_index)
    score, gap = score_format(card.data.family), gap_format(card.data.family)
    return {
        "card": card,
        "stale": card.stale,
        "earlier_cards": card.earlier_cards,
        "notes": card.remarks,
        "score": score,
        "gap": gap,
        "in_words": in_words,
        "next": NEXT[card.reason],
        "grid": grid,
        "alphas": sorted({cell.alpha for cell in cells}),
        "plot": _Plot(frontier.models) if frontier else None,
        "decided": decided(frontier),
        "answers": answers(frontier, score, gap, named) if frontier else [],
        "equality": equality(frontier, gap) if frontier else "",
        "fan": fan(card.outlook),
    }


class _Plot:
    """Scale of the intervals' drawing: from the lowest to the highest limit."""

    width = PLOT_WIDTH

    def __init__(self, models: list[RankedModel]) -> None:
        self.low = min(model.lower for model in models)
        self.high = max(model.upper for model in models)

    def x(self, value: float) -> float:
        """Horizontal place, in pixels."""
        span = self.high - self.low or 1.0
        return round(_MARGIN + (self.width - 2 * _MARGIN) * (value - self.low) / span, 1)


def text(card: Card) -> str:
    """Verdict, top models, ties, what the items can show, and remarks; at most 26 lines."""
    lines = [f"{card.benchmark}: {show.words(card.verdict).upper()}"]
    lines += _line("why", card.explanation)
    lines += _line("next", NEXT[card.reason])
    lines += _line("data", _data(card))
    if card.frontier:
        lines += _frontier(card.frontier, card.data.family)
    if isinstance(card.outlook, Outlook):
        lines += _line("outlook", card.outlook.sentences[0])
    if apart := card.data.apart:
        shares = [f"{one.model} ({show.percent(one.coverage, 0)})" for one in apart]
        lines += _line("not ranked", f"too few items answered: {_some(shares)}", 1)
    return "\n".join([*lines, *_remarks(card.remarks, MOST_LINES - len(lines))])


def _remarks(remarks: list[str], room: int) -> Iterator[str]:
    """As many remarks as there is room for, the last line for the number of the others."""
    for place, remark in enumerate(remarks):
        wrapped = list(_line("" if place else "notes", remark))
        left = room - len(wrapped)
        if left < (place + 1 < len(remarks)):
            yield from _line("", f"and {len(remarks) - place} more remarks, on the card's page")
            return
        yield from wrapped
        room = left


def table(cards: Sequence[Card]) -> str:
    """Several cards, a line each: name, verdict, numbers of models and items, date."""
    width = max(len(card.benchmark) for card in cards)
    verdict = max(map(len, VERDICTS))
    return "\n".join(
        f"{card.benchmark:{width}}  {card.verdict:{verdict}}  "
        f"{card.data.n_models:>5,} models  {card.data.n_items or 0:>7,} items  "
        f"{card.observed_on}"
        for card in cards
    )


def label(word: str) -> str:
    """The word that stands at the left of a line, with what separates it from the text."""
    return f"{word:{LABEL}}  "


def _data(card: Card) -> str:
    data = card.data
    ranked = "" if data.n_ranked == data.n_models else f" ({data.n_ranked} ranked)"
    items = "" if data.n_items is None else f", {data.n_items:,} items"
    made_up = "synthetic, for illustration; " if card.synthetic else ""
    return (
        f"{made_up}as of {card.observed_on}, {data.n_models:,} models{ranked}{items}, "
        f"{show.words(data.family)}"
    )


def _frontier(frontier: Frontier, family: str) -> Iterator[str]:
    score, gap = score_format(family), gap_format(family)
    power, index = frontier.power, frontier.index
    yield from _models(frontier.models[:MOST_MODELS], score)
    kind, ties = frontier.deciding
    group = [show.plain(model) for model in ties.group]
    told = "" if ties.abstains is None else f"; nothing is told apart: {ties.abstains}"
    said = f"{len(group)} models: {_some(group)}"
    if len(group) == 1:
        said = "none: the first differs from all others"
    yield from _line("tied", f"{said} ({kind}, {in_words(ties.method)}){told}")
    yield from _line(
        "items show",
        f"a difference of {gap(power.minimum_detectable_difference)} at power "
        f"{show.percent(power.power, 0)}, of two models named beforehand",
    )
    if power.items_for_top_k is not None:
        yield from _line(
            "items need",
            f"{show.number(power.items_for_top_two, 0)} for the top two, "
            f"{show.number(power.items_for_top_k, 0)} for the first and number {power.k}, "
            f"named beforehand; present are {show.number(power.n_items, 0)}",
        )
    for place, answer in enumerate(answers(frontier, score, gap)):
        yield from _line("" if place else "answers", answer)
    yield from _line(
        "index",
        f"S {show.number(index.s_index)} ({show.number(index.lower)} to "
        f"{show.number(index.upper)}), first and number {index.k} {index.first_and_kth}",
    )


def _models(models: list[RankedModel], score: Format) -> Iterator[str]:
    names = [_short(show.plain(model.model), 34) for model in models]
    width = max(map(len, names))
    for place, (name, model) in enumerate(zip(names, models)):
        limits = f"{score(model.lower)} to {score(model.upper)}"
        best, worst = model.best_rank, model.worst_rank
        ranks = f"rank {best}" if best == worst else f"rank {best} to {worst}"
        tied = "  tied" if model.tied_with_leader and place else ""
        yield (
            f"{label('' if place else 'top')}{name:{width}}  {score(model.score):>7}  "
            f"({limits})  {ranks}{tied}"
        )


def _line(word: str, said: str, most: int = 2) -> Iterator[str]:
    """Wrapped text beside its label; what takes more lines than `most` is cut."""
    wrapped = textwrap.wrap(
        show.plain(said), TERMINAL_WIDTH - LABEL - 2, max_lines=most, placeholder=" ...",
        break_on_hyphens=False,
    )  # fmt: skip
    for place, line in enumerate(wrapped):
        yield f"{label('' if place else word)}{line}"


def _some(names: list[str]) -> str:
    more = len(names) - 2 * MOST_MODELS
    shown = ", ".join(names[: 2 * MOST_MODELS])
    return f"{shown} and {more} more" if more > 0 else shown


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: width - 3]}..."
