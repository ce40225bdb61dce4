"""Statistics of benchmark saturation: when scores stop telling models apart.

Each module is one word of the field (``saturation.index``, ``saturation.hypotheses``, ...). The
modules take arrays and data frames and return arrays and data frames; only
:mod:`saturation.files`, :mod:`saturation.sources` and the reading part of
:mod:`saturation.importers` touch the disk. Import the modules by name: this file imports none of
them, so that a job loads only what it uses.
"""

__version__ = "0.1.0"
