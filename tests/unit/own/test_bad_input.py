"""Files that are damaged, mistaken or hostile: a sentence that helps, or the right table."""

import gzip
import io
import json
import math
import zipfile

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saturation.errors import MOST_REPORTED, InputError, merge_rows
from saturation.leaderboard.read import open
from tests.shared_cards import load_tables

ACCURACY = {"family": "accuracy", "score_range": [0, 1]}
PERCENT = {"family": "accuracy", "score_range": [0, 100]}
FREE = {"family": "accuracy"}
# What the file does not say of itself.
NAMED = FREE | {"file": {"model": "m"}}
BOARD = "model,score,n_items\na,0.9,100\nb,0.8,100\nc,0.7,100\n"
SUITE = "model,Average,a,b,c,d,e\nx,50,30,40,50,60,70\ny,60,40,50,60,70,80\n"
PIPES = "|model|acc|\n|-|-|\n|a|1|\n|b|2|\n"
GRADED = {"family": "bounded_mean"}
LONG = "model,item,response\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n"
WIDE = "model,q1,q2\na,1,0\nb,1,1\n"


def eee(**details):
    config = details.pop("config", {})
    return {
        "schema_version": "0.3.0", "evaluation_id": "e", "retrieved_timestamp": "1766000000",
        "model_info": {"id": "m"},
        "evaluation_results": [{
            "evaluation_name": "t", "metric_config": {"lower_is_better": False, "min_score": 0,
            "max_score": 1} | config,
            "score_details": {"score": 0.5, "uncertainty": {"num_samples": 100}} | details}],
    }  # fmt: skip


def lm_eval(**parts):
    return {
        "results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.05}},
        "n-samples": {"t": {"original": 101, "effective": 101}},
        "config": {"model": "hf", "model_args": "pretrained=m"}, "date": 1733011200.5,
    } | parts  # fmt: skip


