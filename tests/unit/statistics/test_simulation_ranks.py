"""Ranks of the truth among draws: uniform ones pass, others do not."""

import numpy as np
import pandas as pd
import pytest

from saturation.statistics import simulation_ranks


def ranks_table(sampler_sd, simulations=300, draws=99, seed=0):
    """Ranks of a normal mean under its exact posterior, or one that is too narrow or too wide."""
    rng = np.random.default_rng(seed)
    rows = []
    for simulation in range(simulations):
        truth = rng.normal()
        observed = truth + rng.normal()
        posterior = rng.normal(observed / 2, sampler_sd * np.sqrt(0.5), size=(1, draws))
        rank = simulation_ranks.ranks(np.array([truth]), posterior, draws)[0]
        rows.append({"simulation": simulation, "parameter": "mean", "rank": rank})
    return pd.DataFrame(rows)


def test_an_exact_sampler_has_uniform_ranks():
    assert simulation_ranks.uniformity(ranks_table(1.0), 99)["p_holm"].item() > 0.05


@pytest.mark.parametrize("sampler_sd", [0.6, 1.6])
def test_a_sampler_that_is_too_narrow_or_too_wide_is_found(sampler_sd):
    assert simulation_ranks.uniformity(ranks_table(sampler_sd), 99)["p_holm"].item() < 0.001


def test_holm_adjusted_values_rise_with_the_raw_ones():
    table = pd.concat(
        [ranks_table(1.0, seed=s).assign(parameter=f"p{s}") for s in range(4)], ignore_index=True
    )
    result = simulation_ranks.uniformity(table, 99).sort_values("p")
    assert result["p_holm"].is_monotonic_increasing
    assert (result["p_holm"] >= result["p"]).all()


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
