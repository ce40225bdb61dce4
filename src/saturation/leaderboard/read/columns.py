"""What a published table's columns mean, by their names and cells; plain Python."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

from saturation.leaderboard.read.sheets import Sheet, plain


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Cells that say nothing, in every shape of a table; so do dashes, dots and question marks.
BLANK = _set("n/a na nan null none tbd <na> #n/a n.a. n.a n/r pending unknown") | {
    "", "not reported", "not available", "not evaluated", "not tested"}  # fmt: skip
_NOTHING = re.compile(r"[-–—−‑?.… ]*")


_MODEL = _set("""model models modell system systems name method agent submission llm submitter entry
    approach respondent user userid algorithm engine participant""")
_STRONG = _set("""accuracy acc score scores winrate win rate f1 bleu rouge em exact resolved solved
    success correct percent pct % elo rating arena ndcg auc auroc recall mrr iou performance
    genauigkeit ergebnis result results""")
_NO_SCORE = _set("""rank rang platz ranking rankings position place price pricing cost costs usd $
    link url website license licence lizenz organization organisation org provider vendor company
    votes vote params parameters param seconds latency tokens throughput year cutoff co2 co₂ speed
    likes stars downloads id commit hash dirname command seed version versions # variance battles
    rtfx δ delta diff""")
_HARDLY = _set("""size length len words chars context time minutes hours s ms sec memory gb vram dim
    dims dimension dimensions layers type released release knowledge shots shot num count number no
    nr billion billions epochs steps calls turns temperature merged moe flagged energy kg emissions
    flops duration runtime age stamp timestamp date""")
_AGGREGATE = _set("""average avg mean overall total aggregate macro micro composite combined global
    index""")
_TASK = _set("task tasks benchmark benchmarks dataset data eval evaluation subject subset category")
_LOWER = _set("""error errors hallucination hallucinations hallucinated wer cer ter perplexity ppl
    loss toxicity toxic failure failures fail mae rmse mse brier ece asr harmful harmfulness
    violation violations contamination distance""")
_HIGHER = _set("""accuracy acc correction detection resistance avoidance free non robustness
    consistency factual pass success recovery""")
_N = _set(
    "n items questions examples samples instances problems cases tests tasks eval fragen aufgaben"
)
_OF_N = _N | _set("num number of total test count # evaluated size tasks eval valid anzahl")
_RATING = _set("elo rating ratings arena")
_RIGHT = _set("""accuracy acc em qem pem pqem exact resolved solved correct genauigkeit mc1
    extractive pass@1 passed hallucination""")
_COUNTED = _set("correct solved resolved passed right")
_OF_MANY = re.compile(r"(?:\bof|/) ?(\d+)\b")
_MEANS = _set("f1 bleu sacrebleu rouge rougel chrf mc2 winrate mean average ndcg map")
_LOW, _HIGH = _set("lower low lo lcb q025 min"), _set("upper high hi ucb q975 max")
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SAID = rf"(?P<number>{_NUMBER})\s*(?P<percent>%?)"
_FORMS = [
    re.compile(form, re.ASCII)
    for form in (
        _SAID,
        rf"{_SAID}\s*\(?\s*(?:±|\+/?-|\\?pm)\s*(?P<error>{_NUMBER})\s*%?\s*\)?",
        rf"{_SAID}\s*\(?\s*\+(?P<above>{_NUMBER})\s*/\s*-(?P<below>{_NUMBER})\s*%?\s*\)?",
        rf"{_SAID}\s*\(?\s*-(?P<below>{_NUMBER})\s*/\s*\+(?P<above>{_NUMBER})\s*%?\s*\)?",
        rf"{_SAID}\s*[\[(]\s*(?P<low>{_NUMBER})\s*%?\s*(?:,|;|–|to|-)\s*(?P<high>{_NUMBER})"
        r"\s*%?\s*[\])]",
        rf"{_SAID}\s*\(\s*(?P<solved>\d+)\s*/\s*(?P<n>\d+)\s*\)",
        rf"(?P<solved>\d+)\s*(?:/|of|out of)\s*(?P<n>\d+)(?:\s*\(\s*{_SAID}\s*\))?",
        rf"{_SAID}\s*\(\s*n\s*=\s*(?P<n>\d+)\s*\)",
        # A difference from another score.
        rf"{_SAID}\s*\(\s*[-+↑↓]\s*{_NUMBER}\s*%?\s*\)",
        rf"{_SAID}\s*\([^()]*[A-Za-z][^()]*\)",
    )
]
# 1,470 and 1 470 are numbers; 0,853 and 85,3 are not, unless all of a table has commas.
_MARKS = r"'’ \xa0\u2009\u202f"
_THOUSANDS = re.compile(
    rf"(?<![\d.,])[1-9]\d{{0,2}}(?:([,{_MARKS}])\d{{3}})(?:\1\d{{3}})*(?!\1?\d)", re.ASCII
)
_WITH_COMMA = rf"[+-]?\d+(?:[.{_MARKS}]\d{{3}})*(?:,\d+)?\s*%?"
_WITH_COMMAS = re.compile(
    rf"±?\s*{_WITH_COMMA}(?:\s*[±/]\s*{_WITH_COMMA})?"
    rf"|(?:{_WITH_COMMA}\s*)?[\[(]\s*{_WITH_COMMA}\s*[;–]\s*{_WITH_COMMA}\s*[\])]"
)
COMMA = re.compile(r"(?<![\d,])(?:0,\d+|\d+,(?:\d\d?|\d{4,}))(?![\d,])")
_POINT = re.compile(r"(?<![\d.])(?:0\.\d+|\d+\.(?:\d\d?|\d{4,}))(?![\d.])")
_POINTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
# A score and its error, in a column whose name says that it holds errors.
_IN_PARENTHESES = re.compile(rf"({_NUMBER}\s*%?)\s*\(\s*({_NUMBER})\s*%?\s*\)", re.ASCII)
# Of Wikipedia: [3], [a]; of Markdown: [^3].
FOOTNOTES = re.compile(r"(?:\s*\[(?:\^?\d{1,3}|[a-z]|note \d+)\])+$")
# Rows that stand among the models and are none.
_NO_MODEL = re.compile(
    r"humans?\b(?![-/]).*|.*\bhuman (experts?|performance|baseline|average|level)\b.*"
    r"|(experts?|annotators?|crowd ?workers?)( \(.*)?"
    r"|(random|chance|majority|constant|frequent)( (guess\w*|baseline|choice|chance|class|agent"
    r"|level|vote|performance|score))*( \(.*)?|null ?model\b.*"
    r"|(average|avg\.?|mean|median|overall|total|sum|sota|oracle|std( ?dev)?)( .*)?",
    re.IGNORECASE,
)
_DAY_FORMS = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y",
              "%d.%m.%Y", "%Y-%m", "%b %Y", "%B %Y")  # fmt: skip


class Value(NamedTuple):
    """What a cell says of a score."""

    number: float
    percent: bool = False
    error: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    decimals: int = 0


def words(name: str) -> frozenset[str]:
    """The words of a column's name, in small letters: ``modelId`` has two."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", plain(name).replace("+/-", "±"))
    spaced = spaced.replace("%-KI", "% CI")
    return frozenset(re.findall(r"[^\W_]+(?:[@+][^\W_]*)?|[%$#±]", spaced.lower()))


