"""What the figures say and draw, read back from their artists."""

import io

import numpy as np
import pandas as pd
import pytest

from saturation.pages.style import style
from saturation.robustness import figures
from saturation.statistics import intervals


def read(text):
    """A table from its cells."""
    return pd.read_csv(io.StringIO(text), sep=r"\s+")


PAIRS = pd.DataFrame(
    {
        "model": ["a", "B", "a", "B"],
        "dataset": ["easy", "easy", "hard", "hard"],
        "performance": [0.9, 0.8, 0.4, 0.5],
        "output_consistency": [0.85, 0.75, 0.3, 0.2],
        "output_consistency_lower": [0.8, 0.7, 0.2, 0.15],
        "output_consistency_upper": [0.9, 0.85, 0.45, 0.3],
        "random_baseline": [0.4, 0.3, 0.01, 0.02],
        "excess_lower": [0.3, 0.4, 0.1, 0.0],
        "pdr": [0.02, 0.04, 0.1, 0.2],
        "n_examples": [100, 90, 1000, 1000],
        "n_configurations": [6, 6, 6, 6],
        "synthetic": False,
    }
)
SLOPES = read("""
           reading  slope  lower  upper  intercept  r_squared  n  synthetic
               ols    1.2    1.0    1.4       -0.2       0.95  4      False
           ols_hc3    1.2    0.9    1.5       -0.2       0.95  4      False
    within_dataset    0.5    0.1    0.9        NaN        0.4  4      False
      within_model    1.1    0.8    1.3        NaN        0.9  4      False
             mixed    1.0    0.7    1.2       -0.1        NaN  4      False
""")
OUTLIERS = PAIRS[["model", "dataset", "performance", "output_consistency"]].assign(
    outlier=[False, True, False, False]
)
COMPONENTS = read("""
      component  share  lower  upper  synthetic
    performance    0.8    0.7    0.9      False
        dataset    0.1    0.0    0.2      False
          model   0.06    0.0    0.1      False
       residual   0.04   0.02   0.05      False
""")
DATASETS = pd.DataFrame(
    {
        "dataset": ["hard", "easy"],
        "s_index": [np.nan, 0.9],
        "s_index_own": [0.3, 0.7],
        "output_consistency": [0.25, 0.8],
        "output_consistency_lower": [0.2, 0.7],
        "output_consistency_upper": [0.3, 0.95],
    }
)
CORRELATIONS = read("""
          index  rho     p  n  synthetic
        s_index  NaN   NaN  1      False
    s_index_own  0.6  0.25  5      False
    performance  0.9   0.1  5      False
""")
ANOVA = read("""
    anova_type  dataset     factor  partial_eta_sq      p  cluster_p    n  synthetic
            II     easy      noise            0.01  0.001       0.04  500      False
            II     easy      shots           0.002  0.049        0.3  500      False
            II     hard      noise            0.02   0.05       0.05  600      False
            II     hard      shots           0.003    0.2       0.01  600      False
           III     easy  intercept             0.9    0.0        0.0  500      False
""")
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
TREND_COMPONENTS = pd.DataFrame(
    {
        "measure": np.repeat(["verdicts", "inputs"], 4),
        "component": ["performance", "dataset", "model", "residual"] * 2,
        "share": [0.6, 0.2, 0.02, 0.18, 0.7, 0.1, 0.04, 0.16],
        "lower": 0.0,
        "upper": [0.8, 0.4, 0.05, 0.3, 0.8, 0.2, 0.15, 0.3],
    }
)
PROMPTS = read("""
         task  share_of_answers  share_by_chance  paraphrases  models
    two_words              0.02           0.0009          100       5
          one             0.001           0.0009          200       7
""")
SPREADS = pd.DataFrame(
    {"task": ["one", "two_words"] * 2, "spread": [0.1, 0.2, 0.12, 0.2], "by_chance": 0.04}
)
REPEATS = pd.DataFrame(
    {"model": ["a", "a", "b"], "task": ["t", "u", "t"], "answer_consistency": [0.9, 0.7, 0.5]}
).assign(questions=100)
FLOOR = read("""
    model  answer_consistency  lower  upper
        a                 0.8    0.4    0.9
        b                 0.5    0.4    0.9
      all                0.65    0.4    0.9
""")
AUDIT = pd.DataFrame(
    {
        "dataset": ["fits", "short"],
        "n_rows": [9, 9],
        "n_design": 21600,
        "n_low": [21590, 20000],
        "n_high": [21610, 20010],
        "n_fits": [True, False],
        "levels_differ": [np.nan, "noise (4 levels, design 3)"],
    }
)


