"""Embedded public answers: each source read as it is, and refused where it contradicts itself."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.robustness import sources


def shares(**changes):
    """Two items of one model; the second has three wordings."""
    table = pd.DataFrame(
        {
            "idx": [4, 3],
            "model": "host/model",
            "correct_orig": [True, False],
            "incorrect_orig": [False, False],
            "not_attempted_orig": [False, True],
            "num_paraphrases_both": [2, 3],
            "correct_both": [1.0, 1 / 3],
            "incorrect_both": [0.0, 0.0],
            "not_attempted_both": [0.0, 2 / 3],
        }
    )
    return table.assign(**changes)


def test_verdicts_are_counts_in_order():
    table = sources.variants({"d": shares()})
    assert table.to_dict("list") == {
        "dataset": ["d", "d"],
        "model": ["model", "model"],
        "item": [3, 4],
        "wordings": [3, 2],
        "right": [1, 2],
        "wrong": [0, 0],
        "abstained": [2, 0],
        "original": ["abstained", "right"],
        "distinct_answers": pytest.approx([float("nan")] * 2, nan_ok=True),
    }


def test_answers_are_counted_where_they_are_known():
    known = shares(num_paraphrases_correct_both=[2, 3], distinct_ans_norm_both=[1.0, 3.0])
    known = known.drop(columns=["not_attempted_both", "not_attempted_orig"])
    known["incorrect_both"] = 1 - known["correct_both"]
    known["incorrect_orig"] = ~known["correct_orig"]
    table = sources.variants({"d": known})
    assert table["distinct_answers"].tolist() == [3.0, 1.0]
    assert table["wrong"].tolist() == [2, 0]
    assert table["abstained"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"correct_both": [1.0, 0.4]}, "no whole number of wordings"),
        ({"correct_both": [1.0, 2 / 3]}, "do not add up"),
        ({"correct_orig": [True, True]}, "no verdict, or two"),
        ({"idx": [3, 3]}, "item 3 of model model stands twice"),
    ],
)
def test_verdicts_that_contradict_themselves_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        sources.variants({"d": shares(**changes)})


def test_a_lacking_column_is_named():
    with pytest.raises(InputError, match="correct_both"):
        sources.variants({"d": shares().drop(columns="correct_both")})


def runs(**changes):
    table = pd.DataFrame(
        {
            "model": ["m", "m"],
            "task": "t",
            "task_config": ["{'shots': 0}", "{'shots': 0}"],
            "correct_count_per_run": ["[5, 6]", "[6, 6]"],
            "N": 2,
            "num_questions": 10,
            "TACa": [8, 9],
            "TACr": [2, 3],
            "worst_possible_count": [4, 6],
            "best_possible_count": [7, 6],
        }
    )
    return table.assign(**changes)


def test_repetitions_are_counted():
    table = sources.repeats(runs())
    assert table["right"].tolist() == [11, 12]
    assert table["run"].tolist() == [1, 2]
    assert table["shots"].tolist() == ["0", "0"]
    assert table[["same_answer", "same_text"]].to_numpy().tolist() == [[8, 2], [9, 3]]
    assert table[["always_right", "ever_right"]].to_numpy().tolist() == [[4, 7], [6, 6]]


@pytest.mark.parametrize("changes", [{"N": 3}, {"worst_possible_count": [8, 6]}, {"TACa": [8, 11]}])
def test_repetitions_that_do_not_fit_are_refused(changes):
    with pytest.raises(InputError, match="m on t, 0 shots: counts that do not fit"):
        sources.repeats(runs(**changes))


def test_prompts_are_one_row_a_paraphrase_and_model():
    wide = pd.DataFrame({"paraphrase idx": [1, 2], "a_acc": [0.1, 0.2], "b_acc": [0.3, 0.4]})
    table = sources.prompts({("s", "t"): wide})
    assert table.to_dict("list") == {
        "suite": ["s"] * 4,
        "task": ["t"] * 4,
        "paraphrase": [1, 1, 2, 2],
        "model": ["a", "b", "a", "b"],
        "score": [0.1, 0.3, 0.2, 0.4],
    }
    for damaged in (
        wide.assign(a_acc=[0.1, None]),
        wide.assign(**{"paraphrase idx": [1, 1]}),
        wide[["paraphrase idx"]],
    ):
        with pytest.raises(InputError, match="prompts_slab_s_t: a paraphrase stands twice, or"):
            sources.prompts({("s", "t"): damaged})
    with pytest.raises(InputError, match="paraphrase idx"):
        sources.prompts({("s", "t"): wide.drop(columns="paraphrase idx")})


def test_sensitivity_keeps_every_run():
    table = pd.DataFrame(
        {
            "dataset": "d",
            "model": ["models--llama/7B", "google/x"],
            "prompt_type": "p",
            "number_of_shots": 4,
            "seed": [1.0, None],
            "number_of_data": 10,
            "accuracy": [0.5, 0.6],
            "sensitivity_general": [0.2, 0.1],
        }
    )
    assert sources.sensitivity(table)["model"].tolist() == ["llama/7B", "google/x"]
    assert len(sources.sensitivity(table)) == 2
