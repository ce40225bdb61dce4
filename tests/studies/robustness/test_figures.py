"""What the figures say and draw, read back from their artists."""

import io

import numpy as np
import pandas as pd
import pytest

from studies.robustness import figures

pytestmark = pytest.mark.usefixtures("styled")


def read(text):
    """A table from its cells."""
    return pd.read_csv(io.StringIO(text), sep=r"\s+")


PAIRS = read("""
    model  dataset  performance  output_consistency  random_baseline  excess_lower   pdr  n_examples
        a     easy          0.9                0.85              0.4           0.3  0.02         100
        B     easy          0.8                0.75              0.3           0.4  0.04          90
        a     hard          0.4                 0.3             0.01           0.1   0.1        1000
        B     hard          0.5                 0.2             0.02           0.0   0.2        1000
""").assign(
    output_consistency_lower=[0.8, 0.7, 0.2, 0.15],
    output_consistency_upper=[0.9, 0.85, 0.45, 0.3],
    n_configurations=6,
    synthetic=False,
)
SLOPES = read("""
           reading  slope  lower  upper  intercept  r_squared  n  synthetic
               ols    1.2    1.0    1.4       -0.2       0.95  4      False
           ols_hc3    1.2    0.9    1.5       -0.2       0.95  4      False
             mixed    1.0    0.7    1.2       -0.1        NaN  4      False
""")
OUTLIERS = PAIRS[["model", "dataset", "performance", "output_consistency"]].assign(
    outlier=[False, True, False, False]
)
VARIANTS = read("""
    model     dataset  performance  answer_consistency  verdict_consistency  always_right
        a    MATH-500          0.5                 0.3                  0.6          0.25
        b    MATH-500          0.9                 0.8                 0.85           0.8
        a    SimpleQA          0.1                 NaN                  0.7          0.01
        b    SimpleQA          0.3                 NaN                  0.6           0.2
        a  TruthfulQA          0.4                 NaN                  0.5           0.2
        b  TruthfulQA          0.7                 NaN                  0.7           0.6
""")
TREND_PAIRS = read("""
    measure  model  dataset  performance  output_consistency
     inputs      a     cola          0.5                 0.6
     inputs      b     cola          0.7                 0.8
     inputs      a      new          0.6                 0.7
""")
TRENDS = read("""
      measure   dataset  reading   n  slope  lower  upper
     verdicts  MATH-500   models  20    0.6   -0.1    1.0
     verdicts       all    mixed  47   0.52    0.4    0.7
      answers  MATH-500   models  20    1.2    1.0    1.4
    score_std       all    mixed  47   -0.1   -0.2    0.0
     verdicts  SimpleQA   models   2    NaN    NaN    NaN
""")
PROMPTS = read("""
         task  share_of_answers  share_by_chance  paraphrases  models
    two_words              0.02           0.0009          100       5
          one             0.001           0.0009          200       7
""")
SPREADS = pd.DataFrame(
    {"task": ["one", "two_words"] * 2, "spread": [0.1, 0.2, 0.12, 0.2], "by_chance": 0.04}
)
OWN = {"consistency": PAIRS, "slopes": SLOPES, "outliers": OUTLIERS}
PUBLIC = {
    "variants": VARIANTS, "trend_pairs": TREND_PAIRS, "trends": TRENDS,
    "prompts": PROMPTS, "prompt_spreads": SPREADS,
}  # fmt: skip


def test_figures_show_what_was_read_through(figures_as_reviewed):
    """The order of rows does not matter; what is not known is left out, and said."""
    figures_as_reviewed(
        "robustness",
        figures.draw_own(OWN)
        | figures.draw_public(PUBLIC)
        | {
            "falling": figures.regression(PAIRS, SLOPES.assign(slope=-1.2), OUTLIERS),
            "unclear": figures.variants(VARIANTS, TREND_PAIRS, TRENDS.assign(lower=0.0)),
        },
    )


def test_title_says_why_there_is_no_slope_and_no_interval():
    alone = SLOPES.assign(lower=np.nan)
    assert "nan" not in figures.regression(PAIRS, alone, OUTLIERS).get_suptitle()
    reason = "not estimable: 2 pairs"
    empty = SLOPES.assign(slope=np.nan, note=reason)
    assert reason in figures.regression(PAIRS, empty, OUTLIERS).get_suptitle()


def test_made_up_predictions_come_first_in_every_title():
    made_up = {name: table.assign(synthetic=True) for name, table in OWN.items()}
    for figure in figures.draw_own(made_up).values():
        assert figure.get_suptitle().startswith("SYNTHETIC DATA: ")
        assert "synthetic predictions" in " ".join(figure.get_supxlabel().split())
