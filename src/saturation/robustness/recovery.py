"""Whether the study finds what the synthetic predictions were made with."""

from collections.abc import Iterator

import pandas as pd

from saturation.robustness.schemas import PAIR

# Of shares that are ratios of whole numbers: what their rounding in a table leaves.
TOLERANCE = 1e-9


def compare(
    truth: pd.DataFrame,
    pairs: pd.DataFrame,
    slopes: pd.DataFrame,
    anova: pd.DataFrame,
    slope: float,
    noise_effect: float,
) -> pd.DataFrame:
    """Truth beside measurement.

    Parameters
    ----------
    truth
        From :func:`saturation.robustness.synthetic.draw_truth`.
    pairs, slopes, anova
        What the study's stages measured.
    slope, noise_effect
        The configured truth.

    Returns
    -------
    pandas.DataFrame
        `what`, `truth`, `measured`, `lower`, `upper`, `recovered`, `synthetic`. Consistency,
        performance and the share of always right examples must come out exactly in every pair
        (`measured` is the largest deviation); the slope must lie in its interval; noise must be
        the factor with the largest effect where it has one. The last two can fail by chance, at
        the interval's rate.
    """
    return pd.DataFrame(
        [
            *_deviations(truth, pairs),
            *(_slope(slopes, reading, slope) for reading in ("ols_hc3", "mixed")),
            _leading_factor(anova, noise_effect),
        ]
    ).assign(synthetic=True)


def _deviations(truth: pd.DataFrame, pairs: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Largest deviations over the pairs, of what must come out exactly."""
    both = pairs.merge(truth, on=PAIR, suffixes=("", "_true"), validate="1:1")
    deviations = {
        "consistency": both["output_consistency"] - both["consistency"],
        "performance": both["performance"] - both["performance_true"],
        "always_right": both["always_right"] - both["n_always_right"] / both["n_examples"],
    }
    for name, deviation in deviations.items():
        largest = float(deviation.abs().max())
        what = f"{name}, largest deviation over {len(both)} pairs"
        yield _row(what, 0.0, largest, recovered=largest <= TOLERANCE)


def _slope(slopes: pd.DataFrame, reading: str, truth: float) -> dict[str, object]:
    rows = slopes.set_index("reading")[["slope", "lower", "upper"]]
    measured, lower, upper = map(float, rows.loc[reading])
    row = _row(f"slope ({reading})", truth, measured, recovered=lower <= truth <= upper)
    return row | {"lower": lower, "upper": upper}


def _leading_factor(anova: pd.DataFrame, noise_effect: float) -> dict[str, object]:
    """Share of datasets in which noise explains more of the scores than any other factor."""
    largest = anova[anova["anova_type"] == "II"].sort_values("sum_sq", ascending=False)
    leading = largest.groupby("dataset", sort=False)["factor"].first()
    share = float((leading == "noise").mean())
    what = f"share of {len(leading)} datasets in which noise has the largest effect"
    if noise_effect > 0:
        return _row(what, 1.0, share, recovered=share > 0.5)
    return _row(what, float("nan"), share, recovered=None)


def _row(what: str, truth: float, measured: float, *, recovered: bool | None) -> dict[str, object]:
    return {
        "what": what,
        "truth": truth,
        "measured": measured,
        "lower": float("nan"),
        "upper": float("nan"),
        "recovered": recovered,
    }
