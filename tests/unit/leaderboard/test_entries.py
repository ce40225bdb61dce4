"""Which evaluations count, and how much of a benchmark a model covers."""

import numpy as np
import pandas as pd
import pytest

from saturation.leaderboard import entries

COLUMNS = ["model", "score", "configuration", "run", "date", "n_items"]


def scored(*rows):
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n_items": float})


def responded(*rows):
    frame = pd.DataFrame(rows, columns=["model", "item", "configuration", "response"])
    return frame.assign(cluster="", run="")


def selected(scores=None, responses=None, least=0.8):
    return entries.select(
        scored() if scores is None else scores,
        responded() if responses is None else responses,
        least,
    )


class TestSelect:
    def test_the_latest_evaluation_of_a_model_counts(self):
        scores = scored(
            ("a", 0.5, "", "", "2024-05-01", 100),
            ("a", 0.9, "", "", "2025-01-01", 100),
            ("b", 0.7, "", "", "2024-05-01", 100),
            ("c", 0.6, "", "", None, 100),
            ("c", 0.4, "", "", "2020-01-01", 100),
        )
        found = selected(scores)
        assert found.scores["score"].tolist() == [0.9, 0.7, 0.4]
        assert found.remarks == [
            "2 earlier evaluations of 2 models count only in the course over time"
        ]
        assert selected(scores.iloc[[1, 2, 3]]).remarks == []
        undated = scores.iloc[[3]].assign(date=np.nan)
        assert selected(undated).scores["score"].tolist() == [0.6]

    def test_runs_and_configurations_have_their_own_latest(self):
        scores = scored(
            ("a", 0.1, "p", "", "2024-01-01", 9),
            ("a", 0.2, "q", "", "2025-01-01", 9),
            ("a", 0.3, "p", "2", "2023-01-01", 9),
        )
        assert len(selected(scores).scores) == 3

    def test_a_configuration_that_few_have_is_left_out_and_said(self):
        """The best model on p also ran on a hard one: it stays the best."""
        scores = scored(
            ("a", 0.9, "p", "", None, 9),
            ("a", 0.1, "hard", "", None, 9),
            ("b", 0.8, "p", "", None, 9),
            ("c", 0.7, "p", "", None, 9),
        )
        found = selected(scores)
        assert found.scores["score"].tolist() == [0.9, 0.8, 0.7]
        assert found.remarks == [
            "left out: configurations that no more than half of the models have: 'hard'"
        ]

    def test_a_model_that_lacks_a_configuration_keeps_its_own_and_is_said(self):
        scores = scored(
            *((name, 0.5, prompt, "", None, 9) for name in "abc" for prompt in "pq"),
            ("d", 0.6, "p", "", None, 9),
            ("e", 0.7, "other", "", None, 9),
        )
        found = selected(scores)
        assert len(found.scores) == 8
        assert len(found.remarks) == 1
        assert found.remarks[0].endswith("most models have: 'd', 'e'")

    def test_where_no_configuration_is_shared_nothing_is_left_out(self):
        scores = scored(("a", 0.9, "p", "", None, 9), ("b", 0.8, "q", "", None, 9))
        found = selected(scores)
        assert len(found.scores) == 2
        assert "not all models have the same" in found.remarks[0]

    def test_configurations_of_responses_count_too(self):
        rows = [(name, "i", "p", 1.0) for name in "abc"]
        found = selected(responses=responded(*rows, ("a", "i", "hard", 0.0)))
        assert found.responses["response"].tolist() == [1, 1, 1]
        assert "'hard'" in found.remarks[0]

    @pytest.mark.parametrize(("n", "kept"), [(12, 10), (13, 0)])
    def test_few_samples_stand_back_behind_the_score_that_they_are_of(self, n, kept):
        """Ten responses are 0.83 of twelve items and 0.77 of thirteen."""
        responses = responded(*(("a", f"i{i}", "", 1.0) for i in range(10)))
        found = selected(scored(("a", 0.5, "", "", None, n)), responses)
        assert len(found.responses) == kept
        assert len(found.remarks) == (kept == 0)
        other = selected(scored(("b", 0.5, "", "", None, n)), responses)
        assert len(other.responses) == 10


def matrix_of(**answered):
    """Responses 1 to the items that each model answered."""
    items = sorted({item for own in answered.values() for item in own})
    return pd.DataFrame(
        {name: [1.0 if item in own else np.nan for item in items]
         for name, own in answered.items()}, index=items,
    )  # fmt: skip


def covered(matrix, **sizes):
    names = [*matrix.columns, *sizes]
    n = [*matrix.notna().sum(), *sizes.values()]
    return entries.coverage(pd.DataFrame({"model": names, "n_items": n}), matrix)


class TestCoverage:
    def test_by_hand(self):
        matrix = matrix_of(a="pqrst", b="pqrst", c="pqr", d="xyz")
        share, n = covered(matrix)
        # p, q and r are answered by three of four, s and t by two, which is not more than half.
        assert n == 3
        assert share.tolist() == [1, 1, 1, 0]
        share, n = covered(matrix_of(a="pqrst", b="pqrst", c="pqrst", d="pq", e="xyz"))
        assert n == 5
        assert share.tolist() == pytest.approx([1, 1, 1, 0.4, 0])

    def test_of_scores_by_their_numbers_of_items(self):
        share, n = covered(pd.DataFrame(), a=1000, b=1000, c=1200, d=10, e=np.nan)
        assert n == 1000
        assert share[:4].tolist() == [1, 1, 1, 0.01]
        assert np.isnan(share[4])
        assert np.isnan(covered(pd.DataFrame(), a=np.nan)[1])

    def test_samples_among_scores(self):
        share, n = covered(matrix_of(a="pq", b="pq"), c=5000, d=5000, e=5000)
        assert n == 5000
        assert share.tolist() == pytest.approx([0.0004, 0.0004, 1, 1, 1])


@pytest.mark.parametrize(
    ("answered", "begins", "ends"),
    [
        ({"a": "pq", "b": "xy"}, "these models share no item with any other", ": 'a', 'b'"),
        ({"a": "pq", "b": "pq", "c": "xy"}, "these models share no item", "them: 'c'"),
        (
            {"a": "pqr", "b": "pqr", "c": "pqr", "d": "p"},
            "with other items than most models: 'd';",
            "both did",
        ),
        (
            {"a": "pq", "b": "pq", "c": "pq", "d": "pqxy"},
            "with other items than most models: 'd';",
            "both did",
        ),
        ({"a": "pq", "b": "pq"}, None, None),
        ({}, None, None),
    ],
)
def test_models_with_items_of_their_own_are_named(answered, begins, ends):
    remarks = entries.unshared(matrix_of(**answered))
    assert len(remarks) == (begins is not None)
    assert all(remark.startswith(begins) and remark.endswith(ends) for remark in remarks)
