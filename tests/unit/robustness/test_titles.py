"""Made-up predictions are called so wherever they are shown."""

import pandas as pd

from saturation.robustness import names

REAL = pd.DataFrame({"synthetic": [False, False]})
PARTLY = pd.DataFrame({"synthetic": [False, True]})


def test_one_made_up_row_is_enough():
    assert names.of_table("Slopes", REAL) == "Slopes"
    assert names.of_table("Slopes", PARTLY) == "Slopes (synthetic predictions)"
    assert names.of_figure("answers agree on MMLU", REAL) == "Answers agree on MMLU"
    assert names.of_figure("answers agree", PARTLY) == "SYNTHETIC DATA: answers agree"
    assert names.source("n = 3", REAL) == "n = 3"
    made_up = "n = 3; synthetic predictions, drawn with a known truth"
    assert names.source("n = 3", PARTLY) == made_up
