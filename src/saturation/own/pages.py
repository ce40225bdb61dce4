"""The card as a page, as Markdown and as a badge."""

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

import saturation
from saturation.errors import list_first
from saturation.leaderboard.names import EXHAUSTED, NEAR, ROOM, bounded
from saturation.leaderboard.runs import Elsewhere, Runs
from saturation.leaderboard.top import Frontier, Headroom, NamedPair, RankedModel, Resolution, Ties
from saturation.leaderboard.verdict import ADVICE, VERDICTS
from saturation.own.card import Abstention, Card, Outlook, Reached, Renewal
from saturation.own.imports import UNDATED
from saturation.pages import templates as show

# The drawing of a forecast, in pixels.
DRAWING = {"width": 640, "height": 240, "left": 44, "right": 628, "top": 10, "bottom": 216}
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def fan(outlook: Outlook | Abstention | None) -> dict[str, object] | None:
    """Return paths and places of the drawing of a forecast, in pixels; None without a forecast."""
    if not isinstance(outlook, Outlook):
        return None
    reached, months = outlook.known, outlook.months
    today = Reached(outlook.origin, reached[-1].best)
    first, last = pd.Timestamp(reached[0].date), pd.Timestamp(months[-1].date)

    def between(start: str, end: str, share: float) -> float:
        return round(DRAWING[start] + (DRAWING[end] - DRAWING[start]) * share, 1)

    def x(date: str) -> float:
        return between("left", "right", (pd.Timestamp(date) - first) / (last - first))

    def y(score: float) -> float:
        return between("bottom", "top", score)

    def points(places: Sequence[Reached]) -> str:
        return " ".join(f"{x(place.date)},{y(place.best)}" for place in places)

    def ahead(quantile: str) -> list[Reached]:
        return [today, *(Reached(month.date, getattr(month, quantile)) for month in months)]

    steps = [reached[0]]
    for before, after in zip(reached, [*reached[1:], today]):
        steps += [Reached(after.date, before.best), after]
    return {
        **DRAWING,
        "known": points(steps),
        "median": points(ahead("q50")),
        # Points of polygons, the wider first.
        "bands": [
            f"{points(ahead(low))} {points(ahead(high)[::-1])}"
            for low, high in (("q10", "q90"), ("q25", "q75"))
        ],
        "today": x(outlook.origin),
        "ticks": [(y(score), score) for score in TICKS],
        "years": [(x(f"{year}-01-01"), year) for year in range(first.year + 1, last.year + 1)],
    }