def sample(**parts):
    return {"doc_id": 0, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": 1.0} | parts


def inspect(**parts):
    samples = [{"id": "q", "epoch": 1, "scores": {"s": {"value": "C"}}}]
    metrics = {"accuracy": {"value": 1.0}}
    return {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
            "results": {"scores": [{"name": "s", "metrics": metrics}]},
            "samples": samples} | parts  # fmt: skip


def text(board, old, new):
    assert old in board
    return board.replace(old, new, 1)


def row(**cells):
    """A leaderboard whose second row has other cells, in percent if its score says so."""
    known = {"model": "b", "score": "0.8", "n_items": "100"} | cells
    first = {"model": "a", "score": "0.9", "n_items": "100"}
    head = ",".join(known)
    return "\n".join([head, *(",".join(f'"{one.get(key, "")}"' for key in known)
                              for one in (first, known)), ""])  # fmt: skip


def archive(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("_json", ".json"), content)
    return stream.getvalue()


def parquet(**columns):
    stream = io.BytesIO()
    pd.DataFrame(columns).to_parquet(stream)
    return stream.getvalue()


REFUSED = {
    # Encodings
    "utf-16": (BOARD.encode("utf-16"), ACCURACY, ["UTF-16", "save the file as UTF-8"]),
    "utf-16 without a mark": (BOARD.encode("utf-16-le"), ACCURACY, ["UTF-16"]),
    "utf-16 of the other order": (BOARD.encode("utf-16-be"), ACCURACY, ["UTF-16"]),
    "latin-1": (text(BOARD, "b,", "é,").encode("latin-1"), ACCURACY, ["line 3", "0xe9"]),
    "nul inside": (text(BOARD, "b,", "b\x00,").encode(), ACCURACY, ["NUL"]),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ACCURACY, ["binary or damaged"]),
    "bzip2": (b"BZh91AY&SY", ACCURACY, ["packed by bzip2", "unpack"]),
    "feather": (b"ARROW1\0\0" + bytes(99), ACCURACY, ["Feather", "as CSV"]),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\n", ACCURACY, ["git lfs pull"]),
    "empty": (b"", ACCURACY, ["the file is empty"]),
    "empty lines above": ("\n" * 99 + BOARD, ACCURACY, ["begin with the header line"]),
    "html": ("<!doctype html><title>x</title>", ACCURACY,
             ["page without a table", "fetch the raw file"]),
    # Compression
    "gzip cut off": (gzip.compress(BOARD.encode() * 99)[:-30], ACCURACY, ["cut off or damaged"]),
    "zstd cut off": (bytes(pa.compress(BOARD.encode() * 99, "zstd", asbytes=True))[:-9], ACCURACY,
                     ["cut off or damaged"]),
    "zip of two tables": (archive(board=BOARD, other=BOARD), ACCURACY,
                          ["not recognised (zip archive", "board"]),
    "workbook": (archive(**{"[Content_Types].xml": "<Types/>", "xl/workbook.xml": ""}), ACCURACY,
                 ["copy it again"]),
    "eval header no json": (archive(header_json="{"), FREE, ["header.json in it", "cut off"]),
    "eval without samples": (archive(header_json=json.dumps(inspect(results=None))), FREE,
                             ["holds no scores"]),
    # JSON
    "json cut off": (json.dumps(lm_eval(), indent=1)[:-40], FREE, ["cut off", "copy it again"]),
    "json wrong": ('{\n "results": nonsense}', FREE, ["line 2, column 13", "not JSON"]),
    "json deep": ('{"results": ' + "[" * 100_000, FREE, ["nested too deeply"]),
    "json long number": ('{"results": {}, "config": {}, "n": ' + "9" * 5000 + "}", FREE,
                         ["more digits than any score"]),
    "json keys twice": ('{"results": {"t": {"acc": 1, "acc": 0}}, "config": {}}', FREE,
                        ["'acc' stands twice"]),
    "jsonl keys twice": ('{"doc_id": 1, "doc": {}, "acc": 1, "acc": 0}\n' * 2, NAMED,
                         ["line 1", "stands twice"]),
    "json unknown": ({"a": 1}, FREE, ["not recognised (JSON with: a)", "`saturation formats`"]),
    "json list unknown": ([{"a": 1}], FREE, ["no table with a column of models", "(columns: a)"]),
    "json list empty": ("[ ]\n", FREE, ["not recognised (JSON list with: nothing)"]),
    "jsonl cut off": (json.dumps(sample()) + "\n" + json.dumps(sample())[:-9], NAMED,
                      ["line 2: the file is cut off"]),
    # lm-evaluation-harness
    "lm no model": (lm_eval(config={"model": "hf"}), FREE, ["names no model", "key 'model'"]),
    "lm n text": (lm_eval(**{"n-samples": {"t": {"effective": "x"}}}), FREE, ["another type"]),
    "lm score nan": (lm_eval(results={"t": {"acc,none": math.nan}}), FREE, ["score nan"]),
    "lm score true": (lm_eval(results={"t": {"acc,none": True}}), FREE, ["neither true nor"]),
    "lm score 89": (lm_eval(results={"t": {"acc,none": 89.0}}), FREE, ["outside", "0 to 1"]),
    "lm score text": (lm_eval(results={"t": {"acc,none": "x"}}), FREE, ["0 tasks (none)"]),
    "lm date 1970": (lm_eval(date=5.0), FREE, ["before 2000"]),
    "lm date 1e18": (lm_eval(date=1e18), FREE, ["in no calendar"]),
    "lm date 2999": (lm_eval(date=32472144000), FREE, ["in the future"]),
    "lm no tasks": (lm_eval(results={}), FREE, ["0 tasks"]),
    "lm error 1.2": (lm_eval(results={"t": {"acc": 0.5, "acc_stderr": 1.2}}), FREE, ["impossible"]),
    "lm sample without model": (json.dumps(sample()) + "\n" * 2, FREE, ["key 'model'"]),
    "lm sample without id": (json.dumps(sample(doc_id=None)) + "\n", NAMED,
                             ["line 1: doc_id is null", "needs its own"]),
    "lm sample without metric": (json.dumps(sample()) + "\n", NAMED | {"metric": "f1"},
                                 ["line 1: no metric 'f1'", "the line has: acc"]),
    # Every Eval Ever
    "eee min above max": (eee(config={"min_score": 2, "max_score": 1}), FREE, ["not below"]),
    "eee version": (eee() | {"schema_version": "9.0"}, FREE, ["'9.0'", "understood: 0.2, 0.3"]),
    "eee level 95": (eee(uncertainty={"confidence_interval": {"lower": 0.4, "upper": 0.6,
                                                              "confidence_level": 1}}), FREE,
                     ["confidence_level 1", "0.95"]),
    "eee date": (eee() | {"evaluation_timestamp": "1e20"}, FREE, ["date '1e20'"]),
    "eee without n": (eee(uncertainty={}), FREE, ["no number of items"]),
    "eee without parts": ({"schema_version": "0.3", "evaluation_results": [{}]}, FREE,
                          ["'evaluation_name'", "the tool itself"]),
    "eee without range": (eee(config={"max_score": None}), FREE, ["score_range"]),
    # Inspect
    "inspect no scores": (inspect(samples=[], results=None, status="error"), FREE,
                          ["status 'error'", "holds no scores"]),
    "inspect two scorers": (inspect(samples=[{"id": 1, "scores": {"s": {"value": 1},
                                                                  "u": {"value": 1}}}]), FREE,
                            ["2 scorers ('s', 'u')"]),
    "inspect word": (inspect(samples=[{"id": 1, "scores": {"s": {"value": "good"}}}]),
                     ACCURACY, ["response 'good'"]),
    "inspect several values": (inspect(samples=[{"id": 1, "scores": {"s": {"value": {
        "x": 1, "y": 0}}}}]), ACCURACY, ["2 values ('x', 'y')", "'filter'"]),
    # Other tools
    "helm list": ([{"instance_id": 1, "stats": [{"name": {"name": "m"}, "mean": 1}]}], FREE,
                  ["run_spec.json", "'model'"]),
    "swe two boards": ({"leaderboards": [{"name": "A", "results": []}, {"name": "B",
                                                                        "results": []}]}, FREE,
                       ["2 leaderboards ('A', 'B')"]),
    "swe report": ({"total_instances": 5, "resolved_ids": ["a"], "unresolved_ids": ["b"]},
                   NAMED, ["2 instances of 5"]),
    "swe lists": ({"no_generation": [], "no_logs": [], "resolved": ["a"]}, FREE,
                  ["the format is not recognised"]),
    "mteb": ({"mteb_version": "1", "task_name": "t", "scores": {"test": [{"main_score": 1}]}},
             ACCURACY, ["model_meta.json", "'model'"]),
    "mmlu-pro": ([{"question_id": 1, "category": "law", "answer": None, "pred": "A"}], NAMED,
                 ["element 1: the question has no answer", "leave it out"]),
    # Tables as such
    "header only": ("model,score,n_items\n", ACCURACY, ["header line and no rows"]),
    "lines of an old machine": (BOARD.replace("\n", "\r"), ACCURACY, ["carriage return"]),
    "no header": ("a,0.9,100\nb,0.8,100\n", ACCURACY, ["seems to be no header"]),
    "name twice": ("model,score,n_items,score\na,1,1,1\n", ACCURACY, ["'score'", "2, 4"]),
    "item twice": ("model,q1,q1\na,1,0\n", ACCURACY, ["'q1' stands for the columns 2, 3"]),
    "item without name": ("model,q1,\na,1,0\n", ACCURACY, ["row 2", "3 cells"]),
    "rows longer": (BOARD + "d,0.5,100,7\n", ACCURACY, ["row 5", "4 cells", "3 columns"]),
    "rows shorter": (BOARD + "d,0.5\n", ACCURACY, ["row 5", "2 cells"]),
    "quotes open": ('model,score\n"a,0.9\nb,0.8\n', ACCURACY, ["unbalanced quotes"]),
    "quotes inside": ('model,score,n_items\n"a"x,0.9,10\n', ACCURACY, ["row 2", "quotes"]),
    "no responses": ("model,item,note,mark\na,q,x,1\n", ACCURACY,
                     ["'response' is missing", "'columns': response=mark"]),
    "two columns may be responses": ("model,item,score,correct\na,q,1,1\n", ACCURACY,
                                     ["'response' is missing"]),
    "no numbers": ("model,item,note\na,q1,x\n", ACCURACY, ["prediction=NAME, truth=NAME"]),
    "columns that are not there": (BOARD, ACCURACY | {"columns": {"model": "system",
                                                                  "score": "score"}},
                                   ["'system' is missing", "the file has: model, score"]),
    "parquet cut off": (parquet(model=["a"], score=[1.0])[:200], ACCURACY,
                        ["compare it with a file"]),
    "parquet without rows": (parquet(model=[], score=[]), ACCURACY, ["no rows"]),
    # Names
    "no model": (row(model=""), ACCURACY, ["row 3", "model's name is missing"]),
    "nothing visible as a model": (row(model="\u200b"), ACCURACY, ["no visible letter"]),
    "models by case": (row(model="A"), ACCURACY, ["'A', 'a'", "differ only"]),
    "models by an invisible letter": (row(model="a\u200b"), ACCURACY, ["\\u200b", "differ only"]),
    "items by a space": (LONG.replace("b,q1", "b, q1"), ACCURACY, ["items ' q1' and 'q1'"]),
    "columns by form": ("model,é,e\u0301\na,1,0\n", ACCURACY, ["e\\u0301", "differ only"]),
    "no model in a matrix": (WIDE + ",1,1\n", ACCURACY, ["row 4, column 'model'", "name it"]),
    "no item": (LONG.replace("b,q1", "b,"), ACCURACY, ["row 4", "column 'item'", "name it"]),
    "model twice": (row(model="a"), ACCURACY,
                    ["several scores of 'a'", "'duplicates': latest, best, mean"]),
    "item answered twice": (LONG + "a,q1,0\n", ACCURACY, ["'a' answers item 'q1' twice"]),
    # Scores
    "score text": (row(score="good"), ACCURACY, ["row 3, model 'b': score 'good'", "correct"]),
    "score of another unit": (row(score="80%"), ACCURACY,
                              ["row 3, column 'score': 80% has", "row 2 has none"]),
    "score without a range": (row(score="0,905"), {"family": "bounded_mean"},
                              ["decimal comma"]),
    "score 1e400": (row(score="1e400"), ACCURACY, ["score inf", "finite"]),
    "score decimal comma": (row(score="0,8"), ACCURACY, ["'0,8'", "decimal comma"]),
    "score thousands": (row(score="1 234.5"), PERCENT, ["1234.5"]),
    "score with underscore": (row(score="1_0"), PERCENT, ["'1_0'"]),
    "score 80 of 1": (row(score="80"), ACCURACY, ["outside", "is it a percentage?"]),
    "a proportion that is no count": ("model,score,n_items\na,78.3,1000\nb,0.81,1000\nc,14.4,1000\n"
                                      "d,7.2,1000\n", PERCENT, ["row 3, model 'b'", "Write 81"]),
    "a row for a header": ("Model,,\na,x,0.5\n", ACCURACY, ["no rows"]),
    "pairs without a winner": ("model_a,model_b,margin\na,b,0.5\nb,c,0.25\n", ACCURACY,
                               ["winner=NAME"]),
    "a proportion among percent": ("model,score,n_items\na,90,100\nb,0.89,100\nc,85,100\n",
                                   PERCENT, ["row 3, model 'b'", "0.89", "Write 89"]),
    "proportions as percent": (BOARD, PERCENT, ["all scores are at most 1", "[0, 1]"]),
    "responses as percent": (LONG, PERCENT, ["all responses are at most 1", "[0, 1]"]),
    "no range": ({"mteb_version": "1", "task_name": "t", "scores": {"test": [{"main_score": 1}]}},
                 NAMED | {"family": "bounded_mean"}, ["score_range"]),
    "no direction": (LONG, {"family": "bounded_mean", "score_range": [0, 1]},
                     ["higher_is_better"]),
    "another's latest": (row(model="a"), ACCURACY | {"duplicates": "latest"},
                         ["row 2, model 'a': 2 scores of one date"]),
    "no column apart": (row(model="a"), ACCURACY | {"duplicates": "separate"},
                        ["no columns distinguish"]),
    "seen in the future": (BOARD, ACCURACY | {"observed_on": "2999-01-01"}, ["in the future"]),
    "average of few tasks": ("model,t1,t2\na,0.9,0.8\nb,0.7,0.6\n", ACCURACY | {"task": "average"},
                             ["mean of 2 tasks has no known error"]),
    "average of others": (SUITE.replace(",50,", ",60,", 1), GRADED | {"task": "Average"},
                          ["'Average' is not the mean of the 5 columns"]),
    "average of units": ("model,a,b,c,d,e%\nx,.1,.2,.3,.4,50%\ny,.1,.2,.3,.4,60%\n",
                         GRADED | {"task": "average"}, ["different ranges"]),
    "average of directions": ("model,a,b,c,d,error\nx,.1,.2,.3,.4,.5\ny,.1,.2,.3,.4,.6\n",
                              GRADED | {"task": "average"}, ["lower in others"]),
    "one of several tables": ("# A\n" + PIPES + "# B\n" + PIPES, ACCURACY,
                              ["'A' (2 rows), 'B' (2 rows)", "'table'"]),
    "several metrics": ("model,win_rate,accuracy\na,0.9,0.8\nb,0.8,0.9\n", ACCURACY,
                        ["'win_rate', 'accuracy'", "'metric'"]),
    "ranks the other way": ("rank,model,x\n" + "".join(f"{i},m{i},0.{i}5\n" for i in range(1, 8)),
                            GRADED, ["lowest on the first ranks", "'higher_is_better'"]),
    "of ten": ("model,quality\na,8.5\nb,7.5\nc,6.5\n", {"family": "bounded_mean"},
               ["from 6.5 to 8.5", "'score_range': 0 to 10"]),
    "not YAML": ("models:\n  - a: [1\n", ACCURACY, ["not YAML", "line"]),
    "table without scores": ("| model | site |\n|--|--|\n| a | x |\n| b | y |\n", ACCURACY,
                             ["no table", "model, site"]),
    # Numbers of items
    "n 0": (row(n_items="0"), ACCURACY, ["n_items 0"]),
    "n 2.5": (row(n_items="2.5"), ACCURACY, ["n_items 2.5", "whole number"]),
    "n 1e300": (row(n_items="1e300"), ACCURACY, ["n_items 1e+300"]),
    "n missing": (row(n_items=""), ACCURACY, ["model 'b' has no number of items", "'n_items'"]),
    "n declared otherwise": (BOARD, ACCURACY | {"n_items": 50}, ["100", "declares n_items 50"]),
    "n that does not follow": ("model,score,standard_error\na,0.85,0.011\n", ACCURACY,
                               ["none follows"]),
    "only runs": ("model,score,run\na,0.5,1\na,0.6,2\n", ACCURACY, ["'n_items'"]),
    # Errors
    "error of a percent": (row(standard_error="4"), ACCURACY, ["is impossible", "another unit"]),
    "error too small": (row(standard_error="0.0004"), ACCURACY, ["0.01 times"]),
    "error too large": (row(standard_error="0.39", n_items="10000"), ACCURACY, ["98 times"]),
    "error negative": (row(standard_error="-0.1"), ACCURACY, ["standard error -0.1"]),
    "interval the wrong way": (row(lower="0.9", upper="0.7"), ACCURACY, ["outside its interval"]),
    "score below its interval": (row(lower="0.82", upper="0.9"), ACCURACY, ["row 3", "interval"]),
    "deviation text": (row(standard_deviation="x"), ACCURACY, ["standard error 'x'"]),
    # Dates
    "date by days first": (row(date="31/01/2026"), ACCURACY, ["row 3", "ISO date"]),
    "date of a spreadsheet": (row(date="45678"), ACCURACY, ["spreadsheet's day number"]),
    "date that is none": (row(date="2025-02-30"), ACCURACY, ["'2025-02-30'"]),
    "date 1999": (row(date="1999-12-31"), ACCURACY, ["before 2000"]),
    "date in the future": (row(date="2999-01-01"), ACCURACY, ["in the future"]),
    "date of a response": ("model,item,response,date\na,q,1,soon\n", ACCURACY, ["date 'soon'"]),
    "date after it was seen": (row(date="2025-06-01"), ACCURACY | {"observed_on": "2025-05-01"},
                               ["observed_on is 2025-05-01", "2025-06-01"]),
    # Responses
    "response 2": (text(LONG, "a,q2,0", "a,q2,2"), ACCURACY, ["row 3", "'q2'", "response 2"]),
    "response text": (text(LONG, "a,q2,0", "a,q2,oops"), ACCURACY, ["row 3", "'oops'"]),
    "response decimal comma": (text(LONG, "a,q2,0", 'a,q2,"0,5"'), ACCURACY, ["decimal comma"]),
    "one cell of a matrix": (text(WIDE, "b,1,1", "b,1,x"), ACCURACY, ["row 3", "'q2'", "'x'"]),
    "tasks taken for items": ("model,t1,t2\na,0.9,0.8\nb,0.7,0.6\n", ACCURACY,
                              ["2 columns", "'t1', 't2'", "'task'", "'each_task'"]),
    "a task that is not there": ("model,t1,t2\na,0.9,0.8\n", ACCURACY | {"task": "t3"},
                                 ["no task 't3'"]),
    "a task with decimal commas": ("model;t1;t2\na;0,9;0.8\nb;0,8;0.7\n", ACCURACY | {"task": "t1"},
                                   ["'t1' has decimal commas"]),
    "a task of text": ("model,t1,t2\na,x,0.8\nb,y,0.7\n", ACCURACY | {"task": "t1"},
                       ["no task 't1'"]),
    "a note's mark on a page": ("<table><tr><th>model<th>score<tr><td>a<td>8.5<sup>2</sup></table>",
                                ACCURACY, ["score 8.5 is outside"]),
    "ranks are no comments": ("rank,model,score,n_items\n#1,a,b,0.9,100\n#2,c,0.8,100\n", ACCURACY,
                              ["row 2: 5 cells"]),
    "one bad cell of a task": ("model,t1\na,0.9\nb,x\nc,0.7\n", ACCURACY | {"task": "t1"},
                               ["row 3, model 'b': score 'x'"]),
}  # fmt: skip

