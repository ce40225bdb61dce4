"""NUTS of nutpie on a compiled density of our own, without ArviZ and without Python in a step.

nutpie loads ArviZ for the traces that it hands out, which takes longer than a fit; here it is asked
for the raw ones, as Arrow tables. It calls a density by its address in the way in which it calls
what it makes of a PyMC model.
"""

import functools
import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from saturation.errors import InputError
from saturation.regression.specification import Effort

Array = NDArray[np.float64]

# Sampler statistics that do not depend on the clock or on the order of events.
STATISTICS = ("depth", "diverging", "energy", "logp", "n_steps", "step_size")


def sampled(
    compiled: tuple[Any, Any],
    model: Array,
    size: int,
    effort: Effort,
    *,
    accepted: float,
    seed: int,
) -> tuple[Array, dict[str, NDArray[Any]]]:
    """Positions drawn from a density, and the sampler's statistics.

    Returns
    -------
    positions : numpy.ndarray
        Shape (chain, draw, size).
    statistics : dict
        Shape (chain, draw) each, by the names of :data:`STATISTICS`.
    """
    sample = _nutpie()
    trace = sample(
        _model(compiled, model, size),
        draws=effort.draws,
        tune=effort.tune,
        chains=effort.chains,
        cores=1,
        seed=seed,
        target_accept=accepted,
        save_warmup=False,
        progress_bar=False,
        return_raw_trace=True,
    )
    drawn, measured = trace.get_arrow_trace()
    kept = [~_column(chain, "tuning") for chain in measured]
    positions = [_column(chain, "position").reshape(-1, size) for chain in drawn]
    statistics = {
        name: np.stack([_column(chain, name)[keep] for chain, keep in zip(measured, kept)])
        for name in STATISTICS
    }
    return np.stack([chain[keep] for chain, keep in zip(positions, kept)]), statistics


def started(size: int, seed: int) -> Array:
    """Where a chain starts: uniform on (-2, 2), as Stan does and nutpie for densities in Python."""
    return np.random.default_rng(seed).uniform(-2.0, 2.0, size)


def _model(compiled: tuple[Any, Any], model: Array, size: int) -> Any:
    """What nutpie makes of a PyMC model, made of compiled callbacks; keeps the data alive."""
    import nutpie

    density, expanded = compiled
    try:
        from nutpie.compile_pymc import CompiledPyMCModel

        return CompiledPyMCModel(
            dims={},
            compiled_logp_func=density,
            compiled_expand_func=expanded,
            initial_point_func=functools.partial(started, size),
            shared_data={},
            user_data=model,
            n_expanded=size,
            shape_info=(["position"], [slice(0, size)], [(size,)]),
            logp_func=None,
            expand_func=None,
            _n_dim=size,
            _shapes={"position": (size,)},
            _coords={},
        )
    except (ImportError, TypeError) as error:
        raise InputError(
            f"nutpie {nutpie.__version__} takes compiled densities in another way than 0.16, for "
            f"which this is written ({error}); install the versions of envs/requirements.txt"
        ) from error


def _nutpie() -> Callable[..., Any]:
    """Nutpie's `sample`; ArviZ is loaded when something of it is first used."""
    later = types.ModuleType("arviz")
    # The first stands in annotations, which are looked up at once.
    vars(later).update(InferenceData=object, __getattr__=_of_arviz)
    already = "arviz" in sys.modules
    if not already:
        sys.modules["arviz"] = later
    try:
        import nutpie
    finally:
        if not already:
            del sys.modules["arviz"]
    sample: Callable[..., Any] = nutpie.sample
    return sample


def _of_arviz(name: str) -> Any:
    return getattr(importlib.import_module("arviz"), name)


def _column(chain: Any, name: str) -> NDArray[Any]:
    """A column of a chain's Arrow table, lists one after another."""
    column = pa.array(chain.column(name))
    flat = column.flatten() if hasattr(column, "flatten") else column
    values: NDArray[Any] = flat.to_numpy(zero_copy_only=False)
    return values
