"""The plateau study: whether the top models of a benchmark are still distinguishable."""
