"""The option that a model chose stays beside its response."""

import pytest

from saturation.leaderboard.read import tidy
from saturation.leaderboard.read.rows import Choice


def options(found):
    table = tidy.responses("x", [("f", found)], tidy.Unit(0, 1, higher_is_better=True))
    return dict(zip(table["model"].astype(str) + " " + table["item"].astype(str), table["choice"]))


@pytest.mark.parametrize("name", ["choice", "chosen", "pred", "answer"])
def test_a_table_of_answers_keeps_the_chosen_option(write, read, name):
    text = f"model,item,response,{name}\na,q,1,B\nb,q,0,C\na,r,0,\nb,r,1,D\n"
    assert options(read(write(text, "x.csv"))) == {"a q": "B", "b q": "C", "a r": "", "b r": "D"}


@pytest.mark.parametrize("cell", ["B", "x" * 101])
def test_the_key_to_an_item_and_long_texts_are_no_chosen_options(write, read, cell):
    other = cell if cell == "B" else "C"
    text = f"model,item,response,answer\na,q,1,{cell}\nb,q,0,{other}\n"
    found = read(write(text, "x.csv"))
    table = tidy.responses("x", [("f", found)], tidy.Unit(0, 1, higher_is_better=True))
    assert "choice" not in table


def test_a_key_beside_the_prediction_is_not_taken(write, read):
    text = "model,item,response,answer,pred\na,q,1,B,B\nb,q,0,B,C\n"
    assert options(read(write(text, "x.csv"))) == {"a q": "B", "b q": "C"}


def test_outputs_of_mmlu_pro_keep_the_prediction(write, read):
    records = [{"question_id": n, "category": "law", "answer": "A", "pred": p}
               for n, p in enumerate(["A", None, "C"])]  # fmt: skip
    found = read(write(records, "model_outputs_m_5shots.json"))
    assert [row.choice for row in found.responses] == ["A", "", "C"]


def test_inspect_logs_keep_the_scorer_s_answer(write, read):
    samples = [{"id": n, "epoch": 1, "scores": {"choice": {"value": v, "answer": a}}}
               for n, v, a in ((1, "C", "B"), (2, "I", None))]  # fmt: skip
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
           "samples": samples}  # fmt: skip
    assert [row.choice for row in read(write(log)).responses] == ["B", ""]


@pytest.mark.parametrize(
    ("metric", "arguments", "chosen"),
    [
        ("acc", None, "1"),
        # -3 / 2 letters against -2 / 1: the first is the more likely a letter.
        ("acc_norm", [["?", " ab"], ["?", " c"]], "0"),
        ("acc_norm", {"a": {"arg_0": "?", "arg_1": " ab"}, "b": {"arg_1": " c"}}, "0"),
        ("acc_norm", None, ""),
        ("brier", [["?", " ab"], ["?", " c"]], ""),
    ],
)
def test_samples_of_lm_eval_keep_the_most_likely_option(
    write, read, make_sample, metric, arguments, chosen
):
    line = make_sample(0, "none", 1.0) | {
        "filtered_resps": [["-3.0", "False"], [-2.0, True]],
        "arguments": arguments,
        "metrics": [metric],
        metric: 1.0,
    }
    found = read(write([line], lines=True), Choice(metric=metric), model="m")
    assert [row.choice for row in found.responses] == [chosen]


def test_samples_of_lm_eval_keep_a_generated_answer(write, read, make_sample):
    (row,) = read(write([make_sample(0, "none", 1.0)], lines=True), model="m").responses
    assert row.choice == "x"


def test_options_and_keys_choose_by_their_names():
    options = {"columns": [("model", "System")], "table": "2", "task": None, "output": "x"}
    assert Choice.select(options) == Choice(columns={"model": "System"}, table="2")
    assert Choice.select({"columns": None}) == Choice()
