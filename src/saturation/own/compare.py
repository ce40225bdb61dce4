"""Two models on a benchmark, or two cards: difference, interval, test, detectable difference."""

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.leaderboard.names import letters
from saturation.leaderboard.top import Settings
from saturation.leaderboard.votes import Ratings
from saturation.own import pages, votes
from saturation.own.card import Abstention, Card, Judged, assemble
from saturation.pages import templates as show
from saturation.planning.config import Config
from saturation.statistics import intervals

DIFFERENT, EQUIVALENT, UNDECIDED = "different", "equivalent", "undecided"
# From so many common models a rank correlation has an interval.
FEWEST_COMMON = 4


@dataclass(frozen=True)
class Comparison:
    """Two models, the higher-scoring model first."""

    benchmark: str
    answer: str  #: different, equivalent or undecided
    better: str
    other: str
    scores: tuple[float, float]
    difference: float
    lower: float
    upper: float
    level: float
    test: str
    p_value: float
    items: int | None  #: that both answered; None where scores are compared
    only_better: int | None  #: items that only the better one solved, for 0/1 responses
    only_other: int | None
    margin: float | None
    equivalent: bool | None  #: within the margin; None without one
    equivalent_within: float | None
    minimum_detectable_difference: float
    power: float
    items_available: float
    items_for_difference: float | None
    items_for_equivalence: float | None
    at_the_ceiling: bool | None


def two_models(
    names: tuple[str, str],
    benchmark: str,
    tables: tuple[pd.DataFrame, pd.DataFrame],
    declared: Config,
    settings: Settings,
) -> Comparison | Abstention:
    """Compare two models as a card does, on their shared items where any exist.

    The pair is chosen in advance, so that nothing is adjusted for a choice. `tables` are scores and
    responses of :mod:`saturation.leaderboard.read.tidy`.
    """
    models = _answers_of_both(names, sorted({*tables[0]["model"], *tables[1]["model"].unique()}))
    scores, responses = (table[table["model"].isin(models)] for table in tables)
    return _compared(assemble(benchmark, scores, responses, declared, _of_pair(settings)))


def two_rated(
    names: tuple[str, str], benchmark: str, rated: Ratings, declared: Config, settings: Settings
) -> Comparison | Abstention:
    """Compare two models that were rated by votes, among all rated models."""
    places = sorted(rated.models.index(name) for name in _answers_of_both(names, rated.models))
    two = np.ix_(places, places)
    pair = replace(
        rated,
        models=[rated.models[place] for place in places],
        rating=rated.rating[places],
        covariance=rated.covariance[two],
        unclustered=rated.unclustered[two],
        votes=rated.votes[places],
    )
    return _compared(votes.judged(benchmark, pair, declared, _of_pair(settings)))


def _of_pair(settings: Settings) -> Settings:
    # Each of the two counts, however few of the items it answered.
    return replace(settings, k=2, compared=2, least_coverage=0.0, k_grid=(2,))


def _answers_of_both(names: Sequence[str], known: Sequence[str]) -> list[str]:
    pair = [_find_model(name, known) for name in names]
    if pair[0] == pair[1]:
        raise InputError(f"both names are those of the model '{pair[0]}'; name two models")
    return pair


def _compared(judged: Judged) -> Comparison | Abstention:
    top = judged.frontier
    if top is None:
        return Abstention(judged.explanation)
    first, second = top.models
    tested = top.deciding.with_leader[0]
    answers, method = top.answers, tested.method
    lower, upper, alone = tested.lower, tested.upper, (tested.only_leader, tested.only_model)
    if method == "mcnemar" and tested.items and alone[0] is not None and alone[1] is not None:
        limits = intervals.paired_proportions(alone[0], alone[1], tested.items, top.power.level)
        lower, upper = map(float, limits)
    separation, same = answers.resolution, answers.equivalence
    equal = None if same.margin is None else same.answer == "equivalent"
    answer = DIFFERENT if separation.answer == "all" else EQUIVALENT if equal else UNDECIDED
    room = answers.headroom
    return Comparison(
        benchmark=judged.benchmark,
        answer=answer,
        better=first.model,
        other=second.model,
        scores=(first.score, second.score),
        difference=tested.difference,
        lower=lower,
        upper=upper,
        level=top.power.level,
        test=method,
        p_value=tested.p_value,
        items=tested.items,
        only_better=alone[0],
        only_other=alone[1],
        margin=same.margin,
        equivalent=equal,
        equivalent_within=same.within,
        minimum_detectable_difference=top.power.minimum_detectable_difference,
        power=top.power.power,
        items_available=top.power.n_items,
        items_for_difference=separation.items_for_any,
        items_for_equivalence=same.items_for_equivalence,
        at_the_ceiling=None if room.ceiling is None else room.answer == "none",
    )