def blank(cell: Any) -> bool:
    """Whether a cell says nothing."""
    if isinstance(cell, float):
        return math.isnan(cell)
    if cell is None or isinstance(cell, int):
        return cell is None
    text = str(cell).strip().lower()
    return text in BLANK or _NOTHING.fullmatch(text) is not None


def value(cell: Any) -> Value | str | None:
    """The number in a cell with what is beside it; None if blank, text if it is neither."""
    if blank(cell):
        return None
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, (int, float)):
        return Value(float(cell), decimals=_decimals(repr(cell)))
    text = plain(str(cell)).replace("−", "-").strip()
    text = FOOTNOTES.sub("", text).strip(" *†‡§^↑↓▲▼🏆🥇🥈🥉🔥⭐¹²³⁴⁵⁶⁷⁸⁹")
    for form, said in product(_FORMS, dict.fromkeys([text, _THOUSANDS.sub(_joined, text)])):
        if found := form.fullmatch(said):
            return _value(found.groupdict())
    return str(cell)


def _value_of(cell: Any, said: frozenset[str]) -> Value | str | None:
    """The value of a cell in a column whose name may say that parentheses hold errors."""
    if isinstance(cell, str) and _is_error(said):
        return value(_IN_PARENTHESES.sub(r"\1 ± \2", cell))
    return value(cell)