# What is right, by the scores or mean responses of a and b.
RIGHT = {
    "plain": (BOARD, ACCURACY, {"a": 0.9, "b": 0.8}),
    "twice over": (BOARD + BOARD, ACCURACY, {"a": 0.9, "b": 0.8}),
    "items in a column": (text(BOARD, "n_items", "items"), ACCURACY, {"a": 0.9, "b": 0.8}),
    "score missing": (BOARD + "d,,100\n", ACCURACY, {"a": 0.9, "b": 0.8}),
    "response missing": (LONG + "b,q3,\n", ACCURACY, {"a": 0.5, "b": 1}),
    "response not available": (LONG + "b,q3,N/A\n", ACCURACY, {"a": 0.5, "b": 1}),
    "average of a suite": (SUITE, GRADED | {"task": "Average"}, {"x": 0.5, "y": 0.6}),
    "rounded average of a suite": (
        "model,Average,a,b,c,d,e\nx,50.1,30.25,40.25,50.25,60.25,70.25\n",
        GRADED | {"task": "Average", "score_range": [0, 100]}, {"x": 0.5025}),
    "byte order mark": (b"\xef\xbb\xbf" + BOARD.encode(), ACCURACY, {"a": 0.9, "b": 0.8}),
    "blank lines": (BOARD.replace("\n", "\n\n"), ACCURACY, {"a": 0.9, "b": 0.8}),
    "quotes": (row(), ACCURACY, {"a": 0.9, "b": 0.8}),
    "a line break in quotes": (row(model="b\nb"), ACCURACY, {"a": 0.9, "b\nb": 0.8}),
    "doubled quotes": (row(model='b ""x""'), ACCURACY, {"a": 0.9, 'b "x"': 0.8}),
    "zip of a table": (archive(board=BOARD), ACCURACY, {"a": 0.9, "b": 0.8}),
    "gzip": (gzip.compress(BOARD.encode()), ACCURACY, {"a": 0.9, "b": 0.8}),
    "percent": ("model,score,n_items\na,90%,100\nb,80 %,100\n", PERCENT, {"a": 0.9, "b": 0.8}),
    "moments": (row(date="2025-06-01T10:00:00Z"), ACCURACY, {"a": 0.9, "b": 0.8}),
    "half a percent": ("model,score,n_items\na,40,200\nb,0.5,200\nc,12,200\nd,4,200\n", PERCENT,
                       {"a": 0.4, "b": 0.005}),
    "few percents": ("model,score,n_items\na,1.5,200\nb,0.5,200\n", PERCENT,
                     {"a": 0.015, "b": 0.005}),
    "whole percents": ("model,score,n_items\na,1,100\nb,0,100\n", PERCENT, {"a": 0.01, "b": 0}),
    "other columns": ("System;Acc;x\na;0.9;?\nb;0.8;?\n", ACCURACY | {"n_items": 10, "columns": {
        "model": "System", "score": "Acc"}}, {"a": 0.9, "b": 0.8}),
    "long": (LONG, ACCURACY, {"a": 0.5, "b": 1}),
    "long in words": (LONG.replace(",1", ",True").replace(",0", ",false"), ACCURACY,
                      {"a": 0.5, "b": 1}),
    "items by case": (LONG.replace("q2", "Q1"), ACCURACY, {"a": 0.5, "b": 1}),
    "later responses": ("model,item,response,date\na,q,0,2025-01-01\na,q,1,2025-02-01\n",
                        ACCURACY, {"a": 1}),
    "n of score and error": ("model,score,standard_error\na,0.8956228956228957,"
                             "0.0062738395684051795\n", ACCURACY, {"a": 0.8956228956228957}),
    "aggregate lines": ("".join(json.dumps(eee() | {"model_info": {"id": m}}) + "\n"
                                for m in "ab"), FREE, {"a": 0.5, "b": 0.5}),
}  # fmt: skip


