"""Tables in JSON and YAML documents: rows, objects by name, lists a column, and logs of answers."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from saturation.errors import InputError
from saturation.leaderboard.read import columns
from saturation.leaderboard.read.cells import strip_links
from saturation.leaderboard.read.sheets import Sheet, sheet_of

# The columns of keys of a document that may be models or tasks of one: the keys next to the scores,
# and those above them.
KEY = "key"
OUTER = "task key"
# The table of the cells that a document has beside its parts.
OWN = "own"
# Below how many keys a cell may lie, and half as deep as a list of rows may.
DEEPEST = 3
# Keys of the objects of a table, most of them in most objects.
MOST_KEYS = 200
# Values of a YAML document whose text is shorter.
MOST_NODES = 10**6
# What is read beside a cell's value; the rest is its looks.
_ERROR = re.compile(r"std|stderr|(?i:^(se|sem|sd)$|standard.?error|deviation)")
# An object of a document.
Content = Mapping[str, Any]
# Objects by an outer key and, within, by an inner key.
Pairs = Mapping[tuple[str, str], Content]
# A name of a column or item that is one of many: sample_17.
_NUMBERED = re.compile(r"\D+\d+")


def tables_of(content: Any) -> list[Sheet]:
    """Return every table of a JSON or YAML document: rows, models as keys, or lists a column."""
    tables: list[Sheet] = []
    _collect(content, (), tables)
    if not isinstance(content, Mapping):
        return tables
    facts = _facts(content)
    counts = [f"{value} items" for key, value in facts if _counts_items(key)]
    about = "; ".join([f"{key} {value}" for key, value in facts] + counts)
    models = [v for k, v in facts if columns.words(k) in columns.WORDS_OF_MODEL]
    numbers = {value for _, value in facts if not isinstance(value, str)}
    if numbers == {0} and not tables and [] in content.values():
        return []  # a tool began the file
    sheets = [_name_model(sheet, models) for sheet in tables]
    sheets = _add_record(content, sheets, is_named=len(models) == 1)
    return [replace(sheet, about=about) for sheet in sheets]


def _add_record(content: Content, tables: list[Sheet], *, is_named: bool) -> list[Sheet]:
    """Add what a document says of all of a model; tables of the model's parts give way to it."""
    lists = (key for key, value in content.items() if _is_list_of_objects(value))
    is_log = not all(columns.words(key) & columns.PARTS for key in lists)
    of_parts = any(columns.words(sheet.name) & columns.PARTS for sheet in tables)
    if tables and (is_log or not (of_parts or is_named)):
        return tables
    record = _tabulate_record(content, tables)
    return record if of_parts and record else tables + record


def _counts_items(key: str) -> bool:
    """Return whether a key names a number of items, as `total_questions` does."""
    terms = columns.words(key)
    return frozenset() < terms - columns.COUNTS <= columns.UNITS and terms - columns.UNITS != set()


def _facts(content: Content) -> list[tuple[str, Any]]:
    """Return the plain values of a document, and of the objects in it."""
    parts = [content, *(value for value in content.values() if isinstance(value, Mapping))]
    pairs = (pair for part in parts for pair in part.items())
    return [(key, value) for key, value in pairs if isinstance(value, (str, int, float))]


def _tabulate_record(content: Content, tables: Sequence[Sheet]) -> list[Sheet]:
    """Return an answer to an item, or the metrics of a model, as a table of one row.

    Parts that are tables or hold many cells are left out.
    """
    names = tuple(f"{sheet.name} " for sheet in tables)
    flat = {
        key: cell
        for key, cell in _flat(content, ())
        if not f"{key.replace('.', ' ')} ".startswith(names)
    }
    items = {key: "item" for key in flat if columns.numbers_items(key)}
    kind = bool if items else (int, float)
    totals = columns.AGGREGATES - {"total"}
    if not any(
        isinstance(cell, kind) and (columns.names_score(key) or columns.key(key) <= totals)
        for key, cell in flat.items()
    ):
        return []
    titles = [items.get(key, key) if key in list(items)[:1] else key for key in flat]
    return [Sheet(titles, [list(flat.values())], [1], OWN)]


