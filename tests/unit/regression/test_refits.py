"""Exact refits: which benchmarks, with which seeds, and what happens if one fails its gate."""

import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.errors import InputError
from saturation.regression import refits
from saturation.regression.design import Design
from saturation.regression.draws import Draws
from saturation.regression.gate import Gate
from saturation.regression.specification import Effort
from saturation.regression.validation import held_out

LOOSE = Gate(rhat=1.5, ess=5, divergences=0)


@pytest.fixture
def design():
    rng = np.random.default_rng(1)
    matrix = np.column_stack([np.ones(6), rng.normal(size=6)])
    names = np.array(["a", "b", "b", "c", "d", "e"])
    return Design(["Intercept", "age"], matrix, rng.uniform(0.2, 0.8, 6), np.ones(6, bool), names)


class Sampler:
    """Draws made-up posteriors; the first ones diverge."""

    def __init__(self, posterior_of, failures=0):
        self.calls, self._posterior_of, self._failures = [], posterior_of, failures

    def draw(self, design, priors, effort, seed):
        self.calls.append((design, priors, effort, seed))
        posterior = self._posterior_of(design, "beta", seed, effort.draws)
        if len(self.calls) <= self._failures:
            posterior["diverging"][0, 0] = 1
        return posterior


def test_every_so_manieth_benchmark_above_the_limit_is_refitted_by_a_chunk():
    loo = pd.DataFrame(
        {"benchmark_id": [*"abcdef"], "pareto_k": [0.7, 0.71, 0.9, 0.1, np.inf, 0.8]}
    )
    assert refits.left_out(loo, 0.7, 0, 1) == ["b", "c", "e", "f"]
    assert refits.left_out(loo, 0.7, 0, 3) == ["b", "f"]
    assert refits.left_out(loo, 0.7, 1, 3) == ["c"]
    assert refits.left_out(loo, 0.7, 4, 5) == []


def test_a_benchmark_is_predicted_by_a_posterior_that_has_not_seen_it(
    design, specified, posterior_of
):
    sampler = Sampler(posterior_of)
    table = refits.refits(
        design, specified["reference"], ["b", "e"], lambda: sampler,
        effort=Effort(60, 10, 2), limits=LOOSE, seed=5,
    )  # fmt: skip
    assert list(table) == refits.COLUMNS
    assert table["benchmark_id"].tolist() == ["b", "e"]
    for (seen, priors, effort, seed), name in zip(sampler.calls, ["b", "e"]):
        np.testing.assert_array_equal(seen.benchmark, design.benchmark[design.benchmark != name])
        assert priors == specified["reference"].priors
        assert effort == Effort(60, 10, 2)
        assert seed == seeds.derive(5, name)
    draws = Draws.of(posterior_of(sampler.calls[0][0], "beta", seeds.derive(5, "b"), 60))
    expected = held_out(draws, design, "beta", design.benchmark == "b")
    assert table.loc[0, ["prediction", "elpd"]].to_dict() == pytest.approx(expected)
    assert table.loc[0, "draws"] == 60
    assert table.loc[0, "divergences"] == 0
    assert 0.9 < table.loc[0, "rhat"] < 1.5
    assert 5 < table.loc[0, "ess"] < 240


def test_without_a_benchmark_nothing_is_compiled(design, specified):
    def compiled():
        raise AssertionError("compiled")

    table = refits.refits(
        design, specified["reference"], [], compiled, effort=Effort(60, 10, 2), limits=LOOSE, seed=5
    )
    assert table.empty
    assert list(table) == refits.COLUMNS


def test_a_refit_that_fails_is_drawn_again_with_more_draws(design, specified, posterior_of):
    sampler = Sampler(posterior_of, failures=2)
    table = refits.refits(
        design, specified["reference"], ["a"], lambda: sampler,
        effort=Effort(60, 10, 2), limits=LOOSE, seed=5,
    )  # fmt: skip
    assert [call[2].draws for call in sampler.calls] == [60, 120, 240]
    assert {call[3] for call in sampler.calls} == {seeds.derive(5, "a")}
    assert table["draws"].tolist() == [240]


def test_a_refit_that_fails_with_the_most_draws_stops_the_run(design, specified, posterior_of):
    sampler = Sampler(posterior_of, failures=3)
    with pytest.raises(InputError, match="'refit without a': 1 divergent transitions"):
        refits.refits(
            design, specified["reference"], ["a"], lambda: sampler,
            effort=Effort(60, 10, 2), limits=LOOSE, seed=5,
        )  # fmt: skip
    assert len(sampler.calls) == 3
