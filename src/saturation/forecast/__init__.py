"""How long a benchmark will last: forecasts of its best score, scored against what came."""
