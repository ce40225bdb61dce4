"""Answers over a suite, and the decision of a gate."""

import numpy as np
import pandas as pd
import pytest

from saturation.compare import gate
from saturation.compare.gate import bound_difference, check_tasks, decide, find_flips, parse_rules
from saturation.compare.paired import Answers
from saturation.compare.suite import Item, Settings, judge_suite, summarize
from saturation.errors import InputError
from saturation.statistics import intervals


def task(n, drop=0.0, runs=1, seed=0, score=0.7):
    """A task whose candidate fails a share of the items that its baseline solves."""
    rng = np.random.default_rng(seed)
    baseline = (rng.random((n, 1)) < score).astype(float).repeat(runs, axis=1)
    lost = np.flatnonzero(baseline[:, 0])[: round(drop * n)]
    candidate = baseline.copy()
    candidate[lost] = 0.0
    return Answers(pd.DataFrame(baseline), pd.DataFrame(candidate))


def outcome(tasks, rules="worse", **changes):
    settings = Settings(**changes)
    bounds = {name: bound_difference(answers) for name, answers in tasks.items()}
    items = [Item(name, one.observed, one.observed.scores) for name, one in bounds.items()]
    suite = judge_suite(items, settings)
    return decide(bounds, suite, parse_rules(rules), settings), suite


def test_a_drop_fails_and_names_its_task():
    decision, suite = outcome({"a": task(400, 0.05), "b": task(400)})
    assert (decision.decision, decision.exit_code) == (gate.FAIL, 3)
    assert decision.reasons[0].startswith("a: worse")
    assert [row.answer for row in suite.rows if row.item.task == "a"] == ["worse"]


def test_few_items_never_pass():
    decision, _ = outcome({"a": task(10)})
    assert (decision.decision, decision.exit_code) == (gate.INCONCLUSIVE, 4)
    assert outcome({"a": task(2000)})[0].exit_code == 0


def test_a_margin_allows_small_drops_and_excludes_large_ones():
    small = {"a": task(4000, 0.005)}
    assert outcome(small, "worse")[0].decision == gate.FAIL
    assert outcome(small, "worse>2")[0].decision == gate.PASS
    assert outcome({"a": task(4000, 0.05)}, "worse>2")[0].decision == gate.FAIL
    assert outcome({"a": task(4000, 0.02)}, "worse>2")[0].decision == gate.INCONCLUSIVE


def test_the_error_rate_is_shared_by_the_tasks():
    tasks = {"a": task(400, 6 / 400)} | {str(n): task(400) for n in range(11)}
    assert outcome({"a": tasks["a"]})[0].decision == gate.FAIL
    assert outcome(tasks)[0].decision != gate.FAIL


def test_looking_after_each_run_takes_a_smaller_p_value():
    tasks = {"a": task(400, 5 / 400)}
    assert outcome(tasks)[0].decision == gate.FAIL
    assert outcome(tasks, looks=10)[0].decision != gate.FAIL


def test_missing_answers_count_against_every_decision():
    answers = task(400, 0.03)
    assert outcome({"a": answers})[0].decision == gate.FAIL
    candidate = answers.candidate.copy()
    candidate.iloc[-60:] = np.nan
    partial = Answers(answers.baseline, candidate)
    assert outcome({"a": partial})[0].decision == gate.INCONCLUSIVE
    bounds = bound_difference(partial)
    assert bounds.worst.value < bounds.observed.value < bounds.best.value
    assert "60 of 800 answers are missing" in gate.note_missing(partial, bounds)[0]


def test_versions_with_other_items_are_refused():
    answers = task(40)
    candidate = answers.candidate.copy()
    candidate.iloc[:21] = np.nan
    with pytest.raises(InputError, match="share 19 of 40 items"):
        check_tasks({"a": Answers(answers.baseline, candidate)})


@pytest.mark.parametrize("rule", ["better", "worse>", "worse>2%", "2"])
def test_unknown_rules_are_refused(rule):
    with pytest.raises(InputError, match="--fail-on"):
        parse_rules(rule)


def test_rules_are_read():
    assert parse_rules("worse, worse > 2.5,undecided") == gate.Rules((0.0, 0.025), True)


def test_flipped_and_flaky_items_are_named():
    baseline = pd.DataFrame([[1, 1], [0, 0], [1, 0], [1, 1]], index=list("abcd"), dtype=float)
    candidate = pd.DataFrame([[0, 0], [1, 1], [1, 1], [1, 1]], index=list("abcd"), dtype=float)
    flips = find_flips(Answers(baseline, candidate))
    assert (flips.regressed, flips.improved, flips.flaky) == (("a",), ("b",), ("c",))


def test_a_suite_has_one_answer_a_benchmark_and_a_sentence():
    tasks = {"drop": task(400, 0.05), "same": task(5000), "few": task(12), "top": task(12, score=1)}
    _, suite = outcome(tasks)
    answers = {row.item.task: row.answer for row in suite.rows}
    assert answers == {
        "drop": "worse",
        "same": "equivalent",
        "few": "not decided",
        "top": "at the ceiling",
    }
    p_values = [row.item.difference.p_value for row in suite.rows]
    assert [row.p_adjusted for row in suite.rows] == pytest.approx(intervals.holm(p_values))
    assert "worse on 1" in summarize(suite, "B", "A", 0.02)
    assert suite.rows[0].item.task == "same"