def _name_model(sheet: Sheet, models: Sequence[Any]) -> Sheet:
    """Return a sheet with the model that its document names, where the rows are not models."""
    first = sheet.columns[0]
    keys = {first} & {"model", KEY}
    others = [name for name in sheet.columns if name not in keys]
    named = any(columns.words(name) & columns.MODEL - {"name"} for name in others)
    across = any(map(columns.looks_like_model, [*others, *(str(row[0]) for row in sheet.rows)]))
    if len(models) != 1 or named or across:
        return sheet
    titles = ["model", "task" if keys else first, *sheet.columns[1:]]
    return replace(sheet, columns=titles, rows=[[models[0], *row] for row in sheet.rows])


def _collect(content: Any, path: tuple[str, ...], found: list[Sheet]) -> None:
    sheet = _tabulate_part(content, " ".join(path))
    if sheet is not None:
        found.append(sheet)
        if not any(str(cell).startswith("[{") for row in sheet.rows for cell in row):
            return
    inside = dict(enumerate(content, start=1)) if isinstance(content, list) else content
    if len(path) < 2 * DEEPEST and isinstance(inside, Mapping):
        for key, value in inside.items():
            _collect(value, (*path, str(key)), found)


def _tabulate_part(content: Any, name: str) -> Sheet | None:
    """Return the table that a part of a document is, else None."""
    if isinstance(content, list) and content:
        return _tabulate_list(content, name)
    if isinstance(content, Mapping) and content:
        return (
            _tabulate_split(content, name)
            or _tabulate_metrics(content, name)
            or _tabulate_objects(content, name)
            or _tabulate_columns(content, name)
        )
    return None


def _tabulate_list(content: Sequence[Any], name: str) -> Sheet | None:
    """Return the table of a list of rows: lists below a header, or objects."""
    is_grid = all(isinstance(row, list) and len(row) == len(content[0]) > 1 for row in content)
    # A matrix of confusions has no header.
    if is_grid and not any(isinstance(name, (int, float)) for name in content[0]):
        header, *rows = ([_value(cell) for cell in row] for row in content)
        return sheet_of(list(map(str, header)), enumerate(rows, start=2), name)
    return _tabulate_rows(content, name) if _are_mappings(content) else None


def _are_mappings(values: Iterable[Any]) -> bool:
    return all(isinstance(value, Mapping) for value in values)


def _tabulate_rows(content: Sequence[Content], name: str) -> Sheet | None:
    """Return the table of objects: answers to items, lists below a key, or plain rows."""
    nested = any(map(_holds_mappings, chain.from_iterable(row.values() for row in content)))
    if nested and (log := _tabulate_log(content, name)):
        return log
    if key := _key_of_lists(content):
        return _tabulate_list(list(_unnested(content, key)), name)
    return None if _holds_tables(content) else _tabulate_records(content, name)


def _tabulate_log(records: Sequence[Content], name: str) -> Sheet | None:
    """Return answers to items without what they are made of, such as a trace; else None."""
    rows = [dict(_facts_of_answer(record)) for record in records]
    keys = dict.fromkeys(key for row in rows for key in row)
    items = [k for k in rows[0] if columns.numbers_items(k) or columns.key(k) == {"name"}]
    models = [str(row["model"]) for row in rows if "model" in row]
    if not items or not _hold_outcomes(rows, keys) or len(set(models)) > len(rows) / 2:
        return None
    if (item := _item_of(rows, items, models)) is not None:
        rows = [{**row, "item": row.get(item)} for row in rows]
    return _tabulate_records(rows, name)


def _hold_outcomes(rows: Sequence[Content], keys: Iterable[str]) -> bool:
    """Return whether rows have outcomes that are numbers, and no counts."""
    outcomes = [key for key in keys if columns.key(key) & columns.SUCCESSES]
    pairs = ((key, row.get(key)) for row in rows for key in outcomes)
    scores = [(key, score) for key, score in pairs if isinstance(score, (int, float))]
    counts = (score for key, score in scores if columns.key(key) & columns.COUNTED)
    return bool(scores) and max(counts, default=0) <= 1


