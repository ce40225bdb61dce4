"""All cards beside each other: their table, and the verdicts that a user does not accept."""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pandas as pd

import saturation
from saturation.errors import InputError
from saturation.files.tables import (
    json_line,
    load_json,
    write_csv,
    write_json,
    write_parquet,
    write_text,
    write_whole,
)
from saturation.leaderboard.names import bounded
from saturation.leaderboard.runs import Runs
from saturation.leaderboard.top import Difference, Frontier, RankedModel
from saturation.leaderboard.verdict import ADVICE, VERDICTS
from saturation.own import pages
from saturation.own.card import Card, Renewal, Summary
from saturation.own.imports import UNDATED, Imports, empty_imports, load
from saturation.own.study import Context, describe, study
from saturation.planning.config import Config

PAGES = {"html": "card.html", "markdown": "card.md", "badge": "badge.svg"}
_WRITERS = {"html": pages.card_html, "markdown": pages.card_markdown, "badge": pages.badge}
# Of card.json: rises where a field changes its name or its meaning.
CARD_VERSION = 5
# Of Every Eval Ever's records, in which each listed model has a card's numbers and its own as
# details under this prefix.
SCHEMA_VERSION = "0.3.0"
PREFIX = "saturation."
# Numbers of the top in the order of their schema, missing where there is no top.
_OF_TOP = (
    "groups",
    "tie_group",
    "rank_intervals",
    "top_pair",
    "equivalent_within",
    "headroom",
    "minimum_detectable_difference",
    "items_needed",
    "runs",
    "renewal",
)
_OF_MODEL = ("best_rank", "worst_rank", "tied_with_leader", "coverage")

# Of a card that is not whole.
_REMEDY = "restore the file, or remove it: then the cards of earlier dates are forgotten"

# What JSON is written from.
Json = dict[str, object]


def records(card: Card) -> list[Json]:
    """Write a record of Every Eval Ever for each listed model; none without a range or a top."""
    if card.top is None or not bounded(card.data.family):
        return []
    board = numbers(card) | {"observed_on": card.observed_on, "synthetic": card.synthetic}
    # The other models have records of their own.
    del board["tie_group"], board["rank_intervals"]
    return [_record(card, model, board, card.top.power.level) for model in card.top.models]


def _record(card: Card, model: RankedModel, board: Json, level: float) -> Json:
    name, benchmark = model.model, card.benchmark
    # The date of the data, so that the same card gives the same record.
    stamp = ""
    if card.observed_on != UNDATED:
        day = datetime.fromisoformat(card.observed_on).replace(tzinfo=UTC)
        stamp = str(int(day.timestamp()))
    details = {
        f"{PREFIX}{key}": value if isinstance(value, str) else json_line(value)
        for key, value in (board | _fields(model, *_OF_MODEL)).items()
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{benchmark}/{name}/{stamp}",
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_type": "documentation",
            "source_name": "saturation",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {"id": name, "name": name},
        "evaluation_results": [
            {
                "evaluation_name": benchmark,
                "source_data": {"dataset_name": benchmark, "source_type": "other"},
                "metric_config": {
                    "metric_id": card.data.family,
                    "metric_unit": "proportion",
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": 1.0,
                },
                "score_details": {
                    "score": model.score,
                    "uncertainty": _uncertainty(model, level),
                    "details": details,
                },
            }
        ],
    }


def _fields(of: object, *names: str) -> Json:
    return {name: getattr(of, name) for name in names}


def _uncertainty(model: RankedModel, level: float) -> Json:
    sample: Json = {} if math.isnan(model.n_items) else {"num_samples": int(model.n_items)}
    if math.isnan(model.standard_error):
        return sample
    return sample | {
        "standard_error": {"value": model.standard_error, "method": model.error_source},
        "confidence_interval": {
            "lower": model.lower,
            "upper": model.upper,
            "confidence_level": level,
        },
    }


def numbers(card: Card) -> Json:
    """Return the numbers for a leaderboard's maintainers, under the names of their schema.

    The schema is resources/own/numbers.schema.json. None where nothing can be said.
    """
    judged = {
        "verdict": card.verdict,
        "reason": card.reason,
        "advice": ADVICE[card.reason][0],
        "error_rate": card.error_rate,
        "dead_items": card.data.dead_items and asdict(card.data.dead_items),
    }
    if card.frontier is None:
        return judged | dict.fromkeys(_OF_TOP)
    return judged | _numbers_of_top(card, card.frontier)