def spread(constant=0):
    classes = ["always_right", "constant", "(0, 0.25]", "(0.25, 0.5]", "always_wrong"]
    counts = {
        ("a", "easy"): [9, 0, 1, 0, 0],
        ("B", "easy"): [10, 0, 0, 0, 0],
        ("a", "hard"): [2, constant, 3, 3, 2],
        ("B", "hard"): [0, 0, 4, 6, 0],
    }
    rows = [
        (model, dataset, name, order, count, count / sum(values))
        for (model, dataset), values in counts.items()
        for order, (name, count) in enumerate(zip(classes, values))
    ]
    columns = ["model", "dataset", "std_class", "order", "n_examples", "share"]
    return pd.DataFrame(rows, columns=columns).assign(synthetic=False)


OWN = {
    "consistency": PAIRS,
    "slopes": SLOPES,
    "outliers": OUTLIERS,
    "std_distribution": spread(),
    "variance_shares": COMPONENTS,
    "saturation": DATASETS,
    "correlations": CORRELATIONS,
    "anova": ANOVA,
}
PUBLIC = {
    "variants": VARIANTS,
    "trend_pairs": TREND_PAIRS,
    "trends": TRENDS,
    "trend_components": TREND_COMPONENTS,
    "prompts": PROMPTS,
    "prompt_spreads": SPREADS,
    "repeats": REPEATS,
    "floor": FLOOR,
    "audit_datasets": AUDIT,
}
TITLES = {
    "regression": "Consistency rises by 1.20 (1.00 to 1.40) per unit of performance, R² = 0.95",
    # An interval that begins at zero is not above it.
    "consistency": "Answers agree more often than by chance in 3 of 4 pairs",
    "pdr": "Performance drops by 15 % on hard, by 3 % on easy",
    "std": "Always right under every configuration: from 95 % of the examples (easy) to 10 % "
    "(hard)",
    "shares": "Performance explains 80 % of the variance of consistency, the dataset 10 %, the "
    "model 6 % of it beside that",
    "saturation": "Rank correlation of consistency with S: unknown (plateau study), 0.60 (own "
    "scores)",
    "anova": "The strongest factor explains 2.00 % of the variance",
    "variants": "Better models answer more consistently: by 1.20 per unit of performance where "
    "answers are compared, by 0.52 where verdicts are",
    "trends": "Better models are more consistent in 2 of 3 comparisons",
    "components": "Beside performance, the model itself explains at most 4 % of consistency "
    "(limits up to 15 %)",
    "prompts": "Rewording the instruction matters more than the paper's 0.5 % in 1 of 2 tasks, and "
    "moves a model's score by 0.16 (median)",
    "repeats": "Asked again in the same words at temperature zero, models give one answer "
    "throughout to 50 % to 80 % of the questions",
    "audit": "1 of 2 printed analyses do not rest on the design's 21,600 answers",
}


