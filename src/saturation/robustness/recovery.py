"""Whether the study finds what the synthetic predictions were made with."""

import pandas as pd


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
        `what`, `truth`, `measured`, `lower`, `upper`, `recovered`. Consistency, performance and
        the share of always right examples must come out exactly in every pair (`measured` is the
        largest deviation); the slope must lie in its interval; noise must be the factor with the
        largest effect where it has one. The last two can fail by chance, at the interval's rate.
    """
    both = pairs.merge(truth, on=["model", "dataset"], suffixes=("", "_true"), validate="1:1")
    examples = both["n_examples"]
    deviations = {
        "consistency": both["output_consistency"] - both["consistency"],
        "performance": both["performance"] - both["performance_true"],
        "always_right": both["always_right"] - both["n_always_right"] / examples,
    }
    rows = [
        _row(f"{name}, largest deviation over {len(both)} pairs", 0.0, delta.abs().max(), 1e-9)
        for name, delta in deviations.items()
    ]
    for reading in ("ols_hc3", "mixed"):
        found = slopes.set_index("reading").loc[reading]
        inside = found["lower"] <= slope <= found["upper"]
        rows.append(
            {
                "what": f"slope ({reading})",
                "truth": slope,
                "measured": found["slope"],
                "lower": found["lower"],
                "upper": found["upper"],
                "recovered": bool(inside),
            }
        )
    first = anova[(anova["anova_type"] == "II")].sort_values("sum_sq", ascending=False)
    leading = first.groupby("dataset", sort=False)["factor"].first()
    share = float((leading == "noise").mean())
    rows.append(
        {
            "what": f"share of {len(leading)} datasets in which noise has the largest effect",
            "truth": 1.0 if noise_effect > 0 else float("nan"),
            "measured": share,
            "lower": float("nan"),
            "upper": float("nan"),
            "recovered": share > 0.5 if noise_effect > 0 else None,
        }
    )
    return pd.DataFrame(rows)


def _row(what: str, truth: float, measured: float, tolerance: float) -> dict[str, object]:
    return {
        "what": what,
        "truth": truth,
        "measured": measured,
        "lower": float("nan"),
        "upper": float("nan"),
        "recovered": bool(abs(measured - truth) <= tolerance),
    }
