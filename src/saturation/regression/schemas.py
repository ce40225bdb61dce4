"""Schemas of the tables that the regression's stages hand on."""

from saturation.files.schema import Column, flag, number, one_of, proportion, table, text, whole
from saturation.regression.design import KEYS
from saturation.regression.validation import HELD_OUT, IN_SAMPLE

_MEASURED = {
    "measure": text(),
    **{name: number() for name in ("value", "median")},
    "sd": number(0),
    **{name: number() for name in ("lower", "upper")},
}
_MEASURES = {
    **_MEASURED,
    "data": one_of((IN_SAMPLE, *HELD_OUT)),
    **{name: whole() for name in ("rows", "columns")},
}
_MODEL = {"model": text()}

DESIGN = table(
    {
        "benchmark_id": text(),
        "saturated": flag(),
        "outcome": number(),
        "Intercept": number(1, 1),
        # Whatever columns the formula makes.
        f"^(?!({'|'.join((*KEYS, 'Intercept'))})$).+": Column(
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

PREDICTIONS = table(
    {
        "benchmark_id": text(unique=True),
        "outcome": number(),
        "saturated": flag(),
        **{name: number() for name in ("prediction", "elpd", "lower", "upper")},
    }
)
"""One row a benchmark, predicted without it."""

MEASURES = table(_MEASURED)
"""One row a measure of held-out draws."""

REFITS = table(
    {
        "fold": whole(),
        **{name: whole(1) for name in ("benchmarks", "draws")},
        "rhat": number(0),
        "ess": number(0),
        "divergences": whole(),
    }
)
"""One row a refit."""

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
        # Empty under a horseshoe.
        "prior_sensitivity": number(0, optional=True),
        "likelihood_sensitivity": number(0),
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
