"""Compare a bank with banks that its fitted model draws, and the model with one with a floor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive import misfit as departures
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.misfit import MEANING, standardise_residuals
from saturation.adaptive.model import MISSING, Responses, Slopes
from saturation.adaptive.responses import Bank
from saturation.arrays import Floats
from saturation.statistics.intervals import ALPHA, benjamini_hochberg, holm, t_quantile
from saturation.statistics.resampling import p_value
from saturation.statistics.standard_errors import clustered_error


def compare(
    responses: Responses, models: Sequence[str], plain: Fit, seed: int, name: str
) -> tuple[pd.DataFrame, Fit]:
    """Estimate a floor, and cross-validate the model with and without a floor on fifths of cells.

    Returns one row `floor, floor_lower, floor_upper, gain, lower, upper, needed`, and the fit with
    this floor. The gain is that in mean log-likelihood of a held-out cell over the model without a
    floor, for the floor that the other cells suggest, with its 95 % interval over models (missing
    for one model alone, or where four fifths of the cells cannot be fitted). A floor is needed if
    its own interval lies above a chance that nobody guesses with, and the gain above nought.
    """
    floor = departures.estimated(responses, plain)
    random = seeds.generator(seed, "adaptive", "floors", name)
    gains = departures.measure_gains(responses, plain.slopes, floor.value, random)
    seen = responses != MISSING
    units = np.asarray(models, dtype=object)[np.nonzero(seen)[0]].astype(str)
    clusters = len(np.unique(units))
    error = clustered_error(gains[seen], units) if clusters > 1 else np.nan
    reach = t_quantile(max(clusters - 1, 1)) * error
    gain = float(gains[seen].mean())
    row = {
        "floor": floor.value,
        "floor_lower": floor.lower,
        "floor_upper": floor.upper,
        "gain": gain,
        "lower": gain - reach,
        "upper": gain + reach,
        "needed": departures.is_needed(floor, gain),
    }
    return pd.DataFrame([row]), floor.fitted


# Replicates that the model must be able to fit, of those asked for.
LEAST_FITTED = 0.5


class Misfit(NamedTuple):
    """Departures of a bank from the model, by the names of its files.

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
        A floor of guessing and whether it is needed, as
        :func:`compare`
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
    """Compare a bank with banks that its fitted model draws; checkpoints share their model.

    It has no p-values, and the reason as a note, if the model cannot be fitted to half of the
    replicates.
    """
    random = seeds.generator(seed, "adaptive", "misfit", name)
    fitted = fit(bank.responses, slopes)
    squares = [mean_squares(bank.responses, fitted, axis) for axis in (0, 1)]
    refits, drawn_squares = [], []
    for replicate, again in departures.replicated(bank.responses, fitted, replicates, random):
        refits.append(departures.statistics(replicate, again, models))
        drawn_squares.append([mean_squares(replicate, again, axis).infit for axis in (0, 1)])
    observed = departures.statistics(bank.responses, fitted, models)
    note: str | None = None
    if len(refits) < max(2.0, LEAST_FITTED * replicates):
        note = (
            f"the model can be fitted to {len(refits)} of {replicates} banks that it draws itself"
        )
        refits, drawn_squares = [], []
    tables = [
        squares_table(
            column, names, squares[axis], np.array([pair[axis] for pair in drawn_squares])
        )
        for axis, (column, names) in enumerate(
            (("item", bank.items), ("respondent", bank.respondents))
        )
    ]
    floors, floored = compare(bank.responses, models, fitted, seed, name)
    needed = bool(floors["needed"].any())
    tables[1]["ability_floor"] = floored.ability if needed else np.nan
    tables[1]["ability_floor_se"] = floored.ability_se if needed else np.nan
    null = pd.DataFrame(refits, columns=list(MEANING), dtype=float)
    return Misfit(_tests(observed, null).assign(note=note), tables[0], tables[1], floors)


def mean_squares(responses: Responses, fitted: Fit, axis: int) -> Squares:
    """Infit and outfit of items (axis 0) or respondents (axis 1)."""
    chance, standard = standardise_residuals(responses, fitted)
    seen = responses != MISSING
    weight = np.where(seen, chance * (1.0 - chance), 0.0)
    squared = np.square(standard)
    return Squares(
        (squared * weight).sum(axis=axis) / weight.sum(axis=axis),
        squared.sum(axis=axis) / seen.sum(axis=axis),
    )


def _tests(observed: dict[str, float], drawn: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each statistic: large statistics contradict the model."""
    rows = []
    for name, value in observed.items():
        null = drawn[name].to_numpy(float)
        defined = np.isfinite(value) and len(null) > 0
        rows.append(
            {
                "statistic": name,
                "observed": value,
                "expected": float(null.mean()) if defined else np.nan,
                "highest": float(null.max()) if defined else np.nan,
                "p_value": p_value(value, null) if defined else np.nan,
            }
        )
    table = pd.DataFrame(rows)
    tested = table["p_value"].notna()
    table["p_adjusted"] = np.nan
    table.loc[tested, "p_adjusted"] = holm(table.loc[tested, "p_value"].to_numpy(float))
    return table.assign(
        rejected=table["p_adjusted"] <= ALPHA, meaning=table["statistic"].map(MEANING)
    )


def squares_table(
    column: str, names: Sequence[str], squares: Squares, drawn: Floats
) -> pd.DataFrame:
    """Mean squares with p-values: the logarithm's distance from the replicates', by Student's t."""
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
