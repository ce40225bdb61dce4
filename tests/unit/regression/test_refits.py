"""Held-out predictions: who leaves with whom, with which seeds, and what is predicted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation import seeds
from saturation.errors import InputError
from saturation.regression import refits, validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws, Predicted, predicted
from saturation.regression.gate import Gate
from saturation.regression.specification import Effort

LOOSE = Gate(rhat=1.5, ess=5, divergences=0)


@pytest.fixture
def design():
    rng = np.random.default_rng(1)
    matrix = np.column_stack([np.ones(6), rng.normal(size=6)])
    names = np.array(["a", "b", "b", "c", "d", "e"])
    saturated = np.array([True, False, False, True, False, True])
    return Design(["Intercept", "age"], matrix, rng.uniform(0.2, 0.8, 6), saturated, names)


@given(
    rows=st.lists(st.integers(0, 30), min_size=2, max_size=80),
    folds=st.integers(2, 12),
    seed=st.integers(0, 99),
)
def test_rows_of_a_benchmark_leave_together_in_parts_of_like_size(rows, folds, seed):
    names = np.array([f"b{row:02d}" for row in rows])
    fold = refits.fold_of_rows(names, "folds", folds, seed)
    of_benchmark = {name: set(fold[names == name]) for name in names}
    assert all(len(numbers) == 1 for numbers in of_benchmark.values())
    sizes = np.bincount([next(iter(numbers)) for numbers in of_benchmark.values()])
    assert sizes.max() - sizes.min() <= 1
    assert len(sizes) == min(folds, len(of_benchmark))
    singly = refits.fold_of_rows(names, "singly", folds, seed)
    assert len(set(singly)) == len(of_benchmark)
    assert all(len(set(names[singly == number])) == 1 for number in singly)


def test_folds_are_the_same_for_all_models_and_others_for_another_seed():
    names = np.array([f"b{i:02d}" for i in range(60)])
    first = refits.fold_of_rows(names, "folds", 10, 1)
    repeated = refits.fold_of_rows(np.repeat(names, 2), "folds", 10, 1)
    assert (repeated[::2] == first).all()
    assert (first != refits.fold_of_rows(names, "folds", 10, 2)).any()
    assert (first != np.arange(60) % 10).any()


class Sampler:
    """Draws made-up posteriors; those of the named calls diverge."""

    def __init__(self, posterior_of, failing=()):
        self.calls, self._posterior_of, self._failing = [], posterior_of, failing

    def __call__(self, design, specification, effort, seed):
        self.calls.append((design, specification, effort, seed))
        posterior = self._posterior_of(design, "beta", seed, effort.draws)
        if len(self.calls) in self._failing:
            posterior["diverging"][0, 0] = 1
        return posterior


def test_a_row_is_predicted_by_a_posterior_that_has_not_seen_it(design, specified, posterior_of):
    sampler, model = Sampler(posterior_of), specified["reference"]
    fold = np.array([0, 1, 1, 0, 2, 2])
    held = refits.held_out(
        design, model, fold, sampler, effort=Effort(60, 10, 2), limits=LOOSE, seed=5
    )
    said = Predicted(*(np.empty((120, 6)) for _ in range(4)))
    for number, (seen, given_model, effort, seed) in enumerate(sampler.calls):
        out = fold == number
        np.testing.assert_array_equal(seen.benchmark, design.benchmark[~out])
        np.testing.assert_array_equal(seen.outcome, design.outcome[~out])
        assert given_model is model
        assert effort == Effort(60, 10, 2)
        assert seed == seeds.derive(5, number)
        part = predicted(
            Draws.of(posterior_of(seen, "beta", seed, 60)), design.matrix[out],
            design.outcome[out], "beta", seeds.generator(5, number, "replicated"),
        )  # fmt: skip
        for name, values in vars(part).items():
            getattr(said, name)[:, out] = values
    assert held.predictions.equals(validation.predictions(said, design))
    assert held.measures.equals(validation.of_draws(said, design, "s_index"))
    assert held.refits["fold"].tolist() == [0, 1, 2]
    assert held.refits["benchmarks"].tolist() == [2, 1, 2]
    assert held.refits["draws"].tolist() == [60] * 3
    assert held.refits["divergences"].tolist() == [0] * 3
    assert held.refits["rhat"].between(0.9, 1.5).all()
    assert held.refits["ess"].between(5, 500).all()


def test_a_longer_refit_is_thinned_to_the_draws_of_the_others(design, specified, posterior_of):
    sampler = Sampler(posterior_of, failing=(1, 2))
    fold = np.array([0, 1, 1, 0, 1, 1])
    held = refits.held_out(
        design, specified["reference"], fold, sampler,
        effort=Effort(60, 10, 2), limits=LOOSE, seed=5,
    )  # fmt: skip
    assert [call[2].draws for call in sampler.calls] == [60, 120, 240, 60]
    assert held.refits["draws"].tolist() == [240, 60]
    seen = design.without(fold == 0)
    draws = Draws.of(posterior_of(seen, "beta", seeds.derive(5, 0), 240)).every(4)
    part = predicted(
        draws, design.matrix[[0]], design.outcome[[0]], "beta", np.random.default_rng(0)
    )
    assert held.predictions.loc[0, "prediction"] == pytest.approx(part.mean.mean())


def test_a_refit_that_fails_with_the_most_draws_stops_the_run(design, specified, posterior_of):
    with pytest.raises(InputError, match="'refit without fold 0': 1 divergent transitions"):
        refits.held_out(
            design, specified["reference"], np.array([0, 1, 1, 0, 2, 2]),
            Sampler(posterior_of, failing=(1, 2, 3)),
            effort=Effort(60, 10, 2), limits=LOOSE, seed=5,
        )  # fmt: skip


def test_each_model_leaves_by_the_scheme_with_seeds_of_its_own(design, specified, posterior_of):
    sampler, model = Sampler(posterior_of), specified["reference"]
    section = {"folds": 3, "draws": 60, "tune": 10, "chains": 2, "rhat": 1.5, "ess": 5}
    held = refits.of_models(
        {"a": design, "b": design}, {"a": model, "b": model}, refits.SINGLY, sampler,
        refits=section, divergences=0, seed=7,
    )  # fmt: skip
    assert list(held) == ["a", "b"]
    assert [len(each.refits) for each in held.values()] == [5, 5]
    assert {effort for _, _, effort, _ in sampler.calls} == {Effort(60, 10, 2)}
    assert len({seed for *_, seed in sampler.calls}) == 10
    alone = seeds.derive(7, "regression", "refits", "a", refits.SINGLY)
    assert sampler.calls[0][3] == seeds.derive(alone, 0)
