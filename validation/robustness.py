"""Consistency over prompt variants, its slopes on performance, and the tests of the factors."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from saturation.files.tables import load_table
from saturation.statistics import intervals
from studies.robustness import anova, consistency, names, schemas, slopes
from validation import synthetic
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, covered, drawn_once, repeated

Floats = NDArray[np.float64]

RESOURCES = Path(__file__).resolve().parents[1] / "resources/robustness"
ALPHA, CONFIDENCE = 0.05, 0.95
SLOPE = 1.05
CONFIGURATIONS = 8


def _answers(rng: Rng, examples: int, models: int) -> pd.DataFrame:
    """Right or wrong answers under all configurations; examples differ in their chance."""
    chances = rng.beta(*_CHANCES, (models, examples, 1))
    right = rng.random((models, examples, CONFIGURATIONS)) < chances
    model, example, configuration = (place.ravel() for place in np.indices(right.shape))
    score = right.ravel().astype(float)
    return pd.DataFrame(
        {
            "model": pd.Categorical(model.astype(str)),
            "dataset": pd.Categorical(["d"] * len(score)),
            "example_id": pd.Categorical(example),
            "configuration": configuration,
            "answer": pd.Categorical(score),
            "score": score,
            "reference": True,
        }
    )


# Beta distribution of the chance to answer an example: many are nearly always right.
_CHANCES = (1.5, 0.5)


def _truth() -> dict[str, float]:
    """True share of consistent examples, and how far it is above chance at the mean score."""
    p = stats.beta.ppf((np.arange(20_000) + 0.5) / 20_000, *_CHANCES)
    agrees = float(intervals.agreement(p, CONFIGURATIONS).mean())
    by_chance = float(intervals.agreement(p.mean(), CONFIGURATIONS))
    return {"output_consistency": agrees, "excess": agrees - by_chance}


def _measured(which: str, rng: Rng) -> bool:
    """Whether the interval of consistency or of its excess contains the truth, 100 examples."""
    rows = _answers(rng, 100, 1)
    examples = consistency.example_measures(rows)
    (row,) = consistency.pair_measures(examples, {}, CONFIDENCE, 300, rng).to_dict("records")
    return bool(row[f"{which}_lower"] <= _truth()[which] <= row[f"{which}_upper"])


def _verdicts(rng: Rng) -> bool:
    """Whether the interval of the excess contains zero, verdicts of 300 items being independent."""
    wordings = rng.integers(2, 10, 300)
    drawn = rng.multinomial(wordings, _VERDICTS)
    counts = pd.DataFrame(drawn, columns=consistency.VERDICTS).assign(
        model="m", dataset="d", item=range(300), wordings=wordings, distinct_answers=np.nan,
        original=np.array(consistency.VERDICTS)[drawn.argmax(axis=1)],
    )  # fmt: skip
    (row,) = consistency.variant_measures(counts, CONFIDENCE, 300, rng).to_dict("records")
    return bool(row["excess_lower"] <= 0 <= row["excess_upper"])


# Of right, wrong and none.
_VERDICTS = (0.5, 0.35, 0.15)


def _paraphrases(rng: Rng) -> bool:
    """A task of 40 paraphrases without effect, 11 models of different ability, 100 items each."""
    ability = rng.uniform(0.1, 0.9, 11)
    scores = rng.binomial(consistency.ITEMS, ability, (40, 11)) / consistency.ITEMS
    place, model = (index.ravel() for index in np.indices(scores.shape))
    table = pd.DataFrame(
        {"suite": "s", "task": "t", "paraphrase": place, "model": model, "score": scores.ravel()}
    )
    return bool(consistency.prompt_tests(table)["p"].iloc[0] <= ALPHA)


def _pairs(rng: Rng, model_sd: float, dataset_sd: float, shape: tuple[int, int]) -> pd.DataFrame:
    """Models and datasets whose performance and consistency both have effects of either."""
    models, datasets = shape
    model, dataset = (place.ravel() for place in np.indices(shape))
    ability, ease = rng.uniform(0.2, 0.5, models), rng.uniform(0.1, 0.5, datasets)
    performance = ability[model] + ease[dataset] + rng.normal(0, 0.03, len(model))
    effects = rng.normal(0, 1, models)[model] * model_sd + (
        rng.normal(0, 1, datasets)[dataset] * dataset_sd
    )
    return pd.DataFrame(
        {
            "model": model.astype(str),
            "dataset": dataset.astype(str),
            "performance": performance,
            "output_consistency": -0.16 + SLOPE * performance + effects
            + rng.normal(0, 0.04, len(model)),
        }
    )  # fmt: skip


def _readings(sds: tuple[float, float], shape: tuple[int, int], rng: Rng) -> pd.DataFrame:
    return slopes.readings(_pairs(rng, *sds, shape), CONFIDENCE).set_index("reading")


def _published_readings(rng: Rng) -> pd.DataFrame:
    """Fit the slopes to consistencies drawn for the performances that the paper printed."""
    facts = {
        name: load_table(RESOURCES / f"{name}.csv", **schemas.AS_TEXT.get(name, {}))
        for name in ("performance", "design")
    }
    configurations = names.n_configurations(names.levels(facts["design"]))
    truth = synthetic.draw_truth(
        facts["performance"], synthetic.TRUTH["examples"], configurations, synthetic.TRUTH, rng
    )
    pairs = truth.rename(columns={"consistency": "output_consistency"})
    return slopes.readings(pairs, CONFIDENCE).set_index("reading")


def _slope(
    drawn: Callable[[int], tuple[pd.DataFrame, ...]], reading: str, _: Rng, data_sets: int
) -> Outcome:
    tables = drawn(data_sets)
    lower, upper = ([table[end].loc[reading] for table in tables] for end in ("lower", "upper"))
    return covered(lower, upper, SLOPE)


def _shares(rng: Rng) -> list[bool]:
    """Whether the interval of each component's share contains the truth."""
    pairs = _pairs(rng, *_SDS, (9, 6))
    table = slopes.variance_shares(pairs, CONFIDENCE, rng).set_index("component")
    spread = SLOPE * pairs["performance"].std()
    variances = np.square([spread, _SDS[1], _SDS[0], 0.04])
    truth = pd.Series(variances / variances.sum(), index=slopes.SHARES)
    return list((table["lower"] <= truth) & (truth <= table["upper"]))


