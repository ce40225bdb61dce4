"""A score in words."""

from dataclasses import replace

from saturation.adaptive.short_form import Score
from saturation.live.run import sentence


def test_a_sentence_says_share_interval_ability_and_answers():
    one = Score(1200, -0.5, 0.25, -1.25, 0.25, 0.7, 0.65, 0.75, 0.1, ())
    assert sentence(one, "bank") == (
        "0.700 of bank right (95% interval 0.650 to 0.750), ability -0.50 (95% interval -1.25 to "
        "+0.25), from 1,200 answers"
    )
    untold = replace(one, ability_lower=None, ability_upper=None)
    assert "ability -0.50 (standard error 0.25), from" in sentence(untold, "bank")
