"""Embedded public answers and a user's predictions: read as they are, or refused."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from studies.robustness import schemas, sources

FACTORS = ["noise", "shots"]


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


def runs(**changes):
    table = pd.DataFrame(
        {
            "model": ["m", "m"],
            "task": "t",
            "task_config": ["{'shots': 0}", "{'shots': 0}"],
            "N": 2,
            "num_questions": 10,
            "TACa": [8, 9],
        }
    )
    return table.assign(**changes)


def test_repetitions_are_counted():
    table = sources.repeats(runs())
    assert table["run"].tolist() == [1, 2]
    assert table["shots"].tolist() == ["0", "0"]
    assert table["same_answer"].tolist() == [8, 9]


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


def good():
    rows = [
        ("m", d, e, noise, shots, "yes", 1.0)
        for d in ("d1", "d2")
        for e in ("e1", "e2")
        for noise in ("n", "s")
        for shots in ("2", "4")
    ]
    columns = ["model", "dataset", "example_id", *FACTORS, "prediction", "score"]
    return pd.DataFrame(rows, columns=columns)


def checked(frame, score_range=(0, 1)):
    coded = sources.compact(frame, [*schemas.KEYS, *FACTORS, "prediction"])
    coded = validate(coded, schemas.predictions(FACTORS, *score_range), "own.csv")
    return sources.arranged(coded, FACTORS, "own.csv", score_range)


def refusal(frame, **options):
    with pytest.raises(InputError) as error:
        checked(frame, **options)
    return error.value.violations


@pytest.mark.parametrize(
    ("row", "column", "value", "parts"),
    [
        (4, "score", "right", ["row 6", "'score'", "'right'"]),
        (3, "score", 1.5, ["row 5", "'score'", "1.5", "from 0 to 1"]),
        (0, "score", None, ["row 2", "'score'", "missing"]),
        (2, "prediction", None, ["row 4", "'prediction'", "missing"]),
        (2, "prediction", "  ", ["row 4", "'prediction'", "no_answer"]),
        (7, "noise", None, ["row 9", "'noise'", "missing"]),
        (1, "model", "", ["row 3", "'model'", "not empty"]),
    ],
)
def test_bad_cells_are_named(row, column, value, parts):
    frame = good().astype({column: object})
    frame.loc[row, column] = value
    (sentence,) = refusal(frame)
    assert all(part in sentence for part in ["own.csv", *parts]), sentence


def marked(table):
    """The answers to undisturbed prompts are the references."""
    return table.assign(reference=table["noise"] == "n")


@pytest.mark.parametrize(
    ("damaged", "parts"),
    [
        (lambda table: pd.concat([table, table.iloc[[5]]], ignore_index=True),
         ["row 18", "row 7", "example_id e2"]),
        (lambda table: table[(table["dataset"] == "d1") | (table["shots"] == "2")],
         ["row 10, column 'shots'", "d2", "robustness.factors"]),
        (lambda table: table.assign(reference=table["reference"] & (table.index > 0)),
         ["configuration d1, n, 2"]),
        (lambda table: table.assign(reference=table["reference"] & (table["dataset"] == "d1")),
         ["dataset d2 has no reference"]),
    ],
)  # fmt: skip
def test_a_table_that_contradicts_its_design_is_refused(damaged, parts):
    checked(marked(good()))
    (sentence,) = refusal(damaged(marked(good())).reset_index(drop=True))
    assert all(part in sentence for part in ["own.csv", *parts]), sentence


def test_missing_configurations_are_reported_and_strict_refuses():
    rows = checked(good().drop(index=[1, 6, 7]).reset_index(drop=True))
    missing = sources.missing_configurations(rows)
    counts = missing[["example_id", "n_present", "n_expected"]].to_numpy().tolist()
    assert counts == [["e1", 3, 4], ["e2", 2, 4]]
    with pytest.raises(InputError, match=r"example e2 .* has 2 of 4 configurations"):
        sources.check_complete(missing, "own.csv")
    sources.check_complete(missing.iloc[:0], "own.csv")


TEXTS = ["Yes", " yes", "YES.", "y es", "no"]


@pytest.mark.parametrize(
    ("name", "distinct"), [("exact", 5), ("lower_strip", 4), ("lower_no_space", 3), ("words", 3)]
)
def test_which_answers_are_the_same(name, distinct):
    series = pd.Series(TEXTS).astype("category")
    found = sources.normalise(series, sources.find_normaliser(name))
    assert found.nunique() == distinct
    assert len(found) == len(TEXTS)


@pytest.mark.parametrize(
    "name", ["lower", "no.such:thing", "studies.robustness.sources:nothing", ""]
)
def test_unknown_normalisers_are_listed(name):
    with pytest.raises(InputError, match="lower_strip"):
        sources.find_normaliser(name)


def test_prepared_rows_are_sorted_and_their_answers_normalised():
    frame = good().assign(prediction=["Yes ", "yes"] * 8).sample(frac=1, random_state=2)
    frame = frame.reset_index(drop=True)
    rows, missing = sources.prepared(frame, FACTORS, (0, 1), "lower_strip", True, "own.csv")
    assert "prediction" not in rows
    assert rows["answer"].cat.categories.tolist() == ["yes"]
    assert rows["configuration"].tolist() == [0, 1, 2, 3] * 4
    assert rows["reference"].all()
    assert not rows["synthetic"].any()
    assert rows["example_id"].tolist() == (["e1"] * 4 + ["e2"] * 4) * 2
    assert missing.empty
    assert list(missing.columns) == ["model", "dataset", "example_id", "n_present", "n_expected"]


def test_scores_at_the_ends_of_the_range_pass_and_beyond_do_not():
    rows = checked(good().assign(score=[1.0, 5.0] * 8), score_range=(1, 5))
    assert sorted(rows["score"].unique()) == [0, 1]
    (first, *_) = refusal(good().assign(score=[1.0, 5.001] * 8), score_range=(1, 5))
    assert "5.001" in first


@pytest.mark.parametrize(("rows", "said"), [(20, 20), (21, 21), (25, 21)])
def test_many_violations_are_counted_not_listed(rows, said):
    """Twenty are listed; the others are a number."""
    many = pd.concat([good().assign(model=f"m{place}") for place in range(2)], ignore_index=True)
    sentences = refusal(pd.concat([many, many.head(rows)], ignore_index=True))
    assert len(sentences) == said
    incomplete = pd.DataFrame({"model": "m", "dataset": "d", "example_id": range(rows)})
    with pytest.raises(InputError) as error:
        sources.check_complete(incomplete.assign(n_present=3, n_expected=4), "own.csv")
    assert len(error.value.violations) == said
    if said > 20:
        more = rows - 20
        assert sentences[-1] == f"own.csv: and {more} more duplicate cells"
        assert error.value.violations[-1] == f"and {more} more violations"
