"""Compare a bank with banks that its fitted model draws, and the model with one with a floor."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive import misfit as departures
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.misfit import MEANING
from saturation.adaptive.model import MISSING, Responses
from saturation.adaptive.responses import Bank
from saturation.files.tables import NamedTables
from saturation.statistics.intervals import ALPHA, holm, t_quantile
from saturation.statistics.resampling import p_value
from saturation.statistics.standard_errors import clustered_error


def compare(
    responses: Responses, models: Sequence[str], plain: Fit, seed: int, name: str
) -> pd.DataFrame:
    """Estimate a floor, and cross-validate the model with and without a floor on fifths of cells.

    Returns one row `floor, floor_lower, floor_upper, gain, lower, upper, needed`. The gain is that
    in mean log-likelihood of a held-out cell over the model without a floor, for the floor that the
    other cells suggest, with its 95 % interval over models (missing for one model alone, or where
    four fifths of the cells cannot be fitted). A floor is needed if its own interval lies above a
    chance that nobody guesses with, and the gain above nought.
    """
    floor = departures.estimated(responses, plain)
    random = seeds.generator(seed, "adaptive", "floors", name)
    gains = departures.measure_gains(responses, floor.value, random)
    seen = responses != MISSING
    units = np.asarray(models, object)[np.nonzero(seen)[0]].astype(str)
    clusters = len(np.unique(units))
    error = clustered_error(gains[seen], units) if clusters > 1 else np.nan
    reach = t_quantile(max(clusters - 1, 1)) * error
    gain = gains[seen].mean()
    row = {
        "floor": floor.value,
        "floor_lower": floor.lower,
        "floor_upper": floor.upper,
        "gain": gain,
        "lower": gain - reach,
        "upper": gain + reach,
        # An unknown gain is no gain.
        "needed": bool(floor.lower > departures.LEAST_GUESSED and gain > 0),
    }
    return pd.DataFrame([row])


# Replicates that the model must be able to fit, of those asked for.
LEAST_FITTED = 0.5


def misfit(bank: Bank, models: Sequence[str], replicates: int, seed: int, name: str) -> NamedTables:
    """Compare a bank with banks that its fitted model draws; checkpoints share their model.

    Tables by the names of their files. ``misfit`` has rows `statistic, observed, expected, highest,
    p_value, p_adjusted, rejected, meaning, note`: the replicates' mean and highest; p adjusted for
    the number of statistics by Holm; no p-values, and the reason as a note, if the model cannot be
    fitted to half of the replicates. ``floors`` has a floor of guessing and whether it is needed,
    as :func:`compare` says.
    """
    random = seeds.generator(seed, "adaptive", "misfit", name)
    fitted = fit(bank.responses)
    refits = [
        departures.statistics(replicate, again, models)
        for replicate, again in departures.replicated(bank.responses, fitted, replicates, random)
    ]
    observed = departures.statistics(bank.responses, fitted, models)
    note = None
    if len(refits) < max(2.0, LEAST_FITTED * replicates):
        note = (
            f"the model can be fitted to {len(refits)} of {replicates} banks that it draws itself"
        )
        refits = []
    floors = compare(bank.responses, models, fitted, seed, name)
    null = pd.DataFrame(refits, columns=list(MEANING), dtype=float)
    return {"misfit": _tests(observed, null).assign(note=note), "floors": floors}


def _tests(observed: dict[str, float], drawn: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each statistic: large statistics contradict the model."""
    rows = []
    for name, value in observed.items():
        null = drawn[name].to_numpy(float)
        compared = (np.nan, np.nan, np.nan)
        if np.isfinite(value) and len(null):
            compared = null.mean(), null.max(), p_value(value, null)
        rows.append((name, value, *compared))
    columns = ["statistic", "observed", "expected", "highest", "p_value"]
    table = pd.DataFrame(rows, columns=columns)
    tested = table["p_value"].notna()
    table["p_adjusted"] = np.nan
    table.loc[tested, "p_adjusted"] = holm(table.loc[tested, "p_value"].to_numpy(float))
    return table.assign(
        rejected=table["p_adjusted"] <= ALPHA, meaning=table["statistic"].map(MEANING)
    )
