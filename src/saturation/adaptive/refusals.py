"""What the model cannot be used on, said in sentences."""

import numpy as np

from saturation.adaptive.model import MISSING, Floats, Responses
from saturation.errors import InputError, shortened


def check_cells(responses: Responses) -> None:
    """Refuse a matrix of responses that holds anything but right, wrong and not observed.

    Parameters
    ----------
    responses
        Respondents by items.

    Raises
    ------
    InputError
        Naming row, column and value, or the shape.
    """
    if responses.ndim != 2 or 0 in responses.shape:
        raise InputError(
            f"responses: shape {responses.shape}; expected respondents by items, at least one each"
        )
    bad = ~((responses == 1) | (responses == 0) | (responses == MISSING))
    if bad.any():
        raise InputError(
            shortened(
                [
                    f"responses, row {row}, column {column}: value {responses[row, column]} is not "
                    f"allowed; expected 0 (wrong), 1 (right) or {MISSING} (not observed)"
                    for row, column in np.argwhere(bad)
                ]
            )
        )


def check_parameters(discrimination: Floats, difficulty: Floats, n_items: int) -> None:
    """Refuse item parameters that are not those of a bank.

    Parameters
    ----------
    discrimination, difficulty
        One value an item.
    n_items
        Number of items of the bank.

    Raises
    ------
    InputError
        If there are more or fewer of them than items, or naming each that is not finite.
    """
    for name, values in (("discrimination", discrimination), ("difficulty", difficulty)):
        if values.shape != (n_items,):
            raise InputError(
                f"item parameters: {name} has shape {values.shape} and the bank {n_items} items; "
                "give one value an item, in the bank's order"
            )
        if not np.isfinite(values).all():
            raise InputError(
                shortened(
                    [
                        f"item parameters, item {item}: {name} {values[item]} is not a finite "
                        "number; leave the item out of the bank"
                        for item in np.flatnonzero(~np.isfinite(values))
                    ]
                )
            )
