"""Whether intervals cover, tests keep their level and probabilities are calibrated: simulations."""