def _joined(found: re.Match[str]) -> str:
    return re.sub(r"\D", "", found[0])


def with_points(sheet: Sheet) -> Sheet:
    """The sheet with decimal points for decimal commas, and nothing between thousands.

    It is changed if no number has a decimal point and most numbers of a column have a decimal
    comma, or all of a column of items or ratings a point between thousands.
    """
    texts = [[plain(str(cell)).replace("−", "-").strip() for cell in row] for row in sheet.rows]
    numbers = [[text if _WITH_COMMAS.fullmatch(text) else "" for text in row] for row in texts]
    pointed = any(_POINT.search(text) for row in texts for text in row if value(text) != text)
    if pointed or not any(map(_has_commas, sheet.columns, zip(*numbers))):
        return sheet
    between = re.compile(rf"(?<=\d)[.{_MARKS}](?=\d{{3}})")
    rows = [[between.sub("", number).replace(",", ".") or cell for number, cell in zip(*both)]
            for both in zip(numbers, sheet.rows)]  # fmt: skip
    return replace(sheet, rows=rows, notes=[*sheet.notes, "commas are decimal, 1.470 is 1470"])


def _has_commas(name: str, cells: Sequence[str]) -> bool:
    """Whether most numbers of a column have a decimal comma, or all a point between thousands."""
    given = [cell for cell in cells if not blank(cell)]
    return 2 * sum(map(bool, map(COMMA.search, given))) > len(given) or (
        bool(given and words(name) & (_N | _RATING)) and all(map(_POINTED.fullmatch, given))
    )


def _value(part: dict[str, Any]) -> Value:
    number, percent = part.get("number"), bool(part.get("percent"))
    solved, n = (None if part.get(key) is None else int(part[key]) for key in ("solved", "n"))
    if number is None and solved is not None:
        score = solved / n if n else math.nan
        return Value(score, n=n, decimals=12)
    amount = float(str(number))
    numbers = {key: float(part[key]) for key in ("error", "low", "high", "above", "below")
               if part.get(key) is not None}  # fmt: skip
    low, high = numbers.get("low"), numbers.get("high")
    if "above" in numbers:
        low, high = amount - numbers["below"], amount + numbers["above"]
    return Value(amount, percent, numbers.get("error"), low, high, n, _decimals(str(number)))


def _decimals(text: str) -> int:
    mantissa, _, exponent = text.lower().partition("e")
    return max(0, len(mantissa.partition(".")[2].rstrip("0")) - int(exponent or 0))


def width(cell: Any, score: float) -> tuple[float, float] | None:
    """The ends that a cell of a column of errors gives a score, in the score's unit."""
    text = str(cell).strip()
    for written in (f"{score} {text}", f"{score} ± {text}", f"{score} [{text}]"):
        found = value(written)
        if isinstance(found, Value) and found.error is not None:
            return score - found.error, score + found.error
        if isinstance(found, Value) and found.low is not None and found.high is not None:
            return found.low, found.high
    return None


