"""The whole robustness study in one call: tables in, tables out, by the names of the results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.robustness import (
    anova,
    audit,
    consistency,
    design,
    predictions,
    prompts,
    quantities,
    recovery,
    repeats,
    saturation,
    slopes,
    synthetic,
    trends,
    variants,
)


@dataclass(frozen=True)
class Settings:
    """The study's settings, as the config section `robustness` describes them.

    Attributes
    ----------
    factors, score_range, normaliser, strict, confidence, resamples, outlier_alpha, std_bins
        Keys of the config section `robustness`.
    synthetic
        The known truth of the synthetic study: the config section `robustness.synthetic`.
    k, alpha
        Of the saturation index that is computed from the study's own scores.
    seed
        Where all random numbers come from.
    """

    factors: tuple[str, ...]
    score_range: tuple[float, float]
    normaliser: str
    strict: bool
    confidence: float
    resamples: int
    outlier_alpha: float
    std_bins: int
    synthetic: Mapping[str, Any]
    k: int
    alpha: float
    seed: int

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Settings":
        """From a whole config, as `config/config.yaml` holds it."""
        section = config["robustness"]
        low, high = section["score_range"]
        same = ["normaliser", "strict", "confidence", "resamples", "outlier_alpha", "std_bins"]
        return cls(
            factors=tuple(section["factors"]),
            score_range=(low, high),
            synthetic=section["synthetic"],
            k=config["plateau"]["k"],
            alpha=config["plateau"]["alpha"],
            seed=config["seed"],
            **{key: section[key] for key in same},
        )


def study(
    facts: Mapping[str, pd.DataFrame],
    index: pd.DataFrame,
    settings: Settings,
    answers: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """All tables of the study by the names of their files.

    Parameters
    ----------
    facts
        The embedded tables by the names of their files: of the paper `performance`, `design`,
        `datasets`, `models`, `anova` and `external_scores`; of public answers `variants`,
        `sensitivity`, `prompts` and `repeats`.
    index
        The plateau study's index: `benchmark_id`, `s_index`, `bin`.
    settings
        Of the study.
    answers
        Predictions of one's own, one row a model, dataset, example and configuration.

    Raises
    ------
    InputError
        If the predictions cannot be used.
    """
    levels = design.levels(facts["design"])
    tables = audit.tables(facts["anova"], levels, facts["performance"], facts["external_scores"])
    tables |= _public(facts, settings)
    if answers is not None:
        tables |= _measured(answers, facts["datasets"], index, settings)
    tables["quantities"] = quantities.table(facts, tables)
    return tables


def calibrated(
    facts: Mapping[str, pd.DataFrame], index: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """The study of synthetic predictions, and whether it finds their truth: `recovery`.

    Parameters
    ----------
    facts, index, settings
        As for :func:`study`.
    """
    answers, truth = synthetic.study(
        facts["performance"],
        design.levels(facts["design"]),
        facts["datasets"],
        settings.synthetic,
        seeds.generator(settings.seed, "robustness", "synthetic"),
    )
    tables = {"synthetic_predictions": answers, "synthetic_truth": truth}
    tables |= _measured(answers, facts["datasets"], index, settings)
    tables["recovery"] = recovery.compare(
        truth,
        tables["consistency"],
        tables["slopes"],
        tables["anova"],
        settings.synthetic["slope"],
        settings.synthetic["noise_effect"],
    )
    return tables


def _public(facts: Mapping[str, pd.DataFrame], settings: Settings) -> dict[str, pd.DataFrame]:
    """What the public answers say."""
    counts, level = facts["variants"], settings.confidence
    generator = seeds.generator(settings.seed, "robustness", "variants")
    measured = variants.measures(counts, level, settings.resamples, generator)
    spread = consistency.std_distribution(variants.spread(counts), settings.std_bins)
    pairs = trends.pairs(measured, facts["sensitivity"])
    generator = seeds.generator(settings.seed, "robustness", "trends")
    runs = repeats.agreement(facts["repeats"], level)
    return {
        "variants": measured,
        "variants_spread": spread,
        "variants_alike": variants.alike(spread),
        "trend_pairs": pairs,
        "trends": trends.table(pairs, level),
        "trend_components": trends.components(pairs, level, generator),
        "trend_outliers": trends.outliers(pairs, settings.outlier_alpha),
        "prompts": prompts.tests(facts["prompts"]),
        "prompt_spreads": prompts.spreads(facts["prompts"]),
        "repeats": runs,
        "floor": repeats.floor(runs, level),
    }


def _measured(
    answers: pd.DataFrame, datasets: pd.DataFrame, index: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """What the predictions say."""
    rows, missing = predictions.prepared(
        answers,
        settings.factors,
        settings.score_range,
        settings.normaliser,
        settings.strict,
        "predictions",
    )
    measured = {"predictions": rows, "missing": missing}
    measured |= consistency.tables(
        rows,
        datasets,
        settings.factors,
        settings.confidence,
        settings.resamples,
        settings.std_bins,
        seeds.generator(settings.seed, "robustness", "consistency"),
    )
    # The word of the seed is older than the module's: other random numbers would change results.
    measured |= slopes.tables(
        measured["consistency"],
        settings.resamples,
        settings.confidence,
        settings.outlier_alpha,
        seeds.generator(settings.seed, "robustness", "competence"),
    )
    made_up = bool(rows["synthetic"].any())
    blocks = [(str(name), block) for name, block in rows.groupby("dataset", observed=True)]
    measured["anova"] = anova.table(blocks, settings.factors, made_up)
    return measured | saturation.tables(
        measured["consistency"], measured["datasets"], index, datasets, settings.k, settings.alpha
    )
