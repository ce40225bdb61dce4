"""Suites of tasks: MTEB's English tasks and LiveBench's, and which of them are worth keeping."""