def _item_of(rows: Sequence[Content], items: Sequence[str], models: Sequence[str]) -> str | None:
    """Return the key that names items: of one model's the most, of several those they share."""
    texts = {key: [str(row.get(key)) for row in rows] for key in items}
    if not models:
        return max(items, key=lambda key: (len(set(texts[key])), len(key)))
    once = [key for key in items if len(set(zip(models, texts[key]))) == len(rows)]
    return min(once, key=lambda key: len(set(texts[key])), default=None)


def _facts_of_answer(record: Content) -> Iterator[tuple[str, Any]]:
    """Yield the plain cells of a record and, of what lies deeper, items and outcomes.

    Of a model or its provider that is an object, the name.
    """
    for key, cell in record.items():
        if isinstance(cell, Mapping) and columns.words(key) <= {"model", "provider"}:
            yield "model", next((cell[k] for k in ("id", "name", "label") if k in cell), None)
        elif isinstance(cell, Mapping):
            for name, part in _flat(cell, (key,)):
                if columns.numbers_items(name) or columns.key(name) & columns.SUCCESSES:
                    yield name, part
        elif not _holds_mappings(cell):
            yield key, cell


def _holds_mappings(cell: Any) -> bool:
    parts = cell if isinstance(cell, list) else [cell]
    return any(isinstance(part, (Mapping, list)) for part in parts)


def _tabulate_split(content: Content, name: str) -> Sheet | None:
    """Return the table of an object that holds a header and rows under usual keys."""
    header = next((content[key] for key in ("columns", "header", "headers") if key in content), 0)
    bodies = (value for value in content.values() if value is not header)
    body = next((value for value in bodies if isinstance(value, list) and value), [0])
    if isinstance(header, list) and isinstance(body[0], list):
        return _tabulate_list([header, *body], str(content.get("title") or name))
    return None


def _tabulate_objects(content: Content, name: str) -> Sheet | None:
    """Return the table of objects by name, or of a column of rows by number."""
    values = list(content.values())
    if len(values) < 2 or not _are_mappings(values) or not columns.BESIDE.isdisjoint(content):
        return None
    if _number_items(values[0]) and all(set(value) == set(values[0]) for value in values):
        # As pandas writes a frame.
        return _tabulate_columns(
            {key: list(value.values()) for key, value in content.items()}, name
        )
    if key := _key_of_lists(values):
        kind = _kind(content, name)
        return _tabulate_list([{kind: title, key: v[key]} for title, v in content.items()], name)
    keys = set().union(*values)
    # Outcomes of pairs are no scores.
    of_pairs = columns.words(" ".join(map(str, keys))) & {"tie", "draw"}
    if of_pairs or len(keys) > MOST_KEYS or _holds_tables(values):
        return None
    if (cells := _of_models_within(content)) is not None:
        return _tabulate_records(cells, name)
    # Numbers are names of items, of which a model's own log has an object each.
    if _number_items(content):
        return _tabulate_list([{"item_id": key, **value} for key, value in content.items()], name)
    return _tabulate_named(content, name)


def _tabulate_metrics(content: Content, name: str) -> Sheet | None:
    """Return the only metric of each task of a model; None unless groups share no task.

    Models would have the same metric, of which groups of tasks have several.
    """
    groups = [group for group in content.values() if isinstance(group, Mapping)]
    tasks = [pair for group in groups for pair in group.items()]
    if not len(content) == len(groups) > 1 or len(dict(tasks)) < len(tasks):
        return None
    if not all(isinstance(value, Mapping) and len(value) == 1 for _, value in tasks):
        return None
    rows = [(task, *pair) for task, value in tasks for pair in value.items()]
    if len({metric for _, metric, _ in rows}) < 2:
        return None
    return sheet_of(["task", "metric", "score"], enumerate(rows, start=1), name)


def _number_items(keys: Iterable[Any]) -> bool:
    """Return whether keys are numbers or recordings, which are names of items."""
    return all(key.isdigit() or columns.RECORDING.search(key) for key in map(str, keys))