_SDS = (0.04, 0.04)


def _group_test(rng: Rng) -> bool:
    """Models have no effect beside performance, datasets do."""
    table = slopes.group_tests(_pairs(rng, 0.0, 0.04, (9, 6)))
    return bool((table.loc[table["term"] == "model", "p"] <= ALPHA).all())


def _outlier(rng: Rng) -> bool:
    """Whether any of 54 pairs around a line is called an outlier."""
    return bool(slopes.outliers(_pairs(rng, 0.0, 0.0, (9, 6)), ALPHA)["outlier"].any())


def _factor(column: str, rng: Rng) -> bool:
    """A factor of two levels without any effect, three models on the same 60 examples."""
    rows = _answers(rng, 60, 3)
    rows["noise"] = (rows["configuration"] % 2).astype(str)
    table = anova.analyse(rows, ["noise"])
    return bool(table.loc[table["factor"] == "noise", column].iloc[0] <= ALPHA)


def _levels(levels: int, examples: int, rng: Rng) -> bool | None:
    """The clustered test rejects; one model, a factor without effect."""
    right = rng.random((examples, levels)) < rng.beta(1.5, 1.5, (examples, 1))
    example, level = (place.ravel() for place in np.indices(right.shape))
    rows = pd.DataFrame(
        {"example_id": example, "noise": level, "score": right.ravel().astype(float)}
    )
    table = anova.analyse(rows, ["noise"])
    p = table.loc[table["factor"] == "noise", "cluster_p"].iloc[0]
    return None if np.isnan(p) else bool(p <= ALPHA)


CONTAINS_SLOPE = "the 95 % interval contains the true slope"
NO_EFFECT = "the test at 5 % rejects a true null hypothesis"
# The last as the public answers: many models, few data sets.
FEW, MANY, THREE = (9, 6), (25, 20), (20, 3)

# Effects of models and of datasets, numbers of both, and the readings that are tried on them.
_SLOPES = (
    ("plain", (0.0, 0.0), FEW, ("ols", "ols_hc3")),
    ("crossed", (0.02, 0.02), FEW, ("mixed",)),
    ("crossed_large", (0.05, 0.05), FEW, ("mixed",)),
    ("crossed_many", (0.05, 0.05), MANY, ("mixed",)),
    ("crossed_three", (0.02, 0.1), THREE, ("mixed",)),
)


