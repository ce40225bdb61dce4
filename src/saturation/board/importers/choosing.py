"""Choosing one of several things that a file holds: what is asked for, or the only one there is."""

from collections.abc import Iterable

from saturation.errors import InputError


def choose(wanted: str | None, present: Iterable[str], what: str, key: str, file: str) -> str:
    """The wanted one if the file has it; without a wish, the only one.

    Parameters
    ----------
    wanted, present
        What the config asks for and what the file holds.
    what, key
        What the things are, and the config key that chooses, for the message.
    file
        The file's name, for the message.

    Raises
    ------
    InputError
        Listing what the file holds.
    """
    names = sorted(set(present))
    listed = ", ".join(f"'{name}'" for name in names) or "none"
    if wanted is None:
        if len(names) == 1:
            return names[0]
        each = ", or set its key 'each_task' for a card of each" if key == "task" else ""
        raise InputError(
            f"{file}: the file has {len(names)} {what} ({listed}); "
            f"choose one with the key '{key}' of the benchmark{each}"
        )
    if wanted not in names:
        raise InputError(f"{file}: no {what} '{wanted}'; the file has: {listed}")
    return wanted
