"""The card in a terminal: a few aligned lines of plain text."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from saturation.board.leaders import deciding
from saturation.board.verdict import VERDICTS
from saturation.drawing import pages
from saturation.own import card_pages

WIDTH = 96
LABEL = 10
MOST_MODELS = 5
# One less than 26, for the line that says where the pages are.
MOST_LINES = 25
VERDICT = max(map(len, VERDICTS))

Card = Mapping[str, Any]


def text(card: Card) -> str:
    """Verdict, top models, ties, what the items can show, and remarks; at most 26 lines.

    Parameters
    ----------
    card
        :func:`saturation.own.content.content`.
    """
    lines = [f"{card['benchmark']}: {pages.words(card['verdict']).upper()}"]
    lines += _line("why", card["explanation"])
    lines += _line("next", card_pages.NEXT[card["reason"]])
    lines += _line("data", _data(card))
    if card["frontier"]:
        lines += _frontier(card)
    for sentence in card.get("outlook", {}).get("sentences", [])[:1]:
        lines += _line("outlook", sentence)
    if apart := card["data"]["apart"]:
        shares = [f"{one['model']} ({pages.percent(one['coverage'], 0)})" for one in apart]
        lines += _line("not ranked", f"too few items answered: {_some(shares)}", 1)
    remarks = [*card["data"]["remarks"], *card_pages.notes(card["import"])]
    return "\n".join([*lines, *_remarks(remarks, MOST_LINES - len(lines))])


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
    """Several cards, a line each: name, verdict, numbers of models and items, date.

    Parameters
    ----------
    cards
        Of :func:`saturation.own.content.content`.
    """
    width = max(len(card["benchmark"]) for card in cards)
    return "\n".join(
        f"{card['benchmark']:{width}}  {card['verdict']:{VERDICT}}  "
        f"{card['data']['n_models']:>5,} models  {card['data']['n_items'] or 0:>7,} items  "
        f"{card['observed_on']}"
        for card in cards
    )


def label(word: str) -> str:
    """The word that stands at the left of a line, with what separates it from the text."""
    return f"{word:{LABEL}}  "


def _data(card: Card) -> str:
    data = card["data"]
    ranked = "" if data["n_ranked"] == data["n_models"] else f" ({data['n_ranked']} ranked)"
    items = "" if data["n_items"] is None else f", {data['n_items']:,} items"
    made_up = "synthetic, for illustration; " if card["synthetic"] else ""
    return (
        f"{made_up}as of {card['observed_on']}, {data['n_models']:,} models{ranked}{items}, "
        f"{pages.words(data['family'])}"
    )


def _frontier(card: Card) -> Iterator[str]:
    frontier = card["frontier"]
    score = card_pages.score_format(card["data"]["family"])
    gap = card_pages.gap_format(card["data"]["family"])
    power, index = frontier["power"], frontier["index"]
    yield from _models(frontier["models"][:MOST_MODELS], score)
    kind, ties = deciding(frontier["ties"])
    group = [pages.plain(model) for model in ties["group"]]
    told = "" if ties["abstains"] is None else f"; nothing is told apart: {ties['abstains']}"
    said = f"{len(group)} models: {_some(group)}"
    if len(group) == 1:
        said = "none: the first differs from all others"
    yield from _line("tied", f"{said} ({kind}, {card_pages.in_words(ties['method'])}){told}")
    yield from _line(
        "items show",
        f"a difference of {gap(power['minimum_detectable_difference'])} at power "
        f"{pages.percent(power['power'], 0)}, of two models named beforehand",
    )
    if power["items_for_top_k"] is not None:
        yield from _line(
            "items need",
            f"{pages.number(power['items_for_top_two'], 0)} for the top two, "
            f"{pages.number(power['items_for_top_k'], 0)} for the first and number {power['k']}, "
            f"named beforehand; present are {pages.number(power['n_items'], 0)}",
        )
    for place, answer in enumerate(card_pages.answers(frontier, score, gap)):
        yield from _line("" if place else "answers", answer)
    yield from _line(
        "index",
        f"S {pages.number(index['s_index'])} ({pages.number(index['lower'])} to "
        f"{pages.number(index['upper'])}), {card_pages.probability(frontier)}",
        2,
    )


def _models(models: list[dict[str, Any]], score: card_pages.Format) -> Iterator[str]:
    names = [_short(pages.plain(model["model"]), 34) for model in models]
    width = max(map(len, names))
    for place, (name, model) in enumerate(zip(names, models)):
        limits = f"{score(model['lower'])} to {score(model['upper'])}"
        best, worst = model["best_rank"], model["worst_rank"]
        ranks = f"rank {best}" if best == worst else f"rank {best} to {worst}"
        tied = "  tied" if model["tied_with_leader"] and place else ""
        yield (
            f"{label('' if place else 'top')}{name:{width}}  {score(model['score']):>7}  "
            f"({limits})  {ranks}{tied}"
        )


def _line(word: str, said: str, most: int = 2) -> Iterator[str]:
    """Wrapped text beside its label; what takes more lines than `most` is cut."""
    wrapped = textwrap.wrap(
        pages.plain(said), WIDTH - LABEL - 2, max_lines=most, placeholder=" ...",
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
