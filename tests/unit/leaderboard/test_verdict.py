"""The verdict out of the three answers: every row of the table in docs/own.md."""

import re
from types import SimpleNamespace

import pytest

from saturation.leaderboard import verdict

# Resolution, equivalence, headroom, why no test could separate any two: verdict and reason.
TABLE = [
    ("all", "equivalent", "none", None, "exhausted", "order_separated"),
    ("some", "equivalent", "none", None, "exhausted", "order_partly_separated"),
    ("none", "equivalent", "none", None, "saturated", "equivalent_at_the_ceiling"),
    ("none", "not_shown", "none", "few", "exhausted", "order_open"),
    ("all", "not_shown", "left", None, "separates", "all_separated"),
    ("all", "not_asked", "not_asked", None, "separates", "all_separated"),
    ("all", "not_shown", "unclear", None, "separates", "all_separated"),
    ("some", "not_shown", "left", None, "separates_in_part", "some_separated"),
    ("some", "not_shown", "not_asked", None, "separates_in_part", "some_separated"),
    ("some", "not_shown", "unclear", None, "separates_in_part", "partly_near_the_ceiling"),
    ("some", "not_shown", "unclear", None, "separates_in_part", "too_few_items_to_tell"),
    ("none", "not_shown", "unclear", None, "undetermined", "too_few_items_to_tell"),
    ("none", "equivalent", "left", "few", "stagnated", "equivalent_below_the_ceiling"),
    ("none", "equivalent", "not_asked", None, "stagnated", "equivalent_below_the_ceiling"),
    ("none", "equivalent", "unclear", None, "undetermined", "headroom_unclear"),
    ("none", "not_shown", "unclear", "few", "undetermined", "headroom_unclear"),
    ("none", "not_shown", "left", None, "underpowered", "too_few_items"),
    ("none", "not_shown", "left", "few", "underpowered", "too_few_clusters"),
    ("none", "not_asked", "not_asked", None, "undetermined", "no_margin"),
]
# Where there is nothing to answer.
UNUSABLE = ("too_few_models", "metric_not_accuracy_like")


FEW = "too_few_items_to_tell"


@pytest.mark.parametrize(("apart", "same", "left", "abstains", "word", "reason"), TABLE)
def test_each_row_of_the_table(apart, same, left, abstains, word, reason):
    answers = {"resolution": apart, "equivalence": same, "headroom": left}
    detectable = 0.11 if reason == FEW else 0.09
    numbers = {"minimum_detectable_difference": detectable, "ceiling": 0.9, "lower": 0.8}
    given = {name: SimpleNamespace(answer=answer, **numbers) for name, answer in answers.items()}
    reached = verdict.judge(SimpleNamespace(**given), abstains)
    assert (reached.verdict, reached.reason) == (word, reason)
    assert reached.explanation == verdict.REASONS[reason]
    # More of the same items are advised only where the best is shown to have room.
    advice = verdict.ADVICE[reason][0]
    assert advice != "more_items" or left in ("left", "not_asked") or reason == FEW


def test_the_table_of_the_docs_is_this_one(request):
    text = (request.config.rootpath / "docs/own.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| `([a-z_]+)` \|", text, re.MULTILINE)
    expected = {(word, reason) for *_, word, reason in TABLE}
    expected |= {("undetermined", reason) for reason in UNUSABLE}
    assert {(word.replace(" ", "_"), reason) for word, reason in rows} == expected
    assert {reason for _, reason in expected} == set(verdict.REASONS)
    assert {word for word, _ in expected} == set(verdict.VERDICTS)
    assert set(verdict.ADVICE) == set(verdict.REASONS)
