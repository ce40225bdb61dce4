"""Schemas of the tables that the regression's stages hand on."""

import pandera.pandas as pa

from saturation.files.columns import flag, number, one_of, proportion, table, text, whole
from saturation.regression.design import KEYS

_MEASURES = {
    "measure": text(),
    **{name: number() for name in ("value", "median")},
    "sd": number(0),
    **{name: number() for name in ("lower", "upper")},
    "held_out": flag(),
    **{name: whole() for name in ("rows", "columns", "exact_refits", "unreliable")},
}
_PREDICTION = {
    "benchmark_id": text(unique=True),
    "outcome": number(),
    "saturated": flag(),
    "prediction": number(),
    "elpd": number(),
    # Infinite where a tail has too few draws to fit.
    "pareto_k": number(),
}
_MODEL = {"model": text()}

DESIGN = table(
    {
        "benchmark_id": text(),
        "saturated": flag(),
        "outcome": number(),
        "Intercept": number(1, 1),
        # Whatever columns the formula makes.
        f"^(?!({'|'.join((*KEYS, 'Intercept'))})$).+": pa.Column(
            float, regex=True, required=False, coerce=True, description="a number"
        ),
    }
)
"""One row a row of the design: keys, outcome, then the matrix."""

DIAGNOSTICS = table(
    {
        "parameter": text(unique=True),
        "rhat": number(0),
        "ess_bulk": number(0),
        "ess_tail": number(0),
        "divergences": whole(),
    }
)
"""One row a parameter of a posterior."""

LEFT_OUT = table(_PREDICTION)
"""One row a benchmark, predicted by importance sampling."""

REFITS = table(
    {
        "benchmark_id": text(unique=True),
        "prediction": number(),
        "elpd": number(),
        "draws": whole(1),
        "rhat": number(0),
        "ess": number(0),
        "divergences": whole(),
    },
    may_be_empty=True,
)
"""One row a benchmark that was left out for real; a chunk may have none."""

HELD_OUT = table({**_PREDICTION, "how": one_of(("importance", "exact", "unreliable"))})
"""One row a benchmark, predicted without it."""

VALIDATION = table(_MEASURES)
"""One row a measure of fit of one model."""

FIT = table({**_MODEL, **_MEASURES})
"""The same of all models."""

COEFFICIENTS = table(
    {
        "column": text(unique=True),
        "mean": number(),
        "sd": number(0),
        **{name: number() for name in ("lower_50", "upper_50", "lower_95", "upper_95")},
        "p_positive": proportion(),
        "excludes_zero": flag(),
        **{name: number(0) for name in ("prior_sensitivity", "likelihood_sensitivity")},
    }
)
"""One row a column of the design."""

CHECKS = table(
    {
        "statistic": text(unique=True),
        **{name: number() for name in ("observed", "replicated", "lower", "upper")},
        "p_at_least": proportion(),
    }
)
"""One row a statistic of the outcome."""

PERMUTATIONS = table(
    {
        "control": one_of(("n_test", "age")),
        "permutation": whole(),
        "log_n": number(),
        "age": number(),
    }
)
"""One row a refit of an artefact control."""

LOCATED = table(
    {
        "control": one_of(("n_test", "age")),
        "predictor": one_of(("log_n", "age")),
        **{name: number() for name in ("observed", "null_mean", "null_lower", "null_upper")},
        **{name: proportion() for name in ("p_lower", "p_two_sided")},
        "permutations": whole(1),
    }
)
"""Where the real coefficients lie in each control's null."""

RANKS = table({"simulation": whole(), "parameter": text(), "rank": whole()})
"""One row a parameter of a simulated data set."""
