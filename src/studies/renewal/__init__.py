"""The renewal study: old and new versions of two benchmarks."""
