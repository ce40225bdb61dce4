"""Two versions on the same benchmarks: which differences exceed their error."""