@pytest.fixture
def put(tmp_path):
    def write(content, name="file.x"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            whole = content if isinstance(content, str) else json.dumps(content, indent=1)
            path.write_text(whole, encoding="utf-8", newline="")
        return path

    return write


def sentences(path, declared):
    with pytest.raises(InputError) as error:
        load_tables("mine", [{"path": path} | declared.get("file", {})], declared)
    return error.value.violations


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_with_a_sentence_that_helps(put, name):
    content, declared, parts = REFUSED[name]
    found = sentences(put(content), declared)
    together = "\n".join(found)
    assert [part for part in parts if part not in together] == []
    assert "file.x" in together or "'mine'" in together
    assert "Traceback" not in together


@pytest.mark.parametrize("name", RIGHT)
def test_what_can_be_used_is_read_right(put, name):
    content, declared, expected = RIGHT[name]
    imports = load_tables("mine", [{"path": put(content)}], declared)
    found = imports.scores.set_index("model")["score"].to_dict()
    if imports.scores.empty:
        found = imports.responses.groupby("model", observed=True)["response"].mean().to_dict()
    assert {model: found[model] for model in expected} == pytest.approx(expected)
    assert set(found) - {"c", "d"} == set(expected)


DATED = "model,score,n_items,date\n" + "".join(
    f"model {i},{0.9 - i / 50:.3f},{500 + i},2025-0{i + 1}-01\n" for i in range(6)
)
LARGE = "model,item,response,cluster\n" + "".join(
    f"m{i},q{j},{(i + j) % 2},c{j // 2}\n" for i in range(3) for j in range(4)
)
TABLES = {"board": DATED, "long": LARGE, "wide": WIDE}


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(sorted(TABLES)), st.data())
def test_the_order_of_columns_and_lines_and_their_ends_do_not_count(put, name, data):
    lines = [line.split(",") for line in TABLES[name].splitlines()]
    fixed = 1 if name == "wide" else 0  # whose first column says what the others are
    order = [*range(fixed), *data.draw(st.permutations(range(fixed, len(lines[0]))))]
    body = data.draw(st.permutations(lines[1:]))
    mark = data.draw(st.sampled_from([",", ";", "\t"]))
    end = data.draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    quote = data.draw(st.sampled_from(["", '"']))
    start = data.draw(st.sampled_from(["", "\ufeff"]))
    text = end.join(
        mark.join(f"{quote}{row[i]}{quote}" for i in order) for row in [lines[0], *body]
    )

    def rows(content):
        found = load_tables("mine", [{"path": put(content), "model": None}], ACCURACY)
        return {tuple(map(str, row)) for table in found[:2] for row in table.to_numpy().tolist()}

    assert rows(start + text) == rows(TABLES[name])