def _slope_checks(
    name: str, sds: tuple[float, float], shape: tuple[int, int], readings: Sequence[str]
) -> list[Check]:
    """The readings' intervals on the same data sets."""
    drawn = drawn_once(f"robustness_slope_{name}", partial(_readings, sds, shape))
    return [
        Check(
            f"robustness_slope_{name}_{reading}", "robustness.slopes.readings",
            f"reading {reading}: {CONTAINS_SLOPE}",
            f"{shape[0]} models, {shape[1]} datasets, effects of {100 * sds[0]:g} and "
            f"{100 * sds[1]:g} points, errors of 4",
            # Where both effects are estimated above zero, the plain readings abstain.
            **COVERAGE, data_sets=600 if name == "plain" else 400,
            simulate=partial(_slope, drawn, reading),
        )
        for reading in readings
    ]  # fmt: skip


CHECKS: tuple[Check, ...] = (
    Check(
        "robustness_consistency", "robustness.consistency.pair_measures",
        "the 95 % interval contains the true consistency", "100 examples, 8 configurations",
        **COVERAGE, data_sets=400, simulate=repeated(partial(_measured, "output_consistency")),
    ),
    Check(
        "robustness_excess", "robustness.consistency.pair_measures",
        "the 95 % interval contains the true consistency above chance",
        "100 examples, 8 configurations",
        **COVERAGE, data_sets=400, simulate=repeated(partial(_measured, "excess")),
    ),
    Check(
        "robustness_variants_excess", "robustness.consistency.variant_measures",
        "the 95 % interval contains the true excess of verdict consistency, none",
        "300 items in two to nine wordings, independent verdicts",
        **COVERAGE, data_sets=600, simulate=repeated(_verdicts),
    ),
    Check(
        "robustness_prompts", "robustness.consistency.prompt_tests", NO_EFFECT,
        "40 paraphrases without effect, 11 models of different ability, 100 items",
        **SIZE, data_sets=1500, simulate=repeated(_paraphrases),
    ),
    *(check for scenario in _SLOPES for check in _slope_checks(*scenario)),
    Check(
        "robustness_slope_published_mixed", "robustness.slopes.readings",
        f"reading mixed: {CONTAINS_SLOPE}",
        "printed performances of 9 models on 6 datasets, 100 examples, effects of 2 and 2 points, "
        "errors of 4",
        **COVERAGE, data_sets=400,
        simulate=partial(
            _slope, drawn_once("robustness_slope_published", _published_readings), "mixed"
        ),
    ),
    Check(
        "robustness_variance_shares", "robustness.slopes.variance_shares",
        "the 95 % interval contains the component's true share",
        "9 models, 6 datasets, effects and errors of 4 points; four shares each",
        **COVERAGE, data_sets=400, simulate=repeated(_shares),
    ),
    Check(
        "robustness_group_tests", "robustness.slopes.group_tests", NO_EFFECT,
        "9 models without effect, 6 datasets with effects of 4 points", **SIZE,
        data_sets=1500, simulate=repeated(_group_test),
    ),
    Check(
        "robustness_outliers", "robustness.slopes.outliers",
        "any pair on the line is called an outlier at 5 %, at most so often",
        "54 pairs with normal errors", **SIZE, data_sets=1000, simulate=repeated(_outlier),
    ),
    Check(
        "robustness_anova_plain", "robustness.anova.analyse",
        f"{NO_EFFECT} at most so often: it takes answers to one example as independent",
        "a factor of two levels, 60 examples asked of 3 models under 8 configurations",
        **SIZE, data_sets=500,
        simulate=repeated(partial(_factor, "p")),
    ),
    Check(
        "robustness_anova_clustered", "robustness.anova.analyse", NO_EFFECT,
        "a factor of two levels, 60 examples asked of 3 models under 8 configurations",
        **SIZE, data_sets=1000, simulate=repeated(partial(_factor, "cluster_p")),
    ),
    *(
        Check(
            f"robustness_anova_clustered_{levels}_levels_{examples}", "robustness.anova.analyse",
            NO_EFFECT, f"a factor of {levels} levels, {examples} examples asked of one model",
            **SIZE, data_sets=data_sets, simulate=repeated(partial(_levels, levels, examples)),
        )
        for levels, data_sets in ((2, 1000), (6, 1000), (12, 400), (24, 400))
        for examples in (30, 100)
    ),
)  # fmt: skip
