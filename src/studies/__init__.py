"""Reproduction of the four papers: one package a study, the ledger and the dashboard above them.

Each study takes tables and returns tables, and measures with :mod:`saturation`. It is installed by
``make results`` from a clone, and is no part of the package that ``pip`` installs.
"""