def _tabulate_named(content: Content, name: str) -> Sheet | None:
    """Return objects by name as rows, unless most of many columns are empty."""
    fields = set.intersection(*(set(value) for value in content.values()))
    if any({"model"} <= columns.words(field) <= {"model", "name", "id"} for field in fields):
        kind = "entry id"
    else:
        title = columns.words(name.rpartition(" ")[2])
        # Below `task_c`, keys are no tasks.
        kind = min(title if title <= columns.ROWS else (), default=_kind(content, name))
    sheet = _tabulate_records([{kind: key, **value} for key, value in content.items()], name)
    cells = [cell for row in sheet.rows for cell in row]
    filled = sum(cell is not None for cell in cells)
    return None if len(sheet.columns) > MOST_KEYS and 20 * filled < len(cells) else sheet


def _key_of_lists(values: Sequence[Content]) -> str | None:
    """Return the key below which each object has a list of objects."""
    shared = (k for k in values[0] if all(_is_list_of_objects(value.get(k)) for value in values))
    return next(shared, None)


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping)


def _unnested(content: Sequence[Content], key: str) -> Iterator[dict[str, Any]]:
    """Yield the records of lists below a key, each with the plain cells beside its list.

    Of two names the outer is a model's if it looks so, else a task's.
    """
    inner = (str(record.get("name")) for row in content for record in row[key])
    is_model = any(columns.looks_like_model(str(row.get("name"))) for row in content)
    titles = ("model", "task") if is_model else ("task", _kind(inner, name=""))
    for row in content:
        beside = {k: cell for k, cell in row.items() if not isinstance(cell, (Mapping, list))}
        for record in row[key]:
            both = beside | record
            if "name" in beside and "name" in record:
                del both["name"]
                both |= zip(titles, (beside["name"], record["name"]))
            yield both


def _kind(keys: Iterable[str], name: str) -> str:
    """Return ``model`` where keys are names of models; elsewhere what they are is open."""
    named = columns.words(name.rpartition(" ")[2]) & columns.MODEL - {"name"}
    return "model" if named or any(map(columns.looks_like_model, keys)) else KEY


def _of_models_within(content: Content) -> list[dict[str, Any]] | None:
    """Return rows of objects by task and, within, by model; None of other objects."""
    parts = {key: value["models"] for key, value in content.items() if "models" in value}
    pairs = {
        (str(outer), str(inner)): cells
        for outer, value in (parts or content).items()
        for inner, cells in value.items()
    }
    if not pairs or not _are_mappings(pairs.values()) or not (titles := _titles_of_keys(pairs)):
        return None
    rows = ([*zip(titles, keys), *cells.items()] for keys, cells in pairs.items())
    return [{k: cell for k, cell in row if not _is_list_of_objects(cell)} for row in rows]


def _titles_of_keys(pairs: Pairs) -> Sequence[str]:
    """Return what outer and inner keys of objects are: tasks, models, or open.

    Of other objects, whose inner keys do not repeat or are metrics and settings, nothing.
    """
    outer, inner = zip(*pairs)
    if len(set(inner)) == len(inner):
        return ()
    are_most = columns.are_most
    if are_most(columns.names_method, inner) or are_most(columns.names_benchmark, outer):
        return "task", "model"
    if are_most(columns.names_benchmark, inner):
        return "model", "task"
    parts = columns.WORDS_OF_METRICS | columns.HEADLINES | columns.SETTINGS | columns.ROWS
    are_parts = any(columns.words(key) & parts for key in inner)
    if are_parts or len(pairs) < len(set(outer)) * len(set(inner)):
        return ()
    return () if any(map(columns.names_method, outer)) else (OUTER, KEY)


def _tabulate_columns(content: Content, name: str) -> Sheet | None:
    """Return the table of lists a column, or of a score for each key."""
    values = list(content.values())
    if all(isinstance(value, list) for value in values):
        if all(map(_NUMBERED.fullmatch, content)):
            return _tabulate_repeats(content, name)
        alike = len({len(value) for value in values}) == 1 and len(values[0]) > 1 < len(values)
        if alike and not any(isinstance(value[0], (Mapping, list)) for value in values):
            return sheet_of(list(content), enumerate(zip(*values), start=1), name)
    is_numeric = all(isinstance(value, (int, float)) for value in values)
    if not is_numeric or len(values) < (3 if name else 2):
        return None
    if not _number_items(content):
        return _tabulate_scores(content, name)
    # Right and wrong by the number of an item are answers; a share of 0.0 at all numbers is not.
    varies = len({*values}) > 1 or isinstance(values[0], int)
    answers = enumerate(content.items(), start=1)
    return sheet_of(["item", "response"], answers, name) if {*values} <= {0, 1} and varies else None