def _numbers_of_top(card: Card, top: Frontier) -> Json:
    """Return the numbers that a card with a top has beside its verdict."""
    power, separation = top.power, top.answers.resolution
    same = top.answers.equivalence
    return {
        "groups": separation.groups,
        "tie_group": top.deciding.group,
        "rank_intervals": [
            _fields(model, "model", "best_rank", "worst_rank") for model in top.models
        ],
        "top_pair": _top_pair(top.models[0].model, top.deciding.with_leader[0]),
        "equivalent_within": same.within,
        "headroom": _fields(top.answers.headroom, "status", "ceiling", "lower", "upper"),
        "minimum_detectable_difference": {
            "named_pair": power.minimum_detectable_difference,
            "all_pairs": separation.minimum_detectable_difference,
        },
        "items_needed": {
            "present": power.n_items,
            "top_two": power.items_for_top_two,
            "top_k": power.items_for_top_k,
            "any_pair": separation.items_for_any,
            "every_pair": separation.items_for_all,
            "equivalent": same.items_for_equivalence,
        },
        "runs": asdict(card.runs) if isinstance(card.runs, Runs) else None,
        "renewal": asdict(card.renewal) if isinstance(card.renewal, Renewal) else None,
    }


def _top_pair(first: str, second: Difference) -> Json:
    """Return the test of the two best scores, with the items that only one of the two solved."""
    wins, losses = second.only_leader, second.only_model
    return {
        "first": first,
        "second": second.model,
        **_fields(second, "difference", "lower", "upper", "p_value", "p_adjusted", "items"),
        "only_first": wins,
        "only_second": losses,
        "discordant_items": None if wins is None or losses is None else wins + losses,
    }


def encode_card(card: Card) -> Json:
    """Turn a card into the content of its file."""
    content = {"schema_version": CARD_VERSION, "tool": f"saturation {saturation.__version__}"}
    content |= asdict(card) | {"numbers": numbers(card)}
    content["import"] = content.pop("imported")
    return content


def decode_card(content: Json) -> Card:
    """Read a card's file; KeyError, TypeError or StopIteration if of another version."""
    card: Card = _typed(Card, {**content, "imported": content["import"]})
    return card


def _typed(kind: Any, value: Any) -> Any:
    """Build a value of a type from JSON; a missing number becomes NaN."""
    origin = get_origin(kind)
    if origin is UnionType and isinstance(value, Mapping):
        kind = _smallest_with(set(value), filter(is_dataclass, get_args(kind)))
    if is_dataclass(kind):
        return _dataclass(kind, value)
    if origin is list:
        return [_typed(get_args(kind)[0], part) for part in value]
    if origin is dict:
        return {name: _typed(get_args(kind)[1], part) for name, part in value.items()}
    return math.nan if kind is float and value is None else value


def _dataclass(kind: Any, value: Any) -> Any:
    hints = get_type_hints(kind)
    return kind(**{name: _typed(hints[name], value[name]) for name in hints if name in value})


def _smallest_with(names: set[str], kinds: Iterable[Any]) -> Any:
    """Choose the dataclass with the fewest fields beside those of these names."""
    by_size = sorted(kinds, key=lambda kind: len(fields(kind)))
    return next(kind for kind in by_size if names <= set(get_type_hints(kind)))


def write_card(card: Card, folder: Path, templates: Mapping[str, str]) -> None:
    """Write the card's pages by the texts of their templates, the card, its summary and records.

    The card gets a line for each card of an earlier date that it takes the place of.
    """
    card = replace(card, earlier_cards=earlier_cards(card, folder))
    # The cards of earlier dates stand nowhere else.
    write_whole(write_json, encode_card(card), folder / "card.json")
    write_whole(write_text, json_line(asdict(card.summary)) + "\n", folder / "summary.json")
    for name, page in _WRITERS.items():
        write_text(page(card, templates[name]), folder / PAGES[name])
    lines = "".join(json_line(record) + "\n" for record in records(card))
    write_text(lines, folder / "every_eval_ever.jsonl")


def earlier_cards(card: Card, folder: Path) -> list[Summary]:
    """List a line for each card of an earlier date in a folder, the oldest first."""
    files = (folder / "card.json", folder / "summary.json")
    if not all(path.is_file() for path in files):
        return []
    before, summary = (load_json(path, _REMEDY) for path in files)
    try:
        lines = [Summary(**line) for line in [*before.get("earlier_cards", []), summary]]
    except (TypeError, AttributeError):
        return []  # of an earlier version of the project
    dated = [line for line in lines if UNDATED not in (line.observed_on, card.observed_on)]
    return list(dict.fromkeys(line for line in dated if line.observed_on < card.observed_on))


