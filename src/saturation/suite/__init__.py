"""Suites of tasks: which ranks the tasks separate, what each task adds, and which tasks to keep."""
