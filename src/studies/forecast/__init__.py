"""The forecast study: forecasts of the best score, scored against later scores."""
