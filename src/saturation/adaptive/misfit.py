"""Does the model fit? Residuals of a fit beside those of banks that the model itself draws.

Every statistic is computed on the responses and on replicates drawn from the fitted model and
fitted again (a parametric bootstrap), so that what a fit takes up of its own data is in both.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive import floor
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import MISSING, Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from saturation.statistics.intervals import benjamini_hochberg, holm
from saturation.statistics.permutation import p_value

LEVEL = 0.05
REJECTED = "the item response model is rejected"
# Replicates that the model must be able to fit, of those asked for.
LEAST_FITTED = 0.5
MEANING = {
    "largest_eigenvalue": "largest eigenvalue of the respondents' residual correlations: a second "
    "dimension, or respondents that depend on each other",
    "item_correlation": "root mean square of the items' residual correlations (Q3): items that "
    "depend on each other",
    "model_correlation": "mean residual correlation of a model's checkpoints: rows that are not "
    "independent respondents",
}

SHORT = {
    "largest_eigenvalue": "shared residuals",
    "item_correlation": "dependent items",
    "model_correlation": "dependent checkpoints",
}


class Misfit(NamedTuple):
    """Where a bank departs from the model, by the names of its files.

    Attributes
    ----------
    misfit
        Rows `statistic, observed, expected, highest, p_value, p_adjusted, rejected, meaning,
        note`: the replicates' mean and highest; p adjusted for the number of statistics by Holm.
    misfit_items, misfit_respondents
        Infit and outfit (mean squares, 1 where the model holds) with the p-values of infit, and
        those adjusted for their number by Benjamini and Hochberg. Respondents also have their
        ability with the floor and its standard error, where one is needed.
    floors
        A floor of guessing and whether it is needed, as :func:`saturation.adaptive.floor.compare`
        says.
    """

    misfit: pd.DataFrame
    misfit_items: pd.DataFrame
    misfit_respondents: pd.DataFrame
    floors: pd.DataFrame


@dataclass(frozen=True)
class Squares:
    """Mean squared residuals: weighted by information (infit), and not (outfit)."""

    infit: Floats
    outfit: Floats


def misfit(
    bank: Bank, models: Sequence[str], slopes: Slopes, replicates: int, seed: int, name: str
) -> Misfit:
    """Compare a bank with banks that its fitted model draws.

    Parameters
    ----------
    bank
        The responses.
    models
        The model of each respondent: its checkpoints share it.
    slopes
        The sign that slopes may have.
    replicates
        Banks drawn and fitted.
    seed, name
        Of the run, and the bank's name, from which the random stream derives.

    Returns
    -------
    Misfit
        Without p-values, and with the reason as a note, if the model cannot be fitted to half of
        the replicates.
    """
    random = seeds.generator(seed, "adaptive", "misfit", name)
    fitted = fit(bank.responses, slopes)
    squares = [mean_squares(bank.responses, fitted, axis) for axis in (0, 1)]
    drawn, drawn_squares = [], []
    for replicate, again in replicated(bank.responses, fitted, slopes, replicates, random):
        drawn.append(statistics(replicate, again, models))
        drawn_squares.append([mean_squares(replicate, again, axis).infit for axis in (0, 1)])
    observed = statistics(bank.responses, fitted, models)
    note: str | None = None
    if len(drawn) < max(2.0, LEAST_FITTED * replicates):
        note = f"the model can be fitted to {len(drawn)} of {replicates} banks that it draws itself"
        drawn, drawn_squares = [], []
    tables = [
        squares_table(
            column, names, squares[axis], np.array([pair[axis] for pair in drawn_squares])
        )
        for axis, (column, names) in enumerate(
            (("item", bank.items), ("respondent", bank.respondents))
        )
    ]
    floors, floored = floor.compare(bank.responses, models, slopes, fitted, seed, name)
    needed = bool(floors["needed"].any())
    tables[1]["ability_floor"] = floored.ability if needed else np.nan
    tables[1]["ability_floor_se"] = floored.ability_se if needed else np.nan
    null = pd.DataFrame(drawn, columns=list(MEANING), dtype=float)
    return Misfit(_tests(observed, null).assign(note=note), tables[0], tables[1], floors)


def reasons(tests: pd.DataFrame, floors: pd.DataFrame) -> list[str]:
    """What speaks against the model, a phrase each.

    Parameters
    ----------
    tests, floors
        What :func:`misfit` returns.
    """
    return [*against(tests["statistic"][tests["rejected"]]), *guessing(floors)]


def short(tests: pd.DataFrame, floors: pd.DataFrame) -> str:
    """What speaks against the model in a few words, for a title; empty where nothing does.

    Parameters
    ----------
    tests, floors
        What :func:`misfit` returns.
    """
    words = [SHORT[statistic] for statistic in tests["statistic"][tests["rejected"]]]
    words += ["guessing"] * bool(floors["needed"].any())
    return f"the model is rejected: {', '.join(words)}" if words else ""


def against(statistics: Iterable[str]) -> list[str]:
    """What a statistic that is too large says.

    Parameters
    ----------
    statistics
        Of :data:`MEANING`.
    """
    return [MEANING[statistic].split(": ")[1] for statistic in statistics]


def guessing(floors: pd.DataFrame) -> list[str]:
    """That answers are guessed, where a floor is needed.

    Parameters
    ----------
    floors
        As :func:`saturation.adaptive.floor.compare` gives it.
    """
    needed = floors[floors["needed"]]
    columns = ("floor", "floor_lower", "floor_upper")
    return [
        f"guessing, with a chance of {floor.chance(*limits)}"
        for limits in zip(*(needed[column] for column in columns), strict=True)
    ]


def sentence(reasons: Sequence[str]) -> str:
    """Reasons not to believe the model as a sentence; nothing where there are none.

    Parameters
    ----------
    reasons
        Phrases.
    """
    return f"{REJECTED}: {'; '.join(reasons)}" if reasons else ""


def verdict(tests: pd.DataFrame, floors: pd.DataFrame) -> str:
    """What a reader must know before believing the abilities, in a sentence.

    Parameters
    ----------
    tests, floors
        What :func:`misfit` returns.
    """
    found = reasons(tests, floors)
    if found:
        return (
            f"{sentence(found)}. Errors and intervals are too narrow, and ranks are safer than "
            "abilities"
        )
    untold = tests["note"].dropna()
    return (
        f"whether the model fits cannot be said: {untold.iloc[0]}"
        if len(untold)
        else "no departure from the model was found"
    )


def statistics(responses: Responses, fitted: Fit, models: Sequence[str]) -> dict[str, float]:
    """What the residuals of a fit say of dimensions and dependence, by :data:`MEANING`.

    Parameters
    ----------
    responses
        Respondents by items.
    fitted
        Their fit.
    models
        The model of each respondent.
    """
    _, standard = _residuals(responses, fitted)
    between = _correlations(standard)
    alike = pd.factorize(np.asarray(models, dtype=object))[0]
    same = np.triu(alike[:, None] == alike, 1)
    items = _scaled(standard - standard.mean(axis=0), axis=0)
    squared = float(np.square(items @ items.T).sum()) - items.shape[1]
    pairs = items.shape[1] * (items.shape[1] - 1)
    return {
        "largest_eigenvalue": float(np.linalg.eigvalsh(between)[-1]),
        "item_correlation": float(np.sqrt(max(squared, 0.0) / pairs)),
        "model_correlation": float(between[same].mean()) if same.any() else np.nan,
    }


def mean_squares(responses: Responses, fitted: Fit, axis: int) -> Squares:
    """Infit and outfit of items (axis 0) or respondents (axis 1).

    Parameters
    ----------
    responses
        Respondents by items.
    fitted
        Their fit.
    axis
        What is summed over: respondents (0) or items (1).
    """
    chance, standard = _residuals(responses, fitted)
    seen = responses != MISSING
    weight = np.where(seen, chance * (1.0 - chance), 0.0)
    squared = np.square(standard)
    return Squares(
        (squared * weight).sum(axis=axis) / weight.sum(axis=axis),
        squared.sum(axis=axis) / seen.sum(axis=axis),
    )


def replicated(
    responses: Responses, fitted: Fit, slopes: Slopes, count: int, random: np.random.Generator
) -> Iterator[tuple[Responses, Fit]]:
    """Banks that the fitted model draws, with the same cells missing, each with its own fit.

    Parameters
    ----------
    responses
        Respondents by items.
    fitted
        Their fit.
    slopes
        The sign that slopes may have.
    count
        Banks drawn; one that cannot be fitted is left out.
    random
        Draws them.
    """
    chance = fitted.chance()
    for _ in range(count):
        cells = (random.random(chance.shape) < chance).astype(np.int8)
        cells[responses == MISSING] = MISSING
        try:
            yield cells, fit(cells, slopes, fitted.floor)
        except InputError:
            continue


def _residuals(responses: Responses, fitted: Fit) -> tuple[Floats, Floats]:
    """Chance of a right answer and standardised residual of each cell; 0 where it is missing."""
    chance = np.clip(fitted.chance(), 1e-6, 1.0 - 1e-6)
    standard = (responses - chance) / np.sqrt(chance * (1.0 - chance))
    return chance, np.where(responses == MISSING, 0.0, standard)


def _correlations(standard: Floats) -> Floats:
    rows = _scaled(standard - standard.mean(axis=1, keepdims=True), axis=1)
    return np.asarray(rows @ rows.T)


def _scaled(values: Floats, axis: int) -> Floats:
    length = np.sqrt(np.square(values).sum(axis=axis, keepdims=True))
    return np.asarray(values / np.where(length > 0, length, 1.0))


def _tests(observed: dict[str, float], drawn: pd.DataFrame) -> pd.DataFrame:
    """One row a statistic: large ones speak against the model."""
    rows = []
    for name, value in observed.items():
        null = drawn[name].to_numpy(float)
        known = np.isfinite(value) and len(null) > 0
        rows.append(
            {
                "statistic": name,
                "observed": value,
                "expected": float(null.mean()) if known else np.nan,
                "highest": float(null.max()) if known else np.nan,
                "p_value": p_value(value, null) if known else np.nan,
            }
        )
    table = pd.DataFrame(rows)
    tested = table["p_value"].notna()
    table["p_adjusted"] = np.nan
    table.loc[tested, "p_adjusted"] = holm(table.loc[tested, "p_value"].to_numpy(float))
    return table.assign(
        rejected=table["p_adjusted"] <= LEVEL, meaning=table["statistic"].map(MEANING)
    )


def squares_table(
    column: str, names: Sequence[str], squares: Squares, drawn: Floats
) -> pd.DataFrame:
    """Mean squares with p-values: the logarithm's distance from the replicates', by Student's t.

    Parameters
    ----------
    column, names
        Of what the mean squares are, and what each is called.
    squares
        Those of the bank.
    drawn
        Infit of the replicates, replicates by names.
    """
    empty = np.full(len(names), np.nan)
    mean_squared = {column: list(names), "infit": squares.infit, "outfit": squares.outfit}
    if not len(drawn):
        return pd.DataFrame(
            mean_squared | dict.fromkeys(("expected_infit", "p_value", "p_adjusted"), empty)
        )
    logs = np.log(np.maximum(drawn, 1e-6))
    count = len(logs)
    spread = logs.std(axis=0, ddof=1) * np.sqrt(1.0 + 1.0 / count)
    away = np.log(np.maximum(squares.infit, 1e-6)) - logs.mean(axis=0)
    distance = np.divide(away, spread, out=np.full_like(away, np.nan), where=spread > 0)
    p = 2.0 * scipy.special.stdtr(count - 1, -np.abs(distance))
    tested = {
        "expected_infit": np.exp(logs.mean(axis=0)),
        "p_value": p,
        "p_adjusted": benjamini_hochberg(p),
    }
    return pd.DataFrame(mean_squared | tested)
