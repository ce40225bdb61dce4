"""Types of numpy arrays, and values without them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# Places of elements in an array.
Places = NDArray[np.intp]


@dataclass(frozen=True)
class PlainNumbers:
    """Numbers as Python's own: numpy's print their type."""

    def __post_init__(self) -> None:
        """Turn the fields' numbers."""
        for name, value in vars(self).copy().items():
            if isinstance(value, np.generic):
                object.__setattr__(self, name, value.item())
