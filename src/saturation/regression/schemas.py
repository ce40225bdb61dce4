"""Schemas of what the regression's samplers hand on to its tables."""

from saturation.files.schema import flag, number, table, text, whole

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

MEASURES = table(
    {
        "measure": text(),
        "value": number(),
        "median": number(),
        "sd": number(0),
        "lower": number(),
        "upper": number(),
    }
)
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
