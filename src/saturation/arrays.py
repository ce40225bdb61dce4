"""Types of numpy arrays."""

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# Places of elements in an array.
Places = NDArray[np.intp]
