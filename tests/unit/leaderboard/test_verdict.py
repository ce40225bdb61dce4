"""The verdict out of the three answers: every row of the table in docs/own.md."""

import re
from types import SimpleNamespace

import pytest

from saturation.leaderboard import verdict

# Resolution, equivalence, headroom: verdict and reason.
TABLE = [
    ("all", "any", "any", "separates", "told_apart"),
    ("some", "any", "any", "separates_in_part", "partly_told_apart"),
    ("none", "alike", "none", "saturated", "alike_at_the_ceiling"),
    ("none", "alike", "left", "stagnated", "alike_below_the_ceiling"),
    ("none", "alike", "not_asked", "stagnated", "alike_below_the_ceiling"),
    ("none", "alike", "unclear", "undetermined", "headroom_unclear"),
    ("none", "not_shown", "any", "underpowered", "too_few_items"),
    ("none", "not_asked", "any", "undetermined", "no_margin"),
]
ANSWERS = {
    "equivalence": ("alike", "not_shown", "not_asked"),
    "headroom": ("none", "left", "unclear", "not_asked"),
}


def judged(*answers, abstains=None):
    names = ("resolution", "equivalence", "headroom")
    given = SimpleNamespace(
        **{name: SimpleNamespace(answer=answer) for name, answer in zip(names, answers)}
    )
    reached = verdict.judge(given, abstains)
    assert reached.verdict in verdict.VERDICTS
    assert reached.explanation == verdict.REASONS[reached.reason]
    return reached.verdict, reached.reason


@pytest.mark.parametrize(("apart", "same", "left", "word", "reason"), TABLE)
def test_each_row_of_the_table(apart, same, left, word, reason):
    for equivalence in ANSWERS["equivalence"] if same == "any" else [same]:
        for headroom in ANSWERS["headroom"] if left == "any" else [left]:
            assert judged(apart, equivalence, headroom) == (word, reason)


def test_clusters_that_tell_nothing_are_named_only_where_nothing_is_said():
    assert judged("none", "not_shown", "left", abstains="few")[1] == "too_few_clusters"
    assert judged("none", "alike", "left", abstains="few")[0] == "stagnated"


def test_the_table_of_the_docs_is_this_one(request):
    text = (request.config.rootpath / "docs/own.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| `([a-z_]+)` \|", text, re.MULTILINE)
    assert {(word.replace(" ", "_"), reason) for word, reason in rows} >= {
        *((word, reason) for *_, word, reason in TABLE),
        ("underpowered", "too_few_clusters"),
        ("undetermined", "too_few_models"),
        ("undetermined", "metric_not_accuracy_like"),
    }
    assert {reason for _, reason in rows} == set(verdict.REASONS)