# By figure, panel and shape; shapes are those of datasets, in the order of their best model or of
# their consistency.
MARKS = {
    ("regression", 0, "o"): [(0.9, 0.85), (0.8, 0.75)],
    ("regression", 0, "s"): [(0.5, 0.2), (0.4, 0.3)],
    ("pdr", 0, "D"): [(0.03, 0), (0.15, 1)],
    ("pdr", 0, "."): [(0.02, 0), (0.04, 0), (0.1, 1), (0.2, 1)],
    ("pdr", 1, "D"): [(0.85, 0), (0.45, 1)],
    ("shares", 0, "o"): [(1.2, 3), (1.1, 2), (0.5, 1), (1.0, 0)],
    ("shares", 1, "o"): [(0.8, 3), (0.1, 2), (0.06, 1), (0.04, 0)],
    ("saturation", 0, "o"): [(0.9, 0.8)],
    ("saturation", 0, "s"): [],
    ("saturation", 1, "o"): [(0.7, 0.8)],
    ("saturation", 1, "s"): [(0.3, 0.25)],
    ("anova", 0, "*"): [(-0.2, 0.01015), (1.2, 0.00315)],  # none at p = 0.05
}
TICKS = {
    ("consistency", "xaxis"): ["easy", "hard"],
    ("pdr", "yaxis"): ["easy", "hard"],
    ("anova", "xaxis"): ["easy", "hard"],
    ("std", "yaxis"): ["a", "B"],
    ("audit", "yaxis"): ["short", "fits"],
}


@pytest.fixture(autouse=True)
def _style():
    with style():
        yield


def title(figure):
    return " ".join(figure.get_suptitle().split())


def footnote(figure):
    return " ".join(figure.get_supxlabel().split())


def points(axes, marker):
    """What lines with this marker connect, as (x, y)."""
    return [
        tuple(np.round(place, 6))
        for line in axes.lines
        if line.get_marker() == marker
        for place in line.get_xydata()
    ]