def day_of(cell: Any) -> str | None:
    """ISO date of a cell in one of the common forms; of a month its first day."""
    text = re.sub(r"(?<=\d)(st|nd|rd|th)\b|[,.](?=\s)", "", str(cell).strip())
    if re.match(r"\d{4}-\d\d-\d\d", text):
        text = text[:10]
    for form in _DAY_FORMS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return None


def no_model(name: str) -> bool:
    """Whether a row is an average, a total, a guess or a human."""
    return _NO_MODEL.fullmatch(name.strip()) is not None


def lower_is_better(name: str) -> bool:
    """Whether a metric's name says that it counts errors."""
    said = words(name)
    return bool(said & _LOWER) and not said & _HIGHER


def is_score(name: str) -> bool:
    """Whether a column's name is that of a score."""
    return bool(words(name) & _STRONG)


def is_unbounded(name: str) -> bool:
    """Whether a metric's name is that of one without a highest value."""
    return bool(words(name) & _set("perplexity ppl loss mae rmse mse"))


def family_of(name: str) -> str | None:
    """The metric's family as its name says it."""
    said = words(name)
    if said & _RATING:
        return "rating"
    if said & _RIGHT or {"pass", "rate"} <= said or {"success", "rate"} <= said:
        return "accuracy"
    return "bounded_mean" if said & _MEANS or {"win", "rate"} <= said else None


# More columns of scores are those of tasks.
MOST_METRICS = 4


@dataclass(frozen=True)
class Layout:
    """Which column of a sheet is what, by its place; scores are those of tasks or of metrics."""

    sheet: Sheet
    model: int
    scores: list[int]
    aggregates: list[int]
    sizes: list[int]  # numbers of items
    date: int | None
    task: int | None
    errors: list[int]  # standard errors, deviations and intervals
    ends: list[tuple[int, int]]  # lower and upper ends
    rank: int | None
    sure: bool  # whether the column of models is named so
    values: list[list[Value | str | None]]  # what the cells of each column say of a score

    def name(self, place: int) -> str:
        """A column's name."""
        return self.sheet.columns[place]

    def numbers(self, place: int) -> list[Value]:
        """The numbers in a column."""
        cells = self.values[place]
        return [one for one in cells if isinstance(one, Value) and math.isfinite(one.number)]

    def n_of(self, place: int) -> int | None:
        """The column of a score's n: of several, the one below the same key of a document."""
        key = self.name(place).rpartition(".")[0]
        below = [p for p in self.sizes if key and self.name(p).rpartition(".")[0] == key]
        alone = len(self.scores) == 1 or self.metrics
        shared = self.sizes[:1] if alone or "n_items" in map(self.name, self.sizes) else []
        return next(iter([*below, *shared]), None)

    @property
    def metrics(self) -> bool:
        """Whether the scores are one benchmark's in several metrics, not those of tasks."""
        names = [words(self.name(place)) for place in self.scores]
        if len(names) > MOST_METRICS or self.aggregates:
            return False
        shared = frozenset.intersection(*names) - {"rate", "winrate"}
        own = [said - shared for said in names]
        strong = [said & _STRONG or any(w.startswith("pass@") for w in said) for said in own]
        return 2 * sum(map(bool, strong)) > len(names) or all(
            not any(word for word in said if not word.isdigit()) for said in own
        )

    @property
    def unread(self) -> list[str]:
        """Columns that say nothing of a score."""
        read = {self.model, *self.scores, *self.aggregates, *self.sizes, self.date, self.task}
        read |= {*self.errors, *(end for pair in self.ends for end in pair)}
        return [name for place, name in enumerate(self.sheet.columns) if place not in read]


# Columns that are called by our names are what these say.
OURS = ("run", "configuration", "metric", "task", "date", "n_items", "standard_error",
        "standard_deviation", "lower", "upper", "model", "score")  # fmt: skip


