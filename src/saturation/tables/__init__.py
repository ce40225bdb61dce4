"""Schemas of every table that crosses a stage, one module a study.

One module a study, so that a change to one study's tables does not rerun the others.
"""
