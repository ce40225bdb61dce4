"""The whole plateau study in one call: what its stages compute one by one, under the same names.

For a notebook, and for tests. Under the same settings the tables are those of the workflow, but for
rounding: between its stages numbers have ten significant digits.
"""

from dataclasses import dataclass

import pandas as pd

from saturation import index as measure
from saturation import seeds
from saturation.plateau import (
    controls,
    equal_top,
    hypotheses,
    quantities,
    sensitivity,
    uncertainty,
)
from saturation.plateau.names import table_1


@dataclass(frozen=True)
class Settings:
    """How the study is made; the fields are the keys of the config's section ``plateau``.

    Parameters
    ----------
    seed
        The config's seed.
    k, alpha, z, epsilon, bin_edges, ceiling
        See :func:`saturation.index.index_table`.
    saturated_from
        Index from which a benchmark counts as saturated.
    resamples, permutations
        Draws for the re-ranked columns and of dealt test-set sizes, and relabellings of each
        permutation test.
    same_n
        Test-set sizes that all benchmarks are given, as a control for n.
    equal_models, equal_dependence
        Numbers of models that a top may have been picked from, and how alike they answer.
    grid_k, grid_alpha
        Values of the fine grid of sensitivity.
    """

    seed: int = 20251101
    k: int = measure.K
    alpha: float = measure.ALPHA
    z: float = measure.Z
    epsilon: float = measure.EPSILON
    bin_edges: tuple[float, ...] = measure.BIN_EDGES
    ceiling: float = measure.CEILING
    saturated_from: float = measure.SATURATED_FROM
    resamples: int = 10_000
    permutations: int = 99_999
    same_n: tuple[int, ...] = controls.SAME_N
    equal_models: tuple[int, ...] = equal_top.MODELS
    equal_dependence: tuple[float, ...] = equal_top.DEPENDENCE
    grid_k: tuple[int, ...] = (2, 3, 4, 5)
    grid_alpha: tuple[float, ...] = tuple(step / 20 for step in range(21))


def study(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings | None = None
) -> dict[str, pd.DataFrame]:
    """All tables of the study by name.

    Parameters
    ----------
    benchmarks, top_scores
        The two tables of :func:`saturation.plateau.inputs.prepare`: scores as proportions.
    settings
        By default those of the config.

    Returns
    -------
    dict of pandas.DataFrame
        ``benchmarks, top_scores``, as they came; ``index``, and at Table 1's settings ``index_k3,
        index_alpha0, index_alpha1``; ``intervals, permuted_n, comparisons, transitions, grid,
        groups, tests, trends, bins, family, controls, equal_top, quantities``. Columns as in
        ``results/plateau``.
    """
    chosen = settings or Settings()
    index = _index(benchmarks, top_scores, chosen, chosen.k, chosen.alpha)
    others = {
        name: _index(benchmarks, top_scores, chosen, k, alpha)
        for name, (k, alpha) in table_1(chosen.k, chosen.alpha).items()
    }
    data = measure.annotated(benchmarks, index)
    grid = (chosen.grid_k, chosen.grid_alpha, chosen.bin_edges, chosen.epsilon)
    cells = sensitivity.grid(benchmarks, top_scores, *grid)
    tables = {
        "benchmarks": benchmarks,
        "top_scores": top_scores,
        "index": index,
        **{f"index_{name}": table for name, table in others.items()},
        **uncertainty.tables(
            benchmarks,
            top_scores,
            index,
            seed=chosen.seed,
            resamples=chosen.resamples,
            permutations=chosen.resamples,
            saturated_from=chosen.saturated_from,
            epsilon=chosen.epsilon,
        ),
        **sensitivity.tables(index, others, cells, chosen.saturated_from),
        **hypotheses.tables(data, chosen.saturated_from, chosen.permutations, chosen.seed),
        **_controls(data, index, top_scores, chosen),
    }
    tables["quantities"] = quantities.quantities(
        tables,
        chosen.saturated_from,
        chosen.ceiling,
        chosen.permutations,
        seeds.generator(chosen.seed, "plateau", "quantities"),
    )
    return tables


def _controls(
    data: pd.DataFrame, index: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    return {
        "controls": controls.controls(
            data,
            seed=settings.seed,
            permutations=settings.permutations,
            same_n=settings.same_n,
            saturated_from=settings.saturated_from,
            epsilon=settings.epsilon,
        ),
        "equal_top": equal_top.equal_top(
            index,
            top_scores,
            models=settings.equal_models,
            dependence=settings.equal_dependence,
            saturated_from=settings.saturated_from,
            epsilon=settings.epsilon,
        ),
    }


def _index(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings, k: int, alpha: float
) -> pd.DataFrame:
    return measure.index_table(
        benchmarks,
        top_scores,
        k,
        alpha,
        settings.z,
        settings.epsilon,
        settings.bin_edges,
        settings.ceiling,
    )
