"""Schemas of what the regression's samplers hand on to its tables."""

from saturation.files.schema import flag, number, table, text, whole

# One row a benchmark, predicted without it.
PREDICTIONS = table(
    {
        "benchmark_id": text(unique=True),
        "outcome": number(),
        "saturated": flag(),
        **dict.fromkeys(("prediction", "elpd", "lower", "upper"), number()),
    }
)
# One row a measure of held-out draws.
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
# One row a refit.
REFITS = table(
    {
        "fold": whole(),
        **dict.fromkeys(("benchmarks", "draws"), whole(1)),
        **dict.fromkeys(("rhat", "ess"), number(0)),
        "divergences": whole(),
    }
)