def layout(sheet: Sheet) -> Layout | None:
    """What the columns of a sheet are; None if no column holds models, or none scores."""
    columns = [[row[place] for row in sheet.rows] for place in range(len(sheet.columns))]
    said = [words(name) for name in sheet.columns]
    parsed = [[_value_of(cell, names) for cell in cells] for cells, names in zip(columns, said)]
    numeric = {place for place, cells in enumerate(parsed) if _numeric(cells)}
    exact = {name: place for place, name in enumerate(sheet.columns) if name in OURS}
    model = exact.get("model", _model(columns, said, numeric))
    if model is None:
        return None
    sure = bool(said[model] & _MODEL)
    left = [place for place in range(len(columns)) if place != model]
    dates = [p for p in left if _is_date(columns[p], said[p])]
    date = exact.get("date", dates[0] if dates else None)
    last = [words(name.rpartition(".")[2]) for name in sheet.columns]
    sizes = [p for p in left if p in numeric and _is_n(parsed[p], last[p])]
    sizes = [exact["n_items"]] if "n_items" in exact else sizes
    ends = _ends(parsed, said, [p for p in left if p in numeric])
    if "lower" in exact and "upper" in exact:
        ends = [(exact["lower"], exact["upper"])]
    # Spreads of scores that are columns themselves: 'accuracy' beside 'accuracy std'.
    errors = [p for p in left if _is_error(said[p]) and not _with_errors(parsed[p])]
    taken = {date, *errors, *(end for pair in ends for end in pair), *dates}
    taken |= {exact.get(name) for name in OURS[:-1]}
    taken |= {p for p in left if _is_n(parsed[p], last[p])}
    scores = [p for p in left if p in numeric - taken and not _beside(said[p])]
    scores = _without_counts(scores, columns, said)
    # 'IFEval' and 'IFEval Raw' are one score in two units.
    scores = [p for p in scores if "raw" not in said[p] or said[p] - {"raw"} not in said]
    if "score" in exact:
        scores = [exact["score"]]
    totals = any("total" in last[p] for p in sizes[:1])
    if counts := [p for p in scores if _counts(parsed, sheet.columns[p], p, sizes, totals)]:
        scores = [p for p in scores if p not in counts and said[p] & _STRONG] or counts
    aggregates = [p for p in scores if said[p] & _AGGREGATE]
    if len(scores) - len(aggregates) >= 2:
        scores = [p for p in scores if p not in aggregates]
    else:
        aggregates = []
    if not scores:
        return None
    task = exact.get("task", _task(columns, said, left, numeric, model))
    rank = next((p for p in left if p in numeric and _is_rank(parsed[p], said[p])), None)
    return Layout(
        sheet, model, scores, aggregates, sizes, date, task, errors, ends, rank, sure, parsed
    )  # fmt: skip


def only(board: Layout, rows: Sequence[int]) -> Layout:
    """A layout of some of the rows."""
    sheet = replace(board.sheet, rows=[board.sheet.rows[row] for row in rows],
                    lines=[board.sheet.lines[row] for row in rows])  # fmt: skip
    return replace(board, sheet=sheet, values=[[c[row] for row in rows] for c in board.values])


def _with_errors(cells: Sequence[Value | str | None]) -> bool:
    """Whether scores stand in a column together with their errors."""
    return any(isinstance(c, Value) and not (c.error is None and c.low is None) for c in cells)


def _numeric(cells: Sequence[Value | str | None]) -> bool:
    given = [cell for cell in cells if cell is not None]
    return 2 * sum(isinstance(cell, Value) for cell in given) > len(given) > 0


def _model(
    columns: Sequence[Sequence[Any]], said: Sequence[frozenset[str]], numeric: set[int]
) -> int | None:
    """The column of models: named so, else the first of text that hardly repeats."""
    found = []
    for place, cells in enumerate(columns):
        given = [plain(str(cell)) for cell in cells if not blank(cell)]
        links = sum("://" in cell and " " not in cell for cell in given)
        if place in numeric or 2 * links > len(given) or 2 * len(given) < len(cells) or not given:
            continue
        named = said[place] & _MODEL
        if said[place] & (_NO_SCORE - {"id"}) or {"type"} & said[place]:
            continue
        if not named and (len(set(given)) < 0.8 * len(given) or said[place] & _TASK):
            continue
        rank = (
            0 if said[place] == {"model"}
            else 1 if named & {"model", "models"} and not said[place] & {"base", "editor", "judge"}
            else 2 if named else 3
        )  # fmt: skip
        found.append((rank, place))
    return min(found)[1] if found else None


