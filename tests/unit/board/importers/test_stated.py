"""The standard error from what a file states: arithmetic by hand."""

import pytest

from saturation.board.importers.stated import standard_error, utc_date


def test_the_best_that_is_stated_counts():
    everything = {"deviation": 0.3, "n": 900, "interval": (0.7, 0.9), "level": 0.95}
    assert standard_error(0.02, **everything) == 0.02
    assert standard_error(0.0, **everything) == 0.0
    assert standard_error(**everything) == pytest.approx(0.01, abs=1e-15)
    # 0.2 / (2 x 1.959963984540054)
    assert standard_error(interval=(0.7, 0.9), level=0.95) == pytest.approx(0.0510213, abs=1e-7)


@pytest.mark.parametrize(
    "stated",
    [{}, {"deviation": 0.3}, {"n": 900}, {"deviation": 0.3, "n": 0}, {"interval": (0.7, 0.9)},
     {"level": 0.95}],
)  # fmt: skip
def test_what_is_not_enough_gives_none(stated):
    assert standard_error(**stated) is None


def test_a_moment_is_the_day_in_utc():
    assert utc_date(1767225600) == "2026-01-01"
    assert utc_date(1767225599.9) == "2025-12-31"
    for moment in (1e18, -1e13):
        with pytest.raises(ValueError, match=r"year|calendar"):
            utc_date(moment)
