"""The user's own benchmarks: saturation cards."""