def ticks(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def heights(container):
    return [bar.get_height() for bar in container]


def interval_ends(axes):
    return [
        tuple(segment[:, 0].round(6))
        for bars in axes.containers
        for segment in bars.lines[2][0].get_segments()
    ]


@pytest.fixture(scope="module")
def drawn():
    """All figures by name; the order of rows does not matter."""
    with style():
        own = figures.of_own(OWN | {"variance_shares": COMPONENTS.iloc[::-1]})
        yield own | figures.of_public(PUBLIC)


def test_titles_say_the_findings(drawn):
    assert {name: title(figure) for name, figure in drawn.items()} == TITLES


def test_marks_and_ticks_are_where_the_tables_have_them(drawn):
    found = {
        (name, panel, marker): points(drawn[name].axes[panel], marker)
        for name, panel, marker in MARKS
    }
    assert found == MARKS
    found = {(name, axis): ticks(getattr(drawn[name].axes[0], axis)) for name, axis in TICKS}
    assert found == TICKS


def test_made_up_predictions_come_first_in_every_title():
    made_up = {name: table.assign(synthetic=True) for name, table in OWN.items()}
    for figure in figures.of_own(made_up).values():
        assert title(figure).startswith("SYNTHETIC DATA: ")
        assert footnote(figure).endswith("synthetic predictions, drawn with a known truth")


def test_regression_draws_the_line_and_chance():
    (axes,) = figures.regression(PAIRS, SLOPES, OUTLIERS).axes
    straight, curve = (line for line in axes.lines if len(line.get_xdata()) > 2)
    assert straight.get_ydata()[[0, -1]] == pytest.approx([-0.2, 1.0])
    assert curve.get_ydata() == pytest.approx(intervals.agreement(curve.get_xdata(), 6))
    assert axes.texts[0].xy == (0.8, 0.75)
    falling = figures.regression(PAIRS, SLOPES.assign(slope=-1.2), OUTLIERS)
    assert title(falling).startswith("Consistency falls by 1.20")


def test_consistency_has_a_bar_a_model_from_the_best_to_the_worst():
    (axes,) = figures.consistency(PAIRS).axes
    easy, easy_chance, hard, hard_chance = (
        bars for bars in axes.containers if hasattr(bars, "patches")
    )
    assert [heights(easy), heights(easy_chance)] == [[0.85, 0.75], [0.4, 0.3]]
    # On the hard dataset B is the better model, so its bar comes first.
    assert [heights(hard), heights(hard_chance)] == [[0.2, 0.3], [0.02, 0.01]]
    centres = [bar.get_x() + bar.get_width() / 2 for bars in (easy, hard) for bar in bars]
    assert centres == pytest.approx([-0.2, 0.2, 0.8, 1.2])
    whiskers = easy.errorbar.lines[2][0].get_segments()
    ends = np.array([segment[:, 1] for segment in whiskers])
    assert ends == pytest.approx(np.array([[0.8, 0.9], [0.7, 0.85]]))
    dashed = [line.get_ydata().tolist() for line in axes.lines if line.get_linestyle() == "--"]
    assert dashed == [[0.9, 0.8], [0.5, 0.4]]


def test_spreads_are_a_panel_a_dataset_from_the_easiest():
    easy, hard, unused = figures.score_spread(spread()).axes[:3]
    assert [axes.get_title("left") for axes in (easy, hard)] == ["easy", "hard"]
    assert not unused.get_visible()
    assert easy.images[0].get_array().tolist() == [[0.9, 0.1, 0, 0], [1, 0, 0, 0]]
    assert hard.images[0].get_array().tolist() == [[0.2, 0.3, 0.3, 0.2], [0, 0.4, 0.6, 0]]
    # Nothing is constant without being right or wrong, so there is no such column.
    assert ticks(hard.xaxis) == ["right", "≤0.25", "≤0.5", "wrong"]
    assert texts(easy)[:5] == [".90", ".10", ".00", ".00", "1"]


def test_slopes_and_shares_have_their_intervals():
    left, right = figures.shares(SLOPES, COMPONENTS).axes
    assert interval_ends(left) == [(1.0, 1.4), (0.8, 1.3), (0.1, 0.9), (0.7, 1.2)]
    assert interval_ends(right)[0] == (0.7, 0.9)


def test_saturation_draws_known_datasets_and_says_what_is_missing():
    left, right = figures.saturation(DATASETS, CORRELATIONS).axes
    ends = right.containers[0].lines[2][0].get_segments()[0][:, 1]
    assert ends == pytest.approx([0.7, 0.95])
    assert left.get_title("left") == "too few (n = 1)"
    assert right.get_title("left") == "rho = 0.60, exact p = 0.25 (n = 5)"


def test_audit_draws_what_each_table_rests_on():
    (axes,) = figures.audit(AUDIT).axes
    ends = [list(line.get_xdata()) for line in axes.lines]
    assert ends == [[21600, 21600], [20000, 20010], [21590, 21610]]


def test_factors_are_bars_by_dataset():
    (axes,) = figures.factors(ANOVA).axes
    assert [heights(bars) for bars in axes.containers] == [[0.01, 0.02], [0.002, 0.003]]


def test_verdicts_and_answers_are_the_ends_of_what_is_known():
    math, truthful, simple, _ = figures.variants(VARIANTS, TREND_PAIRS, TRENDS).axes
    lower, upper = math.lines[0], math.lines[1]
    assert list(lower.get_ydata()) == [0.3, 0.8]
    assert list(upper.get_ydata()) == [0.6, 0.85]
    assert lower.get_label() == "same answer"
    assert truthful.lines[0].get_label() == simple.lines[0].get_label() == "always right"
    assert list(simple.lines[0].get_ydata()) == [0.01, 0.2]
    unclear = figures.variants(VARIANTS, TREND_PAIRS, TRENDS.assign(lower=0.0))
    assert title(unclear).startswith("Consistency follows performance: by 1.20")


def test_trends_leave_out_what_was_not_estimated():
    (axes,) = figures.trends(TRENDS).axes
    assert ticks(axes.yaxis) == [
        "same verdict: all 47 pairs",
        "same verdict: MATH-500 (20)",
        "same answer: MATH-500 (20)",
    ]
    markers = [line.get_marker() for line in axes.lines if len(line.get_xdata()) == 1]
    assert markers[:3] == ["D", "o", "o"]
