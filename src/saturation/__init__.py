"""Statistics of benchmark saturation: when scores stop telling models apart.

Packages in layers, one subject each (``docs/developing.md`` draws them); each module is one word
of the field (``saturation.index``, ``studies.plateau.hypotheses``, ...). The modules take
arrays and data frames and return arrays and data frames; only :mod:`saturation.files`, the reading
part of :mod:`saturation.leaderboard.read` and :mod:`saturation.planning` touch the disk. Import the
modules by name: this file imports none of them, so that a job loads only what it uses.
"""

__version__ = "0.1.0"
