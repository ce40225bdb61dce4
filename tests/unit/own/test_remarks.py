"""What is said of scores besides the verdict: turned round, no models, a doubtful n."""

import pytest

from saturation.own.imports import read

ACCURACY = {"family": "accuracy", "score_range": [0, 1]}


@pytest.fixture
def notes(tmp_path):
    """``(text, declared)``: the remarks on a CSV file."""

    def said(text, declared=ACCURACY):
        (tmp_path / "x.csv").write_text(text)
        return read("x", [{"path": tmp_path / "x.csv"}], declared).record.notes

    return said


def test_scores_that_need_no_remark_have_none(notes):
    board = "randomizer,0.5,10\nHumanoid,0.33,3\nSuperhuman,0,3\nmeander,1,4\n"
    assert notes(f"model,score,n_items\n{board}") == []


def test_rows_that_are_no_models_are_named(notes):
    (found,) = notes("model,score,n_items\nHuman baseline,0.5,10\na,0.3,10\naverage,0.4,10\n")
    assert found.startswith("ranked among the models; leave the rows out that are none: ")
    assert found.endswith("'Human baseline', 'average'")


def test_a_number_of_items_that_allows_no_such_score(notes):
    (found,) = notes("model,score,n_items\na,0.91,7\nb,0.86,7\nc,0.5,7\n")
    assert found.startswith("2 of 3 scores are not those of so many right answers of n, such as ")
    assert "0.91 of 7: is n right" in found
    # Of graded items every mean is possible.
    graded = {"family": "bounded_mean", "score_range": [0, 1], "higher_is_better": True}
    assert notes("model,score,n_items\na,0.91,7\n", graded) == []


PERCENT = {"family": "accuracy", "score_range": [0, 100]}


def test_a_lone_one_among_percentages_is_named_by_its_row(notes):
    board = "model,score,n_items\na,85.2,1000\nb,91,1000\nc,{},1000\n"
    for text in ("1", "1.0"):
        (found,) = notes(board.format(text), PERCENT)
        assert found.endswith(
            "x.csv, row 4, model 'c': score 1 beside percentages is read as 1 of 100; "
            "if it stands for all, write 100"
        )
    for text in ("1.1", "0", "2", "11", "100"):
        assert notes(board.format(text), PERCENT) == [], text


@pytest.mark.parametrize(
    ("rows", "declared"),
    [
        ("a,85.2,1000\nc,1,1000\n", PERCENT),  # one beside it tells nothing
        ("a,85.2,1000\nb,91,1000\nc,1,1000\nd,1,1000\n", PERCENT),
        ("a,85.2,1000\nb,91,1000\nc,1,1000\nd,10,1000\n", PERCENT),
        ("a,0.5,10\nb,0.9,10\nc,1,10\n", ACCURACY),
    ],
)
def test_a_one_that_is_not_alone_or_no_percentage_has_no_remark(notes, rows, declared):
    assert notes(f"model,score,n_items\n{rows}", declared) == []


def test_scores_that_are_turned_round_are_said_to_be(notes):
    (found,) = notes("model,score,n_items\na,0.4,10\n", ACCURACY | {"higher_is_better": False})
    assert found.endswith("here it is turned round: 80 % stands for their 20 %")
    loss = {"family": "other", "higher_is_better": False}
    (found,) = notes("model,score,standard_error\na,1.2,0.1\n", loss)
    assert found.endswith("scores have the other sign")
