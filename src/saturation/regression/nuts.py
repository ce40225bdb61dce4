"""NUTS of nutpie on a density of our own, without ArviZ, which takes longer to load than a fit.

nutpie loads it for the traces that it hands out; here it is asked for the raw ones, as Arrow
tables.
"""

import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from saturation.regression.specification import Effort

Array = NDArray[np.float64]
Density = Callable[[Array], tuple[float, Array]]

# Sampler statistics that do not depend on the clock or on the order of events.
STATISTICS = ("depth", "diverging", "energy", "logp", "n_steps", "step_size")


def sampled(
    density: Density, size: int, effort: Effort, accepted: float, seed: int
) -> tuple[Array, dict[str, NDArray[Any]]]:
    """Positions drawn from a density, and the sampler's statistics.

    Parameters
    ----------
    density
        Log density at a position, and its gradient.
    size
        Length of a position.
    effort
        Draws, tuning steps and chains.
    accepted
        Share of steps that the step size is tuned to accept.
    seed
        Of the chains.

    Returns
    -------
    positions : numpy.ndarray
        Shape (chain, draw, size).
    statistics : dict
        Shape (chain, draw) each, by the names of :data:`STATISTICS`.
    """
    sample, from_pyfunc = _nutpie()
    trace = sample(
        from_pyfunc(
            size, lambda: density, _expand, [np.dtype(float)], [(size,)], ["position"]
        ),
        draws=effort.draws,
        tune=effort.tune,
        chains=effort.chains,
        cores=1,
        seed=seed,
        target_accept=accepted,
        save_warmup=False,
        progress_bar=False,
        return_raw_trace=True,
    )  # fmt: skip
    drawn, measured = trace.get_arrow_trace()
    kept = [~_column(chain, "tuning") for chain in measured]
    positions = [_column(chain, "position").reshape(-1, size) for chain in drawn]
    statistics = {
        name: np.stack([_column(chain, name)[keep] for chain, keep in zip(measured, kept)])
        for name in STATISTICS
    }
    return np.stack([chain[keep] for chain, keep in zip(positions, kept)]), statistics


def _nutpie() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Nutpie's `sample` and `from_pyfunc`; ArviZ is loaded when something of it is first used."""
    later = types.ModuleType("arviz")
    # The first stands in annotations, which are looked up at once.
    vars(later).update(InferenceData=object, __getattr__=_of_arviz)
    already = "arviz" in sys.modules
    if not already:
        sys.modules["arviz"] = later
    try:
        import nutpie
        from nutpie.compiled_pyfunc import from_pyfunc
    finally:
        if not already:
            del sys.modules["arviz"]
    return nutpie.sample, from_pyfunc


def _of_arviz(name: str) -> Any:
    return getattr(importlib.import_module("arviz"), name)


def _expand(_seed: int, _other: int, _chain: int) -> Callable[[Array], dict[str, Array]]:
    return _expanded


def _expanded(position: Array) -> dict[str, Array]:
    return {"position": position.copy()}


def _column(chain: Any, name: str) -> NDArray[Any]:
    """A column of a chain's Arrow table, lists one after another."""
    column = pa.array(chain.column(name))
    flat = column.flatten() if hasattr(column, "flatten") else column
    values: NDArray[Any] = flat.to_numpy(zero_copy_only=False)
    return values