def _tabulate_scores(content: Content, name: str) -> Sheet | None:
    """Return scores by name; None of the metrics of one model, and of outcomes of pairs."""
    words = [columns.words(key) for key in content]
    metrics = sum(map(columns.names_score, content))
    of_pairs = any(terms & columns.OUTCOMES for terms in words)
    if 3 * metrics >= len(content) or of_pairs or all(terms & columns.MEASURES for terms in words):
        return None
    kind, title = _kind(content, name), columns.words(name.rpartition(" ")[2])
    if kind == KEY and name and not title & (columns.NAMES_OF_SCORES | {"leaderboard"}):
        return None
    return sheet_of([kind, "score"], enumerate(content.items(), start=1), name)


def _tabulate_repeats(content: Content, name: str) -> Sheet | None:
    """Return lists of right and wrong by a numbered item as answers; None of other lists."""
    cells = [
        [item, run, cell] for item, runs in content.items() for run, cell in enumerate(runs, 1)
    ]
    if not all(isinstance(cell, bool) for *_, cell in cells):
        return None
    return sheet_of(["item", "run", "response"], enumerate(cells, start=1), name)


def _holds_tables(rows: Sequence[Content]) -> bool:
    """Check whether all rows are containers of tables themselves, as leaderboards by name."""
    return all(any(map(_is_list_of_objects, row.values())) for row in rows)


def _tabulate_records(records: Sequence[Content], name: str) -> Sheet:
    """Return rows of the records, a column for each key; a missing value is blank."""
    flat = [dict(_flat(record, ())) for record in records]
    columns = list(dict.fromkeys(key for row in flat for key in row))
    rows = ([row.get(key) for key in columns] for row in flat)
    return Sheet(columns, list(rows), list(range(1, len(flat) + 1)), name)


def _flat(record: Content, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        place, is_part = (*path, str(key)), isinstance(value, Mapping)
        within = is_part and len(path) < DEEPEST and len(value) <= MOST_KEYS
        looks = is_part and "value" in value
        if looks or not within:
            yield ".".join(place), _value(value)
        if within:
            yield from _flat(
                {k: v for k, v in value.items() if not looks or _ERROR.search(str(k))}, place
            )


def _value(cell: Any) -> Any:
    """Return a cell, or the value of a cell with formatting."""
    if isinstance(cell, Mapping):
        return _value(cell.get("value", ""))
    if isinstance(cell, str):
        return strip_links(cell)
    return cell if isinstance(cell, (int, float, bool)) or cell is None else str(cell)


def _spelled_out(node: Any, sizes: dict[int, float]) -> float:
    """Return how many values a node of YAML is with its aliases spelled out."""
    if id(node) not in sizes:
        sizes[id(node)] = math.inf  # within itself
        inside = node.value if isinstance(getattr(node, "value", ""), list) else []
        pairs = (part if isinstance(part, tuple) else (part,) for part in inside)
        parts = (part for pair in pairs for part in pair)
        sizes[id(node)] = 1 + sum(_spelled_out(part, sizes) for part in parts)
    return sizes[id(node)]


def yaml(text: str, file: str) -> list[Sheet]:
    """Return the tables of a YAML or JSON document."""
    import yaml as reader

    loader = getattr(reader, "CSafeLoader", reader.SafeLoader)
    try:
        root = reader.compose(text, loader)
        if (nodes := _spelled_out(root, {})) > max(MOST_NODES, len(text)):
            raise InputError(
                f"{file}: with its aliases spelled out this is {nodes:.3g} values; write out what "
                "is meant, without aliases (*NAME)"
            )
        content = loader("").construct_document(root) if root else None
    except reader.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place else ""
        raise InputError(
            f"{file}{line}: not YAML: {getattr(error, 'problem', error)}; correct the line, or "
            "copy the file again"
        ) from None
    return tables_of(content)
