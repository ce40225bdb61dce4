"""When are two answers the same? Normalisers of predicted text, chosen by name or given."""

import importlib
from collections.abc import Callable

import pandas as pd

from saturation.errors import InputError

Normaliser = Callable[[pd.Series], pd.Series]


def lower_strip(text: pd.Series) -> pd.Series:
    """Lower case, white space stripped from both ends (robustness paper, appendix A.1)."""
    return text.str.lower().str.strip()


def lower_no_space(text: pd.Series) -> pd.Series:
    """Lower case, all white space removed: the paper's words, read the other way."""
    return text.str.lower().str.replace(r"\s+", "", regex=True)


def words(text: pd.Series) -> pd.Series:
    """Unicode-compatible lower case words and numbers alone: punctuation does not count."""
    plain = text.str.normalize("NFKC").str.casefold()
    return plain.str.replace(r"[\W_]+", " ", regex=True).str.strip()


def exact(text: pd.Series) -> pd.Series:
    """The text as it is."""
    return text


NORMALISERS: dict[str, Normaliser] = {
    "lower_strip": lower_strip,
    "lower_no_space": lower_no_space,
    "words": words,
    "exact": exact,
}


def normaliser(name: str) -> Normaliser:
    """Normaliser by name, or any function on the Python path as ``package.module:function``.

    Raises
    ------
    InputError
        If there is no such normaliser; the message lists those that there are.
    """
    if name in NORMALISERS:
        return NORMALISERS[name]
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError):
        raise InputError(
            f"config: key 'robustness.normaliser' has the value {name!r}; allowed: "
            f"{', '.join(NORMALISERS)}, or package.module:function that can be imported"
        ) from None


def normalise(predictions: pd.Series, function: Normaliser) -> pd.Series:
    """Categorical of normalised answers; each distinct text is normalised once.

    Parameters
    ----------
    predictions
        Categorical of text, any number of rows.
    function
        A normaliser: a series of text in, a series of text of the same length out.
    """
    texts = pd.Series(predictions.cat.categories, dtype="str")
    codes, uniques = pd.factorize(function(texts), sort=True)
    answers = pd.Categorical.from_codes(codes[predictions.cat.codes], categories=uniques)
    return pd.Series(answers, index=predictions.index, name="answer")
