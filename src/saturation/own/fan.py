"""The forecast of a card as a drawing: what was reached, and a fan of what is to be expected."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 24
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def fan(outlook: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Paths and places in pixels, for the card's template; None where nothing is forecast.

    Parameters
    ----------
    outlook
        :func:`saturation.own.outlook.forecast`; None of a card to which it was not added.

    Returns
    -------
    dict or None
        ``width, height``; ``known`` and ``median`` (points of lines), ``bands`` (points of
        polygons, the wider first), ``today`` (horizontal place), ``ticks`` (vertical places with
        the score), ``years`` (horizontal places with the year).
    """
    if outlook is None or outlook["abstains"]:
        return None
    known, months = outlook["known"], outlook["months"]
    plane = _Plane(known[0]["date"], months[-1]["date"])
    today, best = outlook["origin"], known[-1]["best"]
    ahead = [{**dict.fromkeys(months[0], best), "date": today}, *months]
    steps = [known[0]]
    for before, row in zip(known, [*known[1:], {"date": today, "best": best}], strict=True):
        steps += [{"date": row["date"], "best": before["best"]}, row]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "bottom": HEIGHT - BOTTOM,
        "top": TOP,
        "known": plane.points(steps, "best"),
        "median": plane.points(ahead, "q50"),
        "bands": [
            plane.points(ahead, low) + " " + plane.points(ahead[::-1], high)
            for low, high in (("q10", "q90"), ("q25", "q75"))
        ],
        "today": plane.x(outlook["origin"]),
        "ticks": [(plane.y(score), score) for score in TICKS],
        "years": [(plane.x(f"{year}-01-01"), year) for year in plane.years],
    }


class _Plane:
    """Scales of the drawing: days across, scores from 0 to 1 upwards."""

    def __init__(self, first: str, last: str) -> None:
        self._first, self._last = pd.Timestamp(first), pd.Timestamp(last)
        self.years = range(self._first.year + 1, self._last.year + 1)

    def x(self, date: str) -> float:
        share = (pd.Timestamp(date) - self._first) / (self._last - self._first)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)

    def y(self, score: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score, 1)

    def points(self, rows: Sequence[Mapping[str, Any]], name: str) -> str:
        return " ".join(f"{self.x(row['date'])},{self.y(row[name])}" for row in rows)
