"""Definitions for planning the workflow: light, without pandas."""