def _is_date(cells: Sequence[Any], said: frozenset[str]) -> bool:
    """Dates of an evaluation; those of a model's release or knowledge are none."""
    if said & {"release", "released", "cutoff", "knowledge", "training"}:
        return False
    if not said & {"date", "datum", "submitted", "evaluated", "day", "created", "updated"}:
        return False
    given = [cell for cell in cells if not blank(cell)]
    return bool(given) and all(day_of(cell) for cell in given)


def _is_n(cells: Sequence[Value | str | None], said: frozenset[str]) -> bool:
    if not said & (_N | {"total", "num"}) or said - _OF_N:
        return False
    numbers = [cell.number for cell in cells if isinstance(cell, Value)]
    if not numbers or any(number < 2 or number % 1 for number in numbers):
        return False
    return len(set(numbers)) == 1 or not said <= {"tasks", "tests", "cases", "total", "num"}


def _is_rank(cells: Sequence[Value | str | None], said: frozenset[str]) -> bool:
    numbers = [cell.number for cell in cells if isinstance(cell, Value)]
    named = said & {"rank", "place", "rang", "platz"} or said == {"#"}
    return bool(named) and 2 * len(set(numbers)) > len(numbers)


_ERRORS = _set("stderr se sem sd stdev deviation ± ci confidence margin konfidenzintervall")


def _is_error(said: frozenset[str]) -> bool:
    return bool(said & _ERRORS) or "std" in said or {"standard", "error"} <= said


_INTERVAL = _set("ci confidence margin interval konfidenzintervall")
_ERROR = _set("se sem stderr error sd std stdev deviation")


def level_of(name: str) -> float | None:
    """The level of an interval that a column's name says; 0 for a standard error."""
    said = words(name)
    if not said & _INTERVAL:
        return 0.0 if "±" not in said or said & _ERROR else None
    stated = [int(word) for word in said if word in ("90", "95", "99")]
    return stated[0] / 100 if stated else None


def says_of_what(name: str) -> bool:
    """Whether a column's name says of what its ± is."""
    return bool(words(name) & (_INTERVAL | _ERROR))


def is_deviation(name: str) -> bool:
    """Whether a column's name says that it holds standard deviations."""
    said = words(name)
    return bool(said & {"sd", "stdev", "std", "deviation"}) and not said & {"error", "err"}


def _ends(
    parsed: Sequence[Sequence[Value | str | None]],
    said: Sequence[frozenset[str]],
    places: Sequence[int],
) -> list[tuple[int, int]]:
    """Pairs of columns that differ by 'lower' and 'upper' alone, the one never above the other."""
    found = []
    for low in places:
        for high in places:
            a, b = said[low], said[high]
            if not a & _LOW or not b & _HIGH or a - _LOW != b - _HIGH:
                continue
            pairs = zip(parsed[low], parsed[high])
            if all(x.number <= y.number for x, y in pairs
                   if isinstance(x, Value) and isinstance(y, Value)):  # fmt: skip
                found.append((low, high))
    return found


def _beside(said: frozenset[str]) -> bool:
    """Columns that say where a row stands or whose it is, and nothing that is measured."""
    return bool(said & _NO_SCORE) or not said or bool(said & _HARDLY and not said & _STRONG) or (
        said <= {"index", "count", "column", "1"}
    )  # fmt: skip