def _find_model(name: str, known: Sequence[str]) -> str:
    """Find a model by its name, or by its letters and digits where they fit a single model."""
    if name in known:
        return name
    same = [candidate for candidate in known if letters(candidate) == letters(name)]
    if len(same) == 1:
        return same[0]
    near = same or difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known[:5]
    raise InputError(f"no model is called '{name}'; did you mean {' or '.join(near)}?")


def text(found: Comparison, unit: pages.Unit) -> str:
    """Write the comparison for a terminal."""
    lines = [f"{found.better} and {found.other} on {found.benchmark}: {found.answer.upper()}"]
    for label, sentence in _sentences(found, unit):
        lines += pages.line(label, sentence, 3)
    return "\n".join(lines)


def _sentences(found: Comparison, unit: pages.Unit) -> Iterator[tuple[str, str]]:
    first, second = map(unit.score, found.scores)
    yield "scores", f"{found.better} {first}, {found.other} {second}"
    yield (
        "difference",
        f"{unit.gap(found.difference)} ({show.percent(found.level, 0)} interval "
        f"{unit.gap(found.lower)} to {unit.gap(found.upper)})",
    )
    test = f"{pages.spell_out(found.test)}, {show.probability(found.p_value)}"
    if found.items is None:
        yield "test", f"{test}; by scores, as if the models had answered independent items"
    elif found.only_better is None:
        yield "test", f"{test}; on {found.items:,} common items"
    else:
        yield (
            "test",
            f"{test}; of {found.items:,} common items {found.better} alone solved "
            f"{found.only_better:,}, {found.other} alone {found.only_other:,}",
        )
    if found.margin is not None:
        is_shown, within = bool(found.equivalent), found.equivalent_within
        yield "equivalent", pages.equivalence(found.margin, within, unit, is_shown=is_shown)
    yield (
        "detectable",
        f"{unit.format_least(found.minimum_detectable_difference)} "
        f"({show.percent(found.power, 0)} power)",
    )
    yield "items", _needed(found, unit)


def _needed(found: Comparison, unit: pages.Unit) -> str:
    if math.isnan(found.items_available):
        return "not known how many are needed: the number of items is not known"
    present = f"{show.number(found.items_available, 0)} available"
    if found.answer != UNDECIDED:
        return f"{present}; no more are needed"
    if found.at_the_ceiling:
        return f"{present}; more like these would not help, harder ones would"
    equivalence = f"equivalence within {unit.gap(found.margin)} if they are equal"
    numbers = pages.list_needed_items(
        {
            "to show this difference": found.items_for_difference,
            f"to show {equivalence}": found.items_for_equivalence,
        }
    )
    return "; ".join([*numbers, present])


def two_cards(cards: Sequence[Card]) -> dict[str, Any]:
    """Compare two cards, or a card's versions: summaries, and agreement on common models."""
    scores = [
        {model.model: model.score for model in card.frontier.models} if card.frontier else {}
        for card in cards
    ]
    common = pd.DataFrame(dict(enumerate(scores)), dtype=float).dropna()
    moved = (common[1] - common[0]).sort_values(key=abs, ascending=False, kind="stable")
    enough = len(common) >= FEWEST_COMMON
    return {
        "cards": [asdict(card.summary) for card in cards],
        "common_models": len(common),
        "spearman": common[0].corr(common[1], method="spearman") if enough else None,
        "moved_most": moved.head(5).to_dict(),
    }


def cards_text(found: Mapping[str, Any], cards: Sequence[Card]) -> str:
    """Two cards for a terminal."""
    gap = pages.unit_of_card(cards[1]).gap
    moves = ", ".join(f"{name} {gap(by)}" for name, by in found["moved_most"].items())
    lines = [
        pages.table(cards),
        *pages.line("common", show.counted(found["common_models"], "listed model")),
        *(pages.line("moved most", moves) if moves else ()),
    ]
    if found["spearman"] is not None:
        lines += pages.line("agreement", f"Spearman's rank correlation {found['spearman']:.2f}")
    return "\n".join(lines)
