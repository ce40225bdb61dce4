"""Two versions on shared benchmarks: differences that exceed their error."""
