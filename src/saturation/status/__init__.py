"""Benchmarks out of headroom, by a stated rule."""
