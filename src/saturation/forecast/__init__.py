"""Forecasts of a benchmark's best score, scored against later observations."""
