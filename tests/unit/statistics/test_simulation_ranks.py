"""Ranks of the truth among draws: uniform ones pass, others do not."""

import numpy as np
import pandas as pd
import pytest

from saturation.statistics import simulation_ranks


def test_a_rank_counts_the_thinned_draws_below_the_truth():
    draws = np.array([np.arange(10.0), np.full(10, 2.0)])
    # Four of ten, evenly over all: places 0, 3, 6 and 9.
    assert simulation_ranks.ranks(np.array([6.0, 2.0]), draws, 4).tolist() == [2, 0]
    assert simulation_ranks.ranks(np.array([6.1, 2.1]), draws, 4).tolist() == [3, 4]
    assert simulation_ranks.ranks(np.array([-1.0, 3.0]), draws, 10).tolist() == [0, 10]


def test_the_expected_share_of_a_bin_is_its_number_of_ranks():
    """Ranks 0..9 in three bins hold 3, 4 and 3 ranks."""
    ranks = np.repeat([1, 5, 8], [3, 4, 3])
    table = pd.DataFrame({"simulation": range(10), "parameter": "p", "rank": ranks})
    assert simulation_ranks.uniformity(table, 9, bins=3)["chi_squared"].item() == pytest.approx(0)
    shifted = table.assign(rank=np.repeat([1, 5, 8], [4, 4, 2]))
    by_hand = 1 / 3 + 0 + 1 / 3
    assert simulation_ranks.uniformity(shifted, 9, bins=3)["chi_squared"].item() == pytest.approx(
        by_hand
    )
