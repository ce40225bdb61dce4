"""Reproduction of the four papers: a package for each study, the ledger and the dashboard above.

:mod:`studies.files`, :mod:`studies.planning` and :mod:`studies.style` below them run the workflow.

Each study takes tables and returns tables, and measures with :mod:`saturation`. It is installed by
``make results`` from a clone, and is no part of the package that ``pip`` installs.
"""
