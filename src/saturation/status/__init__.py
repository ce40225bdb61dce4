"""Which benchmarks are out of headroom, by one stated rule."""