SEVERAL = {
    "aggregate contradicts responses": (
        {"board.csv": "model,score,n_items\na,0.9,2\n", "long.csv": LONG},
        "aggregate of model 'a' is 0.9 of 2 items"),
    "more responses than items": (
        {"board.csv": "model,score,n_items\na,0.5,1\n", "long.csv": LONG},
        "of 1 items, its 2 item responses"),
    "one model in two spellings": (
        {"x.csv": row(), "y.csv": row().replace('"a"', '"A"').replace('"b"', '"d"')},
        "the models 'A' and 'a' differ only in case"),
    "a cut off file beside": (
        {"per_instance_stats.json": [
            {"instance_id": 1, "stats": [{"name": {"name": "m"}, "mean": 1}]}]},
        "run_spec.json: the JSON ends too early"),
    "mixed schema versions": (
        {"a.json": eee(), "b.json": eee() | {"schema_version": "0.2.0"}},
        "mix the versions 0.2, 0.3"),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_files_that_contradict_each_other_are_refused(put, name):
    contents, part = SEVERAL[name]
    put('{"adapter_spec": {"mod', "run_spec.json")
    with pytest.raises(InputError) as error:
        load_tables(
            "mine", [{"path": put(content, file)} for file, content in contents.items()], ACCURACY
        )
    assert part in str(error.value)


def test_what_is_no_file(put, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "none")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    for place, part in (
        (tmp_path, "a folder; name the files in it"),
        (tmp_path / "none", "does not exist"),
        (tmp_path / "link", "a link to a file that does not exist"),
        (tmp_path / "round", "a link to a file that does not exist"),
        ("/dev/zero", "not a regular file; save its content as one"),
    ):
        assert part in sentences(place, ACCURACY)[0]
    (tmp_path / "good").symlink_to(put(BOARD))
    assert len(load_tables("mine", [{"path": tmp_path / "good"}], ACCURACY).scores) == 3


LINES = b"model,score\n" + b"a,0.9\n" * 50_000


@pytest.mark.parametrize(
    ("limit", "size", "content", "declared", "part"),
    [
        ("LARGEST_EXPANDED", 2**16, gzip.compress(LINES), ACCURACY,
         "unpacks to more than 0.0625 MiB"),
        ("LARGEST_EXPANDED", 2**16, bytes(pa.compress(LINES, "zstd", asbytes=True)), ACCURACY,
         "unpacks to more than"),
        ("LARGEST_WHOLE", 64, lm_eval(), FREE, "in one document or table; split it"),
        ("LARGEST_MEMBER", 64, archive(header_json=json.dumps(inspect())), FREE,
         "header.json in it: unpacks to"),
        ("LONGEST_RECORD", 300,
         "\n".join([json.dumps(sample()), json.dumps(sample(doc="x" * 400)), ""]), NAMED,
         "line 2: longer than"),
    ],
    ids=["gzip", "zstd", "document", "member", "line"],
)  # fmt: skip
def test_what_is_larger_than_can_be_held(put, monkeypatch, limit, size, content, declared, part):
    monkeypatch.setattr(open, limit, size)
    assert part in sentences(put(content), declared)[0]


def test_many_violations_are_cut_with_their_number(put):
    table = "model,score,n_items\n" + "".join(f"m{i},x{i},10\n" for i in range(100))
    found = sentences(put(table), ACCURACY)
    assert len(found) == MOST_REPORTED + 1
    assert found[-1] == "and 80 more violations"


def test_what_is_wrong_in_many_rows_in_the_same_way_is_said_once(put):
    table = "model,score,n_items\n" + "".join(f"m{i},x,10\n" for i in range(100))
    (found,) = sentences(put(table), ACCURACY)
    assert "row 2, model 'm0': score 'x'" in found
    assert found.endswith("(and so in 99 more rows)")
    (found,) = merge_rows(f"x, row {i}: score 'x'" for i in range(12_000))
    assert found.endswith("(and so in at least 9,999 more rows)")


def test_where_n_comes_from(put):
    text = ("model,score,standard_error,n_items\na,0.9,,100\n"
            "b,0.8956228956228957,0.0062738395684051795,\n")  # fmt: skip
    imports = load_tables("mine", [{"path": put(text)}], ACCURACY | {"observed_on": "2026-01-31"})
    told = imports.scores.set_index("model")[["n_items", "n_source"]].to_dict("index")
    assert told["a"] == {"n_items": 100, "n_source": "stated"}
    assert told["b"] == {"n_items": 2376, "n_source": "score and standard error"}
    assert imports.record.n_sources == {"stated": 1, "score and standard error": 1}
    assert list(imports.record.notes) == [
        "n of 1 scores follows from score and standard error: 2,376 items"
    ]
    declared = load_tables(
        "mine", [{"path": put("model,score\na,0.5\n")}], ACCURACY | {"n_items": 8}
    )
    assert declared.scores["n_source"].tolist() == ["declared"]
    assert list(declared.record.notes) == ["no file gives a date, so the card has none"]
