"""Evaluating a new model on fewer items: the commands, and what they drive."""
