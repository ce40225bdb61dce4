"""The robustness study: whether consistency over prompt variants follows performance."""
