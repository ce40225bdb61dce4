"""Headline numbers of the embedded public answers, against counts made apart from the library."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation import quantity
from saturation.files import stages
from saturation.files.tables import read_table
from saturation.robustness import consistency as measures
from saturation.robustness import schemas, slopes, study


@pytest.fixture(scope="module")
def embedded():
    return Path(__file__).parents[3] / "resources" / "robustness"


@pytest.fixture(scope="module")
def tables(embedded):
    counts = stages.read(embedded / "variants.parquet", schemas.VERDICT_COUNTS)
    runs = stages.read(embedded / "sensitivity.csv", schemas.SENSITIVITY)
    scores = stages.read(embedded / "prompts.parquet", schemas.PROMPT_SCORES)
    variants = measures.measures(counts, 0.95, 100, np.random.default_rng(0))
    pairs = slopes.pairs(variants, runs)
    spread = measures.std_distribution(measures.spread(counts), 5)
    agreement = measures.agreement(read_table(embedded / "repeats.csv"), 0.95)
    return {
        "variants": variants,
        "variants_alike": measures.alike(spread),
        "trends": slopes.table(pairs, 0.95),
        "trend_components": slopes.components(pairs, 0.95, np.random.default_rng(0)),
        "trend_outliers": slopes.trends_outliers(pairs, 0.05),
        "prompts": measures.tests(scores),
        "prompt_spreads": measures.spreads(scores),
        "repeats": agreement,
        "floor": measures.floor(agreement, 0.95),
    }


@pytest.fixture(scope="module")
def found(tables):
    return quantity.frame(study.quantities(tables)).set_index("quantity")


def test_every_name_says_that_the_answers_are_public(found):
    assert found.index.str.startswith("public_").all()
    assert found.index.str.fullmatch("[a-z0-9_]+").all()


def test_the_counts_are_those_of_the_sources(embedded, found):
    counts = pd.read_parquet(embedded / "variants.parquet")
    assert len(counts) == 2869 + 8393 + 6899
    assert (
        found.loc["public_pairs", "value"]
        == counts.groupby(["model", "dataset"], observed=True).ngroups
    )
    runs = read_table(embedded / "sensitivity.csv")
    assert len(runs) == 759
    assert runs["accuracy"].corr(runs["sensitivity"]) == pytest.approx(-0.89, abs=0.001)


def test_slopes_are_those_of_a_plain_fit(embedded, found):
    counts = pd.read_parquet(embedded / "variants.parquet").query("dataset == 'MATH-500'")
    by_model = (
        counts.assign(p=counts["right"] / counts["wordings"], same=counts["distinct_answers"] == 1)
        .groupby("model", observed=True)[["p", "same"]]
        .mean()
    )
    slope, _ = np.polyfit(by_model["p"], by_model["same"], 1)
    assert found.loc["public_slope_answers_math_500", "value"] == pytest.approx(slope)
    assert by_model["p"].corr(by_model["same"]) == pytest.approx(
        found.loc["public_correlation_answers_math_500", "value"]
    )


def test_bounds_hold_their_values(found):
    bounded = found.dropna()
    assert len(bounded) > 40
    assert (bounded["lower"] <= bounded["value"]).all()
    assert (bounded["value"] <= bounded["upper"]).all()


def test_significant_tasks_and_large_shares_are_counted(tables, found):
    changed = tables["prompts"].assign(p_holm=0.05, share_of_answers=0.01)
    changed.loc[[0, 1], "p_holm"] = 0.049
    changed.loc[2, "share_of_answers"] = 0.0099
    again = quantity.frame(study.quantities(tables | {"prompts": changed}))
    value = again.set_index("quantity")["value"]
    assert value["public_prompt_significant"] == 2
    assert value["public_prompt_share_from_one_per_cent"] == 24
    assert value["public_prompt_tasks"] == 25