def keep(error: InputError, folder: Path, templates: Mapping[str, str]) -> Card | None:
    """Keep an earlier card in place, marked with the reason why no new card exists.

    Its data stay as they are; its pages say that they are of an earlier date, and why. None where
    there is no card, or one of another version of the project.
    """
    path = folder / "card.json"
    if not path.is_file():
        return None
    try:
        card = replace(decode_card(load_json(path, _REMEDY)), stale=error.violations)
    except (KeyError, TypeError, StopIteration):
        return None
    write_card(card, folder, templates)
    return card


def make(
    benchmarks: Mapping[str, Config],
    files: Mapping[str, Sequence[Config]],
    folder: Path,
    context: Context,
    templates: Mapping[str, str],
) -> None:
    """Make the card of every benchmark in a folder of its name.

    Where the files cannot be read, an earlier card stays in place and is marked; without one, a
    card without models says so, as long as another benchmark's could be made.
    """
    failed = {}
    for name, declared in benchmarks.items():
        try:
            imports, card = study(name, load(files[name], declared), declared, context)
        except InputError as error:
            if keep(error, folder / name, templates) is None:
                failed[name] = error.violations
            continue
        _write(card, imports, folder / name, templates)
    if len(failed) == len(benchmarks):
        raise InputError([line for violations in failed.values() for line in violations])
    for name, violations in failed.items():
        nothing = empty_imports()
        card = describe(name, nothing, benchmarks[name], context.settings)
        _write(replace(card, stale=violations), nothing, folder / name, templates)


def _write(card: Card, read: Imports, folder: Path, templates: Mapping[str, str]) -> None:
    write_csv(read.scores, folder / "scores.csv")
    write_parquet(read.responses, folder / "responses.parquet")
    write_json(asdict(read.record), folder / "imports.json")
    write_card(card, folder, templates)


# Numbers of a card that a job may set a limit to; None where nothing is known.
MEASURES: dict[str, Callable[[Card], float | None]] = {
    "tied": lambda card: card.summary.tied_at_top,
    "models": lambda card: card.data.n_ranked,
    "items": lambda card: card.data.n_items,
    "score": lambda card: card.frontier.models[0].score if card.frontier else None,
    "detectable": lambda card: (
        card.frontier.power.minimum_detectable_difference if card.frontier else None
    ),
    "s_index": lambda card: card.summary.s_index,
    "dead_items": lambda card: (
        len(card.data.solved_by_all + card.data.solved_by_none) if card.data.dead_items else None
    ),
}
_LIMIT = re.compile(r"(\w+)\s*(>=|<=|>|<)\s*(-?\d*\.?\d+)")
_OPERATORS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


def conditions(text: str) -> tuple[str, ...]:
    """Parse verdicts and limits, as ``tied>5``, between commas; raise ValueError if invalid."""
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        limit = _LIMIT.fullmatch(part)
        if part not in VERDICTS and not (limit and limit[1] in MEASURES):
            raise ValueError(
                f"'{part}' is neither a verdict ({', '.join(VERDICTS)}) nor a limit such as "
                f"'tied>5' ({', '.join(MEASURES)})"
            )
    return parts


def met(card: Card, wanted: Sequence[str]) -> list[str]:
    """List the conditions that a card meets, each with its value; an unknown number counts too."""
    matches = []
    for part in wanted:
        if part == card.verdict:
            matches.append(f"{card.benchmark} ({card.verdict})")
        elif limit := _LIMIT.fullmatch(part):
            value = MEASURES[limit[1]](card)
            if value is None or _OPERATORS[limit[2]](value, float(limit[3])):
                value_text = "not known" if value is None else f"{value:g}"
                matches.append(f"{card.benchmark} ({part}: {limit[1]} is {value_text})")
    return matches


def table(summaries: Sequence[Json]) -> pd.DataFrame:
    """One row a benchmark, in the given order."""
    if not summaries:
        raise InputError(
            "config: own.benchmarks is empty, so there is no card to make; "
            "try the worked example: snakemake --cores 2 card --configfile config/own.yaml"
        )
    from saturation.files import schema
    from saturation.own.schemas import CARDS

    return schema.validate(pd.DataFrame(summaries)[list(CARDS.columns)], CARDS, "cards")


def refused(cards: pd.DataFrame, fail_on: Sequence[str]) -> list[str]:
    """Write a sentence for each card with a refused verdict, or that could not be made anew."""
    stale = [
        f"benchmark '{row.benchmark}': "
        + (
            f"the card and its data as of {row.observed_on} stay in place, because its files failed"
            if row.n_models
            else "it has no card, because its files failed"
        )
        + f": {row.stale}"
        for row in cards[cards["stale"].notna()].itertuples()
    ]
    return stale + [
        f"benchmark '{row.benchmark}': the verdict is {row.verdict} ({row.reason}), "
        "which own.fail_on names"
        for row in cards[cards["verdict"].isin(list(fail_on))].itertuples()
    ]
