"""Tables as leaderboards publish them: what is read of them, and what is asked."""

import json
import random
import re

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from saturation.errors import InputError, Unsettled
from saturation.leaderboard.read import cells, registry, roles, rows, sheets, tables
from saturation.leaderboard.read import open as files
from saturation.leaderboard.read.formats import table as formats
from saturation.leaderboard.read.rows import Choice, Origin

MODELS = [f"m{place}" for place in range(12)]
SHARES = [(100 - 3 * place) / 120 for place in range(12)]


def table(header, row):
    lines = [header, *(row(place, MODELS[place], SHARES[place]) for place in range(12))]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def piped(text, title=""):
    first, *others = [f"|{line.replace(',', '|')}|" for line in text.splitlines()]
    return "\n".join([title, "", first, "|" + "--|" * (first.count("|") - 1), *others, ""])


PLAIN = table(["Model", "Accuracy (%)", "Questions", "Params (B)"],
              lambda i, m, p: [m, f"{100 * p:.1f}", 120, 7 * i])  # fmt: skip
RATED = table(["rank", "model", "arena_score", "95_pct_ci", "votes", "license"],
              lambda i, m, p: [i + 1, m, 1400 - i, "+5/-4", 9000, "MIT"])  # fmt: skip
FRACTION = table(["System", "Solved", "Cost"],
                 lambda i, m, p: [m, f"{round(120 * p)}/120", "$3"])  # fmt: skip
SPREAD = table(["model", "acc", "acc_stderr", "date"],
               lambda i, m, p: [m, p, (p * (1 - p) / 119) ** 0.5, "2025-01-01"])  # fmt: skip
ENDS = table(["model_name", "rating", "rating_lower", "rating_upper"],
             lambda i, m, p: [m, 1400 - i, 1390 - i, 1410 - i])  # fmt: skip
ERRORS = table(["Model", "Hallucination Rate", "n"],
               lambda i, m, p: [m, f"{100 - 100 * p:.1f} %", 120])  # fmt: skip
PLUS = table(["Model", "Accuracy (95% CI)", "n"],
             lambda i, m, p: [m, f"{100 * p:.2f} ± 3.92", 120])  # fmt: skip
PAGE = "<!doctype html><table><tr><th>Model<th>Success rate<th>Tasks</tr>" + "".join(
    f"<tr><td><a href='x'>{m}</a><td>{100 * p:.2f}%<td>120</tr>" for m, p in zip(MODELS, SHARES)
) + "</table>"  # fmt: skip
ROWS = [{"name": m, "pass@1": {"x": p}, "n": 120, "link": "https://x"}
        for m, p in zip(MODELS, SHARES)]  # fmt: skip
YAML = "".join(f"- model: {m}\n  pass_rate: {100 * p:.1f}\n  test_cases: 120\n  date: 2025-02-03\n"
               for m, p in zip(MODELS, SHARES))  # fmt: skip
HELM = {"title": "T", "header": [{"value": "Model"}, {"value": "EM"}, {"value": "# eval"}],
        "rows": [[{"value": m, "href": "x"}, {"value": p}, {"value": 120}]
                 for m, p in zip(MODELS, SHARES)]}  # fmt: skip
RANKS = iter(range(13))  # and one line for all rows
RANKED = re.sub("<tr>(<t.>)", lambda row: f"<tr>{row[1]}{next(RANKS) or 'Rank'}{row[1]}", PAGE)
COUNTS = table(["Model", "Correct", "Total"], lambda i, m, p: [m, round(120 * p), 120])
FRAME = {"model": dict(enumerate(MODELS)), "acc": dict(enumerate(SHARES)),
         "n": dict.fromkeys(range(12), 120)}  # fmt: skip
BY_TASK = {m: {"x": {"acc": p, "n": 120}, "y": {"acc": p, "n": 9}}
           for m, p in zip(MODELS, SHARES)}  # fmt: skip
