"""Random streams that depend on the config seed and a stage's own name, and on nothing else."""

import hashlib

import numpy as np


def derive(seed: int, *names: object) -> int:
    """Seed of a stage: a 32-bit hash of the config seed, the stage's name and its wildcards.

    Stages then draw independent streams whatever the order or the number of cores in which they
    run, and adding a stage changes no other stage's numbers.

    Parameters
    ----------
    seed
        The one seed of the config.
    names
        The stage's name and wildcards, for example ``("plateau", "uncertainty")``.

    Examples
    --------
    >>> derive(1, "plateau") != derive(1, "boards")
    True
    """
    digest = hashlib.sha256("/".join([str(seed), *map(str, names)]).encode()).digest()
    return int.from_bytes(digest[:4], "big")


def generator(seed: int, *names: object) -> np.random.Generator:
    """NumPy generator seeded with :func:`derive`."""
    return np.random.default_rng(derive(seed, *names))
