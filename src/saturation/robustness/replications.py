"""Headline numbers of the public answers: what the paper's conclusions come to on other data."""

from collections.abc import Iterator, Mapping

import pandas as pd

from saturation.quantity import Quantity
from saturation.robustness import saturation
from saturation.robustness.design import SIGNIFICANT, slug

NOTE = "public answers, not the paper's"


def quantities(tables: Mapping[str, pd.DataFrame]) -> Iterator[Quantity]:
    """All of them; every name begins with `public_`.

    Parameters
    ----------
    tables
        The study's `variants`, `variants_alike`, `trends`, `trend_components`, `trend_outliers`,
        `prompts`, `prompt_spreads`, `repeats` and `floor`.
    """
    yield from _of_variants(tables["variants"], tables["variants_alike"])
    yield from _of_trends(tables["trends"])
    yield from _of_components(tables["trend_components"], tables["trend_outliers"])
    yield from _of_prompts(tables["prompts"], tables["prompt_spreads"])
    for row in tables["floor"].to_dict("records"):
        name = f"public_floor_{slug(row['model'])}"
        note = "repetitions of one prompt at temperature zero"
        yield Quantity(name, row["answer_consistency"], row["lower"], row["upper"], note)
    yield Quantity("public_floor_text_median", tables["repeats"]["text_consistency"].median())


def _of_variants(variants: pd.DataFrame, alike: pd.DataFrame) -> Iterator[Quantity]:
    yield Quantity("public_pairs", len(variants), note=NOTE)
    above = variants["excess_lower"] > 0
    yield Quantity("public_pairs_above_chance", above.sum(), note="verdicts; 95 % interval above 0")
    # Where the original wording is right no term of the printed formula is above zero.
    yield Quantity("public_least_drop", variants["pdr"].min(), note="the paper's formula")
    for dataset, group in variants.groupby("dataset"):
        for column in ("verdict_consistency", "always_right", "performance"):
            yield Quantity(f"public_{column}_{slug(str(dataset))}", group[column].mean())
    for row in alike.to_dict("records"):
        yield Quantity(f"public_spread_v_{slug(row['dataset'])}", row["cramers_v"])
    yield Quantity("public_spread_alike_p", alike["p_holm"].max(), note="largest, by Holm")


def _of_trends(trends: pd.DataFrame) -> Iterator[Quantity]:
    for row in trends.to_dict("records"):
        name = f"{row['measure']}_{slug(row['dataset'])}"
        counted = f"{row['n']} pairs" if row["reading"] == "mixed" else f"{row['n']} models"
        yield Quantity(f"public_slope_{name}", row["slope"], row["lower"], row["upper"], counted)
        ends = row["correlation_lower"], row["correlation_upper"]
        yield Quantity(f"public_correlation_{name}", row["correlation"], *ends, counted)
        yield Quantity(f"public_r_squared_{name}", row["r_squared"], note=counted)


def _of_components(components: pd.DataFrame, outliers: pd.DataFrame) -> Iterator[Quantity]:
    for row in components.to_dict("records"):
        name = f"{row['component']}_{row['measure']}"
        yield Quantity(f"public_share_{name}", row["share"], row["lower"], row["upper"])
        if pd.notna(row["p"]):
            yield Quantity(f"public_p_{name}", row["p"], note="F test given the two others")
            yield Quantity(f"public_eta_{name}", row["partial_eta_sq"])
    for measure, group in outliers.groupby("measure"):
        yield Quantity(
            f"public_outliers_{measure}", group["outlier"].sum(), note=f"of {len(group)}"
        )


def _of_prompts(prompts: pd.DataFrame, spreads: pd.DataFrame) -> Iterator[Quantity]:
    yield Quantity("public_prompt_tasks", len(prompts))
    significant = (prompts["p_holm"] < SIGNIFICANT).sum()
    yield Quantity("public_prompt_significant", significant, note="paraphrase against interaction")
    share = prompts["share_of_answers"]
    yield Quantity("public_prompt_share_median", share.median())
    yield Quantity("public_prompt_share_largest", share.max())
    yield Quantity("public_prompt_share_from_one_per_cent", (share >= 0.01).sum(), note="tasks")
    yield Quantity("public_prompt_spread_median", spreads["spread"].median())
    yield Quantity("public_prompt_range_median", (spreads["highest"] - spreads["lowest"]).median())
    means = spreads.groupby("task")[["performance", "spread"]].mean()
    found = saturation.rank_correlation(means["performance"], means["spread"])
    note = f"{found['n']} tasks"
    yield Quantity("public_prompt_spread_rho", found["rho"], note=note)
    yield Quantity("public_prompt_spread_p", found["p"], note=note)
