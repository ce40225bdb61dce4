"""Import evaluation tools' files into the project's two tidy tables: scores and responses.

Each module of :mod:`~saturation.leaderboard.read.formats` reads the formats of one tool and says in
its ``FORMATS`` how they are called, recognised and read: a new one is found by being there
(:mod:`~saturation.leaderboard.read.registry`). It gives back rows with what the file itself
declares (bounds, direction, errors, n); :mod:`~saturation.leaderboard.read.tidy` then brings all
rows to one unit and one direction and refuses what cannot be used.
:mod:`~saturation.leaderboard.read.registry` is the border where files are opened.
"""
