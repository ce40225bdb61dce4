"""Metric families: what each says of a metric without looking at its scores.

Plain Python: the config's check reads it too, while the workflow is planned.
"""

FAMILIES = ("accuracy", "pass_at_k", "bounded_mean", "rating", "other")
# Without a lowest and a highest score: no unit interval, no ceiling, no course over time.
UNBOUNDED = ("rating", "other")
# Whose direction needs no declaration.
HIGHER_IS_BETTER = ("accuracy", "pass_at_k", "rating")


def bounded(family: str) -> bool:
    """Whether the metric has a lowest and a highest score."""
    return family not in UNBOUNDED
