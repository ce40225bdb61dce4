"""What evaluation tools write, turned into the project's two tidy tables: scores and responses.

One module a format. Each takes an open stream or parsed content and gives back rows with what the
file itself declares (bounds, direction, errors, n); :mod:`~saturation.board.importers.tidy`
then brings all rows to one unit and one direction and refuses what cannot be used.
:mod:`~saturation.board.importers.reading` is the border where files are opened.
"""