LISTS = [["model", "acc", "n"], *zip(MODELS, SHARES, [120] * 12)]
# The first score as a share, its standard error, n, the family, whether higher is better.
BINOMIAL = (SHARES[0], None, 120, "accuracy", True)
ERROR = (SHARES[0] * (1 - SHARES[0]) / 119) ** 0.5
READ = {
    "csv": (PLAIN, "x.csv", BINOMIAL),
    "tsv": (PLAIN.replace(",", "\t"), "x.tsv", BINOMIAL),
    "markdown": (piped(PLAIN, "[![b](x)](y)\n# T"), "README.md", BINOMIAL),
    "html": (PAGE, "x.html", BINOMIAL),
    "ranks on one line": (RANKED, "x.html", BINOMIAL),
    "titles": ("\n# X, 2025\nResults,,,\n" + PLAIN + "# by me\n", "x.csv", BINOMIAL),
    "a marked header": ("# by me, 2025\n# " + PLAIN, "x.csv", BINOMIAL),
    "a year as a name": ("Results\n" + PLAIN.replace("Params (B)", "2024"), "x.csv", BINOMIAL),
    "empty columns": (PLAIN.replace("\n", ",,\n"), "x.csv", BINOMIAL),
    "a header of two lines": (PLAIN.replace("Accuracy (%)", '"Accuracy\n(%)"'), "x.csv", BINOMIAL),
    "decimal commas": (PLAIN.replace(",", ";").replace(".", ",").replace("Model", "sep=;\nModell"),
                       "x.csv", BINOMIAL),
    "points of thousands": (table(["Modell", "Elo", "SE"], lambda i, m, p: [
        m, f"1.{400 - i}", 2]).replace(",", ";"), "x.csv", (1400, 2, None, "rating", True)),
    "bars": (PLAIN.replace(",", "|"), "x.csv", BINOMIAL),
    "rules of Emacs": (piped(PLAIN).replace("--|--", "--+--"), "x.txt", BINOMIAL),
    "formulas": (piped(table(["Model", "Acc ($\\uparrow$)", "n"], lambda i, m, p: [
        m, f"${100 * p:.2f} \\pm 2$", 120])), "x.md", (SHARES[0], 0.02, 120, "accuracy", True)),
    "errors in parentheses": (table(["Model", "Accuracy (SE)", "n"], lambda i, m, p: [
        m, f"{100 * p:.2f} (2.0)", 120]), "x.csv", (SHARES[0], 0.02, 120, "accuracy", True)),
    "counts": (COUNTS, "x.csv", BINOMIAL),
    "counts of 120": (COUNTS.replace("Correct,Total", "Correct (of 120),x"), "x.csv", BINOMIAL),
    "n in cells": (table(["Model", "Accuracy"], lambda i, m, p: [m, f"{100 * p:.1f}% (n=120)"]),
                   "x.csv", BINOMIAL),
    "frame": (json.dumps(FRAME), "x.json", BINOMIAL),
    "json far below": (json.dumps([{"sets": [{"name": "d", "sota": {"rows": ROWS}}]}]), "x.json",
                       BINOMIAL),
    "yaml": (YAML, "x.yml", BINOMIAL),
    "yaml by content": (YAML, "stdin", BINOMIAL),
    "json rows": (json.dumps(ROWS), "x.json", BINOMIAL),
    "json by model": (json.dumps({row["name"]: row for row in ROWS}), "x.json", BINOMIAL),
    "json below": (json.dumps({"meta": 1, "results": ROWS}), "x.json", BINOMIAL),
    "json deeper": (json.dumps({"meta": {"v": 1}, "results": {"rows": ROWS}}), "x.json", BINOMIAL),
    "json columns": (json.dumps(dict(zip(LISTS[0], map(list, zip(*LISTS[1:]))))), "x.json",
                     BINOMIAL),
    "json lists": (json.dumps(LISTS), "x.json", BINOMIAL),
    "json cells": (json.dumps(HELM), "x.json", BINOMIAL),
    "jsonl": ("".join(json.dumps(row) + "\n" for row in ROWS), "x.jsonl", BINOMIAL),
    "fractions": (FRACTION, "x.csv", BINOMIAL),
    "n of errors": (SPREAD, "x.csv", (SHARES[0], ERROR, 120, "accuracy", True)),
    "ratings": (RATED, "x.csv", (1400, 9 / 2 / 1.959964, None, "rating", True)),
    "ends": (ENDS, "x.csv", (1400, 10 / 1.959964, None, "rating", True)),
    "error rate": (ERRORS, "x.csv", (1 - SHARES[0], None, 120, "accuracy", False)),
    "half widths": (PLUS, "x.csv", (SHARES[0], 0.02, 120, "accuracy", True)),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_leaderboards_publish_is_read_at_first_try(write, read, name):
    text, file, (share, error, n, family, higher) = READ[name]
    found = read(write(text, file))
    assert [score.model for score in found.scores] == MODELS
    first = found.scores[0]
    width = 1 if first.maximum is None else first.maximum - first.minimum
    assert first.score / width == pytest.approx(share, abs=0.0006)
    stated = None if first.standard_error is None else first.standard_error / width
    assert stated is error is None or stated == pytest.approx(error, rel=1e-3)
    assert (first.n_items, found.family, first.higher_is_better) == (n, family, higher)


def suite(header, row, worse=0.0):
    """Five tasks a row, and a stated average."""
    steps = (-10, -5, 0, 5, 10)
    return table(
        [*header, *"abcde"],
        lambda i, m, p: [*row(i, m), 80.5 - i + worse, *(80.5 - i + step for step in steps)],
    )


SUITE = suite(["Rank", "Model", "Cost ($)", "Average"], lambda i, m: [i + 1, m, 0.5 * i])
WEIGHED = suite(["Model", "Average"], lambda i, m: [m], 3)
WER = suite(["model", "Average WER"], lambda i, m: [m])
TWICE = PLAIN + "m0,70.0,120,1\n"
AGENTS = table(["Agent", "Model", "Accuracy", "n", "Date"], lambda i, m, p: [
    "ABC"[i % 3], f"m{i // 3}", round(p, 4), 120, f"2025-01-{i + 1:02d}"])  # fmt: skip


def half_widths(name):
    """Of 95 % intervals of 120 items, printed with ±."""
    return table(["Model", name, "n"], lambda i, m, p: [
        m, f"{100 * p:.2f} ± {196 * (p * (1 - p) / 120) ** 0.5:.2f}", 120])  # fmt: skip


ASKED = {
    "suite": (SUITE, {"task": "average"}),
    "another average": (WEIGHED, {"metric": "Average"}),
    "half widths": (half_widths("Accuracy"), {"interval_level": 0.95}),
    "n by task": (json.dumps(BY_TASK), {"each_task": True}),
    "few tasks": (table(["model", "x", "y"], lambda i, m, p: [m, p, p / 2]), {"each_task": True}),
    "a win rate beside": (suite(["Model", "Mean win rate"], lambda i, m: [m], 3),
                          {"task": "average"}),
    "ratings": (table(["model", "Score", "votes"], lambda i, m, p: [
        m, f"{1500 - i}±5", "26019"]), {"interval_level": 0.95}),
    "tries": (table(["model", "pass_rate_1", "pass_rate_2"], lambda i, m, p: [
        m, p + i % 2 / 9, p + i % 3 / 9]), {"metric": "pass_rate_2"}),
    "several k": (table(["Model", "Pass@1", "Pass@5", "n"], lambda i, m, p: [m, p, p, 120]),
                  {"metric": "Pass@5"}),
    "twice": (TWICE, {"duplicates": "mean"}),
    "agents": (AGENTS, {"duplicates": "separate"}),
    "a sweep": ("model,setting,F1\n" + "".join(
        f"m{i % 2},s{i},{0.3 + i / 400}\n" for i in range(120)), {"duplicates": "mean"}),
    "a table of one row a model": (piped(TWICE, "# A") + piped(PLAIN, "# B"), {"table": "B"}),
    "a table of the past": (piped(TWICE, "# Older models") + piped(PLAIN, "# B"), {"table": "B"}),
    "at most 1 %": (table(["model", "Accuracy (%)"], lambda i, m, p: [m, p]),
                    {"score_range": [0, 1]}),
    "out of 15": (table(["model", "AIME (/15)"], lambda i, m, p: [m, 12 - i / 2]),
                  {"score_range": [0, 15]}),
    "ranks": (table(["rank", "model", "strangeness"], lambda i, m, p: [i + 1, m, 0.1 + i / 50]),
              {"higher_is_better": False}),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_what_only_a_person_can_say_is_asked_with_a_proposal(write, read, name):
    text, answers = ASKED[name]
    with pytest.raises(Unsettled) as error:
        read(write(text, "x.txt"))
    assert error.value.answers == answers
    assert len(error.value.violations) == len(answers)


@pytest.mark.parametrize(
    ("names", "cells", "score", "n"),
    [("acc (n = 1.319)", "50", 50, 1319), ("acc (n=1 319)", "50", 50, 1319),
     ("n=99 tasks", "50", 50, 99), ("Solved;Tasks", "90;9", 90, 9),
     ("Solved;Tasks", "120;300", 0.4, 300),
     ("acc (n=2k)", "50", 50, None), ("acc (n=5 runs)", "50", 50, None),
     ("Correct (of 1 319)", "41", 41 / 1319, 1319), ("Correct;Tests", "41;50", 0.82, 50),
     ("Correct;Tests", "42;50", 42, 50), ("quality", "1.287", 1.287, None)],
)  # fmt: skip
def test_a_name_says_how_many_items_a_score_is_of(write, read, names, cells, score, n):
    (found,) = read(write(f"model;{names}\na;{cells}\n", "x.csv")).scores
    assert (found.score, found.n_items) == (pytest.approx(score), n)


def test_a_single_impossible_percentage_makes_a_column_counts(write, read):
    """Of 50 tests 41 could not be 41 %, while 42 could be 42 %."""
    found = read(write("model;Correct;Tests\na;42;50\nb;41;50\n", "x.csv"))
    assert [score.score for score in found.scores] == pytest.approx([0.84, 0.82])
    assert [score.n_items for score in found.scores] == [50, 50]


def test_models_with_a_key_that_is_a_number_are_rows(write, read):
    """A pandas frame has numbers alone as the keys of its columns."""
    names = [f"gpt-{place}" for place in range(12)]
    models = {m: {"acc": p, "n": 120, "7": "open"} for m, p in zip(names, SHARES)}
    found = read(write(models, "x.json"))
    assert [score.model for score in found.scores] == names
    assert [score.score for score in found.scores] == pytest.approx(SHARES)


def test_a_suite_s_average_gets_its_error_from_its_tasks(write, read):
    found = read(write(SUITE, "x.csv"), Choice(task="average"))
    assert found.scores == []
    first = [one.response for one in found.responses if one.model == "m0"]
    assert first == [70.5, 75.5, 80.5, 85.5, 90.5]
    assert {one.item for one in found.responses} == set("abcde")
    assert read(write(SUITE, "x.csv"), task="average").responses == found.responses
    assert (found.minimum, found.maximum, found.higher_is_better) == (0, 100, True)
    assert not read(write(WER, "x.csv"), Choice(task="average")).higher_is_better
    for name in ("Average", "Mean win rate"):
        with pytest.raises(InputError, match=f"'{name}' is not the mean of the 5 columns"):
            read(write(WEIGHED.replace("Average", name), "x.csv"), Choice(task=name))


@pytest.mark.parametrize(
    ("policy", "scores"), [("best", [83.3]), ("mean", [76.65]), ("runs", [83.3, 70.0])]
)
def test_which_of_several_scores_of_a_model_count(write, read, policy, scores):
    found = read(write(TWICE, "x.csv"), Choice(duplicates=policy)).scores
    found = [one for one in found if one.model == "m0"]
    assert [one.score for one in found] == pytest.approx(scores)
    assert len({one.run for one in found}) == len(found)


def test_a_mean_of_several_scores_has_the_root_mean_square_of_their_errors(write, read):
    text = "model,score,stderr\na,80,3\na,70,4\nb,60.5,2\nc,50,2\n"
    first, *_ = read(write(text, "x.csv"), Choice(duplicates="mean")).scores
    assert (first.score, first.standard_error) == pytest.approx((75, 12.5**0.5))


def test_equal_grades_of_two_raters_both_count_in_a_mean(write, read):
    text = "model,dialogue,score\n" + "".join(
        f"{model},d{n},{grade}\n"
        for model, grades in (("a", "443"), ("b", "215"))
        for n, grade in enumerate(grades)
        for _ in range(1 if n == 2 else 2)
    )
    choice = Choice(duplicates="mean", score_range=(1, 5), higher_is_better=True)
    means = {one.model: one.score for one in read(write(text, "x.csv"), choice).scores}
    assert means == pytest.approx({"a": 19 / 5, "b": 11 / 5})


def test_what_distinguishes_scores_of_a_model_becomes_part_of_its_name(write, read):
    apart = read(write(AGENTS, "x.csv"), Choice(duplicates="separate")).scores
    assert [one.model for one in apart][:4] == ["m0 [A]", "m0 [B]", "m0 [C]", "m1 [A]"]


def test_rows_that_are_no_models_and_columns_that_are_no_scores_are_left_out_and_said(write, read):
    extra = "Human expert,99.0,120,\nAverage,50.0,120,\nRandom,25.0,120,\nm99,N/A,120,\n"
    found = read(write(PLAIN + extra, "x.csv"))
    assert [score.model for score in found.scores] == MODELS
    assert len(found.notes) == 3


def test_a_date_is_the_data_s_or_none(write, read):
    assert {one.date for one in read(write(YAML, "x.yml")).scores} == {"2025-02-03"}
    text = piped(PLAIN, "Last updated on March 10, 2025")
    assert {one.date for one in read(write(text, "x.md")).scores} == {"2025-03-10"}
    assert {one.date for one in read(write(PLAIN, "b_2025_01_08.csv")).scores} == {"2025-01-08"}
    assert {one.date for one in read(write(PLAIN, "b_2999_01_08.csv")).scores} == {None}


def test_a_number_of_items_that_the_text_says_and_the_scores_allow_is_proposed(write, read):
    said = "# X\nJuly 7, 2025\n\n120 questions, of which 55 are hard questions"
    even = table(["model", "acc"], lambda i, m, p: [m, round((100 - 3 * i) // 2 / 60, 3)])
    assert read(write(piped(even, said), "x.md")).n_proposed[0] == 120
    assert read(write(piped(even, "# X\nJuly 7, 2025"), "x.md")).n_proposed[0] == 60
    # Rounded by almost half of the last digit.
    odd = table(["model", "acc"], lambda i, m, p: [m, round((45 - 3 * i) / 46, 3)])
    assert read(write(odd, "x.csv")).n_proposed[0] == 46
    shares = [round(0.9123 - i**1.5 / 50, 4) for i in range(12)]
    named = table(["model", "quality"], lambda i, m, p: [m, shares[i]])
    assert read(write(named, "mt_bench.csv")).n_proposed[0] == 80


@pytest.mark.parametrize(
    ("score", "family"), [("714286", "accuracy"), ("7", "bounded_mean"), ("73", "bounded_mean")]
)
def test_shares_of_a_known_n_are_accuracies_if_they_are_whole_counts(write, read, score, family):
    # 5 of 7; to one digit every score is a count of some such n.
    text = "".join(f"m{i},0.{score},7\n" for i in range(5))
    assert read(write("model,quality,n\n" + text, "x.csv")).family == family


def test_ranks_that_mostly_follow_the_scores_ask_nothing(write, read):
    rows = "".join(f"{i + 1},m{i},0.{x}5\n" for i, x in enumerate((1, 2, 3, 5, 4, 6, 7)))
    assert len(read(write("rank,model,x\n" + rows, "x.csv")).scores) == 7


def test_one_column_that_cannot_be_read_costs_the_others_nothing(write, read):
    text = table(["model", "a", "b", "c", "bad"], lambda i, m, p: [m, p, p, p, 300 - 290 * (i > 0)])
    found = read(write(text, "x.csv"), Choice(task="a"))
    assert (found.scores[0].score, found.scores[0].maximum) == (SHARES[0], 1)
    assert {"read is 'a', not 'b', 'c'", "not read: 'bad'"} <= {*found.notes}


@pytest.mark.parametrize("cell", ["84,123", "105", "-0.1"])
def test_an_accuracy_beyond_its_range_is_refused(write, read, cell):
    text = PLAIN.replace(",", ";") + f"m12;{cell};120;1\n"
    with pytest.raises(InputError, match=f"row 14, column 'Accuracy .%.': {cell} is outside"):
        read(write(text, "x.csv"))


def test_a_ragged_row_is_left_out_and_said(write, read):
    found = read(write(PLAIN * 2 + "m9,3.0\n", "x.csv"))
    assert [score.model for score in found.scores] == MODELS
    assert any("row 27" in note for note in found.notes)


def test_digits_tell_n_where_chance_would_not():
    draw = random.Random(0)
    for n in (46, 164, 225):
        counts = draw.sample(range(n // 4, n), 30)
        assert rows.n_of_digits([round(count / n, 3) for count in counts], 0.0005) == n
        assert rows.n_of_digits([count / n for count in counts], 0.5e-12) == n
        mistyped = (counts[0] + 0.5) / n
        assert rows.n_of_digits([mistyped, *(count / n for count in counts)], 0.5e-12) == n
        assert rows.n_of_digits([count / n for count in counts[:9]], 0.5e-12) is None
    assert rows.n_of_digits([round(draw.random(), 3) for _ in range(40)], 0.0005) is None
    assert rows.n_of_digits([count / 800 for count in range(700, 740)], 0.0005) is None


@pytest.mark.parametrize(
    ("cell", "said"),
    [("84.1%", (84.1, None, None, None)), ("84.1 ± 1.2", (84.1, 1.2, None, None)),
     ("1400 (+5/-4)", (1400, None, 1396, 1405)), ("84.1 [82.0, 86.2]", (84.1, None, 82, 86.2)),
     ("**84.1**†", (84.1, None, None, None)), ("84.1 (5-shot)", (84.1, None, None, None)),
     ("1,470 ± 5", (1470, 5, None, None)), ("1,470 [1,460, 1,480]", (1470, None, 1460, 1480)),
     ("84.1 [^3][a]", (84.1, None, None, None)), ("84.1¹", (84.1, None, None, None)),
     ("1'470", (1470, None, None, None)), ("1\u202f470,5", None), ("84.1 (+2.0)",
     (84.1, None, None, None)), ("84.1 (2)", (84.1, None, None, None)),
     ("N.A.", None), ("...", None),
     ("84.1🟢<sup>b</sup>", (84.1, None, None, None)), ("84.1 (↑2.0)", (84.1, None, None, None)),
     ("84.1（最高）", (84.1, None, None, None)), ("84.1 ± 1.2 (n=3)", (84.1, 1.2, None, None)),
     ("84.1 [82, 86] (best)", (84.1, None, 82, 86)), ("3 (4)", None), ("84–86", None),
     ("12/16 (1 slow)", (0.75, None, None, None)), ("12/16 = 75 %", (0.75, None, None, None)),
     ("84.1 [82,100]", (84.1, None, 82, 100)), ("0,853", None), ("85,3", None),
     ("−3", (-3, None, None, None)), ("n/a", None), ("—", None), (None, None)],
)  # fmt: skip
def test_a_cell_says_a_score_and_its_error(cell, said):
    value = cells.value(cell)
    found = (
        None
        if not isinstance(value, cells.Value)
        else (value.number, value.error, value.low, value.high)
    )
    assert found == said


def test_benchmarks_down_and_models_across_are_turned():
    text = piped("Benchmark,# Shots,A-7B,B-8B\nx,5,0.5,0.6\ny,0,0.7,0.8\n")
    turned = roles.turned(sheets.markdown(text)[0])
    assert turned.columns == ["model", "x", "y"]
    assert turned.rows == [["A-7B", "0.5", "0.7"], ["B-8B", "0.6", "0.8"]]


def test_a_plus_minus_is_a_standard_error_unless_its_name_or_the_user_says_otherwise(write, read):
    error = 100 * (SHARES[0] * (1 - SHARES[0]) / 120) ** 0.5
    for name, level, factor in [
        ("Accuracy", 0.95, 1), ("Accuracy", 0.6827, 1.96), ("Accuracy (95% CI)", None, 1),
        ("Accuracy (SE)", None, 1.96),
    ]:  # fmt: skip
        found = read(write(half_widths(name), "x.csv"), Choice(interval_level=level))
        assert found.scores[0].standard_error == pytest.approx(factor * error, abs=0.005), name
    for name, factor in [("±", 1), ("SE ±", 1), ("95% CI ±", 1.96), ("CI", 1.96)]:
        text = table(["Model", "Accuracy", name], lambda i, m, p: [m, f"{100 * p:.2f}", 2])
        found = read(write(text, "x.csv"))
        assert found.scores[0].standard_error == pytest.approx(2 / factor, abs=0.001), name
        assert any("±" in note for note in found.notes) == (name == "±")


def test_a_workbook_has_titles_merged_cells_and_several_sheets(tmp_path, read):
    import openpyxl

    book = openpyxl.Workbook()
    first = book.active
    for row in [["X-Bench, updated on March 10, 2025"], [], ["Family", "Model", "Accuracy", None],
                [None, None, "Score (%)", "n"], ["A", "a", 50.0, "1,000"],
                [None, "b", 25.0, "1,000"], ["B", "Average", "=AVERAGE(C5:C6)", None]]:  # fmt: skip
        first.append(row)
    for span in ("A1:D1", "C3:D3", "A3:A4", "B3:B4", "A5:A6"):
        first.merge_cells(span)
    for row in [["Contact", "me"], ["Licence", "MIT"]]:
        book.create_sheet("About").append(row)
    book.save(tmp_path / "x.xlsx")
    found = read(tmp_path / "x.xlsx").scores
    assert [(one.model, one.score, one.n_items, one.row) for one in found] == [
        ("a", 50, 1000, 5), ("b", 25, 1000, 6)]  # fmt: skip
    assert {one.date for one in found} == {"2025-03-10"}
    other = book.create_sheet("Code")
    for row in [["Model", "Accuracy", "n"], ["a", 0.5, 10], ["b", 0.25, 8]]:
        other.append(row)
    book.save(tmp_path / "x.xlsx")
    with pytest.raises(Unsettled) as error:
        read(tmp_path / "x.xlsx")
    assert error.value.answers == {"table": "Sheet"}
    scores = read(tmp_path / "x.xlsx", Choice(table="Code")).scores
    assert [one.score for one in scores] == [0.5, 0.25]


def test_cells_of_a_page_that_span_rows_stand_in_each(write, read):
    top = "<table><tr><th rowspan=2>Model<th colspan=2>Accuracy<th rowspan=2>n<tr><th>x<th>y"
    body = "<tr><td>a<td rowspan='2'>0.5<td>0.75<td rowspan=2>12</tr><tr><td>b<td>0.25</table>"
    found = read(write(top + body, "x.html"), Choice(task="y"))
    assert [(one.model, one.score) for one in found.scores] == [("a", 0.75), ("b", 0.25)]
    found = read(write(top + body, "x.html"), Choice(task="x"))
    assert [one.score for one in found.scores] == [0.5, 0.5]
    ragged = top + body.replace("<tr><td>b", "<tr><td>b<td>1")
    with pytest.raises(InputError, match=r"x\.html, row 4"):
        read(write(ragged, "x.html"), Choice(task="x"))


def test_a_sheet_with_a_cell_far_away_is_refused(tmp_path, read):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.cell(1048576, 16384).number_format = "0.00"
    book.save(tmp_path / "x.xlsx")
    with pytest.raises(InputError, match="XFD1048576"):
        read(tmp_path / "x.xlsx")


def test_an_error_beside_a_nested_value_is_read_and_looks_are_not(write, read):
    rows = {
        f"gpt-{m}": {"accuracy": {"value": p, "stderr": 0.02, "rank": 1}}
        for m, p in zip("abc", SHARES)
    }
    for name, key in (("x.json", "stderr"), ("y.yml", "standard error")):
        found = read(write(json.dumps(rows).replace("stderr", key), name)).scores
        assert [(one.score, one.standard_error) for one in found] == [(p, 0.02) for p in SHARES[:3]]


def test_what_aliases_would_spell_out_is_counted_first(write, read):
    bomb = "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + "".join(
        f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh")
    )
    for text in (bomb, "a: &a [1, *a]\n"):
        with pytest.raises(InputError, match="aliases"):
            read(write(text, "x.yml"))
    shared = "- &d {model: a, n: 120, accuracy: 0.5}\n- {<<: *d, model: b}\n- {<<: *d, model: c}\n"
    assert [(one.model, one.n_items) for one in read(write(shared, "x.yml")).scores] == [
        ("a", 120), ("b", 120), ("c", 120)]  # fmt: skip


def test_more_rows_than_scores_are_refused_and_items_among_them_proposed(write, read, monkeypatch):
    monkeypatch.setattr(tables, "LARGE", 0)
    for module in (sheets, formats):
        monkeypatch.setattr(module, "MOST_ROWS", 70)

    def scored(n):
        return "".join(f"m{i},0.{i}1\n" for i in range(n))

    rows = "".join(f"m{i % 7},{i // 7},{i % 2}\n" for i in range(77))
    with pytest.raises(Unsettled) as error:
        read(write("system,question_id,grade\n" + rows, "x.csv"))
    assert error.value.answers["columns"]["item"] == "question_id"
    for n in (71, 500):
        with pytest.raises(InputError, match="more than 70 rows"):
            read(write("model,score\n" + scored(n), "x.csv"))
    assert len(read(write("model,score\n" + scored(70), "x.csv"), Choice(n_items=9)).scores) == 70


@pytest.mark.parametrize(
    ("rows", "is_fast"),
    [
        ("a,01,1\r\nb,1, 0\r\n,,\r\nNA,nan,x\r\n", True),
        ('a,"b",c\n', True),
        ("a,b,c\n\n,,\nd,e,f\n", True),
        ("a,b,c,d\ne,f\n", False),
        ("a,b,c\nd,e\nf,g,h,i\n", False),
        ("a,b,c\nd,e\n", False),
        ('a,"b\nb",c\n', False),
    ],
)
def test_large_tables_are_as_the_strict_reader_has_them(write, rows, is_fast):
    content, header = f"\nx,y,z,\n{rows}".encode(), ["x", "y", "z"]
    found = tables._fast(content, header, ",", 2)
    assert (found is not None) == is_fast
    if is_fast:
        strict = tables._strict(content, header, ",", 2, write("", "x.csv")).frame().astype(object)
        filled = found.astype(object)[(found != "").any(axis=1)]
        pd.testing.assert_frame_equal(filled, strict, check_index_type=False)


def test_each_task_has_a_name_whatever_its_letters(write):
    wide = write(table(["model", "a", "..", "b"], lambda i, m, p: [m, p, p, p]), "wide.csv")
    assert registry.tasks(Origin(wide), Choice()) == ["a", "..", "b"]
    text = "".join(f"m{i},{task},0.{i}\n" for i in range(1, 7) for task in ("a", "..", "b"))
    long = write(f"model,task,score\n{text}", "long.csv")
    with pytest.raises(InputError, match=r"long\.csv: column 'task' names no task in 6 rows"):
        registry.tasks(Origin(long), Choice())


def test_a_long_text_that_stands_in_many_rows_is_held_once(tmp_path):
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), ["m" * 2**20])
    for kind in (pa.string(), pa.large_string()):
        pq.write_table(pa.table({"model": texts.cast(kind)}), tmp_path / "x.parquet")
        before, pool = pa.default_memory_pool(), pa.proxy_memory_pool(pa.default_memory_pool())
        pa.set_memory_pool(pool)
        try:
            assert len(tables.load_parquet(tmp_path / "x.parquet")) == 100
        finally:
            pa.set_memory_pool(before)
        assert pool.max_memory() < 2**25


@pytest.mark.parametrize("large", [0, 2**20])
def test_more_cells_than_a_machine_holds_are_refused(tmp_path, write, monkeypatch, large):
    monkeypatch.setattr(tables, "LARGE", large)
    monkeypatch.setattr(files, "MOST_CELLS", 30)
    frame = pd.DataFrame({"model": ["m"] * 11, "item": ["i"] * 11, "response": [1.0] * 11})
    frame.to_parquet(tmp_path / "x.parquet")
    pd.DataFrame({"model": ["m"], "x": [[1] * 40]}).to_parquet(tmp_path / "y.parquet")
    parsers = [tables.load_parquet, tables.load_parquet, tables.load_csv]
    for parse, path in zip(
        parsers, [*tmp_path.glob("*.parquet"), write(frame.to_csv(index=False), "x.csv")]
    ):
        with pytest.raises(InputError, match=r"cells; allowed: 30"):
            parse(path)
    with pytest.raises(InputError, match=r"cells; allowed: 30"):
        files.document("[" + "[], " * 20 + "[]]", "x.json")
    assert len(tables.load_csv(write(frame[:9].to_csv(index=False), "y.csv")).columns) == 3
