"""Evaluating a new model on fewer items: the commands, and the files that they read."""