# Fill and ink of each verdict: a colour-blind-safe order, each pair with contrast above 4.5.
COLOURS = {
    "separates": ("#00614A", "#ffffff"),
    "separates_in_part": ("#56B4E9", "#1a1a1a"),
    "underpowered": ("#E69F00", "#1a1a1a"),
    "saturated": ("#A33C00", "#ffffff"),
    "exhausted": ("#7A1F1F", "#ffffff"),
    "stagnated": ("#8C3B6B", "#ffffff"),
    "undetermined": ("#5A5A5A", "#ffffff"),
}
# Tests, intervals and sources of errors as the tables call them, for people.
_IN_WORDS = {
    "mcnemar": "McNemar's mid-p test",
    "clustered_t": "t tests with clustered errors",
    "sandwich_t": "t tests with the ratings' clustered errors",
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
_CHARACTER = 6.6
_PADDING = 10
_MARGIN = 5
# Of a rating: digits in all, and decimals of one near 0.
_DIGITS, _MOST_DECIMALS = 4, 6
# In a terminal: one line less than 26, for the one that says where the pages are.
MOST_LINES = 25
LABEL = 10
# Lines of a sentence, where they are more than three.
MOST_WRAPPED = {"runs": 4, "pairs": 7}
MOST_MODELS, MOST_NAMED, MOST_BEST = 5, 10, 2

Format = Callable[[float | None], str]


def spell_out(name: str) -> str:
    """Name tests, intervals or sources of errors for people, joined by ``and`` or a comma."""
    for mark in (" and ", ", "):
        if mark in name:
            return mark.join(map(spell_out, name.split(mark)))
    return _IN_WORDS.get(name, show.words(name))


def facts(card: Card, named: Callable[[str], str] = str) -> dict[str, str]:
    """Write what the card says of its top, a sentence a label; nothing contradicts the verdict."""
    lines = {"validity": validity(card)}
    if card.frontier is None:
        return lines
    top, unit, act = card.frontier, unit_of_card(card), ADVICE[card.reason][0]
    separation, same = top.answers.resolution, top.answers.equivalence
    if top.pairs:
        lines["pairs"] = _pairs(top.pairs, top.power.level, unit, named)
    else:
        ties = top.deciding
        lines["tied"] = _tied(ties, named) + _top_pairs(separation, ties, named)
    lines["detectable"] = _detectable(top, unit)
    if isinstance(card.renewal, Renewal):
        lines["renewed"] = _renewed(card.renewal, unit)
    if card.runs is not None:
        lines["runs"] = _runs(card.runs, top, unit)
    lines["items"] = _items_needed(top, act, unit)
    if separation.answer == "none":
        is_shown = same.answer == "equivalent"
        lines["equivalent"] = equivalence(same.margin, same.within, unit, is_shown=is_shown)
    if top.answers.headroom.ceiling is not None:
        lines["headroom"] = _headroom(top.answers.headroom, unit)
    return lines


def validity(card: Card) -> str:
    """Write what is documented of the benchmark's labels and contamination."""
    if not card.known_issues:
        return "no label errors or contamination are documented here; the verdict is on resolution"
    return f"documented: {card.known_issues} (source: {card.known_issues_source})"


def _tied(ties: Ties, named: Callable[[str], str]) -> str:
    """Name the models tied with the leader, and the test by which the card judges."""
    test = (
        f"{spell_out(ties.method)}, {ties.adjustment.capitalize()}-adjusted over all pairs of "
        f"{ties.models:,} contenders"
    )
    if ties.abstains is not None:
        return f"no test is possible: {ties.abstains} ({test})"
    if len(ties.group) == 1:
        return f"none; the first is significantly better than all others ({test})"
    group = [named(show.plain(model)) for model in ties.group]
    return f"{len(group)} models: {list_first(group, MOST_NAMED)} ({test})"


def _pairs(
    pairs: Sequence[NamedPair], level: float, unit: "Unit", named: Callable[[str], str]
) -> str:
    """Write the difference of each pair of few models, with its interval and p-value."""
    differ = sum(pair.p_adjusted <= 1 - level for pair in pairs)
    differences = [
        f"{named(show.plain(pair.better))} over {named(show.plain(pair.model))} by "
        f"{unit.gap(pair.difference)} ({unit.gap(pair.lower).removesuffix(' points')} to "
        f"{unit.gap(pair.upper).removesuffix(' points')}; {show.probability(pair.p_adjusted)})"
        for pair in pairs
    ]
    return (
        f"{differ} of {show.counted(len(pairs), 'pair')} differ significantly "
        f"({spell_out(', '.join(sorted({pair.method for pair in pairs})))}; p Holm-adjusted, "
        "each interval of its pair alone): "
        f"{', '.join(differences)}"
    )


def _top_pairs(separation: Resolution, ties: Ties, named: Callable[[str], str]) -> str:
    """Return the significantly different pairs of top models, unless the ties show them."""
    number = len(separation.models)
    top = f"of the top {number}{' alone' if ties.models > number else ''}"
    if separation.answer == "all" and len(ties.group) > 1:
        return f"; {top}, all {separation.pairs} pairs are significantly different"
    if separation.answer != "some":
        return ""
    tied = [", ".join(map(named, group)) for group in separation.groups if len(group) > 1]
    within = " and ".join(f"({group})" for group in tied)
    return (
        f"; {top}, {separation.separated} of {separation.pairs} pairs are significantly "
        f"different, all but those within {within}"
    )


def _detectable(top: Frontier, unit: "Unit") -> str:
    """Return the detectable difference of a pair chosen in advance, and of first and k-th."""
    power, separation = top.power, top.answers.resolution
    alone, among = (
        unit.format_least(value)
        for value in (power.minimum_detectable_difference, separation.minimum_detectable_difference)
    )
    chance = show.percent(power.power, 0)
    sentence = f"for these items: {alone} ({chance} power, pair chosen in advance)"
    if separation.pairs == 1:
        return sentence
    return f"{sentence}; {among} between rank 1 and {power.k}"


def _items_needed(top: Frontier, act: str, unit: "Unit") -> str:
    """Describe the number of items that would settle open pairs; empty where more cannot help."""
    separation, same = top.answers.resolution, top.answers.equivalence
    if top.answers.headroom.answer == "none":
        return "more items like these would not help; harder ones would"
    if math.isnan(top.power.n_items):
        return "not known how many are needed: the number of items is not known"
    pair = "one more pair" if separation.separated else "a first pair"
    top_models = f"the top {len(separation.models)} equivalent within {unit.gap(same.margin)}"
    numbers = list_needed_items(
        {
            f"would separate {pair} if its gap is as measured": separation.items_for_any,
            f"would show {top_models} if they are equal": same.items_for_equivalence,
        }
    )
    present = f"{show.number(top.power.n_items, 0)} available"
    if act == "harder_items":
        room = top.answers.headroom
        limits = f"{unit.score(room.lower)} to {unit.score(room.upper)}"
        return (
            "harder items would help more than more items like these (best true score: "
            f"{limits}); {', '.join([*numbers, present])}"
        )
    if act not in ("more_items", "more_models") or not numbers:
        purpose = "to tell these models apart" if top.pairs else "for this verdict"
        return f"{present}; no more are needed {purpose}"
    return f"{present}; {', '.join(numbers)}"


def list_needed_items(items: Mapping[str, float | None]) -> list[str]:
    """Write each number of items with its purpose, where so many items would serve it."""
    return [
        f"{show.about(number)} {purpose}"
        for purpose, number in items.items()
        if number is not None and math.isfinite(number)
    ]


def equivalence(margin: float | None, within: float | None, unit: "Unit", *, is_shown: bool) -> str:
    """Write whether models are shown equivalent within a margin, and within which margin."""
    if margin is None:
        return "not tested; no margin says which difference matters"
    answer = "yes" if is_shown else "not shown"
    smallest = "none" if within is None else unit.gap(within)
    return f"within {unit.gap(margin)}? {answer} (smallest margin shown: {smallest})"


# What would show that first and k-th model differ, by :class:`saturation.leaderboard.runs.Runs`.
_SETTLES = {
    "nothing more": "the two differ significantly",
    "runs": "more runs would separate the two if their gap is as measured",
    "items": "more runs alone would not separate the two",
}


def _runs(found: Runs | Elsewhere | Abstention, top: Frontier, unit: "Unit") -> str:
    """Write the two errors and what more runs or items buy, or what other leaderboards suggest."""
    if isinstance(found, Abstention):
        return f"their part is not known: {found.abstains}"
    if isinstance(found, Elsewhere):
        return (
            "one run a model: the noise of runs is unknown (elsewhere "
            f"{show.percent(found.lowest, 0)} to {show.percent(found.highest, 0)} of a gap's "
            f"variance: {found.boards} leaderboards, {found.kind}, open models)"
        )
    items, runs, more, new = (
        unit.gap(value).removesuffix(" points")
        for value in (found.items, found.runs, found.one_more_run, found.as_many_items)
    )
    few = f" on {found.n_items:,} items" if found.n_items < top.power.n_items else ""
    words = (
        f"gap of rank 1 and {top.index.k}{few}: standard error {unit.gap(found.error)}, {items} "
        f"from items and {runs} from {found.n_runs} runs; one more run makes it {more}, as many "
        f"answers to new items {new}; {_SETTLES[found.settles]}"
    )
    if found.times_most is not None:
        sources = "errors over runs alone", "the source's errors, which leave items out,"
        least, most = (show.number(times, 1) for times in (found.times_least, found.times_most))
        words += f"; {sources[found.printed]} are {least} to {most} times too small"
    if found.run_effect_p < 1 - top.power.level:
        words += f"; whole runs differ ({show.probability(found.run_effect_p)})"
    return words


def _renewed(found: Renewal, unit: "Unit") -> str:
    factor, lower, upper = (show.number(x, 1) for x in (found.factor, found.lower, found.upper))
    return (
        f"for a renewed set: {unit.format_least(found.detectable)}, since gaps moved from older to "
        f"newer items with {factor} times ({lower} to {upper}) the variance that items predict "
        f"({found.n_models} models of {found.labs} labs)"
    )


# Headroom in the words of `saturation status`.
_HEADROOM = {
    EXHAUSTED: "exhausted: the lower limit is at",
    NEAR: "near the ceiling: a score is at",
    ROOM: "room left: no score is at",
}


def _headroom(headroom: Headroom, unit: "Unit") -> str:
    limits = f"{unit.score(headroom.lower)} to {unit.score(headroom.upper)}"
    words = _HEADROOM[str(headroom.status)]
    return f"{words} {unit.score(headroom.ceiling)} (best true score: {limits})"


def equality(frontier: Frontier, gap: Format) -> str:
    """Write what the gap between the best and the k-th would be if all models were equal."""
    index, equal = frontier.index, frontier.index.all_equal
    return (
        f"if all {equal.n_models} models were equal, the best would lead the model ranked "
        f"{index.k} by {gap(equal.expected_gap)} on average; it leads by {gap(index.gap)} "
        f"({show.probability(equal.p_value)})"
    )


def card_html(card: Card, template: str) -> str:
    """Render the card as a self-contained page."""
    content = _content(card, show.isolated) | {"colour": COLOURS[card.verdict][0]}
    return show.page(template, content)


def card_markdown(card: Card, template: str) -> str:
    """Render the card as Markdown, for a repository or an issue."""
    return show.markdown(template, _content(card))


def badge(card: Card, template: str) -> str:
    """Render the verdict as a badge in SVG, wide enough for its text."""
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


@dataclass(frozen=True)
class Unit:
    """Printed form of scores and their differences."""

    score: Format
    gap: Format
    scale: str = ""  # "scores from 1 to 10", where that is not a percentage

    def format_least(self, gap: float) -> str:
        """Format a detectable difference in words, also where no score can be so far away."""
        return f"{self.gap(gap)} or more" if math.isfinite(gap) else "not reachable"


def unit_of_card(card: Card) -> Unit:
    """Return the unit of a card."""
    return unit_of(card.data.family, card.score_range)


def unit_of(family: str, limits: Sequence[float] | None) -> Unit:
    """Choose percentages for bounded metrics, the metric's own scale if declared, plain ratings."""
    if not bounded(family):
        return Unit(_rating, _rating)
    if limits is None:
        return Unit(show.percent, show.points)
    low, high = limits
    digits = max(0, 3 - math.ceil(math.log10(high - low)))

    def format_from(start: float) -> Format:
        return lambda share: show.number(
            None if share is None else start + share * (high - low), digits
        )

    return Unit(format_from(low), format_from(0), f"scores from {low:g} to {high:g}")


def _rating(score: float | None) -> str:
    """Format a rating with the necessary digits: an Elo of 1312.4, a loss of 1.234."""
    if not score or not math.isfinite(score):
        return show.number(score, 1)
    before = math.floor(math.log10(abs(score))) + 1
    return show.number(score, min(max(1, _DIGITS - before), _MOST_DECIMALS))


def date_line(card: Card) -> str:
    """Write the day of the data, where there is any."""
    return UNDATED if card.observed_on == UNDATED else f"as of {card.observed_on}"


def _content(card: Card, named: Callable[[str], str] = str) -> dict[str, object]:
    frontier = card.frontier
    unit = unit_of_card(card)
    return {
        "card": card,
        **vars(unit),
        "as_of": date_line(card),
        "citation": f"saturation {saturation.__version__}, {card.benchmark}: "
        f"{show.words(card.verdict)}, {date_line(card)}",
        "in_words": spell_out,
        "advice": ADVICE[card.reason][1],
        "plot": _Plot(frontier.models) if frontier else None,
        "facts": facts(card, named),
        "equality": equality(frontier, unit.gap) if frontier else "",
        "fan": fan(card.outlook),
    }


class _Plot:
    """Scale of the intervals' drawing: from the lowest to the highest limit."""

    width = 180

    def __init__(self, models: list[RankedModel]) -> None:
        self.low = min(model.lower for model in models)
        self.high = max(model.upper for model in models)

    def x(self, value: float) -> float:
        """Horizontal place, in pixels."""
        span = self.high - self.low or 1.0
        return round(_MARGIN + (self.width - 2 * _MARGIN) * (value - self.low) / span, 1)


def text(card: Card) -> str:
    """Verdict, top models, ties, what the items can show, and remarks; at most 26 lines."""
    lines = [f"{card.benchmark}: {show.words(card.verdict).upper()}, {date_line(card)}"]
    lines += line("why", card.explanation)
    lines += line("what to do", ADVICE[card.reason][1])
    fact_lines = facts(card)
    lines += line("validity", fact_lines.pop("validity"))
    lines += line("data", _data(card))
    if card.frontier:
        lines += _models(card.frontier.models[:MOST_MODELS], unit_of_card(card).score)
    for label_, sentence in fact_lines.items():
        lines += line(label_, sentence, MOST_WRAPPED.get(label_, 3))
    if isinstance(card.outlook, Outlook):
        lines += line("outlook", card.outlook.sentences[0])
    if unranked := card.data.unranked:
        shares = [f"{model.model} ({show.percent(model.coverage, 0)})" for model in unranked]
        named = list_first(shares, MOST_NAMED)
        lines += line("not ranked", f"too few items answered: {named}", 1)
    return "\n".join([*lines, *_remarks(card.remarks, MOST_LINES - len(lines))])


def _remarks(remarks: list[str], room: int) -> Iterator[str]:
    """List as many remarks as fit, the last line for the number of further remarks."""
    for place, remark in enumerate(remarks):
        wrapped = list(line("" if place else "notes", remark))
        hidden = room - len(wrapped)
        if hidden < (place + 1 < len(remarks)):
            yield from line(
                "", f"and {show.counted(len(remarks) - place, 'more remark')}, on the card's page"
            )
            return
        yield from wrapped
        room = hidden


def table(cards: Sequence[Card]) -> str:
    """Several cards, a line each: name, verdict, numbers of models and items, date, best model.

    Remarks that all cards have follow once.
    """
    width = max(len(card.benchmark) for card in cards)
    verdict = max(map(len, VERDICTS))
    common = [note for note in cards[0].remarks if all(note in card.remarks for card in cards)]
    lines = [
        f"{card.benchmark:{width}}  {card.verdict:{verdict}}  "
        f"{card.data.n_models:>5,} models  {show.number(card.data.n_items, 0):>7} items  "
        f"{card.observed_on}{'  best: ' * bool(card.data.best)}"
        f"{list_first(card.data.best, MOST_BEST)}"
        for card in cards
    ]
    return "\n".join([*lines, *_remarks(common, MOST_LINES)])


def label(word: str) -> str:
    """Pad the word at the left of a line to the column of the text."""
    return f"{word:{LABEL}}  "


def _data(card: Card) -> str:
    data = card.data
    ranked = "" if data.n_ranked == data.n_models else f" ({data.n_ranked} ranked)"
    items = "" if data.n_items is None else f", {data.n_items:,} items"
    made_up = "synthetic, for illustration; " if card.synthetic else ""
    scale = unit_of_card(card).scale
    return (
        f"{made_up}{show.counted(data.n_models, 'model')}{ranked}{items}, "
        f"{show.words(data.family)}{f', {scale}' if scale else ''}"
    )


def _models(models: list[RankedModel], score: Format) -> Iterator[str]:
    names = [_short(show.plain(model.model), show.terminal_width() - 54) for model in models]
    width = max(map(len, names))
    for place, (name, model) in enumerate(zip(names, models)):
        limits = f"{score(model.lower).removesuffix(' %')} to {score(model.upper)}"
        best, worst = model.best_rank, model.worst_rank
        ranks = f"rank {best}" if best == worst else f"rank {best} to {worst}"
        yield (
            f"{label('' if place else 'top')}{name:{width}}  {score(model.score):>7}  "
            f"({limits})  {ranks}"
        )


def line(word: str, said: str, most: int = 2) -> Iterator[str]:
    """Wrap text beside its label; cut it after `most` lines, one more on a narrow terminal."""
    width = show.terminal_width()
    wrapped = textwrap.wrap(
        show.plain(said),
        width - LABEL - 2,
        max_lines=most + (width < show.WIDEST),
        placeholder=" ...",
        break_on_hyphens=False,
    )
    for place, part in enumerate(wrapped):
        yield f"{label('' if place else word)}{part}"


def _short(name: str, width: int) -> str:
    """Leave out the middle of a long name: names differ at either end."""
    half = (width - 3) // 2
    return name if len(name) <= width else f"{name[:half]}...{name[-half:]}"
