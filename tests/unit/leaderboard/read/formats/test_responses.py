"""Item responses in plain tables, long and wide."""

import pytest

from saturation.leaderboard.read import registry, tidy
from saturation.leaderboard.read.rows import Choice, Origin


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("model,q1,q2\na,1,0\nb,1,1\n", "wide_responses"),
        ("item,a,b\nq1,1,1\nq2,0,1\n", "wide_responses"),
        ("model,item,response\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n", "long_responses"),
    ],
)
def test_response_matrices_in_every_layout(write, read, proportion, text, name):
    imported = read(write(text, "x.csv"))
    table = tidy.responses("x", [("f", imported)], proportion)
    assert table.groupby("model")["response"].mean().to_dict() == {"a": 0.5, "b": 1.0}
    assert imported.format == name


def test_an_empty_cell_of_a_matrix_is_an_item_that_was_not_answered(write, read, responses_of):
    imported = read(write("model,q1,q2\na,1,\nb,1,1\n", "x.csv"))
    rows = [(r.model, r.item, r.row) for r in responses_of(imported)]
    assert rows == [("a", "q1", 2), ("b", "q1", 3), ("b", "q2", 3)]
    assert imported.notes == ["1 empty cells: items that a model did not answer"]
    assert read(write("model,q1,q2\na,1,0\n", "x.csv")).notes == []


def test_a_response_says_its_cluster_run_and_configuration(write, read, responses_of):
    text = "model,item,response,cluster,run,configuration\na,q,1,c,2,terse\na,r,1,,,\n"
    first, second = responses_of(read(write(text, "x.csv"), configuration="plain"))
    assert (first.cluster, first.run, first.configuration, first.row) == ("c", "2", "terse", 2)
    assert (second.cluster, second.run, second.configuration) == ("", "", "plain")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("model,item,response\na,q1,1\n,q2,0\n", "row 3, column 'model': the value is missing"),
        ("model,item,response\na,,1\na,q2,0\n", "row 2, column 'item': the value is missing"),
        ("model,q1,q2\na,1,0\n,1,1\n", "row 3, column 'model': the value is missing"),
        ("model,item,note,correct\na,q1,x,1\n", "'response' is missing; say which"),
        ("model,item,note,correct\na,q1,x,1\n", "with the key 'columns': response=correct"),
        ("model,item,note\na,q1,x\n", "with the key 'columns': response=NAME"),
    ],
)
def test_a_missing_name_or_column_of_responses_is_named(write, violation, text, sentence):
    assert sentence in violation(write(text, "x.csv"))


def test_a_table_of_several_tasks_is_chosen_from(write, read, violation):
    path = write("model,item,response,task\na,p,1,x\na,p,0,y\nb,p,1,x\n", "long.csv")
    assert "2 tasks ('x', 'y')" in violation(path)
    found = read(path, Choice(task="x"))
    assert found.responses["response"].tolist() == [1, 1]
    assert found.responses["row"].tolist() == [2, 4]
    assert registry.tasks(Origin(path), Choice()) == ["x", "y"]


def test_rows_without_a_task_are_left_out_and_said(write, read):
    found = read(write("model,item,response,task\na,p,1,x\na,p,0,\n", "long.csv"))
    assert found.responses["response"].tolist() == [1]
    assert found.notes == ["1 rows without a task are left out"]
    found = read(write("model,item,response,task\na,p,1,\na,q,0,\n", "long.csv"))
    assert found.responses["response"].tolist() == [1, 0]
    assert found.notes == []


def test_a_header_longer_than_any_cell_is_read(write, read):
    """At the marks that do not separate its cells, it is one cell."""
    items = [str(item) * 20_000 for item in range(10)]
    assert len(read(write(f"model,{','.join(items)}\na{',1' * 10}\n", "x.csv")).responses) == 10
