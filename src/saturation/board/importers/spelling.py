"""Names that a reader takes for one and a computer for two."""

import unicodedata
from collections.abc import Iterable

# Letters of other scripts that look like Latin ones, and the dashes.
_LOOKALIKES = str.maketrans("асеорхуіјѕһԁԛԝαονρτυκι", "aceopxyijshdqwaovptuki") | dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"
)


def violations(names: Iterable[str], what: str, where: str, *, case: bool) -> list[str]:
    """A sentence for each name that differs from another only by how it is written.

    Parameters
    ----------
    names
        The names, each once.
    what, where
        What they name, such as ``model``, and whose they are, for the message.
    case
        Whether small and capital letters tell names apart.
    """
    found: list[str] = []
    spellings: dict[str, str] = {}
    for name in sorted(names):
        if name and not _visible(name):
            found.append(f"{where}: the {what} {name!r} has no visible letter; name it")
            continue
        other = spellings.setdefault(_key(name, case), name)
        if other != name:
            found.append(
                f"{where}: the {what}s {other!a} and {name!a} differ only in case, "
                "spaces, invisible letters or the form of a letter; write one of them everywhere"
            )
    return found


def _visible(name: str) -> str:
    """The name without spaces, control and format letters."""
    return "".join(letter for letter in name if unicodedata.category(letter)[0] not in "ZC")


def _key(name: str, case: bool) -> str:
    folded = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
    if not case:
        folded = unicodedata.normalize("NFKC", folded.casefold()).translate(_LOOKALIKES)
    return _visible(folded)