def _counts(
    parsed: list[list[Value | str | None]], column: str, place: int, sizes: list[int], totals: bool
) -> bool:
    """Whether a column counts right answers, which then become shares of the number of items.

    Its name or a column of totals says so, or a number that is no percentage of so many items.
    """
    column = _THOUSANDS.sub(_joined, column)
    of, said = _OF_MANY.search(column), words(column.rpartition(".")[2])
    if not said & _COUNTED or said - _COUNTED - _OF_N - {"of", "out", of and of[1]}:
        return False
    given = [Value(float(of[1]))] * len(parsed[place]) if of else parsed[sizes[0]] if sizes else []
    pairs = [(cell.number, n.number) for cell, n in zip(parsed[place], given)
             if isinstance(cell, Value) and isinstance(n, Value)]  # fmt: skip
    no_percent = any(a > 100 or abs(a * n / 100 - round(a * n / 100)) > n / 200 for a, n in pairs)
    sure = of or totals or no_percent or said & {"num", "number", "count", "#"}
    if not pairs or not sure or any(a % 1 or a > n for a, n in pairs):
        return False
    parsed[place] = [
        Value(cell.number / n.number, n=int(n.number), decimals=12)
        if isinstance(cell, Value) and isinstance(n, Value) else cell
        for cell, n in zip(parsed[place], given)
    ]  # fmt: skip
    return True


def _without_counts(
    places: list[int], columns: Sequence[Sequence[Any]], said: Sequence[frozenset[str]]
) -> list[int]:
    """Scores without counts: whole numbers beside columns of other numbers, or of named scores."""
    strong = {p for p in places if (said[p] & _STRONG and not said[p] & {"num", "count", "#"})
              or any(w.startswith("pass@") for w in said[p])}  # fmt: skip
    whole = {p for p in places if not any("." in str(cell) or "%" in str(cell)
                                          for cell in columns[p] if not blank(cell))}  # fmt: skip
    if not strong and 2 * len(whole) >= len(places):
        return places
    return [p for p in places if p in strong or p not in whole or said[p] & _AGGREGATE]


def _task(
    columns: Sequence[Sequence[Any]],
    said: Sequence[frozenset[str]],
    places: Sequence[int],
    numeric: set[int],
    model: int,
) -> int | None:
    """The column of tasks, where models have a row for each."""
    models = [str(cell) for cell in columns[model]]
    if len(set(models)) == len(models):
        return None
    for place in places:
        if place not in numeric and said[place] & _TASK:
            pairs = list(zip(models, map(str, columns[place])))
            if len(set(pairs)) >= 0.9 * len(pairs) and len(set(columns[place])) > 1:
                return place
    return None


def turned(sheet: Sheet) -> Sheet | None:
    """A table of benchmarks down and models across, turned round; None if it is none."""
    said = [words(name) for name in sheet.columns]
    if any(name & _MODEL for name in said) or len(sheet.columns) < 3:
        return None
    columns = [[row[place] for row in sheet.rows] for place in range(len(sheet.columns))]
    numeric = [p for p, cells in enumerate(columns) if _numeric([value(cell) for cell in cells])]
    texts = [p for p in range(len(columns)) if p not in numeric]
    named = [p for p in texts if said[p] & _TASK] or [p for p in texts if p == 0 and not said[p]]
    across = [p for p in numeric if not _beside(said[p]) and not said[p] & (_N | {"value"})
              and not _is_error(said[p])]  # fmt: skip
    if not named or len(across) < 2:
        return None
    tasks = [plain(str(cell)) for cell in columns[named[-1]]]
    kept = [i for i, task in enumerate(tasks) if not blank(task)]
    header = ["model", *(tasks[i] for i in kept)]
    rows = [[plain(sheet.columns[p]), *(columns[p][i] for i in kept)] for p in across]
    notes = [*sheet.notes, "benchmarks are the rows and models the columns: the table is turned"]
    unique = [f"{task} ({place})" if header.index(task) < place else task
              for place, task in enumerate(header)]  # fmt: skip
    return Sheet(unique, rows, [sheet.lines[0] - 1 if sheet.lines else 1] * len(rows),
                 sheet.name, notes)  # fmt: skip
